"""Match: the Python face that notebooks, tests and other people's programs rely on."""

from __future__ import annotations

import json

import pytest

import pyramidion
from pyramidion.engine.match import BadRecord, IllegalAction, Match


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
    assert caught.value.reason == "Your 1st media tile takes a card from row 1; $17 is in row 3."
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
    assert match.legal(seat) == []


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


def test_an_unknown_game_names_those_there_are() -> None:
    with pytest.raises(
        KeyError, match=r"There is no game 'ponzi'; there are .*ponzi-scheme.*Did you mean 'ponzi-scheme'"
    ):
        pyramidion.load("ponzi")


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
    """A record is the whole match, and the first thing wrong with it is named."""

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
