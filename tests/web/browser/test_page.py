"""What a table's page promises: it explains refusals, can be played by keyboard, resumes, fits, and stays small."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person, browser_server, careful

pytestmark = pytest.mark.browser
BOTS = ("me", "bot:random", "bot:random")
MOST_BYTES = 180_000
STICKS_OUT = """() => [...document.querySelectorAll(".panel")].flatMap((panel) => {
    const right = panel.getBoundingClientRect().right + 0.5;
    const shown = [...panel.querySelectorAll("*")].filter((one) => !one.closest(".sr, [hidden], .scroll, svg svg"));
    return shown.filter((one) => one.getBoundingClientRect().right > right).map((one) => one.outerHTML.slice(0, 80));
})"""
# Makes the page one of a position earlier at the moment of the next click; before, news of the people could redraw it.
STALE = """() => document.addEventListener("click", () => {
    const f = document.getElementById("fragment");
    f.dataset.version = String(f.dataset.version - 1);
}, { capture: true, once: true })"""
RESTS = """() => document.getElementById("headline").innerText.includes("Open seat") ? "open"
    : document.getElementById("fragment").dataset.mine"""
CONTRAST = (Path(__file__).parents[1] / "helpers" / "contrast.js").read_text("utf-8")


@pytest.fixture
def person(server, browser):
    person = Person(browser, server.address, reduced_motion="reduce")
    yield person
    person.context.close()


def _until(person, words):
    """Play on until the headline says `words`."""
    choose = careful(3)
    for _ in range(100):
        person.wait()
        if words in person.headline:
            return
        assert not person.over
        person.act(choose(person.legal()))
    raise AssertionError(f"It never said {words!r}.")


def test_what_cannot_be_touched_says_why(person):
    person.start(seats=BOTS)
    _until(person, "fund, or pass")
    page, version = person.page, person.version
    page.locator("#board .market-row").nth(2).locator(".card").first.click(force=True)
    page.wait_for_selector("#refused:not([hidden])")
    expect(page.locator("#refused").first).to_contain_text("PZ 4.3", use_inner_text=True)
    assert person.version == version

    # A tile first, then a card of the wrong row: the piece picked stays in hand, and the sentence names both rows.
    page.locator("#board .tile.can").first.click()
    expect(page.locator("#board .tile.held")).to_have_count(1)
    page.locator("#board .market-row").nth(2).locator(".card").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#refused:not([hidden])")
    expect(page.locator("#refused").first).to_contain_text("row 3", use_inner_text=True)

    # The rule opens where one is.
    page.locator("#status a.rule").click()
    page.wait_for_selector("#rule[open]")
    expect(page.locator("#rule").first).to_contain_text("PZ 4", use_inner_text=True)
    page.keyboard.press("Escape")
    assert person.problems == []


@pytest.mark.parametrize("how", ["tapped", "read"])
def test_a_refusal_goes_and_what_stood_there_is_back(server, browser, how):
    phone = Person(browser, server.address, width=390, reduced_motion="reduce")
    phone.start(seats=BOTS)
    _until(phone, "fund, or pass")
    page = phone.page
    page.clock.install()
    before = page.evaluate("() => document.body.dataset.tells")
    page.locator("#board .market-row").nth(2).locator(".card").first.dispatch_event("click")
    expect(page.locator("#refused")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-tells", "refused")
    if how == "tapped":
        page.locator("#status").dispatch_event("click")
    else:
        page.clock.fast_forward("00:30")
    expect(page.locator("#refused")).to_be_hidden()
    expect(page.locator("body")).to_have_attribute("data-tells", before)
    assert phone.problems == []
    phone.context.close()


def test_consequences_are_shown_before_a_click_commits(server, browser):
    phone = Person(browser, server.address, width=390, reduced_motion="reduce")
    phone.start(seats=BOTS)
    _until(phone, "fund, or pass")
    page, version = phone.page, phone.version
    card = page.locator("#board .card.can").first
    value = int(re.search(r"\$(\d+)", card.inner_text())[1])
    card.tap()
    expect(page.locator("#preview").first).to_contain_text(f"+${value}", use_inner_text=True)
    page.locator("#board .tile.can").first.tap()
    expect(page.locator("#preview").first).to_contain_text("point", use_inner_text=True)
    # The board shows it, too: the cash, the interest, what is left of it, and the tile.
    cash = page.locator("#own .cash")
    expect(cash).to_have_attribute("data-becomes", f"${int(cash.inner_text()[1:]) + value}")
    expect(page.locator("#own [data-mark^=due][data-becomes]")).not_to_have_count(0)
    expect(page.locator("#own [data-mark^=left][data-becomes]")).to_have_count(5)
    expect(page.locator("#own [data-mark^=tile][data-becomes]")).to_have_text("0")
    assert phone.version == version
    page.locator("#commit").tap()
    phone.moved(version)
    expect(page.locator("[data-becomes]")).to_have_count(0)
    assert f"${value} fund" in page.locator("#log").text_content()
    assert phone.problems == []
    phone.context.close()


def test_some_plies_by_keyboard_alone(person):
    person.start(seats=BOTS)
    page = person.page
    _until(person, "fund, or pass")
    for _ in range(2):
        before = person.version
        _tab_to(page, "document.activeElement.matches('#board .tile.can')")
        page.keyboard.press("Enter")
        _tab_to(page, "document.activeElement.matches('#board .card.can')", "Shift+Tab")
        assert page.inner_text("#preview") != ""
        page.keyboard.press("Enter")
        person.moved(before)
        _until(person, "fund, or pass")
    # The same by the list, whose focus stays on the page when the list is gone.
    before = person.version
    _tab_to(page, "document.activeElement.matches('#list summary')")
    page.keyboard.press("Enter")
    _tab_to(page, "document.activeElement.matches('#list .row')")
    page.keyboard.press("Enter")
    assert (person.version, page.locator("#commit").is_visible()) == (before, True)
    page.keyboard.press("Enter")
    person.moved(before)
    assert page.evaluate("() => document.activeElement !== document.body")
    assert page.inner_text("#live") != ""
    assert person.problems == []


def test_the_list_of_moves_is_folded_follows_what_is_picked_and_asks_before_it_plays(person):
    person.start(seats=BOTS)
    _until(person, "fund, or pass")
    page, before = person.page, person.version
    rows = page.locator("#list .row")
    expect(rows.first).to_be_hidden()
    page.locator("#list summary").click()
    count = rows.count()
    expect(rows.filter(visible=True)).to_have_count(count)
    page.locator("#board .card.can").first.click()
    card = page.locator("#board .card.held").get_attribute("data-path")
    expect(rows.filter(visible=True)).to_have_count(page.locator(f"#list .row[data-steps~='{card}']").count())
    page.locator("#clear").click()
    expect(rows.filter(visible=True)).to_have_count(count)
    # A row picks; a double click does no more.
    move = rows.first.inner_text()
    rows.first.dblclick()
    expect(page.locator("#commit")).to_have_text(move)
    assert person.version == before
    page.locator("#commit").click()
    person.moved(before)
    assert person.problems == []


PASS_UNDER_THE_MOUSE = """(card, kind) => {
    const { x, y } = card.getBoundingClientRect();
    card.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: "mouse", clientX: x + 5, clientY: y + 5 }));
}"""
DRAW_AGAIN = """async () => {
    const scripts = performance.getEntriesByType("resource").map((one) => one.name);
    const { position } = await import(scripts.find((name) => name.includes("/motion")));
    const page = new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html");
    position(page.getElementById("fragment").outerHTML);
}"""


def test_what_is_pointed_at_stays_when_the_page_is_drawn_anew_or_passes_under_a_mouse_that_rests(person):
    person.start(seats=BOTS)
    page = person.page
    _until(person, "fund, or pass")
    _tab_to(page, "document.activeElement.matches('#board .tile.can')")
    page.keyboard.press("Enter")
    _tab_to(page, "document.activeElement.matches('#board .card.can')", "Shift+Tab")
    shown, before = page.inner_text("#preview"), person.version
    assert "now: cash" in shown
    # The same position comes again, as when somebody sits down or a clock is stopped.
    page.evaluate(DRAW_AGAIN)
    assert page.inner_text("#preview") == shown
    # What a browser says when the page moves under a mouse, as where keys scroll it.
    for kind in ("pointerover", "pointerout"):
        page.locator("#board .card.can:not(:focus)").first.evaluate(PASS_UNDER_THE_MOUSE, kind)
        assert page.inner_text("#preview") == shown
    page.keyboard.press("Enter")
    person.moved(before)
    assert person.problems == []


def test_a_mouse_that_moves_again_points_again(person):
    person.start(seats=BOTS)
    page = person.page
    _until(person, "fund, or pass")
    first, second = (page.locator("#board .tile.can").nth(number) for number in (0, 1))
    first.hover()
    by_mouse = page.inner_text("#preview")
    # Keys first, as for a person: while the mouse counts, a new position points at what lies under it.
    page.keyboard.press("Shift")
    second.focus()
    assert page.inner_text("#preview") != by_mouse
    box = first.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    assert page.inner_text("#preview") == by_mouse
    assert person.problems == []


def _tab_to(page, where, key="Tab"):
    for _ in range(150):
        if page.evaluate(f"() => {where}"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"The keyboard does not get to {where}.")


def test_an_amount_by_field_stepper_and_slider(server, browser, person):
    url = person.start(seats=("me", "open", "open"))
    others = [Person(browser, server.address, reduced_motion="reduce") for _ in range(2)]
    for seat, other in enumerate(others, 2):
        other.page.goto(url)
        other.page.locator("input[name=name]").fill(f"Player no. {seat}")
        other.page.get_by_role("button", name=f"Join as player {seat}").click()
        other.page.wait_for_selector("#own")
    people = [person, *others]
    for choose in (lambda legal: next(a for a in legal if a.startswith("fund media")),) * 3:
        actor = _due(people)
        actor.act(choose(actor.legal()))
    actor = _due(people)
    actor.act(next(a for a in actor.legal() if a.startswith("offer")))
    page = actor.page
    page.wait_for_selector("#amount")
    most = int(page.get_attribute("#amount", "max"))
    page.locator("[data-step='10']").click()
    expect(page.locator("#amount")).to_have_value(str(min(10, most)))
    page.locator("[data-step='-1']").click()
    value = min(10, most) - 1
    expect(page.locator("#slide")).to_have_value(str(value))
    expect(page.locator("#preview").first).to_contain_text(f"${most - value}", use_inner_text=True)
    page.fill("#amount", str(most + 1))
    page.locator("#amount").press("Enter")
    expect(page.locator("#amount"), "a number above the most is not sent").to_have_count(1)
    page.fill("#amount", "2")
    page.locator("#amount").press("Enter")
    page.wait_for_selector("#amount", state="detached")
    assert "$2" in page.locator("#log").text_content()
    for one in people:
        assert one.problems == []
    for other in others:
        other.context.close()


def _due(people):
    newest = max(one.version for one in people)
    for one in people:
        one.page.wait_for_function(
            "(v) => Number(document.getElementById('fragment').dataset.version) >= v", arg=newest
        )
    for _ in range(3000):
        for one in people:
            if one.page.locator("#fragment[data-mine]").count():
                return one
        people[0].page.wait_for_timeout(20)
    raise AssertionError("Nobody's turn.")


def test_a_click_on_yesterdays_board_is_refused_with_todays(person):
    person.start(seats=BOTS)
    _until(person, "fund, or pass")
    person.act("pass")
    _until(person, "fund, or pass")
    page, version = person.page, person.version
    person.allowed = ("409",)
    page.evaluate(STALE)
    page.locator("#actions [data-steps=pass]").click()
    page.wait_for_selector("#refused:not([hidden])")
    expect(page.locator("#refused").first).to_contain_text("moved on", use_inner_text=True)
    page.wait_for_selector(f"#fragment[data-version='{version}']", state="attached")
    person.act("pass")
    assert person.problems == []


def test_a_reload_and_a_lost_server_go_on_where_they_were(browser, tmp_path):
    with browser_server(tmp_path) as first:
        port = int(first.address.rstrip("/").rsplit(":", 1)[1])
        person = Person(browser, first.address, reduced_motion="reduce")
        person.allowed = ("ERR_", "Failed to load", "net::")
        person.start(seats=("me", "bot:policy", "open"))
        page = person.page
        # With a seat that nobody has taken the table comes to rest sooner or later.
        while page.wait_for_function(RESTS).json_value() != "open":
            person.act("pass" if "pass" in person.legal() else person.legal()[0])
        cash, version = page.inner_text("#own .cash"), person.version
        page.reload()
        assert (page.inner_text("#own .cash"), person.version) == (cash, version)
    page.wait_for_selector("#notice:not([hidden])")
    expect(page.locator("#notice").first).to_contain_text("Connection lost", use_inner_text=True)
    with browser_server(tmp_path, port=port):
        guest = Person(browser, f"http://127.0.0.1:{port}", reduced_motion="reduce")
        guest.page.goto(page.url)
        guest.page.locator("input[name=name]").fill("Guest")
        guest.page.get_by_role("button", name="Join as player 3").click()
        guest.wait()
        guest.act(guest.legal()[0])
        page.wait_for_function("(v) => Number(document.getElementById('fragment').dataset.version) > v", arg=version)
        page.wait_for_selector("#notice", state="hidden")
        expect(page.locator("#others").first).to_contain_text("Guest", use_inner_text=True)
        assert person.problems == guest.problems == []
        guest.context.close()
        person.context.close()


def test_a_first_visit_is_small_and_ours_alone(server, browser, person):
    url = person.start(seats=BOTS)
    _until(person, "fund, or pass")
    guest = Person(browser, server.address)
    wire = guest.context.new_cdp_session(guest.page)
    wire.send("Network.enable")
    sizes = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    guest.page.goto(url)
    guest.page.wait_for_selector("#board .card")
    guest.page.wait_for_timeout(300)
    assert len(sizes) > 5
    assert sum(sizes) <= MOST_BYTES
    assert guest.problems == []
    assert person.problems == []
    guest.context.close()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_every_word_can_be_read(server, browser, look):
    person = Person(browser, server.address, color_scheme=look, reduced_motion="reduce")
    page = person.page
    page.goto("/")
    assert page.evaluate(CONTRAST) == []
    person.start(seats=BOTS)
    _until(person, "fund, or pass")
    page.wait_for_timeout(1000)
    assert page.evaluate(CONTRAST) == []
    _until(person, "Offer money")
    page.wait_for_timeout(1000)
    assert page.evaluate(CONTRAST) == []
    for address in ("/games/ponzi-scheme/new", "/games/ponzi-scheme/rules"):
        page.goto(address)
        assert page.evaluate(CONTRAST) == []
    assert person.problems == []
    person.context.close()


def test_light_and_dark_are_remembered(server, browser):
    person = Person(browser, server.address, color_scheme="dark")
    page = person.page
    paper = "() => getComputedStyle(document.documentElement).backgroundColor"
    page.goto("/")
    assert page.evaluate(paper) == "rgb(17, 21, 29)"
    page.click("#theme")
    assert page.evaluate(paper) == "rgb(247, 242, 232)"
    page.reload()
    assert page.evaluate(paper) == "rgb(247, 242, 232)"
    assert person.problems == []
    person.context.close()


PUBLIC = [
    "/",
    "/games/ponzi-scheme/new",
    "/games/ponzi-scheme/rules",
    "/lobby",
    "/seasons",
    "/tournaments",
    "/clubs",
    "/leaderboard/ponzi-scheme",
    "/people/me",
    "/account",
    "/alerts",
    "/puzzles/ponzi-scheme",
    "/api/docs",
]


@pytest.mark.parametrize("width", [360, 640, 700, 940, 1280])
def test_nothing_sticks_out(server, browser, width):
    person = Person(browser, server.address, width=width, reduced_motion="reduce")
    person.start(
        seats=("me", "bot:random", "bot:random", "bot:random", "bot:random"),
        name="Maximiliane-Konstanze von Hohenstein",
    )
    person.wait()
    page = person.page
    assert page.evaluate(STICKS_OUT) == []
    for address in (page.url, *PUBLIC):
        assert page.goto(address).status == 200, address
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, address
    assert person.problems == []
    person.context.close()


def test_a_table_can_be_played_without_scripts(server, browser):
    person = Person(browser, server.address, java_script_enabled=False)
    page = person.page
    page.goto("/games/ponzi-scheme/new")
    page.get_by_label("Your name").fill("Plain")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    for _ in range(40):
        if page.locator("#actions [data-steps]").count():
            break
        page.wait_for_timeout(100)
        page.reload()
    page.locator("#list summary").click()
    page.locator("#actions .row").first.click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#log").first).to_contain_text("You took", use_inner_text=True)
    assert person.problems == []
    person.context.close()


def test_wrong_addresses_have_a_way_on(server, browser):
    person = Person(browser, server.address)
    person.allowed = ("404", "400")
    page = person.page
    for address in ("/t/nothing", "/games/chess/rules", "/games/chess/new", "/elsewhere"):
        answer = page.goto(address)
        assert answer.status == 404
        page.get_by_role("link", name="All games").click()
        expect(page.get_by_role("heading", name="Ponzi Scheme")).to_be_visible()
    page.goto("/games/ponzi-scheme/new")
    for seat in (1, 2):
        page.locator(f"select[name=seat-{seat}]").select_option("here")
    page.fill("[name='name-1']", "Twin")
    page.fill("[name='name-2']", "Twin")
    page.get_by_role("button", name="Create table").click()
    expect(page.locator("[role=alert]").first).to_contain_text("same name", use_inner_text=True)
    expect(page.locator("[name='name-1']")).to_have_value("Twin")
    assert [problem for problem in person.problems if "422" not in problem] == []
    person.context.close()


def test_a_phone_reads_the_rules_beside_the_table_and_goes_back(server, browser):
    person = Person(browser, server.address, width=390, reduced_motion="reduce")
    address, page = person.start("Pyramis", ("me", "bot:random")), person.page
    person.touch(page.locator("#rules-open"))
    expect(page.locator("#rules")).to_be_visible()
    expect(page.locator("#rules .prose")).to_contain_text("Shooting Star")
    expect(page.locator("#rules-open")).to_have_attribute("aria-expanded", "true")
    assert page.url == address
    assert len(person.context.pages) == 1
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size") == len(
        page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    )
    person.touch(page.locator("#rules-close"))
    expect(page.locator("#rules")).to_be_hidden()
    expect(page.locator("#own")).to_be_visible()
    assert person.problems == []
    person.context.close()
