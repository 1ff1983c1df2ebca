"""Tests of languages: which one a reader gets, and what happens without a translation."""

import ast
import re

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from tools.messages import KEYWORDS, PACKAGE, problems, wrong

from pyramidion import translation


@pytest.mark.parametrize(
    ("accepted", "tag"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.5", "fr"),
        ("de-DE,de;q=0.9,pt-BR;q=0.8,en;q=0.7", "pt"),
        ("en-GB,fr;q=0.9", "en"),
        ("zh-TW,zh;q=0.9", "zh-Hant"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
        ("ZH-hant-tw", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("zh-CN,zh-TW;q=0.5", "zh-Hant"),
        ("zh", "en"),
        ("zh-CN", "en"),
        ("zh-CN,zh;q=0.9", "en"),
        ("zh-SG", "en"),
        ("zh-Hans", "en"),
        ("zh-Hans-TW", "en"),
        ("zh-Hans-HK, fr;q=0.2", "fr"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "en"),
        ("zh-CN,zh;q=0.9,pt;q=0.8", "pt"),
        ("zhx-TW", "en"),
        ("zh-yue-HK", "zh-Hant"),
        ("EN-us", "en"),
        ("pt-PT", "pt"),
        ("fr-Latn-FR-1990;q=0.5", "fr"),
        ("fr ; q = 0.1 , pt", "pt"),
        ("fr;q=inf, pt;q=0.5", "pt"),
        ("fr;q=nan, pt;q=0.5", "pt"),
        ("fr;q=-1, pt;q=0.5", "pt"),
        ("fr;q=2, pt;q=0.5", "pt"),
        ("pt;q=0.5;x=1, fr;q=0.4", "fr"),
        ("fr;, pt", "fr"),
        (";;;,,,;q=", "en"),
        ("*", "en"),
        ("-", "en"),
        ("ja, *;q=0.1", "en"),
        ("fr;q=0, pt", "pt"),
        ("fr;q=nonsense, pt;q=0.1", "pt"),
        ("," * 1000 + "fr", "en"),
    ],
)
def test_a_browser_is_answered_in_the_language_it_likes_best_of_those_there_are(accepted, tag):
    assert translation.wanted(accepted) == tag


def test_what_is_not_translated_is_said_in_english():
    with translation.in_language("fr"):
        assert translation._("No such sentence.") == "No such sentence."
        assert translation.ngettext("{n} pebble", "{n} pebbles", 1) == "{n} pebble"
        assert translation.ngettext("{n} pebble", "{n} pebbles", 0) == "{n} pebbles"
        assert translation.pgettext("a stone", "No such sentence.") == "No such sentence."


POLISH = """
#: web/pages/static/stones.js
msgid "{n} pebble"
msgid_plural "{n} pebbles"
msgstr[0] "{n} kamyk"
msgstr[1] "{n} kamyki"
msgstr[2] "{n} kamyków"
"""


def test_a_language_with_three_plural_forms_has_the_right_one_for_every_count(monkeypatch, tmp_path):
    (tmp_path / "pl.po").write_text(POLISH, "utf-8")
    monkeypatch.setattr(translation, "folders", lambda: [tmp_path])
    monkeypatch.setattr(translation, "_LOADED", {})
    monkeypatch.setitem(translation.LANGUAGES, "pl", "Polski")
    counts = {1: "kamyk", 2: "kamyki", 5: "kamyków", 12: "kamyków", 22: "kamyki", 25: "kamyków", 0: "kamyków"}
    words = translation.script_words("pl")
    with translation.in_language("pl"):
        for count, word in counts.items():
            assert translation.ngettext("{n} pebble", "{n} pebbles", count) == f"{{n}} {word}"
            assert words["{n} pebble"][words[""][count]] == f"{{n}} {word}"
        assert translation.ngettext("{n} pebble", "{n} pebbles", 1_000_122) == "{n} kamyki"
        assert words["{n} pebble"][words[""][100 + 1_000_122 % 100]] == "{n} kamyki"


def test_a_language_is_spoken_for_a_while_and_only_one_there_is():
    with translation.in_language("pt"):
        with translation.in_language("fr"):
            assert translation.language() == "fr"
        assert translation.language() == "pt"
        with pytest.raises(KeyError), translation.in_language("xx"):
            pass
        assert translation.language() == "pt"
    assert translation.language() == "en"
    with pytest.raises(KeyError):
        translation.set_language("xx")


@pytest.mark.parametrize(
    ("some", "said"), [([], ""), (["Ana"], "Ana"), (["Ana", "Bo"], "Ana and Bo"), (["A", "B", "C"], "A, B and C")]
)
def test_a_list_in_a_sentence(some, said):
    assert translation.listed(some) == said


def test_no_text_stands_inside_an_f_string():
    """Python 3.11 cannot look into them, so the files of translations would depend on who collects."""
    found = [
        f"{path.name}:{call.lineno}"
        for path in PACKAGE.rglob("*.py")
        for string in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in KEYWORDS
        and any(isinstance(given, ast.Constant) for given in call.args)
    ]
    assert found == []


def test_every_text_is_translated():
    assert problems() == []


@pytest.mark.parametrize(("text", "broken"), [("« {name} »", True), ("«\u00a0{name}\u00a0»", False)])
def test_no_line_breaks_between_a_quotation_mark_and_its_text(text, broken):
    catalog = Catalog(locale="fr")
    catalog.add("“{name}”", text)
    assert any("must not break" in problem for problem in wrong(catalog)) == broken


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("**/locale/fr.po")), ids=lambda path: path.parts[-3])
def test_french_puts_no_word_before_a_name_that_would_lose_its_vowel(path):
    """`En attente de Octopus` is wrong and `d'Omar` cannot be foreseen, so names stand where nothing is elided."""
    name = r"(?:%\(|\{)(?:name|names|seat|victim|to|who|other|host)(?:\)s|\})"
    texts = re.findall(r"^msgstr.*", path.read_text("utf-8"), re.M)
    assert [text for text in texts if re.search(rf"\b(?:de|que|le|la|jusque|lorsque|puisque) {name}", text)] == []


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.glob("**/locale/*.po")), ids=lambda path: f"{path.parts[-3]}-{path.stem}"
)
def test_translations_have_the_quotation_marks_of_their_language(path):
    """Straight ones stand only in HTML and in the patterns of dates, where they are syntax."""
    with path.open("rb") as file:
        strings = [message.string for message in read_po(file) if message.id]
    texts = [text for string in strings for text in ([string] if isinstance(string, str) else string)]
    assert [text for text in texts if re.search(r"['\"]", re.sub(r"<[^>]*>", "", text)) and "HH:mm" not in text] == []


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "POSIX"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "pt_BR@latin"}, "pt"),
        ({"LC_ALL": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LC_ALL": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "de_CH.UTF-8"}, "en"),
    ],
)
def test_the_language_of_a_terminal_is_that_of_its_locale(variables, language):
    assert translation.of_environment(variables) == language
