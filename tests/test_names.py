"""Tests of names, titles and texts: allowed characters, and names that look alike."""

import time
from contextlib import suppress
from functools import partial
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyramidion.names import (
    LONGEST,
    LONGEST_TITLE,
    BadName,
    alike,
    clean,
    clean_text,
    clean_title,
    fit_title,
    key,
    lookalike,
    looks,
    shortened,
)
from pyramidion.web.errors import BadRequest
from pyramidion.web.names import clean_address, owner_of_bot, player_name

ANYTHING = st.text(st.characters(codec=None), max_size=60)
LINES = (clean, clean_title)
INVISIBLE = [
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\u206f\u2800\u3164",
    *"\ufeff\uffa0\ufff9\U0001d159\U0001d173\U000e0001\U000e0041\U000e007f\x00\x07\n\r\x0b\x1b\x7f\x85\ud800\udfff\ue000",
    *"\U0010ffff\u0378\ufdd0",
]
OF_THE_WORLD = [
    "Anna", "Grace Hopper", "R2-D2", "O’Brien", "a/b", "..", "W" * LONGEST, "李明", "Ольга", "Nguyễn", "ที่รัก", "שָׁלוֹם",
    "हिन्दी", "محمد", "علی\u200cرضا", "خانه\u200cی", "ශ්\u200dරී", "क्\u200dष", "नमन्\u200cते", "র\u200d্যাচেল", "ന്\u200d",
    "လျှောက်", "བསྒྲུབས", "ᠮᠣᠩ\u180bᠭᠣᠯ", "辻\U000e0100", "🐸", "❤", "❤\ufe0f", "1\ufe0f\u20e3",
    "👨\u200d👩\u200d👧\u200d👦", "👩🏽\u200d🚀", "🏳\ufe0f\u200d🌈", "🙂\u200d↔\ufe0f", "🇵🇹",
    "محمد\u200cرضا", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0001fae9",
]  # fmt: skip
OUT_OF_PLACE = [
    "a\u200db", "Ana\u200d", "\u200dAna", "a\u200cb", "علی\u200c", "ب\u200c\u200cب", "ا\u200c",
    "🐸\u200d", "\u200d🐸", "🐸\u200da",
]  # fmt: skip

PARTS = [
    *" \t1#*ab|e\u0301\u0344\u20e3\ufe00\ufe0f\u200c\u200d\u094d\u0915\u0628\u0958\u0cca\u0f73",
    *"\ufb1d\u1100\u1161\u11a8\u1820\u180b",
    *"\U0001f469\U0001f3fb\U0001f3f4\U000e0067\U000e007f\U000e0101\U0001d15e",
]
"""Characters that mean something together, apart or in another order."""


@pytest.mark.parametrize(
    "like", ["ANNA", "Ａｎｎａ", "Аnna", "Ann\u0430", "𝐀𝐧𝐧𝐚", "A\u034fnna", "Anna\u3164", "An\u200bna", "Anna\ufe0f"]
)
def test_names_that_look_like_anna(like):
    assert alike(like, "Anna")
    assert looks(like) == looks("Anna")


@pytest.mark.parametrize(
    "names",
    [
        ("Bill", "BiIl", "B1ll", "B|ll", "Вill", "Βill", "Ｂｉｌｌ", "bill", "BILL", "𝐁𝐢𝐥𝐥", "Biⅼl", "ВiӀl"),
        ("Tom", "Torn", "TOM", "torn", "Тom", "Τοm"),
        ("Anna1", "Annal", "AnnaI", "Αnna1"),
        ("B0b", "Bob", "BOB", "ΒОВ"),
        ("Nick", "Νick", "NICK", "nick"),
        ("Kate", "кate", "Кate", "κate", "ĸate", "ᴋate", "ᴋᴀᴛᴇ", "🅺🅰🆃🅴", "🅚ate"),
        ("Tom", "тom", "ᴛom", "том", "ᴛᴏᴍ"),
        ("Hana", "нana", "ʜana", "Нana"),
        ("Will", "VVill", "vvill", "Ѵvill", "W1ll"),
        ("ian", "i\u0307an", "ı\u0307an", "Ian", "İan", "l\u0307an"),
        ("Bị", "Bị\u0307"),
        ("Jon", "j\u0307on", "ȷ\u0307on"),
        ("Ana1", "Ana①", "Ana❶", "Ana⓵", "Ana➀", "Ana¹"),
        ("محمد\u200cرضا", "محمدرضا"),
        ("Paul", "Ρaul", "РАUL", "PAUL"),
        ("e\u0301", "é", "É"),
        ("Ian", "lan", "1an"),
        ("Strasse", "Straße", "STRASSE"),
        ("❤", "❤\ufe0f"),
        ("👩\u200d🚀", "👩🚀"),
        ("علی\u200cرضا", "علیرضا"),
        ("A  B", " A B", "A\u00a0B", "A\u3000b\t"),
    ],
)
def test_names_that_look_the_same(names):
    for one, other in combinations(names, 2):
        assert alike(one, other), (one, other)
        assert looks(one) == looks(other)
        assert lookalike(one, ["Zoë", None, other]) == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Ànna"),
        ("Anna", "Ana"),
        ("李明", "李朋"),
        ("Ольга", "Олъга"),
        ("Elia", "Ella"),
        ("Ali", "All"),
        ("Emil", "Emll"),
        ("Lia", "Lla"),
        ("👩", "👨"),
        ("Clara", "Dara"),
        ("Żoe", "Zoe"),
        ("Нина", "Ніна"),
    ],
)
def test_names_that_differ(one, other):
    assert not alike(one, other)
    assert lookalike(one, [other]) is None


@given(ANYTHING, ANYTHING)
def test_names_that_are_the_same_look_alike_and_whatever_looks_alike_has_one_key(one, other):
    assert alike(one, one)
    assert alike(one, other) == alike(other, one)
    for like in (one.upper(), one.lower(), other):
        if alike(one, like):
            assert looks(one) == looks(like) or key(one) == key(like)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("sign", INVISIBLE)
def test_what_is_not_seen_is_refused_and_named(line, sign):
    assert line("An") == "An"
    for text in (f"A{sign}n", f"A{sign}{sign}n"):
        with pytest.raises(BadName, match=rf"character U\+{ord(sign):04X}"):
            line(text)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("text", OUT_OF_PLACE)
def test_joiners_that_join_nothing_are_refused_and_named(line, text):
    with pytest.raises(BadName, match=r"U\+200[CD] ZERO WIDTH (NON-)?JOINER"):
        line(text)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("name", ["a" + "\u0316" * 4, "\u0301Anna", "Z\u0337\u0322\u0327\u0330\u0353\u0349"])
def test_piles_of_marks_are_refused(line, name):
    with pytest.raises(BadName, match="at most 3 combining marks"):
        line(name)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("name", OF_THE_WORLD)
def test_names_of_the_world_are_kept(line, name):
    assert line(f"  {name} ") == line(name) == name


def test_spaces_selectors_and_accents_have_one_form():
    assert clean("Anna\ufe0f\ufe0f") == "Anna"
    assert clean("Rene\u0301") == "René"
    assert clean(" A \t\u00a0 B\u3000") == "A B"
    assert clean("  ") is clean(None) is None
    assert clean_title(" \n") == clean_title(None) == ""


@given(ANYTHING)
def test_what_is_clean_stays_so_and_can_be_stored(text):
    for one in (clean, clean_title, partial(clean_text, longest=4000)):
        with suppress(BadName):
            tidy = one(text) or ""
            assert (one(tidy) or "") == tidy
            assert tidy.encode()[:1] not in (b" ", b"\n")


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("text", ["a \ufe0f", "\ufe0f a", "a \ufe0f b", "e\ufe00\u0301", "1 \ufe0f\ufe0f\u20e3"])
def test_selectors_that_select_nothing_leave_no_other_form_of_a_name(line, text):
    assert line(text) == line(text.replace("\ufe0f", "").replace("\ufe00", "")) == line(line(text))


HOSTILE = st.lists(st.sampled_from([*INVISIBLE, *OF_THE_WORLD, *OUT_OF_PLACE, *PARTS]), max_size=120).map("".join)


@given(st.one_of(ANYTHING, HOSTILE), st.integers(10, LONGEST_TITLE))
@example("\u3000\u200d\u034f\u094d\u20e3x", 10)
@example("a\u115f\U0001f3f4\ue000\U000e0067\u202e\u200d" * 30, 10)
def test_titles_are_cut_between_letters_and_fit_whatever_was_stored(text, longest):
    assert clean_title(fit_title(text)) == fit_title(text) == fit_title(fit_title(text))
    cut = shortened(text, longest)
    assert len(cut) <= longest
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))


@pytest.mark.parametrize("sign", ["\x00", "\x0b", "\x1b", "\x7f", "\x85", "\u061c", "\u202e", "\u2066", "\ud800"])
def test_texts_have_no_control_characters(sign):
    with pytest.raises(BadName, match=rf"U\+{ord(sign):04X}"):
        clean_text(f"a{sign}b", 100)


@pytest.mark.parametrize("text", ["a\nb\tc", *OF_THE_WORLD, "soft\u00adhyphen"])
def test_texts_of_the_world_are_kept(text):
    assert clean_text(text, 100, least=1) == text


UNITS = [
    *(
        "a",
        " ",
        "a ",
        "1",
        "#",
        "\u0301",
        "e\u0301",
        "\u200d",
        "\u200c",
        "a\u200d",
        "\ufe0f",
        "\ufdfa",
        "\U0001f3f4",
        "a@",
        "a.",
    ),
    *(
        "\U0001f468\u200d",
        "\u0628\u0301",
        "\u1820\u180b",
        "\u0915\u094d\u200d",
        "\U0001f3f4",
        "(bot: ",
        "a (bot: ",
        "seat 1, ",
    ),
]
ENTRIES = {
    "name": player_name,
    "title": clean_title,
    "text": partial(clean_text, longest=4000),
    "looks": looks,
    "key": key,
    "alike": lambda text: alike(text, f"{text}x"),
    "shortened": partial(shortened, longest=80),
    "address": clean_address,
    "owner": owner_of_bot,
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_reading_what_people_write_takes_linear_time(entry):
    """Sixteen times the text takes less than fifty times the processor time; a square would take 256 times."""

    def seconds(text):
        times = []
        for _ in range(3):
            start = time.thread_time()
            for letter in "abc":  # each text is another one, so that no cache answers
                with suppress(BadName, BadRequest):
                    ENTRIES[entry](text + letter)
            times.append(time.thread_time() - start)
        return min(times)

    for unit in UNITS:
        short, long = (unit * (size // len(unit)) for size in (3_000, 48_000))
        assert seconds(long) < 50 * max(seconds(short), 0.0005), ascii(unit)


@pytest.mark.parametrize(
    "name",
    ["A (bot: B)", "A (BOT B", "A ( bot: B)", "A (b\u043et: B)", "A (b0t: B)", "A \uff08bot: B)", "A (\u0432ot: B)"],
)
def test_only_a_declared_bot_has_a_name_that_looks_like_one(name):
    with pytest.raises(BadRequest, match="Only a bot's name"):
        player_name(name)
    assert player_name("Ana (bottle)") == "Ana (bottle)"
