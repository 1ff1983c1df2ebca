"""What can follow from the challenges of a round: who may defend a space, and where a defender may fall (DU 4.2).

Battles are settled from the top down, so nobody's place changes before the battle above it is over.
"""

from __future__ import annotations

from typing import Any

from pyramidion.games.pyramid_of_ten.spaces import TEN, space_name


def attackers(s: Any, space: int) -> list[int]:
    """Return the seats that challenge a space (0 to 9) in this round, in ascending order."""
    return [seat for seat in range(TEN) if s.target[seat] == space + 1]


def may_defend(s: Any, space: int) -> list[int]:
    """Return the seats that may have to defend a space, beginning with the one that stands there now.

    A seat whose own attack wins leaves the space. The loser comes down to it and defends it instead.
    """
    occupant = int(s.at[space])
    target = int(s.target[occupant]) - 1
    return [occupant, *(may_defend(s, target) if target >= 0 else ())]


def falls(s: Any, space: int) -> list[dict[str, Any]]:
    """Return how the defender of a space may fall, step by step: who beats it, to where, and who attacks it there.

    Each step has the seat that wins (`by`), the name of the space where the winner stood (`to`), and the seats that
    attack that space (`meets`). Steps further down follow the step that leads to them.
    """
    chain: list[dict[str, Any]] = []
    for seat in attackers(s, space):
        low = int(s.space[seat])
        chain.append({"by": seat, "to": space_name(low), "meets": attackers(s, low)})
        chain += falls(s, low)
    return chain
