"""Services by their type: how a handler gets a service, without knowing who makes it.

    async def leave(season_id: str, seasons: Service[Seasons]) -> Json:

`Service[Seasons]` is `Annotated[Seasons, Depends(...)]`. Code that FastAPI does not call asks `get_service`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import Depends, FastAPI, Request
from starlette.requests import HTTPConnection

T = TypeVar("T")


def install(app: FastAPI, services: Mapping[type, object]) -> None:
    """Register an application's services by the types under which handlers request them."""
    app.state.services = services


def get_service(connection: HTTPConnection, kind: type[T]) -> T:
    """Return the application's service that is registered for a type: a class, or a protocol of `contracts.py`."""
    services: Mapping[type, Any] = connection.app.state.services
    return services[kind]


@cache
def _lookup(kind: type[object]) -> Callable[[Request], Awaitable[object]]:
    """Return the FastAPI dependency for a service. It is cached, so that FastAPI calls it only once per request."""

    async def lookup(request: Request) -> object:
        """Return the application's service."""
        return get_service(request, kind)

    return lookup


if TYPE_CHECKING:
    Service = Annotated[T, "a parameter that FastAPI fills with the application's service of this type"]
else:

    class Service:
        """The annotation of a handler's parameter: `Service[Seasons]` receives the application's Seasons."""

        def __class_getitem__(cls, kind: type[T]) -> object:
            """Return the type, with the dependency that gets the service."""
            return Annotated[kind, Depends(_lookup(kind))]
