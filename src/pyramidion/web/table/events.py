"""The event bus of a server's tables: features subscribe, tables publish."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.translation import _
from pyramidion.web.errors import SeatTaken

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Change
    from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
    from pyramidion.web.table.seats.protocols import TableOrRoom
    from pyramidion.web.table.settings.declarations import TableSettings
    from pyramidion.web.table.table import Table


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification to be stored and sent to one person, for example by e-mail.

    Attributes:
        mark: names the occasion; the same one is never sent twice.
        person: the visitor id.
        kind: the kind of notification, as people turn them off.
        title: what it is about.
        text: makes the sentence in the recipient's language; None or an empty sentence withdraws what has this mark
            and is not sent yet; None only what is for `person`, if that is not empty.
        link: the path of the page.
        due: when it is sent at the earliest, milliseconds since 1970, or None for soon. A later notice with the same
            mark that has not been sent yet replaces an earlier one.
        until: when it has become pointless, or None for a week after it was due.
    """

    mark: str
    person: str
    kind: str
    title: str
    text: Callable[[], str] | None
    link: str
    due: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class EventCard:
    """Title, status and standings of a season or tournament, as one reader may see them in a list.

    Attributes:
        title: what it is called.
        status: what comes next in it, a marked sentence.
        over: whether it is over.
        lines: the standing, the best first: who, and their result.
        dates: what is coming, in order: the time in milliseconds since 1970, a marked sentence, and the name in it.
    """

    title: str
    status: str
    over: bool
    lines: tuple[tuple[str, str], ...] = ()
    dates: tuple[tuple[int, str, str], ...] = ()


Subscriber = Callable[["Table"], None]
Reader = Callable[["Store", str], Any]


class EventBus:
    """Tells features what happens at a server's tables, and asks them what to allow and what else to store.

    For that, features add callbacks to the lists below.

    Attributes:
        created: called with a table that has just been created.
        moved: called with a table whose position has changed, at which somebody has sat down, or that has been loaded.
        guards: called with a table, a seat and the id of a legal action that a person is about to play; may raise
            IllegalAction.
        opening: called before a table is created, with its settings, its seats and what else it is given; may raise
            Refused.
        arriving: called with a table or room, a visitor (None for a program) who is about to sit down, and whether the
            seat is reserved for them; may raise Refused.
        welcoming: called with a host and a visitor who wants to play at the host's tables; whether the host lets them.
        concluding: called with a table whose results are about to be stored; returns what else is to be stored in the
            same transaction. `concluded` is called with the table afterwards.
        invited: called with the id of a waiting room and the visitor for whom a seat there has been reserved.
        held: called with visitor ids that hold more than before, after a sign-in or the deletion of an account; what a
            deleted account held is partly held by ids of nobody (`holders.NOBODY`).
        answered_ahead: called with a table and a seat; whether the feature will make the seat's pending decision.
        notifying: called with notices before what they tell of is stored; returns what else is to be stored in the same
            transaction.
        naming: called with a table or room and a seat that a player is about to take; returns what the player is called
            there, or None where players bring their own names.
        impartial: the names of features at whose tables (`kept`) nobody who plays is the host.
        kept: by feature name, a blocking function that reads the feature's data for a table (`Table.kept`); called
            again whenever another server may have changed the data.
    """

    def __init__(self) -> None:
        self.created: list[Subscriber] = []
        self.moved: list[Subscriber] = []
        self.guards: list[Callable[[Table, int, int], None]] = []
        self.opening: list[Callable[[TableSettings, Sequence[SeatPlan], TableProperties], Awaitable[None]]] = []
        self.arriving: list[Callable[[TableOrRoom, str | None, bool], Awaitable[None]]] = []
        self.welcoming: list[Callable[[str, str], Awaitable[bool]]] = []
        self.concluding: list[Callable[[Table], Change | None]] = []
        self.concluded: list[Subscriber] = []
        self.invited: list[Callable[[str, str], None]] = []
        self.held: list[Callable[[Sequence[str]], None]] = []
        self.answered_ahead: list[Callable[[Table, int], bool]] = []
        self.notifying: list[Callable[[Sequence[Notice]], Awaitable[Change]]] = []
        self.naming: list[Callable[[TableOrRoom, int], Awaitable[str | None]]] = []
        self.impartial: set[str] = set()
        self.kept: dict[str, Reader] = {}

    def publish_created(self, table: Table) -> None:
        """Tell the subscribers that a table has been created."""
        for subscriber in self.created:
            subscriber(table)

    def publish_moved(self, table: Table) -> None:
        """Tell the subscribers that a table's position or players have changed, or that it has been loaded."""
        for subscriber in self.moved:
            subscriber(table)

    def publish_concluded(self, table: Table) -> None:
        """Tell the subscribers that a table's results are stored."""
        for subscriber in self.concluded:
            subscriber(table)

    def publish_invited(self, table_id: str, person: str) -> None:
        """Tell the subscribers that a seat of a waiting room has been reserved for a person."""
        for subscriber in self.invited:
            subscriber(table_id, person)

    def publish_held(self, holders: Sequence[str]) -> None:
        """Tell the subscribers which visitor ids hold more seats and results than before."""
        for subscriber in self.held:
            subscriber(holders)

    async def notify(self, notices: Sequence[Notice]) -> list[Change]:
        """Return the changes that store these notices: one from each callback of `notifying`; none without notices."""
        return [await subscriber(notices) for subscriber in self.notifying] if notices else []

    def check(self, table: Table, seat: int, action_id: int) -> None:
        """Let features check a person's legal action before it is played. Raises IllegalAction."""
        for guard in self.guards:
            guard(table, seat, action_id)

    async def admit(self, table: TableOrRoom, holder: str | None, *, invited: bool) -> None:
        """Raise Refused if a feature forbids a visitor to sit down. `holder` is the visitor, or None for a program.

        `invited`: whether the seat is reserved for them.
        """
        host = table.host.holder
        if holder is not None and host is not None and not await self.welcomes(host, holder):
            raise SeatTaken(_("This seat is reserved for a player the host invited."), open=table.open_seats)
        for check in self.arriving:
            await check(table, holder, invited)

    async def seat_name(self, table: TableOrRoom, seat: int) -> str | None:
        """Return the name that a feature gives whoever takes a seat, or None where players bring their own names."""
        names = [await naming(table, seat) for naming in self.naming]
        return next((name for name in names if name is not None), None)

    async def welcomes(self, host: str, holder: str) -> bool:
        """Return whether all features let a visitor play at the tables of a host, who may have blocked the visitor."""
        return all([await check(host, holder) for check in self.welcoming])

    def answers_ahead(self, table: Table, seat: int) -> bool:
        """Return whether a feature, such as premoves, will make the seat's pending decision without its player."""
        return any(answers(table, seat) for answers in self.answered_ahead)

    def read_kept(self, store: Store, table_id: str) -> dict[str, Any]:
        """Read what features keep with a table, by feature name; blocks."""
        return {name: read(store, table_id) for name, read in self.kept.items()}
