"""What a program is told besides a refusal, so that it can choose again."""

from __future__ import annotations

import json
from typing import Any

from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table


def position(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return what a refusal tells a program so that it can choose again: the latest version, view and legal actions."""
    data: dict[str, Any] = {
        "version": table.version(viewer),
        "view": table.visibility.shown_match.view(viewer),
        "acting": table.visibility.due(viewer),
        "over": table.match.over,
        **wire.status_of(table, viewer),
    }
    if viewer is not None:
        data["legal"] = json.loads(wire.legal(table, viewer))
    return data
