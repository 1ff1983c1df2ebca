"""Tests that the translated rules pages agree with the English ones in everything that can be counted."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.translation import SOURCE, _, in_language, pgettext

PAGES = [(game_id, tag) for game_id in registry.own_ids() for tag in registry.load(game_id).languages if tag != SOURCE]
KINDS = {"heading": r"#+ ", "item": r"- ", "row": r"\|"}
CITED = r"[A-Z]{2} \d+(?:\.\d+)?|\(\d+\.\d+(?:, \d+\.\d+)*\)|\*\*\d+\.\d+\*\*"
LIKE = {
    "citation": CITED,
    "code": r"`+[^`]+`+",
    "number": r"\d+(?:\.\d+)?",
    "emphasis": r"(?<!\*)\*(?!\*)[^*]+\*(?!\*)",
}


def blocks(text: str) -> list[tuple[str, str]]:
    """Cut a page into headings, items of lists, rows of tables and paragraphs, each on one line."""
    found: list[tuple[str, str]] = []
    fresh = True
    for line in text.splitlines():
        kind = next((name for name, begins in KINDS.items() if re.match(begins, line.lstrip())), "")
        if not line.strip():
            fresh = True
        elif kind or fresh:
            found.append((kind or "paragraph", line.strip()))
            fresh = kind in ("heading", "row")
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    return found


def counted(text: str, what: str) -> Counter[str]:
    """Return what must be the same in every language; numbers are normalized to the English format."""
    if what == "number":
        text = re.sub(CITED, "", text)
        text = re.sub(r"(?<=\d)[.,\u00a0\u202f](?=\d{3}(?!\d))", "", text)
        text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    found = Counter(re.findall(LIKE[what], text))
    return Counter({"emphasis": found.total()}) if what == "emphasis" else found


def page_of(game_id: str, tag: str) -> tuple[Game, str]:
    game = registry.load(game_id)
    with in_language(tag):
        return game, game.rules_read


@pytest.mark.parametrize(("game_id", "tag"), PAGES)
def test_a_page_has_the_same_headings_rules_and_tables(game_id: str, tag: str) -> None:
    game, text = page_of(game_id, tag)
    assert text != game.rules_text
    assert [kind for kind, _line in blocks(text)] == [kind for kind, _line in blocks(game.rules_text)]


@pytest.mark.parametrize(("game_id", "tag"), PAGES)
def test_every_block_has_the_same_numbers_citations_and_options(game_id: str, tag: str) -> None:
    game, text = page_of(game_id, tag)
    for (kind, english), (_kind, line) in zip(blocks(game.rules_text), blocks(text), strict=True):
        for what in LIKE:
            assert counted(line, what) == counted(english, what), f"{what}: {line}\n({english})"
        assert kind != "row" or line.count("|") == english.count("|"), line


@pytest.mark.parametrize(("game_id", "tag"), PAGES)
def test_every_ruling_and_option_is_marked(game_id: str, tag: str) -> None:
    game, text = page_of(game_id, tag)
    with in_language(tag):
        marks = {mark: pgettext("rules", mark) for mark in ("Ruling", "Option")}
    for (_kind, english), (_other, line) in zip(blocks(game.rules_text), blocks(text), strict=True):
        for mark, said in marks.items():
            there = len(re.findall(rf"\b{mark}", english, re.IGNORECASE))
            assert len(re.findall(said, line, re.IGNORECASE)) == there, f"{said} x {there}: {line}"


@pytest.mark.parametrize(("game_id", "tag"), PAGES)
def test_nothing_english_is_left_over(game_id: str, tag: str) -> None:
    game, text = page_of(game_id, tag)
    # The title is a name, which may stay as it is.
    for (_kind, english), (_other, line) in zip(blocks(game.rules_text)[1:], blocks(text)[1:], strict=True):
        assert line != english or len(re.findall(r"[A-Za-z]{2,}", re.sub(CITED, "", line))) < 4, line


def test_the_game_is_called_as_elsewhere() -> None:
    for game_id, tag in PAGES:
        game, text = page_of(game_id, tag)
        with in_language(tag):
            assert text.startswith(f"# {_(game.name)}\n"), (game_id, tag)
