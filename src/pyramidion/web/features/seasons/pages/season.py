"""The pages of a season: its story, the host's page, conversations, personal links, and all their forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.seasons.schedule import calendar
from pyramidion.translation import _
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.access import AdmittedSeason
from pyramidion.web.features.seasons.commands import execute
from pyramidion.web.features.seasons.console.tabs import CAST, NOW, host_path
from pyramidion.web.features.seasons.downloads import episode_feed, season_file, spreadsheet
from pyramidion.web.features.seasons.forms import command_of_form
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester, UnknownSeason
from pyramidion.web.features.seasons.pages.renderer import Renderer, Rendering
from pyramidion.web.features.seasons.portraits import require_chooser
from pyramidion.web.features.seasons.saved_templates import season_as_template
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http.bodies import read_upload
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import form_answer, full_url
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import version_of
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False, prefix="/seasons")
by_secret = APIRouter(include_in_schema=False, prefix="/seasons")
at_tables = APIRouter(include_in_schema=False)
PLACES = {"host": "/host", "talk": "/talk"}
"""Where a form leads back to, below the season's page, by its field `back`."""
COUNTED = ("do", "say", "nudge", "portrait")
"""The forms that are counted as actions."""


@router.get("/{season_id}")
async def show(loaded: AdmittedSeason, renderer: Rendering) -> Response:
    """Show a season's story, as far as the visitor may know it."""
    return await renderer.story(loaded)


@router.get("/{season_id}/now")
async def now(loaded: AdmittedSeason, renderer: Rendering, console: bool = False, own: bool = False) -> Response:
    """Answer a page's poll with the version of the visitor's view: a new version means that something has changed.

    With `console`, it is the version of the host's console, which also depends on the tables that are being played.
    With `own`, it is that of a contestant's page, which also depends on their tables, and `waiting` is the sentence of
    a nudge, if there is one.
    """
    if own and (card := await renderer.own_card(loaded)) is not None:
        data = {"version": renderer.own_version(renderer.view(loaded), card)}
        data |= {"waiting": card.nudge_sentence} if card.nudged else {}
        return JSONResponse(data, headers={"cache-control": "no-store"})
    hosts = console and renderer.requester(loaded).who in loaded.season.hosts
    version = await renderer.console(loaded).version() if hosts else version_of(renderer.view(loaded))
    return JSONResponse({"version": version}, headers={"cache-control": "no-store"})


@router.get("/{season_id}/show/{number}.png")
async def show_cover(loaded: AdmittedSeason, renderer: Rendering, number: int) -> Response:
    """Serve a picture of who begins an episode, for link previews."""
    return await renderer.cover(loaded, number)


@router.get("/{season_id}/show/{number}")
async def show_episode(
    loaded: AdmittedSeason, renderer: Rendering, number: int, slide: int = 1, skip: bool = False
) -> Response:
    """Show an episode slide by slide; a page tells nothing of later slides and later episodes.

    With `skip`, show the end of the match instead of the slide.
    """
    return await renderer.show(loaded, number, slide, skip=skip)


@router.get("/{season_id}/recap")
async def show_recap(loaded: AdmittedSeason, renderer: Rendering, slide: int = 1) -> Response:
    """Show the season in short, slide by slide."""
    return await renderer.recap(loaded, slide)


@router.get("/{season_id}/talk")
async def show_talk(loaded: AdmittedSeason, renderer: Rendering, part: bool = False) -> Response:
    """Show the conversations to a contestant or host; with `part`, only their HTML fragment for scripts."""
    return renderer.conversations(loaded, part=part)


@router.get("/{season_id}/host")
async def show_host(loaded: AdmittedSeason, renderer: Rendering) -> Response:
    """Show the host's page."""
    return await renderer.host(loaded)


@router.get("/{season_id}/calendar/{secret}.ics")
async def show_calendar(request: Request, loaded: AdmittedSeason, seasons: Service[Seasons], secret: str) -> Response:
    """Serve the schedule to calendar programs. They have no cookie, so the secret in the address admits them."""
    if not seasons.links.opens_calendar(loaded, secret):
        raise UnknownSeason(_("There is no such season."))
    link = str(request.url.replace(path=f"/seasons/{loaded.id}", query=""))
    text = calendar(loaded.id, loaded.season.settings.title, loaded.season.phases.values(), link)
    return Response(text.encode(), 200, {"cache-control": "no-store"}, "text/calendar; charset=utf-8")


@router.get("/{season_id}/episodes.atom")
async def show_feed(request: Request, loaded: AdmittedSeason, seasons: Service[Seasons]) -> Response:
    """Serve a feed of the episodes that viewers can watch, also to hosts and contestants: it tells nothing more."""
    return episode_feed(seasons.view(loaded, SeasonRequester(None, True)), full_url(request, f"/seasons/{loaded.id}"))


@router.get("/{season_id}/{name}.csv")
async def export(loaded: AdmittedSeason, renderer: Rendering, name: str) -> Response:
    """Serve a part of the season as a CSV file."""
    return spreadsheet(loaded.season, renderer.view(loaded), name)


@router.get("/{season_id}/result/{number}.png")
async def show_result(loaded: AdmittedSeason, renderer: Rendering, number: int) -> Response:
    """Serve a picture of an episode's result, for link previews and chats."""
    return await renderer.result(loaded, number)


@router.get("/{season_id}/season.html")
async def export_story(loaded: AdmittedSeason, renderer: Rendering) -> Response:
    """Serve the season as one HTML file: story, balances and rulings."""
    return season_file(await renderer.file(loaded))


@at_tables.get("/t/{table_id}/season")
async def back_to_season(table_id: str, tables: Service[Tables], renderer: Rendering) -> Response:
    """Redirect from a table to its season: hosts to the console, others to the story. Raises UnknownSeason."""
    season = await renderer.seasons.season_of_table(await tables.get(table_id), renderer.holder)
    if season is None:
        raise UnknownSeason(_("This table belongs to no season."))
    loaded = await renderer.seasons.get(season.season)
    hosts = renderer.requester(loaded).who in loaded.season.hosts
    return RedirectResponse(f"/seasons/{season.season}{'/host' if hosts else ''}", 303)


@dataclass(frozen=True, slots=True)
class SeasonForm:
    """Carries out what a posted form of a season's page asks for.

    `loaded` is the season as it was when the request came.
    """

    fields: Mapping[str, str]
    loaded: LoadedSeason
    renderer: Renderer
    limits: RateLimits

    @property
    def back(self) -> str:
        """The path, below the season's page, to return to from a form that is on several pages."""
        return self.back_to(NOW)

    def back_to(self, tab: str) -> str:
        """Return what `back` returns, where a form of the host's console has been on `tab` unless it says otherwise."""
        path = PLACES.get(self.fields.get("back", ""), "")
        return self.host_path(tab) if path == "/host" else path

    def host_path(self, otherwise: str = NOW) -> str:
        """Return the path, below the season's page, of the tab of the host's console on which the form was."""
        return host_path(self.fields, otherwise)

    async def carry_out(self, name: str, back: str, anchor: str = "") -> Response:
        """Carry out the command of the form `name` and redirect to `back`, or show its page again if it is refused.

        `back` is a path below the season's page, `anchor` a fragment such as `#links`.
        """
        renderer, loaded, request = self.renderer, self.loaded, self.renderer.pages.request
        try:
            if name in COUNTED:
                self.limits.action(request.scope, f"{loaded.id} {renderer.holder}", 0)
            if name == "step":
                self.limits.table(request.scope)
            command = command_of_form(name, self.fields, loaded.season.settings.zone)
            await execute(command, loaded, renderer.requester(loaded), renderer.seasons)
        except Refused as error:
            latest = await renderer.seasons.get(loaded.id)
            return await renderer.refused(latest, error, back, {"kind": name, **self.fields})
        return form_answer(request, f"/seasons/{loaded.id}{back}{anchor}")


async def _season_form(
    fields: PostedForm, loaded: AdmittedSeason, renderer: Rendering, limits: Service[RateLimits]
) -> SeasonForm:
    return SeasonForm(fields, loaded, renderer, limits)


Form = Annotated[SeasonForm, Depends(_season_form)]
"""A handler's parameter: the form that it answers."""


@router.post("/{season_id}/do")
async def do(form: Form) -> Response:
    """Add an event to the season's log."""
    return await form.carry_out("do", form.back, f"#{form.fields.get('place', '')[:20]}")


@router.post("/{season_id}/say")
async def say(form: Form) -> Response:
    """Write to a contestant or an alliance, or form, extend or leave one."""
    # The form lies in a fold, which browsers open for it.
    return await form.carry_out("say", form.back, f"#say-{form.fields.get('to', '')[:20]}")


@router.post("/{season_id}/follow")
async def follow(form: Form) -> Response:
    """Follow the season, to be notified of episodes, or no longer follow it."""
    loaded, renderer = form.loaded, form.renderer
    form.limits.action(renderer.pages.request.scope, f"{loaded.id} {renderer.holder}", 0)
    renderer.view(loaded)  # raises where the season is hidden
    try:
        await renderer.seasons.followers.keep(loaded.id, renderer.holder, follow="follow" in form.fields)
    except Refused as error:
        return await renderer.refused(loaded, error, "")
    return form_answer(renderer.pages.request, f"/seasons/{loaded.id}#follow")


@router.post("/{season_id}/step")
async def step(form: Form) -> Response:
    """Take the season's next step."""
    return await form.carry_out("step", "/host")


@router.post("/{season_id}/schedule")
async def lay_out(form: Form) -> Response:
    """Schedule phases one after the other."""
    return await form.carry_out("schedule", form.host_path("timeline"), "#schedule")


@router.post("/{season_id}/plan")
async def plan_episodes(form: Form) -> Response:
    """Add the episodes of a saved template to the plan."""
    return await form.carry_out("plan", form.host_path("templates"), "#plan")


@router.post("/{season_id}/webhook")
async def choose_hook(form: Form) -> Response:
    """Store or remove the season's webhooks."""
    return await form.carry_out("webhook", form.host_path("webhooks"), "#webhook")


@router.post("/{season_id}/link")
async def new_link(form: Form) -> Response:
    """Replace the personal link of a host or contestant."""
    return await form.carry_out("link", form.host_path("cast"), "#links")


@router.post("/{season_id}/nudge")
async def nudge_all(form: Form) -> Response:
    """Nudge several contestants at once."""
    return await form.carry_out("nudge", form.host_path())


@router.post("/{season_id}/seat")
async def give_seat(form: Form) -> Response:
    """Give a contestant the seat at a running table that somebody else has."""
    return await form.carry_out("seat", form.host_path())


@router.post("/{season_id}/portrait")
async def choose_face(form: Form) -> Response:
    """Choose a drawn face as a portrait, or remove the portrait."""
    return await form.carry_out("portrait", form.back_to(CAST), "#portraits")


@router.post("/{season_id}/cast")
async def cast(form: Form) -> Response:
    """Preview the changes that a pasted cast asks for, or make them."""
    renderer, loaded, fields = form.renderer, form.loaded, form.fields
    text, reason, apply = fields.get("csv", ""), fields.get("reason") or _("pasted table"), "apply" in fields
    try:
        plan = await renderer.seasons.paste_cast(loaded, renderer.requester(loaded), text, reason, apply=apply)
    except Refused as error:
        return await renderer.refused(loaded, error, "/host", {"tab": CAST}, csv=text, beside="paste")
    if apply:
        return RedirectResponse(f"/seasons/{loaded.id}/host?tab={CAST}#cast", 303)
    return await renderer.host(loaded, form={"tab": CAST}, plan=plan, csv=text)


@router.post("/{season_id}/template")
async def save_template(form: Form) -> Response:
    """Save the season as a template of the visitor's, and share it with a club if one is chosen."""
    renderer, loaded, fields = form.renderer, form.loaded, form.fields
    form.limits.table(renderer.pages.request.scope)
    try:
        template, club = season_as_template(loaded, renderer.requester(loaded)), fields.get("club") or None
        await renderer.seasons.templates.keep(renderer.holder, fields.get("name", ""), template, club)
    except Refused as error:
        return await renderer.refused(loaded, error, "/host", {**fields, "kind": "template"})
    return RedirectResponse("/seasons#templates", 303)


@router.post("/{season_id}/picture")
async def upload(loaded: AdmittedSeason, renderer: Rendering, limits: Service[RateLimits]) -> Response:
    """Upload a picture as a portrait."""
    request, visitors, requester = renderer.pages.request, renderer.pages.visitors, renderer.requester(loaded)
    visitors.require_sender(request)

    def check(form: Mapping[str, str]) -> None:
        """Refuse the upload before its picture is read."""
        visitors.require_csrf(request, form.get("csrf"))
        require_chooser(loaded, requester, form.get("who", ""))

    fields, data = await read_upload(request, check)
    form = SeasonForm(fields, loaded, renderer, limits)
    try:
        limits.table(request.scope)
        await renderer.seasons.portraits.upload(loaded, requester, fields.get("who", ""), data)
    except Refused as error:
        return await renderer.refused(loaded, error, form.back, {"kind": "portrait", **fields})
    return RedirectResponse(f"/seasons/{loaded.id}{form.back_to(CAST)}#portraits", 303)


@router.get("/{season_id}/join/{code}")
async def invitation(loaded: AdmittedSeason, renderer: Rendering, code: str) -> Response:
    """Show the page behind a personal link. It changes nothing: a chat's preview must not use up the link."""
    who = renderer.seasons.links.opens(loaded, code)
    name = loaded.season.name(who) if who is not None else None
    try:
        title = loaded.season.settings.title if name is not None else renderer.view(loaded)["title"]
    except UnknownSeason:
        title = _("Seasons")  # not even the title is for everybody
    return renderer.page(
        "season_join.html",
        name=name,
        title=title,
        host=who in loaded.season.hosts,
        hosts=[host.name for host in loaded.season.hosts.values() if host.id != who] if who is not None else [],
        season_id=loaded.id,
        code=code,
        url=str(renderer.pages.request.url.replace(query="")),
    )


@by_secret.post("/{season_id}/join")
async def join(season_id: str, form: PostedForm, renderer: Rendering, limits: Service[RateLimits]) -> Response:
    """Give the visitor the place of a personal link."""
    limits.attempt(renderer.pages.request.scope)
    who = await renderer.seasons.join(season_id, form.get("code", ""), renderer.holder)
    return RedirectResponse(f"/seasons/{season_id}{'/host' if who.startswith('h') else ''}", 303)
