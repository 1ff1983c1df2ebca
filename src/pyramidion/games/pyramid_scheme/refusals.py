"""Refusals for Pyramid Scheme: rule number and message."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramid_scheme import elimination, trees
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
from pyramidion.games.pyramid_scheme.texts import COLOUR_WORDS, GOAL_WORDS, card_name, card_words, first_up
from pyramidion.translation import _, marked, seat_word

_NOT_YOURS = {
    ACTING: ("PS 3.1", marked("It is not your turn: {seat} is taking a turn.")),
    FLIPPING: ("PS 6.1", marked("It is not your turn: {seat} may flip cards.")),
    REWARDED: ("PS 6.2", marked("It is not your turn: {seat} is using a reward.")),
    POLICING: ("PS 8.21", marked("It is not your turn: {seat} is placing a Police card.")),
}
_REWARDED = {
    LIMIT: ("limit", "PS 7.1", marked("Not now: put the limit tokens on a card, or decline.")),
    FLIP_BONUS: ("flip", "PS 7.2", marked("Not now: flip a card and gain its reward, or decline.")),
    FLIP_OTHER: ("flip", "PS 7.3", marked("Not now: flip a card, or decline.")),
    DISCARD_POLICE: ("remove", "PS 7.4", marked("Not now: discard a Police card, or decline.")),
    FLIP_POLICE: ("flip", "PS 7.5", marked("Not now: flip a Police card, or decline.")),
    RESERVE: ("reserve", "PS 7.6", marked("Not now: reserve a goal, or decline.")),
    DISCARD_HAND: ("discard", "PS 7.8", marked("Not now: discard from hand, or decline.")),
}
Said = tuple[str, str] | tuple[str, str, tuple[str, ...]] | tuple[str, str, tuple[str, ...], tuple[int, int, int]]
"""Rule and message; optionally the paths in the way, and the sum that would exceed a limit, as in `Refusal`."""


def not_due(box: Any, s: Any, seat: int) -> Said:
    """Return the rule number and message for a seat that tries to act while it has nothing to decide."""
    if not elimination.is_in(s, seat):
        rule = "PS 9.2" if int(s.crumbled_by_police) >> seat & 1 else "PS 3.2"
        return rule, _("Your pyramid has crumbled; you are out of the game.")
    acting = next(p for p in range(s.seats) if int(s.acting) >> p & 1)
    number, reason = _NOT_YOURS[int(s.phase)]
    return number, _(reason).format(seat=seat_word(acting))


def refusal(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    """Return why a seat that is to act may not take this action, as (rule number, message), or None if it may."""
    phase = int(s.phase)
    if phase == ACTING:
        return _refuse_turn(box, s, seat, action)
    if phase == FLIPPING:
        return _refuse_flip(box, s, seat, action)
    if phase == POLICING:
        if action.family != "police":
            return "PS 8.21", _("Not now: place the Police.")
        return _refuse_place(box, s, seat, FIRST_POLICE, trees.holder(seat, action.args[0]))
    return _refuse_reward(box, s, seat, action)


def _words(box: Any, card: int) -> str:
    """Return a card's words in a sentence, such as `green 3`."""
    return card_words(card, int(box.number[card]))


def _first(box: Any, card: int) -> str:
    """Return a card's words with a capital letter, for the beginning of a sentence."""
    return first_up(_words(box, card))


def _name(card: int) -> str:
    """Return a card's name in the notation, such as `green-a`."""
    return card_name(min(card, FIRST_FOUNDER))


def _both(box: Any, card: int) -> str:
    """Return a Victim's words with its name in the notation, such as `Green 3 (green-a)`; of others only the words."""
    return f"{_first(box, card)} ({_name(card)})" if card < FIRST_POLICE else _first(box, card)


def _pile(s: Any, seat: int) -> list[int]:
    """Return the cards of a seat's pyramid in ascending order."""
    return [int(card) for card in s.pile[seat, : s.pile_count[seat]]]


def _refuse_turn(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    """Return the rule and the reason against an action of a turn, or None if it is legal."""
    if action.family == "reset":
        return None if s.tokens[seat] else ("PS 10.1", _("You have no reset token."))
    if action.family == "end":
        if s.actions_left:
            return "PS 3.1", _("You have {count} of your two actions left.").format(count=int(s.actions_left))
        return None
    if action.family not in ("take", "place"):
        return "PS 3.1", _("Not now: take a Victim or place one.")
    if not s.actions_left:
        return "PS 3.1", _("You have done your two actions: reset the market or end the turn.")
    card = action.args[0]
    if action.family == "take":
        if card not in s.market:
            return "PS 4.1", _("{card} is not in the market.").format(card=_both(box, card))
        if s.hand_count[seat] >= s.hand_limit[seat]:
            reason = _("Your hand is full: you may hold {limit}; place a Victim first.")
            return "PS 4.1", reason.format(limit=int(s.hand_limit[seat]))
        return None
    if card not in s.hand[seat, : s.hand_count[seat]]:
        return "PS 5.1", _("{card} is not in your hand.").format(card=_both(box, card))
    return _refuse_place(box, s, seat, card, int(trees.holder(seat, action.args[1])))


def _refuse_place(box: Any, s: Any, seat: int, card: int, under: int) -> Said | None:
    """Return why a card may not be placed directly below the card `under`, or None if it may."""
    if under not in _pile(s, seat):
        return "PS 5.1", _("{card} is not in your pyramid.").format(card=_both(box, under))
    if FIRST_POLICE <= under < FIRST_FOUNDER and not s.flipped[under]:
        return "PS 5.4", _("Nothing may be placed below a Police card that is not flipped."), (_piece(under),)
    number, room = int(box.number[card]), int(s.room[under])
    if number > room:
        limit = int(box.number[under]) + int(s.limits[under])
        reason = _("The cards below {card} already add up to {sum} of {limit}; {number} more is too much.").format(
            card=_words(box, under), sum=limit - room, limit=limit, number=number
        )
        return "PS 5.2", reason, (), (limit - room, number, limit)
    blocker = _same_colour_above(box, s, card, under)
    if blocker is not None:
        if blocker == under:
            reason = _("{card} ({name}) stands there, not flipped: no other {colour} Victim may go below it.")
        else:
            reason = _(
                "{card} ({name}) stands above it in that branch, not flipped: no other {colour} Victim may go below it."
            )
        colour = COLOUR_WORDS[COLOURS[int(box.colour[card])]]
        reason = reason.format(card=_first(box, blocker), name=_name(blocker), colour=_(colour))
        return "PS 5.3", reason, (_piece(blocker),)
    return None


def _piece(card: int) -> str:
    """Return the notation of a card as part of an action's path, such as `card:green-a`."""
    return f"card:{HOLDER_NAMES[min(card, FIRST_FOUNDER)]}"


def _same_colour_above(box: Any, s: Any, card: int, under: int) -> int | None:
    """Return the first unflipped card of the colour of `card`, going up from `under` (included), or None."""
    while under >= 0:
        if box.colour[card] < NO_COLOUR and box.colour[under] == box.colour[card] and not s.flipped[under]:
            return under
        under = int(s.parent[under])
    return None


def _refuse_flip(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    """Return the rule and the reason against flipping a Victim, or None if it is legal."""
    if action.family == "done":
        return None
    if action.family != "flip":
        return "PS 6.1", _("Not now: flip a card or be done.")
    card = int(trees.holder(seat, action.args[0]))
    wrong = _refuse_unflipped(box, s, seat, card, "PS 6.1")
    if wrong is None and not s.met[card]:
        reason = _("The condition of {card} is not met by the cards directly below it.")
        return "PS 6.1", reason.format(card=_words(box, card))
    return wrong


def _refuse_unflipped(box: Any, s: Any, seat: int, card: int, rule: str) -> Said | None:
    """Return why a card is none to flip: it is not in the seat's pyramid, or already flipped; otherwise None."""
    if card not in _pile(s, seat):
        return rule, _("{card} is not in your pyramid.").format(card=_both(box, card))
    if s.flipped[card]:
        return rule, _("{card} is already flipped.").format(card=_first(box, card))
    return None


def _refuse_reward(box: Any, s: Any, seat: int, action: Action) -> Said | None:
    """Return the rule and the reason against a way to use a reward, or None if it is legal."""
    reward = int(s.reward)
    family, rule, now = _REWARDED[reward]
    if action.family == "done":
        return None
    if action.family != family:
        return rule, _(now)
    arg = int(action.args[0])
    if reward == RESERVE:
        return _refuse_goal(s, arg)
    if reward == DISCARD_HAND:
        missing = rule, _("{card} is not in your hand.").format(card=_both(box, arg))
        return None if arg in s.hand[seat, : s.hand_count[seat]] else missing
    card = FIRST_POLICE + arg if reward == DISCARD_POLICE else int(trees.holder(seat, arg))
    if card not in _pile(s, seat):
        return rule, _("{card} is not in your pyramid.").format(card=_both(box, card))
    police = FIRST_POLICE <= card < FIRST_FOUNDER
    if reward == LIMIT:
        unflipped = police and not s.flipped[card]
        return (rule, _("A Police card takes limit tokens only once flipped.")) if unflipped else None
    if reward == DISCARD_POLICE:
        empty = not s.flipped[card] or s.room[card] - s.limits[card] == POLICE_NUMBER
        return None if empty else (rule, _("That Police has cards below it."))
    if reward == FLIP_POLICE and not police:
        return rule, _("{card} is not a Police card.").format(card=_first(box, card))
    return _refuse_unflipped(box, s, seat, card, rule)


def _refuse_goal(s: Any, goal: int) -> Said | None:
    """Return the rule and the reason against claiming a goal, or None if it is legal."""
    goals = [int(g) for g in s.goals]
    name = _(GOAL_WORDS[GOALS[goal]])
    if goal not in goals:
        return "PS 7.6", _("The goal {goal} is not in this game.").format(goal=name)
    i = goals.index(goal)
    if s.claimed[i]:
        return "PS 7.6", _("The goal {goal} has been claimed.").format(goal=name)
    if s.reserved[i]:
        return "PS 7.6", _("The goal {goal} is already reserved.").format(goal=name)
    return None
