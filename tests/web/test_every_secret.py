"""Tests for every game that what a seat or spectator receives does not depend on anything hidden from them.

A table is played at random. Then, for each viewer, the hidden information is redealt as that player might imagine it.
Everything the server sends the viewer (pages, JSON, the first message of each kind of stream, refusals and errors) must
be the same, byte for byte.
"""

import random

import httpx
import pytest
from tests.web.helpers.every_secret import World

import pyramidion
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR
from pyramidion.web.application import create_app
from pyramidion.web.settings import Settings

POSITIONS = 3
LONGEST = 60
SEED = "a seed that nobody sees"


def game_ids():
    return sorted(pyramidion.all_games())


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Turn off presence, and number the players of every table alike."""
    monkeypatch.setattr("pyramidion.web.table.views.viewers.PRESENCE_DELAY", 3600)
    monkeypatch.setattr("pyramidion.web.table.views.viewers.now", lambda: 7)
    # Whether an action can be taken back compares two positions, and only one is dealt anew here: see test_undoing.
    monkeypatch.setattr("pyramidion.web.table.snapshots.proposal_rules.takeback_is_fair", lambda _table, _ply: False)


async def play_some(table, chance, count):
    """Play some random actions, preferring numbers in the middle of a range."""
    for _ in range(count):
        match = table.match
        if match.over:
            return
        seat = chance.choice(match.acting)
        await table.act(seat, chance.choice(table.visibility.legal_ids(seat)), table.version(seat))


@pytest.mark.parametrize("game_id", game_ids())
async def test_two_worlds_that_differ_in_what_a_seat_cannot_see_look_the_same_to_it(tmp_path, game_id):
    chance = random.Random(game_id)

    app = create_app(Settings(data_dir=tmp_path, warm=False, bot_pause=60))
    async with app.router.lifespan_context(app):
        game = pyramidion.load(game_id)
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test", timeout=300)
        order = {"game": game_id, "seats": [{"kind": "me"}] * game.usual_seats, "seed": SEED}
        started = (await client.post("/api/tables", json=order)).json()
        world = World(app, started["id"], {int(seat): token for seat, token in started["tokens"].items()})
        different = 0
        for _ in range(POSITIONS):
            table = world.enter()
            await play_some(table, chance, chance.randint(4, LONGEST // POSITIONS))
            match = table.match
            if match.over:
                break
            # Seats that decide and that wait, and nobody's; the others are like them.
            viewers = [None, match.acting[0], *chance.sample(range(match.seats), 1)]
            for viewer in viewers:
                at = SPECTATOR if viewer is None else viewer
                deal = match.redacted_state(viewer).copy()
                game.compiled.redeal(match.box, deal, at, chance_words(chance.getrandbits(63)))
                real = match.state_copy()
                # What has just happened, and how often, is told by audience and not dealt anew.
                for name in (*(name for name in game.layout.fields if name.startswith("event")), "ply"):
                    deal[name] = real[name]
                truth = await world.said(viewer)
                assert await world.said(viewer, deal) == truth
                fields = [name for name in game.layout.fields if name != "rng"]
                different += any(deal[name].tobytes() != real[name].tobytes() for name in fields)
                assert not any(SEED in one for one in truth)
        await client.aclose()
        await world.client.aclose()
    # Something was hidden in at least one of the positions, or the comparison has shown nothing.
    assert different > 0
