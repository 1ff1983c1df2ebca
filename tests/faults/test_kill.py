"""Tests that kill -9 at any moment loses no acknowledged action."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import httpx
import pytest

TIMES = 8
LONGEST = 0.4


def command(folder):
    return {
        "args": [sys.executable, "-m", "pyramidion", "serve", "--port", "0"],
        "env": os.environ | {"PYRAMIDION_DATA_DIR": str(folder), "PYRAMIDION_WARM": "0"},
        "stdout": subprocess.PIPE,
        "text": True,
    }


def start(folder):
    """Start a server; return it with its port."""
    process = subprocess.Popen(**command(folder))
    line = process.stdout.readline()
    return process, int(line.split("http://")[1].split("/")[0].rsplit(":", 1)[1])


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def noted(path):
    """Return the acknowledged actions by table and ply; fails if an error was logged."""
    acknowledged = defaultdict(dict)
    for line in path.read_text().splitlines():
        note = json.loads(line)
        assert "fault" not in note, note
        plies = acknowledged[note["table"]]
        if "ply" in note:
            plies[note["ply"]] = (note["seat"], note["action"])
    return acknowledged


def stored(folder):
    with sqlite3.connect(folder / "pyramidion.sqlite3") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = database.execute("SELECT match, ply, seat, action FROM plies ORDER BY match, ply").fetchall()
    database.close()
    plies = defaultdict(list)
    for match, ply, seat, action in rows:
        assert ply == len(plies[match]), "a ply is missing"
        plies[match].append((seat, action))
    return plies


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_server_killed_while_it_starts_for_the_first_time_starts_the_next_time(tmp_path):
    chance = random.Random()
    for _ in range(3):
        process = subprocess.Popen(**command(tmp_path))
        time.sleep(chance.uniform(0.3, 1.5))
        kill(process)
    server, port = start(tmp_path)
    try:
        assert httpx.get(f"http://127.0.0.1:{port}/health", timeout=30).json()["status"] == "ok"
    finally:
        kill(server)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_server_has_lost_no_acknowledged_action(tmp_path):
    chance = random.Random()
    notes = tmp_path / "notes"
    load = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("load.py")), str(notes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    counts = []
    with load:
        for _ in range(TIMES):
            server, port = start(tmp_path)
            load.stdin.write(f"{port}\n")
            load.stdin.flush()
            before = notes.stat().st_size if notes.exists() else 0
            # Wait until the server is under load; otherwise most kills would hit its start-up.
            while not notes.exists() or notes.stat().st_size == before:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, LONGEST))
            kill(server)
            assert load.stdout.readline() == "gone\n"
            acknowledged, plies = noted(notes), stored(tmp_path)
            for table, made in acknowledged.items():
                assert {ply: plies[table][ply] for ply in made} == made
            counts.append(sum(map(len, acknowledged.values())))
        load.stdin.close()
    assert counts[-1] > TIMES
    server, port = start(tmp_path)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            for table, plies in stored(tmp_path).items():
                answer = client.get(f"/api/tables/{table}/view")
                assert answer.status_code == 200
                assert answer.json()["version"] == len(plies)
    finally:
        kill(server)
