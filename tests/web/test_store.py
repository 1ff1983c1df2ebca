"""Opening a database: new, old, newer, not ours."""

import concurrent.futures
import hashlib
import sqlite3

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.web.databases import url_at

from pyramidion.web.schema import METADATA
from pyramidion.web.settings import Settings
from pyramidion.web.store import Store, StoreError, new_id


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
    with pytest.raises(StoreError, match="cannot be used: file is not a database"):
        opened(path)


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
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
class TestPostgreSQL:
    """What differs from SQLite when a database is opened."""

    def test_servers_that_start_at_once_make_the_declared_tables_once(self, tmp_path, database):
        stores = [Store(url_at(tmp_path)) for _ in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(Store.open, stores))
        with stores[0].engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        for store in stores:
            store.close()

    def test_the_key_for_cookies_is_shared(self, tmp_path, database):
        keys = []
        for name in ("one", "other"):
            store = Store(url_at(tmp_path))
            store.open()
            keys.append(Settings(data_dir=tmp_path / name).key(store))
            store.close()
        assert keys[0] == keys[1]
        assert not (tmp_path / "one").exists()

    def test_a_database_from_a_newer_version_is_refused(self, tmp_path, database):
        store = Store(url_at(tmp_path))
        store.open()
        with store.engine.connect() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
            connection.commit()
        with pytest.raises(StoreError, match=r"newer version of Pyramidion .* left as it is"):
            store.open()
        store.close()

    def test_one_that_is_not_there_is_refused_without_the_password(self, tmp_path, database):
        store = Store(f"postgresql+psycopg://me:geheim@/nothing?host={tmp_path}")
        with pytest.raises(StoreError, match="cannot be used") as refused:
            store.open()
        assert "geheim" not in str(refused.value)
        assert "***" in str(refused.value)
