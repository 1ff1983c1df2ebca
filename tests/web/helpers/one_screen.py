"""Helpers of the tests in `test_one_screen.py`, which other tests use, too."""

from pathlib import Path

DESKS = ((1440, 900), (1280, 720), (1024, 640))


PHONES = ((390, 844), (360, 640))


MEASURE = (Path(__file__).parent / "one_screen.js").read_text("utf-8")


DRAWN = (
    "() => document.querySelector('#actions .grow') && ![...document.fonts].some((font) => font.status === 'loading')"
)
