"""The board of a position alone, as HTML that nobody can act on."""

from __future__ import annotations

import re

from pyramidion.web.pages.example_pictures import IDS, element
from pyramidion.web.pages.renderer import render_fragment
from pyramidion.web.table.snapshots.snapshot import Snapshot, unspoiled

FOR_FORMS = re.compile(r'\s(?:data-(?!key\b)[\w-]+|form|name|for|aria-\w+)(?:="[^"]*")?(?=[\s/>])')
"""Attributes that scripts and forms use. Pieces keep their keys, by which a script follows them to the next picture."""


def board_picture(snapshot: Snapshot) -> str:
    """Return the board of a position as HTML, without links, controls and what comes after the position.

    Keyboard and screen readers do not reach it.
    """
    fragment = render_fragment(unspoiled(snapshot))
    opening = re.search(r'<div id="fragment"\s+class="([^"]*)"', fragment)
    look = opening[1] if opening is not None else ""
    board = IDS.sub(r"\1", FOR_FORMS.sub("", element(fragment, "board")))
    return f'<div class="{look}" inert>{board}</div>'
