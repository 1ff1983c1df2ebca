"""Steps of a match: one step is a single seat's decision or a set of simultaneous decisions.

A step ends with an action that is not a part of a submission and after which no submission is pending. In a
simultaneous step the other seats must have submitted before, so undeclared parts of a submission never end a step.
Everybody sees a step end, so the step number is public, unlike the ply.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.match import Match


class Steps:
    """Counts the steps of a match that is played through this object: one ends when all seats due in it have acted.

    Attributes:
        number: number of completed steps.
        made: by seat, the notations of its actions in the current step, in order.
        saved: by seat and family, the notation of the last part saved in the current step. Parts without parameters and
            parts that other seats can see take effect at once, and are not included.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.number = 0
        self.made: dict[int, list[str]] = {}
        self.saved: dict[int, dict[str, str]] = {}
        families = match.game.actions.families.values()
        self._parts = [(family.first, family.last) for family in families if family.is_part]

    @property
    def simultaneous(self) -> bool:
        """Whether the current step is simultaneous."""
        return len(self.match.acting) + len(self.match.submitted) > 1

    def decides(self, seat: int, action_id: int) -> bool:
        """Return whether an action would complete a seat's due decision, and is not just a part of it."""
        return seat in self.match.acting and not self.is_part(action_id)

    def submits(self, seat: int, action_id: int) -> bool:
        """Return whether an action would be a seat's submission in a simultaneous step."""
        return self.simultaneous and self.decides(seat, action_id)

    def is_part(self, action_id: int) -> bool:
        """Return whether an action is a part of a submission."""
        return any(first <= action_id <= last for first, last in self._parts)

    def has_parts(self, ids: Sequence[int]) -> bool:
        """Return whether any of the ascending action ids is a part of a submission."""
        return any(bisect_left(ids, first) < bisect_right(ids, last) for first, last in self._parts)

    def play(self, seat: int, action_id: int) -> bool:
        """Play an action and return whether it ended a step. Raises IllegalAction like `Match.play`."""
        match = self.match
        acting, submitted = match.acting, match.submitted
        due, part = seat in acting, self.is_part(action_id)
        saves = due and part and match.game.actions.families[match.game.actions[action_id].family].size > 1
        before = self._seen_by_others(seat) if saves else None
        action = match.play(seat, action_id)
        # The first of several submissions does not end the step, unless different seats are due now.
        may_end = due and not part and not match.submitted
        if may_end and (submitted or len(acting) == 1 or acting != match.acting):
            self.number += 1
            self.made.clear()
            self.saved.clear()
            return True
        self.made.setdefault(seat, []).append(action.text)
        if before is not None and before == self._seen_by_others(seat) and not self._seen_events(seat):
            self.saved.setdefault(seat, {})[action.family] = action.text
        return False

    def fork(self) -> Steps:
        """Return an independent copy for trying out continuations."""
        other = Steps(self.match.at(self.match.ply))
        other.number = self.number
        other.made = {seat: list(made) for seat, made in self.made.items()}
        other.saved = {seat: dict(saved) for seat, saved in self.saved.items()}
        return other

    def _others(self, seat: int) -> list[int]:
        """Return all viewers but a seat: the other seats and the spectators."""
        return [SPECTATOR, *(other for other in range(self.match.seats) if other != seat)]

    def _seen_by_others(self, seat: int) -> list[bytes]:
        """Return the redacted states that the other viewers see, as bytes."""
        return [self.match.redacted(viewer) for viewer in self._others(seat)]

    def _seen_events(self, seat: int) -> bool:
        """Return whether another viewer sees an event of the last action."""
        state = self.match.state_copy().tobytes()
        return any(self.match.game.layout.visible_events(state, viewer) for viewer in self._others(seat))
