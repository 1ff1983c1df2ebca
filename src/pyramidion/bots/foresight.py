"""What is sure to follow from an action, as far as its seat can know: big events, and numbers that change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion import Event, Game, Match
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import seen as readable
from pyramidion.engine.sentences import sentence_of
from pyramidion.translation import _, with_names

if TYPE_CHECKING:
    from pyramidion.engine.layout import Redacted

WORLDS = 12
"""Number of determinizations in which the action is tried."""
MOST = 3
"""Maximum number of events in a preview."""
MOST_FIGURES = 2
"""Maximum number of differences that a reason names, one of them against the action if there is any."""
Known = int | str | None
"""The value of a figure; None where it has none, or the seat cannot know it."""


def _worlds_after(game: Game, box: Any, state: Redacted, seat: int, action: int) -> Iterator[Any]:
    """Yield the state after an action in each of some worlds that agree with what the seat has seen.

    `box` and `state` are those of the seat, redacted.
    """
    buffer = np.empty(len(game.actions), np.int32)
    for number in range(WORLDS):
        world = state.copy()
        game.compiled.redeal(box, world, seat, chance_words(number))
        if game.compiled.step(box, world, seat, action, buffer):
            continue  # illegal in this world, so the seat can rule it out
        yield world


def _figures(game: Game, box: Any, state: Redacted, seat: int) -> list[Known]:
    """Return the game's figures of a position, as the seat sees it."""
    view = game.view.view(readable(box), readable(state), seat)
    return [figure.of(view, seat) for figure in game.presentation.figures]


def figures_after(game: Game, box: Any, state: Redacted, seat: int, action: int) -> list[Known]:
    """Return the game's figures (`Presentation.figures`) after an action; None for those that the seat cannot know.

    `box` and `state` are those of the seat, redacted.
    """
    sure: list[Known] | None = None
    for world in _worlds_after(game, box, state, seat, action):
        here = _figures(game, box, game.layout.redact(world, seat), seat)
        sure = here if sure is None else [a if a == b else None for a, b in zip(sure, here, strict=True)]
    return sure or [None] * len(game.presentation.figures)


def _differences(game: Game, first: Sequence[Known], second: Sequence[Known]) -> str:
    """Return the figures that differ between two positions, in words: the most important first, then what is worse."""
    for_it, against_it = list[str](), list[str]()
    for figure, a, b in zip(game.presentation.figures, first, second, strict=True):
        if a is None or b is None or a == b:
            continue
        compared = isinstance(a, int) and isinstance(b, int) and figure.better is not None
        worse = compared and (a < b) == (figure.better == "more")
        (against_it if worse else for_it).append(_(figure.words).format(first=a, second=b))
    parts = _("; ").join(for_it[: MOST_FIGURES - bool(against_it)])
    if not against_it:
        return parts
    if not parts:
        return _("what it is good for shows later; at first, {against}").format(against=against_it[0])
    return _("{parts}, but {against}").format(parts=parts, against=against_it[0])


def reason(game: Game, box: Any, state: Redacted, seat: int, action: int, others: Sequence[tuple[int, str]]) -> str:
    """Return what speaks for an action, and against it, in the game's figures; an empty string where no figure differs.

    `others` are the ids and labels of alternatives, the best first. The positions after the actions are compared; where
    they are alike, the position after the action is compared with the present one.
    """
    after = figures_after(game, box, state, seat, action)
    for other, label in others:
        if parts := _differences(game, after, figures_after(game, box, state, seat, other)):
            return _capitalized(_("{parts} (compared with “{other}”).").format(parts=parts, other=label))
    parts = _differences(game, after, _figures(game, box, state, seat))
    return _capitalized(_("{parts} (compared with now).").format(parts=parts)) if parts else ""


def _capitalized(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def sure_to_follow(match: Match, seat: int, action: int, names: Sequence[str]) -> list[Event]:
    """Return the big events that an action causes for certain, as far as the acting seat can know.

    An event is certain if it follows in every sampled determinization, which is a state of the match that agrees with
    all that the seat has seen. Determinizations are made from the seat's redacted state, so the result cannot reveal
    secrets. The first event, which is the action itself, is left out.
    """
    game = match.game
    common: list[Any] | None = None
    for world in _worlds_after(game, match.box_for(seat), match.redacted_state(seat), seat, action):
        events = [entry for audience, entry in game.layout.events(world.tobytes()) if audience >> seat & 1][1:]
        common = events if common is None else [entry for entry in common if entry in events]
    show = game.presentation
    big = {*show.falls, *(stage.event for stage in show.stages)}
    certain: list[Event] = []
    for code, rule, arguments in common or ():
        name = game.events.name(code)
        if name in big:
            data = game.events.data(code, arguments)
            text = sentence_of(game, name, data, names, seat)
            certain.append(Event(0, name, game.rule_name(rule), data, text))
    # Eliminations come first.
    return sorted(certain, key=lambda event: event.name not in show.falls)[:MOST]


def eliminates(game: Game, event: Event, seat: int) -> bool:
    """Return whether an event eliminates a seat."""
    return event.name in game.presentation.falls and event.data["seat"] == seat


def question_before_losing(match: Match, seat: int, action: int, names: Sequence[str]) -> str | None:
    """Return the question to ask before an action that is certain to eliminate its own seat; None for any other."""
    if not match.game.presentation.falls:
        return None
    for event in sure_to_follow(match, seat, action, names):
        if eliminates(match.game, event, seat):
            text = _("After this you are out of the game: {event} ({rule})").format(event=event.text, rule=event.rule)
            return with_names(text, names)
    return None
