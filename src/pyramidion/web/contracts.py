"""What features offer one another: protocols, of which `server.py` says which service keeps which.

A feature imports no other feature. It asks for one of these (`Service[ClubHomes]`), and the type checker compares
each service with its protocol where `server.py` puts the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Unpack

if TYPE_CHECKING:
    import sqlalchemy as sa

    from pyramidion.web.db.writer import Change
    from pyramidion.web.table.room import Room
    from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
    from pyramidion.web.table.settings.declarations import TableSettings
    from pyramidion.web.table.table import Table


class AccountHolder(Protocol):
    """An account, as other features know it."""

    @property
    def id(self) -> str:
        """The account's id."""
        ...

    @property
    def name(self) -> str:
        """The account's name."""
        ...

    @property
    def holder(self) -> str:
        """The visitor id that holds the account's seats."""
        ...

    @property
    def email(self) -> str | None:
        """Its e-mail address, or None."""
        ...

    @property
    def owner(self) -> str | None:
        """The id of the account that owns it if it is a bot's, else None."""
        ...


class OwnedBot(Protocol):
    """A bot that an account owns."""

    @property
    def name(self) -> str:
        """The name of the bot's account."""
        ...


class AccountLookup(Protocol):
    """Finds accounts, by visitor id and by name."""

    async def of(self, holder: str | None) -> AccountHolder | None:
        """Return the account of a visitor, or None if they have none."""
        ...

    async def named(self, name: str) -> AccountHolder:
        """Return the account of this name. Raises NoSuchPerson with a sentence."""
        ...


class TournamentTitles(Protocol):
    """Tells the titles of tournaments."""

    async def title(self, tournament: str) -> str:
        """Return the title of a tournament. Raises UnknownTournament."""
        ...


class SeasonPages(Protocol):
    """Tells what of a season's title and uploaded pictures a visitor is shown."""

    async def title(self, season_id: str, visitor: str) -> str:
        """Return the season's title. Raises UnknownSeason where the visitor is shown nothing."""
        ...

    async def pictures(self, season_id: str, visitor: str) -> Mapping[str, str]:
        """Return the paths of the portraits, by person. Raises UnknownSeason where the visitor is shown nothing."""
        ...


class ApiTokens(Protocol):
    """Finds the accounts for which API tokens act."""

    async def by_token(self, token: str, *scopes: str) -> AccountHolder:
        """Return the account for which a token with one of the scopes acts. Raises NoSuchToken or OutOfScope."""
        ...


class BotOwners(Protocol):
    """Tells which account owns which bots."""

    async def owner_of(self, bot: AccountHolder) -> AccountHolder | None:
        """Return the account that owns a bot; None for an account that is no bot's."""
        ...

    async def of_owner(self, owner: AccountHolder) -> Sequence[OwnedBot]:
        """Return the bots that an account owns."""
        ...


class PersonRating(Protocol):
    """A person's rating in one game."""

    @property
    def points(self) -> int:
        """The rating."""
        ...

    @property
    def uncertainty(self) -> int:
        """Its standard deviation."""
        ...

    @property
    def games(self) -> int:
        """The number of rated games from which it is computed."""
        ...


class PersonRatings(Protocol):
    """Looks up the ratings of people."""

    async def of_person(self, holder: str) -> Mapping[str, PersonRating]:
        """Return a person's ratings by game."""
        ...

    async def points(self, game: str, players: Collection[str]) -> Mapping[str, int]:
        """Return the ratings of players in a game: visitors by their ids, bots as `bot:LEVEL`."""
        ...


class Blocks(Protocol):
    """Tells whom people have blocked."""

    async def blocked_by(self, holder: str) -> Sequence[tuple[str, int]]:
        """Return those whom a visitor has blocked, as (name, time)."""
        ...


class Reachability(Protocol):
    """Tells whether people can be notified."""

    @property
    def push_key(self) -> str:
        """The public key with which a browser subscribes to push notifications, in base64url."""
        ...

    async def reachable(self, person: str | None) -> bool:
        """Return whether a person has any way of being notified."""
        ...


class PushDevices(Protocol):
    """Keeps the devices that get push notifications."""

    async def forget(self, endpoint: str) -> None:
        """Stop sending push notifications to the device at an endpoint. Raises NotSaved."""
        ...


class ClubHomes(Protocol):
    """Connects clubs with the seasons and tournaments of which they are the home."""

    async def run_by(self, holder: str) -> Sequence[tuple[str, str]]:
        """Return the clubs in which a visitor may host, as (id, name)."""
        ...

    async def home_of(self, kind: str, event: str, holder: str | None) -> tuple[str, str] | None:
        """Return the club of a season or tournament (`kind`) as (id, name), if there is one that `holder` may see."""
        ...

    async def home(self, kind: str, event: str, title: str, club_id: str, holder: str) -> Change:
        """Return the change that makes a club the home of a new event, for `holder`. Raises UnknownClub or NotYours."""
        ...


class CompetitionWebhooks(Protocol):
    """Keeps the webhooks of clubs, seasons and tournaments: `owner` is the id that stands for a person in notices."""

    async def of(self, owner: str) -> str:
        """Return the URL of an owner's webhook; an empty text if there is none."""
        ...

    async def keep(self, owner: str, url: str, author: str) -> None:
        """Store a webhook, which is removed when its author leaves; an empty URL removes it.

        Raises BadRequest or NotSaved.
        """
        ...


class SeatInvitations(Protocol):
    """Invitations to seats of waiting rooms."""

    async def invite(self, room: Room, inviter: str, person: str) -> None:
        """Reserve a seat of a waiting room for somebody and notify them. Raises SeatTaken."""
        ...


class TableFinder(Protocol):
    """Finds tables, whether their match has started or not."""

    async def find(self, table_id: str) -> Table | Room:
        """Return a table, or its waiting room if its match has not started. Raises UnknownTable or CannotGoOn."""
        ...


class WaitingRooms(TableFinder, Protocol):
    """Opens and changes waiting rooms, for features that open tables at which people gather."""

    async def open(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        settings: TableSettings,
        *,
        reserved: Mapping[int, str] | None = None,
        also: Callable[[sa.Connection, str], None] | None = None,
        **about: Unpack[TableProperties],
    ) -> tuple[Table | Room, dict[int, str]]:
        """Create a table with a waiting room; return it and, if there is no `holder`, the tokens of the seats `me`.

        `reserved` are open seats that only these visitors can take; `also` is called with the table's id in the same
        transaction. Raises UnknownGame, BadTable or NotSaved.
        """
        ...

    async def sit(self, table_id: str, seat: int, holder: str | None, name: str | None, *, bot: bool = False) -> object:
        """Take an open seat, as a declared bot or not. Raises SeatTaken, BadRequest or NotSaved."""
        ...

    async def ready(self, table_id: str, seat: int | None, ready: bool) -> object:
        """Set whether a seat is ready to begin."""
        ...

    async def reserve(self, table_id: str, holder: str) -> None:
        """Reserve an open seat for a visitor. Raises SeatTaken."""
        ...

    async def release(self, table_id: str, seat: int) -> None:
        """End the reservation of a seat, so that anybody can take it."""
        ...

    async def seat_reserved(self, table_id: str, names: Mapping[str, str]) -> None:
        """Seat all visitors for whom seats are reserved; `names` are their names by visitor id."""
        ...
