"""A second implementation, in plain Python and directly from the rules; payments are found by exhaustive search."""

from __future__ import annotations

import itertools
from collections import Counter

from tests.games.pyramid_shambo.positions import BEATEN, NAMES


def worth(pieces):
    return sum(int(name[1]) for name in pieces)


def sizes(pieces):
    found = Counter(int(name[1]) for name in pieces)
    return (found[1], found[2], found[3])


def parts(counts):
    """All parts of a set given by how many pieces it has of each size."""
    return itertools.product(*(range(n + 1) for n in counts))


def pips(counts):
    return counts[0] + 2 * counts[1] + 3 * counts[2]


def exact_sets(counts, total):
    return [part for part in parts(counts) if pips(part) == total]


def change_sets(payer, winner, fee):
    """The sets that may be handed over for change: with the right change, and no part of which would do (SB 3.4)."""
    totals = {pips(part) for part in parts(winner)}

    def will_do(part):
        return pips(part) > fee and pips(part) - fee in totals

    found = [part for part in parts(payer) if will_do(part)]
    return [
        whole
        for whole in found
        if not any(part != whole and all(a <= b for a, b in zip(part, whole, strict=True)) for part in found)
    ]


def within(part, whole):
    return all(a <= b for a, b in zip(part, whole, strict=True))


def trade_sets(payer, other, fee):
    """All (traded, given) of equal worth after which the payer can pay the fee exactly, whatever their number."""
    return [
        (traded, given)
        for traded in parts(payer)
        for given in exact_sets(other, pips(traded))
        if exact_sets([have - gone + got for have, gone, got in zip(payer, traded, given, strict=True)], fee)
    ]


def fewest(trades):
    """Those trades that move the fewest pieces."""
    least = min((sum(traded) + sum(given) for traded, given in trades), default=0)
    return [(traded, given) for traded, given in trades if sum(traded) + sum(given) == least]


class Referee:
    def __init__(self, seats, active, tie_limit, turn_limit, double_bonus=False, cascade_ends_bonuses=False):
        self.double_bonus, self.cascade_ends_bonuses = double_bonus, cascade_ends_bonuses
        self.seats, self.active, self.tie_limit, self.turn_limit = seats, active, tie_limit, turn_limit
        self.hold = {seat: set(NAMES[3 * seat : 3 * seat + 3]) for seat in range(seats)}
        self.playing = list(range(seats))
        self.challenges = 0
        self.over = False
        self.raised = 0
        self.next_turn(active)

    # What may be done

    def acting(self):
        if self.phase == "throw":
            return tuple(sorted({self.active, self.opponent} - set(self.thrown)))
        return () if self.over else (self.active if self.phase == "challenge" else self.decider,)

    def legal(self, seat):
        if seat not in self.acting():
            return set()
        if self.phase == "challenge":
            return {f"challenge {other}" for other in self.playing if other != seat}
        if self.phase == "throw":
            return {"throw rock", "throw paper", "throw scissors"}
        if self.phase == "pay":
            held = self.hold[self.payer] - self.put
            return {f"pay {name}" for name in held if self.can_pay_with(self.put | {name})}
        if self.phase == "change":
            held = self.hold[self.winner] - self.back
            due = worth(self.put) - self.fee
            return {
                f"change {name}" for name in held if self.completes(self.back | {name}, self.hold[self.winner], due)
            }
        if self.phase == "trade":
            held = self.hold[self.payer] - self.traded
            return {f"trade {name}" for name in held if self.part_of_a_trade(self.traded | {name})}
        found = set()
        for other in self.uninvolved():
            if self.given <= self.hold[other]:
                found |= {
                    f"for {name}"
                    for name in self.hold[other] - self.given
                    if self.part_of_a_trade(self.traded, self.given | {name}, other)
                }
        return found

    def can_pay_with(self, put):
        have = sizes(put)
        return any(all(a <= b for a, b in zip(have, whole, strict=True)) for whole in self.wholes)

    @staticmethod
    def completes(chosen, held, total):
        have = sizes(chosen)
        return any(all(a <= b for a, b in zip(have, whole, strict=True)) for whole in exact_sets(sizes(held), total))

    def uninvolved(self):
        return [seat for seat in self.playing if seat not in (self.payer, self.winner)]

    def trades(self):
        """The sets that can be traded, as (payer's, other's, other): with each the fewest pieces in all, and of those
        the fewest of the payer's that anybody asks for (SB 3.5).
        """
        found = []
        for other in self.uninvolved():
            sets = fewest(trade_sets(sizes(self.hold[self.payer]), sizes(self.hold[other]), self.fee))
            found += [(traded, given, other) for traded, given in sets]
        least = min((sum(traded) for traded, _, _ in found), default=0)
        return [one for one in found if sum(one[0]) == least]

    def part_of_a_trade(self, traded, given=frozenset(), other=None):
        for t, g, o in self.trades():
            whole = within(sizes(traded), t) if not given else sizes(traded) == t
            if whole and within(sizes(given), g) and other in (None, o):
                return True
        return False

    # What happens

    def play(self, seat, text):
        assert text in self.legal(seat)
        family, word = text.split()
        getattr(self, "do_" + family.replace("for", "return"))(seat, word)

    def do_challenge(self, seat, word):
        self.opponent, self.challenges, self.ties, self.phase, self.thrown = (
            int(word),
            self.challenges + 1,
            0,
            "throw",
            {},
        )

    def do_throw(self, seat, word):
        self.thrown[seat] = word
        if len(self.thrown) < 2:
            return
        one, other = self.thrown[self.active], self.thrown[self.opponent]
        self.thrown = {}
        if one == other:
            self.ties += 1
            if self.ties == self.tie_limit:
                self.end_turn()
            return
        won = BEATEN[one] == other
        self.winner, loser = (self.active, self.opponent) if won else (self.opponent, self.active)
        self.loser = loser
        self.decider = self.active
        self.queue = None
        self.owe(loser, (1 + self.ties) * (2 if len(self.playing) == 2 else 1))

    def do_pay(self, seat, word):
        self.put.add(word)
        if sizes(self.put) not in self.wholes:
            return
        if worth(self.put) > self.fee:
            self.phase = "change"
            self.back = set()
        else:
            self.hand(self.put, self.payer, self.winner)
            self.paid()

    def do_change(self, seat, word):
        self.back.add(word)
        if worth(self.put) - worth(self.back) == self.fee:
            self.hand(self.put, self.payer, self.winner)
            self.hand(self.back, self.winner, self.payer)
            self.paid()

    def do_trade(self, seat, word):
        self.traded.add(word)
        if any(sizes(self.traded) == traded for traded, _, _ in self.trades()):
            self.given, self.phase = set(), "return"

    def do_return(self, seat, word):
        self.given.add(word)
        if worth(self.given) == worth(self.traded):
            other = next(seat for seat in self.uninvolved() if word in self.hold[seat])
            self.hand(self.given, other, self.payer)
            self.hand(self.traded, self.payer, other)
            self.phase, self.put = "pay", set()
            self.wholes = exact_sets(sizes(self.hold[self.payer]), self.fee)

    def hand(self, pieces, giver, taker):
        assert pieces <= self.hold[giver]
        self.hold[giver] -= pieces
        self.hold[taker] |= pieces

    def owe(self, payer, fee):
        """Ask for a payment, or make it where there is nothing to decide (SB 3.2)."""
        self.payer, self.fee, self.put = payer, fee, set()
        while True:
            held = sizes(self.hold[payer])
            if pips(held) <= self.fee:
                self.hand(set(self.hold[payer]), payer, self.winner)
                self.paid()
                return
            self.wholes = exact_sets(held, self.fee) or change_sets(held, sizes(self.hold[self.winner]), self.fee)
            if self.wholes:
                self.phase = "pay"
                return
            if self.trades():
                self.phase, self.traded = "trade", set()
                return
            self.fee += 1
            self.raised += 1

    def paid(self):
        first = self.queue is None
        if first and self.hold[self.loser]:
            self.end_turn()
            return
        # The loser first; the order of the others makes no difference.
        before = len(self.playing) - (first and not self.hold[self.loser])
        while empty := [seat for seat in self.playing if not self.hold[seat]]:
            self.playing.remove(empty[0])
            for pieces in self.hold.values():
                pieces -= set(NAMES[3 * empty[0] : 3 * empty[0] + 3])
        if first:
            self.queue = [(self.winner + n) % self.seats for n in range(1, self.seats)]
            self.decider = self.winner
        if self.cascade_ends_bonuses and len(self.playing) < before:
            self.queue = []
        while self.queue and self.winner in self.playing:
            payer = self.queue.pop(0)
            if payer in self.playing:
                self.owe(payer, 2 if self.double_bonus and len(self.playing) == 2 else 1)
                return
        self.end_turn()

    def end_turn(self):
        if len(self.playing) == 1 or self.challenges == self.turn_limit:
            self.over, self.phase = True, "over"
        else:
            self.next_turn((self.active + 1) % self.seats)

    def next_turn(self, seat):
        while seat not in self.playing:
            seat = (seat + 1) % self.seats
        self.active, self.phase = seat, "challenge"

    def winners(self):
        most = max(worth(self.hold[seat]) for seat in self.playing)
        return tuple(seat for seat in self.playing if worth(self.hold[seat]) == most)
