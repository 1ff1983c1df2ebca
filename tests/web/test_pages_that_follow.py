"""What a table's page says of a pause, of steps taken back and of positions in a replay, in every game."""

import re

import pytest
from markupsafe import escape
from tests.web.helpers.clock import tables_with_time
from tests.web.helpers.creating import with_settings

import pyramidion
from pyramidion import translation
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.pages.renderer import render_fragment
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.snapshots.snapshot import snapshot_of

GAMES = [one.id for one in pyramidion.all_games().values() if one.folder.parent.name == "games"]
HOST = Requester(0, host=True)


async def table_of(tables, game_id, **more):
    """A table of Ada, who is the host, and as many others as the game usually has."""
    count = pyramidion.load(game_id).usual_seats
    plans = [SeatPlan("me", "Ada"), *[SeatPlan("open")] * (count - 1)]
    table = await tables.create(game_id, plans, {}, seed=1, holder="ada", **with_settings(more))
    for seat in range(1, count):
        await table.sit(seat, f"holder-{seat}", f"Player no. {seat + 1}")
    return table


async def play(table, count):
    for _ in range(count):
        seat = table.match.acting[0]
        action = table.match.timeout(seat) if table.steps.simultaneous else table.match.legal(seat)[-1]
        await table.act(seat, action, table.version(seat))


def headline(html):
    return re.search(r'<h1 id="headline"[^>]*><span[^>]*>(.*?)</span>', html, re.DOTALL)[1].strip()


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_paused_table_says_so_and_by_whom_and_offers_nothing_to_play(tmp_path, game_id):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await table_of(tables, game_id, clock=60)
        await play(table, 3)
        await HostControls(table, HOST).pause()
        for viewer in (None, *range(table.match.seats)):
            html = render_fragment(snapshot_of(table, viewer))
            assert headline(html) == "Game paused"
            assert "The host paused the game." in html
            assert "Only the host can resume the game" in html
            assert not re.search(r'<(button|input)[^>]*form="(act|hinting)"(?! value="\d+">)', html)
            assert 'name="version" form="act"' in html
        await HostControls(table, HOST).resume()
        html = render_fragment(snapshot_of(table, table.match.acting[0]))
        assert re.search(r'<button[^>]*form="act"', html)
        assert headline(html) != "Game paused"


@pytest.mark.parametrize("game_id", GAMES)
async def test_after_a_step_back_a_page_tells_only_what_stands(tmp_path, game_id):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await table_of(tables, game_id)
        while len(table.action_log.starts) < 5:
            await play(table, 1)
        step = 2
        then = table.match.at(table.action_log.starts[step])
        said = {v: len(then.events(v)) for v in (None, 0, 1)}
        before = {v: len(table.events(v)) for v in (None, 0, 1)}
        assert before[None] > said[None]
        assert table.action_log.viewer_log.undone(None) == frozenset()
        await HostControls(table, HOST).rewind(step)
        for viewer in (None, 0, 1):
            undone = table.action_log.viewer_log.undone(viewer)
            assert undone == set(range(said[viewer], before[viewer]))
            clock_state = [one.text for n, one in enumerate(table.events(viewer)) if n not in undone]
            names = table.names
            assert clock_state == [one.text for one in then.events(viewer, names=names)] + [clock_state[-1]]
            assert "rewound the game" in clock_state[-1]
            panels = re.sub(r'<ol class="recent".*', "", render_fragment(snapshot_of(table, viewer)), flags=re.DOTALL)
            again = snapshot_of(tables.rebuild(table.id), viewer)
            as_then = re.sub(r'<ol class="recent".*', "", render_fragment(again), flags=re.DOTALL)
            assert panels == as_then
            for number in undone:
                assert (text := table.events(viewer)[number].text) in clock_state or str(escape(text)) not in panels
        # What is played anew stands, and earlier positions keep their own.
        await play(table, 2)
        assert table.action_log.viewer_log.undone(None) == set(range(said[None], before[None]))
        assert snapshot_of(table, None, 0).events == [one for one in table.events(None) if one.position == 0]
        # Going back further takes that back, too.
        again = len(table.events(None))
        await HostControls(table, HOST).rewind(0)
        assert table.action_log.viewer_log.undone(None) >= set(range(len(table.match.events(None)), before[None]))
        acts = [n for n, one in enumerate(table.events(None)) if one.name == "rewound"]
        assert not table.action_log.viewer_log.undone(None) & set(acts)
        assert len(acts) == 2
        assert again < len(table.events(None))


async def test_a_program_without_a_name_is_called_so_in_the_language_of_the_reader(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        with translation.in_language("fr"):
            plans = [SeatPlan("open"), SeatPlan("open"), SeatPlan("bot", None, "policy")]
            table = await tables.create("ponzi-scheme", plans, {}, seed=1)
            await table.sit(0, None, None)
            await table.sit(1, None, None)
            assert table.names[:2] == ["Joueur 1", "Joueur 2"]
        for one in (table, tables.rebuild(table.id)):
            assert [row.name for row in one.seating.rows[:2]] == [None, None]
            assert one.names[:2] == ["Player 1", "Player 2"]
            assert "Player 2" in render_fragment(snapshot_of(one, 0))
