"""Tournaments over the JSON API: one of each format with instant bots, sign-up with people, corrections."""

import re
import sqlite3
import time

import httpx
import pytest
from tests.web.helpers.notifications import open_site
from tests.web.helpers.processes import ServerProcess
from tests.web.helpers.tournaments import Cup, csrf

from pyramidion.tournaments.events import Joined, Left, PlacesEntered
from pyramidion.tournaments.state import TournamentSettings
from pyramidion.web.competitions import competition
from pyramidion.web.errors import NotPossibleNow
from pyramidion.web.features.tournaments import permissions
from pyramidion.web.http import pagination


@pytest.mark.parametrize(
    ("players", "settings", "rounds"),
    [
        (6, {"format": "elimination"}, 3),
        (5, {"format": "swiss", "rounds": 2}, 2),
        (4, {"format": "robin", "game": "pyramis"}, 3),
        (6, {"format": "robin", "seats": 3, "points": [3, 1]}, 3),
    ],
)
def test_a_tournament_of_bots_plays_itself(client, players, settings, rounds):
    cup = Cup(client, **settings)
    cup.bots(players)
    assert cup.done("begin")["step"] != "signup"
    now = cup.wait("over")
    assert len(now["results"]) == rounds
    assert now["winner"] == now["standings"][0]["player"]
    assert [line["place"] for line in now["standings"]] == list(range(1, players + 1))
    tables = [table for one in now["results"] for table in one["tables"]]
    assert all(table["table"] and table["places"] for table in tables)
    gained = {line["player"]: line["points"] for line in now["standings"]}
    first = settings.get("points", [settings.get("seats", 2) - 1])[0]
    for who, points in gained.items():
        won = sum(table["points"][table["players"].index(who)] for table in tables if who in table["players"])
        assert points == pytest.approx(won + first * sum(who in one["byes"] for one in now["results"]))
    # Each table was opened once, and its match agrees with its result.
    assert len({table["table"] for table in tables}) == len(tables)
    view = client.get(f"/api/tables/{tables[0]['table']}/view").json()
    assert view["over"]


def test_bots_that_fill_a_tournament_get_names_that_nobody_else_can_have(client):
    cup = Cup(client, format="robin", seats=3, bot="random", least=3)
    refused = cup.ask("entries", event={"kind": "joined", "name": "bot 1", "bot": "random"})
    assert refused.status_code == 400
    cup.bots(1)
    cup.done("begin")
    assert [one["name"] for one in cup.get()["players"]] == ["Robot 0", "Bot 1", "Bot 2"]


@pytest.fixture
def guests(server):
    """Two browsers of other people."""
    with httpx.Client(base_url=server.address) as one, httpx.Client(base_url=server.address) as other:
        yield one, other


def test_people_sign_up_wait_and_sit_at_their_tables(client, guests):
    cup = Cup(client, places=2, seats=2, format="swiss", rounds=1)
    nina, felix = guests
    assert cup.done("join", nina, name="Nina")["you"] == "p1"
    assert cup.ask("join", nina, name="Nora").status_code == 409
    cup.bots(1)
    assert cup.done("join", felix, name="Felix")["waiting"] == ["p3"]
    for what, body in (("begin", {}), ("entries", {"event": {"kind": "left", "player": "p1"}})):
        assert cup.ask(what, felix, **body).status_code == 403
    cup.done("entries", event={"kind": "left", "player": "p2"})
    assert cup.get(felix)["waiting"] == []
    cup.done("begin")
    [table] = cup.wait("playing")["results"][0]["tables"]
    assert sorted(table["players"]) == ["p1", "p3"]
    # Both sit at the table that has been opened for them; nobody else can.
    pages = [guest.get(f"/t/{table['table']}").text for guest in guests]
    assert ["data-seat=" in page for page in pages] == [True, True]
    assert "data-seat=" not in httpx.get(f"{client.base_url}/t/{table['table']}").text
    # The host decides a match that is not finished; nobody else does.
    result = {"event": {"kind": "result-entered", "round": 1, "group": 0, "places": [2, 1]}}
    assert cup.ask("entries", nina, **result).status_code == 403
    now = cup.done("entries", **result)
    assert (now["step"], now["winner"]) == ("over", table["players"][1])
    assert cup.get(nina)["standings"][1]["player"] == table["players"][0]


def test_a_tournament_works_without_scripts(client, guests):
    """From the form of a new tournament to its standings, on the pages alone."""
    guest = guests[0]
    csrf(client)
    csrf(guest)

    def post(path, browser=client, **form):
        answer = browser.post(path, data={"csrf": browser.headers["x-csrf"], **form}, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer

    # The games are offered in the order of the home page.
    offered = re.findall(r'<option value="([\w-]+)"', client.get("/tournaments").text)
    home = re.findall(r'href="/games/([\w-]+)/rules"', client.get("/").text)
    assert offered[: len(home)] == home
    assert len(home) >= 6
    wrong = client.post("/tournaments", data={"csrf": client.headers["x-csrf"], "game": "pyramis", "format": "swiss"})
    assert wrong.status_code == 409
    made = post("/tournaments", title="Open <b>", host="Hal", game="pyramis", format="robin", bot="random", by_hand="1")
    path = made.url.path
    assert "Open &lt;b&gt;" in made.text
    assert "Start tournament" not in guest.get(path).text
    assert "You are taking part" in post(f"{path}/join", guest, name="Nina").text
    proposed = re.search(rf'action="{path}/bot".*?name="name"[^>]* value="(\w+)"', client.get(path).text, re.DOTALL)
    assert proposed is not None, "A bot has a name already."
    assert proposed[1] in post(f"{path}/bot", name=proposed[1], bot="random").text
    before = guest.get(f"{path}/now").json()
    post(f"{path}/leave", guest)
    assert guest.get(f"{path}/now").json() != before
    # A bot fills the table, which plays at once.
    post(f"{path}/begin")
    cup = object.__new__(Cup)
    cup.client, cup.id = client, path.rsplit("/", 1)[1]
    cup.wait("over")
    page = guest.get(path).text
    assert "has won the tournament" in page
    assert "Bot 1" in page
    corrected = {"place-0": "1", "place-1": "2"}
    post(f"{path}/result", round="1", table="0", **corrected)
    assert cup.get()["results"][0]["tables"][0]["places"] == [1, 2]


async def test_the_webhook_and_the_players_learn_of_rounds_and_of_the_winner(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        settings = TournamentSettings("Cup", "pyramid-shambo", clock=3600, rounds=1)
        loaded = await tournaments.create(settings, "Hal", "hal")
        await tournaments.join(loaded.id, "ana", "Ana")
        await tournaments.do(loaded.id, "hal", Joined("Robot", "random"))
        for name, url in (("ana", "ana"), ("hal", "hal"), (f"tournament:{loaded.id}", "channel")):
            await site.contacts.keep(name, webhook=f"https://{url}/")
        loaded = await tournaments.begin(loaded.id, "hal")
        assert loaded.state.step == "playing"
        told = await site.pass_(120_000)
        assert ("channel", "Cup: round 1 has begun.") in told
        assert ("ana", "Cup: your match has started.") in told
        group = loaded.state.rounds[0].groups[0]
        places = tuple(1 if who == "p1" else 2 for who in group.players)
        await tournaments.do(loaded.id, "hal", PlacesEntered(1, 0, places))
        won = [who for who, text in await site.pass_(120_000) if text == "Cup: Ana has won."]
        assert sorted(won) == ["ana", "channel", "hal"]


async def test_who_has_withdrawn_is_not_told_how_it_ends(tmp_path):
    """They may not know the tournament any more, such as a removed member of a private club."""
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        made = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo", rounds=1), "Hal", "hal")
        for name in ("ana", "bo", "cy"):
            await tournaments.join(made.id, name, name.title())
            await site.contacts.keep(name, webhook=f"https://{name}/")
        await tournaments.leave(made.id, "cy")
        await tournaments.begin(made.id, "hal")
        loaded = await tournaments.do(made.id, "hal", PlacesEntered(1, 0, (1, 2)))
        assert loaded.state.step == "over"
        won = [who for who, text in await site.pass_(120_000) if text.endswith("has won.")]
        assert sorted(won) == ["ana", "bo"]


async def test_a_tournament_starts_by_itself_in_the_future(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        past, late = "Enter a start date in the future", "between 1970 and October 2096"
        for starts, words in ((0, past), (site.now, past), (5_000_000_000_000, late)):
            with pytest.raises(NotPossibleNow, match=words):
                await tournaments.create(TournamentSettings("Cup", "pyramid-shambo", starts=starts), "Hal", "hal")
        settings = TournamentSettings("Cup", "pyramid-shambo", clock=3600, rounds=1, starts=site.now + 3_600_000)
        one = (await tournaments.create(settings, "Hal", "hal")).id
        await tournaments.join(one, "ana", "Ana")
        await site.pass_(3_600_000)
        await tournaments._catch_up(one)
        assert (await tournaments.get(one)).state.step == "signup", "One player cannot start."
        await tournaments.join(one, "ben", "Ben")
        await tournaments._catch_up(one)
        state = (await tournaments.get(one)).state
        assert state.step == "playing"
        assert len(state.rounds) == 1


async def test_the_draw_follows_the_ratings(tmp_path, monkeypatch):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments

        async def rate(game, players):
            assert game == "pyramis"
            return {one: {"ana": 1600, "ben": 1700, "bot:random": 900, "bot:None": 0}.get(one, 1500) for one in players}

        monkeypatch.setattr(tournaments._player_ratings, "points", rate)
        one = (await tournaments.create(TournamentSettings("Cup", "pyramis", seeding="rating"), "Hal", "hal")).id
        for name in ("Ana", "Ben", "Cal"):
            await tournaments.join(one, name.lower(), name)
        await tournaments.do(one, "hal", Joined("Robot", "random"))
        state = (await tournaments.begin(one, "hal")).state
        assert [state.name(who) for who in state.draw] == ["Ben", "Ana", "Cal", "Robot"]


def test_the_form_has_a_start_a_draw_and_a_sentence_for_a_past_date(client):
    csrf(client)
    form = {"csrf": client.headers["x-csrf"], "title": "Cup", "host": "Hal", "game": "pyramis", "format": "swiss"}
    past = client.post("/tournaments", data={**form, "starts": "2020-01-01T20:00", "zone": "Europe/Paris"})
    assert past.status_code == 409
    assert "Enter a start date in the future." in past.text
    for wrong in ({"starts": "soon"}, {"starts": "2090-01-01T20:00", "zone": "../etc"}, {"seeding": "best"}):
        assert client.post("/tournaments", data={**form, **wrong}).status_code == 409
    made = client.post(
        "/tournaments", data={**form, "starts": "2090-01-01T20:00", "zone": "Europe/Paris", "seeding": "rating"}
    )
    page = client.get(made.headers["location"]).text
    assert "2090-01-01T19:00Z" in page
    assert "seeded by rating" in page


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_tournament_survives_a_kill_at_every_change(tmp_path):
    """The server is killed after every change that it has shown: nothing is lost or done twice."""
    with ServerProcess(tmp_path, lease=1) as process:
        with process.client() as client:
            cup = Cup(client, format="elimination")
            cup.bots(4)
            cookies, header = client.cookies, client.headers["x-csrf"]
            cup.done("begin")
        before = []
        until = time.monotonic() + 800
        while True:
            assert time.monotonic() < until
            with process.client(cookies=cookies, headers={"x-csrf": header}) as client:
                cup.client = client
                now = cup.get()
                while now["step"] != "over" and now["results"] == before:
                    assert time.monotonic() < until
                    time.sleep(0.05)
                    now = cup.get()
            for was, one in zip(before, now["results"], strict=False):
                for table, later in zip(was["tables"], one["tables"], strict=True):
                    assert later["players"] == table["players"]
                    assert later["table"] == (table["table"] or later["table"])
                    assert later["places"] == (table["places"] or later["places"])
            before = now["results"]
            if now["step"] == "over":
                break
            process.kill()
            process.start()
        tables = [table["table"] for one in now["results"] for table in one["tables"]]
        assert len(tables) == len(set(tables)) == 3
        with sqlite3.connect(tmp_path / "pyramidion.sqlite3") as database:
            [[matches]] = database.execute("SELECT count(*) FROM matches")
            kinds = dict(database.execute("SELECT kind, count(*) FROM tournament_log GROUP BY kind"))
        assert matches == 3, "No table has been opened twice."
        assert [kinds[one] for one in ("started", "round-opened", "table-opened", "result-taken")] == [1, 2, 3, 3]


@pytest.mark.slow
def test_a_match_that_ended_just_before_the_server_died_counts(tmp_path):
    """The last action was stored, and neither that the match is over nor its result."""
    with ServerProcess(tmp_path) as process:
        with process.client() as client:
            cup = Cup(client, format="elimination")
            cup.bots(2)
            cup.done("begin")
            result = cup.wait("over")["results"]
            cookies = client.cookies
        process.kill()
        with sqlite3.connect(tmp_path / "pyramidion.sqlite3") as database:
            assert database.execute("DELETE FROM tournament_log WHERE kind = 'result-taken'").rowcount == 1
            database.execute("UPDATE tournament_tables SET settled = 0")
            database.execute("UPDATE matches SET finished = NULL")
        process.start()
        with process.client(cookies=cookies) as client:
            cup.client = client
            assert cup.wait("over")["results"] == result
        process.close()
        with sqlite3.connect(tmp_path / "pyramidion.sqlite3") as database:
            assert database.execute("SELECT count(*) FROM matches WHERE finished IS NULL").fetchone() == (0,)


def test_the_list_of_tournaments_comes_in_pages(person, monkeypatch):
    for module in (competition, pagination):
        monkeypatch.setattr(module, "PAGE", 2)
    host, form = person(), {"host": "Ann", "game": "pyramid-shambo", "format": "swiss"}
    made = [host.say("/tournaments", title=f"Cup {number}", **form) for number in range(5)]
    shown, query = [], ""
    for length in (2, 2, 1):
        text = host.get(f"/tournaments{query}").text
        listed = re.findall(r'<li class="panel"><a href="(/tournaments/[^"]+)', text)
        assert len(listed) == length
        shown += listed
        query = (re.findall(r'rel="next" href="([^"#]+)', text) or [None])[0]
    assert (sorted(shown), query) == (sorted(made), None)


async def test_nobody_fills_a_tournaments_log(tmp_path, monkeypatch):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        cup = (await tournaments.create(TournamentSettings("Cup", "pyramid-shambo"), "Hal", "hal")).id
        for _number in range(permissions.MOST_SIGN_UPS):
            await tournaments.join(cup, "ana", "Ana")
            await tournaments.leave(cup, "ana")
        with pytest.raises(NotPossibleNow, match="You have signed up 10 times"):
            await tournaments.join(cup, "ana", "Ana")
        loaded = await tournaments.join(cup, "ben", "Ben")
        monkeypatch.setattr(permissions, "MOST_ENTRIES", len(loaded.state.log))
        for adding in (tournaments.join(cup, "cal", "Cal"), tournaments.do(cup, "hal", Left("p11"))):
            with pytest.raises(NotPossibleNow, match="This tournament is full: its log has 22 entries"):
                await adding
