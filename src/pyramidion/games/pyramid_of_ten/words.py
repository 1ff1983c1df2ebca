"""Sentences of both games: refusals, labels and events that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramid_of_ten.fields import MOST_PARTS
from pyramidion.games.pyramid_of_ten.showing import seats_of
from pyramidion.games.pyramid_of_ten.spaces import space_name
from pyramidion.words import _, listed, marked, marked_for, ngettext

Refused = tuple[str, str]


def refuse_part(
    s: Any, seat: int, action: Action, families: Sequence[str], not_now: str, rule: str, parts_rule: str
) -> Refused | None:
    """Return why nothing can be saved now, whatever it is; None if the phase, the seat and the number of parts fit.

    `families` can be saved in this phase, whose rule is `rule`; `not_now` is the marked sentence for all others, and
    `parts_rule` the one about submissions.
    """
    if action.family not in families:
        return rule, _(not_now)
    if not int(s.acting) >> seat & 1:
        return rule, _("Nothing is asked of you in this phase; you can only trade garnets.")
    if int(s.submitted) >> seat & 1:
        return parts_rule, _("Your submission is confirmed; reopen it to change it.")
    if s.parts[seat] >= MOST_PARTS:
        said = _("You have saved {most} parts in this phase, which is all there are; confirm now.")
        return parts_rule, said.format(most=MOST_PARTS)
    return None


def refuse_confirm(s: Any, seat: int, rule: str, parts_rule: str) -> Refused | None:
    """Return why a seat cannot confirm, or None."""
    if not int(s.acting) >> seat & 1:
        return rule, _("Nothing is asked of you in this phase; there is nothing to confirm.")
    if int(s.submitted) >> seat & 1:
        return parts_rule, _("Your submission is confirmed already.")
    return None


def refuse_reopen(s: Any, seat: int, parts_rule: str) -> Refused | None:
    """Return why a seat cannot take its confirmation back, or None."""
    if not int(s.submitted) >> seat & 1:
        return parts_rule, _("You have confirmed nothing that could be taken back.")
    if s.parts[seat] >= MOST_PARTS:
        said = _("You have used up the {most} changes of this phase; the confirmation stands.")
        return parts_rule, said.format(most=MOST_PARTS)
    return None


def tickets(number: int) -> str:
    """Return so many tickets: `1 ticket`, `no tickets`, `3 tickets`."""
    return ngettext("{count} ticket", "{count} tickets", number).format(count=number) if number else _("no tickets")


def garnets(number: int) -> str:
    """Return so many garnets, as `tickets` does."""
    return ngettext("{count} garnet", "{count} garnets", number).format(count=number) if number else _("no garnets")


def names_of(mask: int, names: Sequence[str]) -> str:
    """Return the names of the seats in a bitmask: `Ana, Ben and Cal`."""
    return listed([names[seat] for seat in seats_of(mask)])


ROWS = {
    "top": marked("{a} stands on A, {b} on B, {c} on C and {d} on D."),
    "second": marked("{e} stands on E, {f} on F and {g} on G."),
    "third": marked("{h} stands on H and {i} on I."),
    "bottom": marked("{j} stands on J."),
}
FAMILIES = (
    marked_for("upside-down", "Bid"),
    marked_for("upside-down", "Ask"),
    marked_for("upside-down", "Challenge"),
    marked_for("upside-down", "Tickets"),
    marked_for("upside-down", "Give"),
    marked_for("downside-up", "Bid"),
    marked_for("downside-up", "Claim"),
    marked_for("downside-up", "Challenge"),
    marked_for("downside-up", "Attack"),
    marked_for("downside-up", "Defend"),
)
"""What pages call the families of actions."""
_SEATS = frozenset({"seat", "other", "because", *"abcdefghij"})


def fill(text: str, data: Mapping[str, int], names: Sequence[str], **words: Any) -> str:
    """Return an event's sentence, `text` in the language spoken, with its values.

    Seats are there by name, sets of seats as lists, spaces by letter, and everything else as it is.
    """
    said: dict[str, Any] = {key: names[value] if key in _SEATS else value for key, value in data.items()}
    for key in ("seats", "challengers", "attackers"):
        if key in data:
            said[key] = names_of(data[key], names)
    if "space" in data:
        said["space"] = space_name(data["space"])
    return _(text).format(**{**said, **words})
