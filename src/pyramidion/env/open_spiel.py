"""An adapter for OpenSpiel (Lanctot et al. 2019): `pip install pyramidion[env]`.

    import pyspiel
    from pyramidion.env import open_spiel           # registers every installed game

    game = pyspiel.load_game("pyramidion_pyramis(seats=2,openings=100)")
    game = open_spiel.make("pyramis", seats=2, openings=100)    # the same
    state = game.new_initial_state()

Games are sequential: simultaneous decisions become one move per seat, and seats do not see earlier submissions. The
only chance node is at the start and draws one of `openings` deals; deal `k` is the match of seed `seed + k`. It decides
everything that is drawn later, so a history replays exactly. Observations are derived from the redacted state, and
information states from all a seat has seen and done. `state.resample_from_infostate` samples a determinization.
"""

from __future__ import annotations

import time
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import pyramidion
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import record
from pyramidion.engine.options import Option
from pyramidion.engine.random import seed_words

OPENINGS = 10_000
"""Number of outcomes of the chance node by default."""
SEEDS = 2**31 - 1
"""Number of seeds that a determinization can draw."""


def make(
    game: str | Game, seats: int | None = None, cards: str = "", openings: int = OPENINGS, seed: int = 0, **options: Any
) -> OpenSpielGame:
    """Return a game as a `pyspiel.Game`; `cards` is the path of a card file.

    Raises KeyError like `load` and ValueError like `Game.new`.
    """
    chosen = pyramidion.load(game) if isinstance(game, str) else game
    register(chosen)
    return OpenSpielGame(_rules(chosen, seats, cards, openings, seed, **options))


def register(game: Game) -> str:
    """Register a game with OpenSpiel, unless it is registered already; return its OpenSpiel name."""

    class Registered(OpenSpielGame):
        """A game class: OpenSpiel crashes at Python's shutdown if a function is registered instead."""

        def __init__(self, parameters: Any = None) -> None:
            super().__init__(_from_string(game, parameters))

    name = short_name(game)
    if name not in pyspiel.registered_names():
        pyspiel.register_game(game_type(game), Registered)
    return name


def short_name(game: Game) -> str:
    """Return the name of a game in OpenSpiel."""
    return f"pyramidion_{game.id.replace('-', '_')}"


def game_type(game: Game) -> pyspiel.GameType:
    """Return the OpenSpiel `GameType` of a game."""
    constant = game.somebody_wins
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM if constant else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _parameters(game: Game) -> dict[str, Any]:
    """Return the parameters of a game string with their defaults."""
    options = {name: _written(option, option.default) for name, option in game.options.items()}
    return {"seats": game.usual_seats, "openings": OPENINGS, "seed": 0, "cards": "", **options}


def _written(option: Option, value: Any) -> Any:
    """Return an option's value as a parameter: numbers by seat as `3 1 2`, and a choice without hyphens.

    In a game string a comma would end the parameter, and OpenSpiel takes `1-2-3` for a malformed number.
    """
    if option.kind == "numbers":
        return " ".join(map(str, value))
    return value.replace("-", "_") if option.kind == "choice" else value


def _from_string(game: Game, parameters: Any) -> Rules:
    chosen = dict(parameters or {})
    for name, option in game.options.items():
        if name in chosen and option.kind == "numbers":
            chosen[name] = ",".join(chosen[name].split())
        elif name in chosen and option.kind == "choice":
            written = {_written(option, choice): choice for choice in option.choices}
            chosen[name] = written.get(chosen[name], chosen[name])
    return _rules(game, **chosen)


def _rules(
    game: Game, seats: int | None = None, cards: str = "", openings: int = OPENINGS, seed: int = 0, **options: Any
) -> Rules:
    seats = game.accept_seats(seats if seats is not None else game.usual_seats)
    if openings < 1:
        raise ValueError(f"A game has at least one opening, not {openings}.")
    accepted = game.accept_options(options)
    box = game.make_box(accepted, Path(cards).read_text("utf-8") if cards else None)
    rules = Rules(game, seats, box, openings, seed)
    written = {name: _written(option, accepted[name]) for name, option in game.options.items()}
    rules.parameters = {"seats": seats, "openings": openings, "seed": seed, "cards": cards, **written}
    return rules


class Rules:
    """The game, seats, box and openings, shared by all states and never deep-copied.

    `parameters` are those of the game string; a game without them (made from a box) cannot be pickled.
    """

    def __init__(self, game: Game, seats: int, box: Any, openings: int = 1, seed: int = 0) -> None:
        self.game, self.seats, self.box, self.openings, self.seed = game, seats, box, openings, seed
        self.parameters: dict[str, Any] = {}

    def __deepcopy__(self, memo: Any) -> Rules:
        return self

    def __reduce__(self) -> Any:
        if not self.parameters:
            raise TypeError("This game was made from a box; make one with `make` or `pyspiel.load_game` to pickle it.")
        return _again, (self.game.id, tuple(self.parameters.items()))

    @property
    def _limits(self) -> dict[str, int]:
        """The values of the numeric options."""
        agreed = record(self.box)
        return {name: int(agreed[name]) for name, option in self.game.options.items() if option.kind == "whole"}

    @cached_property
    def size(self) -> pyspiel.GameInfo:
        """The OpenSpiel `GameInfo`: game length, number of actions, range of utilities."""
        shares = self.game.payoff_form == "share"
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.game.actions),
            max_chance_outcomes=self.openings,
            num_players=self.seats,
            min_utility=0.0 if shares else -1.0,
            max_utility=1.0,
            utility_sum=1.0 if self.game.somebody_wins else None,
            max_game_length=self.game.longest(self.seats, **self._limits),
        )


@lru_cache(64)
def _again(game_id: str, parameters: tuple[tuple[str, Any], ...]) -> Rules:
    """Return the rules of a pickled state, shared by all states that are unpickled."""
    return _from_string(pyramidion.load(game_id), dict(parameters))


class OpenSpielGame(pyspiel.Game):
    """A Pyramidion game with a fixed number of seats, as a `pyspiel.Game`."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(game_type(rules.game), rules.size, rules.parameters)
        self.rules = rules

    def __reduce__(self) -> Any:
        return _game_again, (self.rules,)

    def new_initial_state(self) -> OpenSpielState:
        """Return the root state: a chance node that draws the opening."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: the opening is the only chance node."""
        return 1

    def state_of(self, state: Any, first: int = 0) -> OpenSpielState:
        """Wrap a Pyramidion state, shape (1,), possibly redacted, as an OpenSpiel state.

        If several seats are due, `first` and the seats after it move first; the order does not affect the result.
        """
        made = OpenSpielState(self)
        made.begin(state.copy(), first)
        return made

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer for observation tensors and strings, or for information-state strings."""
        if params:
            raise ValueError(f"There are no observation parameters; {params} were given.")
        return Observer(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _game_again(rules: Rules) -> OpenSpielGame:
    register(rules.game)
    return OpenSpielGame(rules)


class Past:
    """The history of a state: a list that shares its beginning with the states it branched from.

    `digest` condenses everything a seat has seen and done, for information states.
    """

    __slots__ = ("_digests", "action", "actor", "before", "rules", "state")

    def __init__(self, rules: Rules, before: Past | None, actor: int, action: int, state: bytes) -> None:
        self.rules, self.before, self.actor, self.action, self.state = rules, before, actor, action, state
        self._digests: dict[int, bytes] = {}

    def __deepcopy__(self, memo: Any) -> Past:
        return self

    def __reduce__(self) -> Any:
        # Pickle only the first state and the actions: all states would be large. Include the first digests, because
        # those of a determinization cannot be computed.
        actions: list[tuple[int, int]] = []
        past = self
        while past.before is not None:
            actions.append((past.actor, past.action))
            past = past.before
        return _past_again, (self.rules, past.state, past._digests, actions[::-1])

    def digest(self, seat: int) -> bytes:
        """Return a digest of all that `seat` has observed and done: its views, the events it saw and its actions."""
        steps: list[Past] = []
        past: Past | None = self
        while past is not None and seat not in past._digests:
            steps.append(past)
            past = past.before
        for step in reversed(steps):
            step._digests[seat] = step._next_digest(seat)
        return self._digests[seat]

    def _next_digest(self, seat: int) -> bytes:
        layout, before = self.rules.game.layout, self.before
        shown = layout.redact_bytes(self.state, seat)
        if before is None:
            return blake2b(shown, digest_size=16).digest()
        learned = self.action.to_bytes(4, "little") if self.actor == seat else b""
        told = layout.visible_events(self.state, seat)
        if told or shown != layout.redact_bytes(before.state, seat):
            learned += shown + repr(told).encode()
        return blake2b(before._digests[seat] + learned, digest_size=16).digest() if learned else before._digests[seat]

    def known_as(self, seat: int, digest: bytes) -> None:
        """Set a seat's digest for a first state that the seat cannot tell from another."""
        self._digests[seat] = digest


def _past_again(rules: Rules, first: bytes, digests: dict[int, bytes], actions: list[tuple[int, int]]) -> Past:
    past, game = Past(rules, None, -1, -1, first), rules.game
    past._digests = digests
    state, buffer = game.layout.from_bytes(first), np.empty(len(game.actions), np.int32)
    for actor, action in actions:
        game.compiled.step(rules.box, state, actor, action, buffer)
        past = Past(rules, past, actor, action, state.tobytes())
    return past


class OpenSpielState(pyspiel.State):
    """A position. `state` is the Pyramidion state, shape (1,), or None at the root; `first` is as in `state_of`."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.rules, self.state, self.past, self.first = game.rules, None, None, 0

    def begin(self, state: Any, first: int = 0) -> None:
        """Set the state, without any history."""
        self.state, self.first, self.past = state, first, Past(self.rules, None, -1, -1, state.tobytes())

    def current_player(self) -> int:
        """Return the seat to move: the first whose decision is due."""
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        due = int(self.state["acting"][0]) & ~int(self.state["submitted"][0])
        if self.state["over"][0]:
            return pyspiel.PlayerId.TERMINAL
        due = (due >> self.first << self.first) or due
        return (due & -due).bit_length() - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the openings, which are equally likely."""
        return [(n, 1 / self.rules.openings) for n in range(self.rules.openings)]

    def _legal_actions(self, player: int) -> list[int]:
        game = self.rules.game
        ids = np.empty(len(game.actions), np.int32)
        return ids[: game.compiled.legal(self.rules.box, self.state, player, ids)].tolist()

    def _apply_action(self, action: int) -> None:
        game, rules = self.rules.game, self.rules
        if self.state is None:
            if not 0 <= action < rules.openings:
                raise ValueError(f"There is no opening {action}; the openings are 0 to {rules.openings - 1}.")
            state = game.layout.new()
            state["seats"] = rules.seats
            state["rng"] = seed_words(rules.seed + action)
            game.compiled.setup(rules.box, state)
            self.begin(state)
            return
        buffer = np.empty(len(game.actions), np.int32)
        seat = self.current_player()
        if game.compiled.step(rules.box, self.state, seat, action, buffer):
            raise ValueError(f"The action {action} is not legal here.")
        self.past = Past(rules, self.past, seat, action, self.state.tobytes())

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.rules.game.actions[action].text

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.state is not None and bool(self.state["over"][0])

    def returns(self) -> list[float]:
        """Return each seat's payoff; 0 until the game is over."""
        payoffs = np.zeros(self.rules.seats)
        if self.is_terminal():
            self.rules.game.compiled.payoff(self.rules.box, self.state, payoffs)
        return payoffs.tolist()

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> OpenSpielState:
        """Sample a determinization that `player_id` cannot distinguish from this state, with OpenSpiel's sampler.

        Its history is that of this state and does not lead there, so it cannot be rebuilt from its history.
        """
        game, other = self.rules.game, self.clone()
        state = game.layout.redact(self.state, player_id)
        seed = int(probability_sampler() * SEEDS) if probability_sampler else np.random.default_rng().integers(SEEDS)
        game.compiled.redeal(self.rules.box, state, player_id, chance_words(int(seed)))
        # The player does not know who has already submitted, so in the determinization the player moves first.
        other.begin(state, first=player_id)
        other.past.known_as(player_id, self.past.digest(player_id))
        return other

    def information_state_string(self, player: int | None = None) -> str:
        """Return a digest, in hexadecimal, of all that a player has observed and done so far."""
        player = self._or_mover(player)
        return "" if self.past is None else f"{player}:{self.past.digest(player).hex()}"

    def observation_string(self, player: int | None = None) -> str:
        """Return a player's observation: the bytes of the redacted state in hexadecimal."""
        player = self._or_mover(player)
        return "" if self.state is None else self.rules.game.layout.redact(self.state, player).tobytes().hex()

    def _or_mover(self, player: int | None) -> int:
        return self.current_player() if player is None else player

    def __str__(self) -> str:
        if self.state is None:
            return "before the opening"
        # Lists: NumPy is slow to format arrays, and OpenSpiel asks for the text of every state it visits.
        return " ".join(str(self.state[name].tolist()) for name in self.state.dtype.names)


class Observer:
    """Fills `tensor` (float32) with a seat's observation; `dict` has the same memory by the names of its parts.

    With perfect recall there are only strings, and `tensor` is None.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        self._rules, self._recalls = rules, kind.perfect_recall
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise ValueError("Observations are of one player, with the public information.")
        self.tensor, self.dict = None, {}
        if not self._recalls:
            self.tensor = rules.game.observation.new()
            self.dict = rules.game.observation.split(self.tensor)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill `tensor` with a player's observation of a state."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.state is not None:
            game = self._rules.game
            game.compiled.observe(self._rules.box, game.layout.redact(state.state, player), player, self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return a player's observation, or information state, as a string."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


class _TimeUp(Exception):
    """The search has run out of time."""


class _Timed(ismcts.ISMCTSBot):
    """OpenSpiel's search with a time limit."""

    deadline = 0.0

    def sample_root_state(self, state: Any) -> Any:
        if time.perf_counter() > self.deadline and self._root_node.total_visits > 0:
            raise _TimeUp
        self.simulations += 1
        return super().sample_root_state(state)

    def run_search(self, state: Any) -> Any:
        self.simulations = 0
        try:
            return super().run_search(state)
        except _TimeUp:
            return self.get_final_policy(state, self._root_node)


class InformationSetSearch:
    """OpenSpiel's information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012) as an arena player.

    It searches for `seconds` per decision with uniformly random rollouts. `simulations` and `decisions` count totals.
    """

    seconds = 1.0
    exploration = 1.0

    def __init__(self, game: Game, seed: int | str) -> None:
        self._game, self._seed = game, seed
        self._random = np.random.RandomState(int(seed_words(seed)[0]) % 2**32)
        self.simulations = self.decisions = 0

    def evaluator(self) -> Any:
        """Return the leaf evaluator: a single uniformly random rollout, in Python."""
        return mcts.RandomRolloutEvaluator(1, self._random)

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Choose an action id from the redacted state; see `Bot.choose`."""
        game = OpenSpielGame(Rules(self._game, int(state["seats"][0]), box))
        at = game.state_of(state, first=seat)
        if at.current_player() != seat:
            raise ValueError(f"Seat {seat} has nothing to decide.")
        bot = _Timed(
            game,
            self.evaluator(),
            self.exploration,
            10**9,
            random_state=self._random,
            use_observation_string=True,
        )
        bot.deadline = time.perf_counter() + self.seconds
        action = int(bot.step(at))
        self.simulations += bot.simulations
        self.decisions += 1
        return action


for _game in pyramidion.all_games().values():
    register(_game)
