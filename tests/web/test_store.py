"""Opening a database: new, old, newer, not ours."""

import concurrent.futures
import gc
import hashlib
import sqlite3
import subprocess
import sys

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.web.helpers.databases import DATABASES, MADE_BY_MIGRATIONS

from pyramidion.web.db.database import StoreError
from pyramidion.web.db.schema import METADATA
from pyramidion.web.db.store import Store
from pyramidion.web.settings import Settings
from pyramidion.web.tokens import new_id


@pytest.fixture(autouse=True)
def every_database_is_made_by_the_migrations(monkeypatch):
    monkeypatch.setattr(Store, "_make", MADE_BY_MIGRATIONS)


def opened(path):
    store = Store(f"sqlite:///{path}")
    store.open()
    return store


def test_a_new_database_is_made_with_wal_and_full_synchronisation(tmp_path):
    store = opened(tmp_path / "deeper" / "data.sqlite3")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def test_the_migrations_make_the_declared_tables(tmp_path):
    store = opened(tmp_path / "data.sqlite3")
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    store.close()


def test_opening_twice_changes_nothing(tmp_path):
    path = tmp_path / "data.sqlite3"
    opened(path).close()
    before = path.read_bytes()
    opened(path).close()
    assert path.read_bytes() == before


def test_a_database_from_a_newer_version_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "data.sqlite3"
    store = opened(path)
    with store.engine.connect() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    store.close()
    before = hashlib.sha256(path.read_bytes()).digest()
    with pytest.raises(StoreError, match=r"newer version of Pyramidion \(its layout is '9999'; .* left as it is"):
        opened(path)
    assert hashlib.sha256(path.read_bytes()).digest() == before


def test_a_file_that_is_no_database_is_refused_with_a_sentence(tmp_path):
    path = tmp_path / "data.sqlite3"
    path.write_text("this is not a database, and quite long at that " * 50)
    with pytest.raises(StoreError, match="is damaged: file is not a database"):
        opened(path)


def test_an_empty_file_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "data.sqlite3"
    path.touch()
    for use in (Store.open, Store.layout):
        with pytest.raises(StoreError, match="is an empty file, so what was in it is lost"):
            use(Store(f"sqlite:///{path}"))
    assert path.stat().st_size == 0
    assert list(tmp_path.iterdir()) == [path]


def test_servers_that_start_at_once_make_one_database_and_leave_nothing_else(tmp_path):
    program = f"from pyramidion.web.db.store import Store; Store('sqlite:///{tmp_path}/data.sqlite3').open()"
    starting = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait(60) for process in starting] == [0, 0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["data.sqlite3"]


def test_a_start_that_is_broken_off_leaves_no_database(tmp_path, monkeypatch):
    monkeypatch.setattr("alembic.command.upgrade", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        opened(tmp_path / "data.sqlite3")
    gc.collect()  # a connection that was left open is reported here, by Python 3.13 and later
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    opened(tmp_path / "data.sqlite3").close()


def test_a_database_in_memory_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store("sqlite:///:memory:")
    store.open()
    assert store.ids() == []
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_somebody_elses_database_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "data.sqlite3"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE matches (id TEXT)")
    other.close()
    with pytest.raises(StoreError, match="already exists"):
        opened(path)
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("matches",)]
    other.close()


@pytest.mark.parametrize("url", ["nonsense", "nosuch://x", "postgresql+nosuch://x", "mysql://x"])
def test_an_unusable_url_is_refused_with_a_sentence(url):
    with pytest.raises(StoreError, match="The database URL cannot be used"):
        Store(url)


def test_ids_differ():
    assert len({new_id() for _ in range(1000)}) == 1000


@pytest.mark.postgres
class TestPostgreSQL:
    """What differs from SQLite when a database is opened."""

    def test_servers_that_start_at_once_make_the_declared_tables_once(self):
        url = DATABASES.cluster.new_database()
        stores = [Store(url) for _ in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(Store.open, stores))
        with stores[0].engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        for store in stores:
            store.close()

    def test_the_key_for_cookies_is_shared(self, tmp_path):
        keys, url = [], DATABASES.new_in_postgresql()
        for name in ("one", "other"):
            store = Store(url)
            store.open()
            keys.append(Settings(data_dir=tmp_path / name).key(store))
            store.close()
        assert keys[0] == keys[1]
        assert not (tmp_path / "one").exists()

    def test_a_database_from_a_newer_version_is_refused(self):
        store = Store(DATABASES.new_in_postgresql())
        store.open()
        with store.engine.connect() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
            connection.commit()
        with pytest.raises(StoreError, match=r"newer version of Pyramidion .* left as it is"):
            store.open()
        store.close()

    def test_one_that_is_not_there_is_refused_without_the_password(self, tmp_path):
        store = Store(f"postgresql+psycopg://me:geheim@/nothing?host={tmp_path}")
        with pytest.raises(StoreError, match="cannot be used") as refused:
            store.open()
        assert "geheim" not in str(refused.value)
        assert "***" in str(refused.value)


def test_a_connection_that_is_being_read_from_is_closed_after_the_store(tmp_path):
    store = opened(tmp_path / "data.sqlite3")
    used = []

    def read(connection):
        used.append(connection.connection.dbapi_connection)
        store.close()
        return connection.execute(sa.text("select 1")).scalar_one()

    assert store.read(read) == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        used[0].execute("select 1")
