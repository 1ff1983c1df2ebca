"""HTML of a match's board, rendered for a viewer without a server."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from pyramidion.web.pages.renderer import render_fragment
from pyramidion.web.table.view_models import LegalAction, Seat

NAMES = ["Ana", "Ben", "Cal", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo"]
SEATS = [Seat(n, "bot" if n % 2 else "person", name, None, True) for n, name in enumerate(NAMES)]


def drawn(match: Any, viewer: int | None, **more: Any) -> str:
    """Return the HTML of a viewer's fragment of a match."""
    game, names = match.game, NAMES[: match.seats]
    acts = viewer is not None and not match.over and viewer in (*match.acting, *match.free)
    legal: Sequence[Any] = match.legal(viewer) if acts else ()
    given: dict[str, Any] = {
        "table": SimpleNamespace(id="t", game=game, match=match, close_early=True, rows=[], kept={}),
        "viewer": viewer,
        "version": 1,
        "last_position": 1,
        "view": match.view(viewer),
        "events": list(match.events(viewer, names=names)),
        "acting": match.acting_for(viewer),
        "legal": [LegalAction(a.id, a.text, a.family, a.path, match.label(a, names)) for a in legal],
        "over": match.over,
        "outcome": match.outcome,
        "names": names,
        "seats": SEATS[: match.seats],
        "position_is_current": True,
        "everything": False,
        "timing": None,
        "submission": None,
        "confirmed": None,
        "receipt": None,
        "seals": 0,
        "ordered": None,
        "premove": None,
        "hints": False,
        "queued": None,
    }
    return render_fragment(SimpleNamespace(**{**given, **more}))
