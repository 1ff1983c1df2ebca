"""Tests of absent players: whether a bot takes over reveals nothing about what the seat holds."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from tests.web.helpers.clock import tables_with_time
from tests.web.helpers.databases import BOTH
from tests.web.helpers.host_controls import ponzi, told

import pyramidion
from pyramidion.engine import registry
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.random_games import play_randomly
from pyramidion.web.table.moves import absence
from pyramidion.web.table.moves.absence import has_choice

SECRETS_BEAR_ON_CHOICES = {"ponzi-scheme", "pyramis"}
"""Games in which cash or stars often decide whether a seat has more than one thing to do."""


async def envelope(tables, **more):
    """A table where the second seat in turn has offered the first, who has $9, an envelope, and is to fill it."""
    table = await ponzi(tables, clock=60, absent="bot:policy", **more)
    one, two, three = (table.match.acting[0] + i for i in range(3))
    one, two, three = one % 3, two % 3, three % 3
    for seat, action in (
        (one, "fund media 9"),
        (two, "fund media 12"),
        (three, "pass"),
        (one, "pass"),
        (two, f"offer {one} media"),
    ):
        await table.act(seat, action, table.version(seat))
    return table, one, two


def test_worlds_in_which_a_seat_has_decided_already_are_passed_over(monkeypatch):
    match = pyramidion.load("pyramis").new(3, seed=1)
    while len(match.acting) == 1:
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    counts = []

    def legal(*given):
        counts.append(match.game.compiled.legal(*given))
        return counts[-1]

    # Memory that nobody has written to holds anything.
    monkeypatch.setattr(
        absence, "np", SimpleNamespace(empty=lambda size, kind: np.full(size, -7, kind), int32=np.int32)
    )
    compiled = SimpleNamespace(redeal=match.game.compiled.redeal, legal=legal)
    game = SimpleNamespace(
        **{name: getattr(match.game, name) for name in ("actions", "hidden_choices")}, compiled=compiled
    )
    for seat in match.acting:
        has_choice(SimpleNamespace(game=game, box=match.box, redacted_state=match.redacted_state), seat)
    assert 0 in counts


@pytest.mark.parametrize("database", BOTH, indirect=True)
@pytest.mark.usefixtures("outside", "database")
async def test_a_bot_comes_in_whether_or_not_the_envelope_could_be_countered(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        seen = []
        for amount, choices in ((9, 2), (10, 1)):
            table, one, two = await envelope(tables)
            await table.act(two, f"amount {amount}", table.version(two))
            assert len(table.visibility.legal_ids(one)) == choices
            time.passes(60)
            await tables.keeper.tick()
            assert table.seats[one].player == "policy"
            assert [seat.player for seat in table.seats if seat.number != one] == [None, None]
            seen.append((told(table), table.match.redacted(None), table.version(None)))
        assert seen[0] == seen[1]


@pytest.mark.parametrize("database", BOTH, indirect=True)
@pytest.mark.usefixtures("outside", "database")
async def test_no_bot_comes_in_for_a_decision_that_everybody_can_tell_was_forced(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await ponzi(tables, clock=60, absent="bot:policy")
        for _ in range(3):
            seat = table.match.acting[0]
            await table.act(seat, "pass", table.version(seat))
        # Nobody has a tile to trade.
        seat = table.match.acting[0]
        assert table.match.view(None)["phase"] == "trading"
        time.passes(60)
        await tables.keeper.tick()
        assert table.match.history[-1][0] == seat
        assert table.seats[seat].player is None


def worlds(match, count):
    """Yield the match in other worlds that a spectator cannot tell from it."""
    for number in range(count):
        other = match.at(match.ply)
        world = match.redacted_state(None).copy()
        match.game.compiled.redeal(match.box, world, SPECTATOR, chance_words(f"world {number}"))
        other._state = world
        yield other


@pytest.mark.parametrize("game", registry.ids())
def test_whether_there_was_a_choice_is_the_same_in_every_world_that_looks_the_same(game):
    """Paired worlds: what a seat may do differs between them, whether it was absent does not."""
    game = pyramidion.load(game)
    chance = random.Random(game.id)
    forced_in_one_only = 0
    for _ in range(24):
        match = play_randomly(game, chance).match
        for ply in chance.sample(range(match.ply), min(match.ply, 40)):
            at = match.at(ply)
            for seat in at.acting:
                said = has_choice(at, seat)
                for world in worlds(at, 3):
                    assert has_choice(world, seat) == said
                    choices = len(world.legal_ids(seat)) > 1
                    assert said or not choices
                    forced_in_one_only += choices != (len(at.legal_ids(seat)) > 1)
    assert forced_in_one_only > 0 or game.id not in SECRETS_BEAR_ON_CHOICES


def test_an_answer_counts_as_a_choice_even_where_nobody_would_expect_cash():
    """The offerer has a fortune, the other seat nothing: only an envelope with nothing in it could be countered."""
    from tests.games.ponzi_scheme.positions import play, position

    table = position(phase="trading", cash={0: 900}, tiles={0: {"media": 1}, 1: {"media": 1}})
    play(table, "offer 1 media", "amount 900")
    assert table.legal_ids(1).tolist() == [table.game.actions.parse("sell").id]
    assert has_choice(table, 1)
