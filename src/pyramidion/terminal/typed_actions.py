"""Actions as players type them: by a key of the list, in notation, or by their labels and the beginnings of those."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from pyramidion.terminal.choices import LETTERS, ListEntry, keys_text
from pyramidion.terminal.drawing import choice_of, short_choice_of
from pyramidion.terminal.notation import SEAT, NobodyCalled, parsed, written
from pyramidion.translation import _

if TYPE_CHECKING:
    from pyramidion import Action, Match

MOST_NAMED = 4
"""How many actions a message names that a text could mean."""
MOST_WORDED = 100
"""How many actions a family may have whose texts on the screen are compared with a line, too."""
SHORTEST = 3
"""How many characters a line must have to name an action that is not legal."""
LONGEST_QUOTE = 40
"""How many characters of a line a message quotes."""


def selected_action(line: str, listed: Sequence[ListEntry]) -> Action | str | None:
    """Return the action, or its notation, that a player selects by typing a key; None if `line` is none.

    Raises ValueError with a message for the player if a number does not select an action, or a letter needs one.
    """
    text = line.strip().lower()
    for entry in listed:
        if entry.key == text and entry.low is None:
            return entry.action
    typed = re.fullmatch("([a-z]?) ?(-?[0-9]{1,9}|)", text)
    if not text or typed is None:
        return None
    letter, number = typed.groups()
    ranged = {entry.key.removesuffix("N").strip(): entry for entry in listed if entry.low is not None}
    entry = ranged.get(letter)
    if entry is not None and number:
        return f"{entry.action.family} {int(number)}"
    if entry is not None:
        template = _("Type {letter!r} and a number from {low} to {high}, such as {example!r}.")
        example = f"{letter} {entry.low}"
        raise ValueError(template.format(letter=letter, low=entry.low, high=entry.high, example=example))
    if letter:
        return None
    if ranged:
        examples = _(" or ").join(repr(f"{letter} {number}") for letter in ranged)
        raise ValueError(_("Which number is that? Type {examples}.").format(examples=examples))
    raise ValueError(_("Choose one of these: {keys}.").format(keys=keys_text(listed)))


def read_action(
    match: Match, seat: int, line: str, listed: Sequence[ListEntry], names: Sequence[str], words: Sequence[str] = ()
) -> tuple[Action, int | None]:
    """Return the action of a line, legal or not, and the seat that the line gives as a number, if it does.

    The line is a key of the list, a notation or a label. Raises ValueError if it is none of them, with a suggestion if
    a choice or one of `words`, which can be typed as well, is spelled much like it.
    """
    selected = selected_action(line, listed)
    if selected is not None and not isinstance(selected, str):
        return selected, None
    try:
        return parsed(selected or line, match.game.actions, names)
    except ValueError as error:
        if isinstance(selected, str):
            ranged = next(e for e in listed if e.low is not None and selected.startswith(f"{e.action.family} "))
            message = _("Type a number from {low} to {high}.").format(low=ranged.low, high=ranged.high)
            raise ValueError(message) from None
        labels = list(_labels(match, seat, listed, names))
        lettered = any(entry.key in LETTERS for entry in listed)
        action = _with_unit(match, line, names) or labelled_action(line, labels, shortest=2 if lettered else 1)
        if action is None:
            action = _forbidden_action(match, seat, line, names) or _forbidden_family(match, seat, line)
        if action is None:
            raise ValueError(_no_action(match, seat, line, labels, words, error)) from None
        return action, None


def _labels(match: Match, seat: int, listed: Sequence[ListEntry], names: Sequence[str]) -> Iterator[tuple[str, Action]]:
    """Yield the texts under which a seat's legal actions are shown anywhere, with the actions."""
    for entry in listed:
        if entry.low is None:
            yield entry.label, entry.action
    game, view = match.game, match.view(seat, names)
    named, shortened = choice_of(game), short_choice_of(game)
    legal = match.legal(seat)
    for action, label in zip(legal, match.labels(legal, names), strict=True):
        short = shortened(view, action.text, names)
        own = (named(view, action.text, names), " ".join(short) if isinstance(short, tuple) else short)
        for text in (*own, label, written(action, game.actions, names)):
            if text:
                yield text, action


def _with_unit(match: Match, line: str, names: Sequence[str]) -> Action | None:
    """Return the action of a family and a number with words of its label, such as `bid 11 garnets`; None otherwise."""
    typed = re.fullmatch(r"(\w+) ([0-9]{1,9}) (.+)", _plain(line))
    family = match.game.actions.families.get(typed[1]) if typed else None
    if typed is None or family is None or not family.numbers:
        return None
    try:
        action = match.game.actions.parse(f"{typed[1]} {int(typed[2])}")
    except ValueError:
        return None
    return action if set(_words(typed[3])) <= set(_words(_plain(match.label(action, names)))) else None


def _forbidden_action(match: Match, seat: int, line: str, names: Sequence[str]) -> Action | None:
    """Return an action that is not legal now and has all the typed words in its label; None if there is none.

    Of several, such as with copies of a card, it is one with most of the seat's own things, which is refused for what
    is wrong with it and not for being somewhere else.
    """
    words = _words(_plain(line))
    if len("".join(words)) < SHORTEST:
        return None
    game, view = match.game, match.view(seat, names)
    own = set(_texts(view["players"][seat] if isinstance(view.get("players"), list) else view))
    best, most = None, -1
    for family in game.actions.families.values():
        named = choice_of(game) if family.size <= MOST_WORDED else None
        for number in range(family.first, family.first if family.numbers else family.last + 1):
            action = game.actions[number]
            seats = (arg for kind, arg in zip(family.parameters, action.args, strict=True) if kind.kind == SEAT)
            if any(other >= match.seats for other in seats):
                continue
            count = len(own.intersection(action.text.split()))
            if count <= most:
                continue
            worded = named and named(view, action.text, names)
            if any(text and _begun(words, _words(_plain(text))) for text in (match.label(action, names), worded)):
                best, most = action, count
    return best


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in a part of a view."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in cast("Iterable[Any]", value.values() if isinstance(value, dict) else value):
            yield from _texts(part)


def _forbidden_family(match: Match, seat: int, line: str) -> Action | None:
    """Return an action of the family that a line begins with if all of them are refused for the same reason."""
    family = match.game.actions.families.get(_plain(line).split(" ")[0])
    if family is None:
        return None
    first, last = (match.game.actions[number] for number in (family.first, family.last))
    refused = [match.refusal(seat, action) for action in (first, last)]
    return first if refused[0] is not None and refused[0] == refused[1] else None


def _no_action(
    match: Match, seat: int, line: str, labels: Sequence[tuple[str, Action]], words: Sequence[str], error: ValueError
) -> str:
    """Return what to say about a line that is nothing that could be typed: what is meant, or what is wrong with it."""
    typed, quoted = _plain(line), line.strip()[:LONGEST_QUOTE]
    first, *others = typed.split() or [""]
    family = match.game.actions.families.get(first)
    if family is not None and (family.numbers or len(others) == len(family.parameters)):
        return str(error)
    if isinstance(error, NobodyCalled):
        return str(error)
    vocabulary = sorted({*words, *(word for text, _action in labels for word in _words(_plain(text)))})
    meant = " ".join(
        word if word in vocabulary else (difflib.get_close_matches(word, vocabulary, 1) or [word])[0]
        for word in _words(typed)
    )
    if meant in words:
        return _("{line!r} is nothing that can be typed here. Did you mean {near!r}?").format(line=quoted, near=meant)
    near = _meant_choice(meant, labels) if meant != typed else ""
    if near:
        return _("{line!r} is none of your choices. Did you mean {near!r}?").format(line=quoted, near=near)
    example = next((action for action in match.legal(seat) if action.family == first), None)
    if example is not None:
        text = _("{line!r} is none of your choices. One of them is “{example}”.")
        return text.format(line=quoted, example=_shown(example, labels))
    return _("{line!r} is none of your choices, and no command. Type ? for all you can type.").format(line=quoted)


def _meant_choice(meant: str, labels: Sequence[tuple[str, Action]]) -> str:
    """Return the choice that corrected words name, the words where they name several, or an empty text."""
    try:
        action = labelled_action(meant, labels)
    except ValueError:
        return meant
    return _shown(action, labels) if action else ""


def _shown(action: Action, labels: Iterable[tuple[str, Action]]) -> str:
    """Return the first text of an action, which is that on the list if it is there."""
    return next(text for text, labelled in labels if labelled == action)


def labelled_action(line: str, labels: Sequence[tuple[str, Action]], shortest: int = 1) -> Action | None:
    """Return the action that a player selects by its label; None if there is none.

    A label counts as a whole, as the only one with a word, by its beginning, or by some of its words and their
    beginnings in order, whatever their case; beginnings have at least `shortest` characters. Raises ValueError if that
    could be several actions.
    """
    wanted = _plain(line)
    # One letter is no part of a name such as `blue-e`.
    candidates = [(_plain(text).replace("-", "_" if len(wanted) == 1 else "-"), action) for text, action in labels]
    words = _words(wanted)
    ways: list[Callable[[str], bool]] = [
        lambda text: text == wanted,
        lambda text: words != [] and _words(text) == words,
        lambda text: len(words) == 1 and wanted in _words(text),
    ]
    if len(wanted) >= shortest and words:
        ways.append(lambda text: text.startswith(wanted))
        ways.append(lambda text: _begun(words, _words(text)))
    for fits in ways:
        fitting = {action.id: action for text, action in candidates if fits(text)}
        if len(fitting) == 1:
            return next(iter(fitting.values()))
        if fitting:
            texts = [f"“{_shown(action, labels)}”" for action in fitting.values()]
            more = [] if len(texts) <= MOST_NAMED else ["…"]
            message = _("That could be {actions}. Type more of it, or its number or letter.")
            raise ValueError(message.format(actions=_(", ").join([*texts[:MOST_NAMED], *more])))
    return None


def _plain(text: str) -> str:
    """Return a text for comparison: without regard to case, spaces, kinds of quotation marks, and a final stop."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(plain.split()).removesuffix(".")


def _words(text: str) -> list[str]:
    """Return the words and numbers of a text."""
    return re.findall(r"\w+", text)


def _begun(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the words begin with the typed ones, in order, with others between them; numbers must be whole."""
    rest = iter(words)
    return bool(typed) and all(
        any(word == part or (not part.isdecimal() and word.startswith(part)) for word in rest) for part in typed
    )
