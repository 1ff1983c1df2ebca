# pyright: basic
"""How long a player waits for quick bots: alone, and beside many tables of Hard bots that play all the time.

    python benchmarks/web_bots.py [--tables 100] [--seconds 30] [--players 4] [--bots easy] [--game pyramis]

Each player sits at a table of their own with two quick bots and acts at once, at random, whenever it is their turn.
Measured is from the answer to an action until it is the player's turn again, at the usual pace of bots.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from typing import Any

from web_client import Clock, Connection, Listener, ServerProcess, bearer, percentiles, report, run, server


class Player:
    """A program in seat 0 that measures how long it waits for the bots at its table."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def play(self, game: str, bot: str, until: float) -> list[float]:
        """Play games until the time is up; return the seconds of each wait."""
        waits: list[float] = []
        while time.perf_counter() < until:
            waits += await self._game(game, bot, until)
        return waits

    async def _game(self, game: str, bot: str, until: float) -> list[float]:
        connection = await Connection.open(self.port)
        seats = [{"kind": "me"}, *[{"kind": "bot", "bot": bot}] * 2]
        table = await connection.json("POST", "/api/tables", {"game": game, "seats": seats})
        path, key = f"/api/tables/{table['id']}", bearer(table["tokens"]["0"])
        news: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        stream = await Listener.open(self.port, f"{path}/stream", lambda data: news.put_nowait(json.loads(data)), key)
        waits, acted, others = list[float](), None, False
        while time.perf_counter() < until:
            message = await asyncio.wait_for(news.get(), 120)
            if message.get("over"):
                break
            if not message.get("legal"):
                others = others or bool(message.get("acting"))
                continue
            if acted is not None and others:
                waits.append(time.perf_counter() - acted)
            entry = random.choice(message["legal"])
            action = entry["id"] if "id" in entry else entry["first_id"]
            await connection.json("POST", f"{path}/actions", {"action": action, "version": message["version"]}, key)
            acted, others = time.perf_counter(), False
        stream.close()
        connection.close()
        return waits


async def measure(process: ServerProcess, game: str, bot: str, players: int, seconds: float) -> dict[str, Any]:
    """Let some players play for some seconds; return how long they waited."""
    clock, until = Clock(process), time.perf_counter() + seconds
    played = await asyncio.gather(*(Player(process.port).play(game, bot, until) for _ in range(players)))
    waits = [wait for waited in played for wait in waited]
    wall, server_share, _ = clock.shares()
    return {
        "seconds": round(wall, 1),
        "waits": len(waits),
        "wait_ms": percentiles(waits),
        "server_processors": server_share,
    }


async def beside_hard(process: ServerProcess, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure without and then beside tables of Hard bots; return both, and how many moves the Hard bots made."""
    await process.ready()
    how = asked.game, asked.bots, asked.players, asked.seconds
    alone = await measure(process, *how)
    connection = await Connection.open(process.port)
    order = {"game": asked.game, "seats": [{"kind": "bot", "bot": "hard"}] * 3}
    tables = [(await connection.json("POST", "/api/tables", order))["id"] for _ in range(asked.tables)]

    async def moves() -> int:
        """Return how many moves the Hard bots have made so far."""
        return sum([(await connection.json("GET", f"/api/tables/{table}"))["version"] for table in tables])

    before = await moves()
    beside = await measure(process, *how)
    return {"alone": alone, "beside_hard": beside, "hard_tables": asked.tables, "their_moves": await moves() - before}


def main() -> None:
    """Parse the command line, measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables of Hard bots")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bots", default="easy", help="the level of the players' opponents")
    parser.add_argument("--game", default="pyramis")
    parser.add_argument("--json", help="write the figures to this file")
    asked = parser.parse_args()
    with server(bot_pause=0.9) as process:
        report("How long players wait for quick bots", run(beside_hard(process, asked)), asked.json)


if __name__ == "__main__":
    main()
