"""Changes to notification settings, as values: forms and JSON are parsed into them, `execute` carries them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pyramidion.translation import _, language
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.notifications.contacts import KINDS, TableContact, accept_off, accept_zone
from pyramidion.web.features.notifications.service import Notifications
from pyramidion.web.features.notifications.transports.mail import MailFailed
from pyramidion.web.features.notifications.transports.push import accept_hour
from pyramidion.web.names import clean_address


@dataclass(frozen=True, slots=True)
class ChangeContact:
    """A change to a person's notification settings; None leaves a setting as it is.

    An empty webhook removes the stored one. `off` has notifications to turn off (`kind.way`), `zone` an IANA name, and
    `quiet_hours` the hours of the day from and until which nothing is pushed.
    """

    off: frozenset[str] | None = None
    zone: str | None = None
    quiet_hours: tuple[int | None, int | None] | None = None
    webhook: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class SetEmail:
    """A change of the address to which a person is sent e-mail; it is stored, and has to be confirmed.

    An empty address removes the stored one. `guess` is the time zone that the browser reports.
    """

    address: str
    guess: str = ""


@dataclass(frozen=True, slots=True)
class SetAtTable:
    """A change to what a person has turned off at one table, or to the table's own webhook.

    The latter is meant if the command is carried out for the person `contacts.THE_TABLE`.
    """

    table_id: str
    off: frozenset[str]
    webhook: str = ""


Command = ChangeContact | SetEmail | SetAtTable


def settings_of_form(form: Mapping[str, str], ways: Sequence[str], before: Iterable[str]) -> ChangeContact:
    """Build the change that a form of the settings page asks for. Raises BadRequest.

    `ways` are the ways of notifying that the form has boxes for, `before` what was turned off until now.
    """
    return ChangeContact(
        off_of_form(form, ways, before),
        accept_zone(form.get("zone", "UTC")),
        (accept_hour(form.get("quiet_from", "")), accept_hour(form.get("quiet_until", ""))),
        form.get("webhook", ""),
        language(),
    )


def off_of_form(form: Mapping[str, str], ways: Sequence[str], before: Iterable[str] = ()) -> frozenset[str]:
    """Return the notifications that a form turns off, each `kind.way`.

    They are those of the unticked boxes. Ways that the form has no boxes for (all but `ways`) stay as in `before`.
    """
    unticked = (f"{kind}.{way}" for kind in KINDS for way in ways if f"{kind}.{way}" not in form)
    return accept_off([*unticked, *(switch for switch in before if switch.rpartition(".")[2] not in ways)])


async def execute(
    command: Command, person: str, notifications: Notifications, count_mail: Callable[[str, str], None]
) -> None:
    """Carry out a change to the notification settings of `person`. Raises Refused.

    `count_mail` counts an e-mail to (person, address) towards the limit, and raises TooMany beyond it.
    """
    contacts = notifications.contacts
    match command:
        case ChangeContact():
            values: dict[str, object] = {"off": command.off, "zone": command.zone, "language": command.language}
            values = {name: value for name, value in values.items() if value is not None}
            if command.quiet_hours is not None:
                values["quiet_from"], values["quiet_until"] = command.quiet_hours
            if command.webhook is not None:
                values["webhook"] = await _accepted(command.webhook, notifications)
            if values:
                await contacts.keep(person, **values)
        case SetEmail(address, guess):
            await _set_email(address, person, notifications, count_mail)
            await contacts.guess_zone(person, guess)
        case SetAtTable(table_id, off, webhook):
            await contacts.keep_at(table_id, person, TableContact(await _accepted(webhook, notifications), off))


async def _accepted(webhook: str, notifications: Notifications) -> str | None:
    """Return a webhook's URL after checking it, or None for an empty text. Raises BadRequest."""
    return await notifications.webhooks.accept(webhook.strip()) if webhook.strip() else None


async def _set_email(
    text: str, person: str, notifications: Notifications, count_mail: Callable[[str, str], None]
) -> None:
    """Store a person's new address and send it a confirmation e-mail, or remove it if the text is empty."""
    contacts = notifications.contacts
    if not text.strip():
        await contacts.keep(person, email=None, confirmed=False)
        return
    address = clean_address(text)
    if not notifications.mailer.ready:
        raise BadRequest(_("This server does not send e-mail."))
    if await contacts.refuses_mail(address, notifications.now()):
        raise BadRequest(_("The owner of this address has turned off e-mail from this server."))
    before = await contacts.of(person)
    if before.confirmed and before.email == address:
        return
    count_mail(person, address.lower())
    try:
        await notifications.sender.confirm(replace(before, language=language()), address)
    except MailFailed as error:
        raise BadRequest(str(error)) from error
    await contacts.keep(person, email=address, confirmed=False, language=language())
