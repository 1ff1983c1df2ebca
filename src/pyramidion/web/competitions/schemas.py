"""Request schemas that seasons and tournaments share."""

from __future__ import annotations

from pydantic import BaseModel, Field

from pyramidion.web.competitions.request_keys import RequestKey, request_key


class Keyed(BaseModel):
    """A request that may have an idempotency key."""

    key: str | None = Field(
        default=None,
        description="Any text of your own: a request that you send again with it counts once. For another request, "
        "take another key.",
    )

    @property
    def request_key(self) -> RequestKey | None:
        """The idempotency key with the content of the request, None if it has no key."""
        return request_key(self.key, {"order": type(self).__name__, **self.model_dump(mode="json")})
