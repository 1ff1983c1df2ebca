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
    """Return what the player of a seat is to be notified of now, as triggers."""
    return _triggers(table, table.match.over or seat in still_to_decide(table))


def for_webhook(table: Table) -> list[Trigger]:
    """Return what a table's webhook is to be notified of now, as triggers; they follow from what spectators know."""
    return _triggers(table, table.match.over or bool(people_due(table)))


def _triggers(table: Table, due: bool) -> list[Trigger]:
    """Return a table's present triggers; `due` is whether the recipient is told of a decision."""
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
    """Return whether the game is about to start and several people play, so that its start is worth telling."""
    return table.match.ply == 0 and not table.open_seats and len(set(table.seating.persons().values())) > 1


def people_due(table: Table) -> set[int]:
    """Return the seats of people who have a decision to make, as far as spectators may know."""
    persons = table.seating.persons()
    return {
        seat for seat in table.visibility.due(None) if seat in persons and table.seating.rows[seat].stand_in is None
    }


def still_to_decide(table: Table) -> set[int]:
    """Return the seats whose players have to make a decision themselves, secret ones included.

    Left out are seats played by a stand-in bot, or by an answer given in advance. Nobody else may be told the result.
    """
    return {
        seat
        for seat in table.visibility.waited_for
        if table.seating.rows[seat].stand_in is None and not table.answered_ahead(seat)
    }


def reminder_time(table: Table) -> int | None:
    """Return when players are to be reminded of the deadline, in milliseconds since 1970.

    None without a deadline, and if the time per decision is too short for reminders.
    """
    deadline, clock = table.clock.state.deadline, table.settings.clock
    if deadline is None or clock is None or clock < SHORTEST_CLOCK or table.match.over or table.clock.releasing:
        return None
    return deadline - min(clock // 4, LONGEST_LEAD) * 1000
