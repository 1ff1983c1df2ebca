"""Tests of what a seat sees of a match: the same as the match says, and nothing that leads to the rest."""

from __future__ import annotations

import copy
import pickle
import random
from dataclasses import FrozenInstanceError, replace
from functools import partial

import numpy as np
import pytest

import pyramidion
from pyramidion.bots import Bot
from pyramidion.bots.player import Player
from pyramidion.engine.history import History
from pyramidion.engine.layout import EVERYTHING
from pyramidion.engine.leak_probe import reachable, secret_in
from pyramidion.engine.match import Match
from pyramidion.engine.random_games import LawBroken, play_randomly
from pyramidion.engine.seat_view import SeatView
from pyramidion.engine.testing import check_law


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


def positions(game, games=2):
    """Yield positions of random games with random options, the opening and the end among them."""
    for number in range(games):
        play = play_randomly(game, random.Random(f"{game.id} {number}"))
        for ply in play.some_plies(4):
            yield play.match.at(ply)


def throwing(seed=3):
    """Return a match of Pyramid-Sham-Bo in which seat 0 has thrown rock, and seat 1 has yet to throw."""
    match = pyramidion.load("pyramid-shambo").new(seats=2, seed=seed)
    match.play(match.acting[0], match.legal(match.acting[0])[0])
    match.play(0, "throw rock")
    return match


def test_it_says_what_the_match_says_of_its_seat(game):
    for match in positions(game):
        for seat in range(match.seats):
            view = match.seen_by(seat)
            for name in ("view", "legal", "events", "raw_events", "options_for", "version", "acting_for", "redacted"):
                assert getattr(view, name)() == getattr(view, name)(seat) == getattr(match, name)(seat), name
            for name in ("observation", "legal_mask", "legal_ids", "redacted_state", "box_for"):
                assert getattr(view, name)().tobytes() == getattr(match, name)(seat).tobytes(), name
            for name in ("game", "seats", "rules_version", "cards", "over", "outcome", "free"):
                assert getattr(view, name) == getattr(match, name), name
            assert view.rewards.tolist() == match.rewards.tolist()
            assert view.acting == match.acting_for(seat)
            assert (seat in view.submitted) == (seat in match.submitted)
            for action in [*match.legal_ids(seat)[:3].tolist(), 0, len(game.actions), "nonsense", 0.5]:
                assert view.refusal(seat, action) == match.refusal(seat, action)
            assert view.seen_by() is view
            features = game.action_features(view, seat, match.legal_ids(seat))
            assert features.tolist() == game.action_features(match, seat, match.legal_ids(seat)).tolist()


def test_it_is_a_value(game):
    for match in positions(game, 1):
        view = match.seen_by(0)
        assert match.seen_by(0) == view == pickle.loads(pickle.dumps(view)) == copy.deepcopy(view) == copy.copy(view)
        assert hash(view) == hash(match.seen_by(0))
        assert repr(view).startswith(f"<SeatView {game.id}, seat 0 of {match.seats}, position {match.version(0)}")
        with pytest.raises(FrozenInstanceError):
            view.seat = 1


def test_it_stays_when_the_match_goes_on(game):
    match = game.new(seed=1)
    view, before = match.seen_by(match.acting[0]), match.view(match.acting[0])
    match.play(match.acting[0], match.legal(match.acting[0])[0])
    assert view.view() == before


@pytest.mark.parametrize("viewer", [None, -1, EVERYTHING, 0, 2, 99])
def test_it_is_of_one_seat_alone(viewer):
    view = pyramidion.load("ponzi-scheme").new(seed=1).seen_by(1)
    for method in (view.view, view.legal, view.observation, view.events, view.options_for, view.redacted, view.seen_by):
        with pytest.raises(ValueError, match=r"This is what seat 1 sees; what (a spectator|seat \d+) sees cannot"):
            method(viewer)
    with pytest.raises(ValueError, match="There is no seat 7"):
        pyramidion.load("ponzi-scheme").new(seed=1).seen_by(7)


@pytest.mark.parametrize(
    "name", ["at", "state_copy", "record", "seed", "undo", "play", "history", "ply", "box", "positions", "with_state"]
)
def test_what_a_match_has_and_a_bot_has_not_is_said_in_a_sentence(name):
    match = pyramidion.load("pyramis").new(seed=1)
    assert hasattr(match, name)
    with pytest.raises(AttributeError, match=rf"no '{name}', .* To look ahead, .*determinized"):
        getattr(match.seen_by(0), name)


def test_changing_what_it_gives_changes_neither_it_nor_the_match(game):
    match = game.new(seed=1)
    view, box, state = match.seen_by(0), match.box.tobytes(), match.state_copy().tobytes()
    for array in (view.redacted_state(), view.box_for()):
        array.view(np.uint8)[...] = 255
    view.options.clear()
    view.events().clear()
    assert view == match.seen_by(0)
    assert match.box.tobytes() == box
    assert match.state_copy().tobytes() == state


def test_a_determinized_match_looks_the_same_to_the_seat_and_depends_on_the_seed_alone(game):
    for match in positions(game):
        for seat in range(match.seats):
            sample = match.determinized(seat, "s")
            assert sample.state_copy().tobytes() == match.seen_by(seat).determinized("s").state_copy().tobytes()
            assert sample.redacted(seat) == match.redacted(seat)
            assert (sample.view(seat), sample.options_for(seat)) == (match.view(seat), match.options_for(seat))
            assert (sample.legal(seat), sample.history) == (match.legal(seat), [])
            again = pickle.loads(pickle.dumps(sample))
            assert again.state_copy().tobytes() == sample.state_copy().tobytes()
            if not match.over:
                assert match.determinized(seat, 1).state_copy()["rng"].tolist() != match.state_copy()["rng"].tolist()


def test_determinized_matches_are_played_to_their_end(game):
    chance = random.Random(1)
    for match in positions(game, 1):
        sample = match.determinized(match.acting[0] if match.acting else 0, 1)
        while not sample.over:
            seat = sample.acting[0]
            assert sample.seen_by(seat).legal() == sample.legal(seat)
            sample.play(seat, int(chance.choice(sample.legal_ids(seat))))
        assert sample.outcome is not None
        with pytest.raises(ValueError, match="has no record"):
            sample.record()


@pytest.mark.parametrize("game_id", ["upside-down", "downside-up"])
def test_numbers_of_others_stay_hidden_in_a_determinized_match(game_id):
    match = pyramidion.load(game_id).new(seed=1, garnets=[*range(10, 20)], priority=[*range(30, 40)])
    for seat in range(10):
        sample = match.determinized(seat, 2)
        assert sample.options["garnets"] == tuple(10 + n if n == seat else None for n in range(10))
        assert sample.options_for(seat) == match.options_for(seat)


def test_in_a_simultaneous_step_nobody_else_has_submitted():
    thrown = throwing()
    assert thrown.acting == (1,)
    sample = thrown.determinized(1, 5)
    assert sample.acting == (0, 1)
    assert thrown.determinized(0, 5).acting == (1,)


def test_the_sealed_throw_cannot_be_seen_by_looking_ahead():
    """The same throw of seat 0 or another one: seat 1 gets the same view, and the same samples from it."""
    views = []
    for throw in ("rock", "paper", "scissors"):
        match = throwing()
        match.undo()
        match.play(0, f"throw {throw}")
        views.append(match.seen_by(1))
    assert views[0] == views[1] == views[2]
    assert len({view.determinized(seed).state_copy().tobytes() for view in views for seed in range(5)}) == 5


class Peeking(Bot):
    """A bot that keeps what it is given."""

    def choose(self, box, state, seat):
        self.given = (box, state)
        return 0

    def move(self, match, seat):
        self.given = match
        return match.legal(seat)[0]


class Choosing(Peeking):
    """One that is given only a state."""

    move = Bot.move


class Sneaking(Choosing):
    """One that changes its method after it was looked at."""

    def __init__(self, game, seed=None):
        super().__init__(game, seed)
        self.move = partial(self.peek, "note")

    def peek(self, note, match, seat):
        self.given = match
        return match.legal(seat)[0]


@pytest.mark.parametrize("kind", [Peeking, Choosing, Sneaking])
def test_a_player_is_shown_only_what_its_seat_sees(game, kind):
    match, bot = game.new(seed=12345), kind(game)
    seat = match.acting[0]
    assert Player(bot).move(match, seat) in (0, match.legal(seat)[0])
    assert isinstance(bot.given, (SeatView, tuple))
    view = match.seen_by(seat)
    for thing in reachable(bot.given):
        assert not isinstance(thing, (Match, History))
        assert thing is not match.box
    assert secret_in(match, view) is None


def test_a_game_keeps_no_boxes_since_bots_have_it():
    game = pyramidion.load("upside-down")
    match = game.new(seed=1, garnets=[*range(80, 90)])
    assert match.view(3)["players"]
    kept = [thing for name, value in vars(game).items() if name != "compiled" for thing in reachable(value)]
    assert len(kept) > 100
    assert not any(isinstance(thing, np.ndarray) and thing.dtype == game.box for thing in kept)
    assert (80, *range(81, 90)) not in [thing for thing in kept if isinstance(thing, tuple)]


def test_what_holds_a_match_is_found_wherever_it_is_hidden():
    match = pyramidion.load("pyramis").new(seed=98765)

    class Slotted:
        __slots__ = ("kept",)

    slotted = Slotted()
    slotted.kept = {"deep": [match]}
    array = np.empty(1, object)
    array[0] = match
    for hidden in (slotted, lambda: match, partial(print, match), match.view, [{(match,): 1}], iter([match])):
        assert any(thing is match for thing in reachable(hidden)), hidden


def test_the_law_finds_a_view_that_leaks(monkeypatch):
    game = pyramidion.load("ponzi-scheme")
    check_law(game, "bots_cannot_peek", games=1)
    monkeypatch.setattr(Match, "redacted", lambda match, viewer: match.state_copy().tobytes())
    with pytest.raises(LawBroken, match="bots_cannot_peek"):
        check_law(game, "bots_cannot_peek", games=1)
    monkeypatch.undo()
    seen_by = Match.seen_by
    monkeypatch.setattr(Match, "seen_by", lambda match, seat: replace(seen_by(match, seat), outcome=match.seed))
    with pytest.raises(LawBroken, match=r"depends on secrets|leads to the seed"):
        check_law(game, "bots_cannot_peek", games=1)
