"""The page `/api/docs`, rendered on the server from the OpenAPI description; it needs no script."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from fastapi import APIRouter, Request
from starlette.responses import Response

from pyramidion.engine import registry
from pyramidion.web.pages.page import page

Schema = dict[str, Any]
router = APIRouter(include_in_schema=False)


@dataclass(slots=True)
class DocumentedField:
    """A row of the API reference: a parameter, or a field of a request or response body."""

    name: str
    type: str
    needed: bool
    about: str


@dataclass(slots=True)
class Operation:
    """A section of the API reference: an operation with its parameters, request and response body, and refusals."""

    method: str
    path: str
    summary: str
    description: str
    parameters: list[DocumentedField] = field(default_factory=list[DocumentedField])
    body: list[DocumentedField] = field(default_factory=list[DocumentedField])
    answer: list[DocumentedField] = field(default_factory=list[DocumentedField])
    refusals: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @property
    def anchor(self) -> str:
        """The HTML id of the operation's section on the page."""
        return f"{self.method}{self.path}".lower().replace("/", "-").replace("{", "").replace("}", "")


@router.get("/api/docs")
async def manual(request: Request) -> Response:
    """Show the API reference as a page."""
    described: Schema = request.app.openapi()
    origin = str(request.base_url).rstrip("/")
    summary = described["info"]["summary"]
    return page(
        request, "api.html", summary=summary, operations=operations(described), origin=origin, order=_example_body()
    )


def _example_body() -> str:
    """Return an example request body: a table of a game with few seats, with bots in the other seats."""
    game = min(registry.all_games().values(), key=lambda game: game.seats[0])
    bots = [{"kind": "bot", "bot": "policy"}] * (game.seats[0] - 1)
    return json.dumps({"game": game.id, "seats": [{"kind": "me"}, *bots]}, separators=(",", ":"))


def operations(described: Schema) -> list[Operation]:
    """Return the operations of an OpenAPI description for the API reference, in the order of the description."""
    schemas: Schema = described.get("components", {}).get("schemas", {})
    documented: list[Operation] = []
    for path, methods in described["paths"].items():
        for method, operation in cast("dict[str, Schema]", methods).items():
            answers: dict[str, Schema] = operation.get("responses", {})
            good = next((answer for status, answer in answers.items() if status < "300"), Schema())
            documented.append(
                Operation(
                    method=method.upper(),
                    path=path,
                    summary=operation.get("summary", ""),
                    description=operation.get("description", ""),
                    parameters=[_parameter(parameter, schemas) for parameter in operation.get("parameters", [])],
                    body=_fields(_content(operation.get("requestBody", {})), schemas),
                    answer=_fields(_content(good), schemas),
                    refusals=[(status, answer["description"]) for status, answer in answers.items() if status >= "300"],
                )
            )
    return documented


def _content(part: Schema) -> Schema:
    """Return the JSON schema of a request or response body, empty without one."""
    return part.get("content", {}).get("application/json", {}).get("schema", {})


def _parameter(described: Schema, schemas: Schema) -> DocumentedField:
    """Return the row of the API reference for a parameter."""
    return DocumentedField(
        described["name"],
        _type(described["schema"], schemas),
        described.get("required", False),
        described.get("description", ""),
    )


def _fields(schema: Schema, schemas: Schema) -> list[DocumentedField]:
    """Return the fields of a JSON object; for a union, those of its first member."""
    schema = _resolved(schema, schemas)
    needed: list[str] = schema.get("required", [])
    return [
        DocumentedField(name, _type(member, schemas), name in needed, member.get("description", ""))
        for name, member in cast("dict[str, Schema]", schema.get("properties", {})).items()
    ]


def types_of(described: Schema) -> dict[str, str]:
    """Describe the types of a model's fields in words, by the fields' paths (`chat.private`), from its JSON schema."""
    schemas: Schema = described.get("$defs", {})
    types: dict[str, str] = {}
    for outer in _fields(described, schemas):
        types[outer.name] = outer.type
        for inner in _fields(described["properties"][outer.name], schemas):
            types[f"{outer.name}.{inner.name}"] = inner.type
    return types


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    """Follow a schema's references, and take the first member of each union."""
    while "$ref" in schema or "anyOf" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema["anyOf"][0]
    return schema


def _type(schema: Schema, schemas: Schema) -> str:
    """Describe a schema's type in words: `whole number or text`, `list of (kind, name, bot)`."""
    if "anyOf" in schema:
        return " or ".join(_type(member, schemas) for member in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f'"{value}"' for value in schema["enum"])
    if "$ref" in schema:
        return f"({', '.join(_resolved(schema, schemas).get('properties', {}))})"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}), schemas)}"
    return _WORDS.get(schema.get("type", ""), "anything")


_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "nothing",
}
