# pyright: basic
"""Memory of a server per action of unfinished games, by action and by line of source.

    python benchmarks/memory.py [--game ponzi-scheme] [--tables 20] [--actions 200] [--lines 12] [--json FILE]

The tables run in this process, each with the streams of `load.py`: a program on each seat and two open pages, which
receive every action. Due seats play their first legal action. After a warm-up of as many actions as are measured, which
fills the caches, tracemalloc takes a snapshot, and another one at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Writer
from pyramidion.web.play.streams import PageStream, ProgramStream, Stream, StreamPosition
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from web_client import report

PAGES = 2
LASTING = {"ponzi-scheme": {"round_limit": 200}}
"""Options that keep a game from ending during the measurement."""


def watched(table: Table) -> list[Stream]:
    """Open event streams on a table and return them, as if they had readers."""
    streams: list[Stream] = [ProgramStream(table, seat, StreamPosition()) for seat in range(table.match.seats)]
    streams += [PageStream(table, None, StreamPosition()) for _ in range(PAGES)]
    for stream in streams:
        channel = table.viewers.channel(stream.viewer, table.version(stream.viewer))
        channel.streams.add(stream)
    return streams


async def play(tables: list[tuple[Table, list[Stream]]], actions: int) -> int:
    """Play up to `actions` actions at each table and make what its streams would send; return how many were played."""
    made = 0
    for _ in range(actions):
        for table, streams in tables:
            if table.match.over:
                continue
            seat = table.match.acting[0]
            await table.act(seat, table.visibility.legal_ids(seat)[0], table.version(seat))
            made += 1
            for stream in streams:
                stream.make()
    return made


async def measure(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Play tables in this process and return the memory that an action takes, in all and by line of source."""
    store = Store(f"sqlite:///{folder}/tables.sqlite3")
    store.open()
    writer = Writer(store)
    writer.start()
    house = Tables(store, writer, keep=asked.tables)
    options = LASTING.get(asked.game, {})
    plan = [SeatPlan("open")] * asked.seats
    tracemalloc.start()
    tables = [(await house.create(asked.game, plan, options, seed=number), []) for number in range(asked.tables)]
    tables = [(table, watched(table)) for table, _ in tables]
    await play(tables, asked.actions)
    gc.collect()
    before, (held, _peak) = tracemalloc.take_snapshot(), tracemalloc.get_traced_memory()
    made = await play(tables, asked.actions)
    gc.collect()
    after, (holds, _peak) = tracemalloc.take_snapshot(), tracemalloc.get_traced_memory()
    tracemalloc.stop()
    hidden = tracemalloc.Filter(inclusive=False, filename_pattern=tracemalloc.__file__)
    lines = after.filter_traces([hidden]).compare_to(before.filter_traces([hidden]), "lineno")
    for _table, streams in tables:
        for stream in streams:
            stream.close()
    await house.close()
    await writer.stop()
    store.close()
    return {
        "game": asked.game,
        "actions": made,
        "bytes_per_action": round((holds - held) / made),
        "lines": {
            f"{'/'.join(Path(line.traceback[0].filename).parts[-3:])}:{line.traceback[0].lineno}": round(
                line.size_diff / made
            )
            for line in lines[: asked.lines]
        },
    }


def main() -> None:
    """Parse the command line, measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="ponzi-scheme")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--actions", type=int, default=200)
    parser.add_argument("--lines", type=int, default=12)
    parser.add_argument("--json")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pyramidion-memory-") as folder:
        figures = asyncio.run(measure(asked, Path(folder)))
    report("Memory", figures, asked.json)


if __name__ == "__main__":
    main()
