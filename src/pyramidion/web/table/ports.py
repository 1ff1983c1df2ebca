"""What a table needs from its server. `T_contra` is the type of tables, so that this module need not import it."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Protocol, TypeVar

from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Writer
from pyramidion.web.table.clock.timekeeper import Timekeeper
from pyramidion.web.table.seats.admission import AdmissionChecks

T_contra = TypeVar("T_contra", contravariant=True)


class TableEvents(AdmissionChecks, Protocol[T_contra]):
    """What a table needs of the event bus (`events.EventBus`)."""

    @property
    def impartial(self) -> Set[str]:
        """The features at whose tables nobody who plays is the host."""
        ...

    def check(self, table: T_contra, seat: int, action_id: int) -> None:
        """Let features check a person's legal action before it is played. Raises IllegalAction."""
        ...

    def answers_ahead(self, table: T_contra, seat: int) -> bool:
        """Return whether a feature, such as premoves, will make the seat's pending decision without its player."""
        ...

    def publish_moved(self, table: T_contra) -> None:
        """Tell the subscribers that a table's position or players have changed, or that it has been loaded."""
        ...

    def read_kept(self, store: Store, table_id: str) -> dict[str, Any]:
        """Read what features keep with a table, by feature name; blocks."""
        ...


class TableServices(Protocol[T_contra]):
    """The services that a table needs from its server."""

    @property
    def store(self) -> Store:
        """The database to read from."""
        ...

    @property
    def writer(self) -> Writer:
        """The writer thread."""
        ...

    @property
    def events(self) -> TableEvents[T_contra]:
        """The event bus, on which tables publish."""
        ...

    @property
    def keeper(self) -> Timekeeper:
        """The timekeeper of all deadlines."""
        ...

    def now(self) -> int:
        """Return the time, milliseconds since 1970."""
        ...
