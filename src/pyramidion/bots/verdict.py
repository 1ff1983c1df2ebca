"""What the numbers of a search allow to be said: which choices can be compared, and which are too close to call."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from pyramidion.bots.thought import Choice, Thought
from pyramidion.words import _, ngettext, whole

RELIABLE_VISITS = 30
"""A choice that was tried less often has no value worth telling."""
SURE = 2.0
"""Standard errors by which two values must differ to be told apart."""
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Advice:
    """What a search would do and why, in one sentence made from its numbers.

    Attributes:
        action: id of the action.
        sentence: what and why, with the number of simulations.
        chance: what the seat may expect after it, 0 to 1.
        close: whether another action is as good as far as the numbers tell.
        mixed: whether the action is one of several to be drawn from, since all decide at once.
        choices: the actions that can be compared, best first: the one advised leads unless `mixed`.
    """

    action: int
    sentence: str
    chance: float
    close: bool
    mixed: bool
    choices: tuple[Choice, ...]


def standard_error(chance: float, visits: int) -> float:
    """Return about how far the mean of so many results, each 0 to 1, is off; never 0, however alike they were."""
    likely = (chance * visits + 1.0) / (visits + 2.0)
    return math.sqrt(likely * (1.0 - likely) / max(1, visits))


def reliable(thought: Thought) -> tuple[Choice, ...]:
    """Return the choices tried often enough to be compared, the one to be played first and the others by their value.

    Of a search too short for that it is the first choice alone.
    """
    first, seat = thought.best, thought.seat
    others = [c for c in thought.choices if c is not first and c.visits >= RELIABLE_VISITS]
    return (first, *sorted(others, key=lambda c: (-c.values[seat], c.action)))


def too_close(one: Choice, other: Choice, seat: int) -> bool:
    """Whether the first is not clearly better than the second for a seat."""
    a, b = one.values[seat], other.values[seat]
    return a - b < SURE * math.hypot(standard_error(a, one.visits), standard_error(b, other.visits))


def percent(chance: float) -> str:
    """Return a chance in words."""
    return _("{number}\N{NO-BREAK SPACE}%").format(number=f"{100 * chance:.0f}")


def advice(thought: Thought, label: Callable[[int], str]) -> Advice:
    """Put a thought into a sentence in the language spoken; `label` says what an action is called on a button.

    The chance to win is the seat's expected share of the win, so a win that is shared counts in part.
    """
    seat, choices = thought.seat, reliable(thought)
    best, others = choices[0], choices[1:]
    count = thought.iterations
    games = ngettext("{count} simulated game", "{count} simulated games", count).format(count=whole(count))
    chance = percent(best.values[seat])
    rivals = [c for c in others if too_close(best, c, seat)]
    if thought.mixed and len(choices) > 1:
        choices = tuple(sorted(choices, key=lambda c: (-c.share, c.action)))
        shares = [_("{action} {share}").format(action=label(c.action), share=percent(c.share)) for c in choices]
        said = _("Several decide at once, so vary: {parts} of the time; {chance} to win ({games}).")
        if len(choices) > MOST_NAMED:
            said = _("Several decide at once, so vary: {parts} and more of the time; {chance} to win ({games}).")
        parts, chance = _(", ").join(shares[:MOST_NAMED]), percent(thought.values[seat])
    elif rivals:
        said, to_win = _("Too close to call. {parts} ({games})."), _("{action}: {chance} to win")
        named = [best, *rivals][:MOST_NAMED]
        parts = _("; ").join(to_win.format(action=label(c.action), chance=percent(c.values[seat])) for c in named)
    elif others:
        said, value = _("{action}: {chance} to win; {parts} ({games})."), _("{action}: {chance}")
        rest = others[: MOST_NAMED - 1]
        parts = _("; ").join(value.format(action=label(c.action), chance=percent(c.values[seat])) for c in rest)
    else:
        said, parts = _("{action}: {chance} to win; nothing else is worth a try ({games})."), ""
        if len(thought.choices) > 1:
            said = _("{action}: {chance} to win; nothing else was tried often enough to compare ({games}).")
    sentence = said.format(action=label(best.action), chance=chance, parts=parts, games=games)
    return Advice(thought.action, sentence, best.values[seat], bool(rivals), thought.mixed, choices)
