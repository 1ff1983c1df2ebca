"""What operators have hidden, over every address of the application and with every secret that opens it."""

import re

import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.notifications import open_site
from tests.web.helpers.private_club import NOWHERE, PrivateClub, nobody, sendings

from pyramidion.seasons.events import CastAdded, Posted, SettingsChanged
from pyramidion.web.features.seasons.loaded import SeasonRequester
from pyramidion.web.features.seasons.webhook_reports import channel
from pyramidion.web.operations.moderation import Hide, Show, execute


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("hidden")) as server:
        yield server


@pytest.fixture(scope="module")
def hidden(server):
    club = PrivateClub(server)
    store = club.app.server.tables.store
    club.addresses = [(*route, club.filled(route[1])) for route in club.routes()]
    club.invitation = club.owner.get(f"/api/clubs/{club.club}").json()["invitation"].rsplit("/", 1)[1]
    for kind, subject in (("season", club.season), ("tournament", club.tournament), ("club", club.club)):
        execute(store, Hide(kind, subject), "tests")
    yield club
    club.close()


def test_no_address_and_no_secret_opens_what_is_hidden(hidden):
    """Every route of a season, tournament or club, for its host and its contestant, and with every secret there is."""
    client, opened = nobody(hidden.address), []
    people = ((client, None), (hidden.owner, hidden.owner), (hidden.contestant, hidden.contestant))
    for method, path, name, address in hidden.addresses:
        for code in (hidden.code, hidden.invitation) if "join" in path else (hidden.calendar,):
            url = address.replace("c1-abc", code)
            for asking, person in people:
                for sent in requests_with(code, person, method, name):
                    answer = asking.request(method, url, **sent)
                    if answer.status_code != 404 or "Hidden " in answer.text:
                        opened.append(f"{method} {path} with {sent}: {answer.status_code}")
    client.close()
    assert opened == []


def requests_with(code, person, method, name):
    """Return what is sent to a route with a secret: as a token alone, and in the bodies of programs and pages."""
    token = {"headers": {"authorization": f"Bearer {code}"}}
    if method == "GET":
        return [token, {}]
    _empty, by_program, by_page = sendings(person, name)
    by_program = {**by_program, "json": {**by_program["json"], "code": code}}
    return [token, by_program, {"data": {**by_page["data"], "code": code}}]


def test_no_list_names_what_is_hidden(hidden):
    """Home, lists, the lobby, notifications and files, for those who take part in it."""
    paths = {route.path for route in routes_of(hidden.app.routes) if "GET" in (getattr(route, "methods", None) or ())}
    people = {"owner": hidden.owner, "contestant": hidden.contestant, "member": hidden.member}
    named = [
        f"{path} for the {name}"
        for name, person in people.items()
        for path in sorted(path for path in paths if "{" not in path)
        if "Hidden " in person.get(path).text
    ]
    assert named == []


async def test_nobody_is_sent_a_notice_about_what_is_hidden(tmp_path):
    """What waits to be sent, to a contestant and to the webhook of viewers; it is sent when it is shown again."""
    async with open_site(tmp_path) as site:
        seasons, store = site.app.server.seasons, site.app.server.tables.store
        beginning = (SettingsChanged("Hidden season", audience="live"), CastAdded("Ana"))
        loaded = await seasons.create(beginning, "Hal", None)
        await seasons.join(loaded.id, seasons.links.code(loaded, "c1"), "ana")
        for who in ("ana", channel(loaded.id)):
            await site.contacts.keep(who, webhook="https://example.org/")
        await seasons.do(loaded.id, SeasonRequester("h1", private=True), [Posted("Hello.")])
        execute(store, Hide("season", loaded.id), "tests")
        assert await site.pass_(60_000) == []
        execute(store, Show("season", loaded.id), "tests")
        assert len(await site.pass_(60_000)) > 1


def test_a_hidden_table_is_at_no_address_and_has_no_code(hidden):
    """Every route of a table and of its code answers as for a table that there is not."""
    table = Player(hidden.owner, seats=("me", "open", "open"), listed=True, title="Hidden table")
    code = hidden.owner.get(f"/api/tables/{table.id}/invitation").json()["code"]
    routes = [
        (method, route.path)
        for route in routes_of(hidden.app.routes)
        if {"table_id", "code"} & set(re.findall(r"\{(\w+)", getattr(route, "path", ""))) or route.path == "/join"
        for method in sorted(getattr(route, "methods", None) or ())
        if "_id}/join" not in route.path
    ]
    assert len(routes) > 80
    execute(hidden.app.server.tables.store, Hide("table", table.id), "tests")
    hidden.app.server.tables.heard(table.id)

    def ask(method, path, table_id, code):
        values = {"table_id": table_id, "code": code, "seat": "0", "line": "1", "form_name": "start"}
        sent = {"headers": {"x-csrf": hidden.owner.csrf}, "params": {"code": code}}
        return hidden.owner.request(method, path.format_map(values), **sent)

    opened = []
    for method, path in routes:
        shown, missing = ask(method, path, table.id, code), ask(method, path, NOWHERE, "ZZZZZZ")
        if shown.status_code != missing.status_code or "Hidden table" in shown.text:
            opened.append(f"{method} {path}: {shown.status_code} instead of {missing.status_code}")
    assert opened == []
