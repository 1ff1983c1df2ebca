"""Rules that a table's rulebook does not state, or leaves open, are marked as our rulings on every rules page."""

from __future__ import annotations

import re

import pytest

from pyramidion.engine import registry
from pyramidion.translation import SOURCE, in_language, pgettext

RULINGS = {
    "upside-down": "1.3 2.2 3.1 3.2 5.3 5.5 5.6 6.1 6.2 6.4 7.2 7.3 7.4",
    "downside-up": "1.2 1.3 1.5 2.1 2.2 4.1 4.5 4.6",
    "ponzi-scheme": "2.2 2.3 4.6 5.2 5.4 6.2 6.3 7.2 9.2 10.5 10.6",
    "pyramis": "2.2 2.3 4.3 5.1 5.2 6.1 6.2 6.4 7.2 7.3 7.4",
}
"""By game, the rules that hold a ruling: what the publishers' texts do not say, or say in two ways."""


@pytest.mark.parametrize("game_id", RULINGS)
def test_what_the_rulebook_does_not_say_is_marked_as_a_ruling_in_every_language(game_id: str) -> None:
    game = registry.load(game_id)
    for tag in game.languages:
        with in_language(tag):
            mark = "Ruling" if tag == SOURCE else pgettext("rules", "Ruling")
            items = re.findall(r"^- \*\*(\d+\.\d+)\*\* (.*(?:\n  .*)*)", game.rules_read, re.MULTILINE)
        marked = {number for number, text in items if re.search(mark, text, re.IGNORECASE)}
        assert set(RULINGS[game_id].split()) <= marked, tag


@pytest.mark.parametrize("game_id", registry.own_ids())
def test_every_option_is_named_in_the_rule_it_changes(game_id: str) -> None:
    game = registry.load(game_id)
    items = dict(re.findall(r"^- \*\*(\d+\.\d+)\*\* (.*(?:\n  .*)*)", game.rules_text, re.MULTILINE))
    for name, option in game.options.items():
        assert f"``{name}``" in items[option.rule], name
