"""What operators can do about what players report."""

from __future__ import annotations

import re

KINDS = {"t": "table", "clubs": "club", "seasons": "season", "tournaments": "tournament"}
"""What the pages are of, by the beginning of their addresses."""

PARTS = frozenset(("seat", "member", "announcement", "picture"))
"""What has an id within its page: PAGE/PART."""
Words = tuple[str, str, str]
"""The words of a command: its verb, a kind, and the id of what is meant."""


def commands_for(place: str, item: str) -> list[Words]:
    """Return the words of the `pyramidion admin` commands for an item of the page at an address.

    A command asks for a new name itself. What no command changes by itself is hidden with its page.
    """
    page, _slash, subject = place.removeprefix("/").partition("/")
    kind, _colon, part = item.partition(":")
    match page, kind:
        case "t", "title":
            return [("rename", "table", subject)]
        case "t", "host":
            return [("rename", "host", subject)]
        case "t", "seat":
            return [("rename", "seat", f"{subject}/{int(part) + 1}")]
        case "t", "message":
            return [("remove", "message", part), ("rename", "author", part)]
        case "clubs", "name":
            return [("rename", "club", subject)]
        case "clubs", "about":
            return [("remove", "description", subject)]
        case "clubs", "post":
            return [("remove", "announcement", f"{subject}/{part}")]
        case "clubs", "member":
            return [("rename", "member", f"{subject}/{part}")]
        case (("seasons" | "tournaments"), "title"):
            return [("rename", KINDS[page], subject)]
        case "seasons", "picture":
            return [("remove", "picture", f"{subject}/{part}")]
        case "people", _:
            return [("rename", "account", subject)]
        case _:
            return [("hide", KINDS[page], subject)]


def id_of(kind: str, text: str) -> str:
    """Return the id in the address of a page, with or without its scheme; an id, and the name of an account, as it is.

    The id of a part of a page, such as a seat, can be written as an address that ends with it: /t/7gk2.../1.
    """
    address = None if kind == "account" else re.match(rf"(?:https?://)?[^/]*/(?:{'|'.join(KINDS)})/([^?#]+)", text)
    if address is None:
        return text
    page, *parts = address[1].rstrip("/").split("/")
    return f"{page}/{parts[0]}" if kind in PARTS and parts else page
