"""Results and people's pages: computed from finished games, with tables and opponents for oneself alone."""

import re
from contextlib import closing

import httpx
import pytest
from tests.web.conftest import serving
from tests.web.helpers.accounts import Person, finish
from tests.web.helpers.polling import wait_until
from tests.web.helpers.seasons import Host


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


NONE = "No finished games yet"


def ended(visitor, host, person):
    """Let a person play the final of a season of two against a bot, up to its end."""
    host.done("cast-added", name="Robin", bot="random")
    host.done("cast-added", name="Bea")
    [code] = [one["token"] for one in host.ask("GET", "/links").json() if one["name"] == "Bea"]
    person.say(f"/seasons/{host.id}/join", code=code)
    host.step("open", duel="pyramid-shambo")
    [table] = host.get()["episodes"][0]["tables"]
    finish(table["table"], person)
    return host.wait("duel-playing")


def test_a_result_of_a_season_is_public_only_once_everybody_may_know_it(visitor, server):
    ana, stranger = visitor("Bea Sol"), visitor()
    with httpx.Client(base_url=server.address, timeout=60) as client:
        host = Host(client, audience="episode")

        def public():
            return NONE not in stranger.get("/people/Bea%20Sol").text

        def told(**settings):
            host.done("settings", title="Code Red", **settings)
            return public()

        season = ended(visitor, host, ana)
        table = season["episodes"][0]["tables"][0]["table"]
        wait_until(lambda: NONE not in ana.get("/people/me").text)
        assert not public()
        assert told(audience="live")
        assert not told(audience="live", delay=1)
        assert told(audience="phase") == (season["step"] == "elimination"), "A tie is not over."
        assert not told(audience="episode")
        if season["step"] == "duel-result":
            host.done("duel-entered", loser="c1")
        host.step("elimination")
        assert public()
        assert not told(audience="none")
        assert NONE not in ana.get("/people/me").text, "Players know their own results."
        # Nothing else tells of it: the table is not rated, and no list of tables has it.
        told_of = client.get(f"/api/tables/{table}").json()
        assert not told_of["rated"]
        assert not told_of["listed"]
        for path in ("/lobby", "/api/lobby", "/leaderboard/pyramid-shambo", "/games/pyramid-shambo", "/"):
            assert "Code Red" not in stranger.get(path).text
            assert "Bea Sol" not in stranger.get(path).text
        page = stranger.get(f"/t/{table}").text
        preview = re.findall(r'<meta (?:property="og|name="(?:twitter|description))[^>]*>', page)
        assert not any(word in one for one in preview for word in ("won", "Bea", "Robin"))


def test_a_result_of_a_season_of_a_private_club_is_never_public(visitor, server):
    ana, owner = visitor("Cleo Rey"), visitor("Olga")
    club = owner.api("POST", "/api/clubs", name="The river", member="Olga", door="private").json()["id"]
    season = owner.say("/seasons", title="Code Red", host="Olga", club=club).split("/")[2]

    class Owner(Host):
        """The host, with the cookie of an account."""

        def __init__(self):
            self.client, self.id, self.token = owner, season, None

        def ask(self, method, path="", token=None, **json):
            return owner.api(method, f"/api/seasons/{season}{path}", **json)

    host = Owner()
    host.done("settings", title="Code Red", audience="live")
    ended(visitor, host, ana)
    wait_until(lambda: NONE not in ana.get("/people/me").text)
    assert NONE in owner.get("/people/Cleo%20Rey").text


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
        store = server.app.server.store
        with store.engine.connect() as connection, connection.begin():
            connection.execute(sa.delete(RESULTS))
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60, cookies=kept) as ana:
        assert re.findall("<td>.*?</td>", ana.get("/people/me").text) == re.findall("<td>.*?</td>", before)


def test_whoever_resigns_to_a_bot_has_its_result(tmp_path):
    from pyramidion.web.db.store import now

    with serving(tmp_path) as server, closing(Person(server)) as ana:
        shift = [0]
        server.app.server.tables._time = lambda: now() + shift[0]
        table = ana.start("me", "bot:random", clock="60", absent="resign:random")
        with ana.stream("GET", f"/api/tables/{table}/stream") as answer:
            for line in answer.iter_lines():
                if '"over":true' in line.replace(" ", ""):
                    break
                # Whenever something has been told, an hour goes by.
                shift[0] += 3_600_000
        # Results are written in the background.
        wait_until(lambda: re.search(r"<td>2</td>\s*<td>1</td>", ana.get("/people/me").text))
