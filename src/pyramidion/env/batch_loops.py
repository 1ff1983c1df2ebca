"""The compiled loops of a batch, each over a range of environments, so that threads can share the work.

In turn order a batch asks one seat of each environment at a time, and a row of its arrays has one *place*. With
simultaneous decisions a row has a place for every seat.

The loops take arrays but pass only records to rules: Numba counts references to arrays, which would cost more than the
rules themselves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pyramidion.engine.entries import first_due, quick_below, weighted
from pyramidion.engine.redaction import redact_bytes
from pyramidion.engine.rule import rule
from pyramidion.env.batch_memory import BITS, BYTES, UNMASKED
from pyramidion.env.batch_seeds import seed_generator, seed_of

START, PLAY, SHOW = 0, 1, 2
"""Modes of `advance`: start games, play actions, or rewrite the arrays without a change."""
FINISHED = -1
"""The number of legal actions of a place whose game is over."""


@rule
def check(pool, scratch, actions, where, begin, end):
    """Return the first place with an illegal action, as environment * P + place; -1 if there is none.

    `actions` is int64[n, P]. Places of seats that are not asked are ignored, and environments outside `where`, bool[n].
    """
    legal = pool.legal
    places = legal.shape[1]
    for i in range(begin, end):
        if not where[i]:
            continue
        for place in range(places):
            listed = legal[i, place]
            # Halve without a branch on the comparison, which would be predicted wrongly half the time.
            low, size, action = 0, int(listed.count), int(actions[i, place])
            while size > 1:
                half = size >> 1
                low += half * int(listed.ids[low + half] <= action)
                size -= half
            if listed.count > 0 and listed.ids[low] != action:
                return i * places + place
    return -1


@rule
def begin_next(pool, scratch, begin, end):
    """Number each environment's next game, if its game has not ended; a game that ended has done so itself."""
    for i in range(begin, end):
        if pool.states[i].over == 0:
            pool.turns[i].number += pool.states.shape[0]


@rule
def draw_actions(pool, scratch, actions, where, begin, end):
    """Draw a uniformly random legal action for every seat that is asked in the environments `where`.

    `actions`, int64[n, P], receives it, and -1 elsewhere.
    """
    legal, turns = pool.legal, pool.turns
    for i in range(begin, end):
        turn = turns[i]
        for place in range(legal.shape[1]):
            listed = legal[i, place]
            actions[i, place] = -1
            if listed.count > 0 and where[i]:
                actions[i, place] = listed.ids[quick_below(turn.chance, int(listed.count))]


@rule
def redact(raw, memory, hiding, seat):
    """Copy a state to the working memory, without what `seat` may not know."""
    redact_bytes(raw.bytes, memory.redacted, seat, hiding.masks[seat], hiding.parties, hiding.submitted)


class Loops(NamedTuple):
    """The compiled loops of a game, each for the environments `begin` to `end - 1`, except `step`, which is for all.

    Each takes (pool, scratch, ..., begin, end).
    """

    check: Any
    advance: Any
    step: Any
    draw_actions: Any
    draw_policy: Any
    deal_again: Any
    begin_next: Any


def make_loops(rules: Any, mind: Any, reward: Any) -> Loops:
    """Return the loops of one game, compiled from its rules, its mind and the rule of a reward (`rewards`)."""
    setup, legal, apply, payoff, score = rules.setup, rules.legal, rules.apply, rules.payoff, rules.points
    policy, observe, redeal = mind.policy, mind.observe, mind.redeal

    @rule
    def write_observation(box, raw, memory, hiding, redacted, seat, numbers, vector):
        """Write a seat's observation of a state to `vector`; `numbers` is the same memory."""
        redact(raw, memory, hiding, seat)
        numbers.values[:] = 0.0
        observe(box, redacted, seat, vector)

    @rule
    def open_game(box, s, raw, seats, seed, memory):
        """Set up a new game, with this seed, in the memory of an environment."""
        raw.bytes[:] = 0
        s.seats = seats
        seed_generator(s.rng, seed, memory.words)
        setup(box, s)

    @rule
    def write_legal(box, s, seat, due, listed, mask, masked):
        """Write the legal actions of a seat, and its mask in the form `masked`; the seat has none unless it is due.

        A finished game has no legal actions, and a mask of all: nothing is masked out where nothing is chosen.
        """
        # Only what has changed is written: a mask may have thousands of entries, of which a few are set.
        if listed.count == FINISHED and masked != UNMASKED:
            mask.legal[:] = 0
        elif masked == BYTES:
            for n in range(listed.count):
                mask.legal[listed.ids[n]] = 0
        elif masked == BITS:
            for n in range(listed.count):
                mask.legal[listed.ids[n] >> 3] = 0
        listed.count = legal(box, s, seat, listed.ids) if due else FINISHED if s.over else 0
        if listed.count == FINISHED and masked != UNMASKED:
            mask.legal[:] = 1 if masked == BYTES else 255
        if masked == BYTES:
            for n in range(listed.count):
                mask.legal[listed.ids[n]] = 1
        elif masked == BITS:
            for n in range(listed.count):
                mask.legal[listed.ids[n] >> 3] |= 1 << (listed.ids[n] & 7)

    def rule_of_reward(function):
        """Compile a rule that calls the reward, under a name that tells it from those of other rewards.

        Numba knows cached functions by their names and argument types, which loops of two rewards would share.
        """
        function.__qualname__ += f"_{reward.__module__}_{reward.__qualname__}".replace(".", "_")
        return rule(function)

    @rule_of_reward
    def advance(pool, scratch, actions, where, mode, autoreset, begin, end):
        """Advance a range of environments and write their arrays.

        `mode` is START, PLAY (checked actions, int64[n, P]) or SHOW. When a game ends, its rewards and points are
        written and, with `autoreset`, the next game starts. PLAY leaves games outside `where`, bool[n], as they are.
        """
        boxes, states, raws, turns, seeds, legals = (
            pool.boxes,
            pool.states,
            pool.raw,
            pool.turns,
            pool.seeds,
            pool.legal,
        )
        masks, vectors, numbers = pool.masks, pool.vectors, pool.numbers
        final_vectors, final_numbers = pool.final_vectors, pool.final_numbers
        to_play, acting, rewards, terminated = pool.to_play, pool.acting, pool.rewards, pool.terminated
        points, length = pool.points, pool.length
        observes, masked = int(pool.wanted[0]), int(pool.wanted[1])
        memory, redacted, hiding = scratch.memory[0], scratch.redacted[0], scratch.hiding[0]
        box, base = boxes[0], pool.base[0]
        seats, places, n = rewards.shape[1], legals.shape[1], states.shape[0]
        for i in range(begin, end):
            s, raw, turn = states[i], raws[i], turns[i]
            if mode != SHOW:
                if terminated[i]:
                    for seat in range(seats):
                        rewards[i, seat] = 0.0
                        points[i, seat] = 0
                terminated[i] = mode == PLAY and s.over != 0
            if mode == PLAY:
                if s.over or not where[i]:
                    continue
                last = 0
                for place in range(places):
                    if legals[i, place].count > 0:
                        last = int(to_play[i]) if places == 1 else place
                        s.ply += 1
                        s.event_count = 0
                        apply(box, s, last, actions[i, place])
                length[i] = s.ply
                if s.over:
                    terminated[i] = True
                    payoff(box, s, memory.payoffs)
                    score(box, s, memory.points)
                    reward(box, s, memory.payoffs, memory.points, memory.rewards)
                    for seat in range(seats):
                        rewards[i, seat] = memory.rewards[seat]
                        points[i, seat] = memory.points[seat]
                    if observes:
                        for place in range(places):
                            seat = place if places > 1 else last if turn.watcher < 0 else int(turn.watcher)
                            write_observation(
                                box,
                                raw,
                                memory,
                                hiding,
                                redacted,
                                seat,
                                final_numbers[i, place],
                                final_vectors[i, place],
                            )
                    turn.number += n
            if mode == START or (mode == PLAY and autoreset and s.over):
                turn.first = 0
                seeds[i] = seed_of(base, int(turn.number))
                open_game(box, s, raw, seats, int(seeds[i]), memory)
                if mode == START:
                    length[i] = 0
            due = int(s.acting) & ~int(s.submitted)
            if places > 1:
                for seat in range(seats):
                    acting[i, seat] = (due >> seat) & 1 == 1
            player = first_due(s, int(turn.first))
            to_play[i] = player
            for place in range(places):
                seat = player if places == 1 else place
                asked = seat >= 0 and (due >> max(0, seat)) & 1 == 1
                # Without masks there is one, unused.
                mask = masks[i if masked else 0, place if masked else 0]
                write_legal(box, s, seat, asked, legals[i, place], mask, masked)
                if observes and seat >= 0:
                    seen_box = box if s.over else boxes[1 + seat]
                    write_observation(
                        seen_box, raw, memory, hiding, redacted, seat, numbers[i, place], vectors[i, place]
                    )

    @rule_of_reward
    def step(pool, scratch, actions, where, autoreset):
        """Check the actions of all environments and, if all are legal, play them; return the result of `check`."""
        n = pool.states.shape[0]
        wrong = check(pool, scratch, actions, where, 0, n)
        if wrong < 0:
            advance(pool, scratch, actions, where, PLAY, autoreset, 0, n)
        return wrong

    @rule
    def draw_policy(pool, scratch, actions, where, begin, end):
        """Draw an action from the game's policy for every seat that is asked in the environments `where`.

        `actions`, int64[n, P], receives it, and -1 elsewhere.
        """
        boxes, raws, turns, legals, to_play = pool.boxes, pool.raw, pool.turns, pool.legal, pool.to_play
        memory, redacted, hiding = scratch.memory[0], scratch.redacted[0], scratch.hiding[0]
        candidates, places = scratch.candidates[0], pool.legal.shape[1]
        for i in range(begin, end):
            turn = turns[i]
            for place in range(places):
                actions[i, place] = -1
                if legals[i, place].count > 0 and where[i]:
                    seat = int(to_play[i]) if places == 1 else place
                    redact(raws[i], memory, hiding, seat)
                    count = policy(boxes[1 + seat], redacted, seat, candidates.ids, candidates.weights)
                    actions[i, place] = candidates.ids[weighted(candidates.weights, count, turn.chance)]

    @rule
    def deal_again(pool, scratch, seats, chance, begin, end):
        """Replace the state of every unfinished game by a determinization for seats[i], where i is the environment.

        `chance` has a random generator for each environment, uint64[n, 4].
        """
        boxes, states, raws, turns = pool.boxes, pool.states, pool.raw, pool.turns
        memory, redacted, hiding = scratch.memory[0], scratch.redacted[0], scratch.hiding[0]
        for i in range(begin, end):
            if states[i].over == 0:
                raw, turn, seat = raws[i], turns[i], seats[i]
                redact(raw, memory, hiding, seat)
                redeal(boxes[1 + seat], redacted, seat, chance[i])
                for at in range(raw.bytes.shape[0]):  # a GPU copies no arrays
                    raw.bytes[at] = memory.redacted[at]
                turn.first = seat

    return Loops(check, advance, step, draw_actions, draw_policy, deal_again, begin_next)
