"""In a browser: what is chosen shows its price at once, and nothing is gold before anything has been chosen."""

import pytest
from playwright.sync_api import expect
from tests.games.pyramid_of_ten import boards
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser
GOLD = "(button) => getComputedStyle(button).backgroundColor"


@pytest.mark.parametrize(
    ("name", "family", "price"),
    [
        ("Upside Down Pyramid Scheme", "ask", "the 3 highest priorities of all who ask get it"),
        ("Downside Up Pyramid Scheme", "claim", "2 tickets: 3 players can get that many"),
    ],
)
def test_choices_show_their_prices_on_a_phone(server, browser, name, family, price):
    person = Person(browser, server.address, width=390, reduced_motion="reduce")
    page = person.page
    person.start(name, ("me", *["bot:policy"] * 9))
    expect(page.locator("#caption")).to_contain_text("The highest bid stands on A")
    confirm, preview = page.locator("#submit .main"), page.locator("#preview")
    plain = confirm.evaluate(GOLD)
    held = int(page.get_attribute("#actions [name=number-bid]", "max"))
    person.touch(page.locator("#actions [data-step='1']").first)
    expect(preview).to_contain_text(f"keep {held - 1} ")
    expect(preview).to_be_in_viewport()
    assert confirm.evaluate(GOLD) != plain
    before = person.version
    person.touch(confirm)
    page.wait_for_function("(v) => Number(document.getElementById('fragment').dataset.version) > v + 1", arg=before)
    expect(page.locator("#caption")).to_contain_text("You bid 1")
    assert confirm.evaluate(GOLD) == plain
    before = person.version
    person.touch(page.locator(f"#actions .pick[value='{family} 2']"))
    person.moved(before)
    expect(preview).to_contain_text(price)
    expect(preview).to_be_in_viewport()
    assert confirm.evaluate(GOLD) != plain
    assert boards.private_numbers(person) == [] or family == "claim"
    assert person.problems == []
    person.context.close()
