"""The forms of a season's pages as events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pyramidion.event_log import NotPossible
from pyramidion.seasons.conversations import CONVERSATION_KINDS, ConversationEvent
from pyramidion.seasons.events import KINDS, Command, PhaseSet
from pyramidion.seasons.schedule import laid_out, read_lengths
from pyramidion.seasons.template import Template
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest, NotPossibleNow
from pyramidion.web.features.seasons.loaded import LoadedSeason

COMMAND: TypeAdapter[Command] = TypeAdapter(Command)
TALK: TypeAdapter[ConversationEvent] = TypeAdapter(ConversationEvent)
TEMPLATE: TypeAdapter[Template] = TypeAdapter(Template)


def parse_command(form: Mapping[str, str]) -> Command:
    """Return the event in a form; empty fields have their defaults. Raises BadRequest."""
    given: dict[str, Any] = {name: value for name, value in form.items() if value.strip()}
    given["tokens"] = {name[7:]: value for name, value in given.items() if name.startswith("tokens-")}
    try:
        return COMMAND.validate_python(_fields(given, KINDS))
    except ValidationError:
        raise BadRequest(_("Fill in the form and try again.")) from None


def parse_conversation_event(form: Mapping[str, str]) -> ConversationEvent:
    """Return what a form does in the conversations; `with-c1` and so on are ticked members. Raises BadRequest."""
    given: dict[str, Any] = {name: value for name, value in form.items() if value.strip()}
    given["members"] = tuple(name[5:] for name in given if name.startswith("with-"))
    try:
        return TALK.validate_python(_fields(given, CONVERSATION_KINDS))
    except ValidationError:
        raise BadRequest(_("Fill in the form and try again.")) from None


def parse_template(text: str) -> Template:
    """Return a pasted template. Raises BadRequest."""
    try:
        return TEMPLATE.validate_json(text)
    except ValidationError:
        raise BadRequest(_("This is not a template of a season.")) from None


def lay_out_phases(
    loaded: LoadedSeason, starts: int, phases: str | Sequence[tuple[str, int]], *, skip_weekends: bool
) -> list[PhaseSet]:
    """Return phases laid out, which are lines of a form or names and hours. Raises NotPossibleNow with a sentence."""
    try:
        lengths = read_lengths(phases) if isinstance(phases, str) else phases
        return laid_out(starts, lengths, loaded.season.settings.zone, skip_weekends=skip_weekends)
    except NotPossible as error:
        raise NotPossibleNow(str(error)) from None


def _fields(given: dict[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that the event of a form has."""
    event = kinds.get(given.get("kind", ""))
    return {name: value for name, value in given.items() if event and name in event.__dataclass_fields__}
