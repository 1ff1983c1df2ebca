"""Passwords of accounts: what is accepted, and their hashes."""

from __future__ import annotations

import asyncio
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pyramidion import names
from pyramidion.translation import _
from pyramidion.web.features.accounts.names import BadAccount

SHORTEST, LONGEST = 12, 128
FEWEST_DIFFERENT = 5
HASHES_AT_ONCE = 2
# The second recommended option of RFC 9106: 64 MiB and three passes; about 50 ms on one core.
HASHER = PasswordHasher(time_cost=3, memory_cost=65536, parallelism=4)
UNMATCHABLE_HASH = "$argon2id$v=19$m=65536,t=3,p=4$MZHC6/ZN3OXByXHSANpfpQ$V73beNmcB2KNToGfW3q2COZaW8aaiJsqMba4fsWVFkQ"
"""A hash without a known password, so that refusing an unknown account takes as long as a wrong password."""


class Passwords:
    """Hashes and checks passwords in threads, only a few at once, because each hash takes 64 MiB of memory."""

    def __init__(self) -> None:
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)

    async def hashed(self, password: str) -> str:
        """Return the hash of a password."""
        async with self._hashing:
            return await asyncio.to_thread(HASHER.hash, _normal(password))

    async def match(self, password: str, hashed: str | None) -> bool:
        """Return whether a password matches a hash; without a hash this takes as long, which reveals nothing."""

        def verify() -> bool:
            try:
                return (
                    HASHER.verify(hashed or UNMATCHABLE_HASH, _normal(password[:LONGEST])) and len(password) <= LONGEST
                )
            except (VerificationError, InvalidHashError):
                return False

        async with self._hashing:
            return await asyncio.to_thread(verify)


def outdated(hashed: str) -> bool:
    """Return whether a password's hash was made with other parameters than the current ones."""
    return HASHER.check_needs_rehash(hashed)


def check_password(password: str, name: str) -> None:
    """Raise BadAccount with a sentence if a password is too easy to guess, or too long."""
    given = _normal(password)
    if len(given) < SHORTEST:
        raise BadAccount(
            _("Use at least {fewest} characters. A few words together make a good password.").format(fewest=SHORTEST)
        )
    if len(password) > LONGEST:
        raise BadAccount(_("A password can have at most {most} characters.").format(most=LONGEST))
    plain = given.casefold()
    if len(set(plain)) < FEWEST_DIFFERENT or plain in "01234567890123456789 abcdefghijklmnopqrstuvwxyz":
        raise BadAccount(_("This password is too easy to guess: it repeats the same few characters."))
    rest = plain.replace(names.key(name), "").replace("password", "").replace("pyramidion", "")
    if len(rest) < SHORTEST // 2:
        raise BadAccount(_("This password is too easy to guess: it is too similar to a name."))


def _normal(password: str) -> str:
    """Return the form of a password that is hashed, the same for all keyboards."""
    # Keyboards encode the same characters differently, hence NFKC. Unpaired surrogates are replaced.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "replace").decode()
