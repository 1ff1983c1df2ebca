"""A club, its members, and who may do what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pyramidion.translation import _
from pyramidion.web.db.schema import CLUB_RANKS
from pyramidion.web.errors import BadRequest, NotYours, Refused
from pyramidion.web.names import clean_text, clean_title

Door = Literal["open", "request", "link", "private"]
"""Who can join: everybody, those whose request is accepted, or those with the invitation link.

A private club is seen by its members only, and joined with the link.
"""
Role = Literal["owner", "officer", "member", "asked"]
"""`asked` is somebody whose request to join is open: no member yet."""
RANKS: tuple[Role, ...] = CLUB_RANKS
MOST_MEMBERS = 1000
MOST_TEXT = 4000
MOST_NAME = 60


class UnknownClub(Refused, LookupError):
    """The club does not exist, or the requester may not see it."""

    status = 404
    code = "unknown-club"


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a club: public id, visitor id `holder`, name, role, and since when (milliseconds since 1970)."""

    id: str
    holder: str
    name: str
    role: Role
    since: int


@dataclass(frozen=True, slots=True)
class Post:
    """An announcement in a club: its number, when it was made, the author's name, and the text."""

    number: int
    at: int
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """The settings of a club: its name, what it is about, and who can join (`door`)."""

    name: str
    about: str = ""
    door: Door = "request"

    def checked(self) -> ClubSettings:
        """Check the settings and return them without spaces around texts. Raises BadRequest with a sentence."""
        return ClubSettings(clean_title(self.name, MOST_NAME), clean_text(self.about, MOST_TEXT), self.door)


@dataclass(frozen=True, slots=True)
class Club:
    """A club as one visitor sees it; `me` is the visitor's own membership or request to join, if there is one.

    `turn` counts the invitation links that have been replaced.

    `announced` is how many announcements there have ever been.
    """

    id: str
    settings: ClubSettings
    turn: int
    announced: int
    members: tuple[Member, ...]
    me: Member | None = None

    @property
    def belongs(self) -> bool:
        """Whether the visitor is a member."""
        return self.me is not None and self.me.role != "asked"

    @property
    def runs(self) -> bool:
        """Whether the visitor is an officer or the owner."""
        return self.me is not None and self.me.role in ("owner", "officer")

    @property
    def owns(self) -> bool:
        """Whether the visitor is the owner."""
        return self.me is not None and self.me.role == "owner"

    @property
    def joined(self) -> list[Member]:
        """The members of the club, without people whose request to join is open."""
        return [member for member in self.members if member.role != "asked"]

    def member(self, member_id: str) -> Member:
        """Return the member or the person asking to join who has this public id. Raises BadRequest if nobody has."""
        for member in self.members:
            if member.id == member_id:
                return member
        raise BadRequest(_("There is no such member."))

    def require(self, may: bool) -> None:
        """Raise NotYours unless the visitor may do what is requested, as `may` says."""
        if not may:
            raise NotYours(_("You cannot do that in this club."))
