"""What a page shows of an event on the board, derived from the event as its viewer observed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from pyramidion.engine.presentation import SEAT_SETS

AT_THE_TABLE = ("time-up", "resigned", "stands-in")
"""Entries of a table's log on players who ran out of time or are gone, which are no events of the game."""
LINES = 3
"""Maximum number of lines of a caption."""


class Staged(NamedTuple):
    """The stage that draws an event large over the board: the kind of event that it is named after, and its rank.

    The biggest stage has rank 0.
    """

    event: str
    rank: int


def touched(event: Any, game: Any, me: int | None) -> str:
    """Return the ids and keys of the board elements that light up for an event, separated by spaces.

    `me` is the viewer's seat, None for a spectator; `own` is among the ids if the event concerns it.
    """
    if event.name not in game.events.kinds:
        return ""  # a host command, which is no event of the game
    seat = event.data.get("seat")
    acted = [] if seat in (None, me) else [f"player-{seat}"]
    if me is not None and concerns(event, me):
        acted.append("own")
    return " ".join(acted + game.presentation.touched(event.name, event.data))


def concerns(event: Any, me: int) -> bool:
    """Return whether a seat has a part in an event: it acts, or something is done to it."""
    named = me in (event.data.get("seat"), event.data.get("other"))
    return named or any(event.data.get(seats, 0) >> me & 1 for seats in SEAT_SETS)


def staged(event: Any, game: Any, me: int | None) -> Staged | None:
    """Return the stage that draws an event large over the board for a viewer, or None if the event has none.

    `me` is the viewer's seat, None for a spectator.
    """
    for rank, stage in enumerate(game.presentation.stages):
        big = event.name == stage.event and stage.when(event.data)
        if event.name in stage.along or (big and (not stage.to or me in [event.data[name] for name in stage.to])):
            return Staged(stage.event, rank)
    return None


def drawn(environment: Environment, event: Any, game: Any, names: Sequence[str], view: Any) -> Markup:
    """Render the large drawing of an event, with the macro of its name in the game's `stage.html`."""
    macros: Any = environment.get_template(f"{game.id}/stage.html").module
    return getattr(macros, event.name)(event, names, view)


def captions_of(game: Any, events: Sequence[Any], me: int | None) -> list[Any]:
    """Return the events that the caption tells, a line each: what happened between others meanwhile, and the newest.

    `me` is the viewer's seat, None for a spectator. The result is empty without events, and has at most LINES events.
    """
    if not events:
        return []
    newest, outcomes = caption_of(game, events), game.presentation.outcomes
    summaries = {*outcomes, *game.presentation.chapters}
    if me is None or not outcomes:
        return [newest]
    meanwhile: list[Any] = []
    for event in reversed(events):
        own = me in (event.data.get("seat"), event.data.get("other")) and event.name in summaries
        if own or event.name in AT_THE_TABLE:
            break
        meanwhile.append(event)
    lines = [event for event in reversed(meanwhile) if event.name in outcomes]
    # What follows from the last outcome needs no line of its own; what begins a new chapter does.
    begun = next(
        (event.name not in outcomes for event in meanwhile if event.name in summaries),
        True,
    )
    return (lines if newest in lines or not begun else [*lines, newest])[-LINES:]


def caption_of(game: Any, events: Sequence[Any]) -> Any:
    """Return the biggest event that led to the newest position.

    Without a stage, what happened to a player at the table comes first, then an event with a seat.
    """
    newest = [event for event in events if event.position == events[-1].position]
    ranks = {stage.event: rank for rank, stage in enumerate(game.presentation.stages)}

    def place(event: Any) -> tuple[int, bool, bool]:
        """Return the sort key of an event: the big ones first."""
        return ranks.get(event.name, len(ranks)), event.name not in AT_THE_TABLE, "seat" not in event.data

    return min(newest, key=place)
