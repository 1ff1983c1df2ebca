"""Nobody gets a name that looks like somebody else's, wherever names come in."""

import httpx
import pytest

CYRILLIC = "Аnna"
INVISIBLE = "An\u200bna"


def plan(*names):
    return {"game": "ponzi-scheme", "seats": [{"kind": "me", "name": name} for name in names]}


def test_an_account_is_not_called_what_looks_like_another(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        assert client.post("/api/account", json={"name": "Anna", "password": "seven pale pebbles"}).status_code == 201
    for name in (CYRILLIC, "Ａｎｎａ", "ANNA", "Anna\ufe0f"):
        answer = httpx.post(
            f"{server.address}api/account", json={"name": name, "password": "seven pale pebbles"}, timeout=60
        )
        assert (answer.status_code, answer.json()["error"]) == (409, "name-taken")
    for name in (INVISIBLE, "\u2800"):
        answer = httpx.post(f"{server.address}api/account", json={"name": name, "password": "seven pale pebbles"})
        assert answer.status_code == 400


def test_players_of_a_new_table_do_not_look_the_same(client):
    refused = client.post("/api/tables", json=plan("Anna", CYRILLIC, "Bo"))
    assert refused.status_code == 422
    assert "look the same" in refused.json()["detail"]
    assert client.post("/api/tables", json=plan("Anna", "\u3164", "Bo")).status_code == 400


@pytest.mark.parametrize("start", [{}, {"start": "when-ready"}])
def test_whoever_sits_down_does_not_look_like_another(client, start):
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    url = (
        f"/api/tables/{client.post('/api/tables', json={'game': 'ponzi-scheme', 'seats': seats, **start}).json()['id']}"
    )
    assert client.post(f"{url}/seats/1", json={"name": "Anna"}).status_code == 200
    for name, status in ((CYRILLIC, 409), (INVISIBLE, 400), ("\u2800", 400), ("Anne", 200)):
        answer = client.post(f"{url}/seats/2", json={"name": name})
        assert answer.status_code == status, answer.text


def test_whoever_watches_is_not_called_like_a_player(client):
    made = client.post("/api/tables", json=plan("Anna", "Bo", "Cy") | {"chat": {"watchers": True}}).json()
    names = [seat["name"] for seat in client.get(f"/api/tables/{made['id']}").json()["seats"]]
    answer = client.post(f"/api/tables/{made['id']}/chat", json={"text": "hi", "name": names[0].upper()})
    assert answer.status_code == 400
    assert "already taken" in answer.json()["detail"]
    answer = client.post(f"/api/tables/{made['id']}/chat", json={"text": "hi", "name": "Dora"})
    assert answer.status_code == 201
