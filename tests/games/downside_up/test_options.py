"""Who may know the options of Downside Up."""

import pyramidion

GIVEN = tuple(range(11, 21))


def shown(seat, **options):
    game = pyramidion.load("downside-up")
    return game.options_for(game.accept_options({"priority": GIVEN, **options}), seat)["priority"]


def test_du_1_3_given_priorities_are_known_to_all_while_priority_is_public():
    assert tuple(shown(None)) == tuple(shown(3)) == GIVEN


def test_du_1_3_given_priorities_are_each_seats_own_where_priority_is_hidden():
    assert list(shown(3, open_priority=False)) == [14 if seat == 3 else None for seat in range(10)]
    assert list(shown(None, open_priority=False)) == [None] * 10
