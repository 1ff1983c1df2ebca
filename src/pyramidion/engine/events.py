"""Events: emitted by rules and buffered in the state until the next action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyramidion.engine.rule import rule
from pyramidion.engine.sentences import sentence_of
from pyramidion.translation import quantity

RawEvent = tuple[int, int, tuple[int, ...]]
"""An event: code, rule number and arguments."""

EVERYONE = -1
"""Audience mask of a public event: all seats and spectators."""
SPECTATOR_BIT = 15
"""The bit for spectators in an audience mask; seats have bits 0 to 14."""
EVENT_ARGUMENTS = 4


@rule
def only(seat: int) -> int:
    """Return the audience mask for a single seat."""
    return 1 << seat


@rule
def event(
    s: Any, code: int, rule_number: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, audience: int = EVERYONE
) -> None:
    """Emit an event under a rule (`9_01` is rule 9.1) to the seats in the bitmask `audience`.

    If the buffer is full, the event is dropped but still counted; the conformance laws check for such overflows.
    """
    n = s.event_count
    s.event_count = n + 1
    if n < s.event_code.shape[0]:
        s.event_code[n] = code
        s.event_rule[n] = rule_number
        s.event_audience[n] = audience
        s.event_args[n, 0] = a
        s.event_args[n, 1] = b
        s.event_args[n, 2] = c
        s.event_args[n, 3] = d


class EventSpace:
    """A game's kinds of events: `EVENTS.paid` is the code of `paid`; codes count from 1 in order of declaration."""

    def __init__(self, kinds: Mapping[str, tuple[str, ...]]) -> None:
        for name, arguments in kinds.items():
            if len(arguments) > EVENT_ARGUMENTS:
                raise ValueError(
                    f"The event {name} has {quantity(len(arguments), 'argument')}; at most {EVENT_ARGUMENTS} fit."
                )
        self.kinds = dict(kinds)
        self._names = ("", *kinds)

    def __getattr__(self, name: str) -> int:
        try:
            return self._names.index(name)
        except ValueError:
            raise AttributeError(f"There is no event {name!r}; there are {', '.join(self.kinds)}.") from None

    def name(self, code: int) -> str:
        """Return the name of the kind of event with this code."""
        return self._names[code]

    def data(self, code: int, arguments: Any) -> dict[str, int]:
        """Return the arguments of an event as a dictionary by name; `code` is the code of its kind."""
        return {key: int(arguments[i]) for i, key in enumerate(self.kinds[self._names[code]])}


def event_space(**kinds: tuple[str, ...]) -> EventSpace:
    """Declare the kinds of events of a game with the names of their integer arguments: `paid=("seat", "amount")`."""
    return EventSpace(kinds)


@dataclass(frozen=True, slots=True)
class Event:
    """An event as one viewer sees it, with a sentence that tells it.

    `position` is the viewer's position number (see `Match.positions`); `rule` is a rule number such as `PZ 9.1`.
    """

    position: int
    name: str
    rule: str
    data: dict[str, int] = field(hash=False)
    text: str

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON-ready data."""
        return {"position": self.position, "name": self.name, "rule": self.rule, "data": self.data, "text": self.text}


def described_events(
    game: Any, raw: Iterable[tuple[int, *RawEvent]], names: Sequence[str] | None, reader: int | None = None
) -> list[Event]:
    """Return the raw events of a game as `Event`s, with sentences in the current language.

    `game` is a `Game`. `raw` holds (position, code, rule number, arguments) tuples. `names` are the players' names by
    seat, used in the sentences. `reader` is the seat that the sentences call "you", None for none.
    """
    events: list[Event] = []
    for position, code, rule_number, arguments in raw:
        name, data = game.events.name(code), game.events.data(code, arguments)
        text = sentence_of(game, name, data, names, reader)
        events.append(Event(position, name, game.rule_name(rule_number), data, text))
    return events
