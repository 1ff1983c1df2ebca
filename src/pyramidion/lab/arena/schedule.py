"""Which games are played: line-ups, blocks of equal chance, and who sits where.

A *line-up* fills the seats with entrants. A *block* is as many games as there are seats, all from one seed: a random
order of the line-up, turned by one seat from game to game, so that in each block every entrant sits in every seat as
often as any other. All line-ups play the same blocks, and so meet the same decks and dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played.

    Attributes:
        lineup, block, turn: its place in the schedule.
        seed: of the match.
        seating: number of the entrant at each seat.
    """

    lineup: int
    block: int
    turn: int
    seed: str
    seating: tuple[int, ...]


def lineups(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Return who plays together, as numbers of entrants, each tuple as long as there are seats.

    As many entrants as seats: one line-up. More: every choice of that many. Fewer: the last one takes the seats that
    are left, so that `expert policy` at four seats is one expert among three policies.
    """
    if entrants < 1:
        return []
    if entrants > seats:
        return list(combinations(range(entrants), seats))
    return [tuple(range(entrants)) + (entrants - 1,) * (seats - entrants)]


def schedule(entrants: int, seats: int, games: int, seed: str) -> Iterator[Pairing]:
    """Yield at least `games` games for each line-up, in whole blocks, all line-ups' first block first."""
    everybody: Sequence[tuple[int, ...]] = lineups(entrants, seats)
    for block in range(-(-games // seats)):
        match_seed = f"{seed} block {block}"
        for number, lineup in enumerate(everybody):
            order = list(lineup)
            Random(f"{match_seed} {number}").shuffle(order)
            for turn in range(seats):
                yield Pairing(number, block, turn, match_seed, tuple(order[turn:] + order[:turn]))
