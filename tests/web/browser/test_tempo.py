"""The tempo of a table in a browser: a position is in place at once, and motion is a decoration that any input ends.

The page's clock stands still, so no timer ends anything, and nothing that waits for one ever comes. How long something
lasts is read from what is scheduled.
"""

import random
from itertools import cycle

import pytest
from tests.web.helpers.browser_whole_games import GAMES, one_step
from tests.web.helpers.browsing import Person, browser_server

import pyramidion

pytestmark = [pytest.mark.browser, pytest.mark.server(bot_pause=0.05)]
STEPS = 300
MOTION, STAGE, CALL = (
    2000,
    1600,
    1500,
)  # milliseconds at most: all motion of an update; a stage; a call before hands are shown
GROWTH = 3  # how much a piece grows at most on its way
# A stray event of the mouse may end the motion before it is looked at, so its beginning is kept.
BEGUN = "() => addEventListener('beat', () => { window.begun = true; })"
MOVED = "(before) => Number(document.getElementById('fragment').dataset.version) > before && window.begun"
# Of every update: what the page says that it has scheduled, and what is really there.
RECORD = """() => {
    window.updates = [];
    const meets = (one, other) => one.left < other.right - 1 && one.right > other.left + 1
        && one.top < other.bottom - 1 && one.bottom > other.top + 1;
    const controls = ":is(#fragment .can, #actions :is(button, input, select, summary):not(:disabled))";
    // The own area, or what lies between the pieces of the board that can be chosen.
    const deciding = () => {
        const boxes = (which) => [...document.querySelectorAll(which)].filter((one) => one.checkVisibility())
            .map((one) => one.getBoundingClientRect());
        const all = boxes("#board .can"), own = boxes("#own .can").length || !all.length ? boxes("#own") : [];
        if (!all.length) return own;
        const edge = (of, side) => of(...all.map((box) => box[side]));
        return [...own, {
            left: edge(Math.min, "left"), top: edge(Math.min, "top"),
            right: edge(Math.max, "right"), bottom: edge(Math.max, "bottom"),
        }];
    };
    addEventListener("beat", ({ detail }) => {
        const stage = document.getElementById("stage"), drawn = stage.getBoundingClientRect();
        // As it is when it has come in, which it does growing from its middle
        const { offsetWidth: width, offsetHeight: height } = stage;
        const box = new DOMRect(
            drawn.x + (drawn.width - width) / 2, drawn.y + (drawn.height - height) / 2, width, height,
        );
        const due = document.getElementById("fragment").dataset.mine !== undefined;
        const targets = "#fragment, #fragment *, #stage, #stage *";
        const ends = document.getAnimations().filter(({ effect }) => effect.target?.matches(targets))
            .map(({ effect }) => effect.getComputedTiming().endTime).filter(Number.isFinite);
        window.updates.push({
            ...detail, due, longest: Math.max(0, ...ends),
            movers: [...document.querySelectorAll(".mover")].map((mover) => {
                const [piece] = mover.children, { width, height } = piece.getBoundingClientRect();
                const style = getComputedStyle(piece), animations = mover.getAnimations();
                const moves = animations.flatMap(({ effect }) => effect.getKeyframes());
                return {
                    html: mover.outerHTML.slice(0, 200), children: mover.childElementCount, width, height,
                    outgrown: Math.round(height - mover.getBoundingClientRect().height),
                    drawn: piece.innerText.trim() !== "" || piece.querySelector("svg") !== null
                        || style.backgroundImage !== "none",
                    grown: Math.max(...moves.map(({ transform }) =>
                        Number(/scale\\(([\\d.]+)/.exec(transform)?.[1] ?? 1))),
                    stretched: moves.some(({ transform }) => /scale(X|Y|3d|\\([^)]*,)/.test(transform ?? "")),
                };
            }),
            emptied: [...document.querySelectorAll("#fragment [data-flow] > :first-child")]
                .filter((top) => top.checkVisibility() && getComputedStyle(top).opacity === "0")
                .map((top) => top.parentElement.dataset.key),
            shown: !stage.matches(":popover-open") ? null : {
                text: stage.innerText, pictures: stage.querySelectorAll(".drawn > *").length,
                width: box.width, height: box.height,
                clickable: getComputedStyle(stage).pointerEvents !== "none",
                covers: !due ? [] : [...document.querySelectorAll(controls)].filter((one) => one.checkVisibility())
                    .filter((one) => meets(one.getBoundingClientRect(), box)).map((one) => one.outerHTML.slice(0, 120)),
                amidst: due && deciding().some((area) => meets(area, box)),
                fades: stage.getAnimations()
                    .filter(({ effect }) => effect.getKeyframes().some(({ opacity }) => (opacity ?? "1") !== "1"))
                    .map(({ effect }) => effect.getTiming().duration),
            },
            headline: getComputedStyle(document.querySelector("#status h1")).visibility,
            over: document.getElementById("fragment").matches(".over"),
            result: document.body.dataset.ending,
            caption: document.getElementById("caption").textContent.trim(),
        });
    });
}"""


# Hands shown at the same time are counted in. A clock that stands still would count for ever, but input ends a call.
COUNTED = """() => {
    window.calls = [];
    const wait = window.setTimeout;
    let last = 0;
    window.setTimeout = (what, milliseconds, ...more) => {
        last = milliseconds;
        return wait(what, milliseconds, ...more);
    };
    new MutationObserver(() => {
        if (!document.body.dataset.telling?.split(" ").includes("countdown")) return;
        window.calls.push(last);
        document.dispatchEvent(new Event("wheel"));
    }).observe(document.body, { attributeFilter: ["data-telling"] });
}"""


def still(person):
    """Let the page's clock stand still."""
    person.page.clock.install()
    person.page.clock.pause_at(person.page.evaluate("Date.now() + 1000"))
    person.page.evaluate(COUNTED)


@pytest.mark.parametrize("key", [None, " "])
def test_any_input_ends_all_motion_and_is_what_it_is(tmp_path, browser, key):
    with browser_server(tmp_path, bot_pause=60) as server:
        person = Person(browser, server.address, speed="slow")
        while not person.page.locator("#fragment[data-mine]").count():
            person.start("Pyramis", ("me", "bot:random"))
        still(person)
        page, before = person.page, person.version
        page.evaluate(BEGUN)
        person.act(person.legal()[0])
        page.wait_for_function(MOVED, arg=before)
        assert "You placed" in page.inner_text("#caption")
        log = page.locator("#log-open")
        log.click() if key is None else log.press(key)
        assert page.locator("#log.open").count() == 1
        assert page.get_attribute("body", "data-telling") is None
        assert page.locator(".mover, .lit").count() == 0
        assert person.problems == []
        person.context.close()


@pytest.mark.parametrize(("game_id", "width"), list(zip(GAMES, cycle((1280, 390)))))
def test_the_tempo_of_a_whole_game(server, browser, game_id, width):
    game, (count, options) = pyramidion.load(game_id), GAMES[game_id]
    chance = random.Random(f"{game_id} {width}")
    person = Person(browser, server.address, width=width, speed="normal")
    person.start(game.name, ("me", *["bot:random"] * (count - 1)), **options)
    person.page.evaluate(RECORD)
    still(person)
    clock = person.page.evaluate("performance.now()")
    for _ in range(STEPS):
        person.wait()
        if person.over:
            break
        one_step(person, chance)
    assert person.over, person.headline
    # Everything that was chosen has come, and no timer has run: an own outcome takes no time.
    assert person.page.evaluate("performance.now()") == clock
    updates, calls = person.page.evaluate("[window.updates, window.calls]")
    assert bool(calls) is (game.countdown is not None)
    assert all(0 <= call <= CALL for call in calls), calls
    assert len(updates) > 5
    kinds = {stage.event for stage in game.presentation.stages}
    for update in updates:
        stage, shown = update["stage"], update["shown"]
        assert update["milliseconds"] <= MOTION
        assert update["longest"] <= MOTION, update
        assert update["caption"]
        assert update["emptied"] == []
        for mover in update["movers"]:
            assert mover["children"] == 1
            assert mover["drawn"], mover
            assert not mover["stretched"], mover
            assert mover["grown"] <= GROWTH, mover
            assert abs(mover["outgrown"]) < 2, mover
            assert min(mover["width"], mover["height"]) > 3, mover
        if stage:
            assert stage["kind"] in kinds
            assert stage["milliseconds"] <= STAGE
        if shown:
            assert shown["covers"] == []
            assert not shown["amidst"], shown
            assert all(duration <= 1 for duration in shown["fades"])
            assert not shown["clickable"]
            assert shown["pictures"]
            assert shown["text"].strip()
            assert shown["width"] > 100
            assert shown["height"] > 80  # as tall as what is in it
    stages = [update["stage"]["kind"] for update in updates if update["stage"]]
    assert len(stages) <= len(updates) / 2, stages
    # Who has won is said when the rest has been told.
    last = updates[-1]
    assert last["over"]
    assert last["result"] is None
    if last["stage"] or last["movers"]:
        assert last["headline"] == "hidden"
    person.page.locator("#board").click(position={"x": 2, "y": 2})
    person.page.wait_for_selector("body[data-ending] #result")
    assert person.problems == []
    person.context.close()
