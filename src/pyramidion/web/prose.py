"""The rules page: a game's numbered rules as HTML, each with an anchor that the whole site links to (`#PZ-4.3`)."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt

from pyramidion import Game

NUMBERED = re.compile(r"<li>\s*(?:<p>)?\s*(?:<strong>)?(?:{prefix} )?(\d+\.\d+)(?:</strong>)?[\s.:]*")
SECTION = re.compile(r"<h2>(?:{prefix} )?(\d+)\.?\s+(.*?)</h2>")
CITED = re.compile(r"(?<![\w#-])({prefix})\s(\d+(?:\.\d+)?)(?!</a>|\d|\.\d)")
WITHIN = re.compile(r"\((\d+\.\d+(?:, \d+\.\d+)*)\)")
MARKS = ("Ruling", "Option")


@lru_cache(maxsize=32)
def rules_html(game: Game) -> str:
    """Return the rules of a game. Raw HTML in the file is shown as text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    html = markdown.render(game.rules_text)
    prefix = re.escape(game.prefix)

    def pattern(one: re.Pattern[str]) -> re.Pattern[str]:
        return re.compile(one.pattern.replace("{prefix}", prefix))

    # The page's policy forbids style attributes, which is how Markdown aligns the columns of tables.
    html = re.sub(r' style="text-align:(\w+)"', r' class="\1"', html)
    # Where a table is wider than a phone it is moved sideways, by keyboard too.
    html = html.replace("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    html = html.replace("</table>", "</table></div>").replace("<th></th>", "<td></td>")
    html = _sections(pattern(SECTION), game.prefix, html)
    html = pattern(NUMBERED).sub(lambda m: _item(game.prefix, m.group(1)), html)
    html = pattern(CITED).sub(lambda m: f'<a href="#{game.prefix}-{m.group(2)}">{m.group(0)}</a>', html)
    html = WITHIN.sub(lambda m: "(" + ", ".join(_link(game.prefix, n) for n in m.group(1).split(", ")) + ")", html)
    for mark in MARKS:
        html = re.sub(
            rf"\b{mark}(?: (<code>\w+</code>))?:", rf'<span class="mark {mark.lower()}">{mark}</span> \1', html
        )
        html = html.replace(f"<em>{mark.lower()}</em>", f'<span class="mark {mark.lower()}">{mark.lower()}</span>')
    return re.sub(r"<ul>(\s*<li id=)", r'<ul class="numbered">\1', html)


def contents(game: Game) -> list[tuple[str, str, str]]:
    """Return (anchor, number, title) of each numbered section."""
    found = re.findall(rf"^## (?:{re.escape(game.prefix)} )?(\d+)\.?\s+(.+)$", game.rules_text, re.MULTILINE)
    return [(f"{game.prefix}-{number}", f"{game.prefix} {number}", title.strip()) for number, title in found]


def _item(prefix: str, number: str) -> str:
    anchor = f"{prefix}-{number}"
    return f'<li id="{anchor}"><a class="n" href="#{anchor}">{number}</a>'


def _link(prefix: str, number: str) -> str:
    return f'<a href="#{prefix}-{number}">{number}</a>'


def _sections(heading: re.Pattern[str], prefix: str, html: str) -> str:
    """Put every numbered section into a <section> with its anchor on the heading."""
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
