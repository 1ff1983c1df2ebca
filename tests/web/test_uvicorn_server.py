"""The server as a process: its port, its database, its settings, its end."""

import json
import os
import signal
import socket
import subprocess
import sys

import httpx
import pytest
import sqlalchemy as sa
from tests.web.conftest import serving

from pyramidion.cli import main
from pyramidion.web.application import create_app, serve
from pyramidion.web.db.database import StoreError, copy_sqlite
from pyramidion.web.db.store import Store
from pyramidion.web.errors import Unreadable
from pyramidion.web.http import uvicorn_server
from pyramidion.web.http.uvicorn_server import CannotServe, address_of, bind, network_notes
from pyramidion.web.settings import Settings


def command(data_dir, *arguments, **environment):
    return {
        "args": [sys.executable, "-m", "pyramidion", "serve", *arguments],
        "env": os.environ | {"PYRAMIDION_DATA_DIR": str(data_dir)} | environment,
        "text": True,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    }


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as sock:
        yield sock.getsockname()[1]


@pytest.mark.slow
def test_a_port_in_use_is_said_in_one_sentence(tmp_path, taken):
    done = subprocess.run(**command(tmp_path, "--port", str(taken)), timeout=60, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"pyramidion: Port {taken} is in use already; choose another one with --port.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_server_says_where_it_is_and_stops_at_a_signal(tmp_path):
    with subprocess.Popen(**command(tmp_path, "--port", "0")) as process:
        line = process.stdout.readline()
        address = line.split()[3]
        assert httpx.get(f"{address}health").json()["status"] == "ok"
        with httpx.stream("GET", f"{address}api/tables/{'2' * 22}/stream") as answer:
            assert answer.status_code == 404
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert err == ""
        assert "Traceback" not in out


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PYRAMIDION_BOT_PAUSE": "soon"}, "The setting PYRAMIDION_BOT_PAUSE is wrong: "),
        ({"PYRAMIDION_SECRET_KEY": "short"}, "The secret key in PYRAMIDION_SECRET_KEY is shorter than 32 characters"),
        ({"PYRAMIDION_DATABASE_URL": "nonsense"}, "The database URL cannot be used"),
        ({"PYRAMIDION_DATA_DIR": "/dev/null/x"}, "/dev/null/x"),
        (
            {"PYRAMIDION_PUBLIC_URL": "https://example.org/games"},
            "cannot run below a path such as /games; give it a host",
        ),
        ({"PYRAMIDION_PUBLIC_URL": "https://example.org/a/b/"}, "cannot run below a path such as /a/b; give it a host"),
        ({"PYRAMIDION_PUBLIC_URL": "example.org"}, "must be an address that begins with https://"),
        ({"PYRAMIDION_PUBLIC_URL": "ftp://example.org"}, "must be an address that begins with https://"),
        ({"PYRAMIDION_PUBLIC_URL": "https://[x"}, "must be an address that begins with https://"),
    ],
)
def test_a_wrong_setting_is_said_in_one_sentence(tmp_path, monkeypatch, environment, sentence):
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=sentence):
        serve(port=0)


def test_a_database_from_a_newer_version_stops_the_start(tmp_path, monkeypatch):
    settings = Settings(data_dir=tmp_path)
    store = Store(settings.database())
    store.open()
    with store.engine.connect() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    store.close()
    before = (tmp_path / "pyramidion.sqlite3").read_bytes()
    with pytest.raises(CannotServe, match="newer version of Pyramidion"):
        serve(port=0, settings=settings)
    assert (tmp_path / "pyramidion.sqlite3").read_bytes() == before


def zeroed(data):
    """Return a database whose pages in the middle have been lost."""
    middle = len(data) // 8192 * 4096
    return data[:middle] + bytes(8 * 4096) + data[middle + 8 * 4096 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1000],
        lambda data: data[:-1],
        lambda data: data[:-4096],
        lambda data: data[: len(data) // 2],
        lambda data: data[:50],
        lambda data: data[4096:],
        lambda data: bytes(len(data)),
        lambda data: b"not a database " * 1000,
        zeroed,
    ],
    ids=["1000", "1", "page", "half", "header", "beginning", "zeros", "text", "middle"],
)
@pytest.mark.parametrize("log", [None, b"", bytes(5000)], ids=["no-log", "empty-log", "broken-log"])
def test_a_damaged_database_stops_the_start(tmp_path, monkeypatch, capsys, damage, log):
    settings = Settings(data_dir=tmp_path)
    store = Store(settings.database())
    store.open()
    store.close()
    path = tmp_path / "pyramidion.sqlite3"
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    if log is not None:
        path.with_name(f"{path.name}-wal").write_bytes(log)
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(
        "pyramidion.web.http.uvicorn_server.run", lambda *_, **__: pytest.fail("The server has started.")
    )
    assert main(["serve", "--port", "0"]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"The database {path} is damaged: " in said
    assert "Put a backup in its place" in said
    assert path.read_bytes() == damaged


def test_a_database_of_a_killed_server_is_sound(tmp_path):
    """What is not yet in the file is in its log."""
    settings = Settings(data_dir=tmp_path)
    stores = [Store(settings.database()) for _ in range(2)]
    stores[0].open()
    with stores[0].engine.connect() as connection:
        connection.execute(sa.text("CREATE TABLE filler (text)"))
        connection.execute(sa.text("INSERT INTO filler VALUES (zeroblob(1000000))"))
        connection.commit()
        assert (tmp_path / "pyramidion.sqlite3-wal").stat().st_size > 1_000_000
        stores[1].open()
    for store in stores:
        store.close()


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.1"])
def test_an_address_that_is_not_ours_is_refused(host):
    with pytest.raises(CannotServe, match=host.replace(".", r"\.")):
        bind(host, 0)


def test_a_port_with_special_rights(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(CannotServe, match="may not be used without special rights"):
        bind("127.0.0.1", 80)


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("localhost", "localhost")]
)
def test_the_address_can_be_opened_in_a_browser(host, shown):
    with bind(host, 0) as sock:
        assert address_of(sock, host) == f"http://{shown}:{sock.getsockname()[1]}/"


def test_an_ipv6_address_is_bracketed():
    try:
        sock = bind("::1", 0)
    except CannotServe:
        pytest.skip("this machine has no IPv6")
    with sock:
        assert address_of(sock, "::1") == f"http://[::1]:{sock.getsockname()[1]}/"


def test_connections_do_not_wait_to_fill_packets():
    with bind("127.0.0.1", 0) as sock:
        assert sock.proto == socket.IPPROTO_TCP


def test_two_servers_may_share_a_key_and_a_database(tmp_path):
    first, second = (create_app(Settings(data_dir=tmp_path)) for _ in range(2))
    assert first.server.visitors.csrf("ada") == second.server.visitors.csrf("ada")
    for app in (first, second):
        app.server.store.close()


@pytest.mark.parametrize("scheme", ["postgres://", "postgresql://", "postgresql+psycopg://"])
def test_the_address_of_a_database_may_be_written_as_hosts_write_it(scheme):
    store = Store(f"{scheme}me:secret@database.example/games")
    assert store.url.drivername == "postgresql+psycopg"
    assert "secret" not in store.location
    store.close()


def test_a_server_whose_database_a_newer_one_has_upgraded_is_not_ready(tmp_path):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        assert client.get("/ready").status_code == 200
        with server.app.server.store.engine.connect() as connection, connection.begin():
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        answer = client.get("/ready")
        assert answer.status_code == 503
        assert answer.json()["wrong"] == [
            "the database has been upgraded by a newer version; restart this server with that version"
        ]


def test_a_missing_column_is_not_told_to_players_in_the_database_s_words(tmp_path):
    store = Store(Settings(data_dir=tmp_path).database())
    store.open()
    with store.engine.connect() as connection, connection.begin():
        connection.execute(sa.text("ALTER TABLE matches RENAME TO games"))
    with pytest.raises(Unreadable, match="its layout is another version's"):
        store.query(sa.text("SELECT * FROM matches"))
    store.close()


def test_friends_are_told_the_address_in_their_network(monkeypatch):
    monkeypatch.setattr(uvicorn_server, "network_address", lambda: "192.168.1.5")
    with bind("0.0.0.0", 0) as sock:
        port = sock.getsockname()[1]
        assert network_notes(sock, "0.0.0.0") == [f"Friends in your network open http://192.168.1.5:{port}/"]
        assert network_notes(sock, "127.0.0.1") == []
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        assert "█" in network_notes(sock, "0.0.0.0")[1]
        monkeypatch.setattr(uvicorn_server, "network_address", lambda: None)
        assert network_notes(sock, "0.0.0.0") == []


@pytest.mark.slow
def test_the_log_is_json_from_its_first_line(tmp_path):
    arguments = command(tmp_path, "--port", "0", PYRAMIDION_LOG_FORMAT="json", PYRAMIDION_BOT_SECOND="1")
    with subprocess.Popen(**arguments) as process:
        assert process.stdout.readline().startswith("Pyramidion is at ")
        assert process.stdout.readline() == f"The data is in {tmp_path / 'pyramidion.sqlite3'}.\n"
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=20)
    (line,) = err.splitlines()
    assert "Did you mean PYRAMIDION_BOT_SECONDS?" in json.loads(line)["message"]


def test_a_copy_that_cannot_be_made_is_not_called_damage(tmp_path):
    with pytest.raises(StoreError, match=r"gone cannot be copied to .*copy: unable to open"):
        copy_sqlite(tmp_path / "gone", tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []
