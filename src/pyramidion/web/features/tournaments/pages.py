"""The pages of tournaments: the list with the form for a new one, and the tournament with the host's controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast, get_args

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion import bots
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.tournaments.events import HostEvent, Joined, Left, PlacesEntered, Replaced, Returned
from pyramidion.tournaments.state import MOST_PLAYERS, Format, Seeding, TournamentSettings
from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadRequest, Refused
from pyramidion.web.features.tournaments.notifications import channel
from pyramidion.web.features.tournaments.offers import offers
from pyramidion.web.features.tournaments.service import (
    LoadedTournament,
    require_host,
    tournament_at,
    tournaments_of,
)
from pyramidion.web.features.tournaments.texts import FORMATS, PACES, PARTS, SEEDINGS, STEPS
from pyramidion.web.features.tournaments.view_models import tournament_view
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import account_of, channels_of, homes_of, limits_of, posted, visitors_of
from pyramidion.web.http.forms import moment_of, whole_number
from pyramidion.web.pages.page import page, version_of, when
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.faces import face_of

router = APIRouter(include_in_schema=False, prefix="/tournaments")
CLOCKS = (30, 60, 300, 3600, 24 * 3600, 48 * 3600)
MOST_DIGITS = 6


@router.get("")
async def show_list(request: Request) -> Response:
    """Show the visitor's tournaments, and the form for a new one."""
    return await _list(request, visitors_of(request).of(request))


@router.post("")
async def announce(request: Request) -> Response:
    """Announce a tournament."""
    visitor, form = await posted(request)
    try:
        limits_of(request).table(request.scope)
        loaded = await tournaments_of(request).create(
            settings_of(form), form.get("host", ""), visitor.holder, form.get("club") or None
        )
    except Refused as error:
        return await _list(request, visitor, error.sentence, form)
    return RedirectResponse(f"/tournaments/{loaded.id}", 303)


@router.get("/{tournament_id}")
async def show(request: Request, tournament_id: str) -> Response:
    """Show a tournament: sign-up, standings, rounds, and to the host the controls."""
    loaded = tournament_at(request)
    return await _page(request, loaded, visitors_of(request).of(request))


@router.get("/{tournament_id}/now")
async def now(request: Request, tournament_id: str) -> Response:
    """Return the version of what the visitor sees: another one means that there is something new."""
    loaded = tournament_at(request)
    view = tournament_view(loaded, visitors_of(request).of(request).holder)
    return JSONResponse({"version": version_of(view)}, headers={"cache-control": "no-store"})


@router.post("/{tournament_id}/{what}")
async def act(request: Request, tournament_id: str, what: str) -> Response:
    """Sign up, withdraw, or do what the host can do."""
    visitor, form = await posted(request)
    tournaments = tournaments_of(request)
    try:
        limits_of(request).action(request.scope, f"{tournament_id} {visitor.holder}", 0)
        if what == "join":
            await tournaments.join(tournament_id, visitor.holder, form.get("name", ""))
        elif what == "leave":
            await tournaments.leave(tournament_id, visitor.holder)
        elif what == "webhook":
            require_host(tournament_at(request), visitor.holder)
            await channels_of(request).keep(channel(tournament_id), form.get("webhook", ""), "host")
        elif what == "begin":
            limits_of(request).table(request.scope)
            await tournaments.begin(tournament_id, visitor.holder)
        else:
            await tournaments.do(tournament_id, visitor.holder, _event(what, form))
    except Refused as error:
        given = {**form, "what": what}
        return await _page(request, await tournaments.get(tournament_id), visitor, error.sentence, given)
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)


def settings_of(form: Mapping[str, str]) -> TournamentSettings:
    """Return the settings in a form; what is left empty has its usual value. Raises BadRequest or UnknownGame."""
    game = find_game(form.get("game", ""))
    given, seeding, starts = form.get("format", ""), form.get("seeding", "lot"), form.get("starts", "").strip()
    if given not in get_args(Format) or seeding not in get_args(Seeding):
        raise BadRequest(_("Fill in the form and try again."))
    seats = _number(form.get("seats", "")) or (2 if 2 in game.seats else game.usual_seats)
    return TournamentSettings(
        title=form.get("title", ""),
        game=game.id,
        format=cast("Format", given),
        least=2 if seats == 2 else game.seats[0],
        seats=seats,
        rounds=_number(form.get("rounds", "")),
        points=tuple(_number(number) for number in form.get("points", "").replace(",", " ").split()),
        places=_number(form.get("places", "")) or MOST_PLAYERS,
        clock=_number(form.get("clock", "")) or None,
        auto="by_hand" not in form,
        bot=form.get("bot") or None,
        hours=_number(form.get("hours", "")),
        about=form.get("about", ""),
        seeding=cast("Seeding", seeding),
        starts=moment_of(starts, form.get("zone") or "UTC") if starts else None,
    )


def _event(what: str, form: Mapping[str, str]) -> HostEvent:
    if what == "bot":
        return Joined(form.get("name", ""), form.get("bot"))
    if what == "remove":
        return Left(form.get("player", ""))
    if what == "take-back":
        return Returned(form.get("player", ""))
    if what == "replace":
        return Replaced(form.get("player", ""), form.get("bot", ""))
    if what != "result":
        raise BadRequest(_("Fill in the form and try again."))
    places = [_number(form[name]) for name in sorted(form, key=_seat) if name.startswith("place-")]
    return PlacesEntered(_number(form.get("round", "")), _number(form.get("table", "")), tuple(places))


def _seat(name: str) -> int:
    return _number(name.removeprefix("place-")) if name.startswith("place-") and name[6:].isdecimal() else 0


def _number(text: str) -> int:
    """Return a number of a form, 0 where there is none. Raises BadRequest."""
    return whole_number(text.strip() or "0", _("Enter whole numbers."), digits=MOST_DIGITS)


async def _list(
    request: Request, visitor: Visitor, error: str | None = None, form: Mapping[str, str] | None = None
) -> Response:
    account = await account_of(request, visitor.holder)
    mine = await tournaments_of(request).mine(visitor.holder)
    answer = page(
        request,
        "tournaments.html",
        status=409 if error else 200,
        mine=[tournament_view(loaded, visitor.holder) for loaded in mine],
        games=registry.games_for_newcomers(),
        formats=FORMATS,
        paces=PACES,
        seedings=SEEDINGS,
        steps=STEPS,
        parts=PARTS,
        clocks=[(seconds, duration(seconds)) for seconds in CLOCKS],
        bots=[(name, label(name)) for name in bots.names()],
        most=MOST_PLAYERS,
        clubs=await homes_of(request).run_by(visitor.holder),
        csrf=visitor.csrf,
        error=error,
        given=form or request.query_params,
        account_name=account.name if account is not None else "",
    )
    return visitors_of(request).remember(visitor, answer)


async def _page(
    request: Request,
    loaded: LoadedTournament,
    visitor: Visitor,
    error: str | None = None,
    given: Mapping[str, str] | None = None,
) -> Response:
    """Show a tournament; `given` is a form that was refused, with its path as `what`."""
    view = tournament_view(loaded, visitor.holder)
    account = await account_of(request, visitor.holder)
    answer = page(
        request,
        "tournament.html",
        status=409 if error else 200,
        t=view,
        home=await homes_of(request).home_of("tournament", loaded.id, visitor.holder),
        names={player.id: player.name for player in loaded.state.players.values()},
        can=offers(loaded, visitor.holder, welcome=await tournaments_of(request).welcomes(loaded, visitor.holder)),
        trouble=await tournaments_of(request).trouble(loaded) if view["hosting"] else None,
        game=registry.all_games().get(view["game"]),
        formats=FORMATS,
        steps=STEPS,
        parts=PARTS,
        clock=duration(view["clock"]) if view["clock"] else None,
        pace=dict(PACES).get(view["hours"]),
        bots=[(name, label(name)) for name in bots.names()],
        when=when,
        face_of=face_of,
        csrf=visitor.csrf,
        error=error,
        version=version_of(view),
        webhook=await channels_of(request).of(channel(loaded.id)) if view["hosting"] else "",
        given=given or {},
        account_name=account.name if account is not None else "",
    )
    return visitors_of(request).remember(visitor, answer)
