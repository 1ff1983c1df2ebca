"""The pages of results: the visitor's own, and the public page of an account."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from fastapi import APIRouter, Request
from starlette.responses import Response

from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.web.contracts import OwnedBot, PersonRating
from pyramidion.web.errors import NoSuchPerson, Refused
from pyramidion.web.features.profiles.results import Results
from pyramidion.web.features.profiles.statistics import Opponent, opponents, statistics, unknown_results
from pyramidion.web.http.dependencies import (
    account_and_bots,
    account_of,
    blocked_by,
    ratings_of_person,
    store_of,
    visitors_of,
)
from pyramidion.web.http.services import get_service
from pyramidion.web.pages.page import page
from pyramidion.web.table_requests.access import tables_of

router = APIRouter(include_in_schema=False)
MOST_AT_ONCE = 50


@router.get("/people/me")
async def mine(request: Request, table: str = "") -> Response:
    """Show the visitor's own results and opponents; the opponents at `table` are ticked."""
    holder = visitors_of(request).holder(request.scope)
    account = await account_of(request, holder)
    return await _page(request, holder, account.name if account is not None else None, own=True, table=table)


@router.get("/people")
@router.get("/people/{name}")
async def person(request: Request, name: str) -> Response:
    """Show the public results of an account."""
    try:
        account, owner, bots = await account_and_bots(request, name)
    except Refused as error:
        raise NoSuchPerson(error.sentence) from None
    return await _page(request, account.holder, account.name, own=False, owner=owner, bots=bots)


async def _page(
    request: Request,
    holder: str | None,
    name: str | None,
    *,
    own: bool,
    table: str = "",
    owner: OwnedBot | None = None,
    bots: Sequence[OwnedBot] = (),
) -> Response:
    store, game_statistics = store_of(request), None
    recent: list[Opponent] = []
    ratings: Mapping[str, PersonRating] = {}
    if holder is not None:
        # Load games that ended before results were stored, which stores their results.
        for table_id in await asyncio.to_thread(unknown_results, store, holder, MOST_AT_ONCE):
            with suppress(Refused):
                await tables_of(request).get(table_id)
        await get_service(request, Results).close()
        game_statistics = await asyncio.to_thread(statistics, store, holder, None if own else tables_of(request).now())
        recent = await asyncio.to_thread(opponents, store, holder) if own else []
        ratings = await ratings_of_person(request, holder)
    games = [(in_game, label(in_game.beaten), ratings.get(in_game.game.id)) for in_game in game_statistics or ()]
    visitor = visitors_of(request).of(request)
    response = page(
        request,
        "person.html",
        name=name,
        own=own,
        games=games,
        opponents=recent,
        table=table,
        owner=owner,
        bots=bots,
        blocked=await blocked_by(request, holder) if own and holder is not None else (),
        playable=registry.all_games().values(),
        mine=visitor.holder == holder,
        csrf=visitor.csrf,
    )
    return visitors_of(request).remember(visitor, response)
