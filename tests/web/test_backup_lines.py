"""The lines for backups that operators copy: those of docs/hosting.md, and the systemd units of deploy/."""

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pyramidion.web.db.store import Store

ROOT = Path(__file__).parents[2]
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")
SERVICE = (ROOT / "deploy" / "pyramidion-backup.service").read_text("utf-8")


@pytest.fixture
def home(tmp_path):
    """A home folder with a database in `pyramidion`, a folder `backups`, and the command in `venv/bin`."""
    for folder in ("pyramidion", "backups", "venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    command = tmp_path / "venv/bin/pyramidion"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pyramidion "$@"\n')
    command.chmod(0o755)
    store = Store(f"sqlite:///{tmp_path / 'pyramidion' / 'pyramidion.sqlite3'}")
    store.open()
    store.close()
    return tmp_path


def run_lines(lines, home):
    """Run lines of a shell in a home folder; return its output."""
    environment = {
        **os.environ,
        "HOME": str(home),
        "PATH": f"{home / 'venv/bin'}:{os.environ['PATH']}",
        "PYRAMIDION_DATA_DIR": str(home / "pyramidion"),
    }
    environment.pop("PYRAMIDION_DATABASE_URL", None)
    done = subprocess.run(
        ["bash", "-euc", lines], cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_lines_of_a_restore_move_the_old_database_away_and_restore(home):
    run_lines("pyramidion backup tables-monday.sqlite3", home)
    (log := home / "pyramidion" / "pyramidion.sqlite3-wal").write_bytes(b"")
    old = (home / "pyramidion" / "pyramidion.sqlite3").read_bytes()
    blocks = re.findall(r"^```bash\n(.*?)^```", HOSTING, re.M | re.S)
    [lines] = [block for block in blocks if block.startswith("pyramidion restore --set-aside")]
    first = run_lines(lines, home)
    assert "holds 0 tables" in first
    assert not log.exists()
    assert "The old database is in" in run_lines(lines, home), "typed twice"
    folders = list((home / "pyramidion").glob("pyramidion.sqlite3.old-*"))
    assert len(folders) == 2
    [first_folder] = [folder for folder in folders if str(folder) in first]
    assert (first_folder / "pyramidion.sqlite3-wal").exists()
    assert (first_folder / "pyramidion.sqlite3").read_bytes() == old


def test_the_lines_of_the_service_restore_when_they_are_typed_twice(home):
    """With the folders of this test, and without systemd."""
    run_lines("pyramidion backup pyramidion/tables-monday.sqlite3", home)
    blocks = re.findall(r"^```bash\n(.*?)^```", HOSTING, re.M | re.S)
    [lines] = [block for block in blocks if block.startswith("systemctl stop pyramidion")]
    here = lines.replace("/var/lib/", f"{home}/").replace("/opt/pyramidion", str(home / "venv"))
    here = 'systemctl() { :; }; runuser() { shift 3; "$@"; }\n' + here
    for _ in range(2):
        assert "holds 0 tables" in run_lines(here, home)
    assert len(list((home / "pyramidion").glob("pyramidion.sqlite3.old-*"))) == 2


def test_nothing_is_set_aside_for_a_damaged_backup_or_under_a_running_server(home):
    file = home / "pyramidion" / "pyramidion.sqlite3"
    before = file.read_bytes()
    (home / "nonsense").write_bytes(b"SQLite format 3\0, nearly")
    assert run_lines("pyramidion restore --set-aside nonsense || echo refused", home) == "refused\n"
    run_lines("pyramidion backup tables-monday.sqlite3", home)
    store = Store(f"sqlite:///{file}")
    store.open()
    try:
        said = run_lines("pyramidion restore --set-aside tables-monday.sqlite3 2>&1 || true", home)
    finally:
        store.close()
    assert f"A server uses {file}. Stop it" in said
    assert file.read_bytes() == before
    assert not list((home / "pyramidion").glob("*.old-*"))


def test_no_dump_overwrites_an_earlier_one():
    pages = [HOSTING, (ROOT / "docs" / "tutorials" / "internet.md").read_text("utf-8")]
    dumps = re.findall(r"pg_dump [^\n]*> (.+)$", "\n".join(pages), re.M)
    assert len(dumps) == 4
    assert all("$(date +%F-%H%M%S)" in name.replace("\\%", "%") for name in dumps)
    private = re.findall(r"umask 077(?:;| &&) docker compose exec -T database pg_dump", "\n".join(pages))
    assert len(private) == len(dumps), "Dumps hold seeds and keys."


def test_the_line_of_cron_backs_up_and_deletes_what_is_old(home):
    [line] = re.findall(r"^30 3 \* \* \* (.+)$", HOSTING, re.M)
    kept_too_long = home / "backups" / "tables-2020-01-01.sqlite3"
    kept_too_long.touch()
    os.utime(kept_too_long, (0, 0))
    run_lines(line.replace("\\%", "%"), home)
    [backup] = (home / "backups").iterdir()
    assert_is_backup(backup)


def test_the_service_backs_up_and_deletes_what_is_old(home):
    """As systemd runs it, with the folders of this test."""
    commands = re.findall(r"^ExecStart(?:Post)?=(.+)$", SERVICE, re.M)
    assert len(commands) == 2
    kept_too_long = home / "backups" / "tables-2020-01-01-033000.sqlite3"
    kept_too_long.touch()
    os.utime(kept_too_long, (0, 0))
    for command in commands:
        here = command.replace("/var/backups/pyramidion", str(home / "backups"))
        here = here.replace("/opt/pyramidion", str(home / "venv"))
        run_lines(here.replace("$$", "$").replace("%%", "%"), home)
    [backup] = (home / "backups").iterdir()
    assert_is_backup(backup)


def test_systemd_accepts_the_units(tmp_path):
    """Where systemd is installed; the paths of the commands are those of another machine."""
    analyze = shutil.which("systemd-analyze")
    names = ("pyramidion.service", "pyramidion-backup.service", "pyramidion-backup.timer")
    for name in names:
        text = (ROOT / "deploy" / name).read_text("utf-8")
        assert text.count("[Unit]") == 1
        (tmp_path / name).write_text(text.replace("/opt/pyramidion/bin/pyramidion", "/bin/sh"))
    if analyze is not None:
        command = [analyze, "verify", *(str(tmp_path / name) for name in names)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not [line for line in done.stderr.splitlines() if str(tmp_path) in line or "Unknown" in line]


def assert_is_backup(file):
    """Require a database that only its owner can read."""
    assert file.stat().st_mode & 0o077 == 0
    with sqlite3.connect(file) as copy:
        assert copy.execute("SELECT count(*) FROM matches").fetchone() == (0,)
    copy.close()
