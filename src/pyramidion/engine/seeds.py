"""Where a match's seed comes from: a secret of the server's, and a contribution of everybody who plays.

The server fixes its secret, and shows the secret's hash, before the others contribute; contributions stay hidden until
the match has begun. So nobody, the server included, can choose the seed as long as one of them is honest; and when the
match is over and everything is told, whoever has kept the hash and the receipt of a contribution can check it.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pyramidion.engine.match import BadRecord, Match

SECRET_BYTES = 32
NONCE_BYTES = 16
MOST_LETTERS = 200
SOURCES = ("browser", "own", "server")
"""Who made a contribution: a browser at random, the player in words of their own, or the server for somebody who sent
none."""
NOTHING = ""
"""What stands in the place of a seat that contributes nothing: a bot's, or one that nobody had taken."""
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a seat has contributed.

    Attributes:
        text: 1 to 200 characters; `source`: one of SOURCES.
        commitment: 64 hexadecimal digits, the receipt; `nonce`: 32, without which nobody can try out the text.
    """

    seat: int
    text: str
    source: str
    commitment: str
    nonce: str

    def as_json(self, *, opened: bool) -> dict[str, Any]:
        """Return it as JSON-ready data, with what it holds where it may be `opened`."""
        told: dict[str, Any] = {"seat": self.seat, "commitment": self.commitment}
        return told | {"text": self.text, "source": self.source, "nonce": self.nonce} if opened else told


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a seed comes from: the server's secret, 64 hexadecimal digits, and the contributions by seat, ascending."""

    secret: str
    contributions: tuple[Contribution, ...] = ()

    @property
    def secret_hash(self) -> str:
        """What is shown from the beginning."""
        return secret_hash(self.secret)

    def seed(self, game: str, table: str, seats: int) -> str:
        """Return the seed of a match with so many seats."""
        return seed_of(game, table, self.secret, seats, {one.seat: one.text for one in self.contributions})

    def shown(self, viewer: int | None, *, opened: bool) -> dict[str, Any]:
        """Return what a viewer may know, JSON-ready: hashes, one's own contribution, and all once it is `opened`."""
        told: dict[str, Any] = {
            "secret_hash": self.secret_hash,
            "contributions": [one.as_json(opened=opened or one.seat == viewer) for one in self.contributions],
        }
        return told | {"secret": self.secret} if opened else told

    def as_record(self) -> dict[str, Any]:
        """Return what stands in a record."""
        kept = [[one.seat, one.text, one.source, one.commitment, one.nonce] for one in self.contributions]
        return {"secret": self.secret, "secret_hash": self.secret_hash, "contributions": kept}


def new_secret() -> str:
    """Return a secret."""
    return secrets.token_hex(SECRET_BYTES)


def secret_hash(secret: str) -> str:
    """Return the SHA-256 of the secret's hexadecimal digits, in ASCII."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def seed_of(game: str, table: str, secret: str, seats: int, texts: Mapping[int, str]) -> str:
    """Return the seed: SHA-256 of the JSON array [game, table, secret, [a contribution for each seat]].

    It is written without spaces, in ASCII; a seat that has contributed nothing is an empty text.
    """
    given = [texts.get(seat, NOTHING) for seat in range(seats)]
    return _sha256([game, table, secret, given])


def commitment(game: str, table: str, source: str, text: str, nonce: str) -> str:
    """Return the receipt of a contribution: SHA-256 of the JSON array of the arguments, as in `seed_of`."""
    return _sha256([game, table, source, text, nonce])


def contribute(game: str, table: str, seat: int, text: str | None, source: str) -> Contribution:
    """Return a contribution with its receipt; without a text the server draws one. Raises ValueError."""
    if text is None:
        text, source = secrets.token_hex(NONCE_BYTES), "server"
    if not 1 <= len(text) <= MOST_LETTERS or not text.isprintable():
        raise ValueError(
            f"A contribution to the seed has 1 to {MOST_LETTERS} letters, digits, signs and spaces, in one line."
        )
    nonce = secrets.token_hex(NONCE_BYTES)
    return Contribution(seat, text, source, commitment(game, table, source, text, nonce), nonce)


def check_origin(match: Match, data: Mapping[str, Any]) -> Origin:
    """Check a record's `origin` against its seed and return it. Raises BadRecord with a sentence.

    `data` has `table`, and `origin` with `secret`, `secret_hash` and `contributions`, a list of [seat, text, source,
    commitment, nonce].
    """
    table, origin = data.get("table"), data.get("origin")
    if not isinstance(table, str) or not isinstance(origin, Mapping):
        raise BadRecord("The record's 'table' or 'origin' is missing or malformed; its seed cannot be checked.")
    told = cast("Mapping[str, Any]", origin)
    secret, shown = told.get("secret"), told.get("secret_hash")
    if not (isinstance(secret, str) and isinstance(shown, str) and _HEX.fullmatch(secret) and _HEX.fullmatch(shown)):
        raise BadRecord("The record's secret and its hash must be 64 hexadecimal digits each.")
    if secret_hash(secret) != shown:
        raise BadRecord("The server's secret does not fit its hash: it is not what was fixed before the first action.")
    kept = tuple(_contributions(told.get("contributions"), match.seats))
    for one in kept:
        if commitment(match.game.id, table, one.source, one.text, one.nonce) != one.commitment:
            raise BadRecord(f"The contribution of seat {one.seat} does not fit its receipt: it is not what was given.")
    found = Origin(secret, kept)
    if found.seed(match.game.id, table, match.seats) != match.seed:
        raise BadRecord("The seed does not follow from the server's secret and the contributions.")
    return found


def _sha256(what: list[Any]) -> str:
    return hashlib.sha256(json.dumps(what, separators=(",", ":")).encode("ascii")).hexdigest()


def _contributions(given: Any, seats: int) -> Iterable[Contribution]:
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
