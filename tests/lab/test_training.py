"""Tests of learned values and policies: training, weights as data, acceptance, and the search that uses them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pyramidion
from pyramidion import bots
from pyramidion.bots import LEVELS, Level, SearchBot, levels_at, levels_of, worker
from pyramidion.bots.judging import run_net
from pyramidion.bots.labels import label
from pyramidion.bots.learned import BadFile, Learned, learned_of, read_learned, usual_box
from pyramidion.bots.learned_policy import make_learned_policy, taught_by
from pyramidion.cli import main
from pyramidion.engine.game import Game
from pyramidion.engine.layout import record
from pyramidion.games.ponzi_scheme import facts as ponzi
from pyramidion.lab.training import learners
from pyramidion.lab.training.contest import Score, contest
from pyramidion.lab.training.fitting import Fit
from pyramidion.lab.training.positions import positions
from pyramidion.lab.training.trainer import Trainer, terms_of
from pyramidion.web.table.bots import bot_names, bot_of, bots_at, settled_bot

GAME, SEATS = pyramidion.load("ponzi-scheme"), 4
TAUGHT = pyramidion.load("pyramid-scheme")


def trained(path: Path, games: int = 600, seed: int = 1) -> Trainer:
    made = Trainer(GAME, terms_of(GAME, SEATS, seed, games, None), path)
    for _ in made.learn():
        pass
    return made


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds so short that a training takes a moment."""
    monkeypatch.setattr(learners.ValueLearner, "round_games", 200)
    monkeypatch.setattr(learners.PolicyLearner, "round_games", 100)
    monkeypatch.setattr(learners, "TESTED", 100)
    monkeypatch.setattr(learners, "BATCH", 64)


@pytest.fixture
def values(tmp_path: Path, quick: None) -> Learned:
    return trained(tmp_path / "part").learned()


# Facts and positions


def test_positions_come_with_the_shares_that_followed() -> None:
    known, shares = positions(GAME, SEATS, 300, 7)
    assert known.shape == (len(shares), GAME.mind.FACTS)
    assert len(known) > 1000
    assert np.isfinite(known).all()
    assert np.abs(known).max() < 10
    assert shares.sum(axis=1) == pytest.approx(1.0)
    again, _ = positions(GAME, SEATS, 300, 7)
    other, _ = positions(GAME, SEATS, 300, 8)
    assert np.array_equal(known, again)
    assert not np.array_equal(known[:1000], other[:1000])


def test_facts_are_the_same_from_every_seat_but_for_the_order_of_the_seats() -> None:
    match = GAME.new(SEATS, seed=3)
    bot = bots.load("policy", GAME, seed=3)
    for _ in range(40):
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    state = match.state_copy()
    seen = []
    for seat in range(SEATS):
        out = np.zeros(GAME.mind.FACTS, np.float32)
        GAME.mind.facts(record(match.box), record(state), seat, out)
        blocks = out[: ponzi.BLOCK * SEATS].reshape(SEATS, ponzi.BLOCK)
        seen.append(np.roll(blocks, seat, axis=0))
    assert seen[0].any(axis=1).all()
    for other in seen[1:]:
        assert np.array_equal(seen[0], other)


# The fit


def test_a_net_learns_what_the_facts_tell() -> None:
    chance = np.random.default_rng(1)
    fit = Fit.new(3, 2, seed=1)
    for _ in range(300):
        known = chance.standard_normal((256, 3)).astype(np.float32)
        first = known[:, 0] * known[:, 1] > 0
        fit.learn(known, np.stack([first, ~first], 1).astype(np.float32), 5e-3)
    known = np.array([[1, 1, 0], [1, -1, 0], [-1, -1, 0]], np.float32)
    assert np.argmax(fit.expected(known), axis=1).tolist() == [0, 1, 0]


def test_the_compiled_net_says_the_same_and_turns_seats_back() -> None:
    fit = Fit.new(5, 4, seed=2)
    fit.weights[4] *= 10
    net = Learned(fit.by_name(), {}).net()
    net.known[:] = [0.5, 0.0, -1.0, 2.0, 0.25]
    out = np.zeros(5)
    run_net(net, 1, 3, out)
    expected = fit.expected(net.known[np.newaxis])[0]
    assert out[[1, 2, 0]] == pytest.approx(expected[:3], abs=1e-5)
    assert out[:3].sum() == pytest.approx(1 - expected[3], abs=1e-5)
    assert out[3:].tolist() == [0.0, 0.0]


# Training


def test_training_learns_and_is_determined_by_its_seed(tmp_path: Path, quick: None) -> None:
    one, same, other = (trained(tmp_path / name, 1000, seed) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    assert one.measured < np.log(SEATS)
    for name, array in one.learned().weights.items():
        assert np.array_equal(array, same.learned().weights[name])
    assert not np.array_equal(one.learned().weights["first"], other.learned().weights["first"])


def test_training_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, quick: None) -> None:
    whole, terms = trained(tmp_path / "a", 500), terms_of(GAME, SEATS, 1, 500, None)
    first = Trainer(GAME, terms, tmp_path / "b")
    next(first.learn())
    assert 0 < first.done < 1
    second = Trainer(GAME, terms, tmp_path / "b")
    assert second.games == 200
    for _ in second.learn():
        pass
    assert second.games == whole.games == 500
    assert second.measured == whole.measured
    assert np.array_equal(second.learner.adam.weights[0], whole.learner.adam.weights[0])


def policy_trained(path: Path, games: int, seed: int = 1) -> Trainer:
    made = Trainer(TAUGHT, terms_of(TAUGHT, 3, seed, games, None), path)
    for _ in made.learn():
        pass
    return made


def test_a_policy_learns_from_its_own_games_and_is_determined_by_its_seed(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, same, other = (policy_trained(tmp_path / name, 500, seed) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    assert (one.terms.kind, one.games, one.rounds) == ("policy", 500, 5)
    assert np.array_equal(one.learned().weights["policy"], same.learned().weights["policy"])
    assert not np.array_equal(one.learned().weights["policy"], other.learned().weights["policy"])
    again = Trainer(TAUGHT, one.terms, tmp_path / "a")
    assert np.array_equal(again.learned().weights["policy"], one.learned().weights["policy"])


def test_the_gradient_of_a_policy_makes_it_win_more(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = learners.PolicyLearner(TAUGHT, 3)
    for n in range(16):
        learner.learn(2000, np.random.default_rng(n), 0.0, 0.0)
    monkeypatch.setattr(learners, "TESTED", 3000)
    # A policy of equal strength wins 36 % of 3,000 games once in a thousand times.
    assert learner.measure() > 0.36


def test_a_learned_policy_begins_as_the_policy_written_by_hand(quick: None) -> None:
    taught = taught_by(TAUGHT.mind, policy_start(), len(TAUGHT.actions))
    choose = make_learned_policy(TAUGHT.mind.features)
    match, bot = TAUGHT.new(3, seed=9), bots.load("policy", TAUGHT, seed=9)
    compared = 0
    while not match.over:
        seat = match.acting[0]
        box, shown = record(match.box_for(seat)), record(match.redacted_state(seat))
        sides = []
        for ask, given in ((TAUGHT.mind.policy, ()), (choose, (taught,))):
            ids, weights = np.zeros(len(TAUGHT.actions), np.int32), np.zeros(len(TAUGHT.actions))
            count = ask(box, shown, seat, ids, weights, *given)
            sides.append((ids[:count].tolist(), weights[:count]))
        assert sides[0][0] == sides[1][0]
        assert sides[0][1] == pytest.approx(sides[1][1], rel=1e-3, abs=1e-6)
        compared += count > 1
        match.play(seat, bot.move(match, seat))
    assert compared > 20


def policy_start() -> np.ndarray:
    start = np.zeros(TAUGHT.mind.FEATURES)
    start[0] = TAUGHT.mind.START
    return start


def test_features_fit_into_their_buffers_and_are_the_same_in_all_worlds(quick: None) -> None:
    mind, chance = TAUGHT.mind, np.array([1, 2, 3, 4], np.uint64)
    used = np.zeros(mind.FEATURES, bool)
    for seats in TAUGHT.seats:
        match, bot = TAUGHT.new(seats, seed=seats), bots.load("policy", TAUGHT, seed=seats)
        while not match.over:
            seat = match.acting[0]
            box, shown = match.box_for(seat), match.redacted_state(seat)
            seen = []
            for _ in range(2):
                world = shown.copy()
                TAUGHT.mind.redeal(record(box), record(world), seat, chance)
                taught = taught_by(mind, policy_start(), len(TAUGHT.actions))
                taught.where[:] = -2
                ids, weights = np.zeros(len(TAUGHT.actions), np.int32), np.zeros(len(TAUGHT.actions))
                count = mind.features(record(box), record(world), seat, ids, weights, taught.where, taught.much)
                ends = [int(np.flatnonzero(row == -1)[0]) for row in taught.where[:count]]
                entries = [
                    (taught.where[i, :end].tolist(), taught.much[i, :end].tolist()) for i, end in enumerate(ends)
                ]
                for where, _much in entries:
                    assert len(set(where)) == len(where)
                    used[where] = True
                seen.append((ids[:count].tolist(), entries))
            assert seen[0] == seen[1]
            match.play(seat, bot.move(match, seat))
    assert used.mean() > 0.7


def test_a_file_of_another_training_is_refused(tmp_path: Path, quick: None) -> None:
    trained(tmp_path / "part", 200)
    with pytest.raises(BadFile, match="holds another training"):
        Trainer(GAME, terms_of(GAME, SEATS, 2, 200, None), tmp_path / "part")


# Weights as data


def test_weights_are_read_back_with_where_they_come_from(tmp_path: Path, values: Learned) -> None:
    values.save(tmp_path / "values.npz")
    again = read_learned(tmp_path / "values.npz", GAME)
    assert again.about == values.about
    assert again.about["games"] == 600
    assert np.array_equal(again.weights["last"], values.weights["last"])


def test_weights_for_other_rules_facts_or_games_are_refused(tmp_path: Path, values: Learned) -> None:
    path = tmp_path / "values.npz"
    values.save(path)
    with pytest.raises(BadFile, match="version 2 of the rules, which are at version 3 now"):
        read_learned(path, replace(GAME, rules_version=3))
    with pytest.raises(BadFile, match="for ponzi-scheme, not for pyramis"):
        read_learned(path, pyramidion.load("pyramis"))
    fewer = replace_first(values)
    fewer.save(path)
    with pytest.raises(BadFile, match="other facts"):
        read_learned(path, GAME)
    path.write_bytes(b"no zip")
    with pytest.raises(BadFile, match="holds no weights"):
        read_learned(path, GAME)


def replace_first(values: Learned) -> Learned:
    return Learned({**values.weights, "first": values.weights["first"][:-1]}, values.about)


# The search


def test_a_search_with_learned_values_is_reproducible_and_its_own(values: Learned) -> None:
    match = GAME.new(SEATS, seed=5)
    seat = match.acting[0]
    box, shown = match.box_for(seat), match.redacted_state(seat)

    def thought(learned: Learned | None) -> bots.Thought:
        return SearchBot(GAME, 1, learned=learned).think(box, shown, seat, iterations=300)

    assert thought(values).choices == thought(values).choices
    assert thought(values).values != thought(None).values
    assert sum(thought(values).values) == pytest.approx(1.0, abs=0.05)


def test_values_are_not_used_for_positions_they_were_not_trained_on(values: Learned) -> None:
    for match in (GAME.new(3, seed=5), GAME.new(SEATS, seed=5, advanced=True)):
        seat = match.acting[0]
        box, shown = match.box_for(seat), match.redacted_state(seat)
        assert not values.suits(GAME, box, shown)
        with_values, without = (SearchBot(GAME, 1, learned=one) for one in (values, None))
        same = with_values.think(box, shown, seat, iterations=50)
        assert same.choices == without.think(box, shown, seat, iterations=50).choices


def test_a_search_that_judges_by_a_net_has_a_larger_tree(values: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MOST_NODES", 50)
    match = GAME.new(SEATS, seed=1)
    seat = match.acting[0]
    for learned, nodes in ((None, 50), (values, 100)):
        bot = SearchBot(GAME, 1, learned=learned)
        thought = bot.think(match.box_for(seat), match.redacted_state(seat), seat, iterations=200)
        assert (thought.nodes, thought.full) == (nodes, True)


# The level above Expert


@pytest.fixture
def learned(tmp_path: Path, values: Learned) -> Game:
    """A copy of the game whose folder holds accepted weights."""
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "cards.toml").write_bytes((GAME.folder / "cards.toml").read_bytes())
    Learned(values.weights, {**values.about, "accepted": {"games": 40}}).save(folder / "learned-4.npz")
    return replace(GAME, folder=folder)


def test_master_is_a_level_of_games_with_accepted_weights(learned: Game) -> None:
    assert list(levels_of(learned)) == [*LEVELS, "master"]
    assert bots.names(learned)[-2:] == ("expert", "master")
    assert label("master") == "Master"
    match = learned.new(SEATS, seed=5)
    seat = match.acting[0]
    box, shown = match.box_for(seat), match.redacted_state(seat)
    master, expert = (bots.load(name, learned, 1) for name in ("master", "expert"))
    assert isinstance(master, SearchBot)
    assert isinstance(expert, SearchBot)
    given = SearchBot(learned, 1, learned=learned_of(learned, SEATS))
    thought = master.think(box, shown, seat, iterations=100)
    assert thought.choices == given.think(box, shown, seat, iterations=100).choices
    assert thought.choices != expert.think(box, shown, seat, iterations=100).choices


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
    with pytest.raises(ValueError, match="ponzi-scheme has no bot 'master': it needs learned values"):
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


def test_weights_that_were_not_accepted_make_no_level(learned: Game, values: Learned) -> None:
    values.save(learned.folder / "learned-4.npz")
    assert list(levels_of(learned)) == list(LEVELS)


def test_a_change_of_the_rules_takes_the_level_away_and_says_why(
    learned: Game, caplog: pytest.LogCaptureFixture
) -> None:
    newer = replace(learned, rules_version=3)
    assert list(levels_of(newer)) == list(LEVELS)
    said = (
        f"{learned.folder / 'learned-4.npz'} was trained with version 2 of the rules, which are at version 3 now. "
        "Train again with `pyramidion train ponzi-scheme`."
    )
    assert [one.message for one in caplog.records] == [said]


def test_a_clock_of_the_caller_limits_a_search() -> None:
    match = GAME.new(SEATS, seed=5)
    seat, now = match.acting[0], iter(range(1000))
    bot = SearchBot(GAME, 1, Level("", "", 10**9, 30.0, 0.0), clock=lambda: float(next(now)))
    thought = bot.think(match.box_for(seat), match.redacted_state(seat), seat)
    assert 30 <= thought.seconds < 40


# Acceptance


def test_the_test_accepts_rejects_and_waits() -> None:
    assert Score(0, 0.0, 0.25).accepted is None
    assert Score(40, 16.0, 0.25).accepted is None
    assert Score(40, 22.0, 0.25).accepted is True
    assert Score(40, 4.0, 0.25).accepted is False
    assert Score(40, 22.0, 0.25).interval[0] > 0.25


def test_a_contest_turns_the_seats_and_goes_on_from_a_score(values: Learned) -> None:
    rotations = contest(GAME, SEATS, values, None, 0.001, 1)
    first = next(rotations)
    assert (first.games, first.even) == (4, 0.25)
    assert 0 <= first.wins <= 4
    assert next(contest(GAME, SEATS, values, None, 0.001, 1, Score(8, 5.0, 0.25))).games == 12


# The command


def test_the_command_writes_untested_weights_if_asked(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.npz"
    asked = ["train", "ponzi-scheme", "--out", str(out), "--games", "400", "--seed", "3", "--contest", "0"]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "100% learned: 400 games" in told
    assert "They have not been tested." in told
    about = read_learned(out, GAME).about
    assert about["command"] == "pyramidion train ponzi-scheme --seats 4 --seed 3 --games 400"
    assert "accepted" not in about
    assert main(asked) == 0


def test_the_command_writes_nothing_that_does_not_win(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Score, "accepted", property(lambda score: False if score.games else None))
    out = tmp_path / "mine.npz"
    assert main(["train", "ponzi-scheme", "--out", str(out), "--games", "200", "--seconds", "0.001"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("pyramidion: It is not stronger at 0.001 s a decision: ")
    assert told.count("\n") == 1
    assert not out.exists()
    kept = Trainer(GAME, terms_of(GAME, SEATS, 1, 200, None), tmp_path / "mine.npz.part")
    assert kept.score().games == SEATS


def test_the_command_writes_how_weights_were_accepted(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Score, "accepted", property(lambda score: True if score.games else None))
    out = tmp_path / "mine.npz"
    assert main(["train", "ponzi-scheme", "--out", str(out), "--hours", "0.0001", "--seconds", "0.001"]) == 0
    assert f"The weights are in {out}.\n" in capsys.readouterr().out
    about = read_learned(out, GAME).about
    assert about["hours"] == 0.0001
    assert about["games"] > 0
    assert about["accepted"]["games"] == SEATS
    assert (about["accepted"]["seconds"], about["accepted"]["against"]) == (0.001, "Expert")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pyramis",), "pyramis cannot be learned: its mind.py declares neither facts of a position nor features"),
        (("ponzi-scheme", "--seats", "9"), "has 3 to 5 seats, not 9"),
        (("ponzi-scheme", "--games", "9", "--hours", "1"), "Give --games or --hours, not both"),
    ],
)
def test_the_command_refuses_in_one_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
