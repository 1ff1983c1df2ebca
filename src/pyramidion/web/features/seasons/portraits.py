"""Portraits of a season's people: one of the site's drawn faces, or an uploaded picture, made small on the server."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.seasons.events import CastChanged
from pyramidion.seasons.roles import may
from pyramidion.seasons.season import Season
from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import SEASON_PORTRAITS
from pyramidion.web.errors import BadRequest, NotYours
from pyramidion.web.features.seasons import store, thumbnail
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.names import LARGEST_PICTURE
from pyramidion.web.table.seats.faces import Face

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer

SIDE = 256
"""The width and height of a stored picture, in pixels."""
MOST_PIXELS = 25_000_000
SECONDS = 30
"""How long a picture may take."""
P = SEASON_PORTRAITS.c


@dataclass(frozen=True, slots=True)
class Portrait:
    """A person's portrait: a drawn face, or the mark of an uploaded picture.

    A mark is derived from the picture's content, so that a new picture has a new address.
    """

    face: str | None
    mark: str | None


class Portraits:
    """Stores and reads the portraits of the people of all seasons.

    A person without a portrait has the face of the latest table outside seasons, or one made from the name.
    """

    def __init__(self, database: Store, writer: Writer) -> None:
        self._store, self._writer = database, writer
        self._shrinking = asyncio.Semaphore(1)

    async def of(self, loaded: LoadedSeason, visible: Season) -> dict[str, Portrait]:
        """Return the portraits of a season's people by id, as far as the requester may know of them.

        `visible` is the season as the requester may know it. While a stand-in is hidden from the requester, the place
        still has the portrait of the earlier player.
        """
        return await asyncio.to_thread(self._read, loaded, visible)

    async def paths(self, loaded: LoadedSeason, visible: Season) -> dict[str, str]:
        """Return the paths of the uploaded pictures among the portraits that `of` returns."""
        portraits = await self.of(loaded, visible)
        return {who: address(loaded.id, who, portrait.mark) for who, portrait in portraits.items() if portrait.mark}

    def _read(self, loaded: LoadedSeason, visible: Season) -> dict[str, Portrait]:
        """Read the portraits from the database, as `of` says; blocks."""
        present = [
            person
            for person in loaded.people.values()
            if visible.player(person.who) == loaded.season.player(person.who)
        ]
        holders = {person.holder: person.who for person in present if person.holder is not None}
        faces = store.faces(self._store, set(holders))
        portraits = {holders[holder]: Portrait(face, None) for holder, face in faces.items()}
        query = sa.select(P.who, P.player, P.face, P.mark).where(P.season == loaded.id)
        for row in self._store.query(query):
            if row.player == visible.player(row.who):
                portraits[row.who] = Portrait(row.face, row.mark if row.face is None else None)
        return {who: portrait for who, portrait in portraits.items() if visible.player(who) is not None}

    async def picture(self, loaded: LoadedSeason, visible: Season, who: str, mark: str) -> bytes | None:
        """Return the uploaded picture (WebP) of a person with this mark, or None if it does not exist or is hidden.

        It is hidden if the player who uploaded it is not yet known in the `visible` season.
        """
        query = sa.select(P.player, P.picture).where(P.season == loaded.id, P.who == who, P.mark == mark)
        rows = await asyncio.to_thread(self._store.query, query)
        return next((row.picture for row in rows if visible.had(who, row.player)), None)

    async def choose(self, loaded: LoadedSeason, requester: SeasonRequester, who: str, face: str | None) -> None:
        """Choose a drawn face as a person's portrait, None for the usual one. Raises NotYours, BadRequest or NotSaved.

        If a host removes a contestant's portrait, those of earlier players in that place are removed as well.
        """
        require_chooser(loaded, requester, who)
        if face is None:
            return await self._replace(loaded, who, former=requester.who != who)
        try:
            face = Face.parse(face).text
        except ValueError:
            raise BadRequest(_("There is no such face.")) from None
        return await self._replace(loaded, who, face=face, mark="")

    async def upload(self, loaded: LoadedSeason, requester: SeasonRequester, who: str, data: bytes) -> None:
        """Store an image file as a person's portrait. Raises NotYours, NotSaved, or BadRequest with a sentence."""
        require_chooser(loaded, requester, who)
        async with self._shrinking:
            picture = await asyncio.to_thread(shrunk, data)
        mark = hashlib.sha256(picture).hexdigest()[:16]
        await self._replace(loaded, who, picture=picture, mark=mark)

    async def _replace(self, loaded: LoadedSeason, who: str, *, former: bool = False, **values: object) -> None:
        """Replace a person's portrait by a row of these values, or remove it if there are none.

        With `former`, the portraits of earlier players in that place are removed, too.
        """
        place, player = {"season": loaded.id, "who": who}, {"player": loaded.season.player(who)}

        def replace_portrait(connection: sa.Connection) -> None:
            connection.execute(sa.delete(SEASON_PORTRAITS).filter_by(**place, **({} if former else player)))
            if values:
                connection.execute(sa.insert(SEASON_PORTRAITS).values({**place, **player, **values}))

        await save(self._writer, replace_portrait)


def address(season: str, who: str, mark: str) -> str:
    """Return the path under which a person's uploaded picture is served."""
    return f"/api/seasons/{season}/portraits/{who}/{mark}.webp"


def shrunk(data: bytes) -> bytes:
    """Return an image file as a small square WebP, made by a separate process. Raises BadRequest; blocks."""
    if not data:
        raise BadRequest(_("Choose a picture first."))
    if len(data) > LARGEST_PICTURE:
        raise BadRequest(_("A picture can have at most {limit} MB.").format(limit=LARGEST_PICTURE >> 20))
    command = [sys.executable, "-I", thumbnail.__file__, str(SIDE), str(MOST_PIXELS)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise _unreadable() from None
    if done.returncode == thumbnail.TOO_MANY_PIXELS:
        limit = MOST_PIXELS // 1_000_000
        raise BadRequest(_("A picture can have at most {limit} million pixels.").format(limit=limit))
    if done.returncode != 0:
        raise _unreadable()
    return done.stdout


def _unreadable() -> BadRequest:
    """Return the error for a file that is no picture."""
    return BadRequest(_("This file is not a picture that can be read. Use PNG, JPEG or WebP."))


def require_chooser(loaded: LoadedSeason, requester: SeasonRequester, who: str) -> None:
    """Raise NotYours unless a requester may choose the portrait of `who`: the own one, or that of a contestant.

    The latter are for hosts who may also rename contestants.
    """
    season = loaded.season
    takes_part = who in season.cast or who in season.hosts
    hosting = requester.who in season.hosts and who in season.cast and may(season, requester.who, CastChanged(who, ""))
    if not takes_part or not (requester.who == who or hosting):
        raise NotYours(_("You cannot do that in this season."))
