"""A table's action log: its actions and host commands, in order, and the match that they make."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from pyramidion import Action, IllegalAction, Match
from pyramidion.engine.seals import Seal
from pyramidion.engine.steps import Steps
from pyramidion.engine.takeback import reveals_nothing
from pyramidion.translation import _
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.store import StoredPly
from pyramidion.web.db.writer import Ply
from pyramidion.web.errors import CannotGoOn
from pyramidion.web.table.log import versions
from pyramidion.web.table.log.host_commands import TakenBack, recorded
from pyramidion.web.table.log.proposals import Proposals
from pyramidion.web.table.log.viewer_log import ViewerLog

log = logging.getLogger(__name__)


class ActionLog:
    """Holds a table's actions and host commands in order, and the match that follows from them.

    The log only grows; a rewind is an entry, too.

    Attributes:
        match: the match as of the last entry. Show viewers nothing of it except through a snapshot, a view and events.
        steps: counts the steps of the match.
        starts: the plies at which the steps began; the last is the current step's.
        line: the actions of the match, as stored, without the undone ones.
        length: the number of entries, including host commands and undone actions.
        seals: the seals of played submissions, by ply (from 0); `opened` is the number of them that are public, because
            their steps have ended.
        taken_back: the undone actions, for the record.
        viewer_log: the log for each viewer.
        proposals: the open proposals.
    """

    def __init__(self, table: str, match: Match, *, stays_open: bool) -> None:
        self._table = table
        self._ids: dict[str, int] = {}
        self._fair: dict[int, bool] = {}
        self.length = 0
        self.taken_back: list[TakenBack] = []
        self.viewer_log = ViewerLog(match, stays_open=stays_open)
        self.proposals = Proposals()
        self._begin(match)

    def _begin(self, match: Match) -> None:
        """Reset the match, and all that is counted along with it, to the opening."""
        self.match, self.steps = match, Steps(match)
        self.starts = [0]
        self.line: list[StoredPly] = []
        self.seals: dict[int, Seal] = {}
        self.opened = 0
        self._pending: list[Seal] = []

    # Entries

    def add(self, entry: Ply | HostCommand) -> None:
        """Append an entry that has just been stored, and apply it. Raises IllegalAction."""
        if isinstance(entry, HostCommand):
            self._note(entry)
        else:
            self._play(StoredPly(entry.ply, entry.seat, entry.action, entry.by_clock, entry.seal, entry.nonce))
        self.length += 1

    def replay(self, stored: Sequence[StoredPly]) -> None:
        """Append entries from the database, and apply them. Raises CannotGoOn if one is missing or illegal."""
        for ply in stored:
            if ply.ply != self.length:
                sentence = _("This table cannot continue: action {number} is missing from the database.")
                raise CannotGoOn(sentence.format(number=self.length + 1))
            try:
                if ply.command is not None:
                    self._note(ply.command)
                else:
                    self._play(ply)
                self.length += 1
            except ValueError as error:
                log.error("Table %s: ply %s, %r by seat %s, is not legal: %s", self._table, *ply[:3], error)
                sentence = _("This table cannot continue: action {number} in the database is not legal.")
                raise CannotGoOn(sentence.format(number=ply.ply + 1)) from error

    def _note(self, command: HostCommand) -> None:
        """Apply a host command; a rewind or takeback also takes the match back."""
        if (ply := command.back_to) is not None:
            kept, gone = self.line[:ply], self.line[ply:]
            self._begin(self.match.at(0))
            for kept_ply in kept:
                self._advance(kept_ply)
            self.viewer_log.went_back(self.match)
            self.taken_back.append(TakenBack(command, gone))
            self._fair.clear()
        self.viewer_log.note_command(command)
        self.proposals.note_command(command)

    def _play(self, ply: StoredPly) -> None:
        """Play an action and record it for the viewers. Raises IllegalAction."""
        number, by_clock = self.match.ply, bool(ply.by_clock)
        together = by_clock and self.steps.simultaneous
        ended = self._advance(ply)
        self.proposals.played(ended)
        if self.match.over:
            self.proposals.close()
        self.viewer_log.played(number, ply.seat, by_clock=by_clock, together=together, ended=ended)

    def _advance(self, ply: StoredPly) -> bool:
        """Play an action on the match; return whether it ended a step. Raises IllegalAction."""
        steps, number = self.steps, self.match.ply
        action_id = self._ids.get(ply.action)
        if action_id is None:
            action_id = self._ids[ply.action] = self.match.game.actions.parse(ply.action).id
        if ply.seal is not None and ply.nonce is not None:
            made = (*steps.made.get(ply.seat, ()), ply.action)
            self.seals[number] = Seal(ply.seat, steps.number, made, ply.seal, ply.nonce)
            self._pending.append(self.seals[number])
        ended = steps.play(ply.seat, action_id)
        if ended:
            self.starts.append(self.match.ply)
            self.opened = len(self.seals)
            self._pending.clear()
        self.line.append(ply)
        return ended

    # Questions

    @property
    def last_entry(self) -> int | None:
        """The number of the last entry, or None at the opening."""
        return self.length - 1 if self.length else None

    @property
    def era(self) -> int:
        """The number of rewinds and takebacks so far."""
        return self.viewer_log.era

    @property
    def commands(self) -> Sequence[HostCommand]:
        """The host commands so far, in order."""
        return self.viewer_log.commands

    @property
    def places(self) -> Sequence[int]:
        """For each host command, how many of the actions that have not been undone were made before it."""
        return self.viewer_log.places

    @property
    def seconds_given(self) -> int:
        """The seconds that the host has added to the current step."""
        return sum(
            int(command.data["seconds"])
            for command, ply in zip(self.commands, self.places, strict=True)
            if command.kind == "extended" and ply >= self.starts[-1]
        )

    def version(self, viewer: int | None) -> int:
        """Return the version of a viewer's view (`versions`); it does not reveal how many actions were made."""
        return versions.version(self.viewer_log.era, self.match.version(viewer))

    def version_of(self, position: int) -> int:
        """Return the version at which spectators first saw their position of this number, from 0."""
        return self.viewer_log.version(position, self.match.positions(None)[position])

    def id_of(self, action: Action | int | str) -> int:
        """Return the id of an action. Raises IllegalAction with a sentence for an invalid notation."""
        if isinstance(action, str):
            if (action_id := self._ids.get(action)) is not None:
                return action_id
            try:
                return self.match.game.actions.parse(action).id
            except ValueError as error:
                raise IllegalAction("", str(error)) from None
        return action.id if isinstance(action, Action) else action

    def pending_seal(self, seat: int) -> Seal | None:
        """Return the seal of the submission that a seat has already played in the current step, or None."""
        return next((seal for seal in reversed(self._pending) if seal.seat == seat), None)

    def may_be_late(self, seat: int, action: Action | int | str, version: int) -> bool:
        """Return whether an action chosen at an older version is still acceptable.

        The seat must not have acted since, and either the action is a part of a submission or the seat's decision is
        unchanged. Other players' actions must not invalidate a submission, but a double click must be refused.
        """
        if not 0 <= version < self.version(seat):
            return False
        try:
            action_id = self.id_of(action)
        except IllegalAction:
            return False
        position, history = versions.position_of(version), self.match.history
        last = next((ply for ply in range(len(history) - 1, -1, -1) if history[ply][0] == seat), -1)
        if position < bisect_right(self.match.positions(seat), last + 1) - 1:
            return False
        return self.steps.is_part(action_id) or self._only_submissions_since(seat, position)

    def _only_submissions_since(self, seat: int, position: int) -> bool:
        """Return whether a seat's view has changed only in who has submitted, since this position of the step."""
        ply = self.match.positions(seat)[position]
        if ply < self.starts[-1]:
            return False
        then, now = self.match.at(ply).redacted_state(seat), self.match.redacted_state(seat)
        names = (name for name in self.match.game.layout.fields if name != "submitted")
        return all(then[name].tobytes() == now[name].tobytes() for name in names)

    def revealed_nothing_since(self, ply: int) -> bool:
        """Return whether the actions since a ply reveal nothing but themselves, and so can be taken back.

        Each action is looked at once.
        """
        for number in range(ply, self.match.ply):
            if number not in self._fair:
                self._fair[number] = reveals_nothing(self.match.at(number + 1))
            if not self._fair[number]:
                return False
        return True

    def record(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return the record of the match, JSON-ready: with `about`, seals, default moves and host commands.

        Seals and default moves are listed by plies from 1.
        """
        return {
            **self.match.record(),
            **about,
            "seals": [[ply + 1, seal.commitment, seal.nonce] for ply, seal in self.seals.items()],
            "clock": [ply + 1 for ply in self.viewer_log.by_clock],
            **recorded(self.commands, self.places, self.taken_back),
        }
