"""Clubs: joining, roles, announcements, the lobby, and what belongs to a club, on pages and over the JSON API."""

import re
from contextlib import closing
from itertools import count

import httpx
import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.databases import BOTH
from tests.web.helpers.notifications import open_site

from pyramidion.seasons.events import HostAdded, HostRemoved, LinkRenewed, SettingsChanged
from pyramidion.tournaments.state import TournamentSettings
from pyramidion.web.db import identity_changes
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import CLUB_MEMBERS
from pyramidion.web.db.writer import Conflict
from pyramidion.web.features.clubs import store
from pyramidion.web.features.clubs.club import ClubSettings, Member
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.seasons.webhook_reports import channel

pytestmark = pytest.mark.server(databases=BOTH)

NUMBERS = count(1)


@pytest.fixture
def people(server):
    """Browsers of six people, who have no accounts."""
    found = [Person(server) for _number in range(6)]
    yield found
    for one in found:
        one.close()


def founded(owner, door="request", name=None, **more):
    body = {"name": name or f"Club {next(NUMBERS)}", "member": "Olga", "door": door, **more}
    answer = owner.api("POST", "/api/clubs", **body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def done(answer):
    assert answer.status_code in (200, 303), answer.text
    return answer.json() if answer.status_code == 200 else answer


def join(person, club, name, code=""):
    return person.api("POST", f"/api/clubs/{club['id']}/join", name=name, code=code)


def rank(person, club, member, role):
    url = f"/api/clubs/{club['id']}/members/{member}"
    return person.request("PUT", url, json={"role": role}, headers={"x-csrf": person.csrf})


def look(person, club):
    return person.get(f"/api/clubs/{club['id']}").json()


def code_of(club):
    return club["invitation"].rsplit("/", 1)[1]


def test_people_join_by_the_door_that_the_club_has(people):
    owner, ana, ben, *_others = people
    free, asking, linked = (founded(owner, door) for door in ("open", "request", "link"))
    assert done(join(ana, free, "Ana"))["role"] == "member"
    assert join(ana, free, "Anna").status_code == 409
    assert join(ben, free, "ana").status_code == 400, "A name that looks like another's"
    assert done(join(ana, asking, "Ana"))["role"] == "asked"
    assert join(ana, asking, "Ana").status_code == 409
    assert [one["name"] for one in look(owner, asking)["asking"]] == ["Ana"]
    assert look(ana, asking)["asking"] is None
    who = look(owner, asking)["asking"][0]["id"]
    assert rank(ben, asking, who, "member").status_code == 403
    done(rank(owner, asking, who, "member"))
    assert look(ana, asking)["role"] == "member"
    assert join(ana, linked, "Ana").status_code == 403
    code = code_of(linked)
    assert join(ana, linked, "Ana", code + "x").status_code == 403
    assert done(join(ana, linked, "Ana", code))["role"] == "member"
    renewed = done(owner.api("POST", f"/api/clubs/{linked['id']}/link"))
    assert code_of(renewed) != code
    assert join(ben, linked, "Ben", code).status_code == 403
    assert done(join(ben, linked, "Ben", code_of(renewed)))["role"] == "member"


def test_a_request_becomes_a_membership_by_the_link(people):
    owner, ana, *_others = people
    club = founded(owner)
    done(join(ana, club, "Ana"))
    assert done(join(ana, club, "Ana", code_of(club)))["role"] == "member"
    assert [one["name"] for one in look(owner, club)["members"]] == ["Olga", "Ana"]


def test_what_each_role_may_do(people):
    owner, officer, member, other, *_rest = people
    club = founded(owner, "open")
    for person, name in ((officer, "Odo"), (member, "Mia"), (other, "Max")):
        done(join(person, club, name))
    ids = {one["name"]: one["id"] for one in look(owner, club)["members"]}
    assert rank(officer, club, ids["Mia"], "officer").status_code == 403
    done(rank(owner, club, ids["Odo"], "officer"))
    url = f"/api/clubs/{club['id']}"
    settings = {"name": "Mine", "about": "", "door": "open"}
    for person, may in ((owner, (200, 200, 200)), (officer, (200, 403, 200)), (member, (403, 403, 403))):
        headers = {"x-csrf": person.csrf}
        posted = person.api("POST", f"{url}/posts", text="Hello")
        changed = person.put(url, json=settings, headers=headers)
        hooked = person.put(f"{url}/webhook", json={"webhook": ""}, headers=headers)
        assert (posted.status_code, changed.status_code, hooked.status_code) == may
    assert [post["by"] for post in look(member, club)["posts"]] == ["Odo", "Olga"]
    # An officer removes members, not officers; nobody removes the owner.
    assert rank(officer, club, ids["Odo"], None).status_code == 403
    assert rank(officer, club, ids["Olga"], None).status_code == 409
    done(rank(officer, club, ids["Max"], None))
    assert look(other, club)["role"] is None
    # The owner hands over the club, and can leave then.
    assert owner.api("POST", f"{url}/leave").status_code == 409
    assert rank(officer, club, ids["Mia"], "owner").status_code == 403
    done(rank(owner, club, ids["Mia"], "owner"))
    assert [(one["name"], one["role"]) for one in look(owner, club)["members"]] == [
        ("Mia", "owner"),
        ("Olga", "officer"),
        ("Odo", "officer"),
    ]
    assert rank(owner, club, ids["Odo"], "member").status_code == 403
    for person in (owner, officer, member):
        done(person.api("POST", f"{url}/leave"))
    assert member.get(url).status_code == 404, "The last one out closes the door."


def everything(person, club, season, cup):
    """Return what somebody gets who tries everything at a club and its events."""
    url, api = f"/clubs/{club}", f"/api/clubs/{club}"
    gets = (url, f"{url}/now", f"{url}/new?game=pyramis", f"{url}/join/abc", api, "/clubs", "/api/clubs", "/lobby")
    gets += (f"/seasons/{season}", f"/seasons/{season}/now", f"/seasons/{season}/host", f"/seasons/{season}/cast.csv")
    gets += (f"/seasons/{season}/template.json", f"/seasons/{season}/show/1", f"/seasons/{season}/join/h1-abc")
    gets += tuple(f"/api/seasons/{season}{path}" for path in ("", "/links", "/ledger.csv", "/template", "/webhook"))
    gets += (f"/tournaments/{cup}", f"/tournaments/{cup}/now", f"/api/tournaments/{cup}")
    answers = [person.get(path) for path in gets]
    answers += [person.get(f"/api/seasons/{season}", headers={"authorization": "Bearer c1-abc"})]
    answers += [person.form(f"{url}/{what}") for what in ("join", "leave", "post", "settings", "nothing")]
    answers += [person.form(f"{url}/join", name="Eve", code="abc")]
    answers += [join(person, {"id": club}, "Eve"), join(person, {"id": club}, "Eve", "abc")]
    answers += [person.form(f"/seasons/{season}/join", code="c1-abc")]
    answers += [person.api("POST", f"/api/seasons/{season}/join", code="c1-abc")]
    answers += [person.form("/tables", game="pyramis", seats="2", club=club)]
    answers += [person.form(f"/tournaments/{cup}/join", name="Eve"), person.form(f"/seasons/{season}/do", kind="asked")]
    answers += [person.api("POST", f"/api/tournaments/{cup}/join", name="Eve")]
    answers += [person.api("POST", f"/api/seasons/{season}/step", step="open")]
    return [(one.status_code, one.text.replace(club, "CLUB")) for one in answers]


def test_a_private_club_is_for_others_as_if_it_did_not_exist(people):
    """Two worlds: a private club with members, posts, a season, a tournament and a table, and none at all."""
    owner, ana, eve, *_rest = people
    club = founded(owner, "private", about="Secret plans")
    nowhere = "2" * 22
    done(join(ana, club, "Ana", code_of(club)))
    # Even her request or a former membership opens nothing.
    ids = {one["name"]: one["id"] for one in look(owner, club)["members"]}
    done(join(eve, club, "Eve", code_of(club)))
    eves = next(one["id"] for one in look(owner, club)["members"] if one["id"] not in ids.values())
    done(rank(owner, club, eves, None))
    done(owner.api("POST", f"/api/clubs/{club['id']}/posts", text="We meet on Friday."))
    form = {"title": "Hidden season", "host": "Olga", "club": club["id"]}
    season = owner.say("/seasons", **form).split("/")[2]
    cup = owner.say("/tournaments", title="Hidden cup", host="Olga", game="pyramis", format="swiss", club=club["id"])
    cup = cup.split("/")[2]
    table = owner.start("me", "open", game="pyramis", club=club["id"], me="Olga", start="when-full")
    assert [one["id"] for one in look(ana, club)["tables"]] == [table]
    assert {one["title"] for one in look(ana, club)["events"]} == {"Hidden season", "Hidden cup"}
    assert everything(eve, club["id"], season, cup) == everything(eve, nowhere, nowhere, nowhere)
    for hidden in ("Hidden", "Secret", club["name"], "We meet"):
        assert hidden not in str(everything(eve, club["id"], season, cup))
    # Members see it all; so does somebody who takes part in an event without being a member, of that event.
    assert "We meet on Friday." in ana.get(f"/clubs/{club['id']}").text
    assert "Hidden cup" in ana.get(f"/tournaments/{cup}").text
    assert "Hidden season" in ana.get(f"/seasons/{season}").text
    # The link shows the name of the club, and no more.
    link = look(owner, club)["invitation"]
    assert link != club["invitation"], "Whoever has been removed knows the old one."
    invited = eve.get(link).text
    assert club["name"] in invited
    assert "We meet" not in invited
    assert "Ana" not in invited
    owner.api("POST", f"/api/clubs/{club['id']}/link")
    assert eve.get(link).status_code == 404


def test_a_private_club_that_its_last_member_leaves_still_hides_its_events(people):
    owner, ana, eve, *_rest = people
    club = founded(owner, "private", about="Secret plans")
    form = {"host": "Olga", "club": club["id"]}
    season = owner.say("/seasons", title="Hidden season", **form).split("/")[2]
    cup = owner.say("/tournaments", title="Hidden cup", game="pyramis", format="swiss", **form).split("/")[2]
    done(owner.api("POST", f"/api/clubs/{club['id']}/leave"))
    nowhere = "2" * 22
    assert everything(eve, club["id"], season, cup) == everything(eve, nowhere, nowhere, nowhere)
    assert owner.get(f"/clubs/{club['id']}").status_code == 404
    assert join(ana, club, "Ana", code_of(club)).status_code == 404
    assert "Hidden season" in owner.get(f"/seasons/{season}").text, "Its host keeps it."


def test_requests_and_the_link_are_for_officers_alone(people):
    """Two worlds: with a request and another link, and without. Members and others see the same."""
    owner, ana, ben, eve, *_rest = people
    club = founded(owner, "request")
    done(join(ana, club, "Ana"))
    done(rank(owner, club, look(owner, club)["asking"][0]["id"], "member"))

    def seen():
        return [one.get(path).text for one in (ana, eve) for path in (f"/clubs/{club['id']}", "/clubs", "/api/clubs")]

    before = seen()
    done(join(ben, club, "Ben"))
    done(owner.api("POST", f"/api/clubs/{club['id']}/link"))
    assert seen() == before


def test_a_club_works_without_scripts(people):
    owner, ana, *_others = people
    name = f"Café {next(NUMBERS)}"
    wrong = owner.form("/clubs", name="", member="Olga", door="open")
    assert wrong.status_code == 400
    assert "Write 1 to 60 characters." in wrong.text
    path = owner.say("/clubs", name=name, member="Olga", door="request", about="Open <b>")
    assert "Open &lt;b&gt;" in ana.get(path).text
    assert name in ana.get("/clubs").text
    ana.say(f"{path}/join", name="Ana")
    assert "The owner or an officer decides." in ana.get(path).text
    assert 'id="asking"' not in ana.get(path).text
    page = owner.get(path).text
    assert page.index('id="asking"') < page.index('id="week"'), "A request comes first for those who can answer it."
    assert page.index('id="controls"') < page.index('id="delete"') < page.index('name="sure"'), (
        "Nobody deletes by accident."
    )
    assert "Tick the box to confirm" in owner.form(f"{path}/leave").text
    who = re.search(r'name="member" value="(\w+)"', owner.get(path).text)[1]
    owner.say(f"{path}/member", member=who, role="member")
    owner.say(f"{path}/post", text="Welcome!")
    assert 'id="delete"' not in owner.get(path).text, "Only the last member can delete the club."
    assert ana.get(path).text.count("The owner and officers accept requests") == 1
    before = ana.get(f"{path}/now").json()
    assert "Welcome!" in ana.get(path).text
    owner.say(f"{path}/unpost", number="1")
    assert ana.get(f"{path}/now").json() != before
    # A member hosts a game in the club's lobby, an officer a season and a tournament.
    to = ana.get(f"{path}/new?game=pyramis").headers["location"]
    assert f'name="club" value="{path[7:]}"' in ana.get(to).text
    table = ana.start("me", "open", game="pyramis", club=path[7:], me="Ana", start="when-full")
    assert f'href="/t/{table}"' in owner.get(path).text
    assert table not in ana.get("/lobby").text
    assert name not in ana.get("/seasons").text
    assert f'value="{path[7:]}" selected' in owner.get(f"/seasons?club={path[7:]}").text
    season = owner.say("/seasons", title="Spring", host="Olga", club=path[7:])
    cup = owner.say("/tournaments", title="Cup", host="Olga", game="pyramis", format="swiss", club=path[7:])
    assert owner.form("/seasons", title="Mine", host="Eve", club="2" * 22).status_code == 409
    assert ana.form("/seasons", title="Mine", host="Ana", club=path[7:]).status_code == 409
    shown = ana.get(path).text
    for title, link in (("Spring", season.removesuffix("/host")), ("Cup", cup)):
        assert f'<a href="{link}"><bdi>{title}</bdi></a>' in shown
        assert f'<a href="{path}"><bdi>{name}</bdi></a>' in ana.get(link).text
    ana.say(f"{path}/leave")
    assert ana.form(f"{path}/leave").status_code == 403


async def test_a_club_that_is_handed_over_twice_at_once_has_one_owner(tmp_path):
    async with open_site(tmp_path) as site:
        owner, ana, ben = (Member(name, name, name, "owner" if n == 0 else "member", n) for n, name in enumerate("OAB"))
        writer = site.tables.writer
        await save(writer, store.founding("club", ClubSettings("Club"), owner, 0))
        for one in (ana, ben):
            await save(writer, store.joining("club", one))
        await save(writer, store.ranking("club", [(owner, "officer"), (ana, "owner")]))
        with pytest.raises(Conflict):
            await save(writer, store.ranking("club", [(owner, "officer"), (ben, "owner")]))
        with pytest.raises(Conflict):
            await save(writer, store.ranking("club", [(ana, None)]))
        roles = {one.name: one.role for one in store.read_club(site.tables.store, "club").members}
        assert roles == {"A": "owner", "O": "officer", "B": "member"}


async def test_names_that_look_alike_cannot_join_at_once(tmp_path):
    async with open_site(tmp_path) as site:
        writer = site.tables.writer
        await save(writer, store.founding("club", ClubSettings("Club"), Member("O", "O", "Olga", "owner", 0), 0))
        await save(writer, store.joining("club", Member("A", "A", "Paul", "member", 1)))
        with pytest.raises(Conflict):
            await save(writer, store.joining("club", Member("B", "B", "Pau1", "member", 1)))
        assert [one.name for one in store.read_club(site.tables.store, "club").members] == ["Olga", "Paul"]


@pytest.mark.parametrize("door", ["open", "request", "link", "private"])
def test_announcements_are_for_members_alone(people, door):
    """Two worlds: with an announcement to all members, and without. Everybody else sees the same."""
    owner, ana, ben, asking, *_rest = people
    club = founded(owner, door)
    for person, name in ((ana, "Ana"), (ben, "Ben")):
        done(join(person, club, name, code_of(look(owner, club))))
    done(rank(owner, club, {one["name"]: one["id"] for one in look(owner, club)["members"]}["Ben"], None))
    if door == "request":
        done(join(asking, club, "Asa"))
    url = f"/clubs/{club['id']}"

    def seen(person):
        return [re.sub(r'csrf" value="\w+', "", person.get(path).text) for path in (url, f"{url}/now", f"/api{url}")]

    before = {person: seen(person) for person in (ben, asking, people[5])}
    members = seen(ana)
    done(owner.api("POST", f"/api{url}/posts", text="We meet on Friday."))
    assert {person: seen(person) for person in before} == before
    page, version, told = seen(ana)
    assert "We meet on Friday." in page
    assert "We meet on Friday." in told
    assert version != members[1]


@pytest.mark.parametrize("door", ["open", "request", "link", "private"])
def test_who_can_take_a_seat_at_a_table_of_the_lobby(people, door):
    owner, ana, ben, eve, *_rest = people
    club = founded(owner, door)
    for person, name in ((ana, "Ana"), (ben, "Ben")):
        done(join(person, club, name, code_of(look(owner, club))))
    done(rank(owner, club, {one["name"]: one["id"] for one in look(owner, club)["members"]}["Ben"], None))
    if door == "request":
        done(join(eve, club, "Eve"))

    def tables():
        """Return the paths at which one sits down: in a waiting room, and at a table whose game has begun."""
        for start, path in (("when-full", "/room"), ("now", "")):
            match = owner.start("me", "open", game="pyramis", club=club["id"], me="Olga", start=start)
            yield match, f"/t/{match}{path}/sit"

    everybody = door == "open"
    for person in (ben, eve):
        for match, path in tables():
            if path.endswith("/room/sit"):
                shown = person.get(f"/t/{match}").text
                assert (f'action="{path}"' in shown, "Only members of the club" in shown) == (everybody, not everybody)
            assert person.form(path, seat="1", name="Guest").status_code == (303 if everybody else 403)
            program = person.post(f"/api/tables/{match}/seats/1", json={"name": "Program"})
            assert program.status_code == (409 if everybody else 403), program.text
    for _match, path in tables():
        assert ana.form(path, seat="1", name="Ana").status_code == 303
    form = {"game": "pyramis", "club": club["id"], "start": "when-full", "listed": "open"}
    listed = owner.ask_for_table("me", "open", **form)
    if door == "private":
        assert listed.status_code == 422
        assert "cannot be rated or public" in listed.text
        order = {"game": "pyramis", "seats": [{"kind": "open"}] * 2, "club": club["id"], "start": "when-full"}
        rated = owner.api("POST", "/api/tables", **order, rated=True)
        assert "cannot be rated or public" in rated.json()["detail"]
    else:
        path = f"{listed.headers['location']}/room/sit"
        assert eve.form(path, seat="1", name="Eve").status_code == 303, "The host has listed it for everybody."


def test_a_table_is_not_listed_any_more_once_its_club_is_private(people):
    owner, _ana, _ben, eve, *_rest = people
    club = founded(owner, "open")
    asked = owner.ask_for_table("me", "open", game="pyramis", club=club["id"], start="when-full", listed="open")
    match = asked.headers["location"].removeprefix("/t/")
    assert match in eve.get("/lobby").text
    settings = {"name": club["name"], "about": "", "door": "private"}
    done(owner.put(f"/api/clubs/{club['id']}", json=settings, headers={"x-csrf": owner.csrf}))
    assert match not in eve.get("/lobby").text
    assert match not in eve.get("/api/lobby").text
    assert eve.form(f"/t/{match}/room/sit", seat="1", name="Eve").status_code == 403


def test_who_has_been_removed_stays_out(people):
    """Neither the old link nor a tournament that they have left lets them in; one that they play goes on for them."""
    owner, ana, ben, *_rest = people
    club = founded(owner, "private")
    old = code_of(look(owner, club))
    form = {"host": "Olga", "game": "pyramis", "format": "swiss", "club": club["id"]}
    cup = owner.say("/tournaments", title="Cup", **form)
    for person, name in ((ana, "Ana"), (ben, "Ben")):
        done(join(person, club, name, old))
        person.say(f"{cup}/join", name=name)
    ids = {one["name"]: one["id"] for one in look(owner, club)["members"]}
    ben.say(f"{cup}/leave")
    for name in ("Ana", "Ben"):
        done(rank(owner, club, ids[name], None))
    for person in (ana, ben):
        assert person.get(f"/clubs/{club['id']}/join/{old}").status_code == 404
        assert join(person, club, "Back", old).status_code == 404
    assert ben.get(cup).status_code == 404
    assert ben.form(f"{cup}/join", name="Ben").status_code == 404
    assert ben.api("POST", f"/api{cup}/join", name="Ben").status_code == 404
    assert "Ana" in ana.get(cup).text
    ana.say(f"{cup}/leave")
    assert ana.get(cup).status_code == 404
    done(join(ana, club, "Ana", code_of(look(owner, club))))
    assert ana.get(cup).status_code == 200


def test_the_number_of_a_deleted_announcement_is_not_given_again(people):
    owner = people[0]
    club = founded(owner, "open")
    url = f"/api/clubs/{club['id']}/posts"
    for text in ("First", "Second"):
        done(owner.api("POST", url, text=text))
    stale = look(owner, club)["posts"][0]["number"]
    done(owner.api("DELETE", f"{url}/{stale}"))
    newer = done(owner.api("POST", url, text="Third"))["posts"][0]["number"]
    assert newer not in (1, stale)
    done(owner.api("DELETE", f"{url}/{stale}"))
    assert [one["text"] for one in look(owner, club)["posts"]] == ["Third", "First"]


def test_open_requests_end_when_a_club_becomes_private(people):
    owner, ana, *_rest = people
    club = founded(owner, "request")
    done(join(ana, club, "Ana"))
    settings = {"name": club["name"], "about": "", "door": "private"}
    private = done(owner.put(f"/api/clubs/{club['id']}", json=settings, headers={"x-csrf": owner.csrf}))
    assert private["asking"] == []
    assert ana.get(f"/clubs/{club['id']}").status_code == 404
    assert club["name"] not in ana.get("/clubs").text
    done(join(ana, club, "Ana", code_of(private)))


def test_an_old_link_offers_what_is_accepted(people):
    owner, ana, ben, cleo, *_rest = people
    for door, person in (("open", ana), ("request", ben), ("link", cleo)):
        club = founded(owner, door)
        url, old = f"/clubs/{club['id']}", code_of(club)
        done(owner.api("POST", f"/api{url}/link"))
        shown = person.get(f"{url}/join/{old}")
        if door == "open":
            assert shown.headers["location"] == url
            assert done(join(person, club, "Guest", old))["role"] == "member"
            continue
        assert shown.status_code == 403
        assert "This invitation link is no longer valid." in shown.text
        assert old not in shown.text
        assert join(person, club, "Guest", old).status_code == 403
        offered = f'action="{url}/join"' in shown.text
        assert offered == (door == "request")
        if offered:
            person.say(f"{url}/join", name="Guest", code="")
            assert look(person, club)["role"] == "asked"


def delete_odo(connection):
    """Do with the clubs of Odo's account what its deletion does."""
    identity_changes._leave_clubs(
        connection, CLUB_MEMBERS.c.holder, "odo", identity_changes.Heirs(None, "host", "nobody")
    )


async def test_a_webhook_goes_with_the_officer_who_has_set_it(tmp_path):
    async with open_site(tmp_path) as site:
        clubs, channels = site.app.server.clubs, site.app.server.channels
        for way in ("removed", "demoted", "left", "deleted", "other"):
            club = await clubs.create(ClubSettings("Pyramids", door="open"), "Olga", "olga")
            club = await clubs.join(club.id, "odo", "Odo")
            odo = club.me
            await clubs.rank(club.id, "olga", odo.id, "officer")
            owner = (await clubs.get(club.id, "olga")).me
            hook = f"club:{club.id}"
            await channels.keep(hook, "https://1.1.1.1/", owner.id if way == "other" else odo.id)
            if way == "left":
                await clubs.leave(club.id, "odo")
            elif way == "deleted":
                await save(site.tables.writer, delete_odo)
            else:
                await clubs.rank(club.id, "olga", odo.id, "member" if way == "demoted" else None)
            assert await channels.of(hook) == ("https://1.1.1.1/" if way == "other" else ""), way


async def test_a_webhook_goes_with_the_host_of_a_season_who_has_set_it(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, channels = site.app.server.seasons, site.app.server.channels
        host = SeasonRequester("h1", True)
        for event, stays in ((HostRemoved("h2"), False), (LinkRenewed("h2"), False), (LinkRenewed("h3"), True)):
            first = [SettingsChanged(title="Spring"), HostAdded("Dan", "moderator"), HostAdded("Eva", "moderator")]
            loaded = await seasons.create(first, "Hal", "hal")
            for hosts in (False, True):
                await channels.keep(channel(loaded.id, hosts=hosts), "https://1.1.1.1/", "h2")
            if isinstance(event, LinkRenewed):
                await seasons.renew(loaded.id, host, event.person)
            else:
                await seasons.do(loaded.id, host, [event])
            for hosts in (False, True):
                assert bool(await channels.of(channel(loaded.id, hosts=hosts))) == stays, event


async def test_members_are_notified_of_posts_and_new_events_and_officers_of_requests(tmp_path):
    async with open_site(tmp_path) as site:
        clubs = site.app.server.clubs
        for name in ("olga", "ana", "eve"):
            await site.contacts.keep(name, webhook=f"https://{name}/")
        club = await clubs.create(ClubSettings("Pyramids"), "Olga", "olga")
        await site.contacts.keep(f"club:{club.id}", webhook="https://channel/")
        club = await clubs.join(club.id, "ana", "Ana")
        assert await site.pass_(120_000) == [("olga", "Pyramids: Ana asks to join.")]
        club = await clubs.get(club.id, "olga")
        await clubs.rank(club.id, "olga", club.members[1].id, "member")
        assert await site.pass_(120_000) == [("ana", "Pyramids: you are a member now.")]
        await clubs.join(club.id, "eve", "Eve")
        await site.pass_(120_000)
        await clubs.post(club.id, "olga", "Secret words")
        said = "Pyramids: Olga has posted."
        assert sorted(await site.pass_(120_000)) == [("ana", said), ("channel", said)]
        settings = TournamentSettings("Cup", "pyramid-shambo")
        await site.app.server.tournaments.create(settings, "Olga", "olga", club.id)
        said = "Pyramids: Cup is open."
        assert sorted(await site.pass_(120_000)) == [("ana", said), ("channel", said)]


def test_programs_of_an_account_use_clubs_seasons_and_tournaments_with_its_token(server):
    owner = Person(server, f"Olga {next(NUMBERS)}")
    with closing(owner), httpx.Client(base_url=server.address) as program:
        page = owner.get("/account/bots").text
        own = re.search(r'name="bot" value="(\w+)"', page)[1]
        assert owner.form("/account/bots/token", bot=own, scope="play").status_code == 422
        told = owner.form("/account/bots/token", bot=own, scope="events").text
        token = re.search(r'class="token">([^<]+)<', told)[1]
        program.headers["authorization"] = f"Bearer {token}"
        club = program.post("/api/clubs", json={"name": "Bots", "member": "Olga"})
        assert club.status_code == 201, club.text
        club = club.json()
        assert club["role"] == "owner"
        assert look(owner, club)["role"] == "owner", "It is the account's own club."
        cup = {"title": "Cup", "host": "Olga", "game": "pyramis", "club": club["id"]}
        assert program.post("/api/tournaments", json=cup).json()["hosting"]
        season = program.post("/api/seasons", json={"title": "Spring", "host": "Olga", "club": club["id"]}).json()
        url = f"/api/seasons/{season['id']}"
        assert program.get(url).json()["you"] == "h1"
        event = {"kind": "posted", "text": "Hello"}
        assert program.post(f"{url}/entries", json={"event": event}).status_code == 200
        assert owner.get(f"/seasons/{season['id']}/host").status_code == 200
        # The token is for events alone, and it can be revoked; so can all by signing out everywhere.
        table = {"game": "pyramis", "seats": [{"kind": "open"}] * 2, "club": club["id"], "start": "when-full"}
        assert program.post("/api/tables", json=table).status_code == 201
        assert program.get("/api/invitations").status_code == 403
        number = re.search(r'name="token" value="(\w+)"', owner.get("/account/bots").text)[1]
        assert owner.form("/account/bots/revoke", bot=own, token=number).status_code == 303
        assert program.get(f"/api/clubs/{club['id']}").status_code == 401
