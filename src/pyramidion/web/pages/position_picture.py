"""A position as an SVG file: the board as one viewer sees it, with its styles and fonts inside."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from functools import lru_cache
from html import escape
from html.parser import HTMLParser

from pyramidion.web.pages.assets import assets
from pyramidion.web.pages.renderer import render_fragment, render_page, titled
from pyramidion.web.table.snapshots.snapshot import Snapshot

WIDTH, HEIGHT = 1060, 720
"""Size of the picture in pixels: a table's page without the panel beside the board."""
STYLES = ("base.css", "table.css", "people.css", "games/{game}/board.css", "frame.css", "terms.css")
FONT = re.compile(r'url\("([\w-]+\.woff2)"\)')
ATTRIBUTE = re.compile(r"[\w:.-]+(?=\s*=)")
EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def position_svg(snapshot: Snapshot) -> str:
    """Render a position as an SVG file that needs no other file and reveals no more than the snapshot."""
    game = snapshot.table.game
    still = replace(snapshot, legal=(), submission=None, timing=None, table_status=None, receipt=None)
    styles = inlined_styles(tuple(name.format(game=game.id) for name in STYLES))
    body = render_page(
        "position.html",
        game=game,
        title=titled(snapshot.table.title, game),
        fragment=render_fragment(still),
    )
    return render_page("position.svg", width=WIDTH, height=HEIGHT, body=as_xml(body), styles=styles, game=game)


@lru_cache(maxsize=16)
def inlined_styles(names: tuple[str, ...]) -> str:
    """Return style sheets as CSS, with their fonts inside."""
    files = assets().files

    def inline(match: re.Match[str]) -> str:
        """Return the font that a style sheet names, as a data URL."""
        return f'url("data:font/woff2;base64,{b64encode(files[match[1]].plain).decode()}")'

    return FONT.sub(inline, "".join(files[name].plain.decode() for name in names))


def as_xml(html: str) -> str:
    """Convert HTML to well-formed XML, without comments and inert templates."""
    parser = _AsXml()
    parser.feed(html)
    parser.close()
    return parser.finished()


class _AsXml(HTMLParser):
    """Parses HTML and writes it as XML.

    The parser turns all names into lower case. SVG needs its capitals, which are taken from the source.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out: list[str] = []
        self._open: list[tuple[str, str]] = []
        self._inert = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the start of an element; an element that has no end tag is complete with it."""
        if tag == "template":
            self._inert += 1
        self._write(f"<{self._begin(tag, attrs)}{'/' if tag in EMPTY else ''}>")
        if tag not in EMPTY:
            self._open.append((tag, self._name(tag)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write an empty element."""
        self._write(f"<{self._begin(tag, attrs)}/>")

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those inside it whose end tags are missing."""
        if not any(name == tag for name, _ in self._open):
            return
        while self._open:
            name, written = self._open.pop()
            self._write(f"</{written}>")
            if name == "template":
                self._inert -= 1
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        """Write text."""
        self._write(escape(data, quote=False))

    def finished(self) -> str:
        """Close all open elements and return the XML."""
        while self._open:
            self.handle_endtag(self._open[-1][0])
        return "".join(self._out)

    def _begin(self, tag: str, attrs: list[tuple[str, str | None]]) -> str:
        """Return an element's name and attributes as XML, as they follow `<`."""
        named = {name.lower(): name for name in ATTRIBUTE.findall(self.get_starttag_text() or "")}
        kept = {named.get(name, name): name if value is None else value for name, value in attrs}
        spaces = {"svg": "http://www.w3.org/2000/svg", "body": "http://www.w3.org/1999/xhtml"}
        if tag in spaces:
            kept["xmlns"] = spaces[tag]
        kept.pop("href" if tag == "a" else "", None)  # a link leads nowhere in a file
        return " ".join([self._name(tag), *(f'{name}="{escape(value)}"' for name, value in kept.items())])

    def _name(self, tag: str) -> str:
        """Return the current element's name with the capitals that it has in the source."""
        text = self.get_starttag_text() or ""
        return text[1 : 1 + len(tag)] if text[1 : 1 + len(tag)].lower() == tag else tag

    def _write(self, text: str) -> None:
        """Append XML to the output, unless it is a template's or inside one."""
        if not self._inert and not text.startswith(("<template", "</template")):
            self._out.append(text)


__all__ = ["as_xml", "inlined_styles", "position_svg"]
