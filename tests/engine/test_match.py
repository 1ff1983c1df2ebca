"""Tests of `Match`, the Python API for notebooks, tests and other programs."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import pyramidion
from pyramidion.client.answers import ApiError
from pyramidion.engine.errors import BadRecord, IllegalAction
from pyramidion.engine.history import DENSE
from pyramidion.engine.match import Match
from pyramidion.engine.registry import UnknownGame
from pyramidion.env.batch_env import IllegalBatchAction


@pytest.fixture
def match() -> Match:
    return pyramidion.load("ponzi-scheme").new(seats=4, seed=7)


def play_first_actions(match: Match, plies: int) -> None:
    for _ in range(plies):
        match.play(match.acting[0], match.legal(match.acting[0])[-1])


def test_an_action_is_played_as_itself_its_id_or_its_notation(match: Match) -> None:
    games = [match.at(0) for _ in range(3)]
    seat = match.acting[0]
    action = match.legal(seat)[3]
    for game, form in zip(games, (action, action.id, str(action)), strict=True):
        assert game.play(seat, form) == action
    assert len({game.state_copy().tobytes() for game in games}) == 1


def test_an_illegal_action_names_rule_and_reason_and_changes_nothing(match: Match) -> None:
    seat, before = match.acting[0], match.state_copy().tobytes()
    with pytest.raises(IllegalAction) as caught:
        match.play(seat, "fund media 17")
    assert caught.value.rule == "PZ 4.3"
    assert (
        caught.value.reason == "The $17 fund is in row 3, for a 3rd tile of an industry; media tiles that you hold: 0."
    )
    assert match.state_copy().tobytes() == before
    assert match.ply == 0


def test_nobody_plays_out_of_turn(match: Match) -> None:
    other = (match.acting[0] + 1) % 4
    with pytest.raises(IllegalAction, match=rf"It is not your turn: seat {match.acting[0]} is choosing a fund"):
        match.play(other, "pass")


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_is_not_there_is_named(match: Match, seat: int) -> None:
    with pytest.raises(IllegalAction, match=f"There is no seat {seat}; this match has seats 0 to 3"):
        match.play(seat, "pass")
    for ask in (match.legal, match.legal_ids, match.legal_mask, match.observation):
        with pytest.raises(ValueError, match=f"There is no seat {seat}; this match has seats 0 to 3"):
            ask(seat)


@pytest.mark.parametrize("action", [-1, 999_999])
def test_an_id_that_is_not_there_is_named(match: Match, action: int) -> None:
    with pytest.raises(IllegalAction, match=f"There is no action {action}; the ids of Ponzi Scheme run from 0"):
        match.play(match.acting[0], action)


@pytest.mark.parametrize("action", [3.7, None, [1]])
def test_what_is_no_action_is_said(match: Match, action: object) -> None:
    with pytest.raises(IllegalAction, match="An action is an Action, its id or its notation, not"):
        match.play(match.acting[0], action)  # type: ignore[arg-type]


def test_at_and_undo_lead_to_the_position_of_that_ply(match: Match) -> None:
    states = [match.state_copy().tobytes()]
    for _ in range(12):
        play_first_actions(match, 1)
        states.append(match.state_copy().tobytes())
    for ply, state in enumerate(states):
        assert match.at(ply).state_copy().tobytes() == state
    last = match.history[-1]
    seat, action = match.undo()
    assert (seat, action.id) == last
    assert match.state_copy().tobytes() == states[11]
    with pytest.raises(ValueError, match="plies 0 to 11, not 12"):
        match.at(12)


def test_undo_at_the_opening_is_refused(match: Match) -> None:
    with pytest.raises(ValueError, match="nothing to undo"):
        match.undo()


def test_what_a_match_knows_of_a_viewer_is_forgotten_by_undo(match: Match) -> None:
    play_first_actions(match, 3)
    told = match.events(0)
    match.undo()
    assert match.events(0) == told[: len(match.events(0))]
    assert len(match.events(0)) < len(told)


def test_few_states_are_kept_and_the_others_are_played_again(match: Match) -> None:
    copies, shown = [match.state_copy().tobytes()], [match.redacted(1)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[-1])
        copies.append(match.state_copy().tobytes())
        shown.append(match.redacted(1))
    assert match.ply > 3 * DENSE
    assert match._past.kept <= match.ply // DENSE + DENSE + 1
    # A viewer who joins late sees the same as one who has seen every step.
    late = Match.from_record(match.record())
    for ply, (kept, seen) in enumerate(zip(copies, shown, strict=True)):
        assert late.at(ply).state_copy().tobytes() == kept
        assert late.at(ply).redacted(1) == seen
    changed = [ply for ply in range(len(shown)) if not ply or shown[ply] != shown[ply - 1]]
    assert set(changed) <= set(late.positions(1)) == set(match.positions(1))
    assert late.events(1) == match.events(1)
    while late.ply:
        late.undo()
        assert late.state_copy().tobytes() == copies[late.ply]
    assert late.positions(None) == [0]


def test_after_many_steps_back_another_way_is_gone(match: Match) -> None:
    play_first_actions(match, 3 * DENSE)
    for _ in range(2 * DENSE):
        match.undo()
    here = match.at(match.ply)
    play_first_actions(match, DENSE)
    play_first_actions(here, DENSE)
    assert match.record() == here.record()
    assert match.events(0) == here.events(0) == Match.from_record(match.record()).events(0)
    assert match.redacted(2) == here.redacted(2)


def test_seeds_and_seats_decide_the_match() -> None:
    game = pyramidion.load("ponzi-scheme")
    assert game.new(4, 7).state_copy().tobytes() == game.new(4, 7).state_copy().tobytes()
    assert len({game.new(4, seed).state_copy()["rng"].tobytes() for seed in (1, 2, "1 ", "a")}) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 2}, "Ponzi Scheme has 3 to 5 seats, not 2"),
        ({"seats": "4"}, "Ponzi Scheme has 3 to 5 seats, not 4"),
        ({"round_limit": 0}, "The option round_limit must be a whole number from 1 to 200; '0' is not"),
        ({"round_limit": 3.5}, "The option round_limit must be a whole number"),
        ({"advanced": "maybe"}, "The option advanced must be true or false; 'maybe' is not"),
        ({"bears": 3}, "There is no option 'bears'; the options are: advanced, round_limit"),
        ({"seed": 1.5}, "The seed must be a whole number or text"),
    ],
)
def test_what_a_match_cannot_begin_with_is_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pyramidion.load("ponzi-scheme").new(**arguments)  # type: ignore[arg-type]


def test_numbers_may_be_those_of_numpy() -> None:
    game = pyramidion.load("ponzi-scheme")
    match = game.new(np.int64(4), np.uint32(7), round_limit=np.int16(9))
    assert match.record() == game.new(4, 7, round_limit=9).record()
    for arguments, message in (({"seats": True}, "seats, not True"), ({"seed": True}, "a whole number or text")):
        with pytest.raises(ValueError, match=message):
            game.new(**arguments)


@pytest.mark.parametrize(
    "error",
    [
        IllegalAction("PZ 4.3", "No."),
        IllegalAction("", "It is not your turn."),
        IllegalBatchAction(3, 1, "PZ 4.3", "No."),
        ApiError(409, {"error": "stale", "detail": "Too late."}),
        ApiError(500, {}),
        UnknownGame("ponzi"),
    ],
    ids=lambda error: f"{type(error).__name__} {error}"[:30],
)
def test_exceptions_pass_between_processes(error: Exception) -> None:
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is type(error)
    assert (str(other), vars(other)) == (str(error), vars(error))


def test_an_unknown_game_names_those_there_are() -> None:
    with pytest.raises(
        KeyError, match=r"There is no game 'ponzi'; there are .*ponzi-scheme.*Did you mean 'ponzi-scheme'"
    ):
        pyramidion.load("ponzi")


@pytest.mark.parametrize("name", ["chess", "kuhn", "go", "parcheesi", "shamrock"])
def test_a_game_that_is_not_near_is_not_suggested(name: str) -> None:
    with pytest.raises(KeyError) as raised:
        pyramidion.load(name)
    assert "Did you mean" not in str(raised.value)


def test_the_end_has_an_outcome_and_everything_may_be_seen(match: Match) -> None:
    assert match.outcome is None
    with pytest.raises(ValueError, match="only when the match is over"):
        match.view(pyramidion.EVERYTHING)
    while not match.over:
        play_first_actions(match, 1)
    outcome = match.outcome
    assert outcome is not None
    assert outcome.rule in ("PZ 9.3", "PZ 10.6")
    assert len(outcome.payoffs) == len(outcome.points) == 4
    assert match.view(pyramidion.EVERYTHING)["players"][0]["cash"] is not None
    assert match.acting == ()
    with pytest.raises(IllegalAction, match="The game is over"):
        match.play(0, "pass")


def test_legal_actions_are_listed_by_id_and_hash(match: Match) -> None:
    legal = match.legal(match.acting[0])
    assert [action.id for action in legal] == match.legal_ids(match.acting[0]).tolist()
    assert repr(legal[0]) == "Action('pass')"
    assert len(set(legal)) == len(legal)


def test_the_representation_says_where_the_match_is(match: Match) -> None:
    assert repr(match) == f"<Match ponzi-scheme, 4 seats, ply 0, seats {match.acting[0]} to act>"


class TestRecord:
    """Records: complete, and refused with the first error in them."""

    @pytest.fixture
    def record(self, match: Match) -> dict[str, object]:
        play_first_actions(match, 10)
        return json.loads(json.dumps(match.record()))

    def test_it_round_trips(self, match: Match, record: dict[str, object]) -> None:
        again = Match.from_record(record)
        assert again.state_copy().tobytes() == match.state_copy().tobytes()
        assert again.record() == record

    def test_a_tampered_action_names_its_ply(self, record: dict[str, object]) -> None:
        record["actions"][4][1] = "fund media 80"  # type: ignore[index]
        with pytest.raises(BadRecord, match=r"Ply 5, 'fund media 80' by seat \d, is not legal"):
            Match.from_record(record)

    def test_an_action_by_another_seat_names_its_ply(self, record: dict[str, object]) -> None:
        record["actions"][0][0] = (record["actions"][0][0] + 1) % 4  # type: ignore[index]
        with pytest.raises(BadRecord, match=r"Ply 1, .* is not legal: It is not your turn"):
            Match.from_record(record)

    @pytest.mark.parametrize("entry", [None, [1], ["0", "pass"], [0, 5], "pass"])
    def test_a_malformed_action_names_its_ply(self, record: dict[str, object], entry: object) -> None:
        record["actions"][2] = entry  # type: ignore[index]
        with pytest.raises(BadRecord, match="Ply 3 is malformed"):
            Match.from_record(record)

    @pytest.mark.parametrize("key", ["game", "rules_version", "seats", "options", "seed", "actions"])
    def test_what_is_missing_is_named(self, record: dict[str, object], key: str) -> None:
        del record[key]
        with pytest.raises(BadRecord, match=f"The record's '{key}' is missing or malformed"):
            Match.from_record(record)

    def test_another_version_of_the_rules_is_named(self, record: dict[str, object]) -> None:
        record["rules_version"] = 99
        with pytest.raises(BadRecord, match="played under version 99 of the rules of Ponzi Scheme; this is version"):
            Match.from_record(record)

    def test_a_record_is_read_by_the_version_of_the_rules_that_it_names(self) -> None:
        game = pyramidion.load("pyramid-shambo")
        assert game.versions == (1, 2)
        old = Match(game, 3, 1, {}, rules_version=1)
        again = Match.from_record(json.loads(json.dumps(old.record())))
        assert again.rules_version == again.record()["rules_version"] == 1
        assert again.box["rules_version"] == 1
        assert game.new(3).box["rules_version"] == 2

    @pytest.mark.parametrize("data", [None, [], "record", 7])
    def test_what_is_no_record_is_said(self, data: object) -> None:
        with pytest.raises(BadRecord, match="A record is a JSON object"):
            Match.from_record(data)

    def test_cards_of_ones_own_travel_with_the_record(self) -> None:
        game = pyramidion.load("ponzi-scheme")
        cards = (
            (game.folder / "cards.toml")
            .read_text("utf-8")
            .replace("{value = 9, period = 5, interest = 8,", "{value = 9, period = 3, interest = 1,")
        )
        match = game.new(3, 1, cards=cards)
        assert match.view(None)["market"][0]["interest"] == 1
        assert Match.from_record(json.loads(json.dumps(match.record()))).view(None) == match.view(None)


# Matches that start from a state


def test_a_match_begins_at_a_state_and_goes_on_as_the_match_it_is_from(match: Match) -> None:
    play_first_actions(match, 5)
    state = match.state_copy()
    again = Match.from_state(match.game, state, options=match.options)
    assert (again.ply, again.acting, again.view(None)) == (0, match.acting, match.view(None))
    state["cash"] += 1
    assert again.state_copy().tobytes() == match.state_copy().tobytes()
    for one in (match, again):
        play_first_actions(one, 5)
    assert again.history == match.history[5:]
    assert again.state_copy().tobytes() == match.state_copy().tobytes()


def test_no_record_leads_to_a_state(match: Match) -> None:
    for one in (Match.from_state(match.game, match.state_copy()), match.with_state(match.state_copy())):
        with pytest.raises(ValueError, match="set up from a state has no record"):
            one.at(0).record()
    assert Match.from_record(match.record()).record() == match.record()


def test_another_state_leaves_the_match_and_what_led_to_it(match: Match) -> None:
    play_first_actions(match, 5)
    before, state = match.state_copy().tobytes(), match.state_copy()
    state["rng"][0, 0] += np.uint64(1)
    other = match.with_state(state)
    assert other.history == match.history
    assert other.at(4).state_copy().tobytes() == match.at(4).state_copy().tobytes()
    assert (match.state_copy().tobytes(), other.state_copy().tobytes()) == (before, state.tobytes())
    assert match.at(5).state_copy().tobytes() == before


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("seats", 2, "Ponzi Scheme has 3 to 5 seats, not 2"),
        ("acting", 0, "must be due"),
        ("acting", 1 << 4, "must be due"),
        ("over", 1, "must be due"),
        ("supply", 99, "This is no state of Ponzi Scheme: "),
    ],
)
def test_a_state_that_cannot_be_is_refused(match: Match, field: str, value: int, said: str) -> None:
    state = match.state_copy()
    state[field] = value
    with pytest.raises(ValueError, match=said):
        Match.from_state(match.game, state)
    with pytest.raises(ValueError, match="The match has 4 seats" if field == "seats" else said):
        match.with_state(state)


def test_a_state_with_a_card_that_there_is_not_is_refused() -> None:
    game = pyramidion.load("pyramid-scheme")
    state = game.new(seed=1).state_copy()
    state["market"] = 111
    with pytest.raises(ValueError, match=r"This is no state of Pyramid Scheme: .*index 111 is out of bounds"):
        Match.from_state(game, state)


def test_what_is_no_state_of_the_game_is_refused(match: Match) -> None:
    other = pyramidion.load("pyramis").new().state_copy()
    for state in (other, match.state_copy()[0], match.game.layout.new(2), match.state_copy().tobytes(), None):
        with pytest.raises(ValueError, match=r"structured array of shape \(1,\)"):
            Match.from_state(match.game, state)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_copied_match_goes_on_by_itself(match: Match, copied) -> None:
    play_first_actions(match, 3 * DENSE)
    other = copied(match)
    assert other.game is match.game
    assert other.record() == match.record()
    assert other.events(1) == match.events(1)
    assert list(other.at(5).legal_ids(0)) == list(match.at(5).legal_ids(0))
    other.undo()
    play_first_actions(other, 2)
    assert match.ply == 3 * DENSE
    assert other.at(match.ply).history[:-1] == match.history[:-1]


def test_a_match_from_a_position_is_pickled_with_it(match: Match) -> None:
    state = match.state_copy()
    state["round_number"] = 5
    other = pickle.loads(pickle.dumps(Match.from_state(match.game, state, options=match.options)))
    assert other.view(None)["round"] == 5
    with pytest.raises(ValueError, match="has no record"):
        other.record()
