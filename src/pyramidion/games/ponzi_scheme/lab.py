"""What the lab draws: every fund card with its worth."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from pyramidion.engine.pictures import CardSet

KINDS = {"starting": "#4c6b33", "ordinary": "#2f4a66", "bear": "#7c1f16"}


def draw(card: Mapping[str, Any]) -> str:
    """Return the SVG of a fund card: its value, and its interest and period below."""
    value, interest, period = (escape(str(card.get(name, "")))[:6] for name in ("value", "interest", "period"))
    hue = KINDS.get(str(card.get("kind")), "#4a463d")
    return (
        '<svg class="card" viewBox="0 0 120 84" aria-hidden="true">'
        '<rect x="1" y="1" width="118" height="82" rx="7" fill="#fffaf0" stroke="#23201b" stroke-width="1.5"/>'
        f'<path d="M1.8 50h116.4v26a6.5 6.5 0 0 1-6.5 6.5H8.3A6.5 6.5 0 0 1 1.8 76z" fill="{hue}"/>'
        f'<text x="60" y="38" font-size="32" font-weight="700" text-anchor="middle" fill="{hue}">${value}</text>'
        f'<text x="10" y="73" font-size="20" font-weight="700" fill="#fff">-${interest}</text>'
        '<path d="M86 60a8.5 8.5 0 1 0 2.4 6M89 56v5.5h-5.5" fill="none" stroke="#fff" stroke-width="2"/>'
        f'<text x="110" y="73" font-size="18" text-anchor="end" fill="#fff">{period}</text></svg>'
    )


CARDS = CardSet("fund_cards", draw, "choices", lambda index, card: f"fund card {card['value']}", ignore=("kind",))
