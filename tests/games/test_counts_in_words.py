"""Tests of plurals in Ponzi Scheme and Pyramid Scheme: `1 level, 1 Victim`, and no impossible counts."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest

import pyramidion
from pyramidion.web.pages.picture import picture

THINGS = "Victims|levels|points|tiles|cards|tokens|smart-asses|actions|bears|more cards"


def texts(match, viewer):
    """Return what a viewer reads: the page, and labels for screen readers."""
    page = picture(match, viewer).partition("<body")[2]
    labels = re.findall(r'(?:aria-label|title)="([^"]*)"', page)
    told = [event.text for event in match.events(viewer)]
    return [unescape(re.sub(r"<[^>]*>", "", page)), *map(unescape, labels), *told]


@pytest.mark.parametrize("game", ["ponzi-scheme", "pyramid-scheme"])
def test_one_of_a_thing_is_called_so(game):
    chance = random.Random(game)
    match = pyramidion.load(game).new(seed=chance.getrandbits(32))
    seen = set()
    while not match.over and match.ply < 60:
        if match.ply % 4 == 0:
            for viewer in (None, match.acting[0]):
                for text in texts(match, viewer):
                    assert not re.search(rf"(?<![\d$.])1 (?:{THINGS})\b", text), text
                    seen |= set(re.findall(r"(?<![\d$.])1 (Victim|level|point|tile|smart-ass|reset token)\b", text))
                    for count, most in re.findall(r"\b(\d+) of (\d+) cards", text):
                        assert int(count) <= int(most), text
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    assert seen >= ({"point"} if game == "ponzi-scheme" else {"Victim", "level", "reset token"})
