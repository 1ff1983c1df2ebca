"""`pyramidion migrate`, `backup` and `export`, on both databases."""

import json
import shutil
import sqlite3

import anyio
import pytest
from tests.web.helpers.databases import BOTH, url_at
from tests.web.helpers.tables import open_tables, play

from pyramidion import Match
from pyramidion.cli import main
from pyramidion.web.db.store import Store
from pyramidion.web.server import Server
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.plans import SeatPlan

pytestmark = pytest.mark.parametrize("database", BOTH, indirect=True)


@pytest.fixture(autouse=True)
def settings(tmp_path, database, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", url_at(tmp_path, empty=True))
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path))


async def tables(tmp_path):
    """Play one table to its end and begin another; return their ids."""
    async with open_tables(tmp_path) as tables:
        plan = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
        first = await tables.create("ponzi-scheme", plan, {"round_limit": 1}, holder="ada", seed="é")
        while not first.match.over:
            await play(first)
        second = await tables.create("ponzi-scheme", plan, {}, holder="ada")
        await play(second)
        return first.id, second.id


def test_migrating_says_what_it_did(tmp_path, database, capsys):
    if database == "sqlite":
        Server.open(Settings()).store.close()
    assert main(["migrate"]) == 0
    assert ("is up to date" if database == "sqlite" else "was new and is now at") in capsys.readouterr().out
    assert main(["migrate"]) == 0
    assert "is up to date" in capsys.readouterr().out


async def test_an_export_can_be_replayed(tmp_path, capsys):
    over, going_on = await tables(tmp_path)
    assert main(["export"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["table"] == over
    assert Match.from_record(json.loads(line)).over
    file = tmp_path / "all.jsonl"
    assert main(["export", "--unfinished", "--out", str(file)]) == 0
    assert [json.loads(line)["table"] for line in file.read_text("utf-8").splitlines()] == [over, going_on]
    assert file.stat().st_mode & 0o077 == 0, "It holds seeds."
    assert main(["export", "--out", str(file)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert main(["export", going_on]) == 2
    assert "is not over" in capsys.readouterr().err
    file = tmp_path / "one.jsonl"
    for _ in range(2):
        assert main(["export", "nowhere", "--out", str(file)]) == 1
        assert "There is no table 'nowhere' here; `pyramidion admin list table` lists" in capsys.readouterr().err
        assert not file.exists(), "a second try is not in the way of the first"
    assert main(["export", f"https://example.org/t/{over}", "--out", str(file)]) == 0
    assert json.loads(file.read_text("utf-8"))["table"] == over


async def test_a_backup_holds_everything_and_replaces_nothing(tmp_path, database, capsys):
    file = tmp_path / "copy"
    assert main(["backup", str(file)]) == 1
    assert "There is no database of Pyramidion at" in capsys.readouterr().err
    over, going_on = await tables(tmp_path)
    assert main(["backup", str(file)]) == 0
    assert file.stat().st_mode & 0o077 == 0
    assert main(["backup", str(file)]) == 1
    assert "is there already" in capsys.readouterr().err
    if database == "sqlite":
        with sqlite3.connect(file) as copy:
            assert {row[0] for row in copy.execute("SELECT id FROM matches")} == {over, going_on}
        copy.close()
        store = Store(f"sqlite:///{file}")
    else:
        other = url_at(tmp_path / "other", empty=True)
        assert shutil.which("pg_restore")
        plain = other.replace("+psycopg", "")
        await anyio.run_process(["pg_restore", "--no-owner", f"--dbname={plain}", str(file)])
        store = Store(other)
    before, after = store.open()
    assert before == after
    assert store.ids() == [over, going_on]
    assert len(store.plies(going_on)) == 1
    store.close()


async def test_a_backup_is_restored_whole_and_replaces_nothing(tmp_path, database, capsys, monkeypatch):
    over, going_on = await tables(tmp_path)
    original = Store(Settings().database())
    key = Settings().key(original)
    original.close()
    file = tmp_path / "copy"
    assert main(["backup", str(file)]) == 0
    assert main(["restore", str(file)]) == 1
    assert "Nothing was changed." in capsys.readouterr().err
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", url_at(tmp_path / "other", empty=True))
    assert main(["restore", str(tmp_path / "no file")]) == 1
    nonsense = tmp_path / "nonsense"
    nonsense.write_bytes(b"SQLite format 3\0, nearly")
    assert main(["restore", str(nonsense)]) == 1
    assert capsys.readouterr().err.count("pyramidion: ") == 2
    assert main(["restore", str(file)]) == 0
    assert "holds 2 tables" in capsys.readouterr().out
    store = Store(Settings().database())
    assert store.ids() == [over, going_on]
    assert Settings().key(store) == key
    store.close()
    assert main(["restore", str(file)]) == 1


def test_a_database_that_is_not_there_is_said_in_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", f"postgresql+psycopg://me:geheim@/no?host={tmp_path}")
    for command in (["migrate"], ["export"], ["backup", str(tmp_path / "x")]):
        assert main(command) == 1
        said = capsys.readouterr().err
        assert said.startswith("pyramidion: The database postgresql+psycopg://me:***@/no")
        assert said.count("\n") == 1


async def test_files_that_cannot_be_read_or_written_are_said_in_one_sentence(tmp_path, database, capsys, monkeypatch):
    await tables(tmp_path)
    assert main(["backup", str(tmp_path / "copy")]) == 0
    capsys.readouterr()
    no_folder = tmp_path / "copy" / "below"
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", Settings().database())
    for command, sentence in (
        (["backup", str(no_folder)], "There is no folder"),
        (
            ["restore", str(no_folder)],
            f"{no_folder} cannot be read: Not a directory. Name a file of `pyramidion backup",
        ),
        (["restore", str(tmp_path)], f"{tmp_path} cannot be read: Is a directory."),
        (["export", "--out", str(no_folder)], "There is no folder"),
    ):
        assert main(command) in (1, 2)
        (line,) = capsys.readouterr().err.splitlines()
        assert sentence in line
