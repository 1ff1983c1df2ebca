"""A client for the JSON API, to play at tables from a program: `pip install pyramidion[client]`.

docs/api.md has an example. `AsyncClient` has the methods of `Client` for `await` and `async for`.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NotRequired, TypedDict, cast

import httpx

TIMEOUT = httpx.Timeout(60, read=120)  # seconds; an open stream sends keep-alives more often than that
RETRIES = 5  # number of lost connections in a row after which a stream gives up


class Legal(TypedDict, total=False):
    """A legal action (`id`, `text`), or a range of numbers, in which the number n has the id `first_id + n - low`."""

    id: int
    text: str
    family: str
    first_id: int
    low: int
    high: int


class Event(TypedDict):
    """An event as the seat observed it."""

    n: int
    position: int
    name: str
    rule: str
    data: dict[str, Any]
    text: str


class News(TypedDict):
    """A message of the stream: the events since the last one, and the seat's legal actions."""

    version: int
    events: list[Event]
    acting: list[int]
    free: list[int]
    over: bool
    legal: NotRequired[list[Legal]]
    outcome: NotRequired[dict[str, Any]]


class Invitation(TypedDict):
    """A table with a seat reserved for a bot, or where it has a seat (`accepted`) and the game is not over."""

    table: str
    url: str
    game: str
    title: str
    seat: int
    host: str | None
    rated: bool
    accepted: bool
    started: bool


class ApiError(Exception):
    """A refusal: its HTTP `status`, the word `error` (such as `stale`) and the whole `problem` details."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", f"The server answered with status {status}."))
        self.status, self.error, self.problem = status, str(problem.get("error", "")), problem


def first_id(entry: Legal) -> int:
    """Return the id of a legal action, or of the first one in a range."""
    return entry["id"] if "id" in entry else entry.get("first_id", -1)


def _table(game: str, seats: Sequence[str], more: dict[str, Any]) -> dict[str, Any]:
    kinds = [{"kind": s} if s in ("me", "open") else {"kind": "bot", "bot": s} for s in seats]
    return {"game": game, "seats": kinds, **more}


def _answer(response: httpx.Response) -> Any:
    """Return the body of a response, None if it has none. Raises ApiError."""
    if response.is_success:
        return response.json() if response.content else None
    raise ApiError(response.status_code, response.json() if "json" in response.headers.get("content-type", "") else {})


class _Reader:
    """Parses server-sent events line by line, and remembers where to continue after a lost connection."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.headers, self.over, self._failed = headers.copy(), False, 0

    def read(self, line: str) -> News | None:
        """Return the message in a line; None for an id, a comment, or a change of players only."""
        if line.startswith("id:"):
            self.headers["Last-Event-ID"], self._failed = line[3:].strip(), 0
        news: dict[str, Any] = json.loads(line[5:]) if line.startswith("data:") else {}
        self.over = news.get("over", False)
        return cast(News, news) if "events" in news else None

    def lost(self, error: httpx.TransportError) -> None:
        """Count a lost connection; raise the error after too many in a row."""
        self._failed += 1
        if self._failed > RETRIES:
            raise error


class _Place:
    """A seat at a table; `seat` is None for a spectator."""

    def __init__(self, http: Any, table: str, seat: int | None = None, token: str = "") -> None:
        self.table, self.seat, self.token = table, seat, token
        self._http, self._url = http, f"/api/tables/{table}"
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._acts = {"url": f"{self._url}/actions", "headers": self._headers}


class Seat(_Place):
    """A seat at a table, or a spectator."""

    def get(self, what: str = "", **query: Any) -> Any:
        """Return the response of `/view`, `/legal`, `/events`, `/seals` or `/record`; by default the table itself."""
        return _answer(self._http.get(self._url + what, params=query, headers=self._headers))

    def act(self, action: int | str, version: int) -> int:
        """Play an action by id or notation, chosen at `version`; return the new version. Raises ApiError."""
        return _answer(self._http.post(**self._acts, json={"action": action, "version": version}))["version"]

    def stream(self) -> Iterator[News]:
        """Yield messages until the game is over; after a lost connection, no event is left out."""
        reader = _Reader(self._headers)
        while True:
            try:
                with self._http.stream("GET", f"{self._url}/stream", headers=reader.headers) as response:
                    if not response.is_success:
                        response.read()
                        _answer(response)
                    for line in response.iter_lines():
                        if (news := reader.read(line)) is not None:
                            yield news
                        if reader.over:
                            return
                raise httpx.RemoteProtocolError("The stream ended before the game was over.")
            except httpx.TransportError as error:
                reader.lost(error)


class AsyncSeat(_Place):
    """Like `Seat`, for asyncio."""

    async def get(self, what: str = "", **query: Any) -> Any:
        """Like `Seat.get`."""
        return _answer(await self._http.get(self._url + what, params=query, headers=self._headers))

    async def act(self, action: int | str, version: int) -> int:
        """Like `Seat.act`."""
        return _answer(await self._http.post(**self._acts, json={"action": action, "version": version}))["version"]

    async def stream(self) -> AsyncIterator[News]:
        """Like `Seat.stream`."""
        reader = _Reader(self._headers)
        while True:
            try:
                async with self._http.stream("GET", f"{self._url}/stream", headers=reader.headers) as response:
                    if not response.is_success:
                        await response.aread()
                        _answer(response)
                    async for line in response.aiter_lines():
                        if (news := reader.read(line)) is not None:
                            yield news
                        if reader.over:
                            return
                raise httpx.RemoteProtocolError("The stream ended before the game was over.")
            except httpx.TransportError as error:
                reader.lost(error)


class Client(httpx.Client):
    """An HTTP client for one server; use it in a `with` statement. `token` is the API token of a bot's account."""

    def __init__(self, address: str, token: str | None = None) -> None:
        super().__init__(base_url=address, timeout=TIMEOUT)
        self._account = {"Authorization": f"Bearer {token}"} if token else {}

    def start_table(self, game: str, seats: Sequence[str], **more: Any) -> list[Seat]:
        """Create a table for `me`, `open` seats and bots, with `more` as in `POST /api/tables`; return your seats."""
        made = _answer(self.post("/api/tables", json=_table(game, seats, more)))
        return [Seat(self, made["id"], int(seat), token) for seat, token in made["tokens"].items()]

    def sit_down(self, table: str, seat: int, name: str | None = None) -> Seat:
        """Take an open seat. Raises ApiError."""
        taken = _answer(self.post(f"/api/tables/{table}/seats/{seat}", json={"name": name}))
        return Seat(self, table, seat, taken["token"])

    def invitations(self) -> list[Invitation]:
        """Return the bot's invitations, and its games that are not over. Raises ApiError."""
        return _answer(self.get("/api/invitations", headers=self._account))

    def accept(self, table: str) -> Seat:
        """Take the seat that is reserved for the bot, or return to it. Raises ApiError."""
        taken = _answer(self.post(f"/api/invitations/{table}/accept", headers=self._account))
        return Seat(self, table, taken["seat"], taken["token"])

    def decline(self, table: str) -> None:
        """Decline an invitation. Raises ApiError."""
        _answer(self.post(f"/api/invitations/{table}/decline", headers=self._account))

    def games(self, pause: float = 5.0) -> Iterator[Seat]:
        """Accept every invitation; yield the bot's seat at each table once the game has started.

        It looks for invitations every `pause` seconds, and never ends. Games that an earlier run of the program has
        left come again. Raises ApiError.
        """
        known: set[str] = set()
        while True:
            for one in self.invitations():
                if not one["started"]:
                    self._join(one)
                elif one["accepted"] and one["table"] not in known:
                    known.add(one["table"])
                    yield self.accept(one["table"])
            time.sleep(pause)

    def _join(self, one: Invitation) -> None:
        """Accept an invitation, or be ready again after a change of options."""
        try:
            self.accept(one["table"])
        except ApiError as error:
            # The host may have taken it back, or its rules exclude the bot, such as a rated table with its owner.
            if not 400 <= error.status < 500 or error.status == 401:
                raise


class AsyncClient(httpx.AsyncClient):
    """Like `Client`, for asyncio; use it in an `async with` statement."""

    def __init__(self, address: str, token: str | None = None) -> None:
        super().__init__(base_url=address, timeout=TIMEOUT)
        self._account = {"Authorization": f"Bearer {token}"} if token else {}

    async def start_table(self, game: str, seats: Sequence[str], **more: Any) -> list[AsyncSeat]:
        """Like `Client.start_table`."""
        made = _answer(await self.post("/api/tables", json=_table(game, seats, more)))
        return [AsyncSeat(self, made["id"], int(seat), token) for seat, token in made["tokens"].items()]

    async def sit_down(self, table: str, seat: int, name: str | None = None) -> AsyncSeat:
        """Like `Client.sit_down`."""
        taken = _answer(await self.post(f"/api/tables/{table}/seats/{seat}", json={"name": name}))
        return AsyncSeat(self, table, seat, taken["token"])

    async def invitations(self) -> list[Invitation]:
        """Like `Client.invitations`."""
        return _answer(await self.get("/api/invitations", headers=self._account))

    async def accept(self, table: str) -> AsyncSeat:
        """Like `Client.accept`."""
        taken = _answer(await self.post(f"/api/invitations/{table}/accept", headers=self._account))
        return AsyncSeat(self, table, taken["seat"], taken["token"])

    async def decline(self, table: str) -> None:
        """Like `Client.decline`."""
        _answer(await self.post(f"/api/invitations/{table}/decline", headers=self._account))
