"""Help at a terminal table: hints, taking moves back, texts to read in pages, and the table shown once a decision."""

import random
import re
from dataclasses import replace

import pytest
from tests.terminal_tables import position_with, table_of, typed

import pyramidion
from pyramidion.bots import LEVELS, load
from pyramidion.engine.takeback import reveals_nothing
from pyramidion.terminal import hints
from pyramidion.terminal.table import GameLeft


@pytest.fixture
def quick(monkeypatch):
    """Let hints come from a short search that ends by its iterations."""
    level = replace(LEVELS["hard"], iterations=300)
    monkeypatch.setattr(hints, "strongest", lambda *_about: level)
    monkeypatch.setattr(hints, "SECONDS", 600.0)


def test_a_hint_names_an_action_and_what_to_type_for_it(quick):
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    table, out = table_of(match, ["hint"])
    with pytest.raises(GameLeft):
        table.run()
    text = " ".join(out.getvalue().split())
    assert re.search(r"\d+ positions examined\.", text)
    key, label = re.search(r"Type (\d+) for “([^”]+)”\.", text).groups()
    assert {entry.key: entry.label for entry in table._choices(0)}[key] == label


def test_a_hint_in_a_range_is_typed_as_its_number(quick):
    match = position_with(pyramidion.load("downside-up"), "bid")
    assert re.search(r"Type (\d+|o|t) for “", typed(match, ["hint"]))


def test_a_hint_for_the_only_move_says_so():
    match, chance = pyramidion.load("ponzi-scheme").new(3, 1), random.Random(1)
    while match.acting != (0,) or len(match.legal(0)) > 1:
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    assert "is your only move." in typed(match, ["hint"])


def placed():
    """Return a position of Pyramid Scheme in which seat 0 has to act after a placement that revealed nothing."""
    for seed in range(40):
        match, chance = pyramidion.load("pyramid-scheme").new(3, seed), random.Random(seed)
        while not match.over and match.ply < 60:
            seat = match.acting[0]
            places = [action for action in match.legal(seat) if action.family == "place"]
            match.play(seat, chance.choice(places or match.legal(seat)))
            if seat == 0 and places and match.acting == (0,) and reveals_nothing(match):
                return match
    raise AssertionError("No such placement.")


def test_an_own_move_that_revealed_nothing_is_taken_back():
    match = placed()
    ply, action = match.ply, match.game.actions[match.history[-1][1]]
    text = typed(match, ["undo"])
    assert f"Taken back: {match.label(action, ['Ann', 'Bot 2', 'Bot 3'])}." in text
    assert match.ply == ply - 1
    assert action in match.legal(0)
    assert text.count("Your move") == 2


def test_a_move_is_not_taken_back_once_something_new_was_seen():
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    assert "You have made no move yet that could be taken back." in typed(match.at(0), ["undo"])
    text = typed(match, ["fund grain 9", "undo"])
    assert "Your last move cannot be taken back: something new has been seen since." in text
    assert match.ply > 1


def test_several_people_do_not_take_moves_back():
    assert "only when you play alone" in typed(placed(), ["", "undo"], people=2)


def test_a_long_text_is_read_in_pages_and_the_table_follows():
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    text = typed(match, ["terms", "", "rules", "q"])
    assert text.count("Press Enter for more, or q to go back to the table.") == 2
    assert text.count("Press Enter to go back to the table.") == 1
    assert text.count("Round 1 of at most") == 3
    assert "This game is not saved" not in text


def test_what_is_typed_at_a_page_is_the_next_input():
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    plies = match.ply
    text = typed(match, ["rules", "pass"])
    assert "? for help)> pass" in text
    assert match.ply > plies


def test_the_log_begins_with_its_end_on_a_screen():
    match, _chance = position_with(pyramidion.load("pyramid-scheme"), "take"), None
    while match.ply < 120 and not match.over:
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    table, _out = table_of(match, [])
    table._console.width = 80
    end, whole = (table._console.render_lines(table._log(0, whole=whole)) for whole in (False, True))
    assert len(end) < table._console.height <= len(whole)
    assert end[-1] == whole[-1]


@pytest.mark.parametrize("game", ["upside-down", "downside-up"])
def test_a_table_is_shown_once_while_a_submission_is_put_together(game):
    match = position_with(pyramidion.load(game), "bid")
    text = typed(match, ["1", "2"])
    assert text.count("Space, player") == 1
    assert "Bid 1. Not confirmed yet." in text
    assert "Bid 2. Not confirmed yet." in text
    assert text.count("Confirm the submission") == 1


def in_two_battles():
    """Return a position of Downside Up in which seat 0 attacks and defends."""
    game = pyramidion.load("downside-up")
    for seed in range(40):
        match, bot = game.new(10, seed), load("policy", game, seed)
        while not match.over:
            if {"attack", "defend"} <= {action.family for action in match.legal(0)}:
                return match
            match.play(match.acting[0], bot.move(match, match.acting[0]))
    raise AssertionError("Nobody both attacks and defends.")


def test_two_kinds_of_numbers_have_letters_before_them():
    match = in_two_battles()
    high = max(action.args[0] for action in match.legal(0) if action.family == "attack")
    text = typed(match, ["1", "a", "a 0", "d0"])
    assert "Which number is that? Type 'a 1' or 'd 1'." in text
    assert f"Type 'a' and a number from 0 to {high}, such as 'a 0'." in text
    assert "Attack 0." in text
    assert "Defend 0." in text


def test_what_happened_before_the_end_can_be_skipped():
    match, chance = pyramidion.load("pyramid-shambo").new(5, 3), random.Random(3)
    while not match.over:
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    for pauses, pages in ((["q"], 1), ([], 2)):
        table, out = table_of(match, [], pauses=pauses)
        table.run()
        text = out.getvalue()
        assert (text.count("Press Enter for more, or q to skip to the end.") >= 2) is (pages > 1)
        assert text.count(" deals this game again.") == 1
