"""The limits on what comes before, between and after the bodies of requests."""

import asyncio
import re
from contextlib import closing

import pytest
from tests.web.helpers.connections import Line
from tests.web.helpers.protocol import TOO_LARGE, head
from uvicorn import Config
from uvicorn.server import ServerState

from pyramidion.web.http.uvicorn_protocol import LARGEST_HEAD, MOST_HEADERS, MOST_PIPELINED, Protocol

PLAIN = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
MEGABYTE = 1 << 20


@pytest.mark.parametrize("kind", TOO_LARGE)
def test_a_head_that_is_too_large_is_refused_with_a_sentence(server, kind):
    with closing(Line(server)) as line:
        line.send(TOO_LARGE[kind])
        answer = line.file.read()
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert answer.endswith(b"\r\n\r\nThe address and headers of a request can have at most 16 kB, and 100 headers.")


def test_the_sentence_is_in_the_readers_language(server):
    with closing(Line(server)) as line:
        line.send(b"GET / HTTP/1.1\r\nAccept-Language: fr\r\n" + b"a: b\r\n" * MOST_HEADERS + b"\r\n")
        assert "en-têtes" in line.file.read().decode()


def test_a_head_of_the_largest_size_is_accepted(server):
    with closing(Line(server)) as line:
        for request in (head(LARGEST_HEAD), PLAIN.replace(b"\r\n\r\n", b"\r\na: b" * (MOST_HEADERS - 1) + b"\r\n\r\n")):
            line.send(request)
            assert line.answer()[0] == 200


def test_a_megabyte_of_headers_is_not_kept(server):
    """The client may go on sending: the server throws it away, and others are answered meanwhile."""
    with closing(Line(server)) as line:
        line.send(b"GET / HTTP/1.1\r\nCookie: ")
        try:
            for _ in range(32):
                line.send(b"a" * MEGABYTE)
        except (BrokenPipeError, ConnectionResetError):
            pass
        with closing(Line(server)) as other:
            other.send(PLAIN)
            assert other.answer()[0] == 200


class Transport(asyncio.Transport):
    """The server's end of a connection, of which a test is the other."""

    def __init__(self):
        super().__init__()
        self.sent, self.closing = b"", False

    def is_closing(self):
        return self.closing

    def close(self):
        self.closing = True

    def write(self, data):
        self.sent += bytes(data)

    def write_eof(self):
        pass

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


@pytest.fixture
async def protocol():
    """A connection to an application that never answers."""
    heads = []

    async def application(scope, _receive, _send):
        heads.append(scope)
        await asyncio.Event().wait()

    state = ServerState()
    made = Protocol(Config(application, http=Protocol, lifespan="off"), state, {})
    made.connection_made(Transport())
    made.heads = heads
    yield made
    for task in state.tasks:
        task.cancel()
    await asyncio.gather(*state.tasks, return_exceptions=True)


def kept(protocol):
    """Return how many bytes of a connection are stored besides the body."""
    queued = sum(len(cycle.scope["path"]) + 100 for cycle, _app in protocol.pipeline)
    head = sum(len(name) + len(value) for name, value in protocol.headers or ())
    return queued + head + len(getattr(protocol, "url", b""))


ENDLESS = {
    "headers": (b"GET / HTTP/1.1\r\n", b"abcd: efgh\r\n"),
    "trailers": (POST + b"2\r\n{}\r\n0\r\n", b"abcd: efgh\r\n"),
    "a trailer": (POST + b"2\r\n{}\r\n0\r\nabcd: ", b"efgh"),
    "an extension of a chunk": (POST + b"2;a=", b"efgh"),
    "requests": (b"", PLAIN),
    "empty lines": (b"", b"\r\n"),
}


@pytest.mark.parametrize("kind", ENDLESS)
async def test_what_never_ends_is_cut_off(protocol, kind):
    begin, unit = ENDLESS[kind]
    protocol.data_received(begin)
    for _ in range(16):
        if protocol.transport.closing or b" 431 " in protocol.transport.sent:
            break
        protocol.data_received(unit * (65536 // len(unit)))
        assert kept(protocol) < 2 * LARGEST_HEAD
        await asyncio.sleep(0)
    else:
        pytest.fail("The connection goes on.")


async def test_pipelined_requests_have_a_limit(protocol):
    protocol.data_received(PLAIN * (MOST_PIPELINED + 1))
    assert not protocol.transport.closing
    protocol.data_received(PLAIN * 2)
    assert protocol.transport.closing


@pytest.mark.parametrize("size", [1, 7, 100, 8192])
async def test_a_body_comes_in_chunks_of_any_size(protocol, size):
    """The lengths and line ends of chunks are no head."""
    body = bytes(range(97, 123)) * 2000
    protocol.data_received(POST)
    for start in range(0, len(body), size):
        piece = body[start : start + size]
        protocol.data_received(b"%x\r\n%b\r\n" % (len(piece), piece))
    protocol.data_received(b"0\r\n\r\n")
    assert bytes(protocol.cycle.body) == body
    assert not protocol.cycle.more_body


async def test_a_large_body_in_one_piece(protocol):
    request = re.sub(rb"Transfer-Encoding: chunked", b"Content-Length: 1000000", POST) + b"x" * 1_000_000
    protocol.data_received(request)
    assert len(protocol.cycle.body) == 1_000_000
