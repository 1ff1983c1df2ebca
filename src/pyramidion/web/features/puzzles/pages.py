"""The pages of puzzles: `/puzzles/GAME`, a puzzle and its solution, and the puzzle of the day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from pyramidion import Game
from pyramidion.bots.foresight import sure_to_follow
from pyramidion.bots.interpretation import percent
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.engine.puzzle import Outlook, Puzzle, puzzles_of
from pyramidion.translation import _
from pyramidion.web.http.cookies import cookies_of
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.pages.picture import drawn_board
from pyramidion.web.pages.renderer import NO_EXTRAS, Extras
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.settings import Settings
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.view_models import LegalAction

router = APIRouter(include_in_schema=False)
COOKIE = "solved"
"""Which puzzles of a game a browser has done, by key; each game's cookie is sent to its puzzles alone."""
LEAST_CHOICES = 3
"""The least number of actions in a puzzle of the day: of two, one wrong try leaves the answer."""
YEAR = 365 * 24 * 3600
NAMES = ("Grace", "Felix", "Nina", "Omar", "Ada", "Hugo", "Iris", "Ben", "Zoe", "Max")


@router.get("/puzzles/{game_id}")
async def puzzles(request: Request, game_id: str) -> Response:
    """Redirect to the first puzzle of a game that this browser has not solved, or say that there is none."""
    game = find_game(game_id)
    done, available = _done(request), puzzles_of(game)
    if not available:
        return page(request, "no_puzzles.html", game=game)
    following = next((puzzle for puzzle in available if puzzle.key not in done), available[0])
    return RedirectResponse(f"/puzzles/{game_id}/{following.key}", 303)


@router.get("/puzzles/{game_id}/{key}")
async def puzzle(game_id: str, key: str, pages: Pages, settings: Service[Settings]) -> Response:
    """Show a puzzle: the position as the deciding seat knows it, and the legal actions."""
    game = find_game(game_id)
    return _puzzle_page(pages, settings, game, _find_puzzle(game, key))


@router.post("/puzzles/{game_id}/{key}")
async def solve(game_id: str, key: str, form: PostedForm, pages: Pages, settings: Service[Settings]) -> Response:
    """Judge the visitor's answer to a puzzle, or show the solution."""
    game = find_game(game_id)
    # A number is sent as its family and its value where the page's scripts do not run.
    family = form.get("family", "")
    action = f"{family} {form.get(f'number-{family}', '')}" if family else form.get("action", "")
    return _puzzle_page(pages, settings, game, _find_puzzle(game, key), action, revealed=form.get("show") == "yes")


def puzzle_of_the_day(day: date | None = None) -> tuple[Game, Puzzle] | None:
    """Return the puzzle of a day (by default today, UTC) and its game; None if no game has any.

    The games take turns.
    """
    every = registry.all_games().values()
    puzzles = {game: [puzzle for puzzle in puzzles_of(game) if puzzle.choices >= LEAST_CHOICES] for game in every}
    games = [(game, daily) for game, daily in puzzles.items() if daily]
    if not games:
        return None
    number = (day or datetime.now(UTC).date()).toordinal()
    game, available = games[number % len(games)]
    return game, available[number // len(games) % len(available)]


def _find_puzzle(game: Game, key: str) -> Puzzle:
    """Return the puzzle of a game with this key. Raises HTTPException if there is none."""
    puzzle = next((puzzle for puzzle in puzzles_of(game) if puzzle.key == key), None)
    if puzzle is None:
        raise HTTPException(404)
    return puzzle


def _done(request: Request) -> list[str]:
    """Return the keys of the puzzles that the browser has done, from its cookie."""
    return [key for key in cookies_of(request.scope).get(COOKIE, "").split(".") if key]


def _puzzle_page(
    pages: VisitorPages, settings: Settings, game: Game, puzzle: Puzzle, action: str = "", *, revealed: bool = False
) -> Response:
    """Render a puzzle after the answer `action`, empty for none; the solution is `revealed` on request."""
    match, names = puzzle.position(game), NAMES[: puzzle.seats]
    available, right = puzzles_of(game), action == puzzle.answer.action
    done = _done(pages.request)
    if (right or revealed) and puzzle.key not in done:
        done.append(puzzle.key)
    keys = [puzzle.key for puzzle in available]
    after = keys[keys.index(puzzle.key) + 1 :] + keys
    over = right or revealed
    task = {
        "number": keys.index(puzzle.key) + 1,
        "of": len(keys),
        "solved": len([key for key in keys if key in done]),
        "level": label(puzzle.grade),
        "wrong": bool(action) and not right,
    }
    actions = [] if over else match.legal(puzzle.seat)
    legal = [LegalAction.of(*offered) for offered in zip(actions, match.labels(actions, names), strict=True)]
    inserts = {**NO_EXTRAS.inserts, "above_actions": ("puzzle_task.html",)}
    extras = NO_EXTRAS if over else Extras({"puzzle": lambda _snapshot: task}, inserts)
    answer = pages.render(
        "puzzle.html",
        game=game,
        key=puzzle.key,
        board=drawn_board(match, puzzle.seat, names, legal, extras),
        right=right,
        why=_why(game, puzzle, names) if over else [],
        following=next((key for key in after if key not in done), after[0]),
    )
    if over:
        secure = settings.secure_cookies
        path = f"/puzzles/{game.id}"
        answer.set_cookie(COOKIE, ".".join(done), YEAR, path=path, httponly=True, samesite="lax", secure=secure)
    return answer


def _why(game: Game, puzzle: Puzzle, names: tuple[str, ...]) -> list[str]:
    """Return sentences that compare the solution with the second-best action and name its sure consequences."""
    match = puzzle.position(game)

    def worth(outlook: Outlook) -> str:
        """Return sentences on what an action leads to on average."""
        action = match.label(game.actions.parse(outlook.action), names)
        sentences = [_("{action}: {chance} to win.").format(action=action, chance=percent(outlook.chance))]
        if outlook.points is not None:
            sentences.append(_("On average you end with {points} points.").format(points=f"{outlook.points:.1f}"))
        if puzzle.answer.falls or puzzle.second.falls:
            sentences.append(_("You drop out in {share} of the games.").format(share=percent(outlook.falls)))
        return " ".join(sentences)

    ahead = sure_to_follow(match, puzzle.seat, game.actions.parse(puzzle.answer.action).id, names)
    return [worth(puzzle.answer), worth(puzzle.second), *(f"{event.text} ({event.rule})" for event in ahead)]
