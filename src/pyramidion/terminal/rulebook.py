"""A game's rules page, split into numbered sections and rules."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.translation import _

if TYPE_CHECKING:
    from pyramidion import Game
    from pyramidion.engine.glossary import Glossary

_HEADING = re.compile(r"^#+ +(?:[A-Z]{2} +)?(\d+)\b", re.MULTILINE)
_RULE = re.compile(r"^- \*\*(\d+\.\d+)\*\*", re.MULTILINE)
_ANYTHING = re.compile(r"^#+ |^- \*\*\d", re.MULTILINE)
_SECTION = re.compile(r"^#+ ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A game's rules page, from which single sections and rules can be taken.

    Attributes:
        prefix: the prefix of its rule numbers, such as `PZ`.
        text: the whole page as Markdown.
        parts: Markdown by number in page order: `4` is a section with its rules, `4.3` a single rule.
    """

    prefix: str
    text: str
    parts: dict[str, str]

    def find(self, number: str) -> str:
        """Return the Markdown of a section or rule by its number, such as `4`, `4.3` or `PZ 4.3`.

        Raises LookupError listing the existing numbers.
        """
        wanted = number.strip().upper().removeprefix(self.prefix).strip(" -").rstrip(".")
        if wanted in self.parts:
            return self.parts[wanted]
        section = wanted.partition(".")[0]
        rules = [part for part in self.parts if part.partition(".")[0] == section]
        if len(rules) > 1:
            template = _("There is no rule {rule}; section {section} has the rules {first} to {last}.")
            values = {"section": section, "first": rules[1], "last": rules[-1]}
        else:
            template = _("There is no rule {rule}; the sections are {sections}.")
            values = {"sections": ", ".join(part for part in self.parts if "." not in part)}
        raise LookupError(template.format(rule=f"{self.prefix} {wanted[:20] or '?'}", **values))


def print_paged(console: Console, text: RenderableType) -> None:
    """Print a text; in a terminal that is too low for it, without colours in the pager that MANPAGER or PAGER names."""
    if not console.is_terminal or not sys.stdin.isatty() or len(console.render_lines(text)) < console.height:
        console.print(text)
        return
    with console.pager():
        console.print(text)


def goal_of(text: Glossary) -> Text:
    """Return what wins a game and when it ends, with the rules."""
    lines = [
        Text.assemble(sentence, (f" ({rule})", "dim"))
        for sentence, rule in ((text.win, text.win_rule), (text.ends, text.ends_rule))
    ]
    return Text("\n").join(lines)


def terms_of(text: Glossary) -> RenderableType:
    """Return a game's goal and its terms, each with its rule."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for term in text.terms:
        table.add_row(Text(term.words[0], style="bold"), Text.assemble(term.say, (f" ({term.rule})", "dim")))
    return Group(goal_of(text), "", table)


def rulebook(game: Game) -> Rulebook:
    """Return a game's rules page in the current language, split by its numbers."""
    return _split(game.prefix, game.rules_read)


@lru_cache(maxsize=16)
def _split(prefix: str, text: str) -> Rulebook:
    """Cut a rules page into its sections and rules by their numbers."""
    parts: dict[str, str] = {}
    for start, end in ((_HEADING, _SECTION), (_RULE, _ANYTHING)):
        for heading in start.finditer(text):
            following = end.search(text, heading.end())
            parts[heading[1]] = text[heading.start() : following.start() if following else len(text)].strip()
    ordered = sorted(parts, key=lambda number: [int(n) for n in number.split(".")])
    return Rulebook(prefix, text, {number: parts[number] for number in ordered})
