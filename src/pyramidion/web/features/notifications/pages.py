"""The pages of notification settings, in general and for one table, and the browser's feed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.translation import _, language, marked
from pyramidion.web.errors import BadRequest, NotYourSeat, Refused
from pyramidion.web.features.notifications.contacts import (
    KINDS,
    THE_TABLE,
    UTC,
    WAYS,
    Contact,
    TableContact,
    accept_off,
    accept_zone,
    zones,
)
from pyramidion.web.features.notifications.service import contacts_of, notifications_of
from pyramidion.web.features.notifications.transports.mail import MailFailed
from pyramidion.web.features.notifications.transports.push import Device, accept_hour
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import account_email, limits_of, visitors_of
from pyramidion.web.http.forms import parse_number
from pyramidion.web.names import clean_address
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import is_host, seat_at, tables_of

router = APIRouter(include_in_schema=False)
KIND_WORDS = {
    "turn": marked("Your turn"),
    "deadline": marked("Your time is running out"),
    "started": marked("Game started"),
    "over": marked("Game over"),
    "line": marked("Private message"),
    "invited": marked("Invitation to a game"),
}
TABLE_WORDS = {
    "turn": marked("A player's turn"),
    "deadline": marked("Time is running out"),
    "started": marked("Game started"),
    "over": marked("The game is over"),
}
WAY_WORDS = {"browser": marked("Browser"), "mail": marked("E-mail"), "webhook": marked("Webhook")}


@router.get("/alerts")
async def show(request: Request) -> Response:
    """Show the visitor's notification settings."""
    visitor = visitors_of(request).of(request)
    return visitors_of(request).remember(visitor, await _shown(request, visitor))


@router.post("/alerts")
async def choose(request: Request) -> Response:
    """Store the enabled notifications, the time zone and the webhook."""
    form = await visitors_of(request).checked_form(request)
    visitor = visitors_of(request).of(request)
    before = (await contacts_of(request).of(visitor.holder)).off
    try:
        webhook = form.get("webhook", "").strip()
        values = {
            "off": _off(form, _ways(request), before),
            "zone": accept_zone(form.get("zone", "UTC")),
            "quiet_from": accept_hour(form.get("quiet_from", "")),
            "quiet_until": accept_hour(form.get("quiet_until", "")),
            "webhook": await notifications_of(request).webhooks.accept(webhook) if webhook else None,
            "language": language(),
        }
    except BadRequest as error:
        return await _shown(request, visitor, error, form)
    await contacts_of(request).keep(visitor.holder, **values)
    return RedirectResponse("/alerts", 303)


@router.post("/alerts/email")
async def email(request: Request) -> Response:
    """Store the visitor's address and send a confirmation e-mail; an empty address removes the old one."""
    form = await visitors_of(request).checked_form(request)
    visitor = visitors_of(request).of(request)
    try:
        contact = await change_email(request, visitor.holder, form.get("email", ""))
        await _guess_zone(request, contact, form.get("guess", ""))
    except Refused as error:
        return await _shown(request, visitor, error, form)
    return RedirectResponse("/alerts", 303)


async def change_email(request: Request, person: str, text: str) -> Contact:
    """Store a person's address and send a confirmation e-mail. Raises BadRequest, TooMany or NotSaved."""
    contacts, notifications = contacts_of(request), notifications_of(request)
    if not text.strip():
        return await contacts.keep(person, email=None, confirmed=False)
    address = clean_address(text)
    if not notifications.mailer.ready:
        raise BadRequest(_("This server does not send e-mail."))
    if await contacts.refuses_mail(address, tables_of(request).now()):
        raise BadRequest(_("The owner of this address has turned off e-mail from this server."))
    before = await contacts.of(person)
    if before.confirmed and before.email == address:
        return before
    limits_of(request).mail(request.scope, person, address.lower())
    try:
        await notifications.sender.confirm(replace(before, language=language()), address)
    except MailFailed as error:
        raise BadRequest(str(error)) from error
    return await contacts.keep(person, email=address, confirmed=False, language=language())


@router.get("/alerts/confirm")
async def ask_to_confirm(request: Request, token: str = "") -> Response:
    """Show the button that confirms an address. A link alone must not, since mail scanners open links."""
    return await _question(request, "/alerts/confirm", token, _("Is this your address?"), _("Confirm address"))


@router.post("/alerts/confirm")
async def confirm(request: Request) -> Response:
    """Confirm an address."""
    form = await visitors_of(request).checked_form(request)
    address = await contacts_of(request).confirm(form.get("token", ""))
    sentence = _("Notifications will be e-mailed to {address}.").format(address=address)
    return page(request, "message.html", title=_("Confirmed"), sentence=sentence, back="/")


@router.get("/alerts/stop")
async def ask_to_stop(request: Request, token: str = "") -> Response:
    """Show the button that unsubscribes an address."""
    return await _question(request, "/alerts/stop", token, _("Turn off e-mail?"), _("Turn off e-mail"))


@router.post("/alerts/stop")
async def stop(request: Request, token: str = "") -> Response:
    """Unsubscribe an address. The token alone is enough, because mail programs do this by themselves (RFC 8058)."""
    address = await contacts_of(request).stop(token, tables_of(request).now())
    sentence = _("E-mail to {address} is turned off.").format(address=address)
    return page(request, "message.html", title=_("Turned off"), sentence=sentence, back="/")


@router.get("/alerts/feed")
async def feed(request: Request, guess: str = "") -> Response:
    """Return the notifications for the visitor's browser, each {"id", "title", "text", "link"}."""
    visitor = visitors_of(request).of(request)
    waiting = [] if visitor.new else await notifications_of(request).sender.for_browser(visitor.holder, language())
    if guess and not visitor.new:
        await _guess_zone(request, await contacts_of(request).of(visitor.holder), guess)
    body = [
        {"id": f"{queued.match}.{queued.kind}", "title": text.title, "text": text.text, "link": queued.path}
        for queued, text in waiting
    ]
    return JSONResponse(body, headers={"cache-control": "no-store"})


@router.post("/alerts/push")
async def subscribe(request: Request) -> Response:
    """Store the device of this browser, to which notifications are pushed."""
    form = await visitors_of(request).checked_form(request)
    visitor, notifications = visitors_of(request).of(request), notifications_of(request)
    limits_of(request).attempt(request.scope)
    device = Device(form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", ""))
    await notifications.push.subscribe(visitor.holder, device, tables_of(request).now())
    contact = await contacts_of(request).keep(visitor.holder, language=language())
    await _guess_zone(request, contact, form.get("guess", ""))
    return JSONResponse({})


@router.post("/alerts/push/stop")
async def unsubscribe(request: Request) -> Response:
    """Forget the device of this browser."""
    form = await visitors_of(request).checked_form(request)
    await notifications_of(request).push.forget(form.get("endpoint", ""))
    return JSONResponse({})


@router.get("/t/{table_id}/alerts")
async def show_at_table(request: Request, table_id: str) -> Response:
    """Show the visitor's notification settings for one table."""
    table, viewer = await seat_at(request, table_id)
    visitor = visitors_of(request).of(request)
    return visitors_of(request).remember(visitor, await _shown_at(request, visitor, table, viewer))


@router.post("/t/{table_id}/alerts")
async def choose_at_table(request: Request, table_id: str) -> Response:
    """Store the visitor's notification settings for one table."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    person = table.seating.persons().get(viewer) if viewer is not None else None
    if person is None:
        raise NotYourSeat(_("Only seated players get notifications from this table."))
    before = (await contacts_of(request).at(table.id, person)).off
    await contacts_of(request).keep_at(table.id, person, TableContact(None, _off(form, _ways(request), before)))
    return RedirectResponse(f"/t/{table_id}/alerts", 303)


@router.post("/t/{table_id}/webhook")
async def choose_webhook(request: Request, table_id: str) -> Response:
    """Store the table's webhook, as its host."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    visitor = visitors_of(request).of(request)
    try:
        await keep_webhook(request, table, form.get("webhook", ""), _off(form, ("webhook",)))
    except BadRequest as error:
        return await _shown_at(request, visitor, table, viewer, error, form)
    return RedirectResponse(f"/t/{table_id}/alerts", 303)


async def keep_webhook(request: Request, table: Table, url: str, off: frozenset[str]) -> TableContact:
    """Store a table's webhook. Raises NotYourSeat for anybody but the host, or BadRequest with a sentence."""
    if not is_host(request, table):
        raise NotYourSeat(_("Only the host can set the table's webhook."))
    webhook = url.strip()
    at = TableContact(await notifications_of(request).webhooks.accept(webhook) if webhook else None, off)
    await contacts_of(request).keep_at(table.id, THE_TABLE, at)
    return at


@router.post("/t/{table_id}/looking")
async def looking(request: Request, table_id: str) -> Response:
    """Record that the visitor is looking at the table, so that they are not notified about it."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    if viewer is not None:
        await notifications_of(request).looked(table, viewer, parse_number(form.get("version"), 19))
    return JSONResponse({})


async def _shown(
    request: Request, visitor: Visitor, error: Refused | None = None, form: Mapping[str, str] | None = None
) -> Response:
    given = form or {}
    contact = await contacts_of(request).of(visitor.holder)
    if "zone" in given:
        quiet_from, quiet_until = (_hour(given.get(name, "")) for name in ("quiet_from", "quiet_until"))
        off = _off(given, _ways(request), contact.off)
        contact = replace(contact, off=off, zone=given["zone"], quiet_from=quiet_from, quiet_until=quiet_until)
    email = await account_email(request, visitor.holder)
    return page(
        request,
        "alerts.html",
        status=error.status if error is not None else 200,
        csrf=visitor.csrf,
        error=error.sentence if error is not None else None,
        contact=contact,
        zones=list(zones()),
        off=contact.off,
        known=given.get("email", contact.email or email or ""),
        webhook=given.get("webhook", contact.webhook or ""),
        mails=notifications_of(request).mailer.ready,
        push_key=notifications_of(request).push.public_key,
        **_words(request),
    )


async def _shown_at(
    request: Request,
    visitor: Visitor,
    table: Table,
    viewer: int | None,
    error: Refused | None = None,
    form: Mapping[str, str] | None = None,
) -> Response:
    """Show the settings for one table; `form` is the one of its webhook if it was refused."""
    person = table.seating.persons().get(viewer) if viewer is not None else None
    hosting = is_host(request, table)
    at = await contacts_of(request).at(table.id, person) if person is not None else TableContact()
    own = await contacts_of(request).at(table.id, THE_TABLE) if hosting else TableContact()
    if form is not None:
        own = TableContact(form.get("webhook", ""), _off(form, ("webhook",)))
    words = _words(request)
    return page(
        request,
        "alerts_table.html",
        status=error.status if error is not None else 200,
        csrf=visitor.csrf,
        error=error.sentence if error is not None else None,
        title=titled(table.title, table.game),
        table_id=table.id,
        me=viewer if person is not None else None,
        off=at.off,
        hosting=hosting,
        own=own,
        of_table=[(kind, _(words)) for kind, words in TABLE_WORDS.items()],
        by_webhook=[way for way in words["ways"] if way[0] == "webhook"],
        **words,
    )


async def _guess_zone(request: Request, contact: Contact, guess: str) -> None:
    """Store the time zone reported by a browser if the person has not chosen one."""
    if contact.zone == UTC and guess != UTC and guess in zones():
        await contacts_of(request).keep(contact.person, zone=guess)


async def _question(request: Request, path: str, token: str, title: str, button: str) -> Response:
    visitor = visitors_of(request).of(request)
    response = page(request, "alerts_ask.html", csrf=visitor.csrf, path=path, token=token, title=title, button=button)
    return visitors_of(request).remember(visitor, response)


def _words(request: Request) -> dict[str, Any]:
    return {
        "kinds": [(kind, _(KIND_WORDS[kind])) for kind in KINDS],
        "ways": [(way, _(WAY_WORDS[way])) for way in _ways(request)],
    }


def _ways(request: Request) -> list[str]:
    """Return the ways that this server has."""
    return [way for way in WAYS if way != "mail" or notifications_of(request).mailer.ready]


def _off(form: Mapping[str, str], ways: Sequence[str], before: Iterable[str] = ()) -> frozenset[str]:
    """Return the notifications turned off in a form with these ways: unticked boxes, and other ways as `before`."""
    unticked = (f"{kind}.{way}" for kind in KINDS for way in ways if f"{kind}.{way}" not in form)
    return accept_off([*unticked, *(switch for switch in before if switch.rpartition(".")[2] not in ways)])


def _hour(text: str) -> int | None:
    """Return an hour as the form chose it, None if there is none."""
    with suppress(BadRequest):
        return accept_hour(text)
    return None
