"""The forms of a season's pages as commands, events and templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from pyramidion.event_log import kinds_of
from pyramidion.seasons.conversations import CONVERSATION_KINDS, ConversationEvent
from pyramidion.seasons.events import (
    KINDS,
    CandidateNamed,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    OpponentNamed,
    OwnMatchOpened,
    RequestedEvent,
    ResultEntered,
    SeasonEnded,
)
from pyramidion.seasons.template import Template
from pyramidion.translation import _
from pyramidion.web.competitions.request_keys import request_key
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.seasons.commands import (
    AddEvent,
    ChooseFace,
    Command,
    Converse,
    GiveSeat,
    LayOutPhases,
    NudgeAll,
    PlanEpisodes,
    RenewLink,
    Reveal,
    SetWebhooks,
    Submit,
    TakeStep,
)
from pyramidion.web.features.seasons.submission_forms import fields_of_event, main_match_of_form, parse_submission
from pyramidion.web.http.forms import INCOMPLETE, moment_of, parse_number
from pyramidion.web.table.seats.faces import PARTS

T = TypeVar("T")

EVENT: TypeAdapter[RequestedEvent] = TypeAdapter(RequestedEvent)
TALK: TypeAdapter[ConversationEvent] = TypeAdapter(ConversationEvent)
TEMPLATE: TypeAdapter[Template] = TypeAdapter(Template)
OF_EPISODES = frozenset(
    kinds_of(
        ResultEntered
        | CandidateNamed
        | OpponentNamed
        | DuelEntered
        | Eliminated
        | EpisodeClosed
        | SeasonEnded
        | OwnMatchOpened
    )
)
"""The kinds of events that belong to the latest episode: a page that was loaded during another cannot add them."""


def command_of_form(name: str, form: Mapping[str, str], zone: str) -> Command:
    """Return the command that a form of a season's pages asks for. Raises BadRequest.

    Times are in the time zone that the form names, in `zone` without one.
    """
    if form.get("kind") != "settings":
        zone = form.get("zone") or zone
    key, who = request_key(form.get("key"), {"kind": name, **form}), form.get("who", "")
    match name:
        case "do":
            event = parse_event(form, zone)
            episode = parse_number(form.get("episode")) if event.kind in OF_EPISODES else None
            return AddEvent(event, form.get("reason", ""), key, episode)
        case "submit":
            return Submit(parse_submission(form), key)
        case "reveal":
            return Reveal(form.get("match", ""), form.get("contestant") or None)
        case "step":
            title, clock = form.get("title", ""), parse_number(form.get("clock"), 8)
            planned = form.get("planned-match")
            if form.get("game", planned) != planned and title == form.get("planned-title"):
                title = ""  # it was that of another match
            (game, own), duel = main_match_of_form(form), form.get("duel") or None
            opening = EpisodeOpened(game, duel, clock, title, form.get("format", ""), own)
            return TakeStep(form.get("step", ""), opening, "bots" in form)
        case "schedule":
            starts = moment_of(form.get("starts", ""), zone)
            return LayOutPhases(starts, form.get("phases", ""), "skip_weekends" in form, key)
        case "plan":
            return PlanEpisodes(form.get("template", ""), key)
        case "say":
            return Converse(parse_conversation_event(form), key)
        case "link":
            return RenewLink(who)
        case "nudge":
            return NudgeAll([field.removeprefix("with-") for field in form if field.startswith("with-")])
        case "seat":
            return GiveSeat(who)
        case "webhook":
            return SetWebhooks(form)
        case "portrait":
            usual = form.get("face") == "default"
            return ChooseFace(who, None if usual else "".join(form.get(part, "") for part in PARTS))
        case _:
            raise BadRequest(_(INCOMPLETE))


def parse_event(form: Mapping[str, str], zone: str = "UTC") -> RequestedEvent:
    """Parse a form into an event of the season's log; empty fields get their defaults. Raises BadRequest.

    Times are milliseconds since 1970, or local times in the time zone `zone`.
    """
    given: dict[str, Any] = {name: value for name, value in form.items() if value.strip()}
    if form.get("kind") == "phase-set":
        times = {name: form.get(name, "") for name in ("starts", "ends")}
        given |= {name: text if text.isdecimal() else moment_of(text, zone) for name, text in times.items()}
    if form.get("kind") != "format-set":
        given["tokens"] = {name[7:]: value for name, value in given.items() if name.startswith("tokens-")}
    given["winners"] = tuple(name[4:] for name in given if name.startswith("won-"))
    return _validated(EVENT, given | fields_of_event(form, zone), KINDS)


def parse_conversation_event(form: Mapping[str, str]) -> ConversationEvent:
    """Parse a form into an event of the conversations. Raises BadRequest.

    The ticked members of an alliance are fields such as `with-c1`.
    """
    given: dict[str, Any] = {name: value for name, value in form.items() if value.strip()}
    given["members"] = tuple(name[5:] for name in given if name.startswith("with-"))
    return _validated(TALK, given, CONVERSATION_KINDS)


def parse_template(text: str) -> Template:
    """Parse the JSON text of a pasted template. Raises BadRequest."""
    try:
        return TEMPLATE.validate_json(text)
    except ValidationError:
        raise BadRequest(_("This is not a template of a season.")) from None


def _validated(adapter: TypeAdapter[T], given: Mapping[str, Any], kinds: Mapping[str, Any]) -> T:
    """Validate those of the given values that are fields of their `kind` of event. Raises BadRequest."""
    event = kinds.get(given.get("kind", ""))
    fields = {name: value for name, value in given.items() if event and name in event.__dataclass_fields__}
    try:
        return adapter.validate_python(fields)
    except ValidationError:
        raise BadRequest(_(INCOMPLETE)) from None
