"""Actions and streams on connections of their own: whatever way a request is sent, it is answered, and once."""

import json

import pytest
from tests.web.helpers.connections import Line, due, posted


@pytest.fixture
def line(server):
    line = Line(server)
    yield line
    line.close()


def test_an_action_in_one_piece_in_many_and_in_chunks(new_table, line):
    table = new_table()
    seat, version = due(table)
    line.send(posted(table, seat, version))
    status, headers, body = line.answer()
    assert (status, body) == (200, {"version": version + 1})
    assert headers == {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-length": str(len(b'{"version":%d}' % (version + 1))),
    }
    seat, version = due(table)
    whole = posted(table, seat, version)
    line.send(*(whole[n : n + 7] for n in range(0, len(whole), 7)))
    assert line.answer()[::2] == (200, {"version": version + 1})
    seat, version = due(table)
    body = json.dumps({"action": "pass", "version": version}).encode()
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    line.send(posted(table, seat, version, headers=["Transfer-Encoding: chunked"], body=chunks))
    assert line.answer()[::2] == (200, {"version": version + 1})


def test_two_requests_at_once_are_answered_in_turn(new_table, line):
    table = new_table()
    seat, version = due(table)
    line.send(posted(table, seat, version) + posted(table, seat, version) + b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    assert line.answer()[0] == 200
    status, _, body = line.answer()
    assert (status, body["error"]) == (409, "stale")
    assert line.answer()[2]["status"] == "ok"


def test_the_connection_ends_where_that_was_asked_for(new_table, server):
    for more, start in (["Connection: close"], "HTTP/1.1"), ([], "HTTP/1.0"):
        table, line = new_table(), Line(server)
        seat, version = due(table)
        line.send(posted(table, seat, version, headers=more, start=start))
        assert line.answer()[0] == 200
        assert line.answer() is None
        line.close()


def test_whoever_asks_whether_to_go_on_is_told_so(new_table, line):
    table = new_table()
    seat, version = due(table)
    whole = posted(table, seat, version, headers=["Expect: 100-continue"])
    head, _, body = whole.partition(b"\r\n\r\n")
    line.send(head + b"\r\n\r\n")
    assert line.file.readline() == b"HTTP/1.1 100 Continue\r\n"
    assert line.file.readline() == b"\r\n"
    line.send(body)
    assert line.answer()[0] == 200


@pytest.mark.parametrize("size", [32_000, 200_000])
def test_a_body_that_is_too_long_changes_nothing(new_table, server, size):
    table, line = new_table(), Line(server)
    seat, version = due(table)
    line.send(posted(table, seat, version, body=b"x" * size))
    status, _, body = line.answer()
    assert (status, body["error"]) in ((400, "bad-request"), (413, "too-large"))
    assert table.get("/legal", seat)["version"] == version
    line.close()


def test_what_is_not_http_is_refused_and_others_go_on(new_table, server, line):
    table = new_table()
    other = Line(server)
    other.send(b"POST /api/tables/x/actions HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde")
    assert other.file.readline().startswith(b"HTTP/1.1 400")
    other.close()
    half = Line(server)
    seat, version = due(table)
    half.send(posted(table, seat, version)[:-5])
    half.close()
    line.send(posted(table, seat, version))
    assert line.answer()[0] == 200


def test_a_fault_is_answered_and_other_connections_go_on(new_table, server, line, monkeypatch):
    table = new_table()
    seat, version = due(table)
    take = server.app.fast_path.take

    async def fails(scope, receive, send):
        if scope["path"].endswith("/actions"):
            raise RuntimeError("broken")
        return await take(scope, receive, send)

    monkeypatch.setattr(server.app.fast_path, "take", fails)
    line.send(posted(table, seat, version))
    assert line.file.readline() == b"HTTP/1.1 500 Internal Server Error\r\n"
    monkeypatch.undo()
    another = Line(server)
    another.send(posted(table, seat, version))
    assert another.answer()[0] == 200
    another.close()


def test_a_connection_that_rests_is_closed_and_one_in_use_is_not(server, new_table, monkeypatch):
    monkeypatch.setattr(server.config, "timeout_keep_alive", 0.2)
    table, busy, resting = new_table(), Line(server), Line(server)
    seat, version = due(table)
    whole = posted(table, seat, version)
    busy.send(whole + whole[:-30])
    assert busy.answer()[0] == 200
    resting.send(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    assert resting.answer()[0] == 200
    assert resting.answer() is None
    busy.send(whole[-30:])
    assert busy.answer()[0] == 409
    assert busy.answer() is None
    resting.close()
    busy.close()
