"""Descriptions of games in figures: chance, information, branching, length, and sizes, measured in seeded games."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.bots import PolicyBot
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.match import Match
from pyramidion.engine.registry import load

DEALS = 512
"""Number of determinizations that are drawn to estimate how large an information set is."""
LOOKS = (0.25, 0.5, 0.75)
"""Where in a game the sizes of information sets are estimated, as shares of its decisions."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number varies: its mean, its 5th, 50th and 95th percentile, and the greatest value."""

    mean: float
    low: float
    median: float
    high: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Description:
    """A game in figures, measured in games between policy players.

    Attributes:
        game, name, rules_version, seats, options: what was played; `players` are the fewest and most seats.
        games, seed: how many games were played, with the seeds `SEED:0`, `SEED:1` and so on.
        payoff_form, constant_sum: the form of payoffs, and whether they always add up to the same.
        chance: the share of decisions after which something was drawn at random. Setting up is not counted.
        simultaneous: the share of decisions that were due at the same time as others'.
        hidden: the share of decisions at which something was hidden from the seat that decides.
        branching: legal actions at a decision. `forced`: the share of decisions with a single one.
        length: decisions in a game.
        tree: the decimal logarithm of the product of the numbers of legal actions in a game, the mean: an estimate of
            the number of lines of play.
        information_sets: the decimal logarithm of the number of positions that a seat cannot tell apart, early, in the
            middle and late in a game, the median over games; see `information_set_size`. None if nothing is hidden.
        bounded: whether each of these is only a lower bound, since all deals drawn were different.
        actions, observation, state_bytes: the lengths of action space and observation, and the bytes of a state.
    """

    game: str
    name: str
    rules_version: int
    players: tuple[int, int]
    seats: int
    options: Mapping[str, Any]
    games: int
    seed: str
    payoff_form: str
    constant_sum: bool
    chance: float
    simultaneous: float
    hidden: float
    branching: Spread
    forced: float
    length: Spread
    tree: float
    information_sets: tuple[float | None, ...]
    bounded: tuple[bool, ...]
    actions: int
    observation: int
    state_bytes: int

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Description:
        """Read a description from JSON data that `pyramidion describe --json` printed for one game."""
        fields: dict[str, Any] = dict(data)
        for name in ("branching", "length"):
            fields[name] = Spread(**data[name])
        for name in ("players", "information_sets", "bounded"):
            fields[name] = tuple(data[name])
        return cls(**fields)


def describe(
    game: Game | str,
    seats: int | None = None,
    games: int = 200,
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
) -> Description:
    """Play seeded games between policy players and return the game in figures; the arguments determine them.

    Raises ValueError for invalid seats or options, or for fewer than one game.
    """
    game = load(game)
    if games < 1:
        raise ValueError("A description needs at least one game.")
    seats = game.accept_seats(game.usual_seats if seats is None else seats)
    branching: list[int] = []
    lengths: list[int] = []
    trees: list[float] = []
    counts = np.zeros(3, np.int64)
    sizes: list[list[tuple[float, bool]]] = [[] for _ in LOOKS]
    for number in range(games):
        match = _played(game, seats, f"{seed}:{number}", options or {})
        again, legal = match.at(0), list[int]()
        looks = [int(share * match.ply) for share in LOOKS]
        for ply, (seat, action) in enumerate(match.history):
            legal.append(len(again.legal_ids(seat)))
            state, redacted = again.state_copy(), again.redacted_state(seat)
            hidden = _without_chance(state) != _without_chance(redacted)
            for look, at in enumerate(looks):
                if at == ply and hidden:
                    sizes[look].append(information_set_size(again, seat, f"{seed}:{number}:{ply}"))
            before = state["rng"].tobytes()
            counts += (0, len(again.acting) + len(again.submitted) > 1, hidden)
            again.play(seat, action)
            counts[0] += before != again.state_copy()["rng"].tobytes()
        branching += legal
        lengths.append(match.ply)
        trees.append(sum(map(math.log10, legal)))
    chance, simultaneous, unseen = (counts / len(branching)).tolist()
    return Description(
        game=game.id,
        name=game.name,
        rules_version=game.rules_version,
        players=(game.seats[0], game.seats[-1]),
        seats=seats,
        options=dict(options or {}),
        games=games,
        seed=str(seed),
        payoff_form=game.payoff_form,
        constant_sum=_adds_up(game),
        chance=chance,
        simultaneous=simultaneous,
        hidden=unseen,
        branching=_spread(branching),
        forced=branching.count(1) / len(branching),
        length=_spread(lengths),
        tree=float(np.mean(trees)),
        information_sets=tuple(
            float(np.median([size for size, _ in estimates])) if estimates else None for estimates in sizes
        ),
        bounded=tuple(sum(bound for _, bound in estimates) * 2 > len(estimates) for estimates in sizes),
        actions=len(game.actions),
        observation=game.observation.size,
        state_bytes=game.layout.dtype.itemsize,
    )


def information_set_size(match: Match, seat: int, seed: int | str) -> tuple[float, bool]:
    """Return the decimal logarithm of the number of positions that a seat cannot tell apart, and if it is a bound.

    DEALS determinizations are drawn, and the number follows from how many pairs of them are equal: of N equally likely
    positions, one pair in N is (the birthday problem). Without an equal pair it is larger than the number of pairs.
    Unequal chances make it smaller: it is the effective number.
    """
    box, chance = match.box_for(seat), chance_words(f"{seed} {seat}")
    counts: dict[bytes, int] = {}
    for _ in range(DEALS):
        state = match.redacted_state(seat)
        match.game.compiled.redeal(box, state, seat, chance)
        deal = _without_chance(state)
        counts[deal] = counts.get(deal, 0) + 1
    pairs = DEALS * (DEALS - 1) // 2
    equal = sum(count * (count - 1) // 2 for count in counts.values())
    return math.log10(pairs / max(1, equal)), equal == 0


def _played(game: Game, seats: int, seed: str, options: Mapping[str, Any]) -> Match:
    """Play a game between policy players, and return its match."""
    match, bot = game.new(seats, seed, **options), PolicyBot(game, seed)
    while not match.over:
        seat = match.acting[0]
        match.play(seat, bot.move(match, seat))
    return match


def _without_chance(state: Any) -> bytes:
    """Return the bytes of a state without its random generator, which nobody sees."""
    other = state.copy()
    other["rng"] = 0
    return other.tobytes()


def _spread(numbers: Sequence[int]) -> Spread:
    """Return the mean, the 5th, 50th and 95th percentile, and the maximum."""
    low, median, high = np.percentile(numbers, (5, 50, 95)).tolist()
    return Spread(float(np.mean(numbers)), low, median, high, float(max(numbers)))


def _adds_up(game: Game) -> bool:
    """Return whether the payoffs of all seats have the same sum in every game."""
    from pyramidion.engine.payoffs import payoffs_of

    return payoffs_of(game, game.usual_seats).total is not None


def rows(description: Description) -> dict[str, str]:
    """Return a description as the rows of a table: what is measured, and its value in words."""
    d = description
    low, high = d.players
    sizes = [
        "nothing hidden" if size is None else f"{'more than ' if bound else ''}10^{size:.1f}"
        for size, bound in zip(d.information_sets, d.bounded, strict=True)
    ]
    payoffs = {"share": "a share of the win, 0 to 1", "sign": "+1, 0 or -1", "sum": "a sum, such as chips"}
    return {
        "players": f"{low}" if low == high else f"{low} to {high}",
        "payoffs": payoffs[d.payoff_form] + (", always with the same total" if d.constant_sum else ""),
        "decisions followed by chance": f"{d.chance:.0%}",
        "decisions at the same time as others": f"{d.simultaneous:.0%}",
        "decisions at which something is hidden": f"{d.hidden:.0%}",
        "legal actions": (
            f"{d.branching.mean:.1f}; median {d.branching.median:.0f}, "
            f"95 % at most {d.branching.high:.0f}, most {d.branching.greatest:.0f}"
        ),
        "decisions with one legal action": f"{d.forced:.0%}",
        "decisions in a game": f"{d.length.mean:.0f}; 90 % from {d.length.low:.0f} to {d.length.high:.0f}",
        "lines of play": f"about 10^{d.tree:.0f}",
        "positions in an information set": f"early {sizes[0]}, in the middle {sizes[1]}, late {sizes[2]}",
        "actions, in all": f"{d.actions:,}",
        "numbers in an observation": f"{d.observation:,}",
        "bytes of a state": f"{d.state_bytes:,}",
    }
