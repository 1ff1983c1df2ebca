"""Uvicorn's HTTP/1.1 protocol with limits on what comes before, between and after a request's body."""

from __future__ import annotations

import sys

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pyramidion.translation import _, in_language
from pyramidion.web.http.languages import language_of

LARGEST_HEAD = 16 * 1024
"""Maximum size of a request line and its headers in bytes; also of what frames a body, and of its trailers."""
MOST_HEADERS = 100
MOST_PIPELINED = 32
"""Maximum number of requests that a client sends before it has the answer to the first."""
PIECE = 1024
"""How many bytes are parsed between two looks at the limits."""
CHUNK_FRAME = 16
"""Bytes that a chunk needs besides its content: its length and two line ends."""
LINGER_SECONDS = 2
"""How long a refused client's data is thrown away, so that it can read the answer before the connection closes."""


class Protocol(HttpToolsProtocol):
    """Uvicorn's connection to one client, which refuses a request with a too large head before the head is stored.

    Chunk frames and trailers of a body are limited in the same way.
    """

    _unparsed = 0
    """Bytes received for the current request, without its body."""
    _refused = False

    def data_received(self, data: bytes) -> None:
        """Parse received data piece by piece, and refuse the request once too much of it is not body."""
        for start in range(0, len(data), PIECE):
            if self._refused or self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            self._unparsed += len(piece)
            super().data_received(piece)
            if self._unparsed > LARGEST_HEAD and not self._refused:
                self._refuse()

    def on_message_begin(self) -> None:
        """Begin a request. Raises _TooLarge if the client has too many unanswered ones."""
        super().on_message_begin()
        if len(self.pipeline) >= MOST_PIPELINED:
            raise _TooLarge

    def on_headers_complete(self) -> None:
        """Start to answer a request. Raises _TooLarge if its head is too large."""
        size = len(self.url) + sum(len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        if size > LARGEST_HEAD or len(self.headers) > MOST_HEADERS:
            raise _TooLarge
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Store a part of a body, which does not count towards the limit of the head."""
        self._unparsed = max(0, self._unparsed - len(body) - CHUNK_FRAME)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request, so that the next one on this connection is counted from 0."""
        self._unparsed = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer a request that could not be parsed, with status 431 if it was too large."""
        if isinstance(cause := sys.exc_info()[1], Exception) and isinstance(cause.__context__, _TooLarge):
            self._refuse()
        else:
            super().send_400_response(msg)

    def _refuse(self) -> None:
        """Answer that the request is too large and close the connection; during another answer, only close it."""
        self._refused = True
        if self.cycle and not self.cycle.response_complete:
            self.transport.close()
            return
        with in_language(language_of({"headers": self.headers or []})):
            sentence = _("The address and headers of a request can have at most {limit} kB, and {count} headers.")
            body = sentence.format(limit=LARGEST_HEAD // 1024, count=MOST_HEADERS).encode()
        head = (
            "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.close)


class _TooLarge(Exception):
    """The head of a request, or the number of unanswered requests, exceeds a limit."""
