"""Tests of `pyramidion lab`: output, saved files, reports, resuming, and refusals."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import replace

import pytest

import pyramidion
from pyramidion import lab
from pyramidion.cli import main
from pyramidion.lab.reports import charts

pytestmark = pytest.mark.usefixtures("outside")


def refused(capsys, *arguments):
    assert main(["lab", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    return output.err


def test_it_answers_in_sentences_and_a_table(capsys):
    assert main(["lab", "high-card", "--games", "2000"]) == 0
    output = capsys.readouterr().out
    assert "High Card: how does it play with 2 seats?" in output
    assert re.search(r"The player who acts first wins \d+\.\d % \(\d+\.\d to \d+\.\d\) of the games", output)
    assert "2,000 games; 95 % intervals." in output
    assert re.search(r"length: decisions +4\.00 ", output)


@pytest.mark.slow
def test_it_compares_options_with_the_same_openings(capsys, tmp_path):
    page = tmp_path / "report.html"
    arguments = ["silent-auction", "--games", "1000", "--players", "random", "--against-option", "handicap=0,0,2"]
    assert main(["lab", *arguments, "--report", str(page)]) == 0
    output = capsys.readouterr().out
    assert "what changes from as printed to handicap=0,0,2?" in output
    assert re.search(r"Seat 2: \+\d+\.\d points \(\+\d", output)
    assert f"The report is in {page}." in output
    text = page.read_text("utf-8")
    assert "Holm" in text
    assert "--against-option handicap=0,0,2" in text


def test_the_report_needs_nothing_else_and_draws_every_picture(capsys, tmp_path):
    page = tmp_path / "report.html"
    assert main(["lab", "high-card", "--games", "3000", "--report", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert not re.search(r"(src|href|url)\s*[=(]", text)
    for title in ("Who wins", "When it is decided", "Points of the winner", "Kinds of actions", "Events"):
        assert f"<h2>{title}</h2>" in text
    assert text.count("<svg") == text.count("</svg>") >= 4


def test_json_holds_the_terms_and_all_tables(capsys):
    assert main(["lab", "high-card", "--games", "300", "--json", "--metrics", "wins,actions"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 300
    assert data["terms"]["game"] == "high-card"
    assert {"wins", "length", "families"} <= set(data["tables"])
    assert "events" not in data["tables"]
    assert sum(row["mean"] for row in data["tables"]["wins"] if row["item"].startswith("seat")) == pytest.approx(1)


def test_too_few_games_have_no_interval_and_no_infinite_number(capsys, tmp_path):
    page = tmp_path / "report.html"
    assert main(["lab", "high-card", "--games", "1", "--report", str(page)]) == 0
    output = capsys.readouterr().out
    assert re.search(r"A game has \d+ decisions \(too few games\)\.", output)
    assert re.search(r"first to act +\d+\.0 % \(\d+\.\d to \d+\.\d\)", output), "A share has an interval with one game."
    assert not re.search(r"\b(inf|nan)\b", output + page.read_text("utf-8"))
    assert main(["lab", "high-card", "--games", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert {row["low"] for row in data["tables"]["length"]} == {None}
    sweep = ["lab", "sweep", "high-card", "--vary", "seats=2,3", "--figure", "families:draw", "--games", "20"]
    assert main(sweep) == 0
    assert capsys.readouterr().out.count("too few games") == 2
    assert main([*sweep, "--json"]) == 0
    [rows] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["figures"].values()
    assert [row["mean"] for row in rows] == [None, None]


def test_tables_of_what_occurs_are_printed_on_demand(capsys):
    assert main(["lab", "high-card", "--games", "1000", "--table", "families"]) == 0
    output = capsys.readouterr().out
    assert re.search(r"draw +\d\.\d\d +\d+\.\d% +[+-]\d+\.\d +[+-]\d+\.\d to [+-]\d+\.\d", output)
    assert main(["lab", "high-card", "--games", "1000", "--table", "families:st"]) == 0
    output = capsys.readouterr().out
    assert "stay " in output
    assert "draw " not in output
    assert "There is no table 'luck'; the tables are: events," in refused(capsys, "high-card", "--table", "luck")


def test_ctrl_c_keeps_the_games_and_the_same_command_goes_on(capsys, tmp_path, monkeypatch):
    from pyramidion.cli import lab as command

    out = tmp_path / "run.parquet"
    arguments = ["lab", "high-card", "--games", "6000", "--out", str(out)]
    progress = command._Watch.progress

    def interrupted(self, done, games):
        progress(self, done, games)
        if done == 2000:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(command._Watch, "progress", interrupted)
    assert main(arguments) == 130
    output = capsys.readouterr().err
    kept = lab.Result.load(out)
    assert f"Stopped after {kept.games:,} games. The same command goes on from {out}." in output
    assert 2000 <= kept.games < 6000
    monkeypatch.setattr(command._Watch, "progress", progress)
    assert main(arguments) == 0
    assert lab.Result.load(out).data.equals(lab.experiment("high-card", games=6000).data)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nonsense"], "nonsense"),
        (["high-card", "--players", "policy,policy,policy,policy,policy"], "High Card has 2 to 4 seats, not 5."),
        (["high-card", "--metrics", "luck"], "There is no metric 'luck'"),
        (["high-card", "--cards", "/nowhere.toml"], "There is no card file /nowhere.toml."),
        (["high-card", "--option", "a=1"], "There is no option 'a'"),
        (["high-card", "--until", "0"], "--until must be a number of at least 0.001, not '0'"),
    ],
)
def test_it_refuses_in_one_line(capsys, arguments, sentence):
    assert sentence in refused(capsys, *arguments)


def test_a_file_of_another_experiment_is_refused_and_unharmed(capsys, tmp_path):
    out = tmp_path / "run.parquet"
    assert main(["lab", "high-card", "--games", "100", "--out", str(out)]) == 0
    before = out.read_bytes()
    capsys.readouterr()
    output = refused(capsys, "high-card", "--games", "100", "--seed", "5", "--out", str(out))
    assert "seed 0 in one and 5 in the other" in output
    assert out.read_bytes() == before


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.31, 0.42), (-0.6, 0.2), (3, 3), (0, 12345)])
def test_ticks_are_round_and_cover_the_range(low, high):
    steps = charts.ticks(low, high)
    assert steps[0] <= low
    assert steps[-1] >= high
    assert 2 <= len(steps) <= 8


def test_a_sweep_resumes_from_its_folder(capsys, tmp_path):
    out, page = tmp_path / "runs", tmp_path / "sweep.html"
    command = ["lab", "sweep", "high-card", "--vary", "seats=2..4", "--games", "200", "--figure", "length:decisions"]
    assert main([*command, "--out", str(out), "--report", str(page)]) == 0
    output = capsys.readouterr().out
    assert re.search(r"3 +6\.00 \(6\.00 to 6\.00\)", output)
    assert page.read_text("utf-8").count("<svg") == 1
    dates = {file.name: lab.Result.load(file).data for file in sorted(out.iterdir())}
    assert list(dates) == ["0000.parquet", "0001.parquet", "0002.parquet"]
    (out / "0001.parquet").unlink()
    assert main([*command, "--out", str(out), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["figures"]["length:decisions"]
    assert [(row["seats"], row["mean"]) for row in rows] == [(2, 4), (3, 6), (4, 8)]
    assert all(lab.Result.load(out / name).data.equals(data) for name, data in dates.items())


def test_a_search_finds_keeps_and_resumes(capsys, tmp_path):
    out = tmp_path / "search.jsonl"
    command = ["lab", "tune", "high-card", "--param", "seats=2..4", "--objective", "length:decisions=6"]
    command += ["--method", "ntbea", "--budget", "8", "--games", "50", "--out", str(out), "--json"]
    assert main(command) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["front"] == [{"values": {"seats": 3}, "goals": [0.0], "confirmed": [0.0]}]
    lines = out.read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + 8
    # As if it had been killed while writing its fifth trial.
    out.write_text("".join(lines[:5]) + lines[5][:9], "utf-8")
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == data
    assert out.read_text("utf-8").splitlines(keepends=True) == lines
    # The number of threads changes nothing that is found.
    assert main([*command, "--threads", "2"]) == 0
    assert json.loads(capsys.readouterr().out) == data
    assert main([*command, "--seed", "3"]) == 2
    assert "belongs to another search" in capsys.readouterr().err


def test_a_search_with_changed_cards_or_rules_is_another_one(capsys, tmp_path, monkeypatch):
    cards, out = tmp_path / "cards.toml", tmp_path / "search.jsonl"
    own = (pyramidion.load("pyramis").folder / "cards.toml").read_text("utf-8")
    command = ["lab", "tune", "pyramis", "--param", "seats=2,3", "--objective", "length:decisions=40"]
    command += ["--method", "ntbea", "--budget", "2", "--games", "20", "--players", "random", "--cards", str(cards)]
    command += ["--out", str(out)]
    cards.write_text(own, "utf-8")
    assert main(command) == 0
    cards.write_text(f"{own}\n# as before\n", "utf-8")
    assert main(command) == 2
    assert "belongs to another search" in capsys.readouterr().err
    cards.write_text(own, "utf-8")
    game = pyramidion.load("pyramis")
    monkeypatch.setattr("pyramidion.cli.lab_many.load", lambda _name: replace(game, rules_version=99))
    assert main(command) == 2
    assert "belongs to another search" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sweep", "high-card"], "Name at least one --vary PATH=VALUES."),
        (["sweep", "high-card", "--vary", "seats=4..2"], "a range goes upwards"),
        (["sweep", "high-card", "--vary", "colour=1"], "nothing to vary at 'colour'"),
        (
            ["sweep", "high-card", "--vary", "seats=2,3", "--games", "20", "--figure", "length:years"],
            "--figure length:years was not measured. Under 'length' there is: decisions, ",
        ),
        (["high-card", "--seed", "²", "--players", "nobody"], "There is no player 'nobody'"),
        (["tune", "high-card", "--param", "seats=2,3"], "Name at least one --objective"),
        (["tune", "high-card", "--param", "seats=2,3", "--objective", "luck"], "'luck' is no objective"),
    ],
)
def test_sweeps_and_searches_refuse_in_one_line(capsys, arguments, sentence):
    assert sentence in refused(capsys, *arguments)
