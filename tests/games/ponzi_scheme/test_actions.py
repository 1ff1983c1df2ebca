"""The actions of Ponzi Scheme: ids, notation, paths, labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.ponzi_scheme.positions import GAME, INDUSTRIES, play, position

from pyramidion import IllegalAction

ACTIONS = GAME.actions
TWO = {0: {"media": 2}, 1: {"media": 2}}
every_action = st.integers(0, len(ACTIONS) - 1).map(ACTIONS.__getitem__)


def test_the_families_and_how_many_actions_each_has():
    assert {name: family.size for name, family in ACTIONS.families.items()} == {
        "pass": 1,
        "fund": 4 * 72,
        "offer": 5 * 4,
        "amount": 3205,
        "sell": 1,
        "counter": 1,
        "remove": 72,
        "give-back": 4,
        "buy": 4,
    }


def test_every_action_is_read_back_from_its_notation():
    for i, action in enumerate(ACTIONS):
        assert action.id == i
        assert ACTIONS.parse(str(action)) == action


@given(every_action, st.data())
def test_spaces_and_case_do_not_matter(action, data):
    gaps = st.text(" \t\n", min_size=1, max_size=3)
    edges = st.text(" \t\n", max_size=3)
    text = data.draw(edges)
    for word in str(action).split():
        cased = "".join(data.draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in word)
        text += cased + data.draw(gaps)
    assert ACTIONS.parse(text + data.draw(edges)) == action


def read(text):
    """Return the action with this notation, or the error message."""
    try:
        return ACTIONS.parse(text)
    except ValueError as error:
        return str(error)


@given(st.text(max_size=60) | st.from_regex(r"(amount|fund|offer|buy)( [a-z0-9-]{1,6}){0,3}"))
def test_any_text_is_an_action_or_a_sentence(text):
    said = read(text)
    if isinstance(said, str):
        assert said.endswith((".", "?"))
    else:
        assert said.family == text.lower().split()[0]


@given(every_action)
def test_an_id_is_made_from_its_family_and_arguments(action):
    assert ACTIONS.id(action.family, *action.args) == action.id
    assert ACTIONS.family_of(action.id).name == action.family


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("pass", ("pass",)),
        ("sell", ("sell",)),
        ("counter", ("counter",)),
        ("fund media 41", ("industry:media", "card:41")),
        ("offer 2 real-estate", ("seat:2", "industry:real-estate")),
        ("amount 17", ("amount", "17")),
        ("remove 63", ("card:63",)),
        ("give-back grain", ("industry:grain",)),
        ("buy 56", ("luxury:56",)),
    ],
)
def test_paths_are_what_one_points_at(text, path):
    assert ACTIONS.parse(text).path == path


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("pass", "Pass"),
        ("fund real-estate 41", "Take real estate and the $41 fund"),
        ("offer 2 grain", "Offer Cleo an envelope for grain"),
        ("amount 17", "Put $17 into the envelope"),
        ("remove 63", "Remove the $63 card"),
        ("give-back grain", "Give back grain"),
        ("buy 56", "Buy the $56 luxury"),
    ],
)
def test_labels_read_like_buttons(text, label):
    assert GAME.view.label(ACTIONS.parse(text), GAME.names(["Ana", "Ben", "Cleo"])) == label


def test_labels_tell_actions_of_one_decision_apart():
    labels = [GAME.view.label(action, GAME.names()) for action in ACTIONS]
    assert len(set(labels)) == len(labels)


def test_every_industry_and_card_has_its_fund():
    texts = {str(action) for action in ACTIONS}
    assert {f"fund {industry} {value}" for industry in INDUSTRIES for value in range(9, 81)} <= texts


@pytest.mark.parametrize(
    ("table", "action"),
    [
        (position(), "pass"),
        (position(phase="trading", tiles=TWO, cash={0: 50}), "pass"),
        (play(position(phase="trading", tiles=TWO, cash={0: 50}), "offer 1 media"), "amount 0"),
        (play(position(phase="trading", tiles=TWO, cash={1: 50}), "offer 1 media", "amount 0"), "sell"),
        (position(phase="marker", market=range(30, 39)), "remove 30"),
        (play(position(phase="marker", seats=3, market=range(63, 72), tiles=TWO), "remove 63"), "give-back media"),
    ],
    ids=["funding", "trading", "amount", "answer", "marker", "crash"],
)
def test_an_absent_seat_takes_no_risk(table, action):
    seat = table.acting[0]
    assert str(table.timeout(seat)) == action
    assert table.refusal(seat, action) is None


def test_nothing_is_due_from_a_seat_that_is_not_acting():
    with pytest.raises(IllegalAction, match="seat 1"):
        position().timeout(1)
