"""Helpers of the tests in `test_portraits.py`, which other tests use, too."""

import io

from PIL import Image


def picture(kind="PNG", size=(300, 200), mode="RGB", **more):
    out = io.BytesIO()
    Image.new(mode, size, "red").save(out, kind, **more)
    return out.getvalue()
