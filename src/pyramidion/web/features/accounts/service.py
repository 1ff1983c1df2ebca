"""Accounts: a visitor id shared by several browsers, protected by a password or passkeys.

An account's cookie holds an ordinary visitor id, so tables know nothing about accounts. Signing in moves everything the
browser held to that id. A new password, or signing out everywhere, gives the account a new id, which invalidates all
cookies with the old one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pyramidion import names
from pyramidion.translation import _, marked
from pyramidion.web.db import identity_changes
from pyramidion.web.db.changes import save
from pyramidion.web.db.restrictions import require_open
from pyramidion.web.db.schema import ACCOUNTS, PASSKEYS
from pyramidion.web.db.store import Store, now
from pyramidion.web.db.writer import Change, Conflict, Writer
from pyramidion.web.errors import NoSuchPerson, Refused
from pyramidion.web.features.accounts.names import BadAccount, account_name, require_free
from pyramidion.web.features.accounts.passwords import Passwords, check_password, outdated
from pyramidion.web.names import clean_address
from pyramidion.web.table.events import EventBus
from pyramidion.web.tokens import new_id, new_visitor_id

MOST_PASSKEYS = 20


class NoAccount(Refused):
    """The name, password or passkey is wrong, or the requester is not signed in."""

    status = 401
    code = "not-signed-in"


class NameTaken(Refused):
    """The name, or one that looks like it, belongs to another account."""

    status = 409
    code = "name-taken"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey: `id` is the credential id, `public_key` is in COSE, `uses` is the signature counter."""

    id: str
    account: str
    public_key: bytes
    uses: int
    label: str
    created: int


@dataclass(frozen=True, slots=True)
class Account:
    """An account as stored; `password` is the hash, None if it has only passkeys."""

    id: str
    name: str
    holder: str
    password: str | None
    email: str | None
    created: int
    owner: str | None = None
    passkeys: tuple[Passkey, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return what the owner may see of the account, JSON-ready."""
        return {
            "name": self.name,
            "email": self.email,
            "password": self.password is not None,
            "created": self.created,
            "passkeys": [{"id": key.id, "label": key.label, "created": key.created} for key in self.passkeys],
        }


class Accounts:
    """Creates, finds, changes and deletes accounts, and moves what visitors hold to them.

    `heard` is called for every match whose seats have changed; `events` tells features of what changed hands.
    """

    def __init__(self, store: Store, writer: Writer, heard: Callable[[str], None], events: EventBus) -> None:
        self._store, self._writer, self._heard, self._events = store, writer, heard, events
        self._passwords = Passwords()

    # Lookup

    async def of(self, holder: str | None) -> Account | None:
        """Return the account that a visitor id belongs to, or None."""
        return None if holder is None else await asyncio.to_thread(self._read, ACCOUNTS.c.holder == holder)

    async def mine(self, holder: str | None) -> Account:
        """Return the account of the requester's visitor id. Raises NoAccount if there is none."""
        account = await self.of(holder)
        if account is None:
            raise NoAccount(_("You are not signed in."))
        return account

    async def named(self, name: str) -> Account:
        """Return the account with this name. Raises NoSuchPerson, or BadAccount for an empty name."""
        if not name.strip():
            raise BadAccount(_("Enter a name."))
        account = await asyncio.to_thread(self._read, ACCOUNTS.c.key == names.key(name))
        if account is None:
            raise NoSuchPerson(_("There is no account called {name}.").format(name=name.strip()[:40]))
        return account

    async def sign_up(
        self, name: str, password: str | None, visitor: str | None, key: Passkey | None = None
    ) -> Account:
        """Create an account with a password or a first passkey, and move all that the visitor holds to it.

        Raises BadAccount, NameTaken or ClosedByOperators with a sentence.
        """
        await asyncio.to_thread(require_open, self._store, "sign-up")
        called = account_name(name)
        if password is not None:
            check_password(password, called)
        hashed = await self._passwords.hashed(password) if password is not None else None
        account = Account(key.account if key else new_id(), called, new_visitor_id(), hashed, None, now())
        values = {
            "id": account.id,
            "name": called,
            "key": names.key(called),
            "looks": names.looks(called),
            "holder": account.holder,
            "password": hashed,
            "created": account.created,
        }
        moved: list[str] = []

        def insert_account(connection: sa.Connection) -> None:
            moved.clear()
            require_free(connection, called)
            connection.execute(sa.insert(ACCOUNTS).values(values))
            if key is not None:
                connection.execute(sa.insert(PASSKEYS).values(_row(key)))
            moved.extend(_move_holdings(connection, visitor, account.holder))

        try:
            await self._write(insert_account, moved)
        except Conflict:
            raise NameTaken(
                _("The name {name}, or one that looks like it, is already taken.").format(name=called)
            ) from None
        return account

    async def sign_in(self, key: str, password: str, visitor: str | None) -> Account:
        """Check a name's key and a password; move all that the visitor holds to the account, and return it.

        Attempts have been counted for the same key (`Browser.count_attempt`), so that no spelling of a name has
        attempts of its own. Raises NoAccount with the same sentence and after the same work, whatever was wrong.
        """
        account = await asyncio.to_thread(self._read, ACCOUNTS.c.key == key)
        right = await self._passwords.match(password, account.password if account is not None else None)
        if account is None or not right:
            raise NoAccount(_("Wrong name or password."))
        if account.password is not None and outdated(account.password):
            await self._update(account.id, password=await self._passwords.hashed(password))
        return await self.enter(account, visitor)

    async def enter(self, account: Account, visitor: str | None) -> Account:
        """Sign a visitor in to an account whose owner has been verified: move all that the visitor holds to it.

        Nothing moves if the visitor's id belongs to another account.
        """
        moved: list[str] = []

        def move_holdings(connection: sa.Connection) -> None:
            moved.clear()
            moved.extend(_move_holdings(connection, visitor, account.holder))

        await self._write(move_holdings, moved)
        self._events.publish_held([account.holder])
        return account

    # Changes by the owner

    async def set_password(self, account: Account, old: str, new: str) -> Account:
        """Change the password, or set a first one, and sign out all browsers; return the account with its new id.

        Raises BadAccount or NoAccount.
        """
        check_password(new, account.name)
        await self.require_password(account, old)
        return await self.everywhere(account, password=await self._passwords.hashed(new))

    async def reset_password(self, account: Account, new: str) -> Account:
        """Set a password without the old one, and sign out all browsers; return the account with its new id.

        Raises BadAccount.
        """
        check_password(new, account.name)
        return await self.everywhere(account, password=await self._passwords.hashed(new))

    async def with_id(self, account_id: str) -> Account | None:
        """Return the account with an id, or None."""
        return await asyncio.to_thread(self._read, ACCOUNTS.c.id == account_id)

    async def require_password(self, account: Account, password: str) -> None:
        """Raise NoAccount unless this is the account's password, or the account has no password."""
        if account.password is not None and not await self._passwords.match(password, account.password):
            raise NoAccount(_("Wrong password."))

    async def set_email(self, account: Account, email: str | None) -> Account:
        """Set or remove the e-mail address, which is then unconfirmed; return the account. Raises BadRequest."""
        await self._update(account.id, email=clean_email(email))
        return await self.mine(account.holder)

    async def everywhere(self, account: Account, **values: Any) -> Account:
        """Sign out all browsers by giving the account and its seats a new visitor id; return the account with it.

        `values` are further columns of the account to change. Raises NoAccount if the account has changed meanwhile.
        """
        holder, moved = new_visitor_id(), list[str]()

        def replace_visitor_id(connection: sa.Connection) -> None:
            moved.clear()
            _require_unchanged(connection, account)
            connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == account.id).values(holder=holder, **values))
            moved.extend(identity_changes.renew(connection, account.holder, holder))

        await self._changed(replace_visitor_id, moved)
        return await self.mine(holder)

    async def delete(self, account: Account) -> str:
        """Delete an account with its bots; return the new visitor id that its browser gets.

        The new visitor keeps what needs no account (`Deletion`).
        """
        visitor = new_visitor_id()
        moved: list[str] = []
        left: list[str] = []

        def delete_account(connection: sa.Connection) -> None:
            _require_unchanged(connection, account)
            deleted = identity_changes.delete(connection, account.id, visitor, visitor)
            moved[:], left[:] = deleted.matches, deleted.nobodies

        await self._changed(delete_account, moved)
        self._events.publish_held([visitor, *left])
        return visitor

    # Passkeys

    async def passkey(self, key_id: str) -> tuple[Account, Passkey] | None:
        """Return the account that a passkey belongs to, and the passkey, or None if it is unknown."""

        def read_passkey() -> tuple[Account, Passkey] | None:
            rows = self._store.query(sa.select(PASSKEYS).where(PASSKEYS.c.id == key_id))
            account = self._read(ACCOUNTS.c.id == rows[0].account) if rows else None
            return None if account is None else (account, Passkey(*rows[0]))

        return await asyncio.to_thread(read_passkey)

    async def add_passkey(self, account: Account, key: Passkey) -> None:
        """Add a passkey to an account. Raises BadAccount if it is registered already, or if there are too many."""

        def insert_passkey(connection: sa.Connection) -> None:
            _require_unchanged(connection, account)
            count = sa.select(sa.func.count()).where(PASSKEYS.c.account == account.id)
            if connection.execute(count).scalar_one() >= MOST_PASSKEYS:
                raise Conflict("There are too many.")
            connection.execute(sa.insert(PASSKEYS).values(_row(key)))

        try:
            await self._write(insert_passkey, [])
        except Conflict:
            raise BadAccount(
                _("This passkey is already registered, or you have reached the limit of {most}.").format(
                    most=MOST_PASSKEYS
                )
            ) from None

    async def used_passkey(self, key: Passkey, uses: int) -> None:
        """Store the signature counter of a passkey after its use.

        Raises NoAccount if another sign-in has changed the counter meanwhile.
        """

        def store_counter(connection: sa.Connection) -> None:
            p = PASSKEYS.c
            where = p.id == key.id, p.uses == key.uses
            if connection.execute(sa.update(PASSKEYS).where(*where).values(uses=uses)).rowcount != 1:
                raise Conflict("The counter has moved.")

        try:
            await self._write(store_counter, [])
        except Conflict:
            raise NoAccount(_("This passkey has just been used; try again.")) from None

    async def remove_passkey(self, account: Account, key_id: str) -> Account:
        """Remove a passkey and return the account without it. Raises BadAccount if it is the last way to sign in."""
        if account.password is None and [key.id for key in account.passkeys] == [key_id]:
            raise BadAccount(_("This is your only way to sign in; add another passkey or a password first."))
        if key_id not in [key.id for key in account.passkeys]:
            raise BadAccount(_("Your account has no such passkey."))

        def delete_passkey(connection: sa.Connection) -> None:
            p = PASSKEYS.c
            if account.password is None:
                others = sa.select(p.id).where(p.account == account.id, p.id != key_id)
                if connection.execute(others).first() is None:
                    raise Conflict("It is the last one.")
            connection.execute(sa.delete(PASSKEYS).where(p.id == key_id, p.account == account.id))

        await self._changed(delete_passkey, [])
        return await self.mine(account.holder)

    # The database

    def _read(self, where: sa.ColumnElement[bool]) -> Account | None:
        """Return the account for which a condition holds, with its passkeys, or None."""
        a = ACCOUNTS.c
        rows = self._store.query(
            sa.select(a.id, a.name, a.holder, a.password, a.email, a.created, a.owner).where(where)
        )
        if not rows:
            return None
        keys = sa.select(PASSKEYS).where(PASSKEYS.c.account == rows[0].id).order_by(PASSKEYS.c.created, PASSKEYS.c.id)
        return Account(*rows[0], passkeys=tuple(Passkey(*row) for row in self._store.query(keys)))

    async def _update(self, account: str, **values: Any) -> None:
        """Change columns of an account."""
        await self._write(lambda c: c.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == account).values(values)), [])

    async def _changed(self, change: Change, moved: Sequence[str]) -> None:
        """Write a change as `_write` does. Raises NoAccount if the account has changed meanwhile."""
        try:
            await self._write(change, moved)
        except Conflict:
            raise NoAccount(_("Your account was changed in another browser. Sign in again.")) from None

    async def _write(self, change: Callable[[sa.Connection], object], moved: Sequence[str]) -> None:
        """Write a change to the database, then report the matches that it has put into `moved`."""

        def write(connection: sa.Connection) -> None:
            change(connection)

        await save(self._writer, write, marked("Your changes could not be saved."))
        for match in moved:
            self._heard(match)


def clean_email(email: str | None) -> str | None:
    """Check and tidy an e-mail address; return it, or None for an empty one. Raises BadRequest with a sentence."""
    return clean_address(email) if email and email.strip() else None


def _move_holdings(connection: sa.Connection, visitor: str | None, holder: str) -> list[str]:
    """Move all that a visitor holds to the visitor id `holder`; return the matches whose seats have changed.

    Nothing moves if the visitor's id belongs to an account.
    """
    if visitor is None or visitor == holder:
        return []
    if connection.execute(sa.select(ACCOUNTS.c.id).where(ACCOUNTS.c.holder == visitor)).first():
        return []
    return identity_changes.merge(connection, visitor, holder)


def _require_unchanged(connection: sa.Connection, account: Account) -> None:
    """Raise Conflict if an account has been deleted, or signed out everywhere, since it was read."""
    same = ACCOUNTS.c.id == account.id, ACCOUNTS.c.holder == account.holder
    if connection.execute(sa.select(ACCOUNTS.c.id).where(*same)).first() is None:
        raise Conflict("The account has changed.")


def _row(key: Passkey) -> dict[str, Any]:
    """Return a passkey's row for the database."""
    return {
        "id": key.id,
        "account": key.account,
        "public_key": key.public_key,
        "uses": key.uses,
        "label": key.label,
        "created": key.created,
    }
