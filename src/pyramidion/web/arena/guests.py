"""Contest games with API programs (`program:COMMAND`), played on a private server.

Each worker process has one server, and one program process for each seat that a program takes in a game; both are
reused for later games. A local match mirrors the table action by action, so the other entrants play and results are
recorded as in any other contest.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from pyramidion.bots.player import Player
from pyramidion.engine.actions import Action, action_id
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.match import Match
from pyramidion.engine.steps import Steps
from pyramidion.lab.arena.entrants import Entrant, illegal_action
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.arena.programs import Program, command_of
from pyramidion.lab.arena.runner import Choose, raise_if_stopped
from pyramidion.web.arena.server import ArenaServer, HostedTable, NoServer, Violation

LOOK_SECONDS = 0.1
"""Interval at which programs that have to act are checked for exits and timeouts."""


class Guests:
    """Plays contest games with API programs; holds the private server and the programs of one worker process.

    Both are started when they are first needed.
    """

    def __init__(self) -> None:
        self._server: ArenaServer | None = None
        self._programs: dict[tuple[Entrant, int], Program] = {}

    def play(
        self,
        match: Match,
        seeds: Sequence[str],
        seated: Sequence[Entrant],
        players: Mapping[int, Player],
        patience: float,
        choose: Choose,
    ) -> tuple[Match, list[float]]:
        """Play a match to its end; return it and the time that each seat's decisions took, in seconds.

        `players` holds the entrants that are not programs; `choose` asks one of them. Raises EntrantError if an entrant
        fails.
        """
        try:
            return _Game(self, match, seeds, seated, players, patience, choose).play()
        except NoServer as error:
            raise EntrantError(str(error)) from error

    @property
    def server(self) -> ArenaServer:
        """The private server, which is started when it is first needed."""
        if self._server is None:
            self._server = ArenaServer()
        return self._server

    def program(self, entrant: Entrant, number: int) -> Program:
        """Return the program process for an entrant's `number`th seat in a game, counting from 0."""
        key = entrant, number
        if key not in self._programs:
            log = self.server.folder / f"said-{len(self._programs)}"
            self._programs[key] = Program(entrant.name, command_of(entrant.what), log)
        return self._programs[key]

    def close(self, *, at_once: bool = False) -> None:
        """Stop the programs and the server. Programs get a moment to exit by themselves, unless `at_once`."""
        programs, self._programs = list(self._programs.values()), {}
        server, self._server = self._server, None
        try:
            for program in programs:
                program.close(at_once=at_once)
        finally:
            if server is not None:
                server.close()


class _Game:
    """Plays one game at a table of the private server, and mirrors the actions in a local match."""

    def __init__(
        self,
        guests: Guests,
        match: Match,
        seeds: Sequence[str],
        seated: Sequence[Entrant],
        players: Mapping[int, Player],
        patience: float,
        choose: Choose,
    ) -> None:
        self._guests, self._match, self._sitting, self._players = guests, match, seated, players
        self._patience, self._choose, self._seeds = patience, choose, seeds
        self._programs: dict[int, Program] = {}
        self._since: dict[int, float] = {}
        self._acted: set[int] = set()
        self._seconds = [0.0] * match.seats

    def play(self) -> tuple[Match, list[float]]:
        """Play the game to its end; return the match, and the seconds that each seat's decisions took."""
        match, table = self._match, self._guests.server.open(self._match)
        try:
            self._send_seats(table)
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

    def _send_seats(self, table: HostedTable) -> None:
        """Send each program the address of the table and the token of its seat."""
        for seat, entrant in enumerate(self._sitting):
            if seat in self._players:
                continue
            number = sum(self._sitting[other] == entrant for other in self._programs)
            self._programs[seat] = self._guests.program(entrant, number)
            self._programs[seat].send_table(
                {
                    "url": table.address,
                    "game": self._match.game.id,
                    "seat": seat,
                    "token": table.tokens[seat],
                    "seed": self._seeds[seat],
                }
            )

    def _decide(self, table: HostedTable, seat: int) -> None:
        """Ask an entrant that is not a program for its action, and play the action at the table."""
        entrant = self._sitting[seat]
        began = time.perf_counter()
        action = self._choose(self._match, seat, entrant, self._players[seat])
        # Exclude the server's time. For programs it cannot be separated.
        self._seconds[seat] += time.perf_counter() - began
        del self._since[seat]
        try:
            table.act(seat, action if isinstance(action, (Action, str)) else action_id(action))
        except ValueError as error:
            raise illegal_action(entrant, action, error) from None

    def _follow(self, table: HostedTable, seconds: float) -> None:
        """Wait up to `seconds` for actions at the table, and replay them in the local match."""
        news = table.news(seconds)
        if news is None:
            self._check_programs()
        while news is not None:
            if isinstance(news, Violation):
                who = "At the arena's table" if news.seat is None else f"{self._sitting[news.seat].name} failed"
                raise EntrantError(f"{who} at ply {self._match.ply}: {news.sentence}")
            self._match.play(news.seat, news.action)
            self._acted.add(news.seat)
            if (since := self._since.pop(news.seat, None)) is not None:
                self._seconds[news.seat] += max(0.0, news.at - since)
            news = table.news(0.0)

    def _check_programs(self) -> None:
        """Raise EntrantError if a program that has to act has exited, or has exceeded its time limit."""
        raise_if_stopped()
        now, ply = time.perf_counter(), self._match.ply
        for seat in self._match.acting:
            program = self._programs[seat]
            program.check(seat in self._acted, ply)
            if now - self._since.get(seat, now) > self._patience:
                raise EntrantError(
                    f"{program.name} has made no action within {self._patience:g} seconds at ply {ply}."
                    f"{program.last_output()}"
                )


def in_order(match: Match) -> Match:
    """Return the match with the actions of each simultaneous step reordered by seat.

    This makes records independent of response times. If the reordering changed the result, which the laws of games
    forbid, return the match unchanged.
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
    first, second = match.state_copy(), other.state_copy()
    fields = [name for name in match.game.layout.fields if not name.startswith("event_")]
    return other if all(first[name].tobytes() == second[name].tobytes() for name in fields) else match


def _play_in_order(match: Match, asked: Sequence[int], step: Sequence[tuple[int, int]]) -> None:
    """Play the actions of a step in the order of the seats; seats that were not due come first.

    The step ends with the last due seat, so `asked` are the seats that were due when the step began.
    """
    for seat, action in sorted(step, key=lambda made: (made[0] in asked, made[0])):
        match.play(seat, action)
