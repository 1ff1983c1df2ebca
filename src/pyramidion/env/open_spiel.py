"""An adapter for OpenSpiel (Lanctot et al. 2019): `pip install 'pyramidion-games[env]'`.

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

from hashlib import blake2b
from typing import Any

import numpy as np

import pyramidion
from pyramidion.engine.actions import action_id
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import SPECTATOR, as_bytes
from pyramidion.engine.random import seed_words
from pyramidion.extras import missing

try:
    import pyspiel

    from pyramidion.env.open_spiel_players import bot, policy
    from pyramidion.env.open_spiel_rules import OPENINGS, Rules, from_string, game_type, rules_of, short_name
except ModuleNotFoundError as error:
    raise missing(error, "env") from error

__all__ = ["FactoredObserver", "Observer", "OpenSpielGame", "OpenSpielState", "bot", "make", "policy", "register"]

DIGEST = 16
"""Length in bytes of the digest that stands for an information state."""
SEEDS = 2**31 - 1
"""Number of seeds that a determinization can draw."""


def make(
    game: str | Game, seats: int | None = None, cards: str = "", openings: int = OPENINGS, seed: int = 0, **options: Any
) -> OpenSpielGame:
    """Return a game as a `pyspiel.Game`.

    `cards` is the path of a card file. In `str(game)` it is percent-encoded, since OpenSpiel cannot read commas and
    parentheses back. Raises KeyError like `load`, ValueError like `Game.new`, and OSError if the card file cannot be
    read.
    """
    chosen = pyramidion.load(game) if isinstance(game, str) else game
    register(chosen)
    return OpenSpielGame(rules_of(chosen, seats, cards, openings, seed, **options))


def register(game: Game) -> str:
    """Register a game with OpenSpiel, unless it is registered already; return its OpenSpiel name."""

    class Registered(OpenSpielGame):
        """The class that OpenSpiel makes the game of. With a function instead, OpenSpiel crashes at its end."""

        def __init__(self, parameters: Any = None) -> None:
            super().__init__(from_string(game, parameters))

    name = short_name(game)
    if name not in pyspiel.registered_names():
        pyspiel.register_game(game_type(game), Registered)
    return name


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

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | FactoredObserver:
        """Return an observer that shows observations or, with perfect recall, information states."""
        if params:
            raise ValueError(f"There are no observation parameters; {params} were given.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        whole = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return Observer(self.rules, kind) if whole else FactoredObserver(self.rules, kind)


def _game_again(rules: Rules) -> OpenSpielGame:
    """Make a pickled game again."""
    register(rules.game)
    return OpenSpielGame(rules)


class Trajectory:
    """The history of a state, as a linked list of actions and states; states that branch from it share its beginning.

    `digest` condenses everything a seat has seen and done, for information states.
    """

    __slots__ = ("_digests", "action", "actor", "previous", "rules", "state")

    def __init__(self, rules: Rules, previous: Trajectory | None, actor: int, action: int, state: bytes) -> None:
        self.rules, self.previous, self.actor, self.action, self.state = rules, previous, actor, action, state
        self._digests: dict[int, bytes] = {}

    def __deepcopy__(self, memo: Any) -> Trajectory:
        return self

    def __reduce__(self) -> Any:
        # Pickle only the first state and the actions: all states would be large. Include the first digests, because
        # those of a determinization cannot be computed.
        actions: list[tuple[int, int]] = []
        trajectory = self
        while trajectory.previous is not None:
            actions.append((trajectory.actor, trajectory.action))
            trajectory = trajectory.previous
        return _trajectory_again, (self.rules, trajectory.state, trajectory._digests, actions[::-1])

    def digest(self, seat: int) -> bytes:
        """Return a digest of all that `seat` has observed and done: its views, the events it saw and its actions."""
        steps: list[Trajectory] = []
        trajectory: Trajectory | None = self
        while trajectory is not None and seat not in trajectory._digests:
            steps.append(trajectory)
            trajectory = trajectory.previous
        for step in reversed(steps):
            step._digests[seat] = step._next_digest(seat)
        return self._digests[seat]

    def _next_digest(self, seat: int) -> bytes:
        """Return a seat's digest: that of the previous trajectory, extended by what the seat has learned since."""
        layout, previous = self.rules.game.layout, self.previous
        redacted = layout.redact_bytes(self.state, seat)
        if previous is None:
            return blake2b(redacted, digest_size=DIGEST).digest()
        learned = self.action.to_bytes(4, "little") if self.actor == seat else b""
        events = layout.visible_events(self.state, seat)
        if events or redacted != layout.redact_bytes(previous.state, seat):
            learned += redacted + repr(events).encode()
        return (
            blake2b(previous._digests[seat] + learned, digest_size=DIGEST).digest()
            if learned
            else previous._digests[seat]
        )

    def set_digest(self, seat: int, digest: bytes) -> None:
        """Give a first state, for one seat, the digest of another state, which the seat cannot tell from it."""
        self._digests[seat] = digest


def _trajectory_again(
    rules: Rules, first: bytes, digests: dict[int, bytes], actions: list[tuple[int, int]]
) -> Trajectory:
    """Make a pickled trajectory again, by playing its actions from its first state."""
    trajectory, game = Trajectory(rules, None, -1, -1, first), rules.game
    trajectory._digests = digests
    state, buffer = game.layout.from_bytes(first), np.empty(len(game.actions), np.int32)
    for actor, action in actions:
        game.compiled.step(rules.box, state, actor, action, buffer)
        trajectory = Trajectory(rules, trajectory, actor, action, state.tobytes())
    return trajectory


class OpenSpielState(pyspiel.State):
    """A position in a game, as a `pyspiel.State`.

    `state` is the Pyramidion state, shape (1,), or None at the root; `first` is as in `OpenSpielGame.state_of`.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.rules, self.state, self.trajectory, self.first = game.rules, None, None, 0

    def begin(self, state: Any, first: int = 0) -> None:
        """Begin a history with this state, shape (1,); `first` is as in `OpenSpielGame.state_of`."""
        self.state, self.first, self.trajectory = state, first, Trajectory(self.rules, None, -1, -1, state.tobytes())

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
        """Return the openings and their probabilities, which are equal."""
        return [(n, 1 / self.rules.openings) for n in range(self.rules.openings)]

    def _legal_actions(self, player: int) -> list[int]:
        game = self.rules.game
        ids = np.empty(len(game.actions), np.int32)
        return ids[: game.compiled.legal(self.rules.box, self.state, player, ids)].tolist()

    def _apply_action(self, action: int) -> None:
        """Play an action, or choose an opening at the chance node. Raises ValueError if it is not legal."""
        game, rules, action = self.rules.game, self.rules, action_id(action)
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
        exists = 0 <= action < len(game.actions)
        if not exists or game.compiled.step(rules.box, self.state, seat, action, buffer):
            raise ValueError(f"The action {action} is not legal here.")
        self.trajectory = Trajectory(rules, self.trajectory, seat, action, self.state.tobytes())

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
        other.rules = self.rules.seen_by(player_id)
        game.compiled.redeal(other.rules.box, state, player_id, chance_words(int(seed)))
        # The player does not know who has already submitted, so in the determinization the player moves first.
        other.begin(state, first=player_id)
        other.trajectory.set_digest(player_id, self.trajectory.digest(player_id))
        return other

    def information_state_string(self, player: int | None = None) -> str:
        """Return a digest, in hexadecimal, of all that a player (by default, the one to move) has observed and done.

        Raises ValueError if there is no such player.
        """
        if self.trajectory is None:
            return ""
        player = self._player_or_mover(player)
        return f"{player}:{self.trajectory.digest(player).hex()}"

    def observation_string(self, player: int | None = None) -> str:
        """Return what a player (by default, the one to move) observes: the bytes of the redacted state in hexadecimal.

        Raises ValueError if there is no such player.
        """
        if self.state is None:
            return ""
        return self.rules.game.layout.redact(self.state, self._player_or_mover(player)).tobytes().hex()

    def _player_or_mover(self, player: int | None) -> int:
        """Return the seat of a player (by default, the one to move). Raises ValueError if there is no such player."""
        return self.rules.known_seat(self.current_player() if player is None else player)

    def __str__(self) -> str:
        if self.state is None:
            return "before the opening"
        # Lists: NumPy is slow to format arrays, and OpenSpiel asks for the text of every state it visits.
        names: Any = self.state.dtype.names
        return " ".join(f"{name}={self.state[name][0].tolist()}" for name in names if not name.startswith("gap_"))


class Observer:
    """An OpenSpiel observer, which fills `tensor` (float32) with a seat's observation.

    `dict` has the same memory by the names of the observation's parts.

    The parts are those of the game's observation. With perfect recall there is one more, `memory`: the digest of the
    information state, a number for each of its bits. It tells apart any two information states, which makes the tensor
    complete; nothing can be generalized from it, so leave it out of a network's input if you can.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        self._rules, self._recalls = rules, kind.perfect_recall
        observed = rules.game.observation
        self.tensor = np.zeros(observed.size + (8 * DIGEST if self._recalls else 0), np.float32)
        self._observation, self._memory = self.tensor[: observed.size], self.tensor[observed.size :]
        self.dict = observed.split(self._observation)
        if self._recalls:
            self.dict["memory"] = self._memory

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill `tensor` with a player's observation of a state, or with zeros before the opening.

        Raises ValueError if there is no such player.
        """
        self._rules.known_seat(player)
        self.tensor.fill(0)
        if state.state is None:
            return
        self._rules.observe(state.state, player, self._observation)
        if self._recalls:
            self._memory[:] = np.unpackbits(np.frombuffer(state.trajectory.digest(player), np.uint8))

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return a player's observation, or information state, as a string."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


class FactoredObserver:
    """An OpenSpiel observer of the public part of a state, or of a player's private part: as hexadecimal text only.

    The first is the state as a spectator sees it; the second, the bits in which the player's redacted state differs.
    """

    tensor = None

    def __init__(self, rules: Rules, kind: Any) -> None:
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind.perfect_recall or kind.private_info not in (single, pyspiel.PrivateInfoType.NONE):
            raise ValueError("Public and private observations are of one position, and private ones of one player.")
        self._redact, self._public, self._private = (
            rules.game.layout.redact,
            kind.public_info,
            kind.private_info == single,
        )

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Do nothing: there is no tensor."""

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the observation in hexadecimal; empty before the opening."""
        if state.state is None or not (self._public or self._private):
            return ""
        if self._private:
            state.rules.known_seat(player)
        seen = as_bytes(self._redact(state.state, SPECTATOR))
        return (seen if self._public else seen ^ as_bytes(self._redact(state.state, player))).tobytes().hex()


for _game in pyramidion.all_games().values():
    register(_game)
