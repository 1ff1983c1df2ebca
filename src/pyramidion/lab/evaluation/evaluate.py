"""`evaluate`: plays a protocol's games for some agents, and returns what they achieved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from pyramidion.engine.registry import load
from pyramidion.lab.arena.runner import Guests
from pyramidion.lab.arena.schedule import Pairing
from pyramidion.lab.evaluation.agents import Agent, Make, read_agent
from pyramidion.lab.evaluation.exploitability import exploitability_of
from pyramidion.lab.evaluation.games import OpenGuests, PlayedGame, pairings, play_game
from pyramidion.lab.evaluation.losses import Judge, loss_of
from pyramidion.lab.evaluation.protocol import VERSIONS, Budget, Opponent, Protocol, protocol_of
from pyramidion.lab.evaluation.provenance import provenance
from pyramidion.lab.evaluation.result import RECORDS, AgentResult, Evaluation, against, rating_of

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

Progress = Callable[[int, int], None]
"""Called with the number of steps done and the total."""


def evaluate(
    game: str | Game,
    agents: Sequence[str | Make | Agent],
    *,
    protocol: str | Protocol = "v1",
    games: int | None = None,
    decisions: int | None = None,
    opponents: Sequence[str] | None = None,
    budget: Budget | str | None = None,
    jobs: int = 1,
    command: str = "",
    progress: Progress = lambda done, total: None,
    guests: OpenGuests | None = None,
) -> Evaluation:
    """Measure agents by a protocol, and return the result.

    Args:
        game: a game or its id, also of a small sibling such as `pyramis-mini`.
        agents: each a text as on the command line, or a function `make(game, seed)`.
        protocol: the protocol or its version.
        games: most games against each opponent, rounded up to whole decks; by default all of the protocol.
        decisions: the number of decisions that are judged; by default those of the protocol.
        opponents: only these opponents of the protocol.
        budget: another budget of Expert and Master, such as `iterations:200`.
        jobs: the number of worker processes, each of which plays whole decks. The result is the same but for the
            processor time, unless a bot's search is limited by time.
        command: the command line that repeats the evaluation, for the result.
        progress: called as the evaluation goes on.
        guests: opens the server for programs of the JSON API, `pyramidion.web.arena.Guests`.

    An agent that fails in a game loses it, and the result says why. Raises EntrantError, a ValueError, if an agent
    cannot be made at all, ValueError for an unknown protocol or opponent, or where another process cannot make an
    agent, and KeyError for an unknown game.
    """
    game = load(game) if isinstance(game, str) else game
    plan = protocol_of(game.id, protocol) if isinstance(protocol, str) else protocol
    if budget is not None:
        plan = replace(plan, budget=Budget.read(budget) if isinstance(budget, str) else budget)
    if decisions is not None:
        plan = replace(plan, decisions=decisions)
    if opponents:
        plan = replace(plan, opponents=tuple(_opponent(plan, name) for name in dict.fromkeys(opponents)))
    chosen = [agent if isinstance(agent, Agent) else read_agent(agent) for agent in agents]
    for agent in chosen:
        agent.make_player(game, "0", plan.budget)
        if jobs > 1 and (agent.make is not None or agent.entrant.is_guest):
            raise ValueError(
                f"{agent.name} is a function or a program of the JSON API, which one process evaluates: leave jobs out."
            )
    schedule = list(pairings(plan, games))
    declared = plan.version in VERSIONS and plan == protocol_of(game.id, plan.version)
    complete = declared and len(schedule) == len(list(pairings(plan)))
    origin = provenance(game, command)
    total, done = len(chosen) * (len(schedule) + 1), 0
    server = guests() if guests is not None and any(agent.entrant.is_guest for agent in chosen) else None
    judge = Judge(plan) if plan.decisions else None
    decks = [list(deck) for _, deck in groupby(schedule, lambda entry: (entry[0], entry[1].block))]
    pool = ProcessPoolExecutor(jobs, get_context("spawn")) if jobs > 1 else None
    results: list[AgentResult] = []
    try:
        for agent in chosen:
            rows, records = list[PlayedGame](), list[dict[str, Any]]()
            play = partial(_play_deck, plan, agent, guests=server)
            for played in map(play, decks) if pool is None else pool.map(play, decks):
                for row, record in played:
                    rows.append(row)
                    if sum(earlier["opponent"] == row.opponent for earlier in records) < RECORDS:
                        place = {"opponent": row.opponent, "deck": row.deck, "seat": row.seat}
                        records.append({**place, "record": record})
                done += len(played)
                progress(done, total)
            results.append(_result(game, plan, agent, rows, records, judge))
            done += 1
            progress(done, total)
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        if server is not None:
            server.close()
    return Evaluation(plan, complete, origin, tuple(results))


def _play_deck(
    protocol: Protocol, agent: Agent, deck: Sequence[tuple[str, Pairing]], guests: Guests | None = None
) -> list[tuple[PlayedGame, dict[str, Any]]]:
    """Play an agent's games of one deck, in a worker process or in this one; return them with their records."""
    played = [play_game(protocol, agent, opponent, pairing, guests) for opponent, pairing in deck]
    return [(row, match.record()) for row, match in played]


def _opponent(protocol: Protocol, name: str) -> Opponent:
    """Return an opponent of a protocol by its name. Raises ValueError if it has none of this name."""
    named = next((opponent for opponent in protocol.opponents if opponent.name == name), None)
    if named is None:
        names = ", ".join(opponent.name for opponent in protocol.opponents)
        raise ValueError(f"Protocol {protocol.version} has no opponent {name[:40]!r}; its opponents are {names}.")
    return named


def _result(
    game: Game,
    protocol: Protocol,
    agent: Agent,
    rows: Sequence[PlayedGame],
    records: Sequence[dict[str, Any]],
    judge: Judge | None,
) -> AgentResult:
    """Return what an agent achieved in its games."""
    names = [opponent.name for opponent in protocol.opponents]
    rating, uncertainty = rating_of(game, protocol, rows)
    decided = sum(row.decisions for row in rows)
    judged = [] if judge is None or agent.entrant.is_guest else judge.judge(agent)
    exploited = exploitability_of(agent, protocol)
    return AgentResult(
        agent.name,
        agent.what,
        tuple(against(game, protocol, name, [row for row in rows if row.opponent == name]) for name in names),
        rating,
        uncertainty,
        sum(row.seconds for row in rows) / max(1, decided),
        loss_of(judged),
        None if exploited is None else asdict(exploited),
        tuple(rows),
        tuple(records),
        tuple(judged),
    )
