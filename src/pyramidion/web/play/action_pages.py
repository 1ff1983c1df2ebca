"""Actions from a table's page: taking a seat, playing an action, and what a player asks before it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion import IllegalAction
from pyramidion.bots.foresight import eliminates, question_before, sure_to_follow, warning_before
from pyramidion.translation import _, with_names
from pyramidion.web.errors import NotYourSeat, StaleVersion, TimeIsUp
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import wants_json
from pyramidion.web.http.services import Service
from pyramidion.web.operations.metrics import Metrics
from pyramidion.web.pages.panel import TableVisit
from pyramidion.web.play import panels
from pyramidion.web.play.panels import after_acting, fragment_of
from pyramidion.web.play.reasons import why_not
from pyramidion.web.play.table_pages import position_of_viewer, table_page
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table_requests.access import require_open

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/refusal")
async def refusal(visit: TableVisit, ids: str = "", picks: str = "") -> Response:
    """Return why the visitor cannot choose the pieces `ids` now, after choosing the pieces `picks`.

    The response is {"rule", "reason", "pieces", "total"}; for the last two see `Refusal`.
    """
    table, seat = visit.table, visit.seat
    if seat is None:
        return JSONResponse({"rule": "", "reason": _("You are watching. Only players can make moves.")})
    if table.clock.paused:
        return JSONResponse({"rule": "", "reason": _("The game is paused.")})
    why = why_not(
        table.visibility.shown_match, seat, ids.split()[:8], picks.split()[:8], fragment_of(snapshot_of(table, seat))
    )
    reason = with_names(why.reason, table.names)
    return JSONResponse({"rule": why.rule, "reason": reason, "pieces": why.pieces, "total": why.total})


@router.get("/t/{table_id}/ahead")
async def ahead(visit: TableVisit, action: str = "") -> Response:
    """Preview an action: return the big events that are certain to follow, and what the game warns of.

    The response is [{"text", "rule", "falls", "own", "pieces"}]: whether the event eliminates somebody or is a warning,
    which has no rule; whether the visitor is eliminated; and the keys of the pieces that are to blame.
    """
    table, seat = visit.table, visit.seat
    legal_ids = table.visibility.legal_ids(seat) if seat is not None else ()
    ids = {table.game.actions[legal].text: legal for legal in legal_ids}
    if seat is None or action not in ids:
        return JSONResponse([])
    match, show = table.visibility.shown_match, table.game.presentation
    answer: list[dict[str, object]] = []
    for event in sure_to_follow(match, seat, ids[action], table.names):
        falls, own = event.name in show.falls, eliminates(match.game, event, seat)
        pieces = show.culprits(match.view(seat), seat) if own else ()
        answer.append({"text": event.text, "rule": event.rule, "falls": falls, "own": own, "pieces": list(pieces)})
    if not any(event["own"] for event in answer) and (warning := warning_before(match, seat, ids[action])):
        pieces = show.culprits(match.view(seat), seat)
        answer.append({"text": warning, "rule": "", "falls": True, "own": False, "pieces": list(pieces)})
    return JSONResponse(answer)


@router.post("/t/{table_id}/sit")
async def sit(form: PostedForm, visit: TableVisit) -> Response:
    """Take the open seat that the form names, for the visitor."""
    seat = whole_number(form.get("seat"), _("The seat must be a whole number."))
    await visit.table.sit(seat, visit.holder, form.get("name"))
    return RedirectResponse(f"/t/{visit.table.id}", 303)


@router.post("/t/{table_id}/act")
async def act(form: PostedForm, visit: TableVisit, limits: Service[RateLimits], metrics: Service[Metrics]) -> Response:
    """Play the visitor's action at the version where it was chosen. Scripts get JSON, a form gets the page again."""
    arrived = time.perf_counter()
    request, table, seat = visit.request, visit.table, visit.seat
    family = form.get("family", "")
    action = form.get("action") or f"{family} {form.get(f'number-{family}', '')}"
    for_script = wants_json(request)
    limits.action(request.scope, table.id, seat)

    async def again(message: str, status: int) -> Response:
        """Return the table's page again, with a message about the action."""
        return await table_page(visit, position_of_viewer(table, seat, reader=seat), message, status)

    try:
        require_open(seat, form.get("seat"))
        # A page that says `ask` can show a question, and gets it as an ordinary answer.
        asks = bool(form.get("ask"))
        question = _question_before(table, seat, action) if asks else None
        if question is None:
            question = await panels.question_before(visit, action)
        if question is not None:
            if for_script:
                return JSONResponse({"error": "sure", "reason": question}, 200 if asks else 409)
            return await again(question, 409)
        version = whole_number(form.get("version"), _("The version must be a whole number."))
        accepted = await table.act(seat, action, version)
        metrics.acted(time.perf_counter() - arrived)
    except IllegalAction as error:
        reason = with_names(error.reason, table.names)
        if for_script:
            return JSONResponse({"error": "illegal-action", "rule": error.rule, "reason": reason}, 422)
        return await again(f"{reason} ({error.rule})" if error.rule else reason, 422)
    except (StaleVersion, TimeIsUp, NotYourSeat) as error:
        if for_script:
            raise
        return await again(error.sentence, error.status)
    back = RedirectResponse(f"/t/{table.id}", 303)
    reload = after_acting(visit, back)
    if not for_script:
        return back
    answer = JSONResponse({"version": accepted.version, "passed": reload})
    answer.raw_headers += [header for header in back.raw_headers if header[0] == b"set-cookie"]
    return answer


def _question_before(table: Table, seat: int | None, action: str) -> str | None:
    """Return the question to ask before an action that loses the game or that the game warns of; None for any other.

    Nobody is asked who has no other choice.
    """
    if seat is None or table.match.over or table.clock.paused:
        return None
    ids = {table.game.actions[legal].text: legal for legal in table.visibility.legal_ids(seat)}
    if action not in ids or len(ids) < 2:
        return None
    return question_before(table.visibility.shown_match, seat, ids[action], table.names)
