"""Every value that the API takes, missing or null, and every number and date of API and forms at its extremes.

They are refused with a sentence, or stored.
"""

import json
import re
from copy import deepcopy
from urllib.parse import quote_plus

import pytest
import sqlalchemy as sa
from tests.web.helpers.accounts import Person

from pyramidion.event_log import DATE_RANGE, HOUR, LATEST
from pyramidion.web.db.schema import METADATA

SOON = LATEST - 30 * 24 * HOUR
"""A time from which many durations lead beyond the latest one."""
RAW = "RAW"
JSON, FORM_DATA = "application/json", "application/x-www-form-urlencoded"
ALERT = r'role="alert">([^<]+)'
NUMBERS = (
    *("0", "-1", str(2**31), str(2**63), f"-{2**63}", str(LATEST), "-62135596800000", "253402300799000"),
    *("9" * 300, "9" * 5000, "1e400", "NaN", "1.5"),
)
"""As JSON: the last date of year 9999 and the first of year 1 are among them."""
TEXTS = ("0", "-1", "1e400", str(2**63), "9" * 5000, "½")
DATES = (
    *("0001-01-01T00:00", "9999-12-31T23:59", "1969-12-31T00:00", "2096-10-03T12:00", "2200-01-01T00:00"),
    *("2026-02-30T00:00", "10000-01-01T00:00", "9999-12-31T23:59-23:59", "2027-W01-1", "9" * 400, str(2**63), "-1"),
)
ZONES = ("Pacific/Kiritimati", "Etc/GMT+12")
NO_ZONES = ("America", "../../etc/passwd", "/etc/passwd", "Factory/", "x" * 5000, "½", "UTC/../UTC", ".")

FORM = {"name": "Bids", "fields": [{"name": "bid", "least": 1, "most": 9}], "rounds": 2, "hours": 24}
SETTINGS = {"title": "Red", "delay": 1, "strikes": 1}
TEMPLATE = {
    "settings": SETTINGS,
    "shop": [{"name": "Tea", "price": 1, "priority": 1, "per_person": 1, "per_season": 1}],
    "episodes": [{"game": "pyramis", "duel": None, "clock": 60}],
    "formats": [{"name": "Odd", "tokens": 1, "candidates": 1, "eliminations": 1}],
    "phases": [{"name": "Match", "after": 60, "minutes": 60}],
    "own_matches": [FORM],
}
EVENTS = (
    {"kind": "settings", **SETTINGS},
    {"kind": "cast-added", "name": "New", "garnets": 1, "priority": 1},
    {"kind": "struck", "contestant": "c1", "amount": 1},
    {"kind": "item-set", "name": "Tea", "price": 1, "priority": 1, "per_person": 1, "per_season": 1},
    {"kind": "gave", "giver": "c1", "taker": "c2", "currency": "garnets", "amount": 1},
    {"kind": "corrected", "contestant": "c1", "currency": "garnets", "amount": 1},
    {"kind": "format-set", "name": "Odd", "tokens": 1, "candidates": 1, "eliminations": 1},
    {"kind": "own-match-set", **FORM},
    {"kind": "own-deadline-set", "match": "m1", "deadline": SOON},
    {"kind": "own-match-opened", "form": "Bids", "deadline": SOON},
    {"kind": "own-round-opened", "match": "m1", "deadline": SOON},
    {"kind": "episode-planned", "game": "pyramis", "duel": None, "clock": 60},
    {"kind": "episode-opened", "game": None, "duel": None, "clock": 60},
    {"kind": "result-entered", "candidate": "c1", "tokens": {"c2": 1}},
    {"kind": "answered", "question": 1, "text": "Yes."},
    {"kind": "phase-set", "name": "Match", "starts": SOON, "ends": SOON + HOUR, "reminder": 1},
    {"kind": "phase-extended", "phase": "p1", "hours": 24},
    {"kind": "phase-extended", "phase": "p1", "hours": 1},
    {"kind": "extension-asked", "contestant": "c1", "phase": "p1", "hours": 1},
    {"kind": "revoked", "entry": 2},
)
OPENED = (
    {"kind": "own-match-set", **FORM},
    {"kind": "episode-opened"},
    {"kind": "own-match-opened", "form": "Bids"},
)
WHILE_PLAYING = ("own-deadline-set", "own-round-opened", "result-entered")
TOURNAMENT = {
    "title": "Cup",
    "host": "Ann",
    "game": "pyramid-shambo",
    "least": 2,
    "seats": 2,
    "rounds": 2,
    "points": [2, 1],
    "places": 8,
    "clock": 60,
    "starts": SOON,
    "hours": 1,
}
SEATS = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
TABLE = {"game": "ponzi-scheme", "seats": SEATS, "start": "when-ready", "clock": 86_400, "seed": 1}
"""Nothing happens there by itself: no bot acts, and no clock expires during the tests."""


def places(body, path=()):
    """Yield the paths of the values in a body, each with its value."""
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in items:
        yield (*path, key), value
        yield from places(value, (*path, key))


def numbers(body):
    """Yield the paths of the numbers in a body."""
    return (path for path, value in places(body) if isinstance(value, int) and not isinstance(value, bool))


def without(body, path):
    """Return the JSON text of a body without the value at a path."""
    changed = deepcopy(body)
    part = changed
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    return json.dumps(changed)


def with_value(body, path, raw):
    """Return the JSON text of a body with another value at a path."""
    changed = deepcopy(body)
    part = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = RAW
    return json.dumps(changed).replace(f'"{RAW}"', raw)


@pytest.fixture(scope="module")
def ann(server):
    person = Person(server)
    yield person
    person.close()


def begun(ann, *events, zone="UTC"):
    """Begin a season with three contestants; return its id."""
    season = ann.say("/seasons", title="Red", host="Hal").split("/")[2]
    cast = [{"kind": "cast-added", "name": name, "garnets": 9} for name in ("Ana", "Ben", "Cal")]
    for event in ({"kind": "settings", "title": "Red", "audience": "live", "zone": zone}, *cast, *events):
        answer = ann.api("POST", f"/api/seasons/{season}/entries", event=event)
        assert answer.status_code == 200, answer.text
    return season


@pytest.fixture(scope="module")
def idle(ann):
    phase = {"kind": "phase-set", "name": "Match", "starts": SOON, "ends": SOON + HOUR}
    return begun(ann, phase, {"kind": "own-match-set", **FORM})


@pytest.fixture(scope="module")
def playing(ann):
    events = (
        {"kind": "own-match-set", **FORM},
        {"kind": "episode-opened"},
        {"kind": "own-match-opened", "form": "Bids"},
    )
    return begun(ann, *events)


@pytest.fixture
def stored(server):
    """Return a function that returns every row of the database."""
    store = server.app.server.store
    return lambda: {table.name: store.query(sa.select(table)) for table in METADATA.sorted_tables}


def season_pages(season):
    tabs = ("now", "cast", "episodes", "timeline", "shop", "settings", "templates")
    return (
        *(f"/api/seasons/{season}", f"/seasons/{season}", f"/seasons/{season}/template.json", "/seasons", "/"),
        *(f"/seasons/{season}/host?tab={tab}" for tab in tabs),
    )


def bodies(idle, playing):
    """Yield what is sent as JSON: path and body."""
    for event in EVENTS:
        season = playing if event["kind"] in WHILE_PLAYING else idle
        yield f"/api/seasons/{season}/entries", {"event": event, "reason": "Why"}
    schedule = {"starts": SOON, "phases": [["A", 24], ["B", 1]]}
    yield f"/api/seasons/{idle}/schedule", schedule
    yield f"/api/seasons/{idle}/schedule", {**schedule, "skip_weekends": True}
    yield f"/api/seasons/{idle}/plan", {"template": TEMPLATE}
    yield f"/api/seasons/{idle}/step", {"step": "open", "game": "x", "clock": 60}
    yield f"/api/seasons/{playing}/submissions", {"match": "m1", "round": 1, "values": {"bid": 3}}
    yield "/api/seasons", {"title": "Red", "host": "Hal", "delay": 1, "strikes": 1}
    yield "/api/seasons", {"title": "", "host": "Hal", "starts": SOON, "template": TEMPLATE}
    yield "/api/season-templates", {"name": "Mine", "template": TEMPLATE}
    yield "/api/tournaments", TOURNAMENT
    yield "/api/tables", TABLE


@pytest.fixture
def send(ann, stored):
    """Return a function that sends a request and notes in `faults` what is wrong with the answer."""
    faults, before = [], None

    def sent(what, path, content, kind):
        nonlocal before
        before = before or stored()
        answer = ann.post(path, content=content, headers={"x-csrf": ann.csrf, "content-type": kind})
        after = stored()
        if answer.status_code >= 500:
            faults.append(f"{answer.status_code} for {what}")
        elif answer.status_code >= 400:
            detail = answer.json()["detail"] if kind == JSON else (re.findall(ALERT, answer.text) or [""])[0]
            if not re.search(r"\w.*[.:]", detail) or "None" in detail:
                faults.append(f"{answer.status_code} with {detail!r} for {what}")
            if after != before:
                faults.append(f"refused, and stored something: {what}")
        before = after
        return answer

    sent.faults = faults
    return sent


def check_pages(ann, *seasons):
    """Check that what was stored can be shown."""
    for path in ("/lobby", "/tournaments", *(page for season in seasons for page in season_pages(season))):
        assert ann.get(path).status_code == 200, path


@pytest.mark.slow
def test_what_is_missing_or_null_in_json(ann, idle, playing, send):
    for path, body in bodies(idle, playing):
        for place, _value in places(body):
            send(f"{path} {place} null", path, with_value(body, place, "null"), JSON)
            send(f"{path} {place} missing", path, without(body, place), JSON)
    assert send.faults == []
    check_pages(ann, idle, playing)


@pytest.mark.slow
def test_numbers_in_json(ann, idle, playing, send):
    for path, body in bodies(idle, playing):
        for place in numbers(body):
            for raw in NUMBERS:
                send(f"{path} {place} {raw[:30]}", path, with_value(body, place, raw), JSON)
    assert send.faults == []
    check_pages(ann, idle, playing)


NUMBER_FORMS = (
    ("do", {"kind": "settings", "title": "Red", "delay": "1", "strikes": "1"}),
    ("do", {"kind": "cast-added", "name": "New", "garnets": "1", "priority": "1"}),
    ("do", {"kind": "struck", "contestant": "c1", "amount": "1", "reason": "Why"}),
    ("do", {"kind": "item-set", "name": "Tea", "price": "1", "priority": "1", "per_person": "1", "per_season": "1"}),
    ("do", {"kind": "gave", "giver": "c1", "taker": "c2", "currency": "garnets", "amount": "1"}),
    ("do", {"kind": "corrected", "contestant": "c1", "currency": "garnets", "amount": "1", "reason": "Why"}),
    ("do", {"kind": "format-set", "name": "Odd", "tokens": "1", "candidates": "1", "eliminations": "1"}),
    ("do", {"kind": "own-match-set", "name": "More", "label-1": "A", "least-1": "1", "most-1": "2", "rounds": "1"}),
    ("do", {"kind": "own-match-set", "preset": "vote", "name": "Vote", "hours": "1"}),
    ("do", {"kind": "episode-planned", "game": "pyramis", "duel": "", "clock": "60"}),
    ("do", {"kind": "phase-set", "name": "Match", "starts": str(SOON), "ends": str(SOON + HOUR), "reminder": "1"}),
    ("do", {"kind": "phase-extended", "phase": "p1", "hours": "1"}),
    ("do", {"kind": "revoked", "entry": "2", "reason": "Why"}),
    ("step", {"step": "open", "game": "x", "duel": "", "clock": "60"}),
    ("schedule", {"starts": "2027-01-01T12:00", "phases": "A, 24"}),
)
DATE_FORMS = (
    ("do", {"kind": "own-deadline-set", "match": "m1", "deadline": "DATE"}),
    ("do", {"kind": "phase-set", "name": "Match", "starts": "2027-01-01T12:00", "ends": "DATE"}),
    ("do", {"kind": "phase-set", "name": "Match", "starts": "DATE", "ends": "2096-10-01T12:00"}),
    ("schedule", {"starts": "DATE", "phases": "A, 24\nB, 1"}),
    ("schedule", {"starts": "DATE", "phases": "A, 24\nB, 1", "skip_weekends": "on"}),
    ("do", {"kind": "holidays-set", "days": "DATE"}),
)
CUP = {"title": "Cup", "host": "Ann", "game": "pyramid-shambo", "format": "swiss"}
CUP_NUMBERS = {"seats": "2", "rounds": "2", "points": "2 1", "places": "8", "clock": "60", "hours": "1"}


def encoded(csrf, fields):
    return "&".join(f"{name}={quote_plus(value)}" for name, value in {"csrf": csrf, **fields}.items())


def test_numbers_in_forms(ann, idle, send):
    for name, form in NUMBER_FORMS:
        for field, value in form.items():
            for text in TEXTS if value.isdigit() else ():
                path = f"/seasons/{idle}/{name}"
                send(f"{path} {field} {text[:30]}", path, encoded(ann.csrf, {**form, field: text}), FORM_DATA)
    for text in TEXTS:
        for field in CUP_NUMBERS:
            fields = encoded(ann.csrf, {**CUP, **CUP_NUMBERS, field: text})
            send(f"/tournaments {field} {text[:30]}", "/tournaments", fields, FORM_DATA)
        for field in ("seats", "clock", "seed", "pregame", "option-round_limit"):
            table = {"game": "ponzi-scheme", "seats": "3", "start": "now", "seat-0": "me", field: text}
            send(f"/tables {field} {text[:30]}", "/tables", encoded(ann.csrf, table), FORM_DATA)
    assert send.faults == []
    check_pages(ann, idle)


@pytest.mark.parametrize("zone", ZONES)
def test_dates_in_forms(ann, send, zone):
    season = begun(ann, *OPENED, zone=zone)
    for name, form in DATE_FORMS:
        for date in DATES:
            path = f"/seasons/{season}/{name}"
            fields = {field: value.replace("DATE", date) for field, value in form.items()}
            answer = send(f"{path} {form.get('kind')} {date[:30]}", path, encoded(ann.csrf, fields), FORM_DATA)
            if re.match("2200-|9999-|2096-", date) and "DATE" in (form.get("deadline"), form.get("ends")):
                assert DATE_RANGE in answer.text, (form, date)
    for date in DATES:
        fields = encoded(ann.csrf, {**CUP, "starts": date, "zone": zone})
        send(f"/tournaments {date[:30]}", "/tournaments", fields, FORM_DATA)
        fields = encoded(ann.csrf, {"title": "Red", "host": "Hal", "template": "upside-down-episode", "starts": date})
        send(f"/seasons {date[:30]}", "/seasons", fields, FORM_DATA)
    assert send.faults == []
    check_pages(ann, season)


def test_time_zones(ann, idle, send):
    for zone in NO_ZONES:
        settings = {"kind": "settings", "title": "Red", "zone": zone}
        body = json.dumps({"event": settings})
        assert send(f"zone {zone[:30]}", f"/api/seasons/{idle}/entries", body, JSON).status_code >= 400
        assert (
            send(f"zone {zone[:30]}", f"/seasons/{idle}/do", encoded(ann.csrf, settings), FORM_DATA).status_code >= 400
        )
        starts = encoded(ann.csrf, {**CUP, "starts": "2090-01-01T00:00", "zone": zone})
        assert send(f"zone {zone[:30]}", "/tournaments", starts, FORM_DATA).status_code >= 400
    assert send.faults == []
