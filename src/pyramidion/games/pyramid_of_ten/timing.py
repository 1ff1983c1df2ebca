"""Default timing for ten players: one day per phase, after a day of talk."""

from pyramidion.engine.pace import Pace
from pyramidion.translation import marked

DAY = 24 * 3600
PACES = (Pace(DAY, marked("A phase a day"), stays_open=True, pregame=DAY),)
