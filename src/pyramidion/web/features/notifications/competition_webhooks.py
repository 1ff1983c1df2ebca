"""Webhooks of seasons and tournaments: contacts without a person, which receive notices as people do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramidion.translation import language

if TYPE_CHECKING:
    from pyramidion.web.features.notifications.contacts import Contacts
    from pyramidion.web.features.notifications.transports.webhooks import Webhooks


class CompetitionWebhooks:
    """The webhooks, by the id that notices have as their person. No visitor has an id with a colon."""

    def __init__(self, contacts: Contacts, webhooks: Webhooks) -> None:
        self._contacts, self._webhooks = contacts, webhooks

    async def of(self, owner: str) -> str:
        """Return a webhook's URL, empty for none."""
        return (await self._contacts.of(owner)).webhook or ""

    async def keep(self, owner: str, url: str, author: str) -> None:
        """Store a webhook, whose messages are in the language of the request; an empty URL removes it.

        `author` is the id, in the club, season or tournament, of the person who sets it: it goes with them.

        Raises BadRequest with a sentence for an address that cannot be used, or NotSaved.
        """
        accepted = await self._webhooks.accept(url.strip()) if url.strip() else None
        await self._contacts.keep(owner, webhook=accepted, language=language(), author=author)
