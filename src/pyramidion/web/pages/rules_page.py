"""The rules page: a game's numbered rules as HTML, with an anchor for each, such as `#PZ-4.3`."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt

from pyramidion import Game
from pyramidion.translation import _, in_language, marked_for, pgettext
from pyramidion.web.pages.example_pictures import pictures

NUMBERED = re.compile(r"<li>\s*(?:<p>)?\s*(?:<strong>)?(?:{prefix} )?(\d+\.\d+)(?:</strong>)?[\s.:]*")
SECTION = re.compile(r"<h2>(?:{prefix} )?(\d+)\.?\s+(.*?)</h2>")
CITED = re.compile(r"(?<![A-Za-z0-9_#-])({prefix})\s(\d+(?:\.\d+)?)(?!</a>|\d|\.\d)")
WITHIN = re.compile(r"\((\d+\.\d+(?:, \d+\.\d+)*)\)")
MARKS = {"ruling": marked_for("rules", "Ruling"), "option": marked_for("rules", "Option")}
"""The words that mark rulings and options on a rules page, by CSS class."""


def rules_html(game: Game) -> str:
    """Return a game's rules in the current language as HTML. Raw HTML in the rules file is shown as text."""
    tag = game.rules_language
    with in_language(tag):
        return _rules_html(game, tag)


@lru_cache(maxsize=64)
def _rules_html(game: Game, _tag: str) -> str:
    """Render a game's rules in the current language, which `_tag` names for the cache."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    html = markdown.render(game.rules_read)
    prefix = re.escape(game.prefix)

    def pattern(template: re.Pattern[str]) -> re.Pattern[str]:
        """Return a pattern with the game's prefix, such as PZ, for `{prefix}`."""
        return re.compile(template.pattern.replace("{prefix}", prefix))

    # Markdown aligns table columns by style attributes, which the content security policy forbids.
    html = re.sub(r' style="text-align:(\w+)"', r' class="\1"', html)
    # On a phone a wide table scrolls sideways, also by keyboard.
    label = escape(_("Table"))
    html = html.replace("<table>", f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>')
    html = html.replace("</table>", "</table></div>").replace("<th></th>", "<td></td>")
    html = _sections(pattern(SECTION), game.prefix, html)
    html = pattern(NUMBERED).sub(lambda m: _item(game.prefix, m.group(1)), html)
    html = pattern(CITED).sub(lambda m: f'<a href="#{game.prefix}-{m.group(2)}">{m.group(0)}</a>', html)
    html = WITHIN.sub(lambda m: "(" + ", ".join(_link(game.prefix, n) for n in m.group(1).split(", ")) + ")", html)
    html = _marked(html)
    html = re.sub(r"<ul>(\s*<li id=)", r'<ul class="numbered">\1', html)
    for number, figures in pictures(game).items():
        end = html.index("</li>", html.index(f'<li id="{game.prefix}-{number}"'))
        html = html[:end] + figures + html[end:]
    return html


def _marked(html: str) -> str:
    """Mark the words "Ruling" and "Option", in the current language, as labels of rulings and options.

    They are recognised before a colon, before an option's name, or both in one sentence.
    """
    marks = {kind: re.escape(pgettext("rules", word)) for kind, word in MARKS.items()}

    def mark(kind: str, word: str) -> str:
        """Return a word as an element with the style of its kind."""
        return f'<span class="mark {kind}">{word}</span>'

    both = rf"(?<![A-Za-z])({marks['ruling']})[,，、]\s?((?i:{marks['option']}))(?=\s?<code>)"
    html = re.sub(both, lambda m: f"{mark('ruling', m[1])} {mark('option', m[2])}", html)
    html = re.sub(rf"(?<![A-Za-z])({marks['option']})(?=\s?<code>)", lambda m: mark("option", m[1]), html)
    for kind, word in marks.items():
        html = re.sub(rf"(?<![A-Za-z])({word})\s?[:：]", lambda m, kind=kind: mark(kind, m[1]), html)
        html = re.sub(rf"(?i)<em>({word})</em>", lambda m, kind=kind: mark(kind, m[1]), html)
    return html


def contents(game: Game) -> list[tuple[str, str, str]]:
    """Return the contents of a game's rules: (anchor, number, title) of each numbered section."""
    sections = re.findall(rf"^## (?:{re.escape(game.prefix)} )?(\d+)\.?\s+(.+)$", game.rules_read, re.MULTILINE)
    return [(f"{game.prefix}-{number}", f"{game.prefix} {number}", title.strip()) for number, title in sections]


def _item(prefix: str, number: str) -> str:
    """Return the start of a list item for a rule, with its anchor and its number as a link."""
    anchor = f"{prefix}-{number}"
    return f'<li id="{anchor}"><a class="n" href="#{anchor}">{number}</a>'


def _link(prefix: str, number: str) -> str:
    """Return a link to a rule on the page, by the rule's number."""
    return f'<a href="#{prefix}-{number}">{number}</a>'


def _sections(heading: re.Pattern[str], prefix: str, html: str) -> str:
    """Wrap every section of the rules in a `<section>`, with an anchor on the heading of each numbered one."""
    parts: list[str] = []
    at = 0
    opened = False
    for match in re.finditer(r"<h2>.*?</h2>", html, re.DOTALL):
        parts.append(html[at : match.start()])
        if opened:
            parts.append("</section>\n")
        numbered = heading.fullmatch(match.group(0))
        title = match.group(0)
        if numbered:
            number, words = numbered.groups()
            anchor = f"{escape(prefix)}-{number}"
            title = f'<h2 id="{anchor}"><a class="n" href="#{anchor}">{prefix} {number}</a> {words}</h2>'
        parts.append(f"<section>\n{title}")
        opened = True
        at = match.end()
    parts.append(html[at:])
    if opened:
        parts.append("</section>\n")
    return "".join(parts)
