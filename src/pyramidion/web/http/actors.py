"""Who does something, as far as those need to know who carry it out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something: a browser's visitor, or a bot by its token, with the bot's name."""

    holder: str
    bot: str | None = None
