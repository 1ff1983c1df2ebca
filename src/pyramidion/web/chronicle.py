"""What has happened at a table, viewer by viewer: the events of the match, and whose time was up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pyramidion import Event, Match
from pyramidion.words import _, language, listed

Told = tuple[int, int, int, tuple[int, ...]]
"""Position, code, rule number, arguments, as `Match.told` has them; of code `TIME_UP` the arguments are seats."""
TIME_UP = -1


@dataclass(slots=True)
class _Merged:
    """What one viewer has been told, and how much of either source is in it."""

    told: list[Told] = field(default_factory=list[Told])
    events: int = 0
    groups: int = 0


class Chronicle:
    """Merges two sources that both only grow, so that a viewer's event number always means the same."""

    def __init__(self, match: Match) -> None:
        self._match = match
        # (first ply, seats) of each step in which somebody's time was up.
        self._groups: list[tuple[int, list[int]]] = []
        self._open = False
        self._merged: dict[int | None, _Merged] = {}
        self._texts: dict[tuple[int | None, str], list[Event]] = {}
        self.by_clock: list[int] = []

    def played(self, ply: int, seat: int, *, by_clock: bool, ended: bool) -> None:
        """Take note of an action that was number `ply` (from 0), made by the clock or not, and of the step's end."""
        if by_clock:
            self.by_clock.append(ply)
            if not self._open:
                self._groups.append((ply, []))
                self._open = True
            if seat not in self._groups[-1][1]:
                self._groups[-1][1].append(seat)
        self._open &= not ended

    def forget_texts(self) -> None:
        """Take note that players are called by other names."""
        self._texts.clear()

    def told(self, viewer: int | None, since: int = 0) -> Sequence[Told]:
        """Return what the viewer has been told from its event number `since` on."""
        match = self._match
        if not self._groups:
            return match.told(viewer, since)
        merged = self._merged.setdefault(viewer, _Merged())
        fresh = match.told(viewer, merged.events)
        merged.events += len(fresh)
        positions = match.positions(viewer)
        for entry in fresh:
            self._add_groups(merged, positions, entry[0])
            merged.told.append(entry)
        self._add_groups(merged, positions, len(positions) - 1)
        return merged.told[since:]

    def _add_groups(self, merged: _Merged, positions: Sequence[int], upto: int) -> None:
        while merged.groups < len(self._groups):
            ply, seats = self._groups[merged.groups]
            position = bisect_right(positions, ply)  # the first one that its action led to, or a later one
            if position > upto:
                return
            merged.told.append((position, TIME_UP, 0, tuple(seats)))
            merged.groups += 1

    def events(self, viewer: int | None, names: Sequence[str]) -> Sequence[Event]:
        """Return what the viewer has been told, in words, oldest first; they are made once and kept."""
        texts = self._texts.setdefault((viewer, language()), [])
        if not self._groups:
            texts += self._match.events(viewer, len(texts), names=names)
        else:
            texts += [self.event(entry, names) for entry in self.told(viewer, len(texts))]
        return texts

    def event(self, told: Told, names: Sequence[str]) -> Event:
        """Return one thing that happened, in words."""
        position, code, rule, arguments = told
        game = self._match.game
        if code == TIME_UP:
            who = [names[seat] for seat in arguments]
            text = _("Time was up for {names}: what was missing was decided by the clock.").format(names=listed(who))
            return Event(position, "time-up", "", cast("dict[str, Any]", {"seats": list(arguments)}), text)
        name, data = game.events.name(code), game.events.data(code, arguments)
        text = game.view.tell(name, data, game.names(names))
        return Event(position, name, game.rule_name(rule), data, text)
