"""Names of Pyramis' components for the lab's tables, and what it draws: the Fleet, and every card with its worth."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from pyramidion.engine.metric_rules import first_winner
from pyramidion.engine.pictures import BoardMap, CardSet
from pyramidion.engine.rule import rule
from pyramidion.games.pyramis.layout import COLOURS, N_SPACES, SPACES

ARGUMENTS = {"colour": COLOURS, "card": tuple(range(49))}
HUES = {"blue": "#3f86b5", "green": "#7fae63", "pink": "#d48aa8", "gray": "#a9adb4"}
WINNING_FLEET = "winning fleet"
LINES = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}


@rule
def measure_winning_fleet(box, s, seat, action, out):
    """Write the Pyramids that count on each space of the winner's Fleet at the end of the game to `out`."""
    if s.over:
        winner = first_winner(s)
        if winner >= 0:
            for space in range(N_SPACES):
                card = int(s.fleet[winner, space]) - 1
                if card >= 0:
                    out[space] = box.pyramids[card, (int(s.turned[winner]) >> space) & 1]


def _fleet(prefix: str) -> dict[str, tuple[float, float]]:
    """Return the coordinates of the Fleet's spaces in a picture, by `prefix` and the name of the space."""
    return {f"{prefix}{space}": (int(space[1]) - 1 + (3 - LINES[space[0]]) / 2, LINES[space[0]]) for space in SPACES}


def _end(value: Any, y: float) -> str:
    """Return the SVG of an end of a card at the height `y`; `value` is the list of its Pyramids and Aliens."""
    pair = value if isinstance(value, list) and len(value) == 2 else ["", ""]
    pyramids, aliens = (escape(str(n))[:3] for n in pair)
    return (
        f'<rect x="24" y="{y}" width="56" height="24" rx="8" fill="#1d2740"/>'
        f'<path d="M27 {y + 18} 34 {y + 5} 41 {y + 18}z" fill="#f0bf4c"/>'
        f'<text x="42" y="{y + 17}" font-size="14" font-weight="700" fill="#fff">{pyramids}</text>'
        f'<circle cx="60" cy="{y + 12}" r="4.5" fill="#9fe08a"/>'
        f'<text x="67" y="{y + 17}" font-size="13" font-weight="700" fill="#9fe08a">{aliens}</text>'
    )


def draw(card: Mapping[str, Any]) -> str:
    """Return the SVG of an Exodus card: Pyramids and Aliens at both ends, its colour, and its Shooting Star."""
    colour = str(card.get("colour"))
    star = '<text x="82" y="49" font-size="18" text-anchor="middle" fill="#fff3b8">★</text>' if card.get("star") else ""
    return (
        '<svg class="card" viewBox="0 0 100 84" aria-hidden="true">'
        f'<path d="M13.5 2.5h73L98 81.5H2z" fill="{HUES.get(colour, "#777")}" stroke="#23201b" stroke-width="1.5"/>'
        f"{_end(card.get('top'), 8)}{_end(card.get('bottom'), 52)}{star}"
        f'<text x="14" y="48" font-size="13" font-weight="700" fill="#23201b">{escape(colour[:1].upper())}</text></svg>'
    )


METRICS = {WINNING_FLEET: (SPACES, measure_winning_fleet)}
PICTURES = (
    BoardMap(
        "Where the winner's Pyramids are",
        "Pyramids that count on each space of the winner's Fleet at the end, on average.",
        WINNING_FLEET,
        "mean",
        _fleet(""),
    ),
    BoardMap(
        "Where cards are turned", "Cards turned on each space, in a game.", "actions", "per game", _fleet("rotate ")
    ),
    BoardMap(
        "What turning is worth",
        "The share of wins of players who turn a card on a space, less that of those who do not, in points.",
        "actions",
        "worth",
        _fleet("rotate "),
    ),
)
CARDS = CardSet("exodus_cards", draw, "details", lambda index, card: f"placed card {index}")
