"""Notifications in words."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten
from typing import Final

from pyramidion.translation import _, listed
from pyramidion.web.features.notifications.contacts import THE_TABLE, Contact, in_zone
from pyramidion.web.features.notifications.outbox import QueuedNotification
from pyramidion.web.features.notifications.triggers import people_due
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.table import Table

LONGEST_SUBJECT: Final = 120


@dataclass(frozen=True, slots=True)
class NotificationText:
    """A notification in words: its title, one sentence, and the table's URL if the server's address is known.

    Attributes:
        happened: for an e-mail's subject, what everybody at the table saw last; may be empty.
    """

    title: str
    text: str
    link: str | None
    happened: str = ""

    @property
    def subject(self) -> str:
        """The subject of an e-mail: what it says and what has happened, in a line."""
        return shorten(f"{self.text} {self.happened}", LONGEST_SUBJECT, placeholder="...")


def text_of(message: QueuedNotification, table: Table, contact: Contact, link: str | None) -> NotificationText:
    """Return the text of a notification about a table, in the current language.

    Times are in the contact's time zone. `link` is the table's URL, if known.
    """
    what = {"title": titled(table.title, table.game), "game": _(table.game.name)}
    ends = in_zone(table.clock.state.deadline or 0, contact.zone, contact.language)
    everybody = message.person == THE_TABLE
    names = listed([table.names[seat] for seat in sorted(people_due(table))])
    match message.kind:
        case "turn" if everybody:
            text = _("{title} ({game}) is waiting for {names}.").format(names=names, **what)
        case "turn":
            text = _("{title} ({game}): it is your turn.").format(**what)
        case "deadline" if everybody:
            text = _("{title} ({game}): time for {names} runs out on {time}.").format(names=names, time=ends, **what)
        case "deadline":
            text = _("{title} ({game}): your time runs out on {time}.").format(time=ends, **what)
        case "started":
            text = _("{title} ({game}) has started.").format(**what)
        case "over":
            text = _("{title} ({game}) is over.").format(**what)
        case _kind:
            text = _("{title} ({game}): you have a private message.").format(**what)
    # What spectators see holds no secret, and a subject can be read by whoever sees the screen.
    public = table.visibility.events(None, table.names) if message.kind == "turn" else ()
    return NotificationText(what["title"], text, link, public[-1].text if public else "")
