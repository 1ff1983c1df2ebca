"""A second implementation of Pyramis, in plain Python and directly from the rulebook.

It shares nothing with the game's rules, and is deliberately slow and simple. It makes no random choices: it receives
the backs that come up and the Star cards drawn and stolen, and checks that they were possible. `test_referee.py`
compares the game with it over random play.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pyramidion
from pyramidion import Match

DATA = tomllib.loads((Path(pyramidion.__file__).parent / "games" / "pyramis" / "cards.toml").read_text("utf-8"))
CARDS = dict(enumerate(DATA["exodus_cards"], 1))
STARS = dict(enumerate(DATA["shooting_stars"], 1))
COLOURS = ["blue", "green", "pink", "gray"]
# A space is where its middle lies: level, and half cards from the left.
PLACES = {f"{'abcd'[level]}{n + 1}": (level, 2 * n + level) for level in range(4) for n in range(4 - level)}


def touch(one: str, other: str) -> bool:
    """Side by side on a level, or one half over the other."""
    (level, x), (other_level, y) = PLACES[one], PLACES[other]
    return (level == other_level and abs(x - y) == 2) or (abs(level - other_level) == 1 and abs(x - y) == 1)


def under(space: str) -> list[str]:
    return [other for other in PLACES if touch(space, other) and PLACES[other][0] == PLACES[space][0] - 1]


def over(space: str) -> list[str]:
    return [other for other in PLACES if touch(space, other) and PLACES[other][0] == PLACES[space][0] + 1]


@dataclass
class Player:
    """A Fleet - space to card and whether it is turned - and a hand of Star cards."""

    fleet: dict[str, tuple[int, bool]] = field(default_factory=dict)
    stars: set[int] = field(default_factory=set)

    def open(self) -> set[str]:
        if not self.fleet:
            return {space for space in PLACES if space.startswith("a")}
        return {
            space
            for space in PLACES
            if space not in self.fleet
            and any(touch(space, other) for other in self.fleet)
            and all(other in self.fleet for other in under(space))
        }

    def accessible(self, colour: str) -> set[str]:
        return {
            space
            for space, (card, _) in self.fleet.items()
            if CARDS[card]["colour"] == colour and not any(other in self.fleet for other in over(space))
        }

    def up(self, space: str) -> list[int]:
        card, turned = self.fleet[space]
        return CARDS[card]["bottom" if turned else "top"]

    def zones(self) -> list[set[str]]:
        found: list[set[str]] = []
        for space, (card, _) in self.fleet.items():
            colour = CARDS[card]["colour"]
            joined = [z for z in found if any(touch(space, o) and self.colour(o) == colour for o in z)]
            found = [z for z in found if z not in joined] + [set().union({space}, *joined)]
        return found

    def colour(self, space: str) -> str:
        return CARDS[self.fleet[space][0]]["colour"]

    def pyramids(self) -> int:
        return sum(self.up(space)[0] for space in self.fleet) + sum(STARS[star]["pyramids"] for star in self.stars)

    def aliens(self) -> int:
        return sum(self.up(space)[1] for space in self.fleet) + sum(STARS[star]["aliens"] for star in self.stars)

    def zone(self, by_pyramids: bool = False) -> tuple[int, int]:
        """Cards and Pyramids of the largest zone."""
        sizes = [(len(z), sum(self.up(space)[0] for space in z)) for z in self.zones()]
        return max(sizes, key=lambda size: size[::-1] if by_pyramids else size, default=(0, 0))


class Referee:
    """A table of Pyramis; it follows a match from its opening."""

    def __init__(self, match: Match) -> None:
        view = match.view(None)
        self.players = [Player() for _ in range(match.seats)]
        self.river: list[int | None] = [card["card"] for card in view["river"]]
        self.in_turn = match.options["rotations"] == "in-turn"
        self.by_pyramids = match.options["largest_zone"] == "pyramids"
        self.left = [24 - match.options["river_left"], 21 + match.options["river_left"]]
        self.reserve = set(STARS)
        self.active = match.acting[0]
        self.phase = "place"
        self.due = {self.active}
        self.colours: list[str] = []
        self.chosen: dict[int, str] = {}
        self.later: list[int] = []
        self.turns = 0
        self.over = False

    def legal(self, seat: int) -> set[str]:
        me = self.players[seat]
        if self.phase == "place":
            return {f"place {slot} {space}" for slot in (1, 2, 3) for space in me.open()}
        if self.phase == "steal":
            return {f"steal {other}" for other, p in enumerate(self.players) if other != seat and p.stars}
        if self.phase == "refill":
            return {f"refill {name}" for name, left in zip(("left", "right"), self.left, strict=True) if left}
        return {f"rotate {space}" for space in me.accessible(self.colours[0])}

    def play(self, seat: int, action: str, backs: list[list[str]], card: int | None, star: int | None) -> None:
        """Play an action; `card` is what came into the River, `backs` what shows now, `star` a Star card that moved."""
        word, *args = action.split()
        me = self.players[seat]
        if word == "place":
            slot = int(args[0]) - 1
            taken = self.river[slot]
            assert taken is not None
            self.river[slot] = None
            me.fleet[args[1]] = (taken, False)
            self.phase = "refill"
            if CARDS[taken]["star"]:
                self._star(seat, star)
        elif word == "steal":
            assert star is not None
            self.players[int(args[0])].stars.remove(star)
            me.stars.add(star)
            self.phase = "refill"
        elif word == "refill":
            self._refill(("left", "right").index(args[0]), backs, card)
        else:
            self.chosen[seat] = args[0]
            self.due.remove(seat)
            if self.later:
                turned, side = me.fleet[self.chosen.pop(seat)]
                me.fleet[args[0]] = (turned, not side)
                self.due = {self.later.pop(0)}
            elif not self.due:
                for p, space in self.chosen.items():
                    turned, side = self.players[p].fleet[space]
                    self.players[p].fleet[space] = (turned, not side)
                self.chosen = {}
                del self.colours[0]
                self._next_colour()

    def _star(self, seat: int, star: int | None) -> None:
        if self.reserve:
            assert star in self.reserve
            self.reserve.remove(star)
            self.players[seat].stars.add(star)
        elif any(p.stars for other, p in enumerate(self.players) if other != seat):
            self.phase = "steal"

    def _refill(self, deck: int, backs: list[list[str]], card: int | None) -> None:
        seen = {c for p in self.players for c, _ in p.fleet.values()} | set(self.river)
        assert card not in seen
        self.river[self.river.index(None)] = card
        self.left[deck] -= 1
        assert all(not back for back, left in zip(backs, self.left, strict=True) if not left)
        shown = Counter(colour for back in backs for colour in back)
        self.colours = [colour for colour in COLOURS if shown[colour] >= 2]
        self._next_colour()

    def _next_colour(self) -> None:
        while self.colours:
            order = [(self.active + n) % len(self.players) for n in range(len(self.players))]
            due = [seat for seat in order if self.players[seat].accessible(self.colours[0])]
            if due:
                self.phase = "rotate"
                self.due, self.later = ({due[0]}, due[1:]) if self.in_turn else (set(due), [])
                return
            del self.colours[0]
        self.turns += 1
        self.phase = "place"
        self.active = (self.active + 1) % len(self.players)
        self.due = {self.active}
        if all(len(p.fleet) == 10 for p in self.players):
            self.over, self.due, self.phase = True, set(), "over"

    def points(self) -> list[int]:
        most = max(p.aliens() for p in self.players)
        return [
            p.pyramids() + p.zone(self.by_pyramids)[1] + (p.aliens() if p.aliens() == most else 0) for p in self.players
        ]

    def winners(self) -> tuple[int, ...]:
        points = self.points()
        return tuple(seat for seat, n in enumerate(points) if n == max(points))
