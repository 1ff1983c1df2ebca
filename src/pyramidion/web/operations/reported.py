"""What operators can do about what players report."""

from __future__ import annotations

import re

KINDS = {"t": "table", "clubs": "club", "seasons": "season", "tournaments": "tournament"}
"""What the pages are of, by the beginning of their addresses."""


def command_for(place: str, item: str) -> tuple[str, ...]:
    """Return the words of the `pyramidion admin` command for an item of the page at an address.

    A word in capitals stands for what the operator chooses. What no command changes by itself is hidden with its page.
    """
    page, _slash, subject = place.removeprefix("/").partition("/")
    kind, _colon, part = item.partition(":")
    match page, kind:
        case "t", "title":
            return "rename", "table", subject, "TITLE"
        case "t", "host":
            return "rename", "host", subject, "NAME"
        case "t", "seat":
            return "rename", "seat", f"{subject}/{part}", "NAME"
        case "t", "message":
            return "remove", "message", part
        case "clubs", "name":
            return "rename", "club", subject, "NAME"
        case "clubs", "about":
            return "remove", "description", subject
        case "clubs", "post":
            return "remove", "announcement", f"{subject}/{part}"
        case "clubs", "member":
            return "rename", "member", f"{subject}/{part}", "NAME"
        case "seasons", "picture":
            return "remove", "picture", f"{subject}/{part}"
        case "people", _:
            return "rename", "account", subject, "NAME"
        case _:
            return "hide", KINDS[page], subject


def id_of(kind: str, text: str) -> str:
    """Return the id that an address of a page ends with; an id, and the name of an account, as it is."""
    is_address = kind != "account" and (text.startswith("/") or "://" in text)
    return re.split(r"[?#]", text)[0].rstrip("/").rpartition("/")[2] if is_address else text
