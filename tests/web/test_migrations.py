"""The migration to the words of the glossary, on both databases."""

import json
from contextlib import contextmanager

import alembic.command
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from tests.web.databases import BOTH, url_at

from pyramidion.web.db.database import MIGRATIONS
from pyramidion.web.db.result_visibility import result_is_public
from pyramidion.web.db.schema import MATCHES, METADATA
from pyramidion.web.db.store import Store

pytestmark = pytest.mark.parametrize("database", BOTH, indirect=True)

BEFORE = {
    "acts": [
        {"match": "t", "number": 1, "at": 1, "kind": "undo-asked", "who": "0", "data": "{}"},
        {"match": "t", "number": 2, "at": 2, "kind": "agreed", "who": "1", "data": '{"what": "undo"}'},
        {"match": "t", "number": 3, "at": 3, "kind": "undone", "who": "0", "data": '{"seat": 0, "ply": 0}'},
        {"match": "t", "number": 4, "at": 4, "kind": "acted-for", "who": "host", "data": '{"seat": 0}'},
        {"match": "t", "number": 5, "at": 5, "kind": "stepped-back", "who": "host", "data": '{"ply": 0}'},
        {"match": "t", "number": 6, "at": 6, "kind": "paused", "who": "host", "data": "{}"},
    ],
    "orders": [{"match": "t", "seat": 0, "owner": "ana", "text": "sell", "told": '{"what": "done"}'}],
    "contacts": [
        {
            "person": "ana",
            "confirmed": False,
            "hook": "https://example.org/",
            "zone": "UTC",
            "language": "en",
            "off": '["over.hook", "turn.mail"]',
            "polled": 0,
        }
    ],
    "table_contacts": [{"match": "t", "person": "", "hook": "https://example.org/t", "off": '["turn.hook"]'}],
    "outbox": [
        {"match": "t", "person": "ana", "kind": "turn", "way": "hook", "mark": "1", "made": 1, "due": 1, "tries": 0}
    ],
}
MATCH = {
    "id": "t",
    "game": "ponzi-scheme",
    "rules_version": "1",
    "seat_count": 3,
    "options": "{}",
    "seed": "1",
    "seed_chosen": False,
    "title": "T",
    "created": 1,
    "settings": "{}",
}


def _rows(connection, table):
    found = connection.execute(sa.text(f"SELECT * FROM {table}")).mappings()
    return sorted(({name: row[name] for name in row if row[name] is not None} for row in found), key=str)


def _insert(connection, table, rows):
    for row in rows:
        names = ", ".join(row)
        marks = ", ".join(f":{name}" for name in row)
        connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), row)


@contextmanager
def _writing(store):
    """Yield a connection in a transaction, and the configuration that migrates it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin():
        config.attributes["connection"] = connection
        yield connection, config


def test_stored_names_are_migrated_there_and_back(tmp_path, database):
    store = Store(url_at(tmp_path, empty=True))
    with _writing(store) as (connection, config):
        alembic.command.upgrade(config, "0016")
        _insert(connection, "matches", [MATCH])
        for table, rows in BEFORE.items():
            _insert(connection, table, rows)
    store.open()
    with _writing(store) as (connection, config):
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        commands = _rows(connection, "host_commands")
        assert [row["kind"] for row in sorted(commands, key=lambda row: row["number"])] == [
            "takeback-proposed",
            "agreed",
            "taken-back",
            "default-applied",
            "rewound",
            "paused",
        ]
        assert [json.loads(row["data"]) for row in commands if row["kind"] == "agreed"] == [{"what": "takeback"}]
        assert [row["outcome"] for row in _rows(connection, "premoves")] == ['{"what": "done"}']
        [contact], [at_table], [message] = (
            _rows(connection, table) for table in ("contacts", "table_contacts", "outbox")
        )
        assert (contact["webhook"], contact["off"]) == ("https://example.org/", '["over.webhook", "turn.mail"]')
        assert (at_table["webhook"], at_table["off"]) == ("https://example.org/t", '["turn.webhook"]')
        assert message["way"] == "webhook"
        alembic.command.downgrade(config, "0016")
        for table, rows in BEFORE.items():
            assert _rows(connection, table) == sorted(rows, key=str)
    store.close()


def test_results_of_seasons_that_were_public_stay_public(tmp_path, database):
    store = Store(url_at(tmp_path, empty=True))
    with _writing(store) as (connection, config):
        alembic.command.upgrade(config, "0016")
        _insert(connection, "matches", [MATCH, {**MATCH, "id": "u"}])
        alembic.command.upgrade(config, "0028")
        _insert(connection, "seasons", [{"id": "s", "created": 1}])
        rows = [{"match": match, "season": "s", "settled": match == "t"} for match in ("t", "u")]
        _insert(connection, "season_tables", rows)
        alembic.command.upgrade(config, "head")
        query = sa.select(MATCHES.c.id).where(result_is_public(MATCHES.c.id, 1))
        assert connection.execute(query).scalars().all() == ["t"]
    store.close()


def test_portraits_belong_to_the_present_players(tmp_path, database):
    store = Store(url_at(tmp_path, empty=True))
    rows = [{"season": "s", "who": who, "face": f"{n}234321", "mark": ""} for n, who in enumerate(("c1", "c2", "h1"))]
    with _writing(store) as (connection, config):
        alembic.command.upgrade(config, "0029")
        _insert(connection, "seasons", [{"id": "s", "created": 1}, {"id": "other", "created": 1}])
        entries = [("s", "stood-in", "c1"), ("s", "stood-in", "c1"), ("s", "nudged", "c2"), ("other", "stood-in", "c2")]
        for number, (season, kind, who) in enumerate(entries, 1):
            row = {"season": season, "number": number, "at": 1, "author": "h1", "kind": kind, "reason": ""}
            _insert(connection, "season_log", [{**row, "data": json.dumps({"contestant": who})}])
        _insert(connection, "season_portraits", rows)
        alembic.command.upgrade(config, "head")
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        found = {row["who"]: row["player"] for row in _rows(connection, "season_portraits")}
        assert found == {"c1": 2, "c2": 0, "h1": 0}
        _insert(connection, "season_portraits", [{**rows[0], "player": 1}])
        alembic.command.downgrade(config, "0029")
        assert _rows(connection, "season_portraits") == sorted(rows, key=str)
    store.close()
