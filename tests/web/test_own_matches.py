"""A match of the host's own over the JSON API: a vote with a late contestant and a tie, and who is told what."""

import re
from contextlib import closing

import pytest
import sqlalchemy as sa
from tests.web.helpers.accounts import Person
from tests.web.helpers.databases import BOTH
from tests.web.helpers.seasons import Host
from tests.web.helpers.tables import SERVICES, open_tables

from pyramidion.seasons.events import (
    CastAdded,
    EpisodeOpened,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundSealed,
    SettingsChanged,
    StoodIn,
)
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.seasons.submissions import Submitted
from pyramidion.web.db.schema import NOTICES, SEASON_LOG
from pyramidion.web.features.seasons import store
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.seasons.saved_templates import shipped
from pyramidion.web.operations.moderation import Hide, Show, execute

VOTE = {
    "name": "Vote",
    "about": "Vote for whom you want to see in the death match.",
    "fields": [{"name": "vote", "label": "Your vote", "kind": "contestant"}],
    "hours": 24,
    "score": "count(vote == me)",
    "highest": "loses",
    "tie": "hosts",
}


@pytest.fixture
def host(client):
    return Host(client)


def people(host, names=("Ana", "Ben", "Cal")):
    """Add contestants; return their own tokens by name."""
    for name in names:
        host.done("cast-added", name=name, garnets=5, priority=3)
    links = {one["name"]: one["token"] for one in host.ask("GET", "/links").json()}
    joins = {name: host.client.post(f"/api/seasons/{host.id}/join", json={"code": links[name]}) for name in names}
    return {name: answer.json()["token"] for name, answer in joins.items()}


def vote(host, token, whom, match="m1", confirmed=True, **more):
    return host.ask("POST", "/submissions", token, match=match, values={"vote": whom}, confirmed=confirmed, **more)


def begin(host, **changes):
    tokens = people(host)
    host.done("own-match-set", **{**VOTE, **changes})
    host.step("open", own="Vote")
    return tokens


def test_an_episode_with_a_vote_a_late_contestant_and_a_tie(host):
    tokens = begin(host)
    season = host.get()
    [match] = season["own_matches"]
    assert (season["step"], match["cast"], match["playing"]) == ("own-match", ["c1", "c2", "c3"], True)
    assert vote(host, tokens["Ana"], "c2", confirmed=False).status_code == 200
    assert vote(host, tokens["Ana"], "c2").json()["submissions"][0]["status"] == "confirmed"
    assert vote(host, tokens["Ben"], "c1", confirmed=False).status_code == 200
    # Cal is late: the hosts see who is missing, but not what the others have chosen, and give more time.
    shown = host.get()["submissions"]
    assert [(one["contestant"], one["status"], one["values"]) for one in shown] == [
        ("c1", "confirmed", None),
        ("c2", "saved", None),
        ("c3", "missing", None),
    ]
    host.done("nudged", contestant="c3")
    later = match["rounds"][0]["deadline"] + 3_600_000
    host.done("own-deadline-set", match="m1", deadline=later)
    refused = vote(host, tokens["Cal"], "c3")
    assert (refused.status_code, refused.json()["detail"]) == (409, "Your vote: choose one of the list.")
    assert vote(host, tokens["Cal"], "c1", key="once").status_code == 200
    assert vote(host, tokens["Cal"], "c1", key="once").status_code == 200
    assert host.ask("POST", "/reveal", match="m1").json()["detail"].startswith("Seal the submissions first")
    host.done("own-round-sealed", match="m1")
    late = vote(host, tokens["Cal"], "c2")
    assert (late.status_code, "sealed" in late.json()["detail"]) == (409, True)
    one = host.ask("POST", "/reveal", match="m1", contestant="c2").json()
    assert one["own_matches"][0]["rounds"][0]["revealed"] == {"c2": {"vote": "c1"}}
    assert one["step"] == "own-match"
    season = host.ask("POST", "/reveal", match="m1").json()
    # Two votes against Ana decide it, and the result is entered at once.
    assert (season["step"], season["episodes"][-1]["candidate"]) == ("opponent", "c1")
    assert season["own_matches"][0]["totals"] == {"c1": 2, "c2": 1, "c3": 0}
    assert [entry["kind"] for entry in season["log"]][-2:] == ["submissions-revealed", "result-entered"]
    host.done("opponent-named", token=tokens["Ana"], opponent="c3")
    # The death match is a vote of the third, and of nobody else: no score is higher than another's.
    host.done("own-match-opened", form="Vote", part="duel", cast=["c2"])
    host.done("own-round-sealed", match="m2")
    tie = host.ask("POST", "/reveal", match="m2").json()
    assert (tie["step"], tie["own_matches"][1]["totals"]) == ("duel-result", {"c1": 0, "c3": 0})
    host.done("duel-entered", loser="c3")
    season = host.step("elimination")
    assert [one["id"] for one in season["cast"] if one["out"] is None] == ["c1", "c2"]
    # The show has both votes, and each only on its slide.
    slides = [host.client.get(f"/seasons/{host.id}/show/1?slide={number}").text for number in range(1, 12)]
    assert [number for number, slide in enumerate(slides, start=1) if "own-results" in slide] == [4, 9]


def test_a_lot_stays_as_it_was_drawn_when_the_reveal_is_undone(server, host):
    begin(host, tie="lot")
    host.done("own-round-sealed", match="m1")

    def lots():
        """Return all lots in the log, those that were undone as well."""
        c = SEASON_LOG.c
        query = sa.select(c.data).where(c.season == host.id, c.kind == "submissions-revealed")
        return [tuple(row.data["lot"]) for row in server.app.server.store.query(query)]

    for _time in range(6):
        assert host.ask("POST", "/reveal", match="m1").status_code == 200
        for entry in reversed(host.get()["log"]):
            if entry["kind"] not in ("submissions-revealed", "result-entered"):
                break
            host.done("revoked", "I do not like it.", entry=entry["number"])
    assert len(lots()) == 6
    assert len(set(lots())) == 1
    assert len(lots()[0]) == 3


def test_nobody_but_the_contestant_is_told_of_a_submission(host):
    tokens = begin(host, hosts_see="nothing")
    everybody = {"host": None, **{name: tokens[name] for name in ("Ben", "Cal")}}

    def told():
        """Return what others get over the API and on pages and in files."""
        views = {name: host.get(token) for name, token in everybody.items()}
        files = [host.ask("GET", f"/{part}.csv").text for part in ("cast", "ledger", "episodes", "posts", "log")]
        return views, files, host.client.get(f"/api/seasons/{host.id}").json(), host.ask("GET", "/template").json()

    before = told()
    for whom in ("c2", "c3", "c2"):
        assert vote(host, tokens["Ana"], whom).status_code == 200
        assert told() == before
    assert host.get(tokens["Ana"])["submissions"] == [
        {"match": "m1", "round": 1, "status": "confirmed", "values": {"vote": "c2"}}
    ]
    # A link's token, which hosts know, neither reads nor makes a submission.
    link = next(one["token"] for one in host.ask("GET", "/links").json() if one["name"] == "Ana")
    assert host.get(link)["submissions"][0]["values"] is None
    assert vote(host, link, "c3").status_code == 403
    # Nor does it learn by a key that a request has been sent before.
    assert vote(host, tokens["Ana"], "c2", key="1").status_code == 200
    assert {vote(host, link, whom, key="1").status_code for whom in ("c2", "c3")} == {403}
    assert vote(host, None, "c3").status_code == 403


@pytest.mark.parametrize("template", shipped())
def test_a_season_of_a_shipped_template_plans_its_episode(client, template):
    host = Host(client, template=template)
    season = host.get()
    [planned] = season["plan"]
    assert planned["format"] in {one["name"] for one in season["formats"]}
    again = host.ask("GET", "/template").json()
    assert [one["name"] for one in again["formats"]] == [one["name"] for one in season["formats"]]


def test_an_episode_by_the_format_of_a_rulebook(host):
    """The result gives out six tokens, as the format says, and the candidate names the opponent."""
    shown = host.client.get("/api/season-templates/shipped").json()
    declared = shown[0]["template"]["formats"][0]
    tokens = people(host, ("Ana", "Ben", "Cal", "Dan"))
    host.done(**declared)
    host.step("open", format=declared["name"])
    refused = host.do("result-entered", candidate="c1", tokens={"c2": 1})
    assert refused.json()["detail"] == "This format gives out 6 tokens of life; the result has 1."
    season = host.done("result-entered", candidate="c1", tokens={"c2": 4, "c3": 2})
    assert (season["step"], season["names_next"], season["challengeable"]) == ("opponent", "c1", ["c4"])
    assert host.do("opponent-named", token=tokens["Ben"], opponent="c4").status_code == 403
    host.done("opponent-named", token=tokens["Ana"], opponent="c4")
    host.done("duel-entered", loser="c4")
    assert host.step("elimination")["step"] == "open"


def test_the_home_page_lists_a_submission_until_it_is_confirmed_or_sealed(server, host):
    people(host, ("Ben", "Cal"))
    host.done("cast-added", name="Ana")
    link = next(one["token"] for one in host.ask("GET", "/links").json() if one["name"] == "Ana")
    host.done("own-match-set", **VOTE)
    with closing(Person(server)) as ana:
        ana.say(f"/seasons/{host.id}/join", code=link)

        def due(path="/your-games"):
            return re.findall(r'<a href="(/seasons/[^"]+/submit/[^"]+)">', ana.get(path).text)

        assert (due(), due("/")) == ([], [])
        host.step("open", own="Vote")
        form = f"/seasons/{host.id}/submit/m1"
        assert due() == due("/") == [form]
        assert 'data-turns="1"' in ana.get("/your-games").text
        assert "Not submitted" in ana.get("/your-games").text
        assert "23 hours left" in ana.get("/your-games").text
        fields = {"kind": "submit", "match": "m1", "round": "1", "value-vote": "c1"}
        ana.say(f"/seasons/{host.id}/submit", **fields)
        assert due() == [form]
        assert "Saved, not confirmed" in ana.get("/your-games").text
        ana.say(f"/seasons/{host.id}/submit", **fields, confirm="yes")
        assert due() == []
        ana.say(f"/seasons/{host.id}/submit", **fields)
        assert due() == [form]
        database = server.config.app.server.tables.store
        execute(database, Hide("season", host.id), "tests")
        assert due() == []
        execute(database, Show("season", host.id), "tests")
        host.done("own-round-sealed", match="m1")
        assert (due(), due("/")) == ([], [])


@pytest.mark.parametrize("database", BOTH, indirect=True)
@pytest.mark.usefixtures("database")
async def test_nobody_is_reminded_of_what_is_confirmed_or_sealed(tmp_path):
    async with open_tables(tmp_path) as tables:
        seasons = SERVICES[tables].seasons
        form = OwnMatchSet("Bids", fields=(SubmissionField("bid"),), hours=24)
        beginning = (SettingsChanged("Code Red"), CastAdded("Ana"), CastAdded("Ben"), CastAdded("Cal"), form)
        loaded = await seasons.create(beginning, "Hal", None)
        for who, holder in (("c1", "ana"), ("c2", "ben")):
            await seasons.join(loaded.id, seasons.links.code(loaded, who), holder)
        host, ana = (SeasonRequester(who, private=True) for who in ("h1", "c1"))
        await seasons.do(loaded.id, host, [EpisodeOpened(), OwnMatchOpened("Bids")])

        def reminded():
            return {row.person for row in tables.store.query(sa.select(NOTICES.c.person).distinct())}

        assert reminded() == {"ana", "ben"}
        await seasons.submissions.submit(loaded.id, ana, Submitted("m1", 1, {"bid": 3}))
        assert reminded() == {"ana", "ben"}
        await seasons.submissions.submit(loaded.id, ana, Submitted("m1", 1, {"bid": 3}, confirmed=True))
        assert reminded() == {"ben"}
        # Who has been replaced is asked no more, and the stand-in is, like everybody who comes late.
        await seasons.do(loaded.id, host, [StoodIn("c2", "Bo")])
        assert reminded() == set()
        for who, holder in (("c2", "bo"), ("c3", "cal")):
            await seasons.join(loaded.id, seasons.links.code(await seasons.get(loaded.id), who), holder)
        assert reminded() == {"bo", "cal"}
        await seasons.do(loaded.id, host, [OwnRoundSealed("m1")])
        assert reminded() == set()


def test_the_home_page_reads_a_bounded_number_of_seasons(server, client, monkeypatch):
    monkeypatch.setattr(store, "MOST_OWN_SEASONS", 1)
    with closing(Person(server)) as ana:
        seasons = []
        for _number in range(2):
            host = Host(client)
            people(host, ("Ben", "Cal"))
            host.done("cast-added", name="Ana")
            link = next(link["token"] for link in host.ask("GET", "/links").json() if link["name"] == "Ana")
            ana.say(f"/seasons/{host.id}/join", code=link)
            host.done("own-match-set", **VOTE)
            host.step("open", own="Vote")
            seasons.append(host.id)
        assert re.findall(r'<a href="/seasons/([^"/]+)/submit/', ana.get("/your-games").text) == seasons[-1:]
