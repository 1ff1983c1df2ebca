"""The rules page: every rule has its anchor, every number that is cited leads to one."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyramidion.engine import registry
from pyramidion.translation import LANGUAGES, SOURCE, in_language
from pyramidion.web.pages import rules_page as prose


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_every_rule_has_an_anchor_and_every_link_arrives(game, tag):
    with in_language(tag):
        html, contents = prose.rules_html(game), prose.contents(game)
    with in_language(SOURCE):
        assert html.count('class="mark') == prose.rules_html(game).count('class="mark') > 0
    anchors = set(re.findall(r'id="([^"]+)"', html))
    assert {f"{game.prefix}-{number}" for number in game.rule_numbers} <= anchors
    assert set(re.findall(r'<a [^>]*href="#([^"]+)"', html)) <= anchors
    assert {anchor for anchor, _, _ in contents} <= anchors
    assert "style=" not in html, "the pages' policy forbids style attributes"


@dataclass(frozen=True)
class Written:
    """As much of a game as a rules page needs."""

    rules_read: str
    prefix: str = "HC"
    rules_language: str = "en"
    folder: Path = Path("no folder, so no pictures")


def _page(text):
    return prose.rules_html(Written(text))


def test_what_an_author_writes_becomes_a_page():
    html = _page(
        "# High Card\n\n## HC 1 Play\n\n- **1.1** Take one, as in HC 2.\n"
        "- **1.2** *Ruling:* ties are shared (1.1, 2.1).\n\n"
        "## HC 2 End\n\n- 2.1 An *option* ends it.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n"
    )
    assert '<h2 id="HC-1"><a class="n" href="#HC-1">HC 1</a> Play</h2>' in html
    assert '<li id="HC-1.1"><a class="n" href="#HC-1.1">1.1</a>' in html
    assert 'as in <a href="#HC-2">HC 2</a>.' in html
    assert '(<a href="#HC-1.1">1.1</a>, <a href="#HC-2.1">2.1</a>)' in html
    assert '<li id="HC-2.1">' in html
    assert '<span class="mark option">option</span>' in html
    assert 'class="mark ruling"' in html
    assert '<td class="right">2</td>' in html
    assert html.count("<section>") == html.count("</section>") == 2


def test_html_in_the_rules_is_shown_and_not_obeyed():
    assert "<script>" not in _page("# A\n\n<script>alert(1)</script>\n")


@pytest.mark.parametrize(("tag", "ruling", "option"), [("en", "Ruling", "option"), ("zh-Hant", "裁定", "選項")])
def test_rulings_and_options_are_marked_with_or_without_a_name(tag, ruling, option):
    with in_language(tag):
        html = prose.rules_html(registry.all_games()["pyramid-shambo"])
        named = prose.rules_html(registry.all_games()["pyramid-scheme"])
    both = (
        f'<span class="mark ruling">{ruling}</span> <span class="mark option">{option}</span> <code>turn_limit</code>'
    )
    assert both in html
    # Behind an option's name the sentence goes on as it is written.
    assert re.search(r'<span class="mark option">\w+</span>\s<code>start</code>[:：]\s?<code>lowest</code>', named)
    assert re.search(rf'<span class="mark ruling">{ruling}</span>\s*[^:：,，、\s]', html)
