"""Days added in a time zone: every zone there is, on both sides of the equator and over every kind of change."""

from datetime import UTC, datetime, timedelta
from zoneinfo import available_timezones

import pytest

from pyramidion.local_time import days_later, instant, later, wall_time
from pyramidion.web.features.notifications.contacts import Contact, end_of_quiet
from pyramidion.web.http.forms import moment_of

TIMES = ((0, 0), (0, 30), (1, 30), (2, 15), (2, 45), (9, 0), (20, 0), (23, 59))
DAYS = (-30, -1, 1, 2, 7, 30, 180)
DATES = [datetime(2026, 1, 5) + timedelta(days=17 * n) for n in range(44)]
# A day that Samoa left out, and a year of double summer time.
DATES += [datetime(2011, 12, 28), datetime(1944, 4, 1), datetime(1944, 9, 16)]
HOUR = 3_600_000


def exists(wall, zone):
    return wall_time(instant(wall, zone), zone) == wall


@pytest.mark.parametrize("start", sorted({zone[:1] for zone in available_timezones()}))
def test_the_time_of_day_stays_in_every_zone(start):
    for zone in sorted(one for one in available_timezones() if one.startswith(start)):
        for n, date in enumerate(DATES):
            wall = date.replace(hour=TIMES[n % 8][0], minute=TIMES[n % 8][1])
            at = instant(wall, zone)
            if not exists(wall, zone):
                continue
            for days in DAYS:
                after, wanted = days_later(at, days, zone), wall + timedelta(days=days)
                shown = wall_time(after, zone)
                assert (after > at) is (days > 0)
                if exists(wanted, zone):
                    assert shown == wanted, (zone, wall, days)
                    assert shown.fold == 0  # of two such times, the first
                else:
                    assert wanted < shown <= wanted + timedelta(days=1), (zone, wall, days)


@pytest.mark.parametrize(
    ("zone", "wall", "shown"),
    [
        ("Europe/Paris", "2026-03-28T02:30", "2026-03-29T03:30"),
        ("America/New_York", "2026-03-07T02:30", "2026-03-08T03:30"),
        ("Australia/Lord_Howe", "2026-10-03T02:15", "2026-10-04T02:45"),
        ("America/Santiago", "2026-09-05T00:30", "2026-09-06T01:30"),
        ("Pacific/Apia", "2011-12-29T12:00", "2011-12-31T12:00"),
    ],
)
def test_a_time_of_day_that_is_left_out_becomes_later(zone, wall, shown):
    at = instant(datetime.fromisoformat(wall), zone)
    assert wall_time(days_later(at, 1, zone), zone) == datetime.fromisoformat(shown)
    # The day after it is as before, counted from the same beginning.
    assert wall_time(days_later(at, 3, zone), zone).time() == datetime.fromisoformat(wall).time()


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland"])
def test_of_a_time_of_day_that_comes_twice_the_first_counts(zone):
    twice = 0
    for hour in range(365 * 24):
        at = instant(datetime(2026, 1, 1), "UTC") + hour * HOUR
        wall = wall_time(at, zone)
        if wall.fold:
            twice += 1
            assert instant(wall.replace(fold=0), zone) < at
            assert days_later(days_later(at, -1, zone), 1, zone) == instant(wall.replace(fold=0), zone)
    assert twice == 1


def test_only_whole_days_are_days():
    at = instant(datetime(2026, 3, 28, 20), "Europe/Paris")
    for hours, elapsed in ((1, 1), (12, 12), (23, 23), (24, 23), (25, 25), (36, 36), (48, 47)):
        assert later(at, timedelta(hours=hours), "Europe/Paris") - at == elapsed * HOUR


@pytest.mark.parametrize("zone", ["Europe/Paris", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu"])
def test_quiet_hours_end_at_their_hour_on_every_day_of_a_year(zone):
    contact = Contact("ana", zone=zone, quiet_from=22, quiet_until=7)
    for half_hour in range(366 * 48):
        now = instant(datetime(2026, 1, 1), "UTC") + half_hour * HOUR // 2
        end, local = end_of_quiet(contact, now), wall_time(now, zone)
        assert (end is not None) is (local.hour >= 22 or local.hour < 7)
        if end is not None:
            assert wall_time(end, zone).time().isoformat() == "07:00:00"
            assert 0 < end - now <= 10 * HOUR


def test_a_form_reads_a_time_as_the_clocks_show_it():
    assert moment_of("2026-03-29T02:30", "Europe/Paris") == instant(datetime(2026, 3, 29, 3, 30), "Europe/Paris")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert moment_of("2026-10-25T02:30", "Europe/Paris") == round(first.timestamp() * 1000)
