"""Permissions of files that also bind tests that run as root."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Generator
from contextlib import contextmanager

VERSION = 0x20080522
"""Version 3 of capabilities: sets of 64 bits, in two halves (capget(2))."""
OVERRIDES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, for which permissions of files do not matter."""
EFFECTIVE = 0


@contextmanager
def permissions_apply() -> Generator[None]:
    """Context manager: this thread, and those that it starts, open only what the permissions of files allow.

    It gives up for a while what lets root open everything; whoever is not root has nothing to give up.
    """
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, before = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, before) == 0
    reduced = (ctypes.c_uint32 * 6)(*before)
    reduced[EFFECTIVE] &= ~OVERRIDES
    assert libc.capset(header, reduced) == 0
    try:
        yield
    finally:
        assert libc.capset(header, before) == 0
