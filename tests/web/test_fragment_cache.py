"""Pieces of pages that are made once: no page reads otherwise than if all of it were made for it."""

import random

import pytest
from tests.web.helpers.tables import open_tables

from pyramidion.engine import registry
from pyramidion.translation import in_language
from pyramidion.web.pages.fragment_cache import MOST, CachedBlocks
from pyramidion.web.pages.renderer import ENVIRONMENT, render_fragment
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.snapshots.snapshot import snapshot_of

KEPT = ENVIRONMENT.extensions[CachedBlocks.identifier]
LANGUAGES = ("en", "fr")


@pytest.fixture(autouse=True)
def as_it_was():
    KEPT._pieces.clear()
    yield
    KEPT.on = True


def made_anew(snapshot):
    KEPT.on = False
    try:
        return render_fragment(snapshot)
    finally:
        KEPT.on = True


@pytest.mark.parametrize("game", registry.ids())
async def test_a_page_reads_as_if_it_were_made_anew(tmp_path, game):
    """Two tables that differ in names, options and cards, several viewers and languages, all through one store."""
    about = registry.load(game)
    seats = min(about.seats)
    options = [{}, {name: True for name, option in about.options.items() if option.default is False}]

    rng = random.Random(game)
    async with open_tables(tmp_path) as tables:
        started = [
            await tables.create(game, [SeatPlan("me", f"{name} <{n}>") for n in range(seats)], more, seed=seed)
            for name, more, seed in (("Ana", options[0], 1), ("Bo", options[1], 2))
        ]
        for turn in range(24):
            for table in started:
                if not table.match.over:
                    seat = rng.choice(table.match.acting)
                    await table.act(seat, rng.choice(table.visibility.legal_ids(seat)), table.version(seat))
                for viewer in (None, seat, (seat + 1) % seats):
                    snapshot = snapshot_of(table, viewer)
                    with in_language(LANGUAGES[turn % 2]):
                        assert render_fragment(snapshot) == made_anew(snapshot)


def test_what_it_depends_on_tells_pieces_apart_and_so_does_the_language():
    page = ENVIRONMENT.from_string("{% kept one, two %}{{ shown }}{% endkept %}")

    def made(shown, one, two):
        return page.render(shown=shown, one=one, two=two)

    assert made("first", 1, {"a": [1]}) == "first"
    assert made("other", 1, {"a": [1]}) == "first"
    for number, (one, two) in enumerate([(True, {"a": [1]}), (1, {"a": [True]}), (1.0, {"a": [1]}), ("1", None)]):
        assert made(f"new {number}", one, two) == f"new {number}"
    with in_language("fr"):
        assert made("français", 1, {"a": [1]}) == "français"


def test_what_is_kept_has_been_made_safe_and_stays_so():
    page = ENVIRONMENT.from_string("{% kept name %}<b>{{ name }}</b>{% endkept %}")
    assert page.render(name="<i>") == page.render(name="<i>") == "<b>&lt;i&gt;</b>"


def test_what_is_no_plain_value_is_made_each_time():
    page = ENVIRONMENT.from_string("{% kept it %}{{ shown }}{% endkept %}")
    assert [page.render(it=object, shown=n) for n in range(2)] == ["0", "1"]


def test_the_oldest_pieces_go_first():
    page = ENVIRONMENT.from_string("{% kept it %}{{ shown }}{% endkept %}")
    for n in range(MOST + 10):
        page.render(it=n, shown=n)
    assert len(KEPT._pieces) == MOST
    assert page.render(it=MOST, shown="again") == str(MOST)
    assert page.render(it=0, shown="again") == "again"
