"""A host and a player in two browsers: a pause, an action taken back by agreement, a step back, another host."""

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person, browser_server

pytestmark = pytest.mark.browser
SAYS = "([id, words]) => document.getElementById(id)?.textContent.includes(words)"


def says(person, place, words):
    person.page.wait_for_function(SAYS, arg=[place, words])


def deed(person, act):
    person.menu()
    if not person.page.locator("#hosting[open]").count():
        person.touch(person.page.locator("#hosting > summary"))
    return person.page.locator(f"#console form:has([name=command][value={act}])")


def due(*people):
    """Wait until one of them is to decide and return them, the others after."""
    for _ in range(2400):
        for person in people:
            if person.page.get_attribute("#fragment", "data-mine"):
                return person, *(other for other in people if other is not person)
        people[0].page.wait_for_timeout(25)
    raise AssertionError("Nobody is to decide.")


def test_a_host_pauses_takes_back_and_hands_over_while_another_page_follows(tmp_path, browser):
    with browser_server(tmp_path) as server:
        ada = Person(browser, server.address)
        ada.allowed = ("status of 409", "status of 403", "status of 400")
        ben = Person(browser, server.address, width=390, color_scheme="dark")
        ben.allowed = ada.allowed
        url = ada.start(seats=("me", "open", "bot:policy"), name="Ada")
        ben.page.goto(url)
        ben.page.get_by_label("Your name").fill("Ben")
        ben.page.get_by_role("button", name="Join as player 2").tap()
        ben.page.wait_for_selector("#own")
        expect(ben.page.locator("#hosting")).to_have_count(0)

        # By keyboard alone: the console opens, and a pause is called and ended.
        ada.page.locator("#menu > summary").press("Enter")
        ada.page.locator("#hosting > summary").press("Enter")
        deed(ada, "pause").get_by_role("button", name="Pause").press("Enter")
        says(ben, "paused", "The host paused the game.")
        ada.page.wait_for_selector("#paused")
        assert ada.legal() == ben.legal() == []
        says(ben, "log", "The host paused the game.")
        deed(ada, "resume").get_by_role("button", name="Resume").press("Enter")
        ben.page.wait_for_selector("#paused", state="detached")

        # The menu opens the next time with all that it offers.
        ada.menu(shown=False)
        ada.menu()
        expect(ada.page.locator("#menu #copy")).to_be_visible()

        # Ada passes, after whom it is Ben's turn, and thinks better of it; Ben agrees.
        for _ in range(20):
            actor, other = due(ada, ben)
            if actor is ada and "pass" in actor.legal():
                break
            actor.act(actor.legal()[0].split("..")[0])
        before = actor.headline
        actor.act("pass")
        ask = actor.page.get_by_role("button", name="Request undo")
        actor.touch(ask)
        says(actor, "proposal-takeback", "Waiting for")
        other.touch(other.page.locator("#proposal-takeback").get_by_role("button", name="Agree"))
        actor.page.wait_for_function("() => document.getElementById('fragment').dataset.mine")
        assert actor.headline == before
        assert actor.version >= 1_000_000
        says(other, "log", "was undone")

        # Whoever starts, there is something to step back over now.
        actor.act("pass")
        due(ada, ben)

        # A step back; a page of the time before is told where things stand.
        back = deed(ada, "rewind")
        back.locator("select").select_option("0")
        back.get_by_role("button", name="Rewind").click()
        assert ada.version < 2_000_000, "It was done without being sure."
        back.locator("[name=sure]").check()
        back.get_by_role("button", name="Rewind").click()
        ben.page.wait_for_function("() => Number(document.getElementById('fragment').dataset.version) >= 2000000")
        says(ada, "log", "The host rewound the game")
        # What was taken back is struck through, on a page that follows and on one that is loaded anew.
        struck = "() => [...document.querySelectorAll('#log li:has(del)')].map((one) => one.dataset.event)"
        ada.page.wait_for_selector("#log del", state="attached")
        live = ada.page.evaluate(struck)
        again = ada.context.new_page()
        again.goto(url)
        assert again.evaluate(struck) == live
        again.close()
        actor, other = due(ada, ben)
        actor.act(next(one for one in actor.legal() if one.startswith(("fund", "pass"))))

        give = deed(ada, "hand-over")
        give.locator("select").select_option("1")
        give.locator("[name=sure]").check()
        give.get_by_role("button", name="Transfer").click()
        ada.page.wait_for_selector("#hosting", state="detached")
        says(ben, "log", "You are now the host.")
        # The page that Ben had open has the host's part now.
        ben.page.wait_for_selector("#hosting", state="attached")
        ben.menu()
        ben.touch(ben.page.locator("#hosting > summary"))
        says(ben, "console", "Player status")
        assert ben.page.evaluate("() => document.documentElement.scrollWidth") <= 390

        # Whoever is removed watches from then on, on a page that goes on.
        ben.touch(ben.page.locator("#console .fold:has([value=replace]) > summary"))
        away = deed(ben, "replace")
        away.locator("select[name=seat]").select_option("0")
        away.locator("select[name=bot]").select_option("policy")
        away.locator("[name=account]").fill("somebody")
        away.locator("[name=sure]").check()
        ben.touch(away.get_by_role("button", name="Replace"))
        says(ben, "host-refused", "Choose “Invited player”")
        away.locator("[name=account]").fill("")
        ben.touch(away.get_by_role("button", name="Replace"))
        ada.page.wait_for_function("() => document.getElementById('main').dataset.seat === undefined")
        due(ben)
        passed = ada.version
        ben.act(ben.legal()[0].split("..")[0])
        ada.page.wait_for_function(f"() => Number(document.getElementById('fragment').dataset.version) > {passed}")
        assert ada.problems == []
        assert ben.problems == []
