"""Pictured examples: they happen by the rules as they say, are drawn in every language, and mean nothing to scripts."""

import re

import pytest

from pyramidion.engine import registry
from pyramidion.engine.example import BadExamples, examples_of, parse
from pyramidion.translation import SOURCE, in_language
from pyramidion.web.pages.example_pictures import element
from pyramidion.web.pages.rules_page import rules_html

GAMES = [registry.load(name) for name in registry.own_ids()]
TINY = """seats = 2
seed = 1
names = ["A", "B"]
plies = "0 go, 1 go"
"""
EXAMPLE = """[[examples]]
rule = "1.1"
ply = 1
parts = ["own"]
event = {name = "went"}
say = "B goes."
"""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_rules_do_what_every_example_shows(game):
    examples = examples_of(game)
    assert len(examples.examples) >= 3
    for one, before, after in examples.positions(game):
        told = after.events(one.viewer)[len(before.events(one.viewer)) :]
        happened = [{"name": event.name, **event.data} for event in told if event.rule == f"{game.prefix} {one.rule}"]
        assert any(one.event.items() <= event.items() for event in happened), (one.rule, happened)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_example_is_drawn_below_its_rule_in_every_language(game):
    for tag in game.languages:
        with in_language(tag):
            html = rules_html(game)
            for one in examples_of(game).examples:
                item = re.search(rf'<li id="{game.prefix}-{one.rule}">.*?</figure></li>', html, re.DOTALL)
                assert item is not None, (tag, one.rule)
                before, after = re.findall(
                    r'<div class="shown">(.*?)(?=<div class="shown">|<figcaption>)', item[0], re.DOTALL
                )
                assert before != after
            assert html.count("<figcaption>") == len(examples_of(game).examples)
            pictures = "".join(re.findall(r'<figure class="example.*?</figure>', html, re.DOTALL))
            assert not re.search(r"\s(?:data-[a-z]+|name|form)(?:=|>)", pictures)
            if tag != SOURCE:
                assert not any(one.say in html for one in examples_of(game).examples)


def test_an_element_is_cut_out_whole():
    html = '<main><div class="a" id="x"><div><br><img/></div><p id="y">1</p></div><div id="z"></div></main>'
    assert element(html, "x") == '<div class="a" id="x"><div><br><img/></div><p id="y">1</p></div>'
    assert element(html, "y") == '<p id="y">1</p>'
    with pytest.raises(LookupError, match="nothing"):
        element(html, "nothing")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("seats = ", "not valid TOML"),
        (TINY, "lacks examples"),
        (TINY.replace("1 go", "2 go") + EXAMPLE, "number of a seat"),
        (TINY.replace('"A", ', "") + EXAMPLE, "must have a name"),
        (TINY + EXAMPLE + "sayings = 1", "Example 1 has sayings"),
        (TINY + EXAMPLE.replace("ply = 1", "ply = 2"), "Example 1 is not within the game's 2 actions"),
    ],
)
def test_a_wrong_file_is_refused_with_a_sentence(text, reason):
    with pytest.raises(BadExamples, match=reason):
        parse(text)
