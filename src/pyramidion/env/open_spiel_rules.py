"""OpenSpiel's description of a game, and the data shared by all its states: parameters, box, openings."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import quote, unquote

import pyspiel

import pyramidion
from pyramidion.engine.game import Game
from pyramidion.engine.options import Option
from pyramidion.engine.payoffs import limits_in, payoffs_of
from pyramidion.text_files import read_text

OPENINGS = 10_000
"""Number of outcomes of the chance node by default."""


MOST = 2**31 - 1
"""The greatest whole number that OpenSpiel reads from a game string."""


def short_name(game: Game) -> str:
    """Return the name of a game in OpenSpiel."""
    return f"pyramidion_{game.id.replace('-', '_')}"


def game_type(game: Game) -> pyspiel.GameType:
    """Return the OpenSpiel `GameType` of a game."""
    utility = pyspiel.GameType.Utility
    total = payoffs_of(game, game.usual_seats).total
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if total is None else utility.CONSTANT_SUM if total else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _parameters(game: Game) -> dict[str, Any]:
    """Return the parameters that a game string can have, with their defaults."""
    options = {name: _written(option, option.default) for name, option in game.options.items()}
    return {"seats": game.usual_seats, "openings": OPENINGS, "seed": 0, "cards": "", **options}


def _written(option: Option, value: Any) -> Any:
    """Return an option's value as it is written in a game string: numbers by seat as `3 1 2`, a choice without hyphens.

    In a game string a comma would end the parameter, and OpenSpiel takes `1-2-3` for a malformed number.
    """
    if option.kind == "numbers":
        return " ".join(map(str, value))
    return value.replace("-", "_") if option.kind == "choice" else value


def _written_path(path: str) -> str:
    """Return a path as it is written in a game string, percent-encoded.

    OpenSpiel escapes nothing, and takes `2024` for a number.
    """
    text = quote(path, safe="/.-_~:+ ", errors="surrogateescape")
    if text and re.fullmatch(r"[0-9.+-]*|[Tt]rue|[Ff]alse", text):
        text = f"%{ord(text[0]):02X}{text[1:]}"
    return text


def from_string(game: Game, parameters: Any) -> Rules:
    """Build the rules from the parameters of a game string."""
    chosen = dict(parameters or {})
    chosen["cards"] = unquote(chosen.get("cards", ""), errors="surrogateescape")
    for name, option in game.options.items():
        if name in chosen and option.kind == "numbers":
            chosen[name] = ",".join(chosen[name].split())
        elif name in chosen and option.kind == "choice":
            written = {_written(option, choice): choice for choice in option.choices}
            chosen[name] = written.get(chosen[name], chosen[name])
    return rules_of(game, **chosen)


def rules_of(
    game: Game, seats: int | None = None, cards: str = "", openings: int = OPENINGS, seed: int = 0, **options: Any
) -> Rules:
    """Build the rules from parameters that are Python values.

    Raises ValueError like `Game.new`, and OSError if the card file cannot be read.
    """
    seats = game.accept_seats(seats if seats is not None else game.usual_seats)
    if not 1 <= openings <= MOST:
        raise ValueError(f"A game has 1 to {MOST} openings, not {openings}.")
    if not -MOST <= seed <= MOST - openings:
        raise ValueError(f"The seed is a whole number from {-MOST} to {MOST - openings}, not {seed}.")
    accepted = game.accept_options(options)
    text = read_text(cards) if cards else None
    rules = Rules(game, seats, game.make_box(accepted, text), openings, seed)
    rules.boxes = [game.make_box(game.options_for(accepted, seat), text) for seat in range(seats)]
    written = {name: _written(option, accepted[name]) for name, option in game.options.items()}
    rules.parameters = {"seats": seats, "openings": openings, "seed": seed, "cards": _written_path(cards), **written}
    return rules


class Rules:
    """What all states of an OpenSpiel game share, and is never deep-copied: the game, seats, box and openings.

    `boxes` are the box as each seat may see it. `parameters` are those of the game string; a game without them (made
    from a box) cannot be pickled.
    """

    def __init__(self, game: Game, seats: int, box: Any, openings: int = 1, seed: int = 0) -> None:
        self.game, self.seats, self.box, self.openings, self.seed = game, seats, box, openings, seed
        self.parameters: dict[str, Any] = {}
        self.boxes: list[Any] = [box] * seats
        self._seen: dict[int, Rules] = {}

    def known_seat(self, player: int) -> int:
        """Return the seat of a player, who has the same number. Raises ValueError if there is no such player."""
        if not 0 <= player < self.seats:
            raise ValueError(f"There is no player {player}; the players are 0 to {self.seats - 1}.")
        return player

    def seen_by(self, seat: int) -> Rules:
        """Return the rules with the box as a seat may see it, for determinizations; these cannot be pickled."""
        if seat not in self._seen:
            self._seen[seat] = Rules(self.game, self.seats, self.boxes[seat], self.openings, self.seed)
        return self._seen[seat]

    def observe(self, state: Any, seat: int, out: Any) -> None:
        """Write a seat's observation of a state to `out`, zeroed float32[numbers observed]."""
        box = self.box if state["over"][0] else self.boxes[seat]
        self.game.compiled.observe(box, self.game.layout.redact(state, seat), seat, out)

    def __deepcopy__(self, memo: Any) -> Rules:
        return self

    def __reduce__(self) -> Any:
        if not self.parameters:
            raise TypeError("This game was made from a box; make one with `make` or `pyspiel.load_game` to pickle it.")
        return _again, (self.game.id, tuple(self.parameters.items()))

    @cached_property
    def size(self) -> pyspiel.GameInfo:
        """The OpenSpiel `GameInfo`: game length, number of actions, range of utilities."""
        payoffs = payoffs_of(self.game, self.seats, self.box)
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.game.actions),
            max_chance_outcomes=self.openings,
            num_players=self.seats,
            min_utility=payoffs.low,
            max_utility=payoffs.high,
            utility_sum=payoffs.total,
            max_game_length=self.game.longest(self.seats, **limits_in(self.game, self.box)),
        )


@lru_cache(64)
def _again(game_id: str, parameters: tuple[tuple[str, Any], ...]) -> Rules:
    """Make pickled rules again; all states that are unpickled share them."""
    return from_string(pyramidion.load(game_id), dict(parameters))
