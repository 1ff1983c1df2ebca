"""Tests of rule numbers: each has a rule, each rule has a test, and every citation exists."""

import re
from pathlib import Path

import pytest
from tests.games.pyramis.positions import GAME

HERE = Path(__file__).parent
SECTIONS = {number.split(".")[0] for number in GAME.rule_numbers}
EXPECTED = {1: 2, 2: 3, 3: 1, 4: 4, 5: 2, 6: 4, 7: 5}
"""Number of rules by section."""

PROGRAM = sorted(path for path in GAME.folder.rglob("*") if path.suffix in (".py", ".html", ".toml", ".md"))
CITED = re.compile(r"\bPY (\d+(?:\.\d+)?)((?:(?:, | to | and )(?:PY )?\d+\.\d+)*)")
CODED = re.compile(r"(?<![\w.])(\d{1,2})_(\d\d)(?![\w.])")


def numbers_in_test_names():
    """Return the rule numbers in test names, with their counts."""
    names = [name for path in HERE.glob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))]
    return [".".join(found.groups()) for name in names if (found := re.match(r"test_py_(\d+)_(\d+)_", name))]


def test_the_rules_are_numbered_as_everything_cites_them():
    assert list(GAME.rule_numbers) == [f"{part}.{n}" for part, rules in EXPECTED.items() for n in range(1, rules + 1)]


@pytest.mark.parametrize("number", GAME.rule_numbers)
def test_every_rule_has_a_test_named_after_it(number):
    assert number in numbers_in_test_names()


def test_no_test_is_named_after_a_rule_that_is_not_there():
    assert set(numbers_in_test_names()) <= set(GAME.rule_numbers)


@pytest.mark.parametrize("path", PROGRAM, ids=lambda path: path.name)
def test_every_rule_that_is_cited_is_there(path):
    text = path.read_text("utf-8")
    cited = [number for found in CITED.finditer(text) for number in re.findall(r"\d+(?:\.\d+)?", found.group())]
    for number in cited:
        assert number in GAME.rule_numbers or number in SECTIONS, f"PY {number}"


def test_every_rule_that_an_event_or_an_ending_cites_is_there():
    found = [code for path in PROGRAM if path.suffix == ".py" for code in CODED.findall(path.read_text("utf-8"))]
    assert len(found) > 12
    for part, number in found:
        rule = GAME.rule_name(int(part) * 100 + int(number)).removeprefix("PY ")
        assert rule in GAME.rule_numbers or rule in SECTIONS, rule


def test_rulings_and_what_is_reconstructed_are_marked():
    assert len(re.findall(r"\bRuling: [a-zA-Z]", GAME.rules_text)) >= 7
    assert len(re.findall(r"[Rr]econstructed", GAME.rules_text)) >= 5
