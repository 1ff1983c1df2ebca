"""Verification of result files: figures are computed anew, some games played and decisions judged again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

from pyramidion.bots.player import Player
from pyramidion.engine.match import Match
from pyramidion.engine.refusals import id_of
from pyramidion.engine.registry import load
from pyramidion.lab.arena.runner import seed_of
from pyramidion.lab.evaluation.agents import Agent
from pyramidion.lab.evaluation.games import PlayedGame, pairings, play_game, record_digest
from pyramidion.lab.evaluation.losses import Judge, loss_of
from pyramidion.lab.evaluation.protocol import Protocol, protocol_of
from pyramidion.lab.evaluation.result import RECORDS, AgentResult, against, rating_of, read_evaluation


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification has checked, and what is wrong.

    Attributes:
        games: how many games were played again; `of`: all games.
        problems: what is wrong, in sentences.
        decisions: how many decisions were judged again; `judged`: all judged decisions of the file.
        unchecked: the agents with a loss whose judged decisions the file does not hold.
    """

    games: int
    of: int
    problems: tuple[str, ...]
    decisions: int = 0
    judged: int = 0
    unchecked: tuple[str, ...] = ()


def verify(path: Path | str, sample: int = 6, seed: int = 0, decisions: int = 3) -> Verification:
    """Check a result file: its figures, and `sample` games and `decisions` judged decisions of each agent.

    Shares, payoffs and ratings are computed anew from the games, and losses from the judged decisions. A decision is
    judged again by the protocol's search, which takes a second or so; a built-in bot must also choose the same action.
    That the positions between them were rightly left out is not checked, nor are exploitability and processor times.

    Games of a built-in bot are played again from their seeds. Of other agents the recorded games are replayed: their
    own moves are taken from the record, and the opponents must choose what they chose there.
    Raises OSError if the file cannot be read, and ValueError if it is no result file.
    """
    evaluation = read_evaluation(path)
    judge = Judge(evaluation.protocol)
    protocol, problems, played = evaluation.protocol, list[str](), 0
    if evaluation.complete and protocol != protocol_of(protocol.game, protocol.version):
        problems.append(f"The file says that it is complete, but its protocol is not {protocol.version}.")
    for result in evaluation.agents:
        problems += _wrong_figures(protocol, result)
        problems += _wrong_losses(result, judge, decisions, seed)
        rows = {(row.opponent, row.deck, row.seat): row for row in result.games}
        agent = Agent(result.name, result.what)
        chosen = list(rows.values()) if agent.is_builtin else [rows[_place(entry)] for entry in result.records]
        chosen = Random(seed).sample(chosen, min(sample, len(chosen)))
        for row in chosen:
            record = next((entry["record"] for entry in result.records if _place(entry) == _key(row)), None)
            again = _digest(protocol, agent, row, record)
            played += 1
            if again != row.digest:
                problems.append(
                    f"{result.name} against {row.opponent}, deck {row.deck}, seat {row.seat}: the game is another "
                    f"when it is played again ({again or 'an opponent chose otherwise'}, not {row.digest})."
                )
    judged = [len(result.judged) for result in evaluation.agents]
    return Verification(
        played,
        sum(len(result.games) for result in evaluation.agents),
        tuple(problems),
        sum(min(decisions, count) for count in judged),
        sum(judged),
        tuple(result.name for result in evaluation.agents if result.loss and not result.judged),
    )


def _key(row: PlayedGame) -> tuple[str, int, int]:
    """Return the place of a game in the protocol."""
    return row.opponent, row.deck, row.seat


def _place(entry: dict[str, Any]) -> tuple[str, int, int]:
    """Return the place in the protocol of a recorded game."""
    return entry["opponent"], entry["deck"], entry["seat"]


def _wrong_figures(protocol: Protocol, result: AgentResult) -> list[str]:
    """Return what is wrong in the figures of an agent, computed anew from its games, and which records are missing."""
    game, problems = load(protocol.game), list[str]()
    if rating_of(game, protocol, result.games) != (result.rating, result.uncertainty):
        problems.append(f"{result.name}: the games give another rating than the file.")
    recorded, played = Counter(entry["opponent"] for entry in result.records), Counter(r.opponent for r in result.games)
    for opponent, games in played.items():
        if recorded[opponent] < (needed := min(RECORDS, games)):
            problems.append(f"{result.name} against {opponent}: records of first games are missing (needed: {needed}).")
    return problems + [
        f"{result.name} against {stated.opponent}: the games give other figures than the file."
        for stated in result.opponents
        if against(game, protocol, stated.opponent, [r for r in result.games if r.opponent == stated.opponent])
        != stated
    ]


def _wrong_losses(result: AgentResult, judge: Judge, decisions: int, seed: int) -> Iterator[str]:
    """Yield what is wrong in the losses of an agent, and in a sample of its judged decisions."""
    if result.judged and loss_of(result.judged) != result.loss:
        yield f"{result.name}: the judged decisions give another loss than the file."
    agent = Agent(result.name, result.what)
    for number in Random(seed).sample(range(len(result.judged)), min(decisions, len(result.judged))):
        stated = result.judged[number]
        again = judge.judge_again(agent, number, stated)
        place = f"{result.name}, judged decision {number} (game {stated.game}, ply {stated.ply})"
        if again is None:
            yield f"{place}: the protocol judges no such action in this position."
        elif again.action != stated.action:
            yield f"{place}: {result.name} chooses action {again.action}, not {stated.action}."
        elif not isclose(again.loss, stated.loss, abs_tol=1e-9):
            yield f"{place}: the loss is {again.loss:.4f}, not {stated.loss:.4f}."


def _digest(protocol: Protocol, agent: Agent, row: PlayedGame, record: dict[str, Any] | None) -> str:
    """Play a game of a result again and return the digest of its record; empty if an opponent chooses otherwise."""
    pairing = next(
        pairing
        for opponent, pairing in pairings(protocol)
        if (opponent, pairing.block, pairing.seating.index(0)) == _key(row)
    )
    if record is None or agent.is_builtin:
        return play_game(protocol, agent, row.opponent, pairing)[0].digest
    match, other = Match.from_record(record), Agent(row.opponent, row.opponent)
    game = load(protocol.game)
    again = game.new(protocol.seats, pairing.seed, **protocol.options)
    players: dict[int, Player] = {
        seat: other.make_player(game, seed_of(pairing, seat), protocol.budget)
        for seat in range(protocol.seats)
        if seat != row.seat
    }
    for seat, action in match.history:
        if seat != row.seat and id_of(game, players[seat].move(again, seat)) != action:
            return ""
        again.play(seat, action)
    return record_digest(again)
