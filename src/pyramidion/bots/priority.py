"""The priority of background work."""

from __future__ import annotations

import os
from contextlib import suppress

NICENESS = 5


def lower_priority(process: int = 0, niceness: int = NICENESS) -> None:
    """Lower the priority of a process (0 for this one) or, on Linux, of a thread, where the system can do that."""
    with suppress(AttributeError, OSError):  # Windows lacks the function
        os.setpriority(os.PRIO_PROCESS, process, niceness)
