"""The golden games of Pyramid-Sham-Bo, and its table in a few lines."""

from __future__ import annotations

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "pyramid-shambo"
BOARD_AFTER = "out"


def _golden(name: str, seats: int, seed: str, shows: str, **options: object) -> Playthrough:
    return Playthrough(f"{GAME}-{name}", GAME, seats, seed, shows, options)


PLAYTHROUGHS = [
    _golden("2-seats", 2, "two 3", "two seats, every fee doubled"),
    _golden("4-seats", 4, "four 45", "four seats, change, a trade, knock-outs with bonuses"),
    _golden(
        "10-seats",
        10,
        "ten 457",
        "ten seats, a challenge called off, an end by the turn limit",
        turn_limit=22,
        tie_limit=3,
    ),
]


def board(match: Match) -> list[str]:
    """Return the table in a few lines: whose turn it is, and what everybody holds."""
    view = match.view(None)
    lines = [f"turn {view['turn']} of seat {view['active']}, {view['phase']}, worth {view['worth']}"]
    for player in view["players"]:
        held = " ".join(piece["piece"] for piece in player["pieces"]) or "out"
        lines.append(f"seat {player['seat']} {player['letter']}   {player['pips']:2} pips   {held}")
    return lines
