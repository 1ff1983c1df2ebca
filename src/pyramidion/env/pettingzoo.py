"""PettingZoo environments (Terry et al. 2021): `pip install 'pyramidion-games[env]'`.

    from pyramidion.env import pettingzoo

    env = pettingzoo.aec("pyramis", seats=3)            # one seat after another
    env = pettingzoo.parallel("pyramid-shambo")         # all due seats at once

Agents are `player_0`, `player_1`, ... An observation consists of `observation`, the vector of `match.observation`, and
`action_mask`, int8. Rewards are the payoffs at the end. `reset(seed=7)` starts the match with seed 7. Without a seed,
each reset draws another one from a generator, which the last given seed determines.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

import pyramidion
from pyramidion.engine.actions import action_id
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.game import Game
from pyramidion.engine.match import Match
from pyramidion.engine.payoffs import payoffs_of
from pyramidion.env.rendering import MODES, render
from pyramidion.env.rewards import Reward, reward_rule, rewards_of
from pyramidion.env.seeding import Seeds, registered_ids
from pyramidion.extras import missing

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.env_registry.registration import aec_registry, register
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise missing(error, "env") from error

Observation = dict[str, Any]
Spaces = dict[str, spaces.Space[Any]]
Illegal = Literal["raise", "terminate"]
"""What an illegal action does: raise an exception, or end the match."""


def aec(
    game: str | Game,
    seats: int | None = None,
    *,
    illegal: Illegal = "raise",
    reward: Reward = "win",
    cards: str | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> AECEnv[str, Observation, int]:
    """Return an environment in which seats act one after another; the arguments are those of `PettingZooSeats`."""
    table = PettingZooSeats(game, seats, illegal, reward, cards, render_mode, **options)
    return cast("AECEnv[str, Observation, int]", OrderEnforcingWrapper(SequentialEnv(table)))


def parallel(
    game: str | Game,
    seats: int | None = None,
    *,
    illegal: Illegal = "raise",
    reward: Reward = "win",
    cards: str | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> ParallelEnv[str, Observation, int]:
    """Return an environment in which all due seats act at once; the arguments are those of `PettingZooSeats`."""
    return SimultaneousEnv(PettingZooSeats(game, seats, illegal, reward, cards, render_mode, **options))


class PettingZooSeats:
    """What both kinds of environment are built on: it plays the match, and knows the agents and their spaces.

    Args:
        game: a game or its id.
        seats: as for `Game.new`.
        illegal: `raise` raises IllegalAction and leaves the match unchanged; `terminate` ends the match for all agents,
            with the worst payoff (0 as another reward) for the one that chose the action, 0 for the others, and the
            reason in its info as `illegal`.
        reward: as for `env.batch`: `win`, `points`, `rank` or a rule.
        cards: as for `Game.new`.
        render_mode: one of `rendering.MODES`.
        options: the game's options.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        illegal: Illegal = "raise",
        reward: Reward = "win",
        cards: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = pyramidion.load(game) if isinstance(game, str) else game
        self.count = self.game.accept_seats(self.game.usual_seats if seats is None else seats)
        self.options, self.cards = self.game.accept_options(options), cards
        if render_mode not in (None, *MODES):
            raise ValueError(f"There is no render mode {render_mode!r}; there are {', '.join(MODES)}.")
        if illegal not in ("raise", "terminate"):
            raise ValueError(f"`illegal` is 'raise' or 'terminate', not {illegal!r}.")
        self.render_mode, self._illegal, self._reward = render_mode, illegal, reward_rule(reward)
        self.forfeit: tuple[int, str] | None = None
        self.agents = [f"player_{seat}" for seat in range(self.count)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        self.seeds = Seeds()
        self.match: Match | None = None
        observed, actions = self.game.observation, len(self.game.actions)
        self.observation_spaces: Spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(observed.low, observed.high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.agents
        }
        self.state_space = spaces.Box(
            np.tile(observed.low, self.count), np.tile(observed.high, self.count), dtype=np.float32
        )
        self.action_spaces: Spaces = {agent: spaces.Discrete(actions) for agent in self.agents}
        self.metadata = {"name": self.game.id, "render_modes": MODES, "is_parallelizable": False, "render_fps": 1}

    def begin(self, seed: int | None) -> Match:
        """Start a match and return it."""
        chosen = self.seeds.next(seed)
        self.match, self.forfeit = self.game.new(self.count, chosen, cards=self.cards, **self.options), None
        return self.match

    @property
    def playing(self) -> Match:
        """The current match. Raises RuntimeError before the first reset."""
        if self.match is None:
            raise RuntimeError("There is no match yet. Call reset() first.")
        return self.match

    @property
    def over(self) -> bool:
        """Whether the match is over, or was ended by an illegal action."""
        return self.forfeit is not None or self.playing.over

    def play(self, chosen: dict[int, int]) -> None:
        """Play the actions of some seats, by seat.

        The first illegal action raises IllegalAction, or ends the match; nothing is played then.
        """
        match = self.playing
        try:
            # Of several actions all are checked before the first is played.
            for seat, action in chosen.items() if len(chosen) > 1 else ():
                if match.refusal(seat, action) is not None:
                    match.play(seat, action)
            for seat, action in chosen.items():
                match.play(seat, action)
        except IllegalAction as error:
            if self._illegal == "raise":
                raise
            self.forfeit = (next(seat for seat, action in chosen.items() if match.refusal(seat, action)), str(error))

    def infos(self) -> dict[str, dict[str, Any]]:
        """Return each agent's info: empty, but for the reason why an action was illegal that has ended the match."""
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self.forfeit is not None:
            infos[self.agents[self.forfeit[0]]]["illegal"] = self.forfeit[1]
        return infos

    def state(self) -> npt.NDArray[np.float32]:
        """Return the observations of all seats, one after another, float32[seats * D]: more than any seat may know."""
        return np.concatenate([self.playing.observation(seat) for seat in range(self.count)])

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and the mask of its legal actions: none where it is not due, all at the end."""
        seat, match = self.seat_of[agent], self.playing
        if self.over or seat not in match.acting:
            mask = np.full(len(self.game.actions), self.over)
        else:
            mask = match.legal_mask(seat)
        return {"observation": match.observation(seat), "action_mask": mask.astype(np.int8)}

    def rewards(self) -> dict[str, float]:
        """Return each agent's reward: once the match is over, and 0 before."""
        if self.forfeit is not None:
            rewards = dict.fromkeys(self.agents, 0.0)
            if self._reward is reward_rule("win"):
                rewards[self.agents[self.forfeit[0]]] = payoffs_of(self.game, self.count, self.playing.box).low
            return rewards
        return dict(zip(self.agents, rewards_of(self.playing, self._reward).tolist(), strict=True))

    def render(self) -> Any:
        """Render the match as a spectator sees it; see `rendering.render`."""
        return None if self.render_mode is None else render(self.playing, self.render_mode)


class _Environment:
    """The base of both kinds of environment: what PettingZoo expects of each of them."""

    def __init__(self, seats: PettingZooSeats) -> None:
        super().__init__()
        self._seats = seats
        self.metadata, self.render_mode = seats.metadata, seats.render_mode
        self.possible_agents = seats.agents
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = seats.observation_spaces, seats.action_spaces

    @property
    def match(self) -> Match:
        """The current match."""
        return self._seats.playing

    @property
    def state_space(self) -> spaces.Space[Any]:
        """The space of `state`."""
        return self._seats.state_space

    def state(self) -> npt.NDArray[np.float32]:
        """Return the observations of all seats, one after another, float32[seats * D], for a central critic.

        No agent may be given them in play: they contain what the others see.
        """
        return self._seats.state()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's action space."""
        return self.action_spaces[agent]

    def render(self) -> Any:
        """Render the match as a spectator sees it, in the environment's render mode."""
        return self._seats.render()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __str__(self) -> str:
        return f"pyramidion_{self._seats.game.id.replace('-', '_')}"


class SequentialEnv(_Environment, AECEnv[str, Observation, int]):
    """An environment in which seats act one after another.

    Simultaneous decisions stay hidden until all have been made.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match; `options` are ignored."""
        self._seats.begin(seed)
        self.agents = list(self.possible_agents)
        self._begin_agents()

    def _begin_agents(self) -> None:
        """Reset what PettingZoo keeps for each agent, and select the first to act."""
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.match.acting[0]]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and the mask of its legal actions."""
        return self._seats.observe(agent)

    def step(self, action: int | None) -> None:
        """Play the selected agent's action.

        Raises IllegalAction if it is illegal, unless that ends the match, and ValueError for anything but a whole
        number; the match is then unchanged.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(cast(Any, action))
            return
        match, mover = self.match, self.agent_selection
        self._seats.play({self._seats.seat_of[mover]: action_id(action)})
        self._cumulative_rewards[mover] = 0.0
        self.rewards = self._seats.rewards()
        self._accumulate_rewards()
        if self._seats.over:
            self.terminations, self.infos = dict.fromkeys(self.agents, True), self._seats.infos()
            # At the end, agents are selected in seat order, beginning with the next seat.
            seat = (self._seats.seat_of[mover] + 1) % match.seats
        else:
            seat = match.acting[0]
        self.agent_selection = self.agents[seat]
        if self.render_mode == "human":
            self.render()


class SimultaneousEnv(_Environment, ParallelEnv[str, Observation, int]):
    """An environment in which all due seats act at once. An agent whose action mask is empty has nothing to decide.

    What seats that are not due may do in a match, such as trade in Upside Down, they cannot do here.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a match and return observations and infos; `options` are ignored."""
        self._seats.begin(seed)
        self.agents = list(self.possible_agents)
        if self.render_mode == "human":
            self.render()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Any:
        """Play the actions of all due agents; those of others are ignored.

        Raises ValueError for a due agent without an action that is a whole number, and IllegalAction for the first
        illegal action, unless that ends the match; the match is then unchanged.
        """
        match, agents = self.match, self.agents
        due = match.acting
        chosen: dict[int, int] = {}
        for seat in due:
            if actions.get(agents[seat]) is None:
                raise ValueError(f"{agents[seat]} has to act, and no action of it was given.")
            chosen[seat] = action_id(actions[agents[seat]])
        self._seats.play(chosen)
        if self.render_mode == "human":
            self.render()
        ended, cut = dict.fromkeys(agents, self._seats.over), dict.fromkeys(agents, False)
        result = self._observations(), self._seats.rewards(), ended, cut, self._seats.infos()
        if self._seats.over:
            self.agents = []
        return result

    def _observations(self) -> dict[str, Observation]:
        """Return what every agent observes."""
        return {agent: self._seats.observe(agent) for agent in self.agents}


def _register() -> None:
    """Register every game with PettingZoo, for play in turn and for simultaneous play."""
    for game in pyramidion.all_games().values():
        for name, arguments in registered_ids(game).items():
            if name not in aec_registry:
                register("aec", name, aec, kwargs=arguments)
                register("parallel", name, parallel, kwargs=arguments)


_register()
