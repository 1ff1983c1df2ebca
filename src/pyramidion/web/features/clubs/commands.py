"""What people do in a club, as values: forms and JSON bodies are parsed into them, `execute` carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from pyramidion.translation import _
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.clubs.club import Club, ClubSettings, Door, Role
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.http.forms import INCOMPLETE, parse_number


@dataclass(frozen=True, slots=True)
class Join:
    """Join under a name, or ask to join; with the code of the invitation link nobody has to ask."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the club, or withdraw a request to join; a club without members is deleted."""


@dataclass(frozen=True, slots=True)
class SetRole:
    """Give a member a role; the role `member` also accepts a request to join, and None removes the member."""

    member: str
    role: Role | None


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Change the settings, as the owner."""

    settings: ClubSettings


@dataclass(frozen=True, slots=True)
class RenewLink:
    """Replace the invitation link."""


@dataclass(frozen=True, slots=True)
class AddPost:
    """Post an announcement."""

    text: str


@dataclass(frozen=True, slots=True)
class DeletePost:
    """Delete an announcement."""

    number: int


@dataclass(frozen=True, slots=True)
class SetWebhook:
    """Store the club's webhook; without a URL, remove it."""

    url: str


Command = Join | Leave | SetRole | ChangeSettings | RenewLink | AddPost | DeletePost | SetWebhook


def command_of_form(name: str, form: Mapping[str, str], club: Club) -> Command:
    """Return the command that a form of a club's page stands for, by the form's name. Raises BadRequest.

    An owner who leaves has to confirm that the club is to be deleted.
    """
    match name:
        case "join":
            return Join(form.get("name", ""), form.get("code", ""))
        case "leave":
            if club.owns and not form.get("sure"):
                raise BadRequest(_("Tick the box to confirm that the club is to be deleted."))
            return Leave()
        case "member":
            role = form.get("role", "")
            if role not in (*get_args(Role), "none"):
                raise BadRequest(_(INCOMPLETE))
            return SetRole(form.get("member", ""), None if role == "none" else cast("Role", role))
        case "settings":
            return ChangeSettings(settings_of_form(form))
        case "link":
            return RenewLink()
        case "post":
            return AddPost(form.get("text", ""))
        case "unpost":
            return DeletePost(parse_number(form.get("number")) or 0)
        case "webhook":
            return SetWebhook(form.get("webhook", ""))
        case _:
            raise BadRequest(_(INCOMPLETE))


def settings_of_form(form: Mapping[str, str]) -> ClubSettings:
    """Return the club settings that a form contains. Raises BadRequest."""
    door = form.get("door", "")
    if door not in get_args(Door):
        raise BadRequest(_(INCOMPLETE))
    return ClubSettings(form.get("name", ""), form.get("about", ""), cast("Door", door))


async def execute(command: Command, club_id: str, holder: str, clubs: Clubs) -> None:
    """Carry out a visitor's command in a club. Raises Refused."""
    match command:
        case Join(name, code):
            await clubs.join(club_id, holder, name, code)
        case Leave():
            await clubs.leave(club_id, holder)
        case SetRole(member, role):
            await clubs.rank(club_id, holder, member, role)
        case ChangeSettings(settings):
            await clubs.change(club_id, holder, settings)
        case RenewLink():
            await clubs.renew(club_id, holder)
        case AddPost(text):
            await clubs.post(club_id, holder, text)
        case DeletePost(number):
            await clubs.unpost(club_id, holder, number)
        case SetWebhook(url):
            await clubs.set_webhook(club_id, holder, url)
