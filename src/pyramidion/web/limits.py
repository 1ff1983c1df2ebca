"""How much one address, one seat and one table may ask for; what is too much is refused.

Requests from this machine itself are not counted unless the settings say so: programs that play here, and benchmarks.
Each server counts for itself.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import ip_address

from starlette.types import Scope

from pyramidion.web.clock import duration
from pyramidion.web.errors import TooMany
from pyramidion.web.settings import Settings
from pyramidion.words import _

MOST_KEYS = 20_000
"""Addresses and seats that are remembered; whoever has asked for nothing the longest is forgotten."""
BURST_SECONDS = 10
"""How many seconds' worth may come at once."""
MAILS_PER_HOUR = 5
"""Questions whether an e-mail address is somebody's: from one person, and to one address."""
FREE = ("/health", "/ready", "/metrics", "/static/")


class Allowance:
    """So many a second each, and `burst` at once (a token bucket for each key)."""

    def __init__(self, per_second: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = per_second, burst, now
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable) -> float:
        """Count one; return 0, or in how many seconds there would be one, which is then not counted."""
        now = self._now()
        left, at = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[key] = (left if wait else left - 1, now)
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
        return wait


class Limits:
    """The server's limits, as its settings have them."""

    def __init__(self, settings: Settings) -> None:
        s = settings
        self._everybody = s.limit_loopback
        self._requests = Allowance(s.requests_per_second, s.requests_per_second * BURST_SECONDS)
        self._actions = Allowance(s.actions_per_second, s.actions_per_second * BURST_SECONDS)
        self._tables = Allowance(s.tables_per_hour / 3600, s.tables_per_hour / 2)
        self._mails = Allowance(MAILS_PER_HOUR / 3600, MAILS_PER_HOUR)
        self._mails_there = Allowance(4 * MAILS_PER_HOUR / 3600, 4 * MAILS_PER_HOUR)
        self._attempts = Allowance(s.attempts_per_minute / 60, s.attempts_per_minute)
        self._lines = Allowance(s.lines_per_minute / 60, s.lines_per_minute / 3)
        self._most_here, self._most_there = s.streams_per_address, s.streams_per_table
        self._streams: Counter[Hashable] = Counter()

    def request(self, scope: Scope) -> None:
        """Count a request. Raises TooMany for one that its address has no allowance for."""
        address = self._counted(scope)
        if address is None or scope["path"].startswith(FREE):
            return
        _refuse(self._requests.take(address), _("Too many requests come from your address; wait {time} and try again."))
        if scope["method"] == "POST" and scope["path"] in ("/tables", "/api/tables"):
            _refuse(
                self._tables.take(address),
                _("Too many tables have been started from your address; wait {time} and try again."),
            )

    def action(self, scope: Scope, table: str, seat: int | None) -> None:
        """Count an attempt to act. Raises TooMany for one that its seat has no allowance for."""
        if seat is not None and self._counted(scope) is not None:
            said = _("Your seat acts faster than anybody can follow; wait {time} and try again.")
            _refuse(self._actions.take((table, seat)), said)

    def attempt(self, scope: Scope, *names: str) -> None:
        """Count an attempt to open something with a secret: a password, a code. Raises TooMany.

        It counts for the address, and for each of `names`, which many addresses may be trying.
        """
        address = self._counted(scope)
        if address is not None:
            for key in (address, *(("name", name) for name in names)):
                _refuse(self._attempts.take(key), _("Too many attempts have been made; wait {time} and try again."))

    def line(self, scope: Scope, table: str, seat: int | None) -> None:
        """Count a line of the chat. Raises TooMany for one that its seat, or who watches, has no allowance for."""
        address = self._counted(scope)
        if address is not None:
            who = (table, seat) if seat is not None else (table, address)
            _refuse(self._lines.take(who), _("You write faster than anybody can read; wait {time} and try again."))

    def mail(self, scope: Scope, person: str, to: str) -> None:
        """Count a mail that somebody wants sent to an address that may not be theirs. Raises TooMany.

        These are counted from this machine, too: they go to people.
        """
        what = _("Too many mails have been asked for; wait {time} and try again.")
        address = self._counted(scope)
        for key in (("person", person), ("to", to)):
            _refuse(self._mails.take(key), what)
        if address is not None:
            _refuse(self._mails_there.take(address), what)

    @contextmanager
    def stream(self, scope: Scope, table: str) -> Generator[None]:
        """Count an event stream while it is open. Raises TooMany where its address or table has its fill of them."""
        address = self._counted(scope)
        if address is None:
            yield
            return
        keys = ("address", address), ("table", table)
        here = _("There are {limit} open streams from your address already, which is the limit; close one first.")
        there = _("There are {limit} open streams at this table already, which is the limit; close one first.")
        for key, most, said in zip(keys, (self._most_here, self._most_there), (here, there), strict=True):
            if self._streams[key] >= most:
                raise TooMany(said.format(limit=most))
        self._streams.update(keys)
        try:
            yield
        finally:
            for key in keys:
                self._streams[key] -= 1
                if not self._streams[key]:
                    del self._streams[key]

    def _counted(self, scope: Scope) -> str | None:
        address = address_of(scope)
        return None if not self._everybody and is_loopback(address) else address


def address_of(scope: Scope) -> str:
    """Return who asks: an address of version 4, or the /64 network that one of version 6 is in."""
    client = scope.get("client")
    return _known_as(client[0]) if client else ""


@lru_cache(maxsize=4096)
def _known_as(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        # Whoever has one such address has all of its network.
        return f"{ip_address(int(address) >> 64 << 64)}/64" if not address.is_loopback else "::1"
    return str(address)


def is_loopback(address: str) -> bool:
    """Whether an address is this machine's own."""
    return address.startswith("127.") or address == "::1"


def _refuse(wait: float, said: str) -> None:
    """Raise TooMany with a sentence that has a place for the time, where there is something to wait for."""
    if wait:
        seconds = max(1, round(wait))
        raise TooMany(said.format(time=duration(seconds)), retry_after=seconds)
