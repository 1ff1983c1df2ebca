"""Results and people's pages: computed from finished games, with tables and opponents for oneself alone."""

import re
import time

import httpx
import pytest
from tests.web.conftest import serving

QUICK = {"option-turn_limit": "1", "option-tie_limit": "1"}


@pytest.fixture
def visitor(server):
    made = []

    def one(name=None):
        client = httpx.Client(base_url=server.address, timeout=60)
        made.append(client)
        client.csrf = token(client)
        if name is not None:
            answer = client.post(
                "/account/sign-up", data={"csrf": client.csrf, "name": name, "password": "the river is wide today"}
            )
            assert answer.status_code == 303, answer.text
            client.csrf = token(client)
        return client

    yield one
    for client in made:
        client.close()


def token(client):
    return re.search(r'name="csrf" value="([^"]+)"', client.get("/games/pyramid-shambo/new").text)[1]


def start(client, *seats, **fields):
    form = {"csrf": client.csrf, "game": "pyramid-shambo", "seats": str(len(seats)), "start": "now", **QUICK, **fields}
    form |= {f"seat-{number}": kind for number, kind in enumerate(seats)}
    answer = client.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/t/")


def finish(table, *clients):
    """Play the first legal action of whoever is due until the game is over."""
    acted = 0
    while acted < 200:
        before = acted
        if clients[0].get(f"/api/tables/{table}").json()["over"]:
            return
        for client in clients:
            legal = client.get(f"/api/tables/{table}/legal").json()
            if legal["legal"]:
                first = legal["legal"][0]["text"]
                action = "throw paper" if first.startswith("throw") and client is clients[0] else first
                client.post(
                    f"/api/tables/{table}/actions",
                    json={"action": action, "version": legal["version"]},
                    headers={"x-csrf": client.csrf},
                )
                acted += 1
        if acted == before:
            time.sleep(0.02)  # a bot is thinking
    raise AssertionError("The game is not over.")


def test_results_of_people_are_shown_by_game_and_seats_with_opponents_for_oneself_alone(visitor):
    ana, ben = visitor("Ana Lucia"), visitor()
    for _ in range(2):
        table = start(ana, "me", "open", me="Ana")
        assert ben.post(f"/t/{table}/sit", data={"csrf": ben.csrf, "seat": "1", "name": "Ben"}).status_code == 303
        finish(table, ana, ben)
    own = ana.get("/people/me").text
    assert "Pyramid-Sham-Bo" in own
    assert re.search(r"<td>2</td>\s*<td>2</td>\s*<td>\d+ %</td>", own)
    assert "Ben" in own
    assert f"/t/{table}" in own
    other = ben.get("/people/me").text
    assert "Ana Lucia" in other, "an account is called by its own name"
    public = ben.get("/people/Ana%20Lucia").text
    assert re.search(r"<td>2</td>\s*<td>2</td>\s*<td>\d+ %</td>", public)
    assert "Ben" not in public
    assert "/t/" not in public
    wins = [int(re.search(r"<td>(\d+) %</td>", page)[1]) for page in (own, other)]
    assert sum(wins) == 100
    assert ben.get("/people/Nobody%20There").status_code == 404
    assert "No finished games yet" in visitor().get("/people/me").text


def test_the_strongest_bots_beaten_are_named_and_bots_are_no_opponents(visitor, server):
    ana = visitor()
    for _ in range(100):  # a game is one throw; a third of them is won
        table = start(ana, "me", "bot:easy")
        finish(table, ana)
        page = ana.get("/people/me").text
        if "Strongest bots beaten: Easy" in page:
            break
    else:
        raise AssertionError("A bot that chooses at random has won a hundred games in a row.")
    assert "Recent opponents" not in page


def test_results_from_before_they_were_stored_are_read_from_the_records(tmp_path):
    import sqlalchemy as sa

    from pyramidion.web.db.schema import RESULTS

    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as ana:
        ana.csrf = token(ana)
        finish(start(ana, "me", "bot:easy"), ana)
        before = ana.get("/people/me").text
        assert "Pyramid-Sham-Bo" in before
        kept = dict(ana.cookies.items())
        store = server.app.state.store
        with store.engine.connect() as connection, connection.begin():
            connection.execute(sa.delete(RESULTS))
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60, cookies=kept) as ana:
        assert re.findall("<td>.*?</td>", ana.get("/people/me").text) == re.findall("<td>.*?</td>", before)


def test_whoever_resigns_to_a_bot_has_its_result(tmp_path):
    from pyramidion.web.db.store import now

    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as ana:
        ana.csrf = token(ana)
        shift = [0]
        server.app.state.tables._time = lambda: now() + shift[0]
        table = start(ana, "me", "bot:random", clock="60", absent="resign:random")
        with ana.stream("GET", f"/api/tables/{table}/stream") as answer:
            for line in answer.iter_lines():
                if '"over":true' in line.replace(" ", ""):
                    break
                # Whenever something has been told, an hour goes by.
                shift[0] += 3_600_000
        # Results are written in the background.
        for _ in range(1200):
            if re.search(r"<td>2</td>\s*<td>1</td>", ana.get("/people/me").text):
                break
            time.sleep(0.05)
        assert re.search(r"<td>2</td>\s*<td>1</td>", ana.get("/people/me").text)
