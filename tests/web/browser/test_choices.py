"""How a choice is made: chosen first and then confirmed, the question following it, and a move that loses the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.games.ponzi_scheme.positions import position as ponzi_position
from tests.games.pyramid_scheme.positions import position as scheme_position
from tests.web.helpers.browsing import Person

from pyramidion import Match

pytestmark = pytest.mark.browser


def seated_at(browser, server, game, match, **look):
    """Somebody whose page shows a position; the server, which has dealt another one, would not play on from it."""
    person = Person(browser, server.address, reduced_motion="reduce", **look)
    others = ["open"] * (match.seats - 1)
    address = person.start(game, ("me", *others))
    table = server.config.app.server.tables.cached(address.rsplit("/", 1)[1])
    table.action_log.match = match
    table.visibility._legal = (None, [])  # the legal actions of the position that was replaced
    person.page.reload()
    person.wait()
    return person


def answering(price):
    """Seat 1 has sealed an envelope for seat 0's second media tile."""
    match = ponzi_position(3, phase="trading", start=1, cash={0: 40, 1: 40}, tiles={0: {"media": 2}, 1: {"media": 1}})
    match.play(1, "offer 0 media")
    match.play(1, f"amount {price}")
    return Match.from_state(match.game, match.state_copy(), options=match.options, seed=match.seed)


@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_an_answer_to_an_envelope_names_its_sum_and_is_confirmed(server, browser, way):
    person = seated_at(browser, server, "Ponzi Scheme", answering(27), width=390 if way == "touch" else 1280)
    page, before = person.page, person.version

    def press(button):
        if way == "keyboard":
            button.focus()
            page.keyboard.press("Enter")
        else:
            person.touch(button)

    sell, pay = page.locator("#actions [value=sell]"), page.locator("#actions [value=counter]")
    expect(sell).to_have_text("Sell for $27 (−2 points)")
    expect(pay).to_have_text("Pay $27 for a media tile (+3 points)")
    expect(page.locator("#actions .prompt")).to_have_text(person.headline)
    press(pay)
    commit = page.locator("#commit")
    expect(commit).to_have_text("Pay $27 for a media tile (+3 points)")
    expect(page.locator("#preview")).to_contain_text("You pay $27", use_inner_text=True)
    expect(page.locator("#preview")).not_to_contain_text("You keep", use_inner_text=True)
    expect(page.locator("#headline")).to_have_text("Confirm, or choose something else", use_inner_text=True)
    assert person.version == before
    page.keyboard.press("Escape")
    expect(commit).to_be_hidden()
    press(sell)
    expect(commit).to_have_text("Sell for $27 (−2 points)")
    with page.expect_request(f"{person.home}/t/*/act") as sent:
        press(commit)
    assert sent.value.post_data_json["action"] == "sell"
    person.context.close()


def test_the_question_follows_what_is_chosen(server, browser):
    person = seated_at(browser, server, "Ponzi Scheme", ponzi_position(3))
    page = person.page
    headline = page.locator("#headline")
    expect(headline).to_have_text("Take a tile and a fund, or pass", use_inner_text=True)
    expect(page.locator("#actions .prompt")).to_be_hidden()  # it would ask the same beside the board
    page.locator("#board [data-path='industry:grain']").click()
    expect(headline).to_have_text("Now take a fund from the lit row", use_inner_text=True)
    page.keyboard.press("Escape")
    expect(headline).to_have_text("Take a tile and a fund, or pass", use_inner_text=True)
    assert person.problems == []
    person.context.close()


def losing():
    """Seat 0 may hold one more card, and no 5 has a place in its pyramid."""
    below = {"green-o": "founder", "green-p": "founder", "green-f": "founder"}
    below |= {"blue-j": "green-o", "blue-f": "green-o", "blue-k": "green-p", "blue-g": "green-p"}
    market = ("yellow-o", "yellow-p", "yellow-a")
    hands = {0: ["pink-o", "pink-p"]}
    return scheme_position(3, actions=2, hands=hands, pyramids={0: below}, market=market)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_move_that_loses_is_red_named_and_asked_about(server, browser, width):
    person = seated_at(browser, server, "Pyramid Scheme", losing(), width=width)
    page, before = person.page, person.version
    commit = page.locator("#commit")
    card, sure = page.locator("#board [data-path='card:yellow-p']"), page.locator("#sure")

    def choose():
        if width > 800:
            card.hover()
            expect(page.locator("#preview .harm")).to_be_visible()
        person.touch(card)
        expect(commit).to_have_text("Take yellow 5 (flips with 3) and lose")
        person.touch(commit)

    choose()
    expect(page.locator("#own .hand .to-blame")).to_have_count(2)
    expect(page.locator("#sure-text")).to_contain_text("you are out of the game")
    sure.get_by_role("button", name="Choose again").click()
    expect(commit).to_be_hidden()
    assert person.version == before
    choose()
    with page.expect_request(f"{person.home}/t/*/act") as sent:
        sure.get_by_role("button", name="Play it anyway").click()
    assert sent.value.post_data_json["action"] == "take yellow-p"
    person.context.close()
