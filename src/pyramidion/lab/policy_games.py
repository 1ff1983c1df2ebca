"""The compiled loop of games between policies, for `playouts.run`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pyramidion.engine.entries import due_seat, open_game, quick_below, weighted
from pyramidion.engine.game import Game
from pyramidion.engine.redaction import redact_bytes
from pyramidion.engine.rule import rule


class Table(NamedTuple):
    """The boxes, states and buffers with which one thread plays games between policies.

    Attributes:
        boxes: the referee's box, then the box as each seat may see it, shape (1 + seats,).
        state, raw: a state, shape (1,), and its bytes.
        redacted, redacted_raw: the same for the state redacted for one seat.
        masks, parties, submitted: how it is redacted; see `Layout.hiding`.
        chance: generator of the choices, uint64[1].
        ids, legal, weights: buffers as long as the action space.
    """

    boxes: Any
    state: Any
    raw: Any
    redacted: Any
    redacted_raw: Any
    masks: Any
    parties: Any
    submitted: Any
    chance: Any
    ids: Any
    legal: Any
    weights: Any


class Results(NamedTuple):
    """The arrays that receive the results of games.

    Attributes:
        wins: bool[games, seats].
        points: int32[games, seats].
        lengths: the numbers of decisions, int32[games].
    """

    wins: Any
    points: Any
    lengths: Any


def seated(
    game: Game, seats: int, options: Any, cards: str | None, policies: Sequence[Any]
) -> tuple[Any, tuple[Any, ...], npt.NDArray[np.int64]]:
    """Return the boxes for games between policies, the distinct policies, and the number of the policy at each seat.

    The boxes, shape (1 + seats,), are the referee's and then the box as each seat may see it. The numbers,
    int64[seats], count the distinct policies; a random player has the number after the last.
    """
    distinct = tuple(dict.fromkeys(policy for policy in policies if policy is not None))
    number_of = np.array([len(distinct) if policy is None else distinct.index(policy) for policy in policies])
    seen: list[npt.NDArray[Any]] = [game.make_box(game.options_for(options, seat), cards) for seat in range(seats)]
    boxes: npt.NDArray[Any] = np.concatenate([game.make_box(options, cards), *seen])
    return boxes.view(type(game.layout.new())), distinct, number_of


def make_games(rules: Any, policies: tuple[Any, ...]) -> Any:
    """Return the compiled loop that plays games between these policies; number len(policies) stands for random play."""
    setup, legal, apply, points = rules.setup, rules.legal, rules.apply, rules.points
    none = len(policies)

    @rule
    def choose(number, box, s, seat, ids, weights):
        """Propose nothing: no policy has the requested number."""
        return -1

    for n, policy in enumerate(policies):
        choose = _make_choice(n, policy, choose)

    @rule
    def play(table, results, number_of, first, end, limit):
        """Play the games `first` to `end` - 1; `number_of` (int64[seats]) is the number of each seat's policy.

        Return -1, or the seat whose policy proposed an illegal action; the loop stops there.
        """
        box, s, seats = table.boxes[0], table.state[0], number_of.shape[0]
        for game in range(first, end):
            open_game(s, table.raw, seats, table.chance)
            setup(box, s)
            decisions = 0
            while s.over == 0 and decisions < limit:
                seat = due_seat(s, table.chance)
                count = legal(box, s, seat, table.legal)
                if number_of[seat] == none:
                    action = table.legal[quick_below(table.chance, count)]
                else:
                    redact_bytes(table.raw, table.redacted_raw, seat, table.masks[seat], table.parties, table.submitted)
                    candidates = choose(
                        number_of[seat], table.boxes[1 + seat], table.redacted[0], seat, table.ids, table.weights
                    )
                    if candidates < 1:
                        return seat
                    action = table.ids[weighted(table.weights, candidates, table.chance)]
                    place = np.searchsorted(table.legal[:count], action)
                    if place == count or table.legal[place] != action:
                        return seat
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
                decisions += 1
            points(box, s, results.points[game])
            results.lengths[game] = decisions
            for seat in range(seats):
                results.wins[game, seat] = (int(s.winners) >> seat) & 1 == 1
        return -1

    return play


def _make_choice(number: int, policy: Any, others: Any) -> Any:
    """Return a rule that calls `policy` if its number is requested, otherwise `others`."""

    @rule
    def choose(wanted, box, s, seat, ids, weights):
        if wanted == number:
            return policy(box, s, seat, ids, weights)
        return others(wanted, box, s, seat, ids, weights)

    return choose
