"""Events as JSON-ready dictionaries and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from pyramidion.seasons.events import KINDS, Event
from pyramidion.seasons.season import Happening
from pyramidion.seasons.talk import TALK_KINDS, TalkEvent


def encode(event: Happening | TalkEvent) -> dict[str, Any]:
    """Return an event's fields without its kind, which is stored beside them."""
    data = asdict(cast("Event", event))
    del data["kind"]
    return data


def decode(kind: str, data: dict[str, Any]) -> Event:
    """Return the event that `encode` was given."""
    made: Any = KINDS[kind]
    return made(**{name: _value(value) for name, value in data.items()})


def decode_talk(kind: str, data: dict[str, Any]) -> TalkEvent:
    """Return the event of a conversation that `encode` was given."""
    made: Any = TALK_KINDS[kind]
    return made(**{name: _value(value) for name, value in data.items()})


def _value(value: Any) -> Any:
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
