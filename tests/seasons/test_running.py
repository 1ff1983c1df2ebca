"""What runs in a season, from a view: nothing that the view does not tell."""

from dataclasses import asdict, replace

from tests.helpers.seasons import after, begun, episode

from pyramidion.event_log import HOUR
from pyramidion.seasons.events import (
    DuelEntered,
    EpisodeOpened,
    MatchOpened,
    OpponentNamed,
    OwnDeadlineSet,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundSealed,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    ResultEntered,
    SettingsChanged,
    Withdrawn,
)
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.seasons.redaction import Viewer, redact
from pyramidion.seasons.running import running_match, running_phase, under_way

ANYBODY, HOST = Viewer(), Viewer("host", "h1")
VOTE = OwnMatchSet("Vote", fields=(SubmissionField("vote", kind="contestant"),), hours=2)
CAST = ["c1", "c2", "c3", "c4"]


def audience(whose, *events):
    return begun(SettingsChanged(title="Code Red", audience=whose), *events)


def told(season, viewer=ANYBODY, now=0):
    return running_match(redact(season, viewer, now), now)


def test_each_match_of_an_episode_says_who_plays_it_and_where():
    season = audience("live", EpisodeOpened(game="pyramis", duel="pyramid-shambo", clock=3600))
    soon = told(season)
    assert (soon.part, soon.place, soon.game, soon.who) == ("main", "soon", "pyramis", CAST)
    season = after(season, MatchOpened("t1", "main", tuple(CAST)))
    played = told(season)
    assert (played.place, played.who, played.clock, played.until) == ("tables", CAST, 3600, None)
    season = audience("live", EpisodeOpened(duel="pyramid-shambo"), ResultEntered("c1", {"c2": 1}), OpponentNamed("c3"))
    duel = told(season)
    assert (duel.part, duel.place, duel.game, duel.who) == ("duel", "soon", "pyramid-shambo", ["c1", "c3"])
    season = after(season, MatchOpened("t2", "duel", ("c1", "c3")))
    assert told(season).place == "tables"
    season = audience("live", EpisodeOpened(), ResultEntered("c1", {"c2": 1}), OpponentNamed("c3"))
    assert (told(season).place, told(season).game) == ("elsewhere", None)
    assert told(after(season, DuelEntered("c3"))) is None, "Nothing is played any more."


def test_submissions_run_until_their_deadline_or_until_they_are_sealed():
    season = audience("live", VOTE, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"))
    match = told(season)
    assert (match.place, match.own, match.who, match.until) == ("submissions", "Vote", CAST, 2 * HOUR)
    assert told(season, now=2 * HOUR).until is None
    assert told(after(season, OwnRoundSealed("m1"))).until is None


def test_viewers_read_of_a_match_only_what_their_audience_is_shown():
    opened = (VOTE, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"))
    for whose in ("episode", "phase"):
        season = audience(whose, *opened)
        assert told(season) == told(audience(whose, VOTE)) is None
        assert told(season, HOST) is not None
    parts = audience("phase", EpisodeOpened(), ResultEntered("c1", {"c2": 1}), OpponentNamed("c3"))
    assert told(parts).who == ["c1", "c3"]


def told_under_way(season, viewer=ANYBODY, now=0):
    runs = under_way(season, viewer, now)
    return runs and asdict(runs)


def test_who_sees_episodes_later_reads_what_kind_of_part_runs_and_nothing_of_people_or_games():
    ballot = replace(VOTE, score="count(vote == me)", highest="loses")
    opened = (ballot, EpisodeOpened(own="Vote", duel="pyramid-shambo"), OwnMatchOpened("Vote"))
    for whose in ("episode", "phase"):
        season = audience(whose, *opened)
        assert told_under_way(season) == {"episode": 1, "final": False, "what": "vote", "until": 2 * HOUR}
        assert told_under_way(season, now=2 * HOUR)["what"] == "episode", "The deadline has passed."
        assert told_under_way(season, HOST) is told_under_way(season, Viewer("contestant", "c1")) is None
        named = after(season, OwnRoundSealed("m1"))
        assert told_under_way(named) == {"episode": 1, "final": False, "what": "episode", "until": 2 * HOUR}
        elsewhere = audience(whose, EpisodeOpened(), ResultEntered("c1", {"c2": 1}))
        assert told_under_way(elsewhere)["what"] == "episode"
        assert told_under_way(after(elsewhere, OpponentNamed("c3")))["what"] == "duel"
        assert told_under_way(audience(whose, EpisodeOpened()))["what"] == "main"
        assert told_under_way(audience(whose)) is None
    for whose, delay in (("live", 0), ("episode", 3)):
        season = begun(SettingsChanged(title="Code Red", audience=whose, delay=delay), *opened)
        assert told_under_way(season, now=4 * HOUR) is None


def test_a_final_is_not_told_while_a_withdrawal_is_hidden():
    full = audience("episode", *episode("c1", "c2", "c1"), *episode("c2", "c3", "c2"))
    assert told_under_way(after(full, EpisodeOpened()))["final"]
    three = audience("episode", *episode("c1", "c2", "c1"), Withdrawn("c2"), EpisodeOpened())
    assert not told_under_way(three)["final"]


def test_the_phase_in_progress_is_that_of_the_schedule_that_is_shown():
    season = begun(PhaseSet("Vote", HOUR, 3 * HOUR), PhaseSet("Council", 2 * HOUR, 4 * HOUR))
    view = redact(season, ANYBODY, 0)
    names = [phase and phase["name"] for phase in (running_phase(view, hour * HOUR) for hour in (0, 1, 2, 3, 4))]
    assert names == [None, "Vote", "Vote", "Council", None]


def phase_told(season, now, viewer=ANYBODY):
    phase = running_phase(redact(season, viewer, now), now)
    return phase and phase["name"]


def test_no_phase_is_told_beside_the_deadline_of_submissions_or_after_what_it_was_for():
    phases = (PhaseSet("Voting", 1, 4 * HOUR), PhaseSet("Death match", 3 * HOUR, 8 * HOUR))
    form = replace(VOTE, hours=None)
    season = audience("live", form, *phases, EpisodeOpened(own="Vote"))
    assert phase_told(season, HOUR) == "Voting"
    season = after(season, OwnMatchOpened("Vote", phase="p1"))
    assert phase_told(season, HOUR) is None, "Both deadlines are one, or the one of the match counts."
    for opened in (season, after(season, OwnDeadlineSet("m1", 2 * HOUR))):
        decided = after(opened, OwnRoundSealed("m1"), ResultEntered("c1", {"c2": 1}))
        assert phase_told(decided, HOUR) is None, "The vote is over, whatever is left of its phase."
        assert phase_told(decided, 3 * HOUR) == "Death match"
    untimed = audience("live", form, *phases, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"))
    assert phase_told(untimed, HOUR) == "Voting", "Without a deadline of their own, submissions have that of the phase."
    closed = after(audience("live", *phases), *episode("c1", "c2", "c1"), at=HOUR)
    assert [phase_told(closed, hour * HOUR) for hour in (2, 5)] == [None, "Death match"]


def test_viewers_read_the_present_dates_of_the_phases_that_they_know():
    phases = (PhaseSet("Voting", 1, 2 * HOUR), PhaseSet("Death match", 2 * HOUR, 4 * HOUR))
    for whose in ("episode", "phase"):
        season = after(
            audience(whose, *phases, EpisodeOpened()), PhaseExtended("p1", 3), PhaseSet("Ana leaves", 1, HOUR)
        )
        ends = [(phase["name"], phase["ends"]) for phase in redact(season, ANYBODY, 0)["schedule"]]
        assert ends == [("Voting", 5 * HOUR), ("Death match", 7 * HOUR)]
        gone = redact(after(season, PhaseRemoved("p2")), ANYBODY, 0)
        assert [phase["name"] for phase in gone["schedule"]] == ["Voting"]
        delayed = after(season, SettingsChanged(title="Code Red", audience=whose, delay=1))
        assert [phase["ends"] for phase in redact(delayed, ANYBODY, HOUR)["schedule"]] == [2 * HOUR, 4 * HOUR]
