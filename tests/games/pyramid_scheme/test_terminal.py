"""Tests of the terminal drawing of Pyramid Scheme on a small screen."""

import io

from rich.console import Console

import pyramidion
from pyramidion.bots import load as load_bot
from pyramidion.games.pyramid_scheme.terminal import _called, choice, draw

NAMES = ["Ann", "Bartholomew the Younger", "Bot 3", "Bot 4"]


def positions():
    """Yield the decisions of seat 0 in a game that the policy plays."""
    game = pyramidion.load("pyramid-scheme")
    match, bot = game.new(4, 5), load_bot("policy", game, 1)
    while not match.over:
        if match.acting[0] == 0:
            yield match
        match.play(match.acting[0], bot.move(match, match.acting[0]))


def drawn(view, **how):
    console = Console(file=io.StringIO(), width=80)
    console.print(draw(view, NAMES, **how))
    return console.file.getvalue()


def test_everybodys_progress_is_whole_when_goals_are_reserved():
    reserved = 0
    for match in positions():
        view = match.view(0)
        text = drawn(view, compact=True)
        for goal in view["goals"]:
            if goal["claimed"] is None and not (
                goal["reserved"] is not None and view["players"][goal["reserved"]]["out"]
            ):
                (line,) = (line for line in text.splitlines() if line.startswith(goal["words"]))
                cells = line.removeprefix(goal["words"]).replace("R ", "R").split()
                holder = goal["reserved"]
                expected = [f"{'R' * (seat == holder)}{n}/{goal['need']}" for seat, n in enumerate(goal["progress"])]
                assert cells == expected
                reserved += holder is not None
    assert reserved


def test_the_own_pyramid_is_in_rows_by_level():
    deepest = 0
    for match in positions():
        view = match.view(0)
        text, called = drawn(view, compact=True), _called(view)
        rows = text.partition("Your pyramid")[2].partition("(b):")[0]
        assert "(Police" not in rows
        for card in view["players"][0]["pyramid"]:
            assert called[card["card"]] in rows
        deepest = max(deepest, rows.count("level"))
        assert "room" not in drawn(view)
    assert deepest > 1


def test_a_turn_without_actions_left_does_not_ask_for_one():
    seen = 0
    for match in positions():
        view = match.view(0)
        if view["phase"] == "act" and not view["actions_left"]:
            assert "both actions done" in drawn(view, compact=True)
            assert "actions left: 0" not in drawn(view, compact=True)
            seen += 1
    game, bot = pyramidion.load("pyramid-scheme"), None
    for seed in range(20):
        match, bot = game.new(2, seed), load_bot("random", game, seed)
        while not match.over:
            view = match.view(match.acting[0])
            if view["phase"] == "act" and not view["actions_left"]:
                assert "actions left" not in drawn(view)
                seen += 1
            match.play(match.acting[0], bot.move(match, match.acting[0]))
    assert seen


def test_a_choice_calls_a_flipped_card_as_the_drawing_does():
    flipped = 0
    for match in positions():
        view = match.view(0)
        smart = [card["card"] for card in view["players"][0]["pyramid"] if card.get("flipped")]
        called = _called(view)
        for action in match.legal(0):
            text = choice(view, action.text, [])
            assert "flips with" not in (text or "")
            if action.text.split()[-1] in smart:
                assert text is not None
                assert text.endswith(called[action.text.split()[-1]])
                flipped += 1
    assert flipped


def test_a_flip_names_its_reward_and_police_what_they_do():
    flips = police = 0
    for match in positions():
        view = match.view(0)
        if view["phase"] == "police":
            assert "A Police counts 3, and nothing may be placed below it." in " ".join(drawn(view).split())
            police += 1
        for action in match.legal(0):
            if action.family == "flip" and (text := choice(view, action.text, [])):
                card = next(c for c in view["players"][0]["pyramid"] if c["card"] == action.text.split()[1])
                assert text.endswith(f": {card['reward']}") is bool(card["reward"])
                flips += 1
    assert flips
    assert police
