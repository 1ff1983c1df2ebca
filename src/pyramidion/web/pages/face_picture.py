"""Drawn faces as pictures: the symbols of `avatars.svg` in the colours of `base.css`, without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import acos, cos, hypot, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from pyramidion.web.pages.assets import assets
from pyramidion.web.table.seats.faces import Face

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

Point = tuple[float, float]
UNITS, FINER, PIECES = 40, 4, 12
"""The side of a symbol, how much larger a picture is drawn for smooth edges, and the straight pieces of a curve."""
SVG = "{http://www.w3.org/2000/svg}"
COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
"""How many numbers each command of a path takes."""


def face_picture(face: Face, side: int) -> Image.Image:
    """Return a face as the site draws it, `side` pixels wide, on a transparent ground."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGBA", (side * FINER, side * FINER))
    draw, styles = ImageDraw.Draw(picture), _styles()
    colours = {
        "var(--seat)": styles[f"av-seat-{face.colour}"]["--seat"],
        "var(--skin)": styles[f"skin-{face.skin}"]["--skin"],
        "var(--hair-colour)": styles[f"hair-{face.hair_colour}"]["--hair-colour"],
    }
    parts = (f"av-{face.shape}", "av-head", f"av-hair-{face.hair}", f"av-eyes-{face.eyes}", f"av-mouth-{face.mouth}")
    for nth, part in enumerate(parts):
        for element in _symbols()[part]:
            kind = "av-ground" if nth == 0 else element.get("class", "")
            style = {"fill": "#000", **element.attrib, **styles.get(kind, {})}
            style |= {name: colours.get(value, value) for name, value in style.items()}
            _paint(draw, element, style, picture.width / UNITS)
    return picture.resize((side, side), Image.Resampling.LANCZOS)


@lru_cache(maxsize=1)
def _symbols() -> Mapping[str, ET.Element]:
    """Return the symbols of the site's faces by their ids."""
    text = (Path(__file__).parent / "templates" / "avatars.svg").read_text("utf-8")
    sprite = ET.fromstring(text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))  # noqa: S314 - our own
    return {symbol.attrib["id"]: symbol for symbol in sprite}


@lru_cache(maxsize=1)
def _styles() -> Mapping[str, Mapping[str, str]]:
    """Return the declarations of the site's classes for faces, by the name of the class."""
    rules = re.findall(r"\.((?:av|skin|hair)-[\w-]+)\s*\{([^}]*)\}", assets().files["base.css"].plain.decode())
    return {
        name: {key.strip(): value.strip() for key, _colon, value in (line.partition(":") for line in body.split(";"))}
        for name, body in rules
    }


def _paint(draw: ImageDraw.ImageDraw, element: ET.Element, style: Mapping[str, str], scale: float) -> None:
    """Fill and stroke an element of a symbol."""
    for line, closed in _lines(element):
        points = [(x * scale, y * scale) for x, y in line]
        if style["fill"] != "none":
            draw.polygon(points, style["fill"])
        if (stroke := style.get("stroke")) is not None:
            stroke = _opaque(stroke, style["fill"])
            width = max(1, round(float(style.get("stroke-width", "1")) * scale))
            draw.line([*points, points[0]] if closed else points, stroke, width, "curve")
            if style.get("stroke-linecap") == "round":
                for x, y in (points[0], points[-1]):
                    draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), stroke)


def _opaque(stroke: str, fill: str) -> tuple[int, ...]:
    """Return the colour of a stroke over the colour it surrounds: `rgb(35 32 27 / 55%)` lets it through."""
    from PIL import ImageColor

    if not (translucent := re.fullmatch(r"rgb\((\d+) (\d+) (\d+) / (\d+)%\)", stroke)):
        return ImageColor.getrgb(stroke)
    *colour, share = (int(number) for number in translucent.groups())
    below = ImageColor.getrgb(fill)
    return tuple(
        round((above * share + under * (100 - share)) / 100) for above, under in zip(colour, below, strict=False)
    )


def _lines(element: ET.Element) -> Iterator[tuple[list[Point], bool]]:
    """Yield the outlines of an element as lines of points, each with whether it is closed."""
    if element.tag == f"{SVG}path":
        yield from path_lines(element.attrib["d"])
    elif element.tag == f"{SVG}circle":
        x, y, radius = (float(element.attrib[name]) for name in ("cx", "cy", "r"))
        turns = [2 * pi * step / 48 for step in range(48)]
        yield [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns], True
    else:
        x, y, width, height, round_ = (float(element.attrib[name]) for name in ("x", "y", "width", "height", "rx"))
        corners = ((x + width, y, 0), (x + width, y + height, 1), (x, y + height, 2), (x, y, 3))
        line: list[Point] = []
        for at_x, at_y, quarter in corners:
            middle = (at_x + (-round_ if at_x > x else round_), at_y + (-round_ if at_y > y else round_))
            for step in range(PIECES + 1):
                turn = pi / 2 * (quarter - 1 + step / PIECES)
                line.append((middle[0] + round_ * cos(turn), middle[1] + round_ * sin(turn)))
        yield line, True


def path_lines(path: str) -> Iterator[tuple[list[Point], bool]]:
    """Yield the parts of an SVG path as lines of points, each with whether it is closed."""
    line: list[Point] = []
    control: Point | None = None
    for command, numbers in _commands(path):
        kind, (x, y) = command.upper(), line[-1] if line else (0.0, 0.0)
        from_x, from_y = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            yield line, True
            line = [line[0]]
            continue
        if kind == "A":
            end = (from_x + numbers[5], from_y + numbers[6])
            line += _arc((x, y), end, numbers[0], numbers[1], large=numbers[3] > 0, clockwise=numbers[4] > 0)
            control = None
            continue
        if kind == "H":
            points = [(from_x + numbers[0], y)]
        elif kind == "V":
            points = [(x, from_y + numbers[0])]
        else:
            points = [(from_x + right, from_y + down) for right, down in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "S":
            points.insert(0, (2 * x - control[0], 2 * y - control[1]) if control is not None else (x, y))
        if kind == "M":
            if len(line) > 1:
                yield line, False
            line = points
        else:
            line += _curve([(x, y), *points])
        control = points[-2] if kind in "CS" else None
    if len(line) > 1:
        yield line, False


def _commands(path: str) -> Iterator[tuple[str, Sequence[float]]]:
    """Yield the commands of an SVG path with their numbers; a command that is repeated comes several times."""
    for command, body in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", path):
        numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", body)]
        count = COUNTS[command.upper()]
        for start in range(0, max(1, len(numbers)), max(1, count)):
            repeated = str(command).replace("M", "L").replace("m", "l") if start else str(command)
            yield repeated, numbers[start : start + count]


def _curve(points: Sequence[Point]) -> list[Point]:
    """Return points of a Bézier curve with these control points, without its start; of two, its end."""
    if len(points) == 2:
        return [points[1]]
    line: list[Point] = []
    for step in range(1, PIECES + 1):
        left: list[Point] = list(points)
        share = step / PIECES
        while len(left) > 1:
            left = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairwise(left)]
        line += left
    return line


def _arc(start: Point, end: Point, wide: float, high: float, *, large: bool, clockwise: bool) -> list[Point]:
    """Return points of an elliptic arc of an SVG path, without its start."""
    across, down = (start[0] - end[0]) / 2 / wide, (start[1] - end[1]) / 2 / high
    half = hypot(across, down)
    grown = max(1.0, half)  # too small an ellipse grows until it reaches both ends
    far = (max(0.0, 1 - (half / grown) ** 2)) ** 0.5 * (1 if large == clockwise else -1)
    middle = (-down / half * far * grown, across / half * far * grown)
    centre = ((start[0] + end[0]) / 2 - middle[0] * wide, (start[1] + end[1]) / 2 - middle[1] * high)

    def turn_of(point: Point) -> float:
        """Return the angle at which a point lies on the ellipse."""
        x, y = (point[0] - centre[0]) / wide / grown, (point[1] - centre[1]) / high / grown
        return (1 if y >= 0 else -1) * acos(max(-1.0, min(1.0, x)))

    begin, sweep = turn_of(start), turn_of(end) - turn_of(start)
    if clockwise and sweep <= 0:
        sweep += 2 * pi
    elif not clockwise and sweep >= 0:
        sweep -= 2 * pi
    turns = [begin + sweep * step / (2 * PIECES) for step in range(1, 2 * PIECES)]
    wide, high = wide * grown, high * grown
    return [*((centre[0] + wide * cos(turn), centre[1] + high * sin(turn)) for turn in turns), end]
