"""Links to positions, `?at=37&seat=2`: anybody's eyes may be tried once the game is over, and nobody's before."""

import re

FUND = "fund media"


def by_word(word):
    return lambda legal: next(one["text"] for one in legal if one["text"].startswith(word))


def eyes(page):
    return re.search(r'data-eyes="([\w-]+)"', page)[1]


def test_another_seats_eyes_are_refused_while_the_game_is_going_on(client, new_table):
    table = new_table(seed="links")
    table.play(by_word(FUND))
    page = client.get(f"/t/{table.id}?at=1")
    assert page.status_code == 200
    assert eyes(page.text) == "spectator"
    for what in ("", "/fragment", "/log", "/chapters"):
        assert client.get(f"/t/{table.id}{what}?seat=1").status_code == 403
        assert client.get(f"/t/{table.id}{what}?seat=9").status_code == 400
        assert client.get(f"/t/{table.id}{what}?seat=all").status_code == 400
        assert client.get(f"/t/{table.id}{what}?seat=spectator").status_code == 200
    assert client.get(f"/t/{table.id}/chapters").json()["plies"] == []


def test_a_finished_game_opens_at_a_position_with_anybodys_eyes(client, new_table):
    table = new_table(seed="links", options={"round_limit": 1})
    while not table.get()["over"]:
        table.play(
            lambda legal: next((one["text"] for one in legal if one.get("text") == "pass"), legal[0].get("text"))
        )
    page = client.get(f"/t/{table.id}?at=2&seat=1").text
    assert eyes(page) == "1"
    assert 'data-past="1"' in page
    assert re.search(r'id="position"[^>]* value="2"', page)
    assert re.search(r'<option value="1" selected>', page)
    own = client.get(f"/t/{table.id}/fragment?seat=1").text
    assert 'id="own"' in own
    assert eyes(client.get(f"/t/{table.id}/fragment?seat=all").text) == "all"
    parts = client.get(f"/t/{table.id}/chapters?seat=1").json()
    assert parts["plies"][0] == 0
    assert [one["text"][:7] for one in parts["chapters"]] == ["Round 1"]
    assert 0 <= parts["chapters"][0]["at"] < len(parts["plies"])
