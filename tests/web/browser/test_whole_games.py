"""A whole game of each of the six: played by mouse or by touch, watched, and hosted by somebody who does not play.

The player's screen takes another of the sizes with every step, so each size is played throughout a game. No page may
report an error, ask for what is refused, or be larger than its screen, and the parts of the screen stay where they are.
"""

import random
import re

import pytest
from tests.web.helpers.browser_whole_games import GAMES, HIDDEN, one_step
from tests.web.helpers.browsing import Person

import pyramidion

pytestmark = pytest.mark.browser
MOST = 300
SIZES = {1280: ((1280, 720), (1440, 900), (1024, 640)), 390: ((390, 844), (360, 640))}
# One of something that is called by its plural.
ONE = re.compile(
    r"(?<![\d$.,:/])\b1 (?:levels|Victims|cards|points|tiles|pips|tickets|garnets|tokens|rounds|turns|actions|ties|"
    r"battles|players|seats|bears|smart-asses|answers)\b"
)
MIDST = 12
GO_THERE = "(slider, place) => { slider.value = place; slider.dispatchEvent(new Event('input')); }"
# Parts of the screen that the browser's own metric of layout shifts counts as moved. On a phone the strip of players
# grows where something of theirs can be chosen; it lies over the board then.
SHIFTS = """(phone) => {
    const fixed = "#status, #tabs, #tracker, #tracker > *, .top, .tab, #board, #own, #actions";
    const parts = phone ? fixed : `${fixed}, #others`;
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            if (entry.hadRecentInput) continue;
            for (const { node, previousRect: was, currentRect: is } of entry.sources) {
                const one = node?.nodeType === 3 ? node.parentElement : node;
                if (!one?.matches?.(parts)) continue;
                const box = (rect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
                window.shifts.push(`${one.outerHTML.slice(0, 80)}: ${box(was)} -> ${box(is)}`);
            }
        }
    }).observe({ type: "layout-shift" });
}"""
# The browser's metric passes over what moves right after a click, so the areas are measured as well.
AREAS = """() => ["board", "own", "actions"].map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return `${id}: ${[x, y, width, height].map(Math.round).join(" ")}`;
}).join(", ")"""
# On a phone the actions, or after the game the replay, lie above the tabs, and not below them.
BAR_ABOVE_TABS = """() => {
    const boxes = [...document.querySelectorAll("#actions, .aftermath")].map((one) => one.getBoundingClientRect());
    const { top } = document.getElementById("tabs").getBoundingClientRect(), seen = boxes.filter((box) => box.height);
    return seen.length === 1 && seen[0].height >= 44 && seen[0].bottom <= top + 1 ? "" : JSON.stringify([boxes, top]);
}"""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Onlooker(Person):
    """Somebody whose answers are watched as well: nothing that is asked for may fail."""

    def __init__(self, *args, **context):
        super().__init__(*args, reduced_motion="reduce", **context)
        self.page.on("response", lambda answer: answer.status >= 400 and self.note(f"{answer.status} {answer.url}"))

    def look(self) -> None:
        """Require of the page, as it stands, what must hold of any."""
        text = self.page.inner_text("#main")
        assert not ONE.findall(text), ONE.findall(text)
        assert self.page.evaluate(WIDE) == 0
        if self.phone:
            assert self.page.evaluate(BAR_ABOVE_TABS) == ""
        assert self.problems == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game(server, browser, game_id, width):
    assert set(GAMES) == {one.id for one in pyramidion.all_games().values() if one.folder.parent.name == "games"}
    count, options = GAMES[game_id]
    chance = random.Random(f"{game_id} {width}")
    host, player = Onlooker(browser, server.address), Onlooker(browser, server.address, width=width)
    url = host.start(pyramidion.load(game_id).name, ("open", *["bot:policy"] * (count - 1)), **options)
    player.page.goto(url)
    player.page.get_by_label("Your name").fill("Nina")
    player.touch(player.page.get_by_role("button", name="Join as player 1"))
    player.page.wait_for_selector("#own")
    player.page.evaluate(SHIFTS, player.phone)
    if width == 1280:
        # Those who do not play see the same whether the player has a mouse or not.
        watcher = Onlooker(browser, server.address, width=390)
        watcher.page.goto(url)
        host.menu()
        host.page.locator("#hosting > summary").click()
        everybody = (player, watcher, host)
    else:
        host.context.close()
        everybody = (player,)
    areas = {size: set() for size in SIZES[width]}
    for step in range(MOST):
        player.wait()
        if player.over:
            break
        wide, high = SIZES[width][step % len(SIZES[width])]
        player.page.set_viewport_size({"width": wide, "height": high})
        areas[wide, high].add(player.page.evaluate(AREAS))
        assert player.page.evaluate(HIDDEN) == [], (player.headline, wide)
        if step % 10 == 3:
            for one in everybody:
                one.look()
        one_step(player, chance)
    assert player.over, player.headline
    assert player.page.evaluate("window.shifts") == []
    assert all(len(one) == 1 for one in areas.values()), areas
    for one in everybody:
        one.page.wait_for_selector("body[data-ending] #result")
        one.look()
        one.touch(one.page.locator("#ending-close"))
        assert one.page.evaluate("() => document.scrollingElement.scrollHeight <= innerHeight")
        one.open_replay()
        # Everything open: the same for everybody, at any position.
        one.page.locator("#everything").check()
        one.page.wait_for_selector("#recent[data-eyes='all']", state="attached")
        one.page.locator("#position").evaluate(GO_THERE, MIDST)
        one.page.wait_for_selector(f"#fragment[data-version='{MIDST}']", state="attached")
        one.look()
    if width == 1280:
        shown = [" ".join(one.page.text_content("#board").split()) for one in (watcher, host)]
        assert shown[0] == shown[1]
    for one in everybody:
        one.context.close()
