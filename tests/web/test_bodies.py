"""The bodies of requests: limits of size, parts and values; what nobody has the right to send is not parsed."""

import json
import re
from contextlib import closing

import httpx
import pytest
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from tests.web.helpers.accounts import Person
from tests.web.helpers.bodies import VALUES
from tests.web.helpers.connections import Line, due, posted
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.portraits import picture
from tests.web.helpers.seasons import Host

from pyramidion.web.features.seasons import portraits
from pyramidion.web.http import bodies
from pyramidion.web.http.bodies import LARGEST_BODY, MOST_PARTS, largest_body
from pyramidion.web.names import LARGEST_PICTURE

KINDS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
FORMS_OF_NEWCOMERS = {"/language"}
"""Addresses that read a form without knowing its sender."""


@pytest.fixture
def parsed(monkeypatch):
    """Return the bodies that are parsed, of whatever kind, and the pictures that are decoded."""
    seen = []

    def spy(owner, name):
        original = getattr(owner, name)

        def spying(*arguments, **more):
            seen.append((name, arguments))
            return original(*arguments, **more)

        monkeypatch.setattr(owner, name, spying)

    spy(Request, "json")
    spy(bodies, "_fields")
    spy(MultiPartParser, "parse")
    spy(portraits, "shrunk")
    return seen


def changing(server):
    """Return the method and address of every route that can have a body."""
    found = []
    for route in routes_of(server.app.routes):
        for method in sorted(route.methods - {"GET", "HEAD"}):
            found.append((method, re.sub(r"\{\w+(:\w+)?\}", "0", route.path)))
    assert len(found) > 80
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chunked", [False, True])
def test_no_address_parses_a_body_over_its_limit(server, client, parsed, kind, chunked):
    person = Person(server)
    with closing(person):
        over_the_limit(person, server, parsed, kind, chunked)


def over_the_limit(person, server, parsed, kind, chunked):
    for method, path in changing(server):
        largest = largest_body({"path": path})
        body = b"a" * (largest + 1)
        content = iter([body[:largest], body[largest:]]) if chunked else body
        headers = {"content-type": kind, "x-csrf": person.csrf}
        answer = person.request(method, path, content=content, headers=headers)
        assert 400 <= answer.status_code < 500 or method == "DELETE", (method, path, answer.text[:300])
        assert [what for what, _ in parsed if what != "parse"] == [], (method, path)
        parsed.clear()


def test_no_form_of_a_stranger_is_parsed(server, client, parsed):
    for method, path in changing(server):
        for kind in KINDS[1:]:
            client.cookies.clear()
            client.request(method, path, content=b"csrf=1&language=en", headers={"content-type": kind})
            assert [what for what, _ in parsed] == [] or path in FORMS_OF_NEWCOMERS, (method, path, parsed)
            parsed.clear()


@pytest.mark.parametrize("declared", [True, False])
def test_the_last_piece_of_an_action_counts_as_well(new_table, server, declared):
    table = new_table()
    seat, version = due(table)
    body = json.dumps({"action": "pass", "version": version, "filler": "x" * LARGEST_BODY}).encode()
    with closing(Line(server)) as line:
        if declared:
            line.send(posted(table, seat, version, body=body))
        else:
            line.send(posted(table, seat, version, body=b"", headers=["Transfer-Encoding: chunked"]))
            for start in range(0, len(body), 60_000):
                line.send(b"%x\r\n%b\r\n" % (len(body[start : start + 60_000]), body[start : start + 60_000]))
            line.send(b"0\r\n\r\n")
        status, _, answer = line.answer()
    assert (status, answer["error"]) == (413, "too-large")


def test_a_body_that_is_declared_too_large_is_refused_before_it_comes(server, new_table):
    table = new_table()
    for path in ("/api/tables", f"{table.url}/actions", "/api/session"):
        with closing(Line(server)) as line:
            line.send(
                b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n"
                % path.encode()
            )
            assert line.answer()[0] == 413


@pytest.mark.parametrize("kind", VALUES)
def test_json_has_a_limit_of_values(client, parsed, kind):
    body = '{"game": "pyramis", "seats": ' + VALUES[kind] + "}"
    answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["detail"]) == (400, "The request has more than 5000 values.")
    assert parsed == []


def test_punctuation_in_a_text_is_no_value(client):
    text = "\n".join(["# " + ',[{\\"' * 80] * 200)
    answer = client.post("/api/tables", json={"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3, "cards": text})
    assert (answer.status_code, "must be an array" in answer.text) == (422, True), answer.text


def part(name, content=b"x", *headers, filename=None):
    more = f'; filename="{filename}"' if filename else ""
    lines = [f'Content-Disposition: form-data; name="{name}"{more}', *headers]
    return b"--x\r\n" + "\r\n".join(lines).encode() + b"\r\n\r\n" + content + b"\r\n"


def nested(depth):
    body = b"x"
    for level in range(depth):
        mark = b"b%d" % level
        body = b"Content-Type: multipart/mixed; boundary=%b\r\n\r\n--%b\r\n%b\r\n--%b--" % (mark, mark, body, mark)
    return body


@pytest.fixture
def contestant(client, server):
    host = Host(client)
    host.done("cast-added", name="Ana")
    host.done("cast-added", name="Ben")
    [link, _] = host.ask("GET", "/links").json()
    ana = Person(server)
    ana.say(f"/seasons/{host.id}/join", code=link["token"])
    ana.season = host.id
    yield ana
    ana.close()


def upload(person, *parts, end=b"--x--\r\n", kind=KINDS[2]):
    body = b"".join(parts) + end
    return person.post(f"/seasons/{person.season}/picture", content=body, headers={"content-type": kind})


def form(person, who="c1", csrf=None):
    return part("csrf", (csrf or person.csrf).encode()), part("who", who.encode())


def shown(data=None):
    return part("picture", data or picture(), "Content-Type: image/png", filename="a.png")


def test_a_picture_is_read_after_its_senders_rights(contestant, server, parsed):
    def decoded():
        return [what for what, _ in parsed if what == "shrunk"]

    read = []
    original = bodies._UploadParser.on_part_data

    def reading(parser, data, start, end):
        if parser._current_part.file is not None:
            read.append(end - start)
        original(parser, data, start, end)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bodies._UploadParser, "on_part_data", reading)
        stranger = Person(server)
        stranger.season = contestant.season
        refused = [
            (contestant, form(contestant, csrf="forged")),
            (contestant, form(contestant, who="c2")),
            (contestant, form(contestant, who="h1")),
            (contestant, form(contestant, who="nobody")),
            (contestant, form(contestant)[:1]),
            (contestant, form(contestant)[1:]),
            (stranger, form(stranger)),
        ]
        for sender, fields in refused:
            assert upload(sender, *fields, shown()).status_code == 403, fields
        assert upload(contestant, shown(), *form(contestant)).status_code == 403, "The fields come first."
        with httpx.Client(base_url=server.address) as nobody:
            nobody.season = contestant.season
            assert upload(nobody, part("who", b"c1"), shown()).status_code == 403
            nobody.season = "nowhere"
            assert upload(nobody, part("who", b"c1"), shown()).status_code == 404
        assert (read, decoded()) == ([], [])
        assert upload(contestant, *form(contestant), shown()).status_code == 303
        assert (sum(read), decoded()) == (len(picture()), ["shrunk"])
        stranger.close()


def test_the_api_checks_rights_before_it_reads_a_picture(contestant, client, server, monkeypatch):
    read = []
    original = Request.body

    async def reading(request):
        read.append(request.url.path)
        return await original(request)

    monkeypatch.setattr(Request, "body", reading)
    path = f"/api/seasons/{contestant.season}/portraits"
    csrf = {"x-csrf": contestant.csrf}
    stranger = Person(server)
    for sender, who, headers in (
        (client, "c1", {}),
        (client, "c1", {"Authorization": "Bearer x"}),
        (contestant, "c1", {}),
        (contestant, "c2", csrf),
        (contestant, "nobody", csrf),
        (stranger, "c1", {"x-csrf": stranger.csrf}),
    ):
        answer = sender.put(f"{path}/{who}/picture", content=picture(), headers=headers)
        assert answer.status_code in (401, 403), answer.text
    assert read == []
    assert contestant.put(f"{path}/c1/picture", content=picture(), headers=csrf).status_code == 200
    stranger.close()


MALFORMED = {
    "a nested form": lambda me: [*form(me), part("picture", nested(1), "Content-Type: multipart/mixed; boundary=b0")],
    "a deep one": lambda me: [part("deep", nested(300), "Content-Type: multipart/mixed; boundary=b299"), *form(me)],
    "a nested file": lambda me: [*form(me), part("picture", b"x", "Content-Type: MULTIPART/mixed", filename="a")],
    "many parts": lambda me: [*form(me), *[part(f"f{n}") for n in range(MOST_PARTS)], shown()],
    "many files": lambda me: [*form(me), shown(), shown()],
    "many headers": lambda me: [part("a", b"", *[f"X-{n}: y" for n in range(50)]), *form(me), shown()],
    "a long header": lambda me: [part("a", b"", f"X-Long: {'y' * 9000}"), *form(me), shown()],
    "a long name": lambda me: [part("a" * 900), *form(me), shown()],
    "parameters": lambda me: [part("a" + '"; b=";' * 500), *form(me), shown()],
    "a long field": lambda me: [part("a", b"x" * 5000), *form(me), shown()],
    "no name": lambda me: [b"--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n", *form(me), shown()],
    "NUL": lambda me: [part("back", b"a\0b"), *form(me), shown()],
    "something else": lambda me: [b"\r\n" * 1000 + b"nonsense"],
    "nothing": lambda me: [],
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_form_with_a_picture_is_refused(contestant, parsed, kind):
    answer = upload(contestant, *MALFORMED[kind](contestant))
    assert answer.status_code in (400, 403), answer.text[:300]
    assert [what for what, _ in parsed] == ["parse"]


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=" + "x" * 300,
        "multipart/form-data; charset=zip; boundary=x",
        "multipart/form-data; charset=nonsense; boundary=x",
        "multipart/mixed; boundary=x",
        'multipart/form-data; a="' + ";" * 15_000,
        "text/plain",
    ],
)
def test_a_content_type_that_cannot_be_read_is_no_fault_of_the_server(contestant, kind):
    assert upload(contestant, *form(contestant), shown(), kind=kind).status_code in (303, 400, 403)


def test_a_picture_of_the_largest_size_arrives(contestant, monkeypatch):
    arrived = []
    monkeypatch.setattr(portraits, "shrunk", lambda data: arrived.append(data) or b"small")
    data = bytes(range(256)) * (LARGEST_PICTURE // 256)
    assert upload(contestant, *form(contestant), shown(data)).status_code == 303
    assert arrived == [data]
    assert upload(contestant, *form(contestant), shown(data + b"x" * LARGEST_BODY)).status_code == 413


def test_a_referer_that_is_no_address_is_ignored(client):
    answer = client.post("/language", data={"language": "fr"}, headers={"referer": "http://[x"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
