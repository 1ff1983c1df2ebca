"""What can follow from the challenges of a round: who may defend a space, and where a defender may fall (DU 4.2).

Battles are settled from the top down, so nobody's place changes before the battle above it is over.
"""

from __future__ import annotations

from typing import Any

from pyramidion.games.pyramid_of_ten.spaces import TEN, space_name


def attackers(s: Any, space: int) -> list[int]:
    """Return the seats that challenge a space."""
    return [seat for seat in range(TEN) if s.target[seat] == space + 1]


def may_defend(s: Any, space: int) -> list[int]:
    """Return the seats that may stand on a space when its battle is settled, the one that stands there now first.

    If that one's own attack wins, the loser comes down to the space and defends it.
    """
    occupant = int(s.at[space])
    target = int(s.target[occupant]) - 1
    return [occupant, *(may_defend(s, target) if target >= 0 else ())]


def falls(s: Any, space: int) -> list[dict[str, Any]]:
    """Return the falls from a space, nearest first: who pushes the defender down, to where, and who attacks there."""
    chain: list[dict[str, Any]] = []
    for seat in attackers(s, space):
        low = int(s.space[seat])
        chain.append({"by": seat, "to": space_name(low), "meets": attackers(s, low)})
        chain += falls(s, low)
    return chain
