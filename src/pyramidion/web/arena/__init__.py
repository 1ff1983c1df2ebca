"""Programs of the JSON API as entrants of the arena: they play on a private server."""

from pyramidion.web.arena.guests import Guests

__all__ = ["Guests"]
