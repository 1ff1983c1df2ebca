"""The OpenAPI description, completed with authentication and refusals as problem details (RFC 9457)."""

from __future__ import annotations

from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from pyramidion.web.http import field_descriptions
from pyramidion.web.http.authentication import COOKIE
from pyramidion.web.http.schemas import Fault

PROBLEM = "application/problem+json"
SCHEMES = {
    "seatToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a seat, or of a host who does not play. Without a token you are a spectator.",
    },
    "apiToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The API token of a bot, which its owner creates under *Your bots*, or of an account. Each has "
        "scopes: `invitations`, `play`, `blocks` or `events`.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "A browser's cookie, for accounts and seats taken in the browser. A request that changes "
        "something also needs the page's `csrf` token in the header `X-CSRF`.",
    },
}

HEADERS = {
    "201": ("Location", "The address of what has been made."),
    "401": ("WWW-Authenticate", "How to authenticate."),
}
"""The header of an answer by its status, and what it holds."""


def operation_id(route: APIRoute) -> str:
    """Return a route's operation id, from which clients generate method names: its handler's name (`start_table`)."""
    return route.name


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the application's OpenAPI document as a dictionary; it is built once."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        made["components"]["securitySchemes"] = SCHEMES
        schemas: dict[str, Any] = made["components"]["schemas"]
        schemas["Fault"] = Fault.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        field_descriptions.complete(made)
        for path, operations in cast("dict[str, dict[str, Any]]", made["paths"]).items():
            for operation in operations.values():
                if path.startswith("/api/"):
                    _complete(operation, path)
        app.openapi_schema = made
    return app.openapi_schema


def _complete(operation: dict[str, Any], path: str) -> None:
    """Add to an operation how to authenticate, and the format of its error answers."""
    if "/tables/" in path:
        operation["security"] = [{"seatToken": []}, {"session": []}, {}]
    elif path.startswith(("/api/invitations", "/api/blocks")):
        operation["security"] = [{"apiToken": []}, {"session": []}]
    elif path.startswith(("/api/season", "/api/tournaments", "/api/clubs")):
        operation["security"] = [{"apiToken": []}, {"session": []}, {}]
    elif "/account" in path or "/session" in path:
        operation["security"] = [{"session": []}, {}]
    answers: dict[str, Any] = operation["responses"]
    answers.setdefault("default", {"description": "Refused for another reason."})
    for status, answer in answers.items():
        if status == "default" or status >= "400":
            answer["content"] = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Fault"}}}
        if status in HEADERS:
            name, description = HEADERS[status]
            answer["headers"] = {name: {"description": description, "schema": {"type": "string"}}}
        if status == "422" and answer["description"] == "Validation Error":
            answer["description"] = "A parameter or field is not of the form asked for."
