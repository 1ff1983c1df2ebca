"""Why an action of Pyramid Scheme is refused: a rule's number and a sentence."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramid_scheme import ending, trees
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    COLOURS,
    DISCARD_HAND,
    DISCARD_POLICE,
    FIRST_FOUNDER,
    FIRST_POLICE,
    FLIP_BONUS,
    FLIP_OTHER,
    FLIP_POLICE,
    FLIPPING,
    GOALS,
    HOLDER_NAMES,
    LIMIT,
    NO_COLOUR,
    POLICE_NUMBER,
    POLICING,
    RESERVE,
    REWARDED,
)
from pyramidion.games.pyramid_scheme.words import GOAL_WORDS, card_words

_DOING = {
    ACTING: ("is taking a turn", "PS 3.1"),
    FLIPPING: ("may flip cards", "PS 6.1"),
    REWARDED: ("is using a reward", "PS 6.2"),
    POLICING: ("is placing a Police", "PS 8.21"),
}
_REWARDED = {
    LIMIT: ("limit", "put the limit tokens on a card", "PS 7.1"),
    FLIP_BONUS: ("flip", "flip a card and gain its reward", "PS 7.2"),
    FLIP_OTHER: ("flip", "flip a card", "PS 7.3"),
    DISCARD_POLICE: ("remove", "discard a Police", "PS 7.4"),
    FLIP_POLICE: ("flip", "flip a Police", "PS 7.5"),
    RESERVE: ("reserve", "reserve a goal", "PS 7.6"),
    DISCARD_HAND: ("discard", "discard from hand", "PS 7.8"),
}
Said = tuple[str, str] | tuple[str, str, tuple[str, ...]] | tuple[str, str, tuple[str, ...], tuple[int, int, int]]
"""Rule and sentence; what stands in the way; and the sum that would pass a limit, as in `Refusal`."""


def not_due(box: Any, s: Any, seat: int) -> Said:
    """Return the rule and the sentence for a seat that has nothing to decide now."""
    if not ending.is_in(s, seat):
        return "PS 3.2", "Your pyramid has crumbled; you are out of the game."
    acting = next(p for p in range(s.seats) if int(s.acting) >> p & 1)
    doing, number = _DOING[int(s.phase)]
    return number, f"It is not your turn: seat {acting} {doing}."


def refusal(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    """Return (rule, sentence) why a seat whose decision is due may not take an action, or None if it may."""
    phase = int(s.phase)
    if phase == ACTING:
        return _refuse_turn(box, s, seat, action)
    if phase == FLIPPING:
        return _refuse_flip(box, s, seat, action)
    if phase == POLICING:
        if action.family != "police":
            return "PS 8.21", "That is not for now: place the Police."
        return _refuse_place(box, s, seat, FIRST_POLICE, trees.holder(seat, action.args[0]))
    return _refuse_reward(box, s, seat, action)


def _words(box: Any, card: int) -> str:
    return card_words(card, int(box.number[card]))


def _first(box: Any, card: int) -> str:
    """Return a card's words at the beginning of a sentence."""
    words = _words(box, card)
    return words[0].upper() + words[1:]


def _pile(s: Any, seat: int) -> list[int]:
    return [int(card) for card in s.pile[seat, : s.pile_count[seat]]]


def _refuse_turn(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    if action.family == "reset":
        return None if s.tokens[seat] else ("PS 10.1", "You have no reset token.")
    if action.family == "end":
        if s.actions_left:
            return "PS 3.1", f"You have {int(s.actions_left)} of your two actions left."
        return None
    if action.family not in ("take", "place"):
        return "PS 3.1", "That is not for now: take a Victim or place one."
    if not s.actions_left:
        return "PS 3.1", "You have done your two actions: reset the market or end the turn."
    card = action.args[0]
    if action.family == "take":
        if card not in s.market:
            return "PS 4.1", f"{HOLDER_NAMES[card]} is not in the market."
        if s.hand_count[seat] >= s.hand_limit[seat]:
            return "PS 4.1", f"Your hand is full: you may hold {int(s.hand_limit[seat])}; place a Victim first."
        return None
    if card not in s.hand[seat, : s.hand_count[seat]]:
        return "PS 5.1", f"{HOLDER_NAMES[card]} is not in your hand."
    return _refuse_place(box, s, seat, card, int(trees.holder(seat, action.args[1])))


def _refuse_place(box: Any, s: Any, seat: int, card: int, under: int) -> Said | None:
    if under not in _pile(s, seat):
        return "PS 5.1", f"{HOLDER_NAMES[min(under, FIRST_FOUNDER)]} is not in your pyramid."
    if FIRST_POLICE <= under < FIRST_FOUNDER and not s.flipped[under]:
        return "PS 5.4", "Nothing may be placed below a Police that is not flipped.", (_piece(under),)
    number, room = int(box.number[card]), int(s.room[under])
    if number > room:
        limit = int(box.number[under]) + int(s.limits[under])
        said = (
            f"The cards below {_words(box, under)} already add up to {limit - room} of {limit}; "
            f"{number} more is too much."
        )
        return "PS 5.2", said, (), (limit - room, number, limit)
    blocker = _same_colour_above(box, s, card, under)
    if blocker is not None:
        where = "there" if blocker == under else "above it in that branch"
        said = (
            f"{_first(box, blocker)} ({HOLDER_NAMES[blocker]}) stands {where}, not flipped: "
            f"no other {COLOURS[int(box.colour[card])]} Victim may go below it."
        )
        return "PS 5.3", said, (_piece(blocker),)
    return None


def _piece(card: int) -> str:
    return f"card:{HOLDER_NAMES[min(card, FIRST_FOUNDER)]}"


def _same_colour_above(box: Any, s: Any, card: int, under: int) -> int | None:
    while under >= 0:
        if box.colour[card] < NO_COLOUR and box.colour[under] == box.colour[card] and not s.flipped[under]:
            return under
        under = int(s.parent[under])
    return None


def _refuse_flip(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    if action.family == "done":
        return None
    if action.family != "flip":
        return "PS 6.1", "That is not for now: flip a card or be done."
    card = int(trees.holder(seat, action.args[0]))
    wrong = _refuse_unflipped(box, s, seat, card, "PS 6.1")
    if wrong is None and not s.met[card]:
        return "PS 6.1", f"The condition of {_words(box, card)} is not met by the cards directly below it."
    return wrong


def _refuse_unflipped(box: Any, s: Any, seat: int, card: int, rule: str) -> Said | None:
    if card not in _pile(s, seat):
        return rule, f"{HOLDER_NAMES[min(card, FIRST_FOUNDER)]} is not in your pyramid."
    if s.flipped[card]:
        return rule, f"{_first(box, card)} is flipped already."
    return None


def _refuse_reward(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    reward = int(s.reward)
    family, now, rule = _REWARDED[reward]
    if action.family == "done":
        return None
    if action.family != family:
        return rule, f"That is not for now: {now}, or decline."
    arg = int(action.args[0])
    if reward == RESERVE:
        return _refuse_goal(s, arg)
    if reward == DISCARD_HAND:
        return (
            None if arg in s.hand[seat, : s.hand_count[seat]] else (rule, f"{HOLDER_NAMES[arg]} is not in your hand.")
        )
    card = FIRST_POLICE + arg if reward == DISCARD_POLICE else int(trees.holder(seat, arg))
    if card not in _pile(s, seat):
        return rule, f"{HOLDER_NAMES[min(card, FIRST_FOUNDER)]} is not in your pyramid."
    police = FIRST_POLICE <= card < FIRST_FOUNDER
    if reward == LIMIT:
        return (rule, "A Police takes limit tokens only once flipped.") if police and not s.flipped[card] else None
    if reward == DISCARD_POLICE:
        empty = not s.flipped[card] or s.room[card] - s.limits[card] == POLICE_NUMBER
        return None if empty else (rule, "That Police has cards below it.")
    if reward == FLIP_POLICE and not police:
        return rule, f"{_first(box, card)} is no Police."
    return _refuse_unflipped(box, s, seat, card, rule)


def _refuse_goal(s: Any, goal: int) -> Said | None:
    goals = [int(g) for g in s.goals]
    name = GOAL_WORDS[GOALS[goal]]
    if goal not in goals:
        return "PS 7.6", f"The goal {name} is not in this game."
    i = goals.index(goal)
    if s.claimed[i]:
        return "PS 7.6", f"The goal {name} has been claimed."
    if s.reserved[i]:
        return "PS 7.6", f"The goal {name} is reserved already."
    return None
