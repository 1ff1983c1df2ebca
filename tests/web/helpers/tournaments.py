"""Helpers of the tests in `test_tournaments.py`, which other tests use, too."""

import re
import time


class Cup:
    """A tournament with its host, who uses a browser's cookie."""

    def __init__(self, client, **settings):
        self.client = client
        body = {"title": "Cup", "host": "Hal", "game": "pyramid-shambo", **settings}
        made = client.post("/api/tournaments", json=body, headers=csrf(client))
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]

    def ask(self, what="", client=None, **body):
        client = client or self.client
        return client.post(f"/api/tournaments/{self.id}/{what}", json=body, headers=csrf(client))

    def done(self, what="", client=None, **body):
        answer = self.ask(what, client, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def bots(self, count):
        for number in range(count):
            self.done("entries", event={"kind": "joined", "name": f"Robot {number}", "bot": "random"})

    def get(self, client=None):
        return (client or self.client).get(f"/api/tournaments/{self.id}").json()

    def wait(self, *steps):
        """Return the tournament once it has come to one of these steps; bots play meanwhile."""
        until = time.monotonic() + 120
        while (now := self.get())["step"] not in steps:
            assert time.monotonic() < until, now
            time.sleep(0.1)
        return now


def csrf(client):
    """Return the header of a browser that has the form of a page before it."""
    if "x-csrf" not in client.headers:
        client.headers["x-csrf"] = re.search(r'name="csrf" value="([^"]+)"', client.get("/tournaments").text)[1]
    return {}
