"""Tests of premoves: given in advance, played when the decision is due, and hidden from everybody else."""

import time

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.secrets import all_that

from pyramidion.engine.seals import commitment

PAUSE = {"premove_pause": 0, "premove_pause_longest": 0}
pytestmark = pytest.mark.server(**PAUSE)


def order(table, seat, text, status=200):
    answer = table.client.put(f"{table.url}/premoves", headers=table.headers(seat), json={"text": text})
    assert answer.status_code == status, answer.text
    return answer.json()


def until(seen, what=True):
    """Wait until something is so: a premove is played by itself."""
    for _ in range(6000):
        if (now := seen()) == what:
            return now
        time.sleep(0.01)
    raise AssertionError(f"It is still {now}.")


def offered(new_table):
    """Return a table of Ponzi Scheme where seat `one` is to put an amount into an envelope for `other`."""
    table = new_table(["me"] * 3, seed="orders")
    while True:
        seat = table.get()["acting"][0]
        legal = [action.get("text", "") for action in table.get("/legal", seat)["legal"]]
        if offers := [action for action in legal if action.startswith("offer")]:
            _, other, industry = offers[0].split()
            table.play(offers[0])
            return table, seat, int(other), industry
        # All take the same industry, so that they can offer for it; who comes first takes the most money, and offers.
        funds = [action for action in legal if action.startswith("fund grain")]
        first = all(event["name"] != "funded" for event in table.get("/events")["events"])
        table.play(funds[-1 if first else 0] if funds else "pass")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("sell 6", "countered"),
        ("sell 5", "sold"),
        ("counter", "countered"),
        ("sell 6\n{industry} sell", "sold"),
        ("sell\nfrom {one} counter\nfrom {one} {industry} sell 5", "sold"),
        ("{industry} sell\nfrom {one} counter", "countered"),
    ],
)
def test_an_envelope_is_answered_as_was_said_before_it_came(new_table, text, answer):
    table, one, other, industry = offered(new_table)
    third = next(seat for seat in range(3) if seat not in (one, other))
    before = {viewer: all_that(table.client, table, viewer) for viewer in (one, third, None)}
    told = order(table, other, text.format(one=one, industry=industry))
    assert len(told["words"]) == len(text.splitlines())
    assert {viewer: all_that(table.client, table, viewer) for viewer in (one, third, None)} == before
    table.play("amount 5", one)
    until(lambda: table.get()["acting"] != [other])
    assert [event["name"] for event in table.get("/events", other)["events"]].count(answer) == 1
    kept = table.get("/premoves", other)
    assert (kept["last"]["what"], kept["text"] != "") == ("done", True)
    for viewer in (one, third):
        assert table.get("/premoves", viewer) == {"text": "", "words": [], "last": None}
    assert table.client.get(f"{table.url}/premoves").status_code == 403


def test_what_has_become_illegal_is_dropped_and_its_seat_told(new_table):
    table, one, other, _ = offered(new_table)
    order(table, other, "counter")
    cash = {seat: table.get("/view", seat)["view"]["players"][seat]["cash"] for seat in (one, other)}
    if cash[one] <= cash[other]:
        pytest.fail("The seed was to make the one who offers richer.")
    table.play(f"amount {cash[one]}", one)
    until(lambda: table.get("/premoves", other)["text"], "")
    last = table.get("/premoves", other)["last"]
    assert (last["what"], last["action"], last["rule"]) == ("dropped", "counter", "PZ 5.4")
    assert table.get()["acting"] == [other], "it is asked as if nothing had been said"
    assert table.get("/premoves", one)["last"] is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("perhaps", "is not an answer in advance"),
        ("sell -3", "is not an answer in advance"),
        ("from 9 sell", "Seat 9 cannot send you an envelope"),
        ("sell 99999", "is not an answer in advance"),
        ("sell\n" * 61, "at most 60 lines"),
        ("sell " * 1000, "at most 4000"),
    ],
)
def test_what_cannot_be_said_is_refused_and_what_was_said_stays(new_table, text, sentence):
    table = new_table()
    order(table, 0, "sell 41")
    assert sentence in order(table, 0, text, 400)["detail"]
    assert table.get("/premoves", 0)["text"] == "sell 41"
    answer = table.client.delete(f"{table.url}/premoves", headers=table.headers(0))
    assert answer.json()["text"] == ""


def test_throws_are_used_one_after_the_other_sealed_and_survive_a_restart(tmp_path):
    with serving(tmp_path, **PAUSE) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        table = Player(client, ["me"] * 3, "pyramid-shambo", seed="sealed")
        one = table.get()["acting"][0]
        other, third = (one + 1) % 3, (one + 2) % 3
        order(table, other, "rock, rock paper")
        assert "is not a throw" in order(table, one, "well", 400)["detail"]
        before = {viewer: all_that(client, table, viewer) for viewer in (one, third, None)}
        order(table, other, "rock rock paper")
        assert {viewer: all_that(client, table, viewer) for viewer in (one, third, None)} == before
    with serving(tmp_path, **PAUSE) as server, httpx.Client(base_url=server.address, timeout=60) as table.client:
        table.play(f"challenge {other}", one)
        until(lambda: table.get("/premoves", other)["text"], "rock\npaper")
        # Nobody sees that it has been thrown; its seat has a receipt, as for anything it submits.
        assert table.get()["acting"] == [one, other] or table.get()["acting"] == sorted([one, other])
        receipt = table.get("/view", other)["receipt"]
        text = ["pyramid-shambo", table.id, other, receipt["step"], ["throw rock"], receipt["nonce"]]
        assert receipt["commitment"] == commitment(*text)
        table.play("throw rock", one)  # a tie
        until(lambda: table.get("/premoves", other)["text"], "paper")
        # What is left can be changed until it is used.
        order(table, other, "scissors")
        assert table.get("/premoves", other)["text"] == "scissors"
        table.play("throw rock", one)
        assert [event["name"] for event in table.get("/events")["events"]].count("tied") == 2


def test_one_who_answers_by_hand_and_a_page_without_script(client, new_table):
    import re

    page = client.get("/games/pyramid-shambo/new").text
    token = re.search(r'name="csrf" value="([^"]+)"', page)[1]
    form = {"csrf": token, "game": "pyramid-shambo", "seats": "2", "seat-0": "me", "seat-1": "open", "me": "Ana"}
    url = client.post("/tables", data=form).headers["location"]
    assert "Answers in advance" in client.get(url).text
    for throw in ("rock", "paper"):
        assert client.post(f"{url}/premoves", data={"csrf": token, "throw": throw}).status_code == 303
    # An answer that has been played meanwhile leaves the others on a page from before where they are.
    late = client.post(f"{url}/premoves", data={"csrf": token, "withdraw": "0", "shown": "scissors\nrock\npaper"})
    assert late.status_code == 409
    assert "Your answers have changed meanwhile." in late.text
    assert 'name="shown" value="rock\npaper"' in late.text
    client.post(f"{url}/premoves", data={"csrf": token, "withdraw": "0", "shown": "rock\r\npaper"})
    shown = client.get(f"{url}/premoves").text
    assert "Withdraw: paper" in shown
    assert "Withdraw: rock" not in shown
    assert "is not a throw" in client.post(f"{url}/premoves", data={"csrf": token, "text": "well"}).text
    assert client.post(f"{url}/premoves", data={"throw": "rock"}).status_code == 403
    other = new_table(game="pyramis")
    assert other.client.get(f"{other.url}/premoves", headers=other.headers(0)).json()["error"] == "no-premoves"
    assert other.client.get(f"/t/{other.id}/premoves").status_code == 404
