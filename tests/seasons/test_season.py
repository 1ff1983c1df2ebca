"""Seasons without a server: episodes step by step, corrections, the shop, roles, and a ledger that adds up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.seasons import NAMES, after, begun, episode

from pyramidion.event_log import HOUR, Entry, NotPossible, decode, encode
from pyramidion.seasons.cast_file import read_cast, written
from pyramidion.seasons.events import (
    KINDS,
    Answered,
    Asked,
    Bought,
    CastAdded,
    CastChanged,
    Corrected,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    EpisodePlanned,
    EpisodeRenamed,
    Gave,
    HostAdded,
    HostRemoved,
    ItemRemoved,
    ItemSet,
    MatchOpened,
    OpponentNamed,
    OwnDeadlineSet,
    OwnMatchOpened,
    OwnMatchSet,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    Posted,
    ResultEntered,
    ResultTaken,
    Revoked,
    SeasonEnded,
    SettingsChanged,
    StoodIn,
    TiesBroken,
    Withdrawn,
)
from pyramidion.seasons.fold import fold
from pyramidion.seasons.ledger import BANK, CURRENCIES
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.seasons.people import Withdrawal
from pyramidion.seasons.roles import may, runs
from pyramidion.table_sizes import table_sizes


def refused(season, event, words, reason=""):
    with pytest.raises(NotPossible, match=words):
        after(season, event, reason=reason)


def adds_up(season):
    """Check the ledger: all accounts add up to 0, nothing else is below 0, transfers explain balances."""
    for currency in CURRENCIES:
        accounts = [BANK, *season.cast]
        balances = {who: season.ledger.balance(who, currency) for who in accounts}
        assert sum(balances.values()) == 0
        for who in accounts:
            moved = sum(one.change(who) for one in season.ledger.transfers if one.currency == currency)
            assert moved == balances[who]
        if currency != "priority":
            assert all(balances[who] >= 0 for who in season.cast)
    assert all(one.amount > 0 for one in season.ledger.transfers)


MAIN = (EpisodeOpened(), ResultEntered("c1", {"c2": 1, "c3": 1}))


def test_an_episode_goes_from_the_match_to_the_next_episode():
    season = begun()
    assert season.step == "open"
    season = after(season, EpisodeOpened())
    assert season.step == "result"
    season = after(season, ResultEntered("c1", {"c2": 1, "c3": 2}))
    assert season.step == "opponent"
    assert season.challengeable() == ["c4"]
    assert season.balances("c3")["tokens"] == 2
    refused(season, OpponentNamed("c2"), "Ben cannot be named as the opponent")
    season = after(season, OpponentNamed("c4"))
    assert season.step == "duel-result"
    refused(season, DuelEntered("c2"), "not in the death match")
    season = after(season, DuelEntered("c4"))
    assert season.step == "elimination"
    refused(season, Eliminated("c1"), "Only the loser")
    season = after(season, Eliminated("c4"))
    assert season.step == "close"
    season = after(season, EpisodeClosed())
    assert season.step == "open"
    assert season.remaining == ["c1", "c2", "c3"]
    assert season.cast["c4"].out == 1
    assert season.balances("c3")["tokens"] == 0
    adds_up(season)


def test_the_last_two_go_straight_to_the_final_and_one_wins():
    season = begun(names=("Ana", "Ben"))
    season = after(season, EpisodeOpened())
    assert season.episode.final
    assert season.step == "duel-result"
    season = after(season, DuelEntered("c2"), Eliminated("c2"), EpisodeClosed())
    assert (season.step, season.winners) == ("over", ("c1",))


def test_anybody_can_be_named_if_all_others_hold_tokens():
    season = begun(EpisodeOpened(), ResultEntered("c1", {"c2": 1, "c3": 1, "c4": 1}))
    assert season.challengeable() == ["c2", "c3", "c4"]


def test_the_candidate_can_have_no_token():
    refused(begun(EpisodeOpened()), ResultEntered("c1", {"c1": 1}), "cannot have a token")


def test_a_result_moves_balances_and_names_the_candidate_once():
    season = begun(EpisodeOpened(game="upside-down"), MatchOpened("t", "main", ("c1", "c2", "c3", "c4"), stakes=True))
    assert season.step == "main-playing"
    taken = ResultTaken("t", ("c2", "c3"), (4, 9, 9, 5), (-1, 4, 4, 0), (0, -3, 0, 1), (0, 1, 1, 0), "c1")
    season = after(season, taken, by="")
    assert season.step == "opponent"
    assert season.balances("c1") == {"garnets": 4, "priority": 10, "tokens": 0}
    assert season.balances("c2") == {"garnets": 9, "priority": 8, "tokens": 1}
    refused(season, taken, "cannot have a result now")
    adds_up(season)


def test_balances_cannot_change_while_they_are_at_stake():
    season = begun(
        ItemSet("Nudge", 2, priority=1),
        EpisodeOpened(game="upside-down"),
        MatchOpened("t", "main", ("c1", "c2", "c3", "c4"), stakes=True),
    )
    for event in (Bought("c1", "i1"), Gave("c1", "c2", 1), Corrected("c1", "garnets", 1)):
        refused(season, event, "is playing with these", reason="A slip.")


def test_the_result_of_several_tables_is_entered_when_all_are_over():
    season = begun(EpisodeOpened(game="g"), MatchOpened("t", "main", ("c1", "c2")))
    assert (season.step, season.unseated()) == ("main", ["c3", "c4"])
    refused(season, MatchOpened("u", "main", ("c2", "c3")), "already started")
    season = after(season, MatchOpened("u", "main", ("c3", "c4")), ResultTaken("t", ("c1",), (1, 0)))
    assert season.step == "main-playing"
    season = after(season, ResultTaken("u", ("c3",), (1, 0)))
    assert season.step == "result"


def test_a_drawn_death_match_is_decided_by_a_host():
    season = begun(*MAIN[:1], MAIN[1], OpponentNamed("c4"), MatchOpened("t", "duel", ("c1", "c4")))
    refused(season, DuelEntered("c1"), "has not been played")
    season = after(season, ResultTaken("t", ("c1", "c4"), (1, 1)))
    assert season.step == "duel-result"
    assert after(season, DuelEntered("c1")).step == "elimination"


def test_a_death_match_with_a_winner_decides_by_itself():
    season = begun(*MAIN, OpponentNamed("c4"), MatchOpened("t", "duel", ("c1", "c4")))
    assert after(season, ResultTaken("t", ("c1",), (3, 1))).episode.loser == "c4"


def test_another_opponent_can_be_named_until_the_death_match_begins():
    season = begun(EpisodeOpened(), ResultEntered("c1", {"c2": 1}), OpponentNamed("c4"))
    season = after(season, OpponentNamed("c3"))
    assert season.episode.opponent == "c3"
    refused(after(season, MatchOpened("t", "duel", ("c1", "c3"))), OpponentNamed("c4"), "before the death match")


def test_the_shop_keeps_its_limits():
    season = begun(ItemSet("Nudge", 2, priority=3, per_person=1, per_season=2))
    season = after(season, Bought("c1", "i1"))
    assert season.balances("c1") == {"garnets": 3, "priority": 13, "tokens": 0}
    refused(season, Bought("c1", "i1"), "cannot buy more of this")
    season = after(season, Bought("c2", "i1"))
    refused(season, Bought("c3", "i1"), "sold out")
    dear = after(season, ItemSet("Crown", 6))
    refused(dear, Bought("c1", "i2"), "That takes 6, but the balance is only 3")
    refused(after(season, ItemRemoved("i1")), Bought("c3", "i1"), "no such item")
    adds_up(season)


def test_gifts_only_where_they_are_allowed():
    season = begun(Gave("c1", "c2", 2))
    assert [season.balances(who)["garnets"] for who in ("c1", "c2")] == [3, 7]
    refused(season, Gave("c1", "c2", 4), "the balance is only 3")
    refused(season, Gave("c1", "c2", -4), "1 or more")
    refused(season, Gave("c1", "c1", 1), "1 or more")
    refused(after(season, SettingsChanged(title="Code Red")), Gave("c1", "c2", 1), "not allowed")


def test_corrections_need_a_reason():
    season = begun()
    refused(season, Corrected("c1", "garnets", 2), "Give a reason")
    refused(season, Corrected("c1", "garnets", -6), "the balance is only 5", reason="A slip.")
    season = after(season, Corrected("c1", "garnets", 2), reason="Counted twice.")
    assert season.balances("c1")["garnets"] == 7
    assert season.log[-1].reason == "Counted twice."
    adds_up(season)


def test_an_entry_can_be_undone_if_nothing_depends_on_it():
    season = begun(*MAIN, OpponentNamed("c4"))
    opponent = len(season.log)
    refused(season, Revoked(opponent), "Give a reason")
    refused(season, Revoked(opponent - 1), f"Entry {opponent} depends on this one", reason="Wrong candidate.")
    season = after(season, Revoked(opponent), reason="Wrong name.")
    season = after(season, Revoked(opponent - 1), reason="Wrong candidate.")
    assert season.step == "result"
    assert season.balances("c2")["tokens"] == 0
    refused(season, Revoked(1), "cannot be undone", reason="No.")
    refused(season, Revoked(99), "cannot be undone", reason="No.")
    adds_up(season)


def test_a_result_that_was_undone_is_not_awaited_again():
    season = begun(EpisodeOpened(game="g"), MatchOpened("t", "main", ("c1", "c2", "c3", "c4")))
    assert season.awaited() == {"t"}
    season = after(season, ResultTaken("t", ("c1",), (1, 0, 0, 0)))
    season = after(season, Revoked(len(season.log)), reason="The wrong cards.")
    assert season.awaited() == set()
    season = after(season, Revoked(len(season.log) - 2), reason="The wrong cards.")
    assert season.step == "main"


def test_ids_stay_when_an_addition_is_undone():
    season = begun()
    season = after(season, Revoked(6), reason="Dan is not coming.")
    season = after(season, CastAdded("Eve"))
    assert list(season.cast) == ["c1", "c2", "c3", "c5"]


def test_names_that_look_the_same_are_refused():
    refused(begun(), CastAdded("ANA"), "is taken")
    refused(begun(), HostAdded("Аna"), "is taken")  # a Cyrillic A
    refused(begun(), CastAdded("  "), "Enter a name")


def test_a_stand_in_takes_over_place_and_balances():
    season = after(begun(), CastChanged("c1", "Zoe", "policy"))
    assert (season.cast["c1"].name, season.cast["c1"].bot) == ("Zoe", "policy")
    assert season.balances("c1")["garnets"] == 5


def test_contestants_withdraw_at_once_between_episodes():
    assert after(begun(), Withdrawn("c2")).remaining == ["c1", "c3", "c4"]
    refused(after(begun(), Withdrawn("c2")), Withdrawn("c2"), "has left")


def test_who_withdraws_during_an_episode_leaves_as_it_is_closed():
    season = after(begun(EpisodeOpened()), Withdrawn("c2", "random"), reason="No time.")
    assert season.remaining == ["c1", "c2", "c3", "c4"]
    assert (season.cast["c2"].bot, season.cast["c2"].withdrawal) == ("random", Withdrawal(1, True, "No time."))
    refused(season, Withdrawn("c2"), "Ben has withdrawn")
    back = after(season, Revoked(len(season.log)), reason="Ben stays.")
    assert (back.cast["c2"].bot, back.cast["c2"].withdrawal) == (None, None)
    closed = after(season, *episode("c1", "c3", "c3")[1:])
    assert closed.remaining == ["c1", "c4"]
    assert closed.cast["c2"].out == 1
    assert after(season, StoodIn("c2", "Zoe")).cast["c2"].withdrawal is None, "A stand-in stays."


def test_somebody_stays_in_a_season_from_which_contestants_withdraw():
    season = begun(*episode("c1", "c2", "c1"), EpisodeOpened(), Withdrawn("c2"))
    refused(season, Withdrawn("c3"), "With so few left, Cal can only withdraw after this episode")
    final = begun(*episode("c1", "c2", "c1"), *episode("c2", "c3", "c2"), EpisodeOpened())
    refused(final, Withdrawn("c3"), "Nobody withdraws from the final")


def test_an_episode_is_renamed_before_during_and_after_it():
    season = begun(EpisodePlanned(title="Wrong"), EpisodePlanned(title="Two"), EpisodeRenamed(1, "First"))
    assert [one.title for one in season.plan] == ["First", "Two"]
    season = after(season, EpisodeOpened(title="First"), EpisodeRenamed(1, "Blood"))
    closed = after(season, *episode("c1", "c2", "c1")[1:], EpisodeRenamed(1, "Bids"))
    assert closed.episodes[0].title == closed.plan[0].title == "Bids"
    assert after(closed, Revoked(len(closed.log)), reason="No.").episodes[0].title == "Blood"
    refused(closed, EpisodeRenamed(3, "Three"), "no such episode")


def test_submissions_end_with_their_phase_also_when_it_is_moved():
    form = OwnMatchSet("Bids", fields=(SubmissionField("bid"),))
    season = begun(form, PhaseSet("Bidding", 10, HOUR), EpisodeOpened(), OwnMatchOpened("Bids", phase="p1"))
    assert (season.own_match.round.deadline, season.own_match.round.phase) == (HOUR, "p1")
    season = after(season, PhaseExtended("p1", 2))
    assert season.own_match.round.deadline == 3 * HOUR
    gone = after(season, PhaseRemoved("p1"))
    assert (gone.own_match.round.deadline, gone.own_match.round.phase) == (3 * HOUR, None)
    own = after(season, OwnDeadlineSet("m1", 5 * HOUR), PhaseExtended("p1", 2))
    assert own.own_match.round.deadline == 5 * HOUR
    refused(season, OwnDeadlineSet("m1", phase="p9"), "no such phase")


def test_a_reason_for_a_broken_tie_belongs_to_the_result():
    season = begun(EpisodeOpened(), ResultEntered("c1", {"c2": 1}, tie_reason="Ana was late."))
    assert season.episodes[0].tie_reasons == {"main": "Ana was late."}
    assert after(season, ResultEntered("c2", {"c1": 1})).episodes[0].tie_reasons == {}
    lost = after(season, OpponentNamed("c3"), DuelEntered("c1", "By lot."))
    assert lost.episodes[0].tie_reasons == {"main": "Ana was late.", "duel": "By lot."}
    assert after(lost, DuelEntered("c3")).episodes[0].tie_reasons == {"main": "Ana was late."}


def test_equal_priorities_are_raised_by_as_little_as_makes_them_different():
    season = begun()
    for who, change in (("c2", -1), ("c3", -2)):
        season = after(season, Corrected(who, "priority", change), reason="Level.")
    season = after(season, TiesBroken(("c3", "c1", "c2", "c4")), by="")
    assert [season.balances(who)["priority"] for who in season.cast] == [11, 12, 10, 13]


def test_questions_are_answered_to_one_or_to_all():
    season = begun(Asked("c1", "May I bid 0?"))
    number = season.posts[0].number
    refused(season, Answered(1, "Yes."), "no such question")
    season = after(season, Answered(number, "Yes.", to_all=True), Posted("Round 2 opens tomorrow.", "ruling"))
    assert [(one.what, one.answer, one.to_all) for one in season.posts] == [
        ("question", "Yes.", True),
        ("ruling", None, True),
    ]


def test_roles_decide_who_may_do_what():
    season = begun(HostAdded("Co", "co-host"), HostAdded("Mo", "moderator"), HostAdded("An", "announcer"))
    correction, post, host = Corrected("c1", "garnets", 1), Posted("Hi."), HostAdded("New")
    assert [may(season, who, correction) for who in ("h1", "h2", "h3", "h4", "c1", "x")] == [True] * 3 + [False] * 3
    assert [may(season, who, post) for who in ("h1", "h2", "h3", "h4", "c1")] == [True] * 4 + [False]
    assert [may(season, who, host) for who in ("h1", "h2", "h3", "h4", "c1")] == [True] + [False] * 4
    assert [runs(season, who) for who in ("h1", "h2", "h3", "c1")] == [True, True, False, False]
    assert may(season, "c1", Gave("c1", "c2", 1))
    assert not may(season, "c2", Gave("c1", "c2", 1))
    named = after(season, *MAIN)
    assert may(named, "c1", OpponentNamed("c4"))
    assert not may(named, "c4", OpponentNamed("c2"))
    refused(season, HostRemoved("h1"), "needs a host")


@pytest.mark.parametrize(
    ("count", "seats", "sizes"),
    [
        (10, range(10, 11), [10]),
        (9, range(10, 11), None),
        (9, range(3, 6), [5, 4]),
        (7, range(2, 5), [4, 3]),
        (2, range(3, 6), None),
    ],
)
def test_the_fewest_tables_seat_everybody(count, seats, sizes):
    assert table_sizes(count, seats) == sizes


def test_events_come_back_from_json():
    events = [
        ItemSet("Nudge", 2, per_person=1),
        ResultEntered("c1", {"c2": 1}),
        MatchOpened("t", "main", ("c1", "c2"), stakes=True),
        TiesBroken(("c1", "c2")),
    ]
    assert [decode(KINDS, one.kind, encode(one)) for one in events] == events


def test_nobody_who_has_been_seated_is_taken_out_of_the_cast():
    season = begun(EpisodeOpened(game="g"), MatchOpened("t", "main", ("c1", "c2", "c3", "c4")))
    added = next(one.number for one in season.log if isinstance(one.event, CastAdded))
    refused(season, Revoked(added), "depends on this one", reason="A mistake.")
    refused(season, MatchOpened("u", "main", ("c9",)), "There is no such contestant.")


def test_what_is_at_stake_does_not_change_by_undoing():
    gift = Gave("c1", "c2", 2)
    playing = EpisodeOpened(game="g"), MatchOpened("t", "main", ("c1", "c2", "c3", "c4"), stakes=True)
    season = begun(gift, Posted("Hello."), *playing)
    number = {one.event: one.number for one in season.log}
    refused(season, Revoked(number[gift]), "is playing with these garnets", reason="A mistake.")
    assert after(season, Revoked(number[Posted("Hello.")]), reason="A mistake.").posts == []
    over = after(season, ResultTaken("t", ("c2",), (0, 1, 0, 0), (-1, 1, 0, 0)), by="")
    assert after(over, Revoked(number[gift]), reason="A mistake.").balances("c1")["garnets"] == 4


def test_nobody_comes_back_in_the_middle_of_an_episode():
    season = begun(Withdrawn("c2"))
    number = len(season.log)
    refused(after(season, EpisodeOpened()), Revoked(number), "come back between episodes", reason="A mistake.")
    assert "c2" in after(season, Revoked(number), reason="A mistake.").remaining


def test_a_log_that_was_allowed_once_is_still_read():
    """What is refused to new entries alone does not keep a season from its people."""
    season = begun(Withdrawn("c2"), EpisodeOpened())
    number = next(one.number for one in season.log if isinstance(one.event, Withdrawn))
    entry = Entry(len(season.log) + 1, 0, "h1", Revoked(number), "A mistake.")
    assert "c2" in fold([*season.log, entry]).remaining


def test_a_hidden_balance_is_not_told_by_a_refusal():
    settings = SettingsChanged(title="Code Red", gifts=True, garnets="hosts")
    hidden = begun(settings, ItemSet("Nudge", 100))
    for event in (Gave("c1", "c2", 100), Bought("c1", "i1")):
        with pytest.raises(NotPossible, match="Ana does not have enough garnets") as error:
            after(hidden, event, by="c1")
        assert "5" not in str(error.value)
    refused(begun(), Gave("c1", "c2", 100), "the balance is only 5")


def test_a_plan_that_is_made_later_counts_from_the_next_episode():
    season = begun(EpisodeOpened("g", title="Arrival"), *MAIN[1:], EpisodePlanned("ponzi-scheme", title="Next"))
    assert [(one.game, one.title) for one in season.plan] == [("g", "Arrival"), ("ponzi-scheme", "Next")]
    season = after(season, EpisodePlanned("pyramis"))
    assert [one.game for one in season.plan] == ["g", "ponzi-scheme", "pyramis"]


def test_the_winner_does_not_withdraw():
    final = EpisodeOpened(), DuelEntered("c2"), Eliminated("c2"), EpisodeClosed()
    season = begun(*final, names=NAMES[:2])
    assert season.winners == ("c1",)
    refused(season, Withdrawn("c1"), "The season is over")


def test_hosts_end_a_season_between_episodes_with_the_winners_they_name():
    for winners in ((), ("c1",), ("c2", "c3")):
        for played in ((), episode("c4", "c3", "c4")):
            season = begun(*played, SeasonEnded(winners, "It was too hot."))
            assert (season.step, season.over, season.winners) == ("over", True, winners)
            refused(season, EpisodeOpened(), "The season is over")
            refused(season, CastAdded("Eve"), "between episodes")
            refused(season, SeasonEnded(("c1",)), "The season is over")
            reopened = after(season, Revoked(len(season.log)), reason="A mistake.")
            assert (reopened.step, reopened.winners) == ("open", ())
    season = begun(*episode("c4", "c3", "c4"))
    refused(season, SeasonEnded(("c4",)), f"{NAMES[3]} has left")
    refused(season, SeasonEnded(("c1", "c1")), "Name each winner once")
    refused(begun(EpisodeOpened()), SeasonEnded(), "Close the episode first")
    assert begun(SeasonEnded(), names=()).over


BOTS = {"policy": "Rule-based", "expert": "Expert"}


@pytest.mark.parametrize("separator", ["\t", ",", ";", "; "])
@pytest.mark.parametrize(
    "lines",
    [
        ["Eve|bot", "Fay|", "Gus|Expert", "Hal|person"],
        ["Eve|Bot", "Fay", "Gus|Bot: Expert", "Hal|human"],
        ["Name|Level", "Eve|rule-based", "Fay|", "Gus|expert", "Hal|"],
        ["Type|Contestant", "bot|Eve", "|Fay", "EXPERT|Gus", "person|Hal"],
        ["Player|Remarks|Played by", "Eve|tall|bot", "Fay||", "Gus|small|Expert", "Hal||a person"],
    ],
)
def test_a_pasted_cast_of_names_and_bots_is_understood(lines, separator):
    events, plan = read_cast(begun(), "\n".join(lines).replace("|", separator), BOTS, "policy")
    assert events == [
        CastAdded("Eve", bot="policy"),
        CastAdded("Fay"),
        CastAdded("Gus", bot="expert"),
        CastAdded("Hal"),
    ]
    assert [line.bot for line in plan] == ["policy", None, "expert", None]


def test_a_person_takes_over_from_a_bot_where_a_pasted_cast_says_so():
    season = begun(CastChanged("c1", "Ana", "policy"), names=("Ana", "Ben"))
    events, plan = read_cast(season, "Ana,person\nBen,person", BOTS, "policy")
    assert events == [CastChanged("c1", "Ana", None)]
    assert [(line.bot, line.changes) for line in plan] == [("", True), (None, False)]


def test_a_pasted_cast_adds_and_corrects():
    season = begun(names=("Ana", "Ben"))
    events, plan = read_cast(season, "garnets\tname\tpriority\n7\tana\t10\n3\tEve\t\n", BOTS)
    assert events == [Corrected("c1", "garnets", 2), CastAdded("Eve", 3)]
    assert [(one.name, one.before, one.after) for one in plan] == [("ana", (5, 10), (7, 10)), ("Eve", None, (3, 0))]
    assert read_cast(season, "Eve;4;2;rule-based", BOTS)[0] == [CastAdded("Eve", 4, 2, "policy")]
    assert read_cast(season, "id,name,garnets,out\nc9,Eve,3,\n", BOTS)[0] == [CastAdded("Eve", 3)]
    assert read_cast(season, "Eve\rFay\r\n", BOTS)[0] == [CastAdded("Eve"), CastAdded("Fay")]
    with pytest.raises(NotPossible, match="This is no table: field larger than field limit"):
        read_cast(season, "E" * 140_000, BOTS)
    with pytest.raises(NotPossible, match="Line 1: many is not"):
        read_cast(season, "Eve,many", BOTS)
    with pytest.raises(NotPossible, match="put their names in the first line, such as name, bot"):
        read_cast(season, "Eve,many", BOTS)
    assert read_cast(season, "Eve,,,EXPERT", BOTS)[0] == [CastAdded("Eve", bot="expert")]
    with pytest.raises(NotPossible, match=r"Line 1: there is no bot nobody\..*: Rule-based, Expert\."):
        read_cast(season, "Eve,,,nobody", BOTS)
    with pytest.raises(NotPossible, match=r"Line 4: there is no bot nobody"):
        read_cast(season, "\nname,bot\n\nEve,nobody", BOTS)  # as the person counts lines, with the heading
    with pytest.raises(NotPossible, match="column 'name'"):
        read_cast(season, "garnets,priority\n1,2", BOTS)
    with pytest.raises(NotPossible, match="Line 2: ANA is there twice"):
        read_cast(season, "Ana,10\nANA,10", BOTS)
    events, plan = read_cast(season, "Ana,,,expert\nBen,,,", BOTS)
    assert (events, [one.bot for one in plan]) == ([CastChanged("c1", "Ana", "expert")], ["expert", None])


def test_exported_cells_are_no_formulas():
    assert written([{"name": "=1+1", "garnets": -2}]).splitlines() == ["name,garnets", "'=1+1,-2"]


CHANGES = st.one_of(
    st.builds(Gave, st.sampled_from(["c1", "c2"]), st.sampled_from(["c3", "c4"]), st.integers(-2, 9)),
    st.builds(Bought, st.sampled_from(["c1", "c2", "c3"]), st.just("i1")),
    st.builds(Corrected, st.sampled_from(["c1", "c4"]), st.sampled_from(CURRENCIES), st.integers(-8, 8)),
    st.builds(Revoked, st.integers(3, 40)),
    st.builds(ResultEntered, st.just("c1"), st.dictionaries(st.sampled_from(["c2", "c3"]), st.integers(0, 2))),
    st.sampled_from([EpisodeOpened(), OpponentNamed("c4"), DuelEntered("c4"), Eliminated("c4"), EpisodeClosed()]),
)


@given(st.lists(CHANGES, max_size=25))
def test_the_ledger_adds_up_whatever_happens(changes):
    season = begun(ItemSet("Nudge", 2, priority=3))
    for change in changes:
        try:
            season = after(season, change, reason="Because.")
        except NotPossible:
            continue
        adds_up(season)
    again = fold(season.log)
    assert [again.balances(who) for who in again.cast] == [season.balances(who) for who in season.cast]
