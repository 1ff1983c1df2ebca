"""A season's conversations: a page that works without scripts, and the fragment beside the board."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.responses import Response

from pyramidion.seasons.redaction import redact_conversations, viewer_of
from pyramidion.translation import _
from pyramidion.web.errors import NotYours
from pyramidion.web.features.seasons.chat_events import takes_part
from pyramidion.web.features.seasons.loaded import LoadedSeason, season_requester_of
from pyramidion.web.features.seasons.pages.context import conversations_context, view_for
from pyramidion.web.features.seasons.service import season_at
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import visitors_of
from pyramidion.web.pages.page import page, version_of
from pyramidion.web.table_requests.access import tables_of

router = APIRouter(include_in_schema=False, prefix="/seasons")


@router.get("/{season_id}/talk")
async def show_talk(request: Request, season_id: str, part: bool = False) -> Response:
    """Show the conversations that a contestant or a host reads; with `part`, only the fragment for scripts."""
    loaded, visitor = season_at(request), visitors_of(request).of(request)
    return visitors_of(request).remember(visitor, conversations_page(request, loaded, visitor, part=part))


def conversations_page(
    request: Request,
    loaded: LoadedSeason,
    visitor: Visitor,
    error: str | None = None,
    form: Mapping[str, str] | None = None,
    *,
    part: bool = False,
) -> Response:
    """Answer with the page, or the fragment, of the conversations. Raises UnknownSeason or NotYours."""
    season = loaded.season
    viewer = viewer_of(season, season_requester_of(loaded, visitor.holder).who)
    if not takes_part(viewer):
        view_for(request, loaded, visitor)  # raises where not even the season is for the visitor
        raise NotYours(_("Only contestants and hosts read this."))
    if part:
        view = {"id": loaded.id, **redact_conversations(season, viewer, loaded.conversations, tables_of(request).now())}
        return page(request, "season_talk_part.html", back="talk", **conversations_context(view, visitor))
    view = view_for(request, loaded, visitor)
    given = {"error": error, "back": "talk", "version": version_of(view), **conversations_context(view, visitor, form)}
    return page(request, "season_talk_page.html", status=409 if error else 200, **given)
