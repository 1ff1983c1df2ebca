"""Tests of the JSON API client against a server: tables, actions, refusals, streams, and types as in the schema."""

from __future__ import annotations

from typing import get_overloads, get_type_hints

import httpx
import pytest
from tools import client as generator

from pyramidion import client as module
from pyramidion.client import ApiError, AsyncClient, AsyncSeat, Client, answers, first_id

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


def test_a_stream_goes_on_after_a_lost_connection(monkeypatch):
    asked = []

    def answer(request):
        asked.append(request.headers.get("last-event-id"))
        return httpx.Response(200, stream=Torn(len(asked), 8))

    monkeypatch.setattr("pyramidion.client.synchronous.time.sleep", lambda seconds: None)
    seat = module.Seat(httpx.Client(base_url="http://server", transport=httpx.MockTransport(answer)), "t")
    assert [news["version"] for news in seat.stream()] == list(range(1, 9))
    assert asked == [None, *[f"{n}.0" for n in range(1, 8)]]


def test_a_server_that_stays_away_is_given_up_after_pauses(monkeypatch):
    asked, paused = [], []
    monkeypatch.setattr("pyramidion.client.synchronous.time.sleep", paused.append)

    def refuse(request):
        asked.append(request)
        raise httpx.ConnectError("nobody there")

    seat = module.Seat(httpx.Client(base_url="http://server", transport=httpx.MockTransport(refuse)), "t")
    with pytest.raises(httpx.ConnectError):
        next(seat.stream())
    assert len(asked) == answers.RETRIES + 1
    assert paused == [0, 0.5, 1, 2, 4, 8, 10, 10, 10]


def test_a_bot_goes_on_when_its_server_is_there_again(monkeypatch):
    asked, paused = [], []
    monkeypatch.setattr("pyramidion.client.synchronous.time.sleep", paused.append)

    def answer(request):
        asked.append(request.url.path)
        if len(asked) in (1, 2, 5):
            raise httpx.ConnectError("nobody there")
        taken = {"seat": 1, "token": "s"}
        invited = [{"table": "t" if len(asked) < 5 else "u", "started": True, "accepted": True}]
        return httpx.Response(200, json=taken if request.url.path.endswith("accept") else invited)

    client = Client("http://server", token="t")
    client._transport = httpx.MockTransport(answer)
    games = client.games(pause=0.25)
    assert [next(games).table, next(games).table] == ["t", "u"]
    assert paused == [0.5, 1, 0.25, 0.5]


def test_the_generated_parts_are_up_to_date():
    for name, text in generator.modules().items():
        assert (generator.FOLDER / name).read_text("utf-8") == text, f"{name}: run `make docs`"


def test_the_parts_written_by_hand_are_short():
    written = [path for path in generator.FOLDER.glob("*.py") if path.name not in generator.modules()]
    assert {path.name for path in written} == {"__init__.py", "answers.py", "asynchronous.py"}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in written) <= 250


def test_answers_have_the_types_that_the_schema_gives_their_addresses():
    paths, typed = generator.openapi()["paths"], {}
    for overload in get_overloads(AsyncSeat.get):
        hints = get_type_hints(overload)
        [address] = hints["what"].__args__
        typed[address] = hints["return"].__name__
    assert len(typed) == 6
    for address, name in typed.items():
        said = paths[f"/api/tables/{{table_id}}{address}"]["get"]["responses"]["200"]["content"]
        schema = said["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert generator.name_of(schema) == name


def test_schemas_become_types():
    schema = {"anyOf": [{"type": "array", "items": {"$ref": "#/components/schemas/SealOut"}}, {"type": "null"}]}
    assert generator.type_of(schema) == "list[Seal] | None"
    assert generator.type_of({"type": "object", "additionalProperties": {"type": "number"}}) == "dict[str, float]"
    assert generator.type_of({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}) == (
        "list[int | str]"
    )
    assert generator.type_of({"enum": ["a", 1], "type": "string"}) == "Literal['a', 1]"
    assert generator.type_of({}) == "Any"
