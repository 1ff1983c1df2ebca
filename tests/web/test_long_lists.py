"""Lists that are longer than a page: nothing of them is lost, over the API and with either client."""

import pytest
import sqlalchemy as sa
from tests.web.databases import BOTH
from tests.web.test_bot_accounts import a_bot, a_room_for

from pyramidion.client import AsyncClient, Client
from pyramidion.web.db.schema import ACCOUNTS, CLUBS, INVITATIONS, MATCHES, RATINGS, ROOMS, SEATS
from pyramidion.web.http.list_pages import PAGE
from pyramidion.web.tokens import new_id

pytestmark = pytest.mark.server(databases=BOTH)
MANY = 120
PAGED = {"/api/invitations", "/api/lobby", "/api/clubs", "/api/leaderboard/{game}"}
WHOLE = {
    "/api/games",
    "/api/blocks",
    "/api/tables/{table_id}/ratings",
    "/api/seasons/{season_id}/links",
    "/api/seasons/{season_id}/portraits",
    "/api/season-templates",
}
"""Lists that are answered whole, since there can only be so many entries."""


def copied(store, match, number, **changes):
    """Make copies of a match, with its seats, room and table code; return their ids, the newest first."""
    ids = [new_id() for _n in range(number)]
    with store.engine.begin() as connection:
        for table in (MATCHES, SEATS, ROOMS, INVITATIONS):
            key = table.c.id if table is MATCHES else table.c.match
            for row in connection.execute(sa.select(table).where(key == match)).mappings().all():
                for n, copy in enumerate(ids):
                    values = {**row, key.name: copy}
                    if table is MATCHES:
                        # Several of the same moment, and older ones.
                        values |= {"created": row["created"] - n // 7 * 1000}
                    if table is INVITATIONS:
                        values |= {"code": f"{match[:2]}{n:05}"}
                    connection.execute(sa.insert(table).values(values))
    return ids


def test_every_list_of_the_api_is_paged_or_answered_whole(client):
    described = client.get("/api/openapi.json").json()
    lists, paged = set(), set()
    for path, operations in described["paths"].items():
        operation = operations.get("get", {})
        answer = operation.get("responses", {}).get("200", {}).get("content", {}).get("application/json", {})
        if answer.get("schema", {}).get("type") == "array":
            lists.add(path)
        if "after" in [one["name"] for one in operation.get("parameters", ())]:
            paged.add(path)
    assert paged == PAGED
    assert lists - paged == WHOLE


def test_a_bot_is_told_of_all_its_games_and_invitations(server, person):
    ada, cem = person("Ada L"), person("Cem L")
    name, token = a_bot(ada, "Achilles")
    room = a_room_for(cem, name)
    ids = {room, *copied(server.app.state.store, room, MANY - 1)}
    with Client(server.address, token) as client:
        listed = [one["table"] for one in client.invitations()]
        assert len(listed) == MANY
        assert set(listed) == ids
        # Pages are told by the header alone.
        answer = client.get("/api/invitations", headers={"Authorization": f"Bearer {token}"})
        assert len(answer.json()) == PAGE
        assert answer.links["next"]["url"].startswith("?after=")
        last = f"{listed[PAGE - 1]}.1"
        with server.app.state.store.engine.begin() as connection:
            # A game that ends between two pages moves nothing out of sight.
            connection.execute(sa.update(MATCHES).where(MATCHES.c.id.in_(listed[:3])).values(finished=1))
            connection.execute(sa.update(MATCHES).where(MATCHES.c.id == listed[PAGE - 1]).values(finished=1))
        rest = [one["table"] for page in client.pages("/api/invitations", after=last) for one in page]
        assert rest == listed[PAGE:]
        for wrong in ("x", "x.y", ".", "1.1.1", "x.123"):
            answer = client.get("/api/invitations", params={"after": wrong}, headers=client._account)
            assert answer.status_code in (400, 422), answer.text


async def test_the_client_for_asyncio_pages_too_and_a_restarted_bot_returns_to_all_games(server, person):
    ada, cem = person("Ada M"), person("Cem M")
    name, token = a_bot(ada, "Achilles")
    room = a_room_for(cem, name)
    with Client(server.address, token) as client:
        client.accept(room)
    cem.say(f"/t/{room}/room/ready", ready="yes")
    cem.form(f"/t/{room}/room/start", fill="")
    store = server.app.state.store
    assert [row.started for row in store.query(sa.select(MATCHES.c.started).where(MATCHES.c.id == room))] != [None]
    ids = {room, *copied(store, room, MANY - 1)}
    async with AsyncClient(server.address, token) as client:
        assert {one["table"] for one in await client.invitations()} == ids
        games = set()
        async for seat in client.games(pause=0.05):
            games.add(seat.table)
            if len(games) == MANY:
                break
    assert games == ids


def test_lobby_and_clubs_are_listed_to_their_ends(server, person):
    dora, store = person("Dora L"), server.app.state.store
    table = dora.start("me", "open", me="Dora", listed="open")
    dora.say("/clubs", name="Club", door="open", member="Dora")
    with store.engine.begin() as connection:
        row = connection.execute(sa.select(CLUBS)).mappings().one()
        for n in range(MANY - 1):
            connection.execute(sa.insert(CLUBS).values({**row, "id": new_id(), "name": f"Club {n}"}))
    tables = {table, *copied(store, table, MANY - 1)}
    with Client(server.address) as client:
        listed = [one["id"] for page in client.pages("/api/lobby") for one in page]
        assert tables <= set(listed)
        assert len(set(listed)) == len(listed)
        assert len({one["id"] for page in client.pages("/api/clubs") for one in page}) == MANY


def test_a_leaderboard_goes_on_after_its_first_page(server, person, monkeypatch):
    monkeypatch.setattr("pyramidion.web.features.ratings.service.measured_levels", lambda _game: {})
    dora = person()
    table = dora.start("me", "open", me="Dora")
    with server.app.state.store.engine.begin() as connection:
        for n in range(MANY):
            about = {"id": f"a{n}", "name": f"P{n}", "key": f"p{n}", "looks": f"p{n}", "holder": f"h{n}", "created": 1}
            connection.execute(sa.insert(ACCOUNTS).values(about))
            rating = {"match": table, "seat": n, "game": "pyramid-shambo", "player": f"h{n}", "at": n, "games": 9}
            rating |= {"mean": 30 - n / 100, "deviation": 1, "old_mean": 30, "old_deviation": 1}
            connection.execute(sa.insert(RATINGS).values(rating))
    places, url = [], "/api/leaderboard/pyramid-shambo"
    while url:
        answer = dora.get(url)
        assert answer.status_code == 200, answer.text
        places += answer.json()["players"]
        link = answer.links.get("next", {}).get("url")
        url = answer.url.join(link) if link else None
    assert [(one["rank"], one["name"]) for one in places] == [(n + 1, f"P{n}") for n in range(MANY)]
