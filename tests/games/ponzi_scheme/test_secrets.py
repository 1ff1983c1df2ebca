"""Tests that nothing leaks: prices of envelopes, cash, future cards, and forced decisions."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.ponzi_scheme.positions import GAME, market, play, position, texts, trade

from pyramidion import EVERYTHING

PRICE = 1789
HELD = {seat: {"grain": 2, "media": 1} for seat in range(4)}


def all_that_is_given(match, viewer):
    """Return everything that the referee gives to a viewer."""
    seat = -1 if viewer is None else viewer
    asked = ["pass", "sell", "counter", "amount 5", "fund media 18", "offer 0 grain", "offer 2 grain", "buy 30"]
    return {
        "bytes": match.redacted(viewer),
        "state": match.redacted_state(viewer).tobytes(),
        "view": match.view(viewer),
        "events": match.events(viewer),
        "positions": match.positions(viewer),
        "acting": match.acting,
        "free": match.free,
        "over": match.over,
        "legal": match.legal(viewer) if viewer is not None else [],
        "refusals": [match.refusal(seat, action) for action in asked],
    }


def as_text(match, viewer):
    return json.dumps(
        [
            match.view(viewer),
            [event.as_json() for event in match.events(viewer)],
            [str(match.refusal(viewer or 0, f"amount {n}")) for n in (0, 5)] if viewer is not None else [],
        ]
    )


@pytest.mark.parametrize("answer", ["sell", "counter"])
@pytest.mark.parametrize("viewer", [None, 1, 3])
def test_the_price_of_an_envelope_is_in_nothing_that_a_third_party_gets(viewer, answer):
    table = position(phase="trading", tiles=HELD, cash={0: 1900, 2: 1300 if answer == "sell" else 1800 - 500})
    if answer == "counter":
        table = position(phase="trading", tiles=HELD, cash={0: 1189, 2: 1989})
    price = PRICE if answer == "sell" else 1089
    steps = ("offer 2 grain", f"amount {price}", answer, "pass", "pass", "pass", "remove 18", "pass")
    for step in steps:
        play(table, step)
        assert str(price) not in as_text(table, viewer)
        assert price not in np.frombuffer(table.redacted(viewer)[: len(table.redacted(viewer)) // 4 * 4], np.int32)
        for width in (2, 4):
            assert price.to_bytes(width, "little") not in table.redacted(viewer)
    for party in (0, 2):
        assert str(price) in as_text(table, party)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_the_cash_of_others_is_in_no_byte(viewer):
    table = position(phase="trading", tiles=HELD, cash={0: 400, 1: 410, 2: 420, 3: 430}, advanced=True)
    trade(table, 2, "grain", 7, "sell")
    trade(table, 3, "grain", 9, "counter")
    redacted = table.redacted_state(viewer)
    truth = table.state_copy()
    for seat in range(4):
        if seat == viewer:
            assert redacted["cash"][0][seat] == truth["cash"][0][seat]
            assert (redacted["traded"][0][seat] == truth["traded"][0][seat]).all()
        else:
            assert redacted["cash"][0][seat] == 0
            assert not redacted["traded"][0][seat].any()
            assert table.view(viewer)["players"][seat]["cash"] is None


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_neither_chance_nor_the_ply_nor_hidden_events_are_in_the_bytes(viewer):
    table = play(position(phase="trading", tiles=HELD, cash={0: 5}), "offer 2 grain", "amount 5")
    redacted = table.redacted_state(viewer)
    for name in ("rng", "ply", "event_count", "event_code", "event_rule", "event_audience", "event_args"):
        assert table.state_copy()[name].any()
        assert not redacted[name].any()


def worlds(prices, before=(), **more):
    """Return a match for each price: seat 0 trades grain with seat 2, and nothing else differs."""
    tables = []
    for price in prices:
        table = position(phase="trading", tiles=HELD, **more)
        tables.append(play(table, *before, "offer 2 grain", f"amount {price}"))
    return tables


def assert_same_bytes_for(viewers, tables):
    """Check that views and events are made from the same bytes."""
    for viewer in viewers:
        assert len({table.redacted(viewer) for table in tables}) == 1


def assert_same_for(viewers, tables):
    for viewer in viewers:
        given_to = [all_that_is_given(table, viewer) for table in tables]
        assert all(one == given_to[0] for one in given_to)


@settings(max_examples=40)
@given(
    prices=st.tuples(st.integers(0, 300), st.integers(0, 300)),
    answer=st.sampled_from(["sell", "counter"]),
    advanced=st.booleans(),
    seed=st.integers(0, 10_000),
)
def test_worlds_that_differ_in_a_price_are_the_same_to_third_parties(prices, answer, advanced, seed):
    cash = dict.fromkeys(range(4), 300)
    tables = worlds(prices, cash=cash, advanced=advanced, seed=seed)
    assert_same_for((None, 1, 3), tables)
    for table in tables:
        play(table, answer)
    chance = random.Random(seed)
    assert_same_for((None, 1, 3), tables)
    for _ in range(30):
        # The game goes on with actions that are possible in both worlds, until what is public tells them apart.
        both = sorted(set.intersection(*(texts(table, table.acting[0]) for table in tables)))
        kinds = sorted({text.split()[0] for text in both})
        kind = chance.choice(kinds)
        action = chance.choice([text for text in both if text.split()[0] == kind])
        for table in tables:
            play(table, action)
        if any(table.over for table in tables):
            return
        assert_same_bytes_for((None, 1, 3), tables)
    assert_same_for((None, 1, 3), tables)


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_party_learns_nothing_of_an_envelope_between_two_others(one, other):
    """Seats 2 and 3 trade at different prices; seat 0, who then trades with seat 2, cannot tell."""
    tables = []
    for price in (one, other):
        table = position(phase="trading", start=2, tiles=HELD, cash=dict.fromkeys(range(4), 200))
        trade(table, 3, "media", price, "sell")
        tables.append(play(table, "pass", "offer 2 grain", "amount 100", "sell", "pass"))
    assert_same_for((None, 0, 1), tables)


def rich_and_poor(price=15, cash=20):
    """Return two matches in which seat 2 has to answer `price`; in one it has `cash` left, in the other nothing.

    They differ in an envelope between seats 2 and 3, so neither the offerer nor anybody else can know it.
    """
    tables = []
    for paid in (0, cash):
        table = position(phase="trading", start=2, tiles=HELD, cash={0: 40, 2: cash, 3: 5})
        trade(table, 3, "media", paid, "sell")
        tables.append(play(table, "pass", "offer 2 grain", f"amount {price}"))
    return tables


def test_a_seat_that_cannot_counter_is_still_asked():
    rich, poor = rich_and_poor()
    assert texts(rich, 2) == {"sell", "counter"}
    assert texts(poor, 2) == {"sell"}
    for table in (rich, poor):
        assert table.acting == (2,)
        assert table.view(None)["phase"] == "answer"


def test_that_a_seat_could_not_counter_is_known_to_itself_alone():
    rich, poor = rich_and_poor()
    assert_same_for((None, 0, 1), (rich, poor))
    for table in (rich, poor):
        play(table, "sell")
    assert_same_for((None, 0, 1), (rich, poor))


def test_a_forced_answer_stands_in_the_history_like_any_other():
    rich, poor = rich_and_poor()
    for table in (rich, poor):
        play(table, "sell")
    assert rich.ply == poor.ply
    assert [seat for seat, _ in rich.history] == [seat for seat, _ in poor.history]
    seat, action = poor.history[-1]
    assert (seat, str(poor.game.actions[action])) == (2, "sell")


def test_the_refusal_of_a_counter_tells_third_parties_nothing():
    rich, poor = rich_and_poor()
    assert poor.refusal(2, "counter").rule == "PZ 5.4"
    for seat in (0, 1, 3):
        said = [table.refusal(seat, "counter") for table in (rich, poor)]
        assert said[0] == said[1]
        assert said[0].rule == "PZ 5.3"


@given(st.integers(0, 60), st.integers(0, 60))
def test_what_an_offerer_can_tell_of_the_others_cash(mine, theirs):
    """The offerer's own information is the same whatever the other has, as long as the answer is the same."""
    tables = []
    for paid in (0, 60 - theirs):
        table = position(phase="trading", start=2, tiles=HELD, cash={0: 60, 2: 60})
        trade(table, 3, "media", paid, "sell")
        tables.append(play(table, "pass", "offer 2 grain", f"amount {mine}"))
    assert_same_for((0,), tables)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_the_next_card_is_in_nothing_that_anybody_gets(viewer):
    tables = [position(tiles=HELD, cash={0: 50}, seed=seed) for seed in range(60)]
    assert_same_for((viewer,), tables)
    drawn = {market(play(table, "fund real-estate 18"))[-1] for table in tables}
    assert len(drawn) > 20


def test_the_deck_is_shown_as_a_number():
    shown = json.dumps(GAME.new(4, seed=1).view(0))
    assert '"deck_count": 63' in shown
    assert '"deck"' not in shown


@pytest.mark.parametrize("ask", ["view", "events", "redacted", "redacted_state", "positions", "version"])
def test_nobody_gets_everything_before_the_end(ask):
    table = play(position(phase="trading", tiles=HELD, cash={0: 50}), "offer 2 grain", "amount 5")
    with pytest.raises(ValueError, match="over"):
        getattr(table, ask)(EVERYTHING)


@pytest.mark.parametrize("viewer", [4, 7, -3])
def test_a_viewer_who_is_not_there_gets_nothing(viewer):
    table = position()
    for ask in (table.view, table.redacted, table.redacted_state, table.events, table.positions, table.version):
        with pytest.raises(ValueError, match="no seat"):
            ask(viewer)


@pytest.mark.parametrize("seat", [-64, -1, 4, 63, 64, 128])
def test_a_seat_that_is_not_there_is_asked_nothing(seat):
    for ask in (position().legal, position().legal_ids):
        with pytest.raises(ValueError, match="no seat"):
            ask(seat)


def finished(price=7):
    table = position(phase="trading", tiles=HELD, cash={0: 50, 2: 50}, round_limit=2)
    trade(table, 2, "grain", price, "sell")
    play(table, "pass", "pass", "pass", "remove 18")
    assert table.over
    return table


def test_envelopes_stay_closed_to_third_parties_after_the_end():
    for viewer in (None, 1, 3):
        assert not [event for event in finished().events(viewer) if event.name == "envelope"]


def test_with_everything_open_the_envelopes_are_too():
    told = [event for event in finished().events(EVERYTHING) if event.name == "envelope"]
    assert [event.data["amount"] for event in told] == [7]


def test_an_earlier_position_hides_what_it_hid_then():
    earlier = finished().at(3)
    assert not earlier.over
    assert [player["cash"] for player in earlier.view(1)["players"]] == [None, 0, None, None]
    with pytest.raises(ValueError, match="over"):
        earlier.view(EVERYTHING)
