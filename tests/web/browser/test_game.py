"""Whole games through the real browser."""

import json

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person, careful

pytestmark = pytest.mark.browser
BOTS = ("me", "bot:policy", "bot:policy", "bot:random")


@pytest.mark.parametrize(
    ("width", "rounds", "look"),
    [(1280, 4, {"color_scheme": "light"}), (390, 12, {"color_scheme": "dark", "reduced_motion": "reduce"})],
    ids=["desktop", "phone"],
)
def test_a_person_plays_three_bots_to_the_end(server, browser, width, rounds, look):
    person = Person(browser, server.address, width=width, **look)
    page = person.page
    person.start(seats=BOTS, name="<b>Zoë & co", round_limit=rounds)
    assert person.play(careful(width)) > 3

    assert person.headline.startswith(("You won", "You lost", "Nobody"))
    rows = page.locator("#result tbody tr")
    assert rows.count() == 4
    result = page.inner_text("#result")
    assert "<b>Zoë & co" in result
    assert "PZ 10.2" in result
    assert "PZ 10.3" in result
    winners = page.locator("#result tr.won th")
    # Everybody may have gone bankrupt; then nobody wins, and the page says so.
    assert ("Nobody" in person.headline) == (winners.count() == 0)
    if person.headline.startswith("You lost"):
        for winner in winners.all():
            assert winner.inner_text().strip() in page.inner_text("#result h2")

    _replays(person)
    with page.expect_download() as got:
        page.get_by_role("link", name="Record").click()
    record = json.loads(got.value.path().read_text())
    assert record["game"] == "ponzi-scheme"
    assert person.problems == []
    person.context.close()


def _replays(person):
    """Every position can be seen again as this seat saw it, and then with all hands open."""
    page = person.page
    slider = page.locator("#position")
    last = int(slider.get_attribute("max"))
    assert page.inner_text("#at") == f"{last} of {last}"
    page.locator("#replay-first").dispatch_event("click")  # also below the picture of the end
    page.wait_for_selector("#fragment[data-version='0']", state="attached")
    assert page.inner_text("#at") == f"0 of {last}"
    assert "Replay: " in person.headline
    expect(page.locator("#hint").first).to_contain_text("Round 1 ", use_inner_text=True)
    expect(page.locator(".others .cash")).to_have_count(0)
    # The log does not tell what comes later.
    told = page.locator("#log li:not([hidden])")
    page.wait_for_selector("#log li[hidden]", state="attached")
    first = told.count()
    assert "The game is over." not in told.all_text_contents()[0]
    person.open_replay()  # on a phone, the slider is behind one button
    slider.focus()
    for key, version in (("ArrowRight", 1), ("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        page.wait_for_selector(f"#fragment[data-version='{version}']", state="attached")
    assert first < told.count() < first + 9
    page.check("#everything")
    page.wait_for_selector(".others .cash", state="attached")
    page.wait_for_selector("#log li:not([hidden])", state="attached")
    assert told.count() < first + 9
    expect(page.locator(".others .cash")).to_have_count(3)
    page.uncheck("#everything")
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_selector("#result", state="attached")
    # The log of the seat's own view is asked for again, so it may take a moment to be whole.
    page.wait_for_function(
        """() => { const lines = [...document.querySelectorAll('#log li')];
        return lines[0]?.textContent.includes('The game is over.') && !lines.some((one) => one.hidden); }"""
    )


def test_the_advanced_game_sells_luxuries(server, browser):
    person = Person(browser, server.address, reduced_motion="reduce")
    page = person.page
    page.goto("/games/ponzi-scheme/new")
    page.locator("#more > summary").click()
    page.check("#option-advanced")
    page.fill("#option-round_limit", "6")
    page.fill("[name=me]", "Ines")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    bought = []

    def choose(legal):
        funds = [action for action in legal if action.startswith("fund")]
        luxuries = [action for action in legal if action.startswith("buy")]
        if luxuries:
            bought.append(luxuries[0])
            return luxuries[0]
        return max(funds, key=lambda action: int(action.split()[-1])) if funds else careful(1)(legal)

    person.play(choose)
    assert bought
    assert page.locator(".luxury.sold").count() >= 1
    expect(page.locator("#result").first).to_contain_text("PZ 10.4", use_inner_text=True)
    assert person.problems == []
    person.context.close()
