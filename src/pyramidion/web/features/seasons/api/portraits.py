"""The JSON API for the portraits of a season's people, and the answer with a picture."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.translation import _
from pyramidion.web.features.seasons.api.season_call import Call, SeasonCall
from pyramidion.web.features.seasons.commands import ChooseFace
from pyramidion.web.features.seasons.loaded import UnknownSeason
from pyramidion.web.features.seasons.portraits import address, require_chooser
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(prefix="/api/seasons")
PICTURE = {
    # The address changes with the picture. Another visitor may not be allowed to see it, so proxies do not keep it.
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "content-disposition": "inline",
}


class Picture(Response):
    """A response whose body is a WebP picture."""

    media_type = "image/webp"


class PortraitOut(BaseModel):
    """A portrait: a chosen face, or an uploaded picture."""

    who: str
    face: str | None = Field(description="A digit for each part of a drawn face.")
    picture: str | None = Field(description="The path of an uploaded picture.")


class PortraitFaceIn(BaseModel):
    """The drawn face to use as a portrait."""

    face: str | None = Field(description="A digit for each part of a drawn face; null for the usual one.")


@router.get("/{season_id}/portraits", response_model=list[PortraitOut], responses=REFUSALS, summary="The portraits")
async def get_portraits(call: Call) -> Json:
    """Return the portraits of all contestants and hosts of the season that you may know of."""
    return await _answer(call)


@router.put(
    "/{season_id}/portraits/{person}", response_model=list[PortraitOut], responses=ALLOWED, summary="Choose a face"
)
async def put_face(season_id: str, person: str, order: PortraitFaceIn, call: Call) -> Json:
    """Choose a drawn face for yourself or, as a host, for a contestant."""
    await call.carry_out(ChooseFace(person, order.face))
    return await _answer(call)


@router.put(
    "/{season_id}/portraits/{person}/picture",
    response_model=list[PortraitOut],
    responses=ALLOWED,
    summary="Upload a picture",
)
async def put_picture(season_id: str, person: str, call: Call) -> Json:
    """Upload a portrait: a PNG, JPEG or WebP as the body of the request. It is stored as a small square."""
    call.count_change()
    require_chooser(call.loaded, call.requester, person)
    call.limits.table(call.request.scope)
    data = await call.request.body()
    await call.seasons.portraits.upload(call.loaded, call.requester, person, data)
    return await _answer(call)


@router.get(
    "/{season_id}/portraits/{person}/{mark}.webp",
    response_class=Picture,
    responses=REFUSALS,
    summary="An uploaded picture",
)
async def get_picture(season_id: str, person: str, mark: str, call: Call) -> Picture:
    """Return an uploaded portrait."""
    visible = call.seasons.visible_season(call.loaded, call.requester)
    picture = await call.seasons.portraits.picture(call.loaded, visible, person, mark)
    if picture is None:
        raise UnknownSeason(_("There is no such picture."))
    return Picture(picture, 200, PICTURE)


async def _answer(call: SeasonCall) -> Json:
    """Answer with the portraits of the contestants and hosts that the requester may know of."""
    visible = call.seasons.visible_season(call.loaded, call.requester)
    portraits = await call.seasons.portraits.of(call.loaded, visible)
    body = [
        {
            "who": who,
            "face": portrait.face,
            "picture": address(call.loaded.id, who, portrait.mark) if portrait.mark else None,
        }
        for who in (*visible.cast, *visible.hosts)
        if (portrait := portraits.get(who)) is not None
    ]
    return Json(wire.encode(body))
