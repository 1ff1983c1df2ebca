"""Texts that people write, in chat, clubs and seasons: spaces, line breaks, lengths and control characters."""

import pytest
from tests.web.helpers.seasons import Host

from pyramidion.event_log import Entry
from pyramidion.seasons.events import HostAdded, Posted, SettingsChanged
from pyramidion.seasons.fold import fold
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


def test_a_season_takes_no_text_that_the_chat_would_refuse_and_still_reads_a_stored_one(client):
    host = Host(client)
    for kind, fields in {
        "posted": {"text": "one\u202etwo"},
        "settings": {"title": "Code Red", "about": "a\x1bb"},
    }.items():
        answer = host.do(kind, **fields)
        assert answer.status_code == 400, answer.text
        assert "control character" in answer.json()["detail"]
    answer = host.do("posted", reason="a\u2066b", text="Hello")
    assert answer.status_code == 400, answer.text
    stored = [SettingsChanged(title="Code Red"), HostAdded("Hal"), Posted("one\u202etwo")]
    season = fold([Entry(number, 0, "h1", event) for number, event in enumerate(stored, 1)])
    assert season.posts[0].text == "one\u202etwo"
