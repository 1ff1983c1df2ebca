"""A second implementation of Pyramid Scheme, in plain Python and directly from the rulebook.

It shares nothing with the game's rules, and is deliberately slow and simple: derived values are always recomputed. It
makes no random choices: it receives the cards turned up from the deck and checks that they were possible.
`test_referee.py` compares the game with it over random play.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import pyramidion

DATA = tomllib.loads((Path(pyramidion.__file__).parent / "games" / "pyramid_scheme" / "cards.toml").read_text("utf-8"))
COLOURS = ["green", "blue", "pink", "yellow"]
NAMES = [f"{colour}-{letter}" for colour in COLOURS for letter in "abcdefghijklmnop"]
CARDS = dict(zip(NAMES, DATA["victims"], strict=True))
POLICE = [f"police-{n}" for n in range(1, 19)]
CARDS |= {name: {"number": 3, "colour": None, "wants": []} for name in POLICE}
CARDS["founder"] = {**DATA["founder"], "colour": None}


def fits(demand, card: str) -> bool:
    """A number, a colour or any card (PS 6.3)."""
    printed = CARDS[card]
    return demand in ("any", printed["colour"]) or (demand == printed["number"] and card != "founder")


def can_be_met(demands: list, cards: list[str]) -> bool:
    """Whether every demand finds a card of its own."""
    if not demands:
        return True
    return any(
        fits(demands[0], card) and can_be_met(demands[1:], cards[:i] + cards[i + 1 :]) for i, card in enumerate(cards)
    )


@dataclass
class Player:
    """A hand, and a pyramid: each card's holder, the flipped ones, and limit tokens."""

    hand: list[str]
    holds: int = 3
    tokens: int = 1
    above: dict[str, str | None] = field(default_factory=lambda: {"founder": None})
    flipped: set[str] = field(default_factory=set)
    limits: dict[str, int] = field(default_factory=dict)
    out: bool = False
    police_count: bool = False  # in conditions (PS 6.3)

    def below(self, card: str) -> list[str]:
        return [other for other, holder in self.above.items() if holder == card]

    def branch(self, card: str | None) -> list[str]:
        """The card and all above it."""
        return [] if card is None else [card, *self.branch(self.above[card])]

    def takes(self, holder: str, card: str) -> bool:
        """Whether a card may be placed directly below another (PS 5.2 to 5.4)."""
        if holder in POLICE and holder not in self.flipped:
            return False
        total = CARDS[card]["number"] + sum(CARDS[other]["number"] for other in self.below(holder))
        colour = CARDS[card]["colour"]
        return total <= CARDS[holder]["number"] + self.limits.get(holder, 0) and not any(
            colour is not None and CARDS[other]["colour"] == colour and other not in self.flipped
            for other in self.branch(holder)
        )

    def places(self, card: str) -> set[str]:
        return {holder for holder in self.above if self.takes(holder, card)}

    def ready(self) -> set[str]:
        """The cards that a condition flips (PS 6.1)."""
        return {
            card
            for card in self.above
            if card not in self.flipped
            and card not in POLICE
            and can_be_met(
                CARDS[card]["wants"],
                [other for other in self.below(card) if self.police_count or other not in POLICE],
            )
        }

    def meets(self, goal: str) -> bool:
        """PS 8.1 to 8.17."""
        victims = [card for card in self.above if card in NAMES]
        of = {colour: [card for card in victims if CARDS[card]["colour"] == colour] for colour in COLOURS}
        numbers = [CARDS[card]["number"] for card in victims]
        smart = {colour: sum(card in self.flipped for card in of[colour]) for colour in COLOURS}
        smart_numbers = [CARDS[card]["number"] for card in self.flipped]
        if goal.startswith("five-") and goal != "five-1s":
            return len(of[goal[5:]]) >= 5
        return {
            "two-of-each-colour": all(len(cards) >= 2 for cards in of.values()),
            "six-levels": any(sum(card not in POLICE for card in self.branch(end)) >= 6 for end in self.above),
            "three-limit-tokens": sum(self.limits.values()) >= 3,
            "five-1s": numbers.count(1) >= 5,
            "four-2s": numbers.count(2) >= 4,
            "three-3s": numbers.count(3) >= 3,
            "one-to-five": set(numbers) == {1, 2, 3, 4, 5},
            "three-reset-tokens": self.tokens >= 3,
            "smart-all-colours": all(smart.values()),
            "smart-same-colour": max(smart.values()) >= 4,
            "smart-different-numbers": len(set(smart_numbers)) >= 4,
            "smart-same-number": any(smart_numbers.count(number) >= 4 for number in smart_numbers),
            "smart-below-one": any(len(self.flipped.intersection(self.below(card))) >= 3 for card in self.above),
        }[goal]


class Referee:
    """A table from the opening on, which receives hands, market, top of the deck, goals, start seat and options."""

    def __init__(
        self, hands: list[list[str]], market: list[str], top: str, goals: list[str], start: int, options: dict
    ):
        self.players = [Player(list(hand), police_count=options["police_in_conditions"]) for hand in hands]
        self.market, self.top, self.options = list(market), top, options
        self.deck = set(NAMES) - {card for hand in hands for card in hand} - set(market) - {top}
        self.discard: set[str] = set()
        self.goals: dict[str, str | None] = dict.fromkeys(goals)
        self.reserved: dict[str, int] = {}
        self.turn, self.actions, self.phase = start, 2, "act"
        self.reward = ""
        self.due = start
        self.queue: list[int] = []
        self.rule: str | None = None
        self.winners: tuple[int, ...] = ()

    @property
    def supply(self) -> int:
        return 20 - sum(p.tokens + sum(p.limits.values()) for p in self.players)

    def legal(self) -> set[str]:
        me = self.players[self.due]
        if self.phase == "police":
            return {f"police {holder}" for holder in me.places(POLICE[0])}
        if self.phase == "flip":
            return {"done", *(f"flip {card}" for card in me.ready())}
        if self.phase == "reward":
            return {"done", *self.uses()}
        found = set()
        if self.actions:
            if len(me.hand) < me.holds:
                found |= {f"take {card}" for card in self.market}
            found |= {f"place {card} {holder}" for card in me.hand for holder in me.places(card)}
        else:
            found.add("end")
        return found | ({"reset"} if me.tokens else set())

    def uses(self) -> set[str]:
        """What the reward that is due may be used on (PS 7)."""
        me, kind = self.players[self.due], self.reward.partition(" +")[0]
        unflipped = set(me.above) - me.flipped
        if kind == "limit":
            idle = unflipped.intersection(POLICE)
            return {f"limit {card}" for card in me.above if card not in idle} if self.supply else set()
        if self.reward in ("flip", "flip + bonus"):
            return {f"flip {card}" for card in unflipped}
        if kind == "discard police":
            return {f"remove {card}" for card in me.above if card in POLICE and not me.below(card)}
        if kind == "flip police":
            return {f"flip {card}" for card in unflipped if card in POLICE}
        if kind == "reserve goal":
            return {f"reserve {g}" for g, claimed in self.goals.items() if claimed is None and g not in self.reserved}
        return {f"discard {card}" for card in me.hand}

    def play(self, action: str, market: list[str], top: str | None) -> None:
        """Play the due seat's action; `market` and `top` are what lies there afterwards."""
        word, *args = action.split()
        me = self.players[self.due]
        if word == "take":
            self.actions -= 1
            me.hand.append(args[0])
            self._turn_up(self.market.index(args[0]), top)
        elif word == "place":
            self.actions -= 1
            me.hand.remove(args[0])
            me.above[args[0]] = args[1]
            self.phase = "flip"
        elif word == "reset":
            me.tokens -= 1
            self.discard |= set(self.market)
            for slot, after in enumerate((market[1], market[2], top)):
                self._turn_up(slot, after)
        elif word == "end":
            self._next_turn()
        elif word == "police":
            me.above[next(card for card in POLICE if not any(card in p.above for p in self.players))] = args[0]
            del self.queue[0]
        elif word == "done":
            if self.phase == "flip":
                self._claim()
            else:
                self.phase = "flip"
        elif self.phase == "flip":
            self._flip(args[0], gains=True)
        else:
            self._use(word, args[0])
        assert self.market == market
        self._go_on()

    def _turn_up(self, slot: int, after: str | None) -> None:
        """The deck's top card fills a gap of the market, and another comes up (PS 4.2, 4.3)."""
        self.market[slot] = self.top
        if not self.deck:
            self.deck, self.discard = self.discard, set()
        if not self.deck:
            assert after is None
            self._end("PS 4.3")
            return
        self.top = after
        self.deck.remove(after)

    def _flip(self, card: str, gains: bool) -> None:
        me, reward = self.players[self.due], CARDS[card].get("reward")
        me.flipped.add(card)
        self.phase = "flip"
        if not gains or not reward:
            return
        kind, _, count = reward.partition(" +")
        if kind == "hand":
            me.holds += int(count)
        elif kind == "reset":
            me.tokens += min(int(count), self.supply)
        else:
            self.phase, self.reward = "reward", reward

    def _use(self, word: str, thing: str) -> None:
        me, reward = self.players[self.due], self.reward
        if word == "flip":
            self._flip(thing, gains=reward == "flip + bonus")
            return
        self.phase = "flip"
        if word == "limit":
            me.limits[thing] = me.limits.get(thing, 0) + min(int(reward.partition(" +")[2]), self.supply)
        elif word == "remove":
            del me.above[thing]
            me.flipped.discard(thing)
            me.limits.pop(thing, None)
        elif word == "reserve":
            self.reserved[thing] = self.due
        else:
            me.hand.remove(thing)
            self.discard.add(thing)
            if me.hand:
                self.phase = "reward"

    def _claim(self) -> bool:
        """Claim all goals that are met, and ask the others for a Police card for each (PS 8.20, 8.21)."""
        seat, seats = self.turn, len(self.players)
        for goal, claimed in self.goals.items():
            if claimed is None and self.reserved.get(goal, seat) == seat and self.players[seat].meets(goal):
                self.goals[goal] = str(seat)
                self.queue += [(seat + k) % seats for k in range(1, seats)]
        self.phase, self.flips_go_on = "police", bool(self.queue) and self.options["claim_between_flips"]
        return bool(self.queue)

    def _go_on(self) -> None:
        while self.phase != "over":
            me = self.players[self.turn]
            self.due = self.turn
            if self.phase == "reward":
                if self.uses():
                    return
                self.phase = "flip"
            elif self.phase == "flip":
                if self.options["claim_between_flips"] and self._claim():
                    continue
                if me.ready():
                    self.phase = "flip"
                    return
                self._claim()
            elif self.phase == "police":
                if self._asks_for_police():
                    return
            elif self.actions == 0:
                if me.tokens:
                    return
                self._next_turn()
            elif len(me.hand) < me.holds or any(me.places(card) for card in me.hand):
                return
            else:
                self._crumble(self.turn)
                if self.phase != "over":
                    self._next_turn()

    def _asks_for_police(self) -> bool:
        while self.queue:
            seat = self.queue[0]
            if not self.players[seat].out:
                if self.players[seat].places(POLICE[0]):
                    self.due = seat
                    return True
                self._crumble(seat)
                if self.phase == "over":
                    return True
            del self.queue[0]
        self.phase = "flip" if self.flips_go_on else "act"
        return False

    def _next_turn(self) -> None:
        seats = len(self.players)
        self.turn = next(p for k in range(1, seats + 1) if not self.players[p := (self.turn + k) % seats].out)
        self.actions, self.phase = 2, "act"

    def _crumble(self, seat: int) -> None:
        """PS 3.2, 3.3, 9.2."""
        me = self.players[seat]
        if self.options["recycle_crumbled"]:
            self.discard |= set(me.hand) | {card for card in me.above if card in NAMES}
        self.players[seat] = Player([], me.holds, 0, {}, out=True)
        if self.options["free_reserved"]:
            self.reserved = {goal: holder for goal, holder in self.reserved.items() if holder != seat}
        if sum(not p.out for p in self.players) == 1:
            self._end("PS 10.2")

    def _end(self, rule: str) -> None:
        self.phase, self.rule = "over", rule
        smart = {seat: len(p.flipped) for seat, p in enumerate(self.players) if not p.out}
        self.winners = tuple(seat for seat, count in smart.items() if count == max(smart.values()))
