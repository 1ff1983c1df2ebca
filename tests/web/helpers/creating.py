"""Creating tables in tests."""

from __future__ import annotations

from typing import Any

from pyramidion.web.table.settings.declarations import TableSettings


def with_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return arguments of `Tables.create`, with all table settings collected in `settings`."""
    settings = {name: value for name, value in given.items() if name in TableSettings.model_fields}
    others = {name: value for name, value in given.items() if name not in settings}
    return {**others, "settings": TableSettings(**settings)}


# What a program sends to create one, by path.
CREATING = {
    "/api/seasons": {"title": "Code Red", "host": "Hal"},
    "/api/tournaments": {"title": "Cup", "host": "Hal", "game": "pyramis", "format": "elimination", "seats": 2},
}
