"""Terms: each has a rule and a symbol that exist and is used in every language; a wrong file is refused."""

import re

import pytest
from tools.messages import texts

from pyramidion.engine import registry
from pyramidion.engine.glossary import BadGlossary, glossary_of, parse
from pyramidion.terminal.rulebook import rulebook
from pyramidion.translation import LANGUAGES, in_language

GAMES = [registry.load(game) for game in registry.own_ids()]
GOAL = '[goal]\nwin = "a"\nwin_rule = "1.1"\nends = "b"\nends_rule = "1.1"\n'
TERM = '[terms.x]\nwords = "x"\nsay = "y"\n'


def written(words, text):
    """Return whether a text has one of the forms of a term."""
    return any(
        re.search(rf"(?<![^\W_]){re.escape(word)}" if word.isascii() else re.escape(word), text) for word in words
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_rules_of_every_term_and_of_the_goal_exist(game):
    terms = glossary_of(game)
    numbers = {f"{game.prefix} {number}" for number in rulebook(game).parts}
    assert {terms.win_rule, terms.ends_rule, *(term.rule for term in terms.terms)} <= numbers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_term_is_written_in_the_rules_in_each_language(game, language):
    with in_language(language):
        rules = game.rules_read.casefold()
        unused = [
            term.key for term in glossary_of(game).terms if not written([w.casefold() for w in term.words], rules)
        ]
    assert unused == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_term_is_used_at_the_table(game):
    """What pages of a game say, besides its rules, lessons and terms: boards, prompts and log."""
    folders = [game.folder, *([game.shared] if game.shared is not None else [])]
    said = [
        message.id if isinstance(message.id, str) else " ".join(message.id)
        for folder in folders
        for message in texts(folder)
        if any(not str(place).endswith(".toml") for place, _line in message.locations)
    ]
    table = " ".join(said).casefold()
    assert [
        term.key for term in glossary_of(game).terms if not written([w.casefold() for w in term.words], table)
    ] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_symbol_is_on_the_board(game):
    folders = [game.folder, *([game.shared] if game.shared is not None else [])]
    drawn = "".join((folder / "board.svg").read_text("utf-8") for folder in folders if (folder / "board.svg").exists())
    for term in glossary_of(game).terms:
        assert not term.symbol or f'id="{term.symbol}"' in drawn, term.key


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_two_terms_share_a_word_and_each_says_one_sentence(game):
    for language in LANGUAGES:
        with in_language(language):
            terms = glossary_of(game).terms
        words = [word.casefold() for term in terms for word in term.words]
        assert len(words) == len(set(words)), language
        assert all(term.say.endswith((".", "。")) and len(term.say) <= 160 for term in terms)


@pytest.mark.usefixtures("outside")
def test_a_game_without_terms_has_none():
    assert glossary_of(registry.load("high-card")) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[goal", "not valid TOML"),
        (GOAL, "lacks terms"),
        ('[goal]\nwin = "a"\n' + TERM, "The goal lacks"),
        (GOAL + TERM, "The term x lacks rule"),
        (GOAL + TERM + 'rule = "1.1"\nrules = "1.2"', "The term x has rules"),
    ],
)
def test_a_wrong_file_is_refused_with_a_sentence(text, reason):
    with pytest.raises(BadGlossary, match=reason):
        parse(text)
