"""Levels: chosen in the form and by programs, shown at the seat, in nobody's way, and never quicker for a reason."""

import asyncio
import threading

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.polling import until
from tests.web.helpers.runner import LAST
from tests.web.helpers.tables import open_tables

import pyramidion
from pyramidion import bots
from pyramidion.bots import LEVELS, SearchBot
from pyramidion.web.features.bots import runner
from pyramidion.web.table.bots import bot_names
from pyramidion.web.table.seats.plans import SeatPlan

TINY = {"bot_seconds": 1.5, "bot_iterations": 3}


def test_every_level_can_be_chosen_by_a_program_and_is_shown(client, new_table):
    table = new_table(["me", "easy", "expert", "open"])
    seats = table.get()["seats"]
    assert [(seat["bot"], seat["level"]) for seat in seats] == [
        (None, None),
        ("easy", "Easy"),
        ("expert", "Expert"),
        (None, None),
    ]
    page = client.get(f"/t/{table.id}").text
    assert '<span class="level">Easy</span>' in page
    assert '<span class="level">Expert</span>' in page
    (game, *_) = [game for game in client.get("/api/games").json() if game["id"] == "pyramid-scheme"]
    assert game["bots"] == ["beginner", "easy", "normal", "hard", "expert", "master", "policy", "random"]
    wrong = client.post("/api/tables", json={"game": "pyramid-scheme", "seats": [{"kind": "bot", "bot": "genius"}] * 3})
    assert wrong.status_code == 422
    assert all(name in wrong.json()["detail"] for name in bot_names(pyramidion.load("pyramid-scheme")))


def test_a_table_that_asks_for_master_gets_expert_where_its_game_has_none(new_table):
    table = new_table(["me", "master", "master", "hard"], game="ponzi-scheme")
    assert [seat["bot"] for seat in table.get()["seats"]] == [None, "expert", "expert", "hard"]


def test_the_form_offers_the_levels_and_takes_them(client):
    page = client.get("/games/ponzi-scheme/new").text
    assert [f">Bot: {level.label}<" in page for level in LEVELS.values()] == [True] * len(LEVELS)
    assert 'value="bot:normal" selected' in page
    token = page.split('name="csrf" value="')[1].split('"')[0]
    form = {"csrf": token, "game": "ponzi-scheme", "seats": 3, "me": "Ana", "seat-0": "me", "seat-1": "bot:hard"}
    made = client.post("/tables", data={**form, "seat-2": "bot:easy", "hints": "off"})
    assert made.status_code == 303
    about = client.get(f"/api{made.headers['location'].replace('/t/', '/tables/')}").json()
    assert [seat["level"] for seat in about["seats"]] == [None, "Hard", "Easy"]
    assert about["hints"] is False


def test_pages_and_other_tables_are_answered_while_experts_think(tmp_path, monkeypatch):
    go, thinking = threading.Event(), threading.Semaphore(0)

    def think(self, box, state, seat, **limits):
        thinking.release()
        assert go.wait(30)
        raise ZeroDivisionError  # the table goes on as if the seat were absent

    monkeypatch.setattr(SearchBot, "think", think)
    monkeypatch.setattr(runner, "TELL_SECONDS", 0.01)
    monkeypatch.setattr("pyramidion.bots.thread_pool.compile_search", lambda game: None)
    with serving(tmp_path, bot_threads=2) as server, httpx.Client(base_url=server.address, timeout=30) as client:
        experts = [Player(client, ["expert"] * 3, options=LAST) for _ in range(4)]
        for _ in range(2):
            assert thinking.acquire(timeout=30)
        # Two tables have the threads; the others wait in line, and it is said where.
        places = {}
        while sorted(places.values()) != [1, 2]:
            told = {table.id: table.get().get("queued") for table in experts}
            places = {table: place for table, place in told.items() if place is not None}
        for table, place in places.items():
            assert f"is number {place} in the queue" in client.get(f"/t/{table}").text
        # Everybody else is answered: pages, and a table with quick bots plays to its end.
        assert client.get("/").status_code == client.get(f"/t/{experts[0].id}").status_code == 200
        quick = Player(client, ["policy", "random", "policy"], options=LAST)
        with quick.stream() as watching:
            while not watching.next()["over"]:
                pass
        assert not go.is_set()
        go.set()


@pytest.mark.parametrize("level", ["expert", "hard"])
async def test_an_answer_comes_no_sooner_because_it_was_easy(tmp_path, monkeypatch, level):
    """Not when the seat had no choice, and not when the search ended early: the wait is for the turn or the limit."""
    pauses, forced = [], []
    sleep, here = asyncio.sleep, threading.get_ident()

    async def noted(seconds, *result):
        if threading.get_ident() != here:  # a server of another test
            return await sleep(seconds, *result)
        pauses.append(seconds)
        await sleep(0)

    plan = [SeatPlan("bot", bot=level)] * 3
    async with open_tables(tmp_path, bot_pause=1000.0, bot_seconds=5000.0, bot_iterations=3) as tables:
        monkeypatch.setattr(runner.asyncio, "sleep", noted)
        # Bots draw their own chance: some games force nobody.
        for _ in range(20):
            table = await tables.create("ponzi-scheme", plan, LAST)
            while not table.match.over:
                await sleep(0.002)
            for ply, (seat, _) in enumerate(table.match.history):
                forced.append(len(table.match.at(ply).legal_ids(seat)) == 1)
            if any(forced) and not all(forced):
                break
        monkeypatch.undo()
    assert len(pauses) == len(forced)
    assert any(forced)
    assert not all(forced)
    # What is left of the pause, or of an expert's limit, whatever was searched; far more than a slow machine takes.
    whole = 5000.1 if level == "expert" else 1000
    assert all(whole - 100 < pause <= whole for pause in pauses), (min(pauses), max(pauses))


async def test_a_bot_is_given_what_its_seat_sees_and_nothing_else(tmp_path, monkeypatch):
    given = []
    choose = SearchBot.think

    def noted(self, box, state, seat, **limits):
        layout = self.game.layout
        given.append(layout.redact(state, seat).tobytes() == state.tobytes())
        return choose(self, box, state, seat, **limits)

    monkeypatch.setattr(SearchBot, "think", noted)

    async with open_tables(tmp_path, **TINY) as tables:
        plan = [SeatPlan("bot", bot="easy"), SeatPlan("bot", bot="normal"), SeatPlan("bot", bot="hard")]
        table = await tables.create("ponzi-scheme", plan, LAST)
        await until(lambda: table.match.over)
    assert len(given) > 5
    assert all(given)


def test_the_names_are_those_of_the_bots():
    for game in pyramidion.all_games().values():
        assert set(bot_names(game)) == set(bots.names(game))
