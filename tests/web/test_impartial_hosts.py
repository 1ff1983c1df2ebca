"""Whoever plays in a tournament or a season is not the host of its tables, whichever command they try."""

from typing import get_args

import pytest
import sqlalchemy as sa
from tests.web.helpers.notifications import open_site

from pyramidion.seasons.events import CastAdded, EpisodeOpened, SettingsChanged
from pyramidion.tournaments.events import Left, PlacesEntered, Replaced, Returned
from pyramidion.tournaments.state import TournamentSettings
from pyramidion.web.db.changes import executing
from pyramidion.web.db.schema import ACCOUNTS, SEATS
from pyramidion.web.errors import CannotBeDone, NotPossibleNow
from pyramidion.web.features.host_controls.api import HostCommandIn
from pyramidion.web.features.host_controls.console import context
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.tournaments.offers import offers
from pyramidion.web.table.seats.host import Host, HostRow, Requester

COMMANDS = get_args(HostCommandIn.model_fields["command"].annotation)
FIELDS = {"seconds": 60, "seat": 1, "bot": "random", "step": 0}
"""What the commands need."""


def rounds_of(host, tournament):
    return host.get(f"/api/tournaments/{tournament}").json()["results"]


def view(host, table):
    return {name: value for name, value in host.get(f"/api/tables/{table}/view").json().items() if name != "now"}


@pytest.fixture
def playing(person):
    """A host who plays in a tournament of four, and the tables of its first round."""
    people = [person() for _ in range(4)]
    host = people[0]
    order = {"title": "Cup", "host": "Hal", "game": "pyramid-shambo", "clock": 3600}
    made = host.api("POST", "/api/tournaments", **order).json()["id"]
    for guest, name in zip(people, ("Hal", "Ana", "Bo", "Cy"), strict=True):
        assert guest.api("POST", f"/api/tournaments/{made}/join", name=name).status_code == 200
    assert host.api("POST", f"/api/tournaments/{made}/begin").status_code == 200
    return host, made, [group["table"] for group in rounds_of(host, made)[0]["tables"]]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_host_command_is_accepted_of_a_host_who_plays(playing, command):
    """At the own table and at all others of the tournament, through the API and the page."""
    host, _made, tables = playing
    assert len(tables) == 2
    for table in tables:
        before = view(host, table)
        api = host.api("POST", f"/api/tables/{table}/host", command=command, **FIELDS)
        form = {name: str(value) for name, value in FIELDS.items()}
        page = host.form(f"/t/{table}/host", command=command, sure="yes", **form)
        refused = 409 if command == "resume" else 403  # players can resume an agreed pause
        assert (api.status_code, page.status_code) == (refused, refused)
        assert host.get(f"/api/tables/{table}/host").status_code == 403
        assert host.get(f"/t/{table}/host").status_code == 403
        assert f'href="/t/{table}/host"' not in host.get(f"/t/{table}").text
        assert view(host, table) == before


def test_a_host_who_does_not_play_hosts_the_tables(person):
    host, ana, bo = person(), person(), person()
    order = {"title": "Cup", "host": "Hal", "game": "pyramid-shambo", "clock": 3600}
    made = host.api("POST", "/api/tournaments", **order).json()["id"]
    for guest, name in ((ana, "Ana"), (bo, "Bo")):
        guest.api("POST", f"/api/tournaments/{made}/join", name=name)
    host.api("POST", f"/api/tournaments/{made}/begin")
    table = rounds_of(host, made)[0]["tables"][0]["table"]
    assert host.api("POST", f"/api/tables/{table}/host", command="pause").status_code == 200
    refused = host.api("POST", f"/api/tables/{table}/host", command="hand-over", seat=0)
    assert refused.status_code == 409
    assert "no player can be the host" in refused.json()["detail"]


async def test_a_host_enters_no_result_of_the_own_table_while_others_there_take_part(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        made = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo", auto=False), "Hal", "hal")
        for holder in ("hal", "ana", "bo", "cy"):
            await tournaments.join(made.id, holder, holder.title())
        loaded = await tournaments.begin(made.id, "hal")
        [own] = [n for n, group in enumerate(loaded.state.rounds[0].groups) if "p1" in group.players]
        await tournaments.do(made.id, "hal", PlacesEntered(1, 1 - own, (1, 2)))
        for places in ((1, 2), (2, 1), (1, 1)):
            with pytest.raises(NotPossibleNow, match="cannot decide its result"):
                await tournaments.do(made.id, "hal", PlacesEntered(1, own, places))
        with pytest.raises(NotPossibleNow, match="cannot let bots play"):
            await tournaments.do(made.id, "hal", Replaced("p2", "random"))
        [rival] = [who for who in loaded.state.rounds[0].groups[own].players if who != "p1"]
        await tournaments.do(made.id, "hal", Left(rival))
        after = await tournaments.do(made.id, "hal", PlacesEntered(1, own, (1, 2)))
        assert after.state.rounds[0].over


async def bot_of(site, bot, owner):
    """Store the accounts of a bot and of its owner, both visitors."""
    for holder, owned_by in ((owner, None), (bot, f"account of {owner}")):
        row = {"id": f"account of {holder}", "name": holder, "key": holder, "looks": holder, "holder": holder}
        row |= {"created": 0, "owner": owned_by}
        await site.tables.writer.write(executing(sa.insert(ACCOUNTS), [row]))


async def test_a_host_whose_bot_plays_hosts_no_table_and_decides_no_result_of_the_bot(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        await bot_of(site, "newt", "hal")
        await bot_of(site, "toad", "bo")
        made = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo"), "Hal", "hal")
        await tournaments.join(made.id, "newt", "Newt (bot: Hal)", bot=True)
        await tournaments.join(made.id, "toad", "Toad (bot: Bo)", bot=True)
        loaded = await tournaments.begin(made.id, "hal")
        table = await site.tables.get(loaded.state.rounds[0].groups[0].table)
        assert not table.host.exists
        with pytest.raises(NotPossibleNow, match="cannot decide its result"):
            await tournaments.do(made.id, "hal", PlacesEntered(1, 0, (1, 2)))
        with pytest.raises(NotPossibleNow, match="cannot let bots play"):
            await tournaments.do(made.id, "hal", Replaced("p2", "random"))
        # Somebody else's bot leaves the host a host.
        other = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo"), "Hal", "hal")
        await tournaments.join(other.id, "toad", "Toad (bot: Bo)", bot=True)
        await tournaments.join(other.id, "ana", "Ana")
        loaded = await tournaments.begin(other.id, "hal")
        table = await site.tables.get(loaded.state.rounds[0].groups[0].table)
        assert table.host.is_visitor("hal")


async def test_a_host_who_has_withdrawn_hosts_the_tables_and_does_not_come_back(tmp_path):
    """Or a host could leave for as long as it takes to rewind the games of rivals."""
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        made = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo", auto=False), "Hal", "hal")
        for holder in ("hal", "ana", "bo"):
            await tournaments.join(made.id, holder, holder.title())
        await tournaments.do(made.id, "hal", Left("p1"))
        loaded = await tournaments.do(made.id, "hal", Returned("p1"))
        assert loaded.state.part("p1") == "playing"
        await tournaments.begin(made.id, "hal")
        loaded = await tournaments.do(made.id, "hal", Left("p1"))
        assert "p1" not in offers(loaded, "hal").take_back
        with pytest.raises(NotPossibleNow, match="since you withdrew"):
            await tournaments.do(made.id, "hal", Returned("p1"))
        loaded = await tournaments.do(made.id, "hal", Left("p2"))
        assert offers(loaded, "hal").take_back == ("p2",)


async def test_who_is_merged_with_a_host_at_the_table_hosts_it_no_more(tmp_path):
    """As when a guest who plays signs in to the host's account, takes a replaced seat, or opens a device code."""
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        made = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo", clock=60), "Hal", "hal")
        for holder in ("ana", "bo"):
            await tournaments.join(made.id, holder, holder.title())
        loaded = await tournaments.begin(made.id, "hal")
        table = await site.tables.get(loaded.state.rounds[0].groups[0].table)
        assert table.host.is_visitor("hal")
        assert context(table, Requester(None, True))["heirs"] == []
        with pytest.raises(CannotBeDone, match="no player can be the host"):
            await HostControls(table, Requester(None, True)).hand_over(0)
        s = SEATS.c
        update = sa.update(SEATS).where(s.match == table.id, s.holder == "ana").values(holder="hal")
        await site.tables.writer.write(lambda connection: connection.execute(update))
        site.tables.heard(table.id)
        table = await site.tables.get(table.id)
        assert table.seating.seats_of("hal")
        assert not table.host.is_visitor("hal")
        assert (table.host.exists, table.host.seat, table.host.holder, table.host.described()) == (False,) + (None,) * 3


def test_a_device_and_a_token_of_a_player_give_no_host_rights_at_an_impartial_table():
    class Seats:
        def __init__(self, rows):
            self.rows = rows

        def seats_of(self, holder):
            return [0] if holder == "device" else []

    seats = Seats([])
    assert Host(seats, HostRow("device")).is_visitor("device")
    impartial = Host(seats, HostRow("device"), lambda: True)
    assert not impartial.is_visitor("device")
    assert not impartial.exists


@pytest.mark.parametrize("bot", [False, True], ids=["the host", "the host's bot"])
async def test_a_host_of_a_season_who_is_in_the_cast_hosts_no_table_of_it(tmp_path, bot):
    async with open_site(tmp_path) as site:
        seasons, requester = site.app.server.seasons, SeasonRequester("h1", True)
        made = await seasons.create([SettingsChanged(title="Red")], "Hal", "hal")
        loaded = await seasons.do(made.id, requester, [CastAdded(name) for name in ("Ana", "Bo", "Cy", "Di")])
        for nth, holder in enumerate(("guest", "bo", "cy", "di"), 1):
            await seasons.join(loaded.id, seasons.links.code(loaded, f"c{nth}"), holder)
        people = sa.table("season_people", sa.column("holder"))
        update = sa.update(people).where(people.c.holder == "guest").values(holder="hal")
        if bot:
            await bot_of(site, "guest", "hal")
        else:
            await site.tables.writer.write(lambda connection: connection.execute(update))
        loaded = await seasons.step(loaded.id, requester, "open", EpisodeOpened("ponzi-scheme"))
        for table_id in loaded.season.episodes[-1].tables:
            table = await site.tables.get(table_id)
            assert not table.host.exists
            assert not table.host.is_visitor("hal")
