"""Helpers of the tests in `test_protocol.py`, which other tests use, too."""

from pyramidion.web.http.uvicorn_protocol import LARGEST_HEAD, MOST_HEADERS


def head(size):
    """Return a request whose line and headers have this size as the limit counts them."""
    target, host = b"/health", b"Host: x\r\n"
    filler = b"X-Filler: \r\n"
    return b"GET %b HTTP/1.1\r\n%bX-Filler: %b\r\n\r\n" % (target, host, b"a" * (size - len(target + host + filler)))


TOO_LARGE = {
    "one byte": head(LARGEST_HEAD + 1),
    "an address": b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 2 * LARGEST_HEAD),
    "a query": b"GET /?%b HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a=1&" * LARGEST_HEAD),
    "a cookie": b"GET / HTTP/1.1\r\nCookie: a=%b\r\n\r\n" % (b"\\" * 120_000),
    "a name": b"GET / HTTP/1.1\r\n%b: 1\r\n\r\n" % (b"a" * 2 * LARGEST_HEAD),
    "many headers": b"GET / HTTP/1.1\r\n%b\r\n" % (b"a:\r\n" * (MOST_HEADERS + 1)),
    "many long headers": b"GET / HTTP/1.1\r\n%b\r\n" % (b"a: %b\r\n" % (b"b" * 1000) * 90),
    "spaces": b"GET / HTTP/1.1\r\nHost:%bx\r\n\r\n" % (b" " * 2 * LARGEST_HEAD),
    "an address without an end": b"GET /" + b"a" * 3 * LARGEST_HEAD,
    "a header without an end": b"GET / HTTP/1.1\r\nCookie: " + b"a" * 3 * LARGEST_HEAD,
    "headers without an end": b"GET / HTTP/1.1\r\n" + b"ab: cd\r\n" * LARGEST_HEAD,
}
