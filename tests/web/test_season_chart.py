"""The chart of a season's balances."""

from pyramidion.web.features.seasons.pages.balance_chart import APART, BELOW, EDGE, HEIGHT, LEFT, WIDTH, chart


def test_nobody_to_show_makes_no_chart():
    assert chart({}) is None
    assert chart({"c1": []}) is None


def test_the_scale_names_the_extremes_and_zero_and_the_ends_of_episodes_are_numbered():
    made = chart({"c1": [5, 3, -1, -1], "c2": [0, 8, 8, 9]})
    assert {value: y for y, value in made.scale} == {
        9: EDGE,
        0: EDGE + (HEIGHT - EDGE - BELOW) * 9 / 10,
        -1: HEIGHT - BELOW,
    }
    assert [number for _x, number in made.episodes] == [1, 2]
    assert LEFT < made.episodes[0][0] < made.episodes[1][0] < WIDTH - EDGE
    assert [(line.who, line.last) for line in made.lines] == [("c1", -1), ("c2", 9)]


def test_equal_balances_stay_apart():
    first, second = chart({"c1": [4], "c2": [4]}).lines
    ys = [float(line.points.split()[-1].split(",")[1]) for line in (first, second)]
    assert abs(ys[1] - ys[0]) >= APART - 0.1
    assert len(first.points.split()) == 2, "a single balance is a line, too"
