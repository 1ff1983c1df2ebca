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
    """A club that is not here, or that its visitor may not see."""

    status = 404
    code = "unknown-club"


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a club. `id` is public, `holder` is the visitor; `since` is in milliseconds since 1970."""

    id: str
    holder: str
    name: str
    role: Role
    since: int


@dataclass(frozen=True, slots=True)
class Post:
    """An announcement."""

    number: int
    at: int
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """The settings of a club."""

    name: str
    about: str = ""
    door: Door = "request"

    def checked(self) -> ClubSettings:
        """Return the settings without spaces around texts. Raises BadRequest with a sentence."""
        return ClubSettings(clean_title(self.name, MOST_NAME), clean_text(self.about, MOST_TEXT), self.door)


@dataclass(frozen=True, slots=True)
class Club:
    """A club as one visitor meets it: `me` is the visitor's own membership or request, if there is one.

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
        """Everybody who is a member, without open requests."""
        return [member for member in self.members if member.role != "asked"]

    def member(self, member_id: str) -> Member:
        """Return a member, or somebody who has asked to join. Raises BadRequest."""
        for member in self.members:
            if member.id == member_id:
                return member
        raise BadRequest(_("There is no such member."))

    def require(self, may: bool) -> None:
        """Raise NotYours if the visitor may not do something."""
        if not may:
            raise NotYours(_("You cannot do that in this club."))
