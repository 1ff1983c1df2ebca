"""The JSON API of notification settings and of a table's webhook."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.translation import LANGUAGES, _
from pyramidion.web.errors import NotYourSeat
from pyramidion.web.features.notifications.commands import ChangeContact, Command, SetAtTable, SetEmail, execute
from pyramidion.web.features.notifications.contacts import (
    THE_TABLE,
    Contacts,
    TableContact,
    accept_off,
    accept_zone,
    require_host,
)
from pyramidion.web.features.notifications.service import Notifications
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import changer_at, requester_at, seat_at

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
async def get_alerts(table_id: str, request: Request, contacts: Service[Contacts]) -> Json:
    """Get your notification settings."""
    table, viewer = await seat_at(request, table_id)
    return await _settings_answer(contacts, table, _person(table, viewer))


@router.put(
    "/tables/{table_id}/alerts",
    response_model=AlertsOut,
    responses=ALLOWED,
    summary="Change your notification settings",
)
async def put_alerts(
    table_id: str, body: AlertsIn, request: Request, notifications: Service[Notifications], limits: Service[RateLimits]
) -> Json:
    """Change your notification settings."""
    table, requester = await changer_at(request, table_id)
    person = _person(table, requester.seat)
    zone = accept_zone(body.zone) if body.zone is not None else None
    off = accept_off(body.off) if body.off is not None else None
    language = body.language if body.language in LANGUAGES else None
    changes: list[Command] = [ChangeContact(off, zone, None, body.webhook, language)]
    if body.off_here is not None:
        changes.append(SetAtTable(table.id, accept_off(body.off_here)))
    if body.email is not None:
        changes.append(SetEmail(body.email))
    for change in changes:
        await execute(change, person, notifications, partial(limits.mail, request.scope))
    return await _settings_answer(notifications.contacts, table, person)


@router.get("/tables/{table_id}/webhook", response_model=Webhook, responses=ALLOWED, summary="Get the table's webhook")
async def get_webhook(table_id: str, request: Request, contacts: Service[Contacts]) -> Json:
    """Get the table's webhook, as its host."""
    table, requester = await requester_at(request, table_id)
    require_host(requester.host)
    return _webhook_answer(await contacts.at(table.id, THE_TABLE))


@router.put("/tables/{table_id}/webhook", response_model=Webhook, responses=ALLOWED, summary="Set the table's webhook")
async def put_webhook(
    table_id: str, body: Webhook, request: Request, notifications: Service[Notifications], limits: Service[RateLimits]
) -> Json:
    """Set the table's webhook, as its host."""
    table, requester = await changer_at(request, table_id)
    change = SetAtTable(table.id, accept_off(body.off), body.webhook)
    require_host(requester.host)
    await execute(change, THE_TABLE, notifications, partial(limits.mail, request.scope))
    return _webhook_answer(await notifications.contacts.at(table.id, THE_TABLE))


def _webhook_answer(settings: TableContact) -> Json:
    """Return the JSON response with a table's webhook."""
    return Json(wire.encode({"webhook": settings.webhook or "", "off": sorted(settings.off)}))


async def _settings_answer(contacts: Contacts, table: Table, person: str) -> Json:
    """Return the JSON response with a person's notification settings, in general and for one table."""
    contact, here = await contacts.of(person), await contacts.at(table.id, person)
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
    """Return the id of the person in the viewer's seat. Raises NotYourSeat for spectators."""
    person = table.seating.persons().get(viewer) if viewer is not None else None
    if person is None:
        raise NotYourSeat(_("You do not have a seat at this table."))
    return person
