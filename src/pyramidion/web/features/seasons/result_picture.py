"""Pictures of seasons for link previews: a headline, and the faces and names of those concerned."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pyramidion.web.pages.assets import assets
from pyramidion.web.pages.face_picture import FINER, face_picture
from pyramidion.web.table.seats.faces import Face

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
"""The size that link previews show whole, in pixels."""
EDGE, GAP, LARGEST, MOST_ROWS, NAME_SIZE = 64, 24, 260, 3, 30
"""The margin, the gap between faces, the largest face, the most rows of them, and the size of names below them."""
MOST_FACES, MOST_LINES = 24, 3
PAPER, INK, SOFT, GOLD = "#f7f2e8", "#23201b", "#5c564b", "#c8952c"
LAST_DRAWABLE = "\u024f"
"""The last character that the fonts of the site have."""


@dataclass(frozen=True, slots=True)
class PicturedPerson:
    """Somebody in the picture: the drawn face, or the uploaded `picture` (WebP), in grey for who has `left`."""

    name: str
    face: Face
    picture: bytes | None
    left: bool


def drawable(text: str) -> bool:
    """Return whether the fonts have all characters of a text."""
    return all(character <= LAST_DRAWABLE or character in "’“”–…" for character in text)


@lru_cache(maxsize=64)
def result_picture(label: str, headline: str, people: Sequence[PicturedPerson]) -> bytes:
    """Return the picture as a PNG: a small `label`, the headline and people. `people` is a tuple.

    Texts with characters that the fonts lack are left out: without the headline, the faces stand in the middle.
    """
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, WIDTH, 12), GOLD)
    small, large = _font("atkinson-hyperlegible-next", 34, 500), _font("bitter", 64 if len(headline) < 60 else 50, 700)
    top, faces = EDGE, people[:MOST_FACES]
    if drawable(label):
        for text in _wrapped(draw, label, small)[:1]:
            draw.text((EDGE, 44), text, SOFT, font=small)
        top = 96
    if drawable(headline):
        lines = "\n".join(_wrapped(draw, headline, large))
        draw.multiline_text((EDGE, 96), lines, INK, font=large, spacing=10)
        top = int(draw.multiline_textbbox((EDGE, 96), lines, font=large, spacing=10)[3])
    elif not faces:
        draw.polygon([(WIDTH / 2, 200), (WIDTH / 2 + 170, 480), (WIDTH / 2 - 170, 480)], GOLD)
    if faces:
        _put(picture, draw, faces, top + GAP)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _put(picture: Image.Image, draw: ImageDraw.ImageDraw, people: Sequence[PicturedPerson], top: int) -> None:
    """Put people with their names in the middle of the room below `top`, as large as it allows."""
    named = any(drawable(person.name) for person in people)
    below = NAME_SIZE + 14 if named else 0
    wide, high = WIDTH - 2 * EDGE + GAP, HEIGHT - GAP - top

    def side_of(rows: int) -> int:
        """Return the side of faces in so many rows."""
        return min(LARGEST, wide // -(-len(people) // rows) - GAP, high // rows - GAP - below)

    rows = max(range(1, MOST_ROWS + 1), key=side_of)
    side, across = side_of(rows), -(-len(people) // rows)
    step = min(wide // across, side + 4 * GAP)
    font = _font("atkinson-hyperlegible-next", min(NAME_SIZE, max(20, side // 4)), 600)
    start = top + (high - rows * (side + below + GAP)) // 2
    for row in range(rows):
        line = people[row * across : (row + 1) * across]
        left = (WIDTH - len(line) * step) // 2
        for nth, person in enumerate(line):
            x, y = left + nth * step + (step - side) // 2, start + row * (side + below + GAP)
            portrait = _portrait(person, side)
            picture.paste(portrait, (x, y), portrait)
            if drawable(person.name):
                name = _cut(draw, person.name, font, step - 8)
                draw.text((x + side // 2, y + side + 8), name, SOFT if person.left else INK, font=font, anchor="ma")


def _cut(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: int) -> str:
    """Return a text of at most this width; one that is too long ends with an ellipsis."""
    cut = text
    while len(cut) > 1 and draw.textlength(cut if cut == text else f"{cut}…", font=font) > width:
        cut = cut[:-1].rstrip()
    return cut if cut == text else f"{cut}…"


@lru_cache(maxsize=8)
def _font(name: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    """Return a font of a size and weight; fonts are kept once they are read."""
    from PIL import ImageFont

    font = ImageFont.truetype(io.BytesIO(assets().files[f"{name}.woff2"].plain), size)
    font.set_variation_by_axes([weight])
    return font


def _wrapped(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """Return a text in lines that fit between the margins; one that is too long ends with an ellipsis."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font=font) <= WIDTH - 2 * EDGE or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > MOST_LINES:
        words = lines[MOST_LINES - 1].split()
        while len(words) > 1 and draw.textlength(f"{' '.join(words)} …", font=font) > WIDTH - 2 * EDGE:
            words.pop()
        lines[MOST_LINES - 1 :] = [f"{' '.join(words)} …"]
    return lines


def _portrait(person: PicturedPerson, side: int) -> Image.Image:
    """Return somebody's portrait, `side` pixels wide: a drawn face on its ground, a picture as a disc."""
    from PIL import Image, ImageDraw, ImageOps

    if person.picture is None:
        portrait = face_picture(person.face, side)
    else:
        with Image.open(io.BytesIO(person.picture), formats=("WEBP",)) as opened:
            portrait = opened.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)
        disc = Image.new("L", (side * FINER, side * FINER), 0)
        ImageDraw.Draw(disc).ellipse((0, 0, side * FINER, side * FINER), 255)
        portrait.putalpha(disc.resize((side, side), Image.Resampling.LANCZOS))
    if person.left:
        mask = portrait.getchannel("A").point([share * 7 // 10 for share in range(256)])
        portrait = ImageOps.grayscale(portrait.convert("RGB")).convert("RGBA")
        portrait.putalpha(mask)
    return portrait
