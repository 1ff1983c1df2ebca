"""Habits of players who search: the policy and the deals made from them, counting, files, and the search with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.upside_down.positions import position

import pyramidion
from pyramidion import Game, Match, bots
from pyramidion.bots import LEVELS, SearchBot, levels_at, levels_of
from pyramidion.bots.habits import (
    Habits,
    empty_counts,
    habits_from,
    habits_of,
    read_habits,
    smoothed,
    write_habits,
)
from pyramidion.bots.learned import BadFile
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import record
from pyramidion.lab.training import contest as contests
from pyramidion.lab.training.contest import contest
from pyramidion.lab.training.habit_counts import count_habits, game_between_experts

GAMES = [pyramidion.load(name) for name in ("upside-down", "downside-up")]
UPSIDE_DOWN = GAMES[0]


def played(game: Game, name: str, seed: int) -> Match:
    bot, match = bots.load(name, game, seed), game.new(10, seed)
    while not match.over:
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    return match


def counted(game: Game, games: int = 2) -> Any:
    counts = empty_counts(game, games)
    for n in range(games):
        count_habits(played(game, "policy", n), counts, n)
    return counts


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: game.id)
def habits(request: pytest.FixtureRequest) -> tuple[Game, Habits]:
    return request.param, habits_from(request.param, counted(request.param), {})


def habitual_policy(game: Game, habits: Habits, box: Any, state: Any, seat: int) -> dict[int, float]:
    """Return the weights of the candidates of a seat by the habits, which must be in ascending order."""
    ids, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    count = game.mind.habitual_policy(record(box), record(state), seat, ids, weights, habits.tables)
    assert (np.diff(ids[:count]) > 0).all()
    return dict(zip(ids[:count].tolist(), weights[:count].tolist(), strict=True))


def dealt(match: Match, habits: Habits, seat: int, seed: int) -> Any:
    world = match.redacted_state(seat)
    match.game.mind.habitual_redeal(record(match.box), record(world), seat, chance_words(seed), habits.tables)
    return world


@pytest.mark.parametrize("mover", ["random", "policy"])
def test_habits_give_legal_candidates_and_use_nothing_that_the_seat_cannot_see(
    habits: tuple[Game, Habits], mover: str
) -> None:
    game, learned = habits
    match = played(game, mover, 5)
    for ply, (seat, _) in list(enumerate(match.history))[::3]:
        then = match.at(ply)
        found = habitual_policy(game, learned, then.box, then.state_copy(), seat)
        assert found
        assert set(found) <= {action.id for action in then.legal(seat)}
        assert all(weight > 0 for weight in found.values())
        assert habitual_policy(game, learned, then.box, dealt(then, learned, seat, ply), seat) == found


def test_deals_by_habits_are_possible_worlds_that_look_the_same(habits: tuple[Game, Habits]) -> None:
    game, learned = habits
    match = played(game, "policy", 6)
    for ply in range(0, len(match.history), 7):
        then = match.at(ply)
        for seat in (-1, 3, then.acting[0]):
            redacted = then.redacted_state(seat)
            world = dealt(then, learned, seat, ply)
            assert game.invariants(record(then.box), record(world)) is None
            assert game.layout.redact(world, seat).tobytes() == redacted.tobytes()


def test_others_hold_what_was_held_on_their_spaces(habits: tuple[Game, Habits]) -> None:
    game, learned = habits
    match = played(game, "policy", 0)
    last = max(n for n in range(len(match.history)) if game.mind.phase_index(record(match.at(n).state_copy())) >= 0)
    then = match.at(last)
    real = record(then.state_copy())
    when, same, seat = game.mind.phase_index(real), 0, then.acting[0]
    held = learned.tables.holdings[:, when, :, 0]
    for seed in range(40):
        world = record(dealt(then, learned, seat, seed))
        tickets = [int(world.tickets[int(world.at[space])]) for space in range(10)]
        own = int(real.space[seat])
        same += any(all(tickets[n] == row[n] for n in range(10) if n != own) for row in held.tolist())
    assert 25 <= same < 40


def test_every_decision_with_a_choice_is_counted_once(habits: tuple[Game, Habits]) -> None:
    game, _ = habits
    counts, match = empty_counts(game, 1), played(game, "policy", 4)
    count_habits(match, counts, 0)
    families = [game.actions[action].family for _, action in match.history]
    assert counts.bids.sum() == families.count("bid") == 10
    assert counts.challenges.sum() == families.count("challenge") > 20
    asked = counts.asks if hasattr(counts, "asks") else counts.claims
    assert asked.sum() == families.count("ask") + families.count("claim") > 30
    assert counts.tickets.sum() == sum(families.count(name) for name in ("tickets", "attack", "defend")) > 20
    assert 0 < counts.trades[:, 1].sum() <= families.count("trade")
    assert counts.holdings[0, :, :, 0].any(axis=1).all()
    assert (counts.holdings[0, 0, :, 0] == 5).all()


def test_few_counts_lean_on_wider_circumstances() -> None:
    counts = np.zeros((2, 3, 2))
    counts[0, 0] = (90, 10)
    found = smoothed(counts)
    assert found.sum(axis=-1) == pytest.approx(1.0)
    assert (found > 0).all()
    assert found[0, 0, 0] == pytest.approx(0.9, abs=0.01)
    assert found[0, 0, 0] > found[0, 1, 0] > found[1, 0, 0] > 0.5
    assert smoothed(np.zeros(4)) == pytest.approx(0.25)


def test_games_of_searchers_are_the_same_for_a_seed() -> None:
    one, again, other = (game_between_experts(UPSIDE_DOWN, 2, name) for name in ("a", "a", "b"))
    assert one.history == again.history != other.history


def test_a_search_with_habits_answers_them() -> None:
    table = position("claim", priority=[20, 19, 18, 17, 16, 15, 14, 13, 12, 11])
    shares: dict[int, float] = {}
    for asked in (1, 4):
        counts = counted(UPSIDE_DOWN)
        counts.asks[:] = 0
        counts.asks[..., asked] = 1000
        bot = SearchBot(UPSIDE_DOWN, 1, habits=habits_from(UPSIDE_DOWN, counts, {}))
        thought = bot.think(table.box, table.redacted_state(9), 9, iterations=1500)
        shares[asked] = {c.action: c.share for c in thought.choices}[UPSIDE_DOWN.mind.SET_ASK + 4]
    assert shares[1] > 0.5 > shares[4]


def test_a_contest_where_six_of_ten_win_knows_what_is_even(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(game: Game, _seconds: float, seed: str, _learned: object) -> bots.Bot:
        return bots.load("policy", game, seed)

    monkeypatch.setattr(contests, "expert", quick)
    learned = habits_from(UPSIDE_DOWN, counted(UPSIDE_DOWN), {})
    first = next(contest(UPSIDE_DOWN, 10, learned, None, 0.2, 1))
    assert (first.games, first.even, first.better) == (10, pytest.approx(0.6), 1.3)
    assert first.wins == round(first.wins)
    second = next(contest(UPSIDE_DOWN, 10, learned, None, 0.2, 1, first))
    assert (second.games, second.even) == (20, pytest.approx(0.6))
    assert [replace(first, games=n, wins=n).accepted for n in (13, 14)] == [None, True]
    assert replace(first, games=20, wins=8).accepted is False


# Files and levels


@pytest.fixture
def learned(tmp_path: Path) -> Game:
    """Upside Down in a folder of its own, with accepted habits."""
    write_habits(tmp_path / "habits.npz", UPSIDE_DOWN, counted(UPSIDE_DOWN), about(UPSIDE_DOWN))
    return replace(UPSIDE_DOWN, folder=tmp_path)


def about(game: Game) -> dict[str, Any]:
    return {"game": game.id, "rules_version": game.rules_version, "accepted": {"games": 20}}


def test_a_file_gives_back_what_was_counted(learned: Game) -> None:
    counts = counted(UPSIDE_DOWN)
    back, first = read_habits(learned.folder / "habits.npz", learned), habits_from(UPSIDE_DOWN, counts, {})
    assert back.about == about(UPSIDE_DOWN)
    for one, other in zip(back.tables, first.tables, strict=True):
        assert np.array_equal(one, other)


def test_a_file_for_something_else_is_refused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, game = tmp_path / "habits.npz", replace(UPSIDE_DOWN, folder=tmp_path)
    with pytest.raises(BadFile, match="holds no habits"):
        read_habits(path, game)
    counts = counted(UPSIDE_DOWN)
    write_habits(path, UPSIDE_DOWN, counts, about(GAMES[1]))
    with pytest.raises(BadFile, match="habits for downside-up, not for upside-down"):
        read_habits(path, game)
    write_habits(path, UPSIDE_DOWN, counts._replace(holdings=counts.holdings[:, :5]), about(UPSIDE_DOWN))
    with pytest.raises(BadFile, match="other circumstances"):
        read_habits(path, game)
    write_habits(path, UPSIDE_DOWN, counts, about(replace(UPSIDE_DOWN, rules_version=1)))
    assert habits_of(game) is None
    assert "was counted with version 1 of the rules, which are at version 3 now" in caplog.text
    assert list(levels_of(game)) == list(LEVELS)
    with pytest.raises(ValueError, match="ponzi-scheme has no habits"):
        empty_counts(pyramidion.load("ponzi-scheme"), 1)


def test_master_is_a_level_where_habits_were_accepted(learned: Game) -> None:
    assert list(levels_of(learned)) == list(levels_at(learned, 10)) == [*LEVELS, "master"]
    table = position("claim")
    box, shown = table.box, table.redacted_state(9)
    master, expert = (bots.load(name, learned, 1) for name in ("master", "expert"))
    assert isinstance(master, SearchBot)
    assert isinstance(expert, SearchBot)
    given = SearchBot(learned, 1, habits=habits_of(learned))
    choices = master.think(box, shown, 9, iterations=100).choices
    assert choices == given.think(box, shown, 9, iterations=100).choices
    assert choices != expert.think(box, shown, 9, iterations=100).choices


def test_habits_do_not_count_at_a_table_with_other_options(learned: Game) -> None:
    options: dict[str, Any] = {"open_priority": True}
    box = learned.make_box(learned.accept_options(options))
    assert list(levels_at(learned, 10, box)) == list(LEVELS)
    match = learned.new(10, 1, **options)
    redacted = match.redacted_state(0)
    master, expert = (bots.load(name, learned, 1) for name in ("master", "expert"))
    assert isinstance(master, SearchBot)
    assert isinstance(expert, SearchBot)
    thoughts = [bot.think(match.box, redacted, 0, iterations=50).choices for bot in (master, expert)]
    assert thoughts[0] == thoughts[1]


def test_habits_that_come_with_a_game_are_for_its_present_rules() -> None:
    for game in pyramidion.all_games().values():
        if (game.folder / "habits.npz").exists():
            shipped = habits_of(game)
            assert shipped is not None, f"{game.id}: count again, or remove habits.npz."
            assert shipped.about["accepted"]["interval"][0] > shipped.about["accepted"]["even"]
