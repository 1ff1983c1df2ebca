"""Table settings: their declarations, their form, and the time controls."""

from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.settings.time_controls import Timing

__all__ = [
    "TableSettings",
    "Timing",
]
