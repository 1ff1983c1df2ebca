"""The page on which players report a name, a text or a picture."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from pyramidion.web.contracts import AccountLookup, SeasonPages, TournamentTitles
from pyramidion.web.errors import NoSuchPerson, Refused
from pyramidion.web.features.reports.commands import LONGEST, SendReport, execute
from pyramidion.web.features.reports.items import (
    OTHER,
    Item,
    item_of_account,
    items_of_club,
    items_of_season,
    items_of_table,
    items_of_tournament,
)
from pyramidion.web.features.reports.service import Reports
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table_requests.access import table_or_room

router = APIRouter(include_in_schema=False)


async def _items(
    request: Request,
    pages: Pages,
    reports: Service[Reports],
    accounts: Service[AccountLookup],
    seasons: Service[SeasonPages],
    tournaments: Service[TournamentTitles],
) -> Sequence[Item]:
    """Return what the visitor can report on the page that a request is about (`play/access.py` admits to it).

    It is what that page shows the visitor. Raises what that page raises where it shows nothing.
    """
    ids, visitor = request.path_params, pages.visitor.holder
    if "table_id" in ids:
        table = await table_or_room(request, ids["table_id"])
        return await asyncio.to_thread(items_of_table, reports.store, table.id, table.seat_of(visitor))
    if "club_id" in ids:
        return await asyncio.to_thread(items_of_club, reports.store, ids["club_id"], visitor)
    if "season_id" in ids:
        season = ids["season_id"]
        return items_of_season(await seasons.title(season, visitor), await seasons.pictures(season, visitor))
    if "tournament_id" in ids:
        return items_of_tournament(await tournaments.title(ids["tournament_id"]))
    if "name" in ids:
        try:
            return [item_of_account((await accounts.named(ids["name"])).name)]
        except Refused as error:
            raise NoSuchPerson(error.sentence) from None
    return []


Items = Annotated[Sequence[Item], Depends(_items)]


@router.get("/t/{table_id}/report")
@router.get("/clubs/{club_id}/report")
@router.get("/seasons/{season_id}/report")
@router.get("/tournaments/{tournament_id}/report")
@router.get("/people/{name}/report")
async def show(pages: Pages, items: Items, item: str = "") -> Response:
    """Show what can be reported on a page; `item` is chosen already."""
    return _page(pages, items, item)


@router.post("/t/{table_id}/report")
@router.post("/clubs/{club_id}/report")
@router.post("/seasons/{season_id}/report")
@router.post("/tournaments/{tournament_id}/report")
@router.post("/people/{name}/report")
async def send(
    form: PostedForm, pages: Pages, items: Items, reports: Service[Reports], limits: Service[RateLimits]
) -> Response:
    """Send a report to the operators of the server."""
    command = SendReport(_place(pages, items), form.get("item", ""), form.get("sentence", ""))
    try:
        limits.report(pages.request.scope, pages.visitor.holder)
        await execute(command, items, pages.visitor.holder, reports)
    except Refused as error:
        return _page(pages, items, command.item, sentence=command.sentence, refusal=error)
    return _page(pages, items, sent=True)


def _place(pages: VisitorPages, items: Sequence[Item]) -> str:
    """Return the path of the page that is reported, that of a person with the name as the account has it."""
    if "name" in pages.request.path_params:
        return f"/people/{items[0].text}"
    return pages.request.url.path.removesuffix("/report")


def _page(
    pages: VisitorPages,
    items: Sequence[Item],
    chosen: str = "",
    *,
    sentence: str = "",
    sent: bool = False,
    refusal: Refused | None = None,
) -> Response:
    """Return the page, with an item chosen and the sentence filled in."""
    return pages.render(
        "report.html",
        items=items,
        chosen=chosen,
        other=OTHER,
        sentence=sentence,
        longest=LONGEST,
        place=_place(pages, items),
        sent=sent,
        refusal=refusal,
    )
