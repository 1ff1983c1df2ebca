"""The JSON API for tournaments: with a browser's cookie, or an API token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from pyramidion.tournaments.events import HostEvent
from pyramidion.tournaments.state import MOST_PLAYERS, Format, Part, Scale, Seeding, Step, TournamentSettings
from pyramidion.web.competitions.schemas import Keyed
from pyramidion.web.features.tournaments.access import SCOPES, AdmittedTournament
from pyramidion.web.features.tournaments.commands import (
    AddEvent,
    BeginRound,
    Command,
    SetWebhook,
    SignUp,
    Withdraw,
    execute,
)
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.features.tournaments.view_models import tournament_view
from pyramidion.web.http.dependencies import acting_for, api_caller, person_for
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(prefix="/api/tournaments")


class NewTournament(Keyed):
    """A tournament to announce."""

    title: str
    host: str = Field(description="What you are called as its host.")
    game: str = Field(description="The game, by its id.")
    format: Format = Field(default="swiss", description="Single elimination, Swiss, or round robin.")
    least: int = Field(default=2, description="The smallest table.")
    seats: int = Field(default=2, description="The largest table.")
    rounds: int = Field(default=0, description="The number of rounds; 0 for the usual one of the format.")
    points: tuple[int, ...] = Field(
        default=(),
        description="Points by place, first place first; by default the share of the opponents at the table whom "
        "a player beats, times one less than the seats of the largest table.",
        max_length=10,
    )
    places: int = Field(default=MOST_PLAYERS, description="How many can play; others are on the waiting list.")
    clock: int | None = Field(default=None, description="Seconds per decision.")
    auto: bool = Field(default=True, description="Whether rounds begin by themselves.")
    bot: str | None = Field(default=None, description="The bot that fills tables at the start.")
    starts: int | None = Field(
        default=None,
        description="When it starts by itself, milliseconds since 1970; null: the host starts it.",
    )
    hours: int = Field(default=0, description="Hours from one round to the next at the earliest.")
    about: str = ""
    seeding: Seeding = Field(default="lot", description="The draw: by lot, or by rating.")
    club: str | None = Field(default=None, description="The club that is its home, by its id, if you are an officer.")


class TournamentOut(BaseModel):
    """A tournament."""

    id: str
    title: str
    about: str
    game: str
    format: Format
    least: int
    seats: int
    rounds: int
    points: list[int]
    places: int
    clock: int | None
    auto: bool
    bot: str | None
    starts: int | None
    hours: int
    seeding: Seeding
    host: str
    hosting: bool = Field(description="Whether you are the host.")
    you: str | None = Field(description="Your id as a player.")
    part: Part | None = Field(description="Your part as a player; `waiting` is the waiting list.")
    step: Step = Field(description="What comes next.")
    total: int | None = Field(description="The number of rounds; null for single elimination.")
    scale: Scale = Field(description="Where no points by place are set: `share` of opponents beaten, or by `place`.")
    players: list[dict[str, Any]] = Field(
        description="Who plays or waits; `out` is the round after which somebody left, `removed` whether by the host, "
        "and `bot_from` the first round in which `bot` plays for a person."
    )
    waiting: list[str] = Field(description="The waiting list.")
    standings: list[dict[str, Any]] = Field(description="The players, the best first, with their tie-breaks.")
    results: list[dict[str, Any]] = Field(description="The rounds with their tables; `places` are by seat.")
    winner: str | None = Field(description="Who has won, never somebody who has left; null if nobody has.")


class TournamentJoinIn(BaseModel):
    """A sign-up."""

    name: str | None = Field(default=None, description="Your name; a bot plays under its own.")


class EventIn(BaseModel):
    """Something that the host does to the players or results."""

    event: Annotated[HostEvent, Field(discriminator="kind")]


class TournamentHookIn(BaseModel):
    """A tournament's webhook, to which new rounds and the winner are reported."""

    webhook: str = Field(description="The webhook's URL; empty for none.")


async def _command_runner(
    request: Request, tournament_id: str, tournaments: Service[Tournaments], limits: Service[RateLimits]
) -> Callable[[Command], Awaitable[Json]]:
    """Return a function that carries out a requester's command and answers with the tournament afterwards."""

    async def run(command: Command) -> Json:
        """Carry out the command, and answer with the tournament."""
        acting = await acting_for(request, *SCOPES, changes=True)
        if isinstance(command, BeginRound):
            limits.table(request.scope)
        else:
            limits.action(request.scope, f"{tournament_id} {acting.holder}", 0)
        loaded = await execute(command, tournament_id, acting, tournaments)
        return Json(wire.encode(tournament_view(loaded, acting.holder)))

    return run


Run = Annotated[Callable[[Command], Awaitable[Json]], Depends(_command_runner)]


@router.post("", status_code=201, response_model=TournamentOut, responses=ALLOWED, summary="Announce a tournament")
async def announce_tournament(
    order: NewTournament, request: Request, tournaments: Service[Tournaments], limits: Service[RateLimits]
) -> Json:
    """Announce a tournament as its host. Bots cannot."""
    holder = await person_for(request, *SCOPES)
    limits.table(request.scope)
    settings = TournamentSettings(**order.model_dump(exclude={"host", "club", "key"}))
    loaded = await tournaments.create(settings, order.host, holder, order.club, order.request_key)
    return Json(wire.encode(tournament_view(loaded, holder)), 201, {"location": f"/api/tournaments/{loaded.id}"})


@router.get("/{tournament_id}", response_model=TournamentOut, responses=REFUSALS, summary="A tournament")
async def get_tournament(tournament_id: str, request: Request, loaded: AdmittedTournament) -> Json:
    """Return a tournament with its standings and results."""
    return Json(wire.encode(tournament_view(loaded, (await api_caller(request, *SCOPES)).visitor)))


@router.post("/{tournament_id}/join", response_model=TournamentOut, responses=ALLOWED, summary="Sign up")
async def join_tournament(order: TournamentJoinIn, run: Run) -> Json:
    """Sign up; if all places are taken you are on the waiting list."""
    return await run(SignUp(order.name or ""))


@router.post("/{tournament_id}/leave", response_model=TournamentOut, responses=ALLOWED, summary="Withdraw")
async def leave_tournament(run: Run) -> Json:
    """Withdraw: from the sign-up, or from the rounds to come."""
    return await run(Withdraw())


@router.post("/{tournament_id}/begin", response_model=TournamentOut, responses=ALLOWED, summary="Start the next round")
async def begin_round(run: Run) -> Json:
    """Start the tournament or its next round, as the host."""
    return await run(BeginRound())


@router.post("/{tournament_id}/entries", response_model=TournamentOut, responses=ALLOWED, summary="Act as the host")
async def add_event(order: EventIn, run: Run) -> Json:
    """Add a bot, remove or replace a player, take back a removal, or enter or correct a result, as the host."""
    return await run(AddEvent(order.event))


@router.put("/{tournament_id}/webhook", response_model=TournamentHookIn, responses=ALLOWED, summary="Set the webhook")
async def put_tournament_hook(
    tournament_id: str, order: TournamentHookIn, request: Request, tournaments: Service[Tournaments]
) -> Json:
    """As the host, store the tournament's webhook, or remove it if the URL is empty."""
    acting = await acting_for(request, *SCOPES, changes=True)
    loaded = await execute(SetWebhook(order.webhook), tournament_id, acting, tournaments)
    return Json(wire.encode({"webhook": await tournaments.webhook(loaded)}))
