"""Host commands and proposals as values: forms and JSON bodies are parsed into them, and `execute` carries them out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.translation import _, marked
from pyramidion.web.contracts import AccountLookup
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.http.forms import parse_number

MISSING = marked("Missing field: {name}.")
NO_NUMBER = marked("The field {name} must be a whole number.")
NUMBERS = ("seconds", "seat", "step")
SEASON_CONSOLE = re.compile(r"/seasons/[\w-]{1,40}/host")
AFFECTS_EVERYBODY = ("close", "rewind", "replace", "hand-over")
"""The commands that a form has to confirm."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The command to pause the game."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The command to resume a paused game; players may give it too, after a pause that they agreed on."""


@dataclass(frozen=True, slots=True)
class Extend:
    """The command to add `seconds` to the time that is left for the current step."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Close:
    """The command to end the current step at once, with default moves for everybody who has not decided."""


@dataclass(frozen=True, slots=True)
class ApplyDefault:
    """The command to play the default move for the player of `seat`."""

    seat: int


@dataclass(frozen=True, slots=True)
class Replace:
    """The command to give `seat` to somebody else.

    `bot` names the bot that takes over, `account` the account that the seat is reserved for. With neither, whoever
    enters a new invitation code gets the seat.
    """

    seat: int
    bot: str | None
    account: str | None


@dataclass(frozen=True, slots=True)
class HandOver:
    """The command to make the player of `seat` the host of the table."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rewind:
    """The command to return the game to the start of `step`, which undoes everything after it."""

    step: int


@dataclass(frozen=True, slots=True)
class Release:
    """The command to reveal the next part of the results of a phase, or with `everything` all the rest."""

    everything: bool


@dataclass(frozen=True, slots=True)
class Propose:
    """A proposal of one player to the others: `what` is `takeback`, `pause` or `extension`.

    `version` is the version of the table that the player sees; a table that has moved on refuses. None: no check.
    """

    what: str
    version: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the open proposal `what`: whether its author or an asked player agrees to it.

    `version` is as in `Propose`.
    """

    what: str
    agrees: bool
    version: int | None


@dataclass(frozen=True, slots=True)
class TakeSeatBack:
    """The command by which a player who was away takes their seat back from the bot that stands in."""


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """The command by which a player leaves the table for good, and resigns if the game is rated."""


Command = (
    Pause
    | Resume
    | Extend
    | Close
    | ApplyDefault
    | Replace
    | HandOver
    | Rewind
    | Release
    | Propose
    | Answer
    | TakeSeatBack
    | LeaveTable
)


def parse_command(name: str, fields: Mapping[str, Any], missing: str = MISSING) -> Command:
    """Build the host command called `name`, such as `extend`, from the values in `fields`.

    Raises BadRequest for an unknown name, or with the sentence `missing` if a number that the command needs is None.
    """

    def number(field: str) -> int:
        """Return the number in a field that the command needs."""
        if fields[field] is None:
            raise BadRequest(_(missing).format(name=field))
        return fields[field]

    match name:
        case "pause":
            return Pause()
        case "resume":
            return Resume()
        case "extend":
            return Extend(number("seconds"))
        case "close":
            return Close()
        case "apply-default":
            return ApplyDefault(number("seat"))
        case "replace":
            return Replace(number("seat"), fields["bot"], fields["account"] or None)
        case "hand-over":
            return HandOver(number("seat"))
        case "rewind":
            return Rewind(number("step"))
        case "release":
            return Release(fields["everything"])
        case _:
            raise BadRequest(_("Unknown host action."))


def command_of_form(form: Mapping[str, str]) -> Command:
    """Build the host command that the host's form asks for.

    Raises BadRequest if the fields make no command, or if the command affects everybody and its box is not ticked.
    """
    name, bot, account = form.get("command", ""), form.get("bot"), form.get("account", "")
    if name in AFFECTS_EVERYBODY and not form.get("sure"):
        raise BadRequest(_("This affects everyone at the table. Tick the box to confirm, then try again."))
    named = bool(account.strip())
    if name == "replace" and named and bot:
        raise BadRequest(_("Choose “Invited player” to replace the player with an account."))
    fields = {field: parse_number(form.get(field)) for field in NUMBERS} | {
        "bot": bot or None,
        "account": account if named else None,
        "everything": form.get("everything") == "yes",
    }
    return parse_command(name, fields, NO_NUMBER)


def parse_proposal(verb: str, what: str, version: int | None) -> Command:
    """Build the command for what a player asks of the others, or answers to them.

    `verb` is `propose`, `agree`, `refuse`, `resume`, `back` or `leave`; `what` and `version` are as in `Propose`.
    Raises BadRequest for any other verb.
    """
    match verb:
        case "propose":
            return Propose(what, version)
        case "agree" | "refuse":
            return Answer(what, verb == "agree", version)
        case "resume":
            return Resume()
        case "back":
            return TakeSeatBack()
        case "leave":
            return LeaveTable()
        case _:
            raise BadRequest(_("The request is missing."))


def console_of_season(form: Mapping[str, str]) -> str | None:
    """Return the path of the season's console that has sent the form, by its field `back`; None from the table."""
    back = form.get("back", "")
    return back if SEASON_CONSOLE.fullmatch(back) else None


def proposal_of_form(form: Mapping[str, str]) -> Command:
    """Build the command of the players' form, whose field `proposal` reads `VERB:WHAT`, as in `agree:pause`. Raises
    BadRequest.
    """
    verb, _colon, what = form.get("proposal", "").partition(":")
    version = parse_number(form.get("version"))
    if version is None and form.get("version"):
        raise BadRequest(_(NO_NUMBER).format(name="version"))
    return parse_proposal(verb, what, version)


async def execute(command: Command, controls: HostControls, accounts: AccountLookup) -> str | None:
    """Carry out a command at the table of `controls`.

    Returns the invitation code for the new player if `Replace` made one, else None. Raises Refused if the command is
    not allowed or not possible.
    """
    match command:
        case Pause():
            await controls.pause()
        case Resume():
            await controls.resume()
        case Extend(seconds):
            await controls.extend(seconds)
        case Close():
            await controls.close()
        case ApplyDefault(seat):
            await controls.apply_default(seat)
        case Replace(seat, bot, account):
            # Only the host learns whether there is an account of this name.
            controls.require_host()
            return await controls.replace_player(seat, bot, await accounts.named(account) if account else None)
        case HandOver(seat):
            await controls.hand_over(seat)
        case Rewind(step):
            await controls.rewind(step)
        case Release(everything):
            await controls.release(everything=everything)
        case Propose(what, version):
            await controls.propose(what, version)
        case Answer(what, agrees, version):
            await controls.answer(what, agrees, version)
        case TakeSeatBack():
            await controls.back()
        case LeaveTable():
            await controls.leave()
    return None
