"""What a Fleet comes to now, and what it would come to after a placement or a rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyramidion.games.pyramis import rules
from pyramidion.games.pyramis.layout import COLOURS, N_SPACES, SPACES


@dataclass(frozen=True, slots=True)
class Fleet:
    """A Fleet's count: Pyramids and Aliens on the ends on top, and the largest zone as a bitmask of spaces."""

    cards: int
    pyramids: int
    aliens: int
    zone: int
    zone_cards: int
    zone_pyramids: int
    zone_colour: int

    @classmethod
    def of(cls, box: Any, s: Any, seat: int) -> Fleet:
        """Count the Fleet of a seat as it lies (PY 7.2 to 7.4)."""
        filled = int(s.filled[seat])
        zone = int(rules.largest_zone(box, s, seat))
        colours = [c for c in range(len(COLOURS)) if zone & int(s.of_colour[seat, c])]
        return cls(
            cards=filled.bit_count(),
            pyramids=int(rules.fleet_pyramids(box, s, seat, filled)),
            aliens=int(rules.fleet_aliens(box, s, seat)),
            zone=zone,
            zone_cards=zone.bit_count(),
            zone_pyramids=int(rules.fleet_pyramids(box, s, seat, zone)),
            zone_colour=colours[0] if colours else -1,
        )

    def zone_report(self) -> dict[str, Any] | None:
        """Return the largest zone, JSON-ready; None for a Fleet without cards."""
        if not self.zone:
            return None
        return {
            "colour": COLOURS[self.zone_colour],
            "cards": self.zone_cards,
            "pyramids": self.zone_pyramids,
            "spaces": [SPACES[n] for n in range(N_SPACES) if self.zone >> n & 1],
        }

    def report(self, before: Fleet, stars: dict[str, int] | None, rivals: int) -> dict[str, Any]:
        """Return this Fleet beside what it was `before`; `stars` are the holder's, `rivals` the others' most Aliens."""
        return {
            "before": before._score(stars, rivals),
            "after": self._score(stars, rivals),
            "zone": self.zone_report(),
        }

    def _score(self, stars: dict[str, int] | None, rivals: int) -> dict[str, int]:
        pyramids = self.pyramids + (stars["pyramids"] if stars else 0)
        aliens = self.aliens + (stars["aliens"] if stars else 0)
        score = pyramids + self.zone_pyramids + (aliens if aliens >= rivals else 0)
        return {"pyramids": pyramids, "zone": self.zone_pyramids, "aliens": aliens, "score": score}


def after_placement(box: Any, s: Any, seat: int, card: int, space: int) -> Fleet:
    """Count the Fleet of a seat as it would be with `card` on `space`."""
    other = s.copy()
    other.fleet[seat, space] = card + 1
    other.filled[seat] |= 1 << space
    other.of_colour[seat, box.colour[card]] |= 1 << space
    return Fleet.of(box, other, seat)


def after_rotation(box: Any, s: Any, seat: int, space: int) -> Fleet:
    """Count the Fleet of a seat as it would be with the card on `space` turned."""
    other = s.copy()
    other.turned[seat] ^= 1 << space
    return Fleet.of(box, other, seat)
