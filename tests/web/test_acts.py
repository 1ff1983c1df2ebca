"""Acts: pauses, going back, what players agree on; kept, told to everybody, and the same on every server."""

import asyncio
import json

import pytest
from tests.web.databases import BOTH
from tests.web.test_clock import auction, do, with_time
from tests.web.test_tables import house

from pyramidion import Match
from pyramidion.engine.match import BadRecord
from pyramidion.engine.taken_back import check_taken_back
from pyramidion.web.errors import CannotBeDone, NotTheHost, StaleVersion, TableIsPaused
from pyramidion.web.host import eras
from pyramidion.web.host.desk import Desk, undoable
from pyramidion.web.host.hosting import Asker
from pyramidion.web.stream import Channel, PageStream, Place, ProgramStream
from pyramidion.web.tables import SeatPlan

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("outside", "database"),
]
ME = [SeatPlan("me", "Ada"), SeatPlan("open"), SeatPlan("open")]


async def ponzi(tables, **more):
    """A table of Ada, who is the host, Ben and Cy."""
    table = await tables.create("ponzi-scheme", ME, {}, seed=1, holder="ada", **more)
    await table.sit(1, "ben", "Ben")
    await table.sit(2, "cy", "Cy")
    return table


def desk(table, holder):
    return Desk(table, Asker(table.seat_of(holder), table.is_host(holder)))


def told(table, viewer=None):
    return [event.text for event in table.events(viewer)]


async def first(table, count=1):
    for _ in range(count):
        seat = table.match.acting[0]
        await table.act(seat, table.match.legal(seat)[-1], table.version(seat))


def same(one, other):
    """Whether two copies of a table tell every viewer the same."""
    for viewer in (None, 0, 1, 2):
        assert told(one, viewer) == told(other, viewer)
        assert list(one.told(viewer)) == list(other.told(viewer))
        assert one.version(viewer) == other.version(viewer)
        assert one.match.redacted(viewer) == other.match.redacted(viewer)
    assert one.standing == other.standing
    assert one.match.record() == other.match.record()


def test_stepping_back_is_told_kept_and_refuses_whatever_was_meant_for_the_time_before(tmp_path):
    async def work(tables, time):
        table = await ponzi(tables, clock=60)
        other = tables.rebuild(table.id)  # another server's copy
        await first(table, 6)
        await other._catch_up()
        before, events = table.version(1), told(table)
        then = table.match.at(table.starts[2])
        with pytest.raises(NotTheHost):
            await desk(table, "ben").step_back(2)
        time.passes(20)
        await desk(table, "ada").step_back(2)
        assert table.match.record() == then.record()
        assert table.standing.deadline == time.ms + 60_000
        # What was told stays told, in the same places.
        assert told(table)[: len(events)] == events
        assert told(table)[-1] == "The host has stepped back: the last 4 steps were taken back."
        assert table.version(1) > before
        assert eras.position_of(table.version(1)) == then.version(1)
        # The other server has not heard of it; the database refuses what it would do.
        seat = other.match.acting[0]
        with pytest.raises(StaleVersion):
            await other.act(seat, other.match.legal(seat)[0], other.version(seat))
        same(table, other)
        seat = table.match.acting[0]
        with pytest.raises(StaleVersion, match="gone back to an earlier position"):
            await table.act(seat, table.match.legal(seat)[0], then.version(seat))
        with pytest.raises(ValueError, match="There is no position"):
            table.snapshot(1, 999)
        assert table.snapshot(1, 0).position == 0
        await first(table, 3)
        # The rules decide for whoever is due, who may be absent.
        late = table.match.acting[0]
        with pytest.raises(CannotBeDone, match="Nothing is due"):
            await desk(table, "ada").act_for((late + 1) % 3)
        await desk(table, "ada").act_for(late)
        assert table.by_clock == [table.match.ply - 1]
        await other._catch_up()
        same(table, other)
        same(table, tables.rebuild(table.id))
        numbers = [entry[0] for entry in table.told(1)]
        assert numbers == sorted(numbers)
        assert table.snapshot(1, 1).events[-1].position <= 1
        record = json.loads(json.dumps(table.record()))
        assert len(record["acts"][0]["taken_back"]) == 4
        assert check_taken_back(Match.from_record(record), record) == (2, 4, 0)

    with_time(tmp_path, work)


def test_a_stream_and_a_program_follow_a_table_that_goes_back(tmp_path):
    async def run():
        async with house(tmp_path) as tables:
            table = await ponzi(tables)
            await first(table, 4)
            table.channels[1] = Channel(table.version(1))
            program, page = ProgramStream(table, 1, Place()), PageStream(table, 1, Place())
            table.channels[1].streams |= {program, page}
            program.make(), page.make()
            seen = program.place
            await desk(table, "ada").step_back(1)
            news, shown = program.make().decode(), page.make().decode()
            data = json.loads(news.split("data: ")[1])
            assert data["version"] == table.version(1) >= eras.SIZE
            assert [event["name"] for event in data["events"]] == ["stepped-back"]
            assert data["acting"] == [table.match.acting[0]]
            assert "stepped back" in shown
            # Whoever was away meanwhile is told as well, and once.
            lost = Place(seen.version, seen.people, len(table.told(1)) - 1)
            again = ProgramStream(table, 1, lost).make().decode()
            assert again.count("stepped-back") == 1
            place = Place.parse(again.split("\n")[0].removeprefix("id: "))
            assert ProgramStream(table, 1, place)._told == len(table.told(1))

    asyncio.run(run())


def test_while_a_table_is_paused_nothing_is_played_and_the_time_left_is_kept(tmp_path):
    async def work(tables, time):
        table = await ponzi(tables, clock=60)
        time.passes(25)
        with pytest.raises(NotTheHost):
            await desk(table, "cy").pause()
        await desk(table, "ada").pause()
        assert (table.standing.deadline, table.standing.left) == (None, 35_000)
        time.passes(1000)
        await tables.keeper.tick()
        assert table.match.ply == 0
        seat = table.match.acting[0]
        with pytest.raises(TableIsPaused, match="paused"):
            await first(table)
        assert table.legal(seat) == []
        with pytest.raises(NotTheHost):
            await desk(table, "ben").resume()
        await desk(table, "ada").extend(40)
        copy = tables.rebuild(table.id)
        assert copy.standing == table.standing
        await desk(table, "ada").resume()
        assert table.standing.deadline == time.ms + 75_000
        await first(table)
        said = told(table)
        begun = said.index("The host has paused the table.")
        assert said[begun : begun + 3] == [
            "The host has paused the table.",
            "The host has given more time: 40 seconds.",
            "The table goes on; the host has ended the pause.",
        ]
        # A pause that all agree on needs no host, and ends when anybody has had enough of it.
        await desk(table, "ben").ask("pause")
        await desk(table, "ada").answer("pause", True)
        assert not table.paused
        await desk(table, "cy").answer("pause", True)
        assert table.paused
        await desk(table, "cy").resume()
        assert told(table)[-4:] == [
            "Ada agrees.",
            "Cy agrees.",
            "All have agreed to a pause.",
            "Cy has ended the pause.",
        ]
        await desk(table, "ben").ask("pause")
        await desk(table, "cy").answer("pause", False)
        with pytest.raises(CannotBeDone, match="refused"):
            await desk(table, "ben").ask("pause")
        same(table, tables.rebuild(table.id))

    with_time(tmp_path, work)


def test_a_phase_is_closed_and_nobody_learns_who_was_missing_by_asking_for_one(tmp_path):
    async def work(tables, time):
        table = await auction(tables)
        await table.sit(1, "ben", "Ben")
        await do(table, 1, "bid 2")
        await do(table, 1, "confirm")
        for seat in (0, 1, 2):
            with pytest.raises(CannotBeDone, match="it would tell who has not"):
                await desk(table, "ada").act_for(seat)
        await desk(table, "ada").close()
        assert table.match.view(None)["score"] == [0, 1, 0]
        assert told(table)[0] == "The host has closed the phase: what was missing was decided by the rules."
        assert table.by_clock == [2, 3]
        # To begin anew takes every submission back, and none of what was in them is told.
        await do(table, 0, "bid 3")
        await do(table, 0, "confirm")
        receipt = table.receipt(0)
        await desk(table, "ada").step_back(1)
        assert table.receipt(0) is None
        everything = json.dumps([table.seals_for(v) for v in (None, 0, 1)]) + str([table.events(v) for v in (None, 1)])
        assert receipt.nonce not in everything
        assert receipt.commitment not in everything
        same(table, tables.rebuild(table.id))
        # In the record it is to be found, and to be checked.
        record = json.loads(json.dumps(table.record()))
        assert check_taken_back(table.match, record) == (2, 2, 1)
        for place, wrong in ((1, "bid 2"), (1, "nonsense"), (2, "0" * 64), (3, "00")):
            changed = json.loads(json.dumps(record))
            changed["acts"][1]["taken_back"][-1][place] = wrong
            with pytest.raises(BadRecord, match="which was taken back"):
                check_taken_back(table.match, changed)
        for wrong in (None, [3], [{"taken_back": []}], [{"back_to": 99, "taken_back": []}]):
            with pytest.raises(BadRecord, match="malformed"):
                check_taken_back(table.match, record | {"acts": wrong})
        await desk(table, "ada").replace_player(1, "policy")
        assert table.seats[1].kind == "bot"
        assert table.seat_of("ben") is None
        await desk(table, "ada").replace_player(1, None)
        assert table.open_seats == [1, 2]
        await table.sit(1, "dan", "Dan")
        await desk(table, "ada").hand_over(1)
        assert not table.is_host("ada")
        assert (table.is_host("dan"), table.host_seat) == (True, 1)
        assert told(table)[-1] == "Dan is the host now."
        copy = tables.rebuild(table.id)
        assert copy.is_host("dan")
        same(table, copy)

    with_time(tmp_path, work)


def test_an_action_is_taken_back_when_all_agree_and_only_where_nothing_was_learnt(tmp_path):
    async def work(tables, time):
        table = await ponzi(tables)
        offers = 0
        # A fund is taken, and another one is turned up by chance: that cannot be undone.
        await first(table)
        assert not any(undoable(table, seat) for seat in range(3))
        while not table.match.over and offers == 0:
            seat = table.match.acting[0]
            chosen = next((a for a in table.match.legal(seat) if a.text.startswith("offer")), None)
            chosen = chosen or table.match.legal(seat)[-1]
            before = table.match.record()
            await do(table, seat, chosen)
            if chosen.text.startswith("offer") and undoable(table, seat):
                offers += 1
                holders = ["ada", "ben", "cy"]
                asker = holders.pop(seat)
                await desk(table, asker).ask("undo")
                with pytest.raises(CannotBeDone, match="not asked for"):
                    await desk(table, asker).answer("undo", True)
                await desk(table, holders[0]).answer("undo", True)
                assert table.match.record() != before
                await desk(table, holders[1]).answer("undo", True, table.version(table.seat_of(holders[1])))
                assert table.match.record() == before
                same(table, tables.rebuild(table.id))
                # Asked for again, it goes with the next action.
                await do(table, seat, chosen)
                await desk(table, asker).ask("undo")
                await do(table, seat, table.match.legal(seat)[3])
                assert table.asks.open == {}
                # The price in the envelope is a secret of two by now.
                assert not any(undoable(table, one) for one in range(3))
        assert offers == 1

    with_time(tmp_path, work)


@pytest.mark.parametrize("absent", ["bot:policy", "resign:policy"])
def test_a_bot_comes_in_for_whoever_was_absent_until_they_are_back_or_for_good(tmp_path, absent):
    async def work(tables, time):
        table = await ponzi(tables, clock=60, absent=absent)
        late = table.match.acting[0]
        holder = ["ada", "ben", "cy"][late]
        time.passes(60)
        await tables.keeper.tick()
        assert table.by_clock == [0]
        kinds = [seat.kind for seat in table.seats]
        # Nobody else was absent: nothing was due from them.
        assert [seat.player for seat in table.seats if seat.number != late] == [None, None]
        assert table.seats[late].player == "policy"
        same(table, tables.rebuild(table.id))
        if absent.startswith("resign"):
            assert kinds[late] == "bot"
            assert table.seat_of(holder) is None
            assert "has the seat from now on" in told(table)[-1]
            return
        assert kinds == ["person"] * 3
        assert table.seat_of(holder) == late
        assert "plays for" in told(table)[-1]
        for _ in range(400):
            if late in table.match.acting:
                await asyncio.sleep(0.01)  # the bot's move
            elif not table.match.over:
                await first(table)
            if sum(seat == late for seat, _ in table.match.history) > 2:
                break
        assert sum(seat == late for seat, _ in table.match.history) > 2
        await desk(table, holder).back()
        assert table.seats[late].player is None
        assert told(table)[-1].endswith("is back.")

    with_time(tmp_path, work)
