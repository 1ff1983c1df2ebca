"""A submission that meets the seal: it is refused, or it counts. Each interleaving is made, not waited for."""

import asyncio
from contextlib import asynccontextmanager, contextmanager

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from tests.web.helpers.clock import START, Time
from tests.web.helpers.databases import BOTH
from tests.web.helpers.tables import SERVICES, open_tables

from pyramidion.seasons.events import (
    CastAdded,
    EpisodeOpened,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundSealed,
    SettingsChanged,
)
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.seasons.submissions import Submitted
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import NotPossibleNow
from pyramidion.web.features.seasons.loaded import SeasonRequester

HOST, ANA, BEN = (SeasonRequester(who, private=True) for who in ("h1", "c1", "c2"))
BIDS = OwnMatchSet("Bids", fields=(SubmissionField("bid"),), hours=1)
HOUR = 3_600_000

pytestmark = pytest.mark.usefixtures("database")
on_both = pytest.mark.parametrize("database", BOTH, indirect=True)
on_postgresql = pytest.mark.parametrize("database", BOTH[1:], indirect=True)


class Servers:
    """The season `id`, whose match takes bids, at two servers: the hosts' and, a little late, the contestants'."""

    def __init__(self, here, there, time):
        self.here, self.there, self.time = here, there, time
        self.id = ""

    async def begin(self):
        cast = [CastAdded(name) for name in ("Ana", "Ben", "Cal")]
        events = (SettingsChanged(title="Code Red"), *cast, BIDS, EpisodeOpened(), OwnMatchOpened("Bids"))
        self.id = (await self.here.seasons.create(events, "Hal", None)).id

    async def submit(self, who, bid):
        await self.there.seasons.submissions.submit(self.id, who, Submitted("m1", 1, {"bid": bid}, True))

    async def seal(self):
        await self.here.seasons.do(self.id, HOST, [OwnRoundSealed("m1")])

    async def reveal(self, who=None):
        return (await self.here.seasons.submissions.reveal(self.id, HOST, "m1", who)).season.own_matches["m1"]

    async def bids(self):
        revealed = (await self.reveal()).round.revealed
        return {who: values and values["bid"] for who, values in revealed.items()}


@pytest.fixture
async def servers(tmp_path):
    time = Time()
    async with open_tables(tmp_path, now=time) as here, open_tables(tmp_path, now=lambda: time.ms - 5) as there:
        servers = Servers(SERVICES[here], SERVICES[there], time)
        await servers.begin()
        yield servers


@on_both
@pytest.mark.parametrize("whom", [None, "c1"])
async def test_a_submission_that_comes_before_the_reveal_is_stored_counts(servers, monkeypatch, whom):
    """The deadline has passed at the host's server, which seals and reveals, but not yet at the other."""
    await servers.submit(BEN, 4)
    events, notify = servers.here.tables.events, servers.here.tables.events.notify

    async def notify_after_a_submission(notices):
        monkeypatch.setattr(events, "notify", notify)
        await servers.submit(ANA, 7)
        return await notify(notices)

    servers.time.ms = START + HOUR
    monkeypatch.setattr(events, "notify", notify_after_a_submission)
    match = await servers.reveal(whom)
    assert match.round.revealed["c1"] == {"bid": 7}
    if whom is None:
        assert match.round.revealed == {"c1": {"bid": 7}, "c2": {"bid": 4}, "c3": None}
    with pytest.raises(NotPossibleNow):
        await servers.submit(ANA, 8)


@asynccontextmanager
async def planned(server, work):
    """Yield the change that some work hands to a server's writer, the future of its write, and the task."""
    loop, write = asyncio.get_running_loop(), server.writer.write
    changes, stored = loop.create_future(), loop.create_future()

    def hold(change):
        server.writer.write = write
        changes.set_result(change)
        return stored

    server.writer.write = hold
    task = asyncio.create_task(work)
    yield await changes, stored, task


@contextmanager
def writing(server, *, patient=True):
    """Yield a connection in a transaction as writers begin it; an impatient one fails where it waits for a lock."""
    store = server.store
    with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin():
        if not patient:
            connection.execute(sa.text("SET LOCAL lock_timeout = '20ms'"))
        yield connection


def would_wait(server, change):
    """Return whether a change waits for another transaction."""
    try:
        with writing(server, patient=False) as connection:
            change(connection)
            connection.rollback()
    except OperationalError as error:
        return "lock timeout" in str(error)
    return False


@on_postgresql
async def test_a_seal_waits_for_a_submission_that_is_being_stored_and_then_has_it(servers):
    async with (
        planned(servers.there, servers.submit(ANA, 7)) as (submission, submitted, submitting),
        planned(servers.here, servers.seal()) as (seal, sealed, sealing),
    ):
        with writing(servers.there) as connection:
            submission(connection)
            assert would_wait(servers.here, seal)
        submitted.set_result(None)
        await submitting
        with writing(servers.here) as connection:
            seal(connection)
        sealed.set_result(None)
        await sealing
    assert await servers.bids() == {"c1": 7, "c2": None, "c3": None}


@on_postgresql
async def test_a_submission_waits_for_a_seal_that_is_being_stored_and_is_then_refused(servers):
    async with (
        planned(servers.there, servers.submit(ANA, 7)) as (submission, submitted, submitting),
        planned(servers.here, servers.seal()) as (seal, sealed, sealing),
    ):
        with writing(servers.here) as connection:
            seal(connection)
            assert would_wait(servers.there, submission)
        sealed.set_result(None)
        await sealing
        with pytest.raises(Conflict), writing(servers.there) as connection:
            submission(connection)
        submitted.set_exception(Conflict())
        with pytest.raises(NotPossibleNow, match="sealed"):
            await submitting
    assert await servers.bids() == {"c1": None, "c2": None, "c3": None}


@on_both
async def test_a_submission_that_is_stored_after_the_seal_is_refused(servers):
    async with planned(servers.there, servers.submit(ANA, 7)) as (submission, submitted, submitting):
        await servers.seal()
        with pytest.raises(Conflict), writing(servers.there) as connection:
            submission(connection)
        submitted.set_exception(Conflict())
        with pytest.raises(NotPossibleNow, match="sealed"):
            await submitting
