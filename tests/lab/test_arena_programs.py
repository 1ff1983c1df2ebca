"""Tests of API programs in the arena: whole contests, the same games as for other entrants, and clean failures."""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import psutil
import pytest

import pyramidion
from pyramidion.lab import arena
from pyramidion.lab.arena import Contest, EntrantError, Results, read_entrants
from pyramidion.web.arena import Guests
from pyramidion.web.arena.guests import in_order

pytestmark = pytest.mark.usefixtures("outside")
GAME, SEATS = "sealed-bid", 3
run = functools.partial(arena.run, guests=Guests)
DOCUMENT = Path(__file__).parents[2] / "docs" / "arena.md"
EXAMPLE = next(b for b in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL) if "stdin" in b)


def contest(*texts: str, games: int = SEATS, patience: float = 60.0) -> Contest:
    return Contest(GAME, read_entrants(texts, pyramidion.load(GAME)), SEATS, games, patience=patience)


def written(folder: Path, *changes: tuple[str, str], name: str = "bot.py") -> str:
    """Write the document's program, with something changed in it, and return the entrant."""
    text = EXAMPLE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / name).write_text(text, "utf-8")
    return f"program:{sys.executable} {folder / name}"


class Twin:
    """What the document's program does, as a class: the same chance, the same choices."""

    def __init__(self, game, seed):
        self.chance = Random(seed)

    def move(self, match, seat):
        *bids, confirm = match.legal_ids(seat).tolist()
        # The bids are one entry of what the program may do.
        return bids[self.chance.randint(0, len(bids) - 1)] if self.chance.choice([True, False]) else confirm


@pytest.mark.slow
def test_it_plays_the_games_that_a_class_with_its_choices_plays_in_any_number_of_processes(tmp_path):
    program = written(tmp_path)
    with (
        run(contest(f"it={program}", "policy", games=6), tmp_path / "a.db") as alone,
        run(contest(f"it={program}", "policy", games=6), tmp_path / "b.db", jobs=2) as two,
        run(contest("it=tests.lab.test_arena_programs:Twin", "policy", games=6), tmp_path / "c.db") as twin,
    ):
        places = sorted(twin.places())
        records = [twin.match(place).record() for place in places]
        assert len(records) == 6
        assert [alone.match(place).record() for place in places] == records
        assert [two.match(place).record() for place in places] == records
        assert all(sum(game.seconds) > 0 for game in alone.games())
    assert not left_behind(tmp_path)


def test_every_seat_of_it_is_a_process_and_one_table_may_be_all_that_it_plays(tmp_path):
    once = written(
        tmp_path,
        ("    for line in sys.stdin:\n        play(json.loads(line))", "    play(json.loads(input()))"),
        ("import sys\n", "import os, pathlib, sys\n"),
        ("    chance =", "    pathlib.Path(__file__).with_name(f'{os.getpid()}.pid').touch()\n    chance ="),
    )
    with run(contest(f"one={once}", f"two={once}"), tmp_path / "a.db") as results:
        assert len(results.places()) == SEATS
        assert results.match((0, 0, 2)).over
    assert len(list(tmp_path.glob("*.pid"))) == SEATS * SEATS


FAILURES = {
    "exits": ("sys.exit('no idea')", r"it ended with status 1 at ply \d+, .* It said last: no idea"),
    "ends": (
        "ask(table, 'actions', {'action': 'bid 0', 'version': news['version']}); sys.exit(0)",
        r"it ended with status 0 at ply \d+, before the game was over\.",
    ),
    "cheats": (
        "ask(table, 'actions', {'action': 'bid 99', 'version': news['version']})",
        r"it failed at ply \d+: it posted what is not legal: .*bid",
    ),
    "babbles": ("ask(table, 'actions', {'action': None})", r"it failed at ply \d+: .*'action' must be"),
}


@pytest.mark.parametrize("how", FAILURES)
def test_one_that_fails_ends_the_contest_with_a_sentence_and_what_was_played_is_kept(tmp_path, how):
    done, sentence = FAILURES[how]
    # It plays two games and fails in the third.
    failing = written(
        tmp_path,
        ("    chance =", "    tables.append(1)\n    chance ="),
        ("            entry =", f"            if len(tables) == 3:\n                {done}\n            entry ="),
        ("def ask", "tables = []\n\n\ndef ask"),
    )
    with pytest.raises(EntrantError, match=sentence):
        run(contest(f"it={failing}", "policy", games=6), tmp_path / "a.db")
    assert not left_behind(tmp_path)
    with Results(tmp_path / "a.db") as stored:
        assert stored.places() == {(0, 0, 0), (0, 0, 1)}
    if how == "exits":  # mended, it goes on
        with run(contest(f"it={written(tmp_path)}", "policy"), tmp_path / "a.db") as results:
            assert len(results.places()) == SEATS


def test_one_that_takes_too_long_is_not_waited_for(tmp_path):
    hanging = written(
        tmp_path, ("import sys\n", "import sys, time\n"), ("    chance =", "    time.sleep(999)\n    chance =")
    )
    with pytest.raises(EntrantError, match=r"it has made no action within 0\.3 seconds at ply \d+\."):
        run(contest(f"it={hanging}", "policy", patience=0.3), tmp_path / "a.db")
    assert not left_behind(tmp_path)


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("program:", "A program is written program:COMMAND"),
        ("program:no-such-program --fast", "There is no program 'no-such-program' here"),
        ("program:python3 'my bot.py", "cannot be read as a command: No closing quotation"),
    ],
)
def test_what_cannot_be_started_is_named(what, sentence):
    with pytest.raises(EntrantError, match=sentence):
        read_entrants([what], pyramidion.load(GAME))


PROBE = """
    told = {"table": table, "asked": []}
    other = (table["seat"] + 1) % 3
    for path, body in (
        ("view", None), ("events", None), ("seals", None), ("record", None), ("host", {"act": "pause"}),
        (f"seats/{other}", {}), ("hint", {}),
    ):
        try:
            with ask(table, path, body) as answer:
                told["asked"].append([path, answer.status, json.load(answer)])
        except HTTPError as error:
            told["asked"].append([path, error.code, json.load(error)])
    with open(__file__ + ".json", "a") as file:
        file.write(json.dumps(told) + "\\n")
    chance ="""


def test_it_has_its_seat_and_nothing_else(tmp_path):
    curious = written(tmp_path, ("\n    chance =", PROBE))
    with run(contest(curious, "policy"), tmp_path / "a.db") as results:
        seeds = {results.match(place).seed for place in results.places()}
    lines = [json.loads(line) for line in (tmp_path / "bot.py.json").read_text("utf-8").splitlines()]
    assert len(lines) == SEATS
    for table_line in lines:
        table, seat = table_line["table"], table_line["table"]["seat"]
        assert set(table) == {"url", "game", "seat", "token", "seed"}
        answers = {path: (status, answer) for path, status, answer in table_line["asked"]}
        view = answers["view"][1]["view"]
        assert (view["seat"], view["coins"], view["asked"], view["submitted"]) == (seat, 10, [0, 1, 2], [])
        assert answers["events"][1]["events"] == []
        assert answers["seals"][1]["seals"] == []
        assert answers[f"seats/{(seat + 1) % 3}"][0] == 409
        assert {answers[path][0] for path in ("record", "host", "hint")} <= {403, 409, 422}
        assert not any(str(seed) in json.dumps(table_line) for seed in seeds)


@pytest.mark.slow
@pytest.mark.parametrize(("how", "jobs"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_nothing_is_left_when_the_arena_is_stopped(tmp_path, how, jobs):
    waiting = written(
        tmp_path,
        ("import sys\n", "import pathlib, subprocess, sys, time\n"),
        ("    chance =", "    pathlib.Path(__file__ + '.up').touch()\n    time.sleep(999)\n    chance ="),
    )
    arguments = ["arena", "ponzi-scheme", waiting, "policy", "--games", "40", "--jobs", str(jobs)]
    arena = subprocess.Popen(
        [sys.executable, "-m", "pyramidion", *arguments],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    with arena:
        ends = time.monotonic() + 240
        while not (tmp_path / "bot.py.up").exists() and arena.poll() is None and time.monotonic() < ends:
            time.sleep(0.05)
        assert (tmp_path / "bot.py.up").exists()
        arena.send_signal(how)
        _, errors = arena.communicate(timeout=240)
    assert arena.returncode == 130
    assert errors.strip().splitlines()[-1] == "pyramidion: Stopped. Nothing was kept; --out FILE keeps the games."
    assert "Traceback" not in errors
    assert not left_behind(tmp_path)
    assert not list(tmp_path.glob("pyramidion-arena-*"))


DEAF = """
import os, signal

class Dropping:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))  # here the handler runs, and what it raises is dropped

class Deaf:
    def __init__(self, game, seed):
        pass

    def move(self, match, seat):
        Dropping()
        return match.legal_ids(seat)[-1]
"""


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["policy", "a program"])
def test_a_stop_that_is_dropped_where_it_came_stops_it_all_the_same(tmp_path, beside):
    (tmp_path / "deaf.py").write_text(DEAF, "utf-8")
    other = written(tmp_path) if beside == "a program" else "policy"
    arguments = ["arena", "ponzi-scheme", "deaf:Deaf", other, "--games", "4000", "--out", str(tmp_path / "a.db")]
    done = subprocess.run(
        [sys.executable, "-m", "pyramidion", *arguments],
        check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
        timeout=240,
    )
    assert done.returncode == 130
    assert done.stderr.strip().splitlines()[-1].startswith("pyramidion: Stopped. The same command goes on from ")
    assert "Traceback" not in done.stderr
    with Results(tmp_path / "a.db") as stored:
        # The first game went on; where programs play it may have been left, too.
        assert len(stored.places()) in ((1,) if beside == "policy" else (0, 1))
    assert not left_behind(tmp_path)


def left_behind(folder: Path) -> list[psutil.Process]:
    """Return the processes of programs in a folder."""
    processes = []
    for process in psutil.process_iter(["cmdline", "status"]):
        if any(str(folder) in word for word in process.info["cmdline"] or []) and process.info["status"] != "zombie":
            processes.append(process)
    return processes


def test_a_record_has_the_seats_of_a_step_in_order_whoever_was_quicker():
    game = pyramidion.load(GAME)
    orders = ([(0, 5), (0, 11), (1, 3), (1, 11), (2, 11)], [(2, 11), (1, 3), (0, 5), (1, 11), (0, 11)])
    played = []
    for order in orders:
        match = game.new(SEATS, "order")
        for seat, action in order * 3:
            match.play(seat, min(action, len(match.legal_ids(seat)) - 2) if action != 11 else 11)
        assert match.over
        played.append(in_order(match).record())
    assert played[0] == played[1]
    turns = pyramidion.load("ponzi-scheme").new(3, 1)
    while not turns.over:
        turns.play(turns.acting[0], int(turns.legal_ids(turns.acting[0])[-1]))
    assert in_order(turns).record() == turns.record()
