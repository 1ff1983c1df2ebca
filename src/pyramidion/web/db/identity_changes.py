"""What visitors hold in the database: moving it to an account or to another id, revoking access, deleting accounts.

What happens to the rows of each column of visitor ids is declared in the schema (`VisitorId`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from pyramidion.web.db import cascade
from pyramidion.web.db.group_webhooks import withdraw_of_club
from pyramidion.web.db.schema import (
    ACCOUNTS,
    API_TOKENS,
    CLUB_MEMBERS,
    CLUB_POSTS,
    CLUB_RANKS,
    CLUBS,
    CONTACTS,
    CONTRIBUTIONS,
    IS_RATED,
    MATCHES,
    METADATA,
    PUSH_DEVICES,
    ROOMS,
    SEASON_PEOPLE,
    SEAT_DEVICES,
    SEATS,
    Deletion,
    Merging,
    VisitorId,
)

NOBODY = "nobody:"
"""The beginning of an id that nobody holds, which keeps apart the rows of different deleted accounts."""
S, D, M = SEATS.c, SEAT_DEVICES.c, CLUB_MEMBERS.c
FREE = {"kind": "open", "name": None, "holder": None, "token_hash": None, "stand_in": None, "face": None}
_RATED = sa.select(MATCHES.c.id).where(IS_RATED)
_UNFINISHED = _RATED.where(MATCHES.c.finished.is_(None))


def is_nobody(holder: str | None) -> bool:
    """Return whether a visitor id is one that nobody holds, as a deleted account leaves behind."""
    return holder is not None and holder.startswith(NOBODY)


def columns() -> Iterator[tuple[sa.Column[str], VisitorId]]:
    """Yield all columns of visitor ids with their types, which declare what happens to their rows."""
    for table in METADATA.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, VisitorId):
                yield column, column.type


def matches_of(connection: sa.Connection, holder: str) -> list[str]:
    """Return the ids of the matches that a visitor hosts or sits at, including seats opened on another device."""
    own = sa.select(S.match).where(S.holder == holder)
    also = sa.select(D.match).where(D.holder == holder)
    hosted = sa.select(MATCHES.c.id).where(MATCHES.c.host == holder)
    return list(connection.execute(own.union(also, hosted)).scalars())


# Signing in


def merge(connection: sa.Connection, visitor: str, account: str) -> list[str]:
    """Move what a visitor without an account holds to an account; return the ids of matches with changed seats."""
    moved = matches_of(connection, visitor)
    for merging in Merging:
        for column, kind in columns():
            if kind.merging is merging:
                MERGE[merging](connection, column, visitor, account)
    return _touched(connection, moved)


def _move(connection: sa.Connection, column: sa.Column[str], old: str, new: str) -> None:
    """Replace a visitor id in a column by another."""
    connection.execute(sa.update(column.table).where(column == old).values({column: new}))


def _keep_accounts(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Move a visitor's rows to an account, and delete those with a key for which the account has a row already."""
    same = column.table.alias()
    alike = [same.c[key.name] == key for key in column.table.primary_key if key is not column]
    has = sa.select(same.c[column.name]).where(same.c[column.name] == account, *alike).exists()
    connection.execute(sa.delete(column.table).where(column == visitor, has))
    _move(connection, column, visitor, account)


def _keep_device(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Move a visitor's devices to an account, without those that `Merging.DEVICE` lets fall away."""
    own, mine = SEATS.alias().c, D.holder.in_((visitor, account))
    still_shared = sa.exists().where(own.match == D.match, own.seat == D.seat, own.holder == D.owner)
    connection.execute(sa.delete(SEAT_DEVICES).where(mine, sa.or_(~still_shared, D.owner.in_((visitor, account)))))
    sits = sa.exists().where(own.match == D.match, own.holder.in_((visitor, account)))
    connection.execute(sa.delete(SEAT_DEVICES).where(mine, D.match.in_(_RATED), sits))
    _keep_accounts(connection, column, visitor, account)


def _keep_one_rated_seat(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Move a visitor's seats to an account, but leave a second seat of an unfinished rated game to nobody."""
    own = SEATS.alias().c
    sits = sa.select(own.match).where(own.holder == account)
    second = sa.update(SEATS).where(S.holder == visitor, S.match.in_(_UNFINISHED), S.match.in_(sits))
    connection.execute(second.values(holder=new_nobody()))
    _move(connection, column, visitor, account)


def _merge_results(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Move a visitor's results of casual matches to an account; where both have one, neither is credited."""
    r, other = column.table.c, column.table.alias().c
    casual = r.match.not_in(_RATED)
    both = sa.select(other.match).where(other.person.in_((visitor, account))).group_by(other.match)
    twice = connection.execute(both.having(sa.func.count(other.person.distinct()) == 2)).scalars().all()
    mine = r.person.in_((visitor, account))
    connection.execute(sa.update(column.table).where(mine, casual, r.match.in_(twice)).values(person=None))
    connection.execute(sa.update(column.table).where(column == visitor, casual).values(person=account))


def _keep_higher_role(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Move a visitor's club memberships to an account; where both have one, only the higher role stays."""
    roles: dict[str, dict[str, str]] = {}
    query = sa.select(M.club, M.holder, M.role).where(M.holder.in_((visitor, account)))
    for row in connection.execute(query):
        roles.setdefault(row.club, {})[row.holder] = row.role
    for club, both in roles.items():
        if len(both) == 2:
            higher = CLUB_RANKS.index(both[visitor]) < CLUB_RANKS.index(both[account])
            lower = account if higher else visitor
            connection.execute(sa.delete(CLUB_MEMBERS).where(M.club == club, M.holder == lower))
    _move(connection, column, visitor, account)


def _merge_blocks(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Move a visitor's blocks to an account, so that nobody blocks themselves."""
    _keep_accounts(connection, column, visitor, account)
    b = column.table.c
    connection.execute(sa.delete(column.table).where(b.person == b.blocked))


def _leave_behind(connection: sa.Connection, column: sa.Column[str], visitor: str, account: str) -> None:
    """Leave a visitor's rows as they are."""


MERGE: Mapping[Merging, Callable[[sa.Connection, sa.Column[str], str, str], None]] = {
    Merging.DEVICE: _keep_device,
    Merging.SEAT: _keep_one_rated_seat,
    Merging.RESULT: _merge_results,
    Merging.RATING: _leave_behind,
    Merging.ROLE: _keep_higher_role,
    Merging.BLOCK: _merge_blocks,
    Merging.ACCOUNTS: _keep_accounts,
    Merging.BOTH: _move,
}


# Signing out everywhere


def renew(connection: sa.Connection, old: str, new: str) -> list[str]:
    """Move all that an account holds to a new visitor id, and revoke every other access to it.

    Return the matches whose seats have changed.
    """
    moved = matches_of(connection, old)
    _revoke(connection, old)
    for column, _kind in columns():
        _move(connection, column, old, new)
    return _touched(connection, moved)


def revoke_tokens(connection: sa.Connection, holder: str) -> list[str]:
    """Revoke the tokens of all seats of a visitor; return the ids of matches whose seats have changed."""
    connection.execute(sa.update(SEATS).where(S.holder == holder).values(token_hash=None))
    return matches_of(connection, holder)


def _revoke(connection: sa.Connection, holder: str) -> None:
    """Revoke every access to what a visitor holds except the cookie: devices, push messages, personal links, tokens."""
    connection.execute(sa.delete(PUSH_DEVICES).where(PUSH_DEVICES.c.person == holder))
    connection.execute(sa.delete(SEAT_DEVICES).where(D.owner == holder))
    connection.execute(sa.update(SEATS).where(S.holder == holder).values(token_hash=None))
    connection.execute(sa.update(MATCHES).where(MATCHES.c.host == holder).values(host_token=None))
    own = sa.select(ACCOUNTS.c.id).where(ACCOUNTS.c.holder == holder)
    connection.execute(sa.delete(API_TOKENS).where(API_TOKENS.c.account.in_(own)))
    p = SEASON_PEOPLE.c
    connection.execute(sa.update(SEASON_PEOPLE).where(p.holder == holder).values(turn=p.turn + 1))


# Deletion


@dataclass(frozen=True, slots=True)
class Heirs:
    """The ids that get what a deleted account held: the deleting `browser`, if any, the new `host`, and `nobody`."""

    browser: str | None
    host: str
    nobody: str

    @property
    def player(self) -> str:
        """The id that gets the seats: the browser's, or else nobody's."""
        return self.browser or self.nobody


@dataclass(frozen=True, slots=True)
class Deleted:
    """What a deletion has changed: the ids of matches with changed seats, and the ids of nobody that hold the rest."""

    matches: list[str]
    nobodies: list[str]


def delete(connection: sa.Connection, account: str, browser: str | None, host: str) -> Deleted:
    """Delete an account, its bots, and every access to them.

    What stays goes to the visitor id `browser`, which is None for a bot. What the account hosts goes to `host`.
    """
    a, deleted = ACCOUNTS.c, Deleted([], [])
    old = connection.execute(sa.select(a.holder).where(a.id == account)).scalar_one_or_none()
    if old is None:
        return deleted
    for bot in connection.execute(sa.select(a.id).where(a.owner == account)).scalars().all():
        of_bot = delete(connection, bot, None, host)
        deleted.matches.extend(of_bot.matches)
        deleted.nobodies.extend(of_bot.nobodies)
    moved, heirs = matches_of(connection, old), Heirs(browser, host, new_nobody())
    _revoke(connection, old)
    cascade.delete(connection, ACCOUNTS, account)
    for column, kind in columns():
        DELETE[kind.deletion](connection, column, old, heirs)
    deleted.matches.extend(_touched(connection, moved))
    deleted.nobodies.append(heirs.nobody)
    return deleted


def _delete_rows(connection: sa.Connection, column: sa.Column[str], old: str, _heirs: Heirs) -> None:
    """Delete the rows in which a column has the old id."""
    connection.execute(sa.delete(column.table).where(column == old))


def _give_up_seats(connection: sa.Connection, column: sa.Column[str], old: str, heirs: Heirs) -> None:
    """Free seats in rated waiting rooms, leave those of unfinished rated games to nobody, and pass on all others."""
    waiting = _UNFINISHED.where(MATCHES.c.started.is_(None))
    mine = sa.select(S.match, S.seat).where(S.holder == old, S.match.in_(waiting))
    for match, seat in connection.execute(mine).all():
        _free(connection, match, seat)
    playing = sa.update(SEATS).where(S.holder == old, S.match.in_(_UNFINISHED))
    connection.execute(playing.values(holder=heirs.nobody))
    _move(connection, column, old, heirs.player)


def _free(connection: sa.Connection, match: str, seat: int) -> None:
    """Free a seat in a waiting room, and delete its contribution to the seed."""
    c, r = CONTRIBUTIONS.c, ROOMS.c
    connection.execute(sa.update(SEATS).where(S.match == match, S.seat == seat).values(FREE))
    connection.execute(sa.delete(CONTRIBUTIONS).where(c.match == match, c.seat == seat))
    ready = connection.execute(sa.select(r.ready).where(r.match == match)).scalar_one_or_none()
    if ready is not None:
        still = json.dumps([other for other in json.loads(ready) if other != seat])
        connection.execute(sa.update(ROOMS).where(r.match == match).values(ready=still, changes=r.changes + 1))


def _give_up_results(connection: sa.Connection, column: sa.Column[str], old: str, heirs: Heirs) -> None:
    """Leave the results of rated matches to nobody, and pass on all others."""
    rated = sa.update(column.table).where(column == old, column.table.c.match.in_(_RATED))
    connection.execute(rated.values({column: heirs.nobody}))
    _move(connection, column, old, heirs.player)


def _give_up_places(connection: sa.Connection, column: sa.Column[str], old: str, heirs: Heirs) -> None:
    """Pass on an account's places in seasons, as host and as contestant (`Deletion.PLACE`)."""
    p, other = SEASON_PEOPLE.c, SEASON_PEOPLE.alias().c
    has_place = sa.select(other.season).where(other.holder == heirs.host)
    hosts = sa.update(SEASON_PEOPLE).where(column == old, p.who.startswith("h"), p.season.not_in(has_place))
    connection.execute(hosts.values(holder=heirs.host))
    contestants = sa.update(SEASON_PEOPLE).where(column == old, ~p.who.startswith("h"))
    connection.execute(contestants.values(holder=heirs.player))
    _move(connection, column, old, heirs.nobody)


def _give_up_entries(connection: sa.Connection, column: sa.Column[str], old: str, heirs: Heirs) -> None:
    """Leave an account's entries in tournaments to nobody, and pass on those of a host."""
    players = sa.update(column.table).where(column == old, column.table.c.who != "host")
    connection.execute(players.values({column: heirs.nobody}))
    _move(connection, column, old, heirs.host)


def _leave_clubs(connection: sa.Connection, column: sa.Column[str], old: str, _heirs: Heirs) -> None:
    """End an account's club memberships; clubs it owns pass to the next in rank, or are closed."""
    owned = connection.execute(sa.select(M.club).where(M.holder == old, M.role == "owner")).scalars().all()
    run = connection.execute(sa.select(M.club).where(M.holder == old, M.role.in_(("owner", "officer")))).scalars().all()
    connection.execute(sa.delete(CLUB_MEMBERS).where(column == old))
    rank = sa.case({role: number for number, role in enumerate(CLUB_RANKS)}, value=M.role)
    for club in owned:
        query = sa.select(M.member).where(M.club == club, M.role != "asked").order_by(rank, M.since, M.member)
        following = connection.execute(query.limit(1)).scalar_one_or_none()
        if following is None:
            close_club(connection, club)
        else:
            update = sa.update(CLUB_MEMBERS).where(M.club == club, M.member == following)
            connection.execute(update.values(role="owner"))
    for club in run:
        withdraw_of_club(connection, club)


def close_club(connection: sa.Connection, club: str) -> None:
    """Close a club that nobody runs any more. A private one goes on hiding its seasons and tournaments."""
    c = CLUBS.c
    connection.execute(sa.delete(CONTACTS).where(CONTACTS.c.person == f"club:{club}"))
    connection.execute(sa.delete(CLUB_MEMBERS).where(M.club == club))
    connection.execute(sa.delete(CLUB_POSTS).where(CLUB_POSTS.c.club == club))
    hidden = sa.update(CLUBS).where(c.id == club, c.door == "private").values(turn=c.turn + 1, about="")
    if connection.execute(hidden).rowcount == 0:
        cascade.delete(connection, CLUBS, club)


DELETE: Mapping[Deletion, Callable[[sa.Connection, sa.Column[str], str, Heirs], None]] = {
    Deletion.SEAT: _give_up_seats,
    Deletion.RESULT: _give_up_results,
    Deletion.PLACE: _give_up_places,
    Deletion.ENTRY: _give_up_entries,
    Deletion.CLUB: _leave_clubs,
    Deletion.HOST: lambda connection, column, old, heirs: _move(connection, column, old, heirs.host),
    Deletion.BROWSER: lambda connection, column, old, heirs: _move(connection, column, old, heirs.player),
    Deletion.NOBODY: lambda connection, column, old, heirs: _move(connection, column, old, heirs.nobody),
    Deletion.ROW: _delete_rows,
}


def new_nobody() -> str:
    """Return a new visitor id that nobody holds."""
    return NOBODY + secrets.token_urlsafe(18)


def _touched(connection: sa.Connection, matches: list[str]) -> list[str]:
    """Touch the seats of these matches, and return the matches: servers hear only of changed seats."""
    if matches:
        connection.execute(sa.update(SEATS).where(S.match.in_(matches)).values(seat=S.seat))
    return matches
