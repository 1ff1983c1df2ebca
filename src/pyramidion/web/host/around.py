"""What stands around a position: a pause, what players ask of each other, a bot that plays for somebody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyramidion.bots.labels import label
from pyramidion.web.clock import duration
from pyramidion.web.host.asks import PAUSE, UNDO, must_agree, undoable
from pyramidion.words import _, listed

if TYPE_CHECKING:
    from pyramidion.web.table import Table


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a player asks all others for.

    Attributes:
        what: `undo` or `pause`; `sentence`: who asks for what; `waiting`: who has still to answer, or empty.
        mine: whether the viewer has asked; `answer`: whether the viewer has still to answer.
    """

    what: str
    sentence: str
    waiting: str
    mine: bool
    answer: bool


@dataclass(frozen=True, slots=True)
class Around:
    """What a viewer is shown of it.

    Attributes:
        paused: whether nothing can be played, `left` the time that is kept, in words, and `resume` whether the viewer
            may end the pause as a player.
        questions: what is being asked.
        undo, pause: whether the viewer may ask for that.
        stand_in: what people call the bot that plays for the viewer, or None.
    """

    paused: bool = False
    left: str | None = None
    resume: bool = False
    questions: list[Question] = field(default_factory=list[Question])
    undo: bool = False
    pause: bool = False
    stand_in: str | None = None


def around(table: Table, viewer: int | None) -> Around:
    """Return what stands around the newest position."""
    left = table.standing.left
    last = next((act for act in reversed(table.acts) if act.kind == "paused"), None) if table.paused else None
    questions: list[Question] = []
    for ask in table.asks.open.values():
        missing = [seat for seat in must_agree(table, ask) if seat not in ask.agreed]
        sentence = (
            _("{name} asks to take the last action back.") if ask.what == UNDO else _("{name} proposes a pause.")
        ).format(name=table.names[ask.seat])
        waiting = listed([table.names[seat] if seat is not None else _("the host") for seat in missing])
        questions.append(
            Question(ask.what, sentence, waiting, viewer == ask.seat, viewer is not None and viewer in missing)
        )
    others = viewer is not None and any(
        seat.kind == "person" and seat.number != viewer and seat.stand_in is None for seat in table.seats
    )
    stand_in = table.seats[viewer].stand_in if viewer is not None else None
    return Around(
        paused=table.paused,
        left=duration(round(left / 1000)) if left is not None else None,
        resume=last is not None and bool(last.data.get("agreed")) and viewer is not None,
        questions=questions,
        undo=undoable(table, viewer),
        pause=others
        and not table.match.over
        and not table.paused
        and PAUSE not in table.asks.open
        and (PAUSE, viewer) not in table.asks.refused,
        stand_in=label(stand_in) if stand_in else None,
    )
