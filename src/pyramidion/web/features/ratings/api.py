"""The JSON API for ratings and leaderboards."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pyramidion.web.contracts import AccountLookup
from pyramidion.web.errors import NoSuchPerson, Refused
from pyramidion.web.features.ratings.service import KEPT, SURE_ENOUGH, Rating, RatingChange, Ratings
from pyramidion.web.http.pagination import PAGE, Offset, numbered_page
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.tables import Tables

router = APIRouter(prefix="/api")


class RatingOut(BaseModel):
    """A rating in one game."""

    rating: int = Field(description="1500 for an average player.")
    uncertainty: int = Field(description="One standard deviation, in the same points.")
    games: int = Field(description="How many rated games it is made from.")


class LeaderboardEntryOut(RatingOut):
    """A line of a leaderboard."""

    rank: int
    name: str = Field(description="The name of the account, or of the bot's level.")
    bot: str | None = Field(description="Which bot of the server, such as easy; null for an account.")
    owner: str | None = Field(description="Whose bot it is, for the bot of a person; otherwise null.")


class LeaderboardOut(BaseModel):
    """The best players of a game."""

    game: str
    most_uncertainty: int = Field(description="Players whose uncertainty is larger are not listed.")
    players: list[LeaderboardEntryOut]


class GameRatingOut(RatingOut):
    """A person's rating in a game."""

    game: str


class PersonRatingsOut(BaseModel):
    """A person's ratings."""

    name: str
    ratings: list[GameRatingOut]


class SeatRatingOut(RatingOut):
    """The rating of a seat's player after a match, and how much the match changed it."""

    seat: int
    change: int


@router.get(
    "/leaderboard/{game}", response_model=LeaderboardOut, responses={404: {"model": Fault}}, summary="A leaderboard"
)
async def get_leaderboard(game: str, ratings: Service[Ratings], after: Offset = 0) -> Json:
    """Return the people and bots of a game whose ratings are certain enough, the best first.

    The header `Link` leads to the next page of a longer list.
    """
    game_id = find_game(game).id
    lines = numbered_page(await ratings.leaderboard(game_id, PAGE + 1, after), after)
    players = [
        {"rank": line.rank, "name": line.name, "bot": line.bot, "owner": line.owner, **_rating(line.rating)}
        for line in lines.entries
    ]
    body = {"game": game_id, "most_uncertainty": SURE_ENOUGH, "players": players}
    return Json(wire.encode(body), headers=lines.headers)


@router.get(
    "/people/{name:path}/ratings",
    response_model=PersonRatingsOut,
    responses={404: {"model": Fault, "description": "No account has this name."}},
    summary="A person's ratings",
)
async def get_ratings(name: str, accounts: Service[AccountLookup], ratings: Service[Ratings]) -> Json:
    """Return the ratings of an account, by game."""
    try:
        account = await accounts.named(name)
    except Refused as error:
        raise NoSuchPerson(error.sentence) from None
    of_games = await ratings.of_person(account.holder)
    body = [{"game": game, **_rating(rating)} for game, rating in sorted(of_games.items())]
    return Json(wire.encode({"name": account.name, "ratings": body}))


@router.get(
    "/tables/{table_id}/ratings",
    response_model=list[SeatRatingOut],
    responses=REFUSALS,
    summary="What a match has done to the ratings",
)
async def get_changes(table_id: str, tables: Service[Tables]) -> Json:
    """Return the ratings after a finished rated match, by seat; an empty list for any other match."""
    table = await tables.get(table_id)
    changes: dict[int, RatingChange] = table.kept.get(KEPT, {}) if table.match.over else {}
    body = [
        {"seat": seat, "change": change.change, **_rating(change.rating)} for seat, change in sorted(changes.items())
    ]
    return Json(wire.encode(body))


def _rating(rating: Rating) -> dict[str, int]:
    """Return a rating, JSON-ready."""
    body = asdict(rating)
    return {"rating": body.pop("points"), **body}
