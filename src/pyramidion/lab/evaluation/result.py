"""Results of evaluations: figures of agents, and result files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field, fields
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.lab.arena.standings import Share, standings
from pyramidion.lab.evaluation.games import PlayedGame, played_game
from pyramidion.lab.evaluation.losses import JudgedDecision, Loss
from pyramidion.lab.evaluation.protocol import Protocol
from pyramidion.lab.statistics.intervals import Z, mean_and_error

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

FORMAT = 1
"""Version of the format of result files."""
OWN_KEYS = ("format", "protocol", "complete", "game_columns", "judged_columns", "agents")
"""Keys of a result file besides those of its provenance."""

LINES = ("games", "records", "judged")
"""Lists of an agent whose entries get a line each in a result file."""
RECORDS = 2
"""Games against each opponent whose records a result keeps."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its 95 % interval over decks."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class AgainstOpponent:
    """What an agent achieved against one opponent.

    Attributes:
        opponent: the opponent's name.
        wins: the share of wins, with an interval that allows for games of a deck depending on each other.
        chance: the share of wins to expect among equals.
        payoff: the mean payoff.
        failures: the games that the agent lost by failing.
    """

    opponent: str
    wins: Share
    chance: float
    payoff: Mean
    failures: int


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What an agent achieved in an evaluation.

    Attributes:
        name, what: the agent, as in `Agent`.
        opponents: what it achieved against each opponent.
        rating, uncertainty: mean and standard deviation of its skill (Plackett-Luce), by its own games alone; it and
            the opponents begin at 25 and 8.33.
        seconds: processor time per decision.
        loss: what its decisions lose, or None if none were judged.
        exploitability: as `exploitability.Exploitability` in JSON, or None.
        games: its games. `records`: the records of some of them, each with `opponent`, `deck`, `seat` and `record`.
        judged: the decisions of which `loss` is the mean; empty in files that older versions have written.
    """

    name: str
    what: str
    opponents: tuple[AgainstOpponent, ...]
    rating: float
    uncertainty: float
    seconds: float
    loss: Loss | None
    exploitability: dict[str, Any] | None
    games: tuple[PlayedGame, ...] = field(repr=False)
    records: tuple[dict[str, Any], ...] = field(repr=False)
    judged: tuple[JudgedDecision, ...] = field(default=(), repr=False)

    @property
    def failures(self) -> list[str]:
        """The different reasons for which the agent lost games by failing."""
        return list(dict.fromkeys(game.failure for game in self.games if game.failure))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of an evaluation.

    Attributes:
        protocol: the protocol. `complete`: whether all of it was played, with its own budget.
        provenance: versions, commit, machine, date and command.
        agents: what each agent achieved.
    """

    protocol: Protocol
    complete: bool
    provenance: dict[str, Any]
    agents: tuple[AgentResult, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON-ready data, the content of a result file."""
        agents = [
            {
                **asdict(agent),
                "games": [game.to_json() for game in agent.games],
                "judged": [list(astuple(decision)) for decision in agent.judged],
                "failures": agent.failures,
            }
            for agent in self.agents
        ]
        return {
            "format": FORMAT,
            "protocol": self.protocol.to_json(),
            "complete": self.complete,
            "game_columns": [entry.name for entry in fields(PlayedGame)],
            "judged_columns": [entry.name for entry in fields(JudgedDecision)],
            **self.provenance,
            "agents": agents,
        }

    def save(self, path: Path | str) -> None:
        """Write the result to a JSON file, with one line for each game and each judged decision."""
        data = self.to_json()
        # Games, records and judged decisions get a line each; everything else is indented.
        parts = {
            f"{name} {number}": json.dumps(part, ensure_ascii=False, separators=(",", ":"))
            for name in LINES
            for number, part in enumerate(part for agent in data["agents"] for part in agent[name])
        }
        for name in LINES:
            numbers = count()
            for agent in data["agents"]:
                agent[name] = [f"{name} {next(numbers)}" for _ in agent[name]]
        text = json.dumps(data, indent=1, ensure_ascii=False)
        text = re.sub(rf'"((?:{"|".join(LINES)}) \d+)"', lambda place: parts[place[1]], text)
        Path(path).write_text(text + "\n", "utf-8")


def rating_of(game: Game, protocol: Protocol, rows: Sequence[PlayedGame]) -> tuple[float, float]:
    """Return the mean and the standard deviation of an agent's skill by its games."""
    names = [opponent.name for opponent in protocol.opponents]
    finished = [row.finished(game, number, 1 + names.index(row.opponent)) for number, row in enumerate(rows)]
    finished.sort(key=lambda played: (played.block, played.seating, played.turn))
    own = next(row for row in standings(["", *names], protocol.seats, finished) if not row.name)
    return own.rating, own.uncertainty


def against(game: Game, protocol: Protocol, opponent: str, rows: Sequence[PlayedGame]) -> AgainstOpponent:
    """Return what an agent achieved in its games against one opponent."""
    finished = [row.finished(game, number, 1) for number, row in enumerate(rows)]
    own = next(row for row in standings(["", opponent], protocol.seats, finished) if not row.name)
    decks: dict[int, list[float]] = {}
    for row in rows:
        decks.setdefault(row.deck, []).append(row.payoffs[row.seat])
    # Every deck has as many games, so the mean of the decks' means is that of the games.
    means = [sum(payoffs) / len(payoffs) for payoffs in decks.values()]
    mean, error = mean_and_error(sum(means), sum(value * value for value in means), len(means))
    payoff = Mean(mean, mean - Z * error, mean + Z * error)
    return AgainstOpponent(opponent, own.wins, own.chance, payoff, sum(bool(row.failure) for row in rows))


def read_evaluation(path: Path | str) -> Evaluation:
    """Read a result file. Raises OSError if it cannot be read, and ValueError with a sentence if it is none."""
    try:
        data = json.loads(Path(path).read_text("utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"its format is {data['format']}, not {FORMAT}")
        return Evaluation(
            Protocol.from_json(data["protocol"]),
            data["complete"],
            {name: value for name, value in data.items() if name not in OWN_KEYS},
            tuple(_agent(entry) for entry in data["agents"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is no result of an evaluation: {error}.") from None


def _agent(data: dict[str, Any]) -> AgentResult:
    """Return the result of one agent from a result file."""
    rows: list[dict[str, Any]] = [
        {**row, "wins": Share(**row["wins"]), "payoff": Mean(**row["payoff"])} for row in data["opponents"]
    ]
    return AgentResult(
        data["name"],
        data["what"],
        tuple(AgainstOpponent(**row) for row in rows),
        data["rating"],
        data["uncertainty"],
        data["seconds"],
        Loss(**data["loss"]) if data["loss"] else None,
        data["exploitability"],
        tuple(played_game(game) for game in data["games"]),
        tuple(data["records"]),
        tuple(JudgedDecision(*decision) for decision in data.get("judged", ())),
    )
