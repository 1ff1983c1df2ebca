"""The steps of a match: each is one seat's decision, or all those that were asked for at the same time.

A step ends with an action that is no part of a submission and leaves nobody's submission standing. Where several decide
at the same time, the others must have submitted before; so a game that saves parts without declaring them ends no step
with them. Steps are public - everybody sees one end - so, unlike plies, their number may be told.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.match import Match


class Steps:
    """A match that is played through here, and where it stands.

    Attributes:
        number: how many steps have ended.
        made: by seat, the notations of what it has done in the current step, in order.
        saved: by seat and family, the notations of the parts that it has saved in the current step. A part that says
            nothing but its name, or that others see happen, has been done at once and is not among them.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.number = 0
        self.made: dict[int, list[str]] = {}
        self.saved: dict[int, dict[str, str]] = {}
        families = match.game.actions.families.values()
        self._parts = [(family.first, family.last) for family in families if family.is_part]

    @property
    def together(self) -> bool:
        """Whether several seats decide at the same time now."""
        return len(self.match.acting) + len(self.match.submitted) > 1

    def decides(self, seat: int, action_id: int) -> bool:
        """Whether an action would be a decision that is due from a seat, and not only a part of one."""
        return seat in self.match.acting and not self.is_part(action_id)

    def submits(self, seat: int, action_id: int) -> bool:
        """Whether an action would be a seat's submission in a simultaneous step."""
        return self.together and self.decides(seat, action_id)

    def is_part(self, action_id: int) -> bool:
        """Whether an action is a part of a submission."""
        return any(first <= action_id <= last for first, last in self._parts)

    def has_parts(self, ids: Sequence[int]) -> bool:
        """Whether there is a part of a submission among ascending action ids."""
        return any(bisect_left(ids, first) < bisect_right(ids, last) for first, last in self._parts)

    def play(self, seat: int, action_id: int) -> bool:
        """Play an action and return whether it has ended a step. Raises IllegalAction like `Match.play`."""
        match = self.match
        acting, submitted = match.acting, match.submitted
        due, part = seat in acting, self.is_part(action_id)
        saves = due and part and match.game.actions.families[match.game.actions[action_id].family].size > 1
        before = self._seen_by_others(seat) if saves else None
        action = match.play(seat, action_id)
        # The first of several to decide ends no step, unless others are asked now.
        may_end = due and not part and not match.submitted
        if may_end and (submitted or len(acting) == 1 or acting != match.acting):
            self.number += 1
            self.made.clear()
            self.saved.clear()
            return True
        self.made.setdefault(seat, []).append(action.text)
        if before is not None and before == self._seen_by_others(seat) and not self._told_to_others(seat):
            self.saved.setdefault(seat, {})[action.family] = action.text
        return False

    def fork(self) -> Steps:
        """Return a copy to try out what would follow."""
        other = Steps(self.match.at(self.match.ply))
        other.number = self.number
        other.made = {seat: list(made) for seat, made in self.made.items()}
        other.saved = {seat: dict(saved) for seat, saved in self.saved.items()}
        return other

    def _others(self, seat: int) -> list[int]:
        return [SPECTATOR, *(other for other in range(self.match.seats) if other != seat)]

    def _seen_by_others(self, seat: int) -> list[bytes]:
        return [self.match.redacted(viewer) for viewer in self._others(seat)]

    def _told_to_others(self, seat: int) -> bool:
        state = self.match.state_copy().tobytes()
        return any(self.match.game.layout.visible_events(state, viewer) for viewer in self._others(seat))
