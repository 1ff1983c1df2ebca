"""A season's story in the browser: slides by key, and the season as a file that prints."""

import re

import httpx
import pytest
from playwright.sync_api import expect
from tests.web.helpers.seasons import Host

pytestmark = pytest.mark.browser


@pytest.fixture
def host(server):
    """A season of four with one episode that was played elsewhere."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        host = Host(client, audience="live", garnets="public")
        for name in ("Nina", "Felix", "Grace", "Ada"):
            host.done("cast-added", name=name, garnets=5, bot="random")
        host.done("episode-opened", title="Arrival")
        host.done("result-entered", candidate="c1", tokens={"c3": 1})
        host.done("opponent-named", opponent="c2")
        host.done("duel-entered", loser="c1")
        host.step("elimination")
        host.done("corrected", "A prize", contestant="c2", currency="garnets", amount=1)
        host.done("posted", what="ruling", text="Ties are broken by lot. " * 20)
        yield host


def test_keys_lead_from_slide_to_slide(server, browser, host):
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto(f"{server.address}seasons/{host.id}")
    expect(page.locator("#newest h2")).to_have_text("Nina challenged Felix to the death match and lost.")
    expect(page.locator("#newest")).to_be_hidden()
    page.get_by_text("Show results").click()
    expect(page.locator("#newest")).to_be_visible()
    page.locator("#arrival").get_by_role("link", name="Watch this episode").click()
    page.wait_for_url("**/show/1")
    page.wait_for_load_state("load")
    slide = page.locator("#main")
    expect(slide).to_have_attribute("data-slide", "title")
    for key, kind in ((" ", "cast"), ("ArrowRight", "no-table"), ("ArrowRight", "tokens"), ("ArrowLeft", "no-table")):
        page.keyboard.press(key)
        expect(slide).to_have_attribute("data-slide", kind)
    assert "Felix" not in page.content().split("<main")[1]
    page.go_back()
    expect(slide).to_have_attribute("data-slide", "tokens")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_a_browser_remembers_what_it_has_watched_to_the_end(server, browser, host):
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto(f"{server.address}seasons/{host.id}")
    expect(page.get_by_text("Show results")).to_be_visible()
    expect(page.locator("#arrival .watched")).to_be_hidden()
    page.goto(f"{server.address}seasons/{host.id}/show/1")
    slide = page.locator("#main")
    while page.locator("a[rel=next]").count():
        before = page.url
        page.keyboard.press("ArrowRight")
        page.wait_for_url(lambda url, before=before: url != before)
    expect(slide).to_have_attribute("data-slide", "end")
    page.get_by_role("link", name="Season page", exact=True).click()  # with nothing left to spoil
    page.wait_for_url(f"**/seasons/{host.id}")
    expect(page.locator("#arrival .watched")).to_be_visible()
    expect(page.locator("#newest")).to_be_visible()
    page.get_by_text("Hide results").click()
    expect(page.locator("#newest")).to_be_hidden()
    page.close()


def test_the_season_is_one_file_that_prints_whole(server, browser, host, tmp_path):
    answer = host.client.get(f"/seasons/{host.id}/season.html")
    assert answer.headers["content-disposition"] == "attachment"
    assert "<script" not in answer.text
    assert re.findall(r'(?:href|src)="(?!#|data:)[^"]*"', answer.text) == []
    assert re.findall(r"url\((?!\"data:|#)", answer.text) == []
    (tmp_path / "season.html").write_text(answer.text, "utf-8")
    page = browser.new_page(viewport={"width": 680, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print")
    page.goto((tmp_path / "season.html").as_uri())
    for text in ("Nina challenged Felix to the death match and lost.", "Balances", "Ties are broken by lot."):
        expect(page.get_by_text(text).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "Nothing is cut at the side."
    document = page.pdf(format="A4", print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", document)) >= 2
    page.close()


def test_a_board_of_the_show_fits_the_screen_of_a_phone_above_its_lines(server, browser):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        host = Host(client, audience="live")
        host.bots(("Nina", "Felix", "Grace"))
        host.step("open", game="pyramid-shambo")
        host.wait("main-playing")
    page = browser.new_page(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    page.goto(f"{server.address}seasons/{host.id}/show/1?slide=4")
    expect(page.locator("#main")).to_have_attribute("data-slide", "board")
    page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")
    board, lines = page.locator(".on-board .example").bounding_box(), page.locator(".on-board .told").bounding_box()
    assert board["y"] + board["height"] <= lines["y"]
    assert board["width"] == 360, "The board has the whole width."
    smallest = page.locator(".example > .shown").evaluate("(shown) => Number.parseFloat(shown.style.zoom)")
    assert smallest >= 80, "It can be read."
    page.get_by_role("link", name="Skip to the end").click()
    expect(page.locator(".slide")).to_contain_text("How it ended")
    page.close()
