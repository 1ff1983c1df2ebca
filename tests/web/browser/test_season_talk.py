"""A season's conversations beside the board: contestants who sit at the same table write to each other."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect
from tests.web.helpers.axe import nothing_serious
from tests.web.helpers.browser_season_talk import opened, seated
from tests.web.helpers.browsing import Person
from tests.web.helpers.one_screen import DESKS, DRAWN, MEASURE, PHONES

pytestmark = pytest.mark.browser

UNREAD = "(count) => document.querySelector('#season-talk-open .unread').textContent === count"


def test_contestants_write_to_each_other_beside_the_board(client, server, browser):
    host, (ana, bo, chi), table = seated(client, server, browser, 1280, 390, 1280, talk="private")
    watching = Person(browser, server.address)
    watching.page.goto(table)
    watching.page.wait_for_selector("#fragment")
    talk = opened(ana, "Bo")
    talk.get_by_label("Message", exact=True).fill("Together?")
    ana.page.keyboard.press("Enter")
    talk.locator(".own-line").wait_for()
    assert talk.get_by_label("Message", exact=True).input_value() == ""
    # Bo sees the count, then the line, and answers; meanwhile a draft of Ana's stays.
    bo.page.wait_for_function(UNREAD, arg="1")
    talk.get_by_label("Message", exact=True).fill("And then")
    answer = opened(bo, "Ana")
    answer.get_by_text("Together?").wait_for()
    bo.page.wait_for_function(UNREAD, arg="")
    nothing_serious(bo.page, "a conversation on a phone")
    for piece in ("textarea", ".button"):
        box = answer.locator(f".say {piece}").bounding_box()
        assert box["y"] + box["height"] <= 844 - 52, piece
    answer.get_by_label("Message", exact=True).fill("Gladly.")
    bo.touch(answer.get_by_role("button", name="Send"))
    talk.get_by_text("Gladly.").wait_for()
    assert talk.get_by_label("Message", exact=True).input_value() == "And then"
    assert ana.page.evaluate("() => document.activeElement.matches('#say-c2 textarea')")
    nothing_serious(ana.page, "a conversation")
    # What the server refuses stays in the panel, with the draft.
    ana.allowed = ("status of 409",)
    talk.locator("textarea").evaluate("(field) => field.removeAttribute('maxlength')")
    talk.get_by_label("Message", exact=True).fill("x" * 4001)
    ana.page.keyboard.press("Enter")
    ana.page.locator("#season-talk-said.refused").wait_for()
    assert len(talk.get_by_label("Message", exact=True).input_value()) == 4001
    # A confessional is recorded without leaving the board.
    talk.locator("summary").click()
    confess = opened(ana, "Confessional")
    confess.get_by_label("What you think at this moment").fill("I trust nobody.")
    confess.get_by_role("button", name="Record").click()
    ana.page.get_by_text("Recorded.").wait_for()
    confess.locator("summary").click()
    assert [one["text"] for one in host.get()["confessions"]] == ["I trust nobody."]
    # What has been read stays read, and what others write is nobody else's.
    bo.page.reload()
    opened(bo, "Ana").get_by_text("Gladly.").wait_for()
    expect(bo.page.locator("#season-talk-open .unread")).to_be_hidden()
    # The season's page counts in the same way, and shows what is new by itself.
    bo.page.goto(f"/seasons/{host.id}")
    talk = opened(ana, "Bo")
    talk.get_by_label("Message", exact=True).fill("Now?")
    talk.get_by_role("button", name="Send").click()
    mark = bo.page.locator("#talk-c1-c2 .unread")
    mark.wait_for()
    assert mark.inner_text().split() == ["1", "unread"]
    bo.touch(bo.page.locator("#talk-c1-c2 summary"))
    mark.wait_for(state="hidden")
    bo.page.get_by_text("Now?").wait_for()
    bo.page.goto(table)
    opened(bo, "Ana").get_by_text("Now?").wait_for()
    expect(bo.page.locator("#season-talk-open .unread")).to_be_hidden()
    expect(chi.page.locator("#season-talk-open .unread")).to_be_hidden()
    for other in (chi, watching):
        assert "Together?" not in other.page.content()
        other.page.reload()
        assert "Together?" not in other.page.content()
    expect(chi.page.locator("#season-talk-open")).to_have_count(1)
    expect(watching.page.locator("#season-talk-open, #season-talk")).to_have_count(0)
    ana.page.goto(f"{table}?at=0&until_here=1")
    expect(ana.page.locator("#season-talk-open, #season-talk")).to_have_count(0)
    ana.allowed = ("400", "409")
    assert [[text for text in one.problems if "status of 4" not in text] for one in (ana, bo, chi, watching)] == [
        []
    ] * 4
    for person in (ana, bo, chi, watching):
        person.context.close()


def test_a_table_with_another_tab_is_one_screen(client, server, browser):
    _host, people, _table = seated(client, server, browser, 1280, 390, talk="private")
    for person, sizes in zip(people, (DESKS, PHONES), strict=True):
        page = person.page
        page.wait_for_function(DRAWN)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(MEASURE, person.phone) == [], (width, height)
            tabs = [tab.bounding_box() for tab in page.locator("#tabs > .tab:visible").all()]
            assert len(tabs) == (5 if person.phone else 4)
            assert all(one["x"] + one["width"] <= two["x"] + 1 for one, two in pairwise(tabs))
            assert page.evaluate("() => document.getElementById('tabs').scrollWidth") <= width
        assert person.problems == []
        person.context.close()
