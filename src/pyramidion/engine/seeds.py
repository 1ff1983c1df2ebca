"""Verifiable seeds: derived from a server secret and a contribution from every player.

The server publishes the hash of its secret before players contribute, and contributions stay hidden until the match has
begun. So nobody, not even the server, can choose the seed as long as one party is honest. After the match everything is
published, and players can verify the seed against the hash and their receipts.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pyramidion.engine.errors import BadRecord

SECRET_BYTES = 32
NONCE_BYTES = 16
MOST_LETTERS = 200
SOURCES = ("browser", "own", "server")
"""Origins of a contribution: random from the browser, typed by the player, or random from the server as a fallback."""
NOTHING = ""
"""Placeholder for a seat without a contribution: a bot's, or one that was not taken."""
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Contribution:
    """A seat's contribution to the seed of its match, with a receipt for the player.

    Attributes:
        text: 1 to 200 characters.
        source: one of SOURCES.
        commitment: the receipt, 64 hexadecimal digits.
        nonce: 32 hexadecimal digits that prevent guessing the text from the commitment.
    """

    seat: int
    text: str
    source: str
    commitment: str
    nonce: str

    def as_json(self, *, opened: bool) -> dict[str, Any]:
        """Return JSON-ready data, including the text, source and nonce if `opened`."""
        data: dict[str, Any] = {"seat": self.seat, "commitment": self.commitment}
        return data | {"text": self.text, "source": self.source, "nonce": self.nonce} if opened else data


@dataclass(frozen=True, slots=True)
class Origin:
    """What a seed is made of: the server's secret (64 hexadecimal digits) and the contributions, ascending by seat."""

    secret: str
    contributions: tuple[Contribution, ...] = ()

    @property
    def secret_hash(self) -> str:
        """The hash of the secret, which is published before anybody contributes."""
        return secret_hash(self.secret)

    def seed(self, game: str, table: str, seats: int) -> str:
        """Return the seed of a match at the given table with `seats` seats."""
        return seed_of(game, table, self.secret, seats, {given.seat: given.text for given in self.contributions})

    def visible_to(self, viewer: int | None, *, opened: bool) -> dict[str, Any]:
        """Return what a viewer may see, JSON-ready: hashes and the viewer's contribution; all if `opened`."""
        data: dict[str, Any] = {
            "secret_hash": self.secret_hash,
            "contributions": [given.as_json(opened=opened or given.seat == viewer) for given in self.contributions],
        }
        return data | {"secret": self.secret} if opened else data

    def as_record(self) -> dict[str, Any]:
        """Return the origin as a match record holds it."""
        rows = [[g.seat, g.text, g.source, g.commitment, g.nonce] for g in self.contributions]
        return {"secret": self.secret, "secret_hash": self.secret_hash, "contributions": rows}


def new_secret() -> str:
    """Return a new random secret of the server, 64 hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def secret_hash(secret: str) -> str:
    """Return the hash of a secret: SHA-256 of its hexadecimal digits, in ASCII."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def seed_of(game: str, table: str, secret: str, seats: int, texts: Mapping[int, str]) -> str:
    """Return the seed of a match: SHA-256 of the JSON array [game, table, secret, [a contribution for each seat]].

    The JSON is ASCII without spaces. `texts` are the contributions by seat; a seat without one is an empty string.
    """
    given = [texts.get(seat, NOTHING) for seat in range(seats)]
    return _sha256([game, table, secret, given])


def commitment(game: str, table: str, source: str, text: str, nonce: str) -> str:
    """Return the receipt of a contribution: SHA-256 of the JSON array of the arguments, as in `seed_of`."""
    return _sha256([game, table, source, text, nonce])


def contribute(game: str, table: str, seat: int, text: str | None, source: str) -> Contribution:
    """Make a seat's contribution and its receipt; if `text` is None, the server draws the text. Raises ValueError."""
    if text is None:
        text, source = secrets.token_hex(NONCE_BYTES), "server"
    if not 1 <= len(text) <= MOST_LETTERS or not text.isprintable():
        raise ValueError(
            f"A contribution to the seed has 1 to {MOST_LETTERS} letters, digits, signs and spaces, in one line."
        )
    nonce = secrets.token_hex(NONCE_BYTES)
    return Contribution(seat, text, source, commitment(game, table, source, text, nonce), nonce)


def check_origin(data: Mapping[str, Any], *, game: str, seats: int, seed: int | str) -> Origin:
    """Verify that the seed of a record's match follows from its `origin`; return the origin. Raises BadRecord.

    `data` holds `table`, and `origin` with `secret`, `secret_hash` and `contributions`, a list of [seat, text, source,
    commitment, nonce].
    """
    table, origin = data.get("table"), data.get("origin")
    if not isinstance(table, str) or not isinstance(origin, Mapping):
        raise BadRecord("The record's 'table' or 'origin' is missing or malformed; its seed cannot be checked.")
    fields = cast("Mapping[str, Any]", origin)
    secret, published = fields.get("secret"), fields.get("secret_hash")
    if not (
        isinstance(secret, str) and isinstance(published, str) and _HEX.fullmatch(secret) and _HEX.fullmatch(published)
    ):
        raise BadRecord("The record's secret and its hash must be 64 hexadecimal digits each.")
    if secret_hash(secret) != published:
        raise BadRecord("The server's secret does not fit its hash: it is not what was fixed before the first action.")
    contributions = tuple(_contributions(fields.get("contributions"), seats))
    for given in contributions:
        if commitment(game, table, given.source, given.text, given.nonce) != given.commitment:
            raise BadRecord(
                f"The contribution of seat {given.seat} does not fit its receipt: it is not what was given."
            )
    verified = Origin(secret, contributions)
    if verified.seed(game, table, seats) != seed:
        raise BadRecord("The seed does not follow from the server's secret and the contributions.")
    return verified


def _sha256(values: list[Any]) -> str:
    """Return the SHA-256 of a list, as a JSON array in ASCII without spaces."""
    return hashlib.sha256(json.dumps(values, separators=(",", ":")).encode("ascii")).hexdigest()


def _contributions(given: Any, seats: int) -> Iterable[Contribution]:
    """Yield the contributions in a record, in the order of the seats. Raises BadRecord."""
    last = -1
    for entry in cast("list[Any]", given) if isinstance(given, list) else [None]:
        match entry:
            case [int(seat), str(text), str(source), str(sealed), str(nonce)] if (
                type(seat) is int and last < seat < seats and source in SOURCES
            ):
                last = seat
                yield Contribution(seat, text, source, sealed, nonce)
            case _:
                raise BadRecord(
                    "The record's contributions are malformed; each should be a seat, a text, its source, a receipt "
                    "and a nonce, in the order of the seats."
                )


__all__ = ["Contribution", "Origin", "check_origin", "commitment", "contribute", "new_secret", "secret_hash", "seed_of"]
