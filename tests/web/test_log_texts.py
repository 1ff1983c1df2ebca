"""Every entry of a season's log is a sentence for its hosts, without internals and without anybody's words."""

import re

import pytest

from pyramidion.event_log import Entry
from pyramidion.seasons.events import KINDS
from pyramidion.seasons.season import Item, Season
from pyramidion.seasons.spans import Span
from pyramidion.web.features.seasons.log_texts import entry_sentence

SECRET = "Only the hosts and I may read this."
SAMPLES = {
    "settings": {"title": SECRET},
    "retitled": {"title": SECRET},
    "host-added": {"name": "Ida", "role": "co-host"},
    "host-removed": {"host": "h2"},
    "cast-added": {"name": "Ana"},
    "cast-changed": {"contestant": "c1", "name": "Ana", "bot": "easy"},
    "stood-in": {"contestant": "c1", "name": "Zoe"},
    "link-renewed": {"person": "c1"},
    "struck": {"contestant": "c1", "amount": -1},
    "nudged": {"contestant": "c1"},
    "noted": {"contestant": "c1", "text": SECRET},
    "withdrawn": {"contestant": "c1"},
    "item-set": {"name": "Nudge", "price": 2},
    "item-removed": {"item": "i1"},
    "bought": {"contestant": "c1", "item": "i1"},
    "gave": {"contestant": "c1", "to": "c2", "amount": 2},
    "corrected": {"contestant": "c1", "currency": "garnets", "amount": 2},
    "ties-broken": {"order": ("c1", "c2")},
    "episode-planned": {},
    "episode-renamed": {"number": 1, "title": "Bids"},
    "plan-cleared": {},
    "format-set": {"name": "Crown"},
    "own-match-set": {"name": "Vote"},
    "own-match-opened": {"form": "Vote"},
    "own-round-opened": {"match": "m1"},
    "own-deadline-set": {"match": "m1"},
    "own-round-sealed": {"match": "m1"},
    "submissions-revealed": {"match": "m1", "values": {"c1": {"vote": SECRET}, "c2": None}},
    "candidate-named": {"candidate": "c1"},
    "episode-opened": {},
    "match-opened": {"table": "t1", "part": "duel", "cast": ("c1", "c2")},
    "result-taken": {"table": "t1", "winners": ("c1",), "points": (1, 0)},
    "result-entered": {"candidate": "c1", "second": "c2"},
    "opponent-named": {"opponent": "c2"},
    "duel-entered": {"loser": "c2"},
    "eliminated": {"contestant": "c2"},
    "episode-closed": {},
    "season-ended": {"winners": ("c1", "c2"), "text": SECRET},
    "posted": {"text": SECRET},
    "asked": {"contestant": "c1", "text": SECRET},
    "answered": {"question": 1, "text": SECRET},
    "confessed": {"contestant": "c1", "text": SECRET},
    "phase-set": {"name": "Bids", "starts": 0, "ends": 1},
    "phase-removed": {"phase": "p1"},
    "phases-planned": {},
    "holidays-set": {"days": SECRET},
    "phase-extended": {"phase": "p1", "hours": 3},
    "extension-asked": {"contestant": "c1", "phase": "p1", "hours": 3},
    "extension-declined": {"contestant": "c1", "phase": "p1"},
    "revoked": {"entry": 1},
}


def names(who):
    return {"c1": "Ana", "c2": "Ben", "h2": "Ida"}[who]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_entry_has_a_sentence(kind):
    first = Entry(1, 0, "h1", KINDS["phase-set"](name="Bids", starts=0, ends=1))
    entry = Entry(2, 0, "h1", KINDS[kind](**SAMPLES[kind]))
    season = Season(items={"i1": Item("Nudge", 2)}, log=[first, entry])
    sentence = entry_sentence(season, entry, names)
    assert re.fullmatch(r"[A-Z\d].*[.]", sentence), sentence
    assert SECRET not in sentence
    assert "-" not in kind or kind not in sentence
    assert not re.search(r"\b[chmpt]\d", sentence), "An id."


def test_phases_that_are_planned_say_what_has_become_of_them():
    scheduled = Entry(1, 5, "h1", KINDS["phase-set"](name="Bids", starts=0, ends=1))

    def sentence(at, *spans):
        return entry_sentence(Season(log=[scheduled]), Entry(2, at, "h1", KINDS["phases-planned"](spans)), names)

    assert sentence(5, Span("Bids", 0, 60), Span("Vote", 60, 60)) == "2 phases are planned, without dates yet."
    assert sentence(5) == "1 planned phase got its dates."
    assert sentence(6) == "The phases without dates were removed."


def test_sentences_name_who_and_what():
    played = KINDS["match-opened"](**SAMPLES["match-opened"])
    log = [Entry(1, 0, "h1", KINDS["phase-set"](name="Bids", starts=0, ends=1)), Entry(2, 0, "h1", played)]
    season = Season(log=log)
    said = {
        kind: entry_sentence(season, Entry(3, 0, "h1", KINDS[kind](**SAMPLES[kind])), names)
        for kind in ("stood-in", "result-taken", "revoked", "phase-extended", "struck")
    }
    assert said == {
        "stood-in": "Zoe stands in for Ana.",
        "result-taken": "Ana won the death match.",
        "revoked": "Undone: The phase Bids was scheduled.",
        "phase-extended": "Bids ends 3 hours later.",
        "struck": "Ana lost 1 strike.",
    }
