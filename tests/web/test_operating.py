"""What an operator sees: health, readiness, metrics, logs; and how much anybody may ask for."""

import io
import json
import logging
import re

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.form_browser import Browser
from tests.web.helpers.seasons import Host

import pyramidion
from pyramidion.web.errors import TooMany
from pyramidion.web.http import logging_setup
from pyramidion.web.http.rate_limits import RateLimits, TokenBucket, address_of
from pyramidion.web.settings import Settings
from pyramidion.web.tokens import new_id


def scope(address, path="/", method="GET"):
    return {"type": "http", "client": (address, 1), "path": path, "method": method}


def test_an_allowance_fills_up_again_but_never_beyond_its_burst():
    time = [0.0]
    allowance = TokenBucket(2, 3, lambda: time[0])
    assert [allowance.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert allowance.take("b") == 0
    time[0] += 0.5
    assert [allowance.take("a") for _ in range(2)] == [0, 0.5]
    time[0] += 100
    assert [allowance.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_addresses_that_one_person_has_are_one():
    assert address_of(scope("2001:db8::1")) == address_of(scope("2001:db8::ffff:2")) == "2001:db8::/64"
    assert address_of(scope("2001:db8:0:1::1")) != address_of(scope("2001:db8::1"))
    assert address_of(scope("::ffff:203.0.113.9")) == "203.0.113.9"
    assert address_of({"client": None}) == ""


def test_this_machine_is_not_limited_unless_it_is_to_be():
    few = {"requests_per_second": 0.1, "actions_per_second": 0.1, "streams_per_address": 1}
    limits = RateLimits(Settings(**few))
    for _ in range(5):
        limits.request(scope("127.0.0.1"))
    limits.request(scope("203.0.113.9"))
    with pytest.raises(TooMany, match=r"from your address. Try again in 10 seconds"):
        limits.request(scope("203.0.113.9"))
    limits.request(scope("203.0.113.8"))
    limits.request(scope("203.0.113.9", "/health"))
    limits.action(scope("203.0.113.9"), "t", 0)
    limits.action(scope("203.0.113.9"), "t", 1)
    with pytest.raises(TooMany, match="Your seat is sending moves too fast"):
        limits.action(scope("203.0.113.8"), "t", 0)
    with (
        limits.stream(scope("203.0.113.9"), "t"),
        pytest.raises(TooMany, match="limit of 1 open streams"),
        limits.stream(scope("203.0.113.9"), "u"),
    ):
        pass
    with limits.stream(scope("203.0.113.9"), "t"):
        pass


def test_too_much_is_refused_with_a_sentence_and_changes_nothing(tmp_path):
    few = {"requests_per_second": 2, "actions_per_second": 0.2, "tables_per_hour": 4, "limit_loopback": True}
    with serving(tmp_path, **few) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client)
        seat = table.get()["acting"][0]
        assert table.post(seat, "pass", 0).status_code == 200
        for _ in range(3):
            refused = table.post(seat, "pass", 1)
        assert refused.status_code == 429
        assert refused.json()["error"] == "too-many"
        assert refused.json()["retry_after"] > 0
        assert table.get()["version"] == 1
        answers = [client.post("/api/tables", json={}).status_code for _ in range(3)]
        assert answers == [422, 429, 429]
        while (page := client.get("/")).status_code == 200:
            pass
        assert page.status_code == 429
        assert "Too many requests from your address" in page.text
        assert client.get("/health").status_code == 200


def test_nobody_uses_up_the_allowance_of_a_host_or_contestant(tmp_path):
    """Spectators send a host's commands, and a host requests by a contestant's personal link."""
    few = {"requests_per_second": 100, "actions_per_second": 0.2, "limit_loopback": True}
    with serving(tmp_path, **few) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        table, season = Player(client), Host(client)
        url, command = f"{table.url}/host", {"command": "pause"}
        assert {client.post(url, json=command).status_code for _ in range(9)} == {403}
        assert client.post(url, json=command, headers=table.headers(0)).status_code == 200
        assert season.do("cast-added", name="Ana").status_code == 200
        link = next(person["token"] for person in season.ask("GET", "/links").json() if person["who"] == "c1")
        mine = client.post(f"/api/seasons/{season.id}/join", json={"code": link}).json()["token"]
        while season.do("confessed", token=link, contestant="c1", text="Hm.").status_code != 429:
            pass
        assert season.do("confessed", token=mine, contestant="c1", text="Hm.").status_code == 409


def test_readiness_says_what_is_wrong(tmp_path):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        assert client.get("/ready").json() == {"status": "ok", "wrong": []}
        with server.app.server.store.engine.connect() as connection:
            connection.exec_driver_sql("ALTER TABLE keys RENAME TO elsewhere")
            connection.commit()
        answer = client.get("/ready")
        assert answer.status_code == 503
        assert answer.json()["wrong"] == ["the database does not answer"]
        # Actions can still be stored.
        assert client.get("/health").status_code == 200


def test_a_database_file_that_is_gone_is_told(tmp_path):
    """What is stored in the open file would be lost with the server's last connection."""
    file = tmp_path / "pyramidion.sqlite3"
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        assert client.get("/health").status_code == 200
        file.rename(tmp_path / "elsewhere")
        assert client.get("/health").status_code == 503
        gone = {"status": "not-ready", "wrong": ["the database file has been deleted or moved away"]}
        assert client.get("/ready").json() == gone
        (tmp_path / "elsewhere").rename(file)
        assert client.get("/health").status_code == 200
        assert client.get("/ready").status_code == 200


def test_who_is_not_known_is_told_how_one_can_be(tmp_path):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client)
        wrong = {"Authorization": "Bearer nonsense"}
        answers = [
            client.get(table.url, headers=wrong),
            client.get(f"{table.url}/stream", headers=wrong),
            client.post(f"{table.url}/actions", headers=wrong, json={"action": 0, "version": 0}),
            client.get("/api/account"),
            client.post("/api/session", json={"name": "nobody", "password": "nothing at all"}),
        ]
        for answer in answers:
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith('Bearer realm="pyramidion"')
        assert "www-authenticate" not in client.get("/").headers


def test_metrics_count_and_are_told_to_few(tmp_path):
    with serving(tmp_path, metrics_token="m" * 20) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client)
        table.play("pass")
        for wrong in ({}, {"Authorization": "Bearer x"}):
            assert client.get("/metrics", headers=wrong).status_code == 404
        with table.stream() as stream:
            stream.next()
            text = client.get("/metrics", headers={"Authorization": f"Bearer {'m' * 20}"}).text
        for line in (
            "pyramidion_stored_plies_total 1.0",
            'pyramidion_answers_total{method="POST",status="201"} 1.0',
            "pyramidion_action_seconds_count 1.0",
            "pyramidion_streams 1.0",
            "pyramidion_saving 1.0",
            "pyramidion_people_present ",
            'pyramidion_bot_queue{pool="quick"} 0.0',
            f'pyramidion_info{{version="{pyramidion.__version__}"}} 1.0',
        ):
            assert line in text
        assert table.id not in text


@pytest.mark.parametrize("clock", [None, 600])
def test_metrics_count_the_actions_at_tables_with_and_without_a_clock(tmp_path, clock):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client, clock=clock)
        for _action in range(3):
            table.play("pass")
        assert "pyramidion_stored_plies_total 3.0\n" in client.get("/metrics").text


def test_metrics_count_what_people_do_on_pages(tmp_path):
    with serving(tmp_path) as server:
        people = [Browser(server) for _ in range(3)]
        table = people[0].table()
        for seat in (1, 2):
            people[seat].post(f"{table}/sit", seat=str(seat), name=f"Person {seat}")
        answers = [person.post(f"{table}/act", action="pass", version="0").status_code for person in people]
        assert answers.count(303) == 1, "it is one person's turn"
        assert "pyramidion_action_seconds_count 1.0\n" in people[0].http.get("/metrics").text
        for person in people:
            person.http.close()


@pytest.fixture
def logged():
    """What is logged as text and as JSON."""
    root, kept = logging.getLogger(), (logging.getLogger().handlers[:], logging.getLogger().level)
    made = {}
    root.handlers[:] = []
    for name, formatter in (("text", logging_setup.Text()), ("json", logging_setup.JsonFormatter())):
        made[name] = io.StringIO()
        handler = logging.StreamHandler(made[name])
        handler.setFormatter(formatter)
        root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield made
    root.handlers[:], _ = kept
    root.setLevel(kept[1])


def test_nothing_that_is_sent_begins_a_line_of_the_log(logged):
    evil = "GET /x\n2026-01-01 pyramidion ERROR all is lost\x1b[2J\u202e\u2028"
    logging.getLogger("pyramidion").warning("Asked for %s", evil)
    try:
        raise ValueError(evil)
    except ValueError:
        logging.getLogger("pyramidion").exception("It went wrong")
    text = logged["text"].getvalue().splitlines()
    assert [line for line in text if not line.startswith("    ")] == [text[0], text[1]]
    assert "\\n2026" in text[0]
    for line in logged["json"].getvalue().splitlines():
        assert json.loads(line)["logger"] == "pyramidion"
    for said in logged.values():
        assert not {"\x1b", "\u202e", "\u2028"} & set(said.getvalue())


def test_every_line_of_the_log_has_only_the_beginning_of_an_id(logged):
    whole = new_id()
    logging.getLogger("pyramidion").warning("The result of %s could not be stored: /t/%s", whole, whole)
    for written in logged.values():
        assert whole not in written.getvalue()
        assert written.getvalue().count(whole[:6]) == 2


def test_logs_hold_no_cookies_tokens_or_whole_table_ids(tmp_path, logged):
    with serving(tmp_path, database_url=None) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client, title="Logged")
        visit = client.get("/games/ponzi-scheme/new")
        cookie = visit.cookies["pyramidion_visitor"]
        table.play("pass")
        client.get(f"/t/{table.id}")
        client.get("/nowhere%0Aforged%20line")
        # An error of the database names what it was about to store; here it is the seat's token.
        with server.app.server.store.engine.connect() as connection:
            connection.exec_driver_sql("ALTER TABLE seats RENAME TO elsewhere")
            connection.commit()
        assert (
            client.post("/api/tables", json={"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3}).status_code == 503
        )
        assert client.get("/api/tables/" + "2" * 22).status_code in (404, 503)
    for said in logged.values():
        text = said.getvalue()
        assert "POST /api/tables 201, to 127.0.0.1" in text
        for secret in (cookie, cookie.split(".")[0], table.id, *table.tokens.values(), "k" * 40):
            assert secret not in text
    paths = [json.loads(line).get("path") for line in logged["json"].getvalue().splitlines()]
    assert f"/t/{table.id[:6]}…" in paths
    assert "/nowhere\\nforged line" in paths


def test_logs_hold_no_secrets_of_links(tmp_path, logged):
    """In every route whose address has a secret: personal links, invitations, calendars, new passwords, codes."""
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        paths = {getattr(route, "path", "") for route in routes_of(server.config.app.routes)}
        secret = [path for path in paths if re.search(r"\{(code|secret|link|template_id)\}", path)]
        assert len(secret) > 6
        for path in secret:
            client.get(re.sub(r"\{(code|secret|link|template_id)\}", "c1-geheim22222222", path))
    lines = [json.loads(line) for line in logged["json"].getvalue().splitlines()]
    told = [line for line in lines if line["logger"] == "pyramidion.requests"]
    assert len(told) == len(secret)
    assert [line for line in told if "eheim2" in f"{line}"] == []


def test_a_password_in_a_message_is_left_out(logged):
    logging.getLogger("x").error("no route to postgresql://me:geheim@db/x, Authorization: Bearer abc.def")
    for said in logged.values():
        assert "geheim" not in said.getvalue()
        assert "abc.def" not in said.getvalue()
