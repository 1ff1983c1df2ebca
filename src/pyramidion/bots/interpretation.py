"""Interpretation of search results: reliable choices, and advice in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyramidion.bots.search_result import Choice, SearchResult
from pyramidion.bots.standard_errors import error_of
from pyramidion.translation import _, ngettext, whole

RELIABLE_VISITS = 30
"""Minimum number of visits for a choice's value to be shown."""
SIGNIFICANT_ERRORS = 2.7
"""Number of standard errors by which two values must differ to count as different.

They should be two, and values vary by up to 1.4 times as much as their errors say (docs/strength/accuracy.md).
"""
MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The action a search recommends, with a one-sentence explanation.

    Attributes:
        action: id of the action.
        sentence: the recommendation and its reason, with the number of iterations.
        chance: the seat's expected payoff after it, 0 to 1.
        close: whether another action is statistically as good.
        mixed: whether the action was sampled from a mixed strategy.
        choices: the comparable actions, best first; the recommended one is the first unless `mixed`.
    """

    action: int
    sentence: str
    chance: float
    close: bool
    mixed: bool
    choices: tuple[Choice, ...]


def reliable(result: SearchResult) -> tuple[Choice, ...]:
    """Return the choices with enough visits to compare: the best one first, then the others by value.

    After a very short search this is the best choice alone.
    """
    first, seat = result.best, result.seat
    others = [c for c in result.choices if c is not first and c.visits >= RELIABLE_VISITS]
    return (first, *sorted(others, key=lambda c: (-c.values[seat], c.action)))


def too_close(first: Choice, second: Choice, result: SearchResult) -> bool:
    """Return whether the first choice is not clearly better than the second for the seat that acts."""
    value, rival = first.values[result.seat], second.values[result.seat]
    return value - rival < SIGNIFICANT_ERRORS * math.hypot(error_of(first, result), error_of(second, result))


def alternatives(result: SearchResult, action: int, label: Callable[[int], str]) -> list[tuple[int, str]]:
    """Return the ids and labels of the other actions that were searched most, however little that was."""
    others = sorted((choice for choice in result.choices if choice.action != action), key=lambda c: -c.visits)
    return [(choice.action, label(choice.action)) for choice in others[:MAX_NAMED]]


def percent(chance: float) -> str:
    """Format a probability as a percentage."""
    return _("{number}\N{NO-BREAK SPACE}%").format(number=f"{100 * chance:.0f}")


def _quoted(label: str, share: float) -> str:
    """Return an action with its win chance, or its share of a mixed strategy."""
    return _("“{action}” {share}").format(action=label, share=percent(share))


def recommendation(result: SearchResult, label: Callable[[int], str]) -> Recommendation:
    """Return a search result as advice: the action with a sentence in the current language.

    `label` returns an action's display name. The win chance is the seat's expected share of the win: a shared win
    counts as a fraction.
    """
    seat, choices = result.seat, reliable(result)
    best, others = choices[0], choices[1:]
    count = result.iterations
    looked = ngettext("{count} position examined", "{count} positions examined", count).format(count=whole(count))
    chance = percent(best.values[seat])
    rivals = [c for c in others if too_close(best, c, result)]

    def chances(some: Sequence[Choice]) -> str:
        """Return the first of some actions with their win chances."""
        named = (_quoted(label(c.action), c.values[seat]) for c in some[:MAX_NAMED])
        return _(", ").join(named)

    parts = ""
    if result.mixed and len(choices) > 1:
        choices = tuple(sorted(choices, key=lambda c: (-c.share, c.action)))
        shares = [_quoted(label(c.action), c.share) for c in choices[:MAX_NAMED]]
        parts, chance = _(", ").join(shares), percent(result.values[seat])
        template = _("Several players decide at once, so vary: {parts} of the time. Chance to win: {chance}. {looked}.")
    elif rivals:
        # Of those that cannot be told apart, the one with the best figure is recommended, as advice shows figures.
        choices = tuple(sorted(choices, key=lambda c: -c.values[seat]))
        best = choices[0]
        template, parts = _("Too close to call. Chance to win: {parts}. {looked}."), chances(choices[: len(rivals) + 1])
    elif others:
        template = _("“{action}” is best: {chance} to win. Next: {parts}. {looked}.")
        parts = chances(others[: MAX_NAMED - 1])
    elif len(result.choices) > 1:
        template = _("“{action}” is best: {chance} to win. Nothing else was tried often enough to compare. {looked}.")
    else:
        template = _("“{action}” is best: {chance} to win. Nothing else is worth trying. {looked}.")
    sentence = template.format(action=label(best.action), chance=chance, parts=parts, looked=looked)
    action = result.action if result.mixed else best.action
    return Recommendation(action, sentence, best.values[seat], bool(rivals), result.mixed, choices)
