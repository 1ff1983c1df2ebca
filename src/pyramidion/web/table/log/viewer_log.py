"""The log of a table for each viewer: events of the match, timeouts and host commands, merged in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pyramidion import EVERYTHING, Event, Match
from pyramidion.engine.sentences import Names
from pyramidion.translation import _, language, listed, marked
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.table.log import versions
from pyramidion.web.table.log.command_texts import text_of

LogEntry = tuple[int, int, int, tuple[int, ...]]
"""An entry: version, code, rule number and arguments, as in `Match.raw_events`. The arguments are an index of
`TIME_UP_TEXTS` and seats for the code `TIME_UP`, and the index of the host command for the code `COMMAND`."""
MOST_TEXTS = 512
"""Maximum number of cached texts per table and language."""
TIME_UP = -1
COMMAND = -2
UNNAMED, NAMED, YOURS, CLOSED = range(4)
TIME_UP_TEXTS = (
    marked("Time ran out. Default moves were applied."),
    marked("{names} ran out of time. Default moves were applied."),
    marked("You ran out of time. Default moves were applied."),
    marked("The host closed the phase before you confirmed. Default moves were applied."),
)


@dataclass(frozen=True, slots=True)
class _Written:
    """An entry with its text, the seats that the text names, and the texts for those of them who have read it."""

    event: Event
    named: set[int]
    readers: dict[int, Event] = field(default_factory=dict[int, Event])


@dataclass(slots=True)
class _LateStep:
    """A step whose end some seats missed, so that default moves were played for them.

    Attributes:
        ply: the first default move in it.
        together: whether several seats had to decide; then each late seat is only told about itself.
        closed: whether the host closed the step, which a host command reports to everybody.
        seats: the seats that had not confirmed.
    """

    ply: int
    together: bool
    closed: bool
    seats: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class _Merged:
    """One viewer's log so far, and how many match events, late steps and host commands are in it."""

    log_entries: list[LogEntry] = field(default_factory=list[LogEntry])
    events: int = 0
    groups: int = 0
    commands: int = 0


class ViewerLog:
    """Merges match events, timeouts and host commands into a log for each viewer.

    The three only grow, so event numbers never change their meaning.

    Undone events stay in the log, since everybody has seen them.

    Attributes:
        era: the number of rewinds and takebacks so far.
        commands: all host commands, in order.
        by_clock: the plies (from 0) played by the clock.
        stays_open: whether simultaneous steps stay open until their time is up, even if all have confirmed. In that
            case a report that somebody ran out of time would reveal that not all had confirmed.
    """

    def __init__(self, match: Match, *, stays_open: bool) -> None:
        self._match = match
        self._stays_open = stays_open
        self._groups: list[_LateStep] = []
        self._open = False
        # The host command that caused the default moves being played.
        self._order: HostCommand | None = None
        self._merged: dict[int | None, _Merged] = {}
        self._texts: dict[str, dict[tuple[int, LogEntry], _Written]] = {}
        self.era = 0
        self.commands: list[HostCommand] = []
        # For each host command, (plies played before it, era); for each ply, the era in which it was played.
        self._places: list[tuple[int, int]] = []
        self._born: list[int] = []
        self.by_clock: list[int] = []

    def fork(self, match: Match) -> ViewerLog:
        """Return an independent copy of the log for `match`, a copy of the log's match at the same position."""
        other = copy(self)
        other._match = match
        other._groups = [replace(group, seats=[*group.seats]) for group in self._groups]
        other._merged = {
            viewer: replace(merged, log_entries=[*merged.log_entries])
            for viewer, merged in self._merged.items()
            if viewer != EVERYTHING
        }
        other._texts = {}
        other.commands, other._places = [*self.commands], [*self._places]
        other._born, other.by_clock = [*self._born], [*self.by_clock]
        return other

    def played(self, ply: int, seat: int, *, by_clock: bool, together: bool, ended: bool) -> None:
        """Record that a seat has played the action number `ply` (from 0).

        `by_clock`: it was a default move. `together`: several seats decide in this step. `ended`: it ended the step.
        """
        self._born.append(self.era)
        if by_clock:
            self.by_clock.append(ply)
            self._note_late(ply, seat, together)
        self._open &= not ended
        if ended or not by_clock:
            self._order = None

    def _note_late(self, ply: int, seat: int, together: bool) -> None:
        """Add a seat to the late ones of the current step, unless the host command already names it."""
        order = self._order
        if order is not None and order.data.get("seat") == seat:
            return  # the command names the seat
        if not self._open:
            self._groups.append(_LateStep(ply, together, order is not None and order.kind == "closed"))
            self._open = True
        if seat not in self._groups[-1].seats:
            self._groups[-1].seats.append(seat)

    @property
    def late(self) -> Sequence[int]:
        """The seats that missed the end of the latest step that had late seats; only for a host who does not play."""
        return self._groups[-1].seats if self._groups else ()

    def note_command(self, command: HostCommand) -> None:
        """Record a host command; for a rewind or takeback, call `went_back` first."""
        self._order = command if command.kind in ("closed", "default-applied") else None
        self.commands.append(command)
        self._places.append((self._match.ply, self.era))

    def rename(self, stored: Sequence[HostCommand]) -> bool:
        """Take over the names in commands as they are stored now; return whether one was another."""
        new = {command.number: command for command in stored}
        renamed = [new.get(command.number, command) for command in self.commands]
        changed = renamed != self.commands
        self.commands[:] = renamed
        return changed

    def went_back(self, match: Match) -> None:
        """Record a rewind or takeback, after which `match` takes the place of the present match."""
        for viewer in (None, *range(match.seats)):
            self.log_entries(viewer)
            self._merge(viewer)
        ply = match.ply
        self.era += 1
        self._match = match
        self._groups = [group for group in self._groups if group.ply < ply]
        self._open = False
        self.by_clock = [earlier for earlier in self.by_clock if earlier < ply]
        self._places = [(min(place, ply), era) for place, era in self._places]
        del self._born[ply:]
        for viewer, merged in self._merged.items():
            if viewer != EVERYTHING:
                merged.events, merged.groups = len(match.raw_events(viewer)), len(self._groups)

    def version(self, position: int, ply: int) -> int:
        """Return the version at which a viewer's position, reached after `ply` actions, was first seen."""
        return versions.version(self._born[ply - 1] if ply else 0, position)

    @property
    def places(self) -> list[int]:
        """For each host command, how many of the actions that have not been undone were made before it."""
        return [place for place, _ in self._places]

    def forget_texts(self) -> None:
        """Drop the cached texts, because names have changed or to save memory."""
        self._texts.clear()

    def log_entries(self, viewer: int | None, since: int = 0) -> Sequence[LogEntry]:
        """Return the viewer's log entries from event number `since` on, without texts."""
        if not self._groups and not self.commands:
            return self._match.raw_events(viewer, since)
        return self._merge(viewer).log_entries[since:]

    def undone(self, viewer: int | None) -> frozenset[int]:
        """Return the numbers of those events in the viewer's log that a rewind or takeback has undone.

        Host commands are never undone.
        """
        if not self.era:
            return frozenset()
        undone: set[int] = set()
        valid: list[tuple[int, int]] = []
        era = 0
        for number, (version, code, _rule, _arguments) in enumerate(self.log_entries(viewer)):
            position = versions.position_of(version)
            # The first entry of an era is the rewind or takeback itself.
            if versions.era_of(version) > era:
                era = versions.era_of(version)
                undone.update(earlier for earlier, at in valid if at > position)
                valid = [(earlier, at) for earlier, at in valid if at <= position]
            if code != COMMAND:
                valid.append((number, position))
        return frozenset(undone)

    def _merge(self, viewer: int | None) -> _Merged:
        """Add what is new to a viewer's log, and return the log."""
        match = self._match
        merged = self._merged.setdefault(viewer, _Merged())
        fresh = match.raw_events(viewer, merged.events)
        merged.events += len(fresh)
        positions = match.positions(viewer)
        for position, code, rule, arguments in fresh:
            self._add_commands(merged, viewer, positions, position)
            self._add_groups(merged, viewer, positions, position)
            merged.log_entries.append((self.version(position, positions[position]), code, rule, arguments))
        self._add_commands(merged, viewer, positions, len(positions))
        self._add_groups(merged, viewer, positions, len(positions) - 1)
        return merged

    def _add_groups(self, merged: _Merged, viewer: int | None, positions: Sequence[int], upto: int) -> None:
        """Add the late steps that a viewer's log lacks, as far as the viewer's position `upto`."""
        while merged.groups < len(self._groups):
            late = self._groups[merged.groups]
            position = bisect_right(positions, late.ply)  # the viewer's first position after it
            if position > upto:
                return
            arguments = self._timeout_arguments(late, viewer)
            if arguments is not None:
                merged.log_entries.append((self.version(position, positions[position]), TIME_UP, 0, arguments))
            merged.groups += 1

    def _timeout_arguments(self, late: _LateStep, viewer: int | None) -> tuple[int, ...] | None:
        """Return a viewer's entry about a late step (index of `TIME_UP_TEXTS`, seats), or None for no entry."""
        if viewer == EVERYTHING:
            return NAMED, *late.seats
        if viewer in late.seats:
            return CLOSED if late.closed else YOURS, viewer
        if not late.together:
            return NAMED, *late.seats
        return None if late.closed or self._stays_open else (UNNAMED,)

    def _add_commands(self, merged: _Merged, viewer: int | None, positions: Sequence[int], before: int) -> None:
        """Add the host commands before the position `before`, each after the timeouts that preceded it."""
        while merged.commands < len(self._places):
            place, era = self._places[merged.commands]
            position = bisect_right(positions, place) - 1
            if position >= before:
                return
            self._add_groups(merged, viewer, positions, position)
            merged.log_entries.append((versions.version(era, position), COMMAND, 0, (merged.commands,)))
            merged.commands += 1

    def events(self, viewer: int | None, names: Sequence[str], reader: int | None = None) -> Sequence[Event]:
        """Return the viewer's events with their texts, oldest first; texts are shared by all viewers.

        `reader` is the seat that the texts call "you", or None. Who took over a seat reads the former player's name.
        """
        texts, log_entries = self._texts.setdefault(language(), {}), self.log_entries(viewer)
        events: list[Event] = []
        for entry, (era, then) in zip(log_entries, self._names_then(log_entries, names), strict=True):
            written = texts.get((era, entry))
            if written is None:
                called = Names(then)
                written = texts[era, entry] = _Written(self._event(entry, called), called.named)
            if reader is None or reader not in written.named or then[reader] != names[reader]:
                events.append(written.event)
            else:
                if reader not in written.readers:
                    written.readers[reader] = self._event(entry, Names(then, reader))
                events.append(written.readers[reader])
        while len(texts) > MOST_TEXTS:
            del texts[next(iter(texts))]
        return events

    def _names_then(self, entries: Sequence[LogEntry], names: Sequence[str]) -> list[tuple[int, Sequence[str]]]:
        """Return for each entry how many seats changed hands after it, and all names at that time."""
        then, replaced, names_of_entries = names, 0, list[tuple[int, Sequence[str]]]()
        for entry in reversed(entries):
            names_of_entries.append((replaced, then))
            command = self.commands[entry[3][0]] if entry[1] == COMMAND else None
            if command is not None and "was" in command.data:
                then, replaced = list(then), replaced + 1
                then[command.data["seat"]] = command.data["was"]
        return names_of_entries[::-1]

    def event(self, entry: LogEntry, names: Sequence[str], reader: int | None = None) -> Event:
        """Return an entry as an event with its text; `names` are those of the seats when it was made.

        `reader` is the seat that the text calls "you", or None.
        """
        return self._event(entry, Names(names, reader))

    def _event(self, entry: LogEntry, names: Names) -> Event:
        """Return an entry as an event with its text."""
        position, code, rule, arguments = entry
        game = self._match.game
        if code == TIME_UP:
            which, *seats = arguments
            text = _(TIME_UP_TEXTS[which]).format(names=listed([names[seat] for seat in seats]))
            return Event(position, "time-up", "", cast("dict[str, Any]", {"seats": seats}), text)
        if code == COMMAND:
            command = self.commands[arguments[0]]
            text = names.capitalized(text_of(command, names))
            return Event(position, command.kind, "", command.public_data(), text)
        name, data = game.events.name(code), game.events.data(code, arguments)
        text = names.capitalized(game.view.tell(name, data, names))
        return Event(position, name, game.rule_name(rule), data, text)
