"""Rematches: one click for the same people, bots and options, and one seat for each of them."""

import re
import time

import httpx
import pytest

OPTIONS = {"round_limit": 1}


def csrf(page):
    return re.search(r'name="csrf" value="(\w+)"', page)[1]


@pytest.fixture
def people(server):
    """Make browsers of different people."""
    opened = []

    def browser():
        opened.append(httpx.Client(base_url=server.address, timeout=60, follow_redirects=True))
        return opened[-1]

    yield browser
    for one in opened:
        one.close()


def sat(people, seats=("me", "open", "bot:random")):
    """Start a table in a browser, let others sit down, and play to the end with nothing but passing."""
    order = {"game": "ponzi-scheme", "seats": str(len(seats)), "me": "Nina", "option-round_limit": "1", "start": "now"}
    order |= {f"seat-{number}": kind for number, kind in enumerate(seats)}
    first = people()
    page = first.get("/games/ponzi-scheme/new").text
    shown = first.post("/tables", data={**order, "csrf": csrf(page)})
    table = shown.url.path
    players = [first]
    for number, kind in enumerate(seats):
        if kind == "open":
            other = people()
            token = csrf(other.get(table).text)
            other.post(f"{table}/sit", data={"csrf": token, "seat": str(number), "name": f"Guest {number}"})
            players.append(other)
    return table, players


def finish(table, players):
    """Play the first thing that each page offers until the game is over."""
    acted = 0
    while acted < 200:
        before = acted
        for one in players:
            page = one.get(table).text
            if 'class="play seated seats-3 over"' in page:
                return
            offered = re.findall(r'name="action" value="([^"]+)"', page)
            number = re.search(r'id="amount".*? min="(\d+)"', page)
            version = re.search(r'name="version" form="act" value="(\d+)"', page)[1]
            form = {"csrf": csrf(page), "version": version}
            if number:
                one.post(f"{table}/act", data={**form, "family": "amount", "number-amount": number[1]})
                acted += 1
            elif offered:
                action = "pass" if "pass" in offered else offered[0]
                one.post(f"{table}/act", data={**form, "action": action})
                acted += 1
        if acted == before:
            time.sleep(0.02)  # a bot is thinking
    raise AssertionError("The game did not end.")


def test_a_rematch_has_the_same_people_and_options_and_is_joined_with_one_click(people):
    table, (nina, guest) = sat(people)
    assert "rematch-go" not in nina.get(table).text
    assert nina.post(f"{table}/rematch", data={"csrf": csrf(nina.get(table).text)}).status_code == 409
    finish(table, (nina, guest))
    page = nina.get(table).text
    assert "Rematch</button>" in page

    asked = nina.post(f"{table}/rematch", data={"csrf": csrf(page)})
    assert asked.status_code == 200
    again = asked.url.path
    assert again != table
    waiting = nina.get(f"/api/tables/{again[3:]}/room").json()
    assert waiting["options"]["round_limit"] == 1
    assert [seat["kind"] for seat in waiting["seats"]] == ["person", "open", "bot"]
    assert waiting["seats"][0]["name"] == "Nina"

    # The other is told, and joins; a stranger cannot.
    told = guest.get(table).text
    assert "Nina wants a rematch." in told
    stranger = people()
    assert stranger.post(f"{table}/rematch", data={"csrf": csrf(stranger.get(table).text)}).status_code == 403
    joined = guest.post(f"{table}/rematch", data={"csrf": csrf(told)})
    assert joined.url.path == again, re.sub(r"<[^>]+>", " ", joined.text)[-900:]
    assert "seats-3" in joined.text
    names = [seat["name"] for seat in guest.get(f"/api/tables/{again[3:]}").json()["seats"]]
    assert names[:2] == ["Nina", "Guest 1"]

    # Whoever asks again goes to the same table.
    assert nina.post(f"{table}/rematch", data={"csrf": csrf(nina.get(table).text)}).url.path == again


def test_a_rematch_against_bots_begins_at_once(people):
    table, (nina,) = sat(people, ("me", "bot:random", "bot:random"))
    finish(table, (nina,))
    asked = nina.post(f"{table}/rematch", data={"csrf": csrf(nina.get(table).text)})
    assert 'class="play seated seats-3"' in asked.text
