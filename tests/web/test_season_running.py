"""What runs in a season now, on its page: for contestants, and for viewers what they may know of it."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from tests.web.helpers.accounts import Person


@pytest.fixture
def people(server):
    hal, nina, viewer = (Person(server) for _ in range(3))
    with closing(hal), closing(nina), closing(viewer):
        yield {"hal": hal, "nina": nina, "viewer": viewer}


def season(people, audience):
    """Begin a season of a person and three bots; return its path, and the function that posts a host's form."""
    hal = people["hal"]
    path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")

    def do(kind, **fields):
        hal.say(f"{path}/do", kind=kind, back="host", **fields)

    do("settings", title="Code Red", audience=audience)
    for name in ("Nina", "Ben", "Cal", "Dan"):
        do("cast-added", name=name, bot="" if name == "Nina" else "random")
    code = next(one["token"] for one in hal.get(f"/api{path}/links").json() if one["name"] == "Nina")
    people["nina"].say(f"{path}/join", code=code)
    return path, do


def test_readers_are_told_who_votes_and_until_when(people):
    path, do = season(people, "live")
    do("own-match-set", preset="vote", name="Council", label="Vote", score="count(vote == me)", highest="loses")
    people["hal"].say(f"{path}/step", step="open", game="own:Council", clock="3600", duel="")
    for reader in ("hal", "nina", "viewer"):
        page = people[reader].get(path).text
        assert "Who votes: <b>Nina</b>" in page
        assert "<span><bdi>Council</bdi>" in page
        assert "<span><b>Until <time" in page
    do("own-round-sealed", match="m1")
    assert "<span><b>Until <time" not in people["viewer"].get(path).text


def test_the_card_of_a_death_match_says_where_it_is_played(people):
    path, do = season(people, "phase")
    people["hal"].say(f"{path}/step", step="open", game="", clock="3600", duel="pyramid-shambo")
    for reader, shown in (("nina", True), ("viewer", False)):
        assert ("Who plays:" in people[reader].get(path).text) is shown, "Viewers are shown parts that are over."
    do("result-entered", candidate="c2", **{"tokens-c3": "1"})
    do("opponent-named", opponent="c1")
    card = people["nina"].get(path).text.partition('id="duel-where"')[2].partition("</p>")[0]
    assert "Pyramid-Sham-Bo · Your table appears here when the hosts start it." in card
    page = people["viewer"].get(path).text
    arrival, results = page.partition('id="results-')[::2]
    assert "Who plays:" not in arrival, "Who is in it is a result."
    assert "Episode 1 is being played." in arrival
    assert "Sham" not in arrival
    assert "Who plays: <b>Ben and Nina</b>" in results
    people["hal"].say(f"{path}/step", step="duel")
    assert "Episode 1 is on: the death match is being played." in people["viewer"].get(path).text
    card = people["nina"].get(path).text.partition('id="duel-where"')[2].partition("</p>")[0]
    assert "Pyramid-Sham-Bo · 1 hour per decision" in card


def test_everybody_reads_which_phase_is_in_progress(people):
    path, do = season(people, "episode")
    day = timedelta(days=1)
    for name, begins, over in (("Auditions", -2 * day, -day), ("Casting", -day, day), ("Finale", day, 2 * day)):
        starts, ends = (f"{datetime.now(UTC) + at:%Y-%m-%dT%H:%M}" for at in (begins, over))
        do("phase-set", name=name, starts=starts, ends=ends, zone="UTC")
    for reader in people.values():
        line = reader.get(path).text.partition('id="phase-now"')[2].partition("</p>")[0]
        assert "Now: <b><bdi>Casting</bdi></b>" in line
