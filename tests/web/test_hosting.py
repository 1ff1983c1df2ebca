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
    refused = order(table, table.tokens[1], act="pause")
    assert (refused.status_code, refused.json()["error"]) == (403, "not-the-host")
    assert order(table, None, act="pause").status_code == 403
    for _ in range(5):
        table.play(lambda legal: legal[-1].get("text") or f"{legal[-1]['family']} {legal[-1]['low']}")
    version = table.get("/view", 0)["version"]
    with table.stream(1) as stream:
        stream.next()
        assert order(table, host, act="pause").status_code == 200
        news = stream.next()
        assert news["paused"]["left"] > 3_500_000
        assert [event["name"] for event in news["events"]] == ["paused"]
        seat = table.get()["acting"][0]
        late = table.post(seat, "pass", version)
        assert (late.status_code, late.json()["error"]) == (409, "paused")
        assert table.get("/legal", seat)["legal"] == []
        assert order(table, host, act="resume").status_code == 200
        assert stream.next()["events"][0]["name"] == "resumed"
        assert order(table, host, act="extend", seconds=60).status_code == 200
        assert stream.next()["deadline"] > 0
        back = order(table, host, act="step-back", step=1)
        assert back.json()["version"] > version
        assert stream.next()["version"] >= 1_000_000
    stale = table.post(table.get()["acting"][0], "pass", version)
    assert (stale.status_code, stale.json()["error"]) == (409, "stale")
    assert "gone back" in stale.json()["detail"]
    assert table.get("/view", 0, version=0)["version"] == 0
    console = table.get("/host", 0)
    assert console["plays"]
    assert console["step"] == 1
    for wrong, status in (
        ({"act": "step-back", "step": 99}, 400),
        ({"act": "extend", "seconds": 1}, 400),
        ({"act": "extend"}, 400),
        ({"act": "replace", "seat": 9}, 404),
        ({"act": "replace", "seat": 1, "bot": "hal"}, 400),
        ({"act": "nothing"}, 422),
        ({"act": "resume"}, 409),
    ):
        assert order(table, host, **wrong).status_code == status, wrong
    events = [event["name"] for event in table.get("/events", 1)["events"]]
    assert events[-4:] == ["paused", "resumed", "extended", "stepped-back"]
    told = table.client.get(f"{table.url}/transcript", headers=table.headers(1)).text
    assert "The host has paused the table." in told
    assert "what Player 2 may know" in told


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
    assert order(table, sat, act="pause").status_code == 403
    assert order(table, host, act="hand-over", seat=0).status_code == 200
    assert order(table, sat, act="pause").status_code == 200
    assert order(table, host, act="resume").status_code in (401, 403)


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
    ben.post(f"{path}/ask", data={"csrf": bens, "ask": "ask:pause"})
    assert "the host" in ben.get(path).text
    assert 'value="agree:pause"' in ada.get(f"{path}/host").text
    assert "The table is paused." in ada.post(f"{path}/ask", data={"csrf": token, "ask": "agree:pause"}).text


def csrf(page):
    return re.search(r'name="csrf" value="(\w+)"', page.text)[1]


def test_a_host_and_a_player_do_it_all_with_forms(browser_of, server, capsys, monkeypatch):
    ada, ben = browser_of(), browser_of()
    form = {"game": "ponzi-scheme", "seats": "3", "seat-0": "me", "me": "Ada", "seat-1": "open", "seat-2": "bot:policy"}
    token = csrf(ada.get("/games/ponzi-scheme/new"))
    page = ada.post("/tables", data={**form, "csrf": token, "clock": "3600", "absent": "bot:easy"})
    path = page.url.path
    assert "You are the host of this table" in page.text
    assert "a bot (Easy) plays for the absent" in page.text
    bens = csrf(ben.get(path))
    page = ben.post(f"{path}/sit", data={"csrf": bens, "seat": "1", "name": "Ben"})
    assert "You are the host" not in page.text
    assert ben.get(f"{path}/host").status_code == 403
    assert ben.post(f"{path}/host", data={"csrf": bens, "act": "pause"}).status_code == 403
    assert ada.post(f"{path}/host", data={"act": "pause"}).status_code == 403
    page = ada.post(f"{path}/host", data={"csrf": token, "act": "pause"})
    assert "The table is paused." in page.text
    assert "The table is paused." in ben.get(path).text
    assert ben.post(f"{path}/ask", data={"csrf": bens, "ask": "resume:"}).status_code == 403
    assert "The table goes on" in ada.post(f"{path}/host", data={"csrf": token, "act": "resume"}).text
    page = ben.post(f"{path}/ask", data={"csrf": bens, "ask": "ask:pause"})
    assert "Ben proposes a pause." in page.text
    page = ada.post(f"{path}/ask", data={"csrf": token, "ask": "agree:pause"})
    assert "All have agreed to a pause." in page.text
    assert "The table is paused." in page.text
    assert "Ben has ended the pause." in ben.post(f"{path}/ask", data={"csrf": bens, "ask": "resume:"}).text
    unsure = ada.post(f"{path}/host", data={"csrf": token, "act": "close"})
    assert unsure.status_code == 400
    assert "tick that you are sure" in unsure.text
    page = ada.post(f"{path}/host", data={"csrf": token, "act": "replace", "seat": "1", "bot": "", "sure": "yes"})
    assert "The host has opened the place of Ben" in page.text
    assert 'name="seat" value="1"' in ben.get(path).text
    console = ada.get(f"{path}/host")
    assert "Who is waited for" in console.text
    told = ada.get(f"{path}/transcript.md")
    assert told.headers["content-type"].startswith("text/markdown")
    assert "The host has opened the place of Ben" in told.text
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(server.app.state.settings.data_dir))
    assert main(["export", path.removeprefix("/t/"), "--transcript"]) == 0
    assert "this is what everybody may know" in capsys.readouterr().out
