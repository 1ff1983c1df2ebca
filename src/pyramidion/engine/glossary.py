"""The terms of a game and its goal card: a game folder's `terms.toml`, checked.

[goal]: win and ends, each a sentence, with the numbers of their rules: win_rule, ends_rule.

[terms.KEY]: words, the forms in which the term is written, its name first, with | between them; say, one sentence;
rule, the number of the rule that explains it; and perhaps symbol, the id of its symbol in board.svg.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.translation import _, pgettext

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

CONTEXT = "terms"
"""The context in which the words of terms are translated."""


class BadGlossary(ValueError):
    """The game's `terms.toml` is invalid; the message names the entry."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase of a game and what it means, in the current language.

    Attributes:
        key: its name in the file.
        words: the forms in which it is written, its name first.
        say: what it means, in one sentence.
        rule: the number of its rule, `PZ 4.3`.
        symbol: the id of its symbol on the board; may be empty.
    """

    key: str
    words: tuple[str, ...]
    say: str
    rule: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Glossary:
    """What a newcomer has to know of a game: its goal and its terms, in the current language.

    Attributes:
        win, ends: how one wins, and when the game ends; `win_rule` and `ends_rule` are the numbers of their rules.
        terms: its terms, in the order of the file.
    """

    win: str
    win_rule: str
    ends: str
    ends_rule: str
    terms: tuple[Term, ...]

    def as_json(self) -> list[dict[str, Any]]:
        """Return the terms, without the goal, as JSON-ready data."""
        return [asdict(term) for term in self.terms]


def glossary_of(game: Game) -> Glossary | None:
    """Return a game's goal and terms in the current language; None if it has no `terms.toml`. Raises BadGlossary."""
    data = _read(game.folder / "terms.toml")
    if data is None:
        return None

    def numbered(number: str) -> str:
        """Return a rule's number with the game's prefix, such as `PZ 4.3`."""
        return f"{game.prefix} {number}"

    goal: dict[str, str] = data["goal"]
    win, ends = goal["win"], goal["ends"]
    terms: list[Term] = []
    for key, entry in data["terms"].items():
        words, say = entry["words"], entry["say"]
        forms = tuple(pgettext(CONTEXT, words).split("|"))
        terms.append(Term(key, forms, _(say), numbered(entry["rule"]), entry.get("symbol", "")))
    return Glossary(_(win), numbered(goal["win_rule"]), _(ends), numbered(goal["ends_rule"]), tuple(terms))


@cache
def _read(path: Path) -> Mapping[str, Any] | None:
    """Return the checked contents of a file of terms, or None if there is no file."""
    return parse(path.read_text("utf-8")) if path.is_file() else None


def parse(text: str) -> Mapping[str, Any]:
    """Parse the text of a `terms.toml`, check it, and return its contents. Raises BadGlossary with a sentence."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadGlossary(f"The terms are not valid TOML: {error}.") from error
    _check(data, "The file", {"goal", "terms"})
    _check(data["goal"], "The goal", {"win", "win_rule", "ends", "ends_rule"})
    for key, entry in data["terms"].items():
        _check(entry, f"The term {key}", {"words", "say", "rule"}, "symbol")
    return data


def _check(data: Mapping[str, Any], where: str, needed: set[str], *allowed: str) -> None:
    """Raise BadGlossary if a table lacks a key of `needed`, or has a key that is neither needed nor `allowed`."""
    if missing := needed - data.keys():
        raise BadGlossary(f"{where} lacks {', '.join(sorted(missing))}.")
    if unknown := data.keys() - needed - set(allowed):
        raise BadGlossary(f"{where} has {', '.join(sorted(unknown))}, which nothing reads.")
