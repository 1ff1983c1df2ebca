"""Pictured examples on rules pages: parts of the board before and after an action, drawn like at a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from pyramidion import Game, Match
from pyramidion.engine.example import Example, examples_of
from pyramidion.translation import _
from pyramidion.web.pages.picture import drawn_board

FOR_PROGRAMS = re.compile(r'\s(?:data-[\w-]+|form|name|for|aria-\w+)(?:="[^"]*")?(?=[\s/>])')
"""Attributes that scripts and forms use; a picture has none, so that nothing mistakes it for the board of a table."""
IDS = re.compile(r'(<(?!(?:marker|symbol|pattern|clipPath|linearGradient|radialGradient)\b)[^>]*?)\sid="[^"]*"')


def pictures(game: Game) -> dict[str, str]:
    """Draw the examples of a game's rules in the current language; return HTML figures by rule number ("4.1")."""
    figures: dict[str, str] = {}
    examples = examples_of(game)
    if examples is not None:
        for example, before, after in examples.positions(game):
            figure = _figure(game, example, before, after, examples.names)
            figures[example.rule] = figures.get(example.rule, "") + figure
    return figures


def _figure(game: Game, example: Example, before: Match, after: Match, names: Sequence[str]) -> str:
    """Return an example as an HTML figure: the board before and after its action, and a caption."""
    drawn = "".join(
        f'<div class="shown"><p class="when">{escape(when)}</p>{_picture(match, example, names)}</div>'
        for when, match in ((_("Before"), before), (_("After"), after))
    )
    return f'<figure class="example game-{game.id}">{drawn}<figcaption>{escape(_(example.say))}</figcaption></figure>'


def _picture(match: Match, example: Example, names: Sequence[str]) -> str:
    """Draw the parts of the board that an example shows."""
    return drawn_parts(match, example.viewer, example.parts, names)


def drawn_parts(match: Match, viewer: int | None, parts: Sequence[str], names: Sequence[str]) -> str:
    """Draw parts of the board, by their ids, as an inert picture that keyboard and screen readers skip.

    The page has to describe the picture by a caption.
    """
    fragment = drawn_board(match, viewer, names)
    opening = re.search(r'<div id="fragment"\s+class="([^"]*)"', fragment)
    if opening is None:
        raise AssertionError(f"{match.game.id}: the board has no fragment")
    drawn = "".join(IDS.sub(r"\1", FOR_PROGRAMS.sub("", element(fragment, part))) for part in parts)
    return f'<div class="{opening[1]}" inert>{drawn}</div>'


def element(html: str, name: str) -> str:
    """Return the element with a given id, `name`, from well-formed HTML. Raises LookupError if there is none."""
    start = re.search(rf'<(\w+)(?=[^>]*\sid="{re.escape(name)}")', html)
    if start is None:
        raise LookupError(f"Nothing on the board has the id {name}.")
    depth = 0
    for tag in re.finditer(rf"<(/?){start[1]}\b[^>]*?(/?)>", html[start.start() :]):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        if depth == 0:
            return html[start.start() : start.start() + tag.end()]
    raise LookupError(f"The element {name} has no end.")
