"""Matches of a tournament: who sits where, and the places that follow from the outcome."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from pyramidion import bots
from pyramidion.names import lookalike
from pyramidion.table_sizes import table_sizes
from pyramidion.tournaments.events import Event, Joined, Started
from pyramidion.tournaments.state import Group, Tournament, TournamentSettings
from pyramidion.translation import _
from pyramidion.web.competitions.competition import MatchPlan
from pyramidion.web.errors import BadTable
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.time_controls import accept_clock
from pyramidion.web.table.table import Table


def check_settings(settings: TournamentSettings) -> None:
    """Raise BadTable or UnknownGame if the matches of a tournament with these settings cannot be played here."""
    game = find_game(settings.game)
    try:
        game.accept_seats(settings.seats)
        game.accept_seats(settings.least)
    except ValueError as error:
        raise BadTable(str(error)) from error
    accept_clock(settings.clock)
    if settings.bot is not None:
        check_bot(settings.bot)


def check_bot(bot: str | None) -> None:
    """Raise BadTable unless `bot` is the name of a bot."""
    if bot not in bots.names():
        raise BadTable(_("There is no such bot."))


def starting_events(state: Tournament, rated: Mapping[str, int]) -> list[Event]:
    """Return the events that start a tournament: bots that join to fill its tables, and the draw.

    `rated` are ratings by player id, and of bots by `bot:LEVEL`. They matter only if the draw is by rating.
    """
    settings, entrants = state.settings, list(state.entrants)
    joined: list[Event] = []
    if settings.bot is not None:
        count = max(len(entrants), settings.least)
        while table_sizes(count, settings.sizes) is None and count < settings.places:
            count += 1
        taken = [player.name for player in state.players.values()]
        names = (name for n in range(1, 1000) if lookalike(name := f"Bot {n}", taken) is None)
        first = state.made["joined"] + 1
        for number in range(count - len(entrants)):
            joined.append(Joined(next(names), settings.bot))
            entrants.append(f"p{first + number}")
    secrets.SystemRandom().shuffle(entrants)
    if settings.seeding == "rating":
        filling = rated.get(f"bot:{settings.bot}", 0)
        entrants.sort(key=lambda who: rated.get(who, filling), reverse=True)  # the lot decides between equals
    return [*joined, Started(tuple(entrants))]


def next_table(state: Tournament) -> tuple[int, int, Group]:
    """Return the next table to open: the number of its round, its index there, and its group of players."""
    played = state.rounds[-1]
    waiting = ((n, group) for n, group in enumerate(played.groups) if group.table is None and group.places is None)
    return (played.number, *next(waiting))


def plan_match(state: Tournament, people: Mapping[str, str]) -> MatchPlan:
    """Plan the match at the next table to open; `people` are visitor ids by player id."""
    settings, (number, _index, group) = state.settings, next_table(state)
    players = [state.players[who] for who in group.players]
    seats = [
        SeatPlan("bot", player.name, player.bot)
        if player.bot
        else SeatPlan("person", player.name, holder=people[player.id])
        for player in players
    ]
    title = (_("{tournament}, final") if state.is_final(number) else _("{tournament}, round {number}")).format(
        tournament=settings.title, number=number
    )
    return MatchPlan(settings.game, seats, {}, settings.clock, title)


def places_of(table: Table) -> tuple[int, ...]:
    """Return the place of each seat in a finished match, 1 for the best; equal results share a place.

    Winners come first, then seats by payoff and points.
    """
    outcome = table.match.outcome
    assert outcome is not None
    keys = [
        (seat in outcome.winners, float(outcome.payoffs[seat]), int(outcome.points[seat]))
        for seat in range(table.match.seats)
    ]
    return tuple(1 + sum(other > key for other in keys) for key in keys)
