"""Games of an evaluation: an agent in one seat, an opponent in all others; a failing agent loses."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from pyramidion.bots.player import Player
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.payoffs import payoffs_of
from pyramidion.engine.registry import load
from pyramidion.lab.arena.entrants import PATIENCE, Entrant
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.arena.results import FinishedGame
from pyramidion.lab.arena.runner import Guests, seed_of
from pyramidion.lab.arena.schedule import Pairing, schedule
from pyramidion.lab.evaluation.agents import Agent
from pyramidion.lab.evaluation.protocol import Protocol

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match

OpenGuests = Callable[[], Guests]
"""Opens the server for programs of the JSON API."""
MAX_REASON = 200
"""Characters of an agent's error that a result keeps."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of an evaluation.

    Attributes:
        opponent: the name of the opponent.
        deck: the number of the deck; `seat`: the agent's.
        payoffs, winners: as in `Outcome`; for a lost game those of `play_game`.
        plies: the number of actions; `decisions`: those of the agent; `seconds`: processor time that they took.
        digest: a hash of the record, by which a replayed game is compared; empty if there is no record.
        failure: why the agent lost the game before its end, as a sentence; empty if it did not.
    """

    opponent: str
    deck: int
    seat: int
    payoffs: tuple[float, ...]
    winners: tuple[int, ...]
    plies: int
    decisions: int
    seconds: float
    digest: str
    failure: str = ""

    def to_json(self) -> list[Any]:
        """Return the game as JSON-ready data: its fields in their order, which are many times smaller without names."""
        values = [getattr(self, entry.name) for entry in fields(self)]
        values[3] = [int(payoff) if float(payoff).is_integer() else payoff for payoff in self.payoffs]
        return values if self.failure else values[:-1]

    def finished(self, game: Game, number: int, opponent: int) -> FinishedGame:
        """Return the game as a finished game of a contest: the agent is entrant 0, the opponent entrant `opponent`."""
        seats = len(self.payoffs)
        seating = tuple(0 if seat == self.seat else opponent for seat in range(seats))
        seconds = tuple(self.seconds if seat == self.seat else 0.0 for seat in range(seats))
        points = (0,) * seats
        return FinishedGame(
            0, self.deck, number, seating, game.payoff_form, self.payoffs, points, self.winners, self.plies, seconds
        )


def played_game(data: list[Any]) -> PlayedGame:
    """Return the game that `PlayedGame.to_json` has written."""
    opponent, deck, seat, payoffs, winners, *others = data
    return PlayedGame(opponent, deck, seat, tuple(float(payoff) for payoff in payoffs), tuple(winners), *others)


def pairings(protocol: Protocol, games: int | None = None) -> Iterator[tuple[str, Pairing]]:
    """Yield the games that every agent plays, as (opponent, pairing); the agent is entrant 0.

    All opponents play the same decks, in which the agent takes every seat once. `games` limits the games against each
    opponent, rounded up to whole decks.
    """
    for number, opponent in enumerate(protocol.opponents):
        count = opponent.decks * protocol.seats
        if games is not None:
            count = min(count, games)
        for pairing in schedule(2, protocol.seats, count, protocol.seed):
            yield opponent.name, replace(pairing, lineup=number)


def play_game(
    protocol: Protocol, agent: Agent, opponent: str, pairing: Pairing, guests: Guests | None = None
) -> tuple[PlayedGame, Match]:
    """Play one game and return it with its match, which ends early if the agent fails.

    An agent that raises an exception, exits or plays an illegal action loses: it has the lowest payoff, and all others
    win. `guests` is the server for programs of the JSON API.
    """
    game = load(protocol.game)
    match = game.new(protocol.seats, pairing.seed, **protocol.options)
    seat, failure = pairing.seating.index(0), ""
    seeds = [seed_of(pairing, place) for place in range(protocol.seats)]
    other = Agent(opponent, opponent)
    players = {
        place: other.make_player(game, seeds[place], protocol.budget)
        for place in range(protocol.seats)
        if place != seat
    }
    clock = _Clock()
    try:
        if agent.entrant.is_guest and agent.make is None:
            match = _play_with_program(match, seeds, agent, other, seat, players, guests, clock)
        else:
            players[seat] = agent.make_player(game, seeds[seat], protocol.budget)
            _play(match, seat, players, clock)
    except EntrantError as error:
        failure = str(error)
    payoffs, winners = _lost(game, match, seat) if failure or match.outcome is None else _outcome(match)
    digest = "" if failure and not match.ply else record_digest(match)
    row = PlayedGame(
        opponent,
        pairing.block,
        seat,
        payoffs,
        winners,
        match.ply,
        clock.decisions or sum(place == seat for place, _ in match.history),
        round(clock.seconds, 4),
        digest,
        failure,
    )
    return row, match


class _Clock:
    """Counts an agent's decisions and the processor time that they take, in seconds."""

    def __init__(self) -> None:
        self.decisions, self.seconds = 0, 0.0


def _play(match: Match, agent_seat: int, players: dict[int, Player], clock: _Clock) -> None:
    """Play a match to its end. Raises EntrantError if the agent fails."""
    while not match.over:
        seat = match.acting[0]
        if seat != agent_seat:
            match.play(seat, players[seat].move(match, seat))
            continue
        began = time.process_time()
        try:
            action = players[seat].move(match, seat)
        except (Exception, SystemExit) as error:
            raise EntrantError(_sentence(f"It failed at ply {match.ply}: {type(error).__name__}: {error}")) from error
        finally:
            clock.seconds += time.process_time() - began
            clock.decisions += 1
        try:
            match.play(seat, action)
        except (IllegalAction, ValueError, TypeError) as error:
            message = f"It chose an illegal action at ply {match.ply}, {str(action)[:60]!r}: {error}"
            raise EntrantError(_sentence(message)) from None


def _play_with_program(
    match: Match,
    seeds: list[str],
    agent: Agent,
    other: Agent,
    agent_seat: int,
    players: dict[int, Player],
    guests: Guests | None,
    clock: _Clock,
) -> Match:
    """Play a match with a program of the JSON API in the agent's seat. Raises EntrantError if the program fails."""
    if guests is None:
        raise EntrantError("It is a program of the JSON API, and this evaluation has no server for it.")

    def choose(match: Match, seat: int, _entrant: Entrant, player: Player) -> Any:
        """Return the action that a player chooses."""
        return player.move(match, seat)

    seated = [agent.entrant if seat == agent_seat else other.entrant for seat in range(match.seats)]
    try:
        match, seconds = guests.play(match, seeds, seated, players, PATIENCE, choose)
    except EntrantError as error:
        guests.close(at_once=True)
        raise EntrantError(_sentence(str(error))) from error
    clock.seconds = seconds[agent_seat]
    return match


def _sentence(text: str) -> str:
    """Return an error as one line of at most MAX_REASON characters."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 3]}..."


def _outcome(match: Match) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the payoffs and winners of a match that is over."""
    assert match.outcome is not None
    return tuple(float(payoff) for payoff in match.outcome.payoffs), match.outcome.winners


def _lost(game: Game, match: Match, seat: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the payoffs and winners of a game that the agent in a seat has lost by failing."""
    payoffs, others = payoffs_of(game, match.seats, match.box), match.seats - 1
    rest = 1 / others if game.payoff_form == "share" else payoffs.even
    winners = tuple(place for place in range(match.seats) if place != seat)
    return tuple(payoffs.low if place == seat else rest for place in range(match.seats)), winners


def record_digest(match: Match) -> str:
    """Return 16 hexadecimal digits that identify a match's record."""
    return hashlib.sha256(json.dumps(match.record(), sort_keys=True).encode()).hexdigest()[:16]
