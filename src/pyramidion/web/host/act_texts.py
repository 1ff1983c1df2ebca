"""What acts are called in the log: whole sentences, with the names of those who sit at the table now."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyramidion.bots.labels import label
from pyramidion.web.clock import duration
from pyramidion.web.host.acts import Act
from pyramidion.words import _, marked, ngettext

Names = Sequence[str]
Writer = Callable[[Act, Names], str]


def text_of(act: Act, names: Names) -> str:
    """Return an act in words; of a kind that is not known here, that something was done."""
    write = TEXTS.get(act.kind)
    return write(act, names) if write is not None else _("Something was changed about the table.")


def player(act: Act, names: Names) -> str:
    """Return the name of the seat that an act speaks of."""
    return names[int(act.data["seat"])]


def _by(host: str, seat: str) -> Writer:
    """Return what writes `host` where it was the host's act, and `seat` with a name where it was a player's."""

    def write(act: Act, names: Names) -> str:
        return _(seat).format(name=names[act.by]) if isinstance(act.by, int) else _(host)

    return write


def _about(sentence: str) -> Writer:
    """Return what writes a sentence about the seat, and the bot, that an act speaks of."""

    def write(act: Act, names: Names) -> str:
        return _(sentence).format(name=player(act, names), level=label(act.data.get("bot")))

    return write


def _extended(act: Act, names: Names) -> str:
    return _("The host has given more time: {duration}.").format(duration=duration(act.data["seconds"]))


def _stepped_back(act: Act, names: Names) -> str:
    steps = int(act.data["steps"])
    if steps == 0:
        return _("The host has begun this step anew.")
    return ngettext(
        "The host has stepped back: the last step was taken back.",
        "The host has stepped back: the last {count} steps were taken back.",
        steps,
    ).format(count=steps)


def _replaced(act: Act, names: Names) -> str:
    was, place, bot = act.data["was"], int(act.data["seat"]) + 1, act.data.get("bot")
    if bot:
        return _("The host has given the place of {name} to a bot ({level}).").format(name=was, level=label(bot))
    return _("The host has opened the place of {name}: whoever has the link can sit down as player {place}.").format(
        name=was, place=place
    )


_PAUSED = _by(marked("The host has paused the table."), marked("{name} has paused the table."))
_AGREED = _by(marked("The host agrees."), marked("{name} agrees."))
_REFUSED = _by(marked("The host does not agree."), marked("{name} does not agree."))


def _paused(act: Act, names: Names) -> str:
    return _("All have agreed to a pause.") if act.data.get("agreed") else _PAUSED(act, names)


TEXTS: dict[str, Writer] = {
    "paused": _paused,
    "resumed": _by(marked("The table goes on; the host has ended the pause."), marked("{name} has ended the pause.")),
    "extended": _extended,
    "closed": lambda act, names: _("The host has closed the phase: what was missing was decided by the rules."),
    "acted-for": _about(marked("The host has let the rules decide for {name}.")),
    "stepped-back": _stepped_back,
    "replaced": _replaced,
    "host-changed": _about(marked("{name} is the host now.")),
    "undo-asked": _by("", marked("{name} asks to take the last action back.")),
    "pause-asked": _by("", marked("{name} proposes a pause.")),
    "agreed": _AGREED,
    "refused": _REFUSED,
    "withdrawn": _by("", marked("{name} does not ask any more.")),
    "undone": _about(marked("The last action of {name} was taken back.")),
    "stands-in": _about(marked("A bot ({level}) plays for {name} until they are back.")),
    "back": _by("", marked("{name} is back.")),
    "resigned": _about(marked("{name} was absent: a bot ({level}) has the seat from now on.")),
}
"""Sentences by kind. The names of seats are those of today."""
