"""What the page of a tournament offers is what is accepted, and people are told what their part is."""

from dataclasses import replace
from random import Random

import httpx
import pytest
from tests.web.helpers.bot_accounts import a_bot
from tests.web.helpers.notifications import open_site

from pyramidion.tournaments.events import Joined, Left, PlacesEntered, Replaced, Returned
from pyramidion.tournaments.state import TournamentSettings, possible
from pyramidion.web.errors import NotPossibleNow, NotYours, Refused
from pyramidion.web.features.tournaments.offers import offers
from pyramidion.web.features.tournaments.permissions import require_allowed
from pyramidion.web.features.tournaments.texts import PARTS


def accepted(tournaments, loaded, event):
    """Return whether the host can do something, without doing it."""
    try:
        require_allowed(loaded, event)
        tournaments._extended(loaded, [event], "host")
    except Refused:
        return False
    return True


def compare(tournaments, loaded):
    """Check all that the host is offered, and all that the host is not, against what is accepted."""
    can, state = offers(loaded, "hal"), loaded.state
    assert can.bot == accepted(tournaments, loaded, Joined("One more", "random"))
    ids = [*state.players, "p99", "host"]
    others = [who for who in ids if who != loaded.who("hal")]
    assert list(can.remove) == [who for who in others if accepted(tournaments, loaded, Left(who))]
    replaceable = others if state.step == "signup" else ids
    assert list(can.replace) == [who for who in replaceable if accepted(tournaments, loaded, Replaced(who, "random"))]
    assert list(can.take_back) == [who for who in ids if accepted(tournaments, loaded, Returned(who))]
    tables = {(played.number, n): group for played in state.rounds for n, group in enumerate(played.groups)}
    for (number, index), group in tables.items():
        places = tuple(range(1, len(group.players) + 1))
        assert ((number, index) in can.results) == accepted(tournaments, loaded, PlacesEntered(number, index, places))
    assert can.begin == (state.step == "round" or (state.step == "signup" and possible(state.require_startable)))
    assert can.join == (state.step == "signup" and loaded.who("hal") is None)
    assert can.leave == (state.step != "over" and loaded.who("hal") is not None)


@pytest.mark.parametrize("host_plays", [False, True])
@pytest.mark.parametrize("form", ["swiss", "robin", "elimination"])
async def test_what_is_offered_is_what_is_accepted(tmp_path, form, host_plays):
    """At every step of tournaments in which people withdraw, are removed, come back and are replaced."""
    async with open_site(tmp_path) as site:
        tournaments, chance = site.app.server.tournaments, Random(form)
        settings = TournamentSettings("Cup", "pyramid-shambo", form, auto=False, places=5)
        one = (await tournaments.create(settings, "Hal", "hal")).id

        async def look():
            compare(tournaments, await tournaments.get(one))

        await look()
        with pytest.raises(NotPossibleNow):
            await tournaments.begin(one, "hal")
        for name in (["Hal"] if host_plays else []) + ["Ana", "Bo", "Cy", "Di", "Ed", "Flo"]:
            await tournaments.join(one, name.lower(), name)
            await look()
        await tournaments.do(one, "hal", Left("p2"))
        await look()
        await tournaments.do(one, "hal", Returned("p2"))
        # Who has signed up again, or whose name is taken, is not taken back.
        await tournaments.do(one, "hal", Left("p3"))
        await tournaments.join(one, (await tournaments.get(one)).people["p3"], "Again")
        await tournaments.do(one, "hal", Left("p4"))
        await tournaments.join(one, "other", (await tournaments.get(one)).state.players["p4"].name)
        await look()
        while (await tournaments.get(one)).state.step != "over":
            loaded = await tournaments.begin(one, "hal")
            await look()
            state = loaded.state
            for index, group in enumerate(state.rounds[-1].groups):
                places = list(range(1, len(group.players) + 1))
                chance.shuffle(places)
                event = PlacesEntered(len(state.rounds), index, tuple(places))
                loaded = await tournaments.get(one)
                if accepted(tournaments, loaded, event):
                    await tournaments.do(one, "hal", event)
                else:
                    [rival] = [who for who in group.players if loaded.people.get(who) != "hal"]
                    await tournaments.do(one, "hal", Left(rival))
                    await look()
                    await tournaments.do(one, "hal", event)
                await look()
        await look()
        with pytest.raises(NotPossibleNow):
            await tournaments.begin(one, "hal")


async def test_others_are_offered_nothing_of_the_host(tmp_path):
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        loaded = await tournaments.create(TournamentSettings("Cup", "pyramid-shambo"), "Hal", "hal")
        loaded = await tournaments.join(loaded.id, "ana", "Ana")
        for holder in ("ana", "stranger", None):
            can = offers(loaded, holder)
            assert can == replace(can, begin=False, bot=False, remove=(), replace=(), take_back=(), results=frozenset())
        assert not offers(loaded, "stranger", welcome=False).join
        with pytest.raises(NotYours):
            await tournaments.do(loaded.id, "ana", Left("p1"))


async def test_who_is_on_the_waiting_list_is_told_so_and_not_that_they_take_part(tmp_path):
    """By messages, in the API, on the page and in the list of tournaments: before the start, and afterwards."""
    async with open_site(tmp_path) as site:
        tournaments = site.app.server.tournaments
        settings = TournamentSettings("Cup", "pyramid-shambo", places=2, clock=3600)
        one = (await tournaments.create(settings, "Hal", "hal")).id
        for name in ("ana", "bo", "cy", "di"):
            await site.contacts.keep(name, webhook=f"https://{name}/")
            loaded = await tournaments.join(one, name, name.title())
            assert loaded.part(name) == ("playing" if name in ("ana", "bo") else "waiting")
        waiting = "Cup: all places are taken, so you are on the waiting list."
        assert await site.pass_(120_000) == [], "Who signs up sees it in the answer."
        await tournaments.do(one, "hal", Left("p1"))
        assert await site.pass_(120_000) == [
            ("cy", "Cup: you have moved up from the waiting list and take part."),
        ]
        # Taking that back sends the last one to the waiting list again.
        await tournaments.do(one, "hal", Returned("p1"))
        assert await site.pass_(120_000) == [("cy", waiting)]
        await tournaments.leave(one, "bo")
        await site.pass_(120_000)
        loaded = await tournaments.begin(one, "hal")
        told = await site.pass_(120_000)
        assert ("di", "Cup has started. All places were taken, so you do not play.") in told
        assert [who for who, text in told if "match" in text or text == "Cup has started."] in ([], ["ana", "cy"])
        loaded = await tournaments.get(one)
        parts = [loaded.part(name) for name in ("ana", "bo", "cy", "di", "hal")]
        assert parts == ["playing", "withdrawn", "playing", "waiting", None]
        assert set(PARTS) == {"playing", "withdrawn", "waiting", "removed"}


def test_the_pages_say_what_somebodys_part_is(person):
    host, ana, bo = person(), person(), person()
    order = {"title": "Cup", "host": "Hal", "game": "pyramid-shambo", "places": 2}
    made = host.api("POST", "/api/tournaments", **order).json()["id"]
    host.api("POST", f"/api/tournaments/{made}/entries", event={"kind": "joined", "name": "Robot", "bot": "random"})
    for guest, name in ((ana, "Ana"), (bo, "Bo")):
        guest.say(f"/tournaments/{made}/join", name=name)
    path, playing, waiting = f"/tournaments/{made}", "You are taking part.", "You are on the waiting list."
    for page in (path, "/tournaments"):
        assert [sentence in ana.get(page).text for sentence in (playing, waiting)] == [True, False]
        assert [sentence in bo.get(page).text for sentence in (playing, waiting)] == [False, True]
    host.say(f"{path}/begin")
    assert playing not in bo.get(path).text
    assert "All places were taken, so you do not play." in bo.get(path).text
    assert bo.get(f"/api/tournaments/{made}").json()["part"] == "waiting"
    # A removal can be taken back, and what is not possible is not offered.
    host.say(f"{path}/remove", player="p2")
    assert "removed by the host" in host.get(path).text
    assert ana.get(f"/api/tournaments/{made}").json()["part"] == "removed"
    assert "Take back removal" in host.get(path).text
    host.say(f"{path}/take-back", player="p2")
    assert "Take back removal" not in host.get(path).text
    assert ana.get(f"/api/tournaments/{made}").json()["part"] == "playing"


def test_a_bot_signs_up_under_its_own_name_only(person):
    """Whatever name its program sends. It announces no tournament."""
    ana = person("Ana")
    name, token = a_bot(ana, "Tortoise")
    order = {"title": "Cup", "host": "Ana", "game": "pyramid-shambo"}
    made = ana.api("POST", "/api/tournaments", **order).json()["id"]
    with httpx.Client(base_url=ana.base_url, headers={"authorization": f"Bearer {token}"}) as program:
        joined = program.post(f"/api/tournaments/{made}/join", json={"name": "Bo"})
        assert [player["name"] for player in joined.json()["players"]] == [name]
        assert program.post("/api/tournaments", json=order).status_code == 403
