"""Request bodies: limits on their size, URL-encoded forms, and forms with a picture."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import ImmutableMultiDict, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from pyramidion.translation import _
from pyramidion.web.errors import BadRequest, Refused, TooLarge
from pyramidion.web.http.text_validation import is_form, require_text, require_text_body
from pyramidion.web.names import LARGEST_PICTURE, MOST_CARDS

LARGEST_BODY = 64 * 1024
LARGEST_TABLE = LARGEST_BODY + 12 * MOST_CARDS
"""Maximum size of the request for a new table: forms and JSON need at most twelve bytes per character of a card
file."""
MOST_FIELDS, MOST_CARD_FIELDS = 200, 600
"""Maximum number of fields of a form, and of the lab's form, which has all cards of a game."""
MOST_VALUES = 5_000
"""Maximum number of values in JSON. Reading and validating as many takes about 20 ms."""
MOST_PARTS = 8
"""Maximum number of fields of a form with a picture, besides the picture."""
LONGEST_FIELD = 1024
"""Maximum size of each of these fields in bytes."""
LONGEST_TYPE = 200
"""Maximum size in bytes of a content type or another header of a part."""
PIECE = 16 * 1024
"""How many bytes of a form with a picture are parsed before other requests get a turn."""


def brings_picture(scope: Scope) -> bool:
    """Return whether a request uploads a picture, by its path, so that its body is not text only."""
    return scope["path"].endswith("/picture")


def largest_body(scope: Scope) -> int:
    """Return the maximum size of a request's body in bytes; a new table may include a card file."""
    if brings_picture(scope):
        return LARGEST_PICTURE + LARGEST_BODY
    return LARGEST_TABLE if scope["path"] in ("/tables", "/api/tables") else LARGEST_BODY


def bounded(scope: Scope, receive: Receive, kind: bytes | None) -> Receive:
    """Return a `receive` function that limits the size of a request's body and checks that its text can be stored.

    `kind` is the content type of a text, or None for a body with a picture. The function raises TooLarge or BadRequest.
    """
    body, largest = bytearray(), largest_body(scope)
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    # Other lengths are refused by the protocol, or do not count because the body comes in chunks.
    declared = int(length) if length.isdigit() and len(length) < 20 else 0

    async def receiving() -> Message:
        """Receive the next part of the body, within the limits."""
        message: Message = {} if declared > largest else await receive()
        body.extend(message.get("body", b""))
        if max(declared, len(body)) > largest:
            raise TooLarge(_("The request is larger than {limit} kB.").format(limit=largest // 1024))
        if kind is not None and message["type"] == "http.request" and not message.get("more_body", False):
            require_text_body(bytes(body), kind)
            _require_few_values(bytes(body), kind)
        return message

    return receiving


def _require_few_values(body: bytes, kind: bytes) -> None:
    """Raise BadRequest if JSON has so many values or brackets that parsing it would block the event loop."""
    if len(body) <= MOST_VALUES or is_form(kind):
        return
    text = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # Every quote that is left begins or ends a string.
    escapes, quotes = (len(body) - len(text)) // 2, text.count(b'"')
    if quotes <= 4 * MOST_VALUES and escapes <= MOST_CARDS:
        outside = b"".join(text.split(b'"')[::2])
        if sum(map(outside.count, (b",", b"[", b"{"))) <= MOST_VALUES:
            return
    raise BadRequest(_("The request has more than {limit} values.").format(limit=MOST_VALUES))


async def read_all(receive: Receive) -> bytes:
    """Receive a request's whole body and return it."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


async def read_form(request: Request) -> ImmutableMultiDict[str, str]:
    """Return the fields of a URL-encoded form, with LF for the CRLF that browsers send. Raises BadRequest."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadRequest(_("The form must be sent as application/x-www-form-urlencoded."))
    body = await request.body()
    most = MOST_CARD_FIELDS if request.scope["path"].startswith("/lab/") else MOST_FIELDS
    try:
        # Decoding a large form takes too long for the event loop.
        large = len(body) > LARGEST_BODY
        return await asyncio.to_thread(_fields, body, most) if large else _fields(body, most)
    except ValueError as error:
        raise BadRequest(_("The form could not be read: it is not valid UTF-8 or has too many fields.")) from error


def _fields(body: bytes, most: int) -> ImmutableMultiDict[str, str]:
    """Parse a URL-encoded body with at most `most` fields. Raises ValueError."""
    fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most, errors="strict")
    return ImmutableMultiDict([(name, value.replace("\r\n", "\n")) for name, value in fields])


async def read_upload(request: Request, check: Callable[[Mapping[str, str]], None]) -> tuple[dict[str, str], bytes]:
    """Return the fields of a multipart form, and the bytes of the uploaded file `picture`, empty without one.

    Calls `check` with the fields before the file, or at the end of a form that has none; if it raises, the file is
    never read. Raises BadRequest for a form that is malformed or has too many parts.
    """
    kind = request.headers.get("content-type", "")
    if not kind.lower().startswith("multipart/form-data") or len(kind) > LONGEST_TYPE:
        raise BadRequest(_("The form must be sent as multipart/form-data."))
    parser = _UploadParser(request, check)
    try:
        form = await parser.parse()
    except Refused:
        raise
    except (MultiPartException, ValueError, LookupError) as error:
        raise BadRequest(_("The form could not be read: it is malformed, or has too many parts.")) from error
    picture = form.get("picture")
    if not isinstance(picture, UploadFile):
        check(parser.fields())
    data = await picture.read() if isinstance(picture, UploadFile) else b""
    await form.close()
    return parser.fields(), data


class _UploadParser(MultiPartParser):
    """Parses a form with a picture as it arrives, checks the fields before the file, and gives other requests turns."""

    spool_max_size = 2 * LARGEST_PICTURE  # a file stays in memory

    def __init__(self, request: Request, check: Callable[[Mapping[str, str]], None]) -> None:
        super().__init__(
            request.headers, _pieces(request), max_files=1, max_fields=MOST_PARTS, max_part_size=LONGEST_FIELD
        )
        self._check = check

    def on_headers_finished(self) -> None:
        """Begin a part of the form. Raises MultiPartException for a nested multipart body or a long header."""
        for name, value in self._current_part.item_headers:
            if len(value) > LONGEST_TYPE or (name == b"content-type" and value.lower().startswith(b"multipart/")):
                raise MultiPartException("Nested multipart bodies and long headers are refused.")
        super().on_headers_finished()
        if self._current_part.file is not None:
            self._check(self.fields())

    def fields(self) -> dict[str, str]:
        """Return the text fields that have been parsed so far. Raises BadRequest for text that cannot be stored."""
        fields = {name: value for name, value in self.items if isinstance(value, str)}
        require_text("".join(fields.values()))
        return fields


async def _pieces(request: Request) -> AsyncGenerator[bytes]:
    """Yield the request's body in small pieces, and let other requests run after each."""
    async for chunk in request.stream():
        for start in range(0, len(chunk), PIECE):
            yield chunk[start : start + PIECE]
            await asyncio.sleep(0)
