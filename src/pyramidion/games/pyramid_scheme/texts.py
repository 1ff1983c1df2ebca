"""Log sentences and button labels for Pyramid Scheme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramid_scheme.layout import (
    ANY,
    COLOURS,
    FIRST_FOUNDER,
    FIRST_POLICE,
    GOALS,
    LETTERS,
    PER_COLOUR,
    REWARDS,
)
from pyramidion.translation import _, listed, marked, ngettext

GOAL_WORDS = {
    "five-green": marked("five green Victims"),
    "five-blue": marked("five blue Victims"),
    "five-pink": marked("five pink Victims"),
    "five-yellow": marked("five yellow Victims"),
    "two-of-each-colour": marked("two Victims of each colour"),
    "six-levels": marked("a branch of six levels"),
    "three-limit-tokens": marked("three placed limit tokens"),
    "five-1s": marked("five 1s"),
    "four-2s": marked("four 2s"),
    "three-3s": marked("three 3s"),
    "one-to-five": marked("one each of 1 to 5"),
    "three-reset-tokens": marked("three unused reset tokens"),
    "smart-all-colours": marked("smart-asses of all four colours"),
    "smart-same-colour": marked("four smart-asses of one colour"),
    "smart-different-numbers": marked("four smart-asses of different numbers"),
    "smart-same-number": marked("four smart-asses of the same number"),
    "smart-below-one": marked("three smart-asses below one card"),
}

COLOUR_WORDS = {
    "green": marked("green"),
    "blue": marked("blue"),
    "pink": marked("pink"),
    "yellow": marked("yellow"),
}
REWARD_WORDS = {
    "limit": marked("limit"),
    "flip + bonus": marked("flip + bonus"),
    "flip": marked("flip"),
    "discard police": marked("discard police"),
    "flip police": marked("flip police"),
    "reserve goal": marked("reserve goal"),
    "hand": marked("hand"),
    "discard hand": marked("discard hand"),
    "reset": marked("reset"),
}
_LAST = marked("{card} comes into the market; no Victim is left for the deck.")
_CARDS = (
    marked("green-{letter}"),
    marked("blue-{letter}"),
    marked("pink-{letter}"),
    marked("yellow-{letter}"),
)
_TEXTS = {
    "dealt": marked("{seat} {seat:was|were} dealt {card}."),
    "starts": marked("{seat} {seat:starts|start}."),
    "turn": marked("Turn {number}: {seat:*|your turn}."),
    "taken": marked("{seat} took {card}."),
    "filled": marked("{card} comes into the market; the deck shows {top}."),
    "placed": marked("{seat} placed {card} below {below}."),
    "reset": marked("{seat} spent a reset token on a new market and {seat:has|have} {left} left."),
    "flipped": marked("{seat} flipped {card}: a smart-ass."),
    "limit": marked("{seat} put {tokens} on {card}."),
    "removed": marked("{seat} sent a Police card back to the box."),
    "reserved": marked("{seat} reserved the goal {goal}."),
    "hand": marked("{seat} may hold {limit} cards now."),
    "discarded": marked("{seat} discarded {card}."),
    "tokens": marked("{seat} gained {by} and {seat:has|have} {has}."),
    "lost": marked("{seat} could not use the reward {reward}."),
    "claimed": marked("{seat} claimed the goal {goal}: all others place a Police card."),
    "police": marked("{seat} placed a Police card below {below}."),
    "out": marked("{seat:*'s|Your} pyramid crumbles; {seat} {seat:is|are} out."),
    "ended": marked("The game is over."),
    "ended-last": marked("The Victims have run out: the most smart-asses win."),
}


def card_words(card: int, number: int) -> str:
    """Return how a sentence calls a card, by colour and number, such as `green 3` or `the Founder`."""
    if card >= FIRST_FOUNDER:
        return _("the Founder")
    if card >= FIRST_POLICE:
        return _("a Police card")
    colour = COLOUR_WORDS[COLOURS[card // PER_COLOUR]]
    return _("{colour} {number}").format(colour=_(colour), number=number)


def card_name(card: int) -> str:
    """Return a card's unique name in the notation, such as `green-a`, `police-3` or `founder`."""
    if card >= FIRST_FOUNDER:
        return _("founder")
    if card >= FIRST_POLICE:
        return _("police-{number}").format(number=card - FIRST_POLICE + 1)
    return _(_CARDS[card // PER_COLOUR]).format(letter=LETTERS[card % PER_COLOUR])


def first_up(words: str) -> str:
    """Return the text with its first letter as a capital."""
    return words[:1].upper() + words[1:]


def reward_words(reward: str) -> str:
    """Return a reward in words, such as `limit +2` or `flip + bonus`."""
    name, plus, count = reward.partition(" +") if reward not in REWARD_WORDS else (reward, "", "")
    return _(REWARD_WORDS[name]) + plus + count


def limit_tokens(count: int) -> str:
    """Return a number of limit tokens in words."""
    if not count:
        return _("no limit tokens")
    return ngettext("{count} limit token", "{count} limit tokens", count).format(count=count)


def reset_tokens(count: int) -> str:
    """Return a number of reset tokens in words."""
    if not count:
        return _("no reset tokens")
    return ngettext("{count} reset token", "{count} reset tokens", count).format(count=count)


def tell(name: str, data: dict[str, int], names: Sequence[str]) -> str:
    """Return the sentence in the game's log for the event `name` with the values `data`; `names` are the players'."""
    words: dict[str, Any] = dict(data)
    if "seat" in data:
        words["seat"] = names[data["seat"]]
    if "goal" in data:
        goal = GOAL_WORDS[GOALS[data["goal"]]]
        words["goal"] = _(goal)
    if name == "placed":
        number, above = divmod(data["numbers"], 100)
        words |= {"card": card_words(data["card"], number), "below": card_words(data["below"], above)}
    elif "card" in data:
        words["card"] = card_words(data["card"], data["number"])
    elif "below" in data:
        words["below"] = card_words(data["below"], data["number"])
    if name == "filled":
        words["card"] = words["card"].capitalize()
        if data["top"] < 0:
            return _(_LAST).format(**words)
        words["top"] = card_words(data["top"], data["top_number"])
    if name == "limit":
        words["tokens"] = limit_tokens(data["tokens"])
    if name == "tokens":
        words["by"] = reset_tokens(data["by"])
    if name == "lost":
        words["reward"] = reward_words(REWARDS[data["reward"]])
    if name == "reshuffled":
        text = ngettext(
            "{cards} discarded Victim becomes the new deck.",
            "{cards} discarded Victims become the new deck.",
            data["cards"],
        )
        return text.format(**words)
    which = "ended-last" if name == "ended" and data["rule"] == 4_03 else name
    return _(_TEXTS[which]).format(**words)


LABELS = {
    "take": marked("Take {0}"),
    "place": marked("Place {0} below {1}"),
    "reset": marked("Spend a reset token on a new market"),
    "end": marked("End the turn"),
    "flip": marked("Flip {0}"),
    "limit": marked("Put the limit tokens on {0}"),
    "remove": marked("Discard {0}"),
    "discard": marked("Discard {0} from hand"),
    "reserve": marked("Reserve the goal {0}"),
    "police": marked("Place the Police below {0}"),
    "done": marked("Done"),
}
# Headings for groups of actions, derived from the family names.
FAMILY_WORDS = (
    marked("Take"),
    marked("Place"),
    marked("Flip"),
    marked("Limit"),
    marked("Remove"),
    marked("Discard"),
    marked("Reserve"),
    marked("Police"),
)


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of the button for an action.

    Cards are named by colour and by the number printed in the deck in `box`, or without one by the notation's letter.
    """
    return _label(action, box, precise=False)


def precise_label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of an action that also says with what its cards flip, for two of one colour and number."""
    return _label(action, box, precise=True)


def _label(action: Action, box: Any, *, precise: bool) -> str:
    """Return the label of the button for an action; a `precise` one also says with what its cards flip."""
    things = [part.partition(":")[2] for part in action.path]
    words = [_(GOAL_WORDS[thing]) if thing in GOAL_WORDS else _card_label(thing, box, precise) for thing in things]
    return _(LABELS[action.family]).format(*words)


def _card_label(word: str, box: Any, precise: bool) -> str:
    """Return the words for a card of the notation, such as `green-a`, with the number that the box gives it."""
    colour, dash, letter = word.partition("-")
    if colour not in COLOUR_WORDS:
        return _("police {number}").format(number=letter) if dash else _("the Founder")
    if box is None:
        return _("{colour} {letter}").format(colour=_(COLOUR_WORDS[colour]), letter=letter)
    card = COLOURS.index(colour) * PER_COLOUR + ord(letter) - ord("a")
    words = card_words(card, int(box.number[card]))
    if not precise:
        return words
    wants = [_wanted(int(code)) for code in box.wants[card] if code]
    return _("{card} (flips with {wants})").format(card=words, wants=listed(wants))


def _wanted(code: int) -> str:
    """Return a demand of a condition in words: a number, a colour or any card."""
    return _("any card") if code == ANY else _(COLOUR_WORDS[COLOURS[code - 6]]) if code > 5 else str(code)
