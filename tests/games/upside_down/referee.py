"""A second implementation of Upside Down, in plain Python and directly from the rules page."""

from __future__ import annotations

LAYERS = ["ABCD", "EFG", "HI", "J"]
SPACES = "".join(LAYERS)
SEATS = range(10)


def layer(space):
    return next(n for n, spaces in enumerate(LAYERS) if space in spaces)


def break_ties(priority, gained, last):
    """Rule 2.2; `last` says who came how late in the previous round."""
    while shared := [value for value in priority if priority.count(value) > 1]:
        tied = [seat for seat in SEATS if priority[seat] == min(shared)]
        leaders = [seat for seat in tied if gained[seat] == max(gained[other] for other in tied)]
        stays = leaders[0] if len(leaders) == 1 else max(tied, key=lambda seat: last[seat])
        for seat in tied:
            if seat != stays:
                priority[seat] += 1
                gained[seat] += 1


class Referee:
    """A table of Upside Down; `draw(seat, choices)` returns the random target of a seat that has challenged nobody."""

    def __init__(self, priority, garnets, draw, *, challenges="as-written", sole_highest=False, candidate=None):
        self.as_written, self.sole_highest = challenges == "as-written", sole_highest
        self.first_pyramid = candidate == "first-pyramid"
        self.priority, self.garnets, self.draw = list(priority), list(garnets), draw
        self.tickets, self.gained, self.last = [5] * 10, [0] * 10, list(SEATS)
        self.space, self.protected, self.round, self.over = {}, set(), 0, False
        self.tol = [0] * 10
        break_ties(self.priority, self.gained, self.last)
        self.last = self.ranks()
        self.open("pregame", set(SEATS))

    def ranks(self):
        return [sum(other > mine for other in self.priority) for mine in self.priority]

    def open(self, phase, asked):
        self.phase, self.asked, self.confirmed = phase, asked, set()
        self.saved, self.count = {seat: {} for seat in SEATS}, [0] * 10

    def on(self, space):
        return next(seat for seat in SEATS if self.space[seat] == space)

    # What may be done

    def acting(self):
        return tuple(sorted(self.asked - self.confirmed))

    def targets(self, seat):
        mine = layer(self.space[seat])
        return [s for s in SEATS if layer(self.space[s]) == mine - 1 and s not in self.protected]

    def legal(self, seat):
        if self.phase == "giving":
            return {f"give {s}" for s in self.eligible()} if seat in self.asked else set()
        found = {"trade"} if self.garnets[seat] else set()
        if seat in self.asked - self.confirmed:
            found.add("confirm")
        if seat in self.confirmed and self.count[seat] < 60:
            found.add("reopen")
        if seat in self.asked - self.confirmed and self.count[seat] < 60:
            if self.phase == "pregame":
                found |= {f"bid {n}" for n in range(max(0, self.priority[seat]) + 1)}
            elif self.phase == "claim":
                found |= {f"ask {n}" for n in range(5)} | {f"challenge {s}" for s in self.targets(seat)}
            else:
                found |= {f"tickets {n}" for n in range(self.tickets[seat] + 1)}
        return found

    def play(self, seat, text):
        word, *rest = text.split()
        if word == "trade":
            self.garnets[seat] -= 1
            self.tickets[seat] += 1
        elif word == "confirm":
            self.confirmed.add(seat)
            if self.confirmed == self.asked:
                getattr(self, f"close_{self.phase}")()
        elif word == "give":
            self.tol[seat] -= 1
            self.tol[int(rest[0])] += 1
            self.next_gift()
        else:
            self.count[seat] += 1
            if word == "reopen":
                self.confirmed.discard(seat)
            else:
                self.saved[seat][word] = int(rest[0])

    # What happens

    def close_pregame(self):
        bids = [self.saved[seat].get("bid", 0) for seat in SEATS]
        order = sorted(SEATS, key=lambda seat: (-bids[seat], -self.priority[seat]))
        self.space = {seat: SPACES[n] for n, seat in enumerate(order)}
        self.last_placed = order[-1]
        self.priority = [value - bid for value, bid in zip(self.priority, bids, strict=True)]
        self.open_claim()

    def open_claim(self):
        self.round += 1
        break_ties(self.priority, self.gained, self.last)
        self.open("claim", set(SEATS))

    def close_claim(self):
        challenges = {}
        for seat in SEATS:
            if choices := self.targets(seat):
                challenges[seat] = self.saved[seat].get("challenge")
                if challenges[seat] is None:
                    challenges[seat] = self.draw(seat, choices)
                assert challenges[seat] in choices
        before = list(self.priority)
        for n in range(1, 5):
            askers = sorted((s for s in SEATS if self.saved[s].get("ask") == n), key=lambda s: -before[s])
            got, screwed = askers[: 5 - n], askers[5 - n :]
            for seat in got:
                self.tickets[seat] += n
                self.priority[seat] -= sum(abs(before[s]) for s in screwed)
        self.battles, self.challenged = {}, set(challenges.values())
        for space in reversed(SPACES):
            seat = self.on(space)
            stopped = seat in (self.challenged if self.as_written else self.battles)
            if seat in challenges and not stopped:
                self.battles.setdefault(challenges[seat], []).append(seat)
        break_ties(self.priority, self.gained, self.last)
        self.last = self.ranks()
        self.open("battle", set(self.battles) | {s for group in self.battles.values() for s in group})

    def close_battle(self):
        for defender, challengers in self.battles.items():
            used = {seat: self.saved[seat].get("tickets", 0) for seat in (defender, *challengers)}
            winner = max(used, key=lambda seat: (used[seat], self.priority[seat]))
            best = [seat for seat in challengers if used[seat] == max(used[s] for s in challengers)]
            if self.sole_highest and len(best) > 1 and used[best[0]] >= used[defender]:
                winner = defender
                if used[best[0]] > used[defender]:
                    continue
            self.tickets[winner] -= used[winner]
            self.space[winner], self.space[defender] = self.space[defender], self.space[winner]
        self.protected = self.challenged if self.as_written else set(self.battles)
        if self.round < 5:
            self.open_claim()
            return
        break_ties(self.priority, self.gained, self.last)
        self.ec = self.last_placed if self.first_pyramid else self.on("J")
        for space in "ABCD":
            self.tol[self.on(space)] += self.on(space) != self.ec
        rest = [seat for seat in SEATS if seat != self.ec]
        rich = [seat for seat in rest if self.tickets[seat] == max(self.tickets[s] for s in rest)]
        if len(rich) == 1:
            rich *= 2
        for seat in sorted(rich, key=lambda s: -self.priority[s])[:2]:
            self.tol[seat] += 1
        self.next_gift()

    def eligible(self):
        return [seat for seat in SEATS if not self.tol[seat] and seat != self.ec]

    def next_gift(self):
        givers = [self.on(space) for space in SPACES if self.tol[self.on(space)] > 1]
        self.open("giving", set(givers[:1]))
        if not givers:
            self.over, self.phase = True, "over"
            self.garnets = [n + 4 * (tol > 0) for n, tol in zip(self.garnets, self.tol, strict=True)]
