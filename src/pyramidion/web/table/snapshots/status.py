"""Table status outside the game: pause, open proposals, stand-in bots."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyramidion.bots.labels import label
from pyramidion.translation import _, listed
from pyramidion.web.durations import duration
from pyramidion.web.table.log.command_texts import text_of
from pyramidion.web.table.log.proposals import EXTENSION, PAUSE, TAKEBACK
from pyramidion.web.table.snapshots.proposal_rules import (
    can_extend,
    can_pause,
    can_take_back,
    must_agree,
    takes_back_alone,
)
from pyramidion.web.table.table import Table


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal as one viewer sees it.

    Attributes:
        what: `takeback`, `pause` or `extension`.
        sentence: who proposes what.
        waiting: who still has to answer.
        mine: whether the viewer made the proposal.
        answer: whether the viewer still has to answer.
    """

    what: str
    sentence: str
    waiting: str
    mine: bool
    answer: bool


@dataclass(frozen=True, slots=True)
class TableStatus:
    """What a page shows one viewer of pauses, proposals and the viewer's rights to make them.

    Attributes:
        paused: whether the game is paused; `paused_by` says who paused it, `left` is the remaining time in words, and
            `agreed` whether players agreed on it, so that each of them may end it.
        questions: the open proposals.
        takeback, pause, extension: whether the viewer may propose each of these; `alone` whether nobody has to agree
            to a takeback.
        opening: whether the first phase has not opened yet.
        stand_in: display name of the bot that plays for the viewer, or None.
    """

    paused: bool = False
    paused_by: str = ""
    left: str | None = None
    agreed: bool = False
    questions: list[ProposalView] = field(default_factory=list[ProposalView])
    takeback: bool = False
    alone: bool = False
    pause: bool = False
    extension: bool = False
    opening: bool = False
    stand_in: str | None = None


def table_status(table: Table, viewer: int | None) -> TableStatus:
    """Return the current status for a viewer."""
    left = table.clock.state.left
    paused = table.clock.paused and table.clock.state.opens is None
    last = next((command for command in reversed(table.commands) if command.kind == "paused"), None) if paused else None
    questions: list[ProposalView] = []
    for proposal in table.action_log.proposals.open.values():
        missing = [seat for seat in must_agree(table, proposal) if seat not in proposal.agreed]
        sentences = {
            TAKEBACK: _("{name} asks to undo the last move."),
            PAUSE: _("{name} proposes a pause."),
            EXTENSION: _("{name} asks the host for more time ({duration})."),
        }
        sentence = sentences[proposal.what].format(
            name=table.names[proposal.seat], duration=duration(table.settings.clock or 0)
        )
        waiting = listed([table.names[seat] if seat is not None else _("the host") for seat in missing])
        questions.append(
            ProposalView(
                proposal.what, sentence, waiting, viewer == proposal.seat, viewer is not None and viewer in missing
            )
        )
    stand_in = table.seats[viewer].stand_in if viewer is not None else None
    return TableStatus(
        paused=table.clock.paused,
        paused_by=text_of(last, table.names) if last is not None else "",
        left=duration(round(left / 1000)) if left is not None else None,
        agreed=last is not None and bool(last.data.get("agreed")),
        questions=questions,
        takeback=can_take_back(table, viewer),
        alone=viewer is not None and takes_back_alone(table, viewer),
        pause=can_pause(table, viewer),
        extension=can_extend(table, viewer),
        opening=table.clock.state.opens is not None,
        stand_in=label(stand_in) if stand_in else None,
    )
