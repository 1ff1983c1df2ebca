"""The show in a browser: speeds, catching up, the end of a game, its replay, a rematch."""

import re
import struct

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')
TELLING = "() => document.body.dataset.telling"
QUIET = "() => !document.body.dataset.telling"
BOTS = ("me", "bot:random", "bot:random")


@pytest.fixture
def people(server, browser):
    made = []

    def person(**context):
        made.append(Person(browser, server.address, **context))
        return made[-1]

    yield person
    for one in made:
        one.context.close()


def passes(person):
    """Do the least there is to do: pass where that is possible."""
    legal = person.legal()
    person.act(
        "pass"
        if "pass" in legal
        else legal[0].replace("..", " ").split(" ")[0] + " 0"
        if ".." in legal[0]
        else legal[0]
    )


def to_the_end(*people):
    for _ in range(600):
        for one in people:
            if len(people) == 1:
                one.wait()
            elif not one.page.locator("#fragment[data-mine]").count():
                one.page.wait_for_timeout(50)
            if one.over:
                return
            if one.page.locator("#fragment[data-mine]").count():
                passes(one)
    raise AssertionError("The game did not end.")


def test_with_speed_off_nothing_moves_and_the_choice_is_kept(people):
    person = people(speed="normal")
    person.start(seats=BOTS)
    person.menu()
    person.page.locator(".speed-choice").first.select_option("off")
    person.menu(shown=False)
    person.page.wait_for_function(QUIET)
    person.page.evaluate("() => { window.count = 0; addEventListener('told', () => { window.count += 1; }); }")
    person.wait()
    person.act("pass")
    person.wait()
    assert person.page.evaluate("window.count") == 0
    person.page.reload()
    assert person.page.evaluate("localStorage.speed") == "off"
    assert person.page.locator(".speed-choice").first.input_value() == "off"


def test_somebody_who_was_away_is_shown_what_happened_and_may_skip_it(people):
    away, here = people(speed="fast", reduced_motion="reduce"), people()
    table = away.start(seats=("me", "open", "bot:random"))
    here.page.goto(table)
    here.page.get_by_label("Your name").fill("Here")
    here.page.get_by_role("button", name="Join as player 2").click()
    here.page.wait_for_selector("#fragment.seated")

    def meanwhile():
        away.wait()
        away.page.wait_for_function(QUIET)
        seen = away.version
        passes(away)
        away.page.wait_for_function(QUIET)
        away.page.goto("about:blank")
        here.wait()
        passes(here)
        here.page.wait_for_selector("#fragment:not([data-mine])")
        away.page.goto(table)
        away.page.wait_for_selector("#away:not([hidden])")
        expect(away.page.locator("#away").first).to_contain_text("since you last looked", use_inner_text=True)
        return seen

    if not away.page.locator("#fragment[data-mine]").count():
        here.wait()
        passes(here)
    seen = meanwhile()
    newest = away.version
    away.page.get_by_role("button", name="Watch").click()
    away.page.wait_for_function(TELLING)
    expect(away.page.locator("#away:not([hidden])")).to_have_count(0)
    away.page.wait_for_function(QUIET)
    away.page.wait_for_selector("#fragment:not([data-past])", state="attached")
    assert away.version >= newest > seen
    away.page.reload()
    away.page.wait_for_selector("#fragment")
    expect(away.page.locator("#away:not([hidden])")).to_have_count(0)
    assert away.problems == here.problems == []


def test_the_end_takes_the_stage_and_everybody_can_join_the_rematch(people):
    first, second = people(speed="fast"), people()
    table = first.start(seats=("me", "open", "bot:random"), round_limit=1)
    second.page.goto(table)
    second.page.get_by_label("Your name").fill("Second")
    second.page.get_by_role("button", name="Join as player 2").click()
    second.page.wait_for_selector("#fragment.seated")
    to_the_end(first, second)
    for one in (first, second):
        one.page.wait_for_selector("body[data-ending] #result")
        said = one.page.inner_text("#result")
        assert "win" in said
        assert "PZ 10" in said
        for name in ("Rematch", "Learn from this game", "Replay", "Share"):
            expect(one.page.locator("#ending-actions").get_by_text(name, exact=True)).to_be_visible()

    first.page.locator("#rematch-go").click()
    first.page.wait_for_url(lambda url: url != table)
    second.page.wait_for_selector("#rematch-proposed")
    expect(second.page.locator("#rematch-proposed").first).to_contain_text(
        "Margherita wants a rematch.", use_inner_text=True
    )
    second.page.locator("#rematch-go").click()
    second.page.wait_for_url(first.page.url)
    for one in (first, second):
        one.page.wait_for_selector("#fragment.seated")
        assert one.problems == []


def test_a_finished_game_is_replayed_and_a_position_has_a_link(people):
    person = people(speed="fast", reduced_motion="reduce")
    table = person.start(seats=BOTS, round_limit=1)
    to_the_end(person)
    page = person.page
    page.wait_for_selector("body[data-ending]")
    page.locator("#ending-replay").click()
    page.wait_for_selector("body:not([data-ending])")
    page.wait_for_function("() => document.getElementById('fragment').dataset.past && document.body.dataset.telling")
    page.locator("#replay-play").click()
    assert page.get_attribute("#replay-play", "aria-pressed") == "false"
    page.wait_for_function(QUIET)
    page.locator("#replay-first").click()
    page.wait_for_selector("#fragment[data-version='0']", state="attached")
    page.locator("#replay-on").click()
    page.wait_for_selector("#fragment[data-version='1']", state="attached")
    page.locator("#chapters option").nth(1).wait_for(state="attached")
    assert "Round 1" in page.locator("#chapters").inner_text()
    with page.expect_download() as saved:
        page.locator("#replay-png").click()
    assert saved.value.suggested_filename.endswith("-1.png")
    picture = saved.value.path().read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", picture[16:24])
    svg = page.request.get(f"{table}/position.svg?at=1&seat=0").text()
    assert [wide, high] == [2 * float(one) for one in SIZE.search(svg).groups()]

    page.goto(f"{table}?at=2&seat=1")
    assert page.get_attribute("#recent", "data-eyes") == "1"
    expect(page.locator("#position")).to_have_value("2")
    expect(page.locator("#eyes")).to_have_value("1")
    assert person.problems == []


def test_confirmed_moves_are_made_with_the_button_alone_and_a_key_lists_the_shortcuts(people):
    person = people()
    person.start(seats=BOTS)
    person.wait()
    page = person.page
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Shortcuts and settings").is_visible()
    page.get_by_label("Ask me to confirm every move").check()
    page.get_by_role("button", name="Close", exact=True).click()
    before = person.version
    page.locator("#board .card.can").first.click()
    tile = page.locator("#board .tile.can").first
    tile.hover()
    tile.click()
    page.wait_for_selector("#commit:not([hidden])")
    assert person.version == before
    page.locator("#commit").click()
    person.moved(before)
    page.reload()
    expect(page.locator("#confirm-moves")).to_be_checked()
    assert person.problems == []
