"""Results and people's pages: computed from finished games, with tables and opponents for oneself alone."""

import re
from contextlib import closing

import httpx
import pytest
from tests.web.accounts import Person, finish
from tests.web.conftest import serving
from tests.web.polling import wait_until


@pytest.fixture
def visitor(server):
    made = []

    def one(name=None):
        made.append(Person(server, name))
        return made[-1]

    yield one
    for person in made:
        person.close()


def test_results_of_people_are_shown_by_game_and_seats_with_opponents_for_oneself_alone(visitor):
    ana, ben = visitor("Ana Lucia"), visitor()
    for _ in range(2):
        table = ana.start("me", "open", me="Ana")
        ben.say(f"/t/{table}/sit", seat="1", name="Ben")
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
        table = ana.start("me", "bot:easy")
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

    with serving(tmp_path) as server, closing(Person(server)) as ana:
        finish(ana.start("me", "bot:easy"), ana)
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

    with serving(tmp_path) as server, closing(Person(server)) as ana:
        shift = [0]
        server.app.state.tables._time = lambda: now() + shift[0]
        table = ana.start("me", "bot:random", clock="60", absent="resign:random")
        with ana.stream("GET", f"/api/tables/{table}/stream") as answer:
            for line in answer.iter_lines():
                if '"over":true' in line.replace(" ", ""):
                    break
                # Whenever something has been told, an hour goes by.
                shift[0] += 3_600_000
        # Results are written in the background.
        wait_until(lambda: re.search(r"<td>2</td>\s*<td>1</td>", ana.get("/people/me").text))
