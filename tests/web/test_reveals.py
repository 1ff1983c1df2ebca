"""Results that the host releases one by one: nothing that is not released leaves the server."""

import re
from dataclasses import replace

import pytest
from tests.web.helpers.clock import do, tables_with_time
from tests.web.helpers.creating import with_settings
from tests.web.helpers.secrets import neutral

from pyramidion.web.errors import CannotBeDone, NotTheHost, TableIsPaused
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.table.clock.clock_state import ClockState
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.time_controls import RELEASE_AT_LEAST, RELEASE_UNTIMED

BIDS = [7, 6, 0, 3, 4, 9, 1, 2, 5, 8]
ANSWERS = ("", "/view", "/legal", "/events", "/seals", "/transcript")
TIMES = re.compile(r"(?<=deadline)(\W+)\d{13}|(?<=now)(\W+)\d{13}|\d{4}-\d\d-\d\dT[\d:]{8}Z[^<]*<")
PAGES = ("", "/fragment", "/log", "/seals", "/chapters", "/transcript.md")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Turn off presence, which would otherwise be sent at some point."""
    monkeypatch.setattr("pyramidion.web.table.views.viewers.PRESENCE_DELAY", 3600)


class World:
    """A table of Downside Up at which everybody has bid, and what a player and a spectator get of it."""

    def __init__(self, client, new_table, bids):
        self.client = client
        self.table = table = new_table(
            ["me"] * 10, game="downside-up", seed="two worlds", title="Show", host_releases=True
        )
        for seat, bid in enumerate(bids):
            for version, action in enumerate((f"bid {bid}", "confirm")):
                assert table.post(seat, action, version).status_code == 200

    def host(self, **command):
        headers = {"Authorization": f"Bearer {self.table.about['host_token']}"}
        return self.client.post(f"{self.table.url}/host", json=command, headers=headers)

    def seen(self):
        """Return everything that player 0 and a spectator can ask for, and the beginnings of their streams."""
        table = self.table
        told = [
            self.client.get(f"{table.url}{what}", headers=table.headers(who)) for who in (0, None) for what in ANSWERS
        ]
        told += [self.client.get(f"/t/{table.id}{what}") for what in PAGES]
        assert {one.status_code for one in told} == {200}
        blocks = []
        for who, page in ((0, False), (None, False), (None, True)):
            with table.stream(who, page=page) as stream:
                blocks += [stream.raw(), stream.raw()]
        texts = [one.text for one in told] + ["\n".join(block) for block in blocks]
        # Seals have random nonces, and the two worlds are played one after the other.
        timeless = [TIMES.sub("TIME", text) for text in texts]
        return [re.sub(r"\b[0-9a-f]{16,64}\b", "HEX", neutral(table, text)) for text in timeless]

    def names(self, who=None):
        return [one["name"] for one in self.table.get("/events", who)["events"]]


def test_two_worlds_look_the_same_until_the_host_releases_where_they_differ(client, new_table):
    bids = [*BIDS]
    bids[6], bids[7] = bids[7], bids[6]  # who stands where differs in the third row
    one, other = World(client, new_table, BIDS), World(client, new_table, bids)
    assert one.seen() == other.seen()
    assert one.names() == []
    assert one.table.get("/view")["acting"] == []
    assert one.table.get("/view")["releasing"] is True
    for released in (["top"], ["top", "second"]):
        for world in (one, other):
            assert world.host(command="release").status_code == 200
            assert world.names() == released
    assert one.seen() == other.seen()
    with one.table.stream() as watching:
        watching.next()
        assert one.host(command="release").status_code == 200
        assert [event["name"] for event in watching.next()["events"]] == ["third"]
    assert other.host(command="release").status_code == 200
    assert one.table.get("/events")["events"] != other.table.get("/events")["events"]
    early = one.table.get("/events", 0)["events"]
    assert one.table.post(0, "claim 1", one.table.get("/legal", 0)["version"]).status_code == 409
    assert one.client.post(f"{one.table.url}/host", json={"command": "release"}).status_code == 403
    assert one.host(command="release", everything=True).status_code == 200
    late = one.table.get("/events", 0)["events"]
    assert late[: len(early)] == early
    assert one.names() == ["top", "second", "third", "bottom", "claim"]
    assert one.table.get("/view")["acting"] == list(range(10))
    assert one.host(command="release").status_code == 409


async def test_the_host_has_time_for_each_event_and_whoever_was_late_is_told_at_once(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        plans = [SeatPlan("me", "Ada"), *[SeatPlan("open")] * 9]
        settings = with_settings({"clock": 60, "host_releases": True, "absent": "bot:normal"})
        table = await tables.create("downside-up", plans, {}, seed=1, holder="ada", **settings)
        for seat in range(1, 10):
            await table.sit(seat, f"p{seat}", f"P{seat}")
        for seat in range(8):
            await do(table, seat, f"bid {BIDS[seat]}")
            await do(table, seat, "confirm")
        time.passes(61)
        await table.time_up()
        assert table.clock.releasing
        assert table.timing.releasing
        assert table.timing.deadline == time.ms + 60_000
        assert [event.name for event in table.events(None)] == ["stands-in", "stands-in", "time-up"]
        assert [row.stand_in for row in table.seating.rows[8:]] == ["normal", "normal"]
        host = HostControls(table, Requester(0, True))
        with pytest.raises(NotTheHost):
            await HostControls(table, Requester(1, False)).release()
        for refused in (host.pause, host.close, lambda: host.hand_over(1), lambda: host.replace_player(3, "easy")):
            with pytest.raises(TableIsPaused, match="revealing"):
                await refused()
        with pytest.raises(CannotBeDone, match="Reveal all"):
            await host.rewind(0)
        time.passes(30)
        await host.release()
        assert table.timing.deadline == time.ms + 60_000
        told = {viewer: list(table.log_entries(viewer)) for viewer in (None, 0, 9)}
        # Another server, or this one after a restart, is as far.
        again = tables.rebuild(table.id)
        assert {viewer: list(again.log_entries(viewer)) for viewer in told} == told
        for _ in range(table.visibility.release.count - 1):
            assert table.clock.releasing
            await host.release()
        assert not table.clock.releasing
        assert table.timing.deadline == time.ms + 60_000
        for viewer, known in told.items():
            assert list(table.log_entries(viewer))[: len(known)] == known
            assert list(tables.rebuild(table.id).log_entries(viewer)) == list(table.log_entries(viewer))
        assert table.action_log.viewer_log.by_clock == [table.match.ply - 2, table.match.ply - 1]


@pytest.mark.parametrize(("clock", "limit"), [(None, RELEASE_UNTIMED), (30, RELEASE_AT_LEAST), (3600, 3600)])
async def test_a_host_who_disappears_keeps_nobody_waiting(tmp_path, clock, limit):
    async with tables_with_time(tmp_path) as (tables, time):
        plans = [SeatPlan("me", "Ada"), *[SeatPlan("open")] * 9]
        settings = with_settings({"clock": clock, "host_releases": True})
        table = await tables.create("downside-up", plans, {}, seed=1, holder="ada", **settings)
        for seat in range(1, 10):
            await table.sit(seat, f"p{seat}", f"P{seat}")
        for seat in range(10):
            await do(table, seat, f"bid {BIDS[seat]}")
            await do(table, seat, "confirm")
        time.passes(limit - 1)
        await tables.keeper.tick()
        await HostControls(table, Requester(0, True)).release()
        known = {viewer: list(table.log_entries(viewer)) for viewer in (None, 0, 9)}
        # A table that an earlier version stored without a deadline gets one.
        row, before = tables.store.match(table.id)[0], table.clock.state
        stored = ClockState.of(replace(row, deadline=None))
        assert stored == replace(before, deadline=before.held.at + limit * 1000)
        assert ClockState.of(replace(row, deadline=None, paused=time.ms)).deadline is None
        time.passes(limit - 1)
        await tables.keeper.tick()
        assert table.clock.releasing
        with pytest.raises(TableIsPaused):
            await do(table, 3, "claim 1")
        assert {viewer: list(table.log_entries(viewer)) for viewer in known} == known
        time.passes(1)
        await tables.keeper.tick()
        assert not table.clock.releasing
        assert [event.name for event in table.events(None)] == ["top", "second", "third", "bottom", "claim"]
        assert table.clock.state.deadline == (None if clock is None else time.ms + clock * 1000)
        await do(table, 3, "claim 1")
