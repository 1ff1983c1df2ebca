"""Tests of tables: restored after restarts, in step with the database, and never duplicated in memory."""

import asyncio
import gc

import pytest
import sqlalchemy as sa
from tests.web.helpers.databases import BOTH
from tests.web.helpers.tables import execute, open_tables, play, started

from pyramidion import IllegalAction
from pyramidion.web.db.schema import MATCHES, PLIES, SEATS
from pyramidion.web.db.writer import Ply
from pyramidion.web.errors import CannotGoOn, NotSaved, SeatTaken, StaleVersion, UnknownTable
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.snapshots.snapshot import snapshot_of

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("database"),
]


async def test_a_table_is_rebuilt_as_it_was(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables, seed="s", title="Kept", options={"advanced": True})
        await table.sit(1, "other", "Blaise")
        for _ in range(5):
            await play(table)
        expected = table.id, table.match.record(), table.names, table.version(None)
    async with open_tables(tmp_path) as tables:
        first, second = await asyncio.gather(tables.get(table.id), tables.get(table.id))
        assert first is second
        assert (first.seat_of("someone"), first.seat_of("other"), first.seat_of("stranger")) == (0, 1, None)
        assert first.title == "Kept"
        assert first.seeded
        assert (first.id, first.match.record(), first.names, first.version(None)) == expected


@pytest.mark.parametrize("seed", [7, "7", None])
async def test_a_seed_is_kept_as_number_or_text(tmp_path, seed):
    async with open_tables(tmp_path) as tables:
        table = await started(tables, seed=seed)
        assert table.seeded is (seed is not None)
        kept = table.match.seed
        match = tables.rebuild(table.id).match
        assert match.seed == kept
        assert type(match.seed) is type(kept)


async def test_few_tables_stay_in_memory_and_the_others_come_back(tmp_path):
    async with open_tables(tmp_path, keep=2) as tables:
        ids = []
        for _ in range(5):
            table = await started(tables)
            await play(table)
            ids.append(table.id)
        held = await tables.get(ids[0])
        del table
        gc.collect()
        assert tables.in_memory == 3 - (held.id in tables._recent)
        for table_id in ids:
            assert (await tables.get(table_id)).match.ply == 1
        # Whoever still holds a table, such as an open stream, holds the one that everybody gets.
        assert await tables.get(ids[0]) is held


async def test_another_version_of_the_rules_is_said_plainly_and_spares_other_tables(tmp_path):
    async with open_tables(tmp_path, keep=1) as tables:
        old, new = (await started(tables)).id, (await started(tables)).id
        gc.collect()
        execute(tables.store, sa.update(MATCHES).where(MATCHES.c.id == old).values(rules_version="0"))
        with pytest.raises(CannotGoOn, match="cannot continue: it was started with version 0 of the rules"):
            await tables.get(old)
        assert (await tables.get(new)).match.ply == 0


async def test_a_table_of_an_earlier_version_of_the_rules_goes_on_under_it(tmp_path):
    async with open_tables(tmp_path, keep=1) as tables:
        old = await started(tables)
        seat = await play(old)
        table_id, now = old.id, old.match.rules_version
        del old
        await started(tables)
        gc.collect()
        execute(tables.store, sa.update(MATCHES).where(MATCHES.c.id == table_id).values(rules_version="1"))
        again = await tables.get(table_id)
        assert now > 1
        assert again.match.rules_version == again.match.record()["rules_version"] == 1
        assert again.match.history[0][0] == seat
        assert await play(again) != seat


async def test_a_table_begun_under_earlier_rules_keeps_them(tmp_path):
    """Upside Down's first version read its rule on void challenges from the bottom up, which is an option now."""

    async with open_tables(tmp_path, keep=1) as tables:
        seats = [SeatPlan("me"), *[SeatPlan("open")] * 9]
        old = (await tables.create("upside-down", seats, {}, holder="someone")).id
        await started(tables)
        gc.collect()
        was = MATCHES.c.id == old
        execute(tables.store, sa.update(MATCHES).where(was).values(rules_version="1", options="{}"))
        table = await tables.get(old)
        assert table.match.options["challenges"] == "bottom-up"
        assert table.match.record()["options"]["challenges"] == "bottom-up"


NOT_LEGAL = "action 2 in the database is not legal"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (sa.update(MATCHES).values(game="gone"), "gone is not installed"),
        (sa.update(MATCHES).values(options='{"round_limit": 999}'), "round_limit must be"),
        (
            sa.update(PLIES).where(PLIES.c.ply == 1).values(action="fund media 80"),
            NOT_LEGAL,
        ),
        (sa.update(PLIES).where(PLIES.c.ply == 1).values(action="nonsense"), NOT_LEGAL),
        (sa.delete(PLIES).where(PLIES.c.ply == 1), "action 2 is missing"),
    ],
)
async def test_a_match_that_was_tampered_with_cannot_go_on(tmp_path, change, sentence):
    async with open_tables(tmp_path, keep=1) as tables:
        table = await started(tables)
        for _ in range(3):
            await play(table)
        table_id = table.id
        del table
        await started(tables)
        gc.collect()
        execute(tables.store, change)
        with pytest.raises(CannotGoOn, match=sentence):
            await tables.get(table_id)


async def test_an_action_that_cannot_be_saved_is_not_made(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables)
        execute(tables.store, sa.text("ALTER TABLE plies RENAME TO elsewhere"))
        with pytest.raises(NotSaved, match="could not be saved and was not played"):
            await play(table)
        assert (table.match.ply, table.version(0)) == (0, 0)
        execute(tables.store, sa.text("ALTER TABLE elsewhere RENAME TO plies"))
        await play(table)
        assert table.match.ply == 1


async def test_a_table_and_a_seat_that_cannot_be_saved_do_not_come_about(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables)
        execute(tables.store, sa.text("ALTER TABLE seats RENAME TO elsewhere"))
        with pytest.raises(NotSaved, match="Your seat could not be saved"):
            await table.sit(1, "other", "Blaise")
        assert table.seats[1].kind == "open"
        with pytest.raises(NotSaved, match="The table could not be created"):
            await started(tables)
        execute(tables.store, sa.text("ALTER TABLE elsewhere RENAME TO seats"))
        with tables.store.engine.connect() as connection:
            assert connection.execute(sa.select(sa.func.count()).select_from(MATCHES)).scalar() == 1


async def test_what_another_server_has_written_is_taken_over_not_written_over(tmp_path):
    async with open_tables(tmp_path) as tables, open_tables(tmp_path) as others:
        table = await started(tables)
        same = await others.get(table.id)
        seat = table.match.acting[0]
        await same.sit(1, "other", "Blaise")
        await play(same)
        with pytest.raises(StaleVersion) as stale:
            await table.act(seat, table.match.legal(seat)[1], 0)
        assert stale.value.more == {"version": 1}
        assert table.match.record() == same.match.record()
        assert table.names[1] == "Blaise"
        with pytest.raises(SeatTaken):
            await table.sit(1, "third", "Clara")
        await play(table)
        assert tables.store.plies(table.id)[-1][0] == 1


async def test_a_seat_that_another_server_has_given_away_is_taken(tmp_path):
    async with open_tables(tmp_path) as tables, open_tables(tmp_path) as others:
        table = await started(tables)
        await (await others.get(table.id)).sit(1, "other", "Blaise")
        with pytest.raises(SeatTaken, match="just taken that seat"):
            await table.sit(1, "third", "Clara")
        await table.refresh()
        assert table.names[1] == "Blaise"


async def test_an_action_whose_asker_goes_away_while_it_is_being_saved_is_not_lost(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables)
        acting = asyncio.create_task(play(table))
        await asyncio.sleep(0)
        acting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await acting
        assert table.behind
        while not tables.store.plies(table.id):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        table = await tables.get(table.id)
        assert table.match.ply == 1
        await play(table)


async def test_actions_at_one_table_come_one_after_the_other(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables)
        seat = table.match.acting[0]
        made = await asyncio.gather(*(table.act(seat, "pass", 0) for _ in range(10)), return_exceptions=True)
        assert [type(one) for one in made[1:]] == [StaleVersion] * 9
        assert table.match.ply == 1


async def test_a_part_of_a_submission_that_comes_too_late_is_stale_and_not_against_the_rules(tmp_path):
    async with open_tables(tmp_path) as tables:
        plan = [SeatPlan("me"), *[SeatPlan("open")] * 9]
        table = await tables.create("upside-down", plan, {}, holder="someone", seed="s")
        await table.act(0, "confirm", table.version(0))
        chosen = table.version(0)
        for seat in range(1, 10):
            await table.act(seat, "confirm", table.version(seat))
        ply = table.match.ply
        with pytest.raises(StaleVersion) as stale:
            await table.act(0, "bid 3", chosen)
        assert stale.value.more == {"version": table.version(0)}
        with pytest.raises(IllegalAction):
            await table.act(0, "bid 3", table.version(0))
        assert table.match.ply == ply


async def test_a_holder_finds_their_tables_again(tmp_path):
    async with open_tables(tmp_path) as tables:
        first = await started(tables, title="First", options={"round_limit": 1})
        second = await started(tables, title="Second")
        assert await tables.own_tables("nobody") == []
        await second.sit(2, "other", None)
        assert [row.title for row in await tables.own_tables("other")] == ["Second"]
        assert {row.title for row in await tables.own_tables("someone")} == {"First", "Second"}
        while not first.match.over:
            seat = first.match.acting[0]
            await first.act(seat, first.match.legal(seat)[0], first.version(seat))
        while not {row.title: row.finished for row in await tables.own_tables("someone")}["First"]:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_earlier_positions_are_as_they_were_seen_and_open_only_at_the_end(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables, options={"round_limit": 2}, seed=2)
        seen = {viewer: [snapshot_of(table, viewer).view] for viewer in (None, 0, 1, 2)}
        while not table.match.over:
            with pytest.raises(ValueError, match="only after the game"):
                snapshot_of(table, 0, everything=True)
            seat = table.match.acting[0]
            legal = table.match.legal(seat)
            await table.act(seat, legal[min(1, len(legal) - 1)], table.version(seat))
            for viewer, views in seen.items():
                if table.version(viewer) == len(views):
                    views.append(snapshot_of(table, viewer).view)
        for viewer, views in seen.items():
            assert [snapshot_of(table, viewer, n).view for n in range(len(views))] == views
            assert [snapshot_of(table, viewer, n).position_is_current for n in (0, len(views) - 1)] == [False, True]
            assert snapshot_of(table, viewer, 0).legal == []
            events = snapshot_of(table, viewer).events
            for n in range(len(views)):
                past = snapshot_of(table, viewer, n)
                assert past.events == [event for event in events if event.position <= n]
            with pytest.raises(ValueError, match="There is no position"):
                snapshot_of(table, viewer, len(views))
        everything = [snapshot_of(table, 1, n, everything=True) for n in range(table.match.ply + 1)]
        assert everything[-1].position_is_current
        paid = [one for one in everything if any(p["wheel"] for p in one.view["players"])]
        assert paid
        assert all(None not in [p["cash"] for p in one.view["players"]] for one in everything)
        for n, one in enumerate(everything):
            assert [snapshot_of(table, v, n, everything=True).view for v in (None, 0, 2)] == [one.view] * 3


async def test_unknown_ids_are_not_looked_up(tmp_path):
    async with open_tables(tmp_path) as tables:
        for table_id in ("", "x", "o" * 22, "../" * 7 + "x", "2" * 22):
            with pytest.raises(UnknownTable, match="There is no table"):
                await tables.get(table_id)


async def test_what_is_stored_of_a_token_does_not_open_a_seat(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables)
        token = await table.sit(1, None, "Program")
        assert table.seating.seat_of_token(token) == 1
        with tables.store.engine.connect() as connection:
            rows = connection.execute(sa.select(SEATS)).all()
        assert token not in str(rows)
        if tables.store.sqlite:
            assert token.encode() not in (tmp_path / "data.sqlite3-wal").read_bytes()
        assert table.seating.seat_of_token("") is None


async def test_late_plies_of_the_writer_do_not_disturb(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await started(tables)
        seat = table.match.acting[0]
        # Somebody else's ply arrives in the database between the check and the write.
        await tables.writer.write(Ply(table.id, 0, seat, "pass", 1))
        with pytest.raises(StaleVersion):
            await table.act(seat, "pass", 0)
        assert table.match.ply == 1
        assert not table.behind
