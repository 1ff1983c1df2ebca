"""Files of SQLite: which they are, whether they are whole or in use, and putting a new one in its place.

A process that has a database open must not open its file in another way. When it closes that, the system drops the
process's locks on the file, SQLite's among them; the next program that is done with the database then takes itself for
the last one and deletes the write-ahead log with what is stored in it (https://sqlite.org/howtocorrupt.html, 2.2).
"""

from __future__ import annotations

import os
from pathlib import Path

HEADER = 100
"""Bytes of an SQLite file's header (https://sqlite.org/fileformat.html)."""
LOGS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How the write-ahead log of an SQLite file begins."""


def put_once(draft: Path, path: Path) -> None:
    """Rename a finished file to `path` unless another process has created it first; delete the draft."""
    try:
        draft.rename(path) if os.name == "nt" else os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)


def parts_of(path: Path) -> tuple[Path, Path, Path]:
    """Return the files of an SQLite database: its own, its write-ahead log, and the index of that."""
    return path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def identity_of(path: Path | None) -> tuple[int, int]:
    """Return the device and number of a file, (0, 0) without one, and on Windows, where no open file can be moved."""
    if path is None or os.name == "nt":
        return 0, 0
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def in_use(path: Path) -> bool:
    """Return whether another process has an SQLite database open that has a write-ahead log.

    Such a process holds a lock on byte 128 of the log's index (UNIX_SHM_DMS in SQLite's os_unix.c). Windows needs no
    check: it moves no file that is in use.
    """
    index = parts_of(path)[2]
    if os.name == "nt" or not index.exists():
        return False
    import fcntl

    with index.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
        except BlockingIOError:
            return True
    return False


def cut_short(path: Path, size: int) -> bool:
    """Return whether an SQLite file is smaller than the `size` in bytes that SQLite says it has.

    A file that has a log may be smaller, until the log is merged.
    """
    log = parts_of(path)[1]
    return not (log.exists() and first_bytes(log)[:4] in LOGS) and path.stat().st_size < size


def first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file, as many as SQLite's header has; of no database that this process has open."""
    with path.open("rb") as file:
        return file.read(HEADER)
