"""Tests of `@rule`: the compilation cache is never stale, and bounds checks can be turned on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pyramidion.engine import registry
from pyramidion.engine.rule import interpreted
from pyramidion.environment_variables import cache_folder

RULES = """
from pyramidion.engine.rule import rule
from helpers import helped
STEP = {step}

@rule
def outer(n):
    return helped(n) + STEP

def make(inner):
    @rule
    def closure(n):
        return inner(n) * 10
    return closure
"""
HELPERS = """
from pyramidion.engine.rule import rule
@rule
def helped(n):
    return n + {added}
"""
MAIN = """
import rules
f = rules.make(rules.outer)
print(f(1), sum(f.stats.cache_hits.values()))
"""


def run(folder: Path, source: str = MAIN, **environment: str) -> subprocess.CompletedProcess[str]:
    # Python's own cache goes by the time and the size of a file, which `write` keeps.
    caches = {"PYRAMIDION_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", source],
        cwd=folder,
        env={**os.environ, **caches, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def write(folder: Path, step: int, added: int) -> None:
    # The time of the file stays as it was, as after a checkout: only what is in it may count.
    for name, text in (("rules.py", RULES.format(step=step)), ("helpers.py", HELPERS.format(added=added))):
        (folder / name).write_text(text)
        os.utime(folder / name, (1_000_000, 1_000_000))


@pytest.mark.slow
def test_the_cache_is_used_and_never_stale(tmp_path: Path) -> None:
    write(tmp_path, step=1, added=1)
    assert run(tmp_path).stdout.split() == ["30", "0"]
    assert run(tmp_path).stdout.split() == ["30", "1"], "a closure is found in the cache by the next process"
    write(tmp_path, step=1, added=2)
    assert run(tmp_path).stdout.split() == ["40", "0"], "a change in a function called from another file is noticed"
    write(tmp_path, step=2, added=2)
    assert run(tmp_path).stdout.split() == ["50", "0"], "a change of a constant is noticed"
    write(tmp_path, step=1, added=1)
    assert run(tmp_path).stdout.split()[0] == "30"


GONE = """
import pickle, sys, types
from pathlib import Path
gone = types.ModuleType("gone")
sys.modules["gone"] = gone
exec("class Old: pass", gone.__dict__)
for index in Path("cache").rglob("*.nbi"):
    with index.open("rb") as file:
        version, rest = pickle.load(file), pickle.loads(file.read())
    stamp, entries = rest
    entries[gone.Old()] = "old"
    index.write_bytes(pickle.dumps(version) + pickle.dumps((stamp, entries)))
    print(index.name)
"""


@pytest.mark.slow
def test_an_index_that_names_a_class_that_is_gone_counts_as_a_miss(tmp_path: Path) -> None:
    write(tmp_path, step=1, added=1)
    assert run(tmp_path).stdout.split() == ["30", "0"]
    assert run(tmp_path, GONE).stdout.split()
    again = run(tmp_path)
    assert again.stdout.split() == ["30", "0"], again.stderr
    assert run(tmp_path).stdout.split() == ["30", "1"], "the index was written anew"


def test_rules_in_a_circle_are_refused(tmp_path: Path) -> None:
    source = """
from pyramidion.engine.rule import rule
@rule
def even(n):
    return True if n == 0 else odd(n - 1)
@rule
def odd(n):
    return False if n == 0 else even(n - 1)
even(4)
"""
    (tmp_path / "circle.py").write_text(source)
    done = run(tmp_path, "import circle")
    assert "The rule even reaches itself; rules must not call each other in a circle" in done.stderr


def test_a_rule_that_calls_through_a_module_is_refused(tmp_path: Path) -> None:
    write(tmp_path, 1, 1)
    (tmp_path / "through.py").write_text(
        "import helpers\nfrom pyramidion.engine.rule import rule\n"
        "@rule\ndef f(n):\n    return helpers.helped(n)\nf(1)\n"
    )
    assert "import the rules it calls by name" in run(tmp_path, "import through").stderr


def test_an_index_out_of_range_shows_in_the_checked_mode(tmp_path: Path) -> None:
    (tmp_path / "wild.py").write_text(
        "import numpy as np\nfrom pyramidion.engine.rule import rule\n"
        "@rule\ndef wild(values, i):\n    values[i] = 1\nwild(np.zeros(3, np.int8), 5)\n"
    )
    assert "IndexError" in run(tmp_path, "import wild", PYRAMIDION_CHECK_BOUNDS="1").stderr


MEANWHILE = """
import subprocess, sys
import numpy as np
from pyramidion.engine import rule
import rules
rule.interpret_uncached_rules()
f, compiled = rules.make(rules.outer), lambda: len(f.signatures)
print(f(1), compiled())
with rule.cache_miss_policy(rule.CacheMissPolicy.FAIL):
    try:
        f(1)
    except rule.NotCached as missing:
        print(str(missing).rpartition(".")[2])
subprocess.run([sys.executable, "-c", "import rules; rules.make(rules.outer)(1)"], check=True)
print(f(1), compiled())
rule.retry_cache_lookups()
print(f(1), compiled())
"""


def test_a_rule_runs_interpreted_until_another_process_has_compiled_it(tmp_path: Path) -> None:
    write(tmp_path, step=1, added=1)
    done = run(tmp_path, MEANWHILE)
    assert done.stdout.splitlines() == ["30 0", "closure", "30 0", "30 1"], done.stderr


def test_compiling_is_announced_once_and_what_is_cached_is_not(tmp_path: Path) -> None:
    write(tmp_path, step=1, added=1)
    assert run(tmp_path).stderr.count("Compiling rules") == 1
    assert run(tmp_path).stderr == ""


@pytest.mark.parametrize("game_id", registry.ids())
def test_a_match_may_change_between_interpreted_and_compiled_at_any_ply(game_id: str) -> None:
    game = registry.load(game_id)
    mixed, compiled = game.new(seed=5), game.new(seed=5)
    chance = random.Random(5)
    for ply in range(120):
        if compiled.over:
            break
        seat = compiled.acting[0]
        legal = interpreted(game.compiled.legal) if ply % 3 == 1 else game.compiled.legal
        step = interpreted(game.compiled.step) if ply % 2 else game.compiled.step
        ids, buffer = np.empty(len(game.actions), np.int32), np.empty(len(game.actions), np.int32)
        count = legal(mixed.box, mixed._state, seat, ids)
        assert ids[:count].tolist() == compiled.legal_ids(seat).tolist()
        action = chance.choice(ids[:count].tolist())
        assert step(mixed.box, mixed._state, seat, action, buffer) == 0
        compiled.play(seat, action)
        assert mixed.state_copy().tobytes() == compiled.state_copy().tobytes(), f"ply {ply}"


@pytest.mark.slow
@pytest.mark.parametrize("game_id", registry.ids())
def test_no_game_reaches_past_its_arrays(tmp_path: Path, game_id: str) -> None:
    source = f"""
import pyramidion
from pyramidion.lab.playouts import run
game = pyramidion.load({game_id!r})
for seats in game.seats:
    for name, option in [(None, None), *game.options.items()]:
        values = []
        if option is not None and option.kind == "numbers":
            highest = range(option.high + 1 - option.count, option.high + 1)
            values = [range(option.low, option.low + option.count), highest]
        elif option is not None:
            values = [option.low, option.high] if option.kind == "whole" else [*(option.choices or (False, True))]
        for options in [{{name: value}} for value in values] or [{{}}]:
            options = {{key: tuple(v) if isinstance(v, range) else v for key, v in options.items()}}
            assert run(game, seats, 300, options=options).games == 300
print("ok")
"""
    # Compiling takes nearly all of the time: it does not optimize much, and what it makes is kept until a rule changes.
    kept = str(cache_folder() / "checked")
    done = run(tmp_path, source, PYRAMIDION_CHECK_BOUNDS="1", NUMBA_OPT="1", PYRAMIDION_CACHE_DIR=kept)
    assert done.stdout.strip() == "ok", done.stderr[-2000:]
