"""Score previews of a Fleet: as it is, after a placement, and after a rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyramidion.games.pyramis import rules
from pyramidion.games.pyramis.layout import BY_PYRAMIDS, COLOURS, IN_TURN, N_SPACES, SPACES


class Plain:
    """The often read fields of box and state as plain lists, because reading single entries of a record is slow."""

    def __init__(self, box: Any, s: Any) -> None:
        self.seats, self.phase = int(s.seats), int(s.phase)
        self.over, self.acting, self.submitted = bool(s.over), int(s.acting), int(s.submitted)
        self.colour: list[int] = box.colour.tolist()
        self.pyramids: list[list[int]] = box.pyramids.tolist()
        self.aliens: list[list[int]] = box.aliens.tolist()
        self.star: list[int] = box.star.tolist()
        self.back: list[int] = box.back.tolist()
        self.star_pyramids: list[int] = box.star_pyramids.tolist()
        self.star_aliens: list[int] = box.star_aliens.tolist()
        self.river: list[int] = s.river.tolist()
        self.fleet: list[list[int]] = s.fleet.tolist()
        self.filled: list[int] = s.filled.tolist()
        self.turned: list[int] = s.turned.tolist()
        self.of_colour: list[list[int]] = s.of_colour.tolist()
        self.left: list[int] = s.left.tolist()
        self.shown: list[int] = s.back.tolist()
        self.stars: list[int] = s.stars.tolist()
        self.final_stars: list[int] = s.final_stars.tolist()
        self.star_count: list[int] = s.star_count.tolist()
        self.choice: list[int] = s.choice.tolist()
        self.turning = int(s.colour)
        self.active = int(s.active)
        self.in_turn = bool(box.rotations == IN_TURN)
        self.by_pyramids = bool(box.largest_zone == BY_PYRAMIDS)

    def star_worth(self, held: int) -> dict[str, int]:
        """Return the Pyramids and Aliens on the Star cards in the bitmask `held` (PY 7.2, 7.4)."""
        mine = [star for star in range(len(self.star_pyramids)) if held >> star & 1]
        return {
            "pyramids": sum(self.star_pyramids[star] for star in mine),
            "aliens": sum(self.star_aliens[star] for star in mine),
        }


@dataclass(frozen=True, slots=True)
class Fleet:
    """What scores in a Fleet: Pyramids and Aliens on the top ends, and the largest zone (bitmask of spaces)."""

    cards: int
    pyramids: int
    aliens: int
    zone: int
    zone_cards: int
    zone_pyramids: int
    zone_colour: int

    @classmethod
    def of(cls, q: Plain, seat: int, turned: int | None = None) -> Fleet:
        """Count a seat's Fleet as it is, or with the cards in the bitmask `turned` rotated (PY 7.2 to 7.4)."""
        return cls._count(q, q.fleet[seat], q.turned[seat] if turned is None else turned, q.of_colour[seat])

    @classmethod
    def _count(cls, q: Plain, lying: list[int], turned: int, of_colour: list[int]) -> Fleet:
        """Count a Fleet: the cards by space (`lying`, card + 1), and bitmasks of those rotated and of each colour."""
        pyramids_on = [0] * N_SPACES
        cards, aliens = 0, 0
        for n, card in enumerate(lying):
            if card:
                end = turned >> n & 1
                pyramids_on[n] = q.pyramids[card - 1][end]
                aliens += q.aliens[card - 1][end]
                cards += 1
        best = (-1, -1)
        zone, zone_cards, zone_pyramids, zone_colour = 0, 0, 0, -1
        for colour, spaces in enumerate(of_colour):
            rest = spaces
            while rest:
                part = int(rules.zone_at(rest))
                rest &= ~part
                size, pyramids = part.bit_count(), sum(pyramids_on[n] for n in range(N_SPACES) if part >> n & 1)
                worth = (pyramids, size) if q.by_pyramids else (size, pyramids)
                if worth > best:
                    best, zone, zone_cards, zone_pyramids, zone_colour = worth, part, size, pyramids, colour
        return cls(cards, sum(pyramids_on), aliens, zone, zone_cards, zone_pyramids, zone_colour)

    def zone_report(self) -> dict[str, Any] | None:
        """Return the largest zone as JSON-ready data, or None for an empty Fleet."""
        if not self.zone:
            return None
        return {
            "colour": COLOURS[self.zone_colour],
            "cards": self.zone_cards,
            "pyramids": self.zone_pyramids,
            "spaces": [SPACES[n] for n in range(N_SPACES) if self.zone >> n & 1],
        }

    def report(self, before: Fleet, stars: dict[str, int] | None, rivals: int) -> dict[str, Any]:
        """Return the preview of an action: the score before it (of the Fleet `before`) and after it (of this Fleet).

        `stars` are the Pyramids and Aliens on the owner's Star cards, None if unknown. `rivals` is the most Aliens that
        another player has.
        """
        return {
            "before": before._score(stars, rivals),
            "after": self._score(stars, rivals),
            "zone": self.zone_report(),
        }

    def _score(self, stars: dict[str, int] | None, rivals: int) -> dict[str, int]:
        """Return the score as the parts of a preview; Aliens count if no rival has more."""
        pyramids = self.pyramids + (stars["pyramids"] if stars else 0)
        aliens = self.aliens + (stars["aliens"] if stars else 0)
        score = pyramids + self.zone_pyramids + (aliens if aliens >= rivals else 0)
        return {"pyramids": pyramids, "zone": self.zone_pyramids, "aliens": aliens, "score": score}

    @classmethod
    def after_placement(cls, q: Plain, seat: int, card: int, space: int) -> Fleet:
        """Count a seat's Fleet after placing `card` on `space`."""
        lying, of_colour = q.fleet[seat].copy(), q.of_colour[seat].copy()
        lying[space] = card + 1
        of_colour[q.colour[card]] |= 1 << space
        return cls._count(q, lying, q.turned[seat], of_colour)

    @classmethod
    def after_rotation(cls, q: Plain, seat: int, space: int) -> Fleet:
        """Count a seat's Fleet after rotating the card on `space`."""
        return cls.of(q, seat, q.turned[seat] ^ 1 << space)
