"""The seats of contestants at running tables: who does not have theirs, and how a stand-in gets it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pyramidion.seasons.events import LinkRenewed, StoodIn
from pyramidion.translation import _
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.store import SeatRow
from pyramidion.web.errors import NotPossibleNow, NotTheHost
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.matches import running_tables
from pyramidion.web.table.moves.planner import Move
from pyramidion.web.table.seats.seating import Seating
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

SeatGap = Literal["give", "link"]
"""How a contestant gets a seat that somebody else has: a host gives it, or the personal link does."""


class StandInSeats:
    """Gives the seats of running tables to the present players of contestants.

    A stand-in gets the seat by opening the link, if the host of that table has declared the stand-in: that host could
    also replace the player there. Otherwise the table's host gives it.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def take(self, loaded: LoadedSeason, who: str) -> None:
        """Give a contestant who has just opened the personal link the seats that wait for them as a stand-in."""
        for table, seat in await running_tables(loaded, self._tables, who):
            if seat_gap(loaded, who, table) is not None and _declared_by_host(loaded, who, table):
                await self._give(loaded, who, table, seat)

    async def give(self, loaded: LoadedSeason, requester: SeasonRequester, who: str) -> None:
        """Give a contestant the seats that somebody else has, as the host of their tables.

        Raises NotTheHost, or NotPossibleNow where there is no such seat.
        """
        playing = await running_tables(loaded, self._tables, who)
        running = [(table, seat) for table, seat in playing if seat_gap(loaded, who, table)]
        if not running:
            raise NotPossibleNow(_("{name} has the seat already.").format(name=loaded.season.name(who)))
        holder = loaded.people[who].holder
        if holder is None and loaded.season.cast[who].bot is None:
            message = _("{name} has not opened the invitation yet. Send it again.")
            raise NotPossibleNow(message.format(name=loaded.season.name(who)))
        by = loaded.people[requester.who].holder if requester.who in loaded.people else None
        for table, seat in running:
            if by is None or not table.host.is_visitor(by):
                raise NotTheHost(_("Only the host of this table can do that."))
            await self._give(loaded, who, table, seat)

    async def _give(self, loaded: LoadedSeason, who: str, table: Table, seat: int) -> None:
        """Take a seat from its player, and seat the contestant's bot or the visitor who has the place.

        Raises NotPossibleNow if the match is over by now.
        """
        contestant, holder = loaded.season.cast[who], loaded.people[who].holder

        def plan_change(now: int) -> Move:
            """Return the move that gives the seat to a bot, or reserves it for the visitor."""
            if table.match.over:
                raise NotPossibleNow(_("The game is over, so nothing can be changed."))
            row = table.seating.rows[seat]
            becomes = SeatRow(seat, "open", row.name, holder=holder, colour=row.colour, face=row.face)
            if contestant.bot is not None:
                becomes = replace(becomes, kind="bot", bot=contestant.bot, holder=None)
            data = {"seat": seat, "was": table.names[seat], "bot": contestant.bot, "name": contestant.name}
            return Move((), table.clock.state, [HostCommand("replaced", "host", data, now)], seats=[(row, becomes)])

        await table.change(plan_change)
        if contestant.bot is None:
            await table.sit(seat, holder, None)


def seat_gap(loaded: LoadedSeason, who: str, table: Table) -> SeatGap | None:
    """Return how a contestant gets the seat at a running table of theirs; None where they have it, or nobody waits."""
    contestant, person, episode = loaded.season.cast[who], loaded.people[who], loaded.season.episode
    played = episode.tables.get(table.id) if episode is not None else None
    if played is None or who not in played.cast or contestant.out is not None:
        return None
    seat = played.cast.index(who)
    if contestant.bot is not None:
        replaced = contestant.player > played.players[seat] or contestant.withdrawal is not None
        return "give" if replaced and table.seats[seat].kind != "bot" else None
    if person.holder is not None:
        return "give" if not _holds(table.seating, person.holder) else None
    return "link" if contestant.player > played.players[seat] and _declared_by_host(loaded, who, table) else None


def _holds(seating: Seating, holder: str) -> bool:
    """Return whether a visitor has a seat, or one is reserved for them."""
    return bool(seating.seats_of(holder)) or seating.reserved_for(holder) is not None


def _declared_by_host(loaded: LoadedSeason, who: str, table: Table) -> bool:
    """Return whether a contestant is a stand-in whom the host of a table has declared, with the present link.

    Another host could open a link that they have renewed, and so see the seat's secrets.
    """
    replacing = (
        entry
        for entry in reversed(loaded.season.log)
        if (isinstance(entry.event, StoodIn) and entry.event.contestant == who)
        or (isinstance(entry.event, LinkRenewed) and entry.event.person == who)
    )
    entry = next(replacing, None)
    if entry is None or not isinstance(entry.event, StoodIn) or entry.by not in loaded.season.hosts:
        return False
    holder = loaded.people[entry.by].holder
    return holder is not None and table.host.is_visitor(holder)
