"""The chat: who reads what, who may write when, what is refused; and notes that nobody else sees."""

import asyncio
import json
import re

import httpx
import pytest
from tests.web.conftest import Player, serving

from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.table.seats.host import Requester

PAIRS, GROUPS = {"private": "pairs"}, {"private": "groups"}
SECRET = "meet me behind the locomotive"


@pytest.fixture(autouse=True)
def nobody_comes_or_goes(monkeypatch):
    """Who is there is told to everybody, and would be a difference."""
    monkeypatch.setattr("pyramidion.web.table.views.viewers.PRESENCE_DELAY", 3600)


@pytest.fixture
def tables(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        yield lambda *args, **order: Player(client, *args, **order)


def say(table, seat, text, *to, **more):
    return table.client.post(f"{table.url}/chat", headers=table.headers(seat), json={"text": text, "to": to, **more})


def said(table, seat=None):
    return [(line["name"], line["text"]) for line in table.get("/chat", seat)["lines"]]


def everything(table, seat):
    """All that a seat, or who watches, can get out of the server about a table, as it came."""
    headers = table.headers(seat)
    urls = [f"{table.url}{what}" for what in ("", "/view", "/events", "/chat", "/seals", "/legal")]
    urls += [f"/t/{table.id}{what}" for what in ("", "/chat", "/chat?part=1", "/chat/unread", "/log", "/fragment")]
    answers = [table.client.get(url, headers=headers) for url in urls]
    return [re.sub(r'name="csrf" value="\w+"|data-csrf="\w+"|content="\w{40}"', "", one.text) for one in answers]


def test_a_line_for_everybody_is_read_by_everybody_and_counted_until_seen(tables):
    table = tables()
    answer = say(table, 0, "Good <b>luck</b>")
    assert answer.status_code == 201, answer.text
    for seat in (None, 0, 1):
        [line] = table.get("/chat", seat)["lines"]
        assert (line["text"], line["seat"], line["readers"]) == ("Good <b>luck</b>", 0, None)
    page = table.client.get(f"/t/{table.id}/chat").text
    assert "Good &lt;b&gt;luck&lt;/b&gt;" in page
    assert "to everyone" in page
    assert [table.get("/chat", seat)["unread"] for seat in (0, 1)] == [0, 1]
    seen = table.client.put(
        f"{table.url}/chat/seen", headers=table.headers(1), json=answer.json() | {"line": line["id"]}
    )
    assert seen.status_code == 200
    assert table.get("/chat", 1)["unread"] == 0


def test_a_private_line_reaches_its_readers_and_changes_no_byte_for_the_others(tables):
    table = tables(chat=GROUPS)
    before = {seat: everything(table, seat) for seat in (None, 2)}
    with table.stream(0) as alice, table.stream(1) as bob, table.stream(2) as carol, table.stream() as watching:
        for stream in (alice, bob, carol, watching):
            assert stream.next() is not None
        hidden = say(table, 0, SECRET, 1).json()["id"]
        assert bob.next("chat") == alice.next("chat") == {}
        # What the others hear next is what is for them, too.
        for one in (carol, watching):
            while (block := one.raw()) != [": still here"]:
                assert not any("chat" in line for line in block)
        assert {seat: everything(table, seat) for seat in (None, 2)} == before
        say(table, 1, "I pass.")
        assert carol.next("chat") == watching.next("chat") == {}
    assert said(table, 2) == said(table) == [("Player 2", "I pass.")]
    line = table.get("/chat", 1)["lines"][0]
    assert (line["text"], line["readers"], line["fresh"]) == (SECRET, [0, 1], True)
    # Not even by its name, which they cannot know.
    refused = [
        table.client.get(f"{table.url}/chat", headers=table.headers(2), params={"before": one})
        for one in (hidden, "x" * 22)
    ]
    assert [one.status_code for one in refused] == [404, 404]
    assert refused[0].content == refused[1].content
    refused = [
        table.client.put(f"{table.url}/chat/seen", headers=table.headers(2), json={"line": one})
        for one in (hidden, "x")
    ]
    assert refused[0].status_code == 404
    assert refused[0].content == refused[1].content


@pytest.mark.parametrize(
    ("chat", "to", "status", "sentence"),
    [
        (None, [1], 403, "turned off"),
        (PAIRS, [1, 2], 403, "only one recipient"),
        (PAIRS, [1], 201, None),
        (GROUPS, [1, 2], 201, None),
        (GROUPS, [0], 422, "your notes"),
        (GROUPS, [9], 422, "no seat 9"),
        (GROUPS, [3], 422, "cannot read messages"),
    ],
)
def test_the_table_chooses_who_may_be_spoken_to(tables, chat, to, status, sentence):
    table = tables(["me", "me", "me", "random"], **({"chat": chat} if chat else {}))
    answer = say(table, 0, "psst", *to)
    assert (answer.status_code, len(said(table, 0))) == (status if status != 422 else 400, int(status == 201))
    assert sentence is None or sentence in answer.json()["detail"]


def test_who_watches_writes_only_where_the_table_lets_them(tables):
    quiet, lively = tables(), tables(chat={"watchers": True, "private": "groups"})
    assert say(quiet, None, "hello", name="Zoe").status_code == 403
    assert say(lively, None, "hello").status_code == 400
    assert say(lively, None, "hello", 1, name="Zoe").status_code == 403
    assert say(lively, None, "hello", name="Zoe").status_code == 201
    assert said(lively, 0) == [("Zoe (watching)", "hello")]
    assert said(quiet) == []


def test_the_chat_closes_while_a_phase_with_secret_submissions_is_open(tables):
    table = tables(["me", "me"], game="pyramid-shambo", chat={"closes": "secret"})
    for _ in range(40):
        if table.get("/chat", 0)["closed"] is not None:
            break
        table.play(lambda legal: legal[0].get("text") or f"{legal[0]['family']} {legal[0]['low']}")
    refused = say(table, 0, "now")
    assert refused.status_code == 403
    assert "while players choose in secret" in refused.json()["detail"]
    assert said(table) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("  \n ", "is empty"),
        ("a" * 1001, "1,000"),
        ("a\0b", r"U\+0000"),
        ("a\u202eb", r"U\+202E"),
        ("\ud800", ""),
    ],
)
def test_what_cannot_be_kept_or_shown_is_refused(tables, text, sentence):
    table = tables()
    body = json.dumps({"text": text}).encode()
    answer = table.client.post(
        f"{table.url}/chat", headers={**table.headers(0), "content-type": "application/json"}, content=body
    )
    assert answer.status_code in (400, 422), answer.text
    assert re.search(sentence, answer.json()["detail"])
    assert said(table) == []


def test_many_scripts_and_joined_signs_are_text(tables):
    table = tables()
    for text in ("金字塔", "👩‍👩‍👧", "é\nè", "<script>alert(1)</script>", "a" * 1000):
        assert say(table, 0, text).status_code == 201
        assert said(table)[-1][1] == text
    assert "<script>alert" not in table.client.get(f"/t/{table.id}/chat").text


def test_notes_are_for_their_seat_alone(tables):
    table = tables()
    url = f"{table.url}/notes"
    before = {seat: everything(table, seat) for seat in (None, 1)}
    kept = table.client.put(url, headers=table.headers(0), json={"text": SECRET})
    assert kept.json() == table.get("/notes", 0) == {"text": SECRET}
    assert table.get("/notes", 1) == {"text": ""}
    assert table.client.get(url).status_code == 403
    assert {seat: everything(table, seat) for seat in (None, 1)} == before
    assert table.client.put(url, headers=table.headers(0), json={"text": "x" * 10_001}).status_code == 400
    assert table.get("/notes", 0) == {"text": SECRET}


def test_a_flood_is_refused_for_its_seat_alone(tmp_path):
    with (
        serving(tmp_path, limit_loopback=True, lines_per_minute=6) as server,
        httpx.Client(base_url=server.address) as client,
    ):
        table = Player(client)
        assert [say(table, 0, "spam").status_code for _ in range(3)] == [201, 201, 429]
        assert say(table, 1, "fine").status_code == 201
        assert len(said(table)) == 3


def test_the_host_removes_what_the_host_can_read_and_a_trace_stays(tables):
    table = tables(chat=GROUPS)
    rude, hidden = say(table, 1, "something rude").json()["id"], say(table, 1, "and this, privately", 2).json()["id"]

    def remove(seat, line):
        return table.client.delete(f"{table.url}/chat/{line}", headers=table.headers(seat))

    assert remove(1, rude).status_code == 403
    assert remove(0, hidden).status_code == 404
    assert remove(0, rude).status_code == 200
    for seat in (None, 2):
        line = table.get("/chat", seat)["lines"][0]
        assert (line["text"], line["removed"], line["seat"]) == ("", True, 1)
        assert not any("something rude" in said for said in everything(table, seat))
    assert "This message was removed." in table.client.get(f"/t/{table.id}/chat").text
    assert said(table, 2)[1] == ("Player 2", "and this, privately")


def test_whoever_takes_a_seat_over_finds_neither_its_notes_nor_its_private_lines(server, tables):
    table = tables(chat=GROUPS)
    say(table, 0, "for everybody")
    say(table, 0, SECRET, 1)
    table.client.put(f"{table.url}/notes", headers=table.headers(1), json={"text": SECRET})
    in_house = server.app.server.writer._loop

    async def replaced():
        stored = await server.app.server.tables.get(table.id)
        return await HostControls(stored, Requester(None, host=True)).replace_player(1, None)

    code = asyncio.run_coroutine_threadsafe(replaced(), in_house).result(20)
    answer = table.client.post(f"{table.url}/seats/1", json={"name": "Zoe", "code": code})
    table.tokens[1] = answer.json()["token"]
    assert said(table, 1) == [("Player 1", "for everybody")]
    assert table.get("/notes", 1) == {"text": ""}
    assert not any(SECRET in one for one in everything(table, 1))
    assert said(table, 0)[1] == ("Player 1", SECRET)
    say(table, 0, "welcome", 1)
    assert said(table, 1)[1] == ("Player 1", "welcome")


def test_a_conversation_is_read_on_its_own(tables):
    table = tables(["me", "me", "me"], chat=GROUPS)
    say(table, 0, "to all")
    say(table, 0, "to one", 1)
    group = say(table, 0, "to two", 1, 2).json()["id"]

    def unread(seat):
        return {tuple(one["readers"] or ()): one["unread"] for one in table.get("/chat", seat)["conversations"]}

    assert unread(1) == {(): 1, (0, 1): 1, (0, 1, 2): 1}
    assert unread(2) == {(): 1, (0, 1, 2): 1}
    assert unread(None) == {(): 0}
    seen = table.client.put(f"{table.url}/chat/seen", headers=table.headers(1), json={"line": group})
    assert seen.status_code == 200
    assert unread(1) == {(): 1, (0, 1): 1, (0, 1, 2): 0}
    assert table.get("/chat", 1)["unread"] == 2
    say(table, 2, "again", 0, 1)
    assert unread(1) == {(): 1, (0, 1): 1, (0, 1, 2): 1}


def test_the_page_of_a_conversation_shows_its_lines_and_counts_the_others(tables):
    table = tables(["me", "me", "me"], chat=GROUPS)
    say(table, 0, "for all to read")
    say(table, 0, "between us two", 1)

    def page(seat, talk=""):
        return table.client.get(f"/t/{table.id}/chat{talk}", headers=table.headers(seat))

    everyone, two = page(1), page(1, "?with=0")
    assert "for all to read" in everyone.text
    assert "between us two" not in everyone.text
    assert "between us two" in two.text
    assert "To Player 1 only" in two.text
    assert table.get("/chat", 1)["unread"] == 0
    # Somebody else's conversation is not to be had by naming it.
    assert "between us two" not in page(2, "?with=0").text + page(2, "?with=0&with=1").text + page(2).text
    assert page(1, "?with=9").status_code == 400


def test_a_form_without_a_text_is_refused_on_the_page(client):
    csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/games/pyramis/new").text)[1]
    order = {"csrf": csrf, "game": "pyramis", "seats": "2", "seat-0": "me", "seat-1": "open", "me": "Ana"}
    at = client.post("/tables", data=order).headers["location"]
    answer = client.post(f"{at}/chat", data={"csrf": csrf})
    assert answer.status_code == 400
    assert "The message is empty" in answer.text
