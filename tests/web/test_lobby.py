"""How people find a table: private and open ones, codes, the lobby; and how one comes back from another device."""

import re

import httpx
import pytest
from tests.web.conftest import Player, serving

from pyramidion.web.db.writer import Writer
from pyramidion.web.table.seats.invitations import CODE_ALPHABET, CODE_LENGTH


@pytest.fixture
def browser(server):
    """Browsers that have opened a form: `browser()` has `csrf`."""
    made = []

    def make():
        client = httpx.Client(base_url=server.address, timeout=60)
        client.csrf = re.search(r'name="csrf" value="(\w+)"', client.get("/games/pyramis/new").text)[1]
        made.append(client)
        return client

    yield make
    for one in made:
        one.close()


def start(client, **form):
    plan = {"csrf": client.csrf, "game": "pyramis", "seats": "3", "me": "Ada", "seat-0": "me", "seat-1": "bot:random"}
    answer = client.post("/tables", data={**plan, "seat-2": "open", **form})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/t/")


def seat(client, table, **headers):
    return client.get(f"/api/tables/{table}", headers=headers).json()["seat"]


def test_only_open_tables_with_an_open_seat_are_in_the_lobby(browser):
    host, guest = browser(), browser()
    private = start(host)
    shown = start(host, listed="open", title="Come in <b>", clock="86400")
    full = start(host, listed="open", **{"seat-2": "bot:random"})
    listed = {one["id"]: one for one in guest.get("/api/lobby").json()}
    assert shown in listed
    assert not {private, full} & set(listed)
    one = listed[shown]
    assert (one["seats"], one["taken"], one["bots"], one["people"]) == (3, 2, 1, ["Ada"])
    page = guest.get("/lobby").text
    assert f'href="/t/{shown}"' in page
    assert "Come in &lt;b&gt;" in page
    assert "1 day per decision" in page
    home = guest.get("/").text
    assert private not in page + home
    assert guest.get("/lobby/tables").text in page
    assert f'href="/t/{shown}"' in guest.get("/games/pyramis").text
    assert shown not in guest.get("/games/ponzi-scheme").text
    guest.post(f"/t/{shown}/sit", data={"csrf": guest.csrf, "seat": "2", "name": "Bo"})
    assert f"open-{shown}" not in guest.get("/lobby").text
    assert f"open-{shown}" not in guest.get("/games/pyramis").text


def test_public_games_that_are_being_played_can_be_watched(browser):
    host, guest = browser(), browser()
    private = start(host, **{"seat-2": "bot:random"})
    waiting = start(host, listed="open")
    live = start(host, listed="open", title="Come and see", **{"seat-2": "bot:random"})
    for path in ("/", "/lobby", "/games/pyramis"):
        page = guest.get(path).text
        assert re.findall(r'id="live-(\w+)"', page)[0] == live, path
        assert f'href="/t/{live}" aria-label="Watch Come and see">Watch</a>' in page
        assert f"live-{waiting}" not in page
        assert private not in page
    assert "live-" not in guest.get("/games/ponzi-scheme").text


def test_a_code_leads_to_a_table_until_it_is_full(browser):
    host, guest = browser(), browser()
    table = start(host)
    known = guest.get(f"/api/tables/{table}/invitation").json()
    code = known["code"]
    assert known == {"code": code, "listed": False}
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(CODE_ALPHABET)
    page = host.get(f"/t/{table}").text
    assert code in page
    assert "Private: join by link or code." in page
    for typed in (code, code.lower(), f" {code[:3]}-{code[3:]} "):
        assert guest.get("/join", params={"code": typed}).headers["location"] == f"/t/{table}"
    assert guest.get(f"/api/join/{code}").json()["id"] == table
    for wrong in ("", "x", "AAAAAA", code[:-1], code + "A", "%", "é" * 9):
        answer = guest.get("/join", params={"code": wrong})
        assert answer.status_code == 404
        assert "No table with an open seat has this code" in answer.text
    guest.post(f"/t/{table}/sit", data={"csrf": guest.csrf, "seat": "2", "name": "Bo"})
    assert guest.get(f"/api/join/{code}").json()["error"] == "unknown-code"
    assert code not in host.get(f"/t/{table}").text
    assert guest.get(f"/api/tables/{table}/invitation").json()["code"] is None


def test_codes_cannot_be_tried_for_long(tmp_path):
    few = {"limit_loopback": True, "attempts_per_minute": 5}
    with serving(tmp_path, **few) as server, httpx.Client(base_url=server.address) as client:
        answers = [client.get(f"/api/join/AAAAA{letter}").status_code for letter in "BCDEFGH"]
        assert answers == [404] * 5 + [429] * 2
        assert client.get("/join", params={"code": "AAAAAZ"}).headers["retry-after"]


def test_a_seat_goes_along_to_another_device_with_its_code(browser):
    laptop, phone, thief = browser(), browser(), browser()
    table = start(laptop)
    page = laptop.post(f"/t/{table}/elsewhere", data={"csrf": laptop.csrf}).text
    code = re.search(r'id="code">([a-z0-9-]+)<', page)[1]
    assert f"/t/{table}/come#{code.replace('-', '')}" in page
    assert seat(phone, table, Authorization=f"Bearer {code}") == 0
    wrong = thief.post(
        f"/t/{table}/come", data={"csrf": thief.csrf, "code": code[:-1] + ("y" if code.endswith("z") else "z")}
    )
    assert "not valid" in wrong.text
    assert phone.post(f"/t/{table}/come", data={"csrf": phone.csrf, "code": f" {code.upper()} "}).status_code == 303
    assert (seat(laptop, table), seat(phone, table), seat(thief, table)) == (0, 0, None)
    assert table in phone.get("/").text
    # A newer code ends the older one, and not those who have come with it.
    page = phone.post(f"/t/{table}/elsewhere", data={"csrf": phone.csrf}).text
    newer = re.search(r'id="code">([a-z0-9-]+)<', page)[1]
    assert thief.post(f"/t/{table}/come", data={"csrf": thief.csrf, "code": code}).status_code == 401
    thief.post(f"/t/{table}/come", data={"csrf": thief.csrf, "code": newer})
    assert (seat(laptop, table), seat(phone, table), seat(thief, table)) == (0, 0, 0)
    assert laptop.post(f"/t/{table}/only-here", data={"csrf": laptop.csrf}).status_code == 303
    assert (seat(laptop, table), seat(phone, table), seat(thief, table)) == (0, None, None)
    assert thief.post(f"/t/{table}/come", data={"csrf": thief.csrf, "code": newer}).status_code == 401
    assert thief.post(f"/t/{table}/elsewhere", data={"csrf": thief.csrf}).status_code == 403


def test_the_token_of_a_programs_seat_opens_it_in_a_browser(browser, client):
    table = Player(client, ("me", "random", "random"), "pyramis")
    one = browser()
    assert one.post(f"/t/{table.id}/come", data={"csrf": one.csrf, "code": table.tokens[0]}).status_code == 303
    assert seat(one, table.id) == 0
    fresh = client.post(f"{table.url}/token", headers=table.headers(0)).json()
    assert fresh["seat"] == 0
    # The token that the table was started with is its host's still, and holds no seat any more.
    assert client.get(table.url, headers=table.headers(0)).json().get("seat") is None
    assert seat(client, table.id, Authorization=f"Bearer {fresh['token']}") == 0
    assert client.post(f"{table.url}/token").status_code == 403
    assert one.post(f"{table.url}/token").json()["error"] == "forged"


def test_a_code_that_could_not_be_saved_is_not_shown(browser, monkeypatch):
    from pyramidion.web.db.writer import WriteFailed

    one = browser()
    table = start(one)

    async def fails(*_):
        raise WriteFailed("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "write", fails)
        answer = one.post(f"/t/{table}/elsewhere", data={"csrf": one.csrf})
    assert answer.status_code == 503
    assert "could not be changed" in answer.text
    assert seat(one, table) == 0
