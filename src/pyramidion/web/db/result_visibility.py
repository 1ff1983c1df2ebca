"""Which results of matches everybody may know: none of private clubs, those of a season only once its viewers do."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.club_access import at_private_club
from pyramidion.web.db.schema import SEASON_TABLES


def result_is_public(match: sa.ColumnElement[str], now: int) -> sa.ColumnElement[bool]:
    """Return the SQL condition that everybody may know a match's result at the time `now` (milliseconds since 1970).

    A season's table is hidden until the season says when its result is told; what is played in a private club stays
    hidden.
    """
    t = SEASON_TABLES.c
    untold = sa.exists().where(t.match == match, sa.or_(t.told.is_(None), t.told > now))
    return ~sa.or_(untold, at_private_club(match))
