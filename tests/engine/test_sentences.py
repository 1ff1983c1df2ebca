"""Sentences about events, as others read them and as the player whom they name reads them."""

import random
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from tests.every_game import few_seats

import pyramidion
from pyramidion.engine.events import described_events
from pyramidion.engine.random_games import play_randomly
from pyramidion.engine.sentences import Name, Names, names_listed
from pyramidion.translation import in_language

FOLDER = Path(pyramidion.__file__).parent / "games"
GAMES = sorted(path.parent.name.replace("_", "-") for path in FOLDER.glob("*/rules.py"))
OF_OTHERS = re.compile(r"\{\w+:([^|{}]*)\|[^{}]*\}")


def test_the_reader_is_called_you_with_the_verb_that_goes_with_it() -> None:
    template = "{seat} {seat:gets|get} the tile; {other:*'s|your} turn."
    for reader, sentence in (
        (None, "Ana gets the tile; Ben's turn."),
        (0, "You get the tile; Ben's turn."),
        (1, "Ana gets the tile; your turn."),
    ):
        names = Names(["Ana", "Ben"], reader)
        assert names.capitalized(template.format(seat=names[0], other=names[1])) == sentence
        assert names.named == {0, 1}


def test_a_list_with_the_reader_has_the_forms_for_the_reader() -> None:
    names = Names(["Ana", "Ben", "Cal"], 2)
    listed = names_listed(names[:])
    assert f"{listed:sont|êtes}" == "êtes"
    assert listed == "Ana, Ben and you"
    assert f"{names_listed(names[:2]):sont|êtes}" == "sont"
    assert f"{Name('you')}" == "you"


def test_a_name_that_begins_a_sentence_keeps_its_case() -> None:
    names = Names(["youssef", "Ben"], 1)
    assert names.capitalized(f"{names[0]} challenges {names[1]}.") == "youssef challenges you."


@pytest.mark.parametrize("tag", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_no_event_of_a_whole_game_speaks_of_its_reader_in_the_third_person(game: str, tag: str) -> None:
    match = _whole_game(game)
    verbs = _third_person(game, tag)
    names = [f"Player{seat}x" for seat in range(match.seats)]
    with in_language(tag):
        for reader in range(match.seats):
            raw = match.raw_events(reader)
            plain = described_events(match.game, raw, names)
            for event, other in zip(described_events(match.game, raw, names, reader), plain, strict=True):
                assert names[reader] not in event.text
                assert (event.text == other.text) == (names[reader] not in other.text)
                assert event.text[0].isupper() or not event.text.startswith(("you", "vous"))
                if event.text != other.text and "Player" not in event.text:
                    words = set(re.findall(r"[\w’]+", event.text))
                    assert not words & verbs, event.text


@cache
def _whole_game(game: str) -> pyramidion.Match:
    """Return a random game that is over."""
    loaded = pyramidion.load(game)
    return play_randomly(loaded, random.Random(3), few_seats(loaded, 3), {}).match


def _third_person(game: str, tag: str) -> set[str]:
    """Return the verbs that go with a name, of all of a game's sentences in a language."""
    with (FOLDER / game.replace("-", "_") / "locale" / "fr.po").open("rb") as file:
        catalogue = read_po(file, locale="fr")
    texts = [str(entry.id if tag == "en" else entry.string) for entry in catalogue]
    return {verb for text in texts for verb in OF_OTHERS.findall(text) if re.fullmatch(r"\w{2,}", verb)}
