"""Tests of event streams: nothing lost, nothing repeated, and resumable."""

import time

from pyramidion.web.play.streams import StreamPosition


def test_a_program_can_play_from_its_stream_alone(new_table):
    table = new_table(options={"round_limit": 1}, seed=3)
    with table.stream(0) as a, table.stream(1) as b, table.stream(2) as c:
        streams = [a, b, c]
        heard = [stream.next() for stream in streams]
        while not heard[0]["over"]:
            assert [message["version"] for message in heard] == [heard[0]["version"]] * 3
            [seat] = heard[0]["acting"]
            assert [seat for seat, message in enumerate(heard) if message.get("legal")] == [seat]
            first = heard[seat]["legal"][0]
            action = first["text"] if "text" in first else f"{first['family']} {first['low']}"
            assert table.post(seat, action, heard[seat]["version"]).status_code == 200
            heard = [stream.next() for stream in streams]
        assert heard[1]["outcome"]["rule"].startswith("PZ 10")


def test_no_event_is_left_out_and_none_comes_twice(new_table):
    table = new_table(options={"round_limit": 1}, seed=4)
    told = []
    with table.stream(1) as stream:
        while not table.get()["over"]:
            table.play(lambda legal: legal[-1].get("id", legal[-1].get("first_id")))
        while not (message := stream.next())["over"]:
            told += message["events"]
        told += message["events"]
    assert told == table.get("/events", 1)["events"]
    assert [event["n"] for event in told] == list(range(len(told)))


def test_a_lost_connection_goes_on_where_it_was(new_table):
    table = new_table(seed=5)
    with table.stream(0) as stream:
        first = stream.next()
        place = stream.last_id
    table.play("pass")
    table.play("pass")
    everything = table.get("/events", 0)["events"]
    for since in (place, "0"):
        with table.stream(0, since=since) as stream:
            message = stream.next()
            assert message["version"] == 2
            assert first["events"] + message["events"] == everything
    with table.stream(0, since="2") as stream:
        assert stream.next()["events"] == []
    for since in ("", "99", "-1", "nonsense", "9" * 50):
        with table.stream(0, since=since) as stream:
            assert stream.next()["events"] == everything


def test_the_header_of_a_reconnecting_browser_counts_before_the_address(new_table, client):
    table = new_table()
    table.play("pass")
    with client.stream("GET", f"{table.url}/stream?since=0", headers={"Last-Event-ID": "1"}) as answer:
        lines = answer.iter_lines()
        data = next(line for line in lines if line.startswith("data: "))
    assert '"events":[]' in data


def test_people_who_sit_down_are_told(new_table, client):
    table = new_table(["me", "open", "open"])
    with table.stream(0) as stream:
        assert [seat["kind"] for seat in stream.next()["seats"]] == ["person", "open", "open"]
        client.post(f"{table.url}/seats/2", json={"name": "Emmy"})
        assert stream.next("people")["seats"][2]["name"] == "Emmy"


def test_who_is_here_is_told(new_table):
    table = new_table()
    assert [seat["present"] for seat in table.get()["seats"]] == [False] * 3
    with table.stream() as watching:
        watching.next()
        with table.stream(1) as stream:
            stream.next()
            assert [seat["present"] for seat in watching.next("people")["seats"]] == [False, True, False]
        assert [seat["present"] for seat in watching.next("people")["seats"]] == [False] * 3


def test_a_quiet_stream_gives_signs_of_life(new_table):
    table = new_table()
    with table.stream() as stream:
        stream.next()
        assert stream.raw() == [": still here"]


def test_spectators_share_what_is_made_for_them(new_table, server):
    table = new_table()
    with table.stream() as first, table.stream() as second:
        assert first.next() == second.next()
        table.play("pass")
        assert first.next() == second.next()
        [channel] = server.app.server.tables._all[table.id].viewers.channels.values()
        assert len(channel.streams) == 2
        assert len(channel.made) == 1


def test_a_stream_that_ends_is_forgotten(new_table, server):
    table = new_table()
    with table.stream() as stream:
        stream.next()
    with table.stream(0) as stream:
        stream.next()
        while None in server.app.server.tables._all[table.id].viewers.channels:
            stream.raw()


def test_what_was_put_into_words_is_forgotten_when_nobody_is_there(new_table, server):
    table = new_table()
    with table.stream(0) as stream, table.stream(page=True) as page:
        table.play("pass")
        for reading in (stream, page):
            while reading.next()["version"] < 1:
                pass
        there = server.app.server.tables.cached(table.id)
        assert there.json_cache.texts_by_language
        assert there.action_log.viewer_log._texts
    end = time.monotonic() + 20
    while there.viewers.channels:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert not there.json_cache.texts_by_language
    assert not there.action_log.viewer_log._texts
    assert [event["text"] for event in table.get("/events")["events"]]


def test_a_place_is_read_from_what_a_stream_has_sent():
    assert StreamPosition.parse("12.345") == StreamPosition(12, 345)
    assert StreamPosition.parse("12") == StreamPosition(12, -1)
    for text in (None, "", "x", "-3", "1e3", "²", "9" * 30):
        assert StreamPosition.parse(text) == StreamPosition()
    assert StreamPosition.parse("3.x") == StreamPosition(3, -1)


def test_streams_end_when_the_server_stops(tmp_path):
    from tests.web.conftest import Player, httpx, serving

    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=20) as client:
        table = Player(client)
        with table.stream() as stream:
            stream.next()
            server.should_exit = True
            assert stream.next() is None
