"""The golden games of Pyramid Scheme, and its pyramids in a few lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "pyramid-scheme"
BOARD_AFTER = "out"
LIKES = {"flip": 6.0, "limit": 4.0, "reserve": 4.0, "remove": 4.0, "place": 1.2, "reset": 0.3, "done": 0.4}

PLAYTHROUGHS = [
    Playthrough("pyramid-scheme-2-seats", GAME, 2, "two-117", "two seats, to the last one standing", {}, LIKES),
    Playthrough(
        "pyramid-scheme-3-seats",
        GAME,
        3,
        "three-123",
        "three seats, crumbled Victims come back",
        {"recycle_crumbled": True},
        LIKES,
    ),
    Playthrough(
        "pyramid-scheme-4-seats", GAME, 4, "four-191-33", "four seats, any of them starts", {"start": "random"}, LIKES
    ),
]


def board(match: Match) -> list[str]:
    """Return the table in a few lines; hands are read from each player's own view. `*` marks what is flipped."""
    view = match.view(None)
    top = _card(view["deck_top"]) if view["deck_top"] else "none"
    lines = [
        (
            f"market {' '.join(map(_card, view['market']))}, top {top}, deck {view['deck_count']}, "
            f"discarded {len(view['discard'])}, out of the game {len(view['gone'])}, tokens {view['supply']}"
        ),
        "goals " + ", ".join(_goal(goal) for goal in view["goals"]),
    ]
    for seat in range(match.seats):
        player = match.view(seat)["players"][seat]
        if player["out"]:
            lines.append(f"seat {seat} out")
            continue
        hand = " ".join(map(_card, player["hand"])) or "none"
        lines.append(f"seat {seat} hand {hand}, reset tokens {player['tokens']}: {_tree(player['pyramid'], None)}")
    return lines


def _goal(goal: Mapping[str, Any]) -> str:
    if goal["claimed"] is not None:
        return f"{goal['goal']} (seat {goal['claimed']})"
    return goal["goal"] + (f" (for seat {goal['reserved']})" if goal["reserved"] is not None else "")


def _card(card: Mapping[str, Any]) -> str:
    if card["kind"] != "victim":
        return card["kind"].upper()[0]
    return f"{card['colour'][0]}{card['number']}"


def _tree(cards: list[Mapping[str, Any]], above: str | None) -> str:
    parts: list[str] = []
    for card in cards:
        if card["below"] == above:
            tokens = f"+{card['limits']}" if card["limits"] else ""
            below = _tree(cards, card["card"])
            parts.append(_card(card) + ("*" if card["flipped"] else "") + tokens + (f"({below})" if below else ""))
    return " ".join(parts)
