"""The host's acts at a table, and what players agree on. Each is planned here and made by `Table.change`.

Every one of them is told to everybody. A host learns from none of them what a player could not know: while it is hidden
who has submitted, a phase can be closed, but nobody's part in it alone.
"""

from __future__ import annotations

from dataclasses import replace

from pyramidion.web.bots.runner import bot_names
from pyramidion.web.clock import LONGEST, SHORTEST, duration
from pyramidion.web.errors import BadRequest, CannotBeDone, NotTheHost, NotYourSeat, StaleVersion, UnknownSeat
from pyramidion.web.host import eras
from pyramidion.web.host.absence import coming_back
from pyramidion.web.host.acts import Act
from pyramidion.web.host.asks import PAUSE, UNDO, WHAT, Ask, must_agree, undoable
from pyramidion.web.host.hosting import Asker
from pyramidion.web.moves import Move, Standing
from pyramidion.web.table import CHANGED, Table
from pyramidion.words import _

HOST = "host"


class Desk:
    """What somebody may do about a table. Every method raises Refused with a sentence where it cannot be done."""

    def __init__(self, table: Table, asker: Asker) -> None:
        self._table, self._asker = table, asker

    # Pauses

    async def pause(self) -> None:
        """Let nothing be played until the table goes on; the time that is left is kept."""
        self._require_host()
        await self._table.change(lambda at: self._pausing(at, Act("paused", HOST, {}, at)))

    async def resume(self) -> None:
        """Let the table go on. A pause that was agreed on is ended by any player, another one by the host."""
        table, asker = self._table, self._asker

        def plan(at: int) -> Move:
            standing = table.standing
            if standing.paused is None:
                raise CannotBeDone(_("The table is not paused."))
            last = next(act for act in reversed(table.acts) if act.kind == "paused")
            if not asker.host and (asker.seat is None or not last.data.get("agreed")):
                raise NotTheHost(_("The host has paused the table, and only the host can let it go on."))
            deadline = None if standing.left is None else at + standing.left
            by = HOST if asker.host or asker.seat is None else asker.seat
            return Move((), Standing(deadline, standing.held), [Act("resumed", by, {}, at)])

        await table.change(plan)

    def _pausing(self, at: int, *acts: Act) -> Move:
        standing = self._table.standing
        self._require_going_on()
        left = None if standing.deadline is None else max(0, standing.deadline - at)
        return Move((), Standing(None, standing.held, at, left), acts)

    # Time

    async def extend(self, seconds: int) -> None:
        """Give more time for what is due."""
        self._require_host()
        table = self._table
        if isinstance(seconds, bool) or not SHORTEST <= seconds <= LONGEST:
            raise BadRequest(
                _("A host can give {low} to {high} seconds more at once.").format(low=SHORTEST, high=LONGEST)
            )

        def plan(at: int) -> Move:
            self._require_not_over()
            standing, more = table.standing, seconds * 1000
            left = standing.left if standing.deadline is None else standing.deadline - at
            if left is None:
                raise CannotBeDone(_("This table has no time per decision, so there is none to extend."))
            if left + more > 2 * LONGEST * 1000:
                raise CannotBeDone(
                    _("Nobody can be given more than {duration} for a decision.").format(duration=duration(2 * LONGEST))
                )
            longer = (
                replace(standing, deadline=standing.deadline + more)
                if standing.deadline is not None
                else replace(standing, left=left + more)
            )
            return Move((), longer, [Act("extended", HOST, {"seconds": seconds}, at)])

        await table.change(plan)

    # The absent

    async def close(self) -> None:
        """Close what is due now: whoever has not decided does what the rules say for the absent."""
        self._require_host()
        table = self._table

        def plan(at: int) -> Move:
            self._require_going_on()
            move = table.planner.time_up(table.steps, table.standing, at)
            return replace(move, acts=[Act("closed", HOST, {}, at)])

        await table.change(plan)

    async def act_for(self, seat: int) -> None:
        """Let the rules decide for one player whose decision is due."""
        self._require_host()
        table = self._table
        self._require_seat(seat)

        def plan(at: int) -> Move:
            self._require_going_on()
            if table.steps.together and not (table.submitted_shown and table.close_early):
                raise CannotBeDone(
                    _("Several decide at the same time now, so it would tell who has not; close the phase instead.")
                )
            if seat not in table.due(None):
                raise CannotBeDone(_("Nothing is due from {name} now.").format(name=table.names[seat]))
            move = table.planner.default_for(table.steps, table.standing, seat, at)
            return replace(move, acts=[Act("acted-for", HOST, {"seat": seat}, at)])

        await table.change(plan)

    # Seats

    async def replace_player(self, seat: int, bot: str | None) -> None:
        """Give a seat to a bot, or open it to whoever has the link; who sat there holds it no more."""
        self._require_host()
        table = self._table
        self._require_seat(seat)
        there = bot_names(table.game)
        if bot is not None and bot not in there:
            raise BadRequest(
                _("There is no bot {name!r}; there are {known}.").format(name=bot[:40], known=", ".join(there))
            )

        def plan(at: int) -> Move:
            self._require_not_over()
            row = table.rows[seat]
            if row.kind == "open" and bot is None:
                raise CannotBeDone(_("That seat is open already."))
            if bot is None:
                becomes = replace(
                    row, kind="open", name=None, bot=None, holder=None, token_hash=None, also=(), stand_in=None
                )
            else:
                name = table.names[seat]
                becomes = replace(
                    row, kind="bot", name=name, bot=bot, holder=None, token_hash=None, also=(), stand_in=None
                )
            data = {"seat": seat, "was": table.names[seat], "bot": bot}
            return Move((), table.standing, [Act("replaced", HOST, data, at)], seats=[(row, becomes)])

        await table.change(plan)

    async def hand_over(self, seat: int) -> None:
        """Make another player the host."""
        self._require_host()
        table = self._table
        self._require_seat(seat)

        def plan(at: int) -> Move:
            row = table.rows[seat]
            if row.kind != "person":
                raise CannotBeDone(_("Only a person who sits at the table can be its host."))
            if seat == table.host_seat:
                raise CannotBeDone(_("{name} is the host already.").format(name=table.names[seat]))
            columns = {"host": row.holder, "host_token": row.token_hash}
            return Move((), table.standing, [Act("host-changed", HOST, {"seat": seat}, at)], columns=columns)

        await table.change(plan)

    # Going back

    async def step_back(self, step: int) -> None:
        """Go back to where a step began (steps count from 0); all that was done since is taken back."""
        self._require_host()
        table = self._table

        def plan(at: int) -> Move:
            self._require_not_over()
            if isinstance(step, bool) or not 0 <= step <= table.steps.number:
                raise BadRequest(
                    _("There is no step {step}; this table is at step {last}, and the first one is 0.").format(
                        step=step, last=table.steps.number
                    )
                )
            self._require_eras()
            data = {"step": step, "steps": table.steps.number - step, "ply": table.starts[step]}
            return Move((), table.planner.begun_anew(table.standing, at), [Act("stepped-back", HOST, data, at)])

        await table.change(plan)

    # What players agree on

    async def ask(self, what: str, version: int | None = None) -> None:
        """Ask all others to take the last action back, or for a pause. Where nobody need be asked it is done."""
        table, seat = self._table, self._player()
        if what not in WHAT:
            raise BadRequest(_("Players can ask for undo or pause."))

        def plan(at: int) -> Move:
            self._require_version(version)
            self._require_going_on()
            if what in table.asks.open:
                raise CannotBeDone(_("That is being asked already."))
            if (what, seat) in table.asks.refused:
                raise CannotBeDone(_("That was refused; it can be asked again after the next action."))
            if what == UNDO:
                self._require_undoable(seat)
            ask = Act(f"{what}-asked", seat, {}, at)
            return self._decided(Ask(what, seat), at, ask) or Move((), table.standing, [ask])

        await table.change(plan)

    async def answer(self, what: str, agrees: bool, version: int | None = None) -> None:
        """Agree to what is asked, or not; whoever has asked withdraws it by not agreeing."""
        table, asker = self._table, self._asker

        def plan(at: int) -> Move:
            self._require_version(version)
            ask = table.asks.open.get(what)
            if ask is None:
                raise CannotBeDone(_("Nobody asks for that now."))
            data = {"what": what}
            if asker.seat == ask.seat and not agrees:
                return Move((), table.standing, [Act("withdrawn", ask.seat, data, at)])
            needed = must_agree(table, ask)
            alone = asker.host and needed == [None]
            by = asker.seat if asker.seat is not None and asker.seat in needed else HOST if alone else None
            if by is None:
                raise CannotBeDone(_("Your agreement is not asked for."))
            if not agrees:
                return Move((), table.standing, [Act("refused", by, data, at)])
            if by in ask.agreed:
                raise CannotBeDone(_("You have agreed already."))
            answer = Act("agreed", by, data, at)
            given = replace(ask, agreed={*ask.agreed, *([by] if isinstance(by, int) else [])})
            by_host = by == HOST
            return self._decided(given, at, answer, by_host=by_host) or Move((), table.standing, [answer])

        await table.change(plan)

    async def back(self) -> None:
        """Take the seat back from the bot that has played for its player."""
        table, seat = self._table, self._player()

        def plan(at: int) -> Move:
            move = coming_back(table, seat, at)
            if move is None:
                raise CannotBeDone(_("No bot plays for you."))
            return move

        await table.change(plan)

    def _decided(self, ask: Ask, at: int, act: Act, *, by_host: bool = False) -> Move | None:
        """Return what is done where all have agreed, or None while somebody has still to answer."""
        table = self._table
        if not by_host and any(seat not in ask.agreed for seat in must_agree(table, ask)):
            return None
        if ask.what == PAUSE:
            return self._pausing(at, act, Act("paused", ask.seat, {"agreed": True}, at))
        self._require_going_on()
        self._require_eras()
        done = Act("undone", ask.seat, {"seat": ask.seat, "ply": table.match.ply - 1}, at)
        return Move((), table.planner.begun_anew(table.standing, at), [act, done])

    # What must be so

    def _require_host(self) -> None:
        if not self._asker.host:
            raise NotTheHost(_("Only the host of this table can do that."))

    def _player(self) -> int:
        if self._asker.seat is None:
            raise NotYourSeat(_("You hold no seat at this table, so you can only watch."), open=self._table.open_seats)
        return self._asker.seat

    def _require_seat(self, seat: int) -> None:
        if isinstance(seat, bool) or not 0 <= seat < len(self._table.seats):
            raise UnknownSeat(
                _("There is no seat {seat}; this table has seats {first} to {last}.").format(
                    seat=seat, first=0, last=len(self._table.seats) - 1
                )
            )

    def _require_not_over(self) -> None:
        if self._table.match.over:
            raise CannotBeDone(_("The game is over, and everything is open; nothing can be changed any more."))

    def _require_going_on(self) -> None:
        self._require_not_over()
        self._table.require_going_on()

    def _require_version(self, version: int | None) -> None:
        if version is not None and version != self._table.version(self._asker.seat):
            raise StaleVersion(_(CHANGED), version=self._table.version(self._asker.seat))

    def _require_eras(self) -> None:
        if self._table.era >= eras.MOST:
            raise CannotBeDone(_("This table has gone back too often; it cannot go back again."))

    def _require_undoable(self, seat: int) -> None:
        if not undoable(self._table, seat):
            raise CannotBeDone(
                _(
                    "An action can be taken back by whoever acted last, as long as nobody has learnt anything from it "
                    "by chance or from another player; that is not so now."
                )
            )
