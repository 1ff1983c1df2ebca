"""Moving everything that a visitor's browser holds to another visitor id, for example when signing in."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.schema import ACCOUNTS, API_TOKENS, MATCHES, METADATA, PUSH_DEVICES, SEAT_DEVICES, SEATS


def matches_of(connection: sa.Connection, holder: str) -> list[str]:
    """Return the ids of the matches that a visitor hosts or sits at, including seats opened on another device."""
    own = sa.select(SEATS.c.match).where(SEATS.c.holder == holder)
    also = sa.select(SEAT_DEVICES.c.match).where(SEAT_DEVICES.c.holder == holder)
    hosted = sa.select(MATCHES.c.id).where(MATCHES.c.host == holder)
    return list(connection.execute(own.union(also, hosted)).scalars())


def move(connection: sa.Connection, old: str, new: str) -> list[str]:
    """Move everything that visitor `old` holds to visitor `new`; return the ids of matches whose seats have changed.

    Where `new` already has a row that can exist only once per visitor, that row is kept and the one of `old` is
    deleted.
    """
    moved = matches_of(connection, old)
    for table in METADATA.sorted_tables:
        for column in table.columns:
            if not column.info.get("holder"):
                continue
            if column.primary_key:
                same = table.alias()
                there = [same.c[key.name] == key for key in table.primary_key if key is not column]
                has = sa.select(same.c[column.name]).where(same.c[column.name] == new, *there).exists()
                connection.execute(sa.delete(table).where(column == old, has))
            connection.execute(sa.update(table).where(column == old).values({column: new}))
    if moved:
        # Other servers are notified of changed seats, not of changed devices: touch the seats.
        connection.execute(sa.update(SEATS).where(SEATS.c.match.in_(moved)).values(seat=SEATS.c.seat))
    return moved


def renew(connection: sa.Connection, old: str, new: str) -> list[str]:
    """Move everything like `move`, and revoke all other access: devices, push messages, personal links and tokens."""
    connection.execute(sa.delete(PUSH_DEVICES).where(PUSH_DEVICES.c.person == old))
    connection.execute(sa.delete(SEAT_DEVICES).where(SEAT_DEVICES.c.owner == old))
    connection.execute(sa.update(SEATS).where(SEATS.c.holder == old).values(token_hash=None))
    connection.execute(sa.update(MATCHES).where(MATCHES.c.host == old).values(host_token=None))
    own = sa.select(ACCOUNTS.c.id).where(ACCOUNTS.c.holder == old)
    connection.execute(sa.delete(API_TOKENS).where(API_TOKENS.c.account.in_(own)))
    return move(connection, old, new)


def revoke_tokens(connection: sa.Connection, holder: str) -> list[str]:
    """Revoke the tokens of all seats of a visitor; return the ids of matches whose seats have changed."""
    connection.execute(sa.update(SEATS).where(SEATS.c.holder == holder).values(token_hash=None))
    return matches_of(connection, holder)


def delete_bot(connection: sa.Connection, account: str, holder: str) -> list[str]:
    """Delete a bot's account and its tokens; return the ids of matches whose seats have changed."""
    connection.execute(sa.delete(API_TOKENS).where(API_TOKENS.c.account == account))
    connection.execute(sa.delete(ACCOUNTS).where(ACCOUNTS.c.id == account))
    return revoke_tokens(connection, holder)
