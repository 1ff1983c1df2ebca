"""A match's board as HTML for notebooks: one document that needs no server and no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from types import SimpleNamespace

from pyramidion.engine.match import Match
from pyramidion.web.pages.assets import assets
from pyramidion.web.pages.renderer import NO_EXTRAS, Extras, render_fragment, render_page
from pyramidion.web.table.snapshots.snapshot import Snapshot
from pyramidion.web.table.view_models import LegalAction, Seat

HEIGHT = 760
"""Height of the frame in pixels; the board scrolls inside it."""


def picture(match: Match, viewer: int | None = None, names: Sequence[str] | None = None) -> str:
    """Render the board as a seat, or a spectator (None), sees it, as a complete HTML page with its styles inline."""
    files = assets().files
    styles = [files[name].plain.decode() for name in ("base.css", "table.css", f"games/{match.game.id}/board.css")]
    fragment = drawn_board(match, viewer, names)
    return render_page(
        "picture.html", title=match.game.name, game=match.game, fragment=fragment, styles="".join(styles)
    )


def drawn_board(
    match: Match,
    viewer: int | None = None,
    names: Sequence[str] | None = None,
    legal: Sequence[LegalAction] = (),
    extras: Extras = NO_EXTRAS,
) -> str:
    """Render the board as a seat, or a spectator (None), sees it, as an HTML fragment with actions to choose from."""
    called = match.game.names(names)[: match.seats]
    version = match.version(viewer)
    return render_fragment(
        Snapshot(
            table=SimpleNamespace(id="picture", game=match.game),  # type: ignore[arg-type]
            viewer=viewer,
            version=version,
            last_version=version,
            position=version,
            last_position=version,
            view=match.view(viewer),
            events=match.events(viewer, names=called),
            acting=match.acting_for(viewer),
            free=(),
            legal=legal,
            over=match.over,
            outcome=match.outcome,
            names=called,
            seats=[Seat(n, "person", name, None, present=True) for n, name in enumerate(called)],
        ),
        extras,
    )


def frame(match: Match) -> str:
    """Return an iframe with the board, which keeps the board's styles separate from a notebook's."""
    page = escape(picture(match), quote=True)
    return f'<iframe srcdoc="{page}" sandbox style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
