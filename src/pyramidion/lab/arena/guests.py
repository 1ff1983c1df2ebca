"""Games in which a program by the JSON API takes part (`program:COMMAND`): played at a server of the arena's own.

Every process of a contest has one such server, and one process of a program for each seat that it takes in a game; both
stay for the games that follow. The match here follows what is played there, action by action, so the others play as in
any contest, and what is recorded is the same.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.match import IllegalAction, Match
from pyramidion.engine.steps import Steps
from pyramidion.lab.arena.entrants import Entrant, NoEntrant, Player, not_legal
from pyramidion.lab.arena.house import Hosted, House, NoHouse, Wrong
from pyramidion.lab.arena.programs import Program, command_of
from pyramidion.lab.arena.running import require_going_on

LOOK_SECONDS = 0.1
"""How often those that are waited for are looked at, whether they are still there."""
Choose = Callable[[Match, int, Entrant, Player], Any]


class Guests:
    """The server and the programs of one process; both start when they are needed first."""

    def __init__(self) -> None:
        self._house: House | None = None
        self._programs: dict[tuple[Entrant, int], Program] = {}

    def play(
        self,
        match: Match,
        seeds: Sequence[str],
        sitting: Sequence[Entrant],
        players: Mapping[int, Player],
        patience: float,
        choose: Choose,
    ) -> tuple[Match, list[float]]:
        """Play a match to its end, and return it with the seconds that each seat's decisions took.

        `players` are those who are no programs; `choose` asks one of them. Raises NoEntrant where anybody fails.
        """
        try:
            return _Game(self, match, seeds, sitting, players, patience, choose).play()
        except NoHouse as error:
            raise NoEntrant(str(error)) from error

    @property
    def house(self) -> House:
        """The server."""
        if self._house is None:
            self._house = House()
        return self._house

    def program(self, entrant: Entrant, number: int) -> Program:
        """Return the process of an entrant's `number`th seat in a game."""
        key = entrant, number
        if key not in self._programs:
            said = self.house.folder / f"said-{len(self._programs)}"
            self._programs[key] = Program(entrant.name, command_of(entrant.what), said)
        return self._programs[key]

    def close(self, *, at_once: bool = False) -> None:
        """End the programs and the server; those that want to end by themselves have a moment unless `at_once`."""
        programs, self._programs = list(self._programs.values()), {}
        house, self._house = self._house, None
        try:
            for program in programs:
                program.close(at_once=at_once)
        finally:
            if house is not None:
                house.close()


class _Game:
    """One game at a table of the house."""

    def __init__(
        self,
        guests: Guests,
        match: Match,
        seeds: Sequence[str],
        sitting: Sequence[Entrant],
        players: Mapping[int, Player],
        patience: float,
        choose: Choose,
    ) -> None:
        self._guests, self._match, self._sitting, self._players = guests, match, sitting, players
        self._patience, self._choose, self._seeds = patience, choose, seeds
        self._programs: dict[int, Program] = {}
        self._since: dict[int, float] = {}
        self._acted: set[int] = set()
        self._seconds = [0.0] * match.seats

    def play(self) -> tuple[Match, list[float]]:
        match, table = self._match, self._guests.house.open(self._match)
        try:
            self._hand_out(table)
            while not match.over:
                now = time.perf_counter()
                for seat in match.acting:
                    self._since.setdefault(seat, now)
                own = next((seat for seat in match.acting if seat in self._players), None)
                if own is not None:
                    self._decide(table, own)
                self._follow(table, LOOK_SECONDS if own is None else 0.0)
        finally:
            table.close()
        return in_order(match), self._seconds

    def _hand_out(self, table: Hosted) -> None:
        """Tell each program where it sits."""
        for seat, entrant in enumerate(self._sitting):
            if seat in self._players:
                continue
            number = sum(self._sitting[other] == entrant for other in self._programs)
            self._programs[seat] = self._guests.program(entrant, number)
            self._programs[seat].hand(
                {
                    "url": table.address,
                    "game": self._match.game.id,
                    "seat": seat,
                    "token": table.tokens[seat],
                    # The seed of the match is in ours, which is told to none.
                    "seed": hashlib.sha256(self._seeds[seat].encode()).hexdigest()[:16],
                }
            )

    def _decide(self, table: Hosted, seat: int) -> None:
        """Let one that is no program act."""
        entrant = self._sitting[seat]
        began = time.perf_counter()
        action = self._choose(self._match, seat, entrant, self._players[seat])
        # What the server takes is not its time; a program's cannot be told apart from that.
        self._seconds[seat] += time.perf_counter() - began
        del self._since[seat]
        try:
            table.act(seat, action if isinstance(action, (Action, str)) else index(action))
        except (IllegalAction, TypeError) as error:
            raise not_legal(entrant, action, error) from None

    def _follow(self, table: Hosted, seconds: float) -> None:
        """Play here what has been played at the table, having waited for it for a while."""
        news = table.news(seconds)
        if news is None:
            self._look_after()
        while news is not None:
            if isinstance(news, Wrong):
                who = "At the arena's table" if news.seat is None else f"{self._sitting[news.seat].name} failed"
                raise NoEntrant(f"{who} at ply {self._match.ply}: {news.sentence}")
            self._match.play(news.seat, news.action)
            self._acted.add(news.seat)
            if (since := self._since.pop(news.seat, None)) is not None:
                self._seconds[news.seat] += max(0.0, news.at - since)
            news = table.news(0.0)

    def _look_after(self) -> None:
        """Look whether those that are waited for are still there, and have not had time enough."""
        require_going_on()
        now, ply = time.perf_counter(), self._match.ply
        for seat in self._match.acting:
            program = self._programs[seat]
            program.check(seat in self._acted, ply)
            if now - self._since.get(seat, now) > self._patience:
                raise NoEntrant(
                    f"{program.name} has made no action within {self._patience:g} seconds at ply {ply}."
                    f"{program.words()}"
                )


def in_order(match: Match) -> Match:
    """Return a match in which those that decided at the same time did so in the order of their seats.

    So a record does not tell who was quicker, which the next time may be another. Where the game would be another one,
    which the laws of games forbid, it is returned as it is.
    """
    steps, other = Steps(match.at(0)), match.at(0)
    asked, step = steps.match.acting, list[tuple[int, int]]()
    try:
        for seat, action in match.history:
            step.append((seat, action))
            if steps.play(seat, action):
                _play_in_order(other, asked, step)
                asked, step = steps.match.acting, []
        _play_in_order(other, asked, step)
    except IllegalAction:
        return match
    one, two = match.state_copy(), other.state_copy()
    fields = [name for name in match.game.layout.fields if not name.startswith("event_")]
    return other if all(one[name].tobytes() == two[name].tobytes() for name in fields) else match


def _play_in_order(match: Match, asked: Sequence[int], step: Sequence[tuple[int, int]]) -> None:
    """Play a step: first what those did that were not asked, since the step ends with the last that was."""
    for seat, action in sorted(step, key=lambda made: (made[0] in asked, made[0])):
        match.play(seat, action)
