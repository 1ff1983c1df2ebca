"""One thing of each kind with names that people give, and the addresses of all pages that show them."""

from __future__ import annotations

import re
from contextlib import ExitStack
from functools import cached_property

import sqlalchemy as sa
from tests.web.helpers.accounts import Person
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.polling import wait_until
from tests.web.helpers.seasons import Host
from tests.web.helpers.tournaments import Cup

from pyramidion.engine import registry
from pyramidion.web.db.schema import ACCOUNTS
from pyramidion.web.db.store import now
from pyramidion.web.features.accounts.password_resets import reset_path

PARAMETERS = re.compile(r"\{(\w+)(?::path)?\}")
QUERIES = {"/join": "?code=ABCDEF", "/people": "?name=Nobody", "/clubs/{club_id}/new": "?game=pyramis"}
"""What some addresses need."""
OF_EACH = {"/t/{table_id}", "/games/{game_id}/new"}
"""Pages that differ from game to game."""
FAILURES = {
    "/puzzles/{game_id}/{key}": "`/puzzles/{game_id}` leads there",
    "/seasons/templates/{template_id}.json": "a file",
    "/seasons/{season_id}/{name}.csv": "a file",
    "/seasons/{season_id}/result/{number}.png": "a file",
    "/seasons/{season_id}/show/{number}": "the season has no episode yet",
    "/seasons/{season_id}/submit/{match}": "the season has no match that is played elsewhere",
    "/seasons/{season_id}/calendar/{secret}.ics": "a file",
    "/join": "no table has this code",
    "/people": "nobody has this name",
    "/t/{table_id}/record.json": "a file",
}
"""Addresses of which only the page that refuses them is looked at, and why."""
NO_PAGES = {
    "/lobby/tables": "a part of `/lobby`",
    "/t/{table_id}/fragment": "a part of `/t/{table_id}`",
    "/t/{table_id}/analysis/trial": "a part of `/t/{table_id}`",
    "/t/{table_id}/log": "a part of `/t/{table_id}`",
    "/t/{table_id}/screen": "a part of `/t/{table_id}`",
    "/showcase/{ply}": "a part of `/`",
    "/your-games": "a part of `/`",
    "/t/{table_id}/season": "leads to the season of a table, of which this site has none",
    "/t/{table_id}/tournament": "leads to the tournament of a table, of which this site has none",
}
"""Addresses that answer HTML which is no page of its own, and why."""


class Site:
    """What people made on a server: tables of every game, a room, a season, a tournament, a club and accounts.

    Attributes:
        host: the browser of the account that made everything, and sits at its tables.
        guest: a browser without an account or a seat.
    """

    def __init__(self, server, names, title, text):
        self.app = server.config.app
        self.names, self.title, self.text = names, title, text
        self._stack = ExitStack()
        self.host, self.guest = Person(server, names[0]), Person(server)
        for person in (self.host, self.guest):
            self._stack.callback(person.close)
        self.host.headers["x-csrf"] = self.host.csrf
        self.tables = [*map(self._table, registry.own_ids()), self._finished()]
        self.room = self._room()
        self.values = {
            "game_id": registry.own_ids(),
            "table_id": [*self.tables, self.room],
            "season_id": [self._season()],
            "tournament_id": [self._tournament()],
            "club_id": [self._club()],
            "name": [names[0]],
            "template_id": ["1"],
            "number": ["0"],
            "ply": ["0"],
            "link": [self._reset_link()],
        }
        self.host.form("/account/bots", name=names[1][:20])

    def close(self):
        self._stack.close()

    def _order(self, **order):
        chat = {"chat": {"watchers": True}}
        made = self.host.post("/api/tables", json={"title": self.title, "host_name": self.names[0], **chat, **order})
        assert made.status_code == 201, made.text
        return made.json()

    def _table(self, game_id):
        game = registry.load(game_id)
        bots = [{"kind": "bot", "bot": "random", "name": name} for name in self.names[1 : game.usual_seats]]
        bots += [{"kind": "bot", "bot": "random"}] * (game.usual_seats - 1 - len(bots))
        table = self._order(game=game_id, seats=[{"kind": "me", "name": self.names[0]}, *bots])
        said = self.host.post(f"/api/tables/{table['id']}/chat", json={"text": self.text})
        assert said.status_code < 300, said.text
        return table["id"]

    def _finished(self):
        seats = [{"kind": "bot", "bot": "random", "name": name} for name in self.names[1:4]]
        table = self._order(game="pyramid-shambo", seats=seats)["id"]
        wait_until(lambda: self.host.get(f"/api/tables/{table}").json()["over"])
        return table

    def _room(self):
        seats = [{"kind": "me", "name": self.names[0]}, *[{"kind": "open"}] * 4]
        return self._order(game="ponzi-scheme", seats=seats, start="when-ready", open=True)["id"]

    def _season(self):
        season = Host(self.host, title=self.title, about=self.text, audience="live", host=self.names[0])
        for nth, name in enumerate(self.names[1:]):
            season.done("cast-added", name=name, garnets=12, priority=nth)
        season.done("item-set", name=self.title, price=1, words=self.text)
        season.done("posted", text=self.text, reason=self.text)
        self.codes = {"season_id": season.ask("GET", "/links").json()[-1]["url"].rsplit("/", 1)[1]}
        return season.id

    def _tournament(self):
        cup = Cup(self.host, title=self.title, about=self.text, host=self.names[0])
        for name in self.names[1:]:
            cup.done("entries", event={"kind": "joined", "name": name, "bot": "random"})
        return cup.id

    def _reset_link(self):
        server = self.app.server
        people = sa.select(ACCOUNTS.c.id, ACCOUNTS.c.holder).where(ACCOUNTS.c.owner.is_(None))
        account = server.store.query(people.limit(1))[0]
        return reset_path(server.settings.key(server.store), *account, now()).rsplit("/", 1)[1]

    def _club(self):
        form = {"name": self.title, "member": self.names[0], "about": self.text, "door": "open"}
        club = self.host.api("POST", "/api/clubs", **form).json()["id"]
        self.host.api("POST", f"/api/clubs/{club}/posts", text=self.text)
        invitation = self.host.get(f"/api/clubs/{club}").json()["invitation"]
        self.codes["club_id"] = invitation.rsplit("/", 1)[1]
        return club

    @cached_property
    def addresses(self):
        """The address of every HTML page, from the routes of the application, of which none is left out silently."""
        pages = {}
        for route in routes_of(self.app.routes):
            path = route.path
            if "GET" not in (getattr(route, "methods", None) or ()) or path.startswith("/static"):
                continue
            if path.startswith("/api/") and path != "/api/docs":
                continue
            answers = {address: self._answer(address) for address in self._filled(path)}
            wanted = {"page", "refusal"} if path in FAILURES else {"page"}
            shown = [address for address, kind in answers.items() if kind in wanted]
            if not shown and set(answers.values()) == {"lead"}:
                shown = list(answers)
            if shown or "file" not in answers.values():
                pages[path] = shown if path in OF_EACH else shown[:1]
        unexplained = {path for path, shown in pages.items() if not shown} ^ NO_PAGES.keys()
        assert not unexplained, f"Visit these pages, or say why not (NO_PAGES, FAILURES): {sorted(unexplained)}"
        assert FAILURES.keys() <= pages.keys(), "Only routes of the application are excused."
        return [address for shown in pages.values() for address in shown]

    def _filled(self, path):
        """Return a path with its parameters filled in, once for each table or game."""
        first, *others = PARAMETERS.findall(path) or [None]
        rest = {name: self.values.get(name, ["1"])[0] for name in others} | {"code": self.codes.get(first, "")}
        query = QUERIES.get(path, "")
        if first is None:
            return [path + query]
        return [path.format_map({**rest, first: value}) + query for value in self.values[first]]

    def _answer(self, address):
        """Return what an address answers: a page, a part of one, a file, a refusal, or a lead to another page."""
        with self.host.stream("GET", address, follow_redirects=True) as answer:
            if answer.status_code != 200:
                return "refusal"
            saved = answer.headers.get("content-disposition", "").startswith("attachment")
            if saved or not answer.headers.get("content-type", "").startswith("text/html"):
                return "file"
            if b"<html" not in answer.read():
                return "part"
            return "lead" if answer.history else "page"
