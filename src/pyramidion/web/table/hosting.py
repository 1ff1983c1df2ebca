"""The host of a table, its settings and pauses: what tables and waiting rooms share."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pyramidion import Game
from pyramidion.engine.options import is_hidden
from pyramidion.web.db.journal import HostCommand
from pyramidion.web.db.store import MatchRow, SeatRow
from pyramidion.web.db.writer import Writer
from pyramidion.web.table.seating import Seating
from pyramidion.web.table.settings import TableSettings
from pyramidion.web.table.standing import Clock, Standing
from pyramidion.web.tokens import hash_code
from pyramidion.words import _, listed


@dataclass(frozen=True, slots=True)
class Requester:
    """Who makes a request: their `seat`, if any, and whether they are the table's `host`."""

    seat: int | None
    host: bool


class Arrivals(Protocol):
    """The event bus as those use it who sit down."""

    async def admit(self, table: Hosting, holder: str | None) -> None:
        """Raise Refused where a feature does not let a visitor sit down; None for a program."""
        ...


class Hosting(Seating):
    """A table or waiting room with its host and settings.

    Attributes:
        host: the visitor id of the host, or None; `host_token` is the hash of a token with the same rights, `host_name`
            the name of a host who does not play.
        settings: the table's settings.
        title: the table's title.
        clock: the clock.
        game: the game.
    """

    game: Game

    def __init__(
        self,
        row: MatchRow,
        seats: Sequence[SeatRow],
        writer: Writer,
        arrivals: Arrivals,
        *,
        standing: Standing,
        now: Callable[[], int],
    ) -> None:
        super().__init__(row.id, seats, writer)
        self._arrivals = arrivals
        self.title = row.title
        self.settings = TableSettings.model_validate(row.settings)
        self.clock = Clock(self.settings, standing, now)
        self._set_host(row)

    def _set_host(self, row: MatchRow) -> None:
        self.host, self.host_token, self.host_name = row.host, row.host_token, row.host_name

    async def admit(self, holder: str | None) -> None:
        """Raise Refused where a feature does not let a visitor sit down; None for a program."""
        await self._arrivals.admit(self, holder)

    @property
    def has_host(self) -> bool:
        """Whether the table has a host."""
        return self.host is not None or self.host_token is not None

    @property
    def host_plays(self) -> bool:
        """Whether the host plays, or might: a seat held by a token alone could be the host's own program."""
        by_token = any(row.kind == "person" and row.holder is None for row in self._rows)
        return by_token or self.host_seat is not None

    def host_told(self) -> str | None:
        """Describe a host who does not play, and what that host can see, for everybody; None if there is none."""
        if not self.has_host or self.host_seat is not None:
            return None
        if self.host_plays:
            return _("{name} hosts this table.").format(name=self.host_name) if self.host_name else None
        if self.host_name:
            said = _(
                "{name} hosts this table without playing and can see who has saved and confirmed, but not the choices."
            )
            return said.format(name=self.host_name)
        return _("The host is not playing. The host can see who has saved and confirmed, but not the choices.")

    @property
    def hushed(self) -> bool:
        """Whether several seats are deciding in secret."""
        return False

    def options_for(self, requester: Requester) -> dict[str, Any]:
        """Return the game's options as a requester may see them. Everything that shows options calls this."""
        raise NotImplementedError

    def secret_options(self) -> str | None:
        """Describe the secret options that were set, and who knows them, for everybody; None if there are none."""
        shown = self.options_for(Requester(None, False))
        labels = [_(option.label) for name, option in self.game.options.items() if is_hidden(shown[name])]
        if not labels:
            return None
        seat = None if any(command.kind == "host-changed" for command in self.commands) else self.host_seat
        if seat is None:
            said = _("Secret options: {options}. Players see only their own; the table's creator knows them all.")
        else:
            said = _(
                "Secret options: {options}. Players see only their own; "
                "{name} created the table, plays and knows them all."
            )
        return said.format(options=listed(labels), name="" if seat is None else self.names[seat])

    @property
    def former_names(self) -> list[str]:
        """The names of replaced players, which nobody else may take."""
        return [command.data["was"] for command in self.commands if command.kind == "replaced"]

    @property
    def commands(self) -> Sequence[HostCommand]:
        """The host commands so far, in order."""
        return ()

    @property
    def standing(self) -> Standing:
        """The state of the clock, and the submission held until the deadline."""
        return self.clock.standing

    @property
    def paused(self) -> bool:
        """Whether the game is paused."""
        return self.clock.paused

    @property
    def releasing(self) -> bool:
        """Whether a step has ended and the host is releasing its results."""
        return self.clock.releasing

    def is_host(self, holder: str | None, token: str | None = None) -> bool:
        """Return whether a visitor, or the holder of a token, is the host."""
        if token is not None:
            return self.host_token is not None and hmac.compare_digest(self.host_token, hash_code(token))
        if holder is None or self.host is None:
            return False
        # Other devices that share the host's seat are the host's, too.
        return holder == self.host or any(holder in row.also for row in self._rows if row.holder == self.host)

    @property
    def host_seat(self) -> int | None:
        """The host's seat; None if the host does not play."""
        for row in self._rows:
            if row.kind != "person":
                continue
            if (row.holder is not None and row.holder == self.host) or (
                row.token_hash is not None and row.token_hash == self.host_token
            ):
                return row.seat
        return None

    @property
    def rows(self) -> Sequence[SeatRow]:
        """The seats as stored."""
        return self._rows
