"""Pointing at things moves nothing: no box of a table depends on where the mouse rests, in any game."""

import random

import pytest
from tests.web.helpers.browsing import Person

import pyramidion

pytestmark = pytest.mark.browser
GAMES = [one.id for one in pyramidion.all_games().values() if one.folder.parent.name == "games"]
SEATS = {"upside-down": 10, "downside-up": 10}
WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) {
            window.shifts.push([one.value, ...one.sources.map((source) => source.node?.outerHTML?.slice(0, 120))]);
        }
    }).observe({ type: "layout-shift" });
}"""
STILL = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
BOXES = """() => [...document.querySelectorAll("#main :is([data-path], .row, .button, .panel, .status)")]
    .filter((one) => one.checkVisibility())
    .map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const called = one.dataset.path || one.value || one.id || one.className;
        return [called, ...[left, top, width, height].map(Math.round)];
    })"""
# The middle and the lower edge of everything that one can point at, and that is not covered.
SPOTS = """() => [...document.querySelectorAll("#fragment [data-path], #actions :is(.row, .button, .pick)")]
    .filter((one) => one.checkVisibility())
    .flatMap((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return [[left + width / 2, top + height / 2], [left + width / 2, top + height - 1.5]]
            .filter(([x, y]) => one.contains(document.elementFromPoint(x, y)));
    })"""
UNDER = """([x, y]) => {
    const one = document.elementFromPoint(x, y)?.closest("[data-path], .row, .button, .pick");
    return one && (one.dataset.path || one.value || one.id);
}"""


def point_at(page, chance, most=20):
    """Rest the mouse on some of what can be pointed at, and require that nothing moves."""
    page.mouse.move(1, 1)
    page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    page.evaluate(STILL)
    before = page.evaluate(BOXES)
    page.evaluate("() => { window.shifts.length = 0; }")
    spots = page.evaluate(SPOTS)
    for spot in chance.sample(spots, min(most, len(spots))):
        there = page.evaluate(UNDER, spot)
        page.mouse.move(*spot)
        page.evaluate(STILL)
        assert page.evaluate(UNDER, spot) == there
        moved = [(old, new) for old, new in zip(before, page.evaluate(BOXES), strict=True) if old != new]
        assert moved == [], there
    assert page.evaluate("() => window.shifts") == []


@pytest.mark.parametrize("width", [1280, 800])
@pytest.mark.parametrize("game_id", GAMES)
def test_nothing_moves_under_a_mouse_that_points(server, browser, game_id, width):
    chance = random.Random(game_id)
    person = Person(browser, server.address, width=width, reduced_motion="reduce")
    person.page.set_viewport_size({"width": width, "height": 720})
    count = SEATS.get(game_id, 3)
    person.start(pyramidion.all_games()[game_id].name, ("me", *["bot:random"] * (count - 1)) if count < 10 else ())
    person.page.evaluate(WATCH)
    for _ in range(4 if width == 1280 else 2):
        person.wait()
        if person.over:
            break
        point_at(person.page, chance)
        legal, before = person.legal(), person.version
        if "confirm" in legal:
            person.touch(person.page.locator("#actions [data-steps='confirm']"))
            person.moved(before)
        else:
            person.act(chance.choice([one for one in legal if ".." not in one] or ["amount 1"]))
    assert person.problems == []
    person.context.close()
