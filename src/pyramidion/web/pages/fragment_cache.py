"""A template-fragment cache: `{% kept WHAT, IT, DEPENDS, ON %} … {% endkept %}` in a template.

Viewers of the same board see mostly the same pieces, and an action changes few of them. The contents of the tag are
rendered once for each language and each combination of the listed values. Everything that the contents read must be
listed: `tests/web/test_fragment_cache.py` compares whole games with and without the cache.
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

from pyramidion.translation import language

MOST: Final = 8192
"""Maximum number of cached pieces, a few kB each at most; the oldest are dropped first."""
PLAIN: Final = 2
"""The version of the `marshal` format; from version 3 on, equal values can have different bytes."""


class CachedBlocks(Extension):
    """Jinja extension for the tag `kept`, which caches the rendered contents of a template's block."""

    tags = {"kept"}  # noqa: RUF012  # as Jinja declares it

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self._pieces: dict[bytes, Markup] = {}
        self._lock = threading.Lock()
        self.on = True

    def parse(self, parser: Parser) -> nodes.Node:
        """Parse the tag and its contents into a call of `_kept`."""
        line = next(parser.stream).lineno
        depends = [parser.parse_expression()]
        while parser.stream.skip_if("comma"):
            depends.append(parser.parse_expression())
        body = parser.parse_statements(("name:endkept",), drop_needle=True)
        place = nodes.Const(f"{parser.name}:{line}")
        call = self.call_method("_kept", [place, *depends])
        return nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _kept(self, *depends: Any, caller: Callable[[], Markup]) -> Markup:
        """Return the cached contents of the tag for these values and the current language, or render them."""
        try:
            key = marshal.dumps((language(), depends), PLAIN)
        except ValueError:  # an external game's view that does not consist of plain values
            return caller()
        piece = self._pieces.get(key)
        if piece is None or not self.on:
            piece = caller()
            with self._lock:
                self._pieces[key] = piece
                while len(self._pieces) > MOST:
                    del self._pieces[next(iter(self._pieces))]
        return piece
