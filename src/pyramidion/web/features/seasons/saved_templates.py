"""Saved templates of seasons: whoever has saved one and the members of its club list it; others open it by its link."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from pydantic import TypeAdapter

from pyramidion.event_log import NotPossible
from pyramidion.seasons.events import Event
from pyramidion.seasons.fold import fold
from pyramidion.seasons.season import Season
from pyramidion.seasons.template import Template, template_of
from pyramidion.translation import _
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.db.changes import executing, save
from pyramidion.web.db.club_access import clubs_of
from pyramidion.web.db.schema import SEASON_TEMPLATES
from pyramidion.web.errors import NotPossibleNow, NotYours, Refused
from pyramidion.web.features.seasons import store
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.permissions import require_host
from pyramidion.web.names import clean_title
from pyramidion.web.tokens import ID_LENGTH, new_id

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer

MOST_KEPT = 50
"""Templates that one visitor can keep."""
MOST_NAME = 80
SHIPPED = resources.files("pyramidion.seasons") / "shipped"
"""The folder of the templates that come with the server: a JSON file for each, with a name and the template."""
T = SEASON_TEMPLATES.c
STORED: TypeAdapter[Template] = TypeAdapter(Template)


class NothingPlanned(Refused):
    """The template has no episodes that could be planned."""

    status = 422
    code = "nothing-planned"


class UnknownTemplate(Refused, LookupError):
    """No saved template has this id."""

    status = 404
    code = "unknown-template"


@dataclass(frozen=True, slots=True)
class SavedTemplate:
    """A saved template as a particular visitor sees it.

    Attributes:
        mine: whether the visitor has saved it.
        club: the id and name of the club with which it is shared, if the visitor is a member.
    """

    id: str
    name: str
    template: Template
    mine: bool
    club: tuple[str, str] | None

    def encoded(self) -> dict[str, Any]:
        """Return the saved template as JSON-ready data."""
        club, name = self.club or (None, None)
        own = {"id": self.id, "name": self.name, "mine": self.mine, "club": club, "club_name": name}
        return {**own, "template": asdict(self.template)}


class SavedTemplates:
    """Stores, lists and deletes the saved templates of all visitors. `now` returns the time in milliseconds."""

    def __init__(self, database: Store, writer: Writer, now: Callable[[], int]) -> None:
        self._store, self._writer, self._now = database, writer, now

    async def clubs_of(self, holder: str) -> dict[str, str]:
        """Return the clubs with which a visitor can share templates: their names by id."""
        return await asyncio.to_thread(clubs_of, self._store, holder)

    async def of(self, holder: str) -> list[SavedTemplate]:
        """Return a visitor's own templates and those of their clubs, the newest first."""
        return await asyncio.to_thread(self._listed, holder)

    def _listed(self, holder: str) -> list[SavedTemplate]:
        """Read a visitor's and their clubs' templates from the database, the newest first; blocks."""
        clubs = clubs_of(self._store, holder)
        query = sa.select(SEASON_TEMPLATES).where(sa.or_(T.holder == holder, T.club.in_(clubs)))
        return [_as_seen_by(row, holder, clubs) for row in self._store.query(query.order_by(T.created.desc(), T.id))]

    async def get(self, template: str, holder: str | None) -> SavedTemplate:
        """Return the saved template with this id, as the visitor `holder` or nobody sees it. Raises UnknownTemplate."""
        return await asyncio.to_thread(self._read, template, holder)

    def _read(self, template: str, holder: str | None) -> SavedTemplate:
        """Read a template from the database, or a shipped one; blocks. Raises UnknownTemplate."""
        if template in shipped():
            return shipped()[template]
        query = sa.select(SEASON_TEMPLATES).where(T.id == template)
        rows = self._store.query(query) if len(template) <= ID_LENGTH else ()
        if not rows:
            raise UnknownTemplate(_("There is no such template."))
        return _as_seen_by(rows[0], holder, clubs_of(self._store, holder) if holder is not None else {})

    async def resolve(self, given: Template | str) -> Template:
        """Return a template that is given as such or by its id. Raises UnknownTemplate."""
        return given if isinstance(given, Template) else (await self.get(given, None)).template

    async def keep(self, holder: str, name: str, template: Template, club: str | None = None) -> SavedTemplate:
        """Save a template for a visitor, and share it with `club` unless that is None.

        Raises BadRequest for an unsuitable name, NotPossibleNow if no season could begin with the template, NotYours or
        NotSaved.
        """
        name = clean_title(name, MOST_NAME)
        title = name if not template.settings.title else ""
        LogCache(store.LOG, fold).extended(Season(), beginning_of(template, title, self._now()), 0, "")
        if club is not None and club not in await self.clubs_of(holder):
            raise NotYours(_("You can share templates only with clubs that you belong to."))
        if sum(template_.mine for template_ in await self.of(holder)) >= MOST_KEPT:
            raise NotPossibleNow(_("You can keep up to {limit} templates. Delete one first.").format(limit=MOST_KEPT))
        saved, data = new_id(), asdict(template)
        values = {"id": saved, "created": self._now(), "holder": holder, "club": club, "name": name, "data": data}
        await save(self._writer, executing(sa.insert(SEASON_TEMPLATES).values(values)))
        return await self.get(saved, holder)

    async def delete(self, holder: str, template: str) -> None:
        """Delete a saved template of a visitor. Raises UnknownTemplate, NotYours or NotSaved."""
        if not (await self.get(template, holder)).mine:
            raise NotYours(_("Only the person who saved a template can delete it."))
        await save(self._writer, executing(sa.delete(SEASON_TEMPLATES).where(T.id == template, T.holder == holder)))


@cache
def shipped() -> dict[str, SavedTemplate]:
    """Return the templates that come with the server, by id: the name of their file."""
    templates: dict[str, SavedTemplate] = {}
    for file in sorted(SHIPPED.iterdir(), key=lambda file: file.name):
        stored, template_id = json.loads(file.read_text("utf-8")), file.name.removesuffix(".json")
        template = STORED.validate_python(stored["template"])
        templates[template_id] = SavedTemplate(template_id, stored["name"], template, mine=False, club=None)
    return templates


def beginning_of(template: Template, title: str, starts: int | None) -> list[Event]:
    """Return the first events of a season made from a template. Raises NotPossibleNow for impossible phases.

    `starts` is when the phases start, in milliseconds since 1970, or None to leave them out.
    """
    try:
        return template.events(title, starts)
    except NotPossible as error:
        raise NotPossibleNow(str(error)) from None


def season_as_template(loaded: LoadedSeason, requester: SeasonRequester) -> Template:
    """Return a season as a template, for a requester who is one of its hosts. Raises NotYours."""
    require_host(loaded, requester)
    return template_of(loaded.season)


def _as_seen_by(row: Any, holder: str | None, clubs: dict[str, str]) -> SavedTemplate:
    """Return a row of the database as a visitor with these clubs (names by id) sees it."""
    club = (row.club, clubs[row.club]) if row.club in clubs else None
    return SavedTemplate(row.id, row.name, STORED.validate_python(row.data), row.holder == holder, club)
