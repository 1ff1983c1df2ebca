"""The JSON API for messages: how the person of a seat is reached, and a table's own webhook."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.web import wire
from pyramidion.web.answers import Json
from pyramidion.web.errors import NotYourSeat
from pyramidion.web.parts import contacts_of, notices_of, seat_at
from pyramidion.web.table import Table
from pyramidion.web.talk.alert_pages import change_email, keep_webhook
from pyramidion.web.talk.chat_api import ALLOWED, changing
from pyramidion.web.talk.chat_pages import is_host
from pyramidion.web.talk.contacts import THE_TABLE, AtTable, accept_off, accept_zone
from pyramidion.words import LANGUAGES, _

router = APIRouter(prefix="/api")


class AlertsIn(BaseModel):
    """What is to be changed; what is left out stays."""

    email: str | None = Field(default=None, description="A mail there asks whether it is yours; empty takes it away.")
    hook: str | None = Field(
        default=None, description="A webhook, such as a Discord or Slack channel's; empty for none."
    )
    zone: str | None = Field(default=None, description="Your time zone, by its IANA name: Europe/Paris.")
    language: str | None = None
    off: list[str] | None = Field(default=None, description="What is off everywhere: turn.mail, over.hook, ...")
    off_here: list[str] | None = Field(default=None, description="What is off for this table.")


class AlertsOut(BaseModel):
    """How you are reached."""

    email: str | None
    confirmed: bool = Field(description="Whether the question sent there was answered; nothing else goes there before.")
    hook: str | None
    zone: str
    language: str
    off: list[str]
    off_here: list[str]


class Webhook(BaseModel):
    """A table's own webhook: told what who watches may know."""

    hook: str = Field(description="Its address, or empty for none.")
    off: list[str] = Field(default=[], description="What it is not told: turn.hook, deadline.hook, ...")


@router.get("/tables/{table_id}/alerts", response_model=AlertsOut, responses=ALLOWED, summary="How you are reached")
async def get_alerts(table_id: str, request: Request) -> Json:
    """Return how the person of your seat is told that something waits for them."""
    table, viewer = await seat_at(request, table_id)
    return await _answer(request, table, _person(table, viewer))


@router.put("/tables/{table_id}/alerts", response_model=AlertsOut, responses=ALLOWED, summary="Say how to reach you")
async def put_alerts(table_id: str, order: AlertsIn, request: Request) -> Json:
    """Change how the person of your seat is told that something waits for them."""
    table, viewer = await changing(request, table_id)
    person, contacts = _person(table, viewer), contacts_of(request)
    values: dict[str, object] = {}
    if order.zone is not None:
        values["zone"] = accept_zone(order.zone)
    if order.language is not None and order.language in LANGUAGES:
        values["language"] = order.language
    if order.off is not None:
        values["off"] = accept_off(order.off)
    here = accept_off(order.off_here) if order.off_here is not None else None
    if order.hook is not None:
        hook = order.hook.strip()
        values["hook"] = await notices_of(request).hooks.accept(hook) if hook else None
    if values:
        await contacts.keep(person, **values)
    if here is not None:
        await contacts.keep_at(table.id, person, AtTable(None, here))
    if order.email is not None:
        await change_email(request, person, order.email)
    return await _answer(request, table, person)


@router.get("/tables/{table_id}/webhook", response_model=Webhook, responses=ALLOWED, summary="The table's webhook")
async def get_webhook(table_id: str, request: Request) -> Json:
    """Return the table's own webhook, to its host."""
    table, _viewer = await seat_at(request, table_id)
    if not is_host(request, table):
        raise NotYourSeat(_("The webhook of a table is its host's."))
    own = await contacts_of(request).at(table.id, THE_TABLE)
    return Json(wire.encode({"hook": own.hook or "", "off": sorted(own.off)}))


@router.put("/tables/{table_id}/webhook", response_model=Webhook, responses=ALLOWED, summary="Set the table's webhook")
async def put_webhook(table_id: str, order: Webhook, request: Request) -> Json:
    """Say where the table tells what who watches may know; for its host."""
    table, _viewer = await changing(request, table_id)
    own = await keep_webhook(request, table, order.hook, accept_off(order.off))
    return Json(wire.encode({"hook": own.hook or "", "off": sorted(own.off)}))


async def _answer(request: Request, table: Table, person: str) -> Json:
    contact, here = await contacts_of(request).of(person), await contacts_of(request).at(table.id, person)
    told = {
        "email": contact.email,
        "confirmed": contact.confirmed,
        "hook": contact.hook,
        "zone": contact.zone,
        "language": contact.language,
        "off": sorted(contact.off),
        "off_here": sorted(here.off),
    }
    return Json(wire.encode(told))


def _person(table: Table, viewer: int | None) -> str:
    person = table.persons().get(viewer) if viewer is not None else None
    if person is None:
        raise NotYourSeat(_("You hold no seat at this table."))
    return person
