"""A season through the browser: a host pastes a cast, a person joins by link and plays, episodes come to an end."""

import random
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browser_seasons import begin, episode, tab
from tests.web.helpers.browsing import Person
from tests.web.helpers.casting import CAST

from pyramidion.web.features.seasons import matches

pytestmark = pytest.mark.browser


def hand_over(page, name):
    """Let a bot play for a contestant who is left."""
    opened(page, name)
    if page.locator("#rename").count():
        page.locator("#rename summary").click()
        page.locator("#rename [name=bot]").select_option("random")
        with page.expect_navigation():
            page.locator("#rename").get_by_role("button", name="Change").click()


def opened(page, name):
    """Open the row of a contestant."""
    tab(page, "cast")
    page.locator(".contestants a.who", has_text=name).click()
    expect(page.locator(".contestants .opened")).to_be_visible()


def add(page, name, garnets, priority="0", bot=""):
    """Add a contestant."""
    tab(page, "cast")
    page.locator("#add summary").click()
    page.fill("#add [name=name]", name)
    page.fill("#add [name=garnets]", str(garnets))
    page.fill("#add [name=priority]", str(priority))
    page.locator("#add [name=bot]").select_option(bot)
    with page.expect_navigation():
        page.get_by_role("button", name="Add contestant").click()


def link_of(page, name):
    """Return the personal link of somebody who has not opened it."""
    tab(page, "cast")
    page.locator("#links summary").first.click()
    return page.get_by_label(f"Personal link of {name}").input_value()


def joined(browser, server, host, name, width):
    """Return somebody who has opened their link, on the page of the season."""
    person = Person(browser, server.address, reduced_motion="reduce", width=width)
    person.page.goto(link_of(host, name))
    with person.page.expect_navigation():
        person.page.get_by_role("button", name="Take part").click()
    return person


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_season_of_bots_and_people_goes_from_the_cast_to_the_winner(server, browser):
    host = Person(browser, server.address, reduced_motion="reduce")
    page, chance = host.page, random.Random(10)
    begin(page, CAST[:8])
    for nth, name in enumerate(("Nina", "Omar")):
        add(page, name, 8, 8 + nth)
    people = [joined(browser, server, page, name, width) for name, width in (("Nina", 1280), ("Omar", 390))]
    tab(page, "now")
    # Results of the games for ten are taken by themselves: four clicks, three if a contestant names the opponent.
    assert episode(page, "upside-down", "pyramid-shambo", people, chance) == 4
    add(page, "Karl", 8, bot="random")
    tab(page, "now")
    assert episode(page, "downside-up", "pyramis", people, chance) == 4
    # In other games the host confirms the result; a death match that is played elsewhere is decided.
    assert episode(page, "pyramid-shambo", "pyramid-scheme", people, chance) == 5
    # Bots take over from those who are left, so that the rest is played without them.
    for name in ("Nina", "Omar"):
        hand_over(page, name)
    tab(page, "now")
    assert episode(page, "pyramid-shambo", "") == 5
    # Four of the seven who are left withdraw; then there is one more episode before the final.
    for _ in range(4):
        tab(page, "cast")
        page.locator(".contestants tr:not(.gone) a.who").first.click()
        page.locator("#withdraw summary").click()
        page.locator("#withdraw").get_by_label("Reason").fill("No time")
        with page.expect_navigation():
            page.locator("#withdraw").get_by_role("button", name="Withdraw").click()
    tab(page, "now")
    for duel in ("pyramis", "pyramid-shambo"):
        assert episode(page, "", duel) <= 6
    expect(page.locator("#next").first).to_contain_text("has won the season", use_inner_text=True)
    page.locator("#next").get_by_role("link", name="Season page").click()
    expect(page.locator("#episodes ol > li")).to_have_count(6)
    expect(page.locator("ol.episodes > li").last).to_contain_text("Final", use_inner_text=True)
    expect(page.locator("#balances figure").first.locator("polyline")).to_have_count(11)
    for one in (host, *people):
        assert one.problems == []


def test_a_host_is_told_that_a_death_match_was_tied_and_decides_it(server, browser, monkeypatch):
    taken = matches.result_of

    def tied(table, episode):
        return replace(taken(table, episode), winners=episode.tables[table.id].cast)

    monkeypatch.setattr(matches, "result_of", tied)
    page = Person(browser, server.address, reduced_motion="reduce").page
    begin(page, CAST[:2])
    # One click more than without the tie, and it is not counted.
    assert episode(page, "", "pyramid-shambo") == 2
    expect(page.locator("#next").first).to_contain_text("has won the season", use_inner_text=True)


def test_a_person_joins_by_link_plays_buys_and_names_an_opponent(server, browser):
    host = Person(browser, server.address, reduced_motion="reduce")
    nina = Person(browser, server.address, reduced_motion="reduce", width=390)
    page, phone = host.page, nina.page
    begin(page, ("Ada", "Blaise"))
    add(page, "Nina", 3)
    tab(page, "settings")
    page.locator("[name=talk]").select_option("private")
    with page.expect_navigation():
        page.get_by_role("button", name="Save settings").click()
    tab(page, "shop")
    page.get_by_label("Item").fill("Nudge")
    page.get_by_label("Price").fill("2")
    page.get_by_label("Adds priority").fill("5")
    with page.expect_navigation():
        page.get_by_role("button", name="Add item").click()
    link = link_of(page, "Nina")
    phone.goto(link)
    expect(phone.locator("#main").first).to_contain_text("as Nina", use_inner_text=True)
    phone.get_by_role("button", name="Take part").click()
    phone.get_by_role("button", name="Buy").click()
    cast = phone.locator(".gallery li")
    expect(cast.filter(has_text="Nina")).to_contain_text("1 garnet")
    expect(cast.filter(has_text="Nina")).to_contain_text("Priority 5")
    expect(cast.filter(has_text="Ada")).not_to_contain_text("garnet")
    # Everybody is seated when the host starts the match, and the link has been used up.
    tab(page, "now")
    page.locator("#next select[name=game]").select_option("pyramid-shambo")
    with page.expect_navigation():
        page.get_by_role("button", name="Start episode 1").click()
    phone.reload()
    phone.get_by_role("link", name="Go to your table").click()
    phone.wait_for_selector("#fragment")
    other = Person(browser, server.address, reduced_motion="reduce").page
    other.goto(link)
    other.get_by_role("button", name="Take part").click()
    expect(other.locator("#main").first).to_contain_text("used in another browser", use_inner_text=True)
    # The table is given up, and the result entered by hand: Nina is the candidate.
    tab(page, "log")
    started = page.locator("#log tr", has_text="The main match started").first
    started.locator("summary").click()
    started.get_by_label("Reason").fill("The wrong game.")
    with page.expect_navigation():
        started.get_by_role("button", name="Undo").click()
    entry = page.locator("#log tr", has_text="Episode 1 began").first
    entry.locator("summary").click()
    entry.get_by_label("Reason").fill("The wrong game.")
    with page.expect_navigation():
        entry.get_by_role("button", name="Undo").click()
    tab(page, "now")
    page.locator("#next select[name=game]").select_option("")
    page.locator("#next select[name=duel]").select_option("")
    page.get_by_role("button", name="Start episode 1").click()
    page.locator("select[name=candidate]").select_option(label="Nina")
    page.get_by_role("button", name="Enter result").click()
    page.get_by_text("Post to everyone").click()
    page.get_by_label("Text").fill("Choose well.")
    with page.expect_navigation():
        page.get_by_role("button", name="Post", exact=True).click()
    tab(page, "timeline")
    page.fill("[name=starts]", "2030-01-07T20:00")
    page.fill("[name=phases]", "Main match, 48")
    with page.expect_navigation():
        page.get_by_role("button", name="Add phases").click()
    phone.goto(page.url.split("/host")[0])
    # Bots cannot be written to; an alliance can have them.
    expect(phone.locator("#talk details")).to_have_count(1)
    phone.locator("#talk-new summary").click()
    phone.locator("#talk-new [name=name]").fill("The Two")
    phone.locator("#talk-new").get_by_label("Ada").check()
    phone.get_by_role("button", name="Form alliance").click()
    phone.locator("#talk-a1 summary").click()
    phone.locator("#say-a1 textarea").fill("Together?")
    phone.locator("#say-a1 button").click()
    # The page comes back with the conversation open.
    phone.locator("#talk-a1").get_by_text("Together?").wait_for()
    expect(phone.locator("#main").first).to_contain_text("Choose well.", use_inner_text=True)
    phone.locator("#confessional > summary").click()
    phone.get_by_label("What you think at this moment").fill("I trust nobody.")
    phone.get_by_role("button", name="Record").click()
    tab(page, "talk")
    page.locator("#confessions").get_by_text("I trust nobody.").wait_for()
    assert "Together?" not in page.content()
    phone.locator("#name-opponent").get_by_role("radio", name="Blaise").check()
    phone.get_by_role("button", name="Challenge").click()
    expect(phone.locator("#newest").first).to_contain_text("Nina has challenged Blaise", use_inner_text=True)
    tab(page, "now")
    page.get_by_label("Loser").select_option(label="Blaise")
    page.get_by_role("button", name="Enter result").click()
    page.get_by_role("button", name=re.compile("Eliminate Blaise")).click()
    expect(page.locator("#next").first).to_contain_text("The final can begin", use_inner_text=True)
    for one in (page, phone):
        assert one.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_host_ends_a_season_on_a_phone_and_takes_it_back(server, browser):
    host = Person(browser, server.address, reduced_motion="reduce", width=390)
    page = host.page
    begin(page, CAST[:3])
    page.locator("#end summary").click()
    page.locator("#end").get_by_label(CAST[1]).check()
    page.locator("#end [name=text]").fill("We stop here.")
    with page.expect_navigation():
        page.locator("#end").get_by_role("button", name="End the season").click()
    expect(page.locator("#next").first).to_contain_text(f"{CAST[1]} has won the season.", use_inner_text=True)
    expect(page.locator("#next").get_by_role("button")).to_have_count(0)
    reader = Person(browser, server.address, reduced_motion="reduce", width=390)
    reader.page.goto(page.url.removesuffix("/host"))
    expect(reader.page.locator("#standing")).to_have_text(f"{CAST[1]} has won the season.")
    expect(reader.page.locator("#ending")).to_have_text("We stop here.")
    page.locator("#latest summary").click()
    with page.expect_navigation():
        page.locator("#latest").get_by_role("button", name="Undo").click()
    expect(page.locator("#next").get_by_role("button", name="Start episode 1")).to_be_visible()
    assert host.problems == reader.problems == []
