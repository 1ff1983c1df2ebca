"""Host commands and proposals as values: forms and JSON bodies are parsed into them, and `execute` carries them out."""

from __future__ import annotations

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
AFFECTS_EVERYBODY = ("close", "rewind", "replace", "hand-over")
"""The commands that a form has to confirm."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the game."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume the game: as the host, or as a player after an agreed pause."""


@dataclass(frozen=True, slots=True)
class Extend:
    """Add seconds to the time of the current step."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Close:
    """Close the current step."""


@dataclass(frozen=True, slots=True)
class ApplyDefault:
    """Apply the default move of a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace a seat's player with a bot, with the account of a name, or with whoever has the new code."""

    seat: int
    bot: str | None
    account: str | None


@dataclass(frozen=True, slots=True)
class HandOver:
    """Make the player of a seat the host."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rewind:
    """Return to the beginning of a step."""

    step: int


@dataclass(frozen=True, slots=True)
class Release:
    """Reveal the next results, or all that are left."""

    everything: bool


@dataclass(frozen=True, slots=True)
class Propose:
    """Make a proposal to the other players."""

    what: str
    version: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Agree to a proposal or refuse it."""

    what: str
    agrees: bool
    version: int | None


@dataclass(frozen=True, slots=True)
class TakeSeatBack:
    """Take the requester's seat back from the stand-in bot."""


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
)


def parse_command(name: str, fields: Mapping[str, Any], missing: str = MISSING) -> Command:
    """Return the host command of this name. Raises BadRequest: with `missing` for a number that the fields lack."""

    def number(field: str) -> int:
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
    """Return the host command of a form. Raises BadRequest, also if it affects everybody and is not confirmed."""
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
    """Return a proposal, or the answer to one. Raises BadRequest."""
    match verb:
        case "propose":
            return Propose(what, version)
        case "agree" | "refuse":
            return Answer(what, verb == "agree", version)
        case "resume":
            return Resume()
        case "back":
            return TakeSeatBack()
        case _:
            raise BadRequest(_("The request is missing."))


def proposal_of_form(form: Mapping[str, str]) -> Command:
    """Return the proposal of a form, `VERB:WHAT`. Raises BadRequest."""
    verb, _colon, what = form.get("proposal", "").partition(":")
    version = parse_number(form.get("version"))
    if version is None and form.get("version"):
        raise BadRequest(_(NO_NUMBER).format(name="version"))
    return parse_proposal(verb, what, version)


async def execute(command: Command, controls: HostControls, accounts: AccountLookup) -> str | None:
    """Carry out a command; return the code of an invitation, if it made one. Raises Refused."""
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
    return None
