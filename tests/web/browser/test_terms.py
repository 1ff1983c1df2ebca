"""Terms in the browser: words and symbols are explained where one points at them, and the goal card lists them all."""

import pytest
from playwright.sync_api import expect

from pyramidion.engine import registry
from pyramidion.engine.glossary import glossary_of
from pyramidion.translation import in_language

pytestmark = pytest.mark.browser
# Where a word stands in a text, in the middle of its box.
WORD = """async ([selector, word]) => {
    const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf(word);
        if (at < 0 || !walker.currentNode.parentElement.checkVisibility()) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + word.length);
        range.startContainer.parentElement.scrollIntoView({ block: "center" });
        // Scrolling is noticed at the next frame, and closes what is explained.
        for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
        const box = range.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }
}"""


@pytest.fixture
def table(server, browser, request):
    game, language, size = getattr(request, "param", ("ponzi-scheme", "en", (1280, 720)))
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale=language, has_touch=size[0] < 500
    )
    page = context.new_page()
    page.goto(f"{server.address}learn/{game}")
    page.locator("main form button.main").first.click()
    page.wait_for_selector("#coach")
    page.wait_for_function("() => CSS.highlights.has('term')")
    yield page
    context.close()


@pytest.mark.parametrize("table", [(game, "en", (1280, 720)) for game in registry.own_ids()], indirect=True)
def test_the_goal_card_opens_with_a_key_and_lists_every_term(table):
    game = registry.load(table.evaluate("document.getElementById('main').dataset.game"))
    told = glossary_of(game)
    table.locator("#status").press("g")
    card = table.locator("#goal-card")
    card.wait_for()
    assert told.win in card.inner_text()
    assert told.ends in card.inner_text()
    names = card.locator("dfn").evaluate_all("(all) => all.map((one) => one.textContent)")
    assert names == [term.words[0] for term in told.terms]
    table.keyboard.press("Escape")
    assert not card.is_visible()


def test_the_goal_card_has_a_button_in_the_menu_and_a_line_in_the_list_of_keys(table):
    table.keyboard.press("?")
    assert "G" in table.locator("#keys").inner_text()
    table.keyboard.press("Escape")
    table.locator("#menu > summary").click()
    table.locator("#goal-open").click()
    expect(table.locator("#goal-card")).to_be_visible()


def test_a_word_is_explained_where_the_mouse_rests_on_it(table):
    table.mouse.move(*table.evaluate(WORD, ["#fragment", "fund"]))
    tip = table.locator("#term")
    tip.wait_for()
    fund = next(term for term in glossary_of(registry.load("ponzi-scheme")).terms if term.key == "fund")
    assert fund.say in tip.inner_text()
    tip.locator("a.rule").click()
    table.locator("#rule[open]").wait_for()
    assert "Fund cards" in table.locator("#rule-text").inner_text()


def test_a_symbol_of_the_board_is_explained(table):
    symbol = table.locator("#fragment svg:has(use[href='#g-bear']):visible").first
    box = symbol.bounding_box()
    table.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    table.locator("#term").wait_for()
    assert table.locator("#term dfn").inner_text().casefold() == "bear"
    table.keyboard.press("Escape")
    expect(table.locator("#term")).to_have_count(0)


@pytest.mark.parametrize("table", [("ponzi-scheme", "zh-TW", (390, 844))], indirect=True)
def test_a_tap_explains_a_word_on_a_phone_in_the_language_of_the_page(table):
    with in_language("zh-Hant"):
        fund = next(term for term in glossary_of(registry.load("ponzi-scheme")).terms if term.key == "fund")
    for _turn in range(3):
        table.locator("#coach-next").click()
    table.touchscreen.tap(*table.evaluate(WORD, ["#coach-says", fund.words[-1]]))
    table.locator("#term").wait_for()
    assert fund.say in table.locator("#term").inner_text()


def test_the_rules_page_explains_its_words(server, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{server.address}games/upside-down/rules")
    page.wait_for_function("() => CSS.highlights.has('term')")
    page.mouse.move(*page.evaluate(WORD, [".prose:last-of-type", "screwed"]))
    page.locator("#term").wait_for()
    assert "Too many asked" in page.locator("#term").inner_text()
    page.locator("#terms-open > summary").click()
    expect(page.locator("#terms-open dt")).to_have_count(len(glossary_of(registry.load("upside-down")).terms))
    context.close()
