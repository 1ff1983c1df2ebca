"""A second implementation of Ponzi Scheme, in plain Python and directly from the rulebook.

It shares nothing with the game's rules, and is deliberately slow and simple. It makes no random choices: it receives
the drawn cards and checks that they were possible. `test_referee.py` compares the game with it over random play.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion import Match

FILE = Path(pyramidion.__file__).parent / "games" / "ponzi_scheme" / "cards.toml"
CARDS = {card["value"]: card for card in tomllib.loads(FILE.read_text("utf-8"))["fund_cards"]}
INDUSTRIES = ["transportation", "grain", "media", "real-estate"]
LUXURIES = {"30": 1, "56": 2, "78": 3, "96": 4}
WEALTH = [(96, 4), (78, 3), (56, 2), (30, 1), (0, 0)]


@dataclass
class Player:
    """A player's hidden and public holdings. `wheel` maps a card to its distance from the arrow in spaces."""

    cash: int
    tiles: dict[str, int]
    wheel: dict[int, int]
    luxuries: set[str] = field(default_factory=set)
    bankrupt: bool = False

    @property
    def most(self) -> int:
        return max(self.tiles.values())


class Referee:
    """A table of Ponzi Scheme; it starts at any position between two turns and follows the match from there."""

    def __init__(self, match: Match) -> None:
        view = match.view(None)
        self.advanced, self.limit = view["advanced"], view["round_limit"]
        self.round, self.phase, self.start = view["round"], view["phase"], view["start"]
        self.market = [card["value"] for card in view["market"]]
        self.discard = set(view["discard"])
        self.supply = dict(view["supply"])
        self.players = [
            Player(
                match.view(seat)["players"][seat]["cash"],
                dict(player["tiles"]),
                {card["value"]: card["space"] for card in player["wheel"]},
                {tile["luxury"] for tile in view["luxuries"] if tile["owner"] == seat},
            )
            for seat, player in enumerate(view["players"])
        ]
        seen = {*self.market, *self.discard, *(card for player in self.players for card in player.wheel)}
        self.deck = {card for card in CARDS if card not in seen and CARDS[card]["kind"] != "starting"}
        self.seats = len(self.players)
        self.waiting = [(self.start + i) % self.seats for i in range(self.seats)]
        while self.waiting and self.waiting[0] != view["acting"][0]:
            self.waiting.pop(0)
        self.envelope: dict[str, Any] = {}
        self.drawn: list[int] = []
        self.crash = False
        self.over = False

    @property
    def acting(self) -> int | None:
        if self.over:
            return None
        if self.phase == "answer":
            return self.envelope["to"]
        return self.start if self.phase == "marker" else self.waiting[0]

    # What may be done

    def legal(self) -> set[str]:
        seat = self.acting
        if seat is None:
            return set()
        me = self.players[seat]
        if self.phase == "funding":
            return {"pass"} | {
                f"fund {industry} {card}"
                for industry in INDUSTRIES
                if self.supply[industry] and me.tiles[industry] < 3
                for card in self.row(me.tiles[industry] + 1)
            }
        if self.phase == "trading":
            free = {tile for tile in LUXURIES if not any(tile in player.luxuries for player in self.players)}
            return {
                "pass",
                *(f"buy {tile}" for tile in free if self.advanced and int(tile) <= me.cash),
                *(
                    f"offer {other} {industry}"
                    for other in range(self.seats)
                    for industry in INDUSTRIES
                    if other != seat and me.tiles[industry] and self.players[other].tiles[industry]
                ),
            }
        if self.phase == "amount":
            return {f"amount {n}" for n in range(me.cash + 1)}
        if self.phase == "answer":
            return {"sell"} | ({"counter"} if self.envelope["price"] <= me.cash else set())
        if self.phase == "marker":
            return {f"remove {card}" for card in self.market}
        return {f"give-back {industry}" for industry in INDUSTRIES if me.tiles[industry] == me.most}

    def row(self, number: int) -> list[int]:
        rest, highest = sorted(self.market)[:-3], sorted(self.market)[-3:]
        return [rest[:3], rest[3:], highest][number - 1]

    # What happens

    def play(self, action: str, drawn: list[int]) -> None:
        """Carry out an action; `drawn` are the cards that were drawn from the deck because of it, in order."""
        assert action in self.legal(), action
        self.drawn = list(drawn)
        words = action.split()
        {
            "funding": self.fund,
            "trading": self.trade,
            "amount": self.amount,
            "answer": self.answer,
            "marker": self.remove,
            "crash": self.give_back,
        }[self.phase](words)
        assert not self.drawn, f"{self.drawn} were drawn for nothing"

    def fund(self, words: list[str]) -> None:
        if words[0] == "fund":
            industry, card = words[1], int(words[2])
            me = self.players[self.waiting[0]]
            self.supply[industry] -= 1
            me.tiles[industry] += 1
            self.market.remove(card)
            me.wheel[card] = CARDS[card]["period"]
            me.cash += card
            self.restock()
        self.next_in("trading")

    def trade(self, words: list[str]) -> None:
        if words[0] == "offer":
            self.envelope = {"from": self.waiting[0], "to": int(words[1]), "industry": words[2]}
            self.phase = "amount"
            return
        if words[0] == "buy":
            me = self.players[self.waiting[0]]
            me.cash -= int(words[1])
            me.luxuries.add(words[1])
        self.next_in("marker")

    def amount(self, words: list[str]) -> None:
        self.envelope["price"] = int(words[1])
        self.phase = "answer"

    def answer(self, words: list[str]) -> None:
        offerer, other = self.players[self.envelope["from"]], self.players[self.envelope["to"]]
        buyer, seller = (offerer, other) if words[0] == "sell" else (other, offerer)
        buyer.cash -= self.envelope["price"]
        seller.cash += self.envelope["price"]
        buyer.tiles[self.envelope["industry"]] += 1
        seller.tiles[self.envelope["industry"]] -= 1
        self.phase = "trading"
        self.next_in("marker")

    def remove(self, words: list[str]) -> None:
        card = int(words[1])
        self.market.remove(card)
        if CARDS[card]["kind"] != "starting":
            self.discard.add(card)
        self.restock()
        bears = {card for card in self.market if CARDS[card]["kind"] == "bear"}
        self.crash = len(bears) >= self.seats
        if self.crash:
            self.market = [card for card in self.market if card not in bears]
            self.deck |= bears | self.discard
            self.discard = set()
            self.restock()
            self.phase = "crash"
            around = [(self.start + i) % self.seats for i in range(self.seats)]
            self.waiting = [seat for seat in around if self.players[seat].most]
        if not self.crash or not self.waiting:
            self.turn_wheels()

    def give_back(self, words: list[str]) -> None:
        self.players[self.waiting.pop(0)].tiles[words[1]] -= 1
        self.supply[words[1]] += 1
        if not self.waiting:
            self.turn_wheels()

    def next_in(self, phase_after: str) -> None:
        self.waiting.pop(0)
        if self.waiting:
            return
        self.phase = phase_after
        if phase_after == "marker":
            self.start = (self.start + 1) % self.seats
            if not self.market:
                self.crash = False
                self.turn_wheels()
                return
        self.waiting = [(self.start + i) % self.seats for i in range(self.seats)]

    def restock(self) -> None:
        self.renew_deck()
        while len(self.market) < 9 and self.deck:
            card = self.drawn.pop(0)
            self.deck.remove(card)
            self.market.append(card)
            self.renew_deck()
        self.market.sort()

    def renew_deck(self) -> None:
        if not self.deck:
            self.deck, self.discard = self.discard, set()

    def turn_wheels(self) -> None:
        debts: list[tuple[Player, list[int], int]] = []
        for player in self.players:
            player.wheel = {card: max(0, space - (2 if self.crash else 1)) for card, space in player.wheel.items()}
            at_arrow = [card for card, space in player.wheel.items() if space == 0]
            debts.append((player, at_arrow, sum(CARDS[card]["interest"] for card in at_arrow)))
        for player, _, debt in debts:
            player.bankrupt = player.cash < debt
            player.cash -= 0 if player.bankrupt else debt
        if any(player.bankrupt for player in self.players) or self.round >= self.limit:
            self.over, self.phase = True, "over"
            return
        for player, at_arrow, _ in debts:
            player.wheel |= {card: CARDS[card]["period"] for card in at_arrow}
        self.round += 1
        self.phase = "funding"
        self.waiting = [(self.start + i) % self.seats for i in range(self.seats)]

    # The end

    def points(self) -> list[int]:
        return [-1 if player.bankrupt else self.score(player) for player in self.players]

    def score(self, player: Player) -> int:
        industries = sum(sum(range(1, count + 1)) for count in player.tiles.values())
        if self.advanced:
            return industries + sum(LUXURIES[tile] for tile in player.luxuries)
        return industries + next(points for least, points in WEALTH if player.cash >= least)

    def winners(self) -> tuple[int, ...]:
        alive = [seat for seat, player in enumerate(self.players) if not player.bankrupt]
        ranks = {seat: (self.score(self.players[seat]), max(self.players[seat].wheel, default=0)) for seat in alive}
        return tuple(seat for seat in alive if ranks[seat] == max(ranks.values()))
