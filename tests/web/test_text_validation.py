"""U+0000 and halves of pairs are refused at the door, wherever text comes in."""

import json
import re
from urllib.parse import quote

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.databases import BOTH, url_at

from pyramidion.web.errors import BadRequest
from pyramidion.web.http.text_validation import FORM, require_text_body

BAD = ["\x00", "a\x00b", "\ud800", "\udc00", "x\udfffx", "\udc00\ud800", "\ud800\ud800\udc00", "😀\udc00"]
GOOD = ["", "100%00", "\\u0000", "\\\\ud800", "😀", "\u2028 a", '"\\"', "\ue000\ufffd"]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_text_is_refused(text):
    with pytest.raises(BadRequest, match="U\\+0000 or an unpaired surrogate"):
        require_text_body(json.dumps({"a": [text]}).encode())
    with pytest.raises(BadRequest):
        require_text_body(json.dumps(["\\" + text], ensure_ascii=False).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("text", GOOD)
def test_other_text_is_not(text):
    require_text_body(json.dumps({"a": [text]}).encode())
    require_text_body(json.dumps([text], ensure_ascii=False).encode())
    require_text_body(f"a={quote(text)}".encode(), FORM + b"; charset=utf-8")


def test_of_a_form_it_is_what_it_means_that_counts():
    for body in (b"a=%00", b"%00=a", b"a=\0"):
        with pytest.raises(BadRequest):
            require_text_body(body, FORM)


@pytest.fixture(scope="module", params=BOTH)
def running(request, tmp_path_factory):
    from tests.web.helpers.databases import DATABASES

    DATABASES.kind = request.param
    folder = tmp_path_factory.mktemp("text")
    url = url_at(folder)
    DATABASES.kind = "sqlite"
    with serving(folder, database_url=url) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        yield client


@pytest.mark.parametrize("text", ["a\x00b", "\ud83d"])
def test_everything_that_takes_a_body_refuses_it(running, text):
    table = Player(running)
    csrf = re.search(r'name="csrf" value="(\w+)"', running.get("/account").text)[1]
    document = running.get("/api/openapi.json").json()["paths"]
    body = json.dumps(dict.fromkeys(("action", "seen", "line", "name", "text", "code", "contribution"), text))
    asked = [
        (method, path)
        for path, methods in document.items()
        for method, about in methods.items()
        if "requestBody" in about
    ]
    assert len(asked) > 20
    for method, path in [*asked, ("post", "/api/tables/{table_id}/actions")]:
        url = re.sub(r"\{table_id\}", table.id, path)
        url = re.sub(r"\{\w+\}", "0", url)
        headers = {**table.headers(0), "Content-Type": "application/json"}
        answer = running.request(method, url, content=body, headers=headers)
        assert answer.status_code in (400, 404, 405), (method, path, answer.text)
        if answer.status_code == 400:
            assert "unpaired surrogate" in answer.json()["detail"]
    if "\x00" in text:
        for path in ("/account/sign-in", "/account/sign-up", "/tables", f"/t/{table.id}/sit", f"/t/{table.id}/come"):
            answer = running.post(path, data={"csrf": csrf, "name": text, "code": text})
            assert answer.status_code == 400, (path, answer.text)


@pytest.mark.parametrize(
    "path",
    [
        "/t/%00",
        "/api/tables/a%00b",
        "/api/join/%00",
        "/api/tables?x=%00",
        "/account?back=%00",
        "/games/ponzi-scheme/new?title=a%00",
        "/api/tables/x/stream?since=%00",
    ],
)
def test_no_address_holds_it(running, path):
    answer = running.get(path)
    assert answer.status_code == 400
    assert "U+0000" in answer.text


@pytest.mark.parametrize("path", ["/t/%ED%A0%80", "/api/tables?x=%ED%A0%80", "/api/join/%ED%A0%80", "/t/%FF"])
def test_an_address_that_is_no_utf8_is_no_fault_of_the_servers(running, path):
    assert running.get(path).status_code < 500
