"""Tests with arbitrary input: every response is one of ours, and nothing breaks or changes."""

import json
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

characters = st.characters() | st.characters(categories=["Cs"]) | st.just("\0")
any_text = st.text(characters, max_size=30)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
plain = st.none() | st.booleans() | numbers | any_text
anything = st.recursive(
    plain, lambda one: st.lists(one, max_size=4) | st.dictionaries(st.text(max_size=8), one), max_leaves=8
)
orders = st.fixed_dictionaries(
    {},
    optional={
        "game": st.just("ponzi-scheme") | anything,
        "seats": st.lists(st.fixed_dictionaries({"kind": st.sampled_from(["me", "bot", "open"])}), max_size=6)
        | anything,
        "options": st.dictionaries(st.sampled_from(["advanced", "round_limit", "x"]), plain) | anything,
        "title": anything,
        "seed": anything,
    },
)
actions = st.fixed_dictionaries(
    {},
    optional={
        "action": st.sampled_from(["pass", "amount -1", 0, 5000]) | anything,
        "version": anything,
        "seat": anything,
    },
)
JSON = {"Content-Type": "application/json"}
often = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@often
@given(order=orders | anything)
def test_any_table(client, order):
    answer = client.post("/api/tables", content=json.dumps(order), headers=JSON)
    assert answer.status_code in (201, 400, 404, 409, 422)
    assert answer.json()


@pytest.fixture(scope="module")
def table(server):
    from tests.web.conftest import Player

    with httpx.Client(base_url=server.address, timeout=20) as client:
        yield Player(client)


@often
@given(order=actions | anything)
def test_any_action(table, order):
    seat = table.get()["acting"][0]
    headers = table.headers(seat) | JSON
    answer = table.client.post(f"{table.url}/actions", content=json.dumps(order), headers=headers)
    assert answer.status_code in (200, 400, 403, 409, 422)
    if answer.status_code == 200:
        assert order["version"] == answer.json()["version"] - 1
    else:
        assert answer.json()["detail"]


@often
@given(
    path=st.text(st.characters(exclude_characters="#?%", exclude_categories=["Cs", "Cc"]), max_size=20),
    query=st.dictionaries(st.sampled_from(["version", "since", "open"]), st.text(max_size=8)),
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD"]),
    root=st.sampled_from(["/", "/api/", "/t/", "/api/tables/", "/games/", "/static/"]),
)
def test_any_address(client, method, root, path, query):
    answer = client.request(method, root + quote(path), params=query)
    assert answer.status_code < 500
    assert "Traceback" not in answer.text


@often
@given(
    what=st.sampled_from(["chat", "chat/seen", "notes", "premoves", "alerts", "seats/0", "host", "room/ready"]),
    method=st.sampled_from(["POST", "PUT"]),
    body=st.dictionaries(
        st.sampled_from(["text", "to", "name", "line", "seen", "command", "contribution", "zone", "off", "email"]),
        anything,
    ),
)
def test_anything_said_at_a_table(table, what, method, body):
    headers = table.headers(0) | JSON
    answer = table.client.request(method, f"{table.url}/{what}", content=json.dumps(body), headers=headers)
    assert answer.status_code < 500


@often
@given(what=st.sampled_from(["", "/view", "/legal", "/events", "/record"]), query=st.text(max_size=20))
def test_any_query(table, what, query):
    answer = table.client.get(f"{table.url}{what}", params={"version": query, "since": query}, headers=table.headers(0))
    assert answer.status_code < 500
