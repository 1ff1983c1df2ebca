"""Readers for the HTML of both games' boards, and random games to draw."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any


def positions(game: Any, seed: int) -> Iterator[Any]:
    """Play at random; yield the match occasionally, at the start of every phase, and at the end."""
    match, chance, before = game.new(10, seed), random.Random(seed), None
    while not match.over:
        view = match.view(None)
        phase = view["phase"], view["round"]
        if phase != before or chance.random() < 0.05:
            before = phase
            yield match
        seat = chance.choice(match.acting)
        legal = [str(action) for action in match.legal(seat)]
        match.play(seat, "confirm" if "confirm" in legal and chance.random() < 0.5 else chance.choice(legal))
    yield match


def offered(html: str) -> set[str]:
    """Return the actions that have a button."""
    html = " ".join(html.split())
    return {
        action for action, rest in re.findall(r'name="action" value="([^"]+)"([^>]*)>', html) if "disabled" not in rest
    }


def fields(html: str) -> dict[str, int]:
    """Return the number fields, each with its maximum."""
    html = " ".join(html.split())
    found = re.findall(r'<input id="[^"]+" name="number-(\w+)"[^>]* max="(\d+)"([^>]*)>', html)
    return {family: int(most) for family, most, rest in found if "disabled" not in rest}


def known_numbers(view: dict[str, Any], html: str) -> tuple[int, int]:
    """Return how many holdings of players the view contains, and how many the list shows."""
    ending = html.partition('<table class="by-list">')[2].partition("</table>")[0]
    known = sum(p[what] is not None for p in view["players"] for what in ("tickets", "garnets", "priority"))
    return known, ending.count('class="amount"')


def check_offers(match: Any, viewer: int, html: str) -> None:
    """Check that the board offers exactly the legal actions."""
    view = match.view(viewer)
    numbers = {part["part"]: part["most"] for part in view["you"]["parts"] if part["part"] in NUMBERS}
    legal = {str(action) for action in match.legal(viewer)}
    assert offered(html) == {text for text in legal if text.split()[0] not in NUMBERS}
    fits = {text.split()[0]: 0 for text in legal if text.split()[0] in NUMBERS}
    for text in legal:
        if text.split()[0] in NUMBERS:
            fits[text.split()[0]] = max(fits[text.split()[0]], int(text.split()[1]))
    assert fields(html) == fits
    assert set(fits) <= set(numbers)


NUMBERS = ("bid", "tickets", "attack", "defend")
