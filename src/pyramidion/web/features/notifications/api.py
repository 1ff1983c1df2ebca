"""The JSON API of notification settings and of a table's webhook."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.translation import LANGUAGES, _
from pyramidion.web.errors import NotYourSeat
from pyramidion.web.features.notifications.contacts import THE_TABLE, TableContact, accept_off, accept_zone
from pyramidion.web.features.notifications.pages import change_email, keep_webhook
from pyramidion.web.features.notifications.service import contacts_of, notifications_of
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import changer_at, is_host, seat_at

router = APIRouter(prefix="/api")


class AlertsIn(BaseModel):
    """Changes to your notification settings; omitted fields stay as they are."""

    email: str | None = Field(
        default=None, description="Your address; an e-mail asks you to confirm it. Empty removes it."
    )
    webhook: str | None = Field(
        default=None, description="A webhook, such as a Discord or Slack channel's; empty for none."
    )
    zone: str | None = Field(default=None, description="Your time zone, by its IANA name: Europe/Paris.")
    language: str | None = None
    off: list[str] | None = Field(default=None, description="What is off everywhere: turn.mail, over.webhook, ...")
    off_here: list[str] | None = Field(default=None, description="Notifications turned off for this table.")


class AlertsOut(BaseModel):
    """Your notification settings."""

    email: str | None
    confirmed: bool = Field(description="Whether the address is confirmed; until then nothing else is sent there.")
    webhook: str | None
    zone: str
    language: str
    off: list[str]
    off_here: list[str]


class Webhook(BaseModel):
    """A table's webhook, which reports what spectators may know."""

    webhook: str = Field(description="The webhook's URL; empty for none.")
    off: list[str] = Field(default=[], description="Notifications turned off: turn.webhook, deadline.webhook, ...")


@router.get(
    "/tables/{table_id}/alerts", response_model=AlertsOut, responses=ALLOWED, summary="Get your notification settings"
)
async def get_alerts(table_id: str, request: Request) -> Json:
    """Get your notification settings."""
    table, viewer = await seat_at(request, table_id)
    return await _answer(request, table, _person(table, viewer))


@router.put(
    "/tables/{table_id}/alerts",
    response_model=AlertsOut,
    responses=ALLOWED,
    summary="Change your notification settings",
)
async def put_alerts(table_id: str, body: AlertsIn, request: Request) -> Json:
    """Change your notification settings."""
    table, requester = await changer_at(request, table_id)
    person, contacts = _person(table, requester.seat), contacts_of(request)
    values: dict[str, object] = {}
    if body.zone is not None:
        values["zone"] = accept_zone(body.zone)
    if body.language is not None and body.language in LANGUAGES:
        values["language"] = body.language
    if body.off is not None:
        values["off"] = accept_off(body.off)
    here = accept_off(body.off_here) if body.off_here is not None else None
    if body.webhook is not None:
        webhook = body.webhook.strip()
        values["webhook"] = await notifications_of(request).webhooks.accept(webhook) if webhook else None
    if values:
        await contacts.keep(person, **values)
    if here is not None:
        await contacts.keep_at(table.id, person, TableContact(None, here))
    if body.email is not None:
        await change_email(request, person, body.email)
    return await _answer(request, table, person)


@router.get("/tables/{table_id}/webhook", response_model=Webhook, responses=ALLOWED, summary="Get the table's webhook")
async def get_webhook(table_id: str, request: Request) -> Json:
    """Get the table's webhook, as its host."""
    table, _viewer = await seat_at(request, table_id)
    if not is_host(request, table):
        raise NotYourSeat(_("Only the host can set the table's webhook."))
    own = await contacts_of(request).at(table.id, THE_TABLE)
    return Json(wire.encode({"webhook": own.webhook or "", "off": sorted(own.off)}))


@router.put("/tables/{table_id}/webhook", response_model=Webhook, responses=ALLOWED, summary="Set the table's webhook")
async def put_webhook(table_id: str, body: Webhook, request: Request) -> Json:
    """Set the table's webhook, as its host."""
    table, _requester = await changer_at(request, table_id)
    own = await keep_webhook(request, table, body.webhook, accept_off(body.off))
    return Json(wire.encode({"webhook": own.webhook or "", "off": sorted(own.off)}))


async def _answer(request: Request, table: Table, person: str) -> Json:
    contact, here = await contacts_of(request).of(person), await contacts_of(request).at(table.id, person)
    body = {
        "email": contact.email,
        "confirmed": contact.confirmed,
        "webhook": contact.webhook,
        "zone": contact.zone,
        "language": contact.language,
        "off": sorted(contact.off),
        "off_here": sorted(here.off),
    }
    return Json(wire.encode(body))


def _person(table: Table, viewer: int | None) -> str:
    person = table.seating.persons().get(viewer) if viewer is not None else None
    if person is None:
        raise NotYourSeat(_("You do not have a seat at this table."))
    return person
