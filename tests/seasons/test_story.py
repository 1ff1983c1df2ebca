"""The story of a season: each kind of sentence, from what a viewer may know."""

from dataclasses import replace

import pytest
from tests.helpers.seasons import after, begun, episode, main_match

from pyramidion.seasons.conversations import Conversations
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.seasons.redaction import Viewer, redact
from pyramidion.seasons.story import Moment, challenges, episode_story, standing

from pyramidion.seasons.events import (  # isort: skip
    CandidateNamed,
    CastChanged,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    FormatSet,
    MatchOpened,
    OpponentNamed,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundSealed,
    ResultEntered,
    ResultTaken,
    SeasonEnded,
    SettingsChanged,
    StoodIn,
    SubmissionsRevealed,
    Withdrawn,
)

LIVE = SettingsChanged(title="Code Red", audience="live")


def view_of(*events):
    return redact(begun(LIVE, *events), Viewer(), 10**15, Conversations())


def told(*events, moments=(), number=None):
    """Return the sentences about an episode, the latest one unless another is asked for, by their kinds."""
    view = view_of(*events)
    names = {one["id"]: one["name"] for one in view["cast"]}
    story = episode_story(view, number or len(view["episodes"]), moments, lambda who: names.get(who, ""))
    return {one.kind: one.text for one in story}


FELL = Moment("fell", "c3", "c1", 2, last=True)


@pytest.mark.parametrize(
    ("events", "moments", "kind", "text"),
    [
        ((EpisodeOpened(),), (), "begun", "The episode has begun."),
        (
            (EpisodeOpened("pyramis"), MatchOpened("T", "main", ("c1", "c2", "c3", "c4"))),
            (),
            "playing",
            "The main match is being played.",
        ),
        (main_match("c3"), (), "candidate", "Cal is the elimination candidate."),
        (main_match("c3"), (FELL,), "fell", "Cal fell 2 layers in the last battle and is the elimination candidate."),
        (
            (*main_match("c3"), OpponentNamed("c1")),
            (FELL,),
            "challenged",
            "Cal has challenged Ana to the death match.",
        ),
        (
            episode("c3", "c1", "c3"),
            (FELL,),
            "fell-and-lost",
            "Cal fell 2 layers in the last battle and lost to Ana in the death match.",
        ),
        (
            episode("c3", "c1", "c1"),
            (FELL,),
            "fell-and-won",
            "Cal fell 2 layers in the last battle, but beat Ana in the death match.",
        ),
        (episode("c3", "c1", "c3"), (), "challenged-and-lost", "Cal challenged Ana to the death match and lost."),
        (episode("c3", "c1", "c1"), (), "challenged-and-won", "Cal challenged Ana to the death match and won."),
        (
            episode("c3", "c1", "c3"),
            (FELL, Moment("climbed", "c3", "c2", 2, last=True)),
            "challenged-and-lost",
            "Cal challenged Ana to the death match and lost.",
        ),
    ],
)
def test_the_headline_says_how_far_the_episode_has_come(events, moments, kind, text):
    assert next(iter(told(*events, moments=moments).items())) == (kind, text)


FIRST_TWO = (*episode("c4", "c3", "c4", c1=1), *episode("c3", "c2", "c3", c1=1))


def test_the_final_has_two_and_then_a_winner():
    assert told(*FIRST_TWO, EpisodeOpened())["final"] == "Ana and Ben play the final."
    over = (*FIRST_TWO, EpisodeOpened(), DuelEntered("c1"), Eliminated("c1"), EpisodeClosed())
    assert told(*over)["won"] == "Ben beat Ana in the final and won the season."
    assert standing(view_of(*over)) == "Ben has won the season."


def test_a_season_that_hosts_have_ended_says_who_has_won():
    for winners, sentence in (
        ((), "The season has ended without a winner."),
        (("c2",), "Ben has won the season."),
        (("c1", "c2"), "Ana and Ben have won the season."),
    ):
        assert standing(view_of(*FIRST_TWO, SeasonEnded(winners))) == sentence


def test_what_else_an_episode_brought():
    climbs = [Moment("climbed", "c2", "c3", 1), Moment("climbed", "c2", "c1", 1), Moment("fell", "c1", "c2", 1)]
    aims = [Moment("challenged", who, "c1") for who in ("c2", "c3", "c2")] + [Moment("challenged", "c1", "c4")]
    story = told(*episode("c4", "c3", "c4", c1=1, c2=1), moments=climbs + aims)
    assert story["tokens"] == "Ana and Ben win tokens of life."
    assert story["climbed"] == "Ben climbed 2 layers in the main match."
    assert story["target"] == "Ana was challenged 3 times, more often than anybody else."
    assert story["left"] == "Dan is out. 3 contestants are left."
    assert "target" not in told(*episode("c4", "c3", "c4"), moments=aims + [Moment("challenged", "c1", "c4")] * 2)


def test_a_main_match_without_tokens_has_winners():
    cast = ("c1", "c2", "c3", "c4")
    result = ResultTaken("T", ("c2",), (0, 9, 0, 0))
    played = (EpisodeOpened("pyramis"), MatchOpened("T", "main", cast), result, ResultEntered("c3"))
    assert told(*played)["main"] == "Ben won the main match."
    played = (*played[:-1], ResultEntered("c3", {"c1": 1, "c2": 1}))
    story = told(*played)
    assert (story["main"], story["tokens"]) == ("Ben won the main match.", "Ana and Ben win tokens of life.")
    assert "main" not in told(*played[:-1], ResultEntered("c3", {"c2": 1})), "The token says it."


def test_careers_go_over_several_episodes():
    story = told(*episode("c3", "c4", "c4", c1=1), *episode("c3", "c2", "c2", c1=1))
    assert story["streak"] == "Ana has won a token of life in 2 episodes in a row."
    assert story["again"] == "Cal has been the elimination candidate 2 times."
    assert story["survivor"] == "Cal has won 2 death matches."
    assert "streak" not in told(*episode("c3", "c4", "c4", c1=1))


def test_who_withdraws_is_told_with_the_episode_before():
    assert told(*episode("c4", "c3", "c4"), Withdrawn("c1"))["withdrew"] == "Ana withdrew after the episode."
    during = told(*main_match("c4"), Withdrawn("c1"), *episode("c4", "c3", "c4")[2:])
    assert during["withdrew"] == "Ana withdrew during the episode."
    assert during["left"] == "Dan is out. 2 contestants are left."


def test_who_takes_over_is_told_with_the_episode_since_the_one_before():
    first = after(begun(LIVE), *episode("c4", "c3", "c4"), at=10)
    season = after(after(first, StoodIn("c1", "Eve"), at=20), EpisodeOpened(), at=30)
    view = redact(after(season, StoodIn("c1", "Flo"), at=40), Viewer(), 10**15, Conversations())
    names = {one["id"]: one["name"] for one in view["cast"]}
    stories = [[one.text for one in episode_story(view, number, (), names.get)] for number in (1, 2)]
    assert "stand-in" not in " ".join(stories[0])
    assert stories[1][-2:] == ["Eve took over from Ana as a stand-in.", "Flo took over from Eve as a stand-in."]


def test_a_tie_in_the_death_match_is_told_with_what_decided_it():
    def tied(rule):
        decided = FormatSet(tie=rule)
        duel = (MatchOpened("T", "duel", ("c3", "c1")), ResultTaken("T", ("c3", "c1"), (1, 1), lot=("c1", "c3")))
        rest = () if rule == "lot" else (DuelEntered("c3"),)
        return told(decided, *main_match("c3"), OpponentNamed("c1"), *duel, *rest)["tied"]

    assert tied("lot") == "The death match ended in a tie, and a lot decided."
    assert tied("hosts") == "The death match ended in a tie, and the hosts decided."


def test_what_led_to_a_death_match_is_told():
    moments = [Moment("challenged", "c1", "c3")] * 2
    story = told(*episode("c4", "c2", "c4", c3=1), *episode("c3", "c1", "c3"), moments=moments)
    assert story["revenge"] == "Ana had challenged Cal 2 times in the main match."
    assert story["fallen"] == "One episode earlier Cal had won a token of life."


def test_two_who_leave_at_once_are_told_together():
    double = FormatSet(candidates=2, eliminations=2, opponent_by="nobody")
    result = ResultEntered("c3", {}, "c4")
    story = told(double, EpisodeOpened(), result, Eliminated("c3"), Eliminated("c4"), EpisodeClosed())
    assert story["leaving"] == "Cal and Dan leave without a death match."
    assert story["left"] == "Cal and Dan are out. 2 contestants are left."


def test_the_winner_sends_two_to_the_death_match():
    chooses = FormatSet(candidates_by="winner", opponent_by="winner")
    events = (EpisodeOpened(), ResultEntered(winner="c1"), CandidateNamed("c2"), OpponentNamed("c4"))
    assert told(chooses, *events)["sent"] == "Ana sent Ben and Dan to the death match."


VOTE = OwnMatchSet(
    "Vote", "", (SubmissionField("vote", kind="contestant"),), score="count(vote == me)", highest="loses"
)


def voted(*votes, rest=(), form=VOTE):
    """Return the story of an episode with these votes by the contestants in order, None for no vote."""
    values = {f"c{nth}": {"vote": whom} if whom else None for nth, whom in enumerate(votes, 1)}
    reveal = (OwnRoundSealed("m1"), SubmissionsRevealed("m1", values)) if votes else ()
    return told(form, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"), *reveal, *rest)


def test_a_vote_is_told_with_how_close_it_was():
    assert voted()["submitting"] == "4 contestants vote."
    assert voted()["stakes"] == "The contestant with the most votes becomes the elimination candidate."
    story = voted("c2", "c1", "c2", "c1")
    assert next(iter(story.items())) == ("vote-tied", "Ana and Ben got 2 votes each. The hosts decide the tie.")
    assert "counted" not in story
    story = voted("c2", "c1", "c2", None, rest=(ResultEntered("c2"),))
    assert story["voted"] == "Ben got 2 of 3 votes and is the elimination candidate."
    assert story["close-vote"] == "Ana got only one vote fewer."
    assert story["missing"] == "Dan did not vote."
    named = (ResultEntered("c2"), OpponentNamed("c4"))
    assert voted("c2", "c1", "c2", "c2", rest=named)["most-votes"] == "Ben got 3 of 4 votes."
    assert "voted-by-all" in voted("c2", "c1", "c2", "c2", rest=(ResultEntered("c2"),))
    assert voted(None, None, None, None)["missing"] == "Nobody voted."
    by_priority = voted(None, None, None, None, form=replace(VOTE, tie="priority"))
    assert by_priority["missing"] == "Nobody voted. Priority decided the tie: Ana had the lowest."
    # Bots have no vote.
    bots = (CastChanged("c4", "Dan", "random"), ResultEntered("c2"))
    assert "missing" not in voted("c2", "c1", "c2", None, rest=bots)
    assert voted("c2", "c1", None, None, rest=bots)["missing"] == "Cal did not vote."


def test_the_best_score_of_another_match_of_the_hosts_own_is_told():
    bid = OwnMatchSet("Auction", "", (SubmissionField("bid"),), score="bid", highest="wins")
    values = {f"c{nth}": {"bid": nth} for nth in range(1, 5)}
    played = (OwnMatchOpened("Auction"), OwnRoundSealed("m1"), SubmissionsRevealed("m1", values))
    assert told(bid, EpisodeOpened(own="Auction"), *played)["best-score"] == "Dan had the best score in Auction: 4."


def test_the_standing_counts_who_is_left():
    assert standing(view_of()) == "4 contestants begin."
    assert standing(view_of(*episode("c4", "c3", "c4"))) == "After 1 episode, 3 of 4 contestants are left."


def test_challenges_are_those_to_death_matches_and_those_at_tables():
    picture = challenges(view_of(*FIRST_TWO, EpisodeOpened()), [Moment("challenged", "c1", "c2")] * 2)
    assert picture.duels == [("c4", "c3", 1), ("c3", "c2", 2)]
    assert picture.fights == {("c1", "c2"): 2}


def test_worlds_that_a_viewer_cannot_tell_apart_have_one_story():
    """Viewers of closed episodes see nothing of an open one; nor does its story."""

    def story(*events):
        closed = SettingsChanged(title="Code Red", audience="episode")
        season = after(begun(closed, *episode("c4", "c3", "c4", c1=1)), *events)
        view = redact(season, Viewer(), 10**15, Conversations())
        return standing(view), episode_story(view, 1, (), lambda who: who), len(view["episodes"])

    assert story(*main_match("c3", c1=1), OpponentNamed("c2")) == story(*main_match("c1", c2=1), OpponentNamed("c3"))
