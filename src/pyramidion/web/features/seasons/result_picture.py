"""A picture of an episode's result for link previews: its headline, and the faces of those concerned."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pyramidion.web.pages.assets import assets
from pyramidion.web.table.seats.faces import Face

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
"""The size that link previews show whole, in pixels."""
EDGE, SIDE, GAP, FINER = 72, 200, 20, 4
"""The margin, the size of a face, the gap between faces, and how much larger one is drawn, for smooth edges."""
MOST_FACES, MOST_LINES = 12, 3
PAPER, INK, SOFT, GOLD = "#f7f2e8", "#23201b", "#5c564b", "#c8952c"
SEATS = ("#c8553d", "#3f74a8", "#4c8a4a", "#d9a92f", "#8460a8", "#2f8f93", "#c56a99", "#8a6b46", "#6c7a88", "#9aa83a")
SKINS = ("#f5d9bd", "#e8bd94", "#c98f62", "#9a6440", "#6e452c")
HAIRS = ("#2b211b", "#6b4226", "#b9772f", "#b8b2a6", "#8d2f1f")
LAST_DRAWABLE = "\u024f"
"""The last character that the fonts of the site have."""


@dataclass(frozen=True, slots=True)
class PicturedPerson:
    """Somebody in the picture: the drawn face, or the uploaded `picture` (WebP), in grey for who has `left`."""

    face: Face
    picture: bytes | None
    left: bool


def drawable(text: str) -> bool:
    """Return whether the fonts have all characters of a text."""
    return all(character <= LAST_DRAWABLE or character in "’“”–…" for character in text)


@lru_cache(maxsize=64)
def result_picture(title: str, label: str, headline: str, people: Sequence[PicturedPerson]) -> bytes:
    """Return the picture as a PNG; `label` names the episode. `people` is a tuple.

    Texts with characters that the fonts lack are left out: without the headline, the faces stand in the middle.
    """
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, WIDTH, 12), GOLD)
    small, large = _font("atkinson-hyperlegible-next", 34, 500), _font("bitter", 58 if len(headline) < 90 else 48, 700)
    draw.text((EDGE, 48), " · ".join(text for text in (title, label) if text and drawable(text)), SOFT, font=small)
    faces, wordless = people[:MOST_FACES], not drawable(headline)
    if not wordless:
        draw.multiline_text((EDGE, 112), "\n".join(_wrapped(draw, headline, large)), INK, font=large, spacing=14)
    elif not faces:
        draw.polygon([(WIDTH / 2, 200), (WIDTH / 2 + 170, 480), (WIDTH / 2 - 170, 480)], GOLD)
    side = min(SIDE, (WIDTH - 2 * EDGE + GAP) // max(1, len(faces)) - GAP)
    row = len(faces) * (side + GAP) - GAP
    left, top = ((WIDTH - row) // 2, (HEIGHT - side) // 2) if wordless else (EDGE, HEIGHT - side - 40)
    for number, person in enumerate(faces):
        portrait = _portrait(person, side)
        picture.paste(portrait, (left + number * (side + GAP), top), portrait)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


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
    """Return somebody's portrait as a disc, `side` pixels wide."""
    from PIL import Image, ImageDraw, ImageOps

    size = SIDE * FINER
    if person.picture is not None:
        with Image.open(io.BytesIO(person.picture), formats=("WEBP",)) as opened:
            portrait = opened.convert("RGB").resize((size, size))
    else:
        portrait = _drawn(person.face, size)
    if person.left:
        portrait = ImageOps.grayscale(portrait).convert("RGB")
    disc = Image.new("L", (size, size), 0)
    ImageDraw.Draw(disc).ellipse((0, 0, size, size), 255)
    portrait.putalpha(disc)
    return portrait.resize((side, side), Image.Resampling.LANCZOS)


def _drawn(face: Face, size: int) -> Image.Image:
    """Return a face as a square picture, simpler than the site draws it but with the same colours."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (size, size), SEATS[face.colour])
    draw, skin, hair = ImageDraw.Draw(picture), SKINS[face.skin], HAIRS[face.hair_colour]
    line = size // 50

    def at(*numbers: float) -> tuple[float, ...]:
        """Return coordinates in the picture of those in a square of 40."""
        return tuple(number * size / 40 for number in numbers)

    if face.hair == 1:  # long hair, behind the head
        draw.rounded_rectangle(at(9, 9, 31, 29), at(8)[0], hair, INK, line)
    draw.ellipse(at(7, 30, 33, 54), "#fffdf7", INK, line)
    draw.rectangle(at(17, 25, 23, 32), skin)
    draw.ellipse(at(11.5, 8, 28.5, 28), skin, INK, line)
    draw.chord(at(10.5, 6, 29.5, 25), 190, 350, hair, INK, line)
    if face.hair == 4:
        draw.ellipse(at(16.5, 2, 23.5, 9), hair, INK, line)
    for eye in (16.5, 23.5):
        draw.ellipse(at(eye - 1.5, 16, eye + 1.5, 19.2), INK)
    if face.mouth == 3:
        draw.line(at(17, 23.5, 23, 23.5), INK, line)
    else:
        draw.arc(at(16.5, 19.5, 23.5, 25), 20, 160, INK, line)
    return picture
