"""The first game on a machine: it begins at once, and what it needs is compiled meanwhile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRST_GAME = """
import asyncio, sys, threading
from pathlib import Path
import pyramidion
from pyramidion.bots import background_compilation
from pyramidion.engine.rule import interpret_uncached_rules
from pyramidion.web.table.seats.plans import SeatPlan
from tests.web.helpers.polling import until
from tests.web.helpers.tables import open_tables

game = pyramidion.load(sys.argv[1])
never = threading.Event()
background_compilation._fill_cache = lambda game: never.wait()
interpret_uncached_rules()

async def run():
    async with open_tables(Path(sys.argv[2])) as tables:
        plan = [SeatPlan("me"), *[SeatPlan("bot", bot="hard")] * (game.usual_seats - 1)]
        table = await tables.create(game.id, plan, {}, holder="ada")
        while table.match.ply < 20 and not table.match.over:
            seat = table.match.acting[0]
            if seat == 0:
                await table.act(0, table.match.legal(0)[0], table.version(0))
            else:
                ply = table.match.ply
                await until(lambda: table.match.ply > ply)

asyncio.run(run())
print(len(game.compiled.legal.signatures), len(game.compiled.step.signatures))
"""


def run(source: str, cache: Path, *arguments: str) -> str:
    # What is compiled for one use is not worth much optimizing.
    more = {"PYRAMIDION_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_OPT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", source, *arguments],
        cwd=ROOT,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game_id", ["ponzi-scheme", "upside-down"])
def test_people_and_bots_play_before_anything_is_compiled(tmp_path, game_id):
    assert run(FIRST_GAME, tmp_path / "cache", game_id, str(tmp_path)).split() == ["0", "0"]


FILLED = """
import pyramidion
from pyramidion.bots import SearchBot, background_compilation
from pyramidion.engine.rule import interpret_uncached_rules
from pyramidion.web.table.snapshots.snapshot import snapshot_of

interpret_uncached_rules()
game = pyramidion.load("high-card")
compiled = background_compilation.start(game)
match = game.new(seed=3)
seat = match.acting[0]
match.play(seat, match.legal(seat)[0])
assert background_compilation.under_way(game)
compiled.result()
while not match.over:
    seat = match.acting[0]
    match.play(seat, match.legal(seat)[0])
assert not background_compilation.under_way(game)
print(len(game.compiled.step.signatures), sum(game.compiled.step.stats.cache_hits.values()))
"""
# The search, which takes most of the time, would be compiled here like the rules.
WITHOUT_CHILD = """
background_compilation.sys.executable = "false"
background_compilation.search.warm = lambda game: None
"""


@pytest.mark.slow
def test_a_second_process_fills_the_cache_and_the_game_goes_on_compiled(tmp_path, outside):
    assert run(FILLED, tmp_path).split() == ["1", "1"]
    # The next process finds everything there, and starts no other.
    under_way = "background_compilation.under_way(game)"
    again = FILLED.replace(f"assert {under_way}\n", f"assert not {under_way}\n")
    assert run(again, tmp_path).split() == ["1", "1"]


@pytest.mark.slow
def test_what_the_second_process_cannot_compile_is_compiled_here(tmp_path, outside):
    fails = FILLED.replace("interpret_uncached_rules()\n", f"interpret_uncached_rules(){WITHOUT_CHILD}", 1)
    assert run(fails, tmp_path).split() == ["1", "0"]


KILLED = """
import os, subprocess, sys
import pyramidion
from pyramidion.bots import background_compilation

start, ends = subprocess.Popen, int(sys.argv[1])

def begin(*given, **more):
    child = start(*given, pass_fds=[ends], **more)
    os.write(ends, b"!" if os.getsid(child.pid) != os.getsid(0) else b"?")
    return child

subprocess.Popen = begin
background_compilation._fill_cache(pyramidion.load("pyramid-shambo"))
"""


@pytest.mark.skipif(os.name != "posix", reason="Only POSIX passes a pipe on to grandchildren.")
def test_a_compiler_hears_no_ctrl_c_and_a_killed_server_leaves_none_behind(tmp_path):
    reading, ends = os.pipe()
    cache = tmp_path / "cache"
    more = {"PYRAMIDION_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(ends)], cwd=ROOT, env={**os.environ, **more}, pass_fds=[ends]
    ) as server:
        os.close(ends)
        assert os.read(reading, 1) == b"!"
        server.kill()
    assert os.read(reading, 1) == b""  # nobody holds the other end any more
    os.close(reading)
    assert not list(cache.rglob("*.nbc"))
