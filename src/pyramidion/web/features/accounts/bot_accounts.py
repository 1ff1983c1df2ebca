"""API tokens of limited scope, with which programs act for a bot or for their owner, and the accounts of bots.

An account owns its bots. A bot's name contains its owner's, as in `Tortoise (bot: Ana)`, so that it is shown wherever
people are. Nobody can sign in to a bot's account. A token is shown once, and only its hash is stored.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion import names
from pyramidion.translation import _, listed, marked
from pyramidion.web.contracts import AccountHolder
from pyramidion.web.db import identity_changes
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import ACCOUNTS, API_TOKENS
from pyramidion.web.db.store import now
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import NoSuchToken, OutOfScope
from pyramidion.web.features.accounts.names import BadAccount, account_name, require_free
from pyramidion.web.features.accounts.service import Account, NameTaken
from pyramidion.web.names import MAX_NAME
from pyramidion.web.table.events import EventBus
from pyramidion.web.table.settings.time_controls import moment
from pyramidion.web.tokens import API_PREFIX, hash_token, new_id, new_visitor_id

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer

SCOPES = ("invitations", "play", "blocks", "events")
"""What a token may allow: see and decline invitations; accept them and play; block and unblock people; take part in
seasons and tournaments and, for a person, host them and clubs."""
OWN_SCOPES = ("events",)
"""What a token of a person's own account may allow."""
USUAL_SCOPES = ("invitations", "play")
MOST_BOTS, MOST_TOKENS = 10, 10
A = ACCOUNTS.c
ACCOUNT = sa.select(A.id, A.name, A.holder, A.password, A.email, A.created, A.owner)


@dataclass(frozen=True, slots=True)
class ApiToken:
    """An API token as its owner sees it, without the secret: what it allows, and when it was made (ms since 1970)."""

    id: str
    scopes: tuple[str, ...]
    created: int

    @property
    def day(self) -> str:
        """The day on which the token was made, in UTC: `2026-11-22`."""
        return moment(self.created).date().isoformat()


@dataclass(frozen=True, slots=True)
class BotAccount:
    """An account of a bot that a person owns, with its API tokens from oldest to newest."""

    id: str
    name: str
    tokens: tuple[ApiToken, ...]


class BotAccounts:
    """Creates and deletes the accounts of bots, and issues, checks and revokes API tokens of bots and people.

    `heard` is called for every match whose seats have changed; `events` tells features of what changed hands.
    """

    def __init__(self, store: Store, writer: Writer, heard: Callable[[str], None], events: EventBus) -> None:
        self._store, self._writer, self._heard, self._events = store, writer, heard, events

    # Lookup

    async def by_token(self, token: str, *scopes: str) -> Account:
        """Return the account for which an API token acts, provided that the token has one of the scopes.

        Raises NoSuchToken, or OutOfScope with a sentence.
        """
        t = API_TOKENS.c
        query = ACCOUNT.add_columns(t.scopes).join(API_TOKENS, t.account == A.id).where(t.hash == hash_token(token))
        rows = await asyncio.to_thread(self._store.query, query)
        if not rows:
            raise NoSuchToken(_("This is not an API token, or it has been revoked."))
        *account, allowed = rows[0]
        if not set(scopes) & set(allowed.split()):
            raise OutOfScope(_("This token does not have the scope {scope}.").format(scope=scopes[0]))
        return Account(*account)

    async def of_owner(self, owner: AccountHolder) -> list[BotAccount]:
        """Return the bots that an account owns, sorted by name."""
        t = API_TOKENS.c
        query = (
            sa.select(A.id, A.name, t.id.label("token"), t.scopes, t.created)
            .join(API_TOKENS, t.account == A.id, isouter=True)
            .where(A.owner == owner.id)
            .order_by(A.key, t.created, t.id)
        )
        bots: dict[str, BotAccount] = {}
        for row in await asyncio.to_thread(self._store.query, query):
            bot = bots.setdefault(row.id, BotAccount(row.id, row.name, ()))
            if row.token is not None:
                api_token = ApiToken(row.token, tuple(row.scopes.split()), row.created)
                bots[row.id] = BotAccount(bot.id, bot.name, (*bot.tokens, api_token))
        return list(bots.values())

    async def own_tokens(self, account: Account) -> tuple[ApiToken, ...]:
        """Return the API tokens that act for a person's own account, from oldest to newest."""
        t = API_TOKENS.c
        query = sa.select(t.id, t.scopes, t.created).where(t.account == account.id).order_by(t.created, t.id)
        rows = await asyncio.to_thread(self._store.query, query)
        return tuple(ApiToken(row.id, tuple(row.scopes.split()), row.created) for row in rows)

    async def owner_of(self, bot: AccountHolder) -> Account | None:
        """Return the account that owns a bot, or None if the account is a person's."""
        rows = await asyncio.to_thread(self._store.query, ACCOUNT.where(A.id == bot.owner)) if bot.owner else ()
        return Account(*rows[0]) if rows else None

    # Changes by the owner

    async def create(self, owner: Account, name: str) -> tuple[BotAccount, str]:
        """Create a bot with a first API token; return the bot and the token. Raises BadAccount or NameTaken."""
        if owner.owner is not None:
            raise BadAccount(_("A bot cannot own bots."))
        if len(await self.of_owner(owner)) >= MOST_BOTS:
            raise BadAccount(_("An account can own at most {most} bots.").format(most=MOST_BOTS))
        called = bot_name(account_name(name), owner.name)
        token, bot = new_token(), new_id()
        values = {"id": bot, "name": called, "key": names.key(called), "looks": names.looks(called), "owner": owner.id}
        values |= {"holder": new_visitor_id(), "created": now()}
        made, row = _token(bot, token, USUAL_SCOPES)

        def insert_bot(connection: sa.Connection) -> list[str]:
            require_free(connection, called)
            connection.execute(sa.insert(ACCOUNTS).values(values))
            connection.execute(sa.insert(API_TOKENS).values(row))
            return []

        try:
            await self._write(insert_bot)
        except Conflict:
            sentence = _("The name {name}, or one that looks like it, is already taken.")
            raise NameTaken(sentence.format(name=called)) from None
        return BotAccount(bot, called, (made,)), token

    async def issue(self, owner: Account, bot: str, scopes: Collection[str]) -> str:
        """Create an API token for a bot, or for the owner's own account, and return it. Raises BadAccount.

        `bot` is the id of the account for which the token acts.
        """
        possible = OWN_SCOPES if bot == owner.id else SCOPES
        if not scopes or not set(scopes) <= set(possible):
            raise BadAccount(_("Choose what the token allows: {scopes}.").format(scopes=listed(list(possible))))
        if len((await self._own(owner, bot)).tokens) >= MOST_TOKENS:
            raise BadAccount(_("A bot or an account can have at most {most} tokens.").format(most=MOST_TOKENS))
        token = new_token()
        _made, row = _token(bot, token, [scope for scope in SCOPES if scope in scopes])

        def insert_token(connection: sa.Connection) -> list[str]:
            connection.execute(sa.insert(API_TOKENS).values(row))
            return []

        try:
            await self._write(insert_token)
        except Conflict:
            raise BadAccount(_("You have no such bot.")) from None
        return token

    async def revoke(self, owner: Account, bot: str, token: str) -> None:
        """Revoke an API token by its id; for a bot, revoke the tokens of all its seats as well. Raises BadAccount."""
        await self._own(owner, bot)
        t = API_TOKENS.c

        def delete_token(connection: sa.Connection) -> list[str]:
            connection.execute(sa.delete(API_TOKENS).where(t.id == token, t.account == bot))
            if bot == owner.id:
                return []
            holder = connection.execute(sa.select(A.holder).where(A.id == bot)).scalar_one_or_none()
            return identity_changes.revoke_tokens(connection, holder) if holder is not None else []

        await self._write(delete_token)

    async def delete(self, owner: Account, bot: str) -> None:
        """Delete a bot. Nobody can play its seats afterwards, and what it hosts passes to its owner.

        Raises BadAccount.
        """
        if bot == owner.id:
            raise BadAccount(_("You have no such bot."))
        await self._own(owner, bot)
        left: list[str] = []

        def delete_bot(connection: sa.Connection) -> list[str]:
            deleted = identity_changes.delete(connection, bot, None, owner.holder)
            left[:] = deleted.nobodies
            return deleted.matches

        await self._write(delete_bot)
        self._events.publish_held(left)

    async def _own(self, owner: Account, bot: str) -> BotAccount:
        """Return a bot that an account owns, by its id; for the account's own id, the account in the form of a bot.

        Raises BadAccount.
        """
        if bot == owner.id and owner.owner is None:
            return BotAccount(owner.id, owner.name, await self.own_tokens(owner))
        owned_bot = next((candidate for candidate in await self.of_owner(owner) if candidate.id == bot), None)
        if owned_bot is None:
            raise BadAccount(_("You have no such bot."))
        return owned_bot

    async def _write(self, change: Callable[[sa.Connection], list[str]]) -> None:
        """Write a change to the database, then report the matches whose seats have changed; `change` returns their ids.

        Raises Conflict or NotSaved.
        """
        moved: list[str] = []

        def write(connection: sa.Connection) -> None:
            moved[:] = change(connection)

        await save(self._writer, write, marked("Your changes could not be saved."))
        for match in moved:
            self._heard(match)


def bot_name(name: str, owner: str) -> str:
    """Return a bot's full name, which contains its owner's. Raises BadAccount if it is too long."""
    called = f"{name} (bot: {owner})"
    if len(called) > MAX_NAME:
        most = MAX_NAME - len(called) + len(name)
        if most < 1:
            raise BadAccount(_("Your own name is too long for a bot, whose name contains it."))
        raise BadAccount(_("The names of your bots can have at most {most} characters.").format(most=most))
    return called


def new_token() -> str:
    """Return a new API token with 192 random bits."""
    return API_PREFIX + secrets.token_urlsafe(24)


def _token(bot: str, token: str, scopes: Sequence[str]) -> tuple[ApiToken, dict[str, object]]:
    """Make the record of a new API token: as its owner sees it, and as the database row with the token's hash."""
    made = ApiToken(new_id(), tuple(scopes), now())
    row: dict[str, object] = {"id": made.id, "account": bot, "hash": hash_token(token), "created": made.created}
    return made, row | {"scopes": " ".join(scopes)}
