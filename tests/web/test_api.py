"""Tests of the JSON API: what is accepted, and what is refused, with which message, changing nothing."""

import concurrent.futures

import httpx
import pytest
from tests.web.helpers.databases import BOTH

pytestmark = pytest.mark.server(databases=BOTH)


def test_a_table_starts_with_a_token_for_each_of_my_seats(new_table):
    table = new_table(["me", "open", "me"], title="  Friday   night ", options={"advanced": True})
    assert set(table.tokens) == {0, 2}
    assert table.about["title"] == "Friday night"
    assert table.about["options"] == {"advanced": True, "round_limit": 60}
    assert [seat["kind"] for seat in table.about["seats"]] == ["person", "open", "person"]
    assert [seat["name"] for seat in table.about["seats"]] == ["Player 1", "Open seat 2", "Player 3"]
    assert table.about["url"].endswith(f"/t/{table.id}")
    assert table.get()["seat"] is None
    assert table.get(seat=2)["seat"] == 2


def test_ids_are_long_and_all_different(new_table):
    first, second = new_table(), new_table()
    assert first.id != second.id
    assert len(first.id) >= 20


def test_an_action_changes_the_table_for_everybody(new_table):
    table = new_table()
    seat = table.play("pass")
    assert table.get()["version"] == 1
    assert table.get()["acting"] == [(seat + 1) % 3]
    events = table.get("/events")["events"]
    assert [event["n"] for event in events] == list(range(len(events)))
    assert events[-1]["name"] == "passed"
    assert events[-1]["rule"] == "PZ 4.1"
    assert table.get("/events", since=len(events))["events"] == []


def test_long_lists_of_events_come_in_pages(new_table):
    table = new_table()
    table.play("pass")
    whole, pages, since = table.get("/events"), [], 0
    assert whole["next"] is None
    while since is not None:
        page = table.get("/events", since=since, limit=2)
        assert len(page["events"]) <= 2
        pages += page["events"]
        since = page["next"]
    assert pages == whole["events"]
    assert len(pages) > 2


def test_an_action_can_be_given_by_its_id(new_table):
    table = new_table()
    seat = table.get()["acting"][0]
    legal = table.get("/legal", seat)
    answer = table.post(seat, legal["legal"][1]["id"], legal["version"])
    assert (answer.status_code, answer.json()) == (200, {"version": 1})


def test_numbers_come_as_one_entry(new_table):
    table = new_table()
    for _ in range(3):
        table.play(lambda legal: next(one["text"] for one in legal if one["text"].startswith("fund grain")))
    seat = table.play(lambda legal: next(one["text"] for one in legal if one["text"].startswith("offer")))
    [amount] = table.get("/legal", seat)["legal"]
    assert set(amount) == {"family", "first_id", "low", "high"}
    assert (amount["family"], amount["low"]) == ("amount", 0)
    assert table.post(seat, amount["first_id"] + 3).status_code == 200
    [envelope] = [event for event in table.get("/events", seat)["events"] if event["name"] == "envelope"]
    assert envelope["data"]["amount"] == 3


def test_an_illegal_action_is_refused_with_rule_and_reason(new_table):
    table = new_table()
    seat = table.get()["acting"][0]
    answer = table.post(seat, "fund media 80")
    assert answer.status_code == 422
    said = answer.json()
    assert said["error"] == "illegal-action"
    assert said["rule"].startswith("PZ ")
    assert said["reason"] in said["detail"]
    assert table.get()["version"] == 0


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("fund nonsense 9", "is not a valid industry"),
        ("dance", "is not an action"),
        ("", "begins with one of"),
        ("amount 99999999999999999999", "out of range"),
        (999999, "There is no action 999999"),
        (-1, "There is no action -1"),
        ("amount 5", "PZ"),
        ("x" * 5000, "is not an action"),
    ],
)
def test_what_is_no_action_here_is_refused_with_a_sentence(new_table, action, words):
    table = new_table()
    answer = table.post(table.get()["acting"][0], action)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert table.get()["version"] == 0


def test_a_seat_whose_turn_it_is_not_hears_whose_it_is(new_table):
    table = new_table()
    waiting = (table.get()["acting"][0] + 1) % 3
    answer = table.post(waiting, "pass")
    assert answer.status_code == 422
    assert "turn" in answer.json()["detail"]


def test_a_stale_action_gets_the_newest_position_and_changes_nothing(new_table):
    table = new_table()
    seat = table.play("pass")
    answer = table.post(seat, "pass", 0)
    said = answer.json()
    assert answer.status_code == 409
    assert said["error"] == "stale"
    assert said["version"] == 1
    assert said["view"]["seat"] == seat
    assert said["legal"] == []
    assert table.get()["version"] == 1
    assert table.post(seat, "pass", 7).status_code == 409


def test_of_the_same_action_posted_twenty_times_at_once_one_is_made(new_table):
    table = new_table()
    seat = table.get()["acting"][0]
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: table.post(seat, "pass", 0), range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert table.get()["version"] == 1


def test_somebody_elses_seat_is_refused(new_table, client):
    table = new_table()
    seat = table.get()["acting"][0]
    body = {"action": "pass", "version": 0, "seat": seat}
    answer = client.post(f"{table.url}/actions", headers=table.headers((seat + 1) % 3), json=body)
    assert answer.status_code == 403
    assert f"Seat {seat} is not yours" in answer.json()["detail"]
    assert table.get()["version"] == 0


def test_a_program_without_a_token_reads_how_to_get_one(new_table, client):
    url = new_table().url
    needed = "Creating a table or taking a seat returns a token. Send it as 'Authorization: Bearer TOKEN'."
    for path, body in (
        ("actions", {"action": "pass", "version": 0}),
        ("actions", {"action": "pass", "version": 0, "seat": 0}),
        ("hint", {}),
        ("chat", {"text": "Hello"}),
        ("host", {"command": "pause"}),
        ("token", {}),
    ):
        with httpx.Client(base_url=client.base_url) as program:
            refused = program.post(f"{url}/{path}", json=body)
            assert (refused.status_code, refused.json()["detail"].endswith(needed)) == (403, True), path
            program.cookies.set("other", "1")
            assert needed not in program.post(f"{url}/{path}", json=body).text, "what may be a page"
    with httpx.Client(base_url=client.base_url) as program:
        founded = program.post("/api/clubs", json={"name": "A club", "member": "Ada", "door": "open"})
    assert founded.json()["detail"].startswith("Create an API token on your account's page")


def test_a_spectator_cannot_act(new_table):
    answer = new_table(["me", "open", "open"]).post(None, "pass", 0)
    assert answer.status_code == 403
    assert answer.json()["open"] == [1, 2]


def test_a_token_of_another_table_is_refused(client, new_table):
    table, other = new_table(), new_table()
    answer = client.get(f"{table.url}/view", headers=other.headers(0))
    assert answer.status_code == 401
    assert "not valid for any seat" in answer.json()["detail"]
    wrong = {"Authorization": "Basic abc"}
    assert client.post(f"{table.url}/actions", headers=wrong, json={"action": 0, "version": 0}).status_code == 401


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        (b"[" * 3000, "not valid JSON"),
        (b'{"game": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b"[" * 50000, "more than 5000 values"),
        (b"[]", "JSON object"),
        (b"{}", "'action' must be"),
        (b'{"action": true, "version": 0}', "'action' must be"),
        (b'{"action": 1e999, "version": 0}', "'action' must be"),
        (b'{"action": 99999999999999999999, "version": 0}', "not a valid action id"),
        (b'{"action": "pass"}', "'version' must be"),
        (b'{"action": "pass", "version": "0"}', "'version' must be"),
        (b'{"action": "pass", "version": 0, "seat": "x"}', "'seat', if present, must be"),
    ],
)
def test_a_malformed_action_is_refused(new_table, client, body, words):
    table = new_table()
    seat = table.get()["acting"][0]
    answer = client.post(f"{table.url}/actions", headers=table.headers(seat), content=body)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert table.get()["version"] == 0


def test_a_body_that_is_far_too_long_is_refused(new_table, client):
    table = new_table()
    for url, size in ((f"{table.url}/actions", 5), (f"{table.url}/seats/0", 5), ("/api/tables", 40)):
        answer = client.post(url, headers=table.headers(0), content=(b"x" * 40000 for _ in range(size)))
        assert (answer.status_code, answer.json()["error"]) == (413, "too-large")
        assert "The request is larger than" in answer.json()["detail"]


THREE = [{"kind": "me"}] * 3


@pytest.mark.parametrize(
    ("order", "status", "words"),
    [
        ({"game": "chess", "seats": THREE}, 404, "ponzi-scheme"),
        ({"game": "ponzi-scheme", "seats": THREE[:2]}, 422, "has 3 to 5 seats, not 2"),
        ({"game": "ponzi-scheme", "seats": THREE * 5}, 422, "has 3 to 5 seats, not 15"),
        ({"game": "ponzi-scheme", "seats": THREE * 6}, 422, "seats"),
        ({"game": "ponzi-scheme", "seats": THREE, "options": {"round_limit": 201}}, 422, "round_limit must be a whole"),
        ({"game": "ponzi-scheme", "seats": THREE, "options": {"advanced": "maybe"}}, 422, "advanced must be true"),
        ({"game": "ponzi-scheme", "seats": THREE, "options": {"speed": 1}}, 422, "There is no option 'speed'"),
        ({"game": "ponzi-scheme", "seats": [*THREE[:2], {"kind": "cat"}]}, 422, "'me', 'bot' or 'open'"),
        ({"game": "ponzi-scheme", "seats": [*THREE[:2], {"kind": "bot", "bot": "hal"}]}, 422, "expert, policy, random"),
        ({"game": "ponzi-scheme", "seats": [*THREE[:2], {"kind": "bot"}]}, 422, "Seat 2 is for a bot: name one of be"),
        ({"game": "ponzi-scheme", "seats": [{"kind": "me", "name": "A"}] * 3}, 422, "Two seats have the same name"),
        ({"game": "ponzi-scheme", "seats": THREE, "title": "x" * 81}, 400, "at most 80"),
        ({"game": "ponzi-scheme", "seats": THREE, "seed": "x" * 300}, 422, "at most 200"),
        ({"game": "ponzi-scheme", "seats": [{"kind": "me", "name": "x" * 41}, *THREE[:2]]}, 400, "at most 40"),
        ({"game": "ponzi-scheme", "seats": [{"kind": "me", "name": "a\u202eb"}, *THREE[:2]]}, 400, "U+202E"),
        ({"game": "ponzi-scheme"}, 422, "seats: Field required"),
        ([], 422, "body"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(client, order, status, words):
    answer = client.post("/api/tables", json=order)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["detail"]


def test_malformed_json_is_refused(client):
    for path in ("/api/tables", "/api/seasons"):
        for body in (b'{"game":', b'{"delay": ' + b"9" * 5000 + b"}"):
            answer = client.post(path, content=body, headers={"content-type": "application/json"})
            assert (answer.status_code, answer.json()["detail"]) == (400, "The request body is not valid JSON.")


def test_sitting_down(new_table, client):
    table = new_table(["me", "open", "open"])
    answer = client.post(f"{table.url}/seats/1", json={"name": " Grace  Hopper "})
    assert answer.status_code == 200
    table.tokens[1] = answer.json()["token"]
    assert table.get(seat=1)["seat"] == 1
    assert table.get()["seats"][1]["name"] == "Grace Hopper"
    taken = client.post(f"{table.url}/seats/1")
    assert (taken.status_code, taken.json()["open"]) == (409, [2])
    same = client.post(f"{table.url}/seats/2", json={"name": "grace hopper"})
    assert same.status_code == 409
    missing = client.post(f"{table.url}/seats/7")
    assert (missing.status_code, missing.json()["detail"]) == (
        404,
        "There is no seat 7; this table has seats 0 to 2.",
    )
    assert client.post(f"{table.url}/seats/2").status_code == 200


def test_two_who_want_the_same_seat_at_once(new_table, client):
    table = new_table(["me", "open", "me"])
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda i: client.post(f"{table.url}/seats/1", json={"name": f"P{i}"}), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7


@pytest.mark.parametrize("table_id", ["nothere", "x" * 22, "2" * 22, "..%2f..", "é"])
def test_an_unknown_table_is_refused(client, table_id):
    for what in ("", "/view", "/legal", "/events", "/stream", "/record"):
        answer = client.get(f"/api/tables/{table_id}{what}")
        assert answer.status_code == 404
        assert answer.json()["detail"]
    assert client.post(f"/api/tables/{table_id}/actions", json={"action": 0, "version": 0}).status_code == 404


def test_earlier_positions_can_be_looked_at_again(new_table, client):
    table = new_table()
    before = table.get("/view", 0)
    table.play("pass")
    assert table.get("/view", 0, version=0)["view"] == before["view"]
    assert table.get("/view", 0)["version"] == 1
    answer = client.get(f"{table.url}/view", params={"version": 2})
    assert (answer.status_code, answer.json()["detail"]) == (400, "There is no position 2. The latest is 1.")


def test_the_record_is_handed_out_only_when_the_game_is_over(new_table, client):
    table = new_table(options={"round_limit": 1}, seed="known")
    for url in (f"{table.url}/record", f"/t/{table.id}/record.json"):
        answer = client.get(url)
        assert answer.status_code == 403
        assert "only after the game" in answer.text
        assert "known" not in answer.text
    while not table.get()["over"]:
        table.play(lambda legal: legal[0].get("id", legal[0].get("first_id")))
    record = client.get(f"{table.url}/record").json()
    assert record["seed"] == "known"
    assert client.get(f"/t/{table.id}/record.json").json() == record
    assert "attachment" in client.get(f"/t/{table.id}/record.json").headers["content-disposition"]


def test_the_games_are_listed_with_their_options(client):
    [game] = [game for game in client.get("/api/games").json() if game["id"] == "ponzi-scheme"]
    assert game["seats"] == [3, 4, 5]
    assert game["options"]["round_limit"]["range"] == "a whole number from 1 to 200"
    assert game["options"]["advanced"]["rule"] == "PZ 11.1"


def test_every_address_is_described(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    table = "/api/tables/{table_id}"
    for path in (table, f"{table}/view", f"{table}/legal", f"{table}/events", f"{table}/stream", f"{table}/record"):
        assert "get" in paths[path]
    for path in ("/api/tables", f"{table}/actions", f"{table}/seats/{{seat}}"):
        assert "requestBody" in paths[path]["post"]


def test_what_is_made_has_an_address(client):
    made = client.post("/api/tables", json={"game": "ponzi-scheme", "seats": THREE})
    assert made.headers["location"] == f"/api/tables/{made.json()['id']}"
    assert client.get(made.headers["location"]).json()["id"] == made.json()["id"]
    seat = {"Authorization": f"Bearer {made.json()['tokens']['0']}"}
    line = client.post(f"{made.headers['location']}/chat", json={"text": "Hello"}, headers=seat)
    assert line.json()["id"] in client.get(line.headers["location"], headers=seat).text


def test_the_description_is_complete_enough_to_make_clients_from(client):
    described = client.get("/api/openapi.json").json()
    operations = {
        (path, method): one
        for path, methods in described["paths"].items()
        for method, one in methods.items()
        if path.startswith("/api/")
    }
    assert len({one["operationId"] for one in operations.values()}) == len(operations)
    assert all(one["operationId"].isidentifier() for one in operations.values())
    assert all(name.isidentifier() and "__" not in name for name in described["components"]["schemas"])
    for where, one in operations.items():
        for status, answer in one["responses"].items():
            if status.startswith("2") and status != "204":
                assert all(kind["schema"] for kind in answer["content"].values()), where
            if status in ("201", "401"):
                assert answer["headers"].keys() == {{"201": "Location", "401": "WWW-Authenticate"}[status]}, where
            if status == "default" or status >= "400":
                assert list(answer["content"]) == ["application/problem+json"], where
        schemes = {scheme for way in one.get("security", []) for scheme in way}
        assert schemes <= set(described["components"]["securitySchemes"])
        if "401" in one["responses"]:
            assert schemes, where


def test_health(client):
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
