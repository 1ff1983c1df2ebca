"""Pages for people: the form for a new table, the table, the rules. Every page works without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from pyramidion import EVERYTHING, Game, IllegalAction
from pyramidion.bots.labels import label
from pyramidion.web.errors import BadRequest, HasSecrets, NotYourSeat, Refused, StaleVersion, TimeIsUp
from pyramidion.web.features.accounts.service import accounts_of
from pyramidion.web.features.clubs.service import clubs_of
from pyramidion.web.features.hints.coach import coach_of
from pyramidion.web.features.hotseat import pages as hotseat
from pyramidion.web.features.lessons.offer import first_visit, remember_visit
from pyramidion.web.features.lobby.presets import presets
from pyramidion.web.features.waiting_room.service import rooms_of
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import limits_of, require_open, tables_of, visitors_of
from pyramidion.web.http.forms import options_of, settings_of, whole
from pyramidion.web.pages import assets
from pyramidion.web.pages import rules_page as prose
from pyramidion.web.pages.ahead import sure_to_follow
from pyramidion.web.pages.page import error_page, html, page
from pyramidion.web.pages.panel import Visit
from pyramidion.web.pages.position_picture import position_svg
from pyramidion.web.pages.rendering import render_page, titled
from pyramidion.web.play.panels import fragment_of, panels_of
from pyramidion.web.play.reasons import why_not
from pyramidion.web.table.absence import absent_told
from pyramidion.web.table.bots import USUAL_BOT, bot_names
from pyramidion.web.table.clock import duration
from pyramidion.web.table.eras import position_of
from pyramidion.web.table.gathering import secret_options
from pyramidion.web.table.hosting import Requester
from pyramidion.web.table.new_table import card_file, find_game
from pyramidion.web.table.seat_plans import SeatPlan
from pyramidion.web.table.seeds import Given
from pyramidion.web.table.settings import NOW
from pyramidion.web.table.settings_form import form_fields
from pyramidion.web.table.snapshot import Snapshot, snapshot_of, unspoiled
from pyramidion.web.table.table import Table
from pyramidion.words import _, from_one, with_names

router = APIRouter(include_in_schema=False)
router.add_api_route("/static/{version}/{name:path}", assets.serve)
Version = Annotated[int | None, Query(ge=0)]


@router.get("/games/{game_id}/new")
async def new_table(request: Request, game_id: str, club: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Show the form for a new table, perhaps in a club's lobby, with defaults that can be submitted at once."""
    visitor = visitors_of(request).of(request)
    account = None if visitor.new else await accounts_of(request).of(visitor.holder)
    game = find_game(game_id)
    learn = first_visit(request, game)
    answer = _form_page(
        request, game, visitor, name=account.name if account is not None else "", learn=learn, club=club
    )
    if learn:
        remember_visit(request, game, answer)
    return visitors_of(request).remember(visitor, answer)


@router.get("/games/{game_id}/rules")
async def rules(request: Request, game_id: str) -> Response:
    """Show the rules of a game, with an anchor for each."""
    game = find_game(game_id)
    return page(request, "rules.html", game=game, rules=prose.rules_html(game), contents=prose.contents(game))


@router.get("/games/{game_id}/cards.toml")
async def own_cards(game_id: str) -> Response:
    """Return a game's own card file, as a starting point for another."""
    path = card_file(find_game(game_id))
    if path is None:
        raise HTTPException(404)
    return PlainTextResponse(path.read_text("utf-8"))


@router.post("/tables")
async def start(request: Request) -> Response:
    """Create a table from the form and redirect to it; show the form again with the reason if it is refused."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    visitor = visitors.of(request)
    game = find_game(form.get("game", ""))
    try:
        seats, options = _plans(game, form), options_of(game, form)
        # Browsers send line ends as CRLF.
        cards = form.get("cards", "").replace("\r\n", "\n")
        settings = settings_of(game, form)
        if club := form.get("club"):
            await clubs_of(request).require_member(club, visitor.holder)
        waits = settings.start != NOW and any(seat.kind == "open" for seat in seats)
        make = rooms_of(request).open if waits else tables_of(request).create
        made = await make(
            game.id,
            seats,
            options,
            settings,
            title=form.get("title") or None,
            seed=form.get("seed") or None,
            cards=cards if cards.strip() else None,
            holder=visitor.holder,
            host_name=form.get("me") or None,
        )
    except (Refused, ValueError) as error:
        if isinstance(error, Refused) and error.status >= 500:
            raise
        return _form_page(request, game, visitor, form, from_one(str(error)), 422)
    table = made[0] if isinstance(made, tuple) else made
    if club:
        await clubs_of(request).add_table(club, table.id)
    return RedirectResponse(f"/t/{table.id}", 303)


@router.get("/t/{table_id}")
async def show_table(
    request: Request,
    table_id: str,
    version: Version = None,
    open: bool = False,
    at: Version = None,
    seat: str = "",
    until_here: bool = False,
) -> Response:
    """Show a table as the visitor may see it, or an earlier position (`at`), optionally as another `seat` saw it.

    With `until_here` the page of an earlier position tells nothing of what came after it, until the end is reached.
    """
    table = await tables_of(request).get(table_id)
    visitor = visitors_of(request).of(request)
    eyes = _eyes(table, table.seat_of(visitor.holder), seat, open)
    snapshot = _at(table, *eyes, version if at is None else at)
    later = until_here and table.match.over and not snapshot.position_is_current
    if later:
        snapshot = unspoiled(snapshot)
    return visitors_of(request).remember(visitor, await _table_page(request, snapshot, visitor, later=later))


@router.get("/t/{table_id}/fragment")
async def fragment(
    request: Request,
    table_id: str,
    version: Version = None,
    open: bool = False,
    seat: str = "",
    until_here: bool = False,
) -> Response:
    """Return a single position, for the replay and for a page whose stream is disconnected."""
    table = await tables_of(request).get(table_id)
    eyes = _eyes(table, _viewer(request, table), seat, open)
    snapshot = _at(table, *eyes, version)
    return html(request, fragment_of(unspoiled(snapshot) if until_here else snapshot))


@router.get("/t/{table_id}/position.svg")
async def position_picture(
    request: Request, table_id: str, at: Version = None, open: bool = False, seat: str = ""
) -> Response:
    """Return a position as an SVG file, as the visitor may see it (`at` and `seat` as for the page)."""
    table = await tables_of(request).get(table_id)
    shown = unspoiled(_at(table, *_eyes(table, _viewer(request, table), seat, open), at))
    name = f"pyramidion-{table.id}-{shown.position}.svg"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(position_svg(shown), media_type="image/svg+xml; charset=utf-8", headers=headers)


@router.get("/t/{table_id}/log")
async def log(
    request: Request,
    table_id: str,
    since: Annotated[int, Query(ge=0)] = 0,
    until: Annotated[int | None, Query(ge=0)] = None,
    open: bool = False,
    seat: str = "",
) -> Response:
    """Return the viewer's events from number `since` on, and before number `until`, as lines of the log."""
    table = await tables_of(request).get(table_id)
    shown = _at(table, *_eyes(table, _viewer(request, table), seat, open))
    told = list(enumerate(shown.events))[since:until]
    return html(request, render_page("log.html", events=told, undone=shown.undone, game=table.game))


@router.get("/t/{table_id}/chapters")
async def chapters(request: Request, table_id: str, open: bool = False, seat: str = "") -> Response:
    """Return where the chapters of a game begin, for the replay: {"plies", "chapters": [{"at", "text"}]}.

    `plies` contains the number of actions at each position after the game; it is empty before, since it would reveal
    who has decided.
    """
    table = await tables_of(request).get(table_id)
    viewer, everything = _eyes(table, _viewer(request, table), seat, open)
    kinds, shown = table.game.show.chapters, _at(table, viewer, everything)
    told = [event for number, event in enumerate(shown.events) if number not in shown.undone]
    found = [{"at": position_of(event.position), "text": event.text} for event in told if event.name in kinds]
    # Results that the host is releasing belong to a position that is yet to come.
    found = [one for one in found if one["at"] <= shown.last_position]
    plies = table.match.positions(EVERYTHING if everything else viewer) if table.match.over else []
    return JSONResponse({"plies": plies, "chapters": found})


@router.get("/t/{table_id}/refusal")
async def refusal(request: Request, table_id: str, ids: str = "", picks: str = "") -> Response:
    """Return why the visitor cannot take the pieces `ids`, after `picks`, now.

    The response is {"rule", "reason", "pieces", "total"}; for the last two see `Refusal`.
    """
    table = await tables_of(request).get(table_id)
    seat = _viewer(request, table)
    if seat is None:
        return JSONResponse({"rule": "", "reason": _("You are watching. Only players can make moves.")})
    if table.clock.paused:
        return JSONResponse({"rule": "", "reason": _("The game is paused.")})
    why = why_not(table.sight.shown, seat, ids.split()[:8], picks.split()[:8], fragment_of(snapshot_of(table, seat)))
    said = {"rule": why.rule, "reason": with_names(why.reason, table.names)}
    return JSONResponse({**said, "pieces": why.pieces, "total": why.total})


@router.get("/t/{table_id}/ahead")
async def ahead(request: Request, table_id: str, action: str = "") -> Response:
    """Return the big events that are sure to follow from an action of the visitor: [{"text", "rule", "falls"}]."""
    table = await tables_of(request).get(table_id)
    seat = _viewer(request, table)
    ids = {table.game.actions[legal].text: legal for legal in table.sight.legal_ids(seat)} if seat is not None else {}
    if seat is None or action not in ids:
        return JSONResponse([])
    found = sure_to_follow(table.sight.shown, seat, ids[action], table.names)
    kinds = table.game.show.falls
    return JSONResponse([{"text": one.text, "rule": one.rule, "falls": one.name in kinds} for one in found])


@router.get("/t/{table_id}/seals")
async def seals(request: Request, table_id: str) -> Response:
    """Show the seals that the visitor may see, and how to verify them."""
    table = await tables_of(request).get(table_id)
    viewer = _viewer(request, table)
    known = table.sight.seals_for(viewer)
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
    """Return the card file in use at a table, which everybody may read."""
    table = await tables_of(request).get(table_id)
    return PlainTextResponse(table.match.cards) if table.match.cards is not None else await own_cards(table.game.id)


@router.post("/t/{table_id}/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take an open seat."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    await table.sit(
        whole(form.get("seat"), _("The seat must be a whole number.")), visitors.of(request).holder, form.get("name")
    )
    return RedirectResponse(f"/t/{table_id}", 303)


@router.post("/t/{table_id}/act")
async def act(request: Request, table_id: str) -> Response:
    """Play an action at the version at which it was chosen. Scripts get JSON, a plain form gets the table again."""
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
        require_open(seat, form.get("seat"))
        if (asked := await coach_of(request).warning(table, seat, action)) is not None:
            if for_script:
                return JSONResponse({"error": "sure", "reason": asked}, 409)
            return await _table_page(request, _at(table, seat), visitor, asked, 409)
        accepted = await table.act(seat, action, whole(form.get("version"), _("The version must be a whole number.")))
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


def _viewer(request: Request, table: Table) -> int | None:
    return table.seat_of(visitors_of(request).holder(request.scope))


def _eyes(table: Table, viewer: int | None, seat: str, everything: bool) -> tuple[int | None, bool]:
    """Return the viewer of a requested position, and whether everything is revealed (`all`).

    Raises HasSecrets for another seat's view during the game, and BadRequest for a seat that does not exist.
    """
    if everything or seat in ("", "all"):
        return viewer, everything or seat == "all"
    wanted = None if seat == "spectator" else whole(seat, _("The seat must be a whole number."))
    if wanted is not None and not 0 <= wanted < table.match.seats:
        raise BadRequest(_("This table has no such seat."))
    if wanted not in (None, viewer) and not table.match.over:
        raise HasSecrets(_("You can see the game from another player's seat once it is over."))
    return wanted, False


def _at(table: Table, viewer: int | None, everything: bool = False, version: int | None = None) -> Snapshot:
    """Return a position. Raises BadRequest with a sentence if it does not exist or may not be revealed."""
    try:
        return snapshot_of(table, viewer, version, everything=everything)
    except ValueError as error:
        raise BadRequest(str(error)) from error


async def _table_page(
    request: Request,
    snapshot: Snapshot,
    visitor: Visitor,
    told: str | None = None,
    status: int = 200,
    *,
    later: bool = False,
) -> Response:
    table, settings = snapshot.table, snapshot.table.settings
    me = table.seat_of(visitor.holder)
    requester = Requester(me, table.host.is_visitor(visitor.holder))
    events = list(enumerate(snapshot.events))
    return page(
        request,
        "table.html",
        status=status,
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        link=str(request.url.replace(path=f"/t/{table.id}", query="")),
        me=me,
        eyes=snapshot.viewer,
        csrf=visitor.csrf,
        fragment=fragment_of(snapshot),
        told=told,
        since=snapshot.stream_id,
        hosting=requester.host,
        **await panels_of(Visit(request, table, requester, visitor.holder)),
        own_cards=table.own_cards,
        seeded=table.seeded,
        reserved=table.seating.reserved_for(visitor.holder),
        secret_options=secret_options(table),
        host_told=table.host.described(),
        host_name=table.host.name,
        clock=duration(settings.clock) if settings.clock is not None else None,
        close_early=settings.close_early,
        absent=absent_told(settings.absent),
        hints=settings.hints,
        coached=settings.coach,
        table_settings=settings,
        events=events[::-1],
        undone=snapshot.undone,
        over=table.match.over,
        later=later,
        position=snapshot.position,
        last_position=snapshot.last_position,
        names=snapshot.names,
        everything=snapshot.everything,
        refresh=not snapshot.over and snapshot.viewer not in snapshot.acting,
    )


def _form_page(
    request: Request,
    game: Game,
    visitor: Visitor,
    form: Mapping[str, str] | None = None,
    error: str | None = None,
    status: int = 200,
    name: str = "",
    learn: bool = False,
    club: str = "",
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
        presets=presets(game),
        learn=learn,
        club=club or given.get("club"),
        has_cards=card_file(game) is not None,
        settings=form_fields(game),
        count=int(count) if count.isdigit() and int(count) in game.seats else game.usual_seats,
        bots=[(name, _("Bot: {level}").format(level=label(name))) for name in bot_names(game)],
        usual=["me", *[f"bot:{USUAL_BOT}"] * (game.seats[-1] - 1)],
    )


def _plans(game: Game, form: Mapping[str, str]) -> list[SeatPlan]:
    plans: list[SeatPlan] = []
    for seat in range(game.accept_seats(whole(form.get("seats"), _("The number of seats must be a whole number.")))):
        kind, _colon, bot = form.get(f"seat-{seat}", "open").partition(":")
        name = form.get("me") if kind == "me" else form.get(f"name-{seat}")
        given = Given.of(form.get("contribution"), form.get("drawn"))
        plans.append(SeatPlan(kind, name or None, bot or None, given))
    return plans


__all__ = ["error_page", "html", "options_of", "page", "router", "whole"]
