"""The forms about a match of the host's own, as fields of events and as submissions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pyramidion.seasons.own_match import MOST_FIELDS, SubmissionField, Values
from pyramidion.seasons.submissions import Submitted
from pyramidion.web.http.forms import moment_of, parse_number

VALUE = "value-"
"""What the names of the fields of a submission begin with."""
OWN = "own:"
"""What the value of a main match begins with that is a match of the season's own."""
SECOND, MINUTE = 1_000, 60_000
VOTE = SubmissionField("vote", "", "contestant")


def parse_submission(form: Mapping[str, str]) -> Submitted:
    """Parse the form with which a contestant saves or confirms a submission."""
    values: Values = {name.removeprefix(VALUE): value for name, value in form.items() if name.startswith(VALUE)}
    return Submitted(form.get("match", ""), parse_number(form.get("round"), 3) or 0, values, "confirm" in form)


def main_match_of_form(form: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the main match that a form chooses: a game's id, or None and the name of a match of the season's own."""
    own, chosen = form.get("own", ""), form.get("game", "")
    if chosen.startswith(OWN):
        own = chosen.removeprefix(OWN)
    return None if own else chosen or None, own


def fields_of_event(form: Mapping[str, str], zone: str) -> dict[str, Any]:
    """Return those fields of an event about a match of the host's own that are not single inputs of its form.

    Deadlines are local times in the time zone `zone`, and the ticked contestants fields such as `with-c1`.
    `more` seconds after the time `from` are a deadline, too. Raises
    BadRequest for a deadline that is no time.
    """
    kind, given = form.get("kind"), dict[str, Any]()
    if kind == "own-match-set":
        given["fields"] = (_field(VOTE, form),) if form.get("preset", "").startswith("vote") else tuple(_fields(form))
    elif kind in ("own-match-opened", "own-round-opened", "own-deadline-set"):
        text, phase = form.get("deadline", ""), form.get("phase") or None
        deadline = moment_of(text, zone) if text else None
        # A deadline that the form had from the start does not keep a host from choosing a phase.
        before = parse_number(form.get("deadline-before"), 15) or 0
        chosen = deadline is not None and deadline // MINUTE != before // MINUTE
        if more := parse_number(form.get("more"), 8):
            deadline, chosen = (parse_number(form.get("from"), 15) or 0) + more * SECOND, True
        given["deadline"] = None if phase and not chosen else deadline
        given["phase"] = None if chosen else phase
        given["cast"] = tuple(name.removeprefix("with-") for name in form if name.startswith("with-"))
    elif kind == "episode-planned":
        given["game"], given["own"] = main_match_of_form(form)
    return given


def _field(declared: SubmissionField, form: Mapping[str, str]) -> dict[str, Any]:
    """Return a declared field of a submission, with the label that the host has given it."""
    return {"name": declared.name, "label": form.get("label", ""), "kind": declared.kind}


def _fields(form: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the fields that a host declares, of the rows whose label is filled in."""
    for row in range(1, MOST_FIELDS + 1):
        label, name = form.get(f"label-{row}", "").strip(), form.get(f"name-{row}", "").strip()
        if not label:
            continue
        yield {
            "name": name or re.sub(r"[^a-z0-9_]+", "_", label.lower()).strip("_")[:20] or f"field_{row}",
            "label": label,
            "kind": form.get(f"kind-{row}", "number"),
            "least": form.get(f"least-{row}") or 0,
            "most": form.get(f"most-{row}") or 100,
            "choices": tuple(text for part in form.get(f"choices-{row}", "").split(",") if (text := part.strip())),
            "others": f"self-{row}" not in form,
        }
