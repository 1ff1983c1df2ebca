"""A single possible action: shown for what it is, and played by itself only where everybody knows of no other."""

import random

import pytest
from playwright.sync_api import expect
from tests.every_game import few_seats, limits
from tests.web.helpers.browsing import Person, browser_server, browsing

import pyramidion
from pyramidion.engine import registry
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.presentation import never
from pyramidion.web.pages.renderer import sort_actions
from pyramidion.web.table.view_models import LegalAction

GAMES = [game for game in registry.all_games().values() if game.presentation.open_choice is not never]
WORLDS = 20


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_played_by_itself_is_all_that_can_be_done_in_every_world_of_a_spectator(game):
    forced = 0
    for seed in range(3):
        match, chance = game.new(few_seats(game), **limits(game, 20), seed=seed), random.Random(seed)
        while not match.over and match.ply < 150:
            seat = match.acting[0]
            legal, open_choice = match.legal_ids(seat).tolist(), game.presentation.open_choice(match.view(seat))
            assert open_choice == game.presentation.open_choice(match.view(None))
            if len(legal) == 1 and open_choice:
                forced += 1
                box, seen = match.box_for(None), match.redacted_state(None)
                for number in range(WORLDS):
                    world = seen.copy()
                    game.compiled.redeal(box, world, SPECTATOR, chance_words(number))
                    # Whether the seat has submitted may be secret, but never what it can submit.
                    assert match.with_state(world).legal_ids(seat).tolist() in (legal, [])
            match.play(seat, chance.choice(legal))
    assert forced


@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_nothing_is_played_by_itself_where_there_are_two_actions(game):
    match, chance = game.new(few_seats(game), **limits(game, 6), seed=3), random.Random(3)
    while not match.over and match.ply < 60:
        seat = match.acting[0]
        legal = match.legal(seat)
        only = sort_actions(LegalAction.of(action, action.text) for action in legal).only
        assert only is None or [only.text] == [action.text for action in legal]
        match.play(seat, chance.choice(legal))


def test_the_advanced_game_keeps_to_itself_who_cannot_afford_anything():
    match = pyramidion.load("ponzi-scheme").new(3, advanced=True, seed=1)
    while match.view(None)["phase"] != "trading":
        match.play(match.acting[0], "pass")
    assert not match.game.presentation.open_choice(match.view(None))


@pytest.mark.browser
def test_a_forced_pass_is_made_by_itself_in_a_casual_game_until_that_is_turned_off(tmp_path):
    with browser_server(tmp_path) as server, browsing() as browser:
        person = Person(browser, server.address, skips=True)
        page = person.page
        person.start(seats=("me", "bot:policy", "bot:policy"), round_limit=5)
        own, by_itself = [], []

        def act(route):
            """Let through what the person does, and hold what the page does."""
            if own:
                own.pop()
                route.continue_()
            else:
                by_itself.append(route)

        page.route("**/act", act)

        def to_a_forced_pass():
            while True:
                person.wait()
                assert not person.over, "No pass was ever all that could be done."
                if page.locator("#fragment[data-forced]").count():
                    return
                # Who takes no fund has no tile, and without a tile nothing can be offered (PZ 5.1).
                own.append(True)
                person.act("pass" if "pass" in person.legal() else person.legal()[0])

        to_a_forced_pass()
        expect(page.locator("#actions .prompt")).to_have_text("You can only pass. Passing for you.")
        before = person.version
        if not by_itself:
            page.wait_for_event("request", lambda request: request.url.endswith("/act"))
        page.keyboard.press("?")
        page.locator("#skip-passes").uncheck()
        page.get_by_role("button", name="Close").click()
        by_itself.pop().continue_()
        person.moved(before)
        to_a_forced_pass()
        assert page.inner_text("#actions .prompt") == "You have only one option"
        own.append(True)
        person.act("pass")
        assert not by_itself
        assert not person.problems


@pytest.mark.browser
@pytest.mark.server(bot_pause=0)
def test_the_only_piece_is_chosen_by_itself_with_words_that_say_so(server, browser):
    person = Person(browser, server.address, skips=True)
    page, posted = person.page, []
    person.start("Pyramid-Sham-Bo", ("me", "bot:random", "bot:random"))
    page.on("request", lambda request: request.url.endswith("/act") and posted.append(request.post_data))
    while True:
        person.wait()
        assert not person.over, "No piece was ever the only one."
        forced = page.evaluate("() => ({ ...document.getElementById('fragment').dataset })")
        if "forced" in forced:
            break
        person.act(person.legal()[0])
    assert forced["forcedLabel"] in page.inner_text("#headline")
    posted.clear()
    person.moved(int(forced["version"]))
    assert any(forced["forced"].replace(" ", "+") in sent for sent in posted)
    assert not person.problems
    person.context.close()


def test_a_rated_game_makes_no_pass_by_itself_unless_that_is_asked_for(person):
    nina = person("Nina Only")
    for fields, checked in (({}, True), ({"rated": "yes"}, False)):
        page = nina.get(f"/t/{nina.start('me', 'bot:easy', **fields)}").text
        assert ('id="skip-passes" checked' in page) is checked
