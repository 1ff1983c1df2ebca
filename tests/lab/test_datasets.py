"""Tests of data sets: what is written, resumed, verified and read back."""

from __future__ import annotations

import json

import polars as pl
import pytest

import pyramidion
from pyramidion.cli import main
from pyramidion.lab.datasets import OtherDataset, make_spec, verify_dataset, write_dataset

pytestmark = pytest.mark.usefixtures("outside")
GAME = "sealed-bid"


def tables(folder):
    return [pl.read_parquet(folder / part / "*.parquet") for part in ("games", "decisions")]


def test_every_decision_is_a_row_with_what_the_seat_saw(tmp_path):
    spec = make_spec(GAME, ["policy", "random", "random"], seed=5, shard=2)
    assert write_dataset(spec, 3, tmp_path) == 4
    games, decisions = tables(tmp_path)
    assert games["game"].to_list() == [0, 1, 2, 3]
    assert games["players"].to_list()[1] == ["random", "policy", "random"]
    game = pyramidion.load(GAME)
    for row in games.iter_rows(named=True):
        match = pyramidion.Match.from_record(json.loads(row["record"]))
        again = match.at(0)
        rows = list(decisions.filter(pl.col("game") == row["game"]).iter_rows(named=True))
        assert len(rows) == row["decisions"] == match.ply
        for decision, (seat, action) in zip(rows, match.history, strict=True):
            assert (decision["seat"], decision["action"]) == (seat, action)
            assert decision["player"] == row["players"][seat]
            assert decision["observation"] == again.observation(seat).tolist()
            assert decision["legal_mask"] == again.legal_mask(seat).tolist()
            assert decision["return"] == pytest.approx(match.outcome.payoffs[seat])
            assert decision["won"] == (seat in match.outcome.winners)
            assert decision["rules_version"] == game.rules_version
            again.play(seat, action)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "4 games with 3 seats" in card
    assert "`legal_mask` | Array(Boolean" in card


def test_a_stopped_data_set_goes_on_and_is_the_same(tmp_path):
    spec = make_spec(GAME, "random", seed="a", shard=2)
    write_dataset(spec, 2, tmp_path / "parts")
    (tmp_path / "parts" / "decisions" / "00000002.parquet.part").write_bytes(b"cut off")
    write_dataset(spec, 6, tmp_path / "parts")
    write_dataset(spec, 6, tmp_path / "whole")
    for part, whole in zip(tables(tmp_path / "parts"), tables(tmp_path / "whole"), strict=True):
        assert part.equals(whole)
    assert verify_dataset(tmp_path / "parts") == (6, len(tables(tmp_path / "whole")[1]))


@pytest.mark.slow
def test_processes_write_the_same_files(tmp_path):
    spec = make_spec(GAME, "random", shard=2)
    write_dataset(spec, 6, tmp_path / "here")
    write_dataset(spec, 6, tmp_path / "there", cluster="processes:2")
    for here, there in zip(tables(tmp_path / "here"), tables(tmp_path / "there"), strict=True):
        assert here.equals(there)


def test_what_is_not_this_data_set_is_refused(tmp_path):
    write_dataset(make_spec(GAME, "random", shard=2), 2, tmp_path / "set")
    with pytest.raises(OtherDataset, match=r'holds another data set \(seed: "1", not "2"\)'):
        write_dataset(make_spec(GAME, "random", seed=2, shard=2), 2, tmp_path / "set")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(OtherDataset, match="holds other files; name a new folder"):
        write_dataset(make_spec(GAME, "random"), 2, tmp_path / "other")
    with pytest.raises(OtherDataset, match="holds no data set"):
        verify_dataset(tmp_path / "other")
    with pytest.raises(ValueError, match="A table with 3 seats needs 3 players"):
        make_spec(GAME, ["random", "policy"], seats=3)


def test_a_changed_row_or_record_is_noticed(tmp_path):
    write_dataset(make_spec(GAME, "random", shard=2), 2, tmp_path)
    path = tmp_path / "decisions" / "00000000.parquet"
    table = pl.read_parquet(path)
    table.with_columns(action=pl.col("action") + 1).write_parquet(path)
    with pytest.raises(OtherDataset, match="differs from the records of its games"):
        verify_dataset(tmp_path)
    table.write_parquet(path)
    path = tmp_path / "games" / "00000000.parquet"
    games = pl.read_parquet(path)
    record = json.loads(games["record"][0])
    record["actions"] = record["actions"][:-1]
    games.with_columns(record=pl.lit(json.dumps(record))).write_parquet(path)
    with pytest.raises(OtherDataset, match="game 0: the record ends before the game"):
        verify_dataset(tmp_path)


def test_the_command_writes_continues_and_verifies(tmp_path, capsys):
    command = ["dataset", GAME, "--out", str(tmp_path / "set"), "--players", "policy,random,random", "--shard", "2"]
    assert main([*command, "--games", "2"]) == 0
    assert main([*command, "--games", "4"]) == 0
    assert "holds 4 games;" in capsys.readouterr().out
    assert main([*command, "--verify"]) == 0
    assert "4 games and" in capsys.readouterr().out
    assert main(["dataset", "ponzi-scheme", "--out", str(tmp_path / "set"), "--verify"]) == 2
    assert f"is a data set of {GAME}, not of ponzi-scheme." in capsys.readouterr().err
    assert main([*command, "--seed", "2"]) == 2
    assert "holds another data set" in capsys.readouterr().err
