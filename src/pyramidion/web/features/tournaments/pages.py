"""The pages of tournaments: the list with the form for a new one, and the tournament with the host's controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion import bots
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.tournaments.state import MOST_PLAYERS
from pyramidion.translation import _
from pyramidion.web.competitions.request_keys import request_key
from pyramidion.web.contracts import ClubHomes
from pyramidion.web.durations import duration
from pyramidion.web.errors import Refused
from pyramidion.web.features.tournaments.access import AdmittedTournament
from pyramidion.web.features.tournaments.commands import BeginRound, command_of_form, execute, settings_of_form
from pyramidion.web.features.tournaments.loaded import LoadedTournament, UnknownTournament
from pyramidion.web.features.tournaments.offers import offers
from pyramidion.web.features.tournaments.picture import bracket, cross_table, final_round, next_match, runner_up
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.features.tournaments.texts import FORMATS, PACES, PARTS, SEEDINGS, STEPS
from pyramidion.web.features.tournaments.view_models import tournament_view
from pyramidion.web.http.actors import Actor
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.pagination import Offset
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import version_of, when
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.seats.faces import face_of
from pyramidion.web.table.seats.given_names import fresh_names
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import new_id

router = APIRouter(include_in_schema=False, prefix="/tournaments")
at_tables = APIRouter(include_in_schema=False)
USUAL_BOT = "normal"
"""The bot that forms propose."""
CLOCKS = (30, 60, 300, 3600, 24 * 3600, 48 * 3600)


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders the pages of tournaments for the visitor of a request.

    After a refusal, methods take its sentence as `error` and the refused `form`, whose fields are filled in again.
    """

    pages: VisitorPages
    tournaments: Tournaments
    homes: ClubHomes

    async def overview(
        self, error: str | None = None, form: Mapping[str, str] | None = None, after: int = 0
    ) -> Response:
        """Render a page of the list of the visitor's tournaments with the form for a new one."""
        holder = self.pages.visitor.holder
        listed = await self.tournaments.mine(holder, after)
        return await self._page(
            "tournaments.html",
            error,
            mine=[tournament_view(loaded, holder) for loaded in listed.entries],
            following=listed.following,
            games=registry.games_for_newcomers(),
            paces=PACES,
            seedings=SEEDINGS,
            clocks=[(seconds, duration(seconds)) for seconds in CLOCKS],
            most=MOST_PLAYERS,
            clubs=await self.homes.run_by(holder),
            given=form or self.pages.request.query_params,
            key=new_id(),
        )

    async def tournament(
        self, loaded: LoadedTournament, error: str | None = None, form: Mapping[str, str] | None = None
    ) -> Response:
        """Render the page of a tournament; a refused `form` has the name of the form as `what`."""
        holder, tournaments = self.pages.visitor.holder, self.tournaments
        view = tournament_view(loaded, holder)
        return await self._page(
            "tournament.html",
            error,
            t=view,
            home=await self.homes.home_of("tournament", loaded.id, holder),
            names={player.id: player.name for player in loaded.state.players.values()},
            bots_from={player.id: player.bot_from or 0 for player in loaded.state.players.values() if player.bot},
            final=final_round(view),
            can=offers(loaded, holder, welcome=await tournaments.welcomes(loaded, holder)),
            bracket=bracket(view),
            crossing=cross_table(view),
            mine=next_match(view),
            runner_up=runner_up(view),
            trouble=await tournaments.trouble(loaded) if view["hosting"] else None,
            game=registry.all_games().get(view["game"]),
            clock=duration(view["clock"]) if view["clock"] else None,
            pace=dict(PACES).get(view["hours"]),
            when=when,
            face_of=face_of,
            version=version_of(view),
            bot_name=next(fresh_names([player.name for player in loaded.state.players.values()]), ""),
            webhook=await tournaments.webhook(loaded) if view["hosting"] else "",
            given=form or {},
        )

    async def _page(self, template: str, error: str | None, **context: Any) -> Response:
        """Render a page of the tournament, with the reason if a form was refused."""
        return self.pages.render(
            template,
            status=409 if error else 200,
            error=error,
            formats=FORMATS,
            steps=STEPS,
            parts=PARTS,
            bots=[(name, label(name)) for name in bots.names()],
            usual_bot=USUAL_BOT,
            account_name=await self.pages.account_name(),
            **context,
        )


async def _renderer(pages: Pages, tournaments: Service[Tournaments], homes: Service[ClubHomes]) -> Renderer:
    return Renderer(pages, tournaments, homes)


Rendering = Annotated[Renderer, Depends(_renderer)]


@router.get("")
async def show_list(renderer: Rendering, after: Offset = 0) -> Response:
    """Show the visitor's tournaments but for the first `after`, and the form for a new one."""
    return await renderer.overview(after=after)


@router.post("")
async def announce(form: PostedForm, renderer: Rendering, limits: Service[RateLimits]) -> Response:
    """Announce a tournament."""
    holder, tournaments = renderer.pages.visitor.holder, renderer.tournaments
    try:
        limits.table(renderer.pages.request.scope)
        club = form.get("club") or None
        key = request_key(form.get("key"), form)
        loaded = await tournaments.create(settings_of_form(form), form.get("host", ""), holder, club, key)
    except Refused as error:
        return await renderer.overview(error.sentence, form)
    return RedirectResponse(f"/tournaments/{loaded.id}", 303)


@router.get("/{tournament_id}")
async def show(loaded: AdmittedTournament, renderer: Rendering) -> Response:
    """Show a tournament with sign-up, standings and rounds, and to the host its controls."""
    return await renderer.tournament(loaded)


@router.get("/{tournament_id}/now")
async def now(request: Request, loaded: AdmittedTournament, visitors: Service[Visitors]) -> Response:
    """Answer a page's poll with the version of the visitor's view: a new version means that something has changed."""
    view = tournament_view(loaded, visitors.of(request).holder)
    return JSONResponse({"version": version_of(view)})


@at_tables.get("/t/{table_id}/tournament")
async def back_to_tournament(table_id: str, tables: Service[Tables], renderer: Rendering) -> Response:
    """Redirect from a table to its tournament. Raises UnknownTournament."""
    tournament_id = (await tables.get(table_id)).kept.get(Tournaments.KIND)
    if not tournament_id:
        raise UnknownTournament(_("This table belongs to no tournament."))
    tournaments = renderer.tournaments
    await tournaments.require_known(await tournaments.get(tournament_id), renderer.pages.visitor.holder)
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)


@router.post("/{tournament_id}/{what}")
async def act(
    tournament_id: str, what: str, form: PostedForm, renderer: Rendering, limits: Service[RateLimits]
) -> Response:
    """Carry out what the form `what` asks for: sign up, withdraw, or use one of the host's controls."""
    holder, scope, tournaments = renderer.pages.visitor.holder, renderer.pages.request.scope, renderer.tournaments
    try:
        limits.action(scope, f"{tournament_id} {holder}", 0)
        command = command_of_form(what, form)
        if isinstance(command, BeginRound):
            limits.table(scope)
        await execute(command, tournament_id, Actor(holder), tournaments)
    except Refused as error:
        return await renderer.tournament(await tournaments.get(tournament_id), error.sentence, {**form, "what": what})
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)
