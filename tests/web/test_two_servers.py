"""Tests of two servers with one database: the same tables on both, and nothing happens twice."""

import concurrent.futures
import re
import time
from types import SimpleNamespace

import httpx
import pytest
import sqlalchemy as sa
from tests.web.conftest import Listening, Player
from tests.web.helpers.accounts import Person
from tests.web.helpers.databases import BOTH, DATABASES
from tests.web.helpers.processes import ServerProcess, elsewhere
from tests.web.helpers.seasons import Host
from tests.web.helpers.tournaments import Cup

from pyramidion.web.db.schema import MATCHES, SEASON_LOG, SEASON_TABLES, TOURNAMENT_LOG, TOURNAMENT_TABLES
from pyramidion.web.db.store import Store

LAST = {"round_limit": 2}
AT_ONCE = {"premove_pause": 0, "premove_pause_longest": 0}


@pytest.fixture(scope="module", params=BOTH)
def pair(request, tmp_path_factory):
    """Two servers with a data folder each, but for SQLite, whose one file lies in the first one's."""
    DATABASES.kind = request.param
    folder = tmp_path_factory.mktemp("pair")
    url = DATABASES.url_at(folder)
    DATABASES.kind = "sqlite"
    key = {"secret_key": "k" * 40} if request.param == "sqlite" else {}
    with (
        ServerProcess(folder / "a", database_url=url, **AT_ONCE, **key) as a,
        ServerProcess(folder / "b", database_url=url, **AT_ONCE, **key) as b,
    ):
        yield a, b


def settles(true):
    """Wait for a condition that holds at once with PostgreSQL, and with SQLite after the next check of the file."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def clients(pair):
    with pair[0].client() as a, pair[1].client() as b:
        yield a, b


@pytest.mark.slow
def test_a_game_goes_on_through_either_server_in_turn(clients):
    one = Player(clients[0], options=LAST, seed=1)
    both = [one, elsewhere(one, clients[1])]
    turn = 0
    while not both[turn].get()["over"]:
        table = both[turn]
        [seat] = table.get()["acting"]
        legal = table.get("/legal", seat)
        first = legal["legal"][-1]
        action = first["text"] if "text" in first else f"{first['family']} {first['low']}"
        # Chosen where it was read, posted to the other one, which catches up first.
        turn = 1 - turn
        answer = both[turn].post(seat, action, legal["version"])
        assert answer.status_code == 200, answer.text
    settles(lambda: both[1 - turn].get()["over"])
    assert one.get("/record") == both[1].get("/record")


def test_what_one_server_does_is_seen_at_the_other_by_its_stream(clients):
    one = Player(clients[0])
    other = elsewhere(one, clients[1])
    with other.stream(1) as stream:
        assert stream.next()["version"] == 0
        for version in range(1, 6):
            one.play("pass")
            assert stream.next()["version"] == version
    # A reader that comes back to the other server goes on where it was, with nothing left out or told again.
    place = stream.last_id
    one.play("pass")
    with one.stream(1, since=place) as stream:
        assert {event["position"] for event in stream.next()["events"]} == {6}


def test_of_the_same_action_posted_to_both_at_once_one_is_made(clients):
    one = Player(clients[0])
    both = [one, elsewhere(one, clients[1])]
    [seat] = both[1].get()["acting"]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda n: both[n % 2].post(seat, "pass", 0).status_code, range(10)))
    assert sorted(answers) == [200] + [409] * 9
    settles(lambda: [table.get()["version"] for table in both] == [1, 1])


def test_of_one_seat_taken_at_both_at_once_one_is_given(clients):
    one = Player(clients[0], ["me", "open", "open"])
    elsewhere(one, clients[1]).get()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        answers = list(
            pool.map(
                lambda n: clients[n % 2].post(f"{one.url}/seats/1", json={"name": f"P{n}"}),
                range(6),
            )
        )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    [token] = [answer.json()["token"] for answer in answers if answer.status_code == 200]
    one.tokens[1] = token
    for client in clients:
        settles(lambda client=client: client.get(one.url, headers=one.headers(1)).status_code == 200)


def test_a_token_given_by_one_server_acts_at_the_other(clients):
    one = Player(clients[0], ["me", "open", "open"])
    other = elsewhere(one, clients[1])
    other.get()
    for seat in (1, 2):
        one.tokens[seat] = clients[0].post(f"{one.url}/seats/{seat}").json()["token"]
    seat = one.get()["acting"][0]
    settles(lambda: other.post(seat, "pass", 0).status_code == 200)


def test_a_room_and_what_is_said_in_advance_are_the_same_at_both(clients):
    one = Player(clients[0], ["me", "open"], "pyramid-shambo", start="when-ready", options={"turn_limit": 1})
    other = elsewhere(one, clients[1])
    hashed = other.get("/room")["secret_hash"]
    told = clients[1].post(f"{one.url}/seats/1", json={"contribution": "tea"}).json()
    one.tokens[1] = other.tokens[1] = told["token"]
    assert clients[0].get(f"{one.url}/room", headers=one.headers(1)).json()["contribution"]["text"] == "tea"
    with concurrent.futures.ThreadPoolExecutor(2) as many:
        # Both say it at the same moment, each at a server of their own.
        asked = [
            many.submit(table.client.put, f"{one.url}/room/ready", headers=one.headers(seat), json={"ready": True})
            for table, seat in ((one, 0), (other, 1))
        ]
        assert {answer.result().status_code for answer in asked} <= {200, 409}
    settles(lambda: one.get()["begun"] and other.get()["begun"])
    assert one.get("/seals")["origin"]["secret_hash"] == hashed
    order = {"text": "rock rock"}
    assert clients[1].put(f"{one.url}/premoves", headers=one.headers(1), json=order).json()["text"] == "rock\nrock"
    settles(lambda: one.get("/premoves", 1)["text"] == "rock\nrock")
    seat = one.get()["acting"][0]
    assert one.post(seat, f"challenge {1 - seat}").status_code == 200
    settles(lambda: other.get("/premoves", 1)["text"] == one.get("/premoves", 1)["text"] == "rock")
    assert one.get("/view", 1)["receipt"]["actions"] == ["throw rock"]


def test_a_request_repeated_at_the_other_server_counts_once(clients):
    """Also in flight at both, where only the database knows which came first."""
    hosts = [Host(clients[0])]
    hosts.append(SimpleNamespace(id=hosts[0].id, token=hosts[0].token, client=clients[1]))

    def post(server, key, text):
        return Host.do(hosts[server], "posted", key=key, text=text)

    hosts[1].ask = lambda *args, **order: Host.ask(hosts[1], *args, **order)
    assert [post(server, "1", "Hello!").status_code for server in (0, 1, 0)] == [200, 200, 200]
    assert post(1, "1", "Goodbye!").status_code == 409
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: post(n % 2, "2", "At once").status_code, range(8)))
    assert answers == [200] * 8
    assert sorted(one["text"] for one in hosts[0].get()["posts"]) == ["At once", "Hello!"]


def test_a_visitor_is_known_to_both(pair):
    with httpx.Client(timeout=30) as browser:
        form = browser.get(f"{pair[0].url}/games/ponzi-scheme/new")
        token = re.search(r'name="csrf" value="([^"]+)"', form.text)[1]
        fields = {"csrf": token, "game": "ponzi-scheme", "seats": "3", "seat-0": "me", "me": "Ana", "title": "Both"}
        # Cookies do not know ports: the browser shows both servers the same one.
        made = browser.post(f"{pair[1].url}/tables", data=fields)
        assert made.status_code == 303
        page = browser.get(f"{pair[0].url}{made.headers['location']}").text
        assert "Ana" in page
        assert "Both" in browser.get(f"{pair[0].url}/").text
        assert "Both" in browser.get(f"{pair[1].url}/").text


def test_bots_move_once_whichever_server_has_their_table(clients):
    tables = [
        Player(clients[0], ["policy", "random", "policy"], options={"round_limit": 4}, title=f"T{n}") for n in range(3)
    ]
    others = [elsewhere(table, clients[1]) for table in tables]
    end = time.monotonic() + 60
    while not all(table.get()["over"] for table in others):
        assert time.monotonic() < end
        time.sleep(0.02)
    for table, other in zip(tables, others, strict=True):
        settles(lambda table=table: table.get()["over"])
        assert table.get("/record") == other.get("/record")


@pytest.mark.slow
@pytest.mark.postgres
def test_when_a_server_dies_the_other_moves_its_bots(tmp_path):
    url = DATABASES.new_in_postgresql()
    with (
        ServerProcess(tmp_path / "a", database_url=url, bot_pause=1) as a,
        ServerProcess(tmp_path / "b", database_url=url) as b,
        a.client() as first,
        b.client() as second,
    ):
        table = Player(first, ["policy", "random", "policy"], options=LAST)
        other = elsewhere(table, second)
        with other.stream() as stream:
            stream.next()
            a.kill()
            while not stream.next()["over"]:
                pass
        assert other.get("/record")["actions"]


def test_a_season_and_a_tournament_are_the_same_at_both_servers(clients):
    """Each server keeps what it has read; what the other one writes is seen at once, and refused where it is late."""
    here, there = (Host(clients[0]), object.__new__(Host))
    there.__dict__.update(here.__dict__, client=clients[1])
    for number, host in enumerate((here, there) * 3):
        log = host.done("cast-added", name=f"Robot {number}", bot="random")["log"]
        other = there if host is here else here
        settles(lambda other=other, log=log: other.get()["log"] == log)
    assert there.do("cast-added", name="Robot 0").status_code == 409
    here.step("open", game="pyramis", duel="pyramis")
    settles(lambda: there.get()["step"] == "result")
    assert there.ask("POST", "/step", step="open").status_code == 409
    for client in clients:
        client.cookies.clear()
    cup = Cup(clients[0], format="swiss", rounds=2)
    clients[1].cookies.update(clients[0].cookies)
    clients[1].headers["x-csrf"] = clients[0].headers["x-csrf"]
    other = object.__new__(Cup)
    other.client, other.id = clients[1], cup.id
    for number in range(4):
        settles(lambda number=number: len(other.get()["players"]) == number)
        (cup, other)[number % 2].done("entries", event={"kind": "joined", "name": f"Robot {number}", "bot": "random"})
        settles(lambda number=number: len(cup.get()["players"]) == number + 1)
    other.done("begin")
    settles(lambda: cup.get()["step"] == "over")
    settles(lambda: other.get()["results"] == cup.get()["results"])
    tables = [table["table"] for one in cup.get()["results"] for table in one["tables"]]
    assert len(set(tables)) == 4


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOTH)
def test_a_result_that_the_server_which_died_has_not_taken_is_taken_by_the_other_one(tmp_path, kind):
    """The last move is stored, and neither that the match is over nor its result; nobody looks at a page."""
    DATABASES.kind = kind
    url = DATABASES.url_at(tmp_path)
    DATABASES.kind = "sqlite"
    shared = {"database_url": url, "lease": 1, "secret_key": "k" * 40}
    store = Store(url)

    def taken(log):
        with store.engine.connect() as database:
            return database.scalar(sa.select(sa.func.count()).where(log.c.kind == "result-taken"))

    with ServerProcess(tmp_path / "a", **shared) as a, ServerProcess(tmp_path / "b", **shared) as b:
        with a.client() as client:
            host = Host(client)
            host.bots(("Ada", "Blaise", "Clara"))
            host.step("open", game="pyramid-shambo", duel="pyramid-shambo")
            season = host.wait("main-playing")
            cup = Cup(client, format="elimination")
            cup.bots(2)
            cup.done("begin")
            results = cup.wait("over")["results"]
        a.kill()
        store.open()
        with store.engine.begin() as database:
            for log, tables in ((SEASON_LOG, SEASON_TABLES), (TOURNAMENT_LOG, TOURNAMENT_TABLES)):
                undone = database.execute(sa.delete(log).where(log.c.kind == "result-taken"))
                assert undone.rowcount == 1
                database.execute(sa.update(tables).values(settled=False))
            database.execute(sa.update(MATCHES).values(finished=None))
        settles(lambda: taken(SEASON_LOG) == taken(TOURNAMENT_LOG) == 1)
        with b.client() as client:
            host.client = client
            again = host.get()
            assert (again["step"], again["episodes"]) == (season["step"], season["episodes"])
            assert [entry["kind"] for entry in again["log"]].count("result-taken") == 1
            assert client.get(f"/api/tournaments/{cup.id}").json()["results"] == results
    store.close()


def test_a_line_said_at_one_server_is_heard_at_the_other_by_its_readers(clients):
    here = Player(clients[0], chat={"private": "pairs"})
    there = elsewhere(here, clients[1])
    with there.stream(1) as bob, there.stream() as watching:
        assert bob.next() is not None
        assert watching.next() is not None
        for text, to in (("for you", [1]), ("for all", [])):
            said = here.client.post(f"{here.url}/chat", headers=here.headers(0), json={"text": text, "to": to})
            assert said.status_code == 201
        assert bob.next("chat") == watching.next("chat") == {}
    assert [line["text"] for line in there.get("/chat", 1)["lines"]] == ["for you", "for all"]
    assert [line["text"] for line in there.get("/chat")["lines"]] == ["for all"]


def test_what_is_said_in_a_season_at_one_server_is_heard_at_the_other_by_its_readers(request, pair, clients):
    host = Host(clients[0], talk="private")
    people = [Person(SimpleNamespace(address=server.url)) for server in (pair[0], pair[1], pair[1], pair[1])]
    for name in ("Ana", "Bo", "Chi"):
        host.done("cast-added", name=name)
    links = [one["token"] for one in host.ask("GET", "/links").json() if one["who"].startswith("c")]
    for person, link in zip(people, [*links, host.token], strict=True):
        person.say(f"/seasons/{host.id}/join", code=link)
    [table] = host.step("open", game="pyramid-shambo")["episodes"][-1]["tables"]
    at = f"/t/{table['table']}"
    ana, bo, chi, hal = people
    settles(lambda: "season-talk-open" in bo.get(at).text)
    with Listening(bo, f"{at}/stream", {}, {}) as hears, Listening(chi, f"{at}/stream", {}, {}) as other:
        assert hears.next() is not None
        assert other.next() is not None
        ana.say(f"/seasons/{host.id}/say", kind="said", to="c2", text="Together?")
        assert hears.next("talk") == {}
        # With SQLite a server knows only that another one has written something. Else Chi hears what is for everybody.
        ana.say(f"{at}/chat", text="Good luck", seat=str(table["cast"].index("c1")))
        while "event: chat" not in (block := other.raw()):
            assert "event: talk" not in block or request.node.callspec.params["pair"] == "sqlite"
    with Listening(hal, f"{at}/stream", {}, {}) as hears:
        assert hears.next() is not None
        ana.say(f"/seasons/{host.id}/do", kind="confessed", contestant="c1", text="Bo bluffs.", publish="never")
        assert hears.next("talk") == {}
    for person in people:
        person.close()


def test_a_seat_goes_to_another_device_and_back_through_either_server(clients):
    def csrf(client):
        return re.search(r'name="csrf" value="(\w+)"', client.get("/account").text)[1]

    here, there = clients
    here.cookies.clear()
    there.cookies.clear()
    plan = {"game": "pyramis", "seats": "2", "me": "Ada", "seat-0": "me", "seat-1": "open"}
    table = here.post("/tables", data={"csrf": csrf(here), **plan}).headers["location"]
    page = here.post(f"{table}/elsewhere", data={"csrf": csrf(here)}).text
    code = re.search(r'id="code">([a-z0-9-]+)<', page)[1]
    assert there.post(f"{table}/come", data={"csrf": csrf(there), "code": code}).status_code == 303
    assert 'data-seat="' in there.get(table).text
    # An account that signs out everywhere ends what another server is streaming.
    assert here.post("/account/sign-up", data={"csrf": csrf(here), "name": "Ada", "password": "seven pale pebbles"})
    with Listening(there, f"{table}/stream", {}, {}) as stream:
        assert 'data-seat="' in there.get(table).text
        assert here.post("/account/everywhere", data={"csrf": csrf(here)}).status_code == 303
        while stream.raw() is not None:
            pass
    assert 'data-seat="' not in there.get(table).text
    assert 'data-seat="' in here.get(table).text


def test_what_a_host_does_at_one_server_holds_at_the_other(clients):
    one = Player(clients[0], seed=1)
    other = elsewhere(one, clients[1])
    host = {"Authorization": f"Bearer {one.about['host_token']}"}
    with other.stream(1) as stream:
        stream.next()
        for version in range(1, 4):
            one.play("pass")
            assert stream.next()["version"] == version
        assert clients[0].post(f"{one.url}/host", json={"command": "pause"}, headers=host).status_code == 200
        assert [event["name"] for event in stream.next()["events"]] == ["paused"]
        [seat] = other.get()["acting"]
        assert other.post(seat, "pass", 3).json()["error"] == "paused"
        assert clients[1].post(f"{one.url}/host", json={"command": "resume"}, headers=host).status_code == 200
        assert [event["name"] for event in stream.next()["events"]] == ["resumed"]
        back = clients[0].post(f"{one.url}/host", json={"command": "rewind", "step": 1}, headers=host).json()
        news = stream.next()
        assert news["version"] == 1_000_001 == other.get("/view", 1)["version"]
        assert [event["name"] for event in news["events"]] == ["rewound"]
    assert back["version"] == 1_000_001
    # Chosen before, posted where the news has come or not: refused, with the position as it is now.
    stale = other.post(other.get()["acting"][0], "pass", 3).json()
    assert (stale["error"], stale["version"]) == ("stale", 1_000_001)
    other.play("pass")
    settles(lambda: one.get("/view", 0)["version"] == 1_000_002)
    assert one.get("/events", 1) == other.get("/events", 1)
