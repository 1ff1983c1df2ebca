"""Puzzles: those that are shipped are whole, and their pages judge, explain, go on and remember."""

import re
from datetime import date, timedelta

import httpx
import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person
from tests.web.helpers.lessons import csrf

from pyramidion.bots.puzzle_search import CLEAR_ERRORS, MIN_GAIN, PROOF_ITERATIONS, PuzzleSearch
from pyramidion.cli.app import main
from pyramidion.engine import registry
from pyramidion.engine.puzzle import GRADES, puzzles_of, read_puzzles
from pyramidion.web.features.puzzles.pages import puzzle_of_the_day

GAMES = [game for game in (registry.load(name) for name in registry.own_ids()) if puzzles_of(game)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_shipped_puzzle_can_be_reached_and_has_one_clear_answer(game):
    known = puzzles_of(game)
    assert len({one.key for one in known}) == len(known)
    assert [GRADES.index(one.grade) for one in known] == sorted(GRADES.index(one.grade) for one in known)
    for one in known:
        match = one.position(game)
        assert list(match.acting) == [one.seat], "a mixed strategy is no puzzle"
        legal = [action.text for action in match.legal(one.seat)]
        assert one.answer.action in legal
        assert one.second.action in legal
        assert one.answer.action != one.second.action
        assert one.answer.chance - one.second.chance >= max(MIN_GAIN, CLEAR_ERRORS * one.error) - 1e-3
        assert one.iterations >= PROOF_ITERATIONS


def test_the_finder_finds_a_known_puzzle_and_no_puzzle_where_actions_are_alike():
    game = registry.load("pyramis")
    known = next(one for one in puzzles_of(game) if one.key == "1-42")
    puzzler = PuzzleSearch(game, 3, iterations=6_000)
    found = puzzler.examine(known.position(game), known.seat)
    assert found is not None
    assert (found.answer.action, found.second.action) == (known.answer.action, known.second.action)
    opening = game.new(3, 1)
    assert puzzler.examine(opening, opening.acting[0]) is None


def test_the_command_resumes_and_stops_at_the_count(tmp_path, capsys):
    out = tmp_path / "found.jsonl"
    out.write_text(puzzles_of(registry.load("pyramis"))[0].line() + "\n")
    assert main(["puzzles", "pyramis", "--out", str(out), "--count", "1"]) == 0
    assert len(read_puzzles(out)) == 1
    assert "holds 1 puzzle." in capsys.readouterr().out
    assert main(["puzzles", "pyramis", "--out", str(out)]) == 2
    out.write_text("{}\n")
    assert main(["puzzles", "pyramis", "--out", str(out), "--count", "1"]) == 2


def test_the_puzzle_of_the_day_changes_and_goes_round_all_games():
    days = [puzzle_of_the_day(date(2026, 1, 1) + timedelta(n)) for n in range(2 * len(GAMES))]
    assert {game.id for game, _one in days} == {game.id for game in GAMES}


def test_one_wrong_try_does_not_solve_a_puzzle_of_the_day():
    for number in range(100):
        game, puzzle = puzzle_of_the_day(date(2026, 1, 1) + timedelta(number))
        assert len(puzzle.position(game).legal_ids(puzzle.seat)) == puzzle.choices >= 3


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_puzzle_is_solved_explained_and_remembered(server, game):
    known = puzzles_of(game)
    with httpx.Client(base_url=server.address, follow_redirects=True, timeout=60) as client:
        page = client.get(f"/puzzles/{game.id}")
        assert page.url.path == f"/puzzles/{game.id}/{known[0].key}"
        first = known[0]
        assert f'value="{first.answer.action}"' in page.text
        assert 'class="solution"' not in page.text
        wrong = client.post(page.url.path, data={"csrf": csrf(page), "action": first.second.action})
        assert 'class="solution"' not in wrong.text
        assert "There is a better move." in wrong.text
        right = client.post(page.url.path, data={"csrf": csrf(page), "action": first.answer.action})
        assert "Correct!" in right.text
        assert f"{100 * first.answer.chance:.0f}\N{NO-BREAK SPACE}%" in right.text
        following = re.search(rf'href="(/puzzles/{game.id}/[\d-]+)"', right.text)[1]
        assert following != page.url.path or len(known) == 1
        if len(known) > 1:
            assert client.get(f"/puzzles/{game.id}").url.path == following
        shown = client.post(following, data={"csrf": csrf(page), "show": "yes"})
        assert "The answer" in shown.text
        assert client.get(f"/puzzles/{game.id}/0-0").status_code == 404


def test_games_without_puzzles_say_why_and_the_home_page_has_one_a_day(server):
    with httpx.Client(base_url=server.address, follow_redirects=True) as client:
        assert "Simultaneous decisions are never puzzles" in client.get("/puzzles/upside-down").text
        game, one = puzzle_of_the_day()
        assert f'href="/puzzles/{game.id}/{one.key}"' in client.get("/").text


def test_the_board_of_a_puzzle_shows_what_its_seat_knows(server):
    game = registry.load("ponzi-scheme")
    one = puzzles_of(game)[0]
    match = one.position(game)
    with httpx.Client(base_url=server.address, follow_redirects=True) as client:
        page = client.get(f"/puzzles/ponzi-scheme/{one.key}").text
    cash = [player["cash"] for player in match.view(one.seat)["players"]]
    assert [amount is not None for amount in cash].count(True) == 1
    assert f"${cash[one.seat]}" in page


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_a_puzzle_is_answered_on_its_board(server, browser, width):
    game = registry.load("pyramis")
    one = next(one for one in puzzles_of(game) if one.answer.action == "refill left")
    person = Person(browser, server.address, width=width)
    page = person.page
    page.goto(f"/puzzles/pyramis/{one.key}")
    if person.phone:
        expect(page.locator(".task")).to_be_visible()
        expect(page.locator("#recent"), "the task has its place").to_be_hidden()

    def refill(side):
        person.touch(page.locator(f"[data-path='deck:{side}']"))
        if person.phone:
            person.touch(page.locator("#commit"))

    refill("right")
    page.get_by_role("alert").filter(has_text="There is a better move.").wait_for()
    refill("left")
    page.get_by_role("heading", name="Correct!").wait_for()
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight"), "all is on one screen"
    assert person.problems == []
    person.context.close()
