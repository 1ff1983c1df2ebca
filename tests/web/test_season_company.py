"""The people of a season over the API: private talk, stand-ins, schedule, show, templates; on both databases."""

import re

import httpx
import pytest
from tests.web.accounts import Person
from tests.web.databases import BOTH
from tests.web.test_notifications import a_house
from tests.web.test_seasons import Host

from pyramidion.seasons.events import (
    Answered,
    Asked,
    CastAdded,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    HostAdded,
    Nudged,
    OpponentNamed,
    PhaseExtended,
    PhaseSet,
    Posted,
    ResultEntered,
    Revoked,
    SettingsChanged,
    StoodIn,
    Withdrawn,
)
from pyramidion.seasons.talk import Said
from pyramidion.web.features.seasons.loading import Asker

pytestmark = pytest.mark.server(databases=BOTH)

HOUR = 3_600_000


@pytest.fixture
def host(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        yield Host(client, talk="private", audience="live", strikes=2)


def cast(host, names=("Nina", "Felix", "Grace")):
    """Return the tokens of contestants who have taken their places, after the first episode has begun."""
    for name in names:
        host.done("cast-added", name=name, garnets=5)
    links = {one["name"]: one["token"] for one in host.ask("GET", "/links").json()}
    tokens = {}
    for name in names:
        answer = host.ask("POST", "/join", code=links[name])
        assert answer.status_code == 200, answer.text
        tokens[name] = answer.json()["token"]
    host.done("episode-opened")
    return tokens, links


def lines(season):
    return [line["text"] for one in season["conversations"] for line in one["lines"]]


def test_what_contestants_write_is_read_by_them_alone(host):
    tokens, links = cast(host)
    event = {"kind": "said", "to": "c2", "text": "Together?"}
    for _ in range(2):
        answer = host.ask("POST", "/talk", tokens["Nina"], event=event, key="once")
        assert answer.status_code == 200, answer.text
    assert lines(host.get(tokens["Nina"])) == lines(host.get(tokens["Felix"])) == ["Together?"]
    for other in (tokens["Grace"], host.token, links["Felix"], links["Nina"]):
        answer = host.ask("GET", token=other)
        assert "Together" not in answer.text
    assert "Together" not in host.client.get(f"/seasons/{host.id}").text
    # A link that the host knows, too, opens and writes nothing private, and neither does the host.
    for other in (links["Nina"], host.token):
        assert host.ask("POST", "/talk", other, event=event).status_code == 403
    assert host.do("confessed", token=links["Nina"], contestant="c1", text="Hm.").status_code == 403
    assert host.do("settings", title="Code Red", talk="hosts").status_code == 409


def test_a_stand_in_takes_over_balances_and_reads_nothing_from_before(host):
    tokens, _links = cast(host)
    host.ask("POST", "/talk", tokens["Nina"], event={"kind": "said", "to": "c2", "text": "Together?"})
    host.done("asked", token=tokens["Felix"], contestant="c2", text="May I?")
    host.done("stood-in", contestant="c2", name="Bea")
    assert host.ask("GET", token=tokens["Felix"]).status_code == 401
    code = next(one["token"] for one in host.ask("GET", "/links").json() if one["name"] == "Bea")
    token = host.ask("POST", "/join", code=code).json()["token"]
    season = host.get(token)
    assert season["cast"][1]["garnets"] == 5
    assert season["posts"] == season["conversations"] == []
    host.ask("POST", "/talk", tokens["Nina"], event={"kind": "said", "to": "c2", "text": "Who are you?"})
    assert lines(host.get(token)) == ["Who are you?"]
    assert lines(host.get(tokens["Nina"])) == ["Together?", "Who are you?"]


def test_the_schedule_is_a_calendar_and_can_be_extended(host):
    tokens, _links = cast(host)
    body = {"starts": 1_800_000_000_000, "phases": [["Main match", 48], ["Death match", 24]]}
    assert host.ask("POST", "/schedule", tokens["Nina"], **body).status_code == 403
    answer = host.ask("POST", "/schedule", **body)
    assert [one["name"] for one in answer.json()["schedule"]] == ["Main match", "Death match"]
    host.done("extension-asked", token=tokens["Nina"], contestant="c1", phase="p1", hours=12)
    assert [one["by"] for one in host.get()["wishes"]] == ["c1"]
    season = host.done("phase-extended", phase="p1", hours=12)
    assert season["schedule"][1]["ends"] == 1_800_000_000_000 + 84 * HOUR
    assert host.client.get(f"/seasons/{host.id}/calendar/wrong.ics").status_code == 404
    template = host.ask("GET", "/template").json()
    assert host.ask("GET", "/template", tokens["Nina"]).status_code == 403
    again = host.client.post(
        "/api/seasons", json={"title": "Code Blue", "host": "Ida", "template": template, "starts": 1_900_000_000_000}
    ).json()
    assert [one["ends"] for one in again["schedule"]] == [1_900_000_000_000 + hours * HOUR for hours in (60, 84)]
    assert (again["title"], again["settings"]["talk"], again["cast"]) == ("Code Blue", "private", [])


def test_an_episode_can_be_watched_without_what_comes_later(host):
    host.bots(("Ada", "Blaise", "Clara"))
    for nth in range(2):
        host.done("episode-opened", title=f"Part {nth + 1}")
        season = host.get()
        left = [one["id"] for one in season["cast"] if one["out"] is None]
        if len(left) > 2:
            host.done("result-entered", candidate="c3")
            host.done("opponent-named", opponent="c1")
        host.done("duel-entered", loser=left[-1])
        host.step("elimination")
    shown = host.client.get(f"/seasons/{host.id}/show/1").text
    assert "Clara" in shown
    assert "Part 2" not in shown
    assert "Blaise" not in shown
    assert host.client.get(f"/seasons/{host.id}/show/3").status_code == 404


def test_the_version_of_a_page_changes_with_what_its_viewer_sees(host):
    tokens, _links = cast(host)

    def version():
        return host.client.get(f"/seasons/{host.id}/now").json()["version"]

    before = version()
    host.ask("POST", "/talk", tokens["Nina"], event={"kind": "said", "to": "c2", "text": "Together?"})
    host.done("asked", token=tokens["Felix"], contestant="c2", text="May I?")
    assert version() == before
    host.done("posted", text="Hello")
    assert version() != before


async def test_people_are_notified_of_what_concerns_them(tmp_path):
    async with a_house(tmp_path) as house:
        seasons = house.app.state.seasons
        loaded = await seasons.create([SettingsChanged(title="Red", talk="private")], "Hal", "hal")
        hal = Asker("h1", True)
        await seasons.do(loaded.id, hal, [CastAdded("Ana"), CastAdded("Bo"), CastAdded("Cy", bot="random")])
        for name in ("ana", "bo", "hal"):
            await house.contacts.keep(name, webhook=f"https://{name}/")
        phase = PhaseSet("Main match", house.now, house.now + 40 * HOUR)
        await seasons.do(loaded.id, hal, [phase])
        loaded = await seasons.get(loaded.id)
        for who, holder in (("c1", "ana"), ("c2", "bo")):
            await seasons.join(loaded.id, seasons.links.code(loaded, who), holder)
        events = [EpisodeOpened(), ResultEntered("c1"), Posted("Hello"), HostAdded("Ida"), Nudged("c2")]
        await seasons.do(loaded.id, hal, events)
        await seasons.say(loaded.id, Asker("c1", True), Said("c2", "Psst"))
        told = sorted(await house.pass_(120_000))
        assert told == sorted(
            [
                ("ana", "Red: name your opponent in the death match."),
                ("ana", "Red: Hal has posted."),
                ("bo", "Red: Hal has posted."),
                ("bo", "Red: the hosts are waiting for you."),
                ("bo", "Red: Ana has written to you."),
            ]
        )
        assert await house.pass_(25 * HOUR) == []
        # The reminder moves with the end of its phase, and comes once.
        await seasons.do(loaded.id, hal, [PhaseExtended("p1", 10)])
        assert await house.pass_(10 * HOUR) == []
        assert sorted(await house.pass_(10 * HOUR)) == [(who, "Red: Main match ends soon.") for who in ("ana", "bo")]
        assert await house.pass_(10 * HOUR) == []


async def test_only_those_who_are_left_are_reminded(tmp_path):
    async with a_house(tmp_path) as house:
        seasons, hal = house.app.state.seasons, Asker("h1", True)
        loaded = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
        names = ("ana", "bo", "cy", "di")
        await seasons.do(loaded.id, hal, [CastAdded(name) for name in names])
        loaded = await seasons.get(loaded.id)
        for nth, name in enumerate(names, 1):
            await house.contacts.keep(name, webhook=f"https://{name}/")
            await seasons.join(loaded.id, seasons.links.code(loaded, f"c{nth}"), name)
        phase = PhaseSet("Main match", house.now, house.now + 40 * HOUR)
        out = [EpisodeOpened(), ResultEntered("c1"), OpponentNamed("c2"), DuelEntered("c1"), Eliminated("c1")]
        await seasons.do(loaded.id, hal, [phase, *out, EpisodeClosed()])
        await seasons.do(loaded.id, hal, [StoodIn("c3", "Eve")])
        await seasons.do(loaded.id, hal, [Withdrawn("c4")])
        back = await seasons.do(loaded.id, hal, [Revoked(len((await seasons.get(loaded.id)).season.log))], "A mistake.")
        assert back.season.left == ["c2", "c3", "c4"]
        told = await house.pass_(40 * HOUR)
        assert sorted(who for who, text in told if text.endswith("ends soon.")) == ["bo", "di"]


def test_the_calendar_is_for_those_who_are_there(server, host):
    host.done("cast-added", name="Nina")
    link = host.ask("GET", "/links").json()[0]["token"]
    nina = Person(server)
    nina.say(f"/seasons/{host.id}/join", code=link)
    host.ask("POST", "/schedule", starts=1_800_000_000_000, phases=[["Main match", 48]])
    address = re.search(r'href="(/seasons/[^"]+\.ics)"', nina.get(f"/seasons/{host.id}").text)[1]
    answer = host.client.get(address)
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "SUMMARY:Code Red: Main match" in answer.text
    assert ".ics" not in host.client.get(f"/seasons/{host.id}").text, "Viewers have no calendar."
    host.done("stood-in", contestant="c1", name="Bea")
    assert host.client.get(address).status_code == 404
    nina.close()


@pytest.mark.parametrize(
    ("audience", "delay", "told"),
    [
        ("none", 0, []),
        ("episode", 0, ["Red: an episode is over."]),
        (
            "live",
            3,
            [
                "Red: Ana against Bo in the death match.",
                "Red: Ana is eliminated.",
                "Red: Ana is the elimination candidate.",
                "Red: Hal has posted.",
                "Red: Main match ends later.",
                "Red: a question has been answered.",
            ],
        ),
    ],
)
async def test_the_webhook_of_a_season_learns_what_viewers_may_know(tmp_path, audience, delay, told):
    async with a_house(tmp_path) as house:
        seasons, hal = house.app.state.seasons, Asker("h1", True)
        loaded = await seasons.create([SettingsChanged(title="Red", audience=audience, delay=delay)], "Hal", "hal")
        await house.contacts.keep(f"season:{loaded.id}", webhook="https://channel/")
        cast = [CastAdded(name, bot="random") for name in ("Ana", "Bo", "Cy")]
        await seasons.do(loaded.id, hal, [*cast, EpisodeOpened(), ResultEntered("c1"), OpponentNamed("c2")])
        loaded = await seasons.do(
            loaded.id, hal, [DuelEntered("c1"), Eliminated("c1"), Posted("Hello"), Posted("Oops")]
        )
        await seasons.do(loaded.id, hal, [Revoked(len(loaded.season.log))], "Wrong season.")
        await seasons.join(loaded.id, seasons.links.code(loaded, "c2"), "bo")
        for text, to_all in (("May I?", True), ("And I?", False)):
            asked = await seasons.do(loaded.id, Asker("c2", True), [Asked("c2", text)])
            await seasons.do(loaded.id, hal, [Answered(len(asked.season.log), "Yes.", to_all)])
        phase = PhaseSet("Main match", house.now, house.now + 40 * HOUR)
        await seasons.do(loaded.id, hal, [phase, PhaseExtended("p1", 10)])
        await seasons.do(loaded.id, hal, [EpisodeClosed()])
        assert delay == 0 or await house.pass_((delay * HOUR) - 120_000) == []
        assert sorted(text for _who, text in await house.pass_(240_000)) == told


def test_only_hosts_set_the_webhook_and_not_to_a_private_network(host):
    tokens, _links = cast(host)
    assert host.ask("PUT", "/webhook", tokens["Nina"], webhook="https://example.org/").status_code == 403
    assert host.ask("GET", "/webhook", tokens["Nina"]).status_code == 403
    refused = host.ask("PUT", "/webhook", webhook="https://127.0.0.1/")
    assert refused.status_code == 400
    assert host.ask("GET", "/webhook").json() == {"webhook": ""}
