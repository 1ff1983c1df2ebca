# pyright: basic
"""Many seasons on one server: what its pages, actions and entries cost beside those of a server with a single season.

`.venv/bin/python benchmarks/seasons.py --seasons 1 10 100` starts a server for each number. Every season has played an
episode with results entered by hand, and is in the main match of its second one: two tables of Pyramid-Sham-Bo, one of
which waits for a person. Requests then go to seasons and tables chosen at random, one after the other, and the server's
processor time is read before and after those of each kind.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.web.conftest import Player
from tests.web.processes import ServerProcess

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Season:
    """A season of the benchmark: its id, its host's token, the table that waits for a person, and their token."""

    id: str
    host: str
    table: str
    person: str


def main() -> None:
    """Print the times as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seasons", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--cast", type=int, default=12)
    parser.add_argument("--requests", type=int, default=200)
    given = parser.parse_args()
    print(f"cast of {given.cast}, {given.requests} requests of each kind; load average {os.getloadavg()[0]:.1f}")
    print("milliseconds: processor time of the server for each request, and wall time in the middle and at 95 %")
    for count in given.seasons:
        with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server:
            with server.client() as client:
                measure(server, client, count, given.cast, given.requests)
            server.close()
            began = time.perf_counter()
            server.start()
            started = time.perf_counter() - began
            with server.client() as client:
                client.get("/healthz")
                time_idle(server, started)


def measure(server: ServerProcess, client: httpx.Client, seasons: int, cast: int, requests: int) -> None:
    """Make the seasons, then ask for everything at random."""
    client.timeout = httpx.Timeout(120)  # the first page of a table may wait for its rules to be compiled
    made = [season(client, cast) for _ in range(seasons)]
    chance = random.Random(1)
    single = Table(client)

    def entry() -> httpx.Response:
        one = chance.choice(made)
        event = {"kind": "corrected", "contestant": "c3", "currency": "tokens", "amount": 1}
        return client.post(
            f"/api/seasons/{one.id}/entries", headers=bearer(one.host), json={"event": event, "reason": "x"}
        )

    asked: dict[str, Callable[[], httpx.Response]] = {
        "page of a table": lambda: client.get(f"/t/{single.id}"),
        "page of a season's table": lambda: client.get(f"/t/{chance.choice(made).table}"),
        "look and act at a table": single.act,
        "page of a season": lambda: client.get(f"/seasons/{chance.choice(made).id}"),
        "look for news": lambda: client.get(f"/seasons/{chance.choice(made).id}/now"),
        "season as JSON, to its host": lambda: host_view(client, chance.choice(made)),
        "entry": entry,
    }
    for ask in asked.values():
        ask().raise_for_status()
    for one in made:  # the table of bots is over, and nothing is computed any more
        while sum(not played["winners"] for played in host_view(client, one).json()["episodes"][-1]["tables"]) > 1:
            time.sleep(0.1)
    while idle(server, 2) > 0.05:
        pass
    print(f"\n{seasons} season{'s' if seasons > 1 else ''}, {memory(server)} MB")
    for what, ask in asked.items():
        before, times = processor(server), list[float]()
        for _ in range(requests):
            begun = time.perf_counter()
            ask().raise_for_status()
            times.append((time.perf_counter() - begun) * 1000)
        spent = (processor(server) - before) / requests * 1000
        times.sort()
        print(
            f"{what:30} cpu {spent:6.2f}   median {statistics.median(times):6.1f}   "
            f"95 % {times[int(len(times) * 0.95)]:6.1f}"
        )


def time_idle(server: ServerProcess, started: float) -> None:
    """Print how long the server took to start again, and what it does with nobody there."""
    time.sleep(20)
    print(f"started again in {started:.1f} s; idle: {idle(server, 10):.1%} of a core, {memory(server)} MB")


def idle(server: ServerProcess, seconds: float) -> float:
    """Return the share of a core that a server uses while nobody asks for anything."""
    before, begun = processor(server), time.perf_counter()
    time.sleep(seconds)
    return (processor(server) - before) / (time.perf_counter() - begun)


class Table:
    """A table of Pyramis that belongs to no season, all of whose seats are played by one program."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self._open()

    def _open(self) -> None:
        self.player = Player(self.client, seats=("me", "me"), game="pyramis")
        self.id = self.player.id

    def act(self) -> httpx.Response:
        """Look who is to act, list the legal actions, and play one of them; a match that is over is replaced."""
        while True:
            for seat in self.player.get()["acting"]:
                answer = self.player.get("/legal", seat)
                if answer["legal"]:
                    return self.player.post(seat, random.choice(answer["legal"])["text"], answer["version"])
            self._open()


def season(client: httpx.Client, cast: int) -> Season:
    """Return a new season in its second episode, in which a table waits for a person."""
    body = {"title": "Load", "host": "Hal", "audience": "live"}
    made = client.post("/api/seasons", json=body).raise_for_status().json()
    one, token = made["id"], made["token"]

    def ask(path: str, method: str = "POST", **body: object) -> dict:
        answer = client.request(method, f"/api/seasons/{one}{path}", headers=bearer(token), json=body or None)
        return answer.raise_for_status().json()

    rows = "\n".join([f"Player {nth},8,{nth},random" for nth in range(cast)] + ["Nina,8,3"])
    ask("/cast", csv=rows, apply=True)
    ask("/entries", event={"kind": "episode-opened"})
    ask("/entries", event={"kind": "result-entered", "candidate": "c1"})
    ask("/entries", event={"kind": "opponent-named", "opponent": "c2"})
    ask("/entries", event={"kind": "duel-entered", "loser": "c1"})
    ask("/step", step="elimination")
    link = next(found["token"] for found in ask("/links", "GET") if found["name"] == "Nina")
    joined = client.post(f"/api/seasons/{one}/join", json={"code": link}).raise_for_status().json()
    shown = ask("/step", step="open", game="pyramid-shambo")
    table = next(played for played in shown["episodes"][-1]["tables"] if joined["who"] in played["cast"])
    return Season(one, token, table["table"], joined["token"])


def host_view(client: httpx.Client, one: Season) -> httpx.Response:
    """Ask for a season as its host."""
    return client.get(f"/api/seasons/{one.id}", headers=bearer(one.host))


def bearer(token: str) -> dict[str, str]:
    """Return the header of a token."""
    return {"Authorization": f"Bearer {token}"}


def processor(server: ServerProcess) -> float:
    """Return the seconds of processor time that a server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(server: ServerProcess) -> int:
    """Return the memory of a server, in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


if __name__ == "__main__":
    main()
