"""Renders the pages of a season for the visitor of a request."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import Depends
from starlette.responses import RedirectResponse, Response

from pyramidion.engine import registry
from pyramidion.seasons import ledger
from pyramidion.seasons.redaction import redact_conversations, viewer_of
from pyramidion.seasons.running import running_match, running_phase
from pyramidion.seasons.season import Season
from pyramidion.translation import _
from pyramidion.web.contracts import ClubHomes
from pyramidion.web.durations import duration
from pyramidion.web.errors import NotYours, Refused
from pyramidion.web.features.seasons.chat_events import takes_part
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester, UnknownSeason, season_requester_of
from pyramidion.web.features.seasons.matches import InvitationsUnopened
from pyramidion.web.features.seasons.own_card import OwnCard, own_card
from pyramidion.web.features.seasons.pages.balance_chart import balance_lines
from pyramidion.web.features.seasons.pages.console import Console
from pyramidion.web.features.seasons.pages.context import conversations_context
from pyramidion.web.features.seasons.pages.result_text import episode_label
from pyramidion.web.features.seasons.pages.show import (
    Slide,
    board_of,
    cast_before,
    episode_slides,
    parts_of,
    past_match,
    recap_slides,
)
from pyramidion.web.features.seasons.pages.story import story_context, story_of
from pyramidion.web.features.seasons.portraits import Portrait, address
from pyramidion.web.features.seasons.result_picture import PicturedPerson, result_picture
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.seasons.texts import DUTIES, KINDS, next_step
from pyramidion.web.http.dependencies import can_be_notified, push_key
from pyramidion.web.http.responses import wants_json
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import version_of
from pyramidion.web.pages.position_picture import inlined_styles
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.seats.faces import PARTS, Face, face_of
from pyramidion.web.table.tables import Tables

STYLES = ("base.css", "faces.css", "seasons.css", "season_story.css", "talk.css")
"""The styles of a season as a file."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders the pages of seasons for the visitor of a request.

    After a refusal, methods take its sentence as `error` and the refused `form`, whose fields are filled in again.
    """

    pages: VisitorPages
    seasons: Seasons
    tables: Tables
    homes: ClubHomes

    @property
    def holder(self) -> str:
        """The visitor's id."""
        return self.pages.visitor.holder

    def requester(self, loaded: LoadedSeason) -> SeasonRequester:
        """Return who the visitor is as a requester in a season."""
        return season_requester_of(loaded, self.holder)

    def view(self, loaded: LoadedSeason) -> dict[str, Any]:
        """Return a season's view for the visitor as JSON-ready data. Raises UnknownSeason if it is hidden."""
        return self.seasons.view(loaded, self.requester(loaded))

    def page(self, template: str, error: str | None = None, **context: Any) -> Response:
        """Render a template with this context; `error` is the sentence that refused the page's form, None without."""
        return self.pages.render(template, status=409 if error else 200, error=error, **context)

    async def season(
        self,
        template: str,
        loaded: LoadedSeason,
        error: str | None = None,
        form: Mapping[str, str] | None = None,
        episode: int | None = None,
        **further: Any,
    ) -> Response:
        """Render a season with this template as the visitor may know it, now or at the end of an `episode`."""
        seasons, requester = self.seasons, self.requester(loaded)
        view = seasons.view(loaded, requester, episode)
        portraits = await seasons.portraits.of(loaded, seasons.visible_season(loaded, requester, episode))
        who, now = requester.who, self.tables.now()
        running = running_match(view, now)

        def look_of(person: Mapping[str, Any]) -> Face:
            """Return the drawn face of a host or contestant."""
            chosen = portraits[person["id"]].face if person["id"] in portraits else None
            return face_of(int(person["id"][1:]) - 1, person["name"], chosen)

        context: dict[str, Any] = {
            **conversations_context(view, form),
            "version": version_of(view),
            "home": await self.homes.home_of("season", loaded.id, self.holder),
            "people": {contestant["id"]: contestant for contestant in view["cast"]},
            "games": {game.id: _(game.name) for game in registry.all_games().values()},
            "kinds": KINDS,
            "next_step": next_step(view, now),
            "duties": DUTIES,
            "currencies": ledger.WORDS,
            "pictures": {
                who: address(loaded.id, who, portrait.mark) for who, portrait in portraits.items() if portrait.mark
            },
            "face_parts": PARTS,
            "look_of": look_of,
            "calendar": f"/seasons/{loaded.id}/calendar/{seasons.links.calendar(loaded, who)}.ics" if who else None,
            "now": now,
            "running_match": running,
            "running_clock": duration(running.clock) if running is not None and running.clock is not None else "",
            "episode_clock": duration(clock) if (clock := (view["episodes"] or [{"clock": None}])[-1]["clock"]) else "",
            "running_phase": running_phase(view, now),
            "url": str(self.pages.request.url.replace(path=f"/seasons/{loaded.id}", query="")),
            "own": None,
        }
        return self.page(template, error, **(context | further))

    async def story(
        self, loaded: LoadedSeason, error: str | None = None, form: Mapping[str, str] | None = None
    ) -> Response:
        """Render the season's page: its story as far as the visitor may know it, and what the visitor can do."""
        view = self.view(loaded)
        context = await story_context(view, self.seasons.moments)
        follows = await self.seasons.followers.follows(loaded.id, self.holder)
        context |= {"follows": follows, "push_key": push_key(self.pages.request)}
        if (own := await self.own_card(loaded)) is not None:
            reachable = await can_be_notified(self.pages.request, self.holder)
            context |= {"own": own, "reachable": reachable, "version": self.own_version(view, own)}
        return await self.season("season.html", loaded, error, form, balance_lines=balance_lines, **context)

    async def own_card(self, loaded: LoadedSeason) -> OwnCard | None:
        """Return what the visitor has to do as a contestant, None for anybody else."""
        who = self.requester(loaded).who
        return await own_card(loaded, self.tables, who, self.tables.now()) if who in loaded.season.cast else None

    @staticmethod
    def own_version(view: Mapping[str, Any], own: OwnCard) -> str:
        """Return the version of a contestant's page, which also changes with the tables that they play at."""
        return version_of({**view, "own": own.as_json()})

    async def result(self, loaded: LoadedSeason, number: int) -> Response:
        """Answer with a picture of an episode's result. Raises UnknownSeason if there is no such episode."""
        seasons, requester, view = self.seasons, self.requester(loaded), self.view(loaded)
        if not 1 <= number <= len(view["episodes"]):
            raise UnknownSeason(_("There is no such episode."))
        visible, episode = seasons.visible_season(loaded, requester), view["episodes"][number - 1]
        headline = story_of(view, number, await seasons.moments.of(episode))[0]
        people = [(who, who in episode["leaving"]) for who in headline.who]
        return await self._picture(
            loaded, visible, f"{view['title']} · {episode_label(episode)}", headline.text, people
        )

    async def cover(self, loaded: LoadedSeason, number: int) -> Response:
        """Answer with a picture of the cast as an episode begins, which tells nothing of its result.

        Number 0 stands for the time before the first one. Raises UnknownSeason if there is no such episode.
        """
        seasons, requester = self.seasons, self.requester(loaded)
        view = seasons.view(loaded, requester, number or None)
        visible = seasons.visible_season(loaded, requester, number or None)
        episode = view["episodes"][number - 1] if number else None
        cast = cast_before(view, episode) if episode is not None else view["cast"]
        people = [(str(who["id"]), episode is not None and who["out"] is not None) for who in cast]
        people.sort(key=lambda person: person[1])
        label = episode_label(episode) if episode is not None else _("Season")
        return await self._picture(loaded, visible, label, view["title"], people)

    async def _picture(
        self, loaded: LoadedSeason, visible: Season, label: str, headline: str, who: Sequence[tuple[str, bool]]
    ) -> Response:
        """Answer with a picture of a headline and of people, by their ids and whether they have left."""
        portraits, people = await self.seasons.portraits.of(loaded, visible), list[PicturedPerson]()
        for person, left in who:
            portrait, name = portraits.get(person, Portrait(None, None)), visible.name(person)
            mark = portrait.mark
            picture = await self.seasons.portraits.picture(loaded, visible, person, mark) if mark else None
            face = face_of(int(person[1:]) - 1, name, portrait.face)
            people.append(PicturedPerson(name, face, picture, left))
        png = await asyncio.to_thread(result_picture, label, headline, tuple(people))
        return Response(png, 200, {"cache-control": "no-cache"}, "image/png")

    async def file(self, loaded: LoadedSeason) -> Response:
        """Render the season, as far as the visitor may know it, as a page that needs no other file."""
        seasons, requester = self.seasons, self.requester(loaded)
        visible = seasons.visible_season(loaded, requester)
        context = await story_context(self.view(loaded), seasons.moments)
        pictures: dict[str, str] = {}
        for who, portrait in (await seasons.portraits.of(loaded, visible)).items():
            if portrait.mark and (data := await seasons.portraits.picture(loaded, visible, who, portrait.mark)):
                pictures[who] = f"data:image/webp;base64,{b64encode(data).decode()}"
        context |= {"pictures": pictures, "styles": inlined_styles(STYLES), "balance_lines": balance_lines}
        return await self.season("season_export.html", loaded, **context)

    async def show(self, loaded: LoadedSeason, number: int, slide: int, *, skip: bool = False) -> Response:
        """Render a slide of an episode, counted from 1. Raises UnknownSeason if there is no such episode.

        With `skip`, it is the end of the match that the slide belongs to.
        """
        view = self.seasons.view(loaded, self.requester(loaded), number)
        slides, parts = await episode_slides(view, self.tables, self.seasons.moments), parts_of(view["episodes"][-1])
        at = min(max(slide, 1), len(slides))
        at = past_match(slides, at) if skip else at
        return await self._slide(loaded, slides, at, f"show/{number}", number, parts=parts)

    async def recap(self, loaded: LoadedSeason, slide: int) -> Response:
        """Render a slide of the season's recap, counted from 1."""
        view = self.view(loaded)
        context = await story_context(view, self.seasons.moments)
        slides = recap_slides(view, context["stories"])
        return await self._slide(loaded, slides, slide, "recap", None, standing=context["standing"], parts=[])

    async def _slide(
        self, loaded: LoadedSeason, slides: Sequence[Slide], slide: int, path: str, episode: int | None, **further: Any
    ) -> Response:
        """Render one of the slides. The page has nothing of later ones, not even how many there are."""
        at = min(max(slide, 1), len(slides))
        current = slides[at - 1]
        return await self.season(
            "season_show.html",
            loaded,
            episode=episode,
            slide=current,
            at=at,
            more=at < len(slides),
            in_part=sum(earlier.part == current.part for earlier in slides[:at]),
            show_path=f"/seasons/{loaded.id}/{path}",
            board=await asyncio.to_thread(board_of, current) if current.kind == "board" else None,
            **further,
        )

    async def host(
        self, loaded: LoadedSeason, error: str | None = None, form: Mapping[str, str] | None = None, **further: Any
    ) -> Response:
        """Render the host's page to hosts, and redirect anybody else to the season's page."""
        requester = self.requester(loaded)
        if requester.who not in loaded.season.hosts:
            return RedirectResponse(f"/seasons/{loaded.id}", 303)
        console = await self.console(loaded).context(form if form is not None else self.pages.request.query_params)
        return await self.season("season_host.html", loaded, error, form, **(console | further))

    def console(self, loaded: LoadedSeason) -> Console:
        """Return the console of a season for the visitor, who must be one of its hosts."""
        request = self.pages.request
        reaches = partial(can_be_notified, request)
        return Console(loaded, self.requester(loaded), self.holder, self.seasons, self.tables, request.url, reaches)

    def conversations(
        self,
        loaded: LoadedSeason,
        error: str | None = None,
        form: Mapping[str, str] | None = None,
        *,
        part: bool = False,
    ) -> Response:
        """Render the conversations, or only their HTML fragment for scripts. Raises UnknownSeason or NotYours."""
        season = loaded.season
        viewer = viewer_of(season, self.requester(loaded).who)
        if not takes_part(viewer):
            self.view(loaded)  # raises where not even the season is for the visitor
            raise NotYours(_("Only contestants and hosts read this."))
        if part:
            conversations = redact_conversations(season, viewer, loaded.conversations, self.tables.now())
            context = conversations_context({"id": loaded.id, **conversations})
            return self.page("season_talk_part.html", back="talk", **context)
        view = self.view(loaded)
        context = conversations_context(view, form)
        return self.page("season_talk_page.html", error, back="talk", version=version_of(view), **context)

    async def refused(
        self,
        loaded: LoadedSeason,
        error: Refused,
        back: str,
        form: Mapping[str, str] | None = None,
        **given: Any,
    ) -> Response:
        """Render the page from which a refused form came, with the reason; raise it to a client that wants JSON.

        `back` is the path of that page below the season's, such as `/talk`.
        """
        if wants_json(self.pages.request):
            raise error
        if back == "/talk":
            return self.conversations(loaded, error.sentence, form)
        if back and self.requester(loaded).who in loaded.season.hosts:
            own_form = (form or {}).get("kind") == "own-match-set" and (form or {}).get("preset")
            place = "step" if isinstance(error, InvitationsUnopened) else "own-form" if own_form else ""
            beside = {"beside": place} if place else {}
            return await self.host(loaded, error.sentence, form, **(beside | given))
        return await self.story(loaded, error.sentence, form)


async def _renderer(
    pages: Pages, seasons: Service[Seasons], tables: Service[Tables], homes: Service[ClubHomes]
) -> Renderer:
    return Renderer(pages, seasons, tables, homes)


Rendering = Annotated[Renderer, Depends(_renderer)]
"""A handler's parameter: what renders its pages."""
