"""Tests that golden games replay exactly as recorded."""

import re

import pytest
from tests.playthroughs.telling import COMMAND, FOLDER, difference, events_by_ply, played, playthroughs, stamp, text_of

import pyramidion
from pyramidion.engine import registry

ALL = playthroughs()
GOLDEN = pytest.mark.parametrize("playthrough", ALL, ids=lambda playthrough: playthrough.name)
PONZI = [playthrough for playthrough in ALL if playthrough.game == "ponzi-scheme"]


@GOLDEN
def test_the_game_goes_as_it_is_written_down(playthrough):
    assert playthrough.path.exists(), f"{playthrough.path.name} is missing. Run {COMMAND}."
    change = difference(playthrough.path.read_text("utf-8"), text_of(playthrough))
    assert change is None, f"{playthrough.path.name}: {change}"


@GOLDEN
def test_the_file_alone_is_a_record_of_the_game(playthrough):
    text = playthrough.path.read_text("utf-8")
    start = dict(re.findall(r"^(game|seats|seed) (.*)$", text, re.MULTILINE))
    match = pyramidion.load(start["game"]).new(int(start["seats"]), start["seed"], **playthrough.options)
    for seat, action, count in re.findall(r"^ *\d+  seat (\d+): (.*?)   \(of (\d+)\)$", text, re.MULTILINE):
        assert len(match.legal(int(seat))) == int(count)
        match.play(int(seat), action)
    assert match.over
    assert match.record() == played(playthrough).record()


@GOLDEN
def test_a_file_says_which_rules_it_was_played_under(playthrough):
    version, digest = stamp(playthrough.path.read_text("utf-8"))
    assert version == str(pyramidion.load(playthrough.game).rules_version)
    assert re.fullmatch(r"[0-9a-f]{16}", digest)


def test_every_file_is_declared_and_every_game_has_one():
    assert sorted(playthrough.path for playthrough in ALL) == sorted(FOLDER.glob("*.txt"))
    assert {playthrough.game for playthrough in ALL} == set(registry.own_ids())
    assert all(playthrough.name.startswith(playthrough.game) for playthrough in ALL)


def test_files_stay_short():
    for playthrough in ALL:
        assert len(playthrough.path.read_text("utf-8").splitlines()) < 350


def test_between_them_the_golden_games_of_ponzi_scheme_reach_what_matters():
    matches = [played(playthrough) for playthrough in PONZI]
    assert {match.seats for match in matches} == {3, 4, 5}
    assert any(match.options["advanced"] for match in matches)
    names = {event.name for match in matches for events in events_by_ply(match) for event, _ in events}
    assert names >= {"crashed", "gave_back", "sold", "countered", "bought", "bankrupt", "paid", "removed", "restocked"}
    assert {match.outcome.rule for match in matches} == {"PZ 9.3", "PZ 10.6"}


def test_envelopes_are_marked_as_known_to_two_seats_alone():
    for playthrough in PONZI:
        lines = [line for line in playthrough.path.read_text("utf-8").splitlines() if "into the envelope" in line]
        assert lines
        assert all(re.search(r"\[seats \d, \d only\]$", line) for line in lines)


OLD = "rules_version 1\na\nfingerprint 00\n"


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (OLD, None),
        ("rules_version 1\nb\nfingerprint 00\n", "wording"),
        ("rules_version 1\nb\nfingerprint 01\n", "raise rules_version"),
        ("rules_version 2\nb\nfingerprint 01\n", "tells rules_version 1; this is 2"),
    ],
)
def test_a_difference_says_what_to_do(new, words):
    change = difference(OLD, new)
    assert (change is None) == (words is None)
    assert words is None or words in change
