"""The story of a season: each kind of sentence, from what a viewer may know."""

import pytest
from tests.helpers.seasons import after, begun, episode, main_match

from pyramidion.seasons.conversations import Conversations
from pyramidion.seasons.redaction import Viewer, redact
from pyramidion.seasons.story import Moment, challenges, episode_story, standing

from pyramidion.seasons.events import (  # isort: skip
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    MatchOpened,
    OpponentNamed,
    ResultEntered,
    ResultTaken,
    SettingsChanged,
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


def test_careers_go_over_several_episodes():
    story = told(*episode("c3", "c4", "c4", c1=1), *episode("c3", "c2", "c2", c1=1))
    assert story["streak"] == "Ana has won a token of life in 2 episodes in a row."
    assert story["again"] == "Cal has been the elimination candidate 2 times."
    assert story["survivor"] == "Cal has won 2 death matches."
    assert "streak" not in told(*episode("c3", "c4", "c4", c1=1))


def test_who_withdraws_is_told_with_the_episode_before():
    assert told(*episode("c4", "c3", "c4"), Withdrawn("c1"))["withdrew"] == "Ana withdrew after the episode."


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
