"""Settings: the data folder, the secret key, the environment."""

import json
import re
import stat
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError
from tests.web.helpers.databases import MADE_BY_MIGRATIONS

from pyramidion.cli import main
from pyramidion.web.db.store import Store
from pyramidion.web.settings import GROUPS, Settings, described_settings, unknown_variables


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


def test_every_variable_that_is_read_somewhere_is_known():
    read = set()
    for path in (Path(__file__).parents[2] / "src").rglob("*.py"):
        read |= set(re.findall(r'"(PYRAMIDION_[A-Z_]+)"', path.read_text("utf-8")))
    assert read
    assert unknown_variables(dict.fromkeys(read, "1")) == []


def test_a_misspelt_variable_is_named_with_the_nearest_setting():
    (sentence,) = unknown_variables({"PYRAMIDION_SECURE_COOKIE": "true", "PATH": "/bin", "PYRAMIDION_LAB": "1"})
    assert sentence.startswith("PYRAMIDION_SECURE_COOKIE is not a setting")
    assert sentence.endswith("Did you mean PYRAMIDION_SECURE_COOKIES?")
    (sentence,) = unknown_variables({"PYRAMIDION_FROBNICATE": "1"})
    assert sentence.endswith("`pyramidion settings` lists all settings.")


def test_every_setting_is_described_in_a_group():
    rows = described_settings()
    assert [row.field for row in rows] == list(Settings.model_fields)
    assert {row.group for row in rows} == set(GROUPS)
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
    assert "Did you mean PYRAMIDION_BOT_SECONDS?" in output.err
    assert main(["settings"]) == 0
    output = capsys.readouterr()
    assert "s" * 40 not in output.out
    assert "PYRAMIDION_PUBLIC_URL" in output.out
    monkeypatch.setenv("PYRAMIDION_BOT_THREADS", "many")
    assert main(["settings"]) == 1
    assert "PYRAMIDION_BOT_THREADS is wrong" in capsys.readouterr().err
    monkeypatch.delenv("PYRAMIDION_BOT_THREADS")
    monkeypatch.setenv("PYRAMIDION_PUBLIC_URL", "ftp://games")
    assert main(["settings"]) == 1
    assert "PYRAMIDION_PUBLIC_URL is wrong: it must be an address" in capsys.readouterr().err


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


@pytest.mark.parametrize("value", ["-1", "soon", "61"])
def test_a_setting_out_of_its_range_is_refused(monkeypatch, value):
    monkeypatch.setenv("PYRAMIDION_BOT_PAUSE", value)
    with pytest.raises(ValidationError):
        Settings()
