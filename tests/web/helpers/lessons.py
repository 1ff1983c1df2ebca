"""Helpers of the tests in `test_lessons.py`, which other tests use, too."""

import re


def csrf(page):
    return re.search(r'name="csrf" value="([^"]+)"', page.text)[1]
