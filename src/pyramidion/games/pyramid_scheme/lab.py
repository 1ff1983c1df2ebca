"""What the lab measures and draws: the winner's pyramid by level, and every Victim with its worth."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from pyramidion.engine.metric_rules import first_winner
from pyramidion.engine.pictures import CardSet, Levels
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import FIRST_FOUNDER, VICTIM_NAMES, VICTIMS

LEVELS, DEEPEST = "pyramid", 10
LABELS = tuple(f"level {n + 1}" for n in range(DEEPEST))
COLOURS = {
    "green": ("#2b7343", "#fff", '<circle cx="16" cy="16" r="12" fill="{}"/>'),
    "blue": ("#2a5ea8", "#fff", '<path d="M5 5h22v22H5z" fill="{}"/>'),
    "pink": ("#b93578", "#fff", '<path d="M16 3 29 28H3z" fill="{}"/>'),
    "yellow": ("#e0b02e", "#23201b", '<path d="M16 2 30 16 16 30 2 16z" fill="{}"/>'),
}


@rule
def measure_pyramid(box, s, seat, action, out):
    """Count the cards on each level of the winner's pyramid at the end of the game in `out`.

    The Police stand beside a level and do not count.
    """
    if s.over:
        winner = first_winner(s)
        if winner >= 0:
            for k in range(s.pile_count[winner]):
                card = s.pile[winner, k]
                if card < VICTIMS or card >= FIRST_FOUNDER:
                    out[min(int(s.level[card]), DEEPEST) - 1] += 1


def draw(card: Mapping[str, Any]) -> str:
    """Return the SVG of a Victim: its colour and number, its condition, and its reward."""
    hue, ink, shape = COLOURS.get(str(card.get("colour")), ("#4a463d", "#fff", COLOURS["blue"][2]))
    asked: list[str] = []
    wants = card.get("wants") or []
    for n, want in enumerate(wants if isinstance(wants, list) else []):
        at = 60 - 14 * (len(wants) - 1) + 28 * n
        if want in COLOURS:
            paint, _, form = COLOURS[want]
            asked.append(f'<g transform="translate({at - 12} 60) scale(.75)">{form.format(paint)}</g>')
        else:
            label = "*" if want == "any" else escape(str(want))[:3]
            asked.append(
                f'<rect x="{at - 11}" y="61" width="22" height="23" rx="3" fill="none" stroke="#23201b"/>'
                f'<text x="{at}" y="79" font-size="18" font-weight="700" text-anchor="middle" fill="#23201b">'
                f"{label}</text>"
            )
    reward = escape(str(card.get("reward") or ""))[:18]
    return (
        '<svg class="card" viewBox="0 0 120 112" aria-hidden="true">'
        '<rect x="1" y="1" width="118" height="110" rx="9" fill="#fffaf0" stroke="#23201b" stroke-width="1.5"/>'
        f'<g transform="translate(12 10) scale(1.45)">{shape.format(hue)}</g>'
        f'<text x="35" y="42" font-size="26" font-weight="700" text-anchor="middle" fill="{ink}">'
        f"{escape(str(card.get('number', '')))[:3]}</text>{''.join(asked)}"
        f'<text x="60" y="103" font-size="15" text-anchor="middle" fill="#23201b">{reward}</text></svg>'
    )


METRICS = {LEVELS: (LABELS, measure_pyramid)}
PICTURES = (
    Levels(
        "A typical pyramid",
        "The mean number of cards on each level of the winner's pyramid at the end of the game, the Founder on top.",
        LEVELS,
    ),
)
CARDS = CardSet("victims", draw, "details", lambda index, card: f"placed card {VICTIM_NAMES[index]}")
