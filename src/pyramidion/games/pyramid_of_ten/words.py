"""Sentences of both games: refusals, labels and events that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramid_of_ten.fields import MOST_PARTS
from pyramidion.games.pyramid_of_ten.showing import seats_of
from pyramidion.games.pyramid_of_ten.spaces import space_name

Refused = tuple[str, str]


def refuse_part(
    s: Any, seat: int, action: Action, families: Sequence[str], doing: str, rule: str, parts_rule: str
) -> Refused | None:
    """Return why nothing can be saved now, whatever it is; None if the phase, the seat and the number of parts fit.

    `families` can be saved in this phase, in which players are `doing` something under `rule`; `parts_rule` is the one
    about submissions.
    """
    if action.family not in families:
        return rule, f"That is not for now: players are {doing}."
    if not int(s.acting) >> seat & 1:
        return rule, "Nothing is asked of you in this phase; you can only trade garnets."
    if int(s.submitted) >> seat & 1:
        return parts_rule, "Your submission is confirmed; reopen it to change it."
    if s.parts[seat] >= MOST_PARTS:
        return parts_rule, f"You have saved {MOST_PARTS} parts in this phase, which is all there are; confirm now."
    return None


def refuse_confirm(s: Any, seat: int, rule: str, parts_rule: str) -> Refused | None:
    """Return why a seat cannot confirm, or None."""
    if not int(s.acting) >> seat & 1:
        return rule, "Nothing is asked of you in this phase; there is nothing to confirm."
    if int(s.submitted) >> seat & 1:
        return parts_rule, "Your submission is confirmed already."
    return None


def refuse_reopen(s: Any, seat: int, parts_rule: str) -> Refused | None:
    """Return why a seat cannot take its confirmation back, or None."""
    if not int(s.submitted) >> seat & 1:
        return parts_rule, "You have confirmed nothing that could be taken back."
    if s.parts[seat] >= MOST_PARTS:
        return parts_rule, f"You have used up the {MOST_PARTS} changes of this phase; the confirmation stands."
    return None


def count(number: int, word: str) -> str:
    """Return a number with its word: `1 ticket`, `no tickets`, `3 tickets`."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def names_of(mask: int, names: Sequence[str]) -> str:
    """Return the names of the seats in a bitmask: `Ana, Ben and Cal`."""
    called = [names[seat] for seat in seats_of(mask)]
    return called[0] if len(called) == 1 else ", ".join(called[:-1]) + " and " + called[-1]


ROWS = {
    "top": "{a} stands on A, {b} on B, {c} on C and {d} on D.",
    "second": "{e} stands on E, {f} on F and {g} on G.",
    "third": "{h} stands on H and {i} on I.",
    "bottom": "{j} stands on J.",
}
_SEATS = frozenset({"seat", "other", "because", *"abcdefghij"})


def fill(text: str, data: Mapping[str, int], names: Sequence[str], **words: Any) -> str:
    """Return an event's sentence: seats by name, sets of seats as lists, spaces by letter, everything else as it is."""
    said: dict[str, Any] = {key: names[value] if key in _SEATS else value for key, value in data.items()}
    for key in ("seats", "challengers", "attackers"):
        if key in data:
            said[key] = names_of(data[key], names)
    if "space" in data:
        said["space"] = space_name(data["space"])
    return text.format(**{**said, **words})
