"""Log texts of host commands, with the players' current names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyramidion.bots.labels import label
from pyramidion.engine.sentences import Name
from pyramidion.translation import _, marked, ngettext
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.durations import duration

Names = Sequence[str]
Writer = Callable[[HostCommand, Names], str]


def text_of(command: HostCommand, names: Names) -> str:
    """Return the log's sentence about a host command; `names` are the players'.

    A command of an unknown kind has a generic sentence.
    """
    write = TEXTS.get(command.kind)
    return write(command, names) if write is not None else _("The table settings changed.")


def player(command: HostCommand, names: Names) -> str:
    """Return the name of the player whom a host command is about; of one who is gone, the name at that time."""
    return Name(command.data["was"]) if "was" in command.data else names[int(command.data["seat"])]


def _by(host: str, seat: str) -> Writer:
    """Return a function that writes the sentence `host` about a host's command, and `seat` about a player's."""

    def write(command: HostCommand, names: Names) -> str:
        """Return the sentence about a command."""
        return _(seat).format(name=names[command.by]) if isinstance(command.by, int) else _(host)

    return write


def _about(sentence: str) -> Writer:
    """Return a function that writes a sentence with the names of the player and the bot that a command is about."""

    def write(command: HostCommand, names: Names) -> str:
        """Return the sentence about a command."""
        return _(sentence).format(name=player(command, names), level=label(command.data.get("bot")))

    return write


def _extended(command: HostCommand, names: Names) -> str:
    """Return the sentence about time that the host has added."""
    return _("The host added time: {duration}.").format(duration=duration(command.data["seconds"]))


def _stepped_back(command: HostCommand, names: Names) -> str:
    """Return the sentence about a rewind by some steps."""
    steps = int(command.data["steps"])
    if steps == 0:
        return _("The host restarted this step.")
    return ngettext(
        "The host rewound the game by {count} step.",
        "The host rewound the game by {count} steps.",
        steps,
    ).format(count=steps)


def _replaced(command: HostCommand, names: Names) -> str:
    """Return the sentence about a player whom the host has replaced."""
    was, place, bot = command.data["was"], int(command.data["seat"]) + 1, command.data.get("bot")
    if bot:
        return _("The host replaced {name} with a bot ({level}).").format(name=was, level=label(bot))
    if present := command.data.get("name"):
        return _("{name} takes over the seat of {former}.").format(name=present, former=was)
    return _("The host removed {name} and invited someone to take over as player {place}.").format(
        name=was, place=place
    )


_PAUSED = _by(marked("The host paused the game."), marked("{name} paused the game."))
_AGREED = _by(marked("The host agreed."), marked("{name} agreed."))
_REFUSED = _by(marked("The host declined."), marked("{name} declined."))


def _paused(command: HostCommand, names: Names) -> str:
    """Return the sentence about a pause."""
    return _("Everyone agreed to pause.") if command.data.get("agreed") else _PAUSED(command, names)


def _opened(command: HostCommand, names: Names) -> str:
    """Return the sentence about the beginning of the first phase."""
    return _("The host opened the first phase.") if command.by == "host" else _("The first phase is open.")


_ABSENT = _about(marked("{name} {name:was|were} absent. A bot ({level}) takes over the seat."))
_LEFT = _about(marked("{name} left the table. A bot ({level}) plays on."))


def _resigned(command: HostCommand, names: Names) -> str:
    """Return the sentence about a player who has left, or who was away too long."""
    return (_LEFT if isinstance(command.by, int) else _ABSENT)(command, names)


TEXTS: dict[str, Writer] = {
    "paused": _paused,
    "opened": _opened,
    "resumed": _by(marked("The host resumed the game."), marked("{name} resumed the game.")),
    "extended": _extended,
    "closed": lambda command, names: _("The host closed the phase. Default moves were applied."),
    "default-applied": _about(marked("The host applied the default move for {name}.")),
    "rewound": _stepped_back,
    "replaced": _replaced,
    "invited": lambda command, names: _("The host invited someone to join as player {place}.").format(
        place=int(command.data["seat"]) + 1
    ),
    "host-changed": _about(marked("{name} {name:is|are} now the host.")),
    "takeback-proposed": _by("", marked("{name} {name:asks|ask} to undo the last move.")),
    "pause-proposed": _by("", marked("{name} {name:proposes|propose} a pause.")),
    "extension-proposed": _by("", marked("{name} asked the host for more time.")),
    "agreed": _AGREED,
    "refused": _REFUSED,
    "withdrawn": _by("", marked("{name} withdrew the request.")),
    "taken-back": _about(marked("{name:*'s|Your} last move was undone.")),
    "stands-in": _about(marked("A bot ({level}) is playing for {name} until {name:they|you} return.")),
    "back": _by("", marked("{name} {name:is|are} back.")),
    "resigned": _resigned,
}
"""Texts by kind of command, with the current names of the seats."""
