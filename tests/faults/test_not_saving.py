"""Tests of a server that cannot store anything: it reports the failure, and its recovery."""

import resource
import sqlite3
import sys

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.processes import ServerProcess

from pyramidion.web.db.database import Database

PATHS = ("/health", "/ready")


def said(client):
    return [client.get(path).status_code for path in PATHS]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set")
def test_while_the_disk_is_full(tmp_path):
    with ServerProcess(tmp_path) as server, server.client() as client:
        table = Player(client)
        table.play("pass")
        assert said(client) == [200, 200]
        before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        seat = table.get()["acting"][0]
        assert table.post(seat, "pass", 1).json()["error"] == "not-saved"
        assert said(client) == [503, 503]
        assert client.get("/health").json()["status"] == "not-saving"
        assert client.get("/ready").json()["wrong"] == ["actions cannot be stored"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
        assert said(client) == [200, 200]
        assert table.post(seat, "pass", 1).status_code == 200


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set")
def test_a_full_disk_is_found_though_nobody_acts(tmp_path):
    with ServerProcess(tmp_path) as server, server.client() as client:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        # What was stored when the server started counts for a moment.
        while said(client) != [503, 503]:
            pass


def test_while_a_page_of_the_database_is_damaged(tmp_path, monkeypatch):
    # Damage that is there at the start is refused then; this stands for what comes later.
    monkeypatch.setattr(Database, "_require_sound", lambda database: None)
    with serving(tmp_path):
        pass
    path = tmp_path / "pyramidion.sqlite3"
    with sqlite3.connect(path) as database:
        (size,) = database.execute("PRAGMA page_size").fetchone()
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'plies'").fetchone()
    database.close()
    with path.open("r+b") as file:
        file.seek(size * (page - 1))
        file.write(b"\xff" * size)
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=30) as client:
        assert said(client) == [200, 200]
        table = Player(client)
        assert table.post(table.get()["acting"][0], "pass", 0).json()["error"] == "not-saved"
        assert said(client) == [503, 503]
        # Other things can be stored, and still it is not well.
        assert Player(client).id
        assert said(client) == [503, 503]
