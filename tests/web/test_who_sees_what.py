"""The table of who sees what in clubs, seasons and tournaments (`docs/security.md`), each of its cells tried."""

from pathlib import Path
from typing import get_args

import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.private_club import PrivateClub, nobody

from pyramidion.web.features.clubs.club import Door

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
BEGIN = "| what | nobody |"
CLUBS = {
    "all": lambda _door: True,
    "none": lambda _door: False,
    "not private": lambda door: door != "private",
    "open": lambda door: door == "open",
}
"""In which clubs something is seen, by the words in a cell."""
VIEWERS = {
    "nobody": "nobody",
    "strangers": "stranger",
    "who asks to join": "asking",
    "removed members": "former",
    "who plays or hosts, but is no member": "contestant",
    "members": "member",
    "officers": "officer",
}
"""The columns, and who of the club's people stands for them."""


def table():
    """Return the cells by row and column."""
    lines = PAGE.read_text().split(BEGIN)[1].split("\n\n")[0].splitlines()
    heads = ["nobody", *(head.strip() for head in lines[0].split("|") if head.strip())]
    cells = {}
    for line in lines[2:]:
        what, *said = (cell.strip() for cell in line.strip("|").split("|"))
        cells[what] = dict(zip(heads, said, strict=True))
    return cells


def sees_club(club, client):
    answers = [client.get(f"/clubs/{club.club}"), client.get(f"/api/clubs/{club.club}")]
    return agree([one.status_code == 200 and "Ana" in one.text and "Hidden plans" in one.text for one in answers])


def sees_announcements(club, client):
    answers = [client.get(f"/clubs/{club.club}"), client.get(f"/api/clubs/{club.club}")]
    return agree(["Hidden words" in one.text for one in answers])


def runs(club, client):
    told = client.get(f"/api/clubs/{club.club}").json()
    return agree([told.get("invitation") is not None, told.get("asking") is not None])


def sees_season(club, client):
    path = f"/seasons/{club.season}"
    return agree(["Hidden season" in client.get(one).text for one in (path, f"/api{path}")])


def sees_tournament(club, client):
    path = f"/tournaments/{club.tournament}"
    return agree(["Hidden cup" in client.get(one).text for one in (path, f"/api{path}")])


def signs_up(club, client):
    form = {"title": "Next cup", "host": "Olga", "game": "pyramid-shambo", "format": "swiss", "club": club.club}
    cup = club.owner.say("/tournaments", **form)
    if not isinstance(client, Person):
        return client.post(f"{cup}/join", data={"name": "Guest"}).status_code == 303
    return client.form(f"{cup}/join", name="Guest").status_code == 303


def sits_down(club, client):
    match = table_of(club)
    if not isinstance(client, Person):
        return client.post(f"/api/tables/{match}/seats/1", json={"name": "Guest"}).status_code == 200
    return client.form(f"/t/{match}/room/sit", seat="1", name="Guest").status_code == 303


def watches(club, client):
    match = table_of(club)
    return agree([client.get(path).status_code == 200 for path in (f"/t/{match}", f"/api/tables/{match}")])


def table_of(club):
    return club.owner.start("me", "open", club=club.club, me="Olga", start="when-full")


def agree(answers):
    """Return what all ways of asking agree on."""
    assert len(set(answers)) == 1, answers
    return answers[0]


PROBES = {
    "the club: its name, members, lobby, seasons and tournaments": sees_club,
    "announcements": sees_announcements,
    "requests to join, the invitation link, the webhook": runs,
    "a season of the club, as far as its own settings show it": sees_season,
    "a tournament of the club, with its standings and results": sees_tournament,
    "signing up for a new tournament of the club": signs_up,
    "a seat at a private table of the lobby": sits_down,
    "a table whose address one knows, without a seat": watches,
}
"""How each row is tried."""


@pytest.fixture(scope="module", params=get_args(Door))
def club(request, server):
    made = PrivateClub(server, request.param)
    yield made
    made.close()


@pytest.mark.parametrize("what", PROBES)
def test_the_table_says_who_sees_what(club, what):
    said = table()
    assert list(said) == list(PROBES)
    assert list(said[what]) == list(VIEWERS)
    with nobody(club.address) as anybody:
        for column, name in VIEWERS.items():
            if name == "asking" and club.door != "request":
                continue  # the other clubs are not joined so
            client = anybody if name == "nobody" else getattr(club, name)
            expected = CLUBS[said[what][column]](club.door)
            assert PROBES[what](club, client) == expected, f"{what} for {column} in a club that is {club.door}"
