"""Commands that find no database in the data folder, or a data folder that cannot be one."""

import pytest

from pyramidion.cli import main


@pytest.mark.parametrize(
    "command", [["migrate"], ["export"], ["backup", "x"], ["ratings", "rebuild"], ["admin", "reports"]], ids=" ".join
)
def test_without_a_database_the_path_and_the_settings_are_named_and_nothing_is_made(
    tmp_path, capsys, monkeypatch, command
):
    """The server's settings are in a file that a shell does not read, with systemd and Docker."""
    folder = tmp_path / "nobody" / "pyramidion"
    monkeypatch.delenv("PYRAMIDION_DATABASE_URL", raising=False)
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(folder))
    assert main(command) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"no database of Pyramidion at {folder / 'pyramidion.sqlite3'}." in line
    assert "PYRAMIDION_DATA_DIR or PYRAMIDION_DATABASE_URL" in line
    assert not folder.parent.exists()


@pytest.mark.parametrize(
    "command",
    [["serve", "--port", "0"], ["migrate"], ["export"], ["backup", "x"], ["ratings", "rebuild"], ["admin", "reports"]],
    ids=" ".join,
)
def test_a_data_folder_that_cannot_be_one_is_said_in_one_sentence(tmp_path, capsys, monkeypatch, command):
    file = tmp_path / "a file"
    file.write_text("")
    monkeypatch.delenv("PYRAMIDION_DATABASE_URL", raising=False)
    for folder in (file, file / "below"):
        monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(folder))
        assert main(command) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert f"The database {folder / 'pyramidion.sqlite3'} cannot be used: {file}: Not a directory." in line
        assert "name another folder with PYRAMIDION_DATA_DIR" in line
