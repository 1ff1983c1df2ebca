"""Commands beside a running server on SQLite: its log and its locks stay, and with them what it stores."""

import os
import sqlite3
import subprocess
import sys

import pytest
from tests.web.helpers.processes import ServerProcess

from pyramidion.web.db.database import Database
from pyramidion.web.db.sqlite_files import in_use, parts_of

COMMANDS = [
    ["admin", "list", "table"],
    ["admin", "reports"],
    ["backup", "copy.tar"],
    ["export", "--out", "games.jsonl"],
    ["migrate"],
    ["ratings", "rebuild"],
    ["settings"],
]


@pytest.fixture
def running(tmp_path):
    """A server that has found a database; it looks at one more closely than when it makes one."""
    database = Database(f"sqlite:///{tmp_path / 'pyramidion.sqlite3'}")
    database.open()
    database.close()
    with ServerProcess(tmp_path) as server:
        yield server


def command(server, *words, code=0):
    """Run a command in another process with the server's data; return what it prints, with complaints."""
    ran = subprocess.run(
        [sys.executable, "-m", "pyramidion", *words],
        check=False,
        env=os.environ | {"PYRAMIDION_DATA_DIR": str(server.folder)},
        cwd=server.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert ran.returncode == code, ran.stdout
    return ran.stdout


def opened(server):
    """Open a table at the server, and return its id."""
    with server.client() as client:
        answer = client.post("/api/tables", json={"game": "pyramis", "seats": [{"kind": "open"}, {"kind": "open"}]})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]


def test_another_program_that_is_done_with_the_database_is_not_the_last_one(running):
    database, log, _index = parts_of(running.folder / "pyramidion.sqlite3")
    before = opened(running)
    assert in_use(database)
    inode = log.stat().st_ino
    other = sqlite3.connect(database)
    assert other.execute("SELECT count(*) FROM matches").fetchone() == (1,)
    other.close()
    assert log.exists(), "SQLite has deleted the server's log."
    assert log.stat().st_ino == inode
    after = opened(running)
    told = command(running, "admin", "list", "table")
    assert before in told
    assert after in told


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_a_server_stores_after_a_command_is_in_its_database(running, words):
    opened(running)
    command(running, *words)
    after = opened(running)
    running.kill()
    assert after in command(running, "admin", "list", "table")


def test_what_a_command_closes_is_closed_in_the_running_server(running):
    command(running, "admin", "close", "sign-up")
    command(running, "admin", "close", "creation")
    with running.client() as client:
        assert "accept no new accounts at present" in client.get("/account").text
        answer = client.post("/api/tables", json={"game": "pyramis", "seats": [{"kind": "open"}, {"kind": "open"}]})
        assert (answer.status_code, answer.json()["error"]) == (403, "closed")
    command(running, "admin", "open", "creation")
    opened(running)


def test_no_database_is_set_aside_under_a_running_server(running):
    table = opened(running)
    command(running, "backup", "copy.sqlite3")
    assert "A server uses" in command(running, "restore", "copy.sqlite3", "--set-aside", code=1)
    database, log, _index = parts_of(running.folder / "pyramidion.sqlite3")
    assert database.exists()
    assert log.exists()
    with running.client() as client:
        assert client.get(f"/t/{table}").status_code == 200
