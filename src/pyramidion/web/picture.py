"""The board of a match as a picture for a notebook: one page that needs no server and no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from types import SimpleNamespace

from pyramidion.engine.match import Match
from pyramidion.web.assets import assets
from pyramidion.web.render import render_fragment, render_page
from pyramidion.web.snapshot import Seat, Snapshot

HEIGHT = 760
"""Pixels that a notebook gives the board; it scrolls."""


def picture(match: Match, viewer: int | None = None, names: Sequence[str] | None = None) -> str:
    """Return the board as a seat or a spectator (None) sees it, as a whole HTML page with its styles inside."""
    called = match.game.names(names)[: match.seats]
    version = match.version(viewer)
    fragment = render_fragment(
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
            legal=(),
            over=match.over,
            outcome=match.outcome,
            names=called,
            seats=[Seat(n, "person", name, None, present=True) for n, name in enumerate(called)],
        )
    )
    files = assets().files
    styles = [files[name].plain.decode() for name in ("base.css", "table.css", f"games/{match.game.id}/board.css")]
    return render_page(
        "picture.html", title=match.game.name, game=match.game, fragment=fragment, styles="".join(styles)
    )


def frame(match: Match) -> str:
    """Return the picture in a frame of its own, so that its styles and the notebook's leave each other alone."""
    page = escape(picture(match), quote=True)
    return f'<iframe srcdoc="{page}" sandbox style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
