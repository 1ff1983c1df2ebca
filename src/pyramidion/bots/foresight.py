"""What is sure to follow from an action, as far as its seat can know: big events, and numbers that change."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion import Event, Game, Match
from pyramidion.engine.actions import Action
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import seen as readable
from pyramidion.engine.sentences import sentence_of
from pyramidion.translation import _, with_names

if TYPE_CHECKING:
    from pyramidion.engine.layout import Redacted

WORLDS = 12
"""Number of determinizations in which the action is tried."""
CONTINUATIONS = 32
"""Number of determinizations in which an action's likely continuation is played."""
LONGEST_CONTINUATION = 200
"""Maximum number of actions in a continuation."""
CLEAR = 2.5
"""Number of standard errors by which averages over continuations must differ to be named."""
MOST = 3
"""Maximum number of events in a preview."""
MOST_FIGURES = 2
"""Maximum number of differences that a reason names, one of them against the action if there is any."""
Known = int | str | None
"""The value of a figure; None where it has none, or the seat cannot know it."""


def _worlds_after(game: Game, box: Any, state: Redacted, seat: int, action: int, worlds: int = WORLDS) -> Iterator[Any]:
    """Yield the state after an action in each of some worlds that agree with what the seat has seen.

    `box` and `state` are those of the seat, redacted.
    """
    buffer = np.empty(len(game.actions), np.int32)
    for number in range(worlds):
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


def _played_on(game: Game, box: Any, world: Any, seat: int, family: str, chance: random.Random) -> Any:
    """Play on by the game's policy until the seat has to make a decision of a family again, or the game is over."""
    ids, weights = np.empty(len(game.actions), np.int32), np.empty(len(game.actions), np.float64)
    buffer = np.empty(len(game.actions), np.int32)
    for _number in range(LONGEST_CONTINUATION):
        due = int(world["acting"][0]) & ~int(world["submitted"][0])
        if world["over"][0] or not due:
            break
        who = (due & -due).bit_length() - 1
        count = game.compiled.policy(box, world, who, ids, weights)
        chosen: int = chance.choices(ids[:count].tolist(), weights[:count].tolist())[0]
        if who == seat and game.actions[chosen].family == family:
            break
        if game.compiled.step(box, world, who, chosen, buffer):
            break
    return world


def _continuations(game: Game, box: Any, state: Redacted, seat: int, action: int) -> list[list[Known]]:
    """Return the game's figures where the likely continuations of an action lead: a list for each of them.

    Continuations with the same number have the same chances.
    """
    family = game.actions[action].family
    worlds = _worlds_after(game, box, state, seat, action, CONTINUATIONS)
    ends = (_played_on(game, box, world, seat, family, random.Random(n)) for n, world in enumerate(worlds))
    return [_figures(game, box, game.layout.redact(end, seat), seat) for end in ends]


def _later(game: Game, box: Any, state: Redacted, seat: int, action: int, other: int) -> str:
    """Return what the likely continuation of an action brings that another's does not, on average; may be empty."""
    both = (_continuations(game, box, state, seat, compared) for compared in (action, other))
    pairs = list(zip(*both, strict=False))
    parts = list[str]()
    for n, figure in enumerate(game.presentation.figures):
        values = [(a[n], b[n]) for a, b in pairs if isinstance(a[n], int) and isinstance(b[n], int)]
        if figure.better is None or len(values) < CONTINUATIONS // 2:
            continue
        first, second = np.array(values, np.float64).T
        gain = (first - second) if figure.better == "more" else (second - first)
        if gain.mean() >= 0.1 and gain.mean() >= CLEAR * gain.std() / np.sqrt(len(gain)):
            parts.append(_(figure.words).format(first=_tenths(first.mean()), second=_tenths(second.mean())))
    return _("; ").join(parts[:MOST_FIGURES])


def _tenths(number: float) -> str:
    """Return a number with one decimal, unless that is 0, in the current language."""
    units, tenth = divmod(abs(round(10 * number)), 10)
    units = f"{'-' if number < 0 else ''}{units}"
    return _("{whole}.{tenth}").format(whole=units, tenth=tenth) if tenth else units


def _speaks_for(game: Game, first: Sequence[Known], second: Sequence[Known]) -> bool:
    """Return whether a figure of which more is better, or less, is better in the first of two positions."""
    return any(
        isinstance(a, int) and isinstance(b, int) and a != b and (a > b) == (figure.better == "more")
        for figure, a, b in zip(game.presentation.figures, first, second, strict=True)
        if figure.better is not None
    )


def _differences(game: Game, first: Sequence[Known], second: Sequence[Known]) -> tuple[list[str], list[str]]:
    """Return the figures that differ between two positions, in words, the most important first.

    The first list has those that are not worse in the first position, the second list those that are.
    """
    for_it, against_it = list[str](), list[str]()
    for figure, a, b in zip(game.presentation.figures, first, second, strict=True):
        if a is None or b is None or a == b:
            continue
        worse = isinstance(a, int) and isinstance(b, int) and (a < b) == (figure.better == "more")
        (against_it if worse and figure.better is not None else for_it).append(
            _(figure.words).format(first=a, second=b)
        )
    return for_it, against_it


def _in_words(for_it: Sequence[str], against_it: Sequence[str]) -> str:
    """Return differences in words: what speaks for an action, and what against it if there is any."""
    parts = _("; ").join(for_it[: MOST_FIGURES - bool(against_it)])
    if not against_it:
        return parts
    if not parts:
        return _("what it is good for shows later; at first, {against}").format(against=against_it[0])
    return _("{parts}, but {against}").format(parts=parts, against=against_it[0])


def described(match: Match, seat: int, action: Action, names: Sequence[str]) -> str:
    """Return an action in words for those who need not look at the board, as its seat sees the match."""
    show = match.game.presentation
    return show.described(match.view(seat), action) or match.label(action, names)


def reason(game: Game, box: Any, state: Redacted, seat: int, action: int, others: Sequence[tuple[int, str]]) -> str:
    """Return what speaks for an action, and against it, in the game's figures; an empty string where no figure differs.

    `others` are the ids and labels of alternatives, the best first. The positions after the actions are compared. Where
    nothing in them speaks for the action, its likely continuation is compared with that of the best alternative, and
    then the position after it with the present one.
    """
    after = figures_after(game, box, state, seat, action)
    weak = at_first = ""
    for other, label in others:
        alternative = figures_after(game, box, state, seat, other)
        for_it, against_it = _differences(game, after, alternative)
        sentence = _("{parts} (compared with “{other}”).").format(parts=_in_words(for_it, against_it), other=label)
        if _speaks_for(game, after, alternative):
            return _capitalized(sentence)
        if against_it and not weak:  # a difference that is neither better nor worse says nothing
            weak, at_first = _capitalized(sentence), against_it[0]
    if others and (parts := _later(game, box, state, seat, action, others[0][0])):
        sentence = _("By your next turn, on average, {parts} (compared with “{other}”).")
        sentence = sentence.format(parts=parts, other=others[0][1])
        first = _("At first, {against}.").format(against=at_first) if at_first else ""
        return f"{sentence} {first}".rstrip()
    now = _figures(game, box, state, seat)
    if not weak and _speaks_for(game, after, now):
        parts = _in_words(*_differences(game, after, now))
        weak = _capitalized(_("{parts} (compared with now).").format(parts=parts))
    return weak


def reason_by_chances(chance: str, other: str, label: str) -> str:
    """Return the reason that is left where no figure differs: the chances to win, in percent, of an action and another.

    `label` is the other action's.
    """
    return _(
        "No number on the board differs at once; it wins {chance} of the games from here, “{other}” {less}."
    ).format(chance=chance, other=label, less=other)


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


def warning_before(match: Match, seat: int, action: int) -> str | None:
    """Return what the game warns of before an action (`Figure.warning`), or None."""
    game, box, state = match.game, match.box_for(seat), match.redacted_state(seat)
    figures = game.presentation.figures
    if not any(figure.warning for figure in figures):
        return None
    now, then = _figures(game, box, state, seat), figures_after(game, box, state, seat, action)
    for figure, a, b in zip(figures, now, then, strict=True):
        if figure.warning and isinstance(a, int) and isinstance(b, int) and b > a:
            return _(figure.warning).format(value=b)
    return None


def question_before(match: Match, seat: int, action: int, names: Sequence[str]) -> str | None:
    """Return the question to ask before an action that loses the game for certain, or that the game warns of."""
    if not match.game.presentation.falls:
        return None
    for event in sure_to_follow(match, seat, action, names):
        if eliminates(match.game, event, seat):
            text = _("After this you are out of the game: {event} ({rule})").format(event=event.text, rule=event.rule)
            return with_names(text, names)
    return warning_before(match, seat, action)
