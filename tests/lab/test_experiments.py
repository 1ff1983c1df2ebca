"""Tests of experiments: reproducible results, counts that agree with a replay, comparisons, stopping."""

from __future__ import annotations

import dataclasses
import math
import os
import subprocess
import sys
import threading
from collections import Counter

import numpy as np
import polars as pl
import pytest

import pyramidion
from pyramidion import bots, lab
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.rule import rule
from pyramidion.lab.experiments import aggregates, counters, runner
from pyramidion.lab.experiments.aggregates import CHANGE, leaders_of
from pyramidion.lab.experiments.experiment import precise
from pyramidion.lab.experiments.result import OtherExperiment
from pyramidion.lab.statistics.intervals import Z, benjamini_hochberg, holm, worth

pytestmark = pytest.mark.usefixtures("outside")
GAME = "high-card"


@pytest.mark.slow
def test_the_result_is_the_same_with_any_number_of_threads():
    single = lab.experiment(GAME, games=2300, threads=1, seed="x")
    three = lab.experiment(GAME, games=2300, threads=3, seed="x")
    assert single.data.equals(three.data)
    assert single.games == 2300
    assert not single.data.equals(lab.experiment(GAME, games=2300, seed="y").data)


@pytest.mark.slow
def test_the_result_is_the_same_with_interpreted_rules(tmp_path):
    asked = {"games": 3, "seed": 1, "metrics": ("wins", "actions", "events")}
    program = f"from pyramidion import lab; lab.experiment('ponzi-scheme', **{asked}).save({str(tmp_path / 'there')!r})"
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYRAMIDION_INTERPRET": "1"}, check=True)
    interpreted = lab.Result.load(tmp_path / "there")
    assert interpreted.data.equals(lab.experiment("ponzi-scheme", **asked).data)


@pytest.mark.slow
def test_parts_merge_to_the_whole_in_any_order_and_grouping():
    whole = lab.experiment(GAME, games=3000)
    a, b, c = (lab.experiment(GAME, games=range(n, n + 1000)) for n in (0, 1000, 2000))
    for merged in (
        lab.Result.merge([a, b, c]),
        lab.Result.merge([c, a, b]),
        lab.Result.merge([lab.Result.merge([a, b]), c]),
        lab.Result.merge([a, lab.Result.merge([b, c])]),
    ):
        assert merged.data.equals(whole.data)
        assert merged.ranges == ((0, 3000),)
    assert lab.Result.merge([a, c]).ranges == ((0, 1000), (2000, 3000))


def test_results_that_do_not_belong_together_are_not_merged():
    a = lab.experiment(GAME, games=50)
    with pytest.raises(OtherExperiment, match="hold the same games"):
        lab.Result.merge([a, lab.experiment(GAME, games=range(49, 60))])
    with pytest.raises(OtherExperiment, match="seed 0 in one and 1 in the other"):
        lab.Result.merge([a, lab.experiment(GAME, games=range(50, 60), seed=1)])


def test_a_result_is_saved_and_loaded(tmp_path):
    result = lab.experiment(GAME, games=100, against=lab.Variant(name="the same"))
    result.save(tmp_path / "r.parquet")
    again = lab.Result.load(tmp_path / "r.parquet")
    assert again.spec == result.spec
    assert again.ranges == result.ranges
    assert again.data.equals(result.data)
    assert [path.name for path in tmp_path.iterdir()] == ["r.parquet"]
    (tmp_path / "other").write_text("no parquet")
    with pytest.raises(OtherExperiment, match="is not the result of an experiment"):
        lab.Result.load(tmp_path / "other")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "plain.parquet")
    with pytest.raises(OtherExperiment, match="is not the result of an experiment"):
        lab.Result.load(tmp_path / "plain.parquet")


def test_counts_agree_with_a_replay_through_the_referee():
    game, seats, count = pyramidion.load(GAME), 3, 150
    spec = lab.experiment(game, seats=seats, games=1).spec
    player = runner.SideRunner(game, spec, spec.sides["A"], ())
    names = player.keys.names
    seen, in_games, users, won, rows = Counter(), Counter(), Counter(), Counter(), []
    for number in range(count):
        row = player.play(number, 1)[0]
        rows.append(row)
        state, buffer = game.layout.new(), np.zeros(len(game.actions), np.int32)
        chance = np.zeros(1, np.uint64)
        counters.seed_game(chance, player.base, number)
        counters.open_game(state[0], as_bytes(state), seats, chance)
        game.compiled.setup(player.box, state)
        had = set()
        for seat, action in player.moves[: row[counters.PLIES]].tolist():
            assert game.compiled.step(player.box, state, seat, action, buffer) == 0
            keys = [(("families", game.actions[action].family), seat)]
            for _, (code, rule_number, arguments) in game.layout.events(state.tobytes()):
                name = game.events.name(code)
                data = game.events.data(code, arguments)
                owner = data.get("seat", -1)
                keys += [(("events", name), owner), (("rules", game.rule_name(rule_number)), owner)]
            seen.update(key for key, _ in keys)
            had.update(keys)
        assert state["over"][0]
        payoffs = np.zeros(game.layout.max_seats)
        game.compiled.payoff(player.box, state, payoffs)
        assert [w / counters.WIN for w in row[counters.COLUMNS : counters.COLUMNS + seats]] == payoffs[:seats].tolist()
        in_games.update({key for key, _ in had})
        users.update(key for key, seat in had if seat >= 0)
        for key, seat in had:
            won[key] += seats * round(counters.WIN * payoffs[seat]) - counters.WIN if seat >= 0 else 0
    counted = player.tally["sums"][0]
    sums = {names[k]: counted[k] for k in range(len(names)) if counted[k, counters.TIMES]}
    assert {key for key in sums if key[0] in ("families", "events", "rules")} == set(seen)
    for key in seen:
        figures = sums[key][[counters.TIMES, counters.GAMES, counters.USERS, counters.TOTAL]].tolist()
        assert figures == [seen[key], in_games[key], users[key], won[key]], key


def test_wins_and_places_add_up_to_one():
    result = lab.experiment(GAME, games=2000, seats=4)
    for kind in ("seat", "place"):
        shares = [result.figure("wins", item).mean for item in result.items("wins") if item.startswith(kind)]
        assert len(shares) == 4
        assert sum(shares) == pytest.approx(1.0)
    assert result.figure("length", "decisions").mean == 8
    assert result.figure("branching", "legal actions").mean == 2
    assert result.frame("endings")["share"].sum() == pytest.approx(1.0)


def test_players_take_turns_in_the_seats_and_the_better_one_wins_more():
    result = lab.experiment(GAME, players=("policy", "random"), games=2000)
    policy, other = (result.figure("wins", f"player {name}") for name in ("policy", "random"))
    assert policy.mean + other.mean == pytest.approx(1.0)
    assert policy.low > other.high


def test_searching_players_play_the_same_games_on_any_number_of_threads():
    single = lab.experiment(GAME, players=("easy", "random"), games=50, metrics=("wins", "events"))
    two = lab.experiment(GAME, players=("easy", "random"), games=50, metrics=("wins", "events"), threads=2)
    assert single.data.equals(two.data)
    assert single.figure("wins", "player easy").mean > 0.5


def test_a_side_against_itself_differs_in_nothing():
    result = lab.experiment(GAME, games=300, against=lab.Variant(name="the same"))
    changes = result.frame("changes")
    assert changes["change"].to_list() == [0.0] * len(changes)
    assert changes["p (Holm)"].to_list() == [1.0] * len(changes)


@pytest.mark.slow
def test_the_same_openings_make_differences_show_earlier():
    result = lab.experiment("silent-auction", games=500, players=("random",), against={"handicap": [0, 0, 2]})
    change = result.figure("points", "winner", CHANGE)
    a, b = (result.figure("points", "winner", side) for side in "AB")
    assert change.mean == pytest.approx(b.mean - a.mean)
    assert change.error < math.hypot(a.error, b.error)


def test_an_experiment_stops_when_it_is_precise_and_goes_on_where_it_stopped():
    done = lab.experiment(GAME, games=100_000, until=1.5)
    assert precise(done, 1.5)
    assert done.games < 20_000
    part = lab.experiment(GAME, games=done.games // 3)
    assert not precise(part, 1.5)
    again = lab.experiment(GAME, games=100_000, until=1.5, resume=part)
    assert again.ranges == done.ranges
    assert again.data.equals(done.data)


def test_a_stopped_experiment_is_a_whole_number_of_blocks_and_can_be_resumed():
    stop, seen = threading.Event(), []

    def progress(done, games):
        seen.append((done, games))
        if done >= 1000:
            stop.set()

    part = lab.experiment(GAME, games=5000, stop=stop, progress=progress)
    assert part.games == 1000
    assert seen == [(0, 5000), (1000, 5000)]
    assert lab.experiment(GAME, games=5000, resume=part).data.equals(lab.experiment(GAME, games=5000).data)
    with pytest.raises(OtherExperiment, match="seed 0 in one and 1 in the other"):
        lab.experiment(GAME, games=5000, seed=1, resume=part)


@rule
def count_draws(box, s, seat, action, out):
    out[0] += 1
    out[1 + int(action == 0)] += 1


def test_a_metric_of_one_s_own_is_measured_and_compared():
    mine = lab.Metric("mine", ("actions", "stays", "draws"), count_draws)
    other = lab.Metric("again", ("actions", "stays", "draws"), count_draws)
    result = lab.experiment(GAME, games=500, metrics=("wins", mine, other), against=lab.Variant(name="b"))
    assert result.figure("mine", "actions").mean == result.figure("length", "decisions").mean
    families = {row["item"]: row["per game"] for row in result.frame("families").filter(side="A").iter_rows(named=True)}
    assert result.figure("mine", "draws").mean == pytest.approx(families["draw"])
    assert result.frame("again").drop("item").equals(result.frame("mine").drop("item"))


def test_a_game_s_own_metrics_and_words_come_from_its_folder(monkeypatch):
    from pyramidion.games.pyramis import lab as words
    from pyramidion.lab.experiments.custom_metrics import chosen_metrics
    from pyramidion.lab.experiments.metric_keys import metric_keys

    game = pyramidion.load("pyramis")
    assert ("details", "placed colour blue") in metric_keys(game).names
    monkeypatch.setattr(words, "METRICS", {"draws": (("a", "b", "c"), count_draws)}, raising=False)
    assert chosen_metrics(game, ("wins", "draws")) == (lab.Metric("draws", ("a", "b", "c"), count_draws),)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"metrics": ("luck",)}, "There is no metric 'luck'; the metrics are: wins, points"),
        ({"players": ("nobody",)}, "There is no player 'nobody'; the players are: .*policy"),
        ({"players": ("policy",) * 3, "seats": 2}, "A table with 2 seats needs 2 players, or one for all seats, not 3"),
        ({"games": 0}, "at least one game"),
        ({"threads": 0}, "at least one thread"),
        ({"until": 0.0}, "must be positive"),
        ({"against": {"nonsense": 1}}, "There is no option 'nonsense'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(asked, sentence):
    with pytest.raises(ValueError, match=sentence):
        lab.experiment(GAME, **asked)


def test_the_worth_of_what_one_of_two_players_has_is_exact():
    # In each of n games one of two seats has it and wins with a chance of 0.6: the difference is the mean of 2a - 1.
    n, wins, unit = 1000, 600, 10
    users, total = n, wins * unit - (n - wins) * unit
    value, error = worth(users, n, total, n * unit**2, total, games=n, seats=2, unit=unit)
    assert value == pytest.approx(0.2)
    assert error == pytest.approx(math.sqrt((1 - 0.2**2) / n), rel=1e-6)
    assert math.isinf(worth(2 * n, 4 * n, 0, 0, 0, games=n, seats=2, unit=unit)[1])


def test_the_interval_of_a_worth_holds_the_truth_as_often_as_it_says():
    chance, seats, games, held = np.random.default_rng(5), 3, 400, 0
    for _ in range(300):
        has = chance.random((games, seats)) < 0.3
        # Seats that have it win with weight 2 against 1; the true difference is measured in one long run below.
        weights = np.where(has, 2.0, 1.0)
        winner = (chance.random((games, 1)) * weights.sum(1, keepdims=True) > weights.cumsum(1)).sum(1)
        wins = 3 * (np.arange(seats) == winner[:, None]) - 1
        u, w = has.sum(1), (wins * has).sum(1)
        value, error = worth(
            int(u.sum()), int((u * u).sum()), int(w.sum()), int((w * w).sum()), int((u * w).sum()),
            games=games, seats=seats, unit=1,
        )  # fmt: skip
        held += abs(value - TRUE_WORTH) <= Z * error
    assert 0.92 <= held / 300 <= 0.98


def _true_worth():
    """Return the exact difference for the test above, by summing over who has it."""
    with_wins, with_seats, without_wins = 0.0, 0.0, 0.0
    for k in range(4):
        p = math.comb(3, k) * 0.3**k * 0.7 ** (3 - k)
        with_seats += p * k
        with_wins += p * 2 * k / (k + 3)
        without_wins += p * (3 - k) / (k + 3)
    return with_wins / with_seats - without_wins / (3 - with_seats)


TRUE_WORTH = _true_worth()


def test_corrections_for_many_comparisons():
    values = [0.01, 0.04, 0.03, 0.005]
    assert holm(values) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(values) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_the_lead_passes_on_only_when_another_is_clearly_ahead():
    win = counters.WIN
    curve = win * np.array([[17, 15], [25, 7], [14, 18], [30, 2], [2, 30], [0, 32]])
    assert leaders_of(curve) == [-1, 0, 0, 0, 1, 1]
    sums, row = aggregates.Aggregates(), np.zeros((1, counters.COLUMNS + 4), np.int64)
    row[0, counters.COLUMNS + 1] = win
    curve = np.repeat(curve, [4, 4, 4, 4, 2, 2], axis=0)
    aggregates.add_leads(sums, "A", row, [0], [curve], 2, signed=False)
    figures = {
        item: int(numbers[aggregates.TOTAL]) for (_, metric, item), numbers in sums.of.items() if metric == "lead"
    }
    assert figures == {"lead changes": counters.LOOKS, "lead for good": 16, "comebacks": counters.LOOKS, "settled": 16}


def test_chances_lead_up_to_the_winner():
    result = lab.experiment(GAME, games=200)
    first, last = (result.figure("chance", f"{look:02d}").mean for look in (0, counters.LOOKS - 1))
    assert 0.2 < first < 0.7
    assert last > first
    assert 0 <= result.figure("lead", "settled").mean <= 1


class FirstLegal(bots.Bot):
    """Plays the first legal action."""

    def choose(self, box, state, seat):
        return int(self.legal_ids(box, state, seat)[0])


class LastSeen(FirstLegal):
    """Plays the last legal action, asked with what its seat sees of a match."""

    def move(self, match, seat):
        assert (match.ply if hasattr(match, "ply") else None) is None
        return match.legal()[-1]


@rule
def no_action(box, s, seat, ids, weights):
    """Propose an action that does not exist."""
    ids[0] = 2
    weights[0] = 1.0
    return 1


@rule
def count_actions(box, s, seat, action, out):
    """Count actions."""
    out[0] += 1


def test_players_are_bots_classes_and_rules():
    game = pyramidion.load(GAME)
    asked = {"games": 20, "seed": 3, "metrics": ("wins",)}
    as_bot = lab.experiment(game, players=[FirstLegal(game), "policy"], **asked)
    as_class = lab.experiment(game, players=[f"{__name__}:FirstLegal", "policy"], **asked)
    assert as_bot.spec.players == ("FirstLegal", "policy")
    assert as_class.spec.players == (f"{__name__}:FirstLegal", "policy")
    wins = [result.figure("wins", f"player {result.spec.players[0]}").mean for result in (as_bot, as_class)]
    assert wins[0] == wins[1]
    seen = lab.experiment(game, players=[LastSeen(game), "random"], **asked)
    assert seen.games == 20
    assert lab.experiment(game, players="random", **asked).spec.players == ("random",) * game.usual_seats
    with pytest.raises(ValueError, match="Two different players are called FirstLegal"):
        lab.experiment(game, players=[FirstLegal(game), FirstLegal(game)], **asked)
    with pytest.raises(ValueError, match=r"There is no player 'strong'; the players are: random, .*module:Class"):
        lab.experiment(game, players="strong", **asked)
    with pytest.raises(TypeError, match="A player that is neither a bot nor its name is a function with the decorator"):
        lab.experiment(game, players=[len, "policy"], **asked)
    with pytest.raises(ValueError, match="FirstLegal is an object"):
        lab.experiment(game, players=[FirstLegal(game), "policy"], cluster="processes:1", **asked)


def test_a_rule_plays_and_what_it_may_not_do_is_refused():
    game = pyramidion.load(GAME)
    asked = {"games": 5, "seed": 3, "metrics": ("wins",)}
    named = lab.experiment(game, players=[game.mind.policy, "random"], **asked)
    path = lab.experiment(game, players=[named.spec.players[0], "random"], **asked)
    assert named.data.equals(path.data)
    assert named.spec.players[0].endswith(":policy")
    with pytest.raises(ValueError, match=r"RulePlayer chose .*2"):
        lab.experiment(game, players=[no_action, "random"], games=200, seed=3, metrics=("wins",))


def test_games_are_kept_one_by_one(tmp_path):
    path = tmp_path / "games.parquet"
    plies = lab.Metric("plies", ("in a game",), count_actions)
    asked = {"seed": 3, "metrics": ("wins", "points", plies), "players": ("policy", "random")}
    part = lab.experiment(GAME, games=30, per_game=path, **asked)
    whole = lab.experiment(GAME, games=50, per_game=path, resume=part, **asked)
    games = whole.frame("games")
    assert games["game"].to_list() == list(range(50))
    assert games.equals(pl.read_parquet(path))
    assert games["decisions"].mean() == pytest.approx(whole.figure("length", "decisions").mean)
    won = games.select(pl.col("wins").arr.get(0)).to_series().mean()
    assert won == pytest.approx(whole.figure("wins", "seat 0").mean)
    assert games["players"].to_list()[:2] == [["policy", "random"], ["random", "policy"]]
    assert games["plies: in a game"].equals(games["decisions"].cast(pl.Int64), check_names=False)
    assert whole.data.equals(lab.experiment(GAME, games=50, **asked).data)
    with pytest.raises(ValueError, match="The games were not kept; give `experiment` a file"):
        lab.experiment(GAME, games=2, **asked).frame("games")
    with pytest.raises(OtherExperiment, match="has 50 of the games of the result to continue, not 30"):
        lab.experiment(GAME, games=50, per_game=path, resume=dataclasses.replace(part, rows=None), **asked)


def test_a_figure_that_was_not_measured_is_named():
    result = lab.experiment(GAME, games=5, metrics=("wins",), seed=1)
    with pytest.raises(KeyError, match="The metric wins has no item 'place 9'; it has 'place"):
        result.figure("wins", "place 9")
    with pytest.raises(KeyError, match="Nothing called 'speed' was measured; there are"):
        result.figure("speed", "mean")
    with pytest.raises(KeyError, match="There is no side 'B'; there are A"):
        result.figure("wins", "place 1", "B")
