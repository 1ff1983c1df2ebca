"""How Pyramis plays: strength of the policy, and what happens in many games of policy players.

    python -m tests.games.pyramis.report [GAMES]

Prints, for each number of seats, how often one policy seat wins among random ones (10,000 games, with 95 % Wilson
intervals), and over GAMES (100,000) games of policy players alone: length, wins by seat, points and where they come
from, pairs and turned cards by colour, Star cards, and which end of the cards counts in the end.
"""

from __future__ import annotations

import numpy as np
from tests.games.reporting import buffers, main, spread, table, with_interval

import pyramidion
from pyramidion.engine.entries import due_seat, open_game, weighted
from pyramidion.engine.rule import rule
from pyramidion.games.pyramis.layout import COLOURS, COUNT, EVENTS, N_SPACES, PLACE, RIVER, ROTATE
from pyramidion.games.pyramis.policy import policy
from pyramidion.games.pyramis.rules import apply, largest_zone, payoff, setup

GAME = pyramidion.load("pyramis")
DREW, STOLE, NO_STAR, PAIR = EVENTS.drew, EVENTS.stole, EVENTS.no_star, EVENTS.pair
NOBODY, TURNED, SCORED = EVENTS.nobody, EVENTS.turned, EVENTS.scored
DECISIONS, CHOICES, ONLY_ONE, SHARED, NO_ALIENS, TIED_ALIENS, WON_ALIENS, WON_ZONE, WON_PYRAMIDS = range(9)
STARS_DRAWN, STARS_STOLEN, NO_STARS, TURNED_UP = 9, 10, 11, 12
ROWS, WIDTH = 13, 160
TOTALS, PAIRS, NOBODY_HAS, TURNS, ZONES, ZONE_CARDS, WINNING, LOSING, PARTS, TAKEN, LEFT, LENGTH, SLOTS = range(ROWS)


@rule
def play_many(boxes, states, raw, seats, chance, games, buffer, weights, payoffs, counts, wins):
    """Play games of policy players; add what happens to `counts` (int64[ROWS, WIDTH]) and payoffs to `wins`."""
    box, s = boxes[0], states[0]
    for _ in range(games):
        open_game(s, raw, seats, chance)
        setup(box, s)
        decisions = 0
        most_pyramids, most_zone, most_aliens, with_aliens = -1, -1, 0, 0
        while s.over == 0:
            seat = due_seat(s, chance)
            n = policy(box, s, seat, buffer, weights)
            action = buffer[weighted(weights, n, chance)]
            if s.phase == ROTATE:
                counts[TOTALS, CHOICES] += 1
                counts[TOTALS, ONLY_ONE] += int(n == 1)
            elif s.phase == PLACE:
                counts[SLOTS, action // N_SPACES] += 1
                counts[TAKEN, s.river[action // N_SPACES] - 1] += 1
                for slot in range(RIVER):
                    counts[LEFT, s.river[slot] - 1] += int(slot != action // N_SPACES)
            s.ply += 1
            s.event_count = 0
            apply(box, s, seat, action)
            decisions += 1
            for i in range(s.event_count):
                code = s.event_code[i]
                if code == PAIR:
                    counts[PAIRS, s.event_args[i, 0]] += 1
                elif code == NOBODY:
                    counts[NOBODY_HAS, s.event_args[i, 0]] += 1
                elif code == TURNED:
                    counts[TURNS, s.event_args[i, 3]] += 1
                elif code == DREW:
                    counts[TOTALS, STARS_DRAWN] += 1
                elif code == STOLE:
                    counts[TOTALS, STARS_STOLEN] += 1
                elif code == NO_STAR:
                    counts[TOTALS, NO_STARS] += 1
                elif code == SCORED:
                    most_pyramids = max(most_pyramids, s.event_args[i, 1])
                    most_zone = max(most_zone, s.event_args[i, 2])
                    most_aliens = max(most_aliens, s.event_args[i, 3])
                    with_aliens += int(s.event_args[i, 3] > 0)
        payoff(box, s, payoffs)
        winners = 0
        # The last action's events say how each seat scored; those of the Star cards come before them.
        for i in range(s.event_count):
            if s.event_code[i] == SCORED:
                p = s.event_args[i, 0]
                if payoffs[p] > 0:
                    counts[TOTALS, WON_PYRAMIDS] += int(s.event_args[i, 1] == most_pyramids)
                    counts[TOTALS, WON_ZONE] += int(s.event_args[i, 2] == most_zone)
                    counts[TOTALS, WON_ALIENS] += int(s.event_args[i, 3] > 0)
                    for part in range(3):
                        counts[PARTS, part] += s.event_args[i, 1 + part]
                for part in range(3):
                    counts[PARTS, 3 + part] += s.event_args[i, 1 + part]
        for p in range(seats):
            wins[p] += payoffs[p]
            wins[seats] += payoffs[p] * (p == s.start)
            winners += int(payoffs[p] > 0)
            counts[WINNING if payoffs[p] > 0 else LOSING, s.score[p]] += 1
            zone = largest_zone(box, s, p)
            counts[ZONE_CARDS, COUNT[zone]] += 1
            for colour in range(4):
                counts[ZONES, colour] += int((zone & s.of_colour[p, colour]) != 0)
            counts[TOTALS, TURNED_UP] += COUNT[s.turned[p]]
        counts[LENGTH, min(decisions, WIDTH - 1)] += 1
        counts[TOTALS, SHARED] += int(winners > 1)
        counts[TOTALS, NO_ALIENS] += int(most_aliens == 0)
        counts[TOTALS, TIED_ALIENS] += int(with_aliens > 1)


def played(seats: int, games: int, seed: int):
    """Return (counts, wins) of `games` games; wins[seats] are those of the start seat."""
    counts, wins = np.zeros((ROWS, WIDTH), np.int64), np.zeros(5)
    chance = np.array([seed], np.uint64)
    play_many(*table(GAME), seats, chance, games, *buffers(GAME), counts, wins)
    return counts, wins


def habits(seats: int, games: int) -> None:
    """Print what happens in games of policy players."""
    counts, wins = played(seats, games, 99)
    total, winners = counts[TOTALS], counts[WINNING].sum()
    print(f"{seats} seats, {games} games of policy players")
    print(f"  turns {10 * seats}, {spread(counts[LENGTH], 'decisions')}")
    print(
        f"  wins by seat {', '.join(f'{w / games:.1%}' for w in wins[:seats])}; "
        f"the start seat {with_interval(wins[seats], games)}; shared wins {total[SHARED] / games:.1%}"
    )
    print(f"  {spread(counts[WINNING], 'winner')}; {spread(counts[LOSING], 'others')} points")
    won, all_seats = counts[PARTS, :3] / winners, counts[PARTS, 3:6] / (games * seats)
    for who, parts in (("winners", won), ("all", all_seats)):
        print(f"  {who}: Pyramids {parts[0]:.1f}, largest zone {parts[1]:.1f}, Aliens {parts[2]:.1f} points")
    print(
        f"  a winner has the most Pyramids in {total[WON_PYRAMIDS] / winners:.0%}, the best zone in "
        f"{total[WON_ZONE] / winners:.0%}, scores for Aliens in {total[WON_ALIENS] / winners:.0%}; "
        f"Aliens score for several in {total[TIED_ALIENS] / games:.1%}, for nobody in {total[NO_ALIENS] / games:.2%}"
    )
    print(
        f"  Star cards drawn {total[STARS_DRAWN] / games:.2f}, stolen {total[STARS_STOLEN] / games:.2f}, "
        f"none to take {total[NO_STARS] / games:.3f} a game"
    )
    print(
        f"  cards turned {counts[TURNS].sum() / (games * seats):.1f} a Fleet, bottom up at the end "
        f"{total[TURNED_UP] / (games * seats):.1f} of 10; one choice only in {total[ONLY_ONE] / total[CHOICES]:.0%}"
    )
    zones = counts[ZONES, :4].sum()
    for c, colour in enumerate(COLOURS):
        print(
            f"  {colour:5s} pairs {counts[PAIRS, c] / games:5.2f} a game, of these nobody turns "
            f"{counts[NOBODY_HAS, c] / max(1, counts[PAIRS, c]):4.0%}; cards turned {counts[TURNS, c] / games:5.2f}; "
            f"largest zone in {counts[ZONES, c] / zones:4.0%} of the Fleets"
        )
    print(f"  {spread(counts[ZONE_CARDS], 'cards in the largest zone')}")
    offered = counts[TAKEN, :48] + counts[LEFT, :48]
    taken = counts[TAKEN, :48] / offered
    order = np.argsort(taken)
    print(
        "  a card is taken when it lies there in 33 %; least: "
        + ", ".join(f"{n + 1} {taken[n]:.0%}" for n in order[:4])
        + "; most: "
        + ", ".join(f"{n + 1} {taken[n]:.0%}" for n in order[-4:])
    )


if __name__ == "__main__":
    main(GAME, habits)
