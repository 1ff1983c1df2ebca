"""The compiled part of an experiment: plays games and counts everything that happens in them.

A *row* (int64) describes one game: length, wins, points and payoffs. The *tally* counts every *key* over all games: an
action, an action family, a value of a parameter, an event, or a rule. Both hold whole numbers, so sums do not depend on
the order of the games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.entries import due_seat, open_game, quick_below, weighted
from pyramidion.engine.rule import rule

WIN = 2520
"""Units per win: a number divisible by 1 to 10, so that every share of a win is a whole number of units."""
PAYOFF = 1000
"""Units of a payoff."""
SHARE, SIGN, SUM = range(3)
"""The forms of payoffs, as compiled code knows them."""
RANDOM, POLICY = 0, 1
"""Kinds of players in the compiled loop."""
MOST_RULES = 2000
"""Keys for rules: one for each number below this."""
LOOKS, ROLLOUTS = 20, 32
"""Number of equally spaced positions examined in a sampled game, and number of rollouts from each."""
EVERY_LEGAL = 16
"""Legal actions are counted in one of this many games, because listing them costs as much as choosing one."""

# Columns of a row; they are followed by the wins of all seats, their points, their payoffs, and the measured numbers.
PLIES, TURNS, FIRST, ENDING, WINNERS, BRANCHES, LISTED, CHOICES, OVER, COLUMNS = range(10)
# Columns of a tally, by key. `users` counts seats that had the key in a game; wins are relative to the game's mean.
TIMES, GAMES, USERS, USERS_SQUARED, TOTAL, SQUARES, CROSS, SUMS = range(8)


def keys_dtype(actions: int, width: int, events: int) -> np.dtype[Any]:
    """Return the dtype of the tables that map actions and events to keys: one record, passed on by its address.

    Fields: of_action, the keys of each action, then -1; of_event, the key of each event code; owner, the index of the
    event argument that is the acting seat, or -1; argument, the key of an argument's value 0, or -1 if it is not
    counted; sizes, the number of counted values of the argument; rules, the key of rule 0.
    """
    return np.dtype(
        [
            ("of_action", np.int32, (actions, width)),
            ("of_event", np.int32, (events + 1,)),
            ("owner", np.int32, (events + 1,)),
            ("argument", np.int32, (events + 1, 4)),
            ("sizes", np.int32, (events + 1, 4)),
            ("rules", np.int64),
        ],
        align=True,
    )


def tally_dtype(keys: int, seats: int) -> np.dtype[Any]:
    """Return the dtype of a tally, one thread's counters of all keys: one record.

    Fields: sums; stamp, the latest game in which a seat, or nobody (last column), had the key; pairs, the keys and
    seats of the current game, of which `used` are filled; here, the number of seats with the key in the current game
    and their relative wins; wins, the relative wins of each seat.
    """
    return np.dtype(
        [
            ("sums", np.int64, (keys, SUMS)),
            ("stamp", np.int64, (keys, seats + 1)),
            ("here", np.int64, (keys, 2)),
            ("pairs", np.int32, (keys * (seats + 1), 2)),
            ("wins", np.int64, (seats,)),
            ("used", np.int64),
        ],
        align=True,
    )


_ODD = np.uint64(0xD1342543DE82EF95)


@rule(wraps_around=True)
def seed_game(chance, base, game):
    """Seed the players' generator (uint64[1]) for game number `game`, so that each game can be replayed alone."""
    chance[0] = base + np.uint64(game) * _ODD


@rule
def touch(tally, key, seat, stamp):
    """Count that a key was met, and note once in a game that a seat met it; the number after the last seat is nobody.

    `stamp` is the number of the current game. A column of `tally.stamp` keeps in which game a seat last met each key.
    """
    tally.sums[key, TIMES] += 1
    if tally.stamp[key, seat] != stamp:
        tally.stamp[key, seat] = stamp
        n = tally.used
        tally.pairs[n, 0] = key
        tally.pairs[n, 1] = seat
        tally.used = n + 1


@rule
def note(s, seat, action, keys, tally, stamp):
    """Count in the tally an action that has just been applied, and the events that it caused."""
    nobody = tally.stamp.shape[1] - 1
    for i in range(keys.of_action.shape[1]):
        key = keys.of_action[action, i]
        if key < 0:
            break
        touch(tally, key, seat, stamp)
    for i in range(min(s.event_count, s.event_code.shape[0])):
        code = s.event_code[i]
        place = keys.owner[code]
        owner = nobody
        if place >= 0:
            owner = s.event_args[i, place]
            if owner < 0 or owner >= s.seats:
                owner = nobody
        touch(tally, keys.of_event[code], owner, stamp)
        number = s.event_rule[i]
        if 0 <= number < MOST_RULES:
            touch(tally, keys.rules + number, owner, stamp)
        for j in range(4):
            first = keys.argument[code, j]
            value = s.event_args[i, j]
            if first >= 0 and 0 <= value < keys.sizes[code, j]:
                touch(tally, first + value, owner, stamp)


@rule
def close_tally(tally, row, seats):
    """Add a finished game to the sums of all keys that occurred in it; its wins are read from `row`."""
    total = 0
    for seat in range(seats):
        total += row[COLUMNS + seat]
    for seat in range(seats):
        tally.wins[seat] = row[COLUMNS + seat] * seats - total
    nobody = tally.stamp.shape[1] - 1
    for i in range(tally.used):
        key, seat = tally.pairs[i, 0], tally.pairs[i, 1]
        if seat != nobody:
            tally.here[key, 0] += 1
            tally.here[key, 1] += tally.wins[seat]
    for i in range(tally.used):
        key = tally.pairs[i, 0]
        users, wins = tally.here[key, 0], tally.here[key, 1]
        # A key that several seats had, or a seat and nobody, has several pairs, but counts once.
        if users >= 0:
            tally.sums[key, GAMES] += 1
            tally.sums[key, USERS] += users
            tally.sums[key, USERS_SQUARED] += users * users
            tally.sums[key, TOTAL] += wins
            tally.sums[key, SQUARES] += wins * wins
            tally.sums[key, CROSS] += users * wins
            tally.here[key, 0] = -1
    for i in range(tally.used):
        key = tally.pairs[i, 0]
        tally.here[key, 0] = 0
        tally.here[key, 1] = 0
    tally.used = 0


@rule
def write_wins(s, payoffs, form, out, seats):
    """Write to `out` each seat's share of the win in units of WIN (`engine.payoffs.win_share`)."""
    winners = 0
    for seat in range(seats):
        winners += (int(s.winners) >> seat) & 1
    for seat in range(seats):
        if form == SHARE:
            out[seat] = int(payoffs[seat] * WIN + 0.5)
        elif form == SIGN:
            out[seat] = WIN if payoffs[seat] > 0.0 else 0
        else:
            out[seat] = WIN // winners if (int(s.winners) >> seat) & 1 else 0


@rule
def measure_nothing(box, s, seat, action, out):
    """Measure nothing: the default when an experiment has no metrics of its own."""


def make_measure(first: Any, first_size: int, rest: Any) -> Any:
    """Combine two measures into a rule that writes the numbers of `first`, followed by those of `rest`."""

    @rule
    def measure(box, s, seat, action, out):
        first(box, s, seat, action, out[:first_size])
        rest(box, s, seat, action, out[first_size:])

    return measure


def make_observe(rules: Any, measure: Any) -> Any:
    """Return the compiled rule `observe`, which applies an action in a game and counts it."""
    apply = rules.apply

    @rule
    def observe(box, s, seat, action, listed, row, keys, tally, stamp):
        """Apply a seat's action, and count it in the row and the tally of the game.

        `listed` is the number of legal actions if they were counted, or 0.
        """
        if row[PLIES] == 0:
            row[FIRST] = seat if int(s.acting) & (int(s.acting) - 1) == 0 else -1
            row[TURNS] = 1
        if listed > 0:
            row[BRANCHES] += listed
            row[LISTED] += 1
            row[CHOICES] += int(listed > 1)
        due = int(s.acting)
        s.ply += 1
        s.event_count = 0
        apply(box, s, seat, action)
        row[PLIES] += 1
        row[TURNS] += int(s.over == 0 and int(s.acting) != due)
        note(s, seat, action, keys, tally, stamp)
        measure(box, s, seat, action, row[COLUMNS + 3 * s.seats :])

    return observe


def make_close(rules: Any) -> Any:
    """Return the compiled rule `close`, which writes the results of a finished game to its row."""
    payoff, points = rules.payoff, rules.points

    @rule
    def close(box, s, payoffs, numbers, form, row, tally):
        """Write the results of a finished game to its `row`, and add its keys to the tally."""
        seats = int(s.seats)
        payoff(box, s, payoffs)
        points(box, s, numbers)
        write_wins(s, payoffs, form, row[COLUMNS:], seats)
        row[ENDING], row[OVER], row[WINNERS] = s.ending, s.over, 0
        for seat in range(seats):
            row[WINNERS] += int(row[COLUMNS + seat] > 0)
            row[COLUMNS + seats + seat] = numbers[seat]
            row[COLUMNS + 2 * seats + seat] = int(np.floor(payoffs[seat] * PAYOFF + 0.5))
        close_tally(tally, row, seats)

    return close


def make_choose(rules: Any, mind: Any) -> Any:
    """Return the compiled rule `choose`, which chooses an action for a policy or random player."""
    legal, policy = rules.legal, mind.policy

    @rule
    def choose(box, s, seat, kind, buffer, weights, chance):
        """Return the action that a player of this kind, POLICY or RANDOM, chooses for a seat."""
        if kind == POLICY:
            count = policy(box, s, seat, buffer, weights)
            if count > 0:
                return buffer[weighted(weights, count, chance)]
        count = legal(box, s, seat, buffer)
        return buffer[quick_below(chance, count)]

    return choose


def make_games(rules: Any, mind: Any, measure: Any) -> Any:
    """Return the compiled function that plays a block of games between policy and random players."""
    setup, legal = rules.setup, rules.legal
    choose, observe, close = make_choose(rules, mind), make_observe(rules, measure), make_close(rules)

    @rule
    def entry(
        boxes, states, raw, seats, base, first, games, limit, kinds, form,
        buffer, weights, payoffs, numbers, chance, rows, moves, keys, tallies, lap,
    ):  # fmt: skip
        """Play the games `first` to `first + games - 1`; the rows, one per game, are zeroed.

        `kinds` (int64[seats]) are the kinds of the players; in game g, player p sits at (p + g) % seats. `moves`
        (int32[limit, 2]) receives the seats and actions of the last game. `lap` makes the stamps of this call unique.
        """
        box, s, tally = boxes[0], states[0], tallies[0]
        for n in range(games):
            game = first + n
            seed_game(chance, base, game)
            open_game(s, raw, seats, chance)
            setup(box, s)
            row = rows[n]
            while s.over == 0 and row[PLIES] < limit:
                seat = due_seat(s, chance)
                listed = 0
                if game % EVERY_LEGAL == 0:
                    listed = legal(box, s, seat, buffer)
                action = choose(box, s, seat, kinds[(seat - game) % seats], buffer, weights, chance)
                moves[row[PLIES], 0] = seat
                moves[row[PLIES], 1] = action
                observe(box, s, seat, action, listed, row, keys[0], tally, lap + n)
            close(box, s, payoffs, numbers, form, row, tally)

    return entry


def make_observed(rules: Any, measure: Any) -> Any:
    """Return `observe` as a function that Python calls with arrays, for games whose players are not compiled."""
    observe = make_observe(rules, measure)

    @rule
    def entry(boxes, states, seat, action, listed, row, keys, tallies, stamp):
        """Call `observe` with the records in these arrays, of shape (1,)."""
        observe(boxes[0], states[0], seat, action, listed, row, keys[0], tallies[0], stamp)

    return entry


def make_closed(rules: Any) -> Any:
    """Return `close` as a function that Python calls with arrays, for games whose players are not compiled."""
    close = make_close(rules)

    @rule
    def entry(boxes, states, payoffs, numbers, form, row, tallies):
        """Call `close` with the records in these arrays, of shape (1,)."""
        close(boxes[0], states[0], payoffs, numbers, form, row, tallies[0])

    return entry


def make_chances(rules: Any, mind: Any) -> Any:
    """Return the compiled function that estimates every seat's chance of winning at several points of one game."""
    setup, apply, payoff = rules.setup, rules.apply, rules.payoff
    choose = make_choose(rules, mind)

    @rule
    def entry(
        boxes, states, raw, others, raw_other, seats, base, game, limit, form,
        buffer, weights, payoffs, wins, chance, moves, plies, out,
    ):  # fmt: skip
        """Replay a game from its `moves`, and play it out ROLLOUTS times by policies from each of LOOKS positions.

        Writes to `out` (int64[LOOKS, seats]) the wins of each seat in ROLLOUTS continuations. The current cards stay as
        they are, including hidden ones; later choices and chance vary.
        """
        box, s, other = boxes[0], states[0], others[0]
        seed_game(chance, base, game)
        open_game(s, raw, seats, chance)
        setup(box, s)
        look = 0
        for ply in range(plies):
            while look < LOOKS and look * plies < (ply + 1) * LOOKS:
                for _ in range(ROLLOUTS):
                    raw_other[:] = raw
                    for word in range(2):
                        high = quick_below(chance, 1 << 31)
                        other.rng[word] = np.uint64((high << 32) | quick_below(chance, 1 << 31))
                    steps = ply
                    while other.over == 0 and steps < limit:
                        seat = due_seat(other, chance)
                        action = choose(box, other, seat, POLICY, buffer, weights, chance)
                        other.ply += 1
                        other.event_count = 0
                        apply(box, other, seat, action)
                        steps += 1
                    payoff(box, other, payoffs)
                    write_wins(other, payoffs, form, wins, seats)
                    for seat in range(seats):
                        out[look, seat] += wins[seat]
                look += 1
            s.ply += 1
            s.event_count = 0
            apply(box, s, moves[ply, 0], moves[ply, 1])

    return entry
