"""Settings: the data folder, the secret key, the environment."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.web.helpers.databases import MADE_BY_MIGRATIONS

from pyramidion.cli import main
from pyramidion.environment_variables import VARIABLES, cache_folder, flag
from pyramidion.translation import LANGUAGES
from pyramidion.web.db.store import Store
from pyramidion.web.settings import (
    GROUPS,
    RULES_AND_COMMANDS,
    TEST_VARIABLES,
    Settings,
    described_settings,
    unknown_variables,
)


@pytest.fixture
def store(tmp_path):
    store = Store(Settings(data_dir=tmp_path / "data").database())
    store.open()
    yield store
    store.close()


def test_the_key_is_made_once_and_kept_from_others(tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "_make", MADE_BY_MIGRATIONS)
    folder = tmp_path / "data"
    store = Store(Settings(data_dir=folder).database())
    store.open()
    key = Settings(data_dir=folder).key(store)
    assert len(key) == 64
    assert Settings(data_dir=folder).key(store) == key
    assert not list(folder.glob("*key*"))
    if sys.platform != "win32":
        assert stat.S_IMODE((folder / "pyramidion.sqlite3").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    store.close()


@pytest.mark.parametrize("encoding", ["ascii", "utf-8-sig", "utf-16"])
def test_the_key_of_an_older_version_is_taken_over_from_its_file(tmp_path, store, encoding):
    """It was in a file beside the database, which an editor or a console may have written."""
    settings = Settings(data_dir=tmp_path / "data")
    file = tmp_path / "data" / "secret_key"
    file.write_bytes(("k" * 40 + "\r\n").encode(encoding))
    assert settings.key(store) == "k" * 40
    file.unlink()
    assert settings.key(store) == "k" * 40


def test_a_key_that_protects_nothing_is_refused(tmp_path, store):
    with pytest.raises(ValueError, match="PYRAMIDION_SECRET_KEY is shorter"):
        Settings(data_dir=tmp_path, secret_key="short").key(store)
    (tmp_path / "data" / "secret_key").write_text("short")
    with pytest.raises(ValueError, match="is shorter than 32 characters"):
        Settings(data_dir=tmp_path / "data").key(store)


def test_every_variable_that_the_source_names_is_listed_with_what_it_may_be():
    named = set()
    for path in (Path(__file__).parents[2] / "src").rglob("*.py"):
        named |= set(re.findall(r"\bPYRAMIDION_[A-Z_]*[A-Z]\b", path.read_text("utf-8")))
    rows = {row.variable: row for row in described_settings()}
    assert named
    assert named <= rows.keys() | TEST_VARIABLES
    assert {variable.name for variable in VARIABLES} < rows.keys()
    assert rows["PYRAMIDION_LANGUAGE"].allowed == ", ".join(LANGUAGES)


def test_the_environment_is_read_in_no_other_way():
    """A variable that some module reads by itself would not be listed, and taken whatever its value is."""
    source = Path(__file__).parents[2] / "src" / "pyramidion"
    reading = re.compile(r"getenv|environ\s*[.\[]\s*(?:get\b|[\"'A-Z])")
    readers = {path.name for path in source.rglob("*.py") if reading.search(path.read_text("utf-8"))}
    assert readers == {"environment_variables.py"}


NUMBERS = [name for name, field in Settings.model_fields.items() if field.annotation in (int, float)]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_bad_number_is_refused_with_its_name_its_value_and_its_limits(monkeypatch, capsys, name):
    limits = [
        str(getattr(limit, at))
        for limit in Settings.model_fields[name].metadata
        for at in ("ge", "gt", "le")
        if hasattr(limit, at)
    ]
    assert len(limits) == 2
    variable = f"PYRAMIDION_{name.upper()}"
    for value in ("abc", "-1", "1" + 30 * "0", "inf", "nan", ""):
        monkeypatch.setenv(variable, value)
        assert main(["settings"]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert f"{variable} is wrong: {value!r} is not a" in line
        assert all(limit in line for limit in limits)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("INTERPRET", "banana", "'banana' is not 1 (on) or 0 (off)"),
        ("CHECK_BOUNDS", "2", "'2' is not 1 (on) or 0 (off)"),
        ("DEBUG", "banana", "'banana' is not 1 (on) or 0 (off)"),
        ("LANGUAGE", "banana", "'banana' is not one of en, fr"),
        ("CACHE_DIR", "/dev/null/x", "compiled rules cannot be kept in /dev/null/x ("),
        ("DATA_DIR", "", "it is empty; name a folder"),
        ("LAB", "perhaps", "'perhaps' is not true or false"),
        ("LOG_LEVEL", "loud", "'loud' is not one of debug, info"),
        ("TRUSTED_PROXIES", "10.0.0.2, caddy", "'caddy' is not an address"),
        ("WEBHOOKS_PORTS", "8443, 99999", "'99999' is not a port from 1 to 65535"),
        ("PUBLIC_URL", "ftp://games", "it must be an address that begins with https://"),
    ],
)
def test_a_wrong_value_is_said_in_one_sentence(monkeypatch, capsys, name, value, reason):
    monkeypatch.setenv(f"PYRAMIDION_{name}", value)
    assert main(["settings"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"The setting PYRAMIDION_{name} is wrong: {reason}" in line


@pytest.mark.parametrize("command", [["games"], ["serve"], ["backup", "x"], ["admin", "reports"]], ids=" ".join)
def test_no_command_takes_a_wrong_variable(monkeypatch, capsys, command):
    monkeypatch.setenv("PYRAMIDION_INTERPRET", "banana")
    assert main(command) == 1
    assert "PYRAMIDION_INTERPRET is wrong" in capsys.readouterr().err


def test_a_command_without_rules_needs_no_folder_for_them(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PYRAMIDION_CACHE_DIR", "/dev/null/x")
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path))
    for command in (["admin", "reports"], ["backup", str(tmp_path / "x")], ["migrate"]):
        assert main(command) == 1
        assert "There is no database of Pyramidion at" in capsys.readouterr().err


def test_python_takes_no_wrong_variable():
    environment = {**os.environ, "PYRAMIDION_INTERPRET": "banana"}
    program = [sys.executable, "-c", "import pyramidion; pyramidion.load('pyramis')"]
    answer = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert answer.stderr.splitlines()[-1].endswith("PYRAMIDION_INTERPRET is wrong: 'banana' is not 1 (on) or 0 (off).")


@pytest.mark.parametrize(("value", "on"), [("1", True), ("True", True), ("0", False), ("false", False), ("", False)])
def test_a_switch_is_on_or_off(monkeypatch, value, on):
    monkeypatch.setenv("PYRAMIDION_INTERPRET", value)
    assert flag("PYRAMIDION_INTERPRET") is on


def test_proxies_and_ports_may_be_several(monkeypatch):
    monkeypatch.setenv("PYRAMIDION_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8,::1")
    monkeypatch.setenv("PYRAMIDION_WEBHOOKS_PORTS", " 8443, 8444 ")
    assert Settings().trusted_proxies == "127.0.0.1, 10.0.0.0/8,::1"
    assert Settings().webhook_ports() == [8443, 8444]


def test_a_misspelt_variable_is_named_with_the_nearest_setting():
    (sentence,) = unknown_variables({"PYRAMIDION_SECURE_COOKIE": "true", "PATH": "/bin", "PYRAMIDION_LAB": "1"})
    assert sentence.startswith("PYRAMIDION_SECURE_COOKIE is not a setting")
    assert sentence.endswith("Did you mean PYRAMIDION_SECURE_COOKIES?")
    (sentence,) = unknown_variables({"PYRAMIDION_FROBNICATE": "1"})
    assert sentence.endswith("`pyramidion settings` lists all settings.")


def test_every_setting_is_described_in_a_group():
    rows = described_settings()
    fields = [f"PYRAMIDION_{name.upper()}" for name in Settings.model_fields]
    assert [row.variable for row in rows] == fields + [variable.name for variable in VARIABLES]
    assert {row.group for row in rows} == {*GROUPS, RULES_AND_COMMANDS}
    assert all(row.description for row in rows)


def test_the_command_lists_settings_with_their_origin_and_no_secret(monkeypatch, capsys):
    monkeypatch.setenv("PYRAMIDION_SECRET_KEY", "s" * 40)
    monkeypatch.setenv("PYRAMIDION_BOT_SECOND", "3")
    assert main(["settings", "--json"]) == 0
    output = capsys.readouterr()
    rows = {row["variable"]: row for row in json.loads(output.out)}
    assert rows["PYRAMIDION_SECRET_KEY"]["value"] == "(set)"
    assert rows["PYRAMIDION_SECRET_KEY"]["from"] == "environment"
    assert rows["PYRAMIDION_BOT_THREADS"]["from"] == "default"
    assert rows["PYRAMIDION_BOT_THREADS"]["allowed"] == "a whole number from 1 to 64"
    assert rows["PYRAMIDION_CACHE_DIR"]["value"] == str(cache_folder())
    assert "Did you mean PYRAMIDION_BOT_SECONDS?" in output.err
    assert main(["settings"]) == 0
    output = capsys.readouterr()
    assert "s" * 40 not in output.out
    assert "PYRAMIDION_PUBLIC_URL" in output.out


def test_the_command_refuses_a_database_that_a_server_would_refuse(monkeypatch, capsys):
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", "mysql://h/db")
    assert main(["settings"]) == 1
    assert "it is for mysql, not SQLite or PostgreSQL." in capsys.readouterr().err


def test_the_password_of_an_address_is_not_shown(monkeypatch, capsys):
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", "postgresql+psycopg://ann:pa:ss@word@db.example/games")
    for words in (["settings"], ["settings", "--json"]):
        assert main(words) == 0
        output = "".join(capsys.readouterr().out.split())
        assert "//ann:***@" in output
        assert "pa:ss" not in output
        assert "ss@word" not in output


def test_the_environment_sets_everything(monkeypatch, tmp_path):
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path / "here"))
    monkeypatch.setenv("PYRAMIDION_SECRET_KEY", "s" * 40)
    monkeypatch.setenv("PYRAMIDION_BOT_PAUSE", "0.5")
    settings = Settings()
    assert settings.database() == f"sqlite:///{tmp_path / 'here' / 'pyramidion.sqlite3'}"
    assert settings.secret_key.get_secret_value() == "s" * 40
    assert settings.bot_pause == 0.5
    assert "s" * 40 not in repr(settings)
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", "postgresql+psycopg://host/db")
    assert Settings().database() == "postgresql+psycopg://host/db"


def test_the_default_folder_is_the_platforms():
    assert Settings.model_fields["data_dir"].default_factory().name == "pyramidion"
