"""The JSON API for saved templates of seasons."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.seasons.template import Template
from pyramidion.web.features.seasons.access import SCOPES
from pyramidion.web.features.seasons.saved_templates import shipped
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http.dependencies import acting_for, api_caller
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(prefix="/api/season-templates")


class TemplateIn(BaseModel):
    """A template to save."""

    name: str
    template: Template
    club: str | None = Field(default=None, description="A club of yours, by its id, whose members are shown it.")


class TemplateOut(BaseModel):
    """A saved template. Anybody who knows the id can read it."""

    id: str
    name: str
    mine: bool = Field(description="Whether you have saved it.")
    club: str | None = Field(description="The club with which it is shared, if you are a member.")
    club_name: str | None
    template: Template


@router.get("", response_model=list[TemplateOut], responses=REFUSALS, summary="Saved templates of seasons")
async def get_templates(request: Request, seasons: Service[Seasons]) -> Json:
    """Return your own templates and those of your clubs, the newest first."""
    holder = (await acting_for(request, *SCOPES)).holder
    return Json(wire.encode([template.encoded() for template in await seasons.templates.of(holder)]))


@router.post("", status_code=201, response_model=TemplateOut, responses=ALLOWED, summary="Save a template")
async def save_template(
    order: TemplateIn, request: Request, seasons: Service[Seasons], limits: Service[RateLimits]
) -> Json:
    """Save a template under a name, and share it with a club if you like."""
    holder = (await acting_for(request, *SCOPES, changes=True)).holder
    limits.table(request.scope)
    saved = await seasons.templates.keep(holder, order.name, order.template, order.club)
    return Json(wire.encode(saved.encoded()), 201, {"location": f"/api/season-templates/{saved.id}"})


@router.get("/shipped", response_model=list[TemplateOut], responses=REFUSALS, summary="Templates of the server")
async def get_shipped_templates() -> Json:
    """Return the templates that come with the server."""
    return Json(wire.encode([template.encoded() for template in shipped().values()]))


@router.get("/{template_id}", response_model=TemplateOut, responses=REFUSALS, summary="A saved template")
async def get_saved_template(template_id: str, request: Request, seasons: Service[Seasons]) -> Json:
    """Return a template by its id."""
    saved = await seasons.templates.get(template_id, (await api_caller(request, *SCOPES)).visitor)
    return Json(wire.encode(saved.encoded()))


@router.delete("/{template_id}", status_code=204, responses=ALLOWED, summary="Delete a template")
async def delete_template(template_id: str, request: Request, seasons: Service[Seasons]) -> Response:
    """Delete a template of your own; seasons that began with it stay as they are."""
    holder = (await acting_for(request, *SCOPES, changes=True)).holder
    await seasons.templates.delete(holder, template_id)
    return Response(status_code=204)
