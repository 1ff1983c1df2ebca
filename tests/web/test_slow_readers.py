"""Tests of slow readers: they get fewer messages but no less content, and nothing piles up for them."""

import asyncio
import json

import pytest
from tests.web.helpers.polling import until
from tests.web.helpers.tables import open_tables, play, started

from pyramidion.web.play.streams import PageStream, ProgramStream, StreamPosition, Streams


class Reader:
    """The far end of an event stream, which reads only when it is told to."""

    def __init__(self):
        self.reading = asyncio.Event()
        self.messages = []
        self.gone = asyncio.Event()

    async def send(self, message):
        await self.reading.wait()
        self.hear(message.get("body", b""))

    def hear(self, data):
        for block in data.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if fields.get("event") == "table":
                self.messages.append(json.loads(fields["data"]))

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}


async def read_slowly(tmp_path, kind):
    """Play forty actions while a reader stands still after its first message; return table and messages."""
    async with open_tables(tmp_path) as tables:
        table, streams, reader = await started(tables), Streams(60), Reader()
        serving = asyncio.create_task(streams.serve(kind(table, None, StreamPosition()), reader.receive, reader.send))
        reader.reading.set()
        await until(lambda: reader.messages)
        reader.reading.clear()
        for _ in range(40):
            await play(table)
        assert len(reader.messages) == 1
        reader.reading.set()
        await until(lambda: reader.messages[-1]["version"] >= 40)
        reader.gone.set()
        await serving
        assert table.viewers.channels == {}
        return table, reader.messages


async def test_a_slow_page_gets_the_newest_position_alone(tmp_path):
    _, messages = await read_slowly(tmp_path, PageStream)
    # The one that was on its way when it stopped reading, and the newest.
    assert [message["version"] for message in messages] == [0, 1, 40]


async def test_a_slow_program_gets_every_event(tmp_path):
    table, messages = await read_slowly(tmp_path, ProgramStream)
    assert [message["version"] for message in messages] == [0, 1, 40]
    told = [event for message in messages for event in message["events"]]
    assert [event["n"] for event in told] == list(range(len(told)))
    assert [event["text"] for event in told] == [event.text for event in table.events(None)]


async def test_what_goes_wrong_while_a_message_is_made_ends_the_stream(tmp_path, monkeypatch):
    async with open_tables(tmp_path) as tables:
        table, streams, reader = await started(tables), Streams(60), Reader()
        stream = ProgramStream(table, None, StreamPosition())
        reader.reading.set()
        serving = asyncio.create_task(streams.serve(stream, reader.receive, reader.send))
        await until(lambda: reader.messages)
        monkeypatch.setattr(stream, "make", lambda: 1 // 0)
        await play(table)
        with pytest.raises(ZeroDivisionError):
            await serving
        assert table.viewers.channels == {}


async def test_a_reader_that_goes_away_while_it_is_waited_for_is_forgotten(tmp_path):
    async with open_tables(tmp_path) as tables:
        table, streams, reader = await started(tables), Streams(60), Reader()
        reader.reading.set()
        serving = asyncio.create_task(
            streams.serve(PageStream(table, 0, StreamPosition()), reader.receive, reader.send)
        )
        await until(lambda: reader.messages)
        reader.gone.set()
        await serving
        await play(table)
