"""The parts of the server as a request reaches them, each by its type, and who asks at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request

from pyramidion.web.answers import asker_of, viewer_of

if TYPE_CHECKING:
    from pyramidion.web.host.hosting import Asker
    from pyramidion.web.limits import Limits
    from pyramidion.web.people.accounts import Accounts
    from pyramidion.web.people.passkeys import Passkeys
    from pyramidion.web.rooms.room import Rooms
    from pyramidion.web.seats import Visitors
    from pyramidion.web.settings import Settings
    from pyramidion.web.store import Store
    from pyramidion.web.table import Table
    from pyramidion.web.tables import Tables
    from pyramidion.web.talk.chat import Chats
    from pyramidion.web.talk.contacts import Contacts
    from pyramidion.web.talk.notices import Notices


async def seat_at(request: Request, table_id: str) -> tuple[Table, int | None]:
    """Return a table and the seat of whoever asks, None for who only watches.

    Raises UnknownTable, NotStarted or NoSuchToken.
    """
    table = await tables_of(request).get(table_id)
    return table, viewer_of(table, request.scope, visitors_of(request))


async def asker_at(request: Request, table_id: str) -> tuple[Table, Asker]:
    """Return a table and who asks, the host as such. Raises as `seat_at` does."""
    table = await tables_of(request).get(table_id)
    return table, asker_of(table, request.scope, visitors_of(request))


def tables_of(request: Request) -> Tables:
    """Return the house with all tables."""
    return request.app.state.tables


def rooms_of(request: Request) -> Rooms:
    """Return the tables that wait for people."""
    return tables_of(request).rooms


def visitors_of(request: Request) -> Visitors:
    """Return who knows visitors by their cookies."""
    return request.app.state.visitors


def accounts_of(request: Request) -> Accounts:
    """Return all accounts."""
    return request.app.state.accounts


def passkeys_of(request: Request) -> Passkeys:
    """Return the ceremonies of passkeys."""
    return request.app.state.passkeys


def chats_of(request: Request) -> Chats:
    """Return the chats of all tables."""
    return request.app.state.chats


def notices_of(request: Request) -> Notices:
    """Return what tells people that something waits for them."""
    return request.app.state.notices


def contacts_of(request: Request) -> Contacts:
    """Return how people are reached."""
    return notices_of(request).contacts


def limits_of(request: Request) -> Limits:
    """Return how much one may ask for."""
    return request.app.state.limits


def store_of(request: Request) -> Store:
    """Return the database."""
    return request.app.state.store


def settings_of(request: Request) -> Settings:
    """Return what was set from outside."""
    return request.app.state.settings
