"""Sentences shared by both games: refusals, labels and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.sentences import Name, names_listed
from pyramidion.games.pyramid_of_ten.board_views import seats_of
from pyramidion.games.pyramid_of_ten.fields import MOST_PARTS
from pyramidion.games.pyramid_of_ten.spaces import space_name
from pyramidion.translation import _, marked, marked_for, ngettext

Refused = tuple[str, str]


def refuse_submission(
    s: Any, seat: int, action: Action, families: Sequence[str], not_now: str, rule: str, parts_rule: str
) -> Refused | None:
    """Return why a seat cannot save, confirm or reopen now, as (rule number, message), or None if it can.

    `families` are the action families that can be saved in this phase, under the rule `rule`. `not_now` is the marked
    sentence for all other families, and `parts_rule` is the rule about submissions.
    """
    if action.family == "confirm":
        return _refuse_confirm(s, seat, rule, parts_rule)
    if action.family == "reopen":
        return _refuse_reopen(s, seat, parts_rule)
    return _refuse_part(s, seat, action, families, not_now, rule, parts_rule)


def _refuse_part(
    s: Any, seat: int, action: Action, families: Sequence[str], not_now: str, rule: str, parts_rule: str
) -> Refused | None:
    """Return why a seat cannot save a part: the phase, the seat or the number of saves; or None if it can."""
    if action.family not in families:
        return rule, _(not_now)
    if not int(s.acting) >> seat & 1:
        return rule, _("You have nothing to do in this phase except trade garnets.")
    if int(s.submitted) >> seat & 1:
        return parts_rule, _("Your submission is confirmed; reopen it to change it.")
    if s.parts[seat] >= MOST_PARTS:
        reason = _("You have saved {most} times in this phase, which is the limit; confirm now.")
        return parts_rule, reason.format(most=MOST_PARTS)
    return None


def _refuse_confirm(s: Any, seat: int, rule: str, parts_rule: str) -> Refused | None:
    """Return why a seat cannot confirm, or None if it can."""
    if not int(s.acting) >> seat & 1:
        return rule, _("You have nothing to do in this phase, so there is nothing to confirm.")
    if int(s.submitted) >> seat & 1:
        return parts_rule, _("Your submission is already confirmed.")
    return None


def _refuse_reopen(s: Any, seat: int, parts_rule: str) -> Refused | None:
    """Return why a seat cannot reopen its submission, or None if it can."""
    if not int(s.submitted) >> seat & 1:
        return parts_rule, _("You have not confirmed anything, so there is nothing to take back.")
    if s.parts[seat] >= MOST_PARTS:
        reason = _("You have used up the {most} changes of this phase; the confirmation stands.")
        return parts_rule, reason.format(most=MOST_PARTS)
    return None


def tickets(number: int) -> str:
    """Return a number of tickets in words: `1 ticket`, `no tickets`, `3 tickets`."""
    return ngettext("{count} ticket", "{count} tickets", number).format(count=number) if number else _("no tickets")


def garnets(number: int) -> str:
    """Return a number of garnets in words, like `tickets`."""
    return ngettext("{count} garnet", "{count} garnets", number).format(count=number) if number else _("no garnets")


def names_of(mask: int, names: Sequence[str]) -> Name:
    """Return the names of the seats in a bitmask, such as `Ana, Ben and Cal`."""
    return names_listed([names[seat] for seat in seats_of(mask)])


ROWS = {
    "top": marked("{a} {a:stands|stand} on A, {b} on B, {c} on C and {d} on D."),
    "second": marked("{e} {e:stands|stand} on E, {f} on F and {g} on G."),
    "third": marked("{h} {h:stands|stand} on H and {i} on I."),
    "bottom": marked("{j} {j:stands|stand} on J."),
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
"""Names of the action families on pages."""
LABELS = {"confirm": marked("Confirm the submission"), "reopen": marked("Change the submission")}
"""Button labels shared by both games."""
_SEATS = frozenset({"seat", "other", "because", *"abcdefghij"})


def fill(text: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the translation of the template `text`, filled in with an event's values.

    Seats become names, sets of seats become lists, spaces become letters, and tickets and garnets include the noun
    (`{count}` is the bare number of tickets). Other values are inserted unchanged.
    """
    words: dict[str, Any] = {key: names[value] if key in _SEATS else value for key, value in data.items()}
    for key in ("seats", "challengers", "attackers"):
        if key in data:
            words[key] = names_of(data[key], names)
    if "space" in data:
        words["space"] = space_name(data["space"])
    if "tickets" in data:
        words["count"], words["tickets"] = data["tickets"], tickets(data["tickets"])
    if "garnets" in data:
        words["left"] = garnets(data["garnets"])
    return _(text).format(**words)
