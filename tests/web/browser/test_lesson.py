"""A lesson in the browser: read and played by keyboard, answered by the coach, and left for a game of one's own."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SHOWN = "() => document.querySelector('#coach li:not([hidden])')?.id"


@pytest.fixture(params=[(1280, 720), (390, 844)], ids=["desktop", "phone"])
def page(request, browser, server):
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{server.address}learn/ponzi-scheme")
    page.get_by_role("button", name="Start lesson").press("Enter")
    page.wait_for_selector("#coach-next:visible")
    yield page
    context.close()


def read_to(page, step):
    while page.evaluate(SHOWN) != step:
        page.locator("#coach-next").press("Enter")


def test_one_step_is_read_at_a_time_and_what_it_means_is_marked(page):
    expect(page.locator("#coach li:visible")).to_have_count(1)
    assert page.inner_text("#coach-count").startswith("1 / ")
    read_to(page, "step-4")
    assert page.inner_text("#coach-count").startswith("5 / ")
    expect(page.locator("#coach-next")).to_be_hidden()
    expect(page.locator("[data-key=card-11].pointed")).to_have_count(1)
    expect(page.locator("[data-key=card-9].pointed")).to_have_count(0)
    page.locator("#coach-back").press("Enter")
    assert page.evaluate(SHOWN) == "step-3"
    expect(page.locator("[data-place=row-1].pointed")).to_have_count(1)


def test_the_coach_answers_another_action_and_goes_on_after_the_right_one(page):
    read_to(page, "step-4")
    page.locator("#actions .quick [value=pass]").press("Enter")
    page.get_by_text("If you pass, you get neither money nor a tile.").first.wait_for()
    assert page.evaluate(SHOWN) == "step-4"
    page.locator("#coach-show").press("Enter")
    page.wait_for_function(f"{SHOWN} === 'step-5'")
    page.reload()
    page.wait_for_function(f"{SHOWN} === 'step-5'")


def test_a_lesson_can_be_folded_away_and_left(page):
    fold = page.locator("#coach-fold")
    fold.press("Enter")
    assert fold.get_attribute("aria-expanded") == "false"
    expect(page.locator("#coach-says")).to_be_hidden()
    fold.press("Enter")
    page.locator("#coach-leave").press("Enter")
    page.wait_for_selector("#coach", state="detached")
    expect(page.locator(".pointed")).to_have_count(0)
    page.locator("#actions .quick [value=pass]").press("Enter")
    page.wait_for_function("() => Number(document.getElementById('fragment').dataset.version) > 0")


def test_a_phone_shows_the_cards_of_a_player_while_the_coach_speaks_of_them(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server.address}learn/pyramis")
    page.get_by_role("button", name="Start lesson").press("Enter")
    page.wait_for_selector("#coach-next:visible")
    for step in ("step-3", "step-4"):
        read_to(page, step)
        page.locator("#coach-show").press("Enter")
        page.wait_for_function(f"{SHOWN} !== '{step}'")
    page.wait_for_function(f"{SHOWN} === 'step-5'")
    expect(page.locator("#player-1.pointed .face").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".deck.pointed").first).to_be_in_viewport(ratio=1)
    read_to(page, "step-6")
    expect(page.locator("#player-1 .face").first).to_be_hidden()
    # What a card with a Star brings is told with what its place changes.
    told = page.locator("[data-preview='place 2 a2']").text_content()
    assert "brings a Star card" in told
    assert "Star" not in page.locator("[data-preview='place 1 a2']").text_content()
    context.close()
