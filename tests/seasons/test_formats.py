"""Formats of episodes: who names whom, how many leave, and what a tie does; and that old logs mean what they meant."""

import json
import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from pyramidion.engine import registry
from pyramidion.event_log import Entry, NotPossible, decode
from pyramidion.seasons.events import (
    KINDS,
    CandidateNamed,
    CastAdded,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    FormatSet,
    HostAdded,
    MatchOpened,
    OpponentNamed,
    ResultEntered,
    ResultTaken,
    SettingsChanged,
)
from pyramidion.seasons.fold import extended, fold
from pyramidion.seasons.redaction import redact, viewer_of
from pyramidion.seasons.roles import may
from pyramidion.seasons.season import Season
from pyramidion.seasons.template import Template, template_of
from pyramidion.web.features.seasons.saved_templates import shipped

SOURCE = Path(__file__).parents[2] / "src" / "pyramidion"
SNAPSHOT = Path(__file__).with_name("snapshots") / "season.json"
STANDARD = FormatSet()
DIRECT = FormatSet(opponent_by="nobody")
PAIR = FormatSet(candidates=2, opponent_by="nobody", tie="lot")
BOTH = FormatSet(candidates=2, eliminations=2, opponent_by="nobody")
NONE = FormatSet(candidates=0, eliminations=0, opponent_by="nobody")
WINNER = FormatSet(candidates_by="winner", opponent_by="winner", tie="priority")


def after(season, *events, by="h1", at=0):
    return extended(season, events, at, by, "Because.")


def begun(*events):
    cast = [CastAdded(name, 5, priority) for name, priority in (("Ana", 4), ("Ben", 3), ("Cal", 2), ("Dan", 1))]
    return after(Season(), SettingsChanged(title="Code Red"), HostAdded("Hal"), *cast, *events)


def within(part, whole):
    """Return whether everything in `part` is in `whole`, which may have further keys."""
    if isinstance(part, dict):
        return all(name in whole and within(value, whole[name]) for name, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(within, part, whole))
    return part == whole


def plain(value):
    return json.loads(json.dumps(value))


def test_a_log_from_before_formats_is_read_as_it_was():
    stored = json.loads(SNAPSHOT.read_text("utf-8"))
    entries = [
        Entry(row["number"], row["at"], row["by"], decode(KINDS, row["kind"], row["data"]), row["reason"])
        for row in stored["log"]
    ]
    season = fold(entries)
    for who, view in stored["views"].items():
        view.pop("may", None)  # what hosts may do has grown
        assert within(view, plain(redact(season, viewer_of(season, who), stored["now"]))), who
    template = TypeAdapter(Template).validate_python(stored["template"])
    assert within(stored["template"], plain(TypeAdapter(Template).dump_python(template_of(season), mode="json")))
    assert template.formats == ()
    assert after(Season(), *template.events("Again", 1)).formats == {}


def test_the_winner_names_the_candidate_and_the_opponent():
    season = begun(WINNER, EpisodeOpened(game="g"), MatchOpened("t", "main", ("c1", "c2", "c3", "c4")))
    # Two have won, and the priority decides which of them names.
    season = after(season, ResultTaken("t", ("c2", "c1"), (3, 3, 1, 0), tokens=(1, 1, 0, 0)), by="")
    assert (season.step, season.episode.winner, season.challengeable()) == ("candidate", "c1", ["c3", "c4"])
    assert may(season, "c1", CandidateNamed("c3"))
    assert not may(season, "c3", CandidateNamed("c4"))
    with pytest.raises(NotPossible, match="Ben cannot be named"):
        after(season, CandidateNamed("c2"))
    season = after(season, CandidateNamed("c3"), by="c1")
    assert (season.step, season.challengeable()) == ("opponent", ["c4"])
    assert may(season, "c1", OpponentNamed("c4"))
    assert not may(season, "c3", OpponentNamed("c4"))
    assert after(season, OpponentNamed("c4"), by="c1").step == "duel-result"


@pytest.mark.parametrize(
    ("declared", "result", "leaving", "left"),
    [
        (DIRECT, ResultEntered("c2"), ["c2"], ["c1", "c3", "c4"]),
        (BOTH, ResultEntered("c2", second="c4"), ["c2", "c4"], ["c1", "c3"]),
        (NONE, ResultEntered(tokens={"c1": 1}), [], ["c1", "c2", "c3", "c4"]),
    ],
)
def test_an_episode_without_a_death_match(declared, result, leaving, left):
    season = begun(declared, EpisodeOpened(), result)
    assert season.step == ("elimination" if leaving else "close")
    assert season.opened().leaving == leaving
    season = after(season, *map(Eliminated, leaving), EpisodeClosed())
    assert (season.step, season.remaining) == ("open", left)


def test_two_candidates_meet_and_a_tie_goes_by_lot():
    season = begun(PAIR, EpisodeOpened(duel="g"), ResultEntered("c2", second="c4"))
    assert (season.step, season.opened().opponent) == ("duel", "c4")
    opened = after(season, MatchOpened("t", "duel", ("c2", "c4")))
    for lot in (("c2", "c4"), ("c4", "c2")):
        season = after(opened, ResultTaken("t", ("c2", "c4"), (1, 1), lot=lot), by="")
        assert (season.step, season.opened().loser) == ("elimination", lot[1])


def test_a_result_says_what_the_format_asks_for():
    for declared, result, words in (
        (FormatSet(tokens=2), ResultEntered("c1", {"c2": 1}), "gives out 2 tokens of life; the result has 1"),
        (PAIR, ResultEntered("c1"), "names 2 elimination candidates"),
        (PAIR, ResultEntered("c1", second="c1"), "names 2 elimination candidates"),
        (NONE, ResultEntered("c1"), "names 0 elimination candidates"),
        (WINNER, ResultEntered("c1", winner="c2"), "Leave the candidate empty"),
        (WINNER, ResultEntered(), "Enter who won"),
        (STANDARD, ResultEntered(), "names 1 elimination candidates"),
    ):
        with pytest.raises(NotPossible, match=words):
            begun(declared, EpisodeOpened(), result)


def test_no_format_is_declared_that_no_episode_can_have():
    for wrong, words in (
        (FormatSet(candidates=3), "0, 1 or 2"),
        (FormatSet(candidates=2), "Only a single candidate"),
        (FormatSet(eliminations=2), "can be: 1"),
        (FormatSet(tokens=-1), "0 to 1000"),
    ):
        with pytest.raises(NotPossible, match=words):
            begun(wrong)
    with pytest.raises(NotPossible, match="no format named Duel of two"):
        begun(EpisodeOpened(format="Duel of two"))


def test_a_final_is_a_death_match_in_every_format():
    for declared in (STANDARD, DIRECT, PAIR, BOTH, NONE, WINNER):
        season = after(Season(), SettingsChanged(title="A"), HostAdded("Hal"), CastAdded("Ana"), CastAdded("Ben"))
        season = after(season, declared, EpisodeOpened())
        assert season.step == "duel-result"


def test_a_changed_format_leaves_the_open_episode_alone():
    season = begun(FormatSet("Two"), EpisodeOpened(format="Two"), FormatSet("Two", tokens=3))
    assert after(season, ResultEntered("c1")).step == "opponent"
    assert template_of(season).formats == (FormatSet("Two", tokens=3),)
    assert template_of(season).episodes[0].format == "Two"


@pytest.mark.parametrize("name", shipped())
def test_a_season_begins_with_each_shipped_template(name):
    template = shipped()[name].template
    season = after(Season(), *template.events("", 86_400_000))
    assert season.plan
    assert all(not episode.format or episode.format in season.formats for episode in season.plan)
    assert within(
        plain(TypeAdapter(Template).dump_python(template_of(season), mode="json"))["formats"],
        plain(TypeAdapter(Template).dump_python(template, mode="json"))["formats"],
    )


def test_no_game_or_format_is_known_by_name():
    games = registry.all_games().values()
    names = {name for game in games for name in (game.id, game.id.replace("-", "_"), game.name)}
    names |= {word for saved in shipped().values() for word in (saved.id, saved.name)}
    names |= {declared.name for saved in shipped().values() for declared in saved.template.formats if declared.name}
    # "Pyramid Scheme" would be in the name of the package in no other spelling than these.
    known = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names)), re.IGNORECASE)
    folders = (SOURCE / "seasons", SOURCE / "web" / "features" / "seasons")
    files = [path for folder in folders for ending in ("py", "html", "js") for path in folder.rglob(f"*.{ending}")]
    assert len(files) > 50
    assert [(path.name, found[0]) for path in files if (found := known.search(path.read_text("utf-8")))] == []
