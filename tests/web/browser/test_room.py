"""Two people meet in a room, say in advance what they throw, and check afterwards that nobody chose the seed."""

import httpx
import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person

from pyramidion import Match

pytestmark = [pytest.mark.browser, pytest.mark.server(premove_pause=0, premove_pause_longest=0)]
SAID = "(throw_) => [...document.querySelectorAll('.places .name')].at(-1)?.textContent === throw_"


def test_two_people_meet_play_in_advance_and_check_the_seed(server, browser):
    ana = Person(browser, server.address, reduced_motion="reduce")
    ben = Person(browser, server.address, reduced_motion="reduce", width=390)
    page, phone = ana.page, ben.page
    page.goto("/games/pyramid-shambo/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("input[name=seats][value='2'] + span").click()
    page.locator("select[name=seat-1]").select_option("open")
    page.get_by_text("More options").click()
    page.fill("[name=option-turn_limit]", "1")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#stands").first).to_contain_text("Seats taken: 1 of 2", use_inner_text=True)
    page.get_by_text("The seed", exact=True).click()
    hashed = page.inner_text("#secret-hash")
    expect(page.locator("#mine").first).to_contain_text("picked by your browser", use_inner_text=True)
    # The host names another ruling; a phone that looks at the room is brought up to date.
    phone.goto(page.url)
    expect(phone.locator("#options, #begin, #my-text"), "only the host changes anything").to_have_count(0)
    page.get_by_text("Table settings").click()
    page.fill("[name=option-tie_limit]", "3")
    page.get_by_role("button", name="Save options").click()
    phone.wait_for_function("() => document.querySelector('.agreed').textContent.includes('3')")
    phone.locator("#name").fill("Ben")
    ben.touch(phone.get_by_role("button", name="Join game"))
    phone.wait_for_selector("#ready")
    ben.touch(phone.get_by_text("The seed", exact=True))
    expect(phone.locator("#mine").first).to_contain_text("picked by your browser", use_inner_text=True)
    page.wait_for_function("() => document.getElementById('stands').textContent.includes('when Ben is ready')")
    phone.fill("#contribution", "a poem of my own")
    ben.touch(phone.get_by_role("button", name="Replace"))
    phone.wait_for_function("() => document.getElementById('my-text').textContent === 'a poem of my own'")
    receipt = phone.inner_text("#receipt")
    assert "poem" not in page.content()
    assert phone.inner_text("#secret-hash") == hashed
    assert phone.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    ben.touch(phone.get_by_role("button", name="I'm ready"))
    for person in (ana, ben):
        person.page.wait_for_selector("#fragment")
    # Ben says in advance what he will throw; on his page it is used, on hers nothing tells of it.
    table = page.url.rsplit("/", 1)[1]
    phone.goto(f"/t/{table}/premoves")
    for throw in ("paper", "rock"):
        phone.locator("[name=throw]").select_option(throw)
        ben.touch(phone.get_by_role("button", name="Add", exact=True))
        phone.wait_for_function(
            "(t) => [...document.querySelectorAll('.places .name')].at(-1).textContent === t", arg=throw
        )
    ben.touch(phone.get_by_role("link", name="Back to the table"))
    ben.touch(phone.locator("#grow"))
    phone.wait_for_selector("#premove")
    expect(phone.locator("#premove").first).to_contain_text("2 answers in advance", use_inner_text=True)
    expect(page.locator("#premove")).to_have_count(0)
    challenger = ana if page.locator("#fragment[data-mine]").count() else ben
    challenger.wait()
    challenger.act(challenger.legal()[0])
    ana.page.wait_for_function(
        "() => [...document.querySelectorAll('#actions [data-steps]')].some((b) => b.value === 'throw rock')"
    )
    ana.act("throw rock")
    # Paper beats rock. What is paid then is decided by hand, until the one turn is over.
    while not ana.over:
        payer = ana if ana.page.locator("#fragment[data-mine]").count() else ben
        payer.wait()
        if not payer.over:
            payer.act(payer.legal()[0])
    phone.wait_for_selector("#fragment.over")
    record = httpx.get(f"{ana.home}/api/tables/{table}/record").json()
    assert Match.from_record(record).over
    assert record["origin"]["secret_hash"] == hashed
    [mine] = [one for one in record["origin"]["contributions"] if one[0] == 1]
    assert (mine[1], mine[3]) == ("a poem of my own", receipt)
    phone.goto(f"/t/{table}/seals")
    assert receipt in phone.inner_text("#my-contribution")
    assert record["origin"]["secret"] in phone.inner_text("#secret")
    assert ana.problems == ben.problems == []


def test_open_seats_are_offered_on_pages_that_stay_open_until_they_are_taken(server, browser):
    ada, ben = Person(browser, server.address), Person(browser, server.address)
    url = ada.start(seats=("me", "open", "bot:policy"), name="Ada")
    expect(ada.page.locator("#invite")).to_be_visible()
    ben.page.goto(url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join as player 2").click()
    ada.page.wait_for_selector("#invite", state="detached")
    ben.page.wait_for_selector("#invite", state="detached")
    assert ada.problems == []
    for person in (ada, ben):
        person.context.close()


def test_a_face_is_chosen_by_what_it_looks_like_and_sits_at_the_table(server, browser):
    ana = Person(browser, server.address, width=390)
    page = ana.page
    page.goto("/games/ponzi-scheme/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("select[name=seat-1]").select_option("open")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    ana.touch(page.locator("#face > summary"))
    ana.touch(page.get_by_role("radio", name="Colour 6"))
    ana.touch(page.get_by_role("radio", name="Hair 4"))
    ana.touch(page.get_by_role("button", name="Save face"))
    page.wait_for_selector(".places .av-seat-5")
    ana.touch(page.locator("#begin-now"))
    page.wait_for_selector("#own .av-seat-5 [href='#av-hair-3']", state="attached")
    assert ana.problems == []
    ana.context.close()
