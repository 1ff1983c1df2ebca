# pyright: basic
"""Many seasons on one server, with a person of each at once, beside a single table that belongs to no season.

`.venv/bin/python benchmarks/seasons.py --seasons 1 100` starts a server on the loopback for each number. Every season
has a cast of 12 and a log of some 200 entries, has played an episode, and is in the main match of its second one: two
tables of Pyramid-Sham-Bo, one of which waits for a person. Each of these people is a client with a connection of its
own. For every kind of request all of them send at the same time, each after pauses of its own, as people do, while the
server's processor time is counted. As many clients do the same at plain tables of the same game with the same bots,
each at its own; and all of them ask for the page of one plain table, of which the server makes parts once for all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.web.helpers.accounts import Person
from tests.web.helpers.processes import ServerProcess

TICKS = os.sysconf("SC_CLK_TCK")
BOTS = 5
"""Bots at every table at which a client acts."""
Ask = Callable[["Client"], Awaitable[bool]]


@dataclass
class Client:
    """A person in a browser at one table; `season` and `host` (the token of its host) are empty at a plain table."""

    web: httpx.AsyncClient
    csrf: str
    table: str
    season: str = ""
    host: str = ""


def main() -> None:
    """Measure with each number of seasons, and print the times as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seasons", type=int, nargs="+", default=[1, 100])
    parser.add_argument("--seconds", type=float, default=12, help="how long each kind of request is sent, at most")
    parser.add_argument("--pause", type=float, default=4, help="mean seconds between two requests of a client")
    given = parser.parse_args()
    for count in given.seasons:
        with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server:
            asyncio.run(measure(server, count, given.seconds, given.pause))
            server.close()
            began = time.perf_counter()
            server.start()
            started = time.perf_counter() - began
            with server.client() as client:
                client.get("/healthz")
            time.sleep(20)
            print(f"started again in {started:.1f} s; idle: {idle(server, 10):.1%} of a core, {memory(server)} MB")


async def measure(server: ServerProcess, count: int, seconds: float, pause: float) -> None:
    """Make `count` plain tables and seasons, send each kind of request from all clients, and print the times."""
    plain = [plain_client(server) for _ in range(count)]
    people = [season_client(server, number) for number in range(count)]
    while idle(server, 2) > 0.05:
        pass
    first_table, table_of_ten_seats = plain[0].table, table_of_ten(server)
    load, names = os.getloadavg()[0], f"{'cpu':>6} {'50 %':>7} {'95 %':>7} {'99 %':>7} {'requests':>9} {'plies':>6}"
    print(
        f"\n{count} season{'s' if count > 1 else ''} with a client each, {memory(server)} MB; load average {load:.1f}"
    )
    print(f"{'milliseconds':42} {names}")
    kinds: list[tuple[str, Sequence[Client], Ask]] = [
        ("page of one plain table, for all", plain, lambda client: page(client, f"/t/{first_table}")),
        ("page of one plain table of ten, for all", plain, lambda client: page(client, f"/t/{table_of_ten_seats}")),
        ("page of a plain table", plain, lambda client: page(client, f"/t/{client.table}")),
        ("page of a season's table", people, lambda client: page(client, f"/t/{client.table}")),
        ("chat beside a plain table", plain, lambda client: page(client, f"/t/{client.table}/chat?part=1")),
        (
            "conversations beside the board",
            people,
            lambda client: page(client, f"/seasons/{client.season}/talk?part=1"),
        ),
        ("action at a plain table", plain, act),
        ("action at a season's table", people, act),
        ("page of a season", people, lambda client: page(client, f"/seasons/{client.season}")),
        ("look for news of a season", people, lambda client: page(client, f"/seasons/{client.season}/now")),
        ("entry in a season's log, by its host", people, entry),
        ("message to another contestant", people, say),
    ]
    for _what, clients, ask in kinds:
        await ask(clients[0])  # whatever is made the first time
    for what, clients, ask in kinds:
        before, played = processor(server), plies(server)
        times = [
            spent for sent in await asyncio.gather(*(send(c, ask, seconds, pause) for c in clients)) for spent in sent
        ]
        spent, times = processor(server) - before, sorted(times)
        shares = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.95, 0.99)]
        cells = " ".join(f"{spent * 1000:7.1f}" for spent in shares)
        made = (plies(server) - played) / len(times)
        print(f"{what:42} {spent / len(times) * 1000:6.2f} {cells} {len(times):9} {made:6.1f}")
    for client in (*plain, *people):
        await client.web.aclose()


async def send(client: Client, ask: Ask, seconds: float, pause: float) -> list[float]:
    """Send one client's requests with pauses for some seconds; return how long each successful one took."""
    chance, times = random.Random(client.table), []
    end = time.perf_counter() + seconds
    await asyncio.sleep(chance.random() * pause)
    while not times or time.perf_counter() < end:
        begun = time.perf_counter()
        if await ask(client):
            times.append(time.perf_counter() - begun)
        elif time.perf_counter() > end:
            break  # the match is over, or waits for bots
        await asyncio.sleep(chance.random() * 2 * pause)
    return times


async def page(client: Client, path: str) -> bool:
    """Get a page for a client; always return True."""
    (await client.web.get(path)).raise_for_status()
    return True


async def act(client: Client) -> bool:
    """Play a random legal action for a client; return whether it was played.

    What bots do then is measured as well. How much that is depends on the match, so compare tables by the plies of an
    action, too.
    """
    path = f"/api/tables/{client.table}"
    legal = (await client.web.get(f"{path}/legal")).raise_for_status().json()
    if not legal["legal"]:
        return False
    body = {"action": random.choice(legal["legal"])["text"], "version": legal["version"]}
    answer = await client.web.post(f"{path}/actions", json=body, headers={"x-csrf": client.csrf})
    if answer.status_code == 409:  # a bot has been quicker
        return False
    answer.raise_for_status()
    return True


async def entry(client: Client) -> bool:
    """Add an entry to a season's log, as its host; always return True."""
    event = {"kind": "corrected", "contestant": "c3", "currency": "tokens", "amount": 1}
    body, headers = {"event": event, "reason": "Counted again."}, {"Authorization": f"Bearer {client.host}"}
    (await client.web.post(f"/api/seasons/{client.season}/entries", json=body, headers=headers)).raise_for_status()
    return True


async def say(client: Client) -> bool:
    """Send a message to another contestant of the season; always return True."""
    body = {"event": {"kind": "said", "to": "c3", "text": "Together?"}}
    path = f"/api/seasons/{client.season}/talk"
    (await client.web.post(path, json=body, headers={"x-csrf": client.csrf})).raise_for_status()
    return True


def idle(server: ServerProcess, seconds: float) -> float:
    """Return which share of a core a server uses while no requests are sent."""
    before, begun = processor(server), time.perf_counter()
    time.sleep(seconds)
    return (processor(server) - before) / (time.perf_counter() - begun)


def browser(server: ServerProcess) -> Person:
    """Return a new browser whose requests may take as long as compiling the rules of a game."""
    person = Person(SimpleNamespace(address=server.url))
    person.timeout = httpx.Timeout(120)
    return person


def client_of(server: ServerProcess, person: Person, table: str, season: str = "", host: str = "") -> Client:
    """Return an asynchronous client with a browser's cookies; the browser is closed."""
    web = httpx.AsyncClient(base_url=server.url, cookies=person.cookies, timeout=120)
    person.close()
    return Client(web, person.csrf, table, season, host)


def table_of_ten(server: ServerProcess) -> str:
    """Start a table of ten seats outside any season, of a game as large as a season; return its id."""
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * 9]
    with server.client() as client:
        client.timeout = httpx.Timeout(300)  # its rules may have to be compiled
        made = client.post("/api/tables", json={"game": "upside-down", "seats": seats})
        return made.raise_for_status().json()["id"]


def plain_client(server: ServerProcess) -> Client:
    """Start a table outside any season, with as many bots as a season's, and return the client of its player."""
    person = browser(server)
    table = person.start(
        "me", *["bot:random"] * BOTS, **{"option-turn_limit": "1000", "option-tie_limit": "20", "me": "Nina"}
    )
    return client_of(server, person, table)


def season_client(server: ServerProcess, number: int) -> Client:
    """Make a season in its second episode; return the client of a contestant at a table that waits for them."""
    person = browser(server)
    body = {"title": f"Load {number}", "host": "Hal", "audience": "live", "talk": "private", "garnets": "public"}
    with server.client() as client:
        client.timeout = httpx.Timeout(120)
        made = client.post("/api/seasons", json=body).raise_for_status().json()
        season, token = made["id"], made["token"]

        def ask(path: str, method: str = "POST", **fields: Any) -> Any:
            """Send a request to the season's JSON API as its host; return the answer."""
            headers = {"Authorization": f"Bearer {token}"}
            answer = client.request(method, f"/api/seasons/{season}{path}", headers=headers, json=fields or None)
            return answer.raise_for_status().json()

        names = [*(f"Player {nth}" for nth in range(11)), "Nina"]
        for times in range(8):  # corrections make the log as long as that of a season that has gone on for a while
            rows = (
                f"{name},{8 + times},{nth + times},{'' if name == 'Nina' else 'random'}"
                for nth, name in enumerate(names)
            )
            ask("/cast", csv="\n".join(rows), apply=True)
        ask("/entries", event={"kind": "episode-opened"})
        ask("/entries", event={"kind": "result-entered", "candidate": "c1"})
        ask("/entries", event={"kind": "opponent-named", "opponent": "c2"})
        ask("/entries", event={"kind": "duel-entered", "loser": "c1"})
        ask("/step", step="elimination")
        ask("/cast", csv="Player 12,8,3,random", apply=True)
        link = next(entry["token"] for entry in ask("/links", "GET") if entry["name"] == "Nina")
        person.say(f"/seasons/{season}/join", code=link)
        state = ask("/step", step="open", game="pyramid-shambo")
    nina = next(entry["id"] for entry in state["cast"] if entry["name"] == "Nina")
    table = next(entry["table"] for entry in state["episodes"][-1]["tables"] if nina in entry["cast"])
    return client_of(server, person, table, season, token)


def processor(server: ServerProcess) -> float:
    """Return how many seconds of processor time a server has used so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def plies(server: ServerProcess) -> int:
    """Return how many actions have been played at all tables of a server, those of bots included."""
    with closing(sqlite3.connect(server.folder / "pyramidion.sqlite3")) as database:
        return database.execute("SELECT count(*) FROM plies").fetchone()[0]


def memory(server: ServerProcess) -> int:
    """Return how much memory a server uses, in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


if __name__ == "__main__":
    main()
