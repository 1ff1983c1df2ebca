"""The pages of results: the visitor's own, and the public page of an account."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.web.contracts import AccountLookup, BotOwners
from pyramidion.web.errors import NoSuchPerson, Refused
from pyramidion.web.features.profiles.service import Profile, Profiles
from pyramidion.web.http.services import Service
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages

router = APIRouter(include_in_schema=False)


@router.get("/people/me")
async def mine(pages: Pages, profiles: Service[Profiles], table: str = "") -> Response:
    """Show the visitor's own results and opponents; those who played at the table `table` are ticked."""
    visitor = pages.visitor
    profile = Profile() if visitor.new else await profiles.of(visitor.holder, own=True)
    name = await pages.account_name() or None
    return _page(pages, profile, name, own=True, mine=not visitor.new, table=table, owner=None, bots=())


@router.get("/people")
@router.get("/people/{name}")
async def person(
    name: str,
    pages: Pages,
    profiles: Service[Profiles],
    accounts: Service[AccountLookup],
    bot_owners: Service[BotOwners],
) -> Response:
    """Show the public results of the account with this name."""
    try:
        account = await accounts.named(name)
    except Refused as error:
        raise NoSuchPerson(error.sentence) from None
    return _page(
        pages,
        await profiles.of(account.holder, own=False),
        account.name,
        own=False,
        mine=pages.visitor.holder == account.holder,
        table="",
        owner=await bot_owners.owner_of(account),
        bots=await bot_owners.of_owner(account),
    )


def _page(pages: VisitorPages, profile: Profile, name: str | None, **context: Any) -> Response:
    """Render the profile's page."""
    return pages.render(
        "person.html",
        name=name,
        games=[(game, label(game.beaten), profile.ratings.get(game.game.id)) for game in profile.games],
        opponents=profile.opponents,
        blocked=profile.blocked,
        playable=registry.all_games().values(),
        **context,
    )
