"""Help covers nothing that it explains: the coach of every lesson, previews, refusals and hints, on five sizes."""

from pathlib import Path
from unittest import mock

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person, browser_server
from tests.web.helpers.midgame import Seated, SettledBot
from tests.web.helpers.one_screen import DESKS, DRAWN, PHONES

from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of

pytestmark = pytest.mark.browser
COVERED = (Path(__file__).parents[1] / "helpers" / "help_room.js").read_text("utf-8")
STEP = """() => {
    const step = document.querySelector("#coach li:not([hidden])");
    return step?.id ?? document.getElementById("fragment").dataset.version;
}"""
READY = """() => {
    const seen = (which) => document.querySelector(which)?.checkVisibility();
    return seen("#coach-fold, .finished") && document.querySelectorAll("#coach li:not([hidden])").length < 2
        && ["#coach-next", "#coach-show", ".finished #coach-leave"].some(seen);
}"""
TURNED = f"(before) => ({STEP})() !== before && ({READY})()"
LAST = ".finished #coach-leave:visible"
POINTED = "#fragment :is([data-path].can.pointed, .pointed [data-path].can) >> visible=true"
PREVIEWED = "() => document.body.dataset.tells === 'preview'"
LESSONS = [game_id for game_id in registry.own_ids() if lesson_of(registry.load(game_id))]


def covered(page, sizes):
    """Return what help covers now on each of the sizes."""
    wrong = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        if faults := page.evaluate(COVERED):
            wrong[f"{width}x{height}"] = faults
    return wrong


@pytest.mark.parametrize("sizes", [DESKS, PHONES], ids=["desk", "phone"])
@pytest.mark.parametrize("game_id", LESSONS)
def test_a_lesson_can_be_read_and_played_to_its_end(server, browser, game_id, sizes):
    person = Person(browser, server.address, width=sizes[0][0], reduced_motion="reduce")
    page, wrong, steps = person.page, {}, set()
    page.goto(f"/learn/{game_id}")
    page.get_by_role("button", name="Start lesson").press("Enter")
    page.wait_for_function(READY)
    while not page.locator(LAST).count():
        step = page.evaluate(STEP)
        steps.add(step)
        wrong |= {f"{step} {size}": faults for size, faults in covered(page, sizes).items()}
        # A preview stands beside what the coach says, which is still read.
        if page.locator("#coach-show:visible").count() and (piece := page.locator(POINTED)).count():
            if person.phone:
                piece.first.tap()
            else:
                piece.first.hover()  # a click may play it
            page.wait_for_function(PREVIEWED)
            wrong |= {f"{step} picked {size}": faults for size, faults in covered(page, sizes).items()}
            if person.phone:
                page.keyboard.press("Escape")
                page.wait_for_function("() => !document.body.classList.contains('choosing')")
            else:
                page.mouse.move(0, 0)
        person.touch(page.locator("#coach-next:visible, #coach-show:visible"))
        page.wait_for_function(TURNED, arg=step)
    wrong |= covered(page, sizes)
    # The lesson ends and the game does not: the coach says both, and one button leads on.
    assert page.inner_text("#coach-title") == "Lesson complete"
    assert "This game goes on: " in page.inner_text("#coach-says")
    expect(page.locator(".coach .main:visible")).to_have_text("Play on")
    assert not wrong, "\n".join(f"{where}: {faults}" for where, faults in wrong.items())
    assert len(steps) == len(lesson_of(registry.load(game_id)).steps) - 1
    assert person.problems == []
    person.context.close()


DECISIONS = {"ponzi-scheme": (3, 10, 20), "pyramid-scheme": (3, 20), "pyramis": (2, 9), "pyramid-shambo": (2, 8)}
"""After how many decisions in all help is asked for; of the other games, first of all."""
HINT = (
    "Too close to call. Chance to win: “Take media and the $11 fund” 25 %, “Take grain and the $11 fund” 25 %, "
    "“Take grain and the $13 fund” 25 %. 6,575 positions examined."
)
"""The longest that a hint says; the search would need a while to find its own."""
WHY = (
    "Vos points : 10 au lieu de 7 ; intérêts dus en cinq tours de roue : 124 $ au lieu de 108 $ "
    "(par rapport à « Prendre une tuile céréales et le fonds à 11 $ »)."
)
CONTROLS = """() => [...document.querySelectorAll("button, select, input, summary, .tabs a")]
    .filter((one) => one.checkVisibility())
    .map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const name = one.id || one.dataset.path || one.value || one.textContent.trim();
        return [name, left, top, width, height];
    })"""
"""Everything that can be clicked, and where it is."""
ANSWERED = "(piece) => piece.matches('.held') || !document.getElementById('refused').hidden"
"""A piece that cannot follow is refused, or begins another action."""


@pytest.fixture(scope="module")
def settled(tmp_path_factory):
    """A server whose bots choose by the position: they lead to the same positions on every machine."""
    bots = mock.patch("pyramidion.web.features.bots.runner.bot_of", lambda game, _name: SettledBot(game))
    with bots, browser_server(tmp_path_factory.mktemp("room")) as server:
        yield server


@pytest.mark.parametrize("sizes", [DESKS, PHONES], ids=["desk", "phone"])
@pytest.mark.parametrize("game_id", registry.own_ids())
def test_previews_refusals_and_hints_cover_nothing(settled, browser, game_id, sizes):
    person = Person(browser, settled.address, width=sizes[0][0], reduced_motion="reduce")
    page, wrong, made = person.page, {}, 0
    with Seated(settled.address, game_id, registry.load(game_id).usual_seats, f"room {game_id}") as seated:
        person.context.add_cookies([{**seated.cookie, "url": settled.address}])
        for decisions in DECISIONS.get(game_id, (0,)):
            if not seated.go_on(decisions - made):
                break
            made = decisions
            page.goto(seated.path)
            page.wait_for_function(DRAWN)
            places = controls(page, sizes)
            for what in helped(person):
                if what == "hint" and (moved := moved_since(places, controls(page, sizes))):
                    wrong[f"{made} hint moved"] = moved
                wrong |= {f"{made} {what} {size}": faults for size, faults in covered(page, sizes).items()}
    assert not wrong, "\n".join(f"{where}: {faults}" for where, faults in wrong.items())
    assert person.problems == []
    person.context.close()


def controls(page, sizes):
    """Return what can be clicked, and where, on each of the sizes."""
    places = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        places += [(f"{width}x{height} {name}", place) for name, *place in page.evaluate(CONTROLS)]
    return places


def moved_since(before, after):
    """Return the controls that have come, gone, or moved by more than a pixel."""
    if [name for name, _ in before] != [name for name, _ in after]:
        return sorted({name for name, _ in before} ^ {name for name, _ in after})
    pairs = zip(before, after, strict=True)
    return [
        (name, old, new)
        for (name, old), (_, new) in pairs
        if any(abs(a - b) > 1 for a, b in zip(old, new, strict=True))
    ]


def helped(person):
    """Ask for every kind of help at a position, one after the other."""
    page = person.page
    advice = {"sentence": HINT, "label": "Take media and the $11 fund", "why": WHY, "pieces": []}
    page.route("**/hint", lambda route: route.fulfill(json=advice))
    yield "nothing"
    if page.locator("#actions .submit").count():  # of the games of ten, whose bar has little room
        expect(page.locator("#ask-hint")).to_be_visible()
    if (hint := page.locator("#ask-hint")).is_visible():
        person.touch(hint)
        page.get_by_text(WHY).wait_for()
        yield "hint"
    pieces = page.locator("#fragment [data-path].can").filter(visible=True)
    for nth in (0, -1):
        if not pieces.count():
            return
        person.touch(pieces.nth(nth))
        yield f"preview of {nth}"
        # While nothing is held, a piece with data-says tells what it is and refuses nothing.
        other = page.locator("#board [data-path][aria-disabled]:not([data-says])").filter(visible=True)
        if other.count():
            piece = other.first.element_handle()
            piece.dispatch_event("click")
            page.wait_for_function(ANSWERED, arg=piece)
            yield f"refusal after {nth}"
        if (clear := page.locator("#clear")).is_visible():
            person.touch(clear)
