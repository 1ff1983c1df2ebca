"""A real server in a thread, and a client that plays through it."""

import asyncio
import json
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import httpx
import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.databases import copies_of_one_file

from pyramidion.web.application import create_app, uvicorn_server
from pyramidion.web.features.accounts import passwords
from pyramidion.web.http.uvicorn_server import address_of, bind
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats import given_names


@pytest.fixture(scope="session", autouse=True)
def new_databases_are_copies(tmp_path_factory):
    """Run the migrations once; `test_store.py` runs them each time."""
    with copies_of_one_file(tmp_path_factory.mktemp("migrated")):
        yield


@pytest.fixture(scope="session", autouse=True)
def passwords_are_hashed_in_a_moment():
    """Spend no time on hashes; `test_accounts.py` checks the parameters that a server uses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "HASHER", passwords.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture(scope="session", autouse=True)
def bots_have_other_names_than_people():
    """Bots are called Hypatia, Ines and so on; a test's person could not sit down beside a bot called Grace."""
    first = given_names.BOT_NAMES.index("Hypatia")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(given_names, "secrets", SimpleNamespace(randbelow=lambda _below: first))
        yield


@contextmanager
def serving(data_dir, port=0, **settings):
    """Serve in a thread, at a port of its own unless one is given; bots move at once."""
    settings = Settings(**{"data_dir": data_dir, "warm": False, "bot_pause": 0, "heartbeat": 0.2, **settings})
    sock = bind("127.0.0.1", port)
    server = uvicorn_server(create_app(settings), address_of(sock, "127.0.0.1"))
    up = threading.Event()
    server.announce = up.set
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([sock])))
    thread.start()
    assert up.wait(60)
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join(120)
        sock.close()
        assert not thread.is_alive()


@pytest.fixture
def client(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        yield client


class Player:
    """A table started by a program, seen through the API."""

    def __init__(self, client, seats=("me", "me", "me"), game="ponzi-scheme", **order):
        plan = [{"kind": "bot", "bot": kind} if kind not in ("me", "open") else {"kind": kind} for kind in seats]
        answer = client.post("/api/tables", json={"game": game, "seats": plan, **order})
        assert answer.status_code == 201, answer.text
        self.client, self.about = client, answer.json()
        self.id = self.about["id"]
        self.url = f"/api/tables/{self.id}"
        self.tokens = {int(seat): token for seat, token in self.about["tokens"].items()}

    def headers(self, seat):
        return {"Authorization": f"Bearer {self.tokens[seat]}"} if seat is not None else {}

    def get(self, what="", seat=None, **query):
        answer = self.client.get(f"{self.url}{what}", headers=self.headers(seat), params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, seat, action, version=None):
        if version is None:
            version = self.get("/legal", seat)["version"]
        body = {"action": action, "version": version}
        return self.client.post(f"{self.url}/actions", headers=self.headers(seat), json=body)

    def play(self, action, seat=None):
        """Play for whoever is due; `action` is a notation, or chooses from the legal list."""
        seat = self.get()["acting"][0] if seat is None else seat
        legal = self.get("/legal", seat)
        chosen = action if isinstance(action, str) else action(legal["legal"])
        answer = self.post(seat, chosen, legal["version"])
        assert answer.status_code == 200, answer.text
        return seat

    def stream(self, seat=None, page=False, **query):
        url = f"/t/{self.id}/stream" if page else f"{self.url}/stream"
        return Listening(self.client, url, self.headers(seat), query)


class Listening:
    """An open event stream: `next()` waits for one message."""

    def __init__(self, client, url, headers, query):
        self._request = client.stream("GET", url, headers=headers, params=query)

    def __enter__(self):
        self.response = self._request.__enter__()
        assert self.response.status_code == 200, self.response.read()
        self._lines = self.response.iter_lines()
        self.last_id = None
        return self

    def __exit__(self, *error):
        return self._request.__exit__(*error)

    def raw(self):
        """Return the next block of lines, heartbeats included."""
        block = []
        for line in self._lines:
            if not line:
                return block
            block.append(line)
        return None

    def next(self, kind="table"):
        """Return the data of the next message of a kind, or None at the end of the stream."""
        while (block := self.raw()) is not None:
            fields = dict(line.split(": ", 1) for line in block if not line.startswith(":"))
            if fields.get("event") == kind:
                self.last_id = fields.get("id", self.last_id)
                return json.loads(fields["data"])
        return None


@pytest.fixture
def new_table(client):
    return lambda *args, **order: Player(client, *args, **order)


@pytest.fixture
def person(server):
    """Return a function that makes people with browsers of their own, with an account if they have a name."""
    made = []

    def one(name=None):
        made.append(Person(server, name))
        return made[-1]

    yield one
    for client in made:
        client.close()
