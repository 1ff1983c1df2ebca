"""Action spaces: ids, notation, parser, paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.engine.actions import ActionSpace, action_space, parameter, part, seats, whole

SPACE = action_space(
    pass_=(),
    fund=(parameter("industry", ("grain", "real-estate")), parameter("card", (9, 10, 11))),
    give_back=(seats(3),),
    amount=whole(5, 20),
    sell=(),
)


def test_ids_are_contiguous_family_after_family() -> None:
    assert [action.id for action in SPACE] == list(range(1 + 6 + 3 + 16 + 1))
    assert (SPACE.pass_, SPACE.fund, SPACE.give_back, SPACE.amount, SPACE.sell) == (0, 1, 7, 10, 26)


def test_texts_paths_and_arguments() -> None:
    action = SPACE.parse("fund real-estate 10")
    assert (action.id, action.args, action.path) == (5, (1, 1), ("industry:real-estate", "card:10"))
    assert SPACE.parse("give-back 2").path == ("seat:2",)
    assert SPACE.parse("amount 17").path == ("amount", "17")
    assert SPACE.parse("amount 17").args == (17,)
    assert SPACE.parse("sell").path == ("sell",)
    assert SPACE.forms == ["pass", "fund INDUSTRY CARD", "give-back SEAT", "amount 5..20", "sell"]


@given(st.integers(0, len(SPACE) - 1))
def test_every_action_parses_back(action_id: int) -> None:
    action = SPACE[action_id]
    assert SPACE.parse(str(action)) is action
    assert SPACE.parse(f"  {str(action).upper()}  ") is action
    assert SPACE.id(action.family, *action.args) == action_id


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "An action begins with one of: pass, fund, give-back, amount, sell."),
        ("fond grain 9", "'fond' is not an action. Did you mean 'fund'?"),
        ("xyzzy", "'xyzzy' is not an action. An action begins with one of: pass, fund, give-back, amount, sell."),
        ("fund grain", "'fund grain' has 1 word after 'fund'. Write 'fund INDUSTRY CARD'."),
        ("fund grein 9", "'grein' is not a valid industry. Did you mean 'grain'?"),
        ("fund grain 99", "'99' is not a valid card. Did you mean '9'?"),
        ("amount", "'amount' needs one whole number. Write 'amount N' with N from 5 to 20."),
        ("amount 1.5", "'amount 1.5' needs one whole number. Write 'amount N' with N from 5 to 20."),
        ("amount 21", "21 is out of range. Write 'amount N' with N from 5 to 20."),
        ("amount -7", "-7 is out of range. Write 'amount N' with N from 5 to 20."),
        ("amount " + "9" * 5000, "99999999999999999999 is out of range. Write 'amount N' with N from 5 to 20."),
        ("sell now", "'sell now' has 1 word after 'sell'. Write 'sell'."),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        SPACE.parse(text)
    assert str(caught.value) == sentence


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused = ""
    action = None
    try:
        action = SPACE.parse(text)
    except ValueError as error:
        refused = str(error)
    assert refused.endswith((".", "?")) if action is None else str(action) == " ".join(text.lower().split())


def test_there_is_no_action_below_zero() -> None:
    with pytest.raises(IndexError):
        SPACE[-1]
    with pytest.raises(AttributeError, match="no family of actions 'steal'"):
        _ = SPACE.steal


def test_values_are_different_words() -> None:
    with pytest.raises(ValueError, match="different words without spaces"):
        parameter("industry", ("real estate", "grain"))
    assert isinstance(SPACE, ActionSpace)


def test_a_part_is_a_family_that_decides_nothing_yet() -> None:
    space = action_space(claim=part(whole(1, 4)), challenge=part(parameter("space", "abc")), trade=part(), confirm=())
    assert [f.name for f in space.families.values() if f.is_part] == ["claim", "challenge", "trade"]
    assert space.forms == ["claim 1..4", "challenge SPACE", "trade", "confirm"]
