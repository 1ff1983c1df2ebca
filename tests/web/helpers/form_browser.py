"""A browser that fills in the forms of accounts and tables."""

import re

import httpx

GOOD = "seven pale pebbles"
"""A password that is accepted."""


class Browser:
    """A browser that fills in forms."""

    def __init__(self, server):
        self.http = httpx.Client(base_url=server.address, timeout=60)
        self.http.get("/games/ponzi-scheme/new")

    @property
    def csrf(self):
        return re.search(r'name="csrf" value="(\w+)"', self.http.get("/account").text)[1]

    @property
    def cookie(self):
        return self.http.cookies["pyramidion_visitor"]

    def post(self, path, **fields):
        return self.http.post(path, data={"csrf": self.csrf, **fields})

    def table(self, **seats):
        plan = {"seat-0": "me", "seat-1": "open", "seat-2": "open", "me": "Ada", **seats}
        answer = self.post("/tables", game="ponzi-scheme", seats="3", **plan)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def seat(self, table):
        return self.http.get(f"/api{table.replace('/t/', '/tables/')}").json()["seat"]

    def sign_up(self, name, password=GOOD):
        return self.post("/account/sign-up", name=name, password=password)

    def sign_in(self, name, password=GOOD):
        return self.post("/account/sign-in", name=name, password=password)
