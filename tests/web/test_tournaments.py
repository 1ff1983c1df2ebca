"""Tournaments over the JSON API: one of each format with instant bots, sign-up with people, corrections."""

import re
import time

import pytest


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
            time.sleep(0.02)
        return now


def csrf(client):
    """Return the header of a browser that has the form of a page before it."""
    if "x-csrf" not in client.headers:
        client.headers["x-csrf"] = re.search(r'name="csrf" value="([^"]+)"', client.get("/tournaments").text)[1]
    return {}


@pytest.mark.parametrize(
    ("players", "settings", "rounds"),
    [
        (6, {"format": "elimination"}, 3),
        (5, {"format": "swiss", "rounds": 2}, 2),
        (4, {"format": "robin", "game": "pyramis"}, 3),
        (9, {"format": "robin", "seats": 3, "points": [3, 1]}, 4),
    ],
)
def test_a_tournament_of_bots_plays_itself(client, players, settings, rounds):
    cup = Cup(client, **settings)
    cup.bots(players)
    assert cup.done("begin")["step"] != "signup"
    now = cup.wait("over")
    assert len(now["results"]) == rounds
    assert now["winner"] == now["standings"][0]["player"]
    assert [line["place"] for line in now["standings"]] == list(range(1, players + 1))
    tables = [table for one in now["results"] for table in one["tables"]]
    assert all(table["table"] and table["places"] for table in tables)
    gained = {line["player"]: line["points"] for line in now["standings"]}
    first = settings.get("points", [settings.get("seats", 2) - 1])[0]
    for who, points in gained.items():
        won = sum(table["points"][table["players"].index(who)] for table in tables if who in table["players"])
        assert points == pytest.approx(won + first * sum(who in one["byes"] for one in now["results"]))
    # Each table was opened once, and its match agrees with its result.
    assert len({table["table"] for table in tables}) == len(tables)
    view = client.get(f"/api/tables/{tables[0]['table']}/view").json()
    assert view["over"]
