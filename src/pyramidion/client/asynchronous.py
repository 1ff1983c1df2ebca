"""The client for asyncio. `make docs` makes the synchronous one of it: without `async` and `await`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal, overload

import httpx

from pyramidion.client import messages
from pyramidion.client.answers import ApiError, Patience, StreamReader, answer, next_page, open_games

TIMEOUT = httpx.Timeout(60, read=120)  # seconds; an open stream sends keep-alives more often than that


class AsyncSeat:
    """A seat at a table on the server, through which a program reads and plays; a spectator if `seat` is None."""

    def __init__(self, http: httpx.AsyncClient, table: str, seat: int | None = None, token: str = "") -> None:
        self.table, self.seat, self.token, self._http = table, seat, token, http
        self.url, self.headers = f"/api/tables/{table}", {"Authorization": f"Bearer {token}"} if token else {}

    @overload
    async def get(self, what: Literal[""] = "") -> messages.Table: ...
    @overload
    async def get(self, what: Literal["/view"]) -> messages.View: ...
    @overload
    async def get(self, what: Literal["/legal"]) -> messages.Legal: ...
    @overload
    async def get(self, what: Literal["/events"], *, since: int = ..., limit: int = ...) -> messages.Events: ...
    @overload
    async def get(self, what: Literal["/seals"]) -> messages.Seals: ...
    @overload
    async def get(self, what: Literal["/record"]) -> messages.Record: ...
    async def get(self, what: str = "", **query: Any) -> Any:
        """Return what the server says about the table; by default its players and settings. Raises ApiError.

        `what` is the end of the address, such as `/view`, and `query` its parameters.
        """
        return answer(await self._http.get(self.url + what, params=query, headers=self.headers))

    async def act(self, action: int | str, version: int) -> int:
        """Play an action by id or notation, chosen at `version`; return the new version. Raises ApiError."""
        chosen = {"action": action, "version": version}
        return answer(await self._http.post(f"{self.url}/actions", headers=self.headers, json=chosen))["version"]

    async def stream(self) -> AsyncIterator[messages.News]:
        """Yield the table's messages until the game is over; after a lost connection, no event is left out.

        Raises ApiError, and httpx.TransportError if the server stays away.
        """
        reader = StreamReader(self.headers)
        while not reader.over:
            await asyncio.sleep(reader.pause)
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
                raise httpx.RemoteProtocolError("The stream ended before the game was over.")


class AsyncClient(httpx.AsyncClient):
    """An HTTP client for one server, and a context manager. `token` is the API token of a bot's account."""

    def __init__(self, address: str, token: str | None = None) -> None:
        super().__init__(base_url=address, timeout=TIMEOUT)
        self._account = {"Authorization": f"Bearer {token}"} if token else {}

    async def start_table(self, game: str, seats: Sequence[str], **more: Any) -> list[AsyncSeat]:
        """Create a table for `me`, `open` seats and bots, with `more` as in `POST /api/tables`; return your seats."""
        kinds = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "bot": seat} for seat in seats]
        made: messages.NewTable = answer(await self.post("/api/tables", json={"game": game, "seats": kinds, **more}))
        return [AsyncSeat(self, made["id"], int(seat), token) for seat, token in made["tokens"].items()]

    async def sit_down(self, table: str, seat: int, name: str | None = None) -> AsyncSeat:
        """Take an open seat at a table, and return it. Raises ApiError."""
        taken: messages.Seated = answer(await self.post(f"/api/tables/{table}/seats/{seat}", json={"name": name}))
        assert taken["token"] is not None, "a client without a browser's cookie gets a token"
        return AsyncSeat(self, table, seat, taken["token"])

    async def invitations(self) -> list[messages.Invitation]:
        """Return the bot's invitations, and its games that are not over. Raises ApiError."""
        invitations: list[messages.Invitation] = []
        async for page in self.pages("/api/invitations"):
            invitations += page
        return invitations

    async def pages(self, path: str, **query: Any) -> AsyncIterator[list[Any]]:
        """Yield the pages of a list of the API, such as `/api/lobby`. Raises ApiError."""
        url: httpx.URL | str = path
        while url:
            response = await self.get(url, params=query or None, headers=self._account)
            yield answer(response)
            url, query = next_page(response), {}

    async def accept(self, table: str) -> AsyncSeat:
        """Take the seat that is reserved for the bot at a table, or return to it. Raises ApiError."""
        taken: messages.AcceptedInvitation = answer(
            await self.post(f"/api/invitations/{table}/accept", headers=self._account)
        )
        return AsyncSeat(self, table, taken["seat"], taken["token"] or "")

    async def decline(self, table: str) -> None:
        """Decline the invitation to a table. Raises ApiError."""
        answer(await self.post(f"/api/invitations/{table}/decline", headers=self._account))

    async def games(self, pause: float = 5.0) -> AsyncIterator[AsyncSeat]:
        """Accept every invitation; yield the bot's seat at each table once the game has started.

        It looks for invitations every `pause` seconds, and never ends. Games that an earlier run of the program has
        left come again. Raises ApiError, and httpx.TransportError if the server stays away.
        """
        joined, patience = set[str](), Patience()
        while True:
            with patience.connection():
                for invitation in open_games(await self.invitations(), joined):
                    try:
                        seat = await self.accept(invitation["table"])
                    except ApiError as error:
                        if error.fatal:
                            raise
                        continue
                    if invitation["started"]:
                        joined.add(invitation["table"])
                        yield seat
            await asyncio.sleep(max(pause, patience.pause))
