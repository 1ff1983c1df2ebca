"""How the events and actions of Pyramid Scheme read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramid_scheme.layout import COLOURS, FIRST_FOUNDER, FIRST_POLICE, GOALS, PER_COLOUR, REWARDS

GOAL_WORDS = {
    "five-green": "five green Victims",
    "five-blue": "five blue Victims",
    "five-pink": "five pink Victims",
    "five-yellow": "five yellow Victims",
    "two-of-each-colour": "two Victims of each colour",
    "six-levels": "a branch of six levels",
    "three-limit-tokens": "three placed limit tokens",
    "five-1s": "five 1s",
    "four-2s": "four 2s",
    "three-3s": "three 3s",
    "one-to-five": "one each of 1 to 5",
    "three-reset-tokens": "three unused reset tokens",
    "smart-all-colours": "smart-asses of all four colours",
    "smart-same-colour": "four smart-asses of one colour",
    "smart-different-numbers": "four smart-asses of different numbers",
    "smart-same-number": "four smart-asses of the same number",
    "smart-below-one": "three smart-asses below one card",
}

_TEXTS = {
    "dealt": "{seat} was dealt {card}.",
    "starts": "{seat} starts.",
    "turn": "Turn {number}: {seat}.",
    "taken": "{seat} took {card}.",
    "filled": "{card} comes into the market; the deck shows {top}.",
    "reshuffled": "{cards} discarded Victims become the new deck.",
    "placed": "{seat} placed {card} below {below}.",
    "reset": "{seat} spent a reset token on a new market and has {left} left.",
    "flipped": "{seat} flipped {card}: a smart-ass.",
    "limit": "{seat} put {tokens} on {card}.",
    "removed": "{seat} sent a Police back to the box.",
    "reserved": "{seat} reserved the goal {goal}.",
    "hand": "{seat} may hold {limit} cards now.",
    "discarded": "{seat} discarded {card}.",
    "tokens": "{seat} gained {by} and has {has}.",
    "lost": "{seat} could not use the reward {reward}.",
    "claimed": "{seat} claimed the goal {goal}: all others place a Police.",
    "police": "{seat} placed a Police below {below}.",
    "out": "{seat}'s pyramid crumbles; {seat} is out.",
    "ended": "The game is over.",
}


def card_words(card: int, number: int) -> str:
    """Return what a card is called in a sentence: its colour and number."""
    if card >= FIRST_FOUNDER:
        return "the Founder"
    if card >= FIRST_POLICE:
        return "a Police"
    return f"{COLOURS[card // PER_COLOUR]} {number}"


def counted(count: int, word: str) -> str:
    """Return a count with its noun."""
    return f"{count or 'no'} {word}{'' if count == 1 else 's'}"


def tell(name: str, data: dict[str, int], names: Sequence[str]) -> str:
    """Return the sentence for an event."""
    words: dict[str, Any] = dict(data)
    if "seat" in data:
        words["seat"] = names[data["seat"]]
    if "goal" in data:
        words["goal"] = GOAL_WORDS[GOALS[data["goal"]]]
    if name == "placed":
        number, above = divmod(data["numbers"], 100)
        words |= {"card": card_words(data["card"], number), "below": card_words(data["below"], above)}
    elif "card" in data:
        words["card"] = card_words(data["card"], data["number"])
    elif "below" in data:
        words["below"] = card_words(data["below"], data["number"])
    if name == "filled":
        if data["top"] < 0:
            return f"{words['card'].capitalize()} comes into the market; no Victim is left for the deck."
        words |= {"card": words["card"].capitalize(), "top": card_words(data["top"], data["top_number"])}
    if name == "limit":
        words["tokens"] = counted(data["tokens"], "limit token")
    if name == "tokens":
        words["by"] = counted(data["by"], "reset token")
    if name == "lost":
        words["reward"] = REWARDS[data["reward"]]
    if name == "ended" and data["rule"] == 4_03:
        return "The Victims have run out: the most smart-asses win."
    return _TEXTS[name].format(**words)


_LABELS = {
    "take": "Take {0}",
    "place": "Place {0} below {1}",
    "reset": "Spend a reset token on a new market",
    "end": "End the turn",
    "flip": "Flip {0}",
    "limit": "Put the limit tokens on {0}",
    "remove": "Discard {0}",
    "discard": "Discard {0} from hand",
    "reserve": "Reserve {0}",
    "police": "Place the Police below {0}",
    "done": "Done",
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return what an action is called on a button.

    Cards are named by colour, the number that the deck in `box` prints on them, and the letter of the notation.
    """
    things = [part.partition(":")[2] for part in action.path]
    words = [GOAL_WORDS.get(thing) or _card_label(thing, box) for thing in things]
    if things[0] in GOAL_WORDS:
        words = [f"the goal {words[0]}"]
    return _LABELS[action.family].format(*(word.replace("founder", "the Founder") for word in words))


def _card_label(word: str, box: Any) -> str:
    colour, _, letter = word.partition("-")
    if box is None or colour not in COLOURS or not letter:
        return word.replace("-", " ")
    card = COLOURS.index(colour) * PER_COLOUR + ord(letter) - ord("a")
    return f"{colour} {int(box.number[card])} ({letter})"
