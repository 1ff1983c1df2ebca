"""The golden game of Upside Down, and its board in a few lines."""

from __future__ import annotations

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "upside-down"
BOARD_AFTER = "bottom"
LIKES = {"confirm": 6.0, "bid": 5.0, "ask": 3.0, "challenge": 3.0, "tickets": 3.0, "trade": 0.2}

PLAYTHROUGHS = [
    Playthrough(
        f"{GAME}-10-seats",
        GAME,
        10,
        "ten 27",
        "five rounds, players screwed, challenges void and drawn, priorities made different, tokens given away",
        {"priority": (12, 12, 12, 14, 14, 9, 8, 7, 3, -2)},
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
