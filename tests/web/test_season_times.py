"""Dates and times in the forms of a season: in the zone that the form names, which the season takes over at first."""

import re
import time
from contextlib import closing
from datetime import UTC, datetime

import pytest
from tests.web.helpers.accounts import Person

from pyramidion.local_time import instant, wall_time
from pyramidion.web.features.seasons.saved_templates import shipped

NEW_YORK, PARIS = "America/New_York", "Europe/Paris"


@pytest.fixture
def host(server):
    with closing(Person(server)) as person:
        yield person


def begun(host, **fields):
    """Begin a season and return its path and its view."""
    path = host.say("/seasons", title="Code Red", host="Hal", **fields).removesuffix("/host")
    return path, host.get(f"/api{path}").json()


def walls(times, zone):
    return [wall_time(at, zone).isoformat(timespec="minutes") for at in times]


def test_a_season_begins_in_the_zone_of_its_host(host):
    _path, season = begun(host, zone=NEW_YORK, template="upside-down-episode", starts="2030-01-07T20:00")
    assert season["settings"]["zone"] == NEW_YORK
    assert set(walls([phase["starts"] for phase in season["schedule"]], NEW_YORK)) >= {"2030-01-07T20:00"}
    assert {time[11:] for time in walls([phase["starts"] for phase in season["schedule"]], NEW_YORK)} == {"20:00"}
    assert begun(host, zone=NEW_YORK)[1]["settings"]["zone"] == NEW_YORK
    assert begun(host)[1]["settings"]["zone"] == "UTC"
    refused = host.form("/seasons", title="Code Red", host="Hal", zone="Mars/Olympus")
    assert "time zone" in refused.text


def test_every_form_with_a_time_names_its_zone(host):
    path, _season = begun(host, zone=PARIS)
    host.say(f"{path}/schedule", starts="2030-01-07T20:00", phases="Bids, 24", zone=NEW_YORK)
    fields = {"kind": "phase-set", "back": "host", "phase": "p1", "name": "Bids"}
    host.say(f"{path}/do", **fields, starts="2030-01-08T20:00", ends="2030-01-09T20:00", zone=NEW_YORK)
    [phase] = host.get(f"/api{path}").json()["schedule"]
    assert walls([phase["starts"], phase["ends"]], NEW_YORK) == ["2030-01-08T20:00", "2030-01-09T20:00"]
    # Without a zone of its own, a form means that of the season.
    host.say(f"{path}/do", **fields, starts="2030-01-08T20:00", ends="2030-01-09T20:00")
    [phase] = host.get(f"/api{path}").json()["schedule"]
    assert walls([phase["starts"]], PARIS) == ["2030-01-08T20:00"]
    page = host.get(f"{path}/host?tab=timeline&phase=p1").text
    assert page.count('type="datetime-local"') == page.count("data-zone") - 1 == 3, "Each field names its zone."
    assert f'data-at="{phase["starts"]}"' in page


def test_a_deadline_is_in_the_zone_of_its_form(host):
    path, _season = begun(host, zone=PARIS)
    do = {"back": "host"}
    for name in ("Ana", "Ben", "Cleo"):
        host.say(f"{path}/do", kind="cast-added", name=name, **do)
    host.say(f"{path}/do", kind="own-match-set", preset="vote", name="Vote", label="Your vote", hours="24", **do)
    host.say(f"{path}/step", step="open", game="own:Vote", duel="")
    [match] = host.get(f"/api{path}").json()["own_matches"]
    fields = {"kind": "own-deadline-set", "match": match["id"], "deadline": "2030-01-08T20:00", **do}
    host.say(f"{path}/do", **fields, zone=NEW_YORK)
    [match] = host.get(f"/api{path}").json()["own_matches"]
    assert match["rounds"][0]["deadline"] == instant(datetime(2030, 1, 8, 20), NEW_YORK)


def test_the_phases_of_a_template_wait_for_their_date(host, server):
    form = host.get("/seasons").text
    assert 'Claim phase 1</bdi> <span class="quiet">(1 day)' in form, "A template can be looked at."
    path, season = begun(host, zone=NEW_YORK, template="upside-down-episode")
    assert (season["schedule"], len(season["undated_phases"])) == ([], 12)
    page = host.get(f"{path}/host?tab=timeline").text
    assert "12 phases without dates" in page
    assert "No phases are scheduled" not in page
    template = host.get(f"/api{path}/template").json()
    assert [span["name"] for span in template["phases"]] == [span["name"] for span in season["undated_phases"]]
    with closing(Person(server)) as viewer:
        assert not viewer.get(f"/api{path}").json().get("undated_phases")
    assert (
        host.say(f"{path}/schedule", starts="2030-01-07T20:00", zone=NEW_YORK) == f"{path}/host?tab=timeline#schedule"
    )
    season = host.get(f"/api{path}").json()
    assert {time[11:] for time in walls([phase["starts"] for phase in season["schedule"]], NEW_YORK)} == {"20:00"}
    assert (len(season["schedule"]), season["undated_phases"]) == (12, [])
    path, _season = begun(host, template="vote-episode")
    host.say(f"{path}/do", kind="phases-planned", back="host", tab="timeline")
    assert "No phases are scheduled" in host.get(f"{path}/host?tab=timeline").text


def voting(host, hours="", rounds="1", phases=(), **step):
    """Begin a season and its first episode with a match of its own, and return its path and its view."""
    path, _season = begun(host)
    for name in ("Ana", "Ben", "Cleo"):
        host.say(f"{path}/do", kind="cast-added", name=name, back="host")
    fields = {"name": "Vote", "label-1": "Bid", "hours": hours, "rounds": rounds}
    host.say(f"{path}/do", kind="own-match-set", preset="form", back="host", **fields)
    for name, starts, ends in phases:
        host.say(f"{path}/do", kind="phase-set", back="host", name=name, starts=str(starts), ends=str(ends))
    host.say(f"{path}/step", step="open", duel="", **step)
    return path, host.get(f"/api{path}").json()


def lasts(view):
    """Return for how many hours the latest round of the match of the host's own is open, None without a deadline."""
    deadline, opened = view["own_matches"][0]["rounds"][-1]["deadline"], view["log"][-1]["at"]
    return deadline and round((deadline - opened) / 3_600_000, 2)


@pytest.mark.parametrize(("hours", "clock", "open_for"), [("", "86400", 24), ("2", "86400", 2), ("", "", None)])
def test_the_time_per_decision_is_that_of_each_round_unless_the_match_has_its_own(host, hours, clock, open_for):
    path, view = voting(host, hours, "2", game="own:Vote", clock=clock)
    assert lasts(view) == open_for
    for kind in ("own-round-sealed", "reveal", "own-round-opened"):
        host.say(f"{path}/{'reveal' if kind == 'reveal' else 'do'}", kind=kind, match="m1", back="host")
    assert lasts(host.get(f"/api{path}").json()) == open_for


@pytest.mark.parametrize(("hours", "rounds", "open_for"), [("", "1", 9), ("", "2", 24), ("2", "1", 2)])
def test_the_only_round_of_a_match_ends_with_the_phase_in_progress(host, hours, rounds, open_for):
    now = int(time.time() * 1000)
    phases = [("Voting", now - 3_600_000, now + 9 * 3_600_000)]
    path, view = voting(host, hours, rounds, phases, game="own:Vote", clock="86400")
    assert lasts(view) == pytest.approx(open_for, abs=0.1)
    if rounds == "1":
        assert 'id="phase-now"' not in host.get(path).text, "One deadline is told."


def test_the_form_of_a_deadline_has_the_present_one_and_changes_what_the_host_changes(host):
    now = int(time.time() * 1000)
    phases = [("Voting", now - 3_600_000, now + 9 * 3_600_000), ("Duel", now + 9 * 3_600_000, now + 12 * 3_600_000)]
    path, _view = voting(host, "2", phases=phases, game="own:Vote")
    latest = lambda: host.get(f"/api{path}").json()["own_matches"][0]["rounds"][-1]  # noqa: E731
    before = latest()["deadline"]
    form = host.get(f"{path}/host").text.partition('id="own-deadline"')[2].partition("</form>")[0]
    [shown] = re.findall(r'name="deadline" value="([^"]+)" data-at="(\d+)"', form)
    assert shown == (datetime.fromtimestamp(before / 1000, UTC).strftime("%Y-%m-%dT%H:%M"), str(before))

    def change(deadline, phase=""):
        given = {"deadline": deadline, "deadline-before": str(before), "phase": phase, "zone": "UTC"}
        host.say(f"{path}/do", kind="own-deadline-set", match="m1", back="host", **given)
        return latest()["deadline"], latest()["phase"]

    assert change(shown[0], "p2") == (phases[1][2], "p2"), "What was there before is no choice."
    assert change("2090-01-01T20:00", "p2")[1] is None, "A new time is one."
    assert change(shown[0])[0] // 60_000 == before // 60_000
    assert change("") == (None, None)


def test_the_time_per_decision_is_that_of_a_match_which_is_opened_later(host):
    path, _view = voting(host, game="", clock="3600")
    host.say(f"{path}/do", kind="own-match-opened", form="Vote", back="host")
    assert lasts(host.get(f"/api{path}").json()) == 1
    host.say(f"{path}/do", kind="own-deadline-set", match="m1", back="host")
    assert lasts(host.get(f"/api{path}").json()) is None, "A host can take it away."


@pytest.mark.parametrize("template", shipped())
def test_no_template_of_ours_keeps_a_match_from_the_time_that_a_host_chooses(template):
    assert [form.hours for form in shipped()[template].template.own_matches if form.hours is not None] == []


def test_the_form_of_an_episode_knows_how_long_each_match_of_the_hosts_own_takes(host):
    path, _season = begun(host)
    for name in ("Ana", "Ben", "Cleo"):
        host.say(f"{path}/do", kind="cast-added", name=name, back="host")
    for name, hours, rounds in (("Open", "", "3"), ("Timed", "5", "2")):
        fields = {"name": name, "label-1": "Bid", "hours": hours, "rounds": rounds}
        host.say(f"{path}/do", kind="own-match-set", preset="form", back="host", **fields)
    page = host.get(f"{path}/host").text
    assert '<option value="own:Open" data-waits="3"' in page
    starts, ends = (str(int(time.time() * 1000) + hours * 3_600_000) for hours in (-1, 1))
    host.say(f"{path}/do", kind="phase-set", back="host", name="Voting", starts=starts, ends=ends)
    host.say(f"{path}/do", kind="own-match-set", preset="form", back="host", **{"name": "Open", "label-1": "Bid"})
    left = re.search(r'<option value="own:Open" data-seconds="(\d+)"', host.get(f"{path}/host").text)
    assert 3000 < int(left[1]) <= 3600, "It ends with the phase in progress."
    assert f'<option value="own:Timed" data-seconds="{2 * 5 * 3600}"' in page
