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
    """Change a person's settings; None leaves one as it is, and an empty webhook removes it."""

    off: frozenset[str] | None = None
    zone: str | None = None
    quiet_hours: tuple[int | None, int | None] | None = None
    webhook: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class SetEmail:
    """Store an address and send it a confirmation e-mail; an empty one removes it. `guess` is the browser's zone."""

    address: str
    guess: str = ""


@dataclass(frozen=True, slots=True)
class SetAtTable:
    """Store the settings of a person for one table; with `contacts.THE_TABLE` for a person, the table's own."""

    table_id: str
    off: frozenset[str]
    webhook: str = ""


Command = ChangeContact | SetEmail | SetAtTable


def settings_of_form(form: Mapping[str, str], ways: Sequence[str], before: Iterable[str]) -> ChangeContact:
    """Return the settings in a form with these ways; `before` is what was off. Raises BadRequest."""
    return ChangeContact(
        off_of_form(form, ways, before),
        accept_zone(form.get("zone", "UTC")),
        (accept_hour(form.get("quiet_from", "")), accept_hour(form.get("quiet_until", ""))),
        form.get("webhook", ""),
        language(),
    )


def off_of_form(form: Mapping[str, str], ways: Sequence[str], before: Iterable[str] = ()) -> frozenset[str]:
    """Return the notifications turned off in a form with these ways: unticked boxes, and other ways as `before`."""
    unticked = (f"{kind}.{way}" for kind in KINDS for way in ways if f"{kind}.{way}" not in form)
    return accept_off([*unticked, *(switch for switch in before if switch.rpartition(".")[2] not in ways)])


async def execute(
    command: Command, person: str, notifications: Notifications, count_mail: Callable[[str, str], None]
) -> None:
    """Carry out a command. `count_mail` counts an e-mail to a person's address, and raises TooMany. Raises Refused."""
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
    """Return a webhook's URL, None for an empty one. Raises BadRequest."""
    return await notifications.webhooks.accept(webhook.strip()) if webhook.strip() else None


async def _set_email(
    text: str, person: str, notifications: Notifications, count_mail: Callable[[str, str], None]
) -> None:
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
