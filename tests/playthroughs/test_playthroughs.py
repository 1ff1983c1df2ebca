"""Tests that golden games replay exactly as recorded."""

import re

import pytest
from tests.playthroughs.telling import COMMAND, FOLDER, difference, played, playthroughs, stamp, text_of, told

import pyramidion
from pyramidion.engine import registry

ALL = playthroughs()
GOLDEN = pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
PONZI = [one for one in ALL if one.game == "ponzi-scheme"]


@GOLDEN
def test_the_game_goes_as_it_is_written_down(one):
    assert one.path.exists(), f"{one.path.name} is missing. Run {COMMAND}."
    said = difference(one.path.read_text("utf-8"), text_of(one))
    assert said is None, f"{one.path.name}: {said}"


@GOLDEN
def test_the_file_alone_is_a_record_of_the_game(one):
    text = one.path.read_text("utf-8")
    start = dict(re.findall(r"^(game|seats|seed) (.*)$", text, re.MULTILINE))
    match = pyramidion.load(start["game"]).new(int(start["seats"]), start["seed"], **one.options)
    for seat, action, count in re.findall(r"^ *\d+  seat (\d+): (.*?)   \(of (\d+)\)$", text, re.MULTILINE):
        assert len(match.legal(int(seat))) == int(count)
        match.play(int(seat), action)
    assert match.over
    assert match.record() == played(one).record()


@GOLDEN
def test_a_file_says_which_rules_it_was_played_under(one):
    version, digest = stamp(one.path.read_text("utf-8"))
    assert version == str(pyramidion.load(one.game).rules_version)
    assert re.fullmatch(r"[0-9a-f]{16}", digest)


def test_every_file_is_declared_and_every_game_has_one():
    assert sorted(one.path for one in ALL) == sorted(FOLDER.glob("*.txt"))
    assert {one.game for one in ALL} == set(registry.own_ids())
    assert all(one.name.startswith(one.game) for one in ALL)


def test_files_stay_short():
    for one in ALL:
        assert len(one.path.read_text("utf-8").splitlines()) < 350


def test_between_them_the_golden_games_of_ponzi_scheme_reach_what_matters():
    matches = [played(one) for one in PONZI]
    assert {match.seats for match in matches} == {3, 4, 5}
    assert any(match.options["advanced"] for match in matches)
    names = {event.name for match in matches for events in told(match) for event, _ in events}
    assert names >= {"crashed", "gave_back", "sold", "countered", "bought", "bankrupt", "paid", "removed", "restocked"}
    assert {match.outcome.rule for match in matches} == {"PZ 9.3", "PZ 10.6"}


def test_envelopes_are_marked_as_known_to_two_seats_alone():
    for one in PONZI:
        lines = [line for line in one.path.read_text("utf-8").splitlines() if "into the envelope" in line]
        assert lines
        assert all(re.search(r"\[seats \d, \d only\]$", line) for line in lines)


OLD = "rules_version 1\na\nfingerprint 00\n"


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (OLD, None),
        ("rules_version 1\nb\nfingerprint 00\n", "wording"),
        ("rules_version 1\nb\nfingerprint 01\n", "raise rules_version"),
        ("rules_version 2\nb\nfingerprint 01\n", "tells rules_version 1; this is 2"),
    ],
)
def test_a_difference_says_what_to_do(new, said):
    found = difference(OLD, new)
    assert (found is None) == (said is None)
    assert said is None or said in found
