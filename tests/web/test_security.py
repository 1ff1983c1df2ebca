"""Tests of attacks that must fail; docs/security.md maps them to requirements."""

import re
from collections import defaultdict
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import Player, serving

from pyramidion.web.http.authentication import Visitors
from pyramidion.web.tokens import ID_ALPHABET, ID_LENGTH

DOCUMENT = Path(__file__).parents[2] / "docs" / "security.md"
THREE = [{"kind": "me"}] * 3
PAGES = ("/", "/games/ponzi-scheme/new", "/games/ponzi-scheme/rules", "/api/docs", "/nowhere")


def test_every_test_that_the_document_names_exists():
    named = re.findall(r"`(?:\w+/)*(test_\w+)\.py::(test_\w+)`", DOCUMENT.read_text("utf-8"))
    assert len(named) > 25
    tests = defaultdict(str)
    for path in Path(__file__).parents[1].rglob("test_*.py"):
        tests[path.stem] += path.read_text("utf-8")
    assert [f"{file}::{name}" for file, name in named if f"def {name}(" not in tests[file]] == []


def test_a_forged_or_changed_cookie_is_nobodys(client, new_table):
    genuine = client.get("/games/ponzi-scheme/new").cookies["pyramidion_visitor"]
    holder, _, signature = genuine.rpartition(".")
    flipped = ("A" if signature[0] != "A" else "B") + signature[1:]
    for forged in (holder, f"{holder}.", f"{holder}.{flipped}", f"x{genuine}", f"{genuine}.{signature}", "." * 50):
        with httpx.Client(base_url=client.base_url, cookies={"pyramidion_visitor": forged}) as other:
            answer = other.get("/games/ponzi-scheme/new")
            # Whoever comes with an id of their own choosing is given another one.
            assert answer.cookies["pyramidion_visitor"].rpartition(".")[0] != holder
    other_key = Visitors("another key, long enough to sign with")
    assert other_key.holder({"headers": [(b"cookie", f"pyramidion_visitor={genuine}".encode())]}) is None


def test_over_https_cookies_stay_there_and_with_this_host(tmp_path):
    with serving(tmp_path, secure_cookies=True) as server, httpx.Client(base_url=server.address) as client:
        answer = client.get("/games/ponzi-scheme/new")
        cookies = answer.headers.get_list("set-cookie")
        # Who somebody is stays with this host; that a lesson was offered is kept beside it, and is no secret.
        assert {cookie.split("=")[0] for cookie in cookies} == {"__Host-pyramidion_visitor", "met"}
        for cookie in cookies:
            assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
        assert "max-age" in answer.headers["strict-transport-security"]


def test_a_seat_token_counts_in_its_header_only(client, new_table):
    table = new_table()
    token = table.tokens[0]
    for query in ({"token": token}, {"access_token": token}, {"authorization": f"Bearer {token}"}):
        assert client.get(table.url, params=query).json()["seat"] is None
    assert client.get(table.url, headers={"Cookie": f"pyramidion_visitor={token}"}).json()["seat"] is None
    for wrong in (token[:-1], token + "A", token.swapcase(), "x", "Bearer"):
        assert client.get(table.url, headers={"Authorization": f"Bearer {wrong}"}).status_code == 401


def test_tables_cannot_be_found_by_trying(client, new_table):
    assert len(ID_ALPHABET) ** ID_LENGTH > 2**100
    table = new_table()
    near = table.id[:-1] + ("2" if table.id[-1] != "2" else "3")
    said = {
        client.get(f"/api/tables/{wrong}").text.replace(wrong, "ID") for wrong in (near, "2" * 22, "x", "A" * 22, "%25")
    }
    assert len({re.sub(r"'.*?'", "", one) for one in said}) == 1
    # Nothing lists tables but one's own.
    assert table.id not in client.get("/").text
    for path in ("/api/tables", "/api/tables/", "/t", "/t/"):
        assert client.get(path, follow_redirects=True).status_code in (404, 405)


def test_nothing_that_is_made_for_one_visitor_is_kept_by_browsers(client, new_table):
    table = new_table()
    paths = (f"{table.url}/transcript", f"/t/{table.id}/cards.toml", f"/t/{table.id}/transcript.md", "/api/games")
    for path in (*paths, table.url, *PAGES):
        assert client.get(path).headers["cache-control"] == "no-store", path


def test_no_answer_repeats_the_host_that_a_request_names(client, new_table):
    for path in ("/lobby/", f"{new_table().url}/"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 404
        assert "evil.example" not in answer.text + str(answer.headers)


def test_no_other_site_is_let_in(client, new_table):
    table = new_table()
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for path in (table.url, f"{table.url}/actions", "/api/tables"):
        for answer in (client.options(path, headers=headers), client.get(path, headers=headers)):
            assert not [name for name in answer.headers if name.startswith("access-control")]


def test_pages_hold_nothing_that_their_policy_forbids(client, new_table):
    table = new_table(title="<script>alert(1)</script>\"'&{{7*7}}")
    for path in (*PAGES, f"/t/{table.id}"):
        text = client.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>\s*\S", text) or "application/json" in text
        assert not re.search(r"\s(on\w+|style)\s*=\s*[\"']", text)
        assert not re.search(r"(src|action)\s*=\s*[\"']?(https?:)?//", text)
        assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "{{7*7}}" in text


@pytest.mark.parametrize(
    "cards",
    [
        "a = " + "[" * 40_000,
        "a = " + "{a=" * 20_000,
        "[a" + ".a" * 40_000 + "]",
        "a = 1" + "0" * 90_000,
        "a = 1e" + "9" * 1000,
        'a = "' + "\\" * 90_001,
        "fund_cards = 7",
        "[[fund_cards]]\n" * 6000,
        "\ufeff\u0001",
        "x = 1979-05-27T07:32:00Z",
    ],
)
def test_a_card_file_that_is_made_to_hurt_is_refused(client, cards):
    answer = client.post("/api/tables", json={"game": "ponzi-scheme", "seats": THREE, "cards": cards})
    assert answer.status_code == 422, answer.text[:300]
    assert len(answer.text) < 2000


@pytest.mark.parametrize(
    "body",
    [
        b'{"game": "ponzi-scheme", "seats": ' + b"[" * 60_000,
        b'{"game": "ponzi-scheme", "seats": [], "seed": 1' + b"0" * 5000 + b"}",
        b'{"game": "ponzi-scheme", "seats": [{"kind": "me"}, {"kind": "me"}, {"kind": "me"}], "seed": "\\ud800"}',
        b'{"game": "ponzi-scheme", "seats": [{"kind": "me", "name": "\\u0000"}, {"kind": "me"}, {"kind": "me"}]}',
        b'{"game": "\\u0000' + b"x" * 5000 + b'", "seats": []}',
        b'{"options": {"round_limit": 1e400}, "game": "ponzi-scheme", "seats": []}',
        b"null",
        b"\x80",
    ],
)
def test_a_body_that_is_made_to_hurt_is_no_fault_of_the_server(client, body):
    answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (201, 400, 404, 413, 422)
    assert len(answer.text) < 3000


def test_files_outside_are_not_served(client):
    base = re.search(r"/static/\w+/", client.get("/").text)[0]
    for name in ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "/etc/passwd", "%2fetc%2fpasswd", "a\\..\\..\\app.py"):
        assert client.get(base + name, follow_redirects=True).status_code == 404
    for name in ("../../pyproject.toml", "..%2f..%2fpyproject.toml"):
        assert client.get(f"/games/{name}/cards.toml").status_code == 404


def test_a_fault_tells_the_asker_nothing_about_the_server(tmp_path, monkeypatch, caplog):
    def fails(*_, **__):
        raise RuntimeError("the key is in /secret/place")

    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client)
        monkeypatch.setattr("pyramidion.web.play.table_pages.snapshot_of", fails)
        monkeypatch.setattr("pyramidion.web.play.api.snapshot_of", fails)
        monkeypatch.setattr("pyramidion.web.table.table.Table.act", fails)
        answers = [client.get(f"/t/{table.id}"), client.get(f"{table.url}/view"), table.post(0, "pass", 0)]
    for answer in answers:
        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert "server" not in answer.headers


def test_a_refusal_for_too_much_has_the_headers_of_every_page(tmp_path):
    with serving(tmp_path, requests_per_second=0.1, limit_loopback=True) as server:
        httpx.get(server.address)
        answer = httpx.get(server.address)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_whose_word_about_the_asker_is_taken(tmp_path):
    said = {"X-Forwarded-For": "203.0.113.9"}
    for trusted, expected in (("127.0.0.1", 429), ("192.0.2.1", 200)):
        few = {"requests_per_second": 0.1, "trusted_proxies": trusted}
        with serving(tmp_path / trusted, **few) as server:
            for _ in range(2):
                answer = httpx.get(f"{server.address}api/games", headers=said)
            assert answer.status_code == expected


def test_parts_of_pages_have_the_headers_that_they_need_and_documents_all(client):
    for path in ("/", "/sw.js", "/static/x/icon.svg"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    for path in ("/static/x/table.js", "/static/x/table.css", "/static/x/bitter.woff2"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "content-security-policy" not in headers
