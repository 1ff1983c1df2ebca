"""Lists that are longer than a page: nothing of them is lost, over the API and with either client."""

import re
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from tests.web.helpers.bot_accounts import a_bot, a_room_for
from tests.web.helpers.databases import BOTH

from pyramidion.client import AsyncClient, Client
from pyramidion.lab.statistics.skill import Skill
from pyramidion.web.db.schema import (
    ACCOUNTS,
    CHAT_LINES,
    CLUB_EVENTS,
    CLUB_MEMBERS,
    CLUB_POSTS,
    CLUB_TABLES,
    CLUBS,
    INVITATIONS,
    MATCHES,
    METADATA,
    RATINGS,
    RESULTS,
    ROOMS,
    SEATS,
)
from pyramidion.web.http.pagination import PAGE
from pyramidion.web.tokens import new_id

pytestmark = pytest.mark.server(databases=BOTH)
MANY = 120
OPEN = r'id="open-([^"]+)"'
PAGED = {
    "/api/invitations": {""},
    "/api/lobby": {""},
    "/api/clubs": {""},
    "/api/clubs/{club_id}/{listed}": {""},
    "/api/leaderboard/{game}": {"players"},
}
"""Lists that come in pages, by path and field; without a field the answer is the list."""
BEGUN = {
    "/api/clubs/{club_id}": {"posts", "events", "tables"},
    "/api/tables/{table_id}/chat": {"lines"},
    "/api/tables/{table_id}/events": {"events"},
}
"""Lists whose rest another request has, as their description says."""
WHOLE = {
    "/api/games": {""},
    "/api/blocks": {""},
    "/api/account": {"passkeys"},
    "/api/people/{name}/ratings": {"ratings"},
    "/api/tables/{table_id}": {"proposals", "seats"},
    "/api/tables/{table_id}/view": {"proposals"},
    "/api/tables/{table_id}/seals": {"seals"},
    "/api/tables/{table_id}/analysis": {"decisions"},
    "/api/tables/{table_id}/host": {"seats"},
    "/api/tables/{table_id}/room": {"seats"},
    "/api/tables/{table_id}/chat": {"conversations"},
    "/api/tables/{table_id}/ratings": {""},
    "/api/seasons/{season_id}": {
        *("cast", "episodes", "posts", "shop", "ledger", "hosts", "former_hosts", "former_players", "schedule"),
        *("confessions", "alliances", "conversations", "wishes", "plan", "log", "formats", "own_matches", "holidays"),
        *("submissions", "own_forms", "undated_phases"),
    },
    "/api/seasons/{season_id}/links": {""},
    "/api/seasons/{season_id}/template": {"shop", "episodes", "phases", "formats", "own_matches"},
    "/api/seasons/{season_id}/portraits": {""},
    "/api/season-templates": {""},
    "/api/season-templates/shipped": {""},
    "/api/tournaments/{tournament_id}": {"players", "standings", "results"},
    "/api/clubs/{club_id}": {"members", "asking"},
}
"""Lists that are answered whole."""


def lists_in(described):
    """Return the fields of each address that are lists of objects, and the addresses that have pages."""

    def resolved(schema):
        while "$ref" in schema:
            schema = described["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def lists_objects(schema):
        kinds = [resolved(kind) for kind in schema.get("anyOf", [schema])]
        return any(resolved(kind.get("items", {})).get("type") == "object" for kind in kinds)

    lists, paged = {}, set()
    for path, operations in described["paths"].items():
        operation = operations.get("get", {})
        content = operation.get("responses", {}).get("200", {}).get("content", {})
        answer = resolved(content.get("application/json", {}).get("schema", {}))
        fields = {name for name, field in answer.get("properties", {}).items() if lists_objects(field)}
        if fields := fields | ({""} if lists_objects(answer) else set()):
            lists[path] = fields
        if "after" in [parameter["name"] for parameter in operation.get("parameters", ())]:
            paged.add(path)
    return lists, paged


def copied(store, match, number, **changes):
    """Make copies of a match, with its seats, room and table code; return their ids, the newest first."""
    ids = [new_id() for _n in range(number)]
    for table in (MATCHES, SEATS, ROOMS, INVITATIONS):
        key = table.c.id if table is MATCHES else table.c.match
        # Read before the transaction that writes, so that the server can write meanwhile.
        rows = [dict(row._mapping) for row in store.query(sa.select(table).where(key == match))]
        copies = [{**row, key.name: copy} for row in rows for copy in ids]
        for values in copies:
            n = ids.index(values[key.name])
            if table is MATCHES:
                # Several of the same moment, and older ones.
                values["created"] -= n // 7 * 1000
            if table is INVITATIONS:
                values["code"] = f"{match[:2]}{n:05}"
        if copies:
            with store.engine.begin() as connection:
                connection.execute(sa.insert(table), copies)
    return ids


def copied_logs(connection, series, number):
    """Make copies of a season or tournament by the tables of its kind, named after the columns with its id."""
    kind, event = series
    ids = [new_id() for _n in range(number)]
    for table in METADATA.sorted_tables:
        columns = [column for column in table.primary_key if column.name == kind and table.name.startswith(kind)]
        if table.name == f"{kind}s":
            columns = [table.c.id]
        for column in columns:
            for row in connection.execute(sa.select(table).where(column == event)).mappings().all():
                for copy in ids:
                    connection.execute(sa.insert(table).values({**row, column.name: copy}))
    return ids


def pages(person, url, pattern, name="after"):
    """Return what a pattern finds on a page and on those to which its link of a list leads."""
    matches, query = [], ""
    while query is not None:
        answer = person.get(url + query)
        assert answer.status_code == 200, answer.text
        matches += re.findall(pattern, answer.text)
        link = re.search(rf'rel="next" href="(\?{name}=[^"#]+)#', answer.text)
        query = link[1] if link else None
    return matches


def api_pages(person, url):
    """Return the entries of a list of the API, from all of its pages."""
    entries, address = [], url
    while address:
        answer = person.get(address)
        assert answer.status_code == 200, answer.text
        entries += answer.json()
        link = answer.links.get("next", {}).get("url")
        address = answer.url.join(link) if link else None
    return entries


def test_every_list_of_the_api_is_paged_or_answered_whole(client):
    lists, paged = lists_in(client.get("/api/openapi.json").json())
    assert paged == set(PAGED)
    decided = {}
    for kind in (PAGED, BEGUN, WHOLE):
        for path, fields in kind.items():
            assert not decided.get(path, set()) & fields
            decided[path] = decided.get(path, set()) | fields
    assert lists == decided


def test_a_bot_is_told_of_all_its_games_and_invitations(server, person):
    ada, cem = person("Ada L"), person("Cem L")
    name, token = a_bot(ada, "Achilles")
    room = a_room_for(cem, name)
    ids = {room, *copied(server.app.server.store, room, MANY - 1)}
    with Client(server.address, token) as client:
        listed = [one["table"] for one in client.invitations()]
        assert len(listed) == MANY
        assert set(listed) == ids
        # Pages are told by the header alone.
        answer = client.get("/api/invitations", headers={"Authorization": f"Bearer {token}"})
        assert len(answer.json()) == PAGE
        assert answer.links["next"]["url"].startswith("?after=")
        last = f"{listed[PAGE - 1]}.1"
        with server.app.server.store.engine.begin() as connection:
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
    store = server.app.server.store
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
    dora, store = person("Dora L"), server.app.server.store
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
    assert set(pages(dora, "/lobby", OPEN)) == set(listed)
    assert set(pages(dora, "/games/pyramid-shambo", OPEN)) == set(listed)
    assert len(set(pages(dora, "/clubs", r'href="/clubs/([^"]+)"'))) == MANY


def test_tables_of_other_games_take_no_places_on_the_page_of_a_game(server, person):
    dora, store = person("Dora G"), server.app.server.store
    older = dora.start("me", "open", game="pyramis", me="Dora", listed="open")
    copied(store, dora.start("me", "open", me="Dora", listed="open"), MANY)
    assert pages(dora, "/games/pyramis", OPEN) == [older]


def test_all_of_a_club_is_found_on_its_pages_and_over_the_api(server, person):
    olga, store = person("Olga C"), server.app.server.store
    club = olga.say("/clubs", name="Pyramids", door="open", member="Olga").split("/")[2]
    cup = olga.say("/tournaments", title="Cup", host="Olga", game="pyramid-shambo", format="swiss", club=club)
    table = olga.start("me", "open", me="Olga", club=club)
    tables = {table, *copied(store, table, MANY - 1)}
    with store.engine.begin() as connection:
        tournaments = [cup.split("/")[2], *copied_logs(connection, ("tournament", cup.split("/")[2]), MANY - 1)]
        for n, tournament in enumerate(tournaments[1:]):
            event = {"kind": "tournament", "event": tournament, "club": club, "at": n}
            connection.execute(sa.insert(CLUB_EVENTS).values(event))
        for match in tables - {table}:
            connection.execute(sa.insert(CLUB_TABLES).values(match=match, club=club))
        for n in range(1, MANY + 1):
            post = {"club": club, "number": n, "at": n, "author": "Olga", "text": f"Text {n}."}
            connection.execute(sa.insert(CLUB_POSTS).values(post))
            member = {"club": club, "holder": f"h{n}", "member": f"m{n}", "name": f"M{n}", "role": "member", "since": n}
            connection.execute(sa.insert(CLUB_MEMBERS).values(member))
        connection.execute(sa.update(CLUBS).where(CLUBS.c.id == club).values(posts=MANY))
    url = f"/api/clubs/{club}"
    begun = olga.get(url).json()
    assert len(begun["members"]) == MANY + 1
    whole = {}
    for name in ("posts", "events", "tables"):
        whole[name] = api_pages(olga, f"{url}/{name}")
        assert begun[name] == whole[name][:PAGE]
    assert [post["number"] for post in whole["posts"]] == list(range(MANY, 0, -1))
    assert {event["id"] for event in whole["events"]} == set(tournaments)
    assert {one["id"] for one in whole["tables"]} == tables
    page = f"/clubs/{club}"
    assert len(set(pages(olga, page, r'id="member-([^"]+)"'))) == MANY + 1
    assert pages(olga, page, r">Text (\d+)\.<", "posts") == [str(n) for n in range(MANY, 0, -1)]
    assert set(pages(olga, page, r'id="event-([^"]+)"', "events")) == set(tournaments)
    assert set(pages(olga, page, r'href="/t/([^"]+)">\w', "tables")) >= tables
    # What somebody may not see has no pages either, and the oldest announcement can be deleted.
    stranger = person()
    assert api_pages(stranger, f"{url}/posts") == []
    olga.say(f"{page}/unpost", number="1")
    assert len(api_pages(olga, f"{url}/posts")) == MANY - 1
    olga.say(f"{page}/settings", name="Pyramids", door="private")
    for name in ("posts", "events", "tables"):
        assert stranger.get(f"{url}/{name}").status_code == 404


def test_a_players_page_has_all_games(server, person):
    ana, store = person("Ana Y"), server.app.server.store
    with_people = {(table := ana.start("me", "open", me="Ana")), *copied(store, table, MANY - 1)}
    alone = {(table := ana.start("me", "bot:random", me="Ana")), *copied(store, table, MANY - 1)}
    over = set(copied(store, table, MANY))
    with store.engine.begin() as connection:
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id.in_(over)).values(finished=MATCHES.c.created))
        holder = connection.execute(sa.select(SEATS.c.holder).where(SEATS.c.match == table, SEATS.c.seat == 0)).scalar()
        for match in over:
            for seat in (0, 1):
                result = {"match": match, "seat": seat, "person": None if seat else holder, "payoff": seat, "won": seat}
                connection.execute(sa.insert(RESULTS).values(result | {"bot": "random" if seat else None}))
    listed = r'data-key="([^"]+)"'
    assert with_people <= set(pages(ana, "/", listed))
    everything = pages(ana, "/your-games/all", listed)
    assert len(everything) == 3 * MANY
    assert set(everything) == with_people | alone | over
    assert f"<td>{MANY}</td>" in ana.get("/people/me").text
    assert f"<td>{MANY}</td>" in ana.get(f"/people/{quote('Ana Y')}").text


def test_seasons_tournaments_and_their_players_are_listed_whole(server, person):
    olga, store = person("Olga S"), server.app.server.store
    cup = olga.say("/tournaments", title="Cup", host="Olga", game="pyramid-shambo", format="swiss").split("/")[2]
    season = olga.say("/seasons", title="Spring", host="Olga").split("/")[2]
    with store.engine.begin() as connection:
        tournaments = {cup, *copied_logs(connection, ("tournament", cup), MANY - 1)}
        seasons = {season, *copied_logs(connection, ("season", season), MANY - 1)}
    assert set(pages(olga, "/tournaments", r'href="/tournaments/(\w+)"')) == tournaments
    assert set(pages(olga, "/seasons", r'href="/seasons/(\w+)/host"')) == seasons


def test_all_messages_of_a_chat_can_be_read(server, person):
    ana, store = person("Ana C"), server.app.server.store
    table, number = ana.start("me", "open", me="Ana"), 4 * MANY
    with store.engine.begin() as connection:
        for n in range(1, number + 1):
            line = {"match": table, "number": n, "id": f"line{n}", "at": n, "seat": 0, "name": "Ana", "text": f"{n}"}
            connection.execute(sa.insert(CHAT_LINES).values(line | {"readers": None, "removed": False}))
    texts, before = [], None
    while True:
        chat = ana.get(f"/api/tables/{table}/chat", params={"before": before} if before else {}).json()
        texts = [line["text"] for line in chat["lines"]] + texts
        if not chat["older"]:
            break
        before = chat["lines"][0]["id"]
    assert texts == [f"{n}" for n in range(1, number + 1)]


def test_a_leaderboard_goes_on_after_its_first_page(server, person, monkeypatch):
    # A level that was measured as strong and has lost its rated games is listed once, by its rating.
    strong = {"easy": Skill(50, 1)}
    monkeypatch.setattr("pyramidion.web.features.ratings.service.measured_levels", lambda _game: strong)
    dora = person()
    table = dora.start("me", "open", me="Dora")
    with server.app.server.store.engine.begin() as connection:
        for n in range(MANY):
            about = {"id": f"a{n}", "name": f"P{n}", "key": f"p{n}", "looks": f"p{n}", "holder": f"h{n}", "created": 1}
            connection.execute(sa.insert(ACCOUNTS).values(about))
            rating = {"match": table, "seat": n, "game": "pyramid-shambo", "player": f"h{n}", "at": n, "games": 9}
            rating |= {"mean": 30 - n / 100, "deviation": 1, "old_mean": 30, "old_deviation": 1}
            connection.execute(sa.insert(RATINGS).values(rating))
        lost = {**rating, "seat": MANY, "player": "bot:easy", "mean": 1}
        connection.execute(sa.insert(RATINGS).values(lost))
    places, url = [], "/api/leaderboard/pyramid-shambo"
    while url:
        answer = dora.get(url)
        assert answer.status_code == 200, answer.text
        places += answer.json()["players"]
        link = answer.links.get("next", {}).get("url")
        url = answer.url.join(link) if link else None
    assert places.pop()["bot"] == "easy"
    assert [(one["rank"], one["name"]) for one in places] == [(n + 1, f"P{n}") for n in range(MANY)]
    shown = pages(dora, "/leaderboard/pyramid-shambo", r">(P\d+)</bdi></a>")
    assert shown == [f"P{n}" for n in range(MANY)]
