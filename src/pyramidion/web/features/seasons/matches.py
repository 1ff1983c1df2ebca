"""Matches of a season: which game seats whom with which options, and what its result means for the season."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.engine.layout import record
from pyramidion.seasons.episode import Episode
from pyramidion.seasons.events import (
    EpisodeOpened,
    Event,
    MatchOpened,
    OwnMatchOpened,
    OwnRoundOpened,
    ResultTaken,
    TiesBroken,
)
from pyramidion.seasons.own_match import OwnMatchForm
from pyramidion.seasons.season import Phase, Season
from pyramidion.table_sizes import table_sizes
from pyramidion.translation import _, listed
from pyramidion.web.competitions.competition import MatchPlan
from pyramidion.web.errors import BadTable, Refused
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.table.bots import USUAL_BOT
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.faces import PARTS, face_of
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.time_controls import accept_clock
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

STAKES = ("garnets", "priority")


class InvitationsUnopened(BadTable):
    """Contestants of a match that is due have not opened their invitations."""


def games_for(count: int) -> list[tuple[Game, list[int]]]:
    """Return the games that can seat `count` contestants at one or more tables, with the sizes of these tables."""
    candidates = ((game, table_sizes(count, game.seats)) for game in registry.all_games().values())
    return sorted(
        ((game, sizes) for game, sizes in candidates if sizes),
        key=lambda candidate: (len(candidate[1]), candidate[0].id),
    )


def unplayable_games(count: int) -> list[tuple[Game, str]]:
    """Return the games that cannot seat `count` contestants, each with the numbers of players that it takes."""
    games = sorted(registry.all_games().values(), key=lambda game: game.id)
    return [(game, _seats_in_words(game.seats)) for game in games if table_sizes(count, game.seats) is None]


def _seats_in_words(seats: range) -> str:
    """Return how many players a game takes, such as `2 to 4`."""
    if len(seats) == 1:
        return str(seats[0])
    return _("{least} to {most}").format(least=seats[0], most=seats[-1])


def check_episode(event: EpisodeOpened, count: int) -> None:
    """Raise BadTable or UnknownGame if `count` contestants cannot play the matches of an episode here."""
    for game_id, seats in ((event.game if count > 2 else None, count), (event.duel, 2)):
        if game_id is not None and table_sizes(seats, find_game(game_id).seats) is None:
            message = _("{game} cannot be played by {count} contestants.")
            raise BadTable(message.format(game=_(find_game(game_id).name), count=seats))
    accept_clock(event.clock)


def plan_match(
    season: Season, holders: Mapping[str, str | None], chosen: Mapping[str, str], *, bots: bool = False
) -> tuple[MatchPlan, Callable[[str], list[Event]]]:
    """Plan the next table of the match that is due: return the plan, and a function from its id to its log entries.

    `holders` are the visitor ids by contestant, None where the link has not been opened. `chosen` are the faces of the
    contestants who have chosen one. Bots keep the seats of those who have withdrawn, and with `bots` of those who have
    not opened the link. Raises BadTable if a contestant cannot be seated, as `require_joined` does without `bots`.
    """
    episode, cast = season.opened(), _due(season)
    if not bots:
        require_joined(season, holders)
    if season.step == "duel":
        part, game = "duel", find_game(episode.duel or "")
    else:
        part, game = "main", find_game(episode.game or "")
        secrets.SystemRandom().shuffle(cast)
        sizes = table_sizes(len(cast), game.seats)
        if sizes is None:
            message = _("{game} cannot be played by {count} contestants.")
            raise BadTable(message.format(game=_(game.name), count=len(cast)))
        cast = cast[: sizes[0]]
    faces = seat_faces(season, cast, chosen)
    players = [season.cast[who] for who in cast]
    seats = [
        SeatPlan("bot", player.name, player.bot or USUAL_BOT, face=faces[seat])
        if not player.plays or holders[player.id] is None
        else SeatPlan("person", player.name, holder=holders[player.id], face=faces[seat])
        for seat, player in enumerate(players)
    ]
    before, options = _options(season, game, cast)
    title = _("{season}, episode {number}").format(season=season.settings.title, number=episode.number)
    stakes = any(name in options for name in STAKES)
    return (
        MatchPlan(game.id, seats, options, episode.clock, title),
        lambda table: [*before, MatchOpened(table, part, tuple(cast), stakes)],
    )


def require_joined(season: Season, holders: Mapping[str, str | None]) -> None:
    """Raise InvitationsUnopened if the next step is a match here, and not all of its contestants have come.

    `holders` are the visitor ids by contestant, None where the link has not been opened.
    """
    missing = [season.name(who) for who in _due(season) if season.cast[who].plays and holders.get(who) is None]
    if missing:
        message = _(
            "These contestants have not opened their invitations: {names}. Send them their links, or let bots play "
            "for them."
        )
        raise InvitationsUnopened(message.format(names=listed(missing)))


def _due(season: Season) -> list[str]:
    """Return who plays in the match that the next step starts, at all of its tables; nobody if it starts none."""
    match season.step:
        case "main":
            return season.unseated()
        case "duel":
            episode = season.opened()
            return [who for who in (episode.candidate, episode.opponent) if who is not None]
        case _step:
            return []


def own_opening(season: Season, opening: EpisodeOpened, now: int) -> list[Event]:
    """Return the event that opens an episode's match of the host's own, or none if it has no such match.

    The only round of a match without hours of its own ends with the phase that is in progress, so that people see one
    deadline. Otherwise its first round lasts as long as `_on_clock` says; where nothing does, it ends with the phase.
    """
    if not opening.own or len(season.remaining) <= 2:
        return []
    form, phase = season.own_forms.get(opening.own), current_phase(season, now)
    if form is None or phase is None or form.hours is not None or (form.rounds > 1 and opening.clock is not None):
        return [_on_clock(OwnMatchOpened(opening.own), form, opening.clock, now)]
    return [OwnMatchOpened(opening.own, phase=phase.id)]


def with_deadline(season: Season, event: Event, now: int) -> Event:
    """Return an event that a host adds; a round of a match of the host's own gets its deadline (`_on_clock`)."""
    clock, match = season.episode.clock if season.episode is not None else None, season.own_match
    if isinstance(event, OwnMatchOpened):
        return _on_clock(event, season.own_forms.get(event.form), clock, now)
    if isinstance(event, OwnRoundOpened) and match is not None:
        return _on_clock(event, match.form, clock, now)
    return event


def _on_clock(
    opened: OwnMatchOpened | OwnRoundOpened, form: OwnMatchForm | None, clock: int | None, now: int
) -> OwnMatchOpened | OwnRoundOpened:
    """Return the opening of a round, which lasts for the episode's time per decision unless its form has hours."""
    if clock is None or form is None or form.hours is not None or (opened.deadline, opened.phase) != (None, None):
        return opened
    return replace(opened, deadline=now + clock * 1000)


def current_phase(season: Season, now: int) -> Phase | None:
    """Return the phase that is in progress; of several, the one that ends first."""
    current = (phase for phase in season.phases.values() if phase.starts <= now < phase.ends)
    return min(current, key=lambda phase: phase.ends, default=None)


def drawn_order(people: Sequence[str]) -> tuple[str, ...]:
    """Return these people in an order drawn by lot."""
    return tuple(secrets.SystemRandom().sample(people, len(people)))


def seat_faces(season: Season, cast: Sequence[str], chosen: Mapping[str, str]) -> dict[int, str]:
    """Return the drawn face for each seat of a table with these contestants, as the season's pages show them.

    At a table no two faces share both colour and shape: the second one gets a free combination.
    """
    faces: dict[int, str] = {}
    looks = [face_of(int(who[1:]) - 1, season.name(who), chosen.get(who)) for who in cast]
    free = [n for n in range(PARTS["colour"]) if not any((look.colour, look.shape) == (n, n) for look in looks)]
    grounds = set[tuple[int, int]]()
    for seat, look in enumerate(looks):
        ground = (look.colour, look.shape) if (look.colour, look.shape) not in grounds else (free[0], free.pop(0))
        grounds.add(ground)
        faces[seat] = replace(look, colour=ground[0], shape=ground[1]).text
    return faces


def _options(season: Season, game: Game, cast: list[str]) -> tuple[list[Event], dict[str, Any]]:
    """Return the log entries that break ties, and the game's options: the balances of the contestants by seat.

    Ties are broken by lot, only where the game wants different numbers.
    """
    before: list[Event] = []
    options: dict[str, Any] = {}
    for name in STAKES:
        option = game.options.get(name)
        if option is None or option.kind != "numbers" or option.count != len(cast):
            continue
        row = [season.ledger.balance(who, name) for who in cast]
        if option.distinct and len(set(row)) < len(row):
            broken = TiesBroken(drawn_order(cast))
            raised = broken.raised({who: row[seat] for seat, who in enumerate(cast)})
            before.append(broken)
            row = [raised[who] for who in cast]
        options[name] = row
    if "open_priority" in game.options:
        options["open_priority"] = season.settings.priority == "public"
    return before, options


def result_of(table: Table, episode: Episode) -> ResultTaken:
    """Return the event that records in the season's log how a finished table of an episode ended."""
    played = episode.tables[table.id]
    outcome, game = table.match.outcome, table.game
    assert outcome is not None
    winners = tuple(played.cast[seat] for seat in outcome.winners)
    late = Counter(ply.seat for ply in table.action_log.line if ply.by_clock)
    missed = tuple(late[seat] for seat in range(len(played.cast)))
    lot = drawn_order(played.cast) if episode.format.tie == "lot" and len(winners) > 1 else ()
    if played.part == "duel" or game.season_result is None:
        return ResultTaken(table.id, winners, outcome.points, missed=missed, lot=lot)
    left = game.season_result(record(table.match.state_copy()))
    changes: dict[str, tuple[int, ...] | None] = {}
    for name, now in (("garnets", left.garnets), ("priority", left.priority)):
        start = table.match.options.get(name)
        changes[name] = tuple(b - a for a, b in zip(start, now, strict=True)) if start else None
    candidate = played.cast[left.candidate] if left.candidate is not None else None
    return ResultTaken(
        table.id, winners, outcome.points, changes["garnets"], changes["priority"], left.tokens, candidate, missed, lot
    )


async def running_tables(loaded: LoadedSeason, tables: Tables, who: str) -> list[tuple[Table, int]]:
    """Return the tables of the open episode at which a contestant still plays, each with the contestant's seat."""
    running: list[tuple[Table, int]] = []
    episode = loaded.season.episode
    for played in episode.tables.values() if episode is not None else ():
        if who in played.cast and played.winners is None:
            with suppress(Refused):
                table = await tables.get(played.table)
                if not table.match.over:
                    running.append((table, played.cast.index(who)))
    return running
