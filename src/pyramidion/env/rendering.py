"""Rendering of matches for environments: text, SVG and RGB arrays of the terminal drawing."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from pyramidion.engine.match import Match
from pyramidion.terminal.drawing import drawing_of, result_of

MODES = ["human", "ansi", "svg", "rgb_array"]
"""Render modes: print, or return text, an SVG document or uint8[height, width, 3]."""
WIDTH = 100
"""Width of the drawing in characters."""
_CELL = 8, 16
"""Size of a character in an RGB array, in pixels."""


def render(match: Match, mode: str, viewer: int | None = None) -> Any:
    """Return the match as `viewer` (a seat, or None for a spectator) sees it, in one of MODES; `human` prints it."""
    # With an ASCII console Rich draws frames with characters that every font contains.
    encoding = "ascii" if mode == "rgb_array" else "utf-8"
    page = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace")
    console = Console(file=page, width=WIDTH, record=True, force_terminal=False, color_system=None)
    console.print(drawing_of(match.game)(match.view(viewer), match.game.names()[: match.seats]))
    if match.over:
        console.print(result_of(match, match.game.names()))
    if mode == "svg":
        return console.export_svg(title=match.game.name)
    text = console.export_text()
    if mode == "rgb_array":
        return _pixels(text)
    if mode == "human":
        sys.stdout.write(text)
        return None
    return text


def _pixels(text: str) -> npt.NDArray[np.uint8]:
    """Return text as an image, one cell for each character, uint8[height, width, 3]."""
    from PIL import Image, ImageDraw, ImageFont

    lines = text.splitlines() or [""]
    width, height = _CELL
    image = Image.new("RGB", (width * WIDTH, height * len(lines)), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(12)
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            draw.text((column * width, row * height), character, "black", font)
    return np.asarray(image, np.uint8).copy()
