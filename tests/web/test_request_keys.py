"""Idempotency keys: a key belongs to its author and to one content, on every route that takes one."""

import inspect
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from fastapi.routing import APIRoute
from tests.web.helpers.accounts import PASSWORD
from tests.web.helpers.creating import CREATING
from tests.web.helpers.databases import BOTH
from tests.web.helpers.season_company import cast
from tests.web.helpers.seasons import Host

from pyramidion.web.competitions.request_keys import FORM_ONLY, request_key
from pyramidion.web.db.schema import SEASON_LOG, SEASON_TALK
from pyramidion.web.features.seasons.forms import command_of_form
from pyramidion.web.play.routes import PAGES

pytestmark = pytest.mark.server(databases=BOTH)

EPISODE = {"kind": "episode-planned", "game": "pyramis", "duel": None, "clock": None, "title": ""}


def _template(title):
    return {"settings": {"title": ""}, "items": [], "episodes": [{**EPISODE, "title": title}], "phases": []}


# Who sends it (hosts or contestants), and two contents.
ORDERS = {
    "/api/seasons/{season_id}/entries": ("hosts", *({"event": {"kind": "posted", "text": one}} for one in "ab")),
    "/api/seasons/{season_id}/talk": ("cast", *({"event": {"kind": "said", "to": "c3", "text": one}} for one in "ab")),
    "/api/seasons/{season_id}/schedule": ("hosts", *({"starts": 1893456000000, "phases": [[one, 24]]} for one in "ab")),
    "/api/seasons/{season_id}/plan": ("hosts", *({"template": _template(one)} for one in "ab")),
    "/api/seasons/{season_id}/submissions": ("cast", *({"match": "m1", "values": {"why": one}} for one in "ab")),
}
FORMS = {
    "/seasons/{season_id}/do": ("hosts", *({"kind": "posted", "text": one} for one in "ab")),
    "/seasons/{season_id}/say": ("cast", *({"kind": "said", "to": "c3", "text": one} for one in "ab")),
    "/seasons/{season_id}/schedule": (
        "hosts",
        *({"starts": "2030-01-01T12:00", "phases": f"{one}, 24"} for one in "ab"),
    ),
    "/seasons/{season_id}/plan": ("hosts", *({"template": one} for one in "ab")),
}


def _with_keys(described):
    """Return the operations of an OpenAPI description that take a key, in the body or as a header."""
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            schema = described["components"]["schemas"].get(body.get("$ref", "").rpartition("/")[2], body)
            headers = [one["name"].lower() for one in operation.get("parameters", ()) if one["in"] == "header"]
            if {"key", "request_id", "nonce"} & schema.get("properties", {}).keys() or "idempotency-key" in headers:
                yield method, path


@pytest.fixture
def season(server, client):
    """A season with two hosts and three contestants, who have tokens."""
    host = Host(client, talk="private", audience="live")
    tokens, _links = cast(host)
    host.done("own-match-set", name="Reasons", fields=[{"name": "why", "kind": "text"}])
    host.done("own-match-opened", form="Reasons")
    host.done("host-added", name="Hilde", role="host")
    link = next(one["token"] for one in host.ask("GET", "/links").json() if one["name"] == "Hilde")
    second = host.ask("POST", "/join", code=link).json()["token"]
    host.store = server.app.server.store
    host.tokens = {"hosts": (host.token, second), "cast": (tokens["Nina"], tokens["Felix"])}
    return host


def test_every_route_that_takes_a_key_is_tried(server, client):
    keyed = {path for _method, path in _with_keys(client.get("/api/openapi.json").json())}
    assert keyed == ORDERS.keys() | CREATING.keys()
    keyed = {name for name, parsed in _cases(command_of_form) if re.search(r"\bkey\b", parsed)}
    pages = [route for router in PAGES for route in router.routes if isinstance(route, APIRoute)]
    sources = [(route.path, inspect.getsource(route.endpoint)) for route in pages]
    carried_out = [(path, set(re.findall(r'carry_out\("(\w+)"', source))) for path, source in sources]
    assert {path for path, names in carried_out if names & keyed} == FORMS.keys()
    # What creates a season or tournament is tried in `test_creating_once.py`.
    assert {f"/api{path}" for path, source in sources if "request_key(" in source} == CREATING.keys()


def _cases(function):
    """Return the names that a function's `match` has as cases, each with its source."""
    return re.findall(r'case "(\w+)":\n(.*?)(?=\n +case )', inspect.getsource(function), re.DOTALL)


def _all(season):
    """Return everything that has been stored."""
    tables = (SEASON_LOG, SEASON_TALK)
    return [row for table in tables for row in season.store.query(sa.select(table.c.kind, table.c.data))]


@pytest.mark.parametrize("path", ORDERS)
def test_a_key_belongs_to_its_author_and_its_content(season, path):
    who, first, other = ORDERS[path]
    one, another = season.tokens[who]
    path = path.removeprefix("/api/seasons/{season_id}")

    def send(token, content):
        return season.ask("POST", path, token, **content, key="1")

    answer = send(one, first)
    assert answer.status_code == 200, answer.text
    stored = _all(season)
    again = send(one, first)
    assert (again.status_code, again.json()) == (answer.status_code, answer.json())
    assert _all(season) == stored
    refused = send(one, other)
    assert (refused.status_code, refused.json()["error"]) == (409, "key-reused")
    assert re.match(r"You have already sent something else with this key\. .+\.$", refused.json()["detail"])
    assert _all(season) == stored
    stranger = season.client.post(f"/api/seasons/{season.id}{path}", json={**first, "key": "1"})
    assert stranger.status_code == 403
    assert send(another, other).status_code == 200
    assert _all(season) != stored
    # A key of any length counts as a whole.
    for end in "ab":
        before = _all(season)
        answer = season.ask("POST", path, one, **first, key="k" * 100 + end)
        assert answer.status_code == 200, answer.text
        assert _all(season) != before


@pytest.mark.parametrize("path", FORMS)
def test_a_form_sent_twice_counts_once_and_with_other_words_says_so(season, person, path):
    who, first, other = FORMS[path]
    browser = person()
    pages = f"/seasons/{season.id}"
    if who == "hosts":
        season.done("host-added", name="Hanna", role="host")
    else:
        season.done("stood-in", contestant="c1", name="Nora")
    link = [one["token"] for one in season.ask("GET", "/links").json() if one["name"] in ("Hanna", "Nora")]
    browser.say(f"{pages}/join", code=link[0])
    if path.endswith("/plan"):
        for one in (first, other):
            browser.say(
                f"{pages}/do", **{**EPISODE, "duel": "", "clock": "", "title": one["template"]}, key=one["template"]
            )
            browser.say(f"{pages}/template", name=one["template"])
        ids = {one["name"]: one["id"] for one in browser.api("GET", "/api/season-templates").json()}
        first, other = ({"template": ids[one["template"]]} for one in (first, other))
    path = path.format(season_id=season.id)
    where = browser.say(path, **first, key="1")
    stored = _all(season)
    assert browser.say(path, **first, key="1", place="elsewhere").partition("#")[0] == where.partition("#")[0]
    assert _all(season) == stored
    refused = browser.form(path, **other, key="1")
    assert refused.status_code == 409
    assert "You have already sent something else with this key." in refused.text
    assert _all(season) == stored
    browser.say(path, **other, key="2")
    assert _all(season) != stored


def test_keys_of_contestants_keep_no_ruling_from_being_stored(season):
    for key in "12345":
        answer = season.do("asked", token=season.tokens["cast"][0], key=key, contestant="c1", text=f"Question {key}")
        assert answer.status_code == 200, answer.text
    assert season.do("answered", key="1", post=1, text="Yes.").status_code in (200, 409, 422)
    answer = season.do("posted", key="2", text="A ruling.", what="ruling")
    assert answer.status_code == 200, answer.text
    assert "A ruling." in [one["text"] for one in season.get()["posts"]]


def test_the_same_request_in_flight_many_times_is_stored_once(season):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _n: season.do("posted", key="once", text="Hello!"), range(8)))
    assert {one.status_code for one in answers} == {200}
    assert [one["text"] for one in season.get()["posts"]].count("Hello!") == 1
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: season.do("posted", key="other", text=f"Number {n}"), range(8)))
    assert sorted(one.status_code for one in answers) == [200, *[409] * 7]


def test_the_keys_of_a_stand_in_are_not_those_of_the_former_player(season):
    nina = season.tokens["cast"][0]
    assert season.do("asked", token=nina, key="1", contestant="c1", text="May I?").status_code == 200
    season.done("stood-in", contestant="c1", name="Bea")
    code = next(one["token"] for one in season.ask("GET", "/links").json() if one["name"] == "Bea")
    bea = season.ask("POST", "/join", code=code).json()["token"]
    assert season.do("asked", token=bea, key="1", contestant="c1", text="May I?").status_code == 200
    assert [one["text"] for one in season.get()["posts"]].count("May I?") == 2


@pytest.mark.parametrize("path", ORDERS)
def test_who_takes_a_place_by_a_renewed_link_learns_nothing_of_the_keys_before(season, path):
    """Whether a request is a repeated one would tell a host who takes the place what a contestant has sent."""
    who, first, other = ORDERS[path]
    before, person = season.tokens[who][1], {"hosts": "h2", "cast": "c2"}[who]
    path = path.removeprefix("/api/seasons/{season_id}")
    assert season.ask("POST", path, before, **first, key="1").status_code == 200
    for content in (other, first):
        links = season.ask("POST", f"/links/{person}").json()
        code = next(link["token"] for link in links if link["who"] == person)
        after = season.ask("POST", "/join", code=code).json()["token"]
        stored = _all(season)
        answer = season.ask("POST", path, after, **content, key="1")
        assert answer.status_code == 200, answer.text
        assert len(_all(season)) > len(stored), "It is a new request, whatever was sent before."


@pytest.mark.parametrize("path", [path for path, order in ORDERS.items() if order[0] == "cast"])
def test_a_host_learns_nothing_of_a_contestants_keys(season, path):
    """Neither as a host nor with the contestant's link, which hosts know."""
    _who, first, other = ORDERS[path]
    path = path.removeprefix("/api/seasons/{season_id}")
    link = next(link["token"] for link in season.ask("GET", "/links").json() if link["who"] == "c1")

    def answers():
        """Return what hosts are answered to requests with the same key and content, another content, and a new key."""
        sent = [(token, content, key) for token in (season.token, link) for content in (first, other) for key in "12"]
        answers = [season.ask("POST", path, token, **content, key=key) for token, content, key in sent]
        return [(answer.status_code, answer.json()) for answer in answers]

    before = answers()
    assert season.ask("POST", path, season.tokens["cast"][0], **first, key="1").status_code == 200
    assert answers() == before
    assert {status for status, _answer in before} == {403}


def test_a_request_sent_again_after_signing_in_counts_once(season, person):
    """Who signs in to an account that hosts the season acts as the host, and the key is still the person's."""
    host, guest = person("Hugo"), person()
    for name, kind, browser in (("Hugo", "host-added", host), ("Gus", "stood-in", guest)):
        season.done(kind, name=name, **({"role": "host"} if kind == "host-added" else {"contestant": "c1"}))
        link = next(one["token"] for one in season.ask("GET", "/links").json() if one["name"] == name)
        browser.say(f"/seasons/{season.id}/join", code=link)
    question = {"kind": "asked", "contestant": "c1", "text": "May I?", "key": "1"}
    guest.say(f"/seasons/{season.id}/do", **question)
    guest.say("/account/sign-in", name="Hugo", password=PASSWORD)
    guest.csrf = guest._token()
    stored = _all(season)
    guest.say(f"/seasons/{season.id}/do", **question)
    assert _all(season) == stored


def test_a_form_is_the_same_wherever_it_stands_on_a_page():
    content = {"kind": "posted", "text": "a"}
    assert request_key("1", content) == request_key("1", {**content, **dict.fromkeys(FORM_ONLY, "x")})
    assert request_key("1", content) != request_key("1", {**content, "text": "b"})
    assert request_key("", content) is request_key(None, content) is None
