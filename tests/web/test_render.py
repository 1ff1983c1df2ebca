"""Fragments: numbers as one field, names as text, and the same bytes for positions that look the same."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import TemplateNotFound
from tests.games.ponzi_scheme.positions import market, position

import pyramidion
from pyramidion.web.pages.renderer import ENVIRONMENT, cite, render_fragment, sort_actions
from pyramidion.web.table.view_models import LegalAction, Seat

GAME = pyramidion.load("ponzi-scheme")
EVIL = '<img src=x onerror="alert(1)">'


def _legal(match, seat, names):
    return [LegalAction(a.id, a.text, a.family, a.path, GAME.view.label(a, names)) for a in match.legal(seat)]


def _snapshot(match, viewer, names, **more):
    told = match.events(viewer, names=names)
    legal = _legal(match, viewer, names) if viewer in match.acting else []
    seats = [Seat(i, "person", name, None, True) for i, name in enumerate(names)]
    table = SimpleNamespace(id="t", game=GAME, seats=seats, title="T", rows=[], kept={})
    given = {"version": 1, "last_position": 1, "view": match.view(viewer), "events": told, "acting": match.acting}
    given |= {"legal": legal, "over": match.over, "outcome": match.outcome, "names": names, "seats": seats}
    given |= {"table": table, "viewer": viewer, "position_is_current": True, "everything": False}
    given |= {"timing": None, "submission": None, "confirmed": None, "receipt": None, "seals": 0}
    given |= {"hints": False, "queued": None, "premove": None}
    return SimpleNamespace(**{**given, **more})


def _in_answer_phase(price):
    match = GAME.new(seats=3, seed=5)
    for _ in range(3):
        match.play(match.acting[0], next(a for a in match.legal(match.acting[0]) if a.text.startswith("fund media")))
    offerer = match.acting[0]
    match.play(offerer, next(a for a in match.legal(offerer) if a.family == "offer"))
    match.play(offerer, f"amount {price}")
    return match, offerer


def test_numbers_become_one_field_whether_listed_or_given_as_a_run():
    match = GAME.new(seats=3, seed=5)
    one = [LegalAction(i, f"amount {i}", "amount", ("amount", str(i)), "") for i in range(4, 9)]
    run = [LegalAction(4, "amount 4", "amount", ("amount",), "", 4, 8)]
    for legal in (one, run):
        acts = sort_actions(legal)
        assert (acts.number.family, acts.number.low, acts.number.high) == ("amount", 4, 8)
    acts = sort_actions(_legal(match, match.acting[0], ["A", "B", "C"])[:3])
    assert [a.text for a in acts.quick] == ["pass"]
    assert [family for family, _ in acts.groups] == ["fund"]
    assert acts.count == 3


def test_names_are_text_everywhere():
    match, _ = _in_answer_phase(3)
    names = [EVIL, f"{EVIL}2", f"{EVIL}3"]
    for viewer in (None, 0, 1, 2):
        html = render_fragment(_snapshot(match, viewer, names))
        assert "<img" not in html
        assert "&lt;img" in html


def test_the_price_is_on_the_pages_of_the_two_only():
    names = ["Ana", "Ben", "Cleo"]
    pages = {}
    for price in (3, 7):
        match, offerer = _in_answer_phase(price)
        other = match.acting[0]
        for viewer in (None, 0, 1, 2):
            html = pages[price, viewer] = render_fragment(_snapshot(match, viewer, names))
            assert (f">${price}<" in html) == (viewer in (offerer, other))
    outside = [viewer for viewer in (None, 0, 1, 2) if viewer not in (offerer, other)]
    assert all(pages[3, viewer] == pages[7, viewer] for viewer in outside)


def test_a_past_position_offers_nothing():
    match = GAME.new(seats=3, seed=5)
    html = render_fragment(_snapshot(match, match.acting[0], ["A", "B", "C"], position_is_current=False))
    assert 'name="action"' not in html
    assert "data-past" in html


def test_rule_numbers_are_links_and_sentences_are_escaped():
    html = cite(f"{EVIL} passed (PZ 4.1).", "PZ 4.1", GAME)
    assert '<a class="rule" href="/games/ponzi-scheme/rules#PZ-4.1">PZ 4.1</a>' in html
    assert html.count("PZ 4.1") == 1
    assert "<img" not in html
    assert cite("Ana passed.", "PZ 4.1", GAME).count("PZ-4.1") == 1
    assert cite("A chance.", "", GAME) == "A chance."


@pytest.mark.parametrize("name", ["ponzi-scheme/../rules.py", "ponzi-scheme/a/b.html", "chess/board.html", "none"])
def test_only_files_of_games_are_templates(name):
    with pytest.raises(TemplateNotFound):
        ENVIRONMENT.get_template(name)


def test_the_winner_of_a_tie_is_listed_first():
    # Both have the same points; the higher fund decides (PZ 10.5), and sits behind the other at the table.
    match = position(
        seats=3,
        phase="marker",
        round_number=9,
        round_limit=9,
        tiles={0: {"media": 2}, 2: {"grain": 2}},
        wheels={0: {45: 3}, 2: {62: 3}},
    )
    match.play(match.acting[0], f"remove {market(match)[0]}")
    html = render_fragment(_snapshot(match, None, ["Ana", "Ben", "Cleo"]))
    rows = html.split("<tbody>")[1].split("</tbody>")[0].split("<tr")[1:]
    assert match.outcome.winners == (2,)
    assert ["Cleo" in row for row in rows] == [True, False, False]


def test_sentences_of_a_template_stand_apart():
    """The newline after a block is dropped, so a sentence before it would touch the one after it."""
    tag = r"\{%-?(?:(?!%\}|\+%).)*%\}"
    touching = re.compile(rf'[.!?]"(?:(?!\}}\}}).)*\}}\}}(?P<tags>(?:{tag})+\n(?:{tag})*)\{{\{{ _\("')
    assert touching.search('{{ _("One.") }}{% if two %}\n{{ _("Two.") }}{% endif %}')
    assert not touching.search('{{ _("One.") }}{% if two +%}\n{{ _("Two.") }}{% endif %}')
    for path in Path(pyramidion.__file__).parent.rglob("*.html"):
        found = [match["tags"] for match in touching.finditer(path.read_text())]
        found = [tags for tags in found if not re.search(r"\{%-? (else|elif|block|macro|endmacro)\b", tags)]
        assert not found, path
