"""Lengths of time in words."""

from __future__ import annotations

from pyramidion.translation import ngettext


def duration(seconds: int) -> str:
    """Format a time in words: `2 minutes`, `1 day 12 hours`."""
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    parts = (
        (days, ngettext("{count} day", "{count} days", days)),
        (hours, ngettext("{count} hour", "{count} hours", hours)),
        (minutes, ngettext("{count} minute", "{count} minutes", minutes)),
        (seconds % 60, ngettext("{count} second", "{count} seconds", seconds % 60)),
    )
    texts = [words.format(count=count) for count, words in parts if count]
    return " ".join(texts) or ngettext("{count} second", "{count} seconds", 0).format(count=0)
