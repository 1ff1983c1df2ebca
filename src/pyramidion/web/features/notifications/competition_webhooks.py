"""Webhooks of seasons and tournaments: contacts without a person, which receive notices as people do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramidion.translation import language

if TYPE_CHECKING:
    from pyramidion.web.features.notifications.contacts import Contacts
    from pyramidion.web.features.notifications.transports.webhooks import Webhooks


class CompetitionWebhooks:
    """Stores the webhooks of clubs, seasons and tournaments, which receive notices as people do.

    Each is a contact without a person. Its id contains a colon, which no visitor's id does.
    """

    def __init__(self, contacts: Contacts, webhooks: Webhooks) -> None:
        self._contacts, self._webhooks = contacts, webhooks

    async def of(self, owner: str) -> str:
        """Return the URL of the webhook of `owner`, such as a season; empty if there is none."""
        return (await self._contacts.of(owner)).webhook or ""

    async def keep(self, owner: str, url: str, author: str) -> None:
        """Store the URL of the webhook of `owner`, such as a season; an empty URL removes it.

        Its messages will be in the language of the request.

        `author` is the id, in the club, season or tournament, of the person who sets it: it goes with them.

        Raises BadRequest with a sentence for an address that cannot be used, or NotSaved.
        """
        accepted = await self._webhooks.accept(url.strip()) if url.strip() else None
        await self._contacts.keep(owner, webhook=accepted, language=language(), author=author)
