"""No request that a stranger can send holds the event loop for long.

Holds are measured in processor time of the loop's thread, and compared with a piece of work that takes about 50 ms on
the machine on which the limits were set, so that a slow or busy machine changes nothing.
"""

import asyncio
import gc
import json
import time
from contextlib import closing

import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.bodies import VALUES
from tests.web.helpers.connections import Line
from tests.web.helpers.protocol import TOO_LARGE

from pyramidion.web.http.bodies import LARGEST_BODY, LARGEST_TABLE
from pyramidion.web.http.uvicorn_protocol import LARGEST_HEAD

TRIES = 3
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
HEADERS = (
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Host", "If-None-Match", "Origin"),
    *("Last-Event-ID", "Range", "Referer", "User-Agent", "X-CSRF", "X-Forwarded-For", "X-Forwarded-Proto"),
)
UNITS = (
    "a",
    "1",
    ",",
    ";",
    "\\",
    '"',
    "a=1;",
    "a;q=0.1,",
    'W/"a",',
    "http://[",
    "0-1,",
    ".",
    "%41",
    "pyramidion_visitor=\\",
)
PATHS = ("/", "/health", "/t/x", "/t/x/stream", "/api/tables/x/stream", "/lobby", "/account", "/seasons", "/nowhere")


def reference():
    """Return the processor time of a fixed piece of work: about 50 ms."""
    start, total = time.thread_time(), 0
    for number in range(800_000):
        total += number & 7
    assert total
    return time.thread_time() - start


@pytest.fixture
def holds(monkeypatch):
    """Return the processor times of what the event loop has run without a break."""
    times, run = [0.0], asyncio.Handle._run

    def timed(handle):
        start = time.thread_time()
        run(handle)
        times.append(time.thread_time() - start)

    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    # As the server does once everything is loaded; a collection of all that the tests have loaded takes a second.
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    yield times
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def filled(unit, size):
    return (unit * (size // len(unit)))[:size]


def requests():
    """Return the worst requests of each kind, by a name: method, path, headers, body."""
    for path in PATHS:
        for unit in ("a=1&", "a=%41&", "%41", "a", "&", "%ff"):
            yield f"query {unit}", ("GET", f"{path}?{filled(unit, 15_000)}", {}, None)
    for path in ("/", "/health", "/t/x/stream"):
        for name in HEADERS:
            for unit in UNITS:
                yield f"{name} {unit}", ("GET", path, {name: filled(unit, 15_000)}, None)
    for begin in ("", "/t", "/api/tables", "/static", "/language", "/seasons", "/people", "/api/seasons"):
        for unit in ("/a", "/..", "/%2e", "a", "%e4%b8%ad"):
            yield f"path {unit}", ("GET", f"{begin}/{filled(unit, 15_000)}", {}, None)
    for path in ("/api/tables", "/api/tables/x/actions", "/api/session", "/api/account", "/api/seasons", "/api/clubs"):
        for kind, value in VALUES.items():
            yield f"values {kind}", ("POST", path, {"content-type": JSON}, value[: LARGEST_BODY - 1])
        for kind, unit in {
            "backslashes": "\\\\",
            "escapes": "\\u0041",
            "letters": "\U0001d54f",
            "names": "\ufdfa",
            "marks": "\u0301",
        }.items():
            text = unit * ((LARGEST_BODY - 100) // 2 // len(unit.encode()))
            body = '{"game": "pyramis", "name": "@", "title": "@"}'.replace("@", text)
            yield f"text {kind}", ("POST", path, {"content-type": JSON}, body.encode())
        for number in ("1" * 60_000, "1." + "1" * 60_000, "1e" + "9" * 60_000, "-" * 60_000):
            yield "a number", ("POST", path, {"content-type": JSON}, '{"game": ' + number + "}")
    size = LARGEST_TABLE - 1000
    for kind, unit in {"numbers": "1,", "lists": "[],", "texts": '"",', "letters": '"a,",', "keys": '"a":1,'}.items():
        yield f"a table of {kind}", ("POST", "/api/tables", {"content-type": JSON}, '{"seats": [' + filled(unit, size))
    for unit in ("\\\\", "\\n", "\\u4e2d", "\u4e2d", ',[{\\"'):
        body = json.dumps({"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3, "cards": "@"})
        cards = unit * (size // 2 // len(unit.encode()))
        yield f"cards {unit}", ("POST", "/api/tables", {"content-type": JSON}, body.replace("@", cards).encode())
    for path, size in (("/tables", LARGEST_TABLE), ("/account/sign-in", LARGEST_BODY), ("/language", LARGEST_BODY)):
        for unit in ("a=%41&", "%41", "a&", "&", "+", "a", "%ff", "\u4e2d"):
            body = ("a=" + unit * ((size - 10) // len(unit.encode()))).encode()
            yield f"form {unit}", ("POST", path, {"content-type": FORM}, body)


def test_no_request_holds_the_event_loop(server, client, new_table, holds):
    new_table()  # loads the rules
    limit = min(reference() for _ in range(TRIES))
    slow = {}
    with closing(Person(server)) as person:
        for name, (method, path, headers, body) in requests():
            for _ in range(TRIES):
                holds.clear()
                answer = person.request(method, path, headers={"x-csrf": person.csrf, **headers}, content=body)
                assert answer.status_code != 500, name
                if max(holds) < limit:
                    break
            else:
                slow[name, path[:40]] = max(holds)
    assert slow == {}, f"The limit is {limit}."


RAW = {
    **TOO_LARGE,
    "pipelined": b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 3000,
    "chunks": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"1\r\na\r\n" * 60_000
    + b"0\r\n\r\n",
    "cookies": b"GET / HTTP/1.1\r\nCookie: %b\r\n\r\n" % (b"a=\\;" * (LARGEST_HEAD // 4 - 20)),
    "blank lines": b"\r\n" * 300_000,
}


def test_no_connection_holds_the_event_loop(server, holds):
    limit = min(reference() for _ in range(TRIES))
    slow = {}
    for name, data in RAW.items():
        for _ in range(TRIES):
            holds.clear()
            with closing(Line(server)) as line:
                try:
                    line.send(data)
                    line.file.readline()
                except (BrokenPipeError, ConnectionResetError):
                    pass
            if max(holds) < limit:
                break
        else:
            slow[name] = max(holds)
    assert slow == {}, f"The limit is {limit}."
