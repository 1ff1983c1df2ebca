"""The benchmark: agents measured by a protocol, result files, and their verification."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from pyramidion import lab
from pyramidion.bots import RandomBot
from pyramidion.cli.app import main
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.evaluation import Budget, Opponent, page, protocol_of, read_evaluation, verify
from pyramidion.lab.evaluation.games import pairings

RESULTS = sorted((Path(__file__).parents[2] / "benchmarks" / "results").glob("*.json"))
SMALL = replace(protocol_of("pyramis-mini"), opponents=(Opponent("random", 3), Opponent("policy", 2)), decisions=0)


def first(game, seed):
    return lambda observation, mask: mask.argmax()


def test_every_game_has_a_protocol_of_its_usual_seats():
    protocol = protocol_of("ponzi-scheme")
    assert (protocol.seats, protocol.budget) == (4, Budget("iterations", 1000))
    assert protocol.from_json(json.loads(json.dumps(protocol.to_json()))) == protocol
    with pytest.raises(ValueError, match="There is no protocol 'v9'; there are: v1"):
        protocol_of("pyramis", "v9")


def test_the_agent_has_every_seat_of_every_deck_and_opponents_share_the_decks():
    games = list(pairings(protocol_of("pyramis"), 6))
    seats = {(opponent, pairing.block, pairing.seating.index(0)) for opponent, pairing in games}
    assert seats == {
        (name, deck, seat) for name in ("random", "policy", "hard") for deck in (0, 1) for seat in range(3)
    }
    assert len({pairing.seed for _, pairing in games}) == 2


def test_agents_of_all_forms_are_measured_and_read_back(tmp_path):
    result = lab.evaluate("pyramis-mini", ["random", "first=tests.lab.test_evaluation:first", first], protocol=SMALL)
    assert [agent.name for agent in result.agents] == ["random", "first", "first"]
    named, given = result.agents[1:]
    assert not result.complete
    assert [row.wins.games for row in named.opponents] == [6, 4]
    assert [game.digest for game in named.games] == [game.digest for game in given.games]
    result.save(tmp_path / "result.json")
    again = read_evaluation(tmp_path / "result.json")
    assert json.dumps(again.to_json()) == json.dumps(result.to_json())
    assert "pyramis-mini" in (tmp_path / "result.json").read_text()
    assert "iterations:1000" in page(again)
    checked = verify(tmp_path / "result.json", sample=3)
    assert (checked.games, checked.problems) == (9, ())


def test_processes_give_the_same_result():
    opponents = (Opponent("random", 2), Opponent("policy", 1))
    protocol = replace(protocol_of("pyramis-micro"), opponents=opponents, decisions=0)
    agents = ["policy", "first=tests.lab.test_evaluation:first"]
    alone, together = (lab.evaluate("pyramis-micro", agents, protocol=protocol, jobs=jobs) for jobs in (1, 2))
    for one, two in zip(alone.agents, together.agents, strict=True):
        assert [replace(game, seconds=0.0) for game in two.games] == [replace(game, seconds=0.0) for game in one.games]
        assert (two.opponents, two.records, two.rating) == (one.opponents, one.records, one.rating)
    with pytest.raises(ValueError, match="one process evaluates: leave jobs out"):
        lab.evaluate("pyramis-micro", [first], protocol=protocol, jobs=2)


def test_a_changed_file_does_not_verify(tmp_path, capsys):
    path = tmp_path / "result.json"
    lab.evaluate("pyramis-mini", ["random"], protocol=SMALL).save(path)
    data = json.loads(path.read_text())
    data["agents"][0]["opponents"][0]["wins"]["share"] = 0.99
    for game in data["agents"][0]["games"]:
        game[-1] = "0" * 16
    path.write_text(json.dumps(data))
    problems = verify(path, sample=1).problems
    assert len(problems) == 2
    assert "the games give other figures" in problems[0]
    assert "the game is another when it is played again" in problems[1]
    seat = int(re.search(r", seat (\d):", problems[1])[1])
    assert run("evaluate", "--verify", str(path), "--sample", "1") == 1
    assert f", seat {seat + 1}: the game is another" in capsys.readouterr().out, "commands count from 1"
    data = json.loads(json.dumps(lab.evaluate("pyramis-mini", ["random"], protocol=SMALL).to_json()))
    data["agents"][0]["rating"], data["agents"][0]["records"] = 40.0, []
    path.write_text(json.dumps(data))
    rating, *records = verify(path, sample=0).problems
    assert "another rating" in rating
    assert len(records) == 2
    assert all("records of first games are missing (needed: 2)" in sentence for sentence in records)
    path.write_text("{}")
    with pytest.raises(ValueError, match="is no result of an evaluation"):
        verify(path)


class Faults:
    """An agent that plays an illegal action, raises or exits, by its seed."""

    def __init__(self, game, seed):
        self.fault = int(seed, 16) % 3

    def move(self, match, seat):
        if self.fault == 0:
            raise SystemExit(1)
        return 10**6 if self.fault == 1 else {}["action"]


def faulty(game, seed):
    return first(game, seed) if seed == "0" else Faults(game, seed)


def test_a_failing_agent_loses_its_games_and_the_result_says_why():
    agent = lab.evaluate("pyramis-mini", [faulty], protocol=SMALL).agents[0]
    assert [row.failures for row in agent.opponents] == [6, 4]
    assert all(row.wins.share == 0 for row in agent.opponents)
    told = " ".join(agent.failures)
    assert "SystemExit" in told
    assert "illegal action at ply" in told
    assert "KeyError: 'action'" in told


def test_an_agent_that_cannot_be_made_ends_the_run():
    for agent, message in (
        ("nobody", "There is no bot 'nobody'"),
        ("no_such_module:make", "no_such_module:make cannot be imported"),
        ("json:nothing", "The module json has nothing called nothing"),
        ("json:dumps", "json:dumps.*failed"),
    ):
        with pytest.raises(EntrantError, match=message):
            lab.evaluate("pyramis-mini", [agent], protocol=SMALL)


def test_losses_are_judged_in_the_same_positions_for_all_agents_and_verify(tmp_path):
    few = {"opponents": (Opponent("random", 1),), "decisions": 3, "deep": 200, "compared": 48}
    protocol = replace(SMALL, **few)
    result = lab.evaluate("pyramis-mini", ["policy", first], protocol=protocol)
    losses, places = [agent.loss for agent in result.agents], []
    assert all(loss is not None and loss.decisions == 3 and -1 <= loss.mean <= 1 for loss in losses)
    for agent in result.agents:
        places.append([(decision.game, decision.ply) for decision in agent.judged])
    assert places[0] == places[1]
    path = tmp_path / "result.json"
    result.save(path)
    checked = verify(path, sample=1, decisions=2)
    assert (checked.decisions, checked.judged, checked.problems, checked.unchecked) == (4, 6, (), ())

    data = json.loads(path.read_text())
    for agent in data["agents"]:
        for decision in agent["judged"]:
            decision[3] -= 0.25
    path.write_text(json.dumps(data))
    policy, *others = verify(path, sample=1, decisions=1).problems
    assert policy == "policy: the judged decisions give another loss than the file."
    assert any("first, judged decision" in sentence and "the loss is" in sentence for sentence in others)
    for agent in data["agents"]:
        agent["judged"] = []
    path.write_text(json.dumps(data))
    assert verify(path, sample=1).unchecked == ("policy", "first")


def test_uniform_play_is_an_equilibrium_of_one_pyramid_each():
    pytest.importorskip("pyspiel")
    from pyramidion.lab.evaluation.agents import Agent
    from pyramidion.lab.evaluation.exploitability import exploitability_of

    protocol = protocol_of("pyramid-shambo-mini")
    exploited = exploitability_of(Agent("random", "random"), protocol)
    assert exploited is not None
    assert exploited.nash_conv == pytest.approx(0, abs=1e-9)
    assert exploited.information_sets == 2590
    uniform = exploitability_of(Agent("uniform", "", RandomBot), protocol)
    assert uniform == exploited, "the probabilities of a bot that knows them are used as they are"
    predictable = exploitability_of(Agent("first", "", first), protocol)
    assert predictable is not None
    assert predictable.nash_conv > 0.5


def test_trees_that_are_too_large_are_estimated():
    from pyramidion.engine.registry import load
    from pyramidion.lab.evaluation.game_tree import GameTree, TooLarge, estimate_size

    pytest.importorskip("pyspiel")
    with pytest.raises(TooLarge, match="more than 100 nodes"):
        GameTree.of(load("pyramis-mini"), max_nodes=100)
    size = estimate_size(load("pyramis-mini"), probes=50)
    assert 13 < size.median < 15


def test_the_command_writes_both_files_and_errors_are_sentences(tmp_path, capsys):
    files = ["--json", str(tmp_path / "r.json"), "--html", str(tmp_path / "r.html")]
    few = ["--games", "2", "--decisions", "0", "--opponent", "random"]
    assert run("evaluate", "pyramis-mini", "--agent", "policy", *few, *files) == 0
    assert "in part" in capsys.readouterr().out
    command = json.loads((tmp_path / "r.json").read_text())["command"]
    assert command == "pyramidion evaluate pyramis-mini --agent policy --opponent random --games 2 --decisions 0"
    assert run("evaluate", "--verify", str(tmp_path / "r.json")) == 0
    assert "2 of 2 games played again, nothing wrong" in capsys.readouterr().out.replace("\n", " ")
    for words, message in (
        (["pyramis", "--verify", str(tmp_path / "r.json")], "r.json is a result of pyramis-mini, not of pyramis."),
        (["pyramis", "--agent", "policy", "--budget", "much"], "A budget is written"),
        (["pyramis", "--agent", "policy", "--opponent", "me"], "has no opponent 'me'; its opponents are random"),
        (["pyramis"], "Name a game and at least one agent"),
    ):
        assert run("evaluate", *words) == 2
        assert message in capsys.readouterr().err


def baselines():
    """Return the module that plays the baselines."""
    spec = importlib.util.spec_from_file_location("baselines", RESULTS[0].parents[1] / "baselines.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*words):
    """Run the command line and return its exit code."""
    try:
        return main(list(words)) or 0
    except SystemExit as stopped:
        return stopped.code


@pytest.mark.parametrize("path", [path for path in RESULTS if path.name != "minis.json"], ids=lambda path: path.stem)
def test_result_files_in_the_repository_verify(path):
    evaluation = read_evaluation(path)
    played, planned = shlex.split(evaluation.provenance["command"])[2:], baselines().runs().get(path.stem)
    # A contribution is measured by a command of its own.
    assert played
    assert planned in (played, None)
    # Others would need a compiled search.
    if not path.stem.endswith(("-levels", "-hard")):
        assert verify(path, sample=1, decisions=0).problems == ()
