"""The pages of the lab: choose a game, edit its cards and options, run, and watch the figures settle."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from math import isfinite
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.lab.reports import charts
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest, Refused, TooMany
from pyramidion.web.features.lab.run_form import card_for, cards_for, edits_of, order_of
from pyramidion.web.features.lab.service import Lab, Run
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html, page
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table_requests.forms import option_fields

router = APIRouter(include_in_schema=False, prefix="/lab")
SIZES = (2_000, 10_000, 50_000)
EXTREMES = 6
"""Number of the best and of the worst cards shown with their worth."""


async def _own_run(run_id: str, pages: Pages, lab: Service[Lab]) -> Run:
    """Return a run of the visitor, for the annotation `OwnRun`. Raises HTTPException 404 if there is none."""
    run = lab.find(run_id, pages.visitor.holder)
    if run is None:
        raise HTTPException(404)
    return run


OwnRun = Annotated[Run, Depends(_own_run)]
"""A handler's parameter: the visitor's run that the path names."""


@router.get("")
async def games(request: Request) -> Response:
    """Show the games that can be studied in the lab."""
    return page(request, "lab_games.html", games=registry.games_for_newcomers())


@router.get("/runs/{run_id}")
async def figures(request: Request, run: OwnRun) -> Response:
    """Return the HTML fragment with a run's present figures, for the page that shows the run."""
    return html(request, render_page("lab_figures.html", **_run_context(run)))


@router.post("/runs/{run_id}/stop")
async def stop(_form: PostedForm, run: OwnRun, lab: Service[Lab]) -> Response:
    """Stop a run; the figures so far stay."""
    lab.cancel(run)
    return RedirectResponse(f"/lab/{run.order.game}?run={run.id}", 303)


@router.get("/runs/{run_id}/report.html")
async def report(run: OwnRun) -> Response:
    """Return a run's full report as an HTML file to be downloaded.

    It brings its own styles, which our pages do not allow.
    """
    return _download(run.report, "text/html; charset=utf-8", "report.html")


@router.get("/runs/{run_id}/cards.toml")
async def card_file(run: OwnRun) -> Response:
    """Return the card file with the visitor's changes, as a download."""
    return _download(run.cards, "application/toml; charset=utf-8", "cards.toml")


@router.get("/{game_id}")
async def show(game_id: str, pages: Pages, lab: Service[Lab], run: str = "") -> Response:
    """Show the lab's form for a game.

    With the id of a `run` of the visitor, the form is filled in as for that run, whose figures follow it.
    """
    game = find_game(game_id)
    earlier = lab.find(run, pages.visitor.holder) if run else None
    if run and (earlier is None or earlier.order.game != game.id):
        return RedirectResponse(f"/lab/{game.id}", 303)
    return _form_page(pages, lab, game, earlier)


@router.post("/{game_id}")
async def begin(
    game_id: str, form: PostedForm, pages: Pages, limits: Service[RateLimits], lab: Service[Lab]
) -> Response:
    """Start a run with the experiment in the form, and redirect to its page; or show why it was refused."""
    game = find_game(game_id)
    try:
        limits.run(pages.request.scope)
        run = lab.begin(pages.visitor.holder, order_of(game, form, lab.most_games))
    except (BadRequest, TooMany) as error:
        return await asyncio.to_thread(_form_page, pages, lab, game, None, error, form)
    return pages.remember(RedirectResponse(f"/lab/{game.id}?run={run.id}", 303))


@router.get("/{game_id}/cards/{index}")
async def drawing(request: Request, game_id: str, index: int) -> Response:
    """Return the drawing of a card with the changed values that the query has, while the form is being filled in."""
    game = find_game(game_id)
    edits = edits_of(game, request.query_params, index)
    return html(request, card_for(game, index, edits).drawing)


def _download(text: str | None, kind: str, name: str) -> Response:
    """Return a text as a file to be downloaded. Raises HTTPException 404 if it does not exist yet."""
    if text is None:
        raise HTTPException(404)
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


def _form_page(
    pages: VisitorPages,
    lab: Lab,
    game: Game,
    run: Run | None,
    error: Refused | None = None,
    form: Mapping[str, str] | None = None,
) -> Response:
    """Show the lab's form for a game, filled in from a refused `form` or else from `run`, and its figures."""
    edits: Mapping[str, Any] = run.order.edits if run else {}
    seats, size = (run.order.seats, run.order.games) if run else (game.usual_seats, SIZES[1])
    most = lab.most_games
    sizes = [size for size in SIZES if size < most] + [most] if most < SIZES[-1] else SIZES
    if form is not None:
        edits = edits_of(game, form, readable=True)
        seats = next((number for number in game.seats if str(number) == form.get("seats")), seats)
        size = next((number for number in sizes if str(number) == form.get("games")), size)
    return pages.render(
        "lab.html",
        refusal=error,
        cards=cards_for(game, edits),
        given=_filled_in_options(game, run, form),
        seats=seats,
        sizes=sizes,
        size=size,
        **(_run_context(run) if run else dict[str, Any](run=None, game=game)),
    )


def _filled_in_options(game: Game, run: Run | None, form: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the values of the form's option fields by field name, from a refused form or else a run.

    Empty for a new form.
    """
    if form is not None:
        return {name: value for name, value in form.items() if name.startswith("option-")}
    options = game.accept_options(run.order.options) if run and run.order.options else {}
    return option_fields({name: value for name, value in options.items() if value is not None})


def _run_context(run: Run) -> dict[str, Any]:
    """Return the variables that the template of a run's figures needs: table, chart, best and worst cards."""
    game = find_game(run.order.game)
    context: dict[str, Any] = {"run": run, "game": game, "rows": [], "chart": "", "best": [], "worst": []}
    if run.figures is None:
        return context
    context["rows"] = [
        {
            "name": _row_label(row["metric"], row["item"]),
            "values": [_number(row["share"], value) for value in row["values"]],
            "change": _number(row["share"], row["change"], sign="+") if row["change"] else None,
            "real": row["real"],
        }
        for row in run.figures["rows"]
    ]
    bars = [
        charts.Bar(
            _row_label("wins", row["item"]),
            tuple(tuple(value) for value in row["values"]),
            " → ".join(_number(True, value)[0] for value in row["values"]),
        )
        for row in run.figures["rows"]
        if row["metric"] == "wins"
    ]
    # Safe: the chart escapes its labels.
    context["chart"] = charts.dots(bars, _("Share of wins"), mark=run.figures["fair"])
    cards = cards_for(game, run.order.edits)
    compared = [(worths[-1], cards[n]) for n, worths in enumerate(run.figures["cards"]) if worths[-1] is not None]
    compared.sort(key=lambda pair: -pair[0][0])
    worths = [(card.drawing, _number(True, worth, sign="+")) for worth, card in compared]
    context["best"], context["worst"] = worths[:EXTREMES], worths[EXTREMES:][-EXTREMES:]
    return context


def _row_label(metric: str, item: str) -> str:
    """Return what a row of the table of figures is called, from the keys of its metric and item."""
    kind, _space, number = item.partition(" ")
    if metric == "wins":
        name = _("Player {number} in turn order") if kind == "place" else _("Seat {number}")
        return name.format(number=int(number) + (kind == "seat"))
    return {
        "winner": _("Points of the winner"),
        "margin": _("Lead of the winner in points"),
        "decisions": _("Decisions in a game"),
        "turns": _("Turns in a game"),
        "legal actions": _("Legal actions per decision"),
        "real choices": _("Decisions with a choice"),
    }[item]


def _number(share: bool, value: tuple[float, float, float], sign: str = "") -> tuple[str, str]:
    """Format a figure, given as (mean, lower end, upper end), as two texts: the mean and its interval.

    Shares are in percent, and with a `sign` (for differences) in percentage points.
    """
    scale, digits = (100, 1) if share else (1, 2)
    mean, low, high = (format(round(scale * n, 2) + 0.0, f"{sign},.{digits}f") for n in value)
    unit = " %" if share and not sign else ""
    if not all(map(isfinite, value)):
        return f"{mean}{unit}" if isfinite(value[0]) else "–", _("too few games")
    return f"{mean}{unit}", _("{low} to {high}").format(low=low, high=high)
