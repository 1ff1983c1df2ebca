"""What operators can look up: tables, clubs, names and so on, what is hidden, what is reported, and what they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from pyramidion.web.db.schema import (
    ACCOUNTS,
    ADMIN_LOG,
    CLUBS,
    MATCHES,
    REPORTS,
    RESTRICTIONS,
    SEASON_LOG,
    SEASONS,
    SEATS,
    TOURNAMENT_LOG,
    TOURNAMENTS,
    hidden,
)
from pyramidion.web.db.store import Store

Listable = Literal["table", "club", "season", "tournament", "account", "seat"]


@dataclass(frozen=True, slots=True)
class Listed:
    """Something that an operator can treat: its id for commands, its name, and when it was made (ms since 1970)."""

    id: str
    name: str
    at: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Restriction:
    """Something hidden, with its id and name, or closed; `at` is since when (ms since 1970)."""

    kind: str
    subject: str
    name: str
    at: int


def _columns(kind: Listable) -> tuple[sa.ColumnElement[str], sa.ColumnElement[str], sa.Column[int], sa.FromClause]:
    """Return the columns with the id, the name and the time of a kind, and what they are selected from."""
    m, s = MATCHES.c, SEATS.c
    match kind:
        case "table":
            return m.id, m.title, m.created, MATCHES
        case "club":
            return CLUBS.c.id, CLUBS.c.name, CLUBS.c.created, CLUBS
        case "season":
            return SEASONS.c.id, title_of(kind, SEASONS.c.id), SEASONS.c.created, SEASONS
        case "tournament":
            return TOURNAMENTS.c.id, title_of(kind, TOURNAMENTS.c.id), TOURNAMENTS.c.created, TOURNAMENTS
        case "account":
            return ACCOUNTS.c.name, ACCOUNTS.c.name, ACCOUNTS.c.created, ACCOUNTS
        case "seat":
            people = SEATS.join(MATCHES, sa.and_(m.id == s.match, s.kind == "person"))
            return s.match + "/" + sa.cast(s.seat + 1, sa.String), s.name, m.created, people


def title_of(kind: Literal["season", "tournament"], id: str | sa.ColumnElement[str]) -> sa.ScalarSelect[str]:
    """Return the SQL query for the title of a season or tournament, which the latest entry about it has."""
    if kind == "season":
        log, owner = SEASON_LOG.c, SEASON_LOG.c.season
        title, kinds = log.data["title"].as_string(), ("settings", "retitled")
    else:
        log, owner = TOURNAMENT_LOG.c, TOURNAMENT_LOG.c.tournament
        announced, retitled = log.data["settings", "title"].as_string(), log.data["title"].as_string()
        title, kinds = sa.func.coalesce(retitled, announced), ("announced", "retitled")
    query = sa.select(title).where(owner == id, log.kind.in_(kinds))
    return query.order_by(log.number.desc()).limit(1).scalar_subquery()


def listed(store: Store, kind: Listable, search: str, limit: int) -> list[Listed]:
    """Return the newest things of a kind whose id or name contains a text; blocks."""
    key, name, at, source = _columns(kind)
    query = sa.select(key, name, at, hidden(kind, key)).select_from(source).where(name.is_not(None))
    if search:
        query = query.where(sa.or_(key.icontains(search, autoescape=True), name.icontains(search, autoescape=True)))
    return [Listed(*row) for row in store.query(query.order_by(at.desc(), key).limit(limit))]


def restrictions(store: Store) -> list[Restriction]:
    """Return what is hidden and closed, the newest first; blocks."""
    return [
        Restriction(row.kind, row.subject, _name(store, row.kind, row.subject), row.at)
        for row in store.query(sa.select(RESTRICTIONS).order_by(RESTRICTIONS.c.at.desc()))
    ]


def _name(store: Store, kind: str, subject: str) -> str:
    """Return the name of what is hidden; nothing for what is closed, or has been deleted since; blocks."""
    if kind not in ("table", "club", "season", "tournament"):
        return ""
    key, name, _at, source = _columns(kind)
    rows = store.query(sa.select(name).select_from(source).where(key == subject))
    return (rows[0][0] or "") if rows else ""


def reports(store: Store, *, settled: bool = False) -> Sequence[sa.Row[Any]]:
    """Return the open reports of players, or all of them, as rows of `REPORTS`, the oldest first; blocks."""
    query = sa.select(REPORTS).order_by(REPORTS.c.number)
    return store.query(query if settled else query.where(REPORTS.c.settled.is_(None)))


def log(store: Store, limit: int) -> Sequence[sa.Row[Any]]:
    """Return the latest entries of the operators' log, as rows of `ADMIN_LOG`, the oldest first; blocks."""
    return list(reversed(store.query(sa.select(ADMIN_LOG).order_by(ADMIN_LOG.c.number.desc()).limit(limit))))


def name_of_account(store: Store, holder: str) -> str | None:
    """Return the name of a visitor's account, None for a visitor without one; blocks."""
    rows = store.query(sa.select(ACCOUNTS.c.name).where(ACCOUNTS.c.holder == holder))
    return rows[0].name if rows else None
