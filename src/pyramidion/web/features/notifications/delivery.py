"""The ways of notifying a person: by page, push, e-mail or webhook."""

from __future__ import annotations

from collections.abc import Mapping

from pyramidion.web.features.notifications.contacts import WAYS, Contact, TableContact
from pyramidion.web.features.notifications.outbox import MINUTE

POLLS = 3 * MINUTE
"""A browser that has polled within this time, in milliseconds, is considered reachable."""
SWITCH = {"push": "browser"}
"""The way whose switch also turns another one on and off: browsers are reached by page or by push."""
EVERY_WAY = (*WAYS, *SWITCH)


def ways_to(
    contact: Contact | None, at: TableContact | None, kind: str, now: int, *, all_kinds: bool = False
) -> list[str]:
    """Return the ways in which a person can be notified and wants to be, for one kind of notification.

    `at` has what they have turned off at the table concerned. With `all_kinds`, what is turned off does not matter.
    """
    if contact is None:
        return []
    can: Mapping[str, bool] = {
        "browser": now - contact.polled < POLLS,
        "push": contact.devices > 0,
        "mail": bool(contact.email) and contact.confirmed,
        "webhook": bool(contact.webhook),
    }
    off = contact.off | (at.off if at is not None else frozenset[str]())
    return [way for way, possible in can.items() if possible and (all_kinds or switch_of(kind, way) not in off)]


def switch_of(kind: str, way: str) -> str:
    """Return the name of the setting, `kind.way`, that turns off a kind of notification by one way."""
    return f"{kind}.{SWITCH.get(way, way)}"
