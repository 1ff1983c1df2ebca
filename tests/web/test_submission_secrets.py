"""Secret submissions on pages, in files and in reports: paired worlds that differ in what Ana has submitted alone."""

import re
from contextlib import asynccontextmanager

import httpx
import pytest
import sqlalchemy as sa
from tests.web.helpers.notifications import HOUR, open_site

from pyramidion.seasons.events import (
    CastAdded,
    EpisodeOpened,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundSealed,
    SettingsChanged,
)
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.web.db.schema import NOTICES
from pyramidion.web.features.seasons.console.sightings import Sightings
from pyramidion.web.features.seasons.console.tabs import TABS
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.seasons.webhook_reports import channel

HOST = SeasonRequester("h1", private=True)
PEOPLE = {"ana": "c1", "ben": "c2", "hal": "h1", "viewer": None}
FIELDS = (SubmissionField("bid"), SubmissionField("vote", kind="contestant"), SubmissionField("why", kind="text"))
WORDS = "I would rather not say."
SUBMISSIONS = (
    {"bid": "2", "vote": "c3", "why": "No."},
    {"bid": "99", "vote": "c2", "why": WORDS * 9, "confirm": "yes"},
    {"bid": "2", "vote": "c3", "why": WORDS, "confirm": "yes"},
)
PARTS = ("", "/season.html", "/now", "/talk", "/submit/m1", "/show/1", "/recap", "/episodes.csv", "/posts.csv")
TO_HOSTS = ("/now?console=1", "/log.csv", "/template", *(f"/host?tab={tab.id}&who=c1" for tab in TABS))
ELSEWHERE = ("/", "/your-games", "/seasons")


class Browsers:
    """The browsers of a host, two contestants and a viewer at a server whose clock stands still."""

    def __init__(self, site):
        self.app, self.seasons, self.store = site.app, site.app.server.seasons, site.app.server.store
        self.site, self.contacts = site, site.contacts
        transport, address = httpx.ASGITransport(site.app), "https://games.example.org"
        self.clients = {name: httpx.AsyncClient(transport=transport, base_url=address) for name in PEOPLE}
        self.csrf = {}

    async def begin(self, hosts_see):
        """Begin a season with a match of two rounds; return its id once everybody has taken a place."""
        form = OwnMatchSet("Bids", fields=FIELDS, hours=24, rounds=2, hosts_see=hosts_see)
        cast = [CastAdded(name) for name in ("Ana", "Ben", "Cal")]
        settings = SettingsChanged("Code Red", audience="live")
        loaded = await self.seasons.create((settings, *cast, form), "Hal", None)
        for hook in (channel(loaded.id), channel(loaded.id, hosts=True)):
            await self.contacts.keep(hook, webhook="https://example.org/")
        for name, who in PEOPLE.items():
            page = (await self.clients[name].get("/games/pyramid-shambo/new")).text
            self.csrf[name] = re.search(r'name="csrf" value="([^"]+)"', page)[1]
            if who is not None:
                await self.post(name, f"/seasons/{loaded.id}/join", code=self.seasons.links.code(loaded, who))
        await self.seasons.do(loaded.id, HOST, [EpisodeOpened(), OwnMatchOpened("Bids")])
        assert (await self.clients["ana"].get(f"/seasons/{loaded.id}/submit/m1")).status_code == 200
        return loaded.id

    async def post(self, name, path, **fields):
        answer = await self.clients[name].post(path, data={"csrf": self.csrf[name], **fields})
        assert answer.status_code == 303, answer.text

    async def submit(self, name, season, values):
        fields = {f"value-{field}" if field != "confirm" else field: value for field, value in values.items()}
        await self.post(name, f"/seasons/{season}/submit", kind="submit", match="m1", round="1", **fields)

    async def shown(self, season):
        """Return what everybody but Ana gets, by person and path, and what is to be sent, without random texts."""
        shown = {}
        for name in ("ben", "hal", "viewer"):
            paths = PARTS + (TO_HOSTS if name == "hal" else ())
            for path in (f"/api/seasons/{season}", *(f"/seasons/{season}{part}" for part in paths), *ELSEWHERE):
                answer = await self.clients[name].get(path)
                shown[name, path] = answer.status_code, re.sub(r'name="key" value="[^"]*"', "KEY", answer.text)
        shown["notices"] = self.notices(season)
        return shown

    def notices(self, season):
        """Return all notices about a season to others than Ana, with those of its webhooks."""
        ana = self.seasons._load(season).people["c1"].holder
        n = NOTICES.c
        query = sa.select(n.mark, n.person, n.way, n.kind, n.text, n.link, n.due, n.until)
        rows = self.store.query(
            query.where(n.person != ana, n.mark.startswith(season)).order_by(n.mark, n.person, n.way)
        )
        assert {channel(season), channel(season, hosts=True)} <= {row.person for row in rows}
        return [tuple(row) for row in rows]


@asynccontextmanager
async def browsers(tmp_path):
    async with open_site(tmp_path) as site:
        browsers = Browsers(site)
        yield browsers
        for client in browsers.clients.values():
            await client.aclose()


def neutral(shown, season):
    """Return what is shown of a season without what differs between any two: ids, links and versions."""
    text = repr(list(shown.values())).replace(season, "SEASON")
    text = re.sub(r"/calendar/[^.]+\.ics", "CALENDAR", text)
    return re.sub(r'\b[ch]\d-\w{20,}|data-version="\w+"|"version":"?\w+"?', "SIGNED", text)


async def test_nothing_that_others_get_changes_with_a_submission(tmp_path):
    async with browsers(tmp_path) as world:
        season = await world.begin("nothing")
        before = await world.shown(season)
        assert before["hal", f"/seasons/{season}/host?tab=now&who=c1"][0] == 200
        assert before["ben", f"/seasons/{season}/submit/m1"][0] == 200
        assert before["viewer", f"/seasons/{season}/submit/m1"][0] == 404
        for values in SUBMISSIONS:
            await world.submit("ana", season, values)
            after = await world.shown(season)
            assert {where for where in before if before[where] != after[where]} == set()
        assert WORDS in (await world.clients["ana"].get(f"/seasons/{season}/submit/m1")).text


@pytest.mark.parametrize("hosts_see", ["nothing", "status"])
async def test_nothing_that_others_get_after_the_seal_depends_on_what_is_not_revealed(tmp_path, hosts_see):
    async with browsers(tmp_path) as world:
        shown = []

        async def told(season):
            """Return how often viewers are told the words of a submission."""
            return (await world.clients["viewer"].get(f"/seasons/{season}")).text.count(WORDS)

        for values in SUBMISSIONS[1:] if hosts_see == "status" else (None, *SUBMISSIONS[1:]):
            season = await world.begin(hosts_see)
            if values is not None:
                await world.submit("ana", season, values)
            await world.submit("ben", season, SUBMISSIONS[2])
            await world.seasons.do(season, HOST, [OwnRoundSealed("m1")])
            sealed = neutral(await of_season(world, season), season)
            assert await told(season) == 0
            await world.seasons.submissions.reveal(season, HOST, "m1", "c2")
            shown.append((sealed, neutral(await of_season(world, season), season)))
            assert (bens := await told(season)) > 0
            await world.seasons.submissions.reveal(season, HOST, "m1", None)
            assert (await told(season) > bens) == (values is not None)
        assert all(pair == shown[0] for pair in shown)


async def of_season(world, season):
    """Return what everybody but Ana gets of a season, and of no other."""
    shown = await world.shown(season)
    return {where: answer for where, answer in shown.items() if where[1] not in ELSEWHERE}


async def test_hosts_do_not_learn_after_a_restart_when_a_contestant_has_submitted(tmp_path):
    """When people were last seen is kept in memory, and then found in the logs of what hosts know of alone."""
    async with browsers(tmp_path) as world:
        season, shown = await world.begin("nothing"), []
        world.site.now += HOUR
        for values in (None, SUBMISSIONS[0]):
            if values is not None:
                await world.submit("ana", season, values)
            world.seasons.sightings = Sightings()
            page = await world.clients["hal"].get(f"/seasons/{season}/host?tab=cast&who=c1")
            shown.append(re.sub(r'name="key" value="[^"]*"', "KEY", page.text))
        assert shown[0] == shown[1]
