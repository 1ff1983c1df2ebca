"""Tests of every game's translations: no English is left in what a reader of another language sees.

Everything said during a random game is rendered in all languages. In Chinese, any Latin word counts as left over from
the English, which also finds English within a sentence. In French and Portuguese, a text equal to the English one
counts, unless its words are in `THE_SAME`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from tests.every_game import other_options

import pyramidion
from pyramidion.engine import registry
from pyramidion.terminal.drawing import drawing_of
from pyramidion.translation import SOURCE, _, family_word, in_language
from pyramidion.web.pages.renderer import ENVIRONMENT, render_fragment
from pyramidion.web.table.snapshots.snapshot import Snapshot
from pyramidion.web.table.view_models import LegalAction, Seat

GAMES = [game_id for game_id in registry.own_ids() if len(registry.load(game_id).languages) > 1]
"""The translated games."""
THE_SAME = {
    "fr": "Alien Aliens Base Bo Dollars Down Downside Points Ponzi Pyramid Pyramis Scheme Score Sham Tickets Total"
    " Transp Up Upside go point points pt ticket tickets zone",
    "pt": "Base Bo Down Downside Ponzi Pyramid Pyramis Scheme Sham Total Transp Up Upside pt",
    "zh-Hant": "Pyramis",
}
"""Words that are spelled the same in a language as in English, checked one by one."""
NAMES = ["阿一", "阿二", "阿三", "阿四", "阿五", "阿六", "阿七", "阿八", "阿九", "阿十"]
SEATS = [Seat(n, "person", name, None, True) for n, name in enumerate(NAMES)]
GAME_PARTS = {"headline", "hint", "board", "own", "others", "result"}
"""The parts of a page that come from a game's own board; the rest is the same for all games."""
LOOKED_AT = 30


class Texts(HTMLParser):
    """The texts of the parts of a page that are a game's own, and those that are read aloud, in their order."""

    def __init__(self, page: str, acting: bool) -> None:
        super().__init__()
        # What somebody is asked who has nothing to decide is the same for all games.
        self._own = {"phases", "prompt", "previews"} if acting else {"phases"}
        self.found: list[str] = []
        self._inside: list[bool] = [False]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        classes = set((given.get("class") or "").split())
        inside = self._inside[-1] or given.get("id") in GAME_PARTS or bool(classes & self._own)
        if "who" in classes:
            inside = False
        if self._inside[-1] and inside:
            self.found += [
                said for key in ("aria-label", "title", "placeholder", "data-is") if (said := given.get(key))
            ]
        if tag not in ("input", "br", "link", "meta", "img", "hr"):
            self._inside.append(inside)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        self._inside.pop()

    def handle_data(self, data: str) -> None:
        if self._inside[-1] and data.strip():
            self.found.append(data.strip())


def drawn(match: Any, viewer: int | None) -> str:
    """Return what a viewer's page shows of a match."""
    game = match.game
    legal = match.legal(viewer) if viewer is not None and not match.over else []
    table: Any = SimpleNamespace(id="t", game=game, match=match, close_early=True, rows=[], kept={})
    shown = Snapshot(
        table=table,
        viewer=viewer,
        version=1,
        last_version=1,
        position=1,
        last_position=1,
        view=match.view(viewer),
        events=(),
        acting=match.acting_for(viewer),
        free=(),
        legal=[LegalAction(a.id, a.text, a.family, a.path, "") for a in legal],
        over=match.over,
        outcome=match.outcome,
        names=NAMES[: match.seats],
        seats=SEATS[: match.seats],
    )
    return render_fragment(shown)


def in_a_terminal(match: Any, viewer: int | None) -> list[str]:
    """Return the words that a terminal shows of a match."""
    console = Console(file=StringIO(), width=150, color_system=None)
    console.print(drawing_of(match.game)(match.view(viewer), NAMES))
    return [part.strip() for part in re.split(r"\s{2,}|[│┃╷╵─━\n]+", console.file.getvalue()) if part.strip()]


def said_now(match: Any, viewer: int | None, chance: random.Random) -> list[str]:
    """Return every text about a position: labels, headings, refusals, the page's and the terminal's."""
    game = match.game
    legal = match.legal(viewer) if viewer is not None and not match.over else []
    some = chance.sample(legal, min(len(legal), LOOKED_AT))
    said = [match.label(action, NAMES) for action in some]
    said += [family_word(family, game.id) for family in sorted({a.family for a in some if len(a.path) > 1})]
    if viewer is not None and not match.over:
        asked = [game.actions[chance.randrange(len(game.actions))] for _ in range(LOOKED_AT)]
        refusals = [match.refusal(seat, action) for action in asked for seat in range(min(match.seats, 4))]
        said += [refusal.reason for refusal in refusals if refusal]
    return [*said, *Texts(drawn(match, viewer), viewer in match.acting).found, *in_a_terminal(match, viewer)]


def played(game_id: str, seed: int) -> Iterator[tuple[Any, int | None, int]]:
    """Play at random; yield the match, who looks at it and a seed for what to look at: each phase, and the end."""
    game, chance, seen = pyramidion.load(game_id), random.Random(seed), set[Any]()
    match = game.new(game.usual_seats, seed, **other_options(game))
    while not match.over:
        seat = match.acting[0]
        phase = match.view(seat).get("phase")
        if phase not in seen or chance.random() < (0.02 if match.seats < 10 else 0.005):
            yield match, seat, chance.randrange(1000)
        if phase not in seen:
            yield match, chance.choice([None, (seat + 1) % match.seats]), chance.randrange(1000)
        seen.add(phase)
        match.play(seat, chance.choice(match.legal(seat)))
    yield match, 0, 0
    yield match, None, 0


def everything_said(game_id: str, seed: int) -> Iterator[dict[str, list[str]]]:
    """Yield what is said in each language of each position looked at, and at last of what has happened."""
    match = None
    for match, viewer, looked in played(game_id, seed):
        texts: dict[str, list[str]] = {}
        for tag in match.game.languages:
            with in_language(tag):
                texts[tag] = said_now(match, viewer, random.Random(looked))
        yield texts
    assert match is not None
    for viewer in range(match.seats):
        told: dict[str, list[str]] = {}
        for tag in match.game.languages:
            with in_language(tag):
                told[tag] = [event.text for event in match.events(viewer, names=NAMES)]
        yield told


def about(game_id: str) -> list[str]:
    """Return what is said about a game before it is played."""
    game = pyramidion.load(game_id)
    options = game.options.values()
    said = [game.name, game.summary, *(o.label for o in options), *(o.help for o in options)]
    said += [choice for option in options for choice in option.choices]
    if game.premoves:
        fields = game.premoves.fields(3, 0, NAMES)
        said += [game.premoves.explain(), *(field.label for field in fields)]
        said += [words for field in fields for _value, words in field.choices or ()]
    picture = ENVIRONMENT.get_template(f"{game_id}/picture.svg").render()
    said += re.findall(r'aria-label="([^"]+)"', picture)
    return [_(text) for text in said]


def left_over(tag: str, english: str, said: str) -> bool:
    """Whether a text in a language is, or has in it, what should have been translated."""
    words = re.findall(r"(?<!\w)[A-Za-z]{2,}(?!\w)", re.sub(r"\b[A-Z]{2} \d", "", said))
    return (tag == "zh-Hant" or said == english) and not set(THE_SAME[tag].split()).issuperset(words)


@pytest.mark.parametrize("game_id", GAMES)
def test_no_english_is_left_over(game_id):
    found: set[tuple[str, str, str]] = set()
    told = [{tag: spoken(tag, about, game_id) for tag in registry.load(game_id).languages}]
    told += everything_said(game_id, 1)
    for texts in told:
        english = texts[SOURCE]
        for tag in texts.keys() - {SOURCE}:
            if len(texts[tag]) == len(english):
                pairs = zip(english, texts[tag], strict=True)
                found |= {(tag, *pair) for pair in pairs if left_over(tag, *pair)}
            else:  # Words may be split otherwise, as by signs of the terminal's drawing.
                found |= {(tag, said, said) for said in texts[tag] if left_over(tag, said, said) and said in english}
    assert not found, "\n".join(f"{tag}: {english!r} -> {said!r}" for tag, english, said in sorted(found))


def spoken(tag: str, what: Any, *arguments: Any) -> Any:
    """Return what a function says in a language."""
    with in_language(tag):
        return what(*arguments)
