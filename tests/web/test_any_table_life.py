"""Tables at which anything is done by players, hosts and the clock: they stay as they are stored, and go on."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest
from tests.web.helpers.clock import tables_with_time
from tests.web.helpers.databases import BOTH

from pyramidion import IllegalAction, Match
from pyramidion.engine import registry
from pyramidion.engine.seals import check_seals
from pyramidion.engine.takeback_records import check_taken_back
from pyramidion.web.errors import Refused
from pyramidion.web.features.host_controls.console import console_of
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.features.host_controls.transcript import transcript
from pyramidion.web.table.log.proposals import WHAT
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import TableSettings, plays_in_parts
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table.table import Table

pytestmark = [
    pytest.mark.parametrize("database", BOTH[:1], indirect=True),
    pytest.mark.usefixtures("outside", "database"),
]
GAMES = ["ponzi-scheme", "pyramid-scheme", "pyramid-shambo", "pyramis", "upside-down", "downside-up", "silent-auction"]


def settings_for(game: str, chance: random.Random) -> TableSettings:
    """Return settings that the game can have."""
    clock = chance.choice([None, 30, 3600])
    parts = plays_in_parts(registry.load(game)) and clock is not None
    return TableSettings(
        clock=clock,
        absent=chance.choice([None, "bot:random", "resign:random"]) if clock else None,
        close_early=not (parts and chance.random() < 0.4),
        host_releases=parts and game in ("upside-down", "downside-up") and chance.random() < 0.6,
        pregame=chance.choice([None, 20]) if clock else None,
        bot_pace="instant",
    )


async def something(table: Table, chance: random.Random, time: Any) -> None:
    """Do something that may be refused."""
    seats = range(table.match.seats)
    host = Requester(table.host.seat if table.host.plays else None, host=True)
    requester = host if chance.random() < 0.5 else Requester(chance.choice([None, *seats]), host=False)
    controls, seat = HostControls(table, requester), chance.choice([*seats, 99])
    kind = chance.random()
    if table.clock.state.paused is not None and chance.random() < 0.5:
        await HostControls(table, host).resume()
    elif kind < 0.55:
        due = [one for one in seats if table.visibility.legal_ids(one)]
        one = chance.choice(due or [0])
        legal = table.visibility.legal_ids(one) or [0]
        version = table.version(one) - (chance.random() < 0.05)
        await table.act(one, chance.choice(legal), version, by_bot=False)
    elif kind < 0.65:
        time.passes(chance.choice([1, 10, 31, 3600, 90_000]))
        await table.time_up()
    elif kind < 0.8:
        await chance.choice(
            [
                controls.pause,
                controls.resume,
                controls.resume,
                controls.resume,
                controls.close,
                controls.back,
                controls.release,
                controls.release,
                lambda: controls.release(everything=True),
                lambda: controls.extend(chance.choice([1, 60, 10**6])),
                lambda: controls.apply_default(seat),
            ]
        )()
    elif kind < 0.92:
        what, version = chance.choice([*WHAT]), chance.choice([None, 0])
        await chance.choice(
            [
                lambda: controls.propose(what, version),
                lambda: controls.answer(what, True, version),
                lambda: controls.answer(what, chance.random() < 0.5),
            ]
        )()
    elif kind < 0.95:
        await controls.rewind(max(-1, table.steps.number - chance.randrange(4)))
    elif kind < 0.98:
        bot = chance.choice([None, "random", "random", "nobody"])
        await controls.replace_player(seat, bot)
        if bot is None:
            await table.sit(seat, f"new{time.ms}-{seat}", f"N{chance.randrange(10**6)}")
    else:
        await controls.hand_over(seat)


def looks(table: Table) -> dict[Any, Any]:
    """Return what everybody sees of a table, and what the server knows of it."""
    viewers = (None, *range(table.match.seats))
    return {
        "record": table.match.record(),
        "length": table.action_log.length,
        "clock": table.clock.state,
        "names": table.names,
        "host": table.host.row,
        "rows": list(table.seating.rows),
        "commands": list(table.commands),
        "proposals": {what: (one.seat, one.agreed) for what, one in table.action_log.proposals.open.items()},
        **{
            viewer: (
                table.match.redacted(viewer),
                table.version(viewer),
                table.visibility.due(viewer),
                json.loads(wire.events(table, viewer, 0)[0]),
                json.loads(wire.legal(table, viewer)) if viewer is not None else None,
            )
            for viewer in viewers
        },
    }


def check(table: Table, again: Table) -> None:
    """Check that a table is as it is stored, can be shown to everybody, and goes on."""
    seen = looks(table)
    assert seen == looks(again)
    for viewer in (None, *range(table.match.seats)):
        shown = snapshot_of(table, viewer)
        assert shown.version == table.version(viewer)
        assert transcript(table, viewer)
    console_of(table, Requester(table.host.seat if table.host.plays else None, host=True))
    state = table.clock.state
    if table.match.over or state.paused is not None or table.clock.releasing:
        return
    due = table.visibility.due(None)
    assert due or state.deadline is not None, "nobody can go on"
    if due and not table.steps.simultaneous:
        assert all(table.visibility.legal_ids(seat) for seat in due)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
async def test_a_table_stays_as_it_is_stored_and_goes_on(tmp_path, game, seed):
    chance = random.Random(f"{game} {seed}")
    count = 3 if game == "silent-auction" else registry.load(game).usual_seats
    async with tables_with_time(tmp_path) as (tables, time):
        table = await tables.create(
            game, [SeatPlan("me"), *[SeatPlan("open")] * (count - 1)], {}, settings_for(game, chance), holder="p0"
        )
        for seat in range(1, count):
            await table.sit(seat, f"p{seat}", f"P{seat}")
        done = 0
        for _step in range(100):
            time.passes(0.5)
            try:
                await something(table, chance, time)
                done += 1
            except (Refused, IllegalAction):
                pass
            for _look in range(3):
                await asyncio.sleep(0)
            await table.refresh()
            async with table._lock:
                check(table, tables.rebuild(table.id))
            if table.match.over:
                break
        assert done > 10
        if table.match.over:
            record = table.record()
            match = Match.from_record({name: record[name] for name in record if name not in ("seals", "origin")})
            if "seals" in record:
                check_seals(match, record)
            if "host_commands" in record:
                check_taken_back(match, record)
