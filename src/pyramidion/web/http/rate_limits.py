"""Rate limits per address, seat and table.

Requests from this machine are not limited unless the settings say so, so that programs and benchmarks can run here.
Each server counts separately.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import ip_address

from starlette.types import Scope

from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.errors import TooMany
from pyramidion.web.settings import Settings

MOST_KEYS = 20_000
"""Maximum number of keys (addresses, seats) per limit; the least recently used is dropped."""
BURST_SECONDS = 10
"""Size of a burst, in seconds of the rate."""
MAILS_PER_HOUR = 5
"""Confirmation e-mails per hour, for each person and for each address."""
REPORTS_PER_HOUR = 10
"""Reports to the operators per hour, for each visitor and for each address."""
FREE = ("/health", "/ready", "/metrics", "/static/")


class TokenBucket:
    """Limits how often each key may do something: `per_second` times on average, and at most `burst` times at once."""

    def __init__(self, per_second: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = per_second, burst, now
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable) -> float:
        """Take a token of a key and return 0; if it has none, return the seconds until there is one."""
        now = self._now()
        left, at = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[key] = (left if wait else left - 1, now)
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
        return wait


class RateLimits:
    """Counts what visitors do against the limits of the server's settings, and refuses what exceeds them."""

    def __init__(self, settings: Settings) -> None:
        s = settings
        self._everybody = s.limit_loopback
        self._requests = TokenBucket(s.requests_per_second, s.requests_per_second * BURST_SECONDS)
        self._actions = TokenBucket(s.actions_per_second, s.actions_per_second * BURST_SECONDS)
        self._tables = TokenBucket(s.tables_per_hour / 3600, s.tables_per_hour / 2)
        self._runs = TokenBucket(s.lab_runs_per_hour / 3600, s.lab_runs_per_hour / 4)
        self._mails = TokenBucket(MAILS_PER_HOUR / 3600, MAILS_PER_HOUR)
        self._mails_there = TokenBucket(4 * MAILS_PER_HOUR / 3600, 4 * MAILS_PER_HOUR)
        self._reports = TokenBucket(REPORTS_PER_HOUR / 3600, REPORTS_PER_HOUR)
        self._attempts = TokenBucket(s.attempts_per_minute / 60, s.attempts_per_minute)
        self._lines = TokenBucket(s.lines_per_minute / 60, s.lines_per_minute / 3)
        self._most_here, self._most_there = s.streams_per_address, s.streams_per_table
        self._streams: Counter[Hashable] = Counter()

    def request(self, scope: Scope) -> None:
        """Count a request. Raises TooMany if its address is over the limit."""
        address = self._counted(scope)
        if address is None or scope["path"].startswith(FREE):
            return
        _refuse(self._requests.take(address), _("Too many requests from your address. Try again in {time}."))
        if scope["method"] == "POST" and scope["path"] in ("/play", "/tables", "/api/tables"):
            self.table(scope)

    def table(self, scope: Scope) -> None:
        """Count a new table. Raises TooMany if its address has created too many."""
        address = self._counted(scope)
        if address is not None:
            sentence = _("Too many tables created from your address. Try again in {time}.")
            _refuse(self._tables.take(address), sentence)

    def run(self, scope: Scope) -> None:
        """Count a simulation that is started in the lab. Raises TooMany if its address has started too many."""
        address = self._counted(scope)
        if address is not None:
            _refuse(self._runs.take(address), _("Too many runs started from your address. Try again in {time}."))

    def action(self, scope: Scope, table: str, seat: int | None) -> None:
        """Count an attempt to act. Raises TooMany if the seat is over the limit."""
        if seat is not None and self._counted(scope) is not None:
            sentence = _("Your seat is sending moves too fast. Try again in {time}.")
            _refuse(self._actions.take((table, seat)), sentence)

    def attempt(self, scope: Scope, name: str | None = None, browser: str | None = None) -> None:
        """Count an attempt to enter a secret, such as a password or a code. Raises TooMany if there were too many.

        It counts for the address and for an account's `name`, which many addresses may be trying. A `browser` which has
        signed in to that account before has a separate allowance that nobody else can use up.
        """
        address = self._counted(scope)
        if address is not None:
            shared = [address] if name is None else [address, ("name", name)]
            for key in shared if browser is None else [("known", browser, name)]:
                _refuse(self._attempts.take(key), _("Too many attempts. Try again in {time}."))

    def line(self, scope: Scope, table: str, seat: int | None) -> None:
        """Count a chat message. Raises TooMany if its seat, or a spectator's address, is over the limit."""
        address = self._counted(scope)
        if address is not None:
            who = (table, seat) if seat is not None else (table, address)
            _refuse(self._lines.take(who), _("You are sending messages too fast. Try again in {time}."))

    def report(self, scope: Scope, person: str) -> None:
        """Count a report to the operators. Raises TooMany after too many by the visitor or from the address."""
        address = self._counted(scope)
        for key in (("person", person), *([("address", address)] if address is not None else [])):
            _refuse(self._reports.take(key), _("Too many reports. Try again in {time}."))

    def mail(self, scope: Scope, person: str, to: str) -> None:
        """Count an e-mail to an unconfirmed address. Raises TooMany after too many for the person, or to the address.

        Requests from this machine count as well, since the e-mails go to other people.
        """
        what = _("Too many e-mails requested. Try again in {time}.")
        address = self._counted(scope)
        for key in (("person", person), ("to", to)):
            _refuse(self._mails.take(key), what)
        if address is not None:
            _refuse(self._mails_there.take(address), what)

    @contextmanager
    def stream(self, scope: Scope, table: str) -> Generator[None]:
        """Context manager: count an event stream while it is open.

        Raises TooMany if its address or its table has too many open streams.
        """
        address = self._counted(scope)
        if address is None:
            yield
            return
        keys = ("address", address), ("table", table)
        by_address = _("Your address has reached its limit of {limit} open streams. Close one and try again.")
        by_table = _("This table has reached its limit of {limit} open streams. Close one and try again.")
        for key, limit, sentence in zip(keys, (self._most_here, self._most_there), (by_address, by_table), strict=True):
            if self._streams[key] >= limit:
                raise TooMany(sentence.format(limit=limit))
        self._streams.update(keys)
        try:
            yield
        finally:
            for key in keys:
                self._streams[key] -= 1
                if not self._streams[key]:
                    del self._streams[key]

    def _counted(self, scope: Scope) -> str | None:
        """Return the client's address if its requests count, else None: this machine's are free by default."""
        address = address_of(scope)
        return None if not self._everybody and is_loopback(address) else address


def address_of(scope: Scope) -> str:
    """Return the address under which a request's client is counted; for IPv6, its /64 network."""
    client = scope.get("client")
    return _normalised_address(client[0]) if client else ""


@lru_cache(maxsize=4096)
def _normalised_address(host: str) -> str:
    """Normalise an IP address to the text under which it is counted; return a text that is no IP address unchanged."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        # A client with one IPv6 address controls the whole /64 network.
        return f"{ip_address(int(address) >> 64 << 64)}/64" if not address.is_loopback else "::1"
    return str(address)


def is_loopback(address: str) -> bool:
    """Return whether an IP address means this machine itself."""
    return address.startswith("127.") or address == "::1"


def _refuse(wait: float, sentence: str) -> None:
    """Raise TooMany with a sentence, whose `{time}` is filled in, if there are seconds to wait; do nothing for 0."""
    if wait:
        seconds = max(1, round(wait))
        raise TooMany(sentence.format(time=duration(seconds)), retry_after=seconds)
