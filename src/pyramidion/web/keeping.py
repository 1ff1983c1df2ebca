"""Pieces of pages that are made once: `{% kept WHAT, IT, DEPENDS, ON %} … {% endkept %}` in a template.

Four people who look at the same board are shown mostly the same pieces, and an action changes few of them. What stands
between the tags is made once for each language and each value of what it depends on, and repeated as it was. All that
it reads must be named: `tests/web/test_kept_pieces.py` compares whole games with and without.
"""

from __future__ import annotations

import marshal
import threading
from collections.abc import Callable
from typing import Any, Final

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from pyramidion.words import language

MOST: Final = 4096
"""Pieces that are kept, of some kB each; the oldest go first."""
PLAIN: Final = 2
"""A version of `marshal` in which equal values have equal bytes, wherever else they may be referred to."""


class Kept(Extension):
    """The tag. Its pieces are those of one environment."""

    tags = {"kept"}  # noqa: RUF012  # as Jinja declares it

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self._pieces: dict[bytes, Markup] = {}
        self._lock = threading.Lock()
        self.on = True

    def parse(self, parser: Parser) -> nodes.Node:
        """Read the tag and what is between it and its end."""
        line = next(parser.stream).lineno
        depends = [parser.parse_expression()]
        while parser.stream.skip_if("comma"):
            depends.append(parser.parse_expression())
        body = parser.parse_statements(("name:endkept",), drop_needle=True)
        place = nodes.Const(f"{parser.name}:{line}")
        call = self.call_method("_kept", [place, *depends])
        return nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _kept(self, *depends: Any, caller: Callable[[], Markup]) -> Markup:
        """Return the piece that was made of equal values before, or make it."""
        try:
            key = marshal.dumps((language(), depends), PLAIN)
        except ValueError:  # a view of somebody else's game that is not made of plain values
            return caller()
        piece = self._pieces.get(key)
        if piece is None or not self.on:
            piece = caller()
            with self._lock:
                self._pieces[key] = piece
                while len(self._pieces) > MOST:
                    del self._pieces[next(iter(self._pieces))]
        return piece
