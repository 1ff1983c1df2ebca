"""Rematches: one click for the same people, bots and options, and one seat for each of them."""

import re

from tests.web.helpers.accounts import finish
from tests.web.helpers.hotseat import offered
from tests.web.helpers.polling import wait_until
from tests.web.helpers.seasons import Host


def names(person, address):
    return [seat["name"] for seat in person.get(f"/api/tables/{address}").json()["seats"]]


def test_a_rematch_has_the_same_people_and_options_and_is_joined_with_one_click(person):
    nina, guest, stranger = (person() for _ in range(3))
    table = nina.start("me", "open", "bot:random", me="Nina")
    guest.say(f"/t/{table}/sit", seat="1", name="Guest 1")
    guest.get("/alerts/feed")  # a page of theirs is open
    assert "rematch-go" not in nina.get(f"/t/{table}").text
    assert nina.form(f"/t/{table}/rematch").status_code == 409
    finish(table, nina, guest)
    assert "Rematch</button>" in nina.get(f"/t/{table}").text

    again = nina.say(f"/t/{table}/rematch").removeprefix("/t/")
    assert again != table
    waiting = nina.get(f"/api/tables/{again}/room").json()
    assert waiting["options"]["turn_limit"] == 1
    assert [seat["kind"] for seat in waiting["seats"]] == ["person", "open", "bot"]
    assert waiting["seats"][0]["name"] == "Nina"

    # The other is told wherever they are, and joins; a stranger cannot.
    assert "Nina wants a rematch." in guest.get(f"/t/{table}").text
    told = ['id="rematch-notice"' in who.get(f"/t/{table}").text for who in (nina, guest, stranger)]
    assert told == [False, True, False]
    # Whoever asked for it goes there from beside the headline.
    again_button = re.compile(r'id="rematch-again">Join rematch<')
    assert [bool(again_button.search(who.get(f"/t/{table}").text)) for who in (nina, guest)] == [True, False]
    invitation = ("Nina invites you to a game: Pyramid-Sham-Bo.", f"/t/{again}")
    wait_until(lambda: invitation in [(notice["text"], notice["link"]) for notice in guest.get("/alerts/feed").json()])

    def listed(who):
        return re.search(rf'data-key="{again}".*?</li>', who.get("/your-games").text, re.S)[0]

    assert "A seat is kept for you" in listed(guest)
    assert "Waiting for Guest 1" in listed(nina)
    assert re.search(r'class="name">[^/]*Guest 1.*?>awaited<', nina.get(f"/t/{again}").text, re.S)
    assert stranger.form(f"/t/{table}/rematch").status_code == 403
    assert guest.say(f"/t/{table}/rematch") == f"/t/{again}"
    assert "seats-3" in guest.get(f"/t/{again}").text
    assert names(guest, again)[:2] == ["Nina", "Guest 1"]

    # Whoever asks again goes to the same table.
    assert nina.say(f"/t/{table}/rematch") == f"/t/{again}"


def test_a_rematch_of_a_clubs_table_is_in_its_lobby(person):
    """Where what is played in a private club stays hidden from others."""
    nina, guest = person(), person()
    club = nina.api("POST", "/api/clubs", name="Rematchers", member="Nina", door="private").json()
    code = club["invitation"].rsplit("/", 1)[1]
    assert guest.api("POST", f"/api/clubs/{club['id']}/join", name="Guest 1", code=code).status_code == 200
    table = nina.start("me", "open", club=club["id"], me="Nina")
    guest.say(f"/t/{table}/sit", seat="1", name="Guest 1")
    finish(table, nina, guest)
    again = nina.say(f"/t/{table}/rematch").removeprefix("/t/")
    assert {one["id"] for one in nina.get(f"/api/clubs/{club['id']}").json()["tables"]} == {table, again}
    assert guest.say(f"/t/{table}/rematch") == f"/t/{again}"


def test_who_is_left_by_all_others_can_play_with_them_again(person):
    nina, guest, third = (person() for _ in range(3))
    table = nina.start("me", "open", "open", me="Nina")
    guest.say(f"/t/{table}/sit", seat="1", name="Guest 1")
    third.say(f"/t/{table}/sit", seat="2", name="Guest 2")
    offered_to = [nina, guest, third]

    def offers():
        return ['id="rematch-again"' in who.get(f"/t/{table}").text for who in offered_to]

    assert offers() == [False, False, False]
    assert guest.form(f"/t/{table}/proposals", proposal="leave:").status_code == 200
    assert offers() == [False, False, False]  # two people still play
    assert nina.form(f"/t/{table}/rematch").status_code == 409
    assert third.form(f"/t/{table}/proposals", proposal="leave:").status_code == 200
    page = nina.get(f"/t/{table}").text
    assert ">Rematch</button>" in page
    assert "Everybody else has left." in page
    seats = nina.get(f"/api/tables/{table}").json()["seats"]
    assert not {"Guest 1", "Guest 2"} & {seat["name"] for seat in seats}, "What bots do is not put down to them."
    assert guest.form(f"/t/{table}/rematch").status_code == 403

    again = nina.say(f"/t/{table}/rematch").removeprefix("/t/")
    waiting = nina.get(f"/api/tables/{again}/room").json()
    assert [seat["kind"] for seat in waiting["seats"]] == ["person", "open", "open"]
    for seat, who in ((1, guest), (2, third)):
        assert "A seat is kept for you" in who.get("/your-games").text
        who.say(f"/t/{again}/room/sit", seat=str(seat), name=f"Guest {seat}")
    assert names(nina, again) == ["Nina", "Guest 1", "Guest 2"]


def test_a_rematch_against_bots_begins_at_once(person):
    nina = person()
    table = nina.start("me", "bot:random", "bot:random", me="Nina")
    finish(table, nina)
    # Now and then the bots alone have ended the short game by then.
    assert 'class="play seated seats-3' in nina.get(nina.say(f"/t/{table}/rematch")).text


def test_a_rematch_seats_everybody_at_one_screen_and_shows_its_buttons_to_players_alone(person):
    nina, guest, stranger = (person() for _ in range(3))
    form = {"me": "Nina", "name-1": "Ned"}
    table = nina.start("me", "here", "open", **form)
    path = f"/t/{table}"
    guest.say(f"{path}/sit", seat="2", name="Gus")
    while not (about := guest.get(f"/api/tables/{table}").json())["over"]:
        for seat in about["acting"]:
            who = guest if seat == 2 else nina
            if seat != 2:
                nina.say(f"{path}/open", seat=str(seat))
            page = who.get(path).text
            version = re.search(r'data-version="(\d+)"', page)[1]
            who.say(f"{path}/act", version=version, action=offered(page)[0], seat=str(seat))
    # All seats were hidden when the game ended; now none is a secret.
    nina.form(f"{path}/curtain")
    assert 'data-seat="0"' in nina.get(path).text
    assert '<button class="button main" form="rematch"' in nina.get(path).text
    # Among those who watch, only a host has a use for the button (hosting.css).
    assert '<button class="button main for-host" form="rematch"' in stranger.get(path).text
    again = guest.say(f"{path}/rematch").removeprefix("/t/")
    assert names(guest, again)[2] == "Gus"
    assert nina.say(f"{path}/rematch") == f"/t/{again}"
    assert names(guest, again) == ["Nina", "Ned", "Gus"]


def test_a_table_of_a_season_leads_back_to_it_and_has_no_rematch(client, person):
    host, nina, stranger = Host(client, audience="live"), person(), person()
    host.done("cast-added", name="Nina")
    host.bots(("Bo", "Cy"))
    [link] = [one["token"] for one in host.ask("GET", "/links").json() if one["who"] == "c1"]
    assert nina.form(f"/seasons/{host.id}/join", code=link).status_code == 303
    [played] = host.step("open", game="pyramid-shambo")["episodes"][-1]["tables"]
    table = played["table"]
    finish(table, nina)
    page = nina.get(f"/t/{table}").text
    first = re.search(r'id="ending-actions">(.*?)</div>', page, re.S)[1]
    assert re.match(r'\s*<a class="button main" id="ending-season"', first)
    assert "rematch-go" not in page
    assert "rematch-again" not in page
    refused = nina.form(f"/t/{table}/rematch")
    assert (refused.status_code, "no rematch" in refused.text) == (409, True)
    # Each is led as far as they may go.
    assert nina.get(f"/t/{table}/season").headers["location"] == f"/seasons/{host.id}"
    host.done("settings", title="Code Red", audience="none")
    assert nina.get(f"/t/{table}/season").headers["location"] == f"/seasons/{host.id}"
    hidden = stranger.get(f"/t/{table}/season")
    assert (hidden.status_code, host.id in str(hidden.headers) + hidden.text) == (404, False)


def test_a_table_of_a_tournament_leads_back_to_it_and_has_no_rematch(person):
    nina, guest = person(), person()
    made = nina.api("POST", "/api/tournaments", title="Cup", host="Nina", game="pyramid-shambo").json()["id"]
    for player, name in ((nina, "Nina"), (guest, "Gus")):
        assert player.api("POST", f"/api/tournaments/{made}/join", name=name).status_code == 200
    assert nina.api("POST", f"/api/tournaments/{made}/begin").status_code == 200
    table = nina.get(f"/api/tournaments/{made}").json()["results"][0]["tables"][0]["table"]
    finish(table, nina, guest)
    page = guest.get(f"/t/{table}").text
    assert '<a class="button main" id="ending-tournament"' in page
    assert "rematch-go" not in page
    assert guest.get(f"/t/{table}/tournament").headers["location"] == f"/tournaments/{made}"
    assert guest.get(f"/t/{table}/season").status_code == 404
