"""Tests of learned policies: training, coefficients as data, acceptance, and the search that uses them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pyramidion
from pyramidion import bots
from pyramidion.bots import LEVELS, Level, SearchBot, levels_at, levels_of
from pyramidion.bots.labels import label
from pyramidion.bots.learned import BadFile, Learned, learned_of, read_learned, usual_box
from pyramidion.bots.learned_policy import make_learned_policy, policy_arrays
from pyramidion.cli import main
from pyramidion.engine.game import Game
from pyramidion.engine.layout import record
from pyramidion.lab.training import imitation, learners
from pyramidion.lab.training.contest import Score, contest
from pyramidion.lab.training.trainer import Trainer, training_spec
from pyramidion.web.table.bots import bot_names, bot_of, bots_at, settled_bot

GAME, SEATS = pyramidion.load("ponzi-scheme"), 4
TAUGHT = pyramidion.load("pyramid-scheme")


def trained(path: Path, game: Game = TAUGHT, games: int = 500, seed: int = 1, teacher: str = "itself") -> Trainer:
    made = Trainer(game, training_spec(game, game.usual_seats, seed, games, None, teacher), path)
    for _ in made.learn():
        pass
    return made


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds so short that a training takes a moment."""
    monkeypatch.setattr(learners.SelfPlayLearner, "round_games", 100)
    monkeypatch.setattr(learners.ImitationLearner, "round_games", 1)
    monkeypatch.setattr(imitation, "ITERATIONS", 20)
    monkeypatch.setattr(learners, "TEST_GAMES", 100)


@pytest.fixture
def policy(tmp_path: Path, quick: None) -> Learned:
    return trained(tmp_path / "part", GAME, 300).learned()


# Training


@pytest.mark.parametrize(
    ("game", "teacher", "games"), [(TAUGHT, "itself", 500), (GAME, "itself", 500), (GAME, "expert", 3)]
)
def test_a_training_is_determined_by_its_seed(
    tmp_path: Path, quick: None, game: Game, teacher: str, games: int
) -> None:
    first, same, other = (
        trained(tmp_path / name, game, games, seed, teacher) for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert (first.spec.teacher, first.games) == (teacher, games)
    assert first.rounds == games // first.learner.round_games
    assert first.measured == same.measured
    assert np.array_equal(first.learned().policy, same.learned().policy)
    assert not np.array_equal(first.learned().policy, other.learned().policy)
    again = Trainer(game, first.spec, tmp_path / "a")
    assert np.array_equal(again.learned().policy, first.learned().policy)


@pytest.mark.parametrize(("teacher", "games"), [("itself", 300), ("expert", 3)])
def test_training_that_was_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, quick: None, teacher: str, games: int
) -> None:
    whole, spec = trained(tmp_path / "a", GAME, games, 1, teacher), training_spec(GAME, SEATS, 1, games, None, teacher)
    first = Trainer(GAME, spec, tmp_path / "b")
    next(first.learn())
    assert 0 < first.done < 1
    second = Trainer(GAME, spec, tmp_path / "b")
    assert second.games == games // 3
    for _ in second.learn():
        pass
    assert (second.games, second.decisions) == (whole.games, whole.decisions)
    assert second.measured == whole.measured
    assert np.array_equal(second.learned().policy, whole.learned().policy)


def test_a_policy_comes_to_choose_as_the_searches_that_it_learns_from(quick: None) -> None:
    learner = learners.ImitationLearner(GAME, SEATS, 1)
    learner.learn(0, 1, np.random.default_rng(0), 0.0)
    first = learner.measure()
    for n in range(1, 8):
        learner.learn(n, 1, np.random.default_rng(n), 0.0)
    assert learner.measure() < first - 0.1


def test_a_policy_that_learned_enough_lessons_chooses_by_their_shares() -> None:
    # Two candidates with a feature each, of which the second is chosen three times of four.
    features, shares = np.eye(2), np.array([0.25, 0.75])
    coefficients = np.zeros(2)
    for _ in range(500):
        coefficients -= imitation.cross_entropy_gradient(coefficients, features, shares)
    assert imitation.softmax_policy(coefficients, features) == pytest.approx(shares, abs=1e-6)
    assert imitation.cross_entropy(coefficients, features, shares) == pytest.approx(-(shares * np.log(shares)).sum())


def test_the_gradient_of_a_policy_makes_it_win_more(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = learners.SelfPlayLearner(TAUGHT, 3, 1)
    for n in range(16):
        learner.learn(0, 2000, np.random.default_rng(n), 0.0)
    monkeypatch.setattr(learners, "TEST_GAMES", 3000)
    # A policy of equal strength wins 36 % of 3,000 games once in a thousand times.
    assert learner.measure() > 0.36


@pytest.mark.parametrize("game", [TAUGHT, GAME], ids=lambda game: game.id)
def test_a_learned_policy_can_play_as_the_policy_written_by_hand(game: Game) -> None:
    mind, match = game.mind, game.new(game.usual_seats, seed=9)
    bot = bots.load("policy", game, seed=9)
    learned = policy_arrays(mind, by_hand(game), len(game.actions))
    choose, compared = make_learned_policy(mind.features), 0
    while not match.over:
        seat = match.acting[0]
        box, state = record(match.box_for(seat)), record(match.redacted_state(seat))
        sides = []
        for ask, given in ((mind.policy, ()), (choose, (learned,))):
            ids, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
            count = ask(box, state, seat, ids, weights, *given)
            sides.append((ids[:count].tolist(), weights[:count]))
        assert sides[0][0] == sides[1][0]
        assert sides[0][1] == pytest.approx(sides[1][1], rel=1e-3, abs=2e-4)
        compared += count > 1
        match.play(seat, bot.move(match, seat))
    assert compared > 20


def by_hand(game: Game) -> np.ndarray:
    """Return the coefficients with which the learned policy plays as the one written by hand."""
    return imitation.initial_coefficients(game, game.mind.START)


@pytest.mark.parametrize("game", [TAUGHT, GAME], ids=lambda game: game.id)
def test_features_fit_into_their_buffers_and_are_the_same_in_all_worlds(game: Game) -> None:
    mind, chance = game.mind, np.array([1, 2, 3, 4], np.uint64)
    used = np.zeros(mind.FEATURES, bool)
    options = [{}, {"advanced": True}] if game is GAME else [{}]
    for seats, chosen in itertools.product(game.seats, options):
        match, bot = game.new(seats, seed=seats, **chosen), bots.load("hard", game, seed=seats)
        while not match.over:
            seat = match.acting[0]
            box, state = match.box_for(seat), match.redacted_state(seat)
            seen = []
            for _ in range(2):
                world = state.copy()
                mind.redeal(record(box), record(world), seat, chance)
                learned = policy_arrays(mind, by_hand(game), len(game.actions))
                learned.indices[:] = -2
                ids, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
                count = mind.features(record(box), record(world), seat, ids, weights, learned.indices, learned.values)
                ends = [int(np.flatnonzero(row == -1)[0]) for row in learned.indices[:count]]
                entries = [
                    (learned.indices[i, :end].tolist(), learned.values[i, :end].tolist()) for i, end in enumerate(ends)
                ]
                for where, _much in entries:
                    assert len(set(where)) == len(where)
                    used[where] = True
                seen.append((ids[:count].tolist(), entries))
            assert seen[0] == seen[1]
            match.play(seat, bot.move(match, seat))
    assert used.mean() > 0.7


def test_a_file_of_another_training_is_refused(tmp_path: Path, quick: None) -> None:
    trained(tmp_path / "part", GAME, 100)
    with pytest.raises(BadFile, match="holds another training"):
        Trainer(GAME, training_spec(GAME, SEATS, 2, 100, None), tmp_path / "part")


# Coefficients as data


def test_a_policy_is_read_back_with_where_it_comes_from(tmp_path: Path, policy: Learned) -> None:
    policy.save(tmp_path / "policy.npz")
    again = read_learned(tmp_path / "policy.npz", GAME)
    assert again.about == policy.about
    assert (again.about["games"], again.about["teacher"]) == (300, "itself")
    assert np.array_equal(again.policy, policy.policy)


def test_policies_for_other_rules_features_or_games_are_refused(tmp_path: Path, policy: Learned) -> None:
    path = tmp_path / "policy.npz"
    policy.save(path)
    now = GAME.rules_version
    with pytest.raises(BadFile, match=f"version {now} of the rules, which are at version {now + 1} now"):
        read_learned(path, replace(GAME, rules_version=now + 1))
    with pytest.raises(BadFile, match="for ponzi-scheme, not for pyramis"):
        read_learned(path, pyramidion.load("pyramis"))
    Learned(policy.policy[:-1], policy.about).save(path)
    with pytest.raises(BadFile, match="other features"):
        read_learned(path, GAME)
    path.write_bytes(b"no zip")
    with pytest.raises(BadFile, match="holds no policy"):
        read_learned(path, GAME)


# The search


def test_a_search_with_a_learned_policy_is_reproducible_and_its_own(policy: Learned) -> None:
    match = GAME.new(SEATS, seed=5)
    seat = match.acting[0]
    box, state = match.box_for(seat), match.redacted_state(seat)

    def result(learned: Learned | None) -> bots.SearchResult:
        return SearchBot(GAME, 1, learned=learned).think(box, state, seat, iterations=300)

    assert result(policy).choices == result(policy).choices
    assert result(policy).values != result(None).values
    assert sum(result(policy).values) == pytest.approx(1.0, abs=0.05)


def test_a_policy_is_not_used_at_tables_it_was_not_trained_for(policy: Learned) -> None:
    for match in (GAME.new(3, seed=5), GAME.new(SEATS, seed=5, advanced=True)):
        seat = match.acting[0]
        box, state = match.box_for(seat), match.redacted_state(seat)
        assert not policy.suits(GAME, box, state)
        with_policy, without = (SearchBot(GAME, 1, learned=entry) for entry in (policy, None))
        same = with_policy.think(box, state, seat, iterations=50)
        assert same.choices == without.think(box, state, seat, iterations=50).choices


# The level above Expert


@pytest.fixture
def learned(tmp_path: Path, policy: Learned) -> Game:
    """A copy of the game whose folder holds accepted weights."""
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "cards.toml").write_bytes((GAME.folder / "cards.toml").read_bytes())
    Learned(policy.policy, {**policy.about, "accepted": {"games": 40}}).save(folder / "learned-4.npz")
    return replace(GAME, folder=folder)


def test_master_is_a_level_of_games_with_accepted_weights(learned: Game) -> None:
    assert list(levels_of(learned)) == [*LEVELS, "master"]
    assert bots.names(learned)[-2:] == ("expert", "master")
    assert label("master") == "Master"
    match = learned.new(SEATS, seed=5)
    seat = match.acting[0]
    box, state = match.box_for(seat), match.redacted_state(seat)
    master, expert = (bots.load(name, learned, 1) for name in ("master", "expert"))
    assert isinstance(master, SearchBot)
    assert isinstance(expert, SearchBot)
    given = SearchBot(learned, 1, learned=learned_of(learned, SEATS))
    result = master.think(box, state, seat, iterations=100)
    assert result.choices == given.think(box, state, seat, iterations=100).choices
    assert result.choices != expert.think(box, state, seat, iterations=100).choices


def test_master_is_a_level_only_where_it_differs_from_expert(learned: Game) -> None:
    advanced = learned.make_box(learned.accept_options({"advanced": True}))
    assert list(levels_at(learned, SEATS)) == list(levels_at(learned, SEATS, usual_box(learned))) == [*LEVELS, "master"]
    assert list(levels_at(learned, 3)) == list(levels_at(learned, SEATS, advanced)) == list(LEVELS)
    assert bots_at(learned, 3) == tuple(name for name in bot_names(learned) if name != "master")
    assert settled_bot(learned, "master", SEATS) == "master"
    assert [settled_bot(learned, name, 3) for name in ("master", "hard")] == ["expert", "hard"]


def test_other_games_have_no_master(learned: Game) -> None:
    game = replace(GAME, folder=learned.folder.parent)
    assert list(levels_of(game)) == list(LEVELS)
    assert "master" not in bots.names(game)
    with pytest.raises(
        ValueError, match="ponzi-scheme has no bot 'master': it has neither a learned policy nor habits"
    ):
        bots.load("master", game)
    stood_in = bot_of(game, "master")
    assert isinstance(stood_in, SearchBot)
    assert stood_in.level == LEVELS["expert"]


def test_weights_that_come_with_a_game_are_for_its_present_rules() -> None:
    shipped = {
        (game.id, path.stem) for game in pyramidion.all_games().values() for path in game.folder.glob("learned-*.npz")
    }
    assert ("pyramid-scheme", "learned-3") in shipped
    for game_id, name in shipped:
        values = learned_of(pyramidion.load(game_id), int(name.removeprefix("learned-")))
        assert values is not None, f"{game_id}: train {name} again, or remove it."
        assert values.about["accepted"]["interval"][0] > 1 / values.about["seats"]


def test_weights_that_were_not_accepted_make_no_level(learned: Game, policy: Learned) -> None:
    policy.save(learned.folder / "learned-4.npz")
    assert list(levels_of(learned)) == list(LEVELS)


def test_a_change_of_the_rules_takes_the_level_away_and_says_why(
    learned: Game, caplog: pytest.LogCaptureFixture
) -> None:
    newer = replace(learned, rules_version=learned.rules_version + 1)
    assert list(levels_of(newer)) == list(LEVELS)
    warning = (
        f"{learned.folder / 'learned-4.npz'} was trained with version {learned.rules_version} of the rules, "
        f"which are at version {newer.rules_version} now. "
        "Train again with `pyramidion train ponzi-scheme`."
    )
    assert [entry.message for entry in caplog.records] == [warning]


def test_a_clock_of_the_caller_limits_a_search() -> None:
    match = GAME.new(SEATS, seed=5)
    seat, now = match.acting[0], iter(range(1000))
    bot = SearchBot(GAME, 1, Level("", "", 10**9, 30.0, 0.0), clock=lambda: float(next(now)))
    result = bot.think(match.box_for(seat), match.redacted_state(seat), seat)
    assert 30 <= result.seconds < 40


# Acceptance


def test_the_test_accepts_rejects_and_waits() -> None:
    assert Score(0, 0.0, 0.25).accepted is None
    assert Score(40, 16.0, 0.25).accepted is None
    assert Score(40, 22.0, 0.25).accepted is True
    assert Score(40, 4.0, 0.25).accepted is False
    assert Score(40, 22.0, 0.25).interval[0] > 0.25


def test_a_contest_turns_the_seats_and_goes_on_from_a_score(policy: Learned) -> None:
    rotations = contest(GAME, SEATS, policy, None, 0.001, 1)
    first = next(rotations)
    assert (first.games, first.even) == (4, 0.25)
    assert 0 <= first.wins <= 4
    assert next(contest(GAME, SEATS, policy, None, 0.001, 1, Score(8, 5.0, 0.25))).games == 12


# The command


def test_the_command_writes_untested_weights_if_asked(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.npz"
    asked = ["train", "ponzi-scheme", "--out", str(out), "--games", "400", "--seed", "3", "--contest", "0"]
    assert main(asked) == 0
    output = capsys.readouterr().out
    assert "100% learned: 400 games" in output
    assert "It has not been tested." in output
    about = read_learned(out, GAME).about
    assert about["command"] == "pyramidion train ponzi-scheme --teacher itself --seats 4 --seed 3 --games 400"
    assert "accepted" not in about
    assert main(asked) == 1
    assert f"{out} is there already" in capsys.readouterr().err
    out.unlink()
    assert main(asked) == 0


def test_the_command_writes_nothing_that_does_not_win(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Score, "accepted", property(lambda score: False if score.games else None))
    out = tmp_path / "mine.npz"
    assert main(["train", "ponzi-scheme", "--out", str(out), "--games", "200", "--seconds", "0.001"]) == 1
    output = capsys.readouterr().err
    assert output.startswith("pyramidion: It is not stronger at 0.001 s a decision: ")
    assert output.count("\n") == 1
    assert not out.exists()
    kept = Trainer(GAME, training_spec(GAME, SEATS, 1, 200, None), tmp_path / "mine.npz.part")
    assert kept.score().games == SEATS


def test_the_command_writes_how_weights_were_accepted(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Score, "accepted", property(lambda score: True if score.games else None))
    out = tmp_path / "mine.npz"
    assert main(["train", "ponzi-scheme", "--out", str(out), "--hours", "0.0001", "--seconds", "0.001"]) == 0
    assert f"The policy is in {out}.\n" in capsys.readouterr().out
    about = read_learned(out, GAME).about
    assert about["hours"] == 0.0001
    assert about["games"] > 0
    assert about["accepted"]["games"] == SEATS
    assert (about["accepted"]["seconds"], about["accepted"]["against"]) == (0.001, "Expert")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pyramis",), "pyramis cannot be learned: its mind.py declares no features of actions"),
        (("ponzi-scheme", "--teacher", "me"), "A policy learns from itself or from expert, not from 'me'."),
        (("ponzi-scheme", "--seats", "9"), "has 3 to 5 seats, not 9"),
        (("ponzi-scheme", "--games", "9", "--hours", "1"), "Give --games or --hours, not both"),
    ],
)
def test_the_command_refuses_in_one_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *arguments]) == 2
    output = capsys.readouterr().err
    assert said in output
    assert output.count("\n") == 1
