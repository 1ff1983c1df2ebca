"""Browsers of people with accounts, and whole games of Pyramid-Sham-Bo between them."""

import re
import time

import httpx

PASSWORD = "the river is wide today"
QUICK = {"option-turn_limit": "1", "option-tie_limit": "1"}


class Person(httpx.Client):
    """A browser; with a name it is signed in to a new account."""

    def __init__(self, server, name=None):
        super().__init__(base_url=server.address, timeout=60)
        self.name = name
        self.csrf = self._token()
        if name is not None:
            self.say("/account/sign-up", name=name, password=PASSWORD)
            self.csrf = self._token()

    def _token(self):
        return re.search(r'name="csrf" value="([^"]+)"', self.get("/games/pyramid-shambo/new").text)[1]

    def form(self, path, **fields):
        """Send a form and return the answer."""
        return self.post(path, data={"csrf": self.csrf, **fields})

    def say(self, path, **fields):
        """Send a form that is accepted; return where it leads."""
        answer = self.form(path, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def ask_for_table(self, *seats, game="pyramid-shambo", **fields):
        """Send the form of a new table."""
        form = {"game": game, "seats": str(len(seats)), "start": "now", **QUICK, **fields}
        form |= {f"seat-{number}": kind for number, kind in enumerate(seats)}
        return self.form("/tables", **form)

    def start(self, *seats, **fields):
        """Start a table and return its id."""
        answer = self.ask_for_table(*seats, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/t/")

    def api(self, method, path, **body):
        """Call the JSON API as the page does."""
        return self.request(method, path, json=body or None, headers={"x-csrf": self.csrf})


def finish(table, *people):
    """Play the first legal action of whoever is due until the game is over; the first person throws paper."""
    acted = 0
    while acted < 400:
        if people[0].get(f"/api/tables/{table}").json()["over"]:
            return
        before = acted
        for person in people:
            legal = person.get(f"/api/tables/{table}/legal").json()
            if legal["legal"]:
                first = legal["legal"][0]["text"]
                action = "throw paper" if first.startswith("throw") and person is people[0] else first
                person.api("POST", f"/api/tables/{table}/actions", action=action, version=legal["version"])
                acted += 1
        if acted == before:
            time.sleep(0.02)  # a bot is thinking
    raise AssertionError("The game is not over.")
