"""Triggers: what happens at a table of which its players and its webhook are notified.

A trigger is its kind, a mark that tells it from others of the same kind, and the earliest time to send it, or None.
"""

from __future__ import annotations

from pyramidion.web.table.table import Table

SHORTEST_CLOCK = 5 * 60
"""The shortest time per decision, in seconds, for which reminders are sent."""
LONGEST_LEAD = 12 * 3600
Trigger = tuple[str, str, int | None]


def for_seat(table: Table, seat: int) -> list[Trigger]:
    """Return the triggers of which a seat's player is to be notified now."""
    return _triggers(table, table.match.over or seat in still_to_decide(table))


def for_webhook(table: Table) -> list[Trigger]:
    """Return the triggers for a table's webhook, which depend only on what spectators may know."""
    return _triggers(table, table.match.over or bool(people_due(table)))


def _triggers(table: Table, due: bool) -> list[Trigger]:
    if table.match.over:
        return [("over", "over", None)]
    triggers: list[Trigger] = [("started", "started", None)] if begins(table) else []
    if due:
        triggers.append(("turn", step_of(table), None))
        if (remind := reminder_time(table)) is not None:
            triggers.append(("deadline", step_of(table), remind))
    return triggers


def step_of(table: Table) -> str:
    """Return an id of the current step that is the same for everybody and does not reveal who has decided."""
    return f"{table.action_log.era}.{table.steps.number}"


def begins(table: Table) -> bool:
    """Return whether the game is about to start, with more than one person to notify."""
    return table.match.ply == 0 and not table.open_seats and len(set(table.seating.persons().values())) > 1


def people_due(table: Table) -> set[int]:
    """Return the seats of the people who have a decision to make, as far as spectators know."""
    persons = table.seating.persons()
    return {
        seat for seat in table.visibility.due(None) if seat in persons and table.seating.rows[seat].stand_in is None
    }


def still_to_decide(table: Table) -> set[int]:
    """Return the seats whose players still have to decide themselves; for the referee only.

    Seats played by a stand-in bot, or by an answer in advance, are left out.
    """
    return {
        seat
        for seat in table.visibility.waited_for
        if table.seating.rows[seat].stand_in is None and not table.answered_ahead(seat)
    }


def reminder_time(table: Table) -> int | None:
    """Return when to send the reminder of the deadline, or None if there is none or time is too short."""
    deadline, clock = table.clock.state.deadline, table.settings.clock
    if deadline is None or clock is None or clock < SHORTEST_CLOCK or table.match.over or table.clock.releasing:
        return None
    return deadline - min(clock // 4, LONGEST_LEAD) * 1000
