"""`@rule`: the cache of compiled code is never stale, and an index out of range can be made to show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyramidion.engine import registry

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
    return subprocess.run(
        [sys.executable, "-c", source],
        cwd=folder,
        env={**os.environ, "PYRAMIDION_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def write(folder: Path, step: int, added: int) -> None:
    # The time of the file stays as it was, as after a checkout: only what is in it may count.
    for name, text in (("rules.py", RULES.format(step=step)), ("helpers.py", HELPERS.format(added=added))):
        (folder / name).write_text(text)
        os.utime(folder / name, (1_000_000, 1_000_000))


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
    done = run(tmp_path, source, PYRAMIDION_CHECK_BOUNDS="1")
    assert done.stdout.strip() == "ok", done.stderr[-2000:]
