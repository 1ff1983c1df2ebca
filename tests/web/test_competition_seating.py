"""Whoever is accepted in a tournament or a season gets a seat: over all inputs, and whatever happens afterwards."""

import contextlib
from dataclasses import replace

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.web.helpers.competition_seating import RESERVED
from tests.web.helpers.notifications import open_site

from pyramidion.seasons.events import CastAdded, CastChanged, EpisodeOpened, HostAdded, SettingsChanged, StoodIn
from pyramidion.tournaments.events import Joined, Left, PlacesEntered, Replaced, Returned
from pyramidion.tournaments.state import TournamentSettings
from pyramidion.translation import LANGUAGES, _, in_language
from pyramidion.web.competitions.retries import LONGEST
from pyramidion.web.db.changes import executing
from pyramidion.web.db.schema import ACCOUNTS, BLOCKS
from pyramidion.web.errors import BadRequest, NotPossibleNow, NotYours, Refused, UnknownGame
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.tournaments import service
from pyramidion.web.table import new_table
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats import given_names
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import WHEN_FULL, TableSettings

HAL = SeasonRequester("h1", True)
RESERVED += ["X (b\u043et: Y)", "X (b0t: Y)", "X (B\u041e\u0422: Y)", "X \uff08bot: Y)", "X (\u1d2e\u1d3c\u1d40: Y)"]
for tag in LANGUAGES:
    with in_language(tag):
        for pattern in ("Open seat {number}", "Player {number}", "Bot {number}"):
            RESERVED.append(_(pattern).format(number=2))
RESERVED += [
    "X \uff08bot: Y\uff09", "X (b\u043et: Y)", "X (b0t: Y)", "X \u2768bot: Y)", "X [bot: Y]", "X ( bot: Y)", "X {Bot}",
    "X (\U0001d41b\U0001d428\U0001d42d: Y)", "Open seat \xb2", "Open seat \u2461", "Open seat l", "0pen seat 2",
    "\u039fpen seat 7", "Player \u2161", "Player \uff11", "Player 512", "P1ayer 4", "Bot I",
]  # fmt: skip
ODD = [
    "Hal",
    "HAL",
    "Ana",
    "\u0410na",
    "a" * 40,
    "W" * 40,
    "م\u200cن",
    "क्\u200dष",
    "\U0001f469\u200d\U0001f467",
    "so\u00adft",
    "\u202eevil",
    "\ue000",
    "5",
    "",
    " ",
    "\x00",
]


async def cup(site, title="Cup", game="pyramid-shambo", **more):
    """Announce a tournament of one round by Hal."""
    made = await site.app.server.tournaments.create(TournamentSettings(title, game, rounds=1, **more), "Hal", "hal")
    return made.id


async def seated(site, tournament):
    """Begin a tournament; return the visitors at its tables, where every match has begun."""
    tournaments = site.app.server.tournaments
    loaded = await tournaments.begin(tournament, "hal")
    found = []
    for group in loaded.state.rounds[-1].groups:
        assert group.table is not None
        table = await site.tables.get(group.table)
        found.append(sorted(table.seating.persons().values()))
    return loaded, found


async def test_nobody_signs_up_under_a_name_that_is_not_theirs(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        for name in (RESERVED[0], RESERVED[1], RESERVED[2], "Hal", "HAL"):
            with pytest.raises((BadRequest, NotPossibleNow)):
                await tournaments.join(one, "ana", name)
            with pytest.raises((BadRequest, NotPossibleNow)):
                await tournaments.do(one, "hal", Joined(name, "random"))
        assert not (await tournaments.get(one)).state.players
        # A declared bot has its own name, and the host may play under the one that is known.
        await tournaments.join(one, "bot", RESERVED[0], bot=True)
        await tournaments.join(one, "hal", "Hal")
        with pytest.raises((BadRequest, NotPossibleNow)):
            await tournaments.create(TournamentSettings("Cup", "pyramid-shambo"), RESERVED[0], "ana")


@pytest.mark.parametrize("name", [*RESERVED, *ODD])
async def test_who_may_sign_up_is_seated(tmp_path, name):
    """Whatever the name: it is refused with a sentence, or its bearer plays."""
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        await tournaments.join(one, "bo", "Bo")
        try:
            await tournaments.join(one, "odd", name)
        except Refused:
            return
        _loaded, tables = await seated(site, one)
        assert tables == [["bo", "odd"]]


@pytest.mark.parametrize("name", [*RESERVED, *ODD])
async def test_who_may_be_cast_is_seated(tmp_path, name):
    async with open_site(tmp_path) as site:
        seasons = site.app.server.seasons
        loaded = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
        try:
            loaded = await seasons.do(loaded.id, HAL, [CastAdded("Bo"), CastAdded("Cy"), CastAdded(name)])
        except Refused:
            return
        for nth, holder in enumerate(("bo", "cy", "odd"), 1):
            await seasons.join(loaded.id, seasons.links.code(loaded, f"c{nth}"), holder)
        loaded = await seasons.step(loaded.id, HAL, "open", EpisodeOpened("pyramid-shambo"))
        [table_id] = loaded.season.episodes[-1].tables
        table = await site.tables.get(table_id)
        assert sorted(table.seating.persons().values()) == ["bo", "cy", "odd"]


@pytest.mark.parametrize("event", [CastAdded, lambda name: CastChanged("c1", name), lambda name: StoodIn("c1", name)])
async def test_nobody_is_cast_under_the_name_of_a_declared_bot_or_a_host(tmp_path, event):
    async with open_site(tmp_path) as site:
        seasons = site.app.server.seasons
        loaded = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
        await seasons.do(loaded.id, HAL, [CastAdded("Bo")])
        for name in (*RESERVED[:3], "Hal"):
            with pytest.raises((BadRequest, NotPossibleNow)):
                await seasons.do(loaded.id, HAL, [event(name)])
        with pytest.raises((BadRequest, NotPossibleNow)):
            await seasons.do(loaded.id, HAL, [HostAdded(RESERVED[0])])


async def test_whom_a_host_has_blocked_does_not_come_in(tmp_path):
    """Neither by signing up nor by a personal link; who came in before keeps the seat."""
    async with open_site(tmp_path) as site:
        tournaments, seasons = site.app.server.tournaments, site.app.server.seasons
        one = await cup(site)
        await tournaments.join(one, "bo", "Bo")
        loaded = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
        loaded = await seasons.do(loaded.id, HAL, [CastAdded("Ana"), CastAdded("Bo")])
        await seasons.join(loaded.id, seasons.links.code(loaded, "c2"), "bo")
        block = sa.insert(BLOCKS)
        for blocked in ("ana", "bo"):
            row = {"person": "hal", "blocked": blocked, "name": blocked, "at": 0}
            await site.tables.writer.write(executing(block, [row]))
        with pytest.raises(NotPossibleNow, match="does not let you sign up"):
            await tournaments.join(one, "ana", "Ana")
        with pytest.raises(NotYours, match="does not let you take part"):
            await seasons.join(loaded.id, seasons.links.code(loaded, "c1"), "ana")
        await tournaments.join(one, "cy", "Cy")
        _loaded, tables = await seated(site, one)
        assert tables == [["bo", "cy"]]


async def test_a_bot_does_not_come_in_for_an_owner_whom_the_host_has_blocked(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        for name, owner in (("eve", None), ("newt", "eve")):
            row = {"id": name, "name": name, "key": name, "looks": name, "holder": f"{name}'s", "created": 0}
            await site.tables.writer.write(executing(sa.insert(ACCOUNTS), [row | {"owner": owner}]))
        row = {"person": "hal", "blocked": "eve's", "name": "eve", "at": 0}
        await site.tables.writer.write(executing(sa.insert(BLOCKS), [row]))
        with pytest.raises(NotPossibleNow, match="does not let you sign up"):
            await tournaments.join(one, "newt's", "Newt (bot: Eve)", bot=True)


@pytest.mark.parametrize(
    "title", ["\U0001f469\u200d\U0001f467 cup", "so\u00adft", "a\u202eb", "\ue000", "é" * 80, "\U0001f469\u200d" * 39]
)
async def test_every_title_that_is_accepted_is_good_enough_for_a_table(tmp_path, title):
    async with open_site(tmp_path) as site:
        try:
            one = await cup(site, title)
        except Refused:
            return
        await site.app.server.tournaments.join(one, "ana", "Ana")
        await site.app.server.tournaments.join(one, "bo", "Bo")
        _loaded, tables = await seated(site, one)
        assert tables == [["ana", "bo"]]


@pytest.mark.parametrize(
    "title", ["\u2028\x1b\u094dم", "\U0001f469\u200d\U000e007f\u0301", "", " ", "\u202e" * 200, "x" * 500]
)
async def test_a_stored_title_that_can_no_longer_be_used_keeps_no_table_closed(tmp_path, title, monkeypatch):
    """Such as one from before the rules for titles."""
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        await tournaments.join(one, "ana", "Ana")
        await tournaments.join(one, "bo", "Bo")
        plan = service.plan_match
        monkeypatch.setattr(service, "plan_match", lambda *given: replace(plan(*given), title=title))
        _loaded, tables = await seated(site, one)
        assert tables == [["ana", "bo"]]


@pytest.mark.parametrize("when", ["sign-up", "round"])
async def test_a_seat_is_not_refused_for_what_has_happened_since_the_sign_up(tmp_path, when, monkeypatch):
    """The host blocks somebody; two players are merged, with each other and with the host; names look alike."""
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        for name in ("Ana", "Bo", "Cy", "Di", "Ed", "Flo"):
            await tournaments.join(one, name.lower(), name)
        if when == "round":
            monkeypatch.setattr(tournaments, "_open_table", no_table)
            with contextlib.suppress(Refused):
                await tournaments.begin(one, "hal")
            monkeypatch.undo()

        async def blocks(_host, _holder):
            return False

        site.tables.events.welcoming.append(blocks)
        monkeypatch.setattr(given_names, "lookalike", lambda name, taken: name if taken else None)

        for old, new in (("bo", "ana"), ("cy", "hal")):
            await site.tables.writer.write(held_by(old, new))
        if when == "sign-up":
            await tournaments.begin(one, "hal")
        else:
            site.now += LONGEST
            await tournaments._catch_up(one)
        state = (await tournaments.get(one)).state
        assert all(group.table is not None for group in state.rounds[0].groups)
        for group in state.rounds[0].groups:
            table = await site.tables.get(group.table)
            assert not table.open_seats
            assert len({*table.names}) == 2
        with pytest.raises(NotPossibleNow):
            await tournaments.join(await cup(site, "Next"), "ana", "Ana")


def held_by(old, new):
    """Return the change after which one visitor is another one in tournaments, as when they sign in."""
    people = sa.table("tournament_people", sa.column("holder"))
    return lambda connection: connection.execute(sa.update(people).where(people.c.holder == old).values(holder=new))


async def no_table(_loaded):
    raise NotPossibleNow("Not yet.")


async def test_the_host_learns_why_a_table_cannot_be_opened_and_what_to_do(tmp_path, monkeypatch, caplog):
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        await site.contacts.keep("hal", webhook="https://hal/")
        await tournaments.join(one, "ana", "Ana")
        await tournaments.join(one, "bo", "Bo")

        def missing(_game):
            raise UnknownGame("There is no such game here.")

        with monkeypatch.context() as broken:
            broken.setattr(new_table, "find_game", missing)
            await tournaments.begin(one, "hal")
            loaded = await tournaments.get(one)
            assert loaded.state.step == "seating"
            trouble = await tournaments.trouble(loaded)
            assert (sorted(trouble.names), trouble.reason) == (["Ana", "Bo"], "There is no such game here.")
            waited = []
            for _attempt in range(12):
                pause = 0
                while tournaments._retries.waits(one):
                    site.now += 1_000
                    pause += 1
                waited.append(pause)
                await tournaments._catch_up(one)
            assert waited[:4] == [5, 10, 20, 40]
            assert waited[-1] == LONGEST / 1000
            assert len([entry for entry in caplog.records if "cannot go on" in entry.message]) == 1
            told = [text for who, text in await site.pass_(120_000) if who == "hal" and "cannot go on" in text]
            assert len(told) == 1
            # Each of the remedies that the page names is accepted.
            await tournaments.do(one, "hal", Replaced("p1", "random"))
            after = await tournaments.do(one, "hal", PlacesEntered(1, 0, (1, 2)))
            assert after.state.step == "over"
            await tournaments._catch_up(one)
        assert await tournaments.trouble(after) is None


async def test_a_waiting_room_of_an_earlier_version_is_seated(tmp_path):
    """Nobody can be refused there: neither for a name nor since they hold two seats."""
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        await tournaments.join(one, "ana", "Ana")
        await tournaments.join(one, "bo", "Bo")
        rooms = site.app.server.rooms

        def also(connection, table):
            tournaments._rows.insert(one, table)(connection)

        plans, setup = [SeatPlan("open")] * 3, TableSettings(start=WHEN_FULL)
        reserved = {0: "ana", 1: "ana", 2: "bo"}
        room, _tokens = await rooms.open("pyramid-shambo", plans, {}, setup, reserved=reserved, also=also, holder="hal")
        assert isinstance(room, Room)
        await tournaments._resume_table(one, room.id)
        table = await site.tables.get(room.id)
        assert table.seating.persons() == {0: "ana", 1: "ana", 2: "bo"}
        assert table.names == ["Ana", "Ana (2)", "Bo"]
        assert len(table.origin.contributions) == 3


async def test_the_seed_of_a_match_has_a_contribution_for_each_player(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments, one = site.app.server.tournaments, await cup(site)
        await tournaments.join(one, "ana", "Ana")
        await tournaments.join(one, "bo", "Bo")
        loaded, _tables = await seated(site, one)
        table = await site.tables.get(loaded.state.rounds[0].groups[0].table)
        assert sorted(entry.seat for entry in table.origin.contributions) == [0, 1]


CHANCES = st.lists(
    st.tuples(
        st.sampled_from(["join", "leave", "remove", "back", "replace", "merge", "nobody", "bot", "name"]),
        st.integers(0, 5),
        st.sampled_from(["Ana", "Bo", "Bill", "BiIl", "Open seat 2", "Hal", "X (bot: Y)", "Çelik", "م\u200cن"]),
    ),
    max_size=12,
)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=CHANCES, during=CHANCES, form=st.sampled_from(["swiss", "robin", "elimination"]))
async def test_whatever_happens_a_tournament_is_played_to_its_end(tmp_path_factory, before, during, form):
    """Whoever is accepted has a seat at every table they are paired for, and the tournament ends."""
    async with open_site(tmp_path_factory.mktemp("any")) as site:
        tournaments = site.app.server.tournaments
        made = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo", form, auto=False), "Hal", "hal")
        one = made.id
        await tournaments.join(one, "yves", "Yves")
        await tournaments.join(one, "zoe", "Zoe")

        async def happen(chances):
            for what, number, name in chances:
                holder, who = f"visitor{number}", f"p{number + 1}"
                with contextlib.suppress(Refused):
                    match what:
                        case "join":
                            await tournaments.join(one, holder, name)
                        case "leave":
                            await tournaments.leave(one, holder)
                        case "remove":
                            await tournaments.do(one, "hal", Left(who))
                        case "back":
                            await tournaments.do(one, "hal", Returned(who))
                        case "replace":
                            await tournaments.do(one, "hal", Replaced(who, "random"))
                        case "bot":
                            await tournaments.do(one, "hal", Joined(name, "random"))
                        case _:
                            new = {"merge": "visitor0", "nobody": "nobody:0", "name": "hal"}[what]
                            people = sa.table("tournament_people", sa.column("holder"))
                            update = sa.update(people).where(people.c.holder == holder).values(holder=new)
                            await site.tables.writer.write(lambda connection, update=update: connection.execute(update))

        await happen(before)
        for _round in range(12):
            state = (await tournaments.get(one)).state
            if state.step == "over" or (state.step == "signup" and len(state.entrants) < 2):
                break
            state = (await tournaments.begin(one, "hal")).state
            await tournaments._catch_up(one)
            state = (await tournaments.get(one)).state
            assert state.step != "seating", "Nobody is refused a seat."
            await happen(during)
            state = (await tournaments.get(one)).state
            for index, group in enumerate(state.rounds[-1].groups if state.rounds else ()):
                if group.places is None:
                    with contextlib.suppress(NotPossibleNow):
                        places = tuple(range(1, len(group.players) + 1))
                        await tournaments.do(one, "hal", PlacesEntered(len(state.rounds), index, places))
        state = (await tournaments.get(one)).state
        assert state.step in ("over", "signup", "playing")
        if state.step == "playing":
            # Only the host's own match, whose result the host cannot enter, is not over.
            people = (await tournaments.get(one)).people
            left = [group for group in state.rounds[-1].groups if group.places is None]
            assert all("hal" in [people.get(who) for who in group.players] for group in left)


def test_the_page_and_the_api_refuse_the_same_names(client, person):
    """Through both doors nobody gets a reserved name, and nobody sees an error."""
    host, guest = person(), person()
    made = host.api("POST", "/api/tournaments", title="Cup", host="Hal", game="pyramid-shambo").json()["id"]
    for name in (*RESERVED[:3], "Hal", "\u202eevil", ""):
        page = guest.form(f"/tournaments/{made}/join", name=name)
        api = guest.api("POST", f"/api/tournaments/{made}/join", name=name)
        assert (page.status_code, api.status_code in (400, 409)) == (409, True), name
        assert api.json()["detail"]
    assert client.get(f"/api/tournaments/{made}").json()["players"] == []
