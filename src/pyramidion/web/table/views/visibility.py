"""What viewers may know of a table's current position, in which a held submission looks like any other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from pyramidion import Action, Event, IllegalAction, Match
from pyramidion.engine.seals import Seal
from pyramidion.engine.steps import Steps
from pyramidion.web.table.clock.clock_state import Clock, HeldSubmission
from pyramidion.web.table.log.action_log import ActionLog
from pyramidion.web.table.log.reveals import Release
from pyramidion.web.table.log.viewer_log import LogEntry
from pyramidion.web.table.view_models import LegalAction, Submission


class Visibility:
    """Answers what each viewer may know of the current position: legal actions, submissions, seals and events.

    It follows the action log and the clock.
    """

    def __init__(self, action_log: ActionLog, clock: Clock) -> None:
        self._action_log, self._clock = action_log, clock
        self._queued: int | None = None
        self._hushed: tuple[Any, bool] = (None, False)
        self._legal: tuple[Any, list[int]] = (None, [])
        self._release: tuple[Any, Release | None] = (None, None)
        self._shown: tuple[Any, Match] = (None, action_log.match)

    @property
    def _match(self) -> Match:
        """The match as it really is, of which viewers may know only a part."""
        return self._action_log.match

    @property
    def _steps(self) -> Steps:
        """The steps that have ended and the one that is being played."""
        return self._action_log.steps

    @property
    def _held(self) -> HeldSubmission | None:
        """The submission that is held back until the results are revealed, or None."""
        return self._clock.state.held

    def queue(self, place: int | None) -> bool:
        """Set where the bot that is to act stands in the queue for a search; return whether that has changed."""
        changed = place != self._queued
        self._queued = place
        return changed

    @property
    def queued(self) -> int | None:
        """Where the bot that is to act stands in the queue for a search, or None.

        It is None while several seats are due, since it would reveal who has decided.
        """
        return self._queued if len(self._match.acting) == 1 and not self._match.submitted else None

    @property
    def shown_match(self) -> Match:
        """The match as shown to viewers, in which a held submission looks like any other."""
        held, match = self._clock.state.held, self._action_log.match
        if held is None:
            return match
        key = self._action_log.era, match.ply, held
        if self._shown[0] != key:
            self._shown = key, match.as_if_submitted(held.seat)
        return self._shown[1]

    @property
    def deciding_secretly(self) -> bool:
        """Whether several seats are deciding in secret."""
        return not self._match.over and self._steps.simultaneous and not self._clock.releasing

    @property
    def waited_for(self) -> list[int]:
        """The seats that still have to decide; for the referee only."""
        held, acting = self._held, self._match.acting
        return list(acting) if held is None else [seat for seat in acting if seat != held.seat]

    @property
    def submitted_shown(self) -> bool:
        """Whether everybody may know which seats have submitted."""
        return bool(self._match.redacted_state(None)["submitted_shown"][0])

    def legal_ids(self, seat: int) -> list[int]:
        """Return the ids of a seat's legal actions, ascending; cached, because the next action is checked by them."""
        if self._clock.releasing:
            return []
        key = self._action_log.era, self._match.ply, seat, self._held
        if self._legal[0] != key:
            ids: list[int] = self.shown_match.legal_ids(seat).tolist()
            self._legal = key, ids
        return self._legal[1]

    def due(self, viewer: int | None) -> tuple[int, ...]:
        """Return the seats whose decision is due, as far as the viewer may know."""
        due = self.due_to_all
        return self.shown_match.acting_for(viewer) if due is None else due

    @property
    def due_to_all(self) -> tuple[int, ...] | None:
        """The seats whose decision is due, if all viewers may know them; else None."""
        if self._clock.releasing:
            return ()
        key = self._action_log.era, self._match.ply, self._held
        if self._hushed[0] != key:
            # Outside simultaneous steps there are no submissions, so everybody knows who is due.
            self._hushed = key, bool(self.shown_match.submitted)
        return None if self._hushed[1] else self._match.acting

    def legal_id(self, seat: int, action: Action | int | str) -> int:
        """Return the id of a legal action. Raises IllegalAction with the rule and a sentence."""
        action_id = self._action_log.id_of(action)
        ids = self.legal_ids(seat)
        place = bisect_left(ids, action_id)
        if place == len(ids) or ids[place] != action_id:
            refusal = self.shown_match.refusal(seat, action_id)
            if refusal is None:
                raise AssertionError(f"{self._match.game.id}: {action_id} is neither legal nor refused")
            raise IllegalAction(refusal.rule, refusal.reason)
        return action_id

    def submission(self, seat: int) -> Submission | None:
        """Return the status of a seat's submission, or None if it has none to make."""
        match = self.shown_match
        if self._clock.releasing:
            return None
        asked = seat in match.acting or seat in match.submitted
        if not asked or not (self._steps.simultaneous or self._steps.has_parts(self.legal_ids(seat))):
            return None
        confirmed = seat in match.submitted
        return Submission(not confirmed, list(self._steps.saved.get(seat, {}).values()), confirmed)

    def confirmed(self, viewer: int | None) -> tuple[int, ...] | None:
        """Return the seats that have submitted, if that is public and a simultaneous step is open, else None."""
        return self.shown_match.submitted if self.deciding_secretly and self.submitted_shown else None

    def receipt_of(self, seat: int, action_id: int) -> Seal | None:
        """Return the seal of the submission that a seat has just made by this action, or None."""
        held, match = self._held, self._match
        if held is not None and held.seat == seat:
            return held.seal
        sealed = self._action_log.seals.get(match.ply - 1)
        if sealed is None or match.history[-1] != (seat, action_id):
            return None
        return sealed if sealed.actions[-1] == match.game.actions[action_id].text else None

    def receipt(self, seat: int) -> Seal | None:
        """Return the seal of a seat's submission in the current step, or None."""
        held = self._held
        if held is not None and held.seat == seat:
            return held.seal
        if seat not in self._match.submitted:
            return None
        return self._action_log.pending_seal(seat)

    def seals_for(self, viewer: int | None) -> list[dict[str, Any]]:
        """Return the seals that a viewer may see, JSON-ready.

        There is one for each seat in each step that has ended, opened if its content is public, and the viewer's own
        seal in the current step.
        """
        seals: dict[tuple[int, int], Seal] = {}
        for number, seal in enumerate(self._action_log.seals.values()):
            if number < self._action_log.opened:
                seals[seal.step, seal.seat] = seal
        own = self.receipt(viewer) if viewer is not None else None
        if own is not None:
            seals[own.step, own.seat] = own
        everything = self._match.over or self._match.game.submissions_open
        # Sort by step and seat: the order of submissions is secret.
        return [seals[key].as_json(opened=everything or key[1] == viewer) for key in sorted(seals)]

    def legal(self, seat: int, names: Sequence[str]) -> list[LegalAction]:
        """Return a seat's legal actions, ascending by id; none while the table is paused."""
        if self._clock.paused or self._clock.releasing:
            return []
        actions = self.shown_match.legal(seat)
        labels = self._match.labels(actions, names)
        return [LegalAction.of(action, label) for action, label in zip(actions, labels, strict=True)]

    # The log

    @property
    def release(self) -> Release | None:
        """The results that the host is releasing, or None."""
        held = self._held
        if held is None or held.released is None:
            return None
        key = self._action_log.era, self._match.ply, held.seat, held.action
        if self._release[0] != key:
            self._release = key, Release(self._steps, self._action_log.viewer_log, held)
        return self._release[1]

    def _released_to(self, viewer: int | None) -> Sequence[LogEntry]:
        """Return the entries of held results that a viewer may already see."""
        held, release = self._held, self.release
        return release.log_entries(viewer, held.released or 0) if held is not None and release is not None else ()

    def log_entries(self, viewer: int | None, since: int = 0) -> Sequence[LogEntry]:
        """Return the viewer's log entries from event number `since` on, without texts."""
        viewer_log = self._action_log.viewer_log
        log_entries = viewer_log.log_entries(viewer, since)
        if not self._clock.releasing:
            return log_entries
        return [*log_entries, *self._released_to(viewer)[max(0, since - len(viewer_log.log_entries(viewer))) :]]

    def events(self, viewer: int | None, names: Sequence[str], reader: int | None = None) -> Sequence[Event]:
        """Return the viewer's events with texts, oldest first; cached. `reader` is the seat that they call "you"."""
        viewer_log = self._action_log.viewer_log
        events, released = viewer_log.events(viewer, names, reader), self._released_to(viewer)
        return [*events, *(viewer_log.event(entry, names, reader) for entry in released)] if released else events
