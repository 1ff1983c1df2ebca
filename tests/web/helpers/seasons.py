"""Helpers of the tests in `test_seasons.py`, which other tests use, too."""

import time

from tests.web.helpers.casting import CAST


class Host:
    """A season run by a program."""

    def __init__(self, client, **settings):
        self.client = client
        answer = client.post("/api/seasons", json={"title": "Code Red", "host": "Hal", **settings})
        assert answer.status_code == 201, answer.text
        self.id, self.token = answer.json()["id"], answer.json()["token"]

    def ask(self, method, path="", token=None, **json):
        headers = {"Authorization": f"Bearer {token or self.token}"}
        return self.client.request(method, f"/api/seasons/{self.id}{path}", headers=headers, json=json or None)

    def get(self, token=None):
        answer = self.ask("GET", token=token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def do(self, kind, reason="", token=None, key=None, **fields):
        return self.ask("POST", "/entries", token, event={"kind": kind, **fields}, reason=reason, key=key)

    def done(self, kind, reason="", token=None, **fields):
        answer = self.do(kind, reason, token, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def step(self, name, **more):
        answer = self.ask("POST", "/step", step=name, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def bots(self, names=CAST, garnets=8):
        for nth, name in enumerate(names):
            self.done("cast-added", name=name, garnets=garnets, priority=nth, bot="random")

    def wait(self, *steps, people=()):
        """Return the season once its next step is none of these; bots play meanwhile, and so do people."""
        until = time.monotonic() + 240
        while (season := self.get())["step"] in steps:
            tables = [one["table"] for one in season["episodes"][-1]["tables"] if one["winners"] is None]
            while sum(person.play(table) for table in tables for person in people):
                assert time.monotonic() < until, "The match did not end."
            assert time.monotonic() < until, "The match did not end."
            time.sleep(0.1)
        return season

    def episode(self, game, duel, people=()):
        """Play an episode with the fewest requests that a host needs."""
        self.step("open", game=game, duel=duel)
        season = self.wait("main-playing", people=people)
        left = [one["id"] for one in season["cast"] if one["out"] is None]
        if season["step"] == "result":
            self.done("result-entered", candidate=left[-1], tokens={left[0]: 1})
            season = self.get()
        if season["step"] == "opponent":
            # A person, where there is one: their names were added last.
            self.done("opponent-named", opponent=season["challengeable"][-1 if people else 0])
            season = self.get()
        if season["step"] == "duel":
            season = self.step("duel")
        season = self.wait("duel-playing", people=people)
        if season["step"] == "duel-result":
            self.done("duel-entered", loser=season["episodes"][-1]["candidate"])
        return self.step("elimination")
