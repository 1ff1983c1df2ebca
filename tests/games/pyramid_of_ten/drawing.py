"""HTML of both games' boards, rendered for a viewer without a server, and readers for it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from pyramidion.web.pages.rendering import render_fragment
from pyramidion.web.table.shown import LegalAction, Seat

NAMES = ["Ana", "Ben", "Cal", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo"]
SEATS = [Seat(n, "bot" if n % 2 else "person", name, None, True) for n, name in enumerate(NAMES)]


def drawn(match: Any, viewer: int | None, **more: Any) -> str:
    """Return the HTML of a viewer's fragment of a match."""
    game = match.game
    legal = match.legal(viewer) if viewer is not None and not match.over else []
    given: dict[str, Any] = {
        "table": SimpleNamespace(id="t", game=game, match=match, close_early=True, rows=[], kept={}),
        "viewer": viewer,
        "version": 1,
        "last_position": 1,
        "view": match.view(viewer),
        "events": list(match.events(viewer, names=NAMES)),
        "acting": match.acting_for(viewer),
        "legal": [LegalAction(a.id, a.text, a.family, a.path, match.label(a, NAMES)) for a in legal],
        "over": match.over,
        "outcome": match.outcome,
        "names": NAMES,
        "seats": SEATS,
        "position_is_current": True,
        "everything": False,
        "timing": None,
        "submission": None,
        "confirmed": None,
        "receipt": None,
        "seals": 0,
        "ordered": None,
        "hints": False,
        "queued": None,
    }
    return render_fragment(SimpleNamespace(**{**given, **more}))


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
