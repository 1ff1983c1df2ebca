"""Tests that records and tables of earlier rules versions continue under those versions."""

from tests.games.ponzi_scheme.positions import GAME, events, market, play, position, rows

import pyramidion

# A game of three who never fund: the new start player removes the highest card each time. This is what was removed
# under version 1, where the discard pile was shuffled when a card was wanted: the second 52 had come straight back.
REMOVED = """
    17 31 58 61 35 71 23 68 43 70 21 62 69 54 53 78 27 47 19 74 79 37 60 30 64 29 51 44 32 38 50 73 49 66 76 25 80 77 40
    59 55 67 39 75 42 56 28 22 46 41 48 57 63 33 72 20 26 45 18 34 36 65 24 52 52 61
"""


def idle_game(**version):
    """Play the game of players who never fund."""
    match = GAME.new(3, 30, round_limit=66, **version)
    while not match.over:
        play(match, f"remove {market(match)[-1]}" if match.view(None)["phase"] == "marker" else "pass")
    return match


def removed(match):
    return [event["value"] for event in events(match, "removed")]


def test_version_1_plays_as_it_did():
    old = idle_game(rules_version=1)
    assert removed(old) == [int(card) for card in REMOVED.split()]
    assert market(old) == [9, 10, 11, 12, 13, 14, 15, 16, 51]
    assert old.view(None)["discard"] == [52, 61]


def test_a_record_of_version_1_is_replayed_under_version_1():
    old = idle_game(rules_version=1)
    assert old.record()["rules_version"] == 1
    again = pyramidion.Match.from_record(old.record())
    assert again.record() == old.record()
    assert again.redacted(0) == old.redacted(0)


def test_the_version_of_today_shuffles_at_once():
    new = idle_game()
    assert new.record()["rules_version"] == GAME.rules_version
    assert removed(new)[:64] == [int(card) for card in REMOVED.split()][:64]
    assert removed(new)[64] != 52


def test_version_2_lets_row_3_of_a_short_market_lack_cards_first():
    short = position(market=range(18, 26), deck=[], rest=3)
    old = pyramidion.Match.from_state(GAME, short.state_copy(), options=short.options, rules_version=2)
    assert rows(old) == [[18, 19, 20], [21, 22, 23], [24, 25]]
    assert rows(short) == [[18, 19, 20], [21, 22], [23, 24, 25]]
