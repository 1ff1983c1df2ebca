"""Seasons and tournaments that are created once, although the request is sent twice."""

import re
from contextlib import closing

import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.creating import CREATING
from tests.web.helpers.seasons import Host

TOURNAMENT = {"title": "Cup", "host": "Hal", "game": "pyramis", "format": "elimination", "seats": "2"}


@pytest.fixture
def hal(server):
    person = Person(server)
    with closing(person):
        yield person


@pytest.mark.parametrize(
    ("path", "fields"), [("/seasons", {"title": "Code Red", "host": "Hal"}), ("/tournaments", TOURNAMENT)]
)
def test_a_form_that_is_sent_twice_creates_one(hal, path, fields):
    key = re.search(r'name="key" value="([^"]+)"', hal.get(path).text)[1]
    first = hal.say(path, key=key, **fields)
    assert hal.say(path, key=key, **fields) == first
    assert hal.say(path, key=key, **{**fields, "title": "Another"}) != first, "A changed form is another request."
    assert hal.say(path, **fields) != first


@pytest.mark.parametrize("path", CREATING)
def test_a_program_creates_one_with_one_key(hal, server, path):
    def created(person, **changed):
        return person.api("POST", path, **{**CREATING[path], "key": "k", **changed}).json()["id"]

    first = created(hal)
    assert created(hal) == first
    assert created(hal, title="Another") != first
    with closing(Person(server)) as other:
        assert created(other) != first


def test_unknown_fields_and_empty_plans_are_refused_with_a_sentence(client):
    answer = client.post("/api/seasons", json={"title": "Code Red", "host": "Hal", "colour": "red"})
    assert (answer.status_code, answer.json()["detail"]) == (422, "colour: There is no such field.")
    host = Host(client)
    answer = host.ask("POST", "/plan", template={"settings": {"title": "T"}})
    assert (answer.status_code, answer.json()["detail"]) == (422, "This template has no episodes to plan.")
