"""The board of Upside Down, drawn from random games: offers, arrows, numbers, the giving away, the result."""

import pytest
from tests.games.drawing import NAMES, drawn
from tests.games.pyramid_of_ten.drawing import check_offers, known_numbers, offered, positions
from tests.games.upside_down.positions import claimed, position

import pyramidion

GAME = pyramidion.load("upside-down")


@pytest.fixture(scope="module")
def games():
    """Positions of random games with the pages of a spectator and of two seats."""
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
    phases = {view["phase"] for view, _ in games}
    assert phases == {"pregame", "claim", "battle", "giving", "over"} or phases == {
        "pregame",
        "claim",
        "battle",
        "over",
    }
    assert all(not offered(html) for view, html in games if view["seat"] is None)


def test_only_known_numbers_are_shown(games):
    for view, html in games:
        known, shown = known_numbers(view, html)
        assert known == shown


def test_challenges_are_arrows_and_void_ones_are_crossed_with_the_reason(games):
    void = 0
    for view, html in games:
        crossed = [c for c in view["challenges"] if c["void"]]
        void += len(crossed)
        goes = html.count('<line class="goes"') + html.count('<line class="own"')
        assert (goes, html.count('class="cross"')) == (len(view["challenges"]) - len(crossed), len(crossed))
        for c in crossed:
            says = (
                f"<s>{NAMES[c['seat']]} challenges {NAMES[c['target']]}</s> is void: {NAMES[c['because']]} challenges"
            )
            assert says in html
    assert void > 20


def test_the_result_shows_tokens_tickets_garnets_and_priority(games):
    ends = [(view, html) for view, html in games if view["phase"] == "over"]
    assert len(ends) == 6
    for view, html in ends:
        result = html.partition('id="result"')[2].partition("</section>")[0]
        assert result.count("#g-token") == 6
        for row in view["outcome"]["table"]:
            assert f"<td>{row['tickets']}</td><td>{row['garnets']}</td><td>{row['priority']}</td>" in result


def test_a_token_is_given_away_on_the_pyramid_or_in_the_list():
    giving = None
    for seed in range(60):
        match = GAME.new(10, seed)
        while not match.over and match.view(None)["phase"] != "giving":
            match.play(match.acting[0], "confirm")
        if not match.over:
            giving = match
            break
    assert giving is not None
    giver = giving.acting[0]
    html = drawn(giving, giver)
    eligible = giving.view(giver)["giving"]["eligible"]
    assert offered(html) == {f"give {seat}" for seat in eligible}
    assert all(f'data-path="seat:{seat}"' in html and f'id="list-give-{seat}"' in html for seat in eligible)
    other = next(seat for seat in range(10) if seat != giver)
    assert offered(drawn(giving, other)) == set()
    assert f"{NAMES[giver]} gives a token of life" in drawn(giving, None)


def test_whoever_is_in_no_battle_is_told_why_without_a_word_that_is_untrue():
    """Eve's challenge is void because of Hal's, which is void itself; Dan has challenged nobody."""
    match = claimed({9: 7, 7: 4, 4: 0, 8: 5, 5: 1, 6: 2})
    eve, dan = drawn(match, 4), drawn(match, 3)
    for html in (eve, dan):
        assert "You are not in a battle this round." in html
        assert "Nobody challenges you" not in html
    assert "Your challenge of Ana is void, since Hal challenges you" in eve
    assert "Your challenge" not in dan


def test_ud_5_7_a_challenge_that_cannot_be_made_is_not_said_to_become_void():
    match = position("claim", protected=(4, 5, 6))
    assert "your own challenge is void" not in drawn(match, 7)
    assert "your own challenge is void" in drawn(position("claim"), 7)
