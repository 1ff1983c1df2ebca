# pyright: basic
"""A private PostgreSQL server for tests and benchmarks, in a temporary folder that is deleted at the end.

It listens only on a Unix socket in a folder that only its owner can enter. PostgreSQL refuses to run as root; for root
it runs as the user `postgres` or `nobody`.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

PLACES = "/usr/lib/postgresql/*/bin", "/usr/local/opt/postgresql*/bin", "/opt/homebrew/opt/postgresql*/bin"
START_SECONDS = 30
PARENT_DIES = 1  # PR_SET_PDEATHSIG


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None if it is not installed."""
    initdb = shutil.which("initdb")
    if initdb:
        return Path(initdb).resolve().parent
    folders = [folder for place in PLACES for folder in Path("/").glob(place[1:]) if (folder / "initdb").exists()]
    return max(folders, default=None, key=lambda folder: folder.parent.name.rjust(20))


class Cluster:
    """Runs a PostgreSQL server in a temporary folder, for tests and benchmarks.

    With `durable`, commits wait for the disk, as in production.
    """

    def __init__(self, *, durable: bool = False) -> None:
        binaries = programs()
        if binaries is None:
            raise RuntimeError("PostgreSQL is not installed: there is no initdb.")
        self._programs = binaries
        self._folder = Path(tempfile.mkdtemp(prefix="pyramidion-pg-"))
        self._run_as = _other_user()
        if self._run_as:
            shutil.chown(self._folder, *self._run_as.values())
        self._process: Any = None
        self._durable = durable
        self._names = count(1)
        data = self._folder / "data"
        made = [binaries / "initdb", "-D", data, "-U", "pyramidion", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        subprocess.run(
            made, check=True, stdout=subprocess.DEVNULL, cwd="/", env={"PATH": os.environ["PATH"]}, **self._run_as
        )
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._folder),
            "fsync": "on" if self._durable else "off",
            "synchronous_commit": "on",
            "max_connections": "200",
            "shared_buffers": "64MB",
            "log_min_messages": "fatal",
        }
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._folder / "data", *arguments],
                stdout=log,
                stderr=log,
                cwd="/",
                env={"PATH": os.environ["PATH"]},
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
                **self._run_as,
            )
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self._conninfo("postgres")).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def crash(self) -> None:
        """Kill the server immediately, without a shutdown."""
        self._stop(signal.SIGQUIT)

    def close(self) -> None:
        """Stop the server and delete its files."""
        self._stop(signal.SIGQUIT)  # nothing needs to be saved
        shutil.rmtree(self._folder, ignore_errors=True)

    def _stop(self, how: signal.Signals) -> None:
        """Send a signal to the server and wait until it has ended."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(START_SECONDS)
        self._process = None

    def new_database(self, like: str = "template1") -> str:
        """Return the URL of a new database: an empty one, or a copy of the one called `like`."""
        name = f"pyramidion_{next(self._names)}"
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(like))
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            connection.execute(made)
        return f"postgresql+psycopg://pyramidion@/{name}?host={self._folder}"

    def _conninfo(self, database: str) -> str:
        """Return the connection string of a database."""
        return f"host={self._folder} user=pyramidion dbname={database}"

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _other_user() -> dict[str, Any]:
    """Return the user to run PostgreSQL as, for `subprocess`; empty unless this process is root."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid}
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres or nobody.")


def _end_with_parent() -> None:
    """Make the system end this process when its parent ends (Linux); runs before PostgreSQL starts."""
    ctypes.CDLL(None).prctl(PARENT_DIES, signal.SIGINT)
