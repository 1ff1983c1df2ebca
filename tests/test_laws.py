"""The conformance laws, held by every registered game and by tiny games from outside."""

from __future__ import annotations

import dataclasses
import random
import re
from pathlib import Path

import pytest

from pyramidion.engine import registry
from pyramidion.engine.actions import action_space, seats
from pyramidion.engine.game import Game
from pyramidion.engine.match import Match
from pyramidion.engine.random_games import LawBroken, play_randomly
from pyramidion.engine.testing import LAWS, check_law

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
TESTS = Path(__file__).parent / "games"
GAMES = registry.own_ids()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("game_id", GAMES)
def test_law(game_id: str, law: str) -> None:
    check_law(registry.load(game_id), law, games=3, enough=1200)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("game_id", ["sealed-bid", "high-card", "gamble"])
def test_law_in_a_game_from_outside(outside: Path, game_id: str, law: str) -> None:
    check_law(registry.load(game_id), law, games=3)


def test_the_law_of_order_holds_where_submissions_are_taken_back() -> None:
    play = play_randomly(registry.load("downside-up"), random.Random("downside-up 0 0"))
    assert any(action.text == "reopen" for action in map(play.match.game.actions.__getitem__, _played(play.match)))
    LAWS["submission_order_is_irrelevant"](play)


def test_the_law_finds_a_view_that_shows_0_for_a_hidden_card(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, law = registry.load("high-card"), "nothing_hidden_reads_as_zero"
    honest = game.view.view
    hands = [name for name, field in game.layout.fields.items() if field.audience == "own"]
    monkeypatch.setattr(
        game.view, "view", lambda box, s, seat: {**honest(box, s, seat), "hands": getattr(s, hands[0]).tolist()}
    )
    with pytest.raises(LawBroken, match=f"{law}: viewer -1 is shown 0 at .*/hands/"):
        check_law(game, law, games=1)


def test_the_law_finds_two_legal_actions_that_are_clicked_alike(outside: Path) -> None:
    game, law = registry.load("gamble"), "paths_tell_actions_apart"
    alike = dataclasses.replace(game, actions=action_space(take=(seats(1),), gamble=(seats(1),)))
    with pytest.raises(LawBroken, match="'take 0' and 'gamble 0' are both clicked as seat:0; give them"):
        check_law(alike, law, games=1)


def _played(match: Match) -> list[int]:
    return [action for _, action in match.history]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_has_a_rules_page_and_playthroughs(game_id: str) -> None:
    game = registry.load(game_id)
    assert game.rule_numbers
    assert list(PLAYTHROUGHS.glob(f"{game_id}*.txt"))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_rule_number_has_a_test(game_id: str) -> None:
    game = registry.load(game_id)
    tested = _rules_with_a_test(game)
    assert [number for number in game.rule_numbers if number not in tested] == []


def _rules_with_a_test(game: Game) -> set[str]:
    folder = TESTS / game.id.replace("-", "_")
    source = "\n".join(path.read_text("utf-8") for path in folder.glob("test_*.py"))
    found = re.findall(rf"def test_{game.prefix.lower()}_(\d+)_(\d+)(?:_|\()", source)
    return {f"{int(chapter)}.{int(rule)}" for chapter, rule in found}
