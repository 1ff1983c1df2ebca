"""What people see of a season: two worlds that differ only in what is hidden from somebody look the same to them."""

import pytest

import pyramidion.seasons.fold as logs
from pyramidion import event_log
from pyramidion.event_log import Entry, NotPossible, encode
from pyramidion.seasons.conversations import AllianceFormed, AllianceJoined, Conversations, Said
from pyramidion.seasons.events import (
    Answered,
    Asked,
    Bought,
    CastAdded,
    Confessed,
    Corrected,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    EpisodeRenamed,
    Gave,
    HostAdded,
    ItemSet,
    MatchOpened,
    OpponentNamed,
    Posted,
    ResultEntered,
    ResultTaken,
    Revoked,
    SeasonEnded,
    SettingsChanged,
    StoodIn,
    Struck,
    Withdrawn,
)
from pyramidion.seasons.fold import fold
from pyramidion.seasons.redaction import (
    HOUR,
    Viewer,
    redact,
    redact_conversations,
    redact_episode,
    result_reveal_times,
    visible_changes,
)

HOST, ANA, BEN, CAL = (Viewer("host", "h1"), *(Viewer("contestant", f"c{n}") for n in (1, 2, 3)))
ANYBODY = Viewer()
EPISODE = (
    EpisodeOpened(),
    ResultEntered("c1", {"c2": 1}),
    OpponentNamed("c3"),
    DuelEntered("c3"),
    Eliminated("c3"),
    EpisodeClosed(),
)


def world(*events, **settings):
    """Return a log: a season of four, then events, one an hour; an event can come with its author."""
    first = [SettingsChanged(title="Code Red", gifts=True, audience="live", **settings), HostAdded("Hal")]
    first += [CastAdded(name) for name in ("Ana", "Ben", "Cal", "Dan")]
    first += [ItemSet("Nudge", 1, priority=1)]
    log = []
    for number, one in enumerate([*first, *events], 1):
        who, event = one if isinstance(one, tuple) else ("h1", one)
        log.append(Entry(number, number * HOUR, who, event, "Because."))
    fold(log)
    return log


def start(amount, currency="garnets", who="c1"):
    return Corrected(who, currency, amount)


def same(viewer, left, right, now=1000 * HOUR):
    return redact(fold(left), viewer, now) == redact(fold(right), viewer, now)


@pytest.mark.parametrize("currency", ["garnets", "priority"])
def test_a_balance_is_seen_by_those_whom_the_column_is_for(currency):
    for setting, seen_by in (("public", [HOST, ANA, BEN, ANYBODY]), ("own", [HOST, ANA]), ("hosts", [HOST])):
        a, b = (world(start(amount, currency), *EPISODE, **{currency: setting}) for amount in (3, 8))
        assert [one for one in (HOST, ANA, BEN, ANYBODY) if not same(one, a, b)] == seen_by


def test_gifts_are_seen_by_those_between_whom_they_go():
    a, b = (world(start(9), Gave("c1", "c2", amount)) for amount in (2, 5))
    assert [one for one in (HOST, ANA, BEN, CAL, ANYBODY) if not same(one, a, b)] == [HOST, ANA, BEN]


def test_that_something_was_bought_or_given_at_all_is_hidden_from_others():
    quiet = world(start(9))
    busy = world(start(9), ("c1", Bought("c1", "i1")), ("c1", Gave("c1", "c2", 2)), ("c2", Asked("c2", "Why?")))
    assert [one for one in (HOST, ANA, BEN, CAL, ANYBODY) if not same(one, quiet, busy)] == [HOST, ANA, BEN]


def test_a_public_column_does_not_open_the_other_one():
    a, b = (
        world(start(9, who="c1"), start(amount, "priority"), garnets="public", priority="hosts") for amount in (1, 2)
    )
    assert [one for one in (HOST, ANA, ANYBODY) if not same(one, a, b)] == [HOST]


def test_a_purchase_shows_its_price_and_priority_by_their_columns():
    log = world(start(9), ("c1", Bought("c1", "i1")), garnets="public", priority="own")
    kinds = {(line["kind"], line["currency"]) for line in redact(fold(log), BEN, 1000 * HOUR)["ledger"]}
    assert ("bought", "garnets") in kinds
    assert ("bought", "priority") not in kinds
    assert ("bought", "priority") in {
        (line["kind"], line["currency"]) for line in redact(fold(log), ANA, 1000 * HOUR)["ledger"]
    }


def test_a_question_is_private_until_it_is_answered_to_all():
    number = 8
    asked = world(("c1", Asked("c1", "May I bid 0?")))
    other = world(("c1", Asked("c1", "May I bid 7?")))
    assert [one for one in (HOST, ANA, BEN, ANYBODY) if not same(one, asked, other)] == [HOST, ANA]
    alone, both = (
        world(("c1", Asked("c1", "May I bid 0?")), Answered(number, "Yes.", to_all=to_all)) for to_all in (False, True)
    )
    assert redact(fold(alone), BEN, 1000 * HOUR)["posts"] == []
    assert redact(fold(alone), ANA, 1000 * HOUR)["posts"][0]["answer"] == "Yes."
    assert [post["answer"] for post in redact(fold(both), BEN, 1000 * HOUR)["posts"]] == ["Yes."]
    assert "number" not in redact(fold(both), BEN, 1000 * HOUR)["posts"][0]


def test_what_was_undone_is_shown_to_hosts_alone():
    undone = world(start(5), Revoked(8), garnets="public")
    plain = world(garnets="public")
    assert [one for one in (HOST, ANA, BEN, ANYBODY) if not same(one, plain, undone)] == [HOST]


def test_viewers_of_closed_episodes_see_nothing_of_an_open_one():
    def log(*events):
        made = world(*EPISODE, *events, garnets="public")
        settings = SettingsChanged(title="Code Red", gifts=True, garnets="public", audience="episode")
        return [Entry(1, HOUR, "", settings), *made[1:]]

    opened = log(EpisodeOpened(), ResultEntered("c1", {"c2": 1}), OpponentNamed("c4"))
    assert same(ANYBODY, log(), opened)
    assert not same(BEN, log(), opened)
    before = [Entry(1, HOUR, "", SettingsChanged(title="Code Red", audience="episode")), *world(*EPISODE[:4])[1:]]
    assert redact(fold(before), ANYBODY, 1000 * HOUR)["episodes"] == []
    assert len(redact(fold(before), ANYBODY, 1000 * HOUR)["cast"]) == 4


PLAYED = (EpisodeOpened("one", "two"), MatchOpened("t1", "main", ("c1", "c2")), MatchOpened("t2", "main", ("c3", "c4")))
RESULTS = (ResultTaken("t1", ("c1",), (3, 1)), ResultTaken("t2", ("c3",), (4, 2)))
DUEL = (MatchOpened("t3", "duel", ("c2", "c4")), ResultTaken("t3", ("c2",), (1, 0)))
PARTS = (
    ("main", (*PLAYED, Posted("Go."), *RESULTS, ResultEntered("c2", {"c1": 1, "c3": 1}))),
    ("opponent", (Posted("Who?"), Corrected("c1", "tokens", 1), OpponentNamed("c4"))),
    ("duel", (*DUEL,)),
    ("elimination", (Posted("Goodbye."), Eliminated("c4"))),
)
"""An episode of two tables, by the parts of which viewers learn."""


def of_parts(*events, audience="phase", **settings):
    """Return a log of which viewers learn by parts."""
    made = world(*events, **settings)
    changed = SettingsChanged(**{**encode(made[0].event), "audience": audience})
    return [Entry(1, HOUR, "", changed), *made[1:]]


def test_viewers_after_each_part_see_nothing_of_one_that_is_not_over():
    before = []
    for name, part in PARTS:
        whole = of_parts(*before, *part, garnets="public")
        for count in range(len(part)):
            begun = of_parts(*before, *part[:count], garnets="public")
            assert same(ANYBODY, of_parts(*before, garnets="public"), begun), (name, count)
            assert same(ANYBODY, whole, [*whole, *of_parts(*before, *part, Posted("Later."))[len(whole) :]]), name
        assert not same(ANYBODY, of_parts(*before, garnets="public"), whole), name
        before += part
    shown = redact(fold(of_parts(*before)), ANYBODY, 1000 * HOUR)
    assert [post["text"] for post in shown["posts"]] == ["Goodbye.", "Who?", "Go."]
    assert shown["step"] == "close"


def test_viewers_after_each_part_never_see_a_running_table_or_the_result_of_one_of_several():
    events = [event for _name, part in PARTS for event in part]
    for count in range(len(events) + 1):
        shown = redact(fold(of_parts(*events[:count])), ANYBODY, 1000 * HOUR)
        for one in shown["episodes"]:
            assert all(table["winners"] is not None for table in one["tables"])
            assert len([table for table in one["tables"] if table["part"] == "main"]) == 2
            assert one["candidate"] is not None


def test_a_part_of_an_episode_is_seen_after_the_delay():
    (_main, main), (_opponent, opponent) = PARTS[:2]
    a, b = of_parts(*main, delay=24), of_parts(*main, *opponent, delay=24)
    last = b[-1].at
    assert same(ANYBODY, a, b, now=last + 24 * HOUR - 1)
    assert not same(ANYBODY, a, b, now=last + 24 * HOUR)
    # What was undone meanwhile is undone for viewers after the delay, too.
    undone = [*b, Entry(len(b) + 1, last + HOUR, "h1", Revoked(len(b)), "A mistake.")]
    assert same(ANYBODY, b, undone, now=last + 25 * HOUR - 1)
    assert same(ANYBODY, a, undone, now=last + 25 * HOUR)


def test_a_tie_in_the_death_match_is_over_when_the_hosts_have_decided():
    parts = [event for _name, part in PARTS[:2] for event in part]
    tie = (DUEL[0], ResultTaken("t3", ("c2", "c4"), (1, 1)))
    assert same(ANYBODY, of_parts(*parts), of_parts(*parts, *tie))
    assert not same(ANYBODY, of_parts(*parts), of_parts(*parts, *tie, DuelEntered("c4")))


def test_what_is_undone_is_undone_for_viewers_of_parts_and_episodes_at_once():
    for audience in ("phase", "episode"):
        told = of_parts(*EPISODE, Posted("Between."), audience=audience)
        number = next(one.number for one in told if isinstance(one.event, EpisodeClosed))
        undone = of_parts(*EPISODE, Posted("Between."), Revoked(number), audience=audience)
        assert len(redact(fold(undone), ANYBODY, 1000 * HOUR)["episodes"]) == (audience == "phase")
        assert len(redact(fold(told), ANYBODY, 1000 * HOUR)["episodes"]) == 1


def test_results_are_told_when_viewers_learn_of_them():
    events = [event for _name, part in PARTS for event in part]
    # When the results were taken; the first two were known with the candidate at 14, the last one at once.
    hours = {"t1": 12, "t2": 13, "t3": 19}
    for audience, told in {
        "none": {},
        "live": hours,
        "phase": hours | {"t1": 14, "t2": 14},
        "episode": dict.fromkeys(hours, 22),
    }.items():
        log = of_parts(*events, EpisodeClosed(), audience=audience, delay=2)
        assert result_reveal_times(fold(log)) == {table: (hour + 2) * HOUR for table, hour in told.items()}
        # What has been undone is not told, nor what viewers do not know yet.
        undone = of_parts(*events[:10], *DUEL, Revoked(19), audience=audience)
        assert "t3" not in result_reveal_times(fold(undone))
    assert result_reveal_times(fold(of_parts(*events[:5]))) == {}


def test_after_the_last_episode_viewers_see_everything_at_once():
    for audience in ("phase", "episode"):
        over = of_parts(*EPISODE, *SECOND, *LAST, Posted("Thank you."), audience=audience)
        assert [post["text"] for post in redact(fold(over), ANYBODY, 1000 * HOUR)["posts"]] == ["Thank you."]
        not_over = of_parts(*EPISODE, *SECOND, Posted("Thank you."), audience=audience)
        assert redact(fold(not_over), ANYBODY, 1000 * HOUR)["posts"] == []
        # A contestant who withdraws can leave the other one as the winner.
        withdrawn = of_parts(*EPISODE, *SECOND, Withdrawn("c2"), audience=audience)
        assert redact(fold(withdrawn), ANYBODY, 1000 * HOUR)["winners"] == ["c1"]


def test_viewers_learn_that_hosts_have_ended_the_season_as_they_learn_of_a_closed_episode():
    for audience in ("phase", "episode"):
        log = of_parts(*EPISODE, Posted("Soon."), SeasonEnded(("c2",), "We stop."), audience=audience, delay=2)
        going_on = of_parts(*EPISODE, Posted("Soon."), audience=audience, delay=2)
        learned = log[-1].at + 2 * HOUR
        assert redact(fold(log), ANYBODY, learned - 1) == redact(fold(going_on), ANYBODY, learned - 1)
        view = redact(fold(log), ANYBODY, learned)
        assert (view["step"], view["winners"], view["ending"]) == ("over", ["c2"], "We stop.")
        assert [post["text"] for post in view["posts"]] == ["Soon."]
        assert "We stop." not in str(redact_episode(fold(log), ANYBODY, learned, Conversations(), 1))
    # Without any episode everything is told at once.
    assert redact(fold(world(SeasonEnded(text="We stop."))), ANYBODY, 1000 * HOUR)["ending"] == "We stop."
    with pytest.raises(NotPossible):
        redact(fold(of_parts(*EPISODE, SeasonEnded(), audience="none")), ANYBODY, 1000 * HOUR)


def test_viewers_do_not_wait_for_the_corrected_title_of_an_episode_that_they_know():
    for audience in ("episode", "phase"):
        entries = of_parts(*EPISODE, EpisodeOpened(title="Two"), EpisodeRenamed(1, "Bids"), audience=audience)
        view = redact(fold(entries), ANYBODY, 1000 * HOUR)
        assert [one["title"] for one in view["episodes"]] == ["Bids"]
        assert redact_episode(fold(entries), ANYBODY, 1000 * HOUR, Conversations(), 1)["episodes"][0]["title"] == "Bids"


def test_viewers_learn_what_changes_what_they_see():
    busy = world(start(9), ("c1", Bought("c1", "i1")), ("c2", Asked("c2", "Why?")), Struck("c1"), garnets="hosts")
    kinds = [one.event.kind for one in visible_changes(fold(busy), 0, len(busy))]
    assert kinds == ["settings", "host-added", *["cast-added"] * 4, "item-set", "struck"]
    open_to_all = world(start(9), ("c1", Bought("c1", "i1")), Posted("Hm."), Revoked(10), garnets="public")
    assert [one.event.kind for one in visible_changes(fold(open_to_all), 7, 11)] == ["corrected", "bought"]


def test_viewers_of_parts_cost_no_fold_for_every_request(monkeypatch):
    events = [event for _name, part in PARTS for event in part]
    folded = []
    monkeypatch.setattr(logs, "fold", lambda *given: folded.append(1) or fold(*given))
    for delay, folds in ((0, 1), (3, 2)):
        season = fold(of_parts(*events, Posted("Later."), delay=delay))
        folded.clear()
        for _ in range(5):
            redact(season, ANYBODY, season.log[-1].at + HOUR)
        assert len(folded) == folds


LAST = (EpisodeOpened(), DuelEntered("c2"), Eliminated("c2"), EpisodeClosed())
SECOND = (
    EpisodeOpened(),
    ResultEntered("c1"),
    OpponentNamed("c4"),
    DuelEntered("c4"),
    Eliminated("c4"),
    EpisodeClosed(),
)


def talked(*events):
    """Return the conversations of a season: events with their hour and author."""
    return event_log.fold(
        Conversations(), [Entry(n, at * HOUR, by, event) for n, (at, by, event) in enumerate(events, 1)]
    )


def test_an_episode_is_shown_as_it_was_at_its_end():
    later = (Posted("Later."), StoodIn("c1", "Eve"), start(4), ItemSet("Hint", 9), *SECOND)
    plain, more = (world(start(2), *EPISODE, *events, garnets="public") for events in ((), later))
    for viewer in (HOST, BEN, ANYBODY):
        one, other = (redact_episode(fold(log), viewer, 1000 * HOUR, Conversations(), 1) for log in (plain, more))
        assert (one.pop("last"), other.pop("last")) == (1, 2)
        assert one == other
    with pytest.raises(NotPossible, match="no such episode"):
        redact_episode(fold(plain), ANYBODY, 1000 * HOUR, Conversations(), 2)


def test_published_conversations_are_shown_with_the_episode_in_which_they_were_written():
    # The first episode lasts from hour 8 to hour 13, the last one from hour 20 to hour 23.
    log = world(*EPISODE, *SECOND, *LAST, talk="published")
    talk = talked(
        (9, "c1", Said("c2", "During the first.")),
        (9, "c1", AllianceFormed("River", ("c2",))),
        (10, "c2", Said("a1", "Together.")),
        (13, "c1", Said("c2", "At the very end.")),
        (15, "c4", Said("c1", "During the second.")),
        (16, "c2", AllianceJoined("a1", "c4")),
        (21, "c2", Said("c1", "During the last.")),
    )

    def shown(log, viewer, number):
        return redact_episode(fold(log), viewer, 1000 * HOUR, talk, number)

    for viewer in (HOST, CAL, ANYBODY):
        first = shown(log, viewer, 1)
        lines = {one["id"]: [line["text"] for line in one["lines"]] for one in first["conversations"]}
        assert lines == {"c1-c2": ["During the first.", "At the very end."], "a1": ["Together."]}
        assert first["alliances"] == [{"id": "a1", "name": "River", "members": ["c1", "c2"]}]
        second = shown(log, viewer, 2)["conversations"]
        assert [line["text"] for one in second for line in one["lines"]] == ["During the second."]
    # Before the season is over, and where that was not agreed, nothing is shown, not even to hosts and authors.
    for kept in (
        log[:-1],
        world(*EPISODE, *SECOND, *LAST, talk="hosts"),
        world(*EPISODE, *SECOND, *LAST, talk="private"),
    ):
        for viewer in (HOST, ANA, ANYBODY):
            assert shown(kept, viewer, 1)["conversations"] == []
    changed = SettingsChanged(**{**encode(log[0].event), "audience": "none"})
    with pytest.raises(NotPossible, match="not open"):
        shown([Entry(1, HOUR, "", changed), *log[1:]], ANYBODY, 1)


def within(part, whole):
    """Return whether everything in `part` is in `whole`, where it is as well."""
    if isinstance(part, dict):
        return all(name in whole and within(value, whole[name]) for name, value in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(within, part, whole))
    return part == whole


@pytest.mark.parametrize("viewer", [HOST, ANA, BEN, CAL, Viewer("contestant", "c1", private=False)])
@pytest.mark.parametrize("open_to", ["private", "hosts", "published"])
def test_what_conversations_need_of_a_season_is_a_part_of_what_their_reader_sees(viewer, open_to):
    confessed = Confessed("c1", "I trust nobody.", "episode"), Confessed("c2", "Nor do I.")
    events = [("c1" if one is confessed[0] else "c2", one) for one in confessed]
    log = world(EPISODE[0], *events, *EPISODE[1:], *SECOND, *LAST, talk=open_to)
    talk = talked(
        (9, "c1", Said("c2", "Psst")), (10, "c2", AllianceFormed("Two", ("c4",))), (11, "c2", Said("a1", "Psst."))
    )
    for season in (fold(log), fold(log[:-1])):
        part, whole = redact_conversations(season, viewer, talk, 1000 * HOUR), redact(season, viewer, 1000 * HOUR, talk)
        assert within(part, whole)
        assert part["conversations"] == whole["conversations"]


def test_confessionals_of_an_episode_are_shown_with_it_once_they_are_published():
    said = (Confessed("c1", "Nobody.", "season"), Confessed("c2", "Ben.", "episode"), Confessed("c4", "Mine."))
    episode = (EPISODE[0], *((one.contestant, one) for one in said), *EPISODE[1:])
    for log, told in ((world(*episode), ["Ben."]), (world(*episode, *SECOND, *LAST), ["Nobody.", "Ben."])):
        shown = redact_episode(fold(log), ANYBODY, 1000 * HOUR, Conversations(), 1)
        assert [one["text"] for one in shown["confessions"]] == told


def test_viewers_see_what_is_older_than_the_delay():
    def log(*events):
        return [
            Entry(1, HOUR, "", SettingsChanged(title="Code Red", gifts=True, audience="live", delay=24)),
            *world(*events)[1:],
        ]

    a, b = log(*EPISODE[:3]), log(*EPISODE[:3], DuelEntered("c3"))
    last = b[-1].at
    assert same(ANYBODY, a, b, now=last + 23 * HOUR)
    assert not same(ANYBODY, a, b, now=last + 24 * HOUR)
    assert not same(BEN, a, b, now=last)


def test_a_season_without_viewers_shows_them_nothing():
    log = [Entry(1, HOUR, "", SettingsChanged(title="Code Red", audience="none")), *world()[1:]]
    with pytest.raises(NotPossible, match="not open to viewers"):
        redact(fold(log), ANYBODY, 1000 * HOUR)
    assert redact(fold(log), ANA, 1000 * HOUR)["title"] == "Code Red"


def test_nobody_but_hosts_gets_the_log_or_numbers_of_entries():
    log = world(start(5), *EPISODE)
    for viewer in (ANA, ANYBODY):
        shown = redact(fold(log), viewer, 1000 * HOUR)
        assert not {"log", "runs"} & shown.keys()
        assert all("entry" not in line for line in shown["ledger"])
    assert len(redact(fold(log), HOST, 1000 * HOUR)["log"]) == len(log)


def test_the_chart_follows_the_balances_of_those_one_may_know():
    log = world(start(5), *EPISODE, start(2, who="c2"), EpisodeOpened())
    assert redact(fold(log), ANA, 1000 * HOUR)["charts"]["garnets"] == {"c1": [5, 5, 5]}
    assert redact(fold(log), HOST, 1000 * HOUR)["charts"]["garnets"]["c2"] == [0, 0, 2]
