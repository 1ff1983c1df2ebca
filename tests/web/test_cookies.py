"""The cookies of requests: one parser, in linear time, for whatever a client sends."""

import ast
import time
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.responses import Response

import pyramidion
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.cookies import cookies_of
from pyramidion.web.http.languages import language_of

SOURCES = Path(pyramidion.__file__).parent


def scope_of(*headers):
    return {"headers": [(b"cookie", header.encode("latin-1")) for header in headers]}


@pytest.mark.parametrize(
    "value", ["a.b-c_d", "", "a=b==", "two words", 'a"b', "a,b;c", "back\\slash", "caf\u00e9", "\t", "1/2"]
)
def test_a_cookie_that_was_set_is_read(value):
    response = Response()
    response.set_cookie("name", value)
    sent = response.headers["set-cookie"].split("; Path=")[0]
    assert cookies_of(scope_of(f"other=1; {sent}; last=2")) == {"other": "1", "name": value, "last": "2"}
    assert SimpleCookie(sent)["name"].value == value


@pytest.mark.parametrize(
    ("headers", "cookies"),
    [
        ([], {}),
        ([""], {}),
        ([";;; ;"], {}),
        (["a=1;b=2"], {"a": "1", "b": "2"}),
        (["a=1", "b=2"], {"a": "1", "b": "2"}),
        (["a=1; a=2"], {"a": "2"}),
        (["flag; a=1"], {"a": "1"}),
        (["[broken]=1; a=1"], {"[broken]": "1", "a": "1"}),
        (['a="1'], {"a": '"1'}),
        (['a="'], {"a": '"'}),
        (["=1"], {"": "1"}),
    ],
)
def test_what_is_no_cookie_is_skipped(headers, cookies):
    assert cookies_of(scope_of(*headers)) == cookies


def test_a_broken_cookie_of_another_site_signs_nobody_out():
    visitors = Visitors("a key that is long enough to sign with")
    response = visitors.remember(visitors.somebody("ada"), Response())
    sent = response.headers["set-cookie"].split("; ")[0]
    assert visitors.holder(scope_of(f"[x]\x01=1; {sent}")) == "ada"
    assert language_of(scope_of("[x]\x01=1; pyramidion_language=fr")) == "fr"


@pytest.mark.parametrize("unit", ["\\", '\\"', "\\0", "a=", ";", '"', "=", '"\\012";', " "])
@pytest.mark.parametrize("before", ["", 'pyramidion_visitor="', 'pyramidion_language="'])
def test_reading_takes_linear_time(unit, before):
    """Thirty-two times the input takes less than a hundred times the processor time; a square would take a thousand."""

    def seconds(size):
        header = before + unit * (size // len(unit)) + '"'
        times = []
        for _ in range(5):
            scope = scope_of(header)
            start = time.thread_time()
            for _ in range(3):
                scope.pop("pyramidion.cookies", None)
                cookies_of(scope)
            times.append(time.thread_time() - start)
        return min(times)

    assert seconds(128_000) < 100 * max(seconds(4_000), 1e-5)


def test_no_other_parser_reads_cookies():
    """Both others are quadratic: `http.cookies`, and `request.cookies`, which uses a part of it."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")]
            )
            assert "http.cookies" not in modules, path
            assert not (isinstance(node, ast.Attribute) and node.attr == "cookies"), f"{path}:{node.lineno}"
