"""Messages for people: where one says how to be reached and what for, everywhere and at one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.web.errors import BadRequest, NotYourSeat, Refused
from pyramidion.web.pages import page
from pyramidion.web.parts import (
    accounts_of,
    chats_of,
    contacts_of,
    limits_of,
    notices_of,
    seat_at,
    tables_of,
    visitors_of,
)
from pyramidion.web.seats import Visitor
from pyramidion.web.table import Table
from pyramidion.web.talk.chat_pages import is_host
from pyramidion.web.talk.contacts import (
    KINDS,
    THE_TABLE,
    UTC,
    WAYS,
    AtTable,
    Contact,
    accept_off,
    accept_zone,
    zones,
)
from pyramidion.web.talk.mail import MailFailed, accept_address
from pyramidion.words import _, language, marked

router = APIRouter(include_in_schema=False)
KIND_WORDS = {
    "turn": marked("I have something to decide"),
    "deadline": marked("My time for a decision ends soon"),
    "started": marked("A game has begun"),
    "over": marked("A game is over"),
    "line": marked("There is a private line for me"),
}
TABLE_WORDS = {
    "turn": marked("People have something to decide"),
    "deadline": marked("The time for a decision ends soon"),
    "started": marked("The game has begun"),
    "over": marked("The game is over"),
}
WAY_WORDS = {"browser": marked("Browser"), "mail": marked("E-mail"), "hook": marked("Webhook")}


@router.get("/alerts")
async def show(request: Request) -> Response:
    """Show how the visitor is reached."""
    visitor = visitors_of(request).of(request)
    return visitors_of(request).remember(visitor, await _shown(request, visitor))


@router.post("/alerts")
async def choose(request: Request) -> Response:
    """Store what is on, the time zone and the webhook."""
    form = await visitors_of(request).checked_form(request)
    visitor = visitors_of(request).of(request)
    try:
        hook = form.get("hook", "").strip()
        values = {
            "off": _off(form),
            "zone": accept_zone(form.get("zone", "UTC")),
            "hook": await notices_of(request).hooks.accept(hook) if hook else None,
            "language": language(),
        }
    except BadRequest as error:
        return await _shown(request, visitor, error, form)
    await contacts_of(request).keep(visitor.holder, **values)
    return RedirectResponse("/alerts", 303)


@router.post("/alerts/email")
async def email(request: Request) -> Response:
    """Take an address and ask there whether it is the visitor's; an empty one takes the former away."""
    form = await visitors_of(request).checked_form(request)
    visitor = visitors_of(request).of(request)
    try:
        contact = await change_email(request, visitor.holder, form.get("email", ""))
        await _guess_zone(request, contact, form.get("guess", ""))
    except Refused as error:
        return await _shown(request, visitor, error, form)
    return RedirectResponse("/alerts", 303)


async def change_email(request: Request, person: str, text: str) -> Contact:
    """Take a person's address, and ask there whether it is theirs. Raises BadRequest, TooMany or NotSaved."""
    contacts, notices = contacts_of(request), notices_of(request)
    if not text.strip():
        return await contacts.keep(person, email=None, confirmed=False)
    address = accept_address(text)
    if not notices.mailer.ready:
        raise BadRequest(_("This server sends no mail."))
    if await contacts.refuses_mail(address, tables_of(request).now()):
        raise BadRequest(_("Whoever reads mail at this address wants none from here for now."))
    before = await contacts.of(person)
    if before.confirmed and before.email == address:
        return before
    limits_of(request).mail(request.scope, person, address.lower())
    try:
        await notices.ask(replace(before, language=language()), address)
    except MailFailed as error:
        raise BadRequest(str(error)) from error
    return await contacts.keep(person, email=address, confirmed=False, language=language())


@router.get("/alerts/confirm")
async def ask_to_confirm(request: Request, token: str = "") -> Response:
    """Offer to confirm an address; a button does it, since machines open what is in mails."""
    return await _question(request, "/alerts/confirm", token, _("Is this your address?"), _("Yes, it is mine"))


@router.post("/alerts/confirm")
async def confirm(request: Request) -> Response:
    """Confirm an address."""
    form = await visitors_of(request).checked_form(request)
    address = await contacts_of(request).confirm(form.get("token", ""))
    said = _("From now on you are told by mail to {address} when something waits for you.").format(address=address)
    return page(request, "message.html", title=_("Confirmed"), sentence=said, back="/")


@router.get("/alerts/stop")
async def ask_to_stop(request: Request, token: str = "") -> Response:
    """Offer to turn all mail to an address off."""
    return await _question(request, "/alerts/stop", token, _("No more mail?"), _("Turn all mail off"))


@router.post("/alerts/stop")
async def stop(request: Request, token: str = "") -> Response:
    """Turn all mail to an address off. The token alone allows it: mail programs do this by themselves (RFC 8058)."""
    address = await contacts_of(request).stop(token, tables_of(request).now())
    said = _("No more mail goes to {address}.").format(address=address)
    return page(request, "message.html", title=_("Turned off"), sentence=said, back="/")


@router.get("/alerts/feed")
async def feed(request: Request, guess: str = "") -> Response:
    """Return what the visitor's browser is to show now: {"id", "title", "text", "link"} each."""
    visitor = visitors_of(request).of(request)
    found = [] if visitor.new else await notices_of(request).for_browser(visitor.holder, language())
    if guess and not visitor.new:
        await _guess_zone(request, await contacts_of(request).of(visitor.holder), guess)
    told = [
        {"id": f"{one.match}.{one.kind}", "title": said.title, "text": said.text, "link": f"/t/{one.match}"}
        for one, said in found
    ]
    return JSONResponse(told, headers={"cache-control": "no-store"})


@router.get("/t/{table_id}/alerts")
async def show_at_table(request: Request, table_id: str) -> Response:
    """Show what the visitor is told of one table."""
    table, viewer = await seat_at(request, table_id)
    visitor = visitors_of(request).of(request)
    return visitors_of(request).remember(visitor, await _shown_at(request, visitor, table, viewer))


@router.post("/t/{table_id}/alerts")
async def choose_at_table(request: Request, table_id: str) -> Response:
    """Store what the visitor wants to be told of one table."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    person = table.persons().get(viewer) if viewer is not None else None
    if person is None:
        raise NotYourSeat(_("You hold no seat at this table, so nothing is told you of it."))
    await contacts_of(request).keep_at(table.id, person, AtTable(None, _off(form)))
    return RedirectResponse(f"/t/{table_id}/alerts", 303)


@router.post("/t/{table_id}/webhook")
async def choose_webhook(request: Request, table_id: str) -> Response:
    """Store the table's own webhook, which is the host's."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    visitor = visitors_of(request).of(request)
    try:
        await keep_webhook(request, table, form.get("hook", ""), _off(form, ("hook",)))
    except BadRequest as error:
        return await _shown_at(request, visitor, table, viewer, error)
    return RedirectResponse(f"/t/{table_id}/alerts", 303)


async def keep_webhook(request: Request, table: Table, url: str, off: frozenset[str]) -> AtTable:
    """Store a table's own webhook. Raises NotYourSeat unless its host asks, or BadRequest with a sentence."""
    if not is_host(request, table):
        raise NotYourSeat(_("The webhook of a table is its host's."))
    hook = url.strip()
    at = AtTable(await notices_of(request).hooks.accept(hook) if hook else None, off)
    await contacts_of(request).keep_at(table.id, THE_TABLE, at)
    return at


@router.post("/t/{table_id}/looking")
async def looking(request: Request, table_id: str) -> Response:
    """Take note that the visitor has the table before their eyes, so that nothing is told them of it."""
    await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    if viewer is not None:
        await chats_of(request).looked(table, viewer)
    return JSONResponse({})


async def _shown(
    request: Request, visitor: Visitor, error: Refused | None = None, form: Mapping[str, str] | None = None
) -> Response:
    given = form or {}
    contact = await contacts_of(request).of(visitor.holder)
    account = await accounts_of(request).of(visitor.holder)
    return page(
        request,
        "alerts.html",
        status=error.status if error is not None else 200,
        csrf=visitor.csrf,
        error=error.sentence if error is not None else None,
        contact=contact,
        zones=list(zones()),
        off=contact.off,
        known=given.get("email", contact.email or (account.email if account is not None else None) or ""),
        hook=given.get("hook", contact.hook or ""),
        mails=notices_of(request).mailer.ready,
        **_words(),
    )


async def _shown_at(
    request: Request, visitor: Visitor, table: Table, viewer: int | None, error: Refused | None = None
) -> Response:
    person = table.persons().get(viewer) if viewer is not None else None
    hosting = is_host(request, table)
    at = await contacts_of(request).at(table.id, person) if person is not None else AtTable()
    return page(
        request,
        "alerts_table.html",
        status=error.status if error is not None else 200,
        csrf=visitor.csrf,
        error=error.sentence if error is not None else None,
        title=table.title,
        table_id=table.id,
        me=viewer if person is not None else None,
        off=at.off,
        hosting=hosting,
        own=await contacts_of(request).at(table.id, THE_TABLE) if hosting else AtTable(),
        of_table=[(kind, _(words)) for kind, words in TABLE_WORDS.items()],
        **_words(),
    )


async def _guess_zone(request: Request, contact: Contact, guess: str) -> None:
    """Take the time zone that a browser thinks it is in, for somebody who has named none."""
    if contact.zone == UTC and guess != UTC and guess in zones():
        await contacts_of(request).keep(contact.person, zone=guess)


async def _question(request: Request, path: str, token: str, title: str, button: str) -> Response:
    visitor = visitors_of(request).of(request)
    shown = page(request, "alerts_ask.html", csrf=visitor.csrf, path=path, token=token, title=title, button=button)
    return visitors_of(request).remember(visitor, shown)


def _words() -> dict[str, list[tuple[str, str]]]:
    return {
        "kinds": [(kind, _(KIND_WORDS[kind])) for kind in KINDS],
        "ways": [(way, _(WAY_WORDS[way])) for way in WAYS],
    }


def _off(form: Mapping[str, str], ways: tuple[str, ...] = WAYS) -> frozenset[str]:
    """Return what is switched off: the boxes that are not ticked."""
    return accept_off(f"{kind}.{way}" for kind in KINDS for way in ways if f"{kind}.{way}" not in form)
