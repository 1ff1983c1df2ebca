"""What people do in a tournament, as values: forms and JSON bodies are parsed into them, `execute` carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from pyramidion.tournaments.events import HostEvent, Joined, Left, PlacesEntered, Replaced, Returned
from pyramidion.tournaments.state import MOST_PLAYERS, Format, Seeding, TournamentSettings
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.tournaments.loaded import LoadedTournament
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.http.actors import Actor
from pyramidion.web.http.forms import INCOMPLETE, moment_of, whole_number
from pyramidion.web.table.new_table import find_game

MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class SignUp:
    """Sign up under this name; a bot signs up under its own name instead."""

    name: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Withdraw before the start, or from the rounds to come."""


@dataclass(frozen=True, slots=True)
class BeginRound:
    """Start the tournament or its next round, as the host."""


@dataclass(frozen=True, slots=True)
class AddEvent:
    """As the host, change the players or results: add, remove or replace a player, or enter a result."""

    event: HostEvent


@dataclass(frozen=True, slots=True)
class SetWebhook:
    """As the host, store the tournament's webhook, or remove it if the URL is empty."""

    url: str


Command = SignUp | Withdraw | BeginRound | AddEvent | SetWebhook


def command_of_form(name: str, form: Mapping[str, str]) -> Command:
    """Return the command that a form of a tournament's page asks for. Raises BadRequest."""
    player = form.get("player", "")
    match name:
        case "join":
            return SignUp(form.get("name", ""))
        case "leave":
            return Withdraw()
        case "begin":
            return BeginRound()
        case "webhook":
            return SetWebhook(form.get("webhook", ""))
        case "bot":
            return AddEvent(Joined(form.get("name", ""), form.get("bot")))
        case "remove":
            return AddEvent(Left(player))
        case "take-back":
            return AddEvent(Returned(player))
        case "replace":
            return AddEvent(Replaced(player, form.get("bot", "")))
        case "result":
            places = [_number(form[field]) for field in sorted(form, key=_seat) if field.startswith("place-")]
            return AddEvent(
                PlacesEntered(_number(form.get("round", "")), _number(form.get("table", "")), tuple(places))
            )
        case _:
            raise BadRequest(_(INCOMPLETE))


async def execute(command: Command, tournament_id: str, acting: Actor, tournaments: Tournaments) -> LoadedTournament:
    """Carry out an actor's command in a tournament and return the tournament afterwards. Raises Refused."""
    holder = acting.holder
    match command:
        case SignUp(name):
            return await tournaments.join(tournament_id, holder, acting.bot or name, bot=acting.bot is not None)
        case Withdraw():
            return await tournaments.leave(tournament_id, holder)
        case BeginRound():
            return await tournaments.begin(tournament_id, holder)
        case AddEvent(event):
            return await tournaments.do(tournament_id, holder, event)
        case SetWebhook(url):
            return await tournaments.set_webhook(tournament_id, holder, url)


def settings_of_form(form: Mapping[str, str]) -> TournamentSettings:
    """Parse a form into a tournament's settings; empty fields get defaults. Raises BadRequest or UnknownGame."""
    game = find_game(form.get("game", ""))
    given, seeding, starts = form.get("format", ""), form.get("seeding", "lot"), form.get("starts", "").strip()
    if given not in get_args(Format) or seeding not in get_args(Seeding):
        raise BadRequest(_(INCOMPLETE))
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


def _seat(field: str) -> int:
    """Return the seat of a field such as `place-2`; 0 for other fields."""
    return _number(field.removeprefix("place-")) if field.startswith("place-") and field[6:].isdecimal() else 0


def _number(text: str) -> int:
    """Parse a whole number from a form's field, 0 if it is empty. Raises BadRequest."""
    return whole_number(text.strip() or "0", _("Enter whole numbers."), digits=MOST_DIGITS)
