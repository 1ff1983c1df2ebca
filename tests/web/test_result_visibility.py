"""Which results everybody may know: those of matches outside private clubs."""

from typing import get_args

import pytest
import sqlalchemy as sa
from tests.web.helpers.databases import BOTH, DATABASES, url_at

from pyramidion.web.db.schema import (
    CLUB_EVENTS,
    CLUB_TABLES,
    CLUBS,
    MATCHES,
    METADATA,
    RESULTS,
    SEASON_TABLES,
    SEASONS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
)
from pyramidion.web.db.store import MatchRow, Store
from pyramidion.web.features.clubs.club import Door
from pyramidion.web.features.profiles.statistics import statistics

DOORS = get_args(Door)
PLACES = {"lobby": CLUB_TABLES, "season": SEASON_TABLES, "tournament": TOURNAMENT_TABLES}
"""Where a club's matches are played, and which table has them."""


@pytest.fixture(params=BOTH)
def store(request, tmp_path):
    DATABASES.kind = request.param
    store = Store(url_at(tmp_path))
    store.open()
    yield store
    store.close()
    DATABASES.kind = "sqlite"


def test_every_table_of_matches_that_belong_to_something_is_here():
    named = {name for name in METADATA.tables if name.endswith("_tables")}
    assert named == {table.name for table in PLACES.values()}


@pytest.mark.parametrize("place", PLACES)
def test_results_of_private_clubs_are_not_public(store, place):
    """One match in each club, wherever it is played, and one in no club."""
    with store.engine.begin() as connection:
        for door in (*DOORS, None):
            add(connection, place, door)
    public = statistics(store, "ana", now=10)
    [own] = statistics(store, "ana", now=None)
    assert sum(line.played for line in own.lines) == len(DOORS) + 1
    assert sum(line.played for one in public for line in one.lines) == len(DOORS)


def add(connection, place, door):
    """Store a finished match of Ana's, played at a place of a club with a door, or in no club."""
    match = f"{place}-{door}"
    row = MatchRow(match, "pyramid-shambo", "1", 2, {}, 0, False, "", 1, {"listed": True}, finished=2, started=1)
    insert = lambda table, **values: connection.execute(sa.insert(table).values(values))  # noqa: E731
    insert(MATCHES, **row.values())
    insert(RESULTS, match=match, seat=0, person="ana", bot=None, won=1.0, payoff=1.0, points=3)
    club = f"club-{door}"
    if door is not None:
        insert(CLUBS, id=club, created=1, name="Club", about="", door=door, turn=0, posts=0)
    if place == "lobby" and door is not None:
        insert(CLUB_TABLES, match=match, club=club)
    elif place == "season":
        insert(SEASONS, id=match, created=1)
        insert(SEASON_TABLES, match=match, season=match, settled=True, told=1)
    elif place == "tournament":
        insert(TOURNAMENTS, id=match, created=1, due=None)
        insert(TOURNAMENT_TABLES, match=match, tournament=match, settled=True)
    if place != "lobby" and door is not None:
        insert(CLUB_EVENTS, kind=place, event=match, club=club, at=1)
