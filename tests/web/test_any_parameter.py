"""Every address with a GET, with numbers out of range and odd texts for each of its parameters."""

import re
from itertools import product

import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.every_secret import routes_of

ODD = (
    "0",
    "-1",
    str(10**9),
    str(10**30),
    f"-{10**30}",
    "1.5",
    "1e3",
    "½",
    "٣",
    "",
    " ",
    "null",
    "..",
    "x" * 3000,
    "\ud7ff",
)
STREAMS = "text/event-stream"
PATHS = re.compile(r"\{(\w+)(?::path)?\}")


@pytest.fixture(scope="module")
def values(server):
    """What parameters are usually filled with: things that exist, and otherwise a number that is in range."""
    person = Person(server)
    season = person.say("/seasons", title="Spring", host="Olga").split("/")[2]
    cup = person.say("/tournaments", title="Cup", host="Olga", game="pyramid-shambo", format="swiss").split("/")[2]
    club = person.say("/clubs", name="Pyramids", member="Olga", door="open").split("/")[2]
    table = person.start("me", "bot:random")
    ids = {"season_id": season, "tournament_id": cup, "club_id": club, "table_id": table, "game_id": "pyramid-shambo"}
    yield person, ids
    person.close()


def routes(app):
    """Return the path and the query parameters of every route with a GET."""
    found = {}
    for route in routes_of(app.routes):
        if "GET" in (getattr(route, "methods", None) or ()):
            known = getattr(route, "dependant", None)
            found[route.path] = [one.alias for one in known.query_params] if known is not None else []
    assert len(found) > 100
    return found


def test_no_number_and_no_text_in_an_address_is_the_servers_fault(server, values):
    person, ids = values
    faults = []

    def ask(path, query):
        with person.stream("GET", path, params=query) as answer:
            if answer.status_code >= 500:
                faults.append(f"{answer.status_code} for {path} with {query}"[:200])
            elif answer.status_code >= 400 and STREAMS not in answer.headers.get("content-type", ""):
                assert answer.read(), f"{path} is refused without a word."

    for path, names in routes(server.config.app).items():
        usual = {name: ids.get(name, "1") for name in PATHS.findall(path)}
        for name in usual:
            for odd in ODD:
                filled = {**usual, name: odd}
                ask(PATHS.sub(lambda found, filled=filled: filled[found[1]], path), {})
        for name in names:
            for odd in ODD:
                ask(PATHS.sub(lambda found, usual=usual: usual[found[1]], path), {name: odd})
    assert faults == []


@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_nor_is_it_where_something_is_changed(server, values, method):
    """Routes that name what they change in their address, with what they must have in their body or without it."""
    person, ids = values
    faults, asked = [], 0
    for route in routes_of(server.config.app.routes):
        names = PATHS.findall(getattr(route, "path", ""))
        if method not in (getattr(route, "methods", None) or ()) or "{path" in route.path:
            continue
        usual = {name: ids.get(name, "1") for name in names}
        for name, odd in product([name for name in names if name not in ids], ODD):
            path = PATHS.sub(lambda found, filled={**usual, name: odd}: filled[found[1]], route.path)
            answer = person.request(
                method, path, json={"role": "member", "face": None}, headers={"x-csrf": person.csrf}
            )
            asked += 1
            if answer.status_code >= 500:
                faults.append(f"{answer.status_code} for {method} {path}"[:200])
    assert asked > 20
    assert faults == []
