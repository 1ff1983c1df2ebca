# pyright: basic
"""Many seasons on one server: how long its pages and entries take beside those of a single table.

`.venv/bin/python benchmarks/seasons.py --seasons 100 --cast 12` makes the seasons in a server of its own, plays an
episode in each by hand-entered results, and then asks for pages at random, with entries in between.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.web.processes import ServerProcess


def main() -> None:
    """Print the times as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seasons", type=int, default=100)
    parser.add_argument("--cast", type=int, default=12)
    parser.add_argument("--requests", type=int, default=300)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server, server.client() as client:
        measure(client, given.seasons, given.cast, given.requests)


def measure(client: httpx.Client, seasons: int, cast: int, requests: int) -> None:
    """Make the seasons, then ask for everything at random."""
    client.timeout = httpx.Timeout(120)  # the first page of a table may wait for its rules to be compiled
    made = [season(client, cast) for _ in range(seasons)]
    seats = [{"kind": "bot", "bot": "random"}, {"kind": "me"}]
    table = client.post("/api/tables", json={"game": "pyramid-shambo", "seats": seats}).raise_for_status().json()["id"]
    chance = random.Random(1)

    def entry() -> httpx.Response:
        one, token = chance.choice(made)
        event = {"kind": "corrected", "contestant": "c3", "currency": "priority", "amount": 1}
        return client.post(f"/api/seasons/{one}/entries", headers=bearer(token), json={"event": event, "reason": "x"})

    asked: dict[str, Callable[[], httpx.Response]] = {
        "page of a table": lambda: client.get(f"/t/{table}"),
        "page of a season": lambda: client.get(f"/seasons/{chance.choice(made)[0]}"),
        "look for news": lambda: client.get(f"/seasons/{chance.choice(made)[0]}/now"),
        "season as JSON, to its host": lambda: host_view(client, *chance.choice(made)),
        "entry": entry,
    }
    for ask in asked.values():
        ask().raise_for_status()
    times: dict[str, list[float]] = {what: [] for what in asked}
    for _ in range(requests):
        for what, ask in asked.items():
            before = time.perf_counter()
            ask().raise_for_status()
            times[what].append((time.perf_counter() - before) * 1000)
    print(f"{seasons} seasons of {cast}, {requests} requests of each kind, one after the other; milliseconds")
    for what, row in times.items():
        row.sort()
        print(f"{what:30} median {statistics.median(row):6.1f}   95 % {row[int(len(row) * 0.95)]:6.1f}")


def season(client: httpx.Client, cast: int) -> tuple[str, str]:
    """Return a new season in its second episode: its id and its host's token."""
    body = {"title": "Load", "host": "Hal", "audience": "live"}
    made = client.post("/api/seasons", json=body).raise_for_status().json()
    one, token = made["id"], made["token"]

    def ask(path: str, **body: object) -> None:
        client.post(f"/api/seasons/{one}{path}", headers=bearer(token), json=body).raise_for_status()

    rows = "\n".join(f"Player {nth},8,{nth},random" for nth in range(cast))
    ask("/cast", csv=rows, apply=True)
    ask("/entries", event={"kind": "episode-opened"})
    ask("/entries", event={"kind": "result-entered", "candidate": "c1"})
    ask("/entries", event={"kind": "opponent-named", "opponent": "c2"})
    ask("/entries", event={"kind": "duel-entered", "loser": "c1"})
    ask("/step", step="elimination")
    ask("/entries", event={"kind": "episode-opened"})
    return one, token


def host_view(client: httpx.Client, one: str, token: str) -> httpx.Response:
    """Ask for a season as its host."""
    return client.get(f"/api/seasons/{one}", headers=bearer(token))


def bearer(token: str) -> dict[str, str]:
    """Return the header of a token."""
    return {"Authorization": f"Bearer {token}"}


if __name__ == "__main__":
    main()
