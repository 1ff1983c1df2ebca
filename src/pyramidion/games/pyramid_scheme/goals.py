"""Goals of Pyramid Scheme: progress and claims (PS 8)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import EVENTS, GOAL_NEEDS, NO_COLOUR, OPEN_GOALS, VICTIMS

CLAIMED = EVENTS.claimed


@rule
def count_of(packed, index):
    """Return one of the counts that `tally` packs into an integer, 8 bits each."""
    return (packed >> (8 * index)) & 255


@rule
def tally(box, s, seat):
    """Count what goals ask for in a seat's pyramid; return seven numbers.

    They are, packed for `count_of`: Victims by colour, Victims by number, smart-asses by colour, and smart-asses by
    number (the Founder counts as 6); then limit tokens, levels, and the most smart-asses directly below one card.
    """
    colours, numbers, smart_colours, smart_numbers = 0, 0, 0, 0
    tokens, levels, widest = 0, 0, 0
    for k in range(s.pile_count[seat]):
        card = int(s.pile[seat, k])
        number, smart = min(int(box.number[card]), 6), int(s.flipped[card])
        if card < VICTIMS:
            colour = int(box.colour[card])
            colours += 1 << (8 * colour)
            numbers += 1 << (8 * number)
            smart_colours += smart << (8 * colour)
        smart_numbers += smart << (8 * number)
        tokens += int(s.limits[card])
        levels = max(levels, int(s.level[card]))
        widest = max(widest, int(s.smart_below[card]))
    return colours, numbers, smart_colours, smart_numbers, tokens, levels, widest


@rule
def progress(goal, tallied, reset_tokens):
    """Return how much of a goal a seat has reached; the goal needs GOAL_NEEDS of it (PS 8.1 to 8.17).

    `tallied` is the seat's `tally`, and `reset_tokens` the number it has not used.
    """
    colours, numbers, smart_colours, smart_numbers, tokens, levels, widest = tallied
    if goal < 4:  # five of a colour
        return count_of(colours, goal)
    if goal == 4:  # two of each colour
        total = 0
        for colour in range(NO_COLOUR):
            total += min(2, count_of(colours, colour))
        return total
    if goal == 5:
        return levels
    if goal == 6:
        return tokens
    if goal < 10:  # five 1s, four 2s, three 3s
        return count_of(numbers, goal - 6)
    if goal == 11:
        return int(reset_tokens)
    if goal == 16:
        return widest
    # The other goals ask for different colours or numbers, or for the most of one.
    packed = numbers if goal == 10 else smart_colours if goal == 12 or goal == 13 else smart_numbers
    different, most = 0, 0
    for i in range(7):
        n = count_of(packed, i)
        different += int(n > 0)
        most = max(most, n)
    return most if goal == 13 or goal == 15 else different


@rule(within=True)
def goal_is_met(goal, tallied, reset_tokens):
    """Return whether a seat with this `tally` and number of unused reset tokens meets a goal (PS 8.1 to 8.17)."""
    return progress(goal, tallied, reset_tokens) >= GOAL_NEEDS[goal]


@rule(within=True)
def claim_goals(box, s, seat):
    """Let the seat claim every open goal that it meets and no other has reserved; return how many (PS 8.20, 7.6)."""
    s.police_rounds = 0
    tallied = tally(box, s, seat)
    for i in range(OPEN_GOALS):
        free = s.claimed[i] == 0 and (s.reserved[i] == 0 or s.reserved[i] == seat + 1)
        if free and goal_is_met(int(s.goals[i]), tallied, s.tokens[seat]):
            s.claimed[i] = seat + 1
            s.police_rounds += 1
            event(s, CLAIMED, 8_20, seat, s.goals[i])
    return int(s.police_rounds)
