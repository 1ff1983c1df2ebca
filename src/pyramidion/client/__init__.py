"""A client for the JSON API, to play at tables from a program: `pip install 'pyramidion-games[client]'`.

docs/api.md has an example. `AsyncClient` has the methods of `Client` for `await` and `async for`. The types of the
answers are in `pyramidion.client.messages`.
"""

from pyramidion.extras import missing

try:
    from pyramidion.client.answers import ApiError, first_id
    from pyramidion.client.asynchronous import AsyncClient, AsyncSeat
    from pyramidion.client.synchronous import Client, Seat
except ModuleNotFoundError as error:
    raise missing(error, "client") from error

__all__ = ["ApiError", "AsyncClient", "AsyncSeat", "Client", "Seat", "first_id"]
