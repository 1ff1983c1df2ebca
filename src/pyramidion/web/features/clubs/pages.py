"""The pages of clubs: the list with the form for a new one, a club with its controls, and invitations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast, get_args

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.engine import registry
from pyramidion.translation import _
from pyramidion.web.db.group_webhooks import club_channel
from pyramidion.web.errors import BadRequest, Refused
from pyramidion.web.features.clubs.club import Club, ClubSettings, Door, Role
from pyramidion.web.features.clubs.service import club_at, clubs_of, stale_link
from pyramidion.web.features.clubs.texts import DOORS, ROLES
from pyramidion.web.features.clubs.view_models import ClubList, club_json, list_pages
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import account_of, channels_of, limits_of, posted, visitors_of
from pyramidion.web.http.pagination import Seen
from pyramidion.web.pages.page import page, version_of, when
from pyramidion.web.table.new_table import find_game

router = APIRouter(include_in_schema=False, prefix="/clubs")
by_secret = APIRouter(include_in_schema=False, prefix="/clubs")
NUMBER = re.compile(r"[0-9]{1,9}")


@router.get("")
async def show_list(request: Request, after: Seen = 0) -> Response:
    """Show the visitor's clubs, the others that everybody may see, and the form for a new one."""
    return await _list(request, visitors_of(request).of(request), after=after)


@router.post("")
async def create(request: Request) -> Response:
    """Found a club."""
    visitor, form = await posted(request)
    try:
        limits_of(request).table(request.scope)
        club = await clubs_of(request).create(settings_of(form), form.get("member", ""), visitor.holder)
    except Refused as error:
        return await _list(request, visitor, error, form)
    return RedirectResponse(f"/clubs/{club.id}", 303)


@router.get("/{club_id}")
async def show(request: Request, club_id: str, posts: Seen = 0, events: Seen = 0, tables: Seen = 0) -> Response:
    """Show a club, as far as the visitor may see it, with a page of each of its lists."""
    after: dict[ClubList, int] = {"posts": posts, "events": events, "tables": tables}
    return await _page(request, club_at(request), visitors_of(request).of(request), after=after)


@router.get("/{club_id}/now")
async def now(request: Request, club_id: str) -> Response:
    """Return the version of what the visitor sees: another one means that there is something new."""
    club = await club_json(clubs_of(request), club_at(request))
    return JSONResponse({"version": version_of(club)}, headers={"cache-control": "no-store"})


@router.get("/{club_id}/new")
async def new_table(request: Request, club_id: str, game: str = "") -> Response:
    """Lead to the form for a new table in the club's lobby."""
    club = club_at(request)
    club.require(club.belongs)
    return RedirectResponse(f"/games/{find_game(game).id}/new?club={club.id}", 303)


@router.get("/{club_id}/join/{code}")
async def invitation(request: Request, club_id: str, code: str) -> Response:
    """Show an invitation; looking at it changes nothing."""
    visitor, club = visitors_of(request).of(request), club_at(request)
    if club.belongs or club.settings.door == "open":
        return RedirectResponse(f"/clubs/{club_id}", 303)
    if not clubs_of(request).opens(club, code):
        return await _page(request, club, visitor, stale_link())
    return await _page(request, club, visitor, code=code)


@by_secret.post("/{club_id}/join")
async def join(request: Request, club_id: str) -> Response:
    """Join, or ask to join."""
    visitor, form = await posted(request)
    clubs, code = clubs_of(request), form.get("code", "")
    club = await clubs.get(club_id, visitor.holder, code)
    try:
        limits_of(request).action(request.scope, f"{club_id} {visitor.holder}", 0)
        await clubs.join(club_id, visitor.holder, form.get("name", ""), code)
    except Refused as error:
        code = code if clubs.opens(club, code) else ""
        return await _page(request, club, visitor, error, code, {**form, "what": "join"})
    return RedirectResponse(f"/clubs/{club_id}", 303)


@router.post("/{club_id}/{what}")
async def act(request: Request, club_id: str, what: str) -> Response:
    """Leave, or do what officers and the owner can do."""
    visitor, form = await posted(request)
    clubs, holder, club = clubs_of(request), visitor.holder, club_at(request)
    try:
        limits_of(request).action(request.scope, f"{club_id} {holder}", 0)
        match what:
            case "leave":
                if club.owns and not form.get("sure"):
                    raise BadRequest(_("Tick the box to confirm that the club is to be deleted."))
                await clubs.leave(club_id, holder)
                return RedirectResponse("/clubs", 303)
            case "member":
                role = form.get("role", "")
                if role not in (*get_args(Role), "none"):
                    raise BadRequest(_("Fill in the form and try again."))
                given = None if role == "none" else cast("Role", role)
                await clubs.rank(club_id, holder, form.get("member", ""), given)
            case "settings":
                await clubs.change(club_id, holder, settings_of(form))
            case "link":
                await clubs.renew(club_id, holder)
            case "post":
                await clubs.post(club_id, holder, form.get("text", ""))
            case "unpost":
                number = form.get("number", "")
                await clubs.unpost(club_id, holder, int(number) if NUMBER.fullmatch(number) else 0)
            case "webhook":
                club.require(club.runs)
                assert club.me is not None
                await channels_of(request).keep(club_channel(club_id), form.get("webhook", ""), club.me.id)
            case _what:
                raise BadRequest(_("Fill in the form and try again."))
    except Refused as error:
        given = {**form, "what": what}
        return await _page(request, await clubs.get(club_id, holder), visitor, error, given=given)
    return RedirectResponse(f"/clubs/{club_id}", 303)


def settings_of(form: Mapping[str, str]) -> ClubSettings:
    """Return the settings in a form. Raises BadRequest."""
    door = form.get("door", "")
    if door not in get_args(Door):
        raise BadRequest(_("Fill in the form and try again."))
    return ClubSettings(form.get("name", ""), form.get("about", ""), cast("Door", door))


async def _list(
    request: Request,
    visitor: Visitor,
    error: Refused | None = None,
    form: Mapping[str, str] | None = None,
    after: int = 0,
) -> Response:
    account = await account_of(request, visitor.holder)
    answer = page(
        request,
        "clubs.html",
        status=error.status if error is not None else 200,
        clubs=await clubs_of(request).listed(visitor.holder, after),
        doors=DOORS,
        roles=ROLES,
        csrf=visitor.csrf,
        error=error.sentence if error is not None else None,
        given=form or {},
        account_name=account.name if account is not None else "",
    )
    return visitors_of(request).remember(visitor, answer)


async def _page(
    request: Request,
    club: Club,
    visitor: Visitor,
    error: Refused | None = None,
    code: str = "",
    given: Mapping[str, str] | None = None,
    after: Mapping[ClubList, int] | None = None,
) -> Response:
    """Show a club; `given` is a form that was refused, with its path as `what`."""
    after = after or {}
    lists = await list_pages(clubs_of(request), club, after)
    view = await club_json(clubs_of(request), club, lists)
    account = await account_of(request, visitor.holder)
    answer = page(
        request,
        "club.html",
        status=error.status if error is not None else 200,
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
        csrf=visitor.csrf,
        error=error.sentence if error is not None else None,
        following={name: entries.following for name, entries in lists.items()},
        version=version_of(view) if not any(after.values()) else None,
        link=str(request.url.replace(path=view["invitation"], query="")) if view["invitation"] else "",
        webhook=await channels_of(request).of(club_channel(club.id)) if club.runs else "",
        given=given or {},
        account_name=account.name if account is not None else "",
    )
    return visitors_of(request).remember(visitor, answer)
