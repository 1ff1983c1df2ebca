"""Prometheus metrics: counted as plain numbers, formatted when they are requested."""

from __future__ import annotations

import hmac
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

import pyramidion
from pyramidion.web.http.rate_limits import address_of, is_loopback
from pyramidion.web.http.services import Service
from pyramidion.web.settings import Settings

if TYPE_CHECKING:
    from pyramidion.bots.thread_pool import ThreadPools
    from pyramidion.web.db.writer import Writer
    from pyramidion.web.table.tables import Tables
    from pyramidion.web.table.views.channels import Channel

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the histogram's buckets, in seconds."""


class Metrics(Collector):
    """Counts responses and actions since the server started, and reports them to Prometheus."""

    def __init__(self, tables: Tables, streams: Callable[[], int], writer: Writer, thinking: ThreadPools) -> None:
        """Create the counters of a server; `streams` returns the number of open event streams."""
        self._tables, self._streams, self._writer, self._thinking = tables, streams, writer, thinking
        self._answers: Counter[tuple[str, int]] = Counter()
        self._acted = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0
        self.registry = CollectorRegistry()
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    def answered(self, method: str, status: int) -> None:
        """Count a response to a request, by method and status."""
        self._answers[method, status] += 1

    def acted(self, seconds: float) -> None:
        """Count an accepted action, with the seconds from request to response."""
        self._acted[bisect_left(BUCKETS, seconds)] += 1
        self._seconds += seconds

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics; called by the Prometheus client."""
        answers = CounterMetricFamily("pyramidion_answers", "Requests answered.", labels=["method", "status"])
        for (method, status), count in self._answers.items():
            answers.add_metric([method, str(status)], count)
        yield answers
        total = 0
        buckets: list[tuple[str, float]] = []
        for end, count in zip([*map(str, BUCKETS), "+Inf"], self._acted, strict=True):
            total += count
            buckets.append((end, total))
        description = "Actions that were made, on pages and over the API, from arrival to answer."
        yield HistogramMetricFamily("pyramidion_action_seconds", description, buckets=buckets, sum_value=self._seconds)
        writer = self._writer
        yield CounterMetricFamily("pyramidion_stored_plies", "Actions that are on the disk.", value=writer.plies)
        yield CounterMetricFamily("pyramidion_commits", "Transactions, of one change or many.", value=writer.groups)
        yield CounterMetricFamily("pyramidion_failed_writes", "Changes that could not be saved.", value=writer.failures)
        yield GaugeMetricFamily("pyramidion_tables_in_memory", "Tables in memory.", value=self._tables.in_memory)
        yield GaugeMetricFamily("pyramidion_streams", "Open event streams.", value=self._streams())
        present = sum(bool(channel.streams) for channel in self._channels())
        yield GaugeMetricFamily("pyramidion_people_present", "Seats whose player has the table open.", value=present)
        waiting = GaugeMetricFamily("pyramidion_bot_queue", "Tables that wait for a bot's thread.", labels=["pool"])
        for name, pool in (("quick", self._thinking.quick), ("deep", self._thinking.deep)):
            waiting.add_metric([name], pool.waiting)
        yield waiting
        yield InfoMetricFamily("pyramidion", "The version of the server.", value={"version": pyramidion.__version__})
        hears = self._tables.listener.connected
        yield GaugeMetricFamily("pyramidion_hears_others", "Whether changes by other servers arrive.", value=int(hears))
        yield GaugeMetricFamily("pyramidion_saving", "Whether actions can be stored.", value=int(writer.saving))

    def _channels(self) -> Iterable[Channel]:
        """Yield the channels of the seats at the tables in memory; spectators have none."""
        for table in self._tables.cached_tables().values():
            yield from (channel for seat, channel in table.viewers.channels.items() if seat is not None)


async def metrics(request: Request, settings: Service[Settings], counted: Service[Metrics]) -> Response:
    """Answer requests from this machine, or with the token of the settings; to all others the page does not exist."""
    token = settings.metrics_token
    given = request.headers.get("authorization", "").encode()
    if token is not None:
        allowed = hmac.compare_digest(given, b"Bearer " + token.get_secret_value().encode())
    else:
        allowed = is_loopback(address_of(request.scope))
    if not allowed:
        return PlainTextResponse("Page not found.", 404)
    return Response(generate_latest(counted.registry), media_type=CONTENT_TYPE_LATEST)
