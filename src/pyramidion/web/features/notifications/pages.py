"""The pages of notification settings, in general and for one table, and the browser's feed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.translation import _, language, marked
from pyramidion.web.errors import BadRequest, NotYourSeat, Refused
from pyramidion.web.features.notifications.commands import SetAtTable, SetEmail, execute, off_of_form, settings_of_form
from pyramidion.web.features.notifications.contacts import (
    KINDS,
    THE_TABLE,
    WAYS,
    Contacts,
    TableContact,
    require_host,
    zones,
)
from pyramidion.web.features.notifications.service import Notifications
from pyramidion.web.features.notifications.transports.push import Device, Push, accept_hour
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import parse_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.table_requests.access import requester_at, seat_at

router = APIRouter(include_in_schema=False)
KIND_WORDS = {
    "turn": marked("Your turn"),
    "deadline": marked("Your time is running out"),
    "started": marked("Game started"),
    "over": marked("Game over"),
    "line": marked("Private message"),
    "invited": marked("Invitation to a game"),
    "episode": marked("New episode of a season you follow"),
}
TABLE_WORDS = {
    "turn": marked("A player's turn"),
    "deadline": marked("Time is running out"),
    "started": marked("Game started"),
    "over": marked("The game is over"),
}
WAY_WORDS = {"browser": marked("Browser"), "mail": marked("E-mail"), "webhook": marked("Webhook")}


@router.get("/alerts")
async def show(pages: Pages, notifications: Service[Notifications]) -> Response:
    """Show the page of the visitor's notification settings."""
    return await _settings_page(pages, notifications)


@router.post("/alerts")
@router.post("/alerts/email")
async def change(
    form: PostedForm, pages: Pages, notifications: Service[Notifications], limits: Service[RateLimits]
) -> Response:
    """Store the visitor's notification settings, or their e-mail address, which is then sent a confirmation e-mail."""
    request, person = pages.request, pages.visitor.holder
    try:
        if request.url.path.endswith("/email"):
            command = SetEmail(form.get("email", ""), form.get("guess", ""))
        else:
            command = settings_of_form(
                form, _available_ways(notifications), (await notifications.contacts.of(person)).off
            )
        await execute(command, person, notifications, partial(limits.mail, request.scope))
    except Refused as error:
        return await _settings_page(pages, notifications, error, form)
    return RedirectResponse("/alerts", 303)


@router.get("/alerts/confirm")
async def ask_to_confirm(pages: Pages, token: str = "") -> Response:
    """Show the button that confirms an e-mail address.

    Opening the link is not enough, because mail scanners open links.
    """
    return _button_page(pages, token, _("Is this your address?"), _("Confirm address"))


@router.post("/alerts/confirm")
async def confirm(request: Request, form: PostedForm, contacts: Service[Contacts]) -> Response:
    """Confirm the e-mail address in the token of a form."""
    address = await contacts.confirm(form.get("token", ""))
    sentence = _("Notifications will be e-mailed to {address}.").format(address=address)
    return page(request, "message.html", title=_("Confirmed"), sentence=sentence, back="/")


@router.get("/alerts/stop")
async def ask_to_stop(pages: Pages, token: str = "") -> Response:
    """Show the button that unsubscribes an e-mail address."""
    return _button_page(pages, token, _("Turn off e-mail?"), _("Turn off e-mail"))


@router.post("/alerts/stop")
async def stop(request: Request, contacts: Service[Contacts], tables: Service[Tables], token: str = "") -> Response:
    """Unsubscribe the e-mail address in a token.

    Nothing but the token is needed, because mail programs send this request by themselves (RFC 8058).
    """
    address = await contacts.stop(token, tables.now())
    sentence = _("E-mail to {address} is turned off.").format(address=address)
    return page(request, "message.html", title=_("Turned off"), sentence=sentence, back="/")


@router.get("/alerts/feed")
async def feed(pages: Pages, notifications: Service[Notifications], guess: str = "") -> Response:
    """Return what the visitor's browser is to show now, as a JSON list of {"id", "title", "text", "link"}.

    `guess` is the time zone that the browser reports.
    """
    visitor = pages.visitor
    waiting = [] if visitor.new else await notifications.sender.for_browser(visitor.holder, language())
    if guess and not visitor.new:
        await notifications.contacts.guess_zone(visitor.holder, guess)
    body = [
        {"id": f"{queued.match}.{queued.kind}", "title": text.title, "text": text.text, "link": queued.path}
        for queued, text in waiting
    ]
    return JSONResponse(body)


@router.post("/alerts/push")
async def subscribe(
    form: PostedForm,
    pages: Pages,
    push: Service[Push],
    contacts: Service[Contacts],
    tables: Service[Tables],
    limits: Service[RateLimits],
) -> Response:
    """Store the visitor's device, so that notifications are pushed to it."""
    limits.attempt(pages.request.scope)
    holder = pages.visitor.holder
    device = Device(form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", ""))
    await push.subscribe(holder, device, tables.now())
    await contacts.keep(holder, language=language())
    await contacts.guess_zone(holder, form.get("guess", ""))
    return JSONResponse({})


@router.post("/alerts/push/stop")
async def unsubscribe(form: PostedForm, push: Service[Push]) -> Response:
    """Forget the visitor's device, so that nothing more is pushed to it."""
    await push.forget(form.get("endpoint", ""))
    return JSONResponse({})


@router.get("/t/{table_id}/alerts")
async def show_at_table(table_id: str, pages: Pages, notifications: Service[Notifications]) -> Response:
    """Show the page of the visitor's notification settings for one table."""
    table, requester = await requester_at(pages.request, table_id)
    return await _table_page(pages, notifications, table, requester)


@router.post("/t/{table_id}/alerts")
@router.post("/t/{table_id}/webhook")
async def change_at_table(
    table_id: str, form: PostedForm, pages: Pages, notifications: Service[Notifications], limits: Service[RateLimits]
) -> Response:
    """Store the visitor's notification settings for one table, or as its host the table's webhook."""
    request, contacts = pages.request, notifications.contacts
    table, requester = await requester_at(request, table_id)
    if request.url.path.endswith("/webhook"):
        require_host(requester.host)
        command = SetAtTable(table.id, off_of_form(form, ("webhook",)), form.get("webhook", ""))
        person = THE_TABLE
    else:
        person = _person(table, requester.seat)
        if person is None:
            raise NotYourSeat(_("Only seated players get notifications from this table."))
        before = (await contacts.at(table.id, person)).off
        command = SetAtTable(table.id, off_of_form(form, _available_ways(notifications), before))
    try:
        await execute(command, person, notifications, partial(limits.mail, request.scope))
    except BadRequest as error:
        return await _table_page(pages, notifications, table, requester, error, form)
    return RedirectResponse(f"/t/{table_id}/alerts", 303)


@router.post("/t/{table_id}/looking")
async def looking(request: Request, table_id: str, form: PostedForm, notifications: Service[Notifications]) -> Response:
    """Record that the visitor sees the table now, so that they are not notified of what they see."""
    table, viewer = await seat_at(request, table_id)
    if viewer is not None:
        await notifications.looked(table, viewer, parse_number(form.get("version"), 19))
    return JSONResponse({})


async def _settings_page(
    pages: VisitorPages,
    notifications: Notifications,
    refusal: Refused | None = None,
    form: Mapping[str, str] | None = None,
) -> Response:
    """Show the visitor's notification settings, or what they entered in `form` if that was refused with `refusal`."""
    given = form or {}
    contact = await notifications.contacts.of(pages.visitor.holder)
    if "zone" in given:
        quiet_from, quiet_until = (_hour_or_none(given.get(name, "")) for name in ("quiet_from", "quiet_until"))
        off = off_of_form(given, _available_ways(notifications), contact.off)
        contact = replace(contact, off=off, zone=given["zone"], quiet_from=quiet_from, quiet_until=quiet_until)
    account = await pages.account()
    own_address = contact.email or (account.email if account is not None else None)
    return pages.render(
        "alerts.html",
        refusal=refusal,
        contact=contact,
        zones=list(zones()),
        off=contact.off,
        known=given.get("email", own_address or ""),
        webhook=given.get("webhook", contact.webhook or ""),
        mails=notifications.mailer.ready,
        push_key=notifications.push.public_key,
        **_label_context(notifications),
    )


async def _table_page(
    pages: VisitorPages,
    notifications: Notifications,
    table: Table,
    requester: Requester,
    refusal: Refused | None = None,
    form: Mapping[str, str] | None = None,
) -> Response:
    """Show the visitor's notification settings for one table, and for its host the table's webhook.

    `form` is a form for the webhook that was refused with `refusal`.
    """
    contacts, person, hosting = notifications.contacts, _person(table, requester.seat), requester.host
    at = await contacts.at(table.id, person) if person is not None else TableContact()
    own = await contacts.at(table.id, THE_TABLE) if hosting else TableContact()
    if form is not None:
        own = TableContact(form.get("webhook", ""), off_of_form(form, ("webhook",)))
    words = _label_context(notifications)
    return pages.render(
        "alerts_table.html",
        refusal=refusal,
        title=titled(table.title, table.game),
        table_id=table.id,
        me=requester.seat if person is not None else None,
        off=at.off,
        hosting=hosting,
        own=own,
        of_table=[(kind, _(words)) for kind, words in TABLE_WORDS.items()],
        by_webhook=[way for way in words["ways"] if way[0] == "webhook"],
        **words,
    )


def _person(table: Table, seat: int | None) -> str | None:
    """Return the id of the person in a seat, or None for no seat or a bot."""
    return table.seating.persons().get(seat) if seat is not None else None


def _button_page(pages: VisitorPages, token: str, title: str, button: str) -> Response:
    """Show a page with a button that sends the token of a link back to the same path."""
    return pages.render("alerts_ask.html", path=pages.request.url.path, token=token, title=title, button=button)


def _label_context(notifications: Notifications) -> dict[str, list[tuple[str, str]]]:
    """Return the template variables with the labels of all kinds of notifications and all ways."""
    return {
        "kinds": [(kind, _(KIND_WORDS[kind])) for kind in KINDS],
        "ways": [(way, _(WAY_WORDS[way])) for way in _available_ways(notifications)],
    }


def _available_ways(notifications: Notifications) -> list[str]:
    """Return the ways in which this server can notify people, as they are named in the settings."""
    return [way for way in WAYS if way != "mail" or notifications.mailer.ready]


def _hour_or_none(text: str) -> int | None:
    """Return the hour in a form field, or None if it is empty or invalid."""
    with suppress(BadRequest):
        return accept_hour(text)
    return None
