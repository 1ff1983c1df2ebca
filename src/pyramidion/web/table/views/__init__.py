"""The viewers of a table: what each may know, their open streams, and what has to be sent to them."""

from pyramidion.web.table.views.broadcast import Broadcast
from pyramidion.web.table.views.json_cache import JsonCache
from pyramidion.web.table.views.viewers import Viewers
from pyramidion.web.table.views.visibility import Visibility

__all__ = [
    "Broadcast",
    "JsonCache",
    "Viewers",
    "Visibility",
]
