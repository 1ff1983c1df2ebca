"""What acts are called in the log: whole sentences, with the names of those who sit at the table now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyramidion.bots.labels import label
from pyramidion.web.acts import Act
from pyramidion.web.clock import duration

Names = Sequence[str]


def text_of(act: Act, names: Names) -> str:
    """Return an act in words; of a kind that is not known here, that something was done."""
    write = TEXTS.get(act.kind)
    return write(act, names) if write is not None else "The table was changed."


def player(act: Act, names: Names) -> str:
    """Return the name of the seat that an act speaks of."""
    return names[int(act.data["seat"])]


def doer(act: Act, names: Names) -> str:
    """Return whose act it was: the name of a seat, or what the host is called."""
    return names[act.by] if isinstance(act.by, int) else "the host"


def _paused(act: Act, _: Names) -> str:
    if act.by == "host":
        return "The host has paused the table."
    return "All have agreed to a pause."


def _extended(act: Act, _: Names) -> str:
    return f"The host has given {duration(act.data['seconds'])} more."


def _stepped_back(act: Act, _: Names) -> str:
    steps = int(act.data["steps"])
    if steps == 0:
        return "The host has begun this step anew."
    if steps == 1:
        return "The host has stepped back: the last step was taken back."
    return f"The host has stepped back: the last {steps} steps were taken back."


def _replaced(act: Act, names: Names) -> str:
    was, place = act.data["was"], int(act.data["seat"]) + 1
    if act.data.get("bot"):
        return f"The host has given the place of {was} to a bot ({label(act.data['bot'])})."
    return f"The host has opened the place of {was}: whoever has the link can sit down as player {place}."


def _host_changed(act: Act, names: Names) -> str:
    return f"{player(act, names)} is the host now."


def _agreed(act: Act, names: Names) -> str:
    return f"{doer(act, names)} agrees." if act.by != "host" else "The host agrees."


def _refused(act: Act, names: Names) -> str:
    return f"{doer(act, names)} does not agree." if act.by != "host" else "The host does not agree."


def _undone(act: Act, names: Names) -> str:
    return f"The last action of {names[int(act.data['seat'])]} was taken back."


def _stands_in(act: Act, names: Names) -> str:
    return f"A bot ({label(act.data['bot'])}) plays for {player(act, names)} until they are back."


def _resigned(act: Act, names: Names) -> str:
    return f"{player(act, names)} was absent: a bot ({label(act.data['bot'])}) has the seat from now on."


TEXTS: dict[str, Callable[[Act, Names], str]] = {
    "paused": _paused,
    "resumed": lambda act, names: "The table goes on.",
    "extended": _extended,
    "closed": lambda act, names: "The host has closed the phase: what was missing was decided by the rules.",
    "acted-for": lambda act, names: f"The host has let the rules decide for {player(act, names)}.",
    "stepped-back": _stepped_back,
    "replaced": _replaced,
    "host-changed": _host_changed,
    "undo-asked": lambda act, names: f"{doer(act, names)} asks to take the last action back.",
    "pause-asked": lambda act, names: f"{doer(act, names)} proposes a pause.",
    "agreed": _agreed,
    "refused": _refused,
    "withdrawn": lambda act, names: f"{doer(act, names)} does not ask any more.",
    "undone": _undone,
    "stands-in": _stands_in,
    "back": lambda act, names: f"{doer(act, names)} is back.",
    "resigned": _resigned,
}
"""Sentences by kind. The names of seats are those of today."""
