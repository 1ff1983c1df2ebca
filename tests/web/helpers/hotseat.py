"""Helpers of the tests in `test_hotseat.py`, which other tests use, too."""

import re


def offered(page):
    """The actions in a page's list, and its number fields."""
    page = " ".join(page.split())
    found = re.findall(r'name="action" value="([^"]+)"', page)
    for family, low, high in re.findall(
        r'name="number-([\w-]+)" form="act" type="number" inputmode="numeric" min="(\d+)" max="(\d+)"', page
    ):
        found.append(f"{family} {min(int(high), int(low) + 3)}")
    return found
