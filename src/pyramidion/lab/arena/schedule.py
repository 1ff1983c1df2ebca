"""Contest schedules: line-ups, blocks and seating.

A *line-up* assigns entrants to all seats. A *block* has as many games as seats, all from one seed: the line-up is
shuffled and then rotated by one seat per game, so that within a block every entrant sits in every seat equally often.
All line-ups play the same blocks, and therefore the same decks and dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random


@dataclass(frozen=True, slots=True)
class Pairing:
    """One scheduled game: who plays in which seat, from which seed.

    Attributes:
        lineup, block, turn: its place in the schedule.
        seed: the match's seed.
        seating: the entrant's index at each seat.
    """

    lineup: int
    block: int
    turn: int
    seed: str
    seating: tuple[int, ...]


def lineups(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Return the line-ups of a contest as tuples of entrant indices, one index per seat.

    `entrants` and `seats` are their numbers. With as many entrants as seats, there is one line-up. With more, there is
    one for every combination. With fewer, the last entrant takes the remaining seats: `expert policy` at four seats is
    one expert against three policy bots.
    """
    if entrants < 1:
        return []
    if entrants > seats:
        return list(combinations(range(entrants), seats))
    return [tuple(range(entrants)) + (entrants - 1,) * (seats - entrants)]


def schedule(entrants: int, seats: int, games: int, seed: str) -> Iterator[Pairing]:
    """Yield the games of a contest: at least `games` per line-up, in whole blocks, block by block over all line-ups.

    `entrants` and `seats` are their numbers.
    """
    everybody: Sequence[tuple[int, ...]] = lineups(entrants, seats)
    for block in range(-(-games // seats)):
        match_seed = f"{seed} block {block}"
        for number, lineup in enumerate(everybody):
            order = list(lineup)
            Random(f"{match_seed} {number}").shuffle(order)
            for turn in range(seats):
                yield Pairing(number, block, turn, match_seed, tuple(order[turn:] + order[:turn]))
