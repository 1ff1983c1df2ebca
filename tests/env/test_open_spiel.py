"""Tests of the OpenSpiel adapter: the same play and payoffs, and no hidden information."""

from __future__ import annotations

import importlib
import operator
import pickle
from pathlib import Path
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import pyramidion
from pyramidion import bots
from pyramidion.env import open_spiel
from pyramidion.env.open_spiel_search import HundredSimulations, InformationSetSearch
from pyramidion.lab.arena import Contest, read_entrants, run


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


ODD_NAMES = [
    *(
        "a,b.toml",
        "a(b).toml",
        "a=b.toml",
        "a b.toml",
        "'a'.toml",
        '"a".toml',
        "a;b",
        "a\\b",
        ")",
        "(",
        " lead",
        "trail ",
    ),
    *("2024", "-1", "+1", "1.5", "true", "False", "100%.toml", "a%2Cb", "é中.toml", "tab\tx", "line\nx"),
]
"""Names of files that a game string cannot hold as they are."""


def opened(game, seed=5, **parameters):
    state = open_spiel.make(game, openings=1, seed=seed, **parameters).new_initial_state()
    assert state.current_player() == pyspiel.PlayerId.CHANCE
    assert state.chance_outcomes() == [(0, 1.0)]
    state.apply_action(0)
    return state


def test_a_game_is_played_as_in_a_match_to_the_same_payoffs(game):
    chance, state, match = Random(1), opened(game), game.new(seed=5)
    while not state.is_terminal():
        seat = state.current_player()
        assert seat == match.acting[0]
        legal = state.legal_actions()
        assert legal == match.legal_ids(seat).tolist() == sorted(legal)
        action = chance.choice(legal)
        assert state.action_to_string(seat, action) == str(match.play(seat, action))
        state.apply_action(action)
    assert match.outcome is not None
    assert tuple(state.returns()) == match.outcome.payoffs
    assert all(state.get_game().min_utility() <= payoff <= 1 for payoff in state.returns())
    assert match.ply <= state.get_game().max_game_length()


def test_a_clone_goes_its_own_way_and_openings_differ(game):
    state = opened(game)
    before = state.observation_string(0)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert state.observation_string(0) == before
    assert clone.state.tobytes() != state.state.tobytes()
    root = open_spiel.make(game, openings=5).new_initial_state()
    assert root.chance_outcomes() == [(n, 0.2) for n in range(5)]
    assert len({root.child(n).state["rng"].tobytes() for n in range(5)}) == 5
    with pytest.raises(ValueError, match="There is no opening 5"):
        root.apply_action(5)


def test_what_a_player_observes_is_redacted_and_blind_to_what_is_redealt(game):
    chance, state = Random(2), opened(game)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    observer = state.get_game().make_py_observer()
    for _ in range(30):
        if state.is_terminal():
            break
        seat = state.current_player()
        other = state.resample_from_infostate(seat, sampler)
        assert other.observation_string(seat) == state.observation_string(seat) == state.observation_string()
        observer.set_from(state, seat)
        seen = observer.tensor.copy()
        observer.set_from(other, seat)
        assert (seen == observer.tensor).all()
        assert seen.any()
        assert other.legal_actions() == state.legal_actions()
        state.apply_action(chance.choice(state.legal_actions()))
    assert np.isfinite(seen).all()


def test_openspiels_own_test_passes(game):
    """It plays at random, and serializes, clones and replays on the way."""
    limits = {name: 3 for name, option in game.options.items() if option.kind == "whole"}
    parameters = ",".join(f"{name}={value}" for name, value in {"openings": 9, **limits}.items())
    loaded = pyspiel.load_game(f"{open_spiel.short_name(game)}({parameters})")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


def test_states_and_games_are_pickled_and_histories_replay(game):
    chance, state = Random(3), opened(game)
    for _ in range(40):
        if not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
    again = pickle.loads(pickle.dumps(state))
    _, deserialized = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    replayed = pyspiel.load_game(str(state.get_game())).new_initial_state()
    for action in state.history():
        replayed.apply_action(action)
    for other in (again, deserialized, replayed):
        assert str(other) == str(state)
        assert other.history() == state.history()
        for seat in range(state.num_players()):
            assert other.information_state_string(seat) == state.information_state_string(seat)
    assert str(pickle.loads(pickle.dumps(state.get_game()))) == str(state.get_game())


def test_openspiel_writes_a_playthrough():
    from open_spiel.python.algorithms import generate_playthrough  # with SciPy, which takes long to import

    name = "pyramidion_pyramid_shambo(seats=2,openings=2,turn_limit=1,tie_limit=1)"
    lines = generate_playthrough.playthrough(name, None, seed=1).splitlines()
    assert lines[0] == f"game: {name}"
    assert "IsTerminal() = True" in lines


def test_public_and_private_observations_make_up_the_whole():
    state = opened(pyramidion.load("ponzi-scheme"))
    public, private = (
        make_observation(state.get_game(), pyspiel.IIGObservationType(shared, False, of))
        for shared, of in ((True, pyspiel.PrivateInfoType.NONE), (False, pyspiel.PrivateInfoType.SINGLE_PLAYER))
    )
    chance = Random(2)
    for _ in range(40):
        state.apply_action(chance.choice(state.legal_actions()))
    for seat in range(state.num_players()):
        assert public.string_from(state, seat) == public.string_from(state, 0)
        parts = (int(observer.string_from(state, seat), 16) for observer in (public, private))
        assert operator.xor(*parts) == int(state.observation_string(seat), 16)
        assert int(private.string_from(state, seat), 16) > 0
    with pytest.raises(ValueError, match="are of one position"):
        make_observation(state.get_game(), pyspiel.IIGObservationType(True, True, pyspiel.PrivateInfoType.NONE))


def test_every_option_can_be_given_in_the_game_string(game):
    given = {"seats": game.seats[0], "openings": 3, "seed": 7, "cards": ""}
    for name, option in game.options.items():
        if option.kind == "flag":
            given[name] = not option.default
        elif option.kind == "whole":
            given[name] = option.high
        elif option.kind == "choice":
            given[name] = option.choices[-1]
        else:
            given[name] = tuple(range(option.low, option.low + option.count))
    made = open_spiel.make(game, **given)
    loaded = pyspiel.load_game(str(made))
    assert loaded.get_parameters() == made.get_parameters()
    assert loaded.rules.box.tobytes() == made.rules.box.tobytes() != open_spiel.make(game).rules.box.tobytes() or (
        not game.options
    )


def test_a_card_file_can_be_given(tmp_path):
    game = pyramidion.load("ponzi-scheme")
    cards = tmp_path / "dearer.toml"
    text = (game.folder / "cards.toml").read_text("utf-8")
    cards.write_text(
        text.replace("period = 5, interest = 8 ", "period = 5, interest = 80 ", 1).replace(
            "interest = 8}", "interest = 80}", 1
        ),
        "utf-8",
    )
    loaded = pyspiel.load_game(f"pyramidion_ponzi_scheme(cards={cards})")
    assert loaded.rules.box.tobytes() == game.make_box(game.accept_options({}), cards.read_text("utf-8")).tobytes()


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_card_file_of_any_name_is_written_and_read_back(tmp_path, monkeypatch, name, whole):
    game = pyramidion.load("pyramis")
    (tmp_path / name).write_text(game.card_file.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    made = open_spiel.make(game, seats=2, cards=str(tmp_path / name) if whole else name)
    loaded = pyspiel.load_game(str(made))
    assert (str(loaded), loaded.get_parameters()) == (str(made), made.get_parameters())
    assert loaded.rules.box.tobytes() == made.rules.box.tobytes()
    state = made.new_initial_state()
    state.apply_action(0)
    assert pickle.loads(pickle.dumps(state)).history() == state.history()


def test_seeds_and_openings_are_numbers_that_openspiel_reads_back():
    for given in ({"seed": -5}, {"seed": 2**31 - 2, "openings": 1}, {"openings": 2**31 - 1}):
        made = open_spiel.make("pyramis", **given)
        assert str(pyspiel.load_game(str(made))) == str(made)
    for given in ({"seed": 2**31}, {"seed": -(2**31)}, {"openings": 2**31}, {"openings": 0}):
        with pytest.raises(ValueError, match=r"(The seed is a whole number from|A game has 1 to) .+, not -?\d+\."):
            open_spiel.make("pyramis", **given)


def test_an_information_state_recalls_what_the_observation_forgets(game):
    """States that a seat knows apart by what it did or saw have different information states, and redeals the same."""
    chance, state = Random(4), opened(game)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    seen = set()
    for _ in range(40):
        if state.is_terminal():
            break
        seat = state.current_player()
        information = state.information_state_string()
        assert information not in seen
        seen.add(information)
        other = state.resample_from_infostate(seat, sampler)
        assert other.information_state_string(seat) == information
        legal = state.legal_actions()
        after = [state.child(action) for action in legal[:5]]
        assert len({child.information_state_string(seat) for child in after}) == len(after)
        state.apply_action(chance.choice(legal))


def test_an_early_submission_stays_out_of_the_others_information_states():
    state = opened(pyramidion.load("pyramid-shambo"), seats=2)
    state.apply_action(state.legal_actions()[0])
    first = state.current_player()
    before = state.information_state_string(1 - first)
    for throw in state.legal_actions():
        assert state.child(throw).information_state_string(1 - first) == before


def test_observers_name_the_parts_of_the_tensor(game):
    state = opened(game)
    observer = make_observation(state.get_game())
    observer.set_from(state, 0)
    assert {name: part.shape for name, part in observer.dict.items()} == {
        name: part.shape for name, part in game.observation.items()
    }
    assert np.concatenate([part.ravel() for part in observer.dict.values()]).tolist() == observer.tensor.tolist()
    assert state.observation_tensor(0) == observer.tensor.tolist()
    recalling = make_observation(state.get_game(), INFO_STATE_OBS_TYPE)
    recalling.set_from(state, 0)
    assert state.information_state_tensor(0) == recalling.tensor.tolist()
    assert recalling.tensor[: game.observation.size].tolist() == observer.tensor.tolist()
    assert np.packbits(recalling.dict["memory"].astype(bool)).tobytes().hex() == state.trajectory.digest(0).hex()
    assert recalling.string_from(state, 0) == state.information_state_string(0)
    with pytest.raises(ValueError, match="no observation parameters"):
        make_observation(state.get_game(), None, {"size": 3})


def test_hidden_options_stay_out_of_observations_and_determinizations():
    garnets = "1,2,3,4,5,6,7,8,9,10"
    state = opened(pyramidion.load("upside-down"), garnets=garnets)
    match = pyramidion.load("upside-down").new(seed=5, garnets=[int(n) for n in garnets.split(",")])
    for seat in range(10):
        assert state.observation_tensor(seat) == match.observation(seat).tolist()
        box = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0)).rules.box
        assert box.tobytes() == match.box_for(seat).tobytes() != state.rules.box.tobytes()


def value_of_throws(match):
    """Return seat 0's value of a two-seat game of Sham-Bo, by backward induction over matches."""
    if match.over:
        return match.outcome.payoffs[0]
    if len(match.acting) == 2:
        matrix = np.zeros((3, 3))
        for i, mine in enumerate(match.legal(0)):
            for j, theirs in enumerate(match.legal(1)):
                after = match.at(match.ply)
                after.play(0, mine)
                after.play(1, theirs)
                matrix[i, j] = value_of_throws(after)
        # Against uniform throws every throw is worth the same, and so is every throw of theirs against ours.
        assert np.allclose(matrix.mean(axis=0), matrix.mean())
        assert np.allclose(matrix.mean(axis=1), matrix.mean())
        return float(matrix.mean())
    seat, values = match.acting[0], []
    for action in match.legal(match.acting[0]):
        after = match.at(match.ply)
        after.play(seat, action)
        values.append(value_of_throws(after))
    return max(values) if seat == 0 else min(values)


def solved(game, iterations):
    """Return seat 0's value and the exploitability of the average policy of external-sampling MCCFR."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
    for _ in range(iterations):
        solver.run_iteration()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    return value, pyspiel.exploitability(game, policy)


def test_mccfr_finds_the_value_of_the_throws_that_backward_induction_finds():
    game = open_spiel.make("pyramid-shambo", seats=2, openings=2, turn_limit=1, tie_limit=1)
    matches = (pyramidion.load("pyramid-shambo").new(2, seed, turn_limit=1, tie_limit=1) for seed in range(2))
    expected = np.mean([value_of_throws(match) for match in matches])
    value, exploitable = solved(game, 800)
    assert abs(value - expected) < 0.02
    assert exploitable < 0.05


def test_mccfr_finds_that_the_first_player_of_kuhn_poker_loses_an_eighteenth_of_a_chip(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples" / "kuhn-poker" / "src"))
    kuhn = importlib.import_module("kuhn_poker").GAME
    game = open_spiel.make(kuhn, openings=6, seed=35831, hands=1)
    openings = [kuhn.new(2, seed, hands=1) for seed in range(35831, 35837)]
    assert {match.acting for match in openings} == {(0,)}
    assert len({tuple(match.state_copy()["card"][0]) for match in openings}) == 6
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-2, 2, 0)
    value, exploitable = solved(game, 4000)
    assert abs(value + 1 / 18) < 0.02
    assert exploitable < 0.05


def test_what_is_not_legal_is_refused():
    state = opened(pyramidion.load("ponzi-scheme"))
    refused = next(a for a in range(len(state.rules.game.actions)) if a not in state.legal_actions())
    with pytest.raises(ValueError, match=f"The action {refused} is not legal here"):
        state.apply_action(refused)
    with pytest.raises(ValueError, match="3 to 5 seats"):
        open_spiel.make("ponzi-scheme", 9)


@pytest.mark.parametrize("player", [-2, 4, 7])
def test_a_player_who_is_not_there_sees_nothing(player):
    state = opened(pyramidion.load("pyramis"), seats=2)
    kind = pyspiel.IIGObservationType
    private = kind(perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER)
    for ask in (
        state.observation_string,
        state.information_state_string,
        lambda player: state.get_game().make_py_observer().set_from(state, player),
        lambda player: state.get_game().make_py_observer().string_from(state, player),
        lambda player: state.get_game().make_py_observer(private).string_from(state, player),
    ):
        with pytest.raises(ValueError, match=f"There is no player {player}; the players are 0 to 1"):
            ask(player)


def test_shares_add_up_to_one_where_somebody_always_wins():
    game = open_spiel.make("pyramis", 2)
    assert game.get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    assert game.utility_sum() == 1


def test_no_sum_is_promised_since_all_players_of_ponzi_scheme_may_lose():
    game = open_spiel.make("ponzi-scheme", 3)
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert game.utility_sum() is None
    state = game.new_initial_state()
    state.apply_action(1)
    state.state["over"], state.state["winners"] = 1, 0
    assert state.returns() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("name", "limit"), [("ponzi-scheme", "round_limit"), ("pyramid-shambo", "turn_limit")])
def test_the_greatest_length_follows_from_the_options(name, limit):
    short, long = (open_spiel.make(name, 3, **{limit: rounds}) for rounds in (2, 100))
    assert long.max_game_length() == 50 * short.max_game_length()
    assert long.max_game_length() < pyramidion.load(name).longest(3)
    for seed in range(20):
        state, chance = short.new_initial_state(), Random(seed)
        state.apply_action(seed)
        decisions = 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
        assert decisions <= short.max_game_length()


class Quick(InformationSetSearch):
    seconds = 0.02


def test_its_search_plays_in_the_arena(tmp_path):
    game = pyramidion.load("pyramis")
    entrants = read_entrants(["theirs=tests.env.test_open_spiel:Quick", "random"], game)
    with run(Contest(game.id, entrants, 2, 2), tmp_path / "a.db") as results:
        assert len(results.places()) == 2


def test_its_search_counts_what_it_has_done():
    match = pyramidion.load("pyramis").new(2, 1)
    bot = Quick(match.game, "seed")
    action = bot.choose(match.box, match.redacted_state(match.acting[0]), match.acting[0])
    assert action in match.legal_ids(match.acting[0])
    assert bot.decisions == 1
    assert bot.simulations >= 1


def test_its_search_can_count_simulations_instead_of_seconds():
    match = pyramidion.load("pyramis").new(2, 1)
    seat = match.acting[0]
    searches = [HundredSimulations(match.game, "seed") for _ in range(2)]
    actions = [bot.choose(match.box, match.redacted_state(seat), seat) for bot in searches]
    assert actions[0] == actions[1]
    assert [bot.simulations for bot in searches] == [100, 100]


@pytest.mark.parametrize("name", ["random", "policy", "beginner"])
def test_bots_play_as_bots_of_open_spiel(name):
    game = pyspiel.load_game("pyramidion_pyramis(seats=2,openings=100)")
    players = [open_spiel.bot(name, game, seed=seat) for seat in range(2)]
    state = game.new_initial_state()
    state.apply_action(7)
    for _ in range(12):
        seat = state.current_player()
        chances, action = players[seat].step_with_policy(state)
        assert action in state.legal_actions()
        assert sum(chance for _, chance in chances) == pytest.approx(1)
        assert [action for action, _ in chances] == state.legal_actions()
        state.apply_action(players[seat].step(state))
    returns = evaluate_bots.evaluate_bots(state, [open_spiel.bot("policy", game, 1)] * 2, np.random)
    assert sum(returns) == pytest.approx(1)


def test_a_bot_is_given_only_what_its_seat_sees():
    state = opened(pyramidion.load("ponzi-scheme"))
    given = []

    class Curious(bots.Bot):
        def choose(self, box, state, seat):
            given.append((state, seat))
            return int(self.legal_ids(box, state, seat)[0])

    curious = open_spiel.bot(Curious(pyramidion.load("ponzi-scheme")), state.get_game())
    seat = state.current_player()
    assert curious.step(state) == state.legal_actions()[0]
    assert given[0][0].tobytes() == pyramidion.load("ponzi-scheme").layout.redact(state.state, seat).tobytes()
    assert not curious.provides_policy()
    with pytest.raises(ValueError, match="Curious has no probabilities"):
        open_spiel.policy(curious.bot, state.get_game())


def test_the_policy_of_a_bot_is_a_policy_of_open_spiel():
    game = open_spiel.make("pyramis", seats=2, openings=1)
    followed = open_spiel.policy("policy", game)
    state = game.new_initial_state()
    state.apply_action(0)
    seat = state.current_player()
    chances = followed.action_probabilities(state)
    expected = bots.load("policy", pyramidion.load("pyramis")).probabilities(
        state.rules.box, pyramidion.load("pyramis").layout.redact(state.state, seat), seat
    )
    assert {action: chance for action, chance in chances.items() if chance} == expected
    assert list(chances) == state.legal_actions()
