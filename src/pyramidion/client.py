"""A client for the JSON API, to play at tables from a program: `pip install pyramidion[client]`.

docs/api.md has an example. `AsyncClient` has the methods of `Client` for `await` and `async for`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import httpx

from pyramidion.client_messages import (
    ApiError,
    Event,
    Invitation,
    Legal,
    News,
    StreamReader,
    answer,
    first_id,
    open_games,
    table_body,
)

__all__ = ["ApiError", "AsyncClient", "AsyncSeat", "Client", "Event", "Invitation", "Legal", "News", "Seat", "first_id"]

TIMEOUT = httpx.Timeout(60, read=120)  # seconds; an open stream sends keep-alives more often than that


class _Place:
    """A place at a table; `seat` is None for a spectator."""

    def __init__(self, http: Any, table: str, seat: int | None = None, token: str = "") -> None:
        self.table, self.seat, self.token, self._http = table, seat, token, http
        self.url, self.headers = f"/api/tables/{table}", {"Authorization": f"Bearer {token}"} if token else {}


class Seat(_Place):
    """A seat at a table, or a spectator."""

    def get(self, what: str = "", **query: Any) -> Any:
        """Return the response of `/view`, `/legal`, `/events`, `/seals` or `/record`; by default the table itself."""
        return answer(self._http.get(self.url + what, params=query, headers=self.headers))

    def act(self, action: int | str, version: int) -> int:
        """Play an action by id or notation, chosen at `version`; return the new version. Raises ApiError."""
        chosen = {"action": action, "version": version}
        return answer(self._http.post(f"{self.url}/actions", headers=self.headers, json=chosen))["version"]

    def stream(self) -> Iterator[News]:
        """Yield messages until the game is over; after a lost connection, no event is left out."""
        reader = StreamReader(self.headers)
        while not reader.over:
            with (
                reader.connection(),
                self._http.stream("GET", f"{self.url}/stream", headers=reader.headers) as response,
            ):
                if not response.is_success:
                    response.read()
                    answer(response)
                for line in response.iter_lines():
                    if (news := reader.read(line)) is not None:
                        yield news
                    if reader.over:
                        return


class AsyncSeat(_Place):
    """Like `Seat`, for asyncio."""

    async def get(self, what: str = "", **query: Any) -> Any:
        """Like `Seat.get`."""
        return answer(await self._http.get(self.url + what, params=query, headers=self.headers))

    async def act(self, action: int | str, version: int) -> int:
        """Like `Seat.act`."""
        chosen = {"action": action, "version": version}
        return answer(await self._http.post(f"{self.url}/actions", headers=self.headers, json=chosen))["version"]

    async def stream(self) -> AsyncIterator[News]:
        """Like `Seat.stream`."""
        reader = StreamReader(self.headers)
        while not reader.over:
            with reader.connection():
                async with self._http.stream("GET", f"{self.url}/stream", headers=reader.headers) as response:
                    if not response.is_success:
                        await response.aread()
                        answer(response)
                    async for line in response.aiter_lines():
                        if (news := reader.read(line)) is not None:
                            yield news
                        if reader.over:
                            return


class Client(httpx.Client):
    """An HTTP client for one server; use it in a `with` statement. `token` is the API token of a bot's account."""

    def __init__(self, address: str, token: str | None = None) -> None:
        super().__init__(base_url=address, timeout=TIMEOUT)
        self._account = {"Authorization": f"Bearer {token}"} if token else {}

    def start_table(self, game: str, seats: Sequence[str], **more: Any) -> list[Seat]:
        """Create a table for `me`, `open` seats and bots, with `more` as in `POST /api/tables`; return your seats."""
        made = answer(self.post("/api/tables", json=table_body(game, seats, more)))
        return [Seat(self, made["id"], int(seat), token) for seat, token in made["tokens"].items()]

    def sit_down(self, table: str, seat: int, name: str | None = None) -> Seat:
        """Take an open seat. Raises ApiError."""
        taken = answer(self.post(f"/api/tables/{table}/seats/{seat}", json={"name": name}))
        return Seat(self, table, seat, taken["token"])

    def invitations(self) -> list[Invitation]:
        """Return the bot's invitations, and its games that are not over. Raises ApiError."""
        return answer(self.get("/api/invitations", headers=self._account))

    def accept(self, table: str) -> Seat:
        """Take the seat that is reserved for the bot, or return to it. Raises ApiError."""
        taken = answer(self.post(f"/api/invitations/{table}/accept", headers=self._account))
        return Seat(self, table, taken["seat"], taken["token"])

    def decline(self, table: str) -> None:
        """Decline an invitation. Raises ApiError."""
        answer(self.post(f"/api/invitations/{table}/decline", headers=self._account))

    def games(self, pause: float = 5.0) -> Iterator[Seat]:
        """Accept every invitation; yield the bot's seat at each table once the game has started.

        It looks for invitations every `pause` seconds, and never ends. Games that an earlier run of the program has
        left come again. Raises ApiError.
        """
        known: set[str] = set()
        while True:
            for one in open_games(self.invitations(), known):
                try:
                    seat = self.accept(one["table"])
                except ApiError as error:
                    if error.fatal:
                        raise
                    continue
                if one["started"]:
                    known.add(one["table"])
                    yield seat
            time.sleep(pause)


class AsyncClient(httpx.AsyncClient):
    """Like `Client`, for asyncio; use it in an `async with` statement."""

    def __init__(self, address: str, token: str | None = None) -> None:
        super().__init__(base_url=address, timeout=TIMEOUT)
        self._account = {"Authorization": f"Bearer {token}"} if token else {}

    async def start_table(self, game: str, seats: Sequence[str], **more: Any) -> list[AsyncSeat]:
        """Like `Client.start_table`."""
        made = answer(await self.post("/api/tables", json=table_body(game, seats, more)))
        return [AsyncSeat(self, made["id"], int(seat), token) for seat, token in made["tokens"].items()]

    async def sit_down(self, table: str, seat: int, name: str | None = None) -> AsyncSeat:
        """Like `Client.sit_down`."""
        taken = answer(await self.post(f"/api/tables/{table}/seats/{seat}", json={"name": name}))
        return AsyncSeat(self, table, seat, taken["token"])

    async def invitations(self) -> list[Invitation]:
        """Like `Client.invitations`."""
        return answer(await self.get("/api/invitations", headers=self._account))

    async def accept(self, table: str) -> AsyncSeat:
        """Like `Client.accept`."""
        taken = answer(await self.post(f"/api/invitations/{table}/accept", headers=self._account))
        return AsyncSeat(self, table, taken["seat"], taken["token"])

    async def decline(self, table: str) -> None:
        """Like `Client.decline`."""
        answer(await self.post(f"/api/invitations/{table}/decline", headers=self._account))

    async def games(self, pause: float = 5.0) -> AsyncIterator[AsyncSeat]:
        """Like `Client.games`."""
        known: set[str] = set()
        while True:
            for one in open_games(await self.invitations(), known):
                try:
                    seat = await self.accept(one["table"])
                except ApiError as error:
                    if error.fatal:
                        raise
                    continue
                if one["started"]:
                    known.add(one["table"])
                    yield seat
            await asyncio.sleep(pause)
