"""Creation and hashing of seat tokens, device codes and ids, and signatures of links."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 22
CODE_LENGTH, CODE_GROUP = 16, 4
"""Number of letters and digits in a device code."""
API_PREFIX = "pyramidion_"
"""The beginning of every API token, by which programs that look for leaked secrets know it."""


def hash_code(code: str) -> bytes:
    """Return the hash that is stored for a token or a device code, whose separators are ignored."""
    letters = "".join(code.split()).replace("-", "").lower()
    return hash_token(letters if len(letters) == CODE_LENGTH and set(letters) <= set(ID_ALPHABET) else code)


def new_code() -> str:
    """Return a new device code, in groups: `k7m3-q9xw-2htd-5bcn`."""
    letters = "".join(secrets.choice(ID_ALPHABET) for _nth in range(CODE_LENGTH))
    return "-".join(re.findall("." * CODE_GROUP, letters))


def new_token() -> str:
    """Return a new seat token for a program."""
    return secrets.token_urlsafe(24)


def new_visitor_id() -> str:
    """Return a new visitor's id (144 random bits), by which its browser is known once a cookie has it."""
    return secrets.token_urlsafe(18)


def new_id() -> str:
    """Return an unguessable id (109 bits) without letters that look alike."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def id_of(text: str) -> str:
    """Return the id that a text stands for, the same each time; it is unguessable if the text is."""
    number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    letters = [ID_ALPHABET[number // len(ID_ALPHABET) ** nth % len(ID_ALPHABET)] for nth in range(ID_LENGTH)]
    return "".join(letters)


def hash_token(token: str) -> bytes:
    """Return the hash that is stored for a seat token. A token has 192 random bits, so one fast round is enough."""
    return hashlib.sha256(token.encode()).digest()


def signature(key: str, purpose: str, text: str) -> str:
    """Return the secret part of a link, computed from the server's key, so that it need not be stored."""
    own = hmac.digest(key.encode(), purpose.encode(), "sha256")
    return base64.b32encode(hmac.digest(own, text.encode(), "sha256")[:15]).decode().lower()


def same(secret: str, given: str) -> bool:
    """Return whether `given` equals a secret; the time this takes does not reveal how much of it is right."""
    return hmac.compare_digest(secret.encode(), given.encode())
