"""Files of SQLite: their first bytes, whether they are whole, and putting a new one in its place."""

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


def cut_short(path: Path) -> bool:
    """Return whether an SQLite file is smaller than its header says.

    A file that has a log may be smaller, until the log is merged.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and first_bytes(log)[:4] in LOGS:
        return False
    head = first_bytes(path)
    page, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    return path.stat().st_size < (65536 if page == 1 else page) * pages


def first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file: as many as SQLite's header has."""
    with path.open("rb") as file:
        return file.read(HEADER)
