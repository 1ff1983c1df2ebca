"""Creation and hashing of seat tokens, device codes and table ids."""

from __future__ import annotations

import hashlib
import secrets

CODE_LENGTH, CODE_GROUP = 16, 4
"""Number of letters and digits in a device code."""


def hash_code(code: str) -> bytes:
    """Return the hash that is stored for a token or a code; separators typed into a code are ignored."""
    letters = "".join(code.split()).replace("-", "").lower()
    return hash_token(letters if len(letters) == CODE_LENGTH and set(letters) <= set(ID_ALPHABET) else code)


def new_token() -> str:
    """Return a new seat token for a program."""
    return secrets.token_urlsafe(24)


ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


ID_LENGTH = 22


def new_id() -> str:
    """Return an unguessable id (109 bits) without letters that look alike."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def hash_token(token: str) -> bytes:
    """Return the hash that is stored for a seat token. A token has 192 random bits, so one fast round is enough."""
    return hashlib.sha256(token.encode()).digest()
