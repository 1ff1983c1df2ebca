"""The pages of clubs: the list with the form for a new one, a club with its controls, and invitations."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.engine import registry
from pyramidion.translation import _
from pyramidion.web.errors import Refused
from pyramidion.web.features.clubs.access import AdmittedClub
from pyramidion.web.features.clubs.club import Club
from pyramidion.web.features.clubs.commands import Leave, command_of_form, execute, settings_of_form
from pyramidion.web.features.clubs.service import Clubs, stale_link
from pyramidion.web.features.clubs.texts import DOORS, ROLES
from pyramidion.web.features.clubs.view_models import ClubList, club_json, list_pages, this_week
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.pagination import Offset
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import full_url
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import version_of, when
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.new_table import find_game

router = APIRouter(include_in_schema=False, prefix="/clubs")
by_secret = APIRouter(include_in_schema=False, prefix="/clubs")


@router.get("")
async def show_list(pages: Pages, clubs: Service[Clubs], after: Offset = 0) -> Response:
    """Show the visitor's clubs, the others that everybody may see, and the form for a new one."""
    return await _list(pages, clubs, after=after)


@router.post("")
async def create(form: PostedForm, pages: Pages, clubs: Service[Clubs], limits: Service[RateLimits]) -> Response:
    """Found a club."""
    try:
        limits.table(pages.request.scope)
        club = await clubs.create(settings_of_form(form), form.get("member", ""), pages.visitor.holder)
    except Refused as error:
        return await _list(pages, clubs, refusal=error, given=form)
    return RedirectResponse(f"/clubs/{club.id}", 303)


@router.get("/{club_id}")
async def show(
    club: AdmittedClub, pages: Pages, clubs: Service[Clubs], posts: Offset = 0, events: Offset = 0, tables: Offset = 0
) -> Response:
    """Show a club to a visitor who may see it, with one page of each of its lists."""
    return await _page(pages, clubs, club, after={"posts": posts, "events": events, "tables": tables})


@router.get("/{club_id}/now")
async def now(club: AdmittedClub, clubs: Service[Clubs]) -> Response:
    """Return a version of what the visitor sees of the club, which changes with it, so that open pages can tell."""
    version = version_of(await club_json(clubs, club))
    return JSONResponse({"version": version})


@router.get("/{club_id}/new")
async def new_table(club: AdmittedClub, game: str = "") -> Response:
    """Redirect a member to the form for a new table in the club's lobby."""
    club.require(club.belongs)
    return RedirectResponse(f"/games/{find_game(game).id}/new?club={club.id}", 303)


@router.get("/{club_id}/join/{code}")
async def invitation(club: AdmittedClub, code: str, pages: Pages, clubs: Service[Clubs]) -> Response:
    """Show the invitation to a club that a link with a code opens; this changes nothing yet."""
    if club.belongs or club.settings.door == "open":
        return RedirectResponse(f"/clubs/{club.id}", 303)
    if not clubs.opens(club, code):
        return await _page(pages, clubs, club, refusal=stale_link())
    return await _page(pages, clubs, club, code=code)


@by_secret.post("/{club_id}/join")
@router.post("/{club_id}/{what}")
async def act(
    club_id: str, form: PostedForm, pages: Pages, clubs: Service[Clubs], limits: Service[RateLimits], what: str = "join"
) -> Response:
    """Carry out a form of a club's page, such as joining; if it is refused, show the club with the reason."""
    holder = pages.visitor.holder
    # The code of the invitation link opens a private club to whoever joins.
    code = form.get("code", "") if what == "join" else ""
    club = await clubs.get(club_id, holder, code)
    try:
        limits.action(pages.request.scope, f"{club_id} {holder}", 0)
        command = command_of_form(what, form, club)
        await execute(command, club_id, holder, clubs)
    except Refused as error:
        club = await clubs.get(club_id, holder, code)
        code = code if clubs.opens(club, code) else ""
        return await _page(pages, clubs, club, refusal=error, given={**form, "what": what}, code=code)
    return RedirectResponse("/clubs" if isinstance(command, Leave) else f"/clubs/{club_id}", 303)


async def _list(
    pages: VisitorPages,
    clubs: Clubs,
    *,
    refusal: Refused | None = None,
    given: Mapping[str, str] | None = None,
    after: int = 0,
) -> Response:
    """Show the list of clubs, with a refused form for a new club in `given`."""
    return pages.render(
        "clubs.html",
        refusal=refusal,
        clubs=await clubs.listed(pages.visitor.holder, after),
        doors=DOORS,
        roles=ROLES,
        given=given or {},
        account_name=await pages.account_name(),
    )


async def _page(
    pages: VisitorPages,
    clubs: Clubs,
    club: Club,
    *,
    refusal: Refused | None = None,
    given: Mapping[str, str] | None = None,
    code: str = "",
    after: Mapping[ClubList, int] | None = None,
) -> Response:
    """Show a club, with a refused form in `given`, whose name is under `what`."""
    after = after or {}
    lists = await list_pages(clubs, club, after)
    view = await club_json(clubs, club, lists)
    return pages.render(
        "club.html",
        refusal=refusal,
        c=view,
        member=club.belongs,
        runs=club.runs,
        owns=club.owns,
        code=code,
        doors=DOORS,
        roles=ROLES,
        games=registry.games_for_newcomers(),
        all_games=registry.all_games(),
        names={game.id: _(game.name) for game in registry.all_games().values()},
        when=when,
        week=this_week(view["events"], clubs.now()),
        following={name: entries.following for name, entries in lists.items()},
        version=version_of(view) if not any(after.values()) else None,
        link=full_url(pages.request, view["invitation"]) if view["invitation"] else "",
        webhook=await clubs.webhook(club),
        given=given or {},
        account_name=await pages.account_name(),
    )
