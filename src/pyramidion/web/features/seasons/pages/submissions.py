"""The page on which a contestant submits in secret to a match of the host's own, and its forms."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.responses import Response

from pyramidion.translation import _
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.access import AdmittedSeason
from pyramidion.web.features.seasons.commands import execute
from pyramidion.web.features.seasons.forms import command_of_form
from pyramidion.web.features.seasons.loaded import LoadedSeason, UnknownSeason
from pyramidion.web.features.seasons.pages.renderer import Renderer, Rendering
from pyramidion.web.features.seasons.pages.season import Form
from pyramidion.web.http.responses import form_answer, wants_json

router = APIRouter(include_in_schema=False, prefix="/seasons")


@router.get("/{season_id}/submit/{match}")
async def show_form(loaded: AdmittedSeason, renderer: Rendering, match: str) -> Response:
    """Show the form of a match to the contestants who submit, with what they have submitted."""
    return await _page(renderer, loaded, match)


@router.post("/{season_id}/submit")
async def submit(form: Form) -> Response:
    """Save or confirm a submission."""
    renderer, loaded, fields = form.renderer, form.loaded, form.fields
    request, match = renderer.pages.request, fields.get("match", "")
    try:
        form.limits.action(request.scope, f"{loaded.id} {renderer.holder}", 0)
        command = command_of_form("submit", fields, loaded.season.settings.zone)
        await execute(command, loaded, renderer.requester(loaded), renderer.seasons)
    except Refused as error:
        if wants_json(request):
            raise
        return await _page(renderer, await renderer.seasons.get(loaded.id), match, error.sentence, fields)
    return form_answer(request, f"/seasons/{loaded.id}/submit/{match}")


@router.post("/{season_id}/reveal")
async def reveal(form: Form) -> Response:
    """Reveal submissions, as a host."""
    return await form.carry_out("reveal", form.host_path(), "#own-match")


async def _page(
    renderer: Renderer,
    loaded: LoadedSeason,
    match: str,
    error: str | None = None,
    form: Mapping[str, str] | None = None,
) -> Response:
    """Render the form of a match; `form` is the refused one. Raises UnknownSeason if the visitor has no such form."""
    view = renderer.view(loaded)
    opened = next((played for played in view["own_matches"] if played["id"] == match), None)
    if opened is None or view["you"] not in opened["cast"]:
        raise UnknownSeason(_("There is no such form for you."))
    mine = next((made for made in view["submissions"] if made["match"] == match), None)
    return await renderer.season("season_submission.html", loaded, error, form, match=opened, mine=mine)
