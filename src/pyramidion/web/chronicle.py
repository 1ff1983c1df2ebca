"""What has happened at a table, viewer by viewer: the events of the match, whose time was up, and acts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pyramidion import EVERYTHING, Event, Match
from pyramidion.web.host import eras
from pyramidion.web.host.act_texts import text_of
from pyramidion.web.host.acts import Act
from pyramidion.words import _, language, listed

Told = tuple[int, int, int, tuple[int, ...]]
"""Version, code, rule number, arguments, as `Match.told` has them; of code `TIME_UP` the arguments are seats, of code
`ACT` the number of the act among all acts."""
TIME_UP = -1
ACT = -2


@dataclass(slots=True)
class _Merged:
    """What one viewer has been told, and how much of each source is in it."""

    told: list[Told] = field(default_factory=list[Told])
    events: int = 0
    groups: int = 0
    acts: int = 0


class Chronicle:
    """Merges sources that only grow, so that a viewer's event number always means the same.

    What is taken back stays told: it has happened, and everybody knows of it.

    Attributes:
        era: how often the match has gone back.
        acts: all acts, in order.
        by_clock: the plies (from 0) that the clock has made.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        # (first ply, seats) of each step in which somebody's time was up.
        self._groups: list[tuple[int, list[int]]] = []
        self._open = False
        self._merged: dict[int | None, _Merged] = {}
        self._texts: dict[tuple[int | None, str], list[Event]] = {}
        self.era = 0
        self.acts: list[Act] = []
        # (plies that had been played, era) when each act took place; the eras in which plies were played.
        self._places: list[tuple[int, int]] = []
        self._born: list[int] = []
        self.by_clock: list[int] = []

    def played(self, ply: int, seat: int, *, by_clock: bool, ended: bool) -> None:
        """Take note of an action that was number `ply` (from 0), made by the clock or not, and of the step's end."""
        self._born.append(self.era)
        if by_clock:
            self.by_clock.append(ply)
            if not self._open:
                self._groups.append((ply, []))
                self._open = True
            if seat not in self._groups[-1][1]:
                self._groups[-1][1].append(seat)
        self._open &= not ended

    def acted(self, act: Act) -> None:
        """Take note of an act; one that takes back is noted after `went_back`."""
        self.acts.append(act)
        self._places.append((self._match.ply, self.era))

    def went_back(self, match: Match) -> None:
        """Take note that actions have been taken back, and that `match` goes on in the place of the former one."""
        for viewer in (None, *range(match.seats)):
            self.told(viewer)
            self._merge(viewer)
        ply = match.ply
        self.era += 1
        self._match = match
        self._groups = [group for group in self._groups if group[0] < ply]
        self._open = False
        self.by_clock = [one for one in self.by_clock if one < ply]
        self._places = [(min(place, ply), era) for place, era in self._places]
        del self._born[ply:]
        for viewer, merged in self._merged.items():
            if viewer != EVERYTHING:
                merged.events, merged.groups = len(match.told(viewer)), len(self._groups)

    def version(self, position: int, ply: int) -> int:
        """Return the version at which a position, reached with `ply` actions, was first seen."""
        return eras.version(self._born[ply - 1] if ply else 0, position)

    @property
    def places(self) -> list[int]:
        """How many of the actions that still count had been made before each act."""
        return [place for place, _ in self._places]

    def forget_texts(self) -> None:
        """Take note that players are called by other names."""
        self._texts.clear()

    def told(self, viewer: int | None, since: int = 0) -> Sequence[Told]:
        """Return what the viewer has been told from its event number `since` on."""
        if not self._groups and not self.acts:
            return self._match.told(viewer, since)
        return self._merge(viewer).told[since:]

    def _merge(self, viewer: int | None) -> _Merged:
        match = self._match
        merged = self._merged.setdefault(viewer, _Merged())
        fresh = match.told(viewer, merged.events)
        merged.events += len(fresh)
        positions = match.positions(viewer)
        for position, code, rule, arguments in fresh:
            self._add_acts(merged, positions, position)
            self._add_groups(merged, positions, position)
            merged.told.append((self.version(position, positions[position]), code, rule, arguments))
        self._add_acts(merged, positions, len(positions))
        self._add_groups(merged, positions, len(positions) - 1)
        return merged

    def _add_groups(self, merged: _Merged, positions: Sequence[int], upto: int) -> None:
        while merged.groups < len(self._groups):
            ply, seats = self._groups[merged.groups]
            position = bisect_right(positions, ply)  # the first one that its action led to, or a later one
            if position > upto:
                return
            merged.told.append((self.version(position, positions[position]), TIME_UP, 0, tuple(seats)))
            merged.groups += 1

    def _add_acts(self, merged: _Merged, positions: Sequence[int], before: int) -> None:
        """Add the acts that took place at a position before one, each after those whose time was up before it."""
        while merged.acts < len(self._places):
            place, era = self._places[merged.acts]
            position = bisect_right(positions, place) - 1
            if position >= before:
                return
            self._add_groups(merged, positions, position)
            merged.told.append((eras.version(era, position), ACT, 0, (merged.acts,)))
            merged.acts += 1

    def events(self, viewer: int | None, names: Sequence[str]) -> Sequence[Event]:
        """Return what the viewer has been told, in words, oldest first; they are made once and kept."""
        texts = self._texts.setdefault((viewer, language()), [])
        if not self._groups and not self.acts:
            texts += self._match.events(viewer, len(texts), names=names)
        else:
            texts += [self.event(entry, names) for entry in self.told(viewer, len(texts))]
        return texts

    def event(self, told: Told, names: Sequence[str]) -> Event:
        """Return one thing that happened, in words."""
        position, code, rule, arguments = told
        game = self._match.game
        if code == TIME_UP:
            who = listed([names[seat] for seat in arguments])
            text = _("Time was up for {names}: what was missing was decided by the clock.").format(names=who)
            return Event(position, "time-up", "", cast("dict[str, Any]", {"seats": list(arguments)}), text)
        if code == ACT:
            act = self.acts[arguments[0]]
            return Event(position, act.kind, "", act.told(), text_of(act, names))
        name, data = game.events.name(code), game.events.data(code, arguments)
        text = game.view.tell(name, data, game.names(names))
        return Event(position, name, game.rule_name(rule), data, text)
