"""Bot tournaments: balanced schedules, results in a SQLite file, ratings with their uncertainty."""

from pyramidion.lab.arena.entrants import Entrant, read_entrants
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.arena.results import OtherContest, Results
from pyramidion.lab.arena.runner import Contest, Stopped, run
from pyramidion.lab.arena.standings import Standing, standings

__all__ = [
    "Contest",
    "Entrant",
    "EntrantError",
    "OtherContest",
    "Results",
    "Standing",
    "Stopped",
    "read_entrants",
    "run",
    "standings",
]
