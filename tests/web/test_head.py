"""HEAD is answered wherever GET is, with the same status and headers, and without a body."""

import re
from contextlib import closing

import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.connections import Line
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.polling import wait_until
from tests.web.helpers.seasons import Host

from pyramidion.web.pages.assets import assets

VARYING = {"content-length", "set-cookie", "transfer-encoding", "etag", "www-authenticate"}
"""Headers that differ between two requests, or that a response without a body lacks."""


def head_of(person, method, path):
    with person.stream(method, path) as answer:
        return answer.status_code, {name: value for name, value in answer.headers.items() if name not in VARYING}


def test_every_address_that_answers_get_answers_head(server, new_table, client):
    table, season = new_table(), Host(client)
    known = {"table_id": table.id, "season_id": season.id, "game_id": "pyramis", "version": assets().base[8:]}
    known |= {"name:path": "shared.css", "seat": "0"}
    answered = set()
    with closing(Person(server, "Ana")) as person:
        for route in routes_of(server.app.routes):
            if "GET" not in route.methods:
                continue
            for values in (known, {}):
                path = re.sub(r"\{([^}]+)\}", lambda name, values=values: values.get(name[1], "0"), route.path)
                expected = head_of(person, "GET", path)
                assert head_of(person, "HEAD", path) == expected, path
                answered.add(expected[0])
    assert {200, 404} <= answered


@pytest.mark.parametrize("path", ["/ready", "/health", "/", "/static/x/shared.css", "/api/games", "/nowhere"])
def test_the_length_is_that_of_the_body(client, path):
    answer = client.head(path)
    assert answer.content == b""
    assert answer.headers["content-length"] == client.get(path).headers["content-length"]


def test_a_stream_ends_after_its_headers_and_the_connection_goes_on(server, new_table):
    table = new_table()
    with closing(Line(server)) as line:
        for path in (f"{table.url}/stream", f"/t/{table.id}/stream", "/ready", f"/t/{table.id}/stream"):
            line.send(f"HEAD {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert line.file.readline() == b"HTTP/1.1 200 OK\r\n"
            headers = b"".join(iter(line.file.readline, b"\r\n"))
            assert (b"text/event-stream" in headers) == path.endswith("stream")
        line.send(b"GET /ready HTTP/1.1\r\nHost: x\r\n\r\n")
        assert line.answer()[0] == 200
    wait_until(lambda: server.app.server.streams.count == 0)


def test_whoever_asks_with_another_method_is_told_which_ones_are_answered(client, server):
    routes = [route for route in routes_of(server.app.routes) if getattr(route, "methods", None)]
    refused = 0
    for path in {route.path for route in routes}:
        asked = re.sub(r"\{[^}]+\}", "0", path)
        answer = client.request("TRACE", asked)
        if answer.status_code == 405:
            allowed = set(answer.headers["allow"].split(", "))
            own = set().union(*(route.methods for route in routes if route.path == path))
            assert own <= allowed, path
            assert ("HEAD" in allowed) is ("GET" in allowed)
            refused += 1
    assert refused > 100
    assert client.head("/api/tables").headers["allow"] == "POST"
