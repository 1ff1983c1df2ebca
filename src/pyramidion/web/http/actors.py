"""Who does something, as far as those need to know who carry it out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """The person or bot for whom a request acts: the visitor id `holder` and, for a bot's API token, the bot's name."""

    holder: str
    bot: str | None = None
