"""Every page of a season in which everything has happened, for each of its people and for a viewer, at every step."""

import re
from contextlib import ExitStack, closing
from typing import get_args

import pytest
from tests.web.helpers.accounts import Person

from pyramidion.seasons.events import KINDS as EVENTS
from pyramidion.seasons.season import Audience
from pyramidion.web.features.seasons.console.tabs import TABS
from pyramidion.web.features.seasons.own_card import time_left
from pyramidion.web.features.seasons.texts import AUDIENCES, KINDS

ROLES = ("host", "moderator", "announcer", "nina", "omar", "viewer")
HOSTS = ROLES[:3]


class Everything:
    """A season with all that its pages can show; `people` are browsers by name."""

    def __init__(self, server, stack):
        self.people = {role: stack.enter_context(closing(Person(server))) for role in ROLES}
        host = self.people["host"]
        self.path = host.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
        settings = {"garnets": "own", "priority": "public", "gifts": "yes", "audience": "live", "strikes": "2"}
        self.do("host", "settings", title="Code Red", about="Ten weeks.", talk="published", **settings)
        host.say(f"{self.path}/cast", csv="Ada,5,3,random\nBlaise,4,7,random\nNina,8,4,\nOmar,6,5,", apply="yes")
        for name in ("moderator", "announcer"):
            self.do("host", "host-added", name=name, role=name)
        self.links = {one["name"].lower(): one["token"] for one in host.get(f"/api{self.path}/links").json()}
        for role in ROLES[1:5]:
            self.people[role].say(f"{self.path}/join", code=self.links[role])
        self.do("host", "item-set", name="Nudge", price="2", priority="1", words="A step up.", per_person="2")
        self.do("host", "posted", text="Welcome to the river.", what="announcement")
        self.do("host", "episode-planned", title="Arrival")
        host.say(f"{self.path}/schedule", starts="2030-01-07T20:00", phases="Main match, 48\nDuel, 24")

    def do(self, who, kind, **fields):
        return self.people[who].say(f"{self.path}/do", kind=kind, **fields)

    def talk(self, who, kind, **fields):
        return self.people[who].say(f"{self.path}/say", kind=kind, **fields)

    def step(self, name, **fields):
        return self.people["host"].say(f"{self.path}/step", step=name, **fields)

    def state(self):
        return self.people["host"].get(f"/api{self.path}").json()

    def pages(self):
        """Return what everybody reads on all pages that are there for them, by role."""
        shows = [f"/show/{one['number']}" for one in self.state()["episodes"]]
        found = {}
        for role, person in self.people.items():
            tabs = ["/host?tab=more", *(f"/host?tab={tab.id}" for tab in TABS)]
            paths = ["", "/now", *shows, *(tabs if role in HOSTS else [])]
            answers = {path: person.get(self.path + path) for path in paths}
            assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(paths, 200), role
            answers |= {
                f"{path} {n}": slide for path in shows for n, slide in enumerate(slides(person, self.path + path))
            }
            found[role] = re.sub(r"\s+", " ", "\n".join(answer.text for answer in answers.values()))
        return found


def slides(person, path):
    """Return the answers with all slides of a show."""
    answers = []
    while not answers or 'rel="next"' in answers[-1].text:
        answers.append(person.get(f"{path}?slide={len(answers) + 1}"))
        assert answers[-1].status_code == 200, answers[-1].text
    return answers


@pytest.fixture
def season(server):
    with ExitStack() as stack:
        yield Everything(server, stack)


def readers(pages, text):
    """Return who reads a text."""
    return [role for role in ROLES if text in pages[role]]


def test_every_kind_of_entry_and_every_audience_has_its_words():
    assert {*KINDS} == {*EVENTS}
    assert {*AUDIENCES} == {*get_args(Audience)}


def test_every_page_is_there_for_everybody_at_every_step(season):
    assert readers(season.pages(), "Welcome to the river.") == list(ROLES)
    season.step("open", title="Arrival")
    season.talk("nina", "said", to="c4", text="Together until the final?")
    season.talk("nina", "alliance-formed", name="The river", **{"with-c4": "yes", "with-c1": "yes"})
    season.talk("omar", "said", to="a1", text="Nobody takes Ada.")
    season.do("nina", "confessed", contestant="c3", text="I trust nobody.", publish="episode")
    season.do("omar", "confessed", contestant="c4", text="Nina is afraid.", publish="season")
    season.do("nina", "asked", contestant="c3", text="May I sell a garnet?")
    season.do("nina", "bought", contestant="c3", item="i1")
    season.do("nina", "gave", contestant="c3", to="c1", amount="1")
    season.do("nina", "extension-asked", contestant="c3", phase="p2", hours="12")
    season.do("host", "nudged", contestant="c3")
    season.do("host", "struck", contestant="c4", amount="1", reason="Missed the bid.")
    pages = season.pages()
    talking = [*HOSTS, "nina", "omar"]  # the hosts of this season read conversations, as was announced
    assert readers(pages, "Together until the final?") == readers(pages, "Nobody takes Ada.") == talking
    assert readers(pages, "I trust nobody.") == [*HOSTS, "nina"]
    assert readers(pages, "Nina is afraid.") == [*HOSTS, "omar"]
    assert readers(pages, "May I sell a garnet?") == [*HOSTS, "nina"]
    assert readers(pages, "asks for more time: Duel") == ["host", "moderator"], "An announcer does not answer."
    assert readers(pages, "Duel: you have asked for 12 more hours.") == ["nina"]
    season.do("moderator", "extension-declined", contestant="c3", phase="p2", reason="We are late already.")
    pages = season.pages()
    assert "asks for more time: Duel" not in pages["host"]
    assert readers(pages, "Duel: your request for more time has been declined.") == ["nina"]
    assert "nina" in readers(pages, "We are late already.")
    assert not {"omar", "viewer"} & {*readers(pages, "We are late already.")}
    assert readers(pages, "1 strike") == list(ROLES)
    assert readers(pages, "2 garnets</td>") == [*HOSTS, "nina"]
    season.do("host", "result-entered", candidate="c4", **{"tokens-c1": "1"})
    assert readers(season.pages(), "1 token of life") == list(ROLES)
    assert readers(season.pages(), "Challenge</button>") == ["omar"]
    season.do("omar", "opponent-named", opponent="c2")
    season.do("host", "duel-entered", loser="c4")
    season.pages()
    season.step("elimination")
    pages = season.pages()
    assert readers(pages, "I trust nobody.") == list(ROLES), "It is published after the episode."
    assert readers(pages, "Nina is afraid.") == [*HOSTS, "omar"]
    # Those who have left write, buy and ask no more.
    assert readers(pages, "Buy</button>") == readers(pages, "Ask the hosts") == ["nina"]
    assert readers(pages, "Ask for more time") == ["nina"]
    assert readers(pages, "Garnet shop") == ["host", "nina"]
    for _ in range(2):
        season.step("open")
        left = [one["id"] for one in season.state()["cast"] if one["out"] is None]
        if len(left) > 2:
            season.do("host", "result-entered", candidate=left[0])
            season.do("host", "opponent-named", opponent=left[1])
        season.do("host", "duel-entered", loser=left[0])
        season.step("elimination")
    pages = season.pages()
    for text in ("Nina has won the season.", "Together until the final?", "Nobody takes Ada.", "Nina is afraid."):
        assert readers(pages, text) == list(ROLES), "All is laid open as was agreed."
    viewer = season.people["viewer"]
    shows = ["".join(one.text for one in slides(viewer, f"{season.path}/show/{number}")) for number in (1, 2)]
    assert [text.count('data-slide="conversations"') for text in shows] == [1, 0]
    assert ["Together until the final?" in text for text in shows] == [True, False]
    assert readers(pages, "The finalists") == list(ROLES)
    assert readers(pages, "May I sell a garnet?") == [*HOSTS, "nina"]


def test_what_somebody_wrote_whose_addition_was_undone_can_still_be_read(season):
    season.do("host", "cast-added", name="Zoe")
    code = next(
        one["token"] for one in season.people["host"].get(f"/api{season.path}/links").json() if one["name"] == "Zoe"
    )
    zoe = season.people["viewer"]
    zoe.say(f"{season.path}/join", code=code)
    season.step("open")
    season.talk("viewer", "said", to="c3", text="Hello from Zoe.")
    season.talk("viewer", "alliance-formed", name="The shore", **{"with-c3": "yes"})
    entry = next(one["number"] for one in season.state()["log"] if one["data"].get("name") == "Zoe")
    season.do("host", "revoked", entry=str(entry), reason="The wrong person.")
    pages = season.pages()
    assert "Hello from Zoe." in pages["nina"]
    assert "The shore" in pages["nina"]


def test_a_page_that_was_loaded_in_another_episode_enters_nothing_in_this_one(person):
    host = person()
    season = host.say("/seasons", title="Red", host="Hal").split("/")[2]

    def done(**event):
        answer = host.api("POST", f"/api/seasons/{season}/entries", event=event)
        assert answer.status_code == 200, answer.text

    def form():
        """Return the hidden fields of the form for the result."""
        page = host.get(f"/seasons/{season}/host?tab=now").text
        return dict(re.findall(r'name="(\w+)" value="([^"]*)"', page.partition('value="result-entered"')[2][:400]))

    for name in ("Ana", "Ben", "Cal", "Dan"):
        done(kind="cast-added", name=name, bot="random")
    done(kind="episode-opened")
    stale = form()
    assert stale["episode"] == "1"
    for event in (
        {"kind": "result-entered", "candidate": "c1", "tokens": {"c3": 1}},
        {"kind": "opponent-named", "opponent": "c2"},
        {"kind": "duel-entered", "loser": "c1"},
        {"kind": "eliminated", "contestant": "c1"},
        {"kind": "episode-closed"},
        {"kind": "episode-opened"},
    ):
        done(**event)
    entries = len(host.api("GET", f"/api/seasons/{season}").json()["log"])
    sent = {"kind": "result-entered", "candidate": "c2", "tokens-c3": "1"}
    refused = host.form(f"/seasons/{season}/do", **sent, **stale)
    assert (refused.status_code, "The season has moved on. Reload the page." in refused.text) == (409, True)
    order = {"event": {"kind": "result-entered", "candidate": "c2", "tokens": {"c3": 1}}, "episode": 1}
    assert host.api("POST", f"/api/seasons/{season}/entries", **order).status_code == 409
    assert len(host.api("GET", f"/api/seasons/{season}").json()["log"]) == entries
    # What belongs to no episode can be sent from any page.
    host.say(f"/seasons/{season}/do", kind="posted", text="Hello!", episode="1")
    host.say(f"/seasons/{season}/do", **sent, **form())


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (30, "1 minute"),
        (59 * 60, "59 minutes"),
        (2 * 3600 + 13 * 60, "2 hours 10 minutes"),
        (36 * 3600 + 600, "1 day 12 hours"),
        (0, ""),
        (-5, ""),
    ],
)
def test_the_time_that_is_left_is_said_in_words(seconds, words):
    assert time_left(5_000_000 + seconds * 1000, 5_000_000) == words
    assert time_left(None, 5_000_000) == ""
