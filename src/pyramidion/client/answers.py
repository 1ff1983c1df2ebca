"""What both clients share: refusals, answers and the reader of the stream. It sends nothing itself."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

import httpx

from pyramidion.client.messages import Invitation, LegalAction, LegalRange, News

RETRIES = 8  # number of lost connections in a row after which a client gives up, after about 45 seconds


class ApiError(Exception):
    """A request that the server has refused, with the HTTP `status`, a word for the `error`, and the `problem`.

    The word is one such as `stale`, and the problem the whole details of the server's answer.
    """

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(status, problem)
        self.status, self.error, self.problem = status, str(problem.get("error", "")), problem

    def __str__(self) -> str:
        return str(self.problem.get("detail", f"The server answered with status {self.status}."))

    @property
    def fatal(self) -> bool:
        """Whether other requests would fail as well: the token is invalid, or the server has an error.

        Otherwise the host may have withdrawn an invitation, or the table's rules exclude the bot.
        """
        return self.status == 401 or not 400 <= self.status < 500


def answer(response: httpx.Response) -> Any:
    """Return a response's JSON, or None if it has no content. Raises ApiError if the server has refused the request."""
    if response.is_success:
        return response.json() if response.content else None
    raise ApiError(response.status_code, response.json() if "json" in response.headers.get("content-type", "") else {})


def next_page(response: httpx.Response) -> httpx.URL | str:
    """Return the address of the next page of a list, empty after the last one."""
    link = response.links.get("next", {}).get("url")
    return response.url.join(link) if link else ""


def first_id(entry: LegalAction | LegalRange) -> int:
    """Return the id of a legal action, or of the first one in a range."""
    return entry["id"] if "id" in entry else entry["first_id"]


def open_games(invitations: list[Invitation], joined: set[str]) -> list[Invitation]:
    """Return the invitations whose seats a bot should take.

    These are those to games that have not started, and the accepted ones to games that have, unless they are in
    `joined`.
    """
    return [game for game in invitations if not game["started"] or (game["accepted"] and game["table"] not in joined)]


class Patience:
    """Tolerates lost connections, though not too many in a row (`lost`), and says how many seconds to wait
    (`pause`).
    """

    lost, pause = 0, 0.0

    @contextmanager
    def connection(self) -> Generator[None]:
        """Context manager for one connection: counts it if it is lost.

        After too many lost connections in a row, it raises the error of the last one.
        """
        try:
            yield
            self.lost, self.pause = 0, 0.0
        except httpx.TransportError:
            self.lost, self.pause = self.lost + 1, min(10.0, 0.5 * 2**self.lost)
            if self.lost > RETRIES:
                raise


class StreamReader(Patience):
    """Parses server-sent events line by line, and remembers where to continue after a lost connection."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.headers, self.over = headers.copy(), False

    def read(self, line: str) -> News | None:
        """Return the message in a line of the stream; None for an id, a comment, or a change of players only."""
        if line.startswith("id:"):
            self.headers["Last-Event-ID"], self.lost = line[3:].strip(), 0
        news: dict[str, Any] = json.loads(line[5:]) if line.startswith("data:") else {}
        self.over = news.get("over", False)
        return cast("News", news) if "events" in news else None
