"""Conflicts of phases with weekends, holidays, clocks and each other."""

from datetime import datetime

import pytest

from pyramidion import event_log
from pyramidion.event_log import Entry, NotPossible
from pyramidion.local_time import instant
from pyramidion.seasons.conflicts import Conflict, conflicts
from pyramidion.seasons.events import (
    CastAdded,
    EpisodePlanned,
    HolidaysSet,
    HostAdded,
    Noted,
    PhaseExtended,
    PhaseSet,
    SettingsChanged,
)
from pyramidion.seasons.fold import fold
from pyramidion.seasons.redaction import Viewer, redact
from pyramidion.seasons.season import Phase
from pyramidion.web.features.seasons.notifications import reminded

PARIS = "Europe/Paris"


def at(day, hour=0):
    """Return a time in January 2030; the first weekend is on the 5th."""
    return instant(datetime(2030, 1, day, hour), PARIS)


def season(*events):
    first = [SettingsChanged(title="Code Red", zone=PARIS, audience="live"), HostAdded("Hal"), CastAdded("Ana")]
    entries = [Entry(number, number, "h1", event) for number, event in enumerate([*first, *events], 1)]
    return fold(entries)


def test_a_phase_says_which_weekend_and_holiday_it_meets():
    days = HolidaysSet("2030-01-09, Feast\n2030-01-20 to 2030-01-22")
    state = season(
        days, PhaseSet("Bids", at(7), at(9)), PhaseSet("Main", at(9), at(10)), PhaseSet("Duel", at(18), at(21))
    )
    assert conflicts(state) == {
        "p2": [Conflict("holiday", "Feast")],
        "p3": [Conflict("holiday", "2030-01-20"), Conflict("weekend")],
    }, "A phase that ends at midnight is not on the next day."


def test_a_phase_says_that_it_is_shorter_than_a_decision_and_what_it_overlaps():
    state = season(
        EpisodePlanned(clock=48 * 3600), PhaseSet("Bids", at(7), at(8)), PhaseSet("Main", at(7, 12), at(9, 12))
    )
    assert conflicts(state) == {
        "p1": [Conflict("clock", seconds=48 * 3600), Conflict("overlap", "Main")],
        "p2": [Conflict("overlap", "Bids")],
    }


@pytest.mark.parametrize("days", ["Christmas", "2030-01-09 to 2030-01-08", "2030-02-30", "2030-01-08 to soon"])
def test_holidays_that_are_no_dates_are_refused(days):
    with pytest.raises(NotPossible, match="Write each holiday as a date"):
        season(HolidaysSet(days))


def test_a_reminder_is_sent_as_many_hours_before_the_end_as_hosts_say():
    hour = event_log.HOUR
    assert reminded(Phase("p1", "Bids", 0, 100 * hour)) == 88 * hour
    assert reminded(Phase("p1", "Bids", 0, 100 * hour, 30)) == 70 * hour
    state = season(PhaseSet("Bids", at(7), at(9), reminder=5), PhaseExtended("p1", 24))
    assert state.phases["p1"].reminder == 5
    with pytest.raises(NotPossible, match="1 to 336 hours"):
        season(PhaseSet("Bids", at(7), at(9), reminder=0))


@pytest.mark.parametrize("viewer", [Viewer(), Viewer("contestant", "c1")])
def test_notes_and_holidays_change_nothing_that_others_see(viewer):
    left, right = season(), season(Noted("c1", "Wants to leave."), HolidaysSet("2030-01-09"), Noted("c1", "Stays."))
    assert redact(left, viewer, 10) == redact(right, viewer, 10)
    hosted = redact(right, Viewer("host", "h1"), 10)
    assert (hosted["cast"][0]["note"], hosted["holidays"][0]["first"]) == ("Stays.", "2030-01-09")
