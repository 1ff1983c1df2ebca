"""The schedule: phases one after the other, weekends, more time, the calendar; and templates and strikes."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pyramidion.event_log import NotPossible
from pyramidion.local_time import days_later, instant, wall_time
from pyramidion.names import visible
from pyramidion.seasons.cast_file import written
from pyramidion.seasons.events import (
    CastAdded,
    EpisodeOpened,
    EpisodePlanned,
    ExtensionAsked,
    HostAdded,
    ItemSet,
    MatchOpened,
    Nudged,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    PhasesPlanned,
    ResultEntered,
    ResultTaken,
    SettingsChanged,
    Struck,
)
from pyramidion.seasons.fold import extended, fold
from pyramidion.seasons.schedule import calendar, laid_out, read_lengths
from pyramidion.seasons.season import Phase, Season
from pyramidion.seasons.spans import Span
from pyramidion.seasons.template import Template, template_of

HOUR = 3_600_000
PARIS = ZoneInfo("Europe/Paris")


def at(text):
    return round(datetime.fromisoformat(text).replace(tzinfo=PARIS).timestamp() * 1000)


def season(*events, **settings):
    first = [SettingsChanged(title="Code Red", **settings), HostAdded("Hal"), CastAdded("Ana"), CastAdded("Ben")]
    return extended(Season(), [*first, *events], at("2026-11-20T09:00"), "h1", "Because.")


def test_phases_skip_weekends_in_the_time_zone_of_the_season():
    # A Thursday evening: 24 hours, then 48 that run into the weekend.
    phases = laid_out(at("2026-11-19T20:00"), [("Main", 24), ("Duel", 48)], "Europe/Paris", skip_weekends=True)
    assert [(one.starts, one.ends) for one in phases] == [
        (at("2026-11-19T20:00"), at("2026-11-20T20:00")),
        (at("2026-11-20T20:00"), at("2026-11-24T20:00")),
    ]
    [one] = laid_out(at("2026-11-21T12:00"), [("Main", 1)], "Europe/Paris", skip_weekends=True)
    assert one.starts == at("2026-11-23T00:00")


@given(
    st.integers(0, 10**7),
    st.lists(st.integers(1, 400), min_size=1, max_size=5),
    st.booleans(),
    st.sampled_from(["Europe/Paris", "Australia/Lord_Howe", "America/Santiago", "UTC"]),
)
def test_phases_follow_each_other_and_last_as_long_as_they_should(minutes, hours, skip, zone):
    start = at("2026-01-01T00:00") + minutes * 60_000
    # Times of day that every day has.
    assume(3 < wall_time(start, zone).hour < 23)
    phases = laid_out(start, [("x", one) for one in hours], zone, skip_weekends=skip)
    for one, other in pairwise(phases):
        assert one.ends <= other.starts
    for one, length in zip(phases, hours, strict=True):
        if not skip and length % 24:
            assert one.ends - one.starts == length * HOUR
        elif not skip:
            assert wall_time(one.ends, zone) == wall_time(one.starts, zone) + timedelta(hours=length)
        else:
            assert wall_time(one.starts, zone).weekday() < 5
            assert wall_time(one.ends, zone) >= wall_time(one.starts, zone) + timedelta(hours=length - 1)


CHANGES = [
    # The zone, the first day's time, and how many days of 24 hours lead over its change of clocks.
    ("Europe/Paris", "2026-03-28T20:00"),
    ("Europe/Paris", "2026-10-24T20:00"),
    ("America/New_York", "2026-03-07T09:30"),
    ("America/New_York", "2026-10-31T09:30"),
    ("Australia/Lord_Howe", "2026-04-04T10:15"),
    ("Australia/Lord_Howe", "2026-10-03T10:15"),
    ("Pacific/Auckland", "2026-04-04T18:00"),
    ("America/Santiago", "2026-09-05T10:30"),
    ("Africa/Casablanca", "2026-02-14T12:00"),
    ("Asia/Kathmandu", "2026-06-01T05:45"),
]


@pytest.mark.parametrize(("zone", "first"), CHANGES)
@pytest.mark.parametrize("skip", [False, True])
def test_phases_of_whole_days_keep_the_time_of_day(zone, first, skip):
    starts, time = instant(datetime.fromisoformat(first), zone), datetime.fromisoformat(first).time()
    lengths = [("x", 24), ("y", 48), ("z", 24), ("w", 168)]
    phases = laid_out(starts, lengths, zone, skip_weekends=skip)
    shown = [wall_time(one, zone) for phase in phases for one in (phase.starts, phase.ends)]
    if skip and datetime.fromisoformat(first).weekday() >= 5:
        time = datetime.min.time()  # they begin on Monday
    assert {one.time() for one in shown} == {time}
    if not skip:
        assert [(shown[n + 1] - shown[n]).days for n in range(0, 8, 2)] == [1, 2, 1, 7]
    # So does an extension by days, which moves what comes after, and a template laid out anew.
    world = season(*phases, zone=zone)
    for days in (1, 7, 14):
        moved = extended(world, [PhaseExtended("p1", 24 * days)], 0, "h1").phases.values()
        assert {wall_time(at, zone).time() for one in moved for at in (one.starts, one.ends)} == {time}
    template = template_of(world)
    for days in range(0, 366, 30):
        again = [one for one in template.events("x", days_later(starts, days, zone)) if isinstance(one, PhaseSet)]
        times = {wall_time(at, zone).time() for one in again for at in (one.starts, one.ends)}
        assert times <= {time, wall_time(days_later(starts, days, zone), zone).time()}
        assert len(again) == len(phases)


def test_the_time_of_day_comes_back_after_a_day_without_it():
    """On the night of the change there is no half past two: that phase ends an hour later, and the others do not."""
    starts = at("2026-03-27T02:30")
    phases = laid_out(starts, [("x", 24)] * 4, "Europe/Paris", skip_weekends=False)
    assert [f"{wall_time(one.ends, 'Europe/Paris'):%d %H:%M}" for one in phases] == [
        "28 02:30",
        "29 03:30",
        "30 02:30",
        "31 02:30",
    ]


def test_an_extension_by_hours_is_as_long_as_it_says():
    world = season(PhaseSet("x", at("2026-03-28T20:00"), at("2026-03-28T22:00")), zone="Europe/Paris")
    world = extended(world, [PhaseExtended("p1", 12)], 0, "h1")
    assert world.phases["p1"].ends == at("2026-03-28T22:00") + 12 * HOUR
    # Within the hour that comes twice, no phase ends before it starts.
    once = at("2026-10-25T02:30")
    world = season(PhaseSet("x", once - HOUR, once), PhaseSet("y", once, once + HOUR), zone="Europe/Paris")
    for days in (1, 7):
        for phase in extended(world, [PhaseExtended("p1", 24 * days)], 0, "h1").phases.values():
            assert phase.starts < phase.ends


@pytest.mark.parametrize(
    ("starts", "lengths"),
    [
        (10**18, [("Main match", 48)]),
        (0, [("Main match", 48)]),
        (at("2026-11-20T10:00"), [("Main match", 10**15)]),
        (at("2026-11-20T10:00"), [("Main match", 0)]),
        (at("2026-11-20T10:00"), [("Main match", 48)] * 201),
    ],
)
@pytest.mark.parametrize("skip", [False, True])
def test_phases_that_no_calendar_has_are_refused(starts, lengths, skip):
    with pytest.raises(NotPossible, match=r"within 400 days|between 1970 and October 2096"):
        laid_out(starts, lengths, "UTC", skip_weekends=skip)


def test_an_extension_moves_what_comes_after_and_answers_the_request():
    one, other = PhaseSet("Main", at("2026-11-20T10:00"), at("2026-11-21T10:00")), at("2026-11-21T10:00")
    world = season(one, PhaseSet("Duel", other, other + 24 * HOUR), ExtensionAsked("c1", "p1", 12))
    assert [(wish.by, wish.hours) for wish in world.wishes] == [("c1", 12)]
    world = extended(world, [PhaseExtended("p1", 12)], 0, "h1")
    assert world.phases["p1"].ends == world.phases["p2"].starts == other + 12 * HOUR
    assert world.wishes == []
    assert list(extended(world, [PhaseRemoved("p1")], 0, "h1").phases) == ["p2"]
    asked = extended(world, [ExtensionAsked("c1", "p1", 3), ExtensionAsked("c1", "p2", 3)], 0, "c1")
    assert [wish.phase for wish in extended(asked, [PhaseRemoved("p1")], 0, "h1").wishes] == ["p2"]
    for wrong in (PhaseSet("x", 5, 5), PhaseExtended("p9", 1), PhaseExtended("p1", 0), PhaseRemoved("p9")):
        with pytest.raises(NotPossible):
            extended(world, [wrong], 0, "h1")
    with pytest.raises(NotPossible, match="over"):
        extended(world, [ExtensionAsked("c1", "p1", 1)], at("2027-01-01T00:00"), "c1")


def test_lines_of_phases_are_read():
    assert read_lengths("Main match, 48\n\nDeath, or not, 24") == [("Main match", 48), ("Death, or not", 24)]
    for wrong in ("Main match", "Main, x", ", 3", "Main, 0", f"Main, {'9' * 5000}"):
        with pytest.raises(NotPossible):
            read_lengths(wrong)


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=80).filter(visible))
def test_a_calendar_has_short_lines_and_cannot_be_broken_by_a_name(name):
    stored = Phase("p1", name, at("2026-11-20T10:00"), at("2026-11-21T10:00"))
    text = calendar("s", "Red; Code", [stored], "https://example.org/seasons/s")
    lines = text.split("\r\n")
    assert all(len(line.encode()) <= 75 for line in lines)
    assert lines[-1] == ""
    whole = text.replace("\r\n ", "").split("\r\n")
    assert whole.count("BEGIN:VEVENT") == 1
    assert text.splitlines() == lines[:-1]
    assert f"DTSTART:{datetime(2026, 11, 20, 9, tzinfo=UTC):%Y%m%dT%H%M%SZ}" in whole
    [summary] = [line for line in whole if line.startswith("SUMMARY:")]
    assert summary.startswith("SUMMARY:Red\\; Code: ")


def test_a_template_begins_the_same_season_again_without_its_people():
    phases = laid_out(at("2026-11-20T10:00"), [("Main", 24), ("Duel", 12)], "UTC", skip_weekends=False)
    item, planned = ItemSet("Nudge", 2, priority=1), EpisodePlanned("upside-down", "pyramis", 60, "One")
    world = season(item, planned, *phases, talk="hosts", strikes=3)
    kind = TypeAdapter(Template)
    template = kind.validate_json(kind.dump_json(template_of(world)))
    first, *others = template.events("Code Blue", at("2027-01-01T00:00"))
    again = extended(Season(), [first, HostAdded("Ida"), *others], 0, "")
    assert (again.settings.title, again.settings.talk, again.settings.strikes) == ("Code Blue", "hosts", 3)
    assert again.cast == {}
    assert template_of(again).phases == template.phases
    assert [one.name for one in again.items.values()] == ["Nudge"]
    assert again.plan == [planned]
    assert template.events("", None)[-1] == PhasesPlanned(template.phases)


@pytest.mark.parametrize(
    ("starts", "after", "minutes"),
    [(10**30, 0, 60), (0, 0, 60), (-(10**30), 10**27, 60), (1, 10**30, 60), (1, 0, 10**30), (1, 0, 0), (1, -9, 60)],
)
def test_a_template_with_phases_that_no_calendar_has_is_refused(starts, after, minutes):
    with pytest.raises(NotPossible, match=r"within 400 days|between 1970 and October 2096"):
        Template(SettingsChanged(title="x"), phases=(Span("x", after, minutes),)).events("", starts)
    with pytest.raises(NotPossible, match="time zone"):
        Template(SettingsChanged(title="x", zone="Mars"), phases=(Span("x", 0, 60),)).events("", 10**12)


def test_missed_decisions_are_strikes_where_the_season_counts_them():
    opened = [EpisodeOpened(), MatchOpened("t", "duel", ("c1", "c2"))]
    result = ResultTaken("t", ("c1",), (1, 0), missed=(0, 2))
    assert season(*opened, result).cast["c2"].strikes == 0
    world = season(*opened, result, strikes=3)
    assert [one.strikes for one in world.cast.values()] == [0, 2]
    world = extended(world, [Struck("c2", -2)], 0, "h1", "They were ill.")
    assert world.cast["c2"].strikes == 0
    for wrong, reason in ((Struck("c2"), ""), (Struck("c2", -1), "x"), (Struck("c2", 0), "x")):
        with pytest.raises(NotPossible):
            extended(world, [wrong], 0, "h1", reason)


def test_nobody_is_nudged_twice_within_minutes():
    world = season(Nudged("c1"))
    now = world.log[-1].at
    with pytest.raises(NotPossible, match="minutes ago"):
        extended(world, [Nudged("c1")], now + 60_000, "h1")
    assert fold(extended(world, [Nudged("c1")], now + HOUR, "h1").log).cast["c1"].nudged == now + HOUR


def test_what_begins_ends_the_nudges_of_its_players_alone():
    world = season(CastAdded("Cal"), EpisodeOpened(), Nudged("c1"), Nudged("c2"), MatchOpened("t1", "main", ("c1",)))
    assert world.cast["c1"].nudged == 0
    assert world.cast["c2"].nudged > 0


def test_a_result_ends_the_nudges_for_what_led_to_it():
    """Whoever names somebody next has something new to do, and can be nudged about it at once."""
    world = season(CastAdded("Cal"), EpisodeOpened(), Nudged("c1"), ResultEntered("c1"))
    assert world.step == "opponent"
    assert extended(world, [Nudged("c1")], world.log[-1].at, "h1").cast["c1"].nudged > 0
    assert world.cast["c1"].nudged == 0


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1", "\uff1d1", "\uff0b1"])
def test_no_cell_of_an_export_is_a_formula(text):
    assert f"'{text}" in written([{"name": text}])
    assert "'" not in written([{"name": -5}])
