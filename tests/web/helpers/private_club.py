"""A club with everything that can belong to it, people who know it in different ways, and all its addresses."""

import re
from http.cookiejar import DefaultCookiePolicy

import httpx
from tests.web.helpers.accounts import Person
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.portraits import picture

from pyramidion.web.tokens import API_PREFIX

NOWHERE = "2" * 22
IDS = {"seasons": "season_id", "tournaments": "tournament_id", "clubs": "club_id"}
BEGINNINGS = re.compile(r"(?:/api)?/(seasons|tournaments|clubs)/\{(\w+)\}")
NONSENSE = ("Bearer x", f"Bearer {API_PREFIX}x", "Bearer c1-abc", "Bearer", "Basic YTpi")
"""Headers that name nobody."""
BODIES = {
    "take_place": {"code": "c1-abc"},
    "join_club": {"name": "Eve", "code": "abc"},
    "join_tournament": {"name": "Eve"},
    "paste_cast": {"csv": "Eve,1,2,random"},
    "put_face": {"face": None},
    "add_entry": {"event": {"kind": "posted", "text": "Hello"}},
    "add_talk": {"event": {"kind": "said", "to": "c1", "text": "Hello"}},
    "take_step": {"step": "open"},
}
"""What programs send, by the name of the route; to others they send an empty object."""


class PrivateClub:
    """The club and its people.

    Attributes:
        owner: the owner of the club, who hosts the season and the tournament; `officer` is another one.
        member: a member, who takes part in neither.
        contestant: a contestant of the season and a player of the tournament, who has been removed from the club.
        former: a member who has been removed, and signed up for the tournament and withdrew before.
        dismissed: a host of the season who has been removed, never a member.
        stranger: somebody who has no part in any of it.
        asking: somebody who has asked to join, in a club that is joined so.
        outsiders: those for whom none of it exists.
    """

    def __init__(self, server, door="private"):
        self.address, self.app, self.door = server.address, server.config.app, door
        self.people = [Person(server) for _number in range(8)]
        self.owner, self.officer, self.member, self.contestant, self.former, *others = self.people
        self.dismissed, self.stranger, self.asking = others
        self.outsiders = {"stranger": self.stranger, "former": self.former, "dismissed": self.dismissed}
        body = {"name": "Hidden club", "member": "Olga", "door": door, "about": "Hidden plans"}
        self.club = done(self.owner.api("POST", "/api/clubs", **body))["id"]
        members = {"Odo": self.officer, "Ana": self.member, "Carl": self.contestant, "Fred": self.former}
        for name, person in members.items():
            self.join(person, name)
        self.rank("Odo", "officer")
        if door == "request":
            done(self.asking.api("POST", f"/api/clubs/{self.club}/join", name="Asa"))
        done(self.owner.api("POST", f"/api/clubs/{self.club}/posts", text="Hidden words"))
        form = {"host": "Olga", "club": self.club}
        cup = self.owner.say("/tournaments", title="Hidden cup", game="pyramid-shambo", format="swiss", **form)
        self.tournament = cup.split("/")[2]
        for person, name in ((self.contestant, "Carl"), (self.former, "Fred")):
            person.say(f"{cup}/join", name=name)
        self.former.say(f"{cup}/leave")
        self._begin_season(form)
        for name in ("Carl", "Fred"):
            self.rank(name, None)

    def _begin_season(self, form):
        self.season = self.owner.say("/seasons", title="Hidden season", **form).split("/")[2]
        path = f"/seasons/{self.season}"
        self.owner.say(f"{path}/do", kind="settings", title="Hidden season", audience="live", talk="hosts")
        self.owner.say(f"{path}/cast", csv="Carl,5,3,\nUna,5,3,\nBot,4,7,random", apply="yes")
        self.owner.say(f"{path}/do", kind="host-added", name="Dan", role="moderator")
        self.owner.say(f"{path}/schedule", starts="2030-01-07T20:00", phases="Main match, 48")
        links = {one["name"]: one["token"] for one in self.owner.get(f"/api{path}/links").json()}
        self.contestant.say(f"{path}/join", code=links["Carl"])
        self.dismissed.say(f"{path}/join", code=links["Dan"])
        self.code, self.host_code = links["Carl"], links["Dan"]
        self.calendar = re.search(r"/calendar/([^.]+)\.ics", self.contestant.get(path).text)[1]
        self.owner.say(f"{path}/do", kind="host-removed", host="h2")
        url = f"/api{path}/portraits/c3/picture"
        headers = {"x-csrf": self.owner.csrf, "content-type": "image/png"}
        shown = done(self.owner.put(url, content=picture(), headers=headers))
        self.mark = next(one["picture"] for one in shown if one["who"] == "c3").split("/")[-1].removesuffix(".webp")

    def join(self, person, name):
        link = done(self.owner.get(f"/api/clubs/{self.club}"))["invitation"]
        return done(person.api("POST", f"/api/clubs/{self.club}/join", name=name, code=link.rsplit("/", 1)[1]))

    def members(self):
        return {one["name"]: one["id"] for one in done(self.owner.get(f"/api/clubs/{self.club}"))["members"]}

    def rank(self, name, role):
        url = f"/api/clubs/{self.club}/members/{self.members()[name]}"
        done(self.owner.request("PUT", url, json={"role": role}, headers={"x-csrf": self.owner.csrf}))

    def close(self):
        for person in self.people:
            person.close()

    @property
    def ids(self):
        return {"season_id": self.season, "tournament_id": self.tournament, "club_id": self.club}

    def routes(self):
        """Return the method, path and name of every route below a season, a tournament or a club."""
        found = []
        for route in routes_of(self.app.routes):
            path = getattr(route, "path", "")
            if not set(IDS.values()) & set(re.findall(r"\{(\w+)", path)):
                assert not BEGINNINGS.match(path) or path.startswith("/seasons/templates/"), f"Whose id is in {path}?"
                continue
            begin = BEGINNINGS.match(path)
            assert begin is not None, f"{path} should begin like the others, or be added here."
            assert begin[2] == IDS[begin[1]], f"The id in {path} has another name than its feature's."
            found += [(method, path, route.name) for method in sorted(route.methods)]
        return found

    def filled(self, path, *, missing=False):
        """Return a path with its parameters filled in, with an id that does not exist for `missing`."""
        member = next(iter(self.members().values())) if "{member}" in path else ""
        values = {"part": "cast", "name": "cast", "person": "c3", "mark": self.mark, "number": "1", "member": member}
        values |= {"code": "c1-abc", "secret": "c1-abc", "what": "leave", "listed": "posts", "match": "main"}
        values |= dict.fromkeys(self.ids, NOWHERE) if missing else self.ids
        return path.format_map(values)  # KeyError: say here what the new parameter is filled with

    def ask(self, client, method, path, name, *, missing=False, headers=None, **sent):
        """Return an answer without what differs from request to request: status, headers and body."""
        sent = {} if method in ("GET", "HEAD") else sent
        address = self.filled(path, missing=missing)
        answer = client.request(method, address, headers=headers, **sent)
        return plain(answer, self.ids.values())


def done(answer):
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def plain(answer, ids):
    """Return what an answer tells: its status, headers and body, without ids and what is random."""
    body = answer.text
    for one in ids:
        body = body.replace(one, NOWHERE)
    body = re.sub(r'name="csrf" value="\w+"|content="\w{40}"', "CSRF", body)
    headers = {name: value for name, value in answer.headers.items() if name not in ("date", "set-cookie")}
    if "location" in headers:
        for one in ids:
            headers["location"] = headers["location"].replace(one, NOWHERE)
    return answer.status_code, headers, body


def sendings(person, name):
    """Return what is sent to a route: nothing, an object, and a form of our own pages."""
    csrf = person.csrf if person is not None else "0" * 40
    form = {"csrf": csrf, "name": "Eve", "code": "c1-abc", "kind": "posted", "text": "Hello", "step": "open"}
    return {}, {"json": BODIES.get(name, {}), "headers": {"x-csrf": csrf}}, {"data": form}


def nobody(address):
    """Return a client that keeps no cookies."""
    client = httpx.Client(base_url=address, timeout=60)
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client
