"""Tests of leaving a table for good: a bot plays on, the host's role passes on, and a rated game is lost."""

from contextlib import closing
from types import SimpleNamespace

import pytest
from tests.web.conftest import Person, serving
from tests.web.helpers.host_controls import controls, ponzi, told
from tests.web.helpers.tables import open_tables

from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.store import SeatRow
from pyramidion.web.errors import CannotBeDone, NotYourSeat
from pyramidion.web.features.profiles.results import rows_of
from pyramidion.web.table.seats.given_names import BOT_NAMES
from pyramidion.web.table.seats.protocols import former_names


async def test_a_player_who_leaves_gives_the_seat_to_a_bot_and_the_hosts_role_to_another_player(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await ponzi(tables)
        await controls(table, "ada").leave()
        assert (table.seating.rows[0].kind, table.seating.rows[0].bot) == ("bot", "policy")
        assert table.names[0] in BOT_NAMES, "What the bot does is not put down to Ada."
        assert "Ada" in former_names(table)
        assert told(table)[-1] == "Ada left the table. A bot (Rule-based) plays on."
        assert table.host.seat == 1
        with pytest.raises(NotYourSeat):
            await controls(table, "ada").leave()
        again = tables.rebuild(table.id)
        assert told(again) == told(table)
        assert again.host.seat == 1


async def test_the_bot_that_the_table_names_for_absent_players_plays_on(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await ponzi(tables, clock=60, absent="bot:random")
        await controls(table, "ben").leave()
        assert table.seating.rows[1].bot == "random"


async def test_nobody_leaves_a_table_of_a_season_alone(tmp_path, monkeypatch):
    async with open_tables(tmp_path) as tables:
        table = await ponzi(tables)
        monkeypatch.setattr(table.host, "_impartial", lambda: True)
        with pytest.raises(CannotBeDone, match="only the host can replace you"):
            await controls(table, "ben").leave()


@pytest.mark.parametrize(("by", "rated", "won"), [(0, True, 0.0), (0, False, 1.0), ("clock", True, 1.0)])
def test_whoever_leaves_a_rated_game_has_lost_it_even_if_the_bot_wins(by, rated, won):
    table = SimpleNamespace(
        commands=[HostCommand("resigned", by, {"seat": 0, "bot": "policy"}, 1)],
        settings=SimpleNamespace(rated=rated),
        seating=SimpleNamespace(rows=[SeatRow(0, "bot", "Ada", "policy"), SeatRow(1, "person", "Ben", holder="ben")]),
        match=SimpleNamespace(game=SimpleNamespace(payoff_form="win")),
    )
    outcome = SimpleNamespace(payoffs=[1.0, 0.0], points=[9, 3], winners=[0])
    first, second = rows_of(table, outcome)
    assert (first["won"], first["payoff"], first["points"]) == (won, won, 9)
    assert second["won"] == 0.0


def test_a_table_is_left_from_its_menu_and_from_home(tmp_path):
    with serving(tmp_path, bot_pause=60) as server, closing(Person(server)) as ana:
        for page in ("/t/{table}", "/"):
            table = ana.start("me", "bot:policy")
            address = page.format(table=table)
            assert f'action="/t/{table}/proposals"' in ana.get(address).text
            assert 'value="leave:"' in ana.get(address).text
            answer = ana.post(f"/t/{table}/proposals", data={"csrf": ana.csrf, "proposal": "leave:"})
            assert "A bot plays on in your seat" in answer.text
            assert table not in ana.get("/").text
            assert 'value="leave:"' not in ana.get(f"/t/{table}").text
