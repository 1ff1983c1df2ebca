"""The golden games of Pyramis, and its board in a few lines."""

from __future__ import annotations

from typing import Any

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "pyramis"
BOARD_AFTER = "turned"
LETTERS = {"blue": "O", "green": "F", "pink": "M", "gray": "C"}

PLAYTHROUGHS = [
    Playthrough("pyramis-2-seats", GAME, 2, "pyramis 2 3", "two seats, cards that turn"),
    Playthrough("pyramis-3-seats", GAME, 3, "pyramis 3", "three seats, a Star card taken from another player"),
    Playthrough("pyramis-4-seats", GAME, 4, "pyramis 4", "four seats, three Star cards taken, an empty deck"),
]


def board(match: Match) -> list[str]:
    """Return the table in a few lines; every player's Star cards are read from that player's own view.

    A card reads `O2+1/1+0*~`: landscape (ocean, forest, mountain, city), Pyramids and Aliens on the end on top, then on
    the other; a star for a Shooting Star; a wave if it is turned.
    """
    view = match.view(None)
    decks = (f"{deck['deck']} {deck['left']} ({' '.join(deck['back']) or 'none'})" for deck in view["decks"])
    lines = [
        f"turn {view['turn']} of {view['turns']}, reserve {view['reserve']} Stars, decks {', '.join(decks)}",
        "river    " + "  ".join(_card(card, card["top"], card["bottom"]) if card else "gap" for card in view["river"]),
    ]
    for seat in range(match.seats):
        player = match.view(seat)["players"][seat]
        stars = " ".join(str(star["star"]) for star in player["star_cards"]) or "none"
        cards = "  ".join(f"{place['space']} {_lying(place)}" for place in player["fleet"] if place["card"])
        lines.append(f"seat {seat}   {player['score']:>2} points, Stars {stars}   {cards or 'no cards'}")
    return lines


def _lying(place: dict[str, Any]) -> str:
    return _card(place["card"], place["up"], place["down"]) + ("~" if place["turned"] else "")


def _card(card: dict[str, Any], up: dict[str, int], down: dict[str, int]) -> str:
    ends = "/".join(f"{end['pyramids']}+{end['aliens']}" for end in (up, down))
    return f"{LETTERS[card['colour']]}{ends}{'*' if card['star'] else ''}"
