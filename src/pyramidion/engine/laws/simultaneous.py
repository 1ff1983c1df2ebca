"""Laws of simultaneous steps: submissions are hidden, and their order does not matter."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.match import Match
from pyramidion.engine.random_games import RandomGame


def submissions_are_hidden(trial: RandomGame) -> None:
    """Check that nobody else can see who has submitted until a simultaneous step resolves.

    Steps in which an option of the table shows it are left out.
    """
    match = trial.match
    for ply in range(match.ply):
        before, after = match.at(ply), match.at(ply + 1)
        seat = match.history[ply][0]
        asked, _, submitted_shown = _asked(before)
        if asked & (asked - 1) == 0 or submitted_shown or _resolved(before, after) or not asked >> seat & 1:
            continue
        whole = after.state_copy().tobytes()
        for viewer in (None, *(other for other in range(match.seats) if other != seat)):
            same = before.redacted(viewer) == after.redacted(viewer)
            trial.require(same, "submissions_are_hidden", ply, f"viewer {viewer} can tell that seat {seat} submitted")
            events = match.game.layout.visible_events(whole, SPECTATOR if viewer is None else viewer)
            trial.require(
                not events, "submissions_are_hidden", ply, f"viewer {viewer} is told that seat {seat} submitted"
            )


def submission_order_is_irrelevant(trial: RandomGame) -> None:
    """Check that the state after a simultaneous step does not depend on the order in which seats acted.

    Reordering includes the actions of seats that had already submitted and of seats that were not due.
    """
    match = trial.match
    for first, last in _steps(match):
        queues: dict[int, list[int]] = {}
        for seat, action in match.history[first:last]:
            queues.setdefault(seat, []).append(action)
        if len(queues) < 2:
            continue
        # One seat starts only after the others have acted, and another makes the very last submission. So the step
        # cannot end early, even if seats submit and take it back.
        submits = [seat for seat, actions in queues.items() if _submits(match, actions[-1])]
        closing = trial.chance.choice(submits)
        asked = _asked(match.at(first))[0]
        waiting = trial.chance.choice([seat for seat in queues if seat != closing and asked >> seat & 1])
        *queues[closing], final = queues[closing]
        order = [seat for seat, actions in queues.items() for _ in actions if seat != waiting]
        trial.chance.shuffle(order)
        other = match.at(first)
        for seat in order + [waiting] * len(queues[waiting]):
            other.play(seat, queues[seat].pop(0))
        other.play(closing, final)
        original, reordered = match.at(last).state_copy(), other.state_copy()
        for name in match.game.layout.fields:
            if not name.startswith("event_"):
                same = original[name].tobytes() == reordered[name].tobytes()
                trial.require(same, "submission_order_is_irrelevant", first, f"the field {name} differs")


def _submits(match: Match, action: int) -> bool:
    """Return whether an action in a simultaneous step is a submission, not just a part of one."""
    return not match.game.actions.family_of(action).is_part


def _asked(match: Match) -> tuple[int, int, bool]:
    """Return bitmasks of the due and the submitted seats, and whether the table shows who has submitted."""
    state = match.state_copy()
    return int(state["acting"][0]), int(state["submitted"][0]), bool(state["submitted_shown"][0])


def _resolved(before: Match, after: Match) -> bool:
    """Return whether the action between two positions ended the step: new seats are due, or submissions were cleared.

    Parts of a submission never end a step: they may withdraw a confirmation.
    """
    if after.game.actions.family_of(after.history[-1][1]).is_part:
        return False
    (asked, submitted, _), (asked_after, submitted_after, _) = _asked(before), _asked(after)
    return asked != asked_after or bool(submitted & ~submitted_after)


def _steps(match: Match) -> Iterator[tuple[int, int]]:
    """Yield each simultaneous step as (first, end): its actions are `match.history[first:end]`."""
    first: int | None = None
    for ply in range(match.ply):
        before, after = match.at(ply), match.at(ply + 1)
        asked = _asked(before)[0]
        if first is None and asked & (asked - 1):
            first = ply
        if first is not None and _resolved(before, after):
            yield first, ply + 1
            first = None
