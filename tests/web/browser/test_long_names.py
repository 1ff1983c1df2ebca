"""Names of any length and script, on a phone and a wide screen: no page is widened, no text cut off, no word broken."""

from pathlib import Path

import pytest
from tests.web.helpers.browsing import Person
from tests.web.helpers.every_page import Site

pytestmark = pytest.mark.browser
WRONG = (Path(__file__).parents[1] / "helpers" / "words.js").read_text("utf-8")
OPEN = "() => document.querySelectorAll('details').forEach((panel) => (panel.open = true))"
SITES = {
    "ordinary": (
        ["Bartholomew", "Margherita", "Guillaume", "Grace Hopper", "Ada", "Blaise"],
        "Summer tournament",
        "Good luck!",
    ),
    "long": (["W" * 40, "W" * 39, "Wolfeschlegelsteinhausenb", "金" * 40, "ש" * 40, "ي" * 40], "W" * 60, "W" * 400),
}
"""Names, a title and a text."""


def wrong(page, address):
    """Return what is wrong on a page with its panels as they are first, with all of them opened, and in its tabs."""
    page.goto(address)
    found = page.evaluate(WRONG)
    for tab in page.locator(".tabs button").filter(visible=True).all():
        tab.click()
        found += page.evaluate(WRONG)
    page.evaluate(OPEN)
    found += page.evaluate(WRONG)
    for dialog in page.locator("dialog").all():
        dialog.evaluate("(dialog) => { dialog.close(); dialog.showModal(); }")
        found += page.evaluate(WRONG)
        dialog.evaluate("(dialog) => dialog.close()")
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def site(request, server):
    site = Site(server, *SITES[request.param])
    yield site
    site.close()


@pytest.mark.parametrize(
    ("site", "viewer", "width"),
    [("ordinary", "host", 360), ("long", "host", 1280), ("long", "host", 360), ("long", "guest", 360)],
    indirect=["site"],
    scope="module",
)
def test_texts_fit_on_every_page(server, browser, site, viewer, width):
    person = Person(browser, server.address, width=width, reduced_motion="reduce")
    cookies = getattr(site, viewer).cookies
    person.context.add_cookies([{"name": name, "value": cookies[name], "url": server.address} for name in cookies])
    faults = {address: found for address in site.addresses if (found := wrong(person.page, address))}
    assert not faults, "\n".join(f"{address}: {found}" for address, found in faults.items())
