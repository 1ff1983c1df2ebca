"""Seasons over the JSON API: a whole season of bots, people at reserved seats, roles, links and bulk."""

import random
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress

import httpx
import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.casting import CAST
from tests.web.helpers.processes import ServerProcess
from tests.web.helpers.seasons import Host

from pyramidion.event_log import DATE_RANGE

DUELS = ("pyramid-shambo", "pyramis", "pyramid-scheme")


class Contestant(Person):
    """A person of the cast who has opened their link in a browser, and plays by chance."""

    def __init__(self, server, host, link):
        super().__init__(server)
        self.chance, self.played = random.Random(link), set()
        assert self.say(f"/seasons/{host.id}/join", code=link) == f"/seasons/{host.id}"

    def play(self, table):
        """Play an action where one's turn has come; return whether it had."""
        legal = self.get(f"/api/tables/{table}/legal").json()
        if not legal["legal"]:
            return False
        entry = self.chance.choice(legal["legal"])
        action = (
            entry["text"]
            if "text" in entry
            else entry["first_id"] + self.chance.randrange(entry["high"] + 1 - entry["low"])
        )
        done = self.api("POST", f"/api/tables/{table}/actions", action=action, version=legal["version"])
        assert done.status_code in (200, 409), done.text  # 409: a bot has been quicker
        self.played.add(table)
        return True


def adds_up(season):
    """Check that the ledger of a host explains every balance."""
    for one in season["cast"]:
        for currency in ("garnets", "priority", "tokens"):
            moved = [line for line in season["ledger"] if line["currency"] == currency]
            gained = sum(line["amount"] for line in moved if line["taker"] == one["id"])
            lost = sum(line["amount"] for line in moved if line["giver"] == one["id"])
            assert gained - lost == one[currency]


@pytest.fixture
def host(client):
    return Host(client)


@pytest.fixture
def closing():
    """Its callbacks are called after the test, even if it fails."""
    with ExitStack() as stack:
        yield stack


@pytest.mark.slow
def test_a_season_of_bots_and_people_goes_from_the_cast_to_the_winner(server, host, closing):
    """Every game for ten, Pyramid-Sham-Bo, and a death match of each kind, one of which is played elsewhere."""
    host.bots(CAST[:7])
    for nth, name in enumerate(("Nina", "Omar", "Pia")):
        host.done("cast-added", name=name, garnets=8, priority=7 + nth)
    links = {one["name"]: one["token"] for one in host.ask("GET", "/links").json()}
    people = [Contestant(server, host, links[name]) for name in ("Nina", "Omar", "Pia")]
    for person in people:
        closing.callback(person.close)
    for client in (host.client, *people):  # opening a match may wait for its rules to be compiled
        client.timeout = httpx.Timeout(None)
    plan = [
        ("upside-down", DUELS[0]),
        ("downside-up", DUELS[1]),
        ("pyramid-shambo", DUELS[2]),
        ("pyramid-shambo", None),
    ]
    plan += [(None, DUELS[nth % 3]) for nth in range(4)] + [("pyramid-shambo", DUELS[0]), (None, DUELS[2])]
    season = host.get()
    for number, (game, duel) in enumerate(plan, 1):
        if number == 2:  # a newcomer with the priority of somebody else makes them ten again
            known = next(one["priority"] for one in season["cast"] if one["out"] is None)
            host.done("cast-added", name="Karl", garnets=8, priority=known, bot="random")
        season = host.episode(game, duel, people)
        adds_up(season)
        one = season["episodes"][-1]
        assert (one["number"], one["closed"], one["final"]) == (number, True, number == 10)
        assert {match["part"] for match in one["tables"]} == {
            part for part, here in (("main", game), ("duel", duel)) if here
        }
    ten = season["episodes"][:2]
    assert [sum(one["tokens"].values()) for one in ten] == [6, 6], "The games for ten hand out tokens of life."
    assert "ties-broken" in {one["kind"] for one in season["log"]}
    assert season["step"] == "over"
    assert season["winners"] == [one["id"] for one in season["cast"] if one["out"] is None]
    assert len(season["charts"]["garnets"]["c1"]) == 1 + 10 + 1
    # People have played every kind of main match, and a death match.
    played = {table for person in people for table in person.played}
    at = [[match for match in one["tables"] if match["table"] in played] for one in season["episodes"]]
    assert all(any(match["part"] == "main" for match in tables) for tables in at[:3])
    assert any(match["part"] == "duel" for tables in at for match in tables)


def test_a_program_ends_a_season_before_its_final(host, client):
    host.done("cast-added", name="Ana")
    host.done("cast-added", name="Ben")
    season = host.done("season-ended", winners=["c2"], text="Nobody else could come.")
    assert (season["step"], season["winners"]) == ("over", ["c2"])
    viewer = client.get(f"/api/seasons/{host.id}").json()
    assert (viewer["winners"], viewer["ending"]) == (["c2"], "Nobody else could come.")


def test_several_tables_seat_a_cast_that_is_too_large_for_one(host):
    host.bots(CAST[:5])
    host.step("open", game="pyramid-scheme")
    season = host.wait("main-playing")
    assert season["step"] == "result"
    assert sorted(len(one["cast"]) for one in season["episodes"][0]["tables"]) == [2, 3]
    assert {who for one in season["episodes"][0]["tables"] for who in one["cast"]} == {f"c{n}" for n in range(1, 6)}


def test_a_step_is_taken_once(host):
    host.bots(CAST[:3])
    host.step("open", game="pyramid-shambo")
    again = host.ask("POST", "/step", step="open", game="pyramid-shambo")
    assert again.status_code == 409
    assert len(host.get()["episodes"]) == 1


def test_a_request_that_is_sent_twice_counts_once(host):
    host.bots(CAST[:2])
    for _ in range(2):
        answer = host.do("corrected", "Counted twice.", key="a", contestant="c1", currency="garnets", amount=2)
        assert answer.status_code == 200
    assert host.get()["cast"][0]["garnets"] == 10


def test_everybody_may_do_what_the_role_allows(host):
    host.bots(CAST[:3])
    host.done("host-added", name="Mo", role="moderator")
    host.done("item-set", name="Nudge", price=2, priority=1)
    token = {one["name"]: one["token"] for one in host.ask("GET", "/links").json()}
    assert host.do("cast-added", token=token["Mo"], name="New").status_code == 403
    assert host.done("posted", token=token["Mo"], text="Welcome")["posts"][0]["by"] == "h2"
    assert host.do("bought", token=token["Ada"], contestant="c2", item="i1").status_code == 403
    mine = host.done("bought", token=token["Ada"], contestant="c1", item="i1")
    assert [one["garnets"] for one in mine["cast"]] == [6, None, None]
    assert mine["role"] == "contestant"
    assert host.ask("GET", "/links", token["Ada"]).status_code == 403
    assert host.ask("POST", "/step", token["Ada"], step="open").status_code == 403
    assert host.ask("GET", token="c1-wrong").status_code == 401
    assert host.client.get(f"/api/seasons/{host.id}").json()["cast"][0]["garnets"] is None
    assert host.ask("POST", "/links/c1").status_code == 200
    assert host.ask("GET", token=token["Ada"]).status_code == 401


def test_a_season_that_is_not_open_shows_viewers_nothing(client):
    host = Host(client, audience="none")
    answer = client.get(f"/api/seasons/{host.id}")
    assert answer.status_code == 404
    assert "Code Red" not in answer.text
    assert client.get("/api/seasons/nowhere").status_code == 404
    assert "Code Red" not in client.get(f"/seasons/{host.id}/join/c1-wrong").text


def test_a_cast_is_pasted_with_a_preview_and_exported(host):
    text = "name,garnets,priority\nAna,5,1\nBen,4,2"
    preview = host.ask("POST", "/cast", csv=text).json()
    assert preview == {
        "applied": False,
        "plan": [
            {"name": "Ana", "before": None, "after": [5, 1], "bot": None},
            {"name": "Ben", "before": None, "after": [4, 2], "bot": None},
        ],
    }
    for wrong, said in (("Ana,5,x", "Line 1"), ("Ana\nana", "twice"), ("Ana,1,1,nobody", "there is no bot nobody")):
        refused = host.ask("POST", "/cast", csv=wrong)
        assert (refused.status_code, said in refused.json()["detail"]) == (409, True)
    assert host.get()["cast"] == []
    assert host.ask("POST", "/cast", csv=text, apply=True).json()["applied"]
    assert host.ask("GET", "/cast.csv").text.splitlines()[1].startswith("c1,Ana,")
    assert "bank,Ana" in host.ask("GET", "/ledger.csv").text
    host.done("posted", text="Hello", what="ruling")
    for part, line in (("posts", "Hal,ruling,Hello"), ("log", "Hal,posted,"), ("episodes", ""), ("schedule", "")):
        answer = host.ask("GET", f"/{part}.csv")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
        assert line in answer.text
    assert host.client.get(f"/api/seasons/{host.id}/log.csv").status_code == 403
    assert host.client.get(f"/seasons/{host.id}/hosts.csv").status_code == 404


def test_a_match_waits_for_invitations_and_games_for_the_right_number(host):
    host.bots(CAST[:2])
    host.done("cast-added", name="Nina")
    waits = host.ask("POST", "/step", step="open", game="pyramid-shambo")
    assert waits.status_code == 422
    assert "Nina" in waits.json()["detail"]
    assert (host.get()["step"], host.get()["episodes"]) == ("open", [])
    host.done("cast-changed", contestant="c3", name="Nina", bot="random")
    assert host.step("open", game="pyramid-shambo")["step"] == "main-playing"


def test_a_match_at_several_tables_begins_with_everybody_or_not_at_all(host):
    host.bots(CAST[:4])
    host.done("cast-added", name="Nina")
    waits = host.ask("POST", "/step", step="open", game="pyramid-scheme")
    assert (waits.status_code, "Nina" in waits.json()["detail"]) == (422, True)
    season = host.get()
    assert (season["step"], season["episodes"]) == ("open", []), "The episode does not begin without its match."
    assert host.step("open", game="pyramid-scheme", bots=True)["step"] == "main-playing"


def test_phases_that_no_calendar_has_are_refused(host):
    wrong = {"starts": 1_900_000_000_000, "phases": [["Main", 10**8]], "skip_weekends": True}
    for given, sentence in ((wrong, "400 days"), ({"starts": 10**18, "phases": [["Main", 48]]}, DATE_RANGE)):
        refused = host.ask("POST", "/schedule", **given)
        assert (refused.status_code, sentence in refused.json()["detail"]) == (409, True)


def test_nobody_is_nudged_who_cannot_hear_it(host):
    host.done("cast-added", name="Nina")
    refused = host.do("nudged", contestant="c1")
    assert (refused.status_code, "has not opened the invitation" in refused.json()["detail"]) == (409, True)
    assert host.do("nudged", contestant="c9").json()["detail"] == "There is no such contestant."


def test_what_somebody_did_keeps_their_name_when_a_stand_in_comes(host):
    host.bots(CAST[:2])
    host.done("cast-added", name="Nina")
    host.step("open", game=None)
    [token] = [one["token"] for one in host.ask("GET", "/links").json() if one["name"] == "Nina"]
    host.done("asked", token=token, contestant="c3", text="May I?")
    host.done("corrected", "Counted.", contestant="c3", currency="garnets", amount=3)
    season = host.done("stood-in", contestant="c3", name="Olga")
    [former] = season["former_players"]
    assert (former["id"], former["name"]) == ("c3", "Nina")
    host.done("corrected", "Again.", contestant="c3", currency="garnets", amount=4)
    assert [line.split(",")[-2:] for line in host.ask("GET", "/ledger.csv").text.splitlines()[1:3]] == [
        ["bank", "Olga"],
        ["bank", "Nina"],
    ]
    page = host.client.get(f"/seasons/{host.id}/posts.csv").text, host.ask("GET", "/posts.csv").text
    assert ("Nina,question,May I?" in page[0], "Nina,question,May I?" in page[1]) == (False, True)


def test_a_game_for_ten_is_refused_for_three(host):
    host.bots(CAST[:3])
    assert host.ask("POST", "/step", step="open", game="upside-down").status_code == 422
    assert host.get()["step"] == "open"


def test_the_result_of_a_cancelled_match_is_not_taken(host):
    host.bots(CAST[:2])
    host.done("cast-added", name="Nina", bot="random")
    host.step("open", game="pyramid-shambo", clock=3600)
    opened = next(one for one in host.get()["log"] if one["kind"] == "match-opened")
    host.wait("main-playing")
    number = host.get()["log"][-1]["number"]
    host.done("revoked", "Wrong options.", entry=number)
    season = host.done("revoked", "Wrong options.", entry=opened["number"])
    assert season["step"] == "main"
    assert host.step("main")["step"] == "main-playing"
    assert host.wait("main-playing")["step"] == "result"


def test_a_result_that_another_server_has_not_stored_is_taken_when_the_season_is_looked_at(server, host):
    subscribers = server.app.server.tables.events.moved
    seasons = next(one for one in subscribers if getattr(one, "__self__", None) is server.app.server.seasons)
    subscribers.remove(seasons)
    try:
        host.bots(CAST[:3])
        host.step("open", game="pyramid-shambo")
        table = host.get()["episodes"][0]["tables"][0]["table"]
        season = host.wait("main-playing")
    finally:
        subscribers.append(seasons)
    assert season["step"] == "result"
    assert [one["kind"] for one in season["log"]].count("result-taken") == 1
    assert host.client.get(f"/api/tables/{table}/view").json()["over"]


@pytest.mark.slow
@pytest.mark.parametrize("at", ["before the result", "between the steps"])
def test_nothing_is_lost_or_done_twice_when_the_server_is_killed(tmp_path, at):
    with ServerProcess(tmp_path, bot_pause=0.2 if at == "before the result" else 0) as process:
        with process.client() as client:
            host = Host(client)
            host.bots(CAST[:3])
            host.step("open", game="pyramid-shambo", duel="pyramid-shambo")
            if at == "between the steps":
                host.wait("main-playing")
            before = host.get()
        process.kill()
        process.settings["bot_pause"] = 0
        process.start()
        with process.client() as client:
            host.client = client
            season = host.wait("main-playing")
            assert season["log"][: len(before["log"])] == before["log"]
            kinds = [one["kind"] for one in season["log"]]
            assert [kinds.count(kind) for kind in ("episode-opened", "match-opened", "result-taken")] == [1, 1, 1]
            assert season["step"] == "result"
            adds_up(season)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_whole_season_survives_a_kill_at_every_change(tmp_path):
    """After each request, or while it is under way, the server is killed, and the next one gets it again.

    Every request counts once, and nothing that has been shown is lost.
    """
    chance = random.Random(3)
    with ServerProcess(tmp_path) as process, ThreadPoolExecutor(1) as sending:
        with process.client() as client:
            host = Host(client)
            host.bots(CAST[:3])

        def send(ask, *args, **fields):
            with process.client() as client:
                host.client = client
                return ask(*args, **fields).status_code

        def sent(number, *order, **fields):
            before = log()
            under_way = sending.submit(send, *order, **fields)
            if number % 2:
                assert under_way.result() == 200
                before = log()
            else:
                # A request takes some milliseconds, so that some are answered and some are not.
                wait([under_way], timeout=chance.random() * 0.05)
            process.kill()
            with suppress(httpx.TransportError):
                assert under_way.result() == 200
            process.start()
            assert send(*order, **fields) in (200, 409)
            after = log()
            assert after[: len(before)] == before

        def log():
            with process.client() as client:
                host.client = client
                return host.get()["log"]

        def step(name, **more):
            return host.ask("POST", "/step", step=name, **more)

        def at_rest():
            with process.client() as client:
                host.client = client
                return host.wait("main-playing", "duel-playing")

        number = 0
        while (season := at_rest())["step"] != "over":
            number += 1
            left = [one["id"] for one in season["cast"] if one["out"] is None]
            match season["step"]:
                case "open":
                    sent(number, step, "open", game="pyramid-shambo", duel="pyramid-shambo")
                case "result":
                    sent(number, host.do, "result-entered", key=f"k{number}", candidate=left[-1])
                case "opponent":
                    sent(number, host.do, "opponent-named", key=f"k{number}", opponent=left[0])
                case "duel-result":
                    sent(number, host.do, "duel-entered", key=f"k{number}", loser=left[-1])
                case name:
                    sent(number, step, name)
        kinds = [entry["kind"] for entry in season["log"]]
        assert [kinds.count(kind) for kind in ("episode-opened", "eliminated", "episode-closed")] == [2, 2, 2]
        assert kinds.count("match-opened") == kinds.count("result-taken") == 3
        adds_up(season)
