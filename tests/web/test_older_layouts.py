"""Databases from before the baseline migration are upgraded to it, or refused, on both kinds of databases."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.web.helpers.databases import BOTH, url_at

from pyramidion.cli import main
from pyramidion.web.db import older_layouts
from pyramidion.web.db.database import StoreError, _newest_layout
from pyramidion.web.db.schema import METADATA
from pyramidion.web.db.store import Store

both_databases = pytest.mark.parametrize("database", BOTH, indirect=True)
NEWEST = _newest_layout()
DUMPS = Path(__file__).parent / "older_layouts"
TRIGGERS = "SELECT tgname, tgrelid::regclass::text, tgtype FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2"


def restored(folder, layout):
    """A store with the dump of a database that has an older layout."""
    store = Store(url_at(folder, empty=True))
    name = "sqlite" if store.sqlite else "postgresql"
    sections = re.split(r"^-- ((?:\d{4} ?)+)\n", (DUMPS / f"{name}.sql").read_text("utf-8"), flags=re.MULTILINE)
    with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin():
        driver = connection.connection.dbapi_connection
        for layouts, statement in zip(sections[1::2], sections[2::2], strict=True):
            if layout in layouts.split():
                driver.execute(statement)
    return store


def rows(store, query):
    return {tuple(row) for row in store.query(sa.text(query))}


@both_databases
@pytest.mark.parametrize("layout", ["0029", "0030", "0031", "0032", "0033"])
def test_a_database_with_one_of_the_last_five_layouts_is_upgraded_with_its_rows(tmp_path, database, layout):
    store = restored(tmp_path, layout)
    assert store.open() == (layout, NEWEST)
    if store.sqlite:
        file = Path(store.url.database)
        copy = Store(f"sqlite:///{file.with_name(f'{file.name}.{layout}')}")
        assert copy.layout() == layout, "the database as it was is kept"
        copy.close()
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    # Two stand-ins played for c1 in this season; one for c2 in another season.
    assert rows(store, "SELECT who, player, face FROM season_portraits") == {
        ("c1", 2, "0234321"),
        ("c2", 0, "1234321"),
        ("h1", 0, "2234321"),
    }
    assert rows(store, "SELECT due, until FROM notices") == {(5, 5 + older_layouts.WEEK)}
    assert rows(store, "SELECT number, kind FROM season_log") == {
        (1, "stood-in"),
        (2, "stood-in"),
        (3, "nudged"),
        (4, "stood-in"),
    }
    assert rows(store, "SELECT id, posts FROM clubs") == {("p", 0), ("o", 3)}
    assert rows(store, "SELECT club, name FROM club_members WHERE role = 'asked'") == {("o", "bo")}
    assert rows(store, "SELECT webhook, author FROM contacts") == {("https://example.org/", None)}
    assert rows(store, "SELECT name, looks FROM accounts") == {("Anna", "anna"), ("\u0410nna", "anna")}
    assert store.match("t")[0].title == "T"
    assert store.open() == (NEWEST, NEWEST)
    store.close()


def test_each_upgrade_keeps_a_copy_of_its_own_and_a_repeated_one_none(tmp_path):
    store = restored(tmp_path, "0033")
    file = Path(store.url.database)
    store.close()
    before = file.read_bytes()

    def copies_after_an_upgrade():
        upgraded = Store(f"sqlite:///{file}")
        assert upgraded.open() == ("0033", NEWEST)
        upgraded.close()
        return sorted(copy.name.removeprefix(file.name) for copy in file.parent.glob(f"{file.name}.0033*"))

    assert copies_after_an_upgrade() == [".0033"]
    file.write_bytes(before)
    assert copies_after_an_upgrade() == [".0033"]
    file.write_bytes(before)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE another (name TEXT)")
    assert copies_after_an_upgrade() == [".0033", ".0033-2"]


@pytest.mark.parametrize("database", BOTH[1:], indirect=True)
def test_an_upgraded_database_notifies_servers_as_a_new_one_does(tmp_path, database):
    (tmp_path / "new").mkdir()
    new, old = Store(url_at(tmp_path / "new", empty=True)), restored(tmp_path, "0029")
    new.open()
    old.open()
    assert len(rows(new, TRIGGERS)) == 5
    assert rows(old, TRIGGERS) == rows(new, TRIGGERS)
    new.close()
    old.close()


@both_databases
def test_a_database_with_a_still_older_layout_is_refused_and_left_as_it_is(tmp_path, database):
    store = restored(tmp_path, "0029")
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0028'"))
    with pytest.raises(
        StoreError, match=r"'0028', and this version upgrades layouts from '0029' on.*pyramidion migrate"
    ):
        store.open()
    assert rows(store, "SELECT version_num FROM alembic_version") == {("0028",)}
    assert not sa.inspect(store.engine).has_table("season_keys")
    store.close()


@both_databases
@pytest.mark.parametrize("command", [["export"], ["ratings", "rebuild"], ["admin", "reports"]], ids=" ".join)
@pytest.mark.parametrize(
    ("layout", "sentence"), [("0033", "`pyramidion migrate`, which upgrades it"), ("9999", "a newer version")]
)
def test_commands_leave_a_database_of_another_version_as_it_is(
    tmp_path, database, capsys, monkeypatch, command, layout, sentence
):
    store = restored(tmp_path, "0033")
    with store.engine.begin() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{layout}'"))
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", store.url.render_as_string(hide_password=False))
    assert main(command) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line
    assert f"its layout is {layout!r}" in line
    assert rows(store, "SELECT version_num FROM alembic_version") == {(layout,)}
    store.close()


@both_databases
def test_a_backup_of_an_older_layout_is_restored_and_upgraded(tmp_path, database, capsys, monkeypatch):
    (tmp_path / "new").mkdir()
    old, new = restored(tmp_path, "0031"), Store(url_at(tmp_path / "new", empty=True))
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", old.url.render_as_string(hide_password=False))
    assert main(["backup", str(tmp_path / "copy")]) == 0
    old.close()
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", new.url.render_as_string(hide_password=False))
    assert main(["restore", str(tmp_path / "copy")]) == 0
    assert main(["migrate"]) == 0
    assert f"was at layout 0031 and is now at {NEWEST}." in capsys.readouterr().out
    assert main(["ratings", "rebuild"]) == 0
    assert new.match("t")[0].title == "T"
    new.close()
