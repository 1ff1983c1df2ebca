"""A second implementation of Downside Up, in plain Python and directly from the rules page."""

from __future__ import annotations

LAYERS = ["ABCD", "EFG", "HI", "J"]
SPACES = "".join(LAYERS)
SEATS = range(10)
ABOVE = {"E": "AB", "F": "BC", "G": "CD", "H": "EF", "I": "FG", "J": "HI"}


def layer(space):
    return next(n for n, spaces in enumerate(LAYERS) if space in spaces)


class Referee:
    def __init__(self, priority, garnets, all_pay):
        self.priority, self.garnets, self.all_pay = list(priority), list(garnets), all_pay
        self.tickets, self.space, self.round, self.over = [5] * 10, {}, 0, False
        self.tol = [0] * 10
        self.open("bid", set(SEATS))

    def open(self, phase, asked):
        self.phase, self.asked, self.confirmed = phase, asked, set()
        self.saved, self.count = {seat: {} for seat in SEATS}, [0] * 10

    def on(self, space):
        return next(seat for seat in SEATS if self.space[seat] == space)

    # What may be done

    def acting(self):
        return tuple(sorted(self.asked - self.confirmed))

    def legal(self, seat):
        found = set()
        if self.garnets[seat] - self.saved[seat].get("bid", 0) >= 2:
            found.add("trade")
        if seat in self.asked - self.confirmed:
            found.add("confirm")
        if seat in self.confirmed and self.count[seat] < 60:
            found.add("reopen")
        if seat in self.asked - self.confirmed and self.count[seat] < 60:
            held = [str(n) for n in range(self.tickets[seat] + 1)]
            if self.phase == "bid":
                found |= {f"bid {n}" for n in range(self.garnets[seat] + 1)}
            elif self.phase == "claim":
                found |= {f"claim {n}" for n in range(1, 5)}
                found |= {f"challenge {space.lower()}" for space in ABOVE.get(self.space[seat], "")}
            else:
                if seat in self.challenges:
                    found |= {f"attack {n}" for n in held}
                if self.space[seat] in self.challenges.values():
                    found |= {f"defend {n}" for n in held}
        return found

    def play(self, seat, text):
        word, *rest = text.split()
        if word == "trade":
            self.garnets[seat] -= 2
            self.tickets[seat] += 1
        elif word == "confirm":
            self.confirmed.add(seat)
            if self.confirmed == self.asked:
                getattr(self, f"close_{self.phase}")()
        else:
            self.count[seat] += 1
            if word == "reopen":
                self.confirmed.discard(seat)
            else:
                self.saved[seat][word] = rest[0].upper() if word == "challenge" else int(rest[0])

    # What happens

    def close_bid(self):
        bids = [self.saved[seat].get("bid", 0) for seat in SEATS]
        order = sorted(SEATS, key=lambda seat: (-bids[seat], -self.priority[seat]))
        self.space = {seat: SPACES[n] for n, seat in enumerate(order)}
        for seat in SEATS if self.all_pay else order[:4]:
            self.garnets[seat] -= bids[seat]
        self.open_claim()

    def open_claim(self):
        self.round += 1
        self.open("claim", set(SEATS))

    def order(self, seat):
        return (layer(self.space[seat]), -self.priority[seat])

    def close_claim(self):
        for n in range(1, 5):
            claiming = sorted((s for s in SEATS if self.saved[s].get("claim", 1) == n), key=self.order)
            for seat in claiming[: 5 - n]:
                self.tickets[seat] += n
        self.challenges = {
            seat: self.saved[seat].get("challenge", ABOVE[self.space[seat]][1])
            for seat in SEATS
            if self.space[seat] in ABOVE
        }
        self.open("battle", set(self.challenges) | {self.on(space) for space in self.challenges.values()})

    def close_battle(self):
        for space in SPACES:
            attackers = [seat for seat, target in self.challenges.items() if target == space]
            if not attackers:
                continue
            attack = {seat: self.saved[seat].get("attack", 0) for seat in attackers}
            attacker = max(attackers, key=lambda seat: (attack[seat], self.priority[seat]))
            defender = self.on(space)
            defence = self.saved[defender].get("defend", 0)
            if attack[attacker] > defence:
                self.tickets[attacker] -= attack[attacker]
                self.space[defender], self.space[attacker] = self.space[attacker], space
            else:
                self.tickets[defender] -= defence
        if self.round < 4:
            self.open_claim()
            return
        self.over, self.phase, self.asked, self.confirmed = True, "over", set(), set()
        rest = [seat for seat in SEATS if self.space[seat] != "J"]
        self.tol[min(rest, key=lambda seat: (-self.tickets[seat], *self.order(seat)))] += 2
        for space in "ABCD":
            self.tol[self.on(space)] += 1
        self.garnets = [n + tickets for n, tickets in zip(self.garnets, self.tickets, strict=True)]
