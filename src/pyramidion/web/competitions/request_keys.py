"""Idempotency keys of requests: a request that is sent again with its key counts once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.changes import executing
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import Refused
from pyramidion.web.tokens import id_of, new_id

FORM_ONLY = {"csrf", "key", "back", "place", "episode"}
"""Fields that belong to the page of a form, and not to what is sent with it."""


class KeyReused(Refused):
    """The author has already sent something else with this idempotency key."""

    status = 409
    code = "key-reused"


@dataclass(frozen=True, slots=True)
class RequestKey:
    """The hashes of a request's idempotency key and of its content, SHA-256 in hexadecimal digits."""

    key: str
    content: str


def request_key(key: str | None, content: Mapping[str, Any]) -> RequestKey | None:
    """Return the key of a request with this JSON-ready content; None if it was sent without an idempotency key."""
    if not key:
        return None
    asked = {name: value for name, value in content.items() if name not in FORM_ONLY}
    return RequestKey(_digest(key), _digest(json.dumps(asked, sort_keys=True)))


def _digest(text: str) -> str:
    """Return the SHA-256 digest of a text, in hexadecimal digits."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def id_for(kind: str, holder: str | None, key: RequestKey | None) -> str:
    """Return the id for a new competition of a kind, the same where its host repeats the request with its key.

    `holder` is the host's visitor id, which is secret, so nobody else knows what the id will be.
    """
    return new_id() if key is None or holder is None else id_of(f"{kind} {holder} {key.key} {key.content}")


@dataclass(frozen=True, slots=True)
class KeyRows:
    """Stores which idempotency keys have been used, by competition (column `owner`) and author."""

    table: sa.Table
    owner: str

    def used(self, store: Store, competition: str, authors: Sequence[str], request: RequestKey) -> bool:
        """Return whether one of the authors has sent this request before. Raises KeyReused if its content differs."""
        columns = self.table.c
        query = sa.select(columns.content).where(columns[self.owner] == competition, columns.author.in_(authors))
        contents = [row.content for row in store.query(query.where(columns.key == request.key))]
        if contents and request.content not in contents:
            raise KeyReused(
                _("You have already sent something else with this key. Reload the page, or send it with a new key.")
            )
        return bool(contents)

    def insert(self, competition: str, author: str, request: RequestKey) -> Change:
        """Return the change that stores a key; it fails if the author has used the same key meanwhile."""
        row = {self.owner: competition, "author": author, "key": request.key, "content": request.content}
        return executing(sa.insert(self.table).values(row))


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request to a competition that counts once. `authors` are its sender and other ids of the same person."""

    rows: KeyRows
    store: Store
    competition: str
    authors: Sequence[str]
    key: RequestKey

    def repeated(self) -> bool:
        """Return whether this request has been stored before; blocks. Raises KeyReused."""
        return self.rows.used(self.store, self.competition, self.authors, self.key)

    def insert(self, connection: sa.Connection) -> None:
        """Store that this request has been sent."""
        self.rows.insert(self.competition, self.authors[0], self.key)(connection)
