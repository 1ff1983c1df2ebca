"""Options that the rules keep secret are told to those who may know them, wherever options are told."""

import json
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa
from tests.web.helpers.every_secret import World

from pyramidion.web.application import create_app
from pyramidion.web.db.schema import MATCHES
from pyramidion.web.settings import Settings

OURS = {"garnets": [7, 1, 2, 3, 4, 5, 6, 8, 9, 10], "priority": [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]}
OTHERS = {"garnets": [7, 11, 12, 3, 14, 15, 16, 18, 19, 20], "priority": [40, 71, 72, 43, 74, 75, 76, 77, 78, 79]}
"""The same numbers for seats 0 and 3, which stay first and fourth of those that count here."""
SHOWN = {
    None: {"garnets": [None] * 10, "priority": [None] * 10},
    3: {"garnets": [None] * 3 + [3] + [None] * 6, "priority": [None] * 3 + [43] + [None] * 6},
}


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr("pyramidion.web.table.views.viewers.PRESENCE_DELAY", 3600)
    monkeypatch.setattr("pyramidion.web.table.views.viewers.now", lambda: 7)


@asynccontextmanager
async def served(tmp_path):
    app = create_app(Settings(data_dir=tmp_path, warm=False, bot_pause=60))
    async with app.router.lifespan_context(app):
        yield app


async def started(app, seats, **more):
    world = World(app, "", {})
    order = {"game": "upside-down", "seats": seats, "options": OURS, "seed": "never told", **more}
    about = (await world.client.post("/api/tables", json=order)).json()
    world.id, world.tokens = about["id"], {int(seat): token for seat, token in about["tokens"].items()}
    world.about = about
    return world


def set_options(app, table_id, numbers):
    with app.server.store.engine.begin() as connection:
        options = json.dumps({**numbers, "confirmations": False})
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == table_id).values(options=options))


async def test_two_tables_with_other_secret_numbers_look_the_same_to_everybody_else(tmp_path):
    async with served(tmp_path) as app:
        world = await started(app, [{"kind": "me"}] * 10)
        answers = {}
        for numbers in (OURS, OTHERS):
            set_options(app, world.id, numbers)
            for viewer in (None, 3, 0):  # seat 0 is the host's: while the game goes on a host is told what a seat is
                answers.setdefault(viewer, []).append(await world.said(viewer))
                box = world.enter().match.box_for(viewer)
                answers[viewer][-1].append(box.tobytes())
        for viewer, (ours, others) in answers.items():
            assert ours == others, viewer
        for viewer, shown in SHOWN.items():
            told = (await world.client.get(f"/api/tables/{world.id}", headers=world.headers(viewer))).json()
            assert {name: told["options"][name] for name in shown} == shown
        page = (await world.client.get(f"/t/{world.id}")).text
        assert "Player 1 created the table, plays and knows them all" in page


async def test_a_room_and_the_lobby_tell_secret_numbers_to_the_host_alone(tmp_path):
    async with served(tmp_path) as app:
        seats = [{"kind": "me"}, *[{"kind": "open"}] * 9]
        world = await started(app, seats, start="when-ready", listed=True)
        assert world.about["options"]["garnets"] == OURS["garnets"]
        for seat in (3, 5):
            sat = await world.client.post(f"/api/tables/{world.id}/seats/{seat}", json={"name": f"P{seat}"})
            world.tokens[seat] = sat.json()["token"]

        async def said(viewer):
            headers, api = world.headers(viewer), f"/api/tables/{world.id}"
            told = [await world.client.get(path, headers=headers) for path in (api, f"{api}/room")]
            if viewer is None:
                pages = (f"/t/{world.id}", "/lobby", "/api/lobby", "/")
                told += [await world.client.get(path) for path in pages]
            return [one.text for one in told]

        def neutral(texts):
            import re

            return [re.sub(r'name="csrf" value="\w+"', "CSRF", text) for text in texts]

        answers = {}
        for numbers in (OURS, OTHERS):
            set_options(app, world.id, numbers)
            for viewer in (None, 3, 0):
                answers.setdefault(viewer, []).append(neutral(await said(viewer)))
        assert answers[None][0] == answers[None][1]
        assert answers[3][0] == answers[3][1]
        assert answers[0][0] != answers[0][1]
        shown = (await world.client.get(f"/api/tables/{world.id}/room", headers=world.headers(3))).json()["options"]
        assert {name: shown[name] for name in SHOWN[3]} == SHOWN[3]
        assert "Player 1 created the table, plays and knows them all" in answers[None][0][2]


async def test_downside_up_hides_garnets_and_shows_priority(tmp_path):
    async with served(tmp_path) as app:
        priority = list(range(10))
        options = {"garnets": OURS["garnets"], "priority": priority}
        world = await started(app, [{"kind": "me"}] * 10, game="downside-up", options=options)
        told = (await world.client.get(f"/api/tables/{world.id}")).json()["options"]
        assert (told["garnets"], told["priority"]) == ([None] * 10, priority)
        transcript = (await world.client.get(f"/api/tables/{world.id}/transcript", headers=world.headers(3))).text
        assert "- Garnets at the start: 3\n" in transcript
        assert "- Priority: 0, 1, 2" in transcript
