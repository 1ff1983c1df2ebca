"""Tests of the board of Downside Up in random games: offers, edges and arrows, numbers, claims, the result."""

import re

import pytest
from tests.games.drawing import NAMES, drawn
from tests.games.pyramid_of_ten.drawing import check_offers, known_numbers, offered, positions

import pyramidion

GAME = pyramidion.load("downside-up")


@pytest.fixture(scope="module")
def games():
    """Return positions of random games with the pages of a spectator and of two seats."""
    found = []
    for seed in range(3):
        for match in positions(GAME, seed):
            seats = (seed, match.acting[0]) if not match.over else (seed,)
            found.append((match.view(None), drawn(match, None)))
            for seat in seats:
                html = drawn(match, seat)
                if not match.over:
                    check_offers(match, seat, html)
                found.append((match.view(seat), html))
    return found


def test_a_page_offers_what_is_legal_and_a_spectators_nothing(games):
    assert {view["phase"] for view, _ in games} == {"bid", "claim", "battle", "over"}
    assert all(not offered(html) for view, html in games if view["seat"] is None)


def test_only_known_numbers_are_shown(games):
    for view, html in games:
        known, shown = known_numbers(view, html)
        assert known == shown


def test_what_touches_is_joined_and_challenges_are_arrows(games):
    for view, html in games:
        assert html.count('<line class="edge"') == 12
        assert html.count('<line class="goes"') + html.count('<line class="own"') == len(view["challenges"])
        assert 'class="cross"' not in html


def test_a_claim_that_cannot_fail_says_so(games):
    """Whoever has fewer players ahead than places is sure of them (DU 3.1)."""
    seen = set()
    for view, html in games:
        if view["phase"] != "claim" or view["seat"] is None or view["you"]["confirmed"]:
            continue
        me = view["players"][view["seat"]]
        ahead = sum((p["layer"], -p["priority"]) < (me["layer"], -me["priority"]) for p in view["players"])
        for tickets, places in enumerate(view["claim_places"], 1):
            button = re.search(rf'value="claim {tickets}".*?<small>(.*?)</small>', html)
            assert button[1] == ("sure" if ahead < places else ("1 gets it" if places == 1 else f"{places} get it"))
            seen.add(button[1])
    assert {"sure", "1 gets it"} <= seen


def test_the_board_where_priority_is_hidden():
    """Everybody in the own layer may come before one, and only the own priority is shown."""
    match = GAME.new(10, 4, open_priority=False)
    assert "2 are higher" not in drawn(match, 3)
    for seat in range(10):
        match.play(seat, "confirm")
    low, top = match.view(None)["spaces"][9]["seat"], match.view(None)["spaces"][0]["seat"]
    assert "9 players may come before you" in drawn(match, low)
    assert "3 players may come before you" in drawn(match, top)
    for viewer in (None, top):
        assert known_numbers(match.view(viewer), drawn(match, viewer)) == ((3, 3) if viewer == top else (0, 0))


def test_whoever_may_be_pushed_down_is_told_whom_the_defence_meets_then(games):
    told = [html for view, html in games if view["phase"] == "battle" and "the same defence meets" in html]
    assert told
    assert all("DU 4.2" in html for html in told)


def test_the_result_shows_tokens_tickets_and_garnets(games):
    ends = [(view, html) for view, html in games if view["phase"] == "over"]
    assert len(ends) == 6
    for view, html in ends:
        result = html.partition('id="result"')[2].partition("</section>")[0]
        assert result.count("#g-token") == 6
        assert f"{NAMES[view['outcome']['ec']]} stands on J and is bankrupt" in result
        for row in view["outcome"]["table"]:
            assert f"<td>{row['tickets']}</td><td>{row['garnets']}</td><td>{row['priority']}</td>" in result
