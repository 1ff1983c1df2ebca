"""The golden game of Downside Up, and its board in a few lines."""

from __future__ import annotations

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "downside-up"
BOARD_AFTER = "claim"
LIKES = {"confirm": 3.0, "trade": 0.1}

PLAYTHROUGHS = [
    Playthrough(
        f"{GAME}-10-seats",
        GAME,
        10,
        "ten 13",
        "four rounds, claims that fail, two attacks on one space, a fall through two layers",
        {"garnets": (12, 9, 10, 10, 10, 10, 7, 10, 10, 10)},
        LIKES,
    )
]


def board(match: Match) -> list[str]:
    """Return the pyramid, layer by layer, with the seat on each space."""
    view = match.view(None)
    lines = [f"round {view['round']}, {view['phase']}"]
    for n, row in enumerate(view["layers"]):
        seats = {space["space"]: space["seat"] for space in view["spaces"]}
        lines.append("    " * n + "    ".join(f"{name} {'-' if seats[name] is None else seats[name]} " for name in row))
    return lines
