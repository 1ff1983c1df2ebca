"""Whom somebody blocks, as values: forms and JSON bodies are parsed into them, and `execute` carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from pyramidion.translation import _
from pyramidion.web.contracts import AccountLookup
from pyramidion.web.errors import NoSuchPerson
from pyramidion.web.features.companions.service import Companion, Companions


@dataclass(frozen=True, slots=True)
class BlockAccount:
    """Block the account with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class BlockOpponent:
    """Block a recent opponent, named by the seat of a finished game: `MATCH.SEAT`."""

    place: str


@dataclass(frozen=True, slots=True)
class Unblock:
    """End the block that was made at this time, in milliseconds since 1970."""

    at: int


@dataclass(frozen=True, slots=True)
class UnblockName:
    """End all blocks of people whom the list of blocks shows under this name."""

    name: str


Command = BlockAccount | BlockOpponent | Unblock | UnblockName


async def execute(command: Command, holder: str, companions: Companions, accounts: AccountLookup) -> None:
    """Carry out a visitor's command to block or unblock somebody. Raises Refused."""
    match command:
        case BlockAccount(name):
            await companions.block(holder, await named(name, accounts))
        case BlockOpponent(place):
            for companion in await companions.met(holder, [place]):
                await companions.block(holder, companion)
        case Unblock(at):
            await companions.unblock(holder, at)
        case UnblockName(name):
            moments = [at for blocked, at in await companions.blocked_by(holder) if blocked == name]
            if not moments:
                raise NoSuchPerson(_("You have not blocked {name}.").format(name=name[:40]))
            for at in moments:
                await companions.unblock(holder, at)


async def named(name: str, accounts: AccountLookup) -> Companion:
    """Return the person who has the account with this name. Raises NoSuchPerson with a sentence."""
    account = await accounts.named(name)
    return Companion(account.holder, account.name)
