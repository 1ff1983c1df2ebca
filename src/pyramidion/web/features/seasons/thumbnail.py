"""A small square WebP of a picture, made by a process of its own: `python thumbnail.py SIDE PIXELS < in > out`.

Decoding a large picture holds Python's global lock for up to a second, and a malformed one may crash the decoder. The
script imports nothing of this package, so that it starts quickly.
"""

from __future__ import annotations

import io
import sys

from PIL import Image, ImageOps

FORMATS = ("PNG", "JPEG", "WEBP")
QUALITY = 82
TOO_MANY_PIXELS = 3
"""The exit status for a picture with more pixels than allowed."""


def thumbnail(data: bytes, side: int) -> bytes:
    """Return an image file as a WebP of `side` times `side` pixels, without the metadata of the file.

    The picture is encoded anew, so that places, cameras and whatever hides in a file are left behind.
    """
    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        opened.draft("RGB", (2 * side, 2 * side))
        upright = ImageOps.exif_transpose(opened)
        plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    small = ImageOps.fit(plain, (side, side))
    fresh = Image.new(small.mode, small.size)
    fresh.paste(small)
    out = io.BytesIO()
    fresh.save(out, "WEBP", quality=QUALITY)
    return out.getvalue()


def main(side: int, most_pixels: int) -> int:
    """Read an image from standard input and write its thumbnail to standard output; return the exit status."""
    data = sys.stdin.buffer.read()
    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        if opened.width * opened.height > most_pixels:
            return TOO_MANY_PIXELS
    sys.stdout.buffer.write(thumbnail(data, side))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
