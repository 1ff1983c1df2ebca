"""The games of `random_play` on the CPU, to compare states with those of a GPU."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pyramidion.engine.entries import due_seat, list_of, open_game, quick_below
from pyramidion.engine.game import Game
from pyramidion.engine.rule import rule


@rule(wraps_around=True)
def digest_of(words):
    """Return a digest of a state's words (uint64), after FNV-1a; a change of any word changes it."""
    digest = np.uint64(0xCBF29CE484222325)
    for i in range(words.shape[0]):
        digest = (digest ^ words[i]) * np.uint64(0x100000001B3)
        digest ^= digest >> np.uint64(29)
    return digest


@cache
def random_digests(game: Game) -> Any:
    """Return a rule that plays, on the CPU, the random games of one thread of the GPU, and digests their last states.

    `play(box, states, words, seats, chance, first, end, limit, buffer, tally, digests)`: `words` is the memory of
    `states` (uint64), `buffer` an int32 array as long as the action space; the rest is as in `random_play.Plan`.
    """
    setup, legal, apply = game.rules.setup, game.rules.legal, game.rules.apply
    listed = list_of(len(game.actions))

    @rule
    def play(boxes, states, words, seats, chance, first, end, limit, buffer, tally, digests):
        """Play the games `first` to `end` - 1, and write the digest of each one's last state to `digests`."""
        box, s, listed_ids = boxes[0], states[0], buffer.view(listed)[0]
        for number in range(first, end):
            open_game(s, words, seats, chance)
            setup(box, s)
            decisions = 0
            while s.over == 0 and decisions < limit:
                seat = due_seat(s, chance)
                count = legal(box, s, seat, listed_ids.ids)
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, listed_ids.ids[quick_below(chance, count)])
                decisions += 1
            tally[0] += decisions
            tally[1] += s.over
            digests[number] = digest_of(words)

    return play
