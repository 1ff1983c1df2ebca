"""Tests that nothing leaks: prices in envelopes, hands, who has decided, the number of actions."""

import contextlib

import pytest
from tests.web.helpers.secrets import ANSWERS, all_that, neutral


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Turn off presence, which would otherwise be sent at some point."""
    monkeypatch.setattr("pyramidion.web.table.views.viewers.PRESENCE_DELAY", 3600)


def world(client, new_table, price, answer):
    """Play one trade at a price; return what the third seat and a spectator received, step by step."""
    table = new_table(seed="two worlds", title="Trade")
    fund = lambda legal: next(one["text"] for one in legal if one["text"].startswith("fund media"))  # noqa: E731
    first = table.play(fund)
    table.play(fund)
    third = table.play(fund)
    assert third == (first + 2) % 3
    told = []
    with contextlib.ExitStack() as stack:
        streams = [
            stack.enter_context(table.stream(third)),
            stack.enter_context(table.stream()),
            stack.enter_context(table.stream(page=True)),
        ]
        for action in (f"offer {(first + 1) % 3} media", f"amount {price}", answer, "pass", "pass"):
            table.play(action)
            for stream in streams:
                while True:
                    block = stream.raw()
                    if any(line.startswith("event: table") for line in block):
                        break
                told.append(neutral(table, "\n".join(block)))
            told += all_that(client, table, third) + all_that(client, table, None)
    seen_by_both = [table.get("/view", seat)["view"]["players"][seat]["cash"] for seat in (first, (first + 1) % 3)]
    return told, seen_by_both


def test_two_worlds_with_different_prices_look_the_same_to_everybody_else(client, new_table):
    low, cash_low = world(client, new_table, 2, "sell")
    high, cash_high = world(client, new_table, 7, "sell")
    assert cash_low != cash_high
    assert low == high


def test_the_price_is_told_to_the_two_parties_alone(client, new_table):
    table = new_table(seed="two worlds")
    fund = lambda legal: next(one["text"] for one in legal if one["text"].startswith("fund media"))  # noqa: E731
    first, *_ = [table.play(fund) for _ in range(3)]
    second, third = (first + 1) % 3, (first + 2) % 3
    table.play(f"offer {second} media")
    table.play("amount 7")
    price = {seat: table.get("/view", seat)["view"]["envelope"]["price"] for seat in (first, second, third, None)}
    assert price == {first: 7, second: 7, third: None, None: None}
    names = {
        seat: [event["name"] for event in table.get("/events", seat)["events"]] for seat in (first, second, third, None)
    }
    assert [seat for seat, told in names.items() if "envelope" in told] == [first, second]


def test_nothing_tells_the_seed_or_the_number_of_actions(client, new_table):
    table = new_table(["me", "me", "me"], seed="a seed that nobody should see")
    table.play("pass")
    for viewer in (0, 1, 2, None):
        for text in all_that(client, table, viewer):
            assert "a seed that nobody" not in text
            assert '"ply"' not in text


def test_that_somebody_has_decided_early_is_not_told(client, new_table, outside):
    table = new_table(["me"] * 3, game="sealed-bid")
    with table.stream(0) as waiting, table.stream() as watching, table.stream(1) as deciding:
        for stream in (waiting, watching, deciding):
            stream.next()
        before = {viewer: all_answers(client, table, viewer) for viewer in (0, 2, None)}
        assert table.post(1, "bid 3").status_code == 200
        assert table.post(1, "bid 4").status_code == 200
        assert deciding.next()["events"][-1]["data"] == {"seat": 1, "bid": 3}
        assert table.post(1, "confirm").status_code == 200
        assert [deciding.next()["version"] for _ in range(2)] == [2, 3]
        assert {viewer: all_answers(client, table, viewer) for viewer in (0, 2, None)} == before
        # The next things these two hear are signs of life, and that with no hint of what has happened.
        assert waiting.raw() == watching.raw() == [": still here"]
        assert table.get("/view", 0)["acting"] == [0, 1, 2]
        assert table.get("/view", 1)["acting"] == [0, 2]
        assert table.post(1, "bid 5").status_code == 422
        for seat in (0, 2):
            assert table.post(seat, "confirm").status_code == 200
        heard = watching.next()
        assert [event["name"] for event in heard["events"]] == ["won"]
        assert heard["version"] == 1
        assert watching.last_id.startswith("1.")


def all_answers(client, table, viewer):
    return [client.get(f"{table.url}{what}", headers=table.headers(viewer)).text for what in ANSWERS[:-1]]
