"""Responses with rendered pages."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from fastapi import Request
from markupsafe import Markup
from starlette.responses import Response

from pyramidion.translation import _, from_one, marked
from pyramidion.web.errors import Refused
from pyramidion.web.http.referer import came_from
from pyramidion.web.http.responses import require_page, retry_after
from pyramidion.web.pages import assets
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.table.snapshots import json_encoder as wire

PACK_FROM = 1000
REPORTABLE = re.compile(r"/(t|clubs|seasons|tournaments)/[a-z0-9]+|/people/(?!me$)[^/]+")
"""The addresses of pages with names, texts and pictures of people, which have a link to report something."""


def page(
    request: Request, template: str, *, status: int = 200, refusal: Refused | None = None, **context: Any
) -> Response:
    """Render a page from a template and return it as a response; further arguments are the template's variables.

    `refusal` is why the form on the page was refused: the page has its status, and shows its sentence as `error`. It is
    raised again where no page helps (`require_page`).

    A page that answers a form stands at the form's address, where a browser would find nothing if it asked for it
    again. So it is told the address of the page with the form (theme.js).
    """
    form_page = came_from(request) if request.method == "POST" else None
    path = request.url.path
    shared = {
        "static": assets.assets().base,
        "request_path": path,
        "form_page": form_page,
        "error": None,
        "reportable": path if status == 200 and REPORTABLE.fullmatch(path) else None,
    }
    if refusal is not None:
        require_page(request, refusal)
        status, context["error"] = refusal.status, from_one(refusal.sentence)
    response = html(request, render_page(template, **{**shared, **context}), status)
    if refusal is not None:
        response.headers.update(retry_after(refusal))
    return response


def html(request: Request, text: str, status: int = 200) -> Response:
    """Return HTML as a response that is not cached, compressed if the browser accepts gzip."""
    body = text.encode()
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if len(body) > PACK_FROM and assets.takes_gzip(request):
        body = gzip.compress(body, 5, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, "text/html; charset=utf-8")


def error_page(request: Request, status: int, body: Mapping[str, Any]) -> Response:
    """Return the page for a refused request: the message, and a link to the table or the home page."""
    table = re.match(r"/t/([^/]+)", request.url.path)
    back = f"/t/{table[1]}" if table and status not in (404, 410) else "/"
    return page(
        request,
        "message.html",
        status=status,
        title=_(_HEADINGS.get(status, _ANYTHING_ELSE)),
        sentence=from_one(str(body.get("detail", ""))),
        back=back,
    )


def version_of(content: Mapping[str, Any]) -> str:
    """Return a hash of a page's content, by which a script notices that an open page is out of date."""
    return hashlib.sha256(wire.encode(content)).hexdigest()[:16]


def when(at: int) -> Markup:
    """Return a time, in milliseconds since 1970, as an element that a script shows in the reader's time zone."""
    return _minute(at // 60_000)


@lru_cache(10_000)  # a log has many entries of the same minutes
def _minute(minute: int) -> Markup:
    """Return a minute since 1970 as a `<time>` element in UTC."""
    moment = datetime.fromtimestamp(minute * 60, UTC)
    stamp, text = moment.strftime("%Y-%m-%dT%H:%MZ"), moment.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}">{}</time>').format(stamp, text)


_ANYTHING_ELSE = marked("Something went wrong")


_HEADINGS = {
    403: marked("Not allowed"),
    404: marked("Not found"),
    409: marked("No longer possible"),
    410: marked("This table cannot continue"),
    422: marked("Invalid request"),
    429: marked("Too many requests"),
    500: marked("Server error"),
    503: marked("Temporarily unavailable"),
}
