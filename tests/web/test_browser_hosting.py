"""A host and a player in two browsers: a pause, an action taken back by agreement, a step back, another host."""

import pytest
from tests.web.browsing import Person, browsing, house

pytestmark = pytest.mark.browser
SAYS = "([id, words]) => document.getElementById(id)?.textContent.includes(words)"


def says(person, place, words):
    person.page.wait_for_function(SAYS, arg=[place, words])


def deed(person, act):
    return person.page.locator(f"#console form:has([name=act][value={act}])")


def due(*people):
    """Wait until one of them is to decide and return them, the others after."""
    for _ in range(200):
        for person in people:
            if person.page.get_attribute("#fragment", "data-mine"):
                return person, *(other for other in people if other is not person)
        people[0].page.wait_for_timeout(25)
    raise AssertionError("Nobody is to decide.")


def test_a_host_pauses_takes_back_and_hands_over_while_another_page_follows(tmp_path):
    with house(tmp_path) as server, browsing() as browser:
        ada = Person(browser, server.address)
        ada.allowed = ("status of 409", "status of 403")
        ben = Person(browser, server.address, width=390, color_scheme="dark")
        ben.allowed = ada.allowed
        url = ada.start(seats=("me", "open", "bot:policy"), name="Ada")
        ben.page.goto(url)
        ben.page.get_by_label("Your name").fill("Ben")
        ben.page.get_by_role("button", name="Sit down as player 2").tap()
        ben.page.wait_for_selector("#own")
        assert ben.page.locator("#hosting").count() == 0

        # By keyboard alone: the console opens, and a pause is called and ended.
        ada.page.locator("#hosting summary").press("Enter")
        deed(ada, "pause").get_by_role("button", name="Pause").press("Enter")
        says(ben, "paused", "The table is paused.")
        ada.page.wait_for_selector("#paused")
        assert ada.legal() == ben.legal() == []
        says(ben, "log", "The host has paused the table.")
        deed(ada, "resume").get_by_role("button", name="Go on").press("Enter")
        ben.page.wait_for_selector("#paused", state="detached")

        # Ada passes, after whom it is Ben's turn, and thinks better of it; Ben agrees.
        for _ in range(20):
            actor, other = due(ada, ben)
            if actor is ada and "pass" in actor.legal():
                break
            actor.act(actor.legal()[0].split("..")[0])
        before = actor.headline
        actor.act("pass")
        ask = actor.page.get_by_role("button", name="Take my last action back")
        actor.touch(ask)
        says(actor, "asked-undo", "Still to answer")
        other.touch(other.page.locator("#asked-undo").get_by_role("button", name="Agree"))
        actor.page.wait_for_function("() => document.getElementById('fragment').dataset.mine")
        assert actor.headline == before
        assert actor.version >= 1_000_000
        says(other, "log", "was taken back")

        # Whoever starts, there is something to step back over now.
        actor.act("pass")
        due(ada, ben)

        # A step back; a page of the time before is told where things stand.
        back = deed(ada, "step-back")
        back.locator("select").select_option("0")
        back.get_by_role("button", name="Step back").click()
        assert ada.version < 2_000_000, "It was done without being sure."
        back.locator("[name=sure]").check()
        back.get_by_role("button", name="Step back").click()
        ben.page.wait_for_function("() => Number(document.getElementById('fragment').dataset.version) >= 2000000")
        says(ada, "log", "The host has stepped back")
        actor, other = due(ada, ben)
        actor.act(next(one for one in actor.legal() if one.startswith(("fund", "pass"))))

        give = deed(ada, "hand-over")
        give.locator("select").select_option("1")
        give.locator("[name=sure]").check()
        give.get_by_role("button", name="Hand over").click()
        ada.page.wait_for_selector("#hosting", state="detached")
        says(ben, "log", "Ben is the host now.")
        ben.page.reload()
        ben.touch(ben.page.locator("#hosting summary"))
        says(ben, "console", "Who is waited for")
        assert ben.page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert ada.problems == []
        assert ben.problems == []
