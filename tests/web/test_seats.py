"""Visitors: signed cookies, forms of our own pages only, and the headers that every page has."""

import re

import httpx
import pytest

from pyramidion.web.errors import BadRequest
from pyramidion.web.http.authentication import COOKIE, Visitors, require_same_origin
from pyramidion.web.names import clean_name

KEY = "k" * 32


def scope(*headers):
    return {"type": "http", "headers": [(name.lower().encode(), value.encode()) for name, value in headers]}


def cookie_of(visitors, holder):
    signed = visitors._signer.sign(holder).decode()
    return ("Cookie", f"other=1; {COOKIE}={signed}; more=2")


def test_only_a_cookie_with_our_signature_is_believed():
    visitors = Visitors(KEY)
    assert visitors.holder(scope(cookie_of(visitors, "ada"))) == "ada"
    assert visitors.holder(scope(cookie_of(Visitors("x" * 32), "ada"))) is None
    for value in ("ada", "ada.", "ada.AAAA", "", '"', "\\", "é.é"):
        assert visitors.holder(scope(("Cookie", f"{COOKIE}={value}"))) is None
    assert visitors.holder(scope()) is None


def test_a_token_belongs_to_one_visitor():
    visitors = Visitors(KEY)
    assert visitors.csrf("ada") == visitors.csrf("ada")
    assert visitors.csrf("ada") != visitors.csrf("bob")
    assert visitors.csrf("ada") != Visitors("x" * 32).csrf("ada")


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        ((("Origin", "http://pyramid.local:8000"),), True),
        ((("Origin", "https://pyramid.local:8000"),), True),
        ((("Origin", "http://Pyramid.Local:8000"),), True),
        ((), True),
        ((("Sec-Fetch-Site", "same-origin"),), True),
        ((("Sec-Fetch-Site", "none"),), True),
        ((("Origin", "http://evil.example"),), False),
        ((("Origin", "http://pyramid.local:8001"),), False),
        ((("Origin", "http://pyramid.local.evil.example:8000"),), False),
        ((("Origin", "null"),), False),
        ((("Origin", "http://[::1"),), False),
        ((("Sec-Fetch-Site", "cross-site"),), False),
        ((("Sec-Fetch-Site", "same-site"),), False),
    ],
)
def test_another_sites_requests_are_known_by_their_headers(headers, accepted):
    asked = scope(("Host", "pyramid.local:8000"), *headers)
    if accepted:
        require_same_origin(asked)
    else:
        with pytest.raises(Exception, match="another site"):
            require_same_origin(asked)


def test_names_are_tidied():
    assert clean_name("  Ada \t Lovelace ") == "Ada Lovelace"
    assert clean_name("") is None
    assert clean_name(None) is None
    assert clean_name("<b>Zoë</b>") == "<b>Zoë</b>"
    for bad in ("x" * 41, "a\u200bb", "a\x00b", "\u202eevil"):
        with pytest.raises(BadRequest):
            clean_name(bad)


@pytest.fixture
def visitor(server):
    """A browser that has opened the form for a new table."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        page = client.get("/games/ponzi-scheme/new")
        client.csrf = re.search(r'name="csrf" value="(\w+)"', page.text)[1]
        yield client


def form(visitor, **more):
    seats = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
    return {"csrf": visitor.csrf, "game": "ponzi-scheme", "seats": "3", "me": "Ada", **seats, **more}


def started(visitor):
    answer = visitor.post("/tables", data=form(visitor))
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def test_the_cookie_is_for_us_alone(server):
    with httpx.Client(base_url=server.address) as client:
        cookie = client.get("/games/ponzi-scheme/new").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie


def test_a_visitor_takes_a_seat_and_acts_through_the_page_and_the_api(visitor):
    url = started(visitor)
    api = f"/api{url.replace('/t/', '/tables/')}"
    about = visitor.get(api).json()
    assert about["seat"] == 0
    assert about["seats"][0]["name"] == "Ada"
    body = {"action": "pass", "version": 0}
    assert visitor.post(f"{api}/actions", json=body).json()["error"] == "forged"
    answer = visitor.post(f"{api}/actions", json=body, headers={"X-CSRF": visitor.csrf})
    assert answer.json().get("error") in (None, "illegal-action")


@pytest.mark.parametrize("token", [None, "", "0" * 40, "é"])
def test_a_form_without_the_visitors_token_is_refused(visitor, token):
    data = form(visitor)
    data.pop("csrf")
    if token is not None:
        data["csrf"] = token
    answer = visitor.post("/tables", data=data)
    assert answer.status_code == 403
    assert "Reload it and try again" in answer.text


def test_a_form_sent_by_another_sites_page_is_refused(visitor):
    url = started(visitor)
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        for path in ("/tables", f"{url}/sit", f"{url}/act"):
            answer = visitor.post(path, data=form(visitor, version="0", action="pass", seat="1"), headers=headers)
            assert answer.status_code == 403
        answer = visitor.post("/api/tables", json={"game": "ponzi-scheme", "seats": []}, headers=headers)
        assert answer.status_code == 403
    assert visitor.get(f"/api{url.replace('/t/', '/tables/')}").json()["version"] == 0


def test_a_token_without_the_cookie_is_refused(visitor, server):
    url = started(visitor)
    answer = httpx.post(f"{server.address}{url[1:]}/act", data=form(visitor, version="0", action="pass"))
    assert answer.status_code == 403


def test_somebody_else_with_a_cookie_of_their_own_cannot_act(visitor, server):
    url = started(visitor)
    with httpx.Client(base_url=server.address) as other:
        page = other.get("/games/ponzi-scheme/new").text
        csrf = re.search(r'name="csrf" value="(\w+)"', page)[1]
        headers = {"accept": "application/json"}
        answer = other.post(f"{url}/act", data={"csrf": csrf, "version": "0", "action": "pass"}, headers=headers)
        assert answer.status_code == 403
        assert "You are watching" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path", ["/", "/games/ponzi-scheme/new", "/games/ponzi-scheme/rules", "/api/games", "/nowhere", "/health"]
)
def test_every_answer_has_its_security_headers(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_a_form_that_cannot_be_read_is_refused(visitor):
    for content in (b"\xff\xff=1", b"a&" * 1000, b"x=" + b"y" * 70000):
        headers = {"content-type": "application/x-www-form-urlencoded", "x-csrf": visitor.csrf}
        answer = visitor.post("/tables", content=content, headers=headers)
        assert 400 <= answer.status_code < 500
    assert visitor.post("/tables", json={}).status_code == 400
