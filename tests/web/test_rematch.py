"""Rematches: one click for the same people, bots and options, and one seat for each of them."""

from tests.web.accounts import finish


def names(person, address):
    return [seat["name"] for seat in person.get(f"/api/tables/{address}").json()["seats"]]


def test_a_rematch_has_the_same_people_and_options_and_is_joined_with_one_click(person):
    nina, guest, stranger = (person() for _ in range(3))
    table = nina.start("me", "open", "bot:random", me="Nina")
    guest.say(f"/t/{table}/sit", seat="1", name="Guest 1")
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

    # The other is told, and joins; a stranger cannot.
    assert "Nina wants a rematch." in guest.get(f"/t/{table}").text
    assert stranger.form(f"/t/{table}/rematch").status_code == 403
    assert guest.say(f"/t/{table}/rematch") == f"/t/{again}"
    assert "seats-3" in guest.get(f"/t/{again}").text
    assert names(guest, again)[:2] == ["Nina", "Guest 1"]

    # Whoever asks again goes to the same table.
    assert nina.say(f"/t/{table}/rematch") == f"/t/{again}"


def test_a_rematch_against_bots_begins_at_once(person):
    nina = person()
    table = nina.start("me", "bot:random", "bot:random", me="Nina")
    finish(table, nina)
    assert 'class="play seated seats-3"' in nina.get(nina.say(f"/t/{table}/rematch")).text
