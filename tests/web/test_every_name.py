"""Every door through which names, titles and texts come in accepts and refuses the same ones."""

import re
from contextlib import ExitStack
from dataclasses import fields
from functools import partial
from html import unescape
from typing import get_type_hints

import httpx
import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.seasons import Host
from tests.web.helpers.tournaments import Cup, csrf

from pyramidion import names
from pyramidion.event_log import Entry, NotPossible
from pyramidion.seasons.conversations import CONVERSATION_KINDS
from pyramidion.seasons.events import KINDS as SEASON_EVENTS
from pyramidion.seasons.fold import extended, fold
from pyramidion.seasons.spans import Span
from pyramidion.tournaments.events import KINDS as TOURNAMENT_EVENTS
from pyramidion.tournaments.state import TournamentSettings
from pyramidion.web.application import create_app
from pyramidion.web.features.clubs.club import MOST_NAME
from pyramidion.web.settings import Settings

NAMES = ["علی\u200cرضا", "👩\u200d👧", "Ann\ufe0f", " Z \u00a0 Y ", "x/..\\%?#", "W" * 41]
LINES = ["A\u202eB", "A\nB", "A\u00adB", "A\u3164", "A\u2800B", "a\u200db", "A\ue000", "A\u0378", "Z" + "\u0316" * 4]
TEXTS = ["A\u202eB", "A\x1bB", "A\u200eB", "A\nB", "ශ්\u200dරී"]
# What strings in requests may be besides names, titles and texts.
OTHERS = {
    *("match", "own", "second", "winner", "winners"),
    "[]", "absent", "account", "action", "alliance", "bot", "by", "candidate", "cards", "club", "code", "colour",
    "contestant", "contribution", "csv", "duel", "email", "face", "fill", "game", "hosts", "item", "key", "kind",
    "language", "line", "loser", "members", "new", "off", "off_here", "old", "opponent", "options", "order", "part",
    "password", "person", "phase", "player", "publish", "question", "role", "seed", "since", "start", "state", "table",
    "template", "to", "token", "version", "webhook", "what", "zone",
}  # fmt: skip
ELSEWHERE = {
    "POST /api/seasons/{season_id}/entries event.host": "an id",
    "POST /api/seasons/{season_id}/entries event.tie_reason": "a text of a result, which needs an open episode",
    "PUT /api/tables/{table_id}/room/contribution text": "part of a seed",
    "PUT /api/tables/{table_id}/premoves text": "actions",
    "POST /api/session name": "looked up only",
    "POST /api/blocks name": "looked up only",
    "POST /api/account/passkeys label": "a name, after the ceremony",
    "POST /api/session/passkey label": "not used",
    "POST /api/account/passkeys/options name": "a name, as for the account",
    "POST /api/seasons/{season_id}/talk event.name": "a title (`AllianceFormed`)",
    "POST /api/seasons/{season_id}/talk event.text": "a text (`Said`)",
    "POST /api/seasons/{season_id}/step title": "a title (`EpisodeOpened`)",
    "POST /api/seasons/{season_id}/step format": "looked up only",
    "POST /api/seasons/{season_id}/entries event.format": "looked up only",
    "POST /api/seasons/{season_id}/entries event.form": "looked up only",
    "POST /api/seasons/{season_id}/entries event.cast": "ids",
    "POST /api/seasons/{season_id}/entries event.days": "a text (`HolidaysSet`)",
    "POST /api/seasons/{season_id}/entries event.score": "a formula (`test_own_match.py`)",
    "POST /api/seasons/{season_id}/entries event.fields.choices": "titles (`test_own_match.py`)",
    "POST /api/seasons/{season_id}/entries event.fields.label": "a title (`test_own_match.py`)",
    "POST /api/seasons/{season_id}/entries event.fields.name": "lower-case letters (`test_own_match.py`)",
    "POST /api/seasons/{season_id}/entries event.phases.name": "a title (`Span`)",
    "POST /api/seasons/{season_id}/cast reason": "a text (`Entry`)",
}
"""Texts that do not come in through a door of their own, and why."""


def _opened(stack, person):
    stack.callback(person.close)
    return person


class World:
    """A server's clients, and what they have made, for the doors."""

    def __init__(self, client, server, stack):
        self.client = client
        self.person = _opened(stack, Person(server, "Owner"))
        self.watcher = _opened(stack, Person(server))
        self.others = (_opened(stack, Person(server)) for _ in range(200))
        self.host = Host(client)
        self.cup = Cup(client)
        self.host.bots(("Nina", "Felix", "Zoë"))
        self.talking = Host(client, talk="private")
        self.club = self.person.api("POST", "/api/clubs", name="Club", member="Olga", door="open").json()["id"]

    def anybody(self, path, **body):
        return next(self.others).api("POST", path, **body)

    def own(self, method, path, **body):
        return self.person.api(method, path, **body)

    def table(self, **body):
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
        return self.client.post("/api/tables", json={"game": "ponzi-scheme", "seats": seats, **body})

    def seat(self, **plan):
        return self.table(seats=[plan, {"kind": "open"}, {"kind": "open"}])

    def sit(self, text, **start):
        table = self.table(**start).json()["id"]
        return self.anybody(f"/api/tables/{table}/seats/1", name=text)

    def say(self, **body):
        made = self.table(chat={"watchers": True}).json()
        return self.watcher.api("POST", f"/api/tables/{made['id']}/chat", **body)

    def note(self, text):
        made = self.own("POST", "/api/tables", game="ponzi-scheme", seats=[{"kind": "me"}, *[{"kind": "open"}] * 2])
        return self.own("PUT", f"/api/tables/{made.json()['id']}/notes", text=text)

    def template(self, name="T", title=""):
        episodes = [{"kind": "episode-planned", "title": title}]
        template = {"settings": {"kind": "settings", "title": "T"}, "episodes": episodes}
        answer = self.own("POST", "/api/season-templates", name=name, template=template)
        if answer.status_code == 201:
            self.own("DELETE", f"/api/season-templates/{answer.json()['id']}")
        return answer

    def season(self, **body):
        return self.client.post("/api/seasons", json={"title": "Red", "host": "Hal", **body})

    def entry(self, kind, **event):
        return self.host.do(kind, "Because.", **event)

    def new_host(self, text):
        return Host(self.client).do("host-added", name=text)

    def schedule(self, text):
        return self.host.ask("POST", "/schedule", starts=1, phases=[[text, 1]])

    def member(self, text):
        return self.anybody(f"/api/clubs/{self.club}/join", name=text)

    def tournament(self, **body):
        body = {"title": "Cup", "host": "Hal", "game": "pyramid-shambo", **body}
        return self.client.post("/api/tournaments", json=body, headers=csrf(self.client))

    def join(self, text):
        return self.cup.ask("join", next(self.others), name=text)

    def joined(self, text):
        return Cup(self.client).ask("entries", event={"kind": "joined", "name": text, "bot": "random"})

    def rename(self, text):
        person = next(self.others)
        room = person.start("me", "open", "open", start="when-ready", game="ponzi-scheme")
        return person.form(f"/t/{room}/room/name", name=text)


ENTRY = "POST /api/seasons/{season_id}/entries"
NAME_DOORS = {
    "POST /api/account name": lambda w, t: w.anybody("/api/account", name=t, password="seven pale pebbles"),
    "POST /api/tables seats.name": lambda w, t: w.seat(kind="me", name=t),
    "POST /api/tables seats.name of a bot": lambda w, t: w.seat(kind="bot", bot="random", name=t),
    "POST /api/tables host_name": lambda w, t: w.table(host_name=t),
    "POST /api/tables/{table_id}/seats/{seat} name": lambda w, t: w.sit(t),
    "POST /api/tables/{table_id}/seats/{seat} name in a room": lambda w, t: w.sit(t, start="when-ready"),
    "POST /api/tables/{table_id}/chat name": lambda w, t: w.say(text="Hi", name=t),
    "POST /t/{table_id}/room/name": World.rename,
    "POST /api/clubs member": lambda w, t: w.anybody("/api/clubs", name="Club", member=t),
    "POST /api/clubs/{club_id}/join name": World.member,
    "POST /api/seasons host": lambda w, t: w.season(host=t),
    f"{ENTRY} event.name of cast-added": lambda w, t: w.entry("cast-added", name=t),
    f"{ENTRY} event.name of host-added": lambda w, t: w.new_host(t),
    "POST /api/tournaments host": lambda w, t: w.tournament(host=t),
    "POST /api/tournaments/{tournament_id}/join name": lambda w, t: w.join(t),
    "POST /api/tournaments/{tournament_id}/entries event.name": lambda w, t: w.joined(t),
}  # fmt: skip
TITLE_DOORS = {
    "POST /api/tables title": lambda w, t: w.table(title=t),
    "POST /api/tables title of a room": lambda w, t: w.table(title=t, start="when-ready"),
    "POST /api/clubs name": lambda w, t: w.anybody("/api/clubs", name=t, member="Olga"),
    "PUT /api/clubs/{club_id} name": lambda w, t: w.own("PUT", f"/api/clubs/{w.club}", name=t, door="open"),
    "POST /api/seasons title": lambda w, t: w.season(title=t),
    f"{ENTRY} event.title": lambda w, t: w.entry("settings", title=t),
    f"{ENTRY} event.title of episode-planned": lambda w, t: w.entry("episode-planned", title=t),
    f"{ENTRY} event.name of item-set": lambda w, t: w.entry("item-set", name=t, price=1),
    f"{ENTRY} event.name of phase-set": lambda w, t: w.entry("phase-set", name=t, starts=1, ends=9),
    "POST /api/seasons/{season_id}/schedule phases": lambda w, t: w.schedule(t),
    "POST /api/season-templates name": lambda w, t: w.person.api(
        "POST", "/api/season-templates", name=t, template={"settings": {"kind": "settings", "title": "T"}}
    ),
    "POST /api/season-templates template.episodes.title": lambda w, t: w.template(title=t),
    "POST /api/tournaments title": lambda w, t: w.tournament(title=t),
}  # fmt: skip
TEXT_DOORS = {
    "PUT /api/tables/{table_id}/notes text": lambda w, t: w.note(t),
    "PUT /api/clubs/{club_id} about": lambda w, t: w.own("PUT", f"/api/clubs/{w.club}", name="C", about=t, door="open"),
    "POST /api/tables/{table_id}/chat text": lambda w, t: w.say(text=t, name="Dora"),
    "POST /api/clubs about": lambda w, t: w.anybody("/api/clubs", name="Club", member="Olga", about=t),
    "POST /api/clubs/{club_id}/posts text": lambda w, t: w.own("POST", f"/api/clubs/{w.club}/posts", text=t),
    "POST /api/seasons about": lambda w, t: w.season(about=t),
    f"{ENTRY} reason": lambda w, t: w.host.do("posted", t, text="Hello"),
    f"{ENTRY} event.text": lambda w, t: w.entry("posted", text=t),
    f"{ENTRY} event.about": lambda w, t: w.entry("settings", title="Red", about=t),
    f"{ENTRY} event.words": lambda w, t: w.entry("item-set", name="Hat", price=1, words=t),
    "POST /api/tournaments about": lambda w, t: w.tournament(about=t),
}  # fmt: skip


@pytest.fixture(scope="module")
def world(server):
    with ExitStack() as stack:
        yield World(stack.enter_context(httpx.Client(base_url=server.address, timeout=60)), server, stack)


def _same(world, door, text, clean):
    """Assert that a door accepts a text if `clean` does, or refuses it with the same sentence."""
    answer = door(world, text)
    refusal = ""
    try:
        clean(text)
    except names.BadName as error:
        refusal = str(error)
    assert answer.status_code in ((400, 422) if refusal else (200, 201, 204, 303)), (ascii(text), answer.text[-500:])
    assert refusal in unescape(answer.text), ascii(text)


@pytest.mark.parametrize("door", NAME_DOORS)
def test_every_door_accepts_the_same_names(world, door):
    for text in (*NAMES, *LINES):
        _same(world, NAME_DOORS[door], text, names.clean)


@pytest.mark.parametrize("door", TITLE_DOORS)
def test_every_door_accepts_the_same_titles(world, door):
    for text in (*NAMES, *LINES, "W" * 81):
        longest = MOST_NAME if "clubs" in door else names.LONGEST_TITLE
        _same(world, TITLE_DOORS[door], text, partial(names.clean_title, longest=longest))


@pytest.mark.parametrize("door", TEXT_DOORS)
def test_every_door_accepts_the_same_texts(world, door):
    for text in TEXTS:
        _same(world, TEXT_DOORS[door], text, names.clean_words)


def test_every_text_in_requests_has_a_door_here_or_is_something_else(tmp_path):
    document = create_app(Settings(data_dir=tmp_path, warm=False)).openapi()
    doors = [*NAME_DOORS, *TITLE_DOORS, *TEXT_DOORS, *ELSEWHERE]
    asked: list[str] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                asked += (f"{method.upper()} {path} {field}" for field in set(_strings(document, content["schema"])))
    # Templates have the events that seasons begin with.
    texts = [one for one in asked if re.split("[ .]", one)[-1] not in OTHERS and " template." not in one]
    assert [one for one in texts if not any(door.startswith(one) for door in doors)] == []


@pytest.mark.parametrize(
    "kind",
    [
        *SEASON_EVENTS.values(),
        *CONVERSATION_KINDS.values(),
        *TOURNAMENT_EVENTS.values(),
        TournamentSettings,
        Span,
        Entry,
    ],
)
def test_every_text_of_an_event_is_a_name_a_title_or_a_text(kind):
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        plain = hints[field.name] in (str, str | None) and field.name not in OTHERS | {"host"}
        assert not plain, f"{kind.__name__}.{field.name}: say which with names.Name, Title or Text"


def test_a_stored_log_is_read_whatever_its_names_are():
    stored = ("Bill", "BiIl", "A\u00adB")
    events = [SEASON_EVENTS["settings"]("A\u202eB"), *map(SEASON_EVENTS["cast-added"], stored)]
    season = fold([Entry(number, 0, "h1", event) for number, event in enumerate(events, 1)])
    assert season.settings.title == "A\u202eB"
    assert [one.name for one in season.cast.values()] == list(stored)
    with pytest.raises(NotPossible, match="is taken"):
        extended(season, [SEASON_EVENTS["cast-added"]("B1Il")], 0, "h1")
    assert extended(season, [SEASON_EVENTS["cast-added"]("Nina")], 0, "h1").names[-1] == "Nina"


def _strings(document, schema, path="", seen=()):
    """Yield the path of every string in a schema."""
    ref = schema.get("$ref", "").rpartition("/")[2]
    if ref and ref not in seen:
        yield from _strings(document, document["components"]["schemas"][ref], path, (*seen, ref))
    if schema.get("type") == "string" and not {"enum", "const"} & set(schema):
        yield path
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _strings(document, part, path, seen)
    for name, part in schema.get("properties", {}).items():
        yield from _strings(document, part, f"{path}.{name}".lstrip("."), seen)
    for part in filter(None, (schema.get("items"), *schema.get("prefixItems", ()))):
        yield from _strings(document, part, path, seen)
