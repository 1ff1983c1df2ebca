"""Commands on a data folder that is missing, or that they may not read or write: one sentence, and nothing changed."""

import os
import sys

import pytest
from tests.web.helpers.permissions import permissions_apply

from pyramidion.cli import main
from pyramidion.web.server import Server
from pyramidion.web.settings import Settings

ON_A_DATABASE = [["migrate"], ["export"], ["backup", "x"], ["ratings", "rebuild"], ["admin", "reports"]]
SERVE = ["serve", "--port", "0"]
CHANGING = [SERVE, ["migrate"], ["ratings", "rebuild"], ["admin", "close", "sign-up"]]
ACCESS = "must be readable and writable for the user of this command: check their permissions, or name another folder"
with_permissions = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions.")


@pytest.fixture(autouse=True)
def no_other_database(monkeypatch):
    monkeypatch.delenv("PYRAMIDION_DATABASE_URL", raising=False)


@pytest.mark.parametrize("command", ON_A_DATABASE, ids=" ".join)
def test_without_a_database_the_path_and_the_settings_are_named_and_nothing_is_made(
    tmp_path, capsys, monkeypatch, command
):
    """The server's settings are in a file that a shell does not read, with systemd and Docker."""
    folder = tmp_path / "nobody" / "pyramidion"
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(folder))
    assert main(command) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"no database of Pyramidion at {folder / 'pyramidion.sqlite3'}." in line
    assert "PYRAMIDION_DATA_DIR or PYRAMIDION_DATABASE_URL" in line
    assert not folder.parent.exists()


@pytest.mark.parametrize("command", [SERVE, *ON_A_DATABASE], ids=" ".join)
def test_a_data_folder_that_cannot_be_one_is_said_in_one_sentence(tmp_path, capsys, monkeypatch, command):
    file = tmp_path / "a file"
    file.write_text("")
    for folder in (file, file / "below"):
        monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(folder))
        assert main(command) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert f"The database {folder / 'pyramidion.sqlite3'} cannot be used: {file}: Not a directory." in line
        assert "name another folder with PYRAMIDION_DATA_DIR" in line


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder with a database, which is opened again at the end."""
    folder = tmp_path / "data"
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    Server.open(Settings()).store.close()
    yield folder
    folder.chmod(0o700)


def run(command, capsys):
    """Run a command as somebody to whom permissions apply; return what it did not like."""
    with permissions_apply():
        assert main(command) == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


@with_permissions
@pytest.mark.parametrize("command", [SERVE, *ON_A_DATABASE], ids=" ".join)
@pytest.mark.parametrize(("of_folder", "of_file"), [(0o000, 0o600), (0o700, 0o000)], ids=["folder", "file"])
def test_what_cannot_be_read_is_said_in_one_sentence(folder, capsys, command, of_folder, of_file):
    file = folder / "pyramidion.sqlite3"
    before = file.read_bytes()
    file.chmod(of_file)
    folder.chmod(of_folder)
    line = run(command, capsys)
    assert line.startswith(f"pyramidion: The database {file} cannot be used: ")
    assert ACCESS in line
    folder.chmod(0o700)
    file.chmod(0o600)
    assert file.read_bytes() == before
    assert os.listdir(folder.parent) == ["data"]


@with_permissions
@pytest.mark.parametrize("command", CHANGING, ids=" ".join)
@pytest.mark.parametrize(
    ("of_folder", "of_file"), [(0o500, 0o400), (0o500, 0o600), (0o700, 0o400)], ids=["both", "folder", "file"]
)
def test_what_cannot_be_written_is_said_in_one_sentence(folder, capsys, command, of_folder, of_file):
    file = folder / "pyramidion.sqlite3"
    before = file.read_bytes()
    file.chmod(of_file)
    folder.chmod(of_folder)
    line = run(command, capsys)
    assert line.startswith(f"pyramidion: The database {file} cannot be used: ")
    assert ACCESS in line
    assert file.read_bytes() == before


@with_permissions
def test_other_files_that_cannot_be_read_or_written_are_said_in_one_sentence(folder, tmp_path, capsys, monkeypatch):
    copy, closed = tmp_path / "copy", tmp_path / "closed"
    assert main(["backup", str(copy)]) == 0
    capsys.readouterr()
    copy.chmod(0o000)
    closed.mkdir(0o500)
    file = closed / "x"
    assert f"{file} cannot be written: Permission denied. Name a file in" in run(["backup", str(file)], capsys)
    assert f"{file} cannot be used: Permission denied. Check" in run(["export", "--out", str(file)], capsys)
    assert f"{copy} cannot be read: Permission denied. Name a file of" in run(["restore", str(copy)], capsys)
    copy.chmod(0o600)
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(closed))
    assert ACCESS in run(["restore", str(copy)], capsys)
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(closed / "new"))
    assert ACCESS in run(["restore", str(copy)], capsys)
    assert os.listdir(closed) == []
