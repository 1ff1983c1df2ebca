"""Events as JSON-ready dictionaries and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar, cast

from pyramidion.seasons.events import KINDS, Event
from pyramidion.seasons.talk import TALK_KINDS, TalkEvent

T = TypeVar("T")


def encode(event: Any) -> dict[str, Any]:
    """Return an event's fields without its kind, which is stored beside them; `event` is a dataclass with a `kind`."""
    data = asdict(event)
    del data["kind"]
    return data


def decode(kind: str, data: dict[str, Any]) -> Event:
    """Return the event that `encode` was given."""
    return decoded(KINDS, kind, data)


def decode_talk(kind: str, data: dict[str, Any]) -> TalkEvent:
    """Return the event of a conversation that `encode` was given."""
    return decoded(TALK_KINDS, kind, data)


def decoded(kinds: Mapping[str, type[T]], kind: str, data: dict[str, Any]) -> T:
    """Return the event that `encode` was given, of one of `kinds`; its lists are tuples again."""
    return kinds[kind](**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in cast("list[Any]", value)) if isinstance(value, list) else value
