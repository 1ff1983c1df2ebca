"""Logs: lines for people or JSON for programs. Nothing that a visitor sends can start a line of its own.

Cookies, tokens and bodies are never logged. Request lines contain nothing of the secret in a link or a calendar's
address. Of an id, such as that of a table, every line has only the beginning, because anyone who knows the whole id can
read what it belongs to.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Any

from starlette.types import Scope

from pyramidion.web.http.rate_limits import address_of
from pyramidion.web.tokens import ID_ALPHABET, ID_LENGTH

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
UNLISTED_ID = re.compile(r"(/(?:t|tables|templates|season-templates)/[^/]{6})[^/]+")
ID = re.compile(rf"\b([{ID_ALPHABET}]{{6}})[{ID_ALPHABET}]{{{ID_LENGTH - 6}}}\b")
LINK = re.compile(r"(/(?:join|calendar|reset)/)[^/]+")
SECRET = re.compile(
    r"(?i)(bearer\s+|pyramidion_visitor=|csrf=|password=|://[^:/@\s]*:)[^\s;,&@\"']+",
)
LONGEST = 4000
requests = logging.getLogger("pyramidion.requests")


def safe(text: str) -> str:
    """Return a text as it may be logged: shortened, without secrets and whole ids, with control characters escaped."""
    shortened = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    public = ID.sub(r"\1…", SECRET.sub(r"\1***", shortened))
    return UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), public)


class Text(logging.Formatter):
    """Formats a log record as one line for people, with the lines of a traceback indented below it.

    Because of the indentation no line of a traceback looks like a record.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(name)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, with the indented lines of its traceback."""
        line = f"{self.formatTime(record)} {record.name} {record.levelname} {safe(record.getMessage())}"
        for part in _trace(record):
            line += "\n    " + safe(part)
        return line


class JsonFormatter(logging.Formatter):
    """Formats a log record as one JSON object on one line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as a line of JSON."""
        entry: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": safe(record.getMessage()),
        }
        facts: dict[str, Any] = getattr(record, "facts", {})
        entry |= {name: safe(value) if isinstance(value, str) else value for name, value in facts.items()}
        if trace := _trace(record):
            entry["trace"] = [safe(part) for part in trace]
        return json.dumps(entry)


def _trace(record: logging.LogRecord) -> list[str]:
    """Return the lines of the traceback of a record's exception, none if it has no exception."""
    if not record.exc_info:
        return []
    return logging.Formatter().formatException(record.exc_info).splitlines()


def configure(form: str, level: str) -> None:
    """Send all logs of at least this level to stderr; `form` is `text` or `json`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


def request(scope: Scope, status: int, seconds: float) -> None:
    """Write an answered request to the log: method, shortened path, status, duration and client address."""
    if requests.isEnabledFor(logging.INFO):
        method, short = scope["method"], LINK.sub(r"\1…", UNLISTED_ID.sub(r"\1…", scope["path"]))
        facts = {"method": method, "path": short, "status": status, "ms": round(seconds * 1000, 1)}
        facts["address"] = address = address_of(scope)
        requests.info("%s %s %s, to %s", method, short, status, address, extra={"facts": facts})
