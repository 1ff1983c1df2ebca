"""Tests of host commands and proposals: stored, public, and the same on every server."""

import asyncio
import json

import pytest
from tests.web.helpers.clock import auction, do, tables_with_time
from tests.web.helpers.databases import BOTH
from tests.web.helpers.host_controls import controls, ponzi, told
from tests.web.helpers.tables import open_tables

from pyramidion import Match
from pyramidion.engine.errors import BadRecord
from pyramidion.engine.takeback_records import check_taken_back
from pyramidion.web.errors import CannotBeDone, NotTheHost, SeatTaken, StaleVersion, TableIsPaused
from pyramidion.web.features.accounts.service import Account
from pyramidion.web.features.devices.service import give_code
from pyramidion.web.features.host_controls.service import can_take_back
from pyramidion.web.features.rematch.service import places_again
from pyramidion.web.play.streams import PageStream, ProgramStream, StreamPosition
from pyramidion.web.table.log import versions
from pyramidion.web.table.moves.absence import has_choice
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.snapshots.proposal_rules import taken_back_to
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table.views.channels import Channel

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("outside", "database"),
]


async def first(table, count=1):
    for _ in range(count):
        seat = table.match.acting[0]
        await table.act(seat, table.match.legal(seat)[-1], table.version(seat))


def same(one, other):
    """Return whether two servers' copies of a table show every viewer the same."""
    for viewer in (None, 0, 1, 2):
        assert told(one, viewer) == told(other, viewer)
        assert list(one.log_entries(viewer)) == list(other.log_entries(viewer))
        assert one.version(viewer) == other.version(viewer)
        assert one.match.redacted(viewer) == other.match.redacted(viewer)
    assert one.clock.state == other.clock.state
    assert one.match.record() == other.match.record()


async def test_stepping_back_is_told_kept_and_refuses_whatever_was_meant_for_the_time_before(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await ponzi(tables, clock=60)
        other = tables.rebuild(table.id)  # another server's copy
        await first(table, 6)
        await other._catch_up()
        before, events = table.version(1), told(table)
        then = table.match.at(table.action_log.starts[2])
        with pytest.raises(NotTheHost):
            await controls(table, "ben").rewind(2)
        time.passes(20)
        await controls(table, "ada").rewind(2)
        assert table.match.record() == then.record()
        assert table.clock.state.deadline == time.ms + 60_000
        # What was told stays told, in the same places.
        assert told(table)[: len(events)] == events
        assert told(table)[-1] == "The host rewound the game by 4 steps."
        assert table.version(1) > before
        assert versions.position_of(table.version(1)) == then.version(1)
        # The other server has not heard of it; the database refuses what it would do.
        seat = other.match.acting[0]
        with pytest.raises(StaleVersion):
            await other.act(seat, other.match.legal(seat)[0], other.version(seat))
        same(table, other)
        seat = table.match.acting[0]
        with pytest.raises(StaleVersion, match="The game was rewound"):
            await table.act(seat, table.match.legal(seat)[0], then.version(seat))
        with pytest.raises(ValueError, match="There is no position"):
            snapshot_of(table, 1, 999)
        assert snapshot_of(table, 1, 0).position == 0
        await first(table, 3)
        # The rules decide for whoever is due, who may be absent.
        late = table.match.acting[0]
        with pytest.raises(CannotBeDone, match="no decision to make"):
            await controls(table, "ada").apply_default((late + 1) % 3)
        await controls(table, "ada").apply_default(late)
        assert table.action_log.viewer_log.by_clock == [table.match.ply - 1]
        await other._catch_up()
        same(table, other)
        same(table, tables.rebuild(table.id))
        numbers = [entry[0] for entry in table.log_entries(1)]
        assert numbers == sorted(numbers)
        assert snapshot_of(table, 1, 1).events[-1].position <= 1
        record = json.loads(json.dumps(table.record()))
        assert len(record["host_commands"][0]["taken_back"]) == 4
        assert check_taken_back(Match.from_record(record), record) == (2, 4, 0)


async def test_a_stream_and_a_program_follow_a_table_that_goes_back(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await ponzi(tables)
        await first(table, 4)
        program, page = ProgramStream(table, 1, StreamPosition()), PageStream(table, 1, StreamPosition())
        table.viewers.channel(1, table.version(1)).streams.update({program, page})
        program.make(), page.make()
        seen = program.place
        await controls(table, "ada").rewind(1)
        news, shown = program.make().decode(), page.make().decode()
        data = json.loads(news.split("data: ")[1])
        assert data["version"] == table.version(1) >= versions.SIZE
        assert [event["name"] for event in data["events"]] == ["rewound"]
        assert data["acting"] == [table.match.acting[0]]
        assert "rewound the game" in shown
        # Whoever was away meanwhile is told as well, and once.
        lost = StreamPosition(seen.version, seen.people, len(table.log_entries(1)) - 1)
        again = ProgramStream(table, 1, lost).make().decode()
        assert again.count('"name":"rewound"') == 1
        place = StreamPosition.parse(again.split("\n")[0].removeprefix("id: "))
        assert ProgramStream(table, 1, place)._sent == len(table.log_entries(1))


async def test_while_a_table_is_paused_nothing_is_played_and_the_time_left_is_kept(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await ponzi(tables, clock=60)
        time.passes(25)
        with pytest.raises(NotTheHost):
            await controls(table, "cy").pause()
        await controls(table, "ada").pause()
        assert (table.clock.state.deadline, table.clock.state.left) == (None, 35_000)
        time.passes(1000)
        await tables.keeper.tick()
        assert table.match.ply == 0
        seat = table.match.acting[0]
        with pytest.raises(TableIsPaused, match="paused"):
            await first(table)
        assert table.visibility.legal(seat, table.names) == []
        with pytest.raises(NotTheHost):
            await controls(table, "ben").resume()
        await controls(table, "ada").extend(40)
        copy = tables.rebuild(table.id)
        assert copy.clock.state == table.clock.state
        await controls(table, "ada").resume()
        assert table.clock.state.deadline == time.ms + 75_000
        await first(table)
        said = told(table)
        begun = said.index("The host paused the game.")
        assert said[begun : begun + 3] == [
            "The host paused the game.",
            "The host added time: 40 seconds.",
            "The host resumed the game.",
        ]
        # A pause that all agree on needs no host, and ends when anybody has had enough of it.
        await controls(table, "ben").propose("pause")
        await controls(table, "ada").answer("pause", True)
        assert not table.clock.paused
        await controls(table, "cy").answer("pause", True)
        assert table.clock.paused
        await controls(table, "cy").resume()
        assert told(table)[-4:] == [
            "Ada agreed.",
            "Cy agreed.",
            "Everyone agreed to pause.",
            "Cy resumed the game.",
        ]
        await controls(table, "ben").propose("pause")
        await controls(table, "cy").answer("pause", False)
        with pytest.raises(CannotBeDone, match="declined"):
            await controls(table, "ben").propose("pause")
        same(table, tables.rebuild(table.id))


async def test_a_phase_is_closed_and_nobody_learns_who_was_missing_by_asking_for_one(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        await table.sit(1, "ben", "Ben")
        await do(table, 1, "bid 2")
        await do(table, 1, "confirm")
        for seat in (0, 1, 2):
            with pytest.raises(CannotBeDone, match="would reveal who has not submitted"):
                await controls(table, "ada").apply_default(seat)
        await controls(table, "ada").close()
        assert table.match.view(None)["score"] == [0, 1, 0]
        assert told(table)[0] == "The host closed the phase. Default moves were applied."
        assert table.action_log.viewer_log.by_clock == [2, 3]
        # To begin anew takes every submission back, and none of what was in them is told.
        await do(table, 0, "bid 3")
        await do(table, 0, "confirm")
        receipt = table.visibility.receipt(0)
        await controls(table, "ada").rewind(1)
        assert table.visibility.receipt(0) is None
        everything = json.dumps([table.visibility.seals_for(v) for v in (None, 0, 1)]) + str(
            [table.events(v) for v in (None, 1)]
        )
        assert receipt.nonce not in everything
        assert receipt.commitment not in everything
        same(table, tables.rebuild(table.id))
        # In the record it is to be found, and to be checked.
        record = json.loads(json.dumps(table.record()))
        assert check_taken_back(table.match, record) == (2, 2, 1)
        older = {name: value for name, value in record.items() if name != "host_commands"}
        assert check_taken_back(table.match, older | {"acts": record["host_commands"]}) == (2, 2, 1)
        for place, wrong in ((1, "bid 2"), (1, "nonsense"), (2, "0" * 64), (3, "00")):
            changed = json.loads(json.dumps(record))
            changed["host_commands"][1]["taken_back"][-1][place] = wrong
            with pytest.raises(BadRecord, match="which was taken back"):
                check_taken_back(table.match, changed)
        for wrong in (None, [3], [{"taken_back": []}], [{"back_to": 99, "taken_back": []}]):
            with pytest.raises(BadRecord, match="malformed"):
                check_taken_back(table.match, record | {"host_commands": wrong})
        await controls(table, "ada").replace_player(1, "policy")
        assert table.seats[1].kind == "bot"
        assert table.seat_of("ben") is None
        code = await controls(table, "ada").replace_player(1, None)
        assert table.open_seats == [2]
        await table.sit(1, "dan", "Dan", code=code)
        await controls(table, "ada").hand_over(1)
        assert not table.host.is_visitor("ada")
        assert (table.host.is_visitor("dan"), table.host.seat) == (True, 1)
        assert told(table)[-1] == "Dan is now the host."
        copy = tables.rebuild(table.id)
        assert copy.host.is_visitor("dan")
        same(table, copy)


async def test_an_action_is_taken_back_when_all_agree_and_only_where_nothing_was_learnt(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await ponzi(tables)
        offers = 0
        # A fund is taken, and another one is turned up by chance: that cannot be undone.
        await first(table)
        assert not any(can_take_back(table, seat) for seat in range(3))
        while not table.match.over and offers == 0:
            seat = table.match.acting[0]
            chosen = next((a for a in table.match.legal(seat) if a.text.startswith("offer")), None)
            chosen = chosen or table.match.legal(seat)[-1]
            before = table.match.record()
            await do(table, seat, chosen)
            if chosen.text.startswith("offer") and can_take_back(table, seat):
                offers += 1
                holders = ["ada", "ben", "cy"]
                requester = holders.pop(seat)
                await controls(table, requester).propose("takeback")
                with pytest.raises(CannotBeDone, match="not been asked"):
                    await controls(table, requester).answer("takeback", True)
                await controls(table, holders[0]).answer("takeback", True)
                assert table.match.record() != before
                await controls(table, holders[1]).answer("takeback", True, table.version(table.seat_of(holders[1])))
                assert table.match.record() == before
                same(table, tables.rebuild(table.id))
                # Asked for again, it goes with the next action.
                await do(table, seat, chosen)
                await controls(table, requester).propose("takeback")
                await do(table, seat, table.match.legal(seat)[3])
                assert table.action_log.proposals.open == {}
                # The price in the envelope is a secret of two by now.
                assert not any(can_take_back(table, one) for one in range(3))
        assert offers == 1


async def test_against_bots_alone_the_last_decision_is_taken_back_at_once_with_what_bots_did_since(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        bots = [SeatPlan("me", "Ada"), SeatPlan("bot", "Max", "easy"), SeatPlan("bot", "Moe", "easy")]
        table = await tables.create("ponzi-scheme", bots, {}, seed=1, holder="ada")
        before, answered = None, 0
        while answered == 0 and table.match.ply < 200:
            seat = table.match.acting[0]
            if seat == 0 and has_choice(table.match, 0):
                before = table.match.record()
            passes = next((a for a in table.match.legal(seat) if a.text == "pass"), table.match.legal(seat)[-1])
            chance = table.match.state_copy()["rng"].tobytes()
            await do(table, seat, passes)
            assert not can_take_back(table, 1)
            if table.match.state_copy()["rng"].tobytes() != chance:
                assert not can_take_back(table, 0)
            if seat != 0 and before is not None and can_take_back(table, 0):
                answered += 1
                assert snapshot_of(table, 0).table_status.alone
                await controls(table, "ada").propose("takeback")
                assert table.match.record() == before
                assert table.action_log.proposals.open == {}
                assert told(table)[-1] == "Ada's last move was undone."
                same(table, tables.rebuild(table.id))
        assert answered == 1


async def test_a_takeback_passes_over_what_everybody_knows_to_have_been_forced(tmp_path):
    """Otherwise the page would play the forced action again at once, and offer to undo it again."""
    async with tables_with_time(tmp_path) as (tables, _time):
        bots = [SeatPlan("me", "Ada"), SeatPlan("bot", "Max", "easy"), SeatPlan("bot", "Moe", "easy")]
        table = await tables.create("ponzi-scheme", bots, {}, seed=1, holder="ada")
        forced_last = 0
        while not table.match.over and forced_last < 3:
            seat = table.match.acting[0]
            forced = seat == 0 and not has_choice(table.match, 0)
            passes = next((a for a in table.match.legal(seat) if a.text == "pass"), table.match.legal(seat)[-1])
            await do(table, seat, passes)
            ply = taken_back_to(table, 0)
            assert ply is None or has_choice(table.match.at(ply), 0)
            forced_last += forced
        assert forced_last == 3


async def test_a_successor_is_invited_and_has_a_name_of_their_own(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        await table.sit(1, "ben", "Ben")
        await do(table, 1, "gift 0")
        old = await controls(table, "ada").replace_player(1, None)
        assert told(table)[-1] == "The host removed Ben and invited someone to take over as player 2."
        code = await controls(table, "ada").replace_player(1, None)
        assert told(table)[-1] == "The host invited someone to join as player 2."
        assert (table.open_seats, table.seats[1].reserved, table.seating.seat_of_token(code)) == ([2], True, None)
        for stranger in (None, old, "nothing"):
            with pytest.raises(SeatTaken, match="reserved for a player the host invited"):
                await table.sit(1, "eve", "Eve", code=stranger)
        for taken in ("Ben", "ben"):
            with pytest.raises(SeatTaken, match="is already taken at this table"):
                await table.sit(1, "dan", taken, code=code)
        assert await tables.rebuild(table.id).sit(1, "dan", "Dan", code=code) is None
        table.fall_behind()
        await table.refresh()
        await do(table, 1, "gift 0")
        # What Ben did keeps his name, what Dan does has his.
        said = [text for text in told(table) if not text.startswith("The host")]
        assert [text.partition(":")[0] for text in said] == ["Ben", "Dan"]
        assert told(table) == told(tables.rebuild(table.id))
        # A bot that comes in has a name of its own, too.
        await controls(table, "ada").replace_player(1, "policy")
        assert table.names[1] not in ("Ben", "Dan")


async def test_an_account_that_is_invited_sits_down_and_nobody_else(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        await table.sit(1, "ben", "Ben")
        grace = Account("id", "Grace", "grace", None, None, 0)
        assert await controls(table, "ada").replace_player(1, None, grace) is None
        assert [table.seating.reserved_for(one) for one in ("grace", "eve")] == [1, None]
        assert table.seat_of("grace") is None
        with pytest.raises(SeatTaken, match="reserved"):
            await table.sit(1, "eve", "Eve")
        assert table.id in [row.id for row in await tables.own_tables("grace")]
        await table.sit(1, "grace", "Grace")
        assert table.seat_of("grace") == 1


async def test_a_new_code_for_a_seat_is_told_to_nobody_else(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        await table.sit(1, None, "Ben")
        channels = {viewer: Channel(table.version(viewer)) for viewer in (None, 0, 1)}
        table.viewers.channels.update(channels)
        woken = []
        for viewer, channel in channels.items():
            channel.wake = channel.resend_status = lambda viewer=viewer: woken.append(viewer)
        people = table.viewers.people
        await give_code(table, 1)
        assert (woken, table.viewers.people) == ([], people)


async def test_a_proposal_to_pause_ends_with_the_game(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        await table.sit(1, "ben", "Ben")
        await controls(table, "ben").propose("pause")
        while not table.match.over:
            for seat in table.match.acting:
                await do(table, seat, "confirm")
        assert table.action_log.proposals.open == {}
        assert snapshot_of(table, 0).table_status.questions == []
        same(table, tables.rebuild(table.id))


async def test_a_proposal_is_withdrawn_when_those_who_were_asked_change(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await ponzi(tables)
        await controls(table, "ada").propose("pause")
        await controls(table, "ben").answer("pause", agrees=True)
        assert table.action_log.proposals.open["pause"].agreed == {1}
        # Nobody who is left could answer, so it would stay open for ever.
        await controls(table, "ada").replace_player(2, "policy")
        assert snapshot_of(table, 0).table_status.questions == []
        same(table, tables.rebuild(table.id))
        await controls(table, "ada").propose("pause")
        await controls(table, "ben").answer("pause", agrees=True)
        assert table.clock.paused
        shown = {viewer: snapshot_of(table, viewer).table_status for viewer in (0, None)}
        assert shown[0].agreed
        assert shown[None].agreed


async def test_whoever_keeps_a_seat_stays_present_when_another_one_changes(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await ponzi(tables)
        for seat in (0, 2):
            table.seats[seat].present = True
        await controls(table, "ada").replace_player(2, "policy")
        assert [seat.present for seat in table.seats] == [True, False, True]
        await controls(table, "ada").replace_player(1, None)
        assert [seat.present for seat in table.seats] == [True, False, True]


@pytest.mark.parametrize("absent", ["bot:policy", "resign:policy"])
async def test_a_bot_comes_in_for_whoever_was_absent_until_they_are_back_or_for_good(tmp_path, absent):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await ponzi(tables, clock=60, absent=absent)
        late = table.match.acting[0]
        holder = ["ada", "ben", "cy"][late]
        time.passes(60)
        await tables.keeper.tick()
        assert table.action_log.viewer_log.by_clock == [0]
        kinds = [seat.kind for seat in table.seats]
        # Nobody else was absent: nothing was due from them.
        assert [seat.player for seat in table.seats if seat.number != late] == [None, None]
        assert table.seats[late].player == "policy"
        same(table, tables.rebuild(table.id))
        if absent.startswith("resign"):
            assert kinds[late] == "bot"
            assert table.seat_of(holder) is None
            assert "takes over the seat" in told(table)[-1]
            # The bot has kept the player's name, but does not bring it to another game.
            others = [name for number, name in enumerate(table.names) if number != late]
            plans, _reserved = places_again(table, [0] if late else [1])
            assert plans[late].kind == "bot"
            assert plans[late].name is None
            assert [plan.name for plan in plans if plan.kind == "me"] == others[:1]
            return
        assert kinds == ["person"] * 3
        assert table.seat_of(holder) == late
        assert "is playing for" in told(table)[-1]
        while sum(seat == late for seat, _ in table.match.history) <= 2:
            assert not table.match.over
            if late in table.match.acting:
                await asyncio.sleep(0.01)  # the bot's move
            else:
                await first(table)
        await controls(table, holder).back()
        assert table.seats[late].player is None
        assert told(table)[-1].endswith("is back.")
