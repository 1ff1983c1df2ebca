"""Comparison of the game with a second implementation over random play, and of payments with exhaustive search."""

import itertools
import random

import pytest
from tests.games.pyramid_shambo.positions import GAME
from tests.games.pyramid_shambo.referee import Referee, change_sets, exact_sets, fewest, parts, pips, trade_sets

from pyramidion.engine.layout import record
from pyramidion.games.pyramid_shambo import payment


def compare(match, referee):
    view = match.view(None)
    assert match.over == referee.over
    assert match.acting == referee.acting()
    assert view["phase"] == referee.phase
    assert [player["seat"] for player in view["players"] if player["playing"]] == referee.playing
    for player in view["players"]:
        assert {piece["piece"] for piece in player["pieces"]} == referee.hold[player["seat"]]
    for seat in match.acting:
        assert {str(action) for action in match.legal(seat)} == referee.legal(seat)


def choose(chance, texts, keen):
    """An action; the keen challenge the same player again and again and throw rock, so that large sums are paid."""
    if keen and "throw rock" in texts and chance.random() < 0.6:
        return "throw rock"
    return chance.choice(sorted(texts))


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_second_referee_agrees(seats):
    for seed in range(8):
        chance = random.Random(f"{seats} {seed}")
        limits = {"tie_limit": chance.choice([2, 5, 20]), "turn_limit": chance.choice([30, 1000])}
        rulings = {name: chance.random() < 0.5 for name in ("double_bonus", "cascade_ends_bonuses")}
        match = GAME.new(seats, seed=seed, **limits, **rulings)
        referee = Referee(seats, match.acting[0], **limits, **rulings)
        while not match.over:
            compare(match, referee)
            seat = chance.choice(match.acting)
            text = choose(chance, referee.legal(seat), seed % 2)
            match.play(seat, text)
            referee.play(seat, text)
        compare(match, referee)
        assert match.outcome.winners == referee.winners()


def some_counts(most):
    return itertools.product(range(most[0] + 1), range(most[1] + 1), range(most[2] + 1))


def test_sums_are_the_totals_of_all_parts():
    for counts in some_counts((4, 4, 4)):
        totals = payment.sums(*counts)
        assert {t for t in range(64) if totals >> t & 1} == {pips(part) for part in parts(counts)}
    assert payment.sums(10, 10, 10) == (1 << 61) - 1


def state_of(payer, winner, third):
    state = GAME.layout.new()
    s = record(state)
    s.seats = 3
    for seat, counts in enumerate((payer, winner, third)):
        s.count[seat] = counts
    return state[0]


THIRDS = [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 0, 0), (1, 0, 4), (0, 5, 5), (1, 0, 0), (0, 3, 0), (0, 1, 2)]
BOX = record(GAME.make_box(GAME.accept_options({})))


@pytest.mark.parametrize("third", THIRDS)
def test_the_way_to_pay_is_found_by_trying_all(third):
    tried = 0
    for payer in some_counts((2, 3, 4)):
        for winner in some_counts((2, 2, 3)):
            s = state_of(payer, winner, third)
            for fee in range(1, pips(payer) + 2):
                tried += 1
                way = payment.way_to_pay(BOX, s, 0, 1, fee)
                if pips(payer) <= fee:
                    expected = payment.ALL
                elif exact_sets(payer, fee):
                    expected = payment.EXACT
                elif change_sets(payer, winner, fee):
                    expected = payment.WITH_CHANGE
                elif trade_sets(payer, third, fee):
                    expected = payment.WITH_TRADE
                else:
                    expected = payment.NO_WAY
                assert way == expected, (payer, winner, third, fee)
    assert tried > 5000


def test_change_is_never_more_than_four_pips():
    for payer in some_counts((1, 6, 6)):
        for winner in some_counts((3, 6, 6)):
            for fee in range(1, pips(payer)):
                if not exact_sets(payer, fee):
                    for whole in change_sets(payer, winner, fee):
                        assert 1 <= pips(whole) - fee <= payment.MOST_CHANGE


def test_the_sets_that_may_be_handed_over_are_those_found_by_trying_all():
    for payer in some_counts((1, 4, 4)):
        for winner in some_counts((1, 2, 2)):
            owned = payment.sums(*winner)
            for fee in range(1, pips(payer)):
                if exact_sets(payer, fee):
                    continue
                wholes = change_sets(payer, winner, fee)
                for put in parts(payer):
                    expected = any(all(a <= b for a, b in zip(put, whole, strict=True)) for whole in wholes)
                    assert payment.may_be_paid(*payer, *put, fee, owned) == expected, (payer, winner, fee, put)


def test_the_trades_of_the_fewest_pieces_are_those_found_by_trying_all():
    used = set()
    for payer in some_counts((1, 3, 4)):
        fees = [fee for fee in range(1, pips(payer)) if not exact_sets(payer, fee)]
        for third in some_counts((3, 3, 2)) if fees else ():
            s = state_of(payer, (0, 0, 0), third)
            for fee in fees:
                expected = set(fewest(trade_sets(payer, third, fee)))
                rows = payment.trades_with(BOX, s, 0, fee, 2)
                found = {tuple(row) for n, row in enumerate(payment.TRADES.tolist()) if rows >> n & 1}
                assert {(row[:3], row[3:]) for row in found} == expected, (payer, third, fee)
                assert payment.trades(BOX, s, 0, 1, fee) == rows
                used |= found
    assert len(used) == len(payment.TRADES)
