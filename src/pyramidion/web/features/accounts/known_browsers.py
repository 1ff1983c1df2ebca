"""Known browsers, which have signed in before: strangers who try passwords cannot lock them out.

Each has a signed cookie with a random id and its accounts, which it keeps after signing out.
"""

from __future__ import annotations

import hashlib
import secrets

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request

from pyramidion import names
from pyramidion.web.http.authentication import AnyResponse, keep_cookie
from pyramidion.web.http.cookies import cookies_of

COOKIE = "pyramidion_known"
MOST_ACCOUNTS = 8


class KnownBrowsers:
    """Recognises browsers that have signed in to an account before, by a signed cookie."""

    def __init__(self, key: str, *, secure: bool = False) -> None:
        self._serializer = URLSafeSerializer(key, salt="pyramidion.known")
        self._secure = secure

    def id_of(self, request: Request, name: str) -> str | None:
        """Return the browser's id if it has signed in to the account of this name before, else None."""
        browser, accounts = self._read(request)
        return browser if _digest(name) in accounts else None

    def remember(self, request: Request, name: str, response: AnyResponse) -> AnyResponse:
        """Note in the browser's cookie that it has signed in to the account of this name; return the response."""
        browser, accounts = self._read(request)
        kept = [_digest(name), *(digest for digest in accounts if digest != _digest(name))][:MOST_ACCOUNTS]
        keep_cookie(response, COOKIE, self._serializer.dumps([browser, kept]), secure=self._secure)
        return response

    def _read(self, request: Request) -> tuple[str, list[str]]:
        """Return the browser's id and the digests of its accounts' names from its cookie, or a new id and none."""
        try:
            browser, accounts = self._serializer.loads(cookies_of(request.scope).get(COOKIE, ""))
        except (BadSignature, ValueError, TypeError):
            return secrets.token_urlsafe(12), []
        return browser, accounts


def _digest(name: str) -> str:
    """Return a digest of an account's name, equal for all names that count as the same."""
    return hashlib.sha256(names.key(name).encode("utf-8", "replace")).hexdigest()[:20]
