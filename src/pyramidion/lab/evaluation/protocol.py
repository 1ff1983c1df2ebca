"""Evaluation protocols as data: seats, options, opponents, decks and budgets of each game.

A published protocol never changes; a different one gets a new version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pyramidion.engine.registry import load

BudgetKind = Literal["iterations", "seconds", "none"]


@dataclass(frozen=True, slots=True)
class Budget:
    """The thinking budget of a decision of Expert and Master; other levels have iterations of their own.

    Attributes:
        kind: `iterations` of the search, `seconds` of processor time, or `none`: the level's own limits.
        amount: the number of iterations or seconds; 0 with `none`.
    """

    kind: BudgetKind
    amount: float = 0.0

    @staticmethod
    def read(text: str) -> Budget:
        """Parse `iterations:1000`, `seconds:0.5` or `none`. Raises ValueError for anything else."""
        if text == "none":
            return Budget("none")
        match = re.fullmatch(r"(iterations|seconds):(\d+(?:\.\d+)?)", text)
        amount = float(match[2]) if match else 0.0
        if match and amount > 0 and match[1] == "seconds":
            return Budget("seconds", amount)
        if match and amount >= 1 and amount.is_integer():
            return Budget("iterations", amount)
        raise ValueError(f"A budget is written iterations:NUMBER, seconds:NUMBER or none; {text[:40]!r} is not.")

    def __str__(self) -> str:
        return self.kind if self.kind == "none" else f"{self.kind}:{self.amount:g}"


@dataclass(frozen=True, slots=True)
class Opponent:
    """A reference opponent, which takes all seats but the agent's.

    Attributes:
        name: the name of a bot, as for `bots.load`.
        decks: the number of decks; each is played once with the agent in every seat.
    """

    name: str
    decks: int


@dataclass(frozen=True, slots=True)
class Protocol:
    """How agents are measured in one game.

    Attributes:
        version: the protocol's name, such as `v1`.
        game, seats, options: what is played.
        opponents: the reference opponents.
        seed: the seed of the decks; deck `n` is the same for every agent and opponent.
        budget: of Expert and Master, as agents and as opponents.
        decisions: the number of decisions that a deep search judges.
        deep: the iterations of the search that finds the best action of a decision.
        compared: the iterations for each of two actions that are compared.
    """

    version: str
    game: str
    seats: int
    opponents: tuple[Opponent, ...]
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seed: str = "pyramidion v1"
    budget: Budget = Budget("iterations", 1000)
    decisions: int = 100
    deep: int = 10_000
    compared: int = 2_000

    def to_json(self) -> dict[str, Any]:
        """Return the protocol as JSON-ready data."""
        return {
            "version": self.version,
            "game": self.game,
            "seats": self.seats,
            "options": dict(self.options),
            "opponents": [{"name": opponent.name, "decks": opponent.decks} for opponent in self.opponents],
            "seed": self.seed,
            "budget": str(self.budget),
            "decisions": self.decisions,
            "deep": self.deep,
            "compared": self.compared,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Protocol:
        """Return the protocol that `to_json` has written. Raises KeyError or ValueError for anything else."""
        fields: dict[str, Any] = {
            **data,
            "opponents": tuple(Opponent(entry["name"], entry["decks"]) for entry in data["opponents"]),
            "budget": Budget.read(data["budget"]),
        }
        return Protocol(**fields)


def _v1(game: str, seats: int, hard: int = 20) -> Protocol:
    """Return version 1 for a game: 20 decks against random players, 100 against policies, `hard` against Hard."""
    return Protocol("v1", game, seats, (Opponent("random", 20), Opponent("policy", 100), Opponent("hard", hard)))


_DECLARED = (
    _v1("downside-up", 10, hard=5),
    _v1("ponzi-scheme", 4),
    _v1("pyramid-scheme", 3),
    _v1("pyramid-shambo", 6),
    _v1("pyramis", 3),
    _v1("upside-down", 10, hard=5),
)
PROTOCOLS = {(protocol.version, protocol.game): protocol for protocol in _DECLARED}
VERSIONS = tuple(dict.fromkeys(protocol.version for protocol in _DECLARED))


def protocol_of(game_id: str, version: str = "v1") -> Protocol:
    """Return a game's protocol. A game that declares none, such as a small sibling, is played at its usual seats.

    Raises ValueError for an unknown version, and KeyError for an unknown game.
    """
    if version not in VERSIONS:
        raise ValueError(f"There is no protocol {version[:40]!r}; there are: {', '.join(VERSIONS)}.")
    game = load(game_id)
    return PROTOCOLS.get((version, game_id)) or _v1(game.id, game.usual_seats)
