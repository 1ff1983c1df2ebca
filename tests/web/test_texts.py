"""Texts that people write, in the chat and in clubs: spaces, line breaks, lengths and control characters."""

import pytest

from pyramidion.web.errors import BadRequest
from pyramidion.web.features.clubs.club import ClubSettings
from pyramidion.web.names import clean_text


def test_spaces_around_a_text_go_and_line_breaks_are_alike():
    assert clean_text(" one\r\ntwo\rthree\tfour \n", 100) == "one\ntwo\nthree\tfour"


@pytest.mark.parametrize("sign", ["\x00", "\x0b", "\x1b", "\x7f", "\x85", "\u200e", "\u202e", "\u2066", "\ud800"])
def test_control_characters_are_refused_by_name(sign):
    with pytest.raises(BadRequest, match=f"U\\+{ord(sign):04X}"):
        clean_text(f"a{sign}b", 100)


def test_a_text_has_a_least_and_a_greatest_length_without_the_spaces_around_it():
    assert clean_text("  abc  ", 3, least=3) == "abc"
    assert clean_text("   ", 3) == ""
    with pytest.raises(BadRequest, match="Write 1 to 3 characters"):
        clean_text("   ", 3, least=1)
    with pytest.raises(BadRequest, match="has 1,001 characters; the limit is 1,000"):
        clean_text("a" * 1001, 1000)


@pytest.mark.parametrize("settings", [ClubSettings("A\u202eb"), ClubSettings("Club", "about\x1b[2J"), ClubSettings("")])
def test_a_club_has_no_text_that_the_chat_would_refuse(settings):
    with pytest.raises(BadRequest):
        settings.checked()
