"""Tests of the JSON API client against a server: tables, actions, refusals, streams, and types as in the schema."""

from __future__ import annotations

from typing import NotRequired, get_origin, get_type_hints

import httpx
import pytest

from pyramidion import client as module
from pyramidion import client_messages
from pyramidion.client import ApiError, AsyncClient, Client, first_id

SEATS = ["me", "policy", "policy"]
SHORT = {"options": {"round_limit": 2}, "seed": 1}


def test_a_game_is_played_to_its_end(server):
    with Client(server.address) as client:
        [seat] = client.start_table("ponzi-scheme", SEATS, **SHORT)
        told = []
        for news in seat.stream():
            told += news["events"]
            if news.get("legal"):
                seat.act(first_id(news["legal"][0]), news["version"])
        assert news["over"]
        assert news["outcome"]["winners"]
        assert [event["n"] for event in told] == list(range(len(told)))
        assert told == seat.get("/events")["events"]


async def test_a_game_is_played_with_asyncio(server):
    async with AsyncClient(server.address) as client:
        [seat] = await client.start_table("ponzi-scheme", SEATS, **SHORT)
        versions = [0]
        async for news in seat.stream():
            if news.get("legal"):
                versions.append(await seat.act(first_id(news["legal"][0]), news["version"]))
        assert news["over"]
        assert versions == sorted(versions)
        assert (await seat.get())["over"]


async def test_seats_are_taken_and_spectators_watch(server):
    async def join(table):
        async with AsyncClient(server.address) as client:
            return (await client.sit_down(table, 2, "Bo")).seat

    with Client(server.address) as client:
        [seat] = client.start_table("ponzi-scheme", ["me", "open", "open"])
        other = client.sit_down(seat.table, 1, "Ann")
        assert await join(seat.table) == 2
        assert other.get()["seat"] == 1
        assert [one["name"] for one in other.get()["seats"]] == ["Player 1", "Ann", "Bo"]
        assert module.Seat(client, seat.table).get("/view")["seat"] is None
        with pytest.raises(ApiError, match=r"taken|has") as refused:
            client.sit_down(seat.table, 1)
        assert (refused.value.status, refused.value.error) == (409, "seat-taken")


def test_a_refusal_carries_its_rule(server):
    with Client(server.address) as client:
        seats = client.start_table("ponzi-scheme", ["me"] * 3)
        due = seats[seats[0].get()["acting"][0]]
        with pytest.raises(ApiError, match="market") as refused:
            due.act("fund media 80", due.get("/legal")["version"])
        assert refused.value.problem["rule"] == "PZ 4.1"
        assert refused.value.problem["type"] == "urn:pyramidion:problem:illegal-action"
        with pytest.raises(ApiError) as refused:
            next(module.Seat(client, "nowhere").stream())
        assert refused.value.error == "unknown-table"


class Torn(httpx.SyncByteStream):
    """A connection that is lost after two messages; the last one of `most` tells that the game is over."""

    def __init__(self, number, most):
        self._number, self._over = number, b"true" if number == most else b"false"

    def __iter__(self):
        yield b'id: %d.0\ndata: {"seats": []}\n\n' % self._number
        yield b'data: {"version": %d, "events": [], "acting": [], "free": [], "over": %b}\n\n' % (
            self._number,
            self._over,
        )
        raise httpx.ReadError("lost")


def test_a_stream_goes_on_after_a_lost_connection():
    asked = []

    def answer(request):
        asked.append(request.headers.get("last-event-id"))
        return httpx.Response(200, stream=Torn(len(asked), 8))

    seat = module.Seat(httpx.Client(base_url="http://server", transport=httpx.MockTransport(answer)), "t")
    assert [news["version"] for news in seat.stream()] == list(range(1, 9))
    assert asked == [None, *[f"{n}.0" for n in range(1, 8)]]


def test_a_server_that_stays_away_is_given_up():
    asked = []

    def refuse(request):
        asked.append(request)
        raise httpx.ConnectError("nobody there")

    seat = module.Seat(httpx.Client(base_url="http://server", transport=httpx.MockTransport(refuse)), "t")
    with pytest.raises(httpx.ConnectError):
        next(seat.stream())
    assert len(asked) == client_messages.RETRIES + 1


def test_types_are_those_of_the_schema(server):
    schemas = httpx.get(f"{server.address}api/openapi.json", timeout=60).json()["components"]["schemas"]
    hints = get_type_hints(module.News, include_extras=True)
    assert set(hints) <= set(schemas["News"]["properties"])
    required = {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}
    assert required == set(schemas["News"]["required"])
    assert set(get_type_hints(module.Event)) == set(schemas["EventOut"]["properties"])
    entries = set(schemas["LegalAction"]["properties"]) | set(schemas["LegalRange"]["properties"])
    assert set(get_type_hints(module.Legal)) == entries
