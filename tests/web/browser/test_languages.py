"""One table read in two languages: each reader chooses theirs on a page, and is told everything in it."""

import httpx
import pytest
from tests.web.helpers.browsing import Person, browser_server

from pyramidion.translation import _, in_language

pytestmark = pytest.mark.browser
AT_ONCE = "() => document.documentElement.lang === 'fr'"
TOLD = "(text) => [...document.querySelectorAll('#log li')].some((line) => line.textContent.startsWith(text))"


@pytest.fixture
def server(tmp_path):
    with browser_server(tmp_path) as server:
        yield server


def _said(server, table: str, tag: str) -> list[str]:
    """What everybody at a table has been told, in a language."""
    url = f"{server.address.rstrip('/')}/api/tables/{table}/events"
    return [event["text"] for event in httpx.get(url, headers={"accept-language": tag}).json()["events"]]


def test_two_at_one_table_read_it_in_their_languages(server, browser):
    french, english = (Person(browser, server.address, width=wide, reduced_motion="reduce") for wide in (1280, 390))
    page = french.page
    page.goto("/")
    page.locator("#language").select_option("fr")
    page.wait_for_function(AT_ONCE)
    card = page.locator("article", has=page.get_by_role("heading", name="Ponzi Scheme", exact=True))
    card.get_by_role("link", name="Créer une table").click()
    page.get_by_label("Votre nom").fill("Margherita")
    for seat, kind in enumerate(("me", "bot:random", "bot:random")):
        page.locator(f"select[name=seat-{seat}]").select_option(kind)
    page.get_by_role("button", name="Créer la table").click()
    page.wait_for_url("**/t/*")
    table = page.url.rsplit("/", 1)[1]
    english.page.goto(f"/t/{table}")
    assert english.page.locator("html").get_attribute("lang") == "en"

    # A refusal: to who plays, and to who watches.
    french.wait()
    page.locator("#board .market-row").nth(2).locator(".card").first.click(force=True)
    page.wait_for_selector("#refused:not([hidden])")
    refused = page.inner_text("#refused")
    english.page.locator("#board .market-row .card").first.tap(force=True)
    english.page.wait_for_selector("#refused:not([hidden])")
    assert english.page.inner_text("#refused") == "You are watching. Only players can make moves."
    assert "rangée" in refused
    assert refused.endswith("(PZ 4.3)")

    # A move, told to each in their own language, and in the page's own words.
    french.act(next(action for action in french.legal() if action.startswith("fund")))
    told = _said(server, table, "fr"), _said(server, table, "en")
    mine = next(n for n, text in enumerate(told[1]) if text.startswith("Margherita took"))
    assert told[0][mine] != told[1][mine]
    page.wait_for_function(TOLD, arg=told[0][mine].replace("Margherita a ", "Vous avez "))
    english.page.wait_for_function(TOLD, arg=told[1][mine])
    with in_language("fr"):
        assert page.inner_text("#log h2").strip() == _("Game log")
    assert french.problems == []
    assert english.problems == []
