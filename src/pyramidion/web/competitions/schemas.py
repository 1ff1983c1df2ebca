"""Request schemas that seasons and tournaments share."""

from __future__ import annotations

from typing import cast

from pydantic import BaseModel, Field, model_validator
from pydantic_core import InitErrorDetails, ValidationError

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


class Exact(Keyed):
    """A request that names no field which it does not have.

    This is checked here, since the option of Pydantic would hold for the events and templates inside it, too.
    """

    @model_validator(mode="before")
    @classmethod
    def _without_others(cls, given: object) -> object:
        """Return what was given. Raises ValidationError for other fields."""
        if not isinstance(given, dict):
            return given
        fields = cast("dict[str, object]", given)
        errors = [
            InitErrorDetails(type="extra_forbidden", loc=(name,), input=content)
            for name, content in fields.items()
            if name not in cls.model_fields
        ]
        if errors:
            raise ValidationError.from_exception_data(cls.__name__, errors)
        return fields
