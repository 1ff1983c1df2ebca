"""Playing again with the same people, invitations by name, and blocks of which the blocked learn nothing."""

import re

import pytest
from tests.web.helpers.accounts import finish
from tests.web.helpers.databases import BOTH
from tests.web.helpers.polling import wait_until

from pyramidion.web.features.lobby.own_games import MOST_GOING

pytestmark = pytest.mark.server(databases=BOTH, notice_delay=0)


def played(first, second):
    """Let two people play a game to its end; return its id."""
    table = first.start("me", "open", me="First")
    assert second.form(f"/t/{table}/sit", seat="1", name="Second").status_code == 303
    finish(table, first, second)
    return table


def room_of(person):
    """Start a room with one open seat."""
    return person.start("me", "open", me="Host", start="when-ready")


def listed(person):
    """Return the ids of the games that the home page lists as the visitor's own."""
    return re.findall(r'data-key="(\w+)"', person.get("/your-games").text)


def test_recent_opponents_are_invited_to_another_game_with_a_seat_reserved_for_each(person):
    ana, ben, carl = person("Ana P"), person(), person()
    table = played(ana, ben)
    page = ana.get(f"/people/me?table={table}").text
    place = re.search(r'name="with" value="([^"]+)"[^>]* checked', page)[1]
    assert f'href="/people/me?table={table}#h-opponents"' in ana.get(f"/t/{table}").text
    room = ana.say("/people/play", game="pyramis", **{"with": place}).removeprefix("/t/")
    assert room in listed(ben)
    assert "a seat is reserved for you" in ben.get(f"/t/{room}").text
    seat = re.search(r'name="seat" value="(\d)">Join game', ben.get(f"/t/{room}").text)[1]
    assert "reserved for a player" in carl.form(f"/t/{room}/room/sit", seat=seat, name="Carl").text
    assert ben.form(f"/t/{room}/room/sit", seat=seat, name="Ben").status_code == 303
    assert ana.form("/people/play", game="pyramis", **{"with": f"{table}.9"}).status_code == 400
    assert carl.form("/people/play", game="pyramis", **{"with": place}).status_code == 400, "never played with them"
    assert ana.form("/people/play", game="pyramis").status_code == 422


def test_an_account_is_invited_by_name_and_told(person):
    ana, ben, carl = person("Ana I"), person("Ben I"), person()
    ben.get("/alerts/feed")  # a page of theirs is open
    room = room_of(ana)
    assert "Only players" in carl.form(f"/t/{room}/room/invite", account="Ben I").text
    refused = ana.form(f"/t/{room}/room/invite", account="Nobody I")
    assert (refused.status_code, "no account called" in refused.text) == (404, True)
    assert re.search(r'name="account" value="Nobody I"', refused.text), "The room is there, and what was typed."
    assert ana.form(f"/t/{room}/room/invite", account="ben i").status_code == 303
    assert "already has a seat" in ana.form(f"/t/{room}/room/invite", account="Ben I").text
    # Messages are written in the background.
    found = wait_until(lambda: ben.get("/alerts/feed").json())
    assert [(one["text"], one["link"]) for one in found] == [
        ("Host invites you to a game: Pyramid-Sham-Bo.", f"/t/{room}")
    ]
    assert room in listed(ben)
    assert ben.form(f"/t/{room}/room/release", seat="1").status_code == 303
    assert room not in listed(ben)


def test_a_blocked_person_cannot_invite_or_join_and_is_not_told(person):
    ana, ben = person("Ana K"), person("Ben K")
    table = played(ana, ben)
    place = re.search(r'name="block" value="([^"]+)"', ana.get("/people/me").text)[1]
    assert place.startswith(table)
    before = [ben.get(url).text for url in ("/people/Ana%20K", "/people/me")]
    ana.say("/people/block", block=place)
    assert "Ben K" in re.search(r'id="blocked".*?</section>', ana.get("/people/me").text, re.S)[0]
    assert [ben.get(url).text for url in ("/people/Ana%20K", "/people/me")] == before
    room = room_of(ben)
    assert ben.form(f"/t/{room}/room/invite", account="Ana K").status_code == 303
    assert ">reserved<" in ben.get(f"/t/{room}").text, "it looks like any invitation"
    assert room not in listed(ana)
    assert (
        "reserved for a player the host invited" in ben.form(f"/t/{room_of(ana)}/room/sit", seat="1", name="Ben").text
    )
    at = re.search(r'form="unblock" name="at" value="(\d+)"', ana.get("/people/me").text)[1]
    ana.say("/people/unblock", at=at)
    room = room_of(ben)
    assert ben.form(f"/t/{room}/room/invite", account="Ana K").status_code == 303
    assert room in listed(ana)


def test_private_messages_of_a_blocked_person_are_not_shown(person):
    ana, ben = person("Ana W"), person("Ben W")
    table = ana.start("me", "open", "bot:easy", me="Ana", **{"chat-private": "pairs"})
    assert ben.form(f"/t/{table}/sit", seat="1", name="Ben").status_code == 303
    ana.say("/people/block", account="Ben W")
    for text, to in (("hello all", []), ("psst", [0])):
        answer = ben.api("POST", f"/api/tables/{table}/chat", text=text, to=to)
        assert answer.status_code in (200, 201), answer.text
    read = ana.get(f"/api/tables/{table}/chat").json()
    assert [line["text"] for line in read["lines"]] == ["hello all"]
    assert read["unread"] == 1
    own = ben.get(f"/api/tables/{table}/chat").json()["lines"]
    assert [line["text"] for line in own] == ["hello all", "psst"], "the writer sees it as ever"
    assert "cannot block yourself" in ana.form("/people/block", account="Ana W").text


def test_a_stranger_cannot_be_blocked_or_invited_by_a_place_at_a_table(person):
    ana, ben, eve = person("Ana S"), person(), person()
    table = played(ana, ben)
    for answer in (eve.form("/people/block", block=f"{table}.0"), ana.form("/people/block", block="x.y")):
        assert answer.status_code == 400


def test_games_with_bots_that_nobody_ends_hide_no_game_with_people(person):
    nina, guest = person(), person()
    first = nina.start("me", "open", "bot:random", me="Nina")
    guest.say(f"/t/{first}/sit", seat="1", name="Guest")
    for _ in range(MOST_GOING + 2):
        nina.start("me", "bot:random", me="Nina")
    games = listed(nina)
    assert len(games) == MOST_GOING
    assert first in games
