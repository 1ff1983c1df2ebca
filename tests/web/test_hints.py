"""Hints: one sentence from what the seat sees, for whom it is due, where the table allows it."""

import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.web.conftest import Player, serving

import pyramidion
from pyramidion import bots
from pyramidion.bots import SearchBot
from pyramidion.bots.foresight import _differences, _in_words, _tenths, figures_after, reason, reason_by_chances
from pyramidion.bots.thread_pool import compile_search
from pyramidion.web.features.hints import service as advice

NEVER = "pyramidion.web.table.views.viewers.PRESENCE_DELAY"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("hints"), bot_iterations=60) as server:
        yield server


@pytest.fixture
def tables(small):
    with httpx.Client(base_url=small.address, timeout=60) as client:
        yield lambda *args, **order: Player(client, *args, **order)


def ask(table, seat):
    return table.client.post(f"{table.url}/hint", headers=table.headers(seat))


def test_a_hint_says_what_and_why_with_its_numbers(tables):
    table = tables(["me", "me", "me"], hints=True, seed="7")
    seat = table.get()["acting"][0]
    answer = ask(table, seat)
    assert answer.status_code == 200, answer.text
    hint = answer.json()
    legal = [one["text"] for one in table.get("/legal", seat)["legal"]]
    assert hint["action"] in legal
    assert hint["label"] in hint["sentence"]
    assert f"{hint['simulations']} positions examined" in hint["sentence"]
    assert all(0 <= choice["chance"] <= 1 and choice["text"] in legal for choice in hint["choices"])
    assert hint["pieces"] == list(pyramidion.load("ponzi-scheme").actions.parse(hint["action"]).path)
    assert hint["version"] == table.get("/legal", seat)["version"]
    # Taking the advice is possible.
    assert table.post(seat, hint["action"]).status_code == 200


@pytest.mark.parametrize(("seats", "level"), [(3, "master"), (2, "expert")])
def test_the_strongest_level_of_the_table_is_asked(tables, monkeypatch, seats, level):
    compile_search(pyramidion.load("pyramid-scheme"))  # which thinks, too, the first time in a process
    asked, think = [], SearchBot.think

    def noted(self, *args, **limits):
        asked.append(self.level.name)
        return think(self, *args, **limits)

    monkeypatch.setattr(SearchBot, "think", noted)
    table = tables(["me"] * seats, game="pyramid-scheme", hints=True)
    assert ask(table, table.get()["acting"][0]).status_code == 200
    assert asked == [level]


def test_where_there_is_no_choice_the_hint_says_so(tables):
    table = tables(["me", "me", "me"], hints=True, options={"round_limit": 1})
    for _ in range(100):
        seat = table.get()["acting"][0]
        if len(table.get("/legal", seat)["legal"]) == 1:
            break
        table.play(lambda legal: legal[0]["text"], seat)
    hint = ask(table, seat).json()
    assert hint["sentence"].endswith("is your only move.")
    assert (hint["chance"], hint["simulations"]) == (None, 0)


def test_hints_are_on_where_all_others_are_bots_and_as_chosen_elsewhere(tables):
    kinds = {("me", "policy", "policy"): True, ("me", "open", "policy"): False, ("policy",) * 3: False}
    for seats, usual in kinds.items():
        assert tables(list(seats)).get()["hints"] is usual
        assert tables(list(seats), hints=not usual).get()["hints"] is not usual


def test_everybody_sees_whether_there_are_hints(tables):
    for hints in (True, False):
        table = tables(["me", "open", "open"], hints=hints)
        assert ('id="hints"' in table.client.get(f"/t/{table.id}").text) is hints


@pytest.mark.parametrize(
    ("hints", "who", "status", "code"),
    [(False, "due", 403, "no-hints"), (True, None, 403, "not-your-seat"), (True, "other", 409, "not-due")],
)
def test_a_hint_is_refused_with_a_sentence(tables, hints, who, status, code):
    table = tables(["me", "me", "me"], hints=hints)
    due = table.get()["acting"][0]
    answer = ask(table, {"due": due, "other": (due + 1) % 3}.get(who))
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert answer.json()["detail"].endswith(".")


def test_asking_twice_thinks_once(tables, monkeypatch):
    compile_search(pyramidion.load("ponzi-scheme"))  # which thinks, too, the first time in a process
    thought, begun, go, think = [], threading.Event(), threading.Event(), SearchBot.think

    def slow(self, *args, **limits):
        thought.append(args[2])
        begun.set()
        assert go.wait(20)
        return think(self, *args, **limits)

    monkeypatch.setattr(SearchBot, "think", slow)
    table = tables(["me", "me", "me"], hints=True)
    seat = table.get()["acting"][0]
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(ask, table, seat) for _ in range(3)]
        assert begun.wait(60)
        go.set()
        told = [one.result().json() for one in asked]
    assert told[0] == told[1] == told[2] == ask(table, seat).json()
    assert thought == [seat]


def test_a_position_that_is_gone_ends_its_hint(tables, monkeypatch):
    begun, stopped, think = threading.Event(), threading.Event(), SearchBot.think

    def slow(self, *args, stop, **limits):
        if not begun.is_set():
            begun.set()
            assert stop.wait(20)
            stopped.set()
        return think(self, *args, stop=None, **limits)

    monkeypatch.setattr(SearchBot, "think", slow)
    table = tables(["me", "me", "me"], hints=True)
    seat = table.get()["acting"][0]
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(ask, table, seat)
        assert begun.wait(20)
        table.play("pass" if seat != table.play(lambda legal: legal[0]["text"]) else lambda legal: legal[0]["text"])
        for _ in range(20):
            if seat in table.get()["acting"]:
                break
            table.play(lambda legal: legal[0]["text"])
        assert ask(table, seat).status_code == 200
        assert stopped.wait(20)
        assert (first.result().status_code, first.result().json()["error"]) == (409, "stale")


def test_a_hint_tells_nothing_of_what_the_seat_does_not_see(tables, monkeypatch):
    """The same game with another price in an envelope that the third seat never saw: the same hint, to the letter."""
    monkeypatch.setattr(advice, "bot_of", lambda game, name: bots.load(name, game, seed=1))
    given, think = [], SearchBot.think

    def noted(self, box, state, seat, **limits):
        given.append(self.game.layout.redact(state, seat).tobytes() == state.tobytes())
        return think(self, box, state, seat, iterations=60)

    monkeypatch.setattr(SearchBot, "think", noted)

    def told(price):
        table = tables(["me"] * 3, seed="two worlds", hints=True, title="Trade")
        fund = lambda legal: next(one["text"] for one in legal if one["text"].startswith("fund media"))  # noqa: E731
        first, _, third = (table.play(fund) for _ in range(3))
        table.play(f"offer {(first + 1) % 3} media", first)
        table.play(f"amount {price}", first)
        table.play("sell")
        while third not in table.get()["acting"]:
            table.play("pass")
        return ask(table, third).json(), table.get("/view", first)["view"]["players"][first]["cash"]

    low, high = told(2), told(7)
    assert low[1] != high[1]
    assert low[0] == high[0]
    # A bot of another table may think meanwhile, on no more than it sees.
    assert len(given) >= 2
    assert all(given)


def test_the_button_works_without_scripts(tables):
    client = tables(["me", "policy", "policy"]).client
    page = client.get("/games/ponzi-scheme/new").text
    token = page.split('name="csrf" value="')[1].split('"')[0]
    form = {"csrf": token, "game": "ponzi-scheme", "seats": 3, "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    at = client.post("/tables", data={**form, "hints": "on"}).headers["location"]
    for _ in range(2):
        told = client.post(f"{at}/hint", data={"csrf": token})
        page = client.get(at).text
        if "data-mine" not in page:
            assert told.status_code == 409
            break
        assert 'id="ask-hint"' in page
        assert told.status_code == 200
        assert "Hint" in told.text
        assert "positions examined" in told.text
    assert client.post(f"{at}/hint", data={"csrf": "forged"}).status_code == 403


def test_a_hint_compares_the_positions_that_the_actions_lead_to():
    game = pyramidion.load("ponzi-scheme")
    match = game.new(seats=3, seed=1)
    seat = match.acting[0]
    after = []
    for action in ("fund grain 9", "pass"):
        figures = figures_after(
            game, match.box_for(seat), match.redacted_state(seat), seat, game.actions.parse(action).id
        )
        played = game.new(seats=3, seed=1)
        played.play(seat, action)
        really = [figure.of(played.view(seat), seat) for figure in game.presentation.figures]
        # The card that is restocked decides about the bears, and the seat cannot know it.
        assert figures == [*really[:-1], None if action.startswith("fund") else really[-1]]
        after.append(figures)
    fund, other = (game.actions.parse(action).id for action in ("fund grain 9", "pass"))
    seen = game, match.box_for(seat), match.redacted_state(seat), seat
    assert reason(*seen, fund, [(other, "Pass")]) == (
        f"Your points: {after[0][1]} instead of {after[1][1]}, but interest due over five turns: $8 instead of $0 "
        "(compared with “Pass”)."
    )
    # The other way round, what is worse is not given as a reason.
    assert reason(*seen, other, [(fund, "Take grain")]) == (
        f"Interest due over five turns: $0 instead of $8, but your points: {after[1][1]} instead of {after[0][1]} "
        "(compared with “Take grain”)."
    )
    # Without anything else that was searched, the position is compared with the present one.
    assert reason(*seen, fund, []).endswith("interest due over five turns: $8 instead of $0 (compared with now).")


@pytest.mark.parametrize("game_id", ["upside-down", "downside-up"])
def test_a_hint_says_why_in_the_terms_of_a_submission(game_id):
    game = pyramidion.load(game_id)
    match = game.new(seed=1)
    for seat in range(match.seats):
        match.play(seat, "confirm")
    family = "ask" if game_id == "upside-down" else "claim"
    high, low = (game.actions.parse(f"{family} {number}").id for number in (3, 2))
    why = reason(game, match.box_for(0), match.redacted_state(0), 0, high, [(low, "2")])
    if game_id == "upside-down":
        assert why.startswith("By your next turn, on average, your tickets: ")
        assert why.endswith("(compared with “2”). At first, players who can get that many: 2 instead of 3.")
    else:
        assert why == (
            "Tickets you ask for: 3 instead of 2, but players who can get that many: 2 instead of 3 "
            "(compared with “2”)."
        )


def test_a_hint_says_nothing_of_positions_that_are_alike():
    game = pyramidion.load("ponzi-scheme")
    match = game.new(seats=3, seed=1)
    seat, action = match.acting[0], game.actions.parse("pass").id
    assert reason(game, match.box_for(seat), match.redacted_state(seat), seat, action, [(action, "Pass")]) == ""


def test_a_hint_says_what_a_move_brings_by_the_next_turn_where_the_board_is_alike():
    """Refilling from another deck changes no figure; what pairs turn afterwards does."""
    game = pyramidion.load("pyramis")
    match, chance = game.new(seats=3, seed=5), random.Random(2)
    said = set[str]()
    while not match.over:
        seat = match.acting[0]
        legal = match.legal_ids(seat)
        decks = [action for action in legal if game.actions[action].family == "refill"]
        if len(decks) == 2:
            seen = game, match.box_for(seat), match.redacted_state(seat), seat
            first, second = (reason(*seen, one, [(other, "x")]) for one, other in (decks, decks[::-1]))
            said |= {first, second}
        match.play(seat, game.actions[chance.choice(legal)].text)
    said.discard("")
    assert len(said) > 3
    assert all(
        re.fullmatch(r"By your next turn, on average, .* instead of .* \(compared with “x”\)\.", why) for why in said
    )


def test_averages_have_a_decimal_where_it_says_something():
    assert [_tenths(number) for number in (2.04, 2.05001, 9.96, -0.26, -3.0)] == ["2", "2.1", "10", "-0.3", "-3"]


def test_a_difference_that_is_neither_better_nor_worse_is_no_reason():
    game = pyramidion.load("upside-down")
    match = game.new(seed=1)
    for seat in range(match.seats):
        match.play(seat, "confirm")
    seat = next(seat for seat in range(match.seats) if match.view(seat)["players"][seat]["layer"] == 2)
    one, other = [action for action in match.legal_ids(seat) if game.actions[action].family == "challenge"][:2]
    why = reason(game, match.box_for(seat), match.redacted_state(seat), seat, one, [(other, "another")])
    assert "space you challenge" not in why.lower()
    assert reason_by_chances("43 %", "26 %", "another") == (
        "No number on the board differs at once; it wins 43 % of the games from here, “another” 26 %."
    )


def test_a_hint_owns_up_where_the_figures_speak_against_it():
    game = pyramidion.load("downside-up")
    match = game.new(seed=1)
    high, low = (game.actions.parse(f"bid {number}").id for number in (3, 2))
    seen = game, match.box_for(0), match.redacted_state(0), 0
    assert "garnets you keep" in reason(*seen, high, [(low, "2")]).lower().partition("at first, ")[2]
    first, second = ([None] * 5 + [kept] for kept in (1, 2))
    nothing = [None] * (len(game.presentation.figures) - 6)
    assert _in_words(*_differences(game, [*first, *nothing], [*second, *nothing])) == (
        "what it is good for shows later; at first, garnets you keep: 1 instead of 2"
    )
