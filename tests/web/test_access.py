"""Who may know of a season, a tournament or a club, over every address of the application."""

import pytest
import sqlalchemy as sa
from tests.web.helpers.every_secret import routes_of
from tests.web.helpers.private_club import NONSENSE, PrivateClub, nobody, sendings

from pyramidion.web.db.schema import METADATA
from pyramidion.web.db.schema.base import VisitorId


@pytest.fixture(scope="module")
def hidden(server):
    club = PrivateClub(server)
    yield club
    club.close()


def both(hidden, client, route, **sent):
    """Return what a client is answered about the hidden thing, and about one that does not exist."""
    return hidden.ask(client, *route, **sent), hidden.ask(client, *route, missing=True, **sent)


def test_for_outsiders_private_things_are_as_if_they_did_not_exist(hidden):
    """Every route, whatever is sent, as nobody and as people who have no part in it, with tokens that name nobody."""
    client = nobody(hidden.address)
    askers = {"nobody": (client, None), **{name: (person, person) for name, person in hidden.outsiders.items()}}
    told = []
    for route in hidden.routes():
        for name, (asking, person) in askers.items():
            plain = sendings(person, route[2])
            tokens = NONSENSE if name in ("nobody", "stranger") else ()
            headers = {**plain[1].get("headers", {})}
            marked = [{**plain[1], "headers": {**headers, "authorization": token}} for token in tokens]
            for sent in (*plain, *marked):
                there, missing = both(hidden, asking, route, **sent)
                if there != missing:
                    told.append(f"{' '.join(route)} for {name} with {sent}: {there[0]} instead of {missing[0]}")
    client.close()
    assert told == []
    assert hidden.owner.get(f"/api/tournaments/{hidden.tournament}").json()["players"], "Nothing has been changed."


def test_no_list_names_a_private_thing_to_outsiders(hidden):
    """Whatever has no id in its address: home, lists, the lobby, notifications, search and files."""
    paths = {route.path for route in routes_of(hidden.app.routes) if "GET" in (getattr(route, "methods", None) or ())}
    lists = sorted(path for path in paths if "{" not in path)
    assert {"/", "/api/clubs", "/clubs", "/seasons", "/tournaments"} <= set(lists)
    named = [
        f"{path} for {name}"
        for name, person in hidden.outsiders.items()
        for path in lists
        if "Hidden" in person.get(path).text
    ]
    assert named == []


def test_a_token_opens_no_page(hidden):
    """Pages know visitors by their cookie alone, even where the token is that of the host's browser."""
    client = nobody(hidden.address)
    for code in (hidden.code, hidden.host_code):
        for route in hidden.routes():
            if not route[1].startswith("/api/"):
                there, missing = both(hidden, client, route, headers={"authorization": f"Bearer {code}"})
                assert there == missing, route
    client.close()


def test_those_who_may_know_a_private_thing_find_it_at_every_address(hidden):
    people = {"owner": hidden.owner, "member": hidden.member, "contestant": hidden.contestant}
    for route in hidden.routes():
        method, path, _name = route
        if method != "GET" or "{code}" in path or "{secret}" in path:
            continue
        for name, person in people.items():
            if name == "contestant" and "{club_id}" in path:
                continue  # no member of the club any more
            there, missing = both(hidden, person, route)
            assert there != missing, f"{path} for the {name}"
            assert there[0] != 401, f"{path} for the {name}"


def test_secrets_in_links_open_what_they_are_for(hidden):
    """A personal link and the address of the calendar open a hidden season to anybody, and nothing else does."""
    client = nobody(hidden.address)
    path = f"/seasons/{hidden.season}"
    assert "Hidden season" in client.get(f"{path}/join/{hidden.code}").text
    assert "Hidden season" in client.get(f"{path}/calendar/{hidden.calendar}.ics").text
    assert client.get(f"/api{path}", headers={"authorization": f"Bearer {hidden.code}"}).json()["you"] == "c1"
    for code in (hidden.host_code, hidden.code[:-1], "c2-", "b1-x"):
        assert client.get(f"{path}/join/{code}").status_code == 404
        assert client.get(f"/api{path}", headers={"authorization": f"Bearer {code}"}).status_code == 404
        assert client.get(f"{path}/calendar/{code}.ics").status_code == 404
    client.close()


def test_a_visitor_who_is_not_there_never_reaches_a_query():
    """`column == None` is `IS NULL`, true of every free place: no column of visitor ids can be compared so."""
    columns = [
        column for table in METADATA.tables.values() for column in table.columns if isinstance(column.type, VisitorId)
    ]
    assert len(columns) > 15
    for column in columns:
        for other in (column, column.label("person"), sa.select(column).subquery().c[0]):
            for compared in (lambda other=other: other == None, lambda other=other: other != None):  # noqa: E711
                with pytest.raises(TypeError, match="a visitor who is not there"):
                    compared()
        assert str(column.is_(None)).endswith("IS NULL")
        assert str(column == "somebody").endswith(f"= :{column.name}_1")
