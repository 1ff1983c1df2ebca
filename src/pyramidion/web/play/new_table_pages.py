"""The form for a new table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from pyramidion import Game
from pyramidion.bots.labels import label
from pyramidion.translation import _, from_one
from pyramidion.web.errors import Refused
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.features.lessons.offer import first_visit, remember_visit
from pyramidion.web.features.lobby.presets import presets
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.services import Service
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.bots import USUAL_BOT, bot_names, bots_at
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.given_names import guest_name
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import NOW
from pyramidion.web.table.settings.form import form_fields
from pyramidion.web.table.tables import Tables
from pyramidion.web.table_requests.forms import options_of, settings_of

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/new")
async def new_table(game_id: str, pages: Pages, club: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Show the form for a new table, perhaps in a club's lobby, filled in so that it can be submitted at once."""
    game = find_game(game_id)
    learn = first_visit(pages.request, game)
    answer = _form_page(pages, game, name=await pages.account_name(), learn=learn, club=club)
    if learn:
        remember_visit(pages.request, game, answer)
    return answer


@router.post("/tables")
async def start(
    form: PostedForm, pages: Pages, clubs: Service[Clubs], rooms: Service[Rooms], tables: Service[Tables]
) -> Response:
    """Create a table, or its waiting room, from the form; if that is refused, show the form again with the reason."""
    holder, game = pages.visitor.holder, find_game(form.get("game", ""))
    try:
        seats, options = _plans(game, form), options_of(game, form)
        cards = form.get("cards", "")
        settings = settings_of(game, form)
        if club := form.get("club"):
            await clubs.require_host(club, holder, settings)
        waits = settings.start != NOW and any(seat.kind == "open" for seat in seats)
        make = rooms.open if waits else tables.create
        made = await make(
            game.id,
            seats,
            options,
            settings,
            title=form.get("title") or None,
            seed=form.get("seed") or None,
            cards=cards if cards.strip() else None,
            holder=holder,
            host_name=form.get("me") or None,
        )
    except (Refused, ValueError) as error:
        if isinstance(error, Refused) and error.status >= 500:
            raise
        return _form_page(pages, game, form, from_one(str(error)), 422)
    table = made[0] if isinstance(made, tuple) else made
    if club:
        await clubs.add_table(club, table.id)
    return RedirectResponse(f"/t/{table.id}", 303)


def _form_page(
    pages: VisitorPages,
    game: Game,
    form: Mapping[str, str] | None = None,
    error: str | None = None,
    status: int = 200,
    name: str = "",
    learn: bool = False,
    club: str = "",
) -> Response:
    """Return the page with the form for a new table: empty, or filled with a refused `form` and the `error`."""
    given = form or {}
    count = given.get("seats", "")
    return pages.render(
        "new.html",
        status=status,
        game=game,
        error=error,
        given=given,
        account_name=name,
        guest=guest_name(pages.visitor.holder),
        presets=presets(game),
        learn=learn,
        club=club or given.get("club"),
        has_cards=game.card_file is not None,
        settings=form_fields(game),
        count=int(count) if count in map(str, game.seats) else game.usual_seats,
        bots=[(name, _("Bot: {level}").format(level=label(name))) for name in bot_names(game)],
        differs={name: counts for name, counts in _differs(game).items() if len(counts) < len(game.seats)},
        usual=["me", *[f"bot:{USUAL_BOT}"] * (game.seats[-1] - 1)],
    )


def _differs(game: Game) -> dict[str, list[int]]:
    """Return, by bot, the numbers of seats with which the bot is offered, since it plays unlike the others there."""
    return {name: [seats for seats in game.seats if name in bots_at(game, seats)] for name in bot_names(game)}


def _plans(game: Game, form: Mapping[str, str]) -> list[SeatPlan]:
    """Return the plan for each seat that a form for a new table asks for. Raises BadRequest."""
    plans: list[SeatPlan] = []
    for seat in range(
        game.accept_seats(whole_number(form.get("seats"), _("The number of seats must be a whole number.")))
    ):
        kind, _colon, bot = form.get(f"seat-{seat}", "open").partition(":")
        name = form.get("me") if kind == "me" else form.get(f"name-{seat}")
        given = OfferedContribution.of(form.get("contribution"), form.get("drawn"))
        plans.append(SeatPlan(kind, name or None, bot or None, given))
    return plans
