"""Which results of matches everybody may know: those of a season's tables only once its viewers do."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.club_doors import in_private_club
from pyramidion.web.db.schema import SEASON_TABLES


def told_to_all(match: sa.ColumnElement[str], now: int) -> sa.ColumnElement[bool]:
    """Return the condition that everybody may know the result of a match, at a time in milliseconds since 1970.

    A season's table is hidden until the season says when its result is told; in a private club it stays hidden.
    """
    t = SEASON_TABLES.c
    hidden = sa.or_(t.told.is_(None), t.told > now, in_private_club("season", t.season))
    return ~sa.exists().where(t.match == match, hidden)
