"""The small charts of a season's balances."""

import pytest

from pyramidion.web.features.seasons.pages.balance_chart import EDGE, HEIGHT, LABEL, WIDTH, balance_lines


def test_nobody_to_show_makes_no_chart():
    assert balance_lines({}) == []
    assert balance_lines({"c1": []}) == []


def test_balances_that_have_never_changed_make_no_chart():
    assert balance_lines({"c1": [5, 5, 5], "c2": [8, 8, 8]}) == []
    assert len(balance_lines({"c1": [5, 5, 5], "c2": [8, 8, 9]})) == 2


def test_all_charts_have_one_scale_and_end_with_the_latest_balance():
    first, second = balance_lines({"c1": [5, 3, -1, -1], "c2": [0, 8, 8, 9]})
    assert (first.who, first.last, second.last) == ("c1", -1, 9)
    assert second.end == pytest.approx((WIDTH - LABEL, EDGE))
    assert first.end == pytest.approx((WIDTH - LABEL, HEIGHT - EDGE))
    assert first.zero == second.zero == pytest.approx(EDGE + (HEIGHT - 2 * EDGE) * 0.9)


def test_a_single_balance_is_a_line_too():
    (line,) = balance_lines({"c1": [4]})
    assert len(line.points.split()) == 2
