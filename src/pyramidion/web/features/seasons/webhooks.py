"""A season's webhooks: one reports what viewers learn, the other everything that happens, for hosts alone."""

from __future__ import annotations

from collections.abc import Mapping

from pyramidion.web.contracts import CompetitionWebhooks
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.permissions import require_running
from pyramidion.web.features.seasons.webhook_reports import channel


class SeasonWebhooks:
    """Stores the two webhooks of each season, by name: `webhook` reports to viewers, `hosts` to the hosts."""

    def __init__(self, webhooks: CompetitionWebhooks) -> None:
        self._webhooks = webhooks

    async def of(self, loaded: LoadedSeason, requester: SeasonRequester) -> dict[str, str]:
        """Return the URLs of a season's webhooks by name, empty for none, to a host. Raises NotYours."""
        require_running(loaded, requester)
        return {name: await self._webhooks.of(owner) for name, owner in _channels(loaded).items()}

    async def keep(self, loaded: LoadedSeason, requester: SeasonRequester, urls: Mapping[str, str]) -> None:
        """Store the webhooks of a season whose names are in `urls`. Raises NotYours, or BadRequest with a sentence."""
        before = await self.of(loaded, requester)
        for name, owner in _channels(loaded).items():
            if (url := urls.get(name, before[name])) != before[name]:
                await self._webhooks.keep(owner, url, requester.who or "")


def _channels(loaded: LoadedSeason) -> dict[str, str]:
    """Return the ids that stand for a season's webhooks as recipients of notices, by name."""
    return {"webhook": channel(loaded.id), "hosts": channel(loaded.id, hosts=True)}
