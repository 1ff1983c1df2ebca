"""Tests of rule numbers: each has a rule, each rule has a test, and every citation exists."""

import re
from pathlib import Path

import pytest
from tests.games.ponzi_scheme.positions import GAME

HERE = Path(__file__).parent
SECTIONS = {number.split(".")[0] for number in GAME.rule_numbers}
EXPECTED = {1: 4, 2: 3, 3: 1, 4: 6, 5: 6, 6: 3, 7: 3, 8: 1, 9: 3, 10: 6, 11: 1}
"""Number of rules by section."""

PROGRAM = sorted(path for path in GAME.folder.rglob("*") if path.suffix in (".py", ".html", ".toml", ".md"))
CITED = re.compile(r"\bPZ (\d+(?:\.\d+)?)((?:(?:, | to | and )(?:PZ )?\d+\.\d+)*)")
CODED = re.compile(r"(?<![\w.])(\d{1,2})_(\d\d)(?![\w.])")


def numbers_in_test_names():
    """Return the rule numbers in test names, with their counts."""
    names = [name for path in HERE.glob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))]
    return [".".join(found.groups()) for name in names if (found := re.match(r"test_pz_(\d+)_(\d+)_", name))]


def test_the_rules_are_numbered_as_everything_cites_them():
    assert list(GAME.rule_numbers) == [f"{part}.{n}" for part, rules in EXPECTED.items() for n in range(1, rules + 1)]


def test_sections_and_rules_come_in_order():
    headings = re.findall(r"^## PZ (\d+) ", GAME.rules_text, re.MULTILINE)
    assert headings == [str(part) for part in EXPECTED]
    for part in re.split(r"^## ", GAME.rules_text, flags=re.MULTILINE)[1:]:
        for number in re.findall(r"^- \*\*(\d+)\.\d+\*\*", part, re.MULTILINE):
            assert part.startswith(f"PZ {number} ")


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
        assert number in GAME.rule_numbers or number in SECTIONS, f"PZ {number}"


def test_every_rule_that_an_event_or_an_ending_cites_is_there():
    found = [code for path in PROGRAM if path.suffix == ".py" for code in CODED.findall(path.read_text("utf-8"))]
    assert len(found) > 20
    for part, number in found:
        rule = GAME.rule_name(int(part) * 100 + int(number)).removeprefix("PZ ")
        assert rule in GAME.rule_numbers or rule in SECTIONS, rule


@pytest.mark.parametrize("name", GAME.options)
def test_every_option_stands_in_the_rule_that_it_names(name):
    option = GAME.options[name]
    item = re.search(
        rf"^- \*\*{re.escape(option.rule)}\*\*(.*?)(?=^- |^## )", GAME.rules_text, re.MULTILINE | re.DOTALL
    )
    assert item is not None
    assert f"Option ``{name}``:" in item.group(1)


def test_rulings_are_marked():
    assert len(re.findall(r"\bRuling: [a-zA-Z]", GAME.rules_text)) >= 8
