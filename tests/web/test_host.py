"""The host and the others, through the API and through pages without a script."""

import re

import httpx
import pytest

from pyramidion.cli import main


def order(table, token, what="host", **body):
    return table.client.post(
        f"{table.url}/{what}", json=body, headers={"Authorization": f"Bearer {token}"} if token else {}
    )


def test_a_program_hosts_its_table_and_nobody_else_does(new_table):
    table = new_table(seed=3, clock=3600)
    host = table.about["host_token"]
    assert host == table.tokens[0]
    assert table.about["host_seat"] == 0
    refused = order(table, table.tokens[1], command="pause")
    assert (refused.status_code, refused.json()["error"]) == (403, "not-the-host")
    assert order(table, None, command="pause").status_code == 403
    for _ in range(5):
        table.play(lambda legal: legal[-1].get("text") or f"{legal[-1]['family']} {legal[-1]['low']}")
    version = table.get("/view", 0)["version"]
    with table.stream(1) as stream:
        stream.next()
        assert order(table, host, command="pause").status_code == 200
        news = stream.next()
        assert news["paused"]["left"] > 3_500_000
        assert [event["name"] for event in news["events"]] == ["paused"]
        seat = table.get()["acting"][0]
        late = table.post(seat, "pass", version)
        assert (late.status_code, late.json()["error"]) == (409, "paused")
        assert table.get("/legal", seat)["legal"] == []
        assert order(table, host, command="resume").status_code == 200
        assert stream.next()["events"][0]["name"] == "resumed"
        assert order(table, host, command="extend", seconds=60).status_code == 200
        assert stream.next()["deadline"] > 0
        back = order(table, host, command="rewind", step=1)
        assert back.json()["version"] > version
        assert stream.next()["version"] >= 1_000_000
    stale = table.post(table.get()["acting"][0], "pass", version)
    assert (stale.status_code, stale.json()["error"]) == (409, "stale")
    assert "was rewound" in stale.json()["detail"]
    assert table.get("/view", 0, version=0)["version"] == 0
    console = table.get("/host", 0)
    assert console["plays"]
    assert console["step"] == 1
    for wrong, status in (
        ({"command": "rewind", "step": 99}, 400),
        ({"command": "extend", "seconds": 1}, 400),
        ({"command": "extend"}, 400),
        ({"command": "replace", "seat": 9}, 404),
        ({"command": "replace", "seat": 1, "bot": "hal"}, 400),
        ({"command": "nothing"}, 422),
        ({"command": "resume"}, 409),
    ):
        assert order(table, host, **wrong).status_code == status, wrong
    events = [event["name"] for event in table.get("/events", 1)["events"]]
    assert events[-4:] == ["paused", "resumed", "extended", "rewound"]
    told = table.client.get(f"{table.url}/transcript", headers=table.headers(1)).text
    assert "The host paused the game." in told
    assert "what Player 2 can see" in told


def test_a_host_who_only_watches_sees_who_is_missing_and_not_what(new_table):
    table = new_table(["open"] * 3)
    host = table.about["host_token"]
    # Nobody took a seat with this token, and it is not one of theirs: it may read, as anybody may.
    answer = table.client.get(table.url, headers={"Authorization": f"Bearer {host}"})
    assert answer.json()["seat"] is None
    console = table.client.get(f"{table.url}/host", headers={"Authorization": f"Bearer {host}"}).json()
    assert not console["plays"]
    assert [one["state"] for one in console["seats"]].count("due") == 1
    sat = table.client.post(f"{table.url}/seats/0", json={"name": "Eve"}).json()["token"]
    assert order(table, sat, command="pause").status_code == 403
    assert order(table, host, command="hand-over", seat=0).status_code == 200
    assert order(table, sat, command="pause").status_code == 200
    assert order(table, host, command="resume").status_code in (401, 403)


def test_a_hosts_cookie_needs_the_token_of_our_own_pages_for_every_change(browser_of):
    ada = browser_of()
    token = csrf(ada.get("/games/ponzi-scheme/new"))
    form = {"game": "ponzi-scheme", "seats": "3", "seat-0": "open", "seat-1": "bot:policy", "seat-2": "bot:policy"}
    api = "/api" + ada.post("/tables", data={**form, "csrf": token, "start": "now"}).url.path.replace("/t/", "/tables/")
    changes = (
        ("POST", "/host", {"command": "pause"}),
        ("POST", "/proposals", {"do": "resume"}),
        ("PUT", "/webhook", {"webhook": ""}),
    )
    for method, what, body in changes:
        forged = ada.request(method, f"{api}{what}", json=body)
        assert (forged.status_code, forged.json()["error"]) == (403, "forged"), what
        assert ada.request(method, f"{api}{what}", json=body, headers={"X-CSRF": token}).status_code == 200, what


def test_a_host_by_cookie_who_may_play_by_a_token_is_shown_what_a_player_is(browser_of):
    ada = browser_of()
    token = csrf(ada.get("/games/ponzi-scheme/new"))
    form = {"game": "ponzi-scheme", "seats": "3", "seat-0": "open", "seat-1": "bot:policy", "seat-2": "bot:policy"}
    path = ada.post("/tables", data={**form, "csrf": token, "start": "now"}).url.path
    assert "You are not playing, so you can see who has not submitted" in ada.get(f"{path}/host").text
    ada.post(f"/api/tables/{path.removeprefix('/t/')}/seats/0", json={"name": "Somebody"})
    assert "You are playing, so you see only what your seat sees." in ada.get(f"{path}/host").text


@pytest.fixture
def browser_of(server):
    clients = []

    def make():
        clients.append(httpx.Client(base_url=server.address, timeout=60, follow_redirects=True))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def test_a_host_who_only_watches_agrees_where_there_is_nobody_else(browser_of):
    ada, ben = browser_of(), browser_of()
    form = {"game": "ponzi-scheme", "seats": "3", "seat-0": "open", "seat-1": "bot:policy", "seat-2": "bot:policy"}
    token = csrf(ada.get("/games/ponzi-scheme/new"))
    path = ada.post("/tables", data={**form, "csrf": token, "start": "now"}).url.path
    bens = csrf(ben.get(path))
    ben.post(f"{path}/sit", data={"csrf": bens, "seat": "0", "name": "Ben"})
    ben.post(f"{path}/proposals", data={"csrf": bens, "proposal": "propose:pause"})
    assert "the host" in ben.get(path).text
    assert 'value="agree:pause"' in ada.get(f"{path}/host").text
    assert "Game paused" in ada.post(f"{path}/proposals", data={"csrf": token, "proposal": "agree:pause"}).text


def csrf(page):
    return re.search(r'name="csrf" value="(\w+)"', page.text)[1]


def test_a_host_and_a_player_do_it_all_with_forms(browser_of, server, capsys, monkeypatch):
    ada, ben = browser_of(), browser_of()
    form = {"game": "ponzi-scheme", "seats": "3", "seat-0": "me", "me": "Ada", "seat-1": "open", "seat-2": "bot:policy"}
    token = csrf(ada.get("/games/ponzi-scheme/new"))
    page = ada.post("/tables", data={**form, "csrf": token, "clock": "3600", "absent": "bot:easy"})
    path = page.url.path
    assert "Host controls" in page.text
    assert "a bot (Easy) plays for absent players" in page.text
    bens = csrf(ben.get(path))
    page = ben.post(f"{path}/sit", data={"csrf": bens, "seat": "1", "name": "Ben"})
    assert "Host controls" not in page.text
    assert ben.get(f"{path}/host").status_code == 403
    assert ben.post(f"{path}/host", data={"csrf": bens, "command": "pause"}).status_code == 403
    assert ada.post(f"{path}/host", data={"command": "pause"}).status_code == 403
    page = ada.post(f"{path}/host", data={"csrf": token, "command": "pause"})
    assert "Game paused" in page.text
    assert "Game paused" in ben.get(path).text
    assert ben.post(f"{path}/proposals", data={"csrf": bens, "proposal": "resume:"}).status_code == 403
    assert "The host resumed the game" in ada.post(f"{path}/host", data={"csrf": token, "command": "resume"}).text
    page = ben.post(f"{path}/proposals", data={"csrf": bens, "proposal": "propose:pause"})
    assert "You propose a pause." in page.text
    page = ada.post(f"{path}/proposals", data={"csrf": token, "proposal": "agree:pause"})
    assert "Everyone agreed to pause." in page.text
    assert "Game paused" in page.text
    assert "You resumed the game." in ben.post(f"{path}/proposals", data={"csrf": bens, "proposal": "resume:"}).text
    unsure = ada.post(f"{path}/host", data={"csrf": token, "command": "close"})
    assert unsure.status_code == 400
    assert "Tick the box to confirm" in unsure.text
    page = ada.post(f"{path}/host", data={"csrf": token, "command": "replace", "seat": "1", "bot": "", "sure": "yes"})
    code = re.search(rf"{path}/come#(\w{{16}})", page.text)[1]
    assert 'name="seat" value="1"' not in ben.get(path).text
    assert ben.post(f"{path}/sit", data={"csrf": bens, "seat": "1", "name": "Benny"}).status_code == 409
    cy = browser_of()
    come = cy.get(f"{path}/come")
    page = cy.post(f"{path}/come", data={"csrf": csrf(come), "code": code, "name": "Cy"})
    assert "The host removed Ben" in page.text
    assert "Cy" in page.text
    console = ada.get(f"{path}/host")
    assert "Player status" in console.text
    told = ada.get(f"{path}/transcript.md")
    assert told.headers["content-type"].startswith("text/markdown")
    assert "The host removed Ben" in told.text
    assert "Ben proposes a pause" in told.text
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(server.app.server.settings.data_dir))
    assert main(["export", path.removeprefix("/t/"), "--transcript"]) == 0
    assert "public information only" in capsys.readouterr().out
