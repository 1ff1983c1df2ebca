"""Toy games with known solutions, for tests of the search."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, part, whole
from pyramidion.engine.events import event_space
from pyramidion.engine.game import Credits, Game
from pyramidion.engine.layout import int8, layout, own, public
from pyramidion.engine.observation import observation_space
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step, submit

BOX = np.dtype([("unused", int8)], align=True)


def toy(name: str, state: Any, actions: Any, longest: int, **rules: Any) -> Game:
    """Return a game of two seats with payoffs +1, 0 and -1, whose policy gives all actions the same weight."""
    legal = rules["legal"]

    @rule
    def policy(box, s, seat, ids, weights):
        n = legal(box, s, seat, ids)
        for i in range(n):
            weights[i] = 1.0
        return n

    @rule
    def payoff(box, s, out):
        for seat in range(2):
            out[seat] = float((s.winners >> seat) & 1) - float((s.winners >> (1 - seat)) & 1)

    @rule
    def points(box, s, out):
        for seat in range(2):
            out[seat] = 0

    both = SimpleNamespace(payoff=payoff, points=points, policy=policy, OBSERVATION=observation_space(), **rules)
    return Game(
        id=name,
        name=name,
        prefix="TO",
        summary="",
        credits=Credits((), ()),
        seats=range(2, 3),
        usual_seats=2,
        rules_version=1,
        layout=state,
        box=BOX,
        fill_box=lambda cards, box: None,
        options={},
        actions=actions,
        events=event_space(ended=()),
        rules=both,
        mind=both,
        view=None,
        invariants=lambda box, s: None,
        longest=lambda seats: longest,
        payoff_form="sign",
        folder=Path(__file__).parent,
    )


@rule
def end_game(s, winners):
    s.over = 1
    s.acting = 0
    s.winners = winners


# Subtraction: take one, two or three from a heap; who takes the last one wins. One leaves multiples of four.

TAKE = action_space(take=whole(1, 3))


@rule
def set_heap(box, s):
    s.heap = 11
    s.acting = 1


@rule
def legal_takes(box, s, seat, out):
    n = min(3, int(s.heap))
    for i in range(n):
        out[i] = i
    return n


@rule
def take(box, s, seat, action):
    s.heap -= action + 1
    s.acting = 1 << (1 - seat)
    if s.heap == 0:
        end_game(s, 1 << seat)


@rule(wraps_around=True)
def reseed(box, s, seat, chance):
    for word in range(4):
        s.rng[word] = chance[word]
    chance[0] += chance[1] | np.uint64(1)


SUBTRACTION = toy(
    "subtraction",
    layout(seats=2, events=1, heap=public(int8)),
    TAKE,
    20,
    setup=set_heap,
    legal=legal_takes,
    apply=take,
    redeal=reseed,
)

# Undercut: both bid in secret, a part and its confirmation; the higher bid wins, unless it is higher by just one. With
# three bids it is rock, paper, scissors.


@rule
def ask_both(box, s):
    open_step(s, 0b11)


@rule
def nothing_bid(box, s, seat, chance):
    reseed(box, s, seat, chance)
    # Whether the other has bid already nobody can see; what it would have bid, it bids in this world too.
    s.bid[1 - seat] = 0


def undercut(bids: int) -> Game:
    """Return the game with bids from 0 to `bids` - 1."""

    @rule
    def legal_bids(box, s, seat, out):
        if s.bid[seat]:
            out[0] = bids
            return 1
        for i in range(bids):
            out[i] = i
        return bids

    @rule
    def bid(box, s, seat, action):
        if action < bids:
            s.bid[seat] = action + 1
        elif submit(s, seat):
            ahead = int(s.bid[0]) - int(s.bid[1])
            end_game(s, 0 if ahead == 0 else 1 if ahead > 1 or ahead == -1 else 2)

    return toy(
        f"undercut-{bids}",
        layout(seats=2, events=1, bid=own(int8)),
        action_space(bid=part(whole(0, bids - 1)), confirm=()),
        8,
        setup=ask_both,
        legal=legal_bids,
        apply=bid,
        redeal=nothing_bid,
    )


def undercut_payoffs(bids: int) -> Any:
    """Return the first seat's payoff for each pair of bids, float64 (bids, bids)."""
    ahead = np.subtract.outer(np.arange(bids), np.arange(bids))
    return np.sign(ahead) * np.where(np.abs(ahead) == 1, -1.0, 1.0)


def exploitability(strategy: Any) -> float:
    """Return the value of a best response to a strategy (share of each bid); 0 in equilibrium."""
    return float(-(strategy @ undercut_payoffs(len(strategy))).min())


# Hide: seat 0 may take a lottery that it wins six times of ten, or guess in which hand seat 1 will hide a coin.

HIDE = action_space(lottery=(), play=(), left=(), right=())
LOTTERY, PLAY, LEFT = HIDE.lottery, HIDE.play, HIDE.left


@rule
def begin(box, s):
    s.acting = 1


@rule
def legal_hide(box, s, seat, out):
    out[0] = LOTTERY if s.phase == 0 else LEFT
    out[1] = out[0] + 1
    return 2


@rule
def hide(box, s, seat, action):
    s.phase += 1
    if action == LOTTERY:
        end_game(s, 1 if below(s.rng, 10) < 6 else 2)
    elif s.phase == 1:
        s.acting = 2
    elif s.phase == 2:
        s.coin[1] = action
        s.acting = 1
    else:
        end_game(s, 1 if s.coin[1] == action else 2)


@rule
def guess_coin(box, s, seat, chance):
    reseed(box, s, seat, chance)
    if s.phase == 2 and seat == 0:
        s.coin[1] = LEFT + below(s.rng, 2)


HIDDEN_COIN = toy(
    "hidden-coin",
    layout(seats=2, events=1, phase=public(int8), coin=own(int8)),
    HIDE,
    4,
    setup=begin,
    legal=legal_hide,
    apply=hide,
    redeal=guess_coin,
)
