"""Tests of the leaderboard page: which figures stand in one table, and lines of one agent from several files."""

from __future__ import annotations

import re
from dataclasses import replace

from docs import leaderboard
from docs.leaderboard import CITATION, ROOT, read_citation

from pyramidion import lab
from pyramidion.lab.evaluation import protocol_of
from pyramidion.lab.evaluation.losses import JudgedDecision, loss_of

GAME = "pyramis-mini"


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of a table's lines."""
    lines = [[cell.strip() for cell in line[2:-1].split(" | ")] for line in page.splitlines() if line[:1] == "|"]
    return [cells for cells in lines if cells[0] != "---"]


def test_one_agent_has_one_line_and_only_whole_results_have_a_rating(tmp_path, monkeypatch):
    monkeypatch.setattr(leaderboard, "RESULTS", tmp_path)
    for name, opponent in (("first", "random"), ("second", "policy")):
        few = {"games": 4, "decisions": 0, "opponents": [opponent], "command": f"the {name} command"}
        lab.evaluate(GAME, ["policy"], **few).save(tmp_path / f"{name}.json")
    result = lab.evaluate(GAME, ["random"], games=4, decisions=0, opponents=["random", "policy"])
    replace(result, complete=True).save(tmp_path / "whole.json")

    page = leaderboard.leaderboard()
    columns, policy, random = rows_of(page)
    assert columns[:4] == ["agent", "against random", "against policy", "rating"]
    assert policy[0].startswith("policy<br><small>part: "), "the best against policies comes first"
    assert random[0].startswith("random<br><small>whole: ")
    assert policy[3] == ""
    assert re.match(r"\d+\.\d<br><small>± ", random[3])
    assert all("4 games" in cell for cell in policy[1:3])
    for name in ("first", "second"):
        assert f"[{name}](../../benchmarks/results/{name}.json)" in policy[0]
        assert page.count(f"<code>the {name} command</code>") == 1


def test_agents_that_thought_for_another_time_have_a_table_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(leaderboard, "RESULTS", tmp_path)
    for name, budget in (("a", "iterations:1000"), ("b", "iterations:50")):
        protocol = replace(protocol_of(GAME), budget=lab.evaluation.Budget.read(budget), decisions=0)
        lab.evaluate(GAME, ["random"], protocol=protocol, games=2).save(tmp_path / f"{name}.json")
    page = leaderboard.leaderboard()
    assert page.count("| agent |") == 2
    assert "a budget of iterations:50 for Expert and Master" in page


def test_losses_whose_decisions_are_not_in_the_file_are_marked(tmp_path, monkeypatch):
    monkeypatch.setattr(leaderboard, "RESULTS", tmp_path)
    result = lab.evaluate(GAME, ["random"], games=2, decisions=0, opponents=["random"])
    judged = (JudgedDecision(0, 1, 2, 0.25), JudgedDecision(0, 2, 1, 0.0))
    for decisions in (judged, ()):
        agent = replace(result.agents[0], loss=loss_of(judged), judged=decisions)
        replace(result, agents=(agent,)).save(tmp_path / "a.json")
        page = leaderboard.leaderboard()
        cell = rows_of(page)[1][2]
        assert "2 decisions" in cell
        assert (leaderboard.UNVERIFIED in cell) == (leaderboard.UNVERIFIED_LOSSES in page) == (decisions == ())


def test_the_benchmark_page_says_how_to_cite_this_version():
    text = (ROOT / "docs" / "benchmark.md").read_text("utf-8")
    assert CITATION.format(**read_citation()) in text
