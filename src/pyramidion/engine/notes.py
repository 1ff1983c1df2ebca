"""Notes: fields of a state that a game's minds keep, and its rules never read.

A game whose bots need to remember something that a position no longer shows gives `Game` its rules `with_notes`.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pyramidion.engine.rule import rule


def with_notes(rules: Any, take_note: Any) -> Any:
    """Return a game's rules with another `apply`, which calls the mind's rule `take_note(s, seat, action)` first."""
    referee = rules.apply

    @rule
    def apply(box: Any, s: Any, seat: Any, action: Any) -> None:
        """Let the mind note an action, and apply it."""
        take_note(s, seat, action)
        referee(box, s, seat, action)

    return SimpleNamespace(**{**vars(rules), "apply": apply})
