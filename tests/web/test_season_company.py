"""The people of a season over the API: private talk, stand-ins, schedule, show, templates; on both databases."""

import json
import re
from dataclasses import replace

import httpx
import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.databases import BOTH
from tests.web.helpers.notifications import open_site
from tests.web.helpers.season_company import cast
from tests.web.helpers.seasons import Host

from pyramidion import event_log
from pyramidion.seasons.conversations import Said
from pyramidion.seasons.events import KINDS as EVENTS
from pyramidion.seasons.events import (
    Answered,
    Asked,
    CastAdded,
    Corrected,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    ExtensionAsked,
    ExtensionDeclined,
    Gave,
    HostAdded,
    HostRemoved,
    ItemSet,
    MatchOpened,
    Nudged,
    OpponentNamed,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    Posted,
    ResultEntered,
    ResultTaken,
    Revoked,
    SeasonEnded,
    SettingsChanged,
    StoodIn,
    Withdrawn,
)
from pyramidion.seasons.fold import fold
from pyramidion.seasons.people import Contestant, SeasonHost
from pyramidion.seasons.redaction import Viewer, visible_season
from pyramidion.seasons.season import Phase, Season
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.seasons.texts import KINDS
from pyramidion.web.features.seasons.webhook_reports import LONGEST, channel, reports

pytestmark = pytest.mark.server(databases=BOTH)

HOUR = 3_600_000


@pytest.fixture
def host(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        yield Host(client, talk="private", audience="live", strikes=2)


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
    tokens, links = cast(host)
    body = {"starts": 1_800_000_000_000, "phases": [["Main match", 48], ["Death match", 24]]}
    assert host.ask("POST", "/schedule", tokens["Nina"], **body).status_code == 403
    answer = host.ask("POST", "/schedule", **body)
    assert [one["name"] for one in answer.json()["schedule"]] == ["Main match", "Death match"]
    host.done("extension-asked", token=tokens["Nina"], contestant="c1", phase="p1", hours=12)
    assert [one["by"] for one in host.get()["wishes"]] == ["c1"]
    host.done("extension-asked", token=tokens["Felix"], contestant="c2", phase="p1", hours=48)
    assert host.do("extension-declined", token=tokens["Grace"], contestant="c2", phase="p1").status_code == 403
    season = host.done("extension-declined", "Too long.", contestant="c2", phase="p1")
    assert [one["by"] for one in season["wishes"]] == ["c1"]
    assert host.do("extension-declined", contestant="c2", phase="p1").status_code == 409
    assert [one["declined"] for one in host.get(tokens["Felix"])["wishes"]] == ["Too long."]
    assert [one["declined"] for one in host.get(tokens["Nina"])["wishes"]] == [None]
    assert host.get(tokens["Grace"])["wishes"] == host.get(links["Felix"])["wishes"] == []
    assert "wishes" not in host.client.get(f"/api/seasons/{host.id}").text
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
    slides = [host.client.get(f"/seasons/{host.id}/show/1?slide={number}").text for number in range(1, 9)]
    assert [number for number, slide in enumerate(slides, start=1) if "Clara" in slide] == [2, 4, 5, 7, 8]
    assert "Part 2" not in "".join(slides)
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
    async with open_site(tmp_path) as site:
        seasons = site.app.server.seasons
        loaded = await seasons.create([SettingsChanged(title="Red", talk="private")], "Hal", "hal")
        hal = SeasonRequester("h1", True)
        await seasons.do(loaded.id, hal, [CastAdded("Ana"), CastAdded("Bo"), CastAdded("Cy", bot="random")])
        for name in ("ana", "bo", "hal"):
            await site.contacts.keep(name, webhook=f"https://{name}/")
        phase = PhaseSet("Main match", site.now, site.now + 40 * HOUR)
        await seasons.do(loaded.id, hal, [phase])
        loaded = await seasons.get(loaded.id)
        for who, holder in (("c1", "ana"), ("c2", "bo")):
            await seasons.join(loaded.id, seasons.links.code(loaded, who), holder)
        events = [EpisodeOpened(), ResultEntered("c1"), Posted("Hello"), HostAdded("Ida"), Nudged("c2")]
        await seasons.do(loaded.id, hal, events)
        await seasons.say(loaded.id, SeasonRequester("c1", True), Said("c2", "Psst"))
        told = sorted(await site.pass_(120_000))
        assert told == sorted(
            [
                ("ana", "Red: name your opponent in the death match."),
                ("ana", "Red: Hal has posted."),
                ("bo", "Red: Hal has posted."),
                ("bo", "Red: the hosts are waiting for you."),
                ("bo", "Red: Ana has written to you."),
            ]
        )
        assert await site.pass_(25 * HOUR) == []
        await seasons.do(loaded.id, SeasonRequester("c1", True), [ExtensionAsked("c1", "p1", 20)])
        await seasons.do(loaded.id, hal, [ExtensionDeclined("c1", "p1")], "Too long.")
        assert sorted(await site.pass_(60_000)) == [
            ("ana", "Red: your request for more time has been declined."),
            ("hal", "Red: Ana asks for more time."),
        ]
        # The reminder moves with the end of its phase, and comes once.
        await seasons.do(loaded.id, hal, [PhaseExtended("p1", 10)])
        assert await site.pass_(10 * HOUR) == []
        assert sorted(await site.pass_(10 * HOUR)) == [(who, "Red: Main match ends soon.") for who in ("ana", "bo")]
        assert await site.pass_(10 * HOUR) == []


async def test_what_is_undone_before_it_was_sent_is_not_told(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await four_come_in(seasons)
        await site.contacts.keep("ana", webhook="https://ana/")
        hours = 40 * HOUR
        for event in (Posted("Hello"), Posted("Once more"), PhaseSet("First", site.now, site.now + hours)):
            season = await seasons.do(loaded.id, hal, [event])
        number = len(season.season.log)
        await seasons.do(loaded.id, hal, [PhaseSet("Second", site.now, site.now + hours)])
        for undone in (number - 1, number):
            await seasons.do(loaded.id, hal, [Revoked(undone)], "A mistake.")
        assert await site.pass_(120_000) == [("ana", "Red: Hal has posted.")]
        # A phase that ends later ends as before if that is undone.
        season = await seasons.do(loaded.id, hal, [PhaseExtended("p2", 40)])
        await seasons.do(loaded.id, hal, [Revoked(len(season.season.log))], "A mistake.")
        assert await site.pass_(31 * HOUR) == [("ana", "Red: Second ends soon.")]


FOUR = ("ana", "bo", "cy", "di")


async def four_come_in(seasons):
    """Create a season whose four contestants have opened their links, and return it."""
    loaded = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
    await seasons.do(loaded.id, SeasonRequester("h1", True), [CastAdded(name) for name in FOUR])
    loaded = await seasons.get(loaded.id)
    for nth, name in enumerate(FOUR, 1):
        await seasons.join(loaded.id, seasons.links.code(loaded, f"c{nth}"), name)
    return loaded


async def test_only_those_who_are_left_are_reminded(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await four_come_in(seasons)
        for name in FOUR:
            await site.contacts.keep(name, webhook=f"https://{name}/")
        phase = PhaseSet("Main match", site.now, site.now + 40 * HOUR)
        out = [EpisodeOpened(), ResultEntered("c1"), OpponentNamed("c2"), DuelEntered("c1"), Eliminated("c1")]
        await seasons.do(loaded.id, hal, [phase, *out, EpisodeClosed()])
        await seasons.do(loaded.id, hal, [StoodIn("c3", "Eve")])
        await seasons.do(loaded.id, hal, [Withdrawn("c4")])
        back = await seasons.do(loaded.id, hal, [Revoked(len((await seasons.get(loaded.id)).season.log))], "A mistake.")
        assert back.season.remaining == ["c2", "c3", "c4"]
        told = await site.pass_(39 * HOUR)
        assert sorted(who for who, text in told if text.endswith("ends soon.")) == ["bo", "di"]


async def test_a_reminder_goes_where_its_reader_is_reached_when_it_is_due_and_not_after_the_end(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await four_come_in(seasons)
        await seasons.do(loaded.id, hal, [PhaseSet("Main match", site.now, site.now + 40 * HOUR)])

        async def on_page(name):
            return [text.text for _, text in await site.notifications.sender.for_browser(name, "en")]

        # Nobody could be reached when the phase was set; Ana has given an address since, and Bo and Cy have pages open.
        await site.contacts.keep("ana", webhook="https://ana/")
        await site.contacts.keep("cy", off=frozenset({"deadline.browser"}))
        assert [await on_page(name) for name in FOUR] == [[]] * 4
        assert await site.pass_(31 * HOUR) == [("ana", "Red: Main match ends soon.")]
        assert [await on_page(name) for name in ("bo", "bo", "cy")] == [["Red: Main match ends soon."], [], []]
        site.now += 9 * HOUR
        assert await on_page("di") == []


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


BEFORE = ("Contestant added: Ana", "Contestant added: Bo", "Contestant added: Cy", "Shop item: Hint")
MAIN = ("Episode opened", "Ana is the elimination candidate.")
OPPONENT = ("Ana against Bo in the death match.",)
DUEL = ("Death match entered: Ana", "Ana is eliminated.")
POSTED = ("Hal has posted.",)
ANSWERED = ("A question has been answered.",)
LATER = ("Phase scheduled: Main match", "Main match ends later.")
OVER = ("An episode is over.",)


@pytest.mark.parametrize(
    ("audience", "delay", "told"),
    [
        ("none", 0, []),
        ("episode", 0, [BEFORE, OVER + MAIN + OPPONENT + DUEL + POSTED + ANSWERED + LATER]),
        ("phase", 3, [BEFORE, MAIN, OPPONENT, DUEL, OVER + POSTED + ANSWERED + LATER]),
        ("live", 3, [BEFORE, MAIN, OPPONENT, DUEL + POSTED, ANSWERED, LATER, OVER]),
    ],
)
async def test_the_webhook_of_a_season_learns_what_viewers_may_know(tmp_path, audience, delay, told):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await seasons.create([SettingsChanged(title="Red", audience=audience, delay=delay)], "Hal", "hal")
        await site.contacts.keep(f"season:{loaded.id}", webhook="https://channel/")

        async def do(*events, by=hal):
            site.now += 1
            return await seasons.do(loaded.id, by, events, "Because.")

        await do(*(CastAdded(name, bot="random", garnets=5) for name in ("Ana", "Bo", "Cy")), ItemSet("Hint", 2))
        await do(Corrected("c1", "garnets", 1))
        await do(EpisodeOpened(), ResultEntered("c1"))
        await do(OpponentNamed("c2"))
        posted = await do(DuelEntered("c1"), Eliminated("c1"), Posted("Hello"), Posted("Oops"))
        await do(Revoked(len(posted.season.log)))
        await seasons.join(loaded.id, seasons.links.code(posted, "c2"), "bo")
        for text, to_all in (("May I?", True), ("And I?", False)):
            asked = await do(Asked("c2", text), by=SeasonRequester("c2", True))
            await do(Answered(len(asked.season.log), "Yes.", to_all))
        await do(PhaseSet("Main match", site.now, site.now + 40 * HOUR), PhaseExtended("p1", 10))
        await do(EpisodeClosed())
        assert delay == 0 or await site.pass_((delay * HOUR) - 120_000) == []
        assert sorted(await messages(site, 240_000)) == sorted("Red: " + "\n".join(lines) for lines in told)


async def messages(site, milliseconds):
    """Advance the clock; return what was sent, without the links."""
    sent = []
    pass_on = site.post

    async def post(url, body):
        sent.append(json.loads(body)["text"].rpartition("\n")[0])
        await pass_on(url, body)

    site.notifications.webhooks.post = post
    await site.pass_(milliseconds)
    site.notifications.webhooks.post = pass_on
    return sent


@pytest.mark.parametrize("audience", ["episode", "phase", "live"])
@pytest.mark.parametrize("delay", [0, 5])
def test_the_webhook_tells_viewers_nothing_before_they_can_read_it(audience, delay):
    cast = [CastAdded(name) for name in ("Ana", "Bo", "Cy")]
    events = [SettingsChanged(title="Red", audience=audience, delay=delay), *cast, EpisodeOpened("ponzi-scheme")]
    events += [MatchOpened("t", "main", ("c1", "c2", "c3")), Posted("Go."), ResultTaken("t", ("c1",), (3, 2, 1))]
    events += [ResultEntered("c2", {"c1": 1}), Posted("Who?"), OpponentNamed("c3"), DuelEntered("c2"), Eliminated("c2")]
    events += [EpisodeClosed(), EpisodeOpened(), DuelEntered("c3"), Eliminated("c3"), EpisodeClosed(), Posted("Bye.")]
    log = [event_log.Entry(number, number * HOUR, "", event) for number, event in enumerate(events, 1)]
    told = {}
    for count in range(1, len(log)):
        for notice in reports("id", fold(log[:count]), fold(log[: count + 1])):
            if notice.person == channel("id") and notice.text is not None and notice.text():
                told[int(notice.mark.rpartition(".")[2])] = notice.due
    assert len(told) == {"live": 18, "phase": 12, "episode": 6}[audience]
    whole = fold(log)
    for number, due in told.items():
        assert len(visible_season(whole, Viewer(), due).log) >= number
        assert len(visible_season(whole, Viewer(), due - 1).log) < number


def test_the_webhook_tells_viewers_that_hosts_have_ended_the_season():
    cast = [CastAdded(name) for name in ("Ana", "Bo", "Cy", "Di")]
    events = [SettingsChanged(title="Red", audience="episode", delay=5), HostAdded("Hal"), *cast, EpisodeOpened()]
    events += [ResultEntered("c1"), OpponentNamed("c2"), DuelEntered("c1"), Eliminated("c1"), EpisodeClosed()]
    events += [Posted("Soon."), SeasonEnded(("c2", "c3"), "Thank you all.")]
    log = [event_log.Entry(number, number * HOUR, "h1", event) for number, event in enumerate(events, 1)]
    [told] = [notice for notice in reports("id", fold(log[:-1]), fold(log)) if notice.person == channel("id")]
    assert (told.text(), told.due) == ("Red: Bo and Cy have won the season.\nHal has posted.", (len(log) + 5) * HOUR)


def test_a_report_names_a_phase_that_came_and_went_during_the_episode():
    cast = [CastAdded(name) for name in ("Ana", "Bo")]
    events = [SettingsChanged(title="Red", audience="episode"), HostAdded("Hal"), *cast, EpisodeOpened()]
    events += [PhaseSet("Bonus", 1, HOUR), PhaseExtended("p1", 3), PhaseRemoved("p1")]
    events += [DuelEntered("c2"), Eliminated("c2"), EpisodeClosed()]
    log = [event_log.Entry(number, number * HOUR, "", event) for number, event in enumerate(events, 1)]
    told = [one.text() for one in reports("id", fold(log[:-1]), fold(log)) if one.person == channel("id")]
    assert [line for line in told[0].splitlines() if "hase" in line] == [
        "Phase scheduled: Bonus",
        "Phase extended",
        "Phase removed",
    ]


async def test_viewers_are_told_that_what_they_know_is_undone(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await seasons.create([SettingsChanged(title="Red", audience="live", delay=3)], "Hal", "hal")
        await site.contacts.keep(f"season:{loaded.id}", webhook="https://channel/")
        site.now += 1
        await seasons.do(loaded.id, hal, [CastAdded("Ana", garnets=3), Corrected("c1", "garnets", 1)], "Because.")
        assert await messages(site, 4 * HOUR) == ["Red: Contestant added: Ana"]
        await seasons.join(loaded.id, seasons.links.code(await seasons.get(loaded.id), "c1"), "ana")
        # Viewers have seen nothing of the correction, and of the second contestant they have not heard yet.
        await seasons.do(loaded.id, hal, [CastAdded("Bo"), Nudged("c1")])
        site.now += 1
        for number in (4, 5, 6, 3):
            await seasons.do(loaded.id, hal, [Revoked(number)], "A mistake.")
            site.now += 1
        assert await messages(site, 2 * HOUR) == []
        assert await messages(site, 2 * HOUR) == ["Red: Undone: Contestant added: Ana"]


async def test_what_is_hidden_again_before_viewers_see_it_is_not_reported(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        settings = SettingsChanged(title="Red", audience="live", delay=3)
        loaded = await seasons.create([settings], "Hal", "hal")
        await site.contacts.keep(f"season:{loaded.id}", webhook="https://channel/")
        site.now += 1
        await seasons.do(loaded.id, hal, [CastAdded("Ana")])
        site.now += 1
        await seasons.do(loaded.id, hal, [replace(settings, delay=5)])
        assert await messages(site, 4 * HOUR) == []
        # The first settings viewers learned of before there was a webhook.
        assert sorted(await messages(site, 2 * HOUR)) == [
            "Red: Contestant added: Ana",
            "Red: Settings",
            "Red: Settings\nHost added: Hal",
        ]
        await seasons.do(loaded.id, hal, [Posted("Hello")])
        await seasons.do(loaded.id, hal, [replace(settings, audience="none")])
        assert await messages(site, 6 * HOUR) == []


EVERY_KIND = {
    "settings": {"title": "Red"},
    "retitled": {"title": "Blue"},
    "host-added": {"name": "Ida"},
    "host-removed": {"host": "h2"},
    "cast-added": {"name": "Di"},
    "cast-changed": {"contestant": "c1", "name": "Ann"},
    "stood-in": {"contestant": "c1", "name": "Eve"},
    "link-renewed": {"person": "c1"},
    "struck": {"contestant": "c1"},
    "nudged": {"contestant": "c1"},
    "withdrawn": {"contestant": "c1"},
    "item-set": {"name": "Hint", "price": 2, "words": "SECRET"},
    "item-removed": {"item": "i1"},
    "bought": {"contestant": "c1", "item": "i1"},
    "gave": {"contestant": "c1", "to": "c2", "amount": 1},
    "corrected": {"contestant": "c1", "currency": "garnets", "amount": 1},
    "ties-broken": {"order": ("c1", "c2")},
    "episode-planned": {"title": "SECRET"},
    "episode-renamed": {"number": 1, "title": "SECRET"},
    "episode-opened": {"title": "SECRET"},
    "match-opened": {"table": "t", "part": "main", "cast": ("c1", "c2")},
    "result-taken": {"table": "t", "winners": ("c1",), "points": (2, 1)},
    "result-entered": {"candidate": "c1"},
    "opponent-named": {"opponent": "c2"},
    "candidate-named": {"candidate": "c1"},
    "noted": {"contestant": "c1", "text": "SECRET"},
    "holidays-set": {"days": "SECRET"},
    "own-match-set": {"name": "Vote", "about": "SECRET"},
    "own-match-opened": {"form": "Vote"},
    "own-round-opened": {"match": "m1"},
    "own-deadline-set": {"match": "m1"},
    "own-round-sealed": {"match": "m1"},
    "submissions-revealed": {"match": "m1", "values": {"c1": {"why": "SECRET"}}},
    "duel-entered": {"loser": "c1"},
    "eliminated": {"contestant": "c1"},
    "season-ended": {"winners": ("c1",), "text": "SECRET"},
    "posted": {"text": "SECRET"},
    "asked": {"contestant": "c1", "text": "SECRET"},
    "answered": {"question": 4, "text": "SECRET"},
    "confessed": {"contestant": "c1", "text": "SECRET"},
    "phase-set": {"name": "Main match", "starts": 1, "ends": 2},
    "phase-removed": {"phase": "p1"},
    "phase-extended": {"phase": "p1", "hours": 2},
    "extension-asked": {"contestant": "c1", "phase": "p1", "hours": 2},
    "extension-declined": {"contestant": "c1", "phase": "p1"},
    "revoked": {"entry": 2},
}
"""The fields of events by their kind; kinds that are not here have none."""


@pytest.mark.parametrize("kind", EVENTS)
def test_hosts_are_told_of_entries_of_every_kind_without_what_was_written(kind):
    before = Season(SettingsChanged(title="Red", audience="none"))
    before.hosts = {"h1": SeasonHost("h1", "Hal", "host"), "h2": SeasonHost("h2", "Ida", "host")}
    before.cast = {who: Contestant(who, name) for who, name in (("c1", "Ana"), ("c2", "Bo"))}
    before.phases = {"p1": Phase("p1", "Main match", 1, 2)}
    events = [SettingsChanged(title="Red"), CastAdded("Ana"), CastAdded("Bo")]
    before.log = event_log.log_with([], events, 0, "h1")
    event = EVENTS[kind](**EVERY_KIND.get(kind, {}))
    after = replace(before, log=event_log.log_with(before.log, [event], 1, "h1", "SECRET"), hosts={}, phases={})
    [notice] = [one for one in reports("id", before, after) if one.person == channel("id", hosts=True)]
    said = notice.text()
    assert said.startswith(f"Red: {KINDS[kind]}")
    assert said.endswith("(Hal)")
    assert "SECRET" not in said
    named = {"c1": "Ana", "c2": "Bo", "p1": "Main match", "h2": "Ida"}
    assert all(named[value] in said for value in EVERY_KIND.get(kind, {}).values() if value in [*named])
    assert notice.due is None


def test_hosts_are_told_of_every_contestant_of_a_long_cast():
    names = [f"Contestant number {number} of the season" for number in range(1, 61)]
    before = fold(event_log.log_with([], [SettingsChanged(title="Red", audience="none")], 0, ""))
    after = fold(event_log.log_with(before.log, [CastAdded(name) for name in names], 1, "h1"))
    texts = [notice.text() for notice in reports("id", before, after)]
    assert [line.partition("added: ")[2] for text in texts for line in text.split("\n")] == [
        f"{name} (the server)" for name in names
    ]
    assert all(len(text) <= LONGEST for text in texts)


def test_hosts_are_told_of_missed_decisions_and_viewers_are_not():
    played = [MatchOpened("t", "main", ("c1", "c2")), ResultTaken("t", ("c1",), (2, 1), missed=(0, 3))]
    settings = SettingsChanged(title="Red", audience="live")
    events = [settings, CastAdded("Ana"), CastAdded("Bo"), CastAdded("Cy"), EpisodeOpened("ponzi-scheme"), *played]
    log = [event_log.Entry(number, number, "", event) for number, event in enumerate(events, 1)]
    before, after = fold(log[:-1]), fold(log)
    told = {notice.person: notice.text() for notice in reports("id", before, after)}
    assert told == {
        "season:id": "Red: Match result: Ana",
        "season:id:hosts": "Red: Match result: Ana (the server)\nMissed decisions: Bo 3 (the server)",
    }


async def test_hosts_are_told_at_once_of_what_is_private_too(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await seasons.create([SettingsChanged(title="Red", audience="none", gifts=True)], "Hal", "hal")
        await site.contacts.keep(f"season:{loaded.id}:hosts", webhook="https://hosts/")
        loaded = await seasons.do(loaded.id, hal, [CastAdded("Ana", garnets=5), CastAdded("Bo")])
        await seasons.join(loaded.id, seasons.links.code(loaded, "c1"), "ana")
        ana = SeasonRequester("c1", True)
        await seasons.do(loaded.id, ana, [Gave("c1", "c2", 2)])
        await seasons.do(loaded.id, ana, [Asked("c1", "May I?")])
        await seasons.do(loaded.id, hal, [Revoked(5)], "Not so fast.")
        assert sorted(await messages(site, 60_000)) == [
            "Red: Contestant added: Ana (Hal)\nContestant added: Bo (Hal)",
            "Red: Gift: Ana, Bo (Ana)",
            "Red: Question: Ana (Ana)",
            "Red: Undone: Gift: Ana, Bo (Hal)",
        ]


def test_only_hosts_set_the_webhook_and_not_to_a_private_network(host):
    tokens, _links = cast(host)
    assert host.ask("PUT", "/webhook", tokens["Nina"], webhook="https://example.org/").status_code == 403
    assert host.ask("GET", "/webhook", tokens["Nina"]).status_code == 403
    refused = host.ask("PUT", "/webhook", webhook="https://127.0.0.1/")
    assert refused.status_code == 400
    assert host.ask("PUT", "/webhook", hosts="https://127.0.0.1/").status_code == 400
    assert host.ask("GET", "/webhook").json() == {"webhook": "", "hosts": ""}


async def test_a_host_who_was_removed_still_has_a_page_of_seasons(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        loaded = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
        season = await seasons.do(loaded.id, hal, [HostAdded("Ida")])
        await seasons.join(loaded.id, seasons.links.code(season, "h2"), "ida")
        assert [season.title for season in (await seasons.lists.mine("ida")).entries] == ["Red"]
        await seasons.do(loaded.id, hal, [HostRemoved("h2")])
        assert (await seasons.lists.mine("ida")).entries == []
