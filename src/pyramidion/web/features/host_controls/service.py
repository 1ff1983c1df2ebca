"""Host commands and proposals: planned here, carried out by `Table.change`.

Each is announced to everybody. None tells the host anything a player could not know: while it is hidden who has
submitted, the host can close a phase, but not apply a default move for a single player.
"""

from __future__ import annotations

from dataclasses import replace

from pyramidion.translation import _
from pyramidion.web.contracts import AccountHolder
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.store import SeatRow
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadRequest, CannotBeDone, NotTheHost, NotYourSeat, StaleVersion, UnknownSeat
from pyramidion.web.table.bots import bots_at
from pyramidion.web.table.clock.clock_state import ClockState
from pyramidion.web.table.log import versions
from pyramidion.web.table.log.proposals import EXTENSION, PAUSE, TAKEBACK, WHAT, Proposal
from pyramidion.web.table.moves.absence import coming_back, leaving
from pyramidion.web.table.moves.planner import Move
from pyramidion.web.table.seats.given_names import fresh_names
from pyramidion.web.table.seats.host import HostRow, Requester
from pyramidion.web.table.seats.protocols import former_names
from pyramidion.web.table.settings.time_controls import LONGEST, SHORTEST
from pyramidion.web.table.snapshots.proposal_rules import can_extend, can_take_back, must_agree, taken_back_to
from pyramidion.web.table.table import CHANGED, Table
from pyramidion.web.tokens import hash_code, new_code

HOST = "host"


class HostControls:
    """Carries out what one requester, the host or a player, commands or proposes at a table.

    Each method gives `Table.change` a function that checks the command at the time `now` (milliseconds since 1970) and
    returns the `Move` to store. All methods raise Refused with a sentence if the command is not possible.
    """

    def __init__(self, table: Table, requester: Requester) -> None:
        self._table, self._requester = table, requester

    # Pauses

    async def pause(self) -> None:
        """Pause the game; the remaining time is kept."""
        self.require_host()
        await self._table.change(lambda now: self._pause_move(now, HostCommand("paused", HOST, {}, now)))

    async def resume(self) -> None:
        """Resume the game. Any player can end an agreed pause, only the host another one."""
        table, requester = self._table, self._requester

        def plan_resume(now: int) -> Move:
            """Return the move that resumes the game. Raises CannotBeDone."""
            clock_state = table.clock.state
            if clock_state.paused is None:
                raise CannotBeDone(_("The game is not paused."))
            if clock_state.opens is not None:
                self.require_host()
                return Move((), clock_state.resumed(now), [HostCommand("opened", HOST, {}, now)])
            last = next(command for command in reversed(table.commands) if command.kind == "paused")
            if not requester.host and (requester.seat is None or not last.data.get("agreed")):
                raise NotTheHost(_("The host paused the game. Only the host can resume it."))
            by = HOST if requester.host or requester.seat is None else requester.seat
            return Move((), clock_state.resumed(now), [HostCommand("resumed", by, {}, now)])

        await table.change(plan_resume)

    def _pause_move(self, now: int, *commands: HostCommand) -> Move:
        """Return the move that stops the clock and keeps the time that is left, with host commands to store."""
        clock_state = self._table.clock.state
        self._require_running()
        left = None if clock_state.deadline is None else max(0, clock_state.deadline - now)
        return Move((), ClockState(None, clock_state.held, now, left), commands)

    # Time

    async def extend(self, seconds: int) -> None:
        """Add seconds to the time of the current step."""
        self.require_host()
        table = self._table
        if isinstance(seconds, bool) or not SHORTEST <= seconds <= LONGEST:
            raise BadRequest(_("You can add {low} to {high} seconds at a time.").format(low=SHORTEST, high=LONGEST))

        await table.change(lambda now: self._extension_move(now, seconds))

    def _extension_move(self, now: int, seconds: int, *commands: HostCommand) -> Move:
        """Return the move that adds `seconds` to the time of the step, stored after `commands`."""
        self._require_not_over()
        clock_state, more = self._table.clock.state, seconds * 1000
        left = clock_state.left if clock_state.deadline is None else clock_state.deadline - now
        if left is None:
            raise CannotBeDone(_("This table has no time limit to extend."))
        if left + more > 2 * LONGEST * 1000:
            raise CannotBeDone(_("A decision can take at most {duration}.").format(duration=duration(2 * LONGEST)))
        longer = (
            replace(clock_state, deadline=clock_state.deadline + more)
            if clock_state.deadline is not None
            else replace(clock_state, left=left + more)
        )
        return Move((), longer, [*commands, HostCommand("extended", HOST, {"seconds": seconds}, now)])

    # Absent players

    async def close(self) -> None:
        """End the current step at once, with default moves for everybody who has not decided."""
        self.require_host()
        self._require_unrated()
        table = self._table

        def plan_closing(now: int) -> Move:
            """Return the move that makes default moves for everybody who is due. Raises CannotBeDone."""
            self._require_running()
            move = table.planner.time_up(table.steps, table.clock.state, now)
            return replace(move, commands=[HostCommand("closed", HOST, {}, now)])

        await table.change(plan_closing)

    async def apply_default(self, seat: int) -> None:
        """Play the default move for one player whose decision is due."""
        self.require_host()
        self._require_unrated()
        table = self._table
        self._require_seat(seat)

        def plan_default_move(now: int) -> Move:
            """Return the move that makes the seat's default move. Raises CannotBeDone."""
            self._require_running()
            if table.steps.simultaneous and not (table.visibility.submitted_shown and table.settings.close_early):
                raise CannotBeDone(
                    _("This would reveal who has not submitted in a secret phase. Close the phase instead.")
                )
            if seat not in table.visibility.due(None):
                raise CannotBeDone(_("{name} has no decision to make right now.").format(name=table.names[seat]))
            move = table.planner.default_for(table.steps, table.clock.state, seat, now)
            return replace(move, commands=[HostCommand("default-applied", HOST, {"seat": seat}, now)])

        await table.change(plan_default_move)

    # Results

    async def release(self, *, everything: bool = False) -> None:
        """Reveal the next part of the results of a phase to everybody, or all the rest.

        The last part ends the phase.
        """
        self.require_host()
        table = self._table

        def plan_release(now: int) -> Move:
            """Return the move that reveals the next result, or all of them. Raises CannotBeDone."""
            release, held = table.visibility.release, table.clock.state.held
            if release is None or held is None:
                raise CannotBeDone(_("There are no results to reveal right now."))
            following = (held.released or 0) + 1
            count = None if everything or following >= release.count else following
            return table.planner.release(table.steps, table.clock.state, count, now)

        await table.change(plan_release)

    # Seats

    async def replace_player(self, seat: int, bot: str | None, account: AccountHolder | None = None) -> str | None:
        """Give a seat to a bot, to an account, or to whoever enters a new code; return that code or None.

        The previous player loses the seat. At a table of a season or tournament the seat keeps its name and looks.
        """
        self.require_host()
        table = self._table
        self._require_seat(seat)
        if table.seating.rows[seat].kind == "person":
            self._require_unrated()
        available = bots_at(table.game, table.match.seats, table.match.box)
        if bot is not None and bot not in available:
            raise BadRequest(
                _("Unknown bot {name!r}. Available: {known}.").format(name=bot[:40], known=", ".join(available))
            )

        code = new_code() if bot is None and account is None else None

        def plan_replacement(now: int) -> Move:
            """Return the move that gives the seat to a bot, to an account, or to whoever has the code."""
            self._require_not_over()
            row = table.seating.rows[seat]
            if bot is not None:
                becomes = SeatRow(seat, "bot", next(fresh_names([*table.names, *former_names(table)])), bot)
            elif account is not None:
                if table.seating.seats_of(account.holder):
                    raise CannotBeDone(_("{name} is already at this table.").format(name=account.name))
                becomes = SeatRow(seat, "open", holder=account.holder)
            else:
                becomes = SeatRow(seat, "open", token_hash=hash_code(code) if code else None)
            if table.host.impartial:
                becomes = replace(becomes, name=row.name, colour=row.colour, face=row.face)
            command = HostCommand("replaced", HOST, {"seat": seat, "was": table.names[seat], "bot": bot}, now)
            if row.kind == "open" and bot is None:
                command = HostCommand("invited", HOST, {"seat": seat}, now)
            return Move((), table.clock.state, [command], seats=[(row, becomes)])

        await table.change(plan_replacement)
        return code

    async def hand_over(self, seat: int) -> None:
        """Make another player the host."""
        self.require_host()
        table = self._table
        self._require_seat(seat)

        def plan_new_host(now: int) -> Move:
            """Return the move that makes the player in the seat the host. Raises CannotBeDone."""
            row = table.seating.rows[seat]
            if table.host.impartial:
                raise CannotBeDone(_("At a table of a season or tournament, no player can be the host."))
            if row.kind != "person":
                raise CannotBeDone(_("The host must be a person seated at the table."))
            if seat == table.host.seat:
                raise CannotBeDone(_("{name} is already the host.").format(name=table.names[seat]))
            command = HostCommand("host-changed", HOST, {"seat": seat}, now)
            return Move((), table.clock.state, [command], host=HostRow(row.holder, row.token_hash))

        await table.change(plan_new_host)

    # Rewinding

    async def rewind(self, step: int) -> None:
        """Return the game to the start of `step` (counted from 0), undoing all later actions."""
        self.require_host()
        self._require_unrated()
        table = self._table

        def plan_rewind(now: int) -> Move:
            """Return the move that takes the game back to the step. Raises CannotBeDone or BadRequest."""
            self._require_not_over()
            if table.clock.releasing:
                raise CannotBeDone(_("Reveal all results first."))
            if isinstance(step, bool) or not 0 <= step <= table.steps.number:
                raise BadRequest(
                    _("There is no step {step}. This game has steps 0 to {last}.").format(
                        step=step, last=table.steps.number
                    )
                )
            self._require_rewinds_left()
            data = {"step": step, "steps": table.steps.number - step, "ply": table.action_log.starts[step]}
            return Move((), table.planner.begun_anew(table.clock.state, now), [HostCommand("rewound", HOST, data, now)])

        await table.change(plan_rewind)

    # Proposals

    async def propose(self, what: str, version: int | None = None) -> None:
        """Propose a takeback or a pause to the other players, or ask the host for more time.

        `what` is `takeback`, `pause` or `extension`. With `version`, raises StaleVersion if it is not the requester's
        current version of the table. If nobody has to agree, the proposal is carried out at once.
        """
        table, seat = self._table, self._own_seat()
        if what not in WHAT:
            raise BadRequest(_("A request must be undo, pause or extension."))

        def plan_proposal(now: int) -> Move:
            """Return the move that puts the request to the other players. Raises CannotBeDone."""
            self._require_version(version)
            self._require_running()
            if what in table.action_log.proposals.open:
                raise CannotBeDone(_("This has already been requested."))
            if (what, seat) in table.action_log.proposals.refused:
                raise CannotBeDone(_("This was declined. You can ask again after the next move."))
            if what == TAKEBACK:
                self._require_undoable(seat)
            if what == EXTENSION and not can_extend(table, seat):
                raise CannotBeDone(_("You can ask for more time only at a table with a host and a time limit."))
            proposal = HostCommand(f"{what}-proposed", seat, {}, now)
            return self._move_if_agreed(Proposal(what, seat), now, proposal) or Move((), table.clock.state, [proposal])

        await table.change(plan_proposal)

    async def answer(self, what: str, agrees: bool, version: int | None = None) -> None:
        """Agree to the open proposal `what`, or decline it; its author withdraws it by declining.

        Once everybody has agreed, the proposal is carried out. `version` is as in `propose`.
        """
        table, requester = self._table, self._requester

        def plan_answer(now: int) -> Move:
            """Return the move that accepts, declines or withdraws the open request. Raises CannotBeDone."""
            self._require_version(version)
            proposal = table.action_log.proposals.open.get(what)
            if proposal is None:
                raise CannotBeDone(_("There is no such request."))
            data = {"what": what}
            if requester.seat == proposal.seat and not agrees:
                return Move((), table.clock.state, [HostCommand("withdrawn", proposal.seat, data, now)])
            needed = must_agree(table, proposal)
            alone = requester.host and needed == [None]
            by = requester.seat if requester.seat is not None and requester.seat in needed else HOST if alone else None
            if by is None:
                raise CannotBeDone(_("You have not been asked to agree."))
            if not agrees:
                return Move((), table.clock.state, [HostCommand("refused", by, data, now)])
            if by in proposal.agreed:
                raise CannotBeDone(_("You have already agreed."))
            answer = HostCommand("agreed", by, data, now)
            given = replace(proposal, agreed={*proposal.agreed, *([by] if isinstance(by, int) else [])})
            by_host = by == HOST
            return self._move_if_agreed(given, now, answer, by_host=by_host) or Move((), table.clock.state, [answer])

        await table.change(plan_answer)

    async def back(self) -> None:
        """Take the requester's seat back from the stand-in bot."""
        table, seat = self._table, self._own_seat()

        def plan_return(now: int) -> Move:
            """Return the move that gives the seat back to its player. Raises CannotBeDone."""
            move = coming_back(table.seating.rows[seat], table.clock.state, now)
            if move is None:
                raise CannotBeDone(_("No bot is playing for you."))
            return move

        await table.change(plan_return)

    async def leave(self) -> None:
        """Leave the table for good: a bot plays on in the requester's seat. In a rated game this loses."""
        table, seat = self._table, self._own_seat()

        def plan_leaving(now: int) -> Move:
            """Return the move that leaves the seat to a bot for good. Raises CannotBeDone."""
            self._require_not_over()
            if table.host.impartial:
                raise CannotBeDone(_("At a table of a season or tournament, only the host can replace you."))
            return leaving(table, seat, table.clock.state, now)

        await table.change(plan_leaving)

    def _move_if_agreed(
        self, proposal: Proposal, now: int, command: HostCommand, *, by_host: bool = False
    ) -> Move | None:
        """Return the move that carries a proposal out if everybody agrees to it, else None.

        `command` is stored with it. With `by_host`, the host has agreed, and nobody else has to.
        """
        table = self._table
        if not by_host and any(seat not in proposal.agreed for seat in must_agree(table, proposal)):
            return None
        if proposal.what == EXTENSION:
            return self._extension_move(now, table.settings.clock or SHORTEST, command)
        if proposal.what == PAUSE:
            return self._pause_move(now, command, HostCommand("paused", proposal.seat, {"agreed": True}, now))
        self._require_running()
        self._require_rewinds_left()
        ply = taken_back_to(table, proposal.seat)
        done = HostCommand("taken-back", proposal.seat, {"seat": proposal.seat, "ply": ply}, now)
        return Move((), table.planner.begun_anew(table.clock.state, now), [command, done])

    # Checks

    def require_host(self) -> None:
        """Raise NotTheHost unless the requester is the host."""
        if not self._requester.host:
            raise NotTheHost(_("Only the host of this table can do that."))

    def _own_seat(self) -> int:
        """Return the requester's seat. Raises NotYourSeat for a spectator."""
        if self._requester.seat is None:
            raise NotYourSeat(_("You are watching this game."), open=self._table.open_seats)
        return self._requester.seat

    def _require_seat(self, seat: int) -> None:
        """Raise UnknownSeat unless the table has this seat."""
        if isinstance(seat, bool) or not 0 <= seat < len(self._table.seats):
            raise UnknownSeat(
                _("There is no seat {seat}; this table has seats {first} to {last}.").format(
                    seat=seat, first=0, last=len(self._table.seats) - 1
                )
            )

    def _require_not_over(self) -> None:
        """Raise CannotBeDone if the game is over."""
        if self._table.match.over:
            raise CannotBeDone(_("The game is over, so nothing can be changed."))

    def _require_running(self) -> None:
        """Raise Refused if the game is over or paused, or if its results are being revealed."""
        self._require_not_over()
        self._table.clock.require_going_on()

    def _require_version(self, version: int | None) -> None:
        """Raise StaleVersion if `version` is given and is not the requester's current version of the table."""
        if version is not None and version != self._table.version(self._requester.seat):
            raise StaleVersion(_(CHANGED), version=self._table.version(self._requester.seat))

    def _require_rewinds_left(self) -> None:
        """Raise CannotBeDone if the game has been rewound as often as version numbers allow."""
        if self._table.action_log.era >= versions.MOST:
            raise CannotBeDone(_("This game has been rewound too many times."))

    def _require_unrated(self) -> None:
        """Raise CannotBeDone if the table is rated."""
        if self._table.settings.rated:
            raise CannotBeDone(_("This table is rated, so the host cannot do that."))

    def _require_undoable(self, seat: int) -> None:
        """Raise CannotBeDone unless the player of a seat may take back their last action."""
        if self._table.settings.rated:
            raise CannotBeDone(_("There are no takebacks at a rated table."))
        if not can_take_back(self._table, seat):
            raise CannotBeDone(_("You can undo only your own last move, and only if it revealed nothing new."))
