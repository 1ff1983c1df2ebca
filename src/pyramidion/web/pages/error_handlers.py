"""Answers to refused and failed requests: JSON for programs, pages for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Router

from pyramidion import IllegalAction
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest, Refused, fault_text, problem
from pyramidion.web.http.middleware import HEADERS
from pyramidion.web.http.responses import Problem, refusal, retry_after, wants_json
from pyramidion.web.pages.page import error_page
from pyramidion.web.table.snapshots import json_encoder as wire

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


def answer_refusals(app: FastAPI) -> None:
    """Register handlers with an application that answer refused, malformed and failed requests with a sentence."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(IllegalAction, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)


async def _refused(request: Request, error: Exception) -> Response:
    """Answer a request that raised Refused or IllegalAction."""
    assert isinstance(error, (Refused, IllegalAction))
    return refusal_answer(request, error)


async def _malformed(request: Request, error: Exception) -> Response:
    """Answer a request whose parameters or body do not match the schema."""
    assert isinstance(error, RequestValidationError)
    faults = error.errors()
    if any(fault["type"] == "json_invalid" for fault in faults):
        return _error_answer(request, 400, problem(400, "bad-request", _("The request body is not valid JSON.")))
    detail = "; ".join(_place_and_message(fault) for fault in faults[:10])
    return _error_answer(request, 422, problem(422, "bad-request", f"{detail}."))


def _place_and_message(fault: Mapping[str, Any]) -> str:
    """Return where in a request a fault of Pydantic's is, and what is wrong there."""
    place = list(fault["loc"][1:]) or [fault["loc"][0]]
    message = fault_text(fault)
    match fault["type"]:
        case "extra_forbidden":
            message = _("There is no such field")
        case "bool_type" | "bool_parsing":
            message = _("Choose one of {known}").format(known="true, false")
        case "union_tag_invalid":
            place.append(fault["ctx"]["discriminator"].strip("'"))
            message = _("Choose one of {known}").format(known=fault["ctx"]["expected_tags"])
        case "union_tag_not_found":
            place.append(fault["ctx"]["discriminator"].strip("'"))
            message = "Field required"  # as Pydantic says of other fields
        case _:
            pass
    return f"{'.'.join(map(str, place))}: {message}"


async def _http(request: Request, error: Exception) -> Response:
    """Answer a request that raised an HTTPException, such as for a page that does not exist."""
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, Refused):
        # FastAPI turns every exception during the reading of a body into one of its own.
        return await _refused(request, error.__cause__)
    if error.__cause__ is not None and error.status_code == BadRequest.status:
        # Such as a whole number of thousands of digits, or thousands of lists in one another.
        return _error_answer(request, 400, problem(400, "bad-request", _("The request body is not valid JSON.")))
    if error.status_code == 405 and request.method == "GET" and not wants_json(request):
        # Somebody went back to the address of a form, or changed the language there.
        return RedirectResponse(_page_above(request), 303)
    sentence = {404: _("Page not found."), 405: _("This address does not support that request method.")}.get(
        error.status_code, str(error.detail)
    )
    code = BadRequest.code if error.status_code == BadRequest.status else "http"
    answer = _error_answer(request, error.status_code, problem(error.status_code, code, sentence))
    if error.status_code == 405:
        answer.headers["allow"] = ", ".join(method for method in METHODS if _answers(request, request.url.path, method))
    return answer


async def _fault(request: Request, _error: Exception) -> Response:
    """Answer a request that failed because of an internal error; the details go to the log only."""
    sentence = _("Something went wrong on the server. The error has been logged.")
    answer = _error_answer(request, 500, problem(500, "internal", sentence))
    # This response does not pass through the middleware `SecurityMiddleware`, which adds the security headers.
    answer.raw_headers.extend(HEADERS)
    return answer


def refusal_answer(request: Request, error: Refused | IllegalAction) -> Response:
    """Return the answer to a refused request, as JSON or a page, with `Retry-After` if the error says when to retry."""
    answer = _error_answer(request, *refusal(error, request.scope))
    answer.headers.update(retry_after(error))
    return answer


def _error_answer(request: Request, status: int, body: dict[str, Any]) -> Response:
    """Return the answer with an error: problem details for programs, a page for people."""
    if wants_json(request):
        return Problem(wire.encode(body), status)
    return error_page(request, status, body)


def _page_above(request: Request) -> str:
    """Return the path of the nearest page above a request's path; below a table's path, that is the table's page."""
    path = request.url.path
    if table := re.match(r"/t/[^/]+(?=/)", path):
        return table[0]
    while len(path := path.rstrip("/").rpartition("/")[0]) > 1:
        if _answers(request, path, request.method):
            return path
    return "/"


def _answers(request: Request, path: str, method: str) -> bool:
    """Return whether a path of the application supports a request method; HEAD is answered like GET."""
    router: Router = request.app.router
    method = "GET" if method == "HEAD" else method
    scope: dict[str, Any] = {**request.scope, "path": path, "method": method, "path_params": {}}
    return any(route.matches(scope)[0] is Match.FULL for route in router.routes)
