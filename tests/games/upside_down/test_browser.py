"""Whole games of Upside Down in the real browser, through the board alone; and what two people and a spectator see."""

import random

import pytest
from playwright.sync_api import expect
from tests.games.pyramid_of_ten import boards
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser
NAME = "Upside Down Pyramid Scheme"


def test_a_person_plays_bots_to_the_end_on_a_phone(server, browser):
    person = Person(browser, server.address, width=390, color_scheme="dark", reduced_motion="reduce")
    filled = boards.play_to_the_end(person, NAME, random.Random(390), number="bid")
    assert filled["ask"] == 5
    boards.check_the_end(person, closings=11)
    assert person.problems == []
    person.context.close()


def test_each_sees_their_own_numbers_and_a_spectator_none(server, browser):
    ana, ben, watcher = (Person(browser, server.address, reduced_motion="reduce") for _ in range(3))
    address = ana.start(NAME, ("me", "open", *["bot:policy"] * 8), name="Ana")
    ben.page.goto(address)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join as player 2").click()
    ben.page.wait_for_selector("#own")
    watcher.page.goto(address)
    ana.page.wait_for_function("() => !document.querySelector('.sit')")
    for person in (ana, ben):
        assert boards.private_numbers(person) == []
        assert person.page.locator(".stand.me .amount").count() > 0
    expect(watcher.page.locator(".stand .amount, .by-list .amount")).to_have_count(0)

    # Saving, confirming, changing one's mind: nobody else sees anything of it.
    watcher.page.wait_for_timeout(300)
    before = [person.page.inner_html("#fragment") for person in (ben, watcher)]
    boards.save_number(ana, "bid", 4)
    boards.confirm(ana)
    ana.page.get_by_role("button", name="Change it").click()
    ana.page.wait_for_selector("#actions [name=number-bid]:enabled")
    boards.save_number(ana, "bid", 7)
    # A trade takes two clicks, and is closed again after it.
    trade = ana.page.locator(".trade")
    trade.locator("summary").click()
    trade.get_by_role("button").click()
    ana.page.wait_for_function(
        "() => document.querySelector('.holdings').innerText.replace(/\\s+/g, ' ').includes('Tickets 6 Garnets 4')"
    )
    expect(trade.get_by_role("button")).to_be_hidden()
    boards.confirm(ana)
    assert "You have confirmed" in ana.headline
    assert ana.page.locator("#actions [name=number-bid]").is_disabled()
    watcher.page.wait_for_timeout(300)
    assert [person.page.inner_html("#fragment") for person in (ben, watcher)] == before

    boards.save_number(ben, "bid", 0)
    boards.confirm(ben)
    for person, told in ((ana, 1), (ben, 1), (watcher, 0)):
        person.page.wait_for_selector(".story .e-top")
        expect(person.page.locator(".story .e-bid")).to_have_count(told)
        assert boards.private_numbers(person) == []
        expect(person.page.locator(".ten .stand")).to_have_count(10)
    expect(ana.page.locator(".story").first).to_contain_text("You bid and pay 7", use_inner_text=True)
    for person in (ana, ben, watcher):
        assert person.problems == []
        person.context.close()


TRADES = """async (times) => {
    const page = document.getElementById("main").dataset;
    let version = document.getElementById("fragment").dataset.version;
    for (let n = 0; n < times; n++) {
        const answer = await fetch(`/t/${page.table}/act`, {
            method: "POST", headers: { "X-CSRF": page.csrf, Accept: "application/json" },
            body: new URLSearchParams({ action: "trade", version }),
        });
        if (!answer.ok) return await answer.text();
        version = String((await answer.json()).version);
    }
    return "";
}"""


def test_tokens_of_life_are_given_away_on_the_pyramid_and_in_the_list(server, browser):
    """With many garnets one stays on A with the most tickets: three tokens, two of them to give."""
    person = Person(browser, server.address, reduced_motion="reduce")
    page = person.page
    options = {"garnets-0": 40, "priority-0": 900} | {f"garnets-{n}": 0 for n in range(1, 10)}
    person.start(NAME, ("me", *["bot:policy"] * 9), **options | {f"priority-{n}": 10 + n for n in range(1, 10)})
    page.wait_for_selector("#submit")
    assert page.evaluate(TRADES, 40) == ""
    page.wait_for_function("() => document.querySelector('.holdings dd').innerText === '45'")
    for _ in range(12):
        person.wait()
        if page.locator("#actions .pick[data-family=give]").count():
            break
        before = person.version
        if page.locator("#actions .number").count():
            boards.by_keyboard(person, "bid" if "bids" in page.inner_text("#hint") else "tickets", 12)
        else:
            boards.pick(person, "ask", random.Random(0))
            boards.confirm(person)
        person.moved(before)
    assert person.headline == "Give a token of life away"
    eligible = page.locator(".ten .stand.can")
    assert eligible.count() == page.locator("#actions .pick").count() > 3
    before = person.version
    eligible.first.click()
    person.moved(before)
    if page.locator("#actions .pick[data-family=give]").count():
        page.locator(".view-as label", has_text="List").click()
        expect(page.locator(".ten")).to_be_hidden()
        page.locator(".by-list .button").last.click()
    page.wait_for_selector("#result")
    assert page.locator(".story .e-gave").count() >= 1
    boards.check_the_end(person, closings=11)
    assert person.problems == []
    person.context.close()
