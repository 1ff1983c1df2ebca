"""A table is one screen: whatever is needed to play lies inside it, whole, uncovered and large enough to touch.

Every game is measured with its usual and its largest number of seats, in every kind of decision, on five sizes.
"""

from unittest import mock

import pytest
from tests.web.helpers.browsing import Person, browser_server
from tests.web.helpers.midgame import Seated, SettledBot
from tests.web.helpers.one_screen import DESKS, DRAWN, MEASURE, PHONES

from pyramidion.engine import registry

pytestmark = pytest.mark.browser
DECISIONS = {"ponzi-scheme": 24, "pyramis": 12, "pyramid-scheme": 45, "pyramid-shambo": 15}
"""How many decisions are played; of a submission of several parts, each part counts."""
IN_PARTS = 10
GAMES = 6
"""How many games are played at most until everything in MUST_BE_DUE has been."""
MUST_BE_DUE = {
    "ponzi-scheme": {"offer", "sell", "counter"},
    "pyramid-scheme": {"place", "flip"},
    "pyramid-shambo": {"throw", "tie"},
}
"""What must have been measured."""
SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        const moved = (entry) => entry.sources.map((source) => source.node?.outerHTML?.slice(0, 80));
        for (const entry of list.getEntries()) window.shifts.push([entry.value, moved(entry)]);
    }).observe({ type: "layout-shift" });
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    # Bots that choose by the position lead to the same positions on every machine.
    settled = mock.patch("pyramidion.web.features.bots.runner.bot_of", lambda game, _name: SettledBot(game))
    with settled, browser_server(tmp_path_factory.mktemp("screen")) as server:
        yield server


def tables():
    """Every game with its usual and its largest number of seats."""
    games = [registry.load(game_id) for game_id in registry.own_ids()]
    return [(game.id, seats) for game in games for seats in sorted({game.usual_seats, max(game.seats)})]


class Looking:
    """A desk and a phone at which one seat's page is measured."""

    def __init__(self, browser, server, seated):
        self.path = seated.path
        self.people = {}
        for sizes in (DESKS, PHONES):
            person = Person(browser, server.address, width=sizes[0][0], reduced_motion="reduce")
            person.context.add_cookies([{**seated.cookie, "url": server.address}])
            self.people[sizes] = person

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        for person in self.people.values():
            person.context.close()

    def __call__(self):
        """Return what is wrong on each of the sizes."""
        wrong = {}
        for sizes, person in self.people.items():
            person.page.goto(self.path)
            person.page.wait_for_function(DRAWN)
            for width, height in sizes:
                person.page.set_viewport_size({"width": width, "height": height})
                found = person.page.evaluate(MEASURE, person.phone)
                if found:
                    wrong[f"{width}x{height}"] = found
            assert person.problems == []
        return wrong


@pytest.mark.parametrize(("game_id", "seats"), tables())
def test_everything_needed_is_on_the_screen(server, browser, game_id, seats):
    """Measured whenever another kind of decision is due, and early, in the middle and late in the game."""
    wrong, kinds, must = {}, set(), MUST_BE_DUE.get(game_id, set())
    for game in range(GAMES):
        with playing(server, game_id, seats, game) as seated, Looking(browser, server, seated) as look:
            for decision in range(decisions := DECISIONS.get(game_id, IN_PARTS)):
                due = seated.due()
                if due not in kinds or (not game and decision % (decisions // 3) == 0):
                    kinds.add(due)
                    wrong |= {f"game {game} decision {decision} {size}": said for size, said in look().items()}
                if not seated.go_on(1):
                    break
        if must <= set().union(*kinds):
            break
    assert not wrong, "\n".join(f"{where}: {said}" for where, said in wrong.items())
    assert must <= set().union(*kinds), f"only these were due: {kinds}"


def playing(server, game_id, seats, game=0):
    return Seated(server.address, game_id, seats, f"one screen {game_id} {seats} {game}")


@pytest.mark.parametrize("game_id", DECISIONS)
def test_nothing_moves_where_the_pointer_rests(server, browser, game_id):
    person = Person(browser, server.address, reduced_motion="reduce")
    page = person.page
    with playing(server, game_id, registry.load(game_id).usual_seats) as seated:
        assert seated.go_on(DECISIONS[game_id] // 4)
        person.context.add_cookies([{**seated.cookie, "url": server.address}])
    page.goto(seated.path)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(300)
    page.evaluate(SHIFTS)
    pieces = page.locator("#fragment [data-path].can")
    for number in range(pieces.count()):
        pieces.nth(number).hover()
    page.wait_for_timeout(100)
    assert page.evaluate("() => window.shifts") == []
    assert person.problems == []
    person.context.close()


WATCHED = """() => [...document.querySelectorAll(".others, .player, .goal, .goal > *, #board, .watching-panel")]
    .filter((area) => area.checkVisibility() && area.scrollHeight > area.clientHeight + 2)
    .map((area) => `${area.id || area.className} ${area.scrollHeight} in ${area.clientHeight}`)"""

ABOVE = """() => {
    const first = [...document.getElementById("actions").children].find((one) => one.checkVisibility());
    return first.getBoundingClientRect().top - document.getElementById("tabs").getBoundingClientRect().bottom;
}"""
"""How far below the tabs the Actions panel's first line is."""
SMALL = """() => {
    const deck = document.querySelector(".table-mid .deck");
    return [...document.querySelectorAll(".river-card")].map((card) => card.getBoundingClientRect().width)
        .filter((width) => width < deck.getBoundingClientRect().width);
}"""
"""The cards of a River that are smaller than the decks beside it."""


@pytest.mark.parametrize("game_id", DECISIONS)
def test_a_spectator_sees_every_panel_whole(server, browser, game_id):
    person = Person(browser, server.address, reduced_motion="reduce")
    page, wrong = person.page, {}
    with playing(server, game_id, registry.load(game_id).usual_seats) as seated:
        assert seated.go_on(DECISIONS[game_id] // 4)
        page.goto(seated.path)
        page.wait_for_function(DRAWN)
        for width, height in DESKS:
            page.set_viewport_size({"width": width, "height": height})
            if cut := page.evaluate(WATCHED):
                wrong[f"{width}x{height}"] = cut
            assert 12 <= page.evaluate(ABOVE) <= 24
            assert page.evaluate(SMALL) == []
    assert not wrong, wrong
    person.context.close()
