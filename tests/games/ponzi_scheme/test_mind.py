"""Tests of Ponzi Scheme's mind: consistent redeals, and a policy and observation that read no secrets."""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
from tests.games.ponzi_scheme.helpers.mind import digests, mind_of, redealt
from tests.games.ponzi_scheme.positions import GAME, play, position

from pyramidion import bots
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR, record
from pyramidion.games.ponzi_scheme import rules
from pyramidion.games.ponzi_scheme.envelopes import expected_price
from pyramidion.games.ponzi_scheme.layout import AMOUNT, ANSWER, INDUSTRIES

VARIANTS = [(3, False), (4, False), (5, False), (4, True), (5, True)]


@functools.cache
def games(player: str, count: int = 8):
    """Return whole games of one kind of bot: a list of matches for every variant."""
    played = []
    for seats, advanced in VARIANTS:
        for seed in range(count):
            match = GAME.new(seats, f"{player} {seed}", advanced=advanced)
            bot = bots.load(player, GAME, seed=seed)
            while not match.over:
                match.play(match.acting[0], bot.move(match, match.acting[0]))
            played.append(match)
    return played


def all_positions(player: str):
    """Yield every position of those games, including the final ones."""
    for match in games(player):
        for ply in range(match.ply + 1):
            yield match.at(ply)


# Redeal


def check_world(match, viewer, world):
    """Check that the viewer cannot tell a redealt world from the true one."""
    shown, w = match.redacted_state(viewer), record(world)
    assert GAME.layout.redact(world, viewer).tobytes() == shown.tobytes()
    assert GAME.invariants(record(match.box), w) is None
    n = match.seats
    traded, paid = w.traded[:n, :n].astype(int), w.trades[:n, :n]
    assert (w.cash >= 0).all()
    assert (traded == -traded.T).all()
    assert (w.cash[:n] == w.public_cash[:n] + traded.sum(axis=1)).all()
    assert not traded[(paid == 0) & (paid.T == 0)].any()
    assert (traded[paid == 0] >= 0).all(), "a seat that never paid another has paid it"
    assert not w.cash[n:].any()
    assert not w.traded[n:].any()
    if viewer != SPECTATOR:
        known = record(shown)
        assert w.cash[viewer] == known.cash[viewer]
        assert (w.traded[viewer] == known.traded[viewer]).all()
    if w.phase == ANSWER:
        assert 0 <= w.price <= w.cash[w.offer_from]
        if viewer >= 0 and int(w.price_party) >> viewer & 1:
            assert w.price == record(shown).price
    if w.over:
        assert (w.cash == w.final_cash).all()


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "policy"])
def test_a_redeal_is_a_world_that_the_viewer_cannot_rule_out(player):
    positions = 0
    for number, match in enumerate(all_positions(player)):
        for viewer in range(-1, match.seats):
            check_world(match, viewer, redealt(match, viewer, number))
        positions += 1
    assert positions > 2000


def tangled(chance: random.Random):
    """Return a position after many trades at odd prices, in which the hidden cash is nearly determined."""
    n = chance.choice([3, 4, 5])
    match = position(n, phase="trading", tiles={p: {"media": 2} for p in range(n)}, seed=chance.random().hex())
    state = match.state_copy()
    s = record(state)
    for p in range(n):
        s.cash[p] = chance.choice([0, 0, 1, chance.randrange(300)])
    for p in range(n):
        for q in range(p):
            paid, got = chance.choice([(0, 0), (0, 1), (1, 0), (2, 3), (99, 0)])
            net = chance.choice([0, chance.randrange(500)])
            s.trades[p, q], s.trades[q, p] = paid, got
            net = -net if paid and not got else net if got and not paid else chance.choice([net, -net])
            s.traded[p, q], s.traded[q, p] = (net, -net) if paid or got else (0, 0)
    s.public_cash[:n] = s.cash[:n] - s.traded[:n, :n].sum(axis=1)
    return match.with_state(state)


@pytest.mark.slow
def test_a_redeal_succeeds_where_the_truth_leaves_hardly_any_room():
    chance = random.Random(1)
    for number in range(1500):
        match = tangled(chance)
        for viewer in range(-1, match.seats):
            check_world(match, viewer, redealt(match, viewer, number))
        seat = match.acting[0]
        play(match, f"offer {(seat + 1) % match.seats} media", f"amount {record(match.state_copy()).cash[seat]}")
        for viewer in range(-1, match.seats):
            check_world(match, viewer, redealt(match, viewer, number))


def test_redeals_differ_and_follow_their_chance():
    match = next(m for m in games("policy") if m.ply > 60).at(60)
    viewer = match.acting[0]
    worlds = [redealt(match, viewer, seed).tobytes() for seed in range(200)]
    assert len(set(worlds)) > 150
    assert redealt(match, viewer, 7).tobytes() == worlds[7]
    chance, world = chance_words(7), match.redacted_state(viewer)
    GAME.compiled.redeal(match.box, world, viewer, chance)
    GAME.compiled.redeal(match.box, world, viewer, chance)
    assert world.tobytes() != worlds[7]


def test_a_redeal_reseeds_so_that_the_future_is_not_the_true_one():
    match = GAME.new(4, 1)
    futures = set()
    for seed in range(20):
        state = redealt(match, match.acting[0], seed)
        seat = match.acting[0]
        ids = np.zeros(len(GAME.actions), np.int32)
        GAME.compiled.step(match.box, state, seat, int(match.legal_ids(seat)[1]), ids)
        futures.add(tuple(record(state).market.tolist()))
    assert len(futures) > 10


def test_guessed_cash_is_near_the_truth():
    errors = defaultdict(list)
    for match in games("policy"):
        middle = match.at(match.ply * 2 // 3)
        true = record(middle.state_copy())
        guessed = np.mean([record(redealt(middle, 0, seed)).cash for seed in range(20)], axis=0)
        for p in range(1, middle.seats):
            errors["guessed"].append(abs(guessed[p] - int(true.cash[p])))
            known = int(true.public_cash[p]) - int(true.traded[0, p])
            errors["public cash and own envelopes"].append(abs(known - int(true.cash[p])))
    assert np.mean(errors["guessed"]) < 0.9 * np.mean(errors["public cash and own envelopes"])


def test_envelopes_are_guessed_from_the_round_and_the_tiles_at_stake():
    tiles, cash = {0: {"media": 2}, 1: {"media": 1}}, dict.fromkeys(range(4), 200)
    match = position(4, phase="trading", round_number=2, tiles=tiles, cash=cash)
    play(match, "offer 1 media")
    assert expected_price(record(match.state_copy()), 0, 1, INDUSTRIES.index("media")) == 6 * 2 + 4 * 1 + 3 * 2
    play(match, "amount 50")
    prices = [int(record(redealt(match, 3, seed)).price) for seed in range(400)]
    assert 20 <= np.mean(prices) <= 24
    assert 0 <= min(prices) < 10 < 34 < max(prices) <= 44
    play(match, "counter")
    s = record(match.state_copy())
    assert s.expected[1, 0] == 22 - 10
    assert record(match.redacted_state(3)).expected[1, 0] == 12
    paid = [200 - int(record(redealt(match, 3, seed)).cash[1]) for seed in range(400)]
    assert 10.5 <= np.mean(paid) <= 13.5


def test_notes_of_envelopes_are_the_minds_and_not_the_referees():
    tiles, cash = {0: {"media": 2}, 1: {"media": 1}}, dict.fromkeys(range(4), 200)
    match = position(4, phase="trading", round_number=2, tiles=tiles, cash=cash)
    play(match, "offer 1 media", "amount 50")
    states = match.state_copy(), match.state_copy()
    for state, played_by in zip(states, (GAME.rules, rules), strict=True):
        played_by.apply(record(match.box), record(state), 1, rules.COUNTER)
    noted, bare = map(record, states)
    assert noted.expected.any()
    assert not bare.expected.any()
    bare.expected[:] = noted.expected
    assert states[0].tobytes() == states[1].tobytes()


# Policy


@pytest.mark.parametrize("player", ["random", "policy"])
def test_the_policy_is_legal_ascending_weighed_and_blind_to_secrets(player):
    for number, match in enumerate(all_positions(player)):
        for seat in match.acting:
            ids, weights, _ = mind_of(match, seat)
            assert ids
            assert set(ids) <= set(match.legal_ids(seat).tolist())
            assert ids == sorted(set(ids))
            assert all(0 < w < np.inf for w in weights)
            assert (ids, weights) == mind_of(match, seat, match.state_copy())[:2]
            assert (ids, weights) == mind_of(match, seat, redealt(match, seat, number))[:2]


def test_the_policy_tries_a_handful_of_prices():
    for match in all_positions("policy"):
        if record(match.state_copy()).phase == AMOUNT:
            assert len(mind_of(match, match.acting[0])[0]) <= 12


def chances(match):
    """Return the policy's probability of each action, by notation."""
    ids, weights, _ = mind_of(match, match.acting[0])
    return {GAME.actions[i].text: w / sum(weights) for i, w in zip(ids, weights, strict=True)}


def envelope(price, *, mine, theirs, cash=200):
    """Return a position: seat 1, with `cash` and `mine` media tiles, has an envelope from seat 0, who has `theirs`."""
    match = position(
        4, phase="trading", tiles={0: {"media": theirs}, 1: {"media": mine}}, cash={0: 300, 1: cash, 2: 100, 3: 100}
    )
    play(match, "offer 1 media", f"amount {price}")
    return match


def test_it_counters_when_the_price_is_low_and_sells_when_it_is_high():
    assert chances(envelope(2, mine=3, theirs=3))["counter"] > 0.9
    assert chances(envelope(190, mine=3, theirs=3))["sell"] > 0.9


def test_a_pile_is_dearer_than_a_single_tile():
    def sells(mine, theirs):
        return [chances(envelope(price, mine=mine, theirs=theirs))["sell"] for price in range(0, 200, 5)]

    assert sum(sells(1, 1)) > sum(sells(4, 4)) + 3


def test_it_sells_when_it_cannot_pay():
    assert chances(envelope(50, mine=3, theirs=3, cash=49)) == {"sell": 1.0}


def test_it_does_not_buy_itself_bankrupt():
    match = position(
        4,
        phase="trading",
        tiles={0: {"media": 2}, 1: {"media": 2}},
        cash={0: 300, 1: 130, 2: 100, 3: 100},
        wheels={1: {80: 1}},
    )
    # $144 is due: with the $20 it can pay, without another $20 it cannot.
    play(match, "offer 1 media", "amount 20")
    assert chances(match)["sell"] > 0.9
    safe = position(
        4,
        phase="trading",
        tiles={0: {"media": 2}, 1: {"media": 2}},
        cash={0: 300, 1: 300, 2: 100, 3: 100},
        wheels={1: {80: 1}},
    )
    play(safe, "offer 1 media", "amount 20")
    assert chances(safe)["counter"] > 0.9


def test_it_takes_the_loan_that_saves_it_and_not_one_that_it_cannot_carry():
    market = [18, 19, 20, 33, 34, 35, 57, 58, 59]
    tight = position(4, market=market, wheels={0: {80: 1}}, cash={0: 130, 1: 90, 2: 90, 3: 90}, tiles={0: {"media": 1}})
    got = chances(tight)
    # 144 is due now: the row-1 tile brings enough, passing does not.
    assert got["pass"] < 0.05
    # No fund is due at once, so what cannot be carried shows later: here much falls due three turns from now.
    loaded = position(
        4,
        market=[18, 19, 20, 33, 34, 35, 65, 66, 67],
        wheels={0: {61: 3, 62: 3, 64: 3}},
        cash={0: 500, 1: 400, 2: 400, 3: 400},
        tiles={0: {"media": 2, "grain": 1}},
    )
    got = chances(loaded)
    dear = sum(p for text, p in got.items() if text.startswith("fund media"))
    cheap = sum(p for text, p in got.items() if text.startswith(("fund transportation", "fund real-estate")))
    assert cheap > dear


def test_it_buys_luxuries_with_cash_to_spare_and_not_with_the_rent():
    rich = position(4, phase="trading", cash={0: 400, 1: 50, 2: 50, 3: 50}, advanced=True)
    poor = position(4, phase="trading", cash={0: 100, 1: 50, 2: 50, 3: 50}, wheels={0: {58: 1}}, advanced=True)
    assert sum(p for text, p in chances(rich).items() if text.startswith("buy")) > 0.9
    assert chances(poor)["pass"] > 0.9


def test_it_puts_off_a_crash_that_would_break_it():
    crowd = {"market": [18, 19, 20, 21, 22, 63, 64, 65, 66], "phase": "marker", "start": 0}
    hurt = position(4, **crowd, wheels={0: {80: 2}}, cash={0: 20, 1: 500, 2: 500, 3: 500}, tiles={0: {"media": 3}})
    bears = sum(p for text, p in chances(hurt).items() if text in {f"remove {v}" for v in (63, 64, 65, 66)})
    assert bears > 0.9


# Observation


def parts(match, seat):
    return GAME.observation.split(match.observation(seat))


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "policy"])
def test_the_observation_is_finite_blind_to_secrets_and_roughly_normal(player):
    for number, match in enumerate(all_positions(player)):
        if match.over:
            continue
        for seat in range(match.seats):
            seen = mind_of(match, seat)[2]
            assert np.isfinite(seen).all()
            assert np.abs(seen).max() < 15
            assert (seen == mind_of(match, seat, match.state_copy())[2]).all()
            assert (seen == mind_of(match, seat, redealt(match, seat, number))[2]).all()


def test_nothing_is_written_past_or_left_out_of_the_observation():
    match = games("policy")[-1].at(50)
    size = GAME.observation.size
    out = np.full(size, np.nan, np.float32)
    GAME.compiled.observe(match.box, match.redacted_state(0), 0, out)
    assert np.isfinite(out).all()
    assert (out[-3:] >= 0).all()


PRICE = ("knows_price", "price", "can_pay")


def test_each_part_of_the_observation_says_what_it_should():
    match = position(
        4,
        phase="trading",
        start=2,
        turn=0,
        round_number=7,
        market=[18, 19, 20, 33, 34, 35, 57, 63, 80],
        discard=[40],
        wheels={1: {60: 2, 25: 4}, 2: {70: 1}},
        tiles={1: {"media": 2}, 2: {"media": 3, "grain": 1}},
        cash={0: 10, 1: 50, 2: 120, 3: 40},
        luxuries={"56": 1},
        advanced=True,
    )
    play(match, "offer 1 media", "amount 30")
    seen = parts(match, 1)
    media, grain = INDUSTRIES.index("media"), INDUSTRIES.index("grain")
    assert seen["seats"].tolist() == [0, 1, 0]
    assert [float(seen["advanced"]), float(seen["rounds_left"])] == pytest.approx([1, 53 / 60])
    assert seen["phase"].tolist() == [0, 0, 0, 1, 0, 0]
    assert [float(seen["round_number"]), float(seen["crashed"])] == pytest.approx([0.7, 0])
    assert seen["due"].tolist() == [1, 0, 0, 0, 0]
    assert seen["start"].tolist() == [0, 1, 0, 0, 0]
    assert [float(seen["bears"]), float(seen["bears_missing"])] == pytest.approx([2 / 9, 2 / 5])
    assert seen["market"][-1].tolist() == pytest.approx([1, 1.44, 0.6, 1])
    assert np.flatnonzero(seen["market_cards"]).tolist() == [v - 9 for v in (18, 19, 20, 33, 34, 35, 57, 63, 80)]
    assert np.flatnonzero(seen["discard"]).tolist() == [31]
    assert int(seen["deck"].sum()) == 63 - 9 - 1 - 3
    assert seen["supply"][media] == pytest.approx(10 / 15)
    tiles = seen["tiles"]
    assert tiles[0, media] == pytest.approx(0.4)
    assert tiles[1, grain] == pytest.approx(0.2)
    wheels = seen["wheels"]
    assert wheels[0, 60 - 9] == pytest.approx(4 / 5)
    assert wheels[1, 70 - 9] == pytest.approx(1)
    assert np.count_nonzero(wheels) == 3
    assert seen["calm"][0].tolist() == pytest.approx([0, 1.71, 0, 0.27, 0])
    assert seen["crash"][0].tolist() == pytest.approx([1.71, 0, 0.27, 0, 0])
    assert seen["calm"][1].tolist() == pytest.approx([1.24, 0, 0, 1.24, 0])
    assert seen["highest_card"].tolist() == pytest.approx([60 / 80, 70 / 80, 0, 0, 0])
    assert seen["tile_points"].tolist() == pytest.approx([3 / 20, 7 / 20, 0, 0, 0])
    assert seen["luxury_points"].tolist() == pytest.approx([0.2, 0, 0, 0, 0])
    luxuries = seen["luxuries"]
    assert luxuries[1].tolist() == [0, 1, 0, 0, 0, 0]
    assert luxuries[0].tolist() == [1, 0, 0, 0, 0, 0]
    assert seen["own_cash"] == pytest.approx(0.5)
    assert seen["envelope"].tolist() == [0, 1]
    assert seen["envelope_from"].tolist() == [0, 1, 0, 0, 0]
    assert seen["envelope_to"].tolist() == [1, 0, 0, 0, 0]
    assert np.flatnonzero(seen["envelope_industry"]).tolist() == [media]
    assert [float(seen[name]) for name in PRICE] == pytest.approx([1, 0.3, 1])
    assert [float(parts(match, 3)[name]) for name in PRICE] == [0, 0, 0]
    play(match, "sell")
    after = parts(match, 1)
    assert after["own_cash"] == pytest.approx(0.8)
    assert after["trades"][1, 0] == pytest.approx(0.2)
    assert after["reckoned_cash"][1] == pytest.approx(after["public_cash"][1] - 0.3)


# Compiled and interpreted


def test_compiled_and_interpreted_agree(monkeypatch):
    records = [match.record() for match in games("policy")[::8] + games("random")[::8]]
    monkeypatch.setenv("MIND_RECORDS", json.dumps(records))
    program = "import json; from tests.games.ponzi_scheme.helpers.mind import digests; print(json.dumps(digests()))"
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", program],
        env={**os.environ, "PYRAMIDION_INTERPRET": "1", "PYTHONPATH": os.pathsep.join([".", *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == digests()
