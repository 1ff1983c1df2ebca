"""Tests of waiting rooms, and of seeds that nobody could choose."""

import json
import re
import struct
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.web.conftest import serving

from pyramidion import Match
from pyramidion.engine import registry

ME, OPEN, BOT = {"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}


class Waiting:
    """A table that waits, made by a program."""

    def __init__(self, client, seats=(ME, OPEN, OPEN), start="when-ready", game="ponzi-scheme", **order):
        answer = client.post("/api/tables", json={"game": game, "seats": seats, "start": start, **order})
        assert answer.status_code == 201, answer.text
        self.client, self.about = client, answer.json()
        self.id, self.url = self.about["id"], f"/api/tables/{self.about['id']}"
        self.tokens = {int(seat): token for seat, token in self.about["tokens"].items()}
        self.tokens["host"] = self.about["host_token"]

    def headers(self, who):
        return {"Authorization": f"Bearer {self.tokens[who]}"} if who is not None else {}

    def do(self, method, what, who=None, status=200, **body):
        kwargs = {"json": body} if method not in ("GET", "DELETE") else {}
        answer = self.client.request(method, f"{self.url}{what}", headers=self.headers(who), **kwargs)
        assert answer.status_code == status, answer.text
        return answer.json()

    def room(self, who=None):
        return self.do("GET", "/room", who)

    def sit(self, seat, **more):
        told = self.do("POST", f"/seats/{seat}", **more)
        self.tokens[seat] = told["token"]
        return told


@pytest.fixture
def waiting(client):
    return lambda *args, **order: Waiting(client, *args, **order)


def test_a_table_begins_when_all_have_come_and_are_ready(waiting):
    table = waiting(title="Friday")
    assert (table.about["begun"], table.about["acting"], table.about["version"]) == (False, [], 0)
    assert table.do("GET", "/view", 0, status=409)["error"] == "not-started"
    hashed = table.room()["secret_hash"]
    given = table.sit(1, name="Bo", contribution="tea")["contribution"]
    assert (given["text"], given["source"]) == ("tea", "own")
    table.sit(2, name="Cy")
    room = table.room(1)
    assert ([seat["kind"] for seat in room["seats"]], room["ready"], room["begun"]) == (["person"] * 3, [0], False)
    assert room["contribution"]["text"] == "tea"
    changed = table.do("PUT", "/room/contribution", 1, text="coffee")
    assert changed["commitment"] != given["commitment"]
    for other in (0, 2, "host", None):
        assert "coffee" not in json.dumps([table.room(other), table.do("GET", "")])
    table.do("PUT", "/room/ready", 1, ready=True)
    assert not table.room()["begun"]
    table.do("PUT", "/room/ready", 2, ready=True)
    about = table.do("GET", "")
    assert (about["begun"], about["secret_hash"], about["title"]) == (True, hashed, "Friday")
    assert [one["commitment"] for one in table.do("GET", "/seals")["origin"]["contributions"]][1] == changed[
        "commitment"
    ]
    # What was said before the beginning is said: nothing can be changed any more.
    for method, what, body in (
        ("PUT", "/room/contribution", {"text": "x"}),
        ("PUT", "/room/ready", {"ready": False}),
        ("PATCH", "/room", {"options": {}}),
        ("POST", "/room/start", {}),
        ("DELETE", "/room/seats/0", {}),
    ):
        assert table.do(method, what, "host" if "ready" not in what else 0, status=409, **body)["error"] == "stale"


def test_a_table_that_begins_when_it_is_full_asks_nobody(waiting):
    table = waiting(start="when-full", clock=60)
    table.sit(1)
    assert "deadline" not in table.do("GET", "")
    table.sit(2)
    about = table.do("GET", "")
    assert about["begun"]
    assert 0 < about["deadline"] - about["now"] <= 60_000, "the clock begins with the match"


def test_where_there_is_nobody_to_wait_for_it_begins_at_once(waiting):
    assert waiting([ME, BOT, BOT]).about["begun"]


def test_the_host_changes_options_and_whoever_was_ready_is_asked_again(waiting):
    table = waiting()
    table.sit(1)
    table.do("PUT", "/room/ready", 1, ready=True)
    assert "only the host" in table.do("PATCH", "/room", 1, status=403, options={"advanced": True})["detail"].lower()
    refused = table.do("PATCH", "/room", "host", status=422, options={"round_limit": 0})
    assert "1 to 200" in refused["detail"]
    assert table.room()["ready"] == [0, 1], "what is refused changes nothing"
    room = table.do("PATCH", "/room", "host", options={"advanced": True, "round_limit": 2})
    assert (room["options"], room["ready"]) == ({"advanced": True, "round_limit": 2}, [0])
    table.do("POST", "/room/start", "host", fill="easy")
    assert table.do("GET", "")["options"] == {"advanced": True, "round_limit": 2}


@pytest.mark.usefixtures("outside")
def test_options_with_a_number_for_each_seat_can_be_named_and_taken_out_again(client):
    token = re.search(r'name="csrf" value="([^"]+)"', client.get("/games/silent-auction/new").text)[1]
    form = {"csrf": token, "game": "silent-auction", "seats": "3", "me": "Ana", "start": "when-ready"}
    form["close-early"] = "yes"
    seats = {"seat-0": "me", "seat-1": "open", "seat-2": "bot:random"}
    url = client.post("/tables", data={**form, **seats}).headers["location"]
    numbers = {f"option-handicap-{seat}": str(seat) for seat in range(3)}
    room = f"/api/tables/{url.rsplit('/', 1)[1]}/room"
    for given, kept, changes in ((numbers, [0, 1, 2], 1), (numbers, [0, 1, 2], 1), ({}, [], 2)):
        assert client.post(f"{url}/room/options", data={"csrf": token, **given}).status_code == 303
        told = client.get(room).json()
        assert (told["options"]["handicap"], told["changes"]) == (kept, changes)


@pytest.mark.parametrize("fill", ["random", "remove"])
def test_the_host_begins_with_bots_on_the_open_seats_or_without_them(waiting, fill):
    table = waiting([OPEN, ME, OPEN, BOT], game="pyramid-shambo", options={"turn_limit": 1})
    token = table.sit(2, name="Bo", contribution="tea")["token"]
    assert table.do("POST", "/room/start", 2, status=403, fill=fill)["error"] == "not-the-host"
    assert "seats are empty" in table.do("POST", "/room/start", "host", status=422)["detail"]
    assert "Unknown bot clever" in table.do("POST", "/room/start", "host", status=422, fill="clever")["detail"]
    table.do("POST", "/room/start", "host", fill=fill)
    about = table.do("GET", "", 2)
    if fill == "remove":
        assert [seat["kind"] for seat in about["seats"]] == ["person", "person", "bot"]
        assert (about["seats"][1]["name"], about["seat"]) == ("Bo", 1), "seats move up with whoever holds them"
        [own] = [one for one in table.do("GET", "/seals", 2)["origin"]["contributions"] if "text" in one]
        assert (own["seat"], own["text"]) == (1, "tea")
    else:
        assert [seat["kind"] for seat in about["seats"]] == ["bot", "person", "person", "bot"]
    assert token == table.tokens[2]


def test_master_becomes_expert_where_removed_seats_make_it_play_like_it(waiting):
    table = waiting([ME, {"kind": "bot", "bot": "master"}, OPEN], game="pyramid-scheme")
    assert table.do("GET", "", "host")["seats"][1]["bot"] == "master"
    table.do("POST", "/room/start", "host", fill="remove")
    assert [seat["bot"] for seat in table.do("GET", "", "host")["seats"]] == [None, "expert"]


def test_seats_can_be_left_and_freed_and_not_removed_where_the_game_needs_them(waiting):
    table = waiting()
    assert "3 to 5 seats" in table.do("POST", "/room/start", "host", status=422, fill="remove")["detail"]
    table.sit(1, name="Bo", contribution="tea")
    table.sit(2, name="Cy")
    table.do("DELETE", "/room/seats/1", 2, status=404)
    room = table.do("DELETE", "/room/seats/1", 1)
    assert (room["seats"][1]["kind"], room["seat"]) == ("open", None)
    assert table.do("GET", "/room", 1, status=401)["error"] == "unknown-token"
    room = table.do("DELETE", "/room/seats/2", "host")
    assert [seat["kind"] for seat in room["seats"]] == ["person", "open", "open"]
    assert "tea" not in json.dumps([table.room(who) for who in (0, "host", None)])


def test_a_chosen_seed_is_shown_as_chosen_and_takes_no_contribution(waiting):
    table = waiting(seed="mine")
    assert (table.room()["seeded"], table.room()["secret_hash"]) == (True, None)
    assert table.sit(1)["contribution"] is None
    assert "was set by hand" in table.do("PUT", "/room/contribution", 1, status=400, text="x")["detail"]
    table.do("POST", "/room/start", "host", fill="policy")
    assert table.do("GET", "")["seeded"]


def test_two_who_sit_down_at_once_are_two_and_a_room_survives_a_restart(tmp_path):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        table = Waiting(client, [ME, *[OPEN] * 9], game="pyramid-shambo", options={"turn_limit": 1})
        with ThreadPoolExecutor(9) as many:
            told = list(many.map(lambda seat: table.sit(seat, contribution=f"part {seat}"), range(1, 10)))
        assert [one["contribution"]["text"] for one in told] == [f"part {seat}" for seat in range(1, 10)]
        again = client.post(f"{table.url}/seats/4", json={})
        assert (again.status_code, again.json()["error"]) == (409, "seat-taken")
        before = table.room(3)
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as table.client:
        assert table.room(3) | {"url": before["url"]} == before
        with ThreadPoolExecutor(9) as many:
            list(many.map(lambda seat: table.do("PUT", "/room/ready", seat, ready=True), range(1, 10)))
        while not (about := table.do("GET", ""))["over"]:
            asked = [(seat, table.do("GET", "/legal", seat)) for seat in about["acting"]]
            seat, legal = next((seat, legal) for seat, legal in asked if legal["legal"])
            table.do("POST", "/actions", seat, action=legal["legal"][0]["id"], version=legal["version"])
        record = table.do("GET", "/record")
        assert Match.from_record(record).over
        assert [one[1] for one in record["origin"]["contributions"]][1:] == [f"part {seat}" for seat in range(1, 10)]
        assert record["origin"]["secret_hash"] == before["secret_hash"]


# The page, with forms alone


def _forms(page):
    return re.findall(r'action="/t/[^"]+/room/([a-z]+)"', page)


def test_people_meet_in_a_room_without_any_script(server):
    with (
        httpx.Client(base_url=server.address, timeout=60) as ana,
        httpx.Client(base_url=server.address, timeout=60) as bo,
    ):

        def token(page):
            return re.search(r'name="csrf" value="([^"]+)"', page)[1]

        form = {
            "csrf": token(ana.get("/games/ponzi-scheme/new").text),
            "game": "ponzi-scheme",
            "seats": "3",
            "me": "Ana",
        }
        seats = {"seat-0": "me", "seat-1": "open", "seat-2": "bot:random", "start": "when-ready"}
        url = ana.post("/tables", data={**form, **seats, "contribution": "roses"}).headers["location"]
        mine, theirs = ana.get(url).text, bo.get(url).text
        assert _forms(mine) == ["ready", "leave", "leave", "start", "options", "contribution"] or "options" in _forms(
            mine
        )
        assert _forms(theirs) == ["sit"], "whoever is not the host changes nothing"
        assert ("roses" in mine, "roses" in theirs) == (True, False)
        csrf = {"csrf": token(theirs)}
        assert bo.post(f"{url}/room/start", data={**csrf, "fill": "easy"}).status_code == 403
        assert bo.post(f"{url}/room/sit", data={"seat": "1"}).status_code == 403, "a form of another site"
        refused = bo.post(f"{url}/room/sit", data={**csrf, "seat": "1", "name": "Ana"})
        assert refused.status_code == 409
        assert "The name Ana is already taken" in refused.text
        assert bo.post(f"{url}/room/sit", data={**csrf, "seat": "1", "name": "Bo"}).headers["location"] == url
        page = bo.get(url).text
        assert "picked by the server" in page
        refused = ana.post(f"{url}/room/options", data={"csrf": token(mine), "option-round_limit": "0"})
        assert refused.status_code == 422
        assert "1 to 200" in refused.text
        ana.post(f"{url}/room/options", data={"csrf": token(mine), "option-round_limit": "2", "option-advanced": "yes"})
        assert "not ready" in ana.get(url).text or "ready" in ana.get(url).text
        assert "<dd>2</dd>" in bo.get(url).text
        assert bo.get(f"{url}/room", headers={"accept": "application/json"}).json()["html"]
        bo.post(f"{url}/room/ready", data={**csrf, "ready": "yes"})
        assert bo.get(f"{url}/room", headers={"accept": "application/json"}).json() == {"begun": True}
        board = bo.get(url).text
        assert 'id="fragment"' in board
        assert "of at most 2" in board
        assert ana.post(f"{url}/room/ready", data={"csrf": token(mine), "ready": "no"}).status_code == 303


def test_people_talk_in_a_room_and_keep_what_was_said_when_the_game_begins(waiting):
    table = waiting(seats=(OPEN, ME, OPEN), game="pyramis", chat={"private": "groups"}, host_name="Una")
    table.sit(2, name="Cy")
    table.do("POST", "/chat", 1, status=201, text="hello")
    table.do("POST", "/chat", 2, status=201, text="a word", to=[1])
    refused = table.do("POST", "/chat", None, status=403, text="hm", name="Wat")
    assert refused["detail"].startswith("Only players can chat at this table.")
    lines = {who: [one["text"] for one in table.do("GET", "/chat", who)["lines"]] for who in (None, 1, 2)}
    assert lines == {None: ["hello"], 1: ["hello", "a word"], 2: ["hello", "a word"]}
    page = table.client.get(f"/t/{table.id}").text
    assert "hello" in page
    assert "a word" not in page
    # Whoever takes a seat that was left finds no private lines, and is not taken for whoever has left.
    table.do("POST", "/chat", 2, status=201, text="bye")
    table.do("DELETE", "/room/seats/2", 2)
    table.sit(2, name="Di")
    assert [(one["name"], one["seat"]) for one in table.do("GET", "/chat", 2)["lines"]] == [
        ("Player 2", 1),
        ("Cy", None),
    ]
    # Seats move up when the open ones are removed, and private lines with them.
    table.do("POST", "/chat", 2, status=201, text="again", to=[1])
    table.do("POST", "/room/start", "host", fill="remove")
    one, two = table.tokens[1], table.tokens[2]
    table.tokens |= {0: one, 1: two}
    assert [one["text"] for one in table.do("GET", "/chat", 0)["lines"]] == ["hello", "a word", "bye", "again"]
    assert [one["readers"] for one in table.do("GET", "/chat", 1)["lines"]] == [None, None, [0, 1]]


def test_a_host_who_does_not_play_is_named_writes_and_finds_the_table(server):
    with httpx.Client(base_url=server.address, timeout=60, follow_redirects=True) as una:
        csrf = re.search(r'name="csrf" value="(\w+)"', una.get("/games/upside-down/new").text)[1]
        form = {"game": "upside-down", "seats": "10", "me": "Una", "close-early": "yes", "start": "when-ready"}
        seats = {f"seat-{n}": "open" for n in range(10)}
        page = una.post("/tables", data={**form, **seats, "csrf": csrf})
        told = "Una hosts this table without playing and can see who has saved and confirmed, but not the choices."
        assert told in page.text
        path = page.url.path
        assert f'href="{path}"' in una.get("/").text
        una.post(f"{path}/chat", data={"csrf": csrf, "text": "welcome"})
        with httpx.Client(base_url=server.address, timeout=60, follow_redirects=True) as watching:
            seen = watching.get(path).text
            assert told in seen
            assert "Una (host)" in seen
            assert f'href="{path}"' not in watching.get("/").text
        api = una.get(f"/api{path.replace('/t/', '/tables/')}").json()
        assert (api["host_name"], api["host_watches"], api["host_seat"]) == ("Una", True, None)


@pytest.mark.parametrize(
    ("game", "private"), [("upside-down", "groups"), ("downside-up", "groups"), ("ponzi-scheme", "none")]
)
def test_a_game_says_who_may_talk_in_private_and_the_host_changes_it_before_the_game(waiting, game, private):
    table = waiting(seats=[ME, *[OPEN] * (9 if game != "ponzi-scheme" else 2)], game=game)
    assert table.room()["chat"] == {"private": private, "closes": "never", "watchers": False}
    table.sit(1, name="Bo")
    table.do("PUT", "/room/ready", 1, ready=True)
    assert table.do("PATCH", "/room", 1, status=403, chat={"private": "pairs"})["error"] == "not-the-host"
    room = table.do("PATCH", "/room", 0, chat={"private": "pairs", "closes": "secret"})
    assert room["chat"] == {"private": "pairs", "closes": "secret", "watchers": False}
    assert room["ready"] == [0]
    assert "<dd>Between two players</dd>" in table.client.get(f"/t/{table.id}").text


def test_players_choose_their_colours_while_the_table_waits(waiting, server):
    table = waiting((ME, OPEN, OPEN), game="pyramid-shambo")
    table.sit(1, name="Bo")
    assert table.do("PUT", "/room/colour", 0, colour="green")["seats"][0]["kind"] == "person"
    said = table.do("PUT", "/room/colour", 1, status=400, colour="green")["detail"]
    assert said == "Another player already has that colour."
    assert "colour mauve is not available" in table.do("PUT", "/room/colour", 1, status=400, colour="mauve")["detail"]
    assert table.do("PUT", "/room/colour", None, status=403, colour="red")["error"]
    table.do("PUT", "/room/colour", 1, colour="pink")
    table.do("PUT", "/room/colour", 0, colour="blue")
    table.do("PUT", "/room/colour", 0, colour="green")
    page = table.client.get(f"/t/{table.id}").text
    assert 'id="colours"' not in page  # only those who sit there choose
    table.do("POST", "/room/start", "host", fill="random")
    # Seat 2, whose own colour was chosen by seat 0, has the first that is left.
    assert [seat.colour for seat in server.app.server.tables.cached_tables()[table.id].seats] == [2, 7, 0]
    board = table.client.get(f"/t/{table.id}").text
    assert board.count('class="badge c-c"') >= 1
    assert "badge c-h" in board
    assert "badge c-b" not in board


def test_games_without_colours_have_none_to_choose(waiting):
    table = waiting()
    assert "colour red is not available" in table.do("PUT", "/room/colour", 0, status=400, colour="red")["detail"]


@pytest.mark.parametrize("game", registry.own_ids())
def test_a_link_preview_shows_the_games_picture_and_nothing_of_the_table(waiting, game):
    room = waiting([ME, *[OPEN] * (registry.load(game).usual_seats - 1)], game=game, title="Friday night")
    page = room.client.get(f"/t/{room.id}").text
    shown = dict(re.findall(r'<meta property="(og:image[^"]*)" content="([^"]*)">', page))
    assert shown["og:image"].startswith("http")
    answer = room.client.get(shown["og:image"])
    assert answer.headers["content-type"] == "image/png"
    width, height = struct.unpack(">II", answer.content[16:24])
    assert (str(width), str(height)) == (shown["og:image:width"], shown["og:image:height"])
    assert shown["og:image"].endswith(f"/games/{game}/link.png"), "the same picture for every table"
    assert '<meta name="twitter:card" content="summary_large_image">' in page


FACE = {"colour": 4, "shape": 7, "skin": 2, "hair_colour": 1, "hair": 3, "eyes": 2, "mouth": 1}


def test_players_choose_their_faces_and_are_shown_with_them_everywhere(waiting, server):
    table = waiting((ME, OPEN, OPEN), game="ponzi-scheme")
    table.sit(1, name="Bo")
    table.do("PUT", "/room/face", 0, **FACE)
    drawn = 'class="avatar av-seat-4 skin-2 hair-1"'
    assert drawn in table.client.get(f"/t/{table.id}").text
    # Colour and shape together tell the players apart, whether they were chosen or not.
    said = table.do("PUT", "/room/face", 1, status=400, **(FACE | {"hair": 0}))["detail"]
    assert said.endswith("has that colour and shape.")
    assert table.do("PUT", "/room/face", 1, status=400, **(FACE | {"colour": 2, "shape": 2}))["detail"]
    table.do("PUT", "/room/face", 1, **(FACE | {"shape": 0}))
    table.do("PUT", "/room/face", 1, status=422, **(FACE | {"eyes": 4}))
    table.do("PUT", "/room/face", None, status=403, **FACE)
    table.do("POST", "/room/start", "host", fill="random")
    live = server.app.server.tables.cached_tables()[table.id]
    assert [seat.face for seat in live.seats] == ["4721321", "4021321", None]
    assert table.client.get(f"/t/{table.id}").text.count(drawn) >= 2
    assert server.app.server.tables.rebuild(table.id).seats[0].face == "4721321"


def test_a_face_belongs_to_the_player_and_not_to_the_seat(waiting):
    table = waiting((ME, OPEN, OPEN), game="ponzi-scheme")
    table.sit(1, name="Bo")
    table.do("PUT", "/room/face", 1, **FACE)
    table.do("DELETE", "/room/seats/1", 1)
    table.sit(1, name="Cy")
    assert "av-seat-4 skin-2" not in table.client.get(f"/t/{table.id}").text
