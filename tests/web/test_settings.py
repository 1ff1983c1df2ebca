"""Settings: the data folder, the secret key, the environment."""

import stat
import sys

import pytest
from pydantic import ValidationError

from pyramidion.web.settings import Settings


def test_the_key_is_made_once_and_kept_from_others(tmp_path):
    folder = tmp_path / "deep" / "data"
    key = Settings(data_dir=folder).key()
    assert len(key) == 64
    assert Settings(data_dir=folder).key() == key
    assert [path.name for path in folder.iterdir()] == ["secret_key"]
    if sys.platform != "win32":
        assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="modes are Unix's")
def test_a_key_that_others_could_read_is_shut_again(tmp_path):
    Settings(data_dir=tmp_path).key()
    (tmp_path / "secret_key").chmod(0o644)
    Settings(data_dir=tmp_path).key()
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


@pytest.mark.parametrize("encoding", ["ascii", "utf-8-sig", "utf-16"])
def test_a_key_is_read_however_an_editor_or_a_console_wrote_it(tmp_path, encoding):
    (tmp_path / "secret_key").write_bytes(("k" * 40 + "\r\n").encode(encoding))
    assert Settings(data_dir=tmp_path).key() == "k" * 40


def test_a_key_that_protects_nothing_is_refused(tmp_path):
    (tmp_path / "secret_key").write_text("short")
    with pytest.raises(ValueError, match="is shorter than 32 characters"):
        Settings(data_dir=tmp_path).key()
    with pytest.raises(ValueError, match="PYRAMIDION_SECRET_KEY is shorter"):
        Settings(data_dir=tmp_path, secret_key="short").key()


def test_the_environment_sets_everything(monkeypatch, tmp_path):
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path / "here"))
    monkeypatch.setenv("PYRAMIDION_SECRET_KEY", "s" * 40)
    monkeypatch.setenv("PYRAMIDION_BOT_PAUSE", "0.5")
    settings = Settings()
    assert settings.database() == f"sqlite:///{tmp_path / 'here' / 'pyramidion.sqlite3'}"
    assert settings.key() == "s" * 40
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
