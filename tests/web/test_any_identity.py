"""Any order of sign-up, sign-in, merging, deletion, removal and renaming, with clubs, tournaments and seasons.

Every tournament can go on afterwards, every club has one owner, and what is private stays so.
"""

import asyncio
import itertools
from contextlib import suppress

import httpx
import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from starlette.requests import Request

from pyramidion.seasons.events import CastAdded, SettingsChanged
from pyramidion.tournaments.events import PlacesEntered
from pyramidion.web.application import create_app
from pyramidion.web.db.identity_changes import is_nobody
from pyramidion.web.db.schema import ACCOUNTS, CLUB_MEMBERS, CLUB_RANKS, MATCHES, METADATA, SEATS
from pyramidion.web.errors import Refused
from pyramidion.web.settings import Settings

PASSWORD = "the river is wide today"
BROWSERS = st.integers(0, 2)
ACCOUNT_NAMES = st.integers(0, 1)
NUMBERS = itertools.count()


class Server:
    """An application in this process, which every example uses."""

    def __init__(self, folder):
        self.runner = asyncio.Runner()
        self.app = create_app(Settings(data_dir=folder, warm=False))
        self.life = self.app.router.lifespan_context(self.app)
        self.run(self.life.__aenter__())
        self.series = [self.app.server.seasons, self.app.server.tournaments]
        self.lasting = {id(one): set(one._tasks) for one in self.series}

    def run(self, coroutine):
        return self.runner.run(coroutine)

    def close(self):
        self.run(self.life.__aexit__(None, None, None))
        self.runner.close()

    async def settle(self):
        """Wait until everything is done that follows from the last request."""
        while left := [task for one in self.series for task in one._tasks - self.lasting[id(one)]]:
            await asyncio.gather(*left, return_exceptions=True)

    def rows(self, query):
        return self.app.server.store.query(query)


class Browser:
    """A browser, which uses the JSON API as pages do."""

    def __init__(self, server):
        self.server = server
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(server.app), base_url="http://localhost")
        self.call("GET", "/account")

    @property
    def visitor(self):
        """The visitor id in the cookie."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        headers = [(b"cookie", cookie.encode())]
        return str(self.server.app.server.visitors.of(Request({"type": "http", "headers": headers})).holder)

    def call(self, method, path, **body):
        """Send a request, and return its status and its answer."""

        async def asking():
            csrf = self.server.app.server.visitors.csrf(self.visitor) if self.client.cookies else ""
            answer = await self.client.request(method, path, json=body or None, headers={"x-csrf": csrf})
            await self.server.settle()
            return answer

        answer = self.server.run(asking())
        assert answer.status_code < 500, answer.text
        return answer.status_code, answer.json() if "json" in answer.headers.get("content-type", "") else {}


class Identities(RuleBasedStateMachine):
    """Three browsers, two accounts, a private club with a tournament and a season, and an open tournament.

    The model says who each browser is, and which role each of them has in the club.
    """

    server = None

    @initialize()
    def begin(self):
        self.number = next(NUMBERS)
        self.guests = itertools.count()
        self.browsers = [Browser(self.server) for _ in range(3)]
        self.who = [self.new_guest() for _ in self.browsers]
        self.roles, self.dead, self.accounts = {}, [], set()
        self.lost = {}
        founder = self.browsers[0]
        club = {"name": "Club", "door": "private", "member": "Founder 0"}
        self.club = founder.call("POST", "/api/clubs", **club)[1]["id"]
        self.roles[self.who[0]] = "owner"
        self.invitation = founder.call("GET", f"/api/clubs/{self.club}")[1]["invitation"].rsplit("/", 1)[-1]
        cup = {"host": "Hal", "game": "pyramid-shambo", "rounds": 1}
        hidden = founder.call("POST", "/api/tournaments", title="Hidden cup", club=self.club, **cup)[1]
        public = self.browsers[1].call("POST", "/api/tournaments", title="Open cup", **cup)[1]
        self.cups = [hidden["id"], public["id"]]
        self.season = self.begin_season()
        self.entered = {cup: set() for cup in self.cups}
        self.names = itertools.count(1)
        # Somebody who belongs to the club with an account, and a guest who plays.
        self.sign_up(1, 0)
        for browser in (2, 1):
            self.join_club(browser, True)
            self.sign_up_for_tournament(browser, 1)
        self.sign_out(1)

    def new_guest(self):
        return f"guest {next(self.guests)}"

    def begin_season(self):
        """Begin a season of the club with three contestants; return its id."""
        seasons = self.server.app.server.seasons

        async def beginning():
            settings = [SettingsChanged(title="Hidden season"), *map(CastAdded, ("Una", "Dua", "Tria"))]
            loaded = await seasons.create(settings, "Host", self.browsers[0].visitor, self.club)
            return loaded.id

        return self.server.run(beginning())

    def loaded(self, series, which):
        return self.server.run(series._read(which))

    # What people do

    def account(self, number):
        return f"Ada {self.number}x{number}"

    @rule(browser=BROWSERS, number=ACCOUNT_NAMES)
    def sign_up(self, browser, number):
        name = self.account(number)
        if self.who[browser].startswith("guest"):
            status, _ = self.browsers[browser].call("POST", "/api/account", name=name, password=PASSWORD)
            assert status == (409 if name in self.accounts else 201)
            if status == 201:
                self.accounts.add(name)
                self.becomes(browser, name)

    @rule(browser=BROWSERS, number=ACCOUNT_NAMES)
    def sign_in(self, browser, number):
        name, before = self.account(number), self.browsers[browser].visitor
        status, _ = self.browsers[browser].call("POST", "/api/session", name=name, password=PASSWORD)
        assert status == (200 if name in self.accounts else 401)
        if status == 200:
            if self.who[browser].startswith("guest"):
                self.dead.append(before)
                self.becomes(browser, name)
            else:
                self.who[browser] = name

    def becomes(self, browser, name):
        """A guest has signed in: what the guest was, the account is."""
        guest = self.who[browser]
        mine = [role for one in (guest, name) if (role := self.roles.pop(one, None)) is not None]
        if mine:
            self.roles[name] = min(mine, key=CLUB_RANKS.index)
        for people in self.entered.values():
            if guest in people:
                people.discard(guest)
                people.add(name)
        self.who[browser] = name

    @rule(browser=BROWSERS)
    def sign_out(self, browser):
        if self.who[browser].startswith("guest"):
            self.lost[self.browsers[browser].visitor] = self.who[browser]
        self.browsers[browser].call("DELETE", "/api/session")
        self.who[browser] = self.new_guest()

    @rule(browser=BROWSERS)
    def sign_out_everywhere(self, browser):
        name, before = self.who[browser], self.browsers[browser].visitor
        status, _ = self.browsers[browser].call("POST", "/api/account/sign-out")
        if status == 200:
            self.dead.append(before)
            self.others_are_out(browser, name)

    @rule(browser=BROWSERS)
    def delete_account(self, browser):
        name, before = self.who[browser], self.browsers[browser].visitor
        status, _ = self.browsers[browser].call("POST", "/api/account/deletion", password=PASSWORD)
        if status == 204:
            self.dead.append(before)
            self.accounts.discard(name)
            self.others_are_out(browser, name)
            self.who[browser] = self.new_guest()
            if self.roles.pop(name, None) == "owner":
                self.passes_on()
            for people in self.entered.values():
                people.discard(name)
        else:
            assert name.startswith("guest")

    def others_are_out(self, browser, name):
        for number, who in enumerate(self.who):
            if who == name and number != browser:
                self.who[number] = self.new_guest()

    def passes_on(self):
        """The club's next owner is the one whom the server has chosen, of the highest rank."""
        left = [role for role in self.roles.values() if role != "asked"]
        if not left:
            self.roles.clear()
            return
        highest = min(left, key=CLUB_RANKS.index)
        store = self.server.app.server.store
        m = CLUB_MEMBERS.c
        [owner] = store.query(sa.select(m.holder).where(m.club == self.club, m.role == "owner"))
        [following] = {self.identity(owner.holder)}
        assert self.roles[following] == highest
        self.roles[following] = "owner"

    def identity(self, holder):
        """Return who holds a visitor id: a browser's guest, or an account."""
        found = self.server.rows(sa.select(ACCOUNTS.c.name).where(ACCOUNTS.c.holder == holder))
        if found:
            return found[0].name
        guests = {one.visitor: who for who, one in zip(self.who, self.browsers, strict=True)}
        return (guests | self.lost)[holder]

    # Clubs

    @rule(browser=BROWSERS, knows=st.booleans())
    def join_club(self, browser, knows):
        who, role = self.who[browser], self.roles.get(self.who[browser])
        order = {"name": f"Member {next(self.names)}", "code": self.invitation if knows else ""}
        status, _ = self.browsers[browser].call("POST", f"/api/clubs/{self.club}/join", **order)
        if status == 200:
            assert (knows, role) == (True, None), "somebody joined a private club without its link"
            self.roles[who] = "member"

    @rule(browser=BROWSERS)
    def leave_club(self, browser):
        who = self.who[browser]
        if self.roles.get(who) in ("member", "officer"):
            assert self.browsers[browser].call("POST", f"/api/clubs/{self.club}/leave")[0] == 200
            del self.roles[who]

    @rule(browser=BROWSERS, member=BROWSERS, role=st.sampled_from(["officer", "member", "owner", None]))
    def rank_member(self, browser, member, role):
        mine, other = self.roles.get(self.who[browser]), self.roles.get(self.who[member])
        if mine != "owner" or other is None or self.who[browser] == self.who[member]:
            return
        public = self.browsers[member].call("GET", f"/api/clubs/{self.club}")[1]["you"]
        path = f"/api/clubs/{self.club}/members/{public}"
        status, _ = self.browsers[browser].call("PUT", path, role=role)
        if status == 200:
            if role == "owner":
                self.roles[self.who[browser]] = "officer"
            if role is None:
                del self.roles[self.who[member]]
            else:
                self.roles[self.who[member]] = role

    # Tournaments and the season

    @rule(browser=BROWSERS, cup=st.integers(0, 1))
    def sign_up_for_tournament(self, browser, cup):
        name = f"Player {next(self.names)}"
        status, _ = self.browsers[browser].call("POST", f"/api/tournaments/{self.cups[cup]}/join", name=name)
        if status == 200:
            self.entered[self.cups[cup]].add(self.who[browser])

    @rule(browser=BROWSERS, cup=st.integers(0, 1))
    def withdraw(self, browser, cup):
        status, _ = self.browsers[browser].call("POST", f"/api/tournaments/{self.cups[cup]}/leave")
        if status == 200:
            self.entered[self.cups[cup]].discard(self.who[browser])

    @rule(browser=BROWSERS, cup=st.integers(0, 1))
    def begin_tournament(self, browser, cup):
        self.browsers[browser].call("POST", f"/api/tournaments/{self.cups[cup]}/begin")

    @rule(browser=BROWSERS, number=st.integers(1, 3))
    def take_place(self, browser, number):
        """Open a contestant's link, as the host has sent it."""
        seasons = self.server.app.server.seasons
        code = seasons.links.code(self.loaded(seasons, self.season), f"c{number}")

        async def joining():
            with suppress(Refused):
                await seasons.join(self.season, code, self.browsers[browser].visitor)

        self.server.run(joining())

    @rule(browser=BROWSERS, number=st.integers(1, 3))
    def rename_contestant(self, browser, number):
        event = {"kind": "cast-changed", "contestant": f"c{number}", "name": f"Name {next(self.names)}"}
        self.browsers[browser].call("POST", f"/api/seasons/{self.season}/entries", event=event)

    # What holds afterwards

    @invariant()
    def the_club_is_known_to_its_members_alone(self):
        owners = [who for who, role in self.roles.items() if role == "owner"]
        m = CLUB_MEMBERS.c
        stored = self.server.rows(sa.select(m.member).where(m.club == self.club, m.role == "owner"))
        assert len(owners) == len(stored) == (1 if self.roles else 0)
        for who, browser in zip(self.who, self.browsers, strict=True):
            status, club = browser.call("GET", f"/api/clubs/{self.club}")
            role = self.roles.get(who)
            assert (status, club.get("role")) == ((200, role) if role else (404, None)), who

    @invariant()
    def strangers_see_neither_the_tournament_nor_the_season(self):
        tournaments, seasons = self.server.app.server.tournaments, self.server.app.server.seasons
        cup, season = self.loaded(tournaments, self.cups[0]), self.loaded(seasons, self.season)
        part = {*cup.people.values(), *(one.holder for one in season.people.values())}
        for who, browser in zip(self.who, self.browsers, strict=True):
            if who not in self.roles and browser.visitor not in part:
                assert browser.call("GET", f"/api/tournaments/{self.cups[0]}")[0] == 404
                assert browser.call("GET", f"/api/seasons/{self.season}")[0] == 404

    @invariant()
    def everybody_plays_once_and_nobody_plays_for_the_deleted(self):
        for cup in self.cups:
            loaded = self.loaded(self.server.app.server.tournaments, cup)
            assert loaded.vacant() == []
            assert not is_nobody(loaded.people["host"])
            assert len(loaded.state.signed_up) == len(self.entered[cup])
        assert self.loaded(self.server.app.server.seasons, self.season).vacant() == []

    def teardown(self):
        if not hasattr(self, "cups"):
            return
        self.nothing_refers_to_ids_that_are_gone()
        for cup in self.cups:
            self.tournament_goes_on(cup)
        self.tables_in_memory_agree_with_the_database()
        for browser in self.browsers:
            self.server.run(browser.client.aclose())

    def tables_in_memory_agree_with_the_database(self):
        tables = self.server.app.server.tables
        for match in self.server.rows(sa.select(MATCHES.c.id, MATCHES.c.host).where(MATCHES.c.started.is_not(None))):
            table = self.server.run(tables.get(match.id))
            stored = self.server.rows(sa.select(SEATS.c.holder).where(SEATS.c.match == match.id).order_by(SEATS.c.seat))
            assert [row.holder for row in table.seating.rows] == [row.holder for row in stored]
            assert table.host.holder == match.host

    def nothing_refers_to_ids_that_are_gone(self):
        if not self.dead:
            return
        for table in METADATA.sorted_tables:
            texts = [column for column in table.columns if isinstance(column.type, sa.String)]
            for column in texts:
                assert self.server.rows(sa.select(column).where(column.in_(self.dead))) == [], column

    def tournament_goes_on(self, cup):
        """Let the host start it, and enter all results."""
        tournaments = self.server.app.server.tournaments

        async def playing():
            loaded = await tournaments.get(cup)
            host = loaded.people["host"]
            if len(loaded.state.entrants) < loaded.state.settings.least and not loaded.state.draw:
                return
            for _round in range(20):
                loaded = await tournaments.get(cup)
                if loaded.state.step == "over":
                    return
                if loaded.state.step in ("signup", "round"):
                    await tournaments.begin(cup, host)
                    continue
                await tournaments._work(cup)
                loaded = await tournaments.get(cup)
                assert loaded.state.step != "seating", "a table cannot be opened"
                last = loaded.state.rounds[-1]
                for number, group in enumerate(last.groups):
                    if group.places is None:
                        places = tuple(range(1, len(group.players) + 1))
                        await tournaments.do(cup, host, PlacesEntered(last.number, number, places))
            raise AssertionError("The tournament does not end.")

        self.server.run(playing())


@pytest.fixture(scope="module")
def identities(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("identities"))

    class OnThisServer(Identities):
        pass

    OnThisServer.server = server
    yield OnThisServer
    server.close()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_any_order_of_signing_in_merging_and_deleting(identities):
    run_state_machine_as_test(identities, settings=settings(max_examples=15, stateful_step_count=20, deadline=None))
