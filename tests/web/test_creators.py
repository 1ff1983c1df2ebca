"""Whoever creates something is its host, by the API and by pages, with a cookie and with a token."""

import re

import pytest
from tests.web.helpers.bot_accounts import token_in
from tests.web.helpers.databases import BOTH

from pyramidion.client import Client

pytestmark = pytest.mark.server(databases=BOTH)
SEATS = [{"kind": "me", "name": "Ana"}, {"kind": "open"}]
TABLE = {"game": "pyramid-shambo", "seats": SEATS, "options": {"turn_limit": 1}}
CREATED = {
    "/api/seasons": {"title": "Code Red", "host": "Hal"},
    "/api/tournaments": {"title": "Cup", "host": "Hal", "game": "pyramid-shambo", "format": "swiss"},
    "/api/clubs": {"name": "Club", "member": "Hal", "door": "open"},
    "/api/tables": TABLE,
}


def test_every_address_that_creates_something_is_tried(client):
    described = client.get("/api/openapi.json").json()["paths"]
    created = {path for path, one in described.items() if "201" in one.get("post", {}).get("responses", {})}
    others = {"/api/account", "/api/season-templates", "/api/tables/{table_id}/chat"}
    assert created - others == CREATED.keys()


def runs(browser, path, about):
    """Return whether a browser is shown what only the host of something is shown."""
    if path == "/api/seasons":
        return browser.get(f"/seasons/{about['id']}/host", follow_redirects=False).status_code == 200
    if path == "/api/tables":
        return browser.get(f"/api/tables/{about['id']}/host").status_code == 200
    told = browser.get(f"{path}/{about['id']}").json()
    return told["hosting"] if path == "/api/tournaments" else told["role"] == "owner"


@pytest.mark.parametrize("start", ["now", "when-ready"])
@pytest.mark.parametrize("path", CREATED)
def test_the_browser_of_a_cookie_is_the_host(person, path, start):
    ana, ben = person(), person()
    order = CREATED[path] | ({"start": start} if path == "/api/tables" else {})
    answer = ana.api("POST", path, **order)
    assert answer.status_code == 201, answer.text
    about = answer.json()
    if path == "/api/tables" and start == "when-ready":
        page = ana.get(f"/t/{about['id']}").text
        assert 'name="kind"' in page or "room/start" in page
        assert "room/start" not in ben.get(f"/t/{about['id']}").text
        return
    assert runs(ana, path, about)
    assert not runs(ben, path, about)
    if path == "/api/tables":
        assert about["tokens"] == {}
        assert 'data-seat="0"' in ana.get(f"/t/{about['id']}").text


def test_the_account_of_an_api_token_is_the_host_in_its_browser(server, person):
    ana = person("Ana T")
    forms = r'action="/account/bots/token">.*?name="bot" value="(\w+)"'
    own = re.findall(forms, ana.get("/account/bots").text, re.S)[-1]
    token = token_in(ana.form("/account/bots/token", bot=own, scope="events"))
    with Client(server.address, token) as program:
        for path in CREATED.keys() - {"/api/tables"}:
            headers = {"Authorization": f"Bearer {token}"}
            answer = program.post(path, json=CREATED[path], headers=headers)
            assert answer.status_code == 201, answer.text
            assert runs(ana, path, answer.json())


def test_a_season_without_a_cookie_is_hosted_with_the_token_alone(client, person):
    about = client.post("/api/seasons", json=CREATED["/api/seasons"]).json()
    assert client.get(f"/seasons/{about['id']}/host", follow_redirects=False).status_code == 303
    headers = {"Authorization": f"Bearer {about['token']}"}
    assert client.get(f"/api/seasons/{about['id']}", headers=headers).json()["role"] == "host"


def test_a_cookie_without_its_token_makes_a_season_of_its_browser(person):
    ana = person()
    about = ana.post("/api/seasons", json=CREATED["/api/seasons"]).json()
    assert runs(ana, "/api/seasons", about)
    forged = ana.post("/api/seasons", json=CREATED["/api/seasons"], headers={"origin": "https://elsewhere.example"})
    assert forged.status_code == 403
    wrong = ana.post("/api/tables", json=TABLE, headers={"x-csrf": "wrong"})
    assert wrong.status_code == 403


def test_a_program_with_many_seats_is_as_before(person):
    ana = person()
    order = TABLE | {"seats": [{"kind": "me"}, {"kind": "me"}]}
    assert ana.post("/api/tables", json=order).json()["tokens"].keys() == {"0", "1"}


def test_a_browser_takes_its_place_over_the_api(person):
    hal, ana = person(), person()
    about = hal.api("POST", "/api/seasons", **CREATED["/api/seasons"]).json()
    path = f"/api/seasons/{about['id']}"
    hal.api("POST", f"{path}/entries", event={"kind": "cast-added", "name": "Ana"})
    [link] = hal.api("GET", f"{path}/links").json()
    assert ana.api("POST", f"{path}/join", code=link["token"]).status_code == 200
    assert ana.get(path).json()["you"] == "c1"


def test_tables_of_a_season_are_hosted_by_who_takes_the_step(person):
    """Also over the API, where the season's host is known by the season's token."""
    hal = person()
    about = hal.api("POST", "/api/seasons", **CREATED["/api/seasons"]).json()
    path, headers = f"/api/seasons/{about['id']}", {"Authorization": f"Bearer {about['token']}"}
    for name in "ABC":
        event = {"kind": "cast-added", "name": f"Bot {name}", "bot": "random"}
        assert hal.post(f"{path}/entries", json={"event": event}, headers=headers).status_code == 200
    step = {"step": "open", "game": "pyramid-shambo"}
    answer = hal.post(f"{path}/step", json=step, headers=headers)
    assert answer.status_code == 200, answer.text
    [table] = answer.json()["episodes"][-1]["tables"]
    assert hal.get(f"/api/tables/{table['table']}/host").status_code == 200
