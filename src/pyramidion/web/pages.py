"""The pages for people: home, a new table, a table, its rules; every page works with forms alone."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from pyramidion import Game, IllegalAction
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.web import assets, prose
from pyramidion.web.bots.runner import USUAL_BOT, bot_names
from pyramidion.web.clock import CHOICES, duration
from pyramidion.web.errors import BadRequest, NotYourSeat, Refused, StaleVersion, TimeIsUp
from pyramidion.web.host.absence import absent_told
from pyramidion.web.host.console import context
from pyramidion.web.host.hosting import Asker
from pyramidion.web.parts import accounts_of, limits_of, store_of, tables_of, visitors_of
from pyramidion.web.people import hotseat
from pyramidion.web.people.invitations import invited
from pyramidion.web.reasons import why_not
from pyramidion.web.render import render_fragment, render_page, titled
from pyramidion.web.rooms.origins import Given
from pyramidion.web.rooms.room import NOW
from pyramidion.web.seats import Visitor
from pyramidion.web.tables import SeatPlan, Snapshot, Table, card_file, find_game, plays_in_parts
from pyramidion.web.talk.chat import Rules
from pyramidion.words import _, from_one, marked, with_names

router = APIRouter(include_in_schema=False)
router.add_api_route("/static/{version}/{name:path}", assets.serve)
PACK_FROM = 1000
HINTS = {"on": True, "off": False}
Version = Annotated[int | None, Query(ge=0)]


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> Response:
    """Answer with a page, compressed where the browser can read that."""
    text = render_page(template, static=assets.assets().base, **context)
    return html(request, text, status)


def html(request: Request, text: str, status: int = 200) -> Response:
    """Answer with HTML that nobody keeps, since it is made for one visitor."""
    body = text.encode()
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if len(body) > PACK_FROM and assets.takes_gzip(request):
        body = gzip.compress(body, 5, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, "text/html; charset=utf-8")


def error_page(request: Request, status: int, said: Mapping[str, Any]) -> Response:
    """Answer a refused request with its sentence and a way on."""
    table = re.match(r"/t/([^/]+)", request.url.path)
    back = f"/t/{table[1]}" if table and status not in (404, 410) else "/"
    return page(
        request,
        "message.html",
        status=status,
        title=_(_HEADINGS.get(status, _ANYTHING_ELSE)),
        sentence=from_one(str(said.get("detail", ""))),
        back=back,
    )


@router.get("/")
async def home(request: Request) -> Response:
    """Show the games, and the tables where the visitor sits."""
    visitor = visitors_of(request).of(request)
    mine = [] if visitor.new else await tables_of(request).held_by(visitor.holder)
    games = registry.all_games()
    return page(
        request,
        "home.html",
        games=list(games.values()),
        mine=[(row, games.get(row.game)) for row in mine[:12]],
    )


@router.get("/games/{game_id}/new")
async def new_table(request: Request, game_id: str) -> Response:
    """Show the form for a new table, filled so that it can be sent at once."""
    visitor = visitors_of(request).of(request)
    account = None if visitor.new else await accounts_of(request).of(visitor.holder)
    answer = _form_page(request, find_game(game_id), visitor, name=account.name if account is not None else "")
    return visitors_of(request).remember(visitor, answer)


@router.get("/games/{game_id}/rules")
async def rules(request: Request, game_id: str) -> Response:
    """Show the rules of a game, each with an anchor."""
    game = find_game(game_id)
    return page(request, "rules.html", game=game, rules=prose.rules_html(game), contents=prose.contents(game))


@router.get("/games/{game_id}/cards.toml")
async def own_cards(game_id: str) -> Response:
    """Answer with a game's own card file, to make another from."""
    path = card_file(find_game(game_id))
    if path is None:
        raise HTTPException(404)
    return PlainTextResponse(path.read_text("utf-8"))


@router.post("/tables")
async def start(request: Request) -> Response:
    """Start a table from the form and go there; a form that cannot be accepted comes back with the reason."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    visitor = visitors.of(request)
    game = find_game(form.get("game", ""))
    try:
        seats, options = _plans(game, form), _options(game, form)
        # A browser ends lines with a carriage return as well.
        cards = form.get("cards", "").replace("\r\n", "\n")
        make = tables_of(request).create
        if form.get("start", NOW) != NOW and any(seat.kind == "open" for seat in seats):
            make = partial(tables_of(request).rooms.open, start=form["start"])
        made = await make(
            game.id,
            seats,
            options,
            title=form.get("title") or None,
            seed=form.get("seed") or None,
            cards=cards if cards.strip() else None,
            clock=_whole(form["clock"], _("The time per decision must be a whole number."))
            if form.get("clock")
            else None,
            hints=HINTS.get(form.get("hints", "")),
            absent=form.get("absent") or None,
            close_early=not plays_in_parts(game) or "close-early" in form,
            listed=form.get("listed") == "open",
            chat=Rules.accept(form.get("chat-private"), form.get("chat-closes"), "chat-watchers" in form),
            holder=visitor.holder,
        )
    except (Refused, ValueError) as error:
        if isinstance(error, Refused) and error.status >= 500:
            raise
        return _form_page(request, game, visitor, form, from_one(str(error)), 422)
    table = made[0] if isinstance(made, tuple) else made
    return RedirectResponse(f"/t/{table.id}", 303)


@router.get("/t/{table_id}")
async def show_table(request: Request, table_id: str, version: Version = None, open: bool = False) -> Response:
    """Show a table as the visitor may see it, or an earlier position of it."""
    table = await tables_of(request).get(table_id)
    visitor = visitors_of(request).of(request)
    snapshot = _at(table, table.seat_of(visitor.holder), version, everything=open)
    return visitors_of(request).remember(visitor, await _table_page(request, snapshot, visitor))


@router.get("/t/{table_id}/fragment")
async def fragment(request: Request, table_id: str, version: Version = None, open: bool = False) -> Response:
    """Answer with one position only, for the replay and for a page whose stream is down."""
    table = await tables_of(request).get(table_id)
    return html(request, render_fragment(_at(table, _viewer(request, table), version, everything=open)))


@router.get("/t/{table_id}/log")
async def log(request: Request, table_id: str, since: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Answer with the viewer's own events from number `since` on, as lines of the log."""
    table = await tables_of(request).get(table_id)
    told = table.events(_viewer(request, table))[since:]
    return html(request, render_page("log.html", events=list(enumerate(told, since)), game=table.game))


@router.get("/t/{table_id}/refusal")
async def refusal(request: Request, table_id: str, ids: str = "", picks: str = "") -> Response:
    """Say why the pieces `ids`, after `picks`, cannot be taken now by the visitor's own seat.

    {"rule", "reason", "pieces", "total"}: the last two are what the page shows of it; see `Refusal`.
    """
    table = await tables_of(request).get(table_id)
    seat = _viewer(request, table)
    if seat is None:
        return JSONResponse({"rule": "", "reason": _("You are watching; only the players can touch the board.")})
    why = why_not(table.shown, seat, ids.split()[:8], picks.split()[:8], render_fragment(table.snapshot(seat)))
    said = {"rule": why.rule, "reason": with_names(why.reason, table.names)}
    return JSONResponse({**said, "pieces": why.pieces, "total": why.total})


@router.get("/t/{table_id}/seals")
async def seals(request: Request, table_id: str) -> Response:
    """Show the seals that the visitor may know of, and how to check them."""
    table = await tables_of(request).get(table_id)
    viewer = _viewer(request, table)
    known = table.seals_for(viewer)
    return page(
        request,
        "seals.html",
        table=table,
        game=table.game,
        seals=known[::-1],
        names=table.names,
        origin=table.origin,
        opened=table.match.over,
        me=viewer,
    )


@router.get("/t/{table_id}/cards.toml")
async def cards(request: Request, table_id: str) -> Response:
    """Answer with the card file that a table is played with, which everybody at it may read."""
    table = await tables_of(request).get(table_id)
    return PlainTextResponse(table.match.cards) if table.match.cards is not None else await own_cards(table.game.id)


@router.post("/t/{table_id}/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take an open seat."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    await table.sit(
        _whole(form.get("seat"), _("The seat must be a whole number.")), visitors.of(request).holder, form.get("name")
    )
    return RedirectResponse(f"/t/{table_id}", 303)


@router.post("/t/{table_id}/act")
async def act(request: Request, table_id: str) -> Response:
    """Make an action at the version it was chosen at. Scripts get JSON; a plain form gets the table again."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    visitor = visitors.of(request)
    seat = table.seat_of(visitor.holder)
    family = form.get("family", "")
    action = form.get("action") or f"{family} {form.get(f'number-{family}', '')}"
    for_script = "json" in request.headers.get("accept", "")
    limits_of(request).action(request.scope, table_id, seat)
    try:
        hotseat.require_open(table, seat, form.get("seat"))
        accepted = await table.act(seat, action, _whole(form.get("version"), _("The version must be a whole number.")))
    except IllegalAction as error:
        reason = with_names(error.reason, table.names)
        if for_script:
            return JSONResponse({"error": "illegal-action", "rule": error.rule, "reason": reason}, 422)
        told = f"{reason} ({error.rule})" if error.rule else reason
        return await _table_page(request, _at(table, seat), visitor, told, 422)
    except (StaleVersion, TimeIsUp, NotYourSeat) as error:
        if for_script:
            raise
        return await _table_page(request, _at(table, seat), visitor, error.sentence, error.status)
    back = RedirectResponse(f"/t/{table_id}", 303)
    passed = hotseat.after_acting(request, table, visitor, seat, back)
    if not for_script:
        return back
    answer = JSONResponse({"version": accepted.version, "passed": passed})
    answer.raw_headers += [header for header in back.raw_headers if header[0] == b"set-cookie"]
    return answer


_ANYTHING_ELSE = marked("That did not work")
_HEADINGS = {
    403: marked("That is not yours to do"),
    404: marked("There is nothing here"),
    409: marked("Somebody was quicker"),
    410: marked("This table cannot go on"),
    422: marked("That cannot be"),
    429: marked("That was too much at once"),
    500: marked("The server has a fault"),
    503: marked("The server cannot save"),
}


def _viewer(request: Request, table: Table) -> int | None:
    return table.seat_of(visitors_of(request).holder(request.scope))


def _at(table: Table, viewer: int | None, version: int | None = None, *, everything: bool = False) -> Snapshot:
    """Return a position. Raises BadRequest with a sentence for one that never was or may not be opened."""
    try:
        return table.snapshot(viewer, version, everything=everything)
    except ValueError as error:
        raise BadRequest(str(error)) from error


async def _table_page(
    request: Request, snapshot: Snapshot, visitor: Visitor, told: str | None = None, status: int = 200
) -> Response:
    table = snapshot.table
    invitation = await invited(store_of(request), table)
    asker = Asker(snapshot.viewer, table.is_host(visitor.holder))
    events = list(enumerate(snapshot.events))
    return page(
        request,
        "table.html",
        status=status,
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        link=str(request.url.replace(path=f"/t/{table.id}", query="")),
        me=snapshot.viewer,
        csrf=visitor.csrf,
        fragment=render_fragment(snapshot),
        told=told,
        since=snapshot.stream_id,
        invitation=invitation,
        hosting=asker.host,
        **(context(table, asker) if asker.host else {}),
        screen=hotseat.screen_of(table, visitor.holder),
        fresh=True,
        own_cards=table.own_cards,
        seeded=table.seeded,
        clock=duration(table.clock) if table.clock is not None else None,
        close_early=table.close_early,
        absent=absent_told(table.absent),
        hints=table.hints,
        events=events[::-1],
        over=table.match.over,
        position=snapshot.position,
        last_position=snapshot.last_position,
        everything=snapshot.everything,
        refresh=not snapshot.over and snapshot.viewer not in snapshot.acting,
        modules=assets.assets().scripts,
    )


def _form_page(
    request: Request,
    game: Game,
    visitor: Visitor,
    form: Mapping[str, str] | None = None,
    error: str | None = None,
    status: int = 200,
    name: str = "",
) -> Response:
    given = form or {}
    count = given.get("seats", "")
    return page(
        request,
        "new.html",
        status=status,
        game=game,
        csrf=visitor.csrf,
        error=error,
        given=given,
        account_name=name,
        has_cards=card_file(game) is not None,
        clocks=[(seconds, duration(seconds)) for seconds in CHOICES],
        in_parts=plays_in_parts(game),
        count=int(count) if count.isdigit() and int(count) in game.seats else game.usual_seats,
        bots=[(name, _("Bot: {level}").format(level=label(name))) for name in bot_names(game)],
        levels=[(name, label(name)) for name in bot_names(game)],
        usual=["me", *[f"bot:{USUAL_BOT}"] * (game.seats[-1] - 1)],
    )


def _plans(game: Game, form: Mapping[str, str]) -> list[SeatPlan]:
    plans: list[SeatPlan] = []
    for seat in range(game.accept_seats(_whole(form.get("seats"), _("The number of seats must be a whole number.")))):
        kind, _colon, bot = form.get(f"seat-{seat}", "open").partition(":")
        name = form.get("me") if kind == "me" else form.get(f"name-{seat}")
        given = Given.of(form.get("contribution"), form.get("drawn"))
        plans.append(SeatPlan(kind, name or None, bot or None, given))
    return plans


def _options(game: Game, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the options in the form; a flag that is not there is a box that was not ticked."""
    options: dict[str, Any] = {}
    for name, option in game.options.items():
        if option.kind == "numbers":
            row = [form.get(f"option-{name}-{seat}", "").strip() for seat in range(option.count)]
            if any(row):
                options[name] = row
            continue
        value = form.get(f"option-{name}")
        if value is not None or option.kind == "flag":
            options[name] = value if value is not None else "no"
    return options


def _whole(text: str | None, sentence: str) -> int:
    """Return a number of a form. Raises BadRequest with the sentence for what is none."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadRequest(sentence)
    return int(text)


# Forms of other pages are read in the same way.
options_of, whole = _options, _whole

__all__ = ["error_page", "html", "options_of", "page", "router", "whole"]
