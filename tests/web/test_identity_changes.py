"""What happens to every column of visitor ids on signing in, signing out everywhere and deleting an account."""

import itertools
import json

import pytest
import sqlalchemy as sa
from tests.web.helpers.databases import BOTH, url_at
from tests.web.helpers.identity_changes import add, add_match, rows

from pyramidion.web.db import cascade, identity_changes
from pyramidion.web.db.schema import (
    ACCOUNTS,
    API_TOKENS,
    BLOCKS,
    CLUB_EVENTS,
    CLUB_MEMBERS,
    CLUB_POSTS,
    CLUB_RANKS,
    CLUBS,
    MATCHES,
    METADATA,
    PASSKEYS,
    RATINGS,
    RESULTS,
    ROOMS,
    SEASON_PEOPLE,
    SEAT_DEVICES,
    SEATS,
    Deletion,
    Merging,
    VisitorId,
)
from pyramidion.web.db.store import Store

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.parametrize("database", BOTH, indirect=True)]

VISITOR, ACCOUNT, STRANGER, BROWSER = "the-visitor", "the-account", "a-stranger", "the-browser"
COLUMNS = {f"{column.table.name}.{column.name}": (column, kind) for column, kind in identity_changes.columns()}


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """The databases by kind, each opened once; every test's changes are rolled back."""
    opened = {}

    def store_of(kind):
        if kind not in opened:
            opened[kind] = Store(url_at(tmp_path_factory.mktemp(kind)))
            opened[kind].open()
        return opened[kind]

    yield store_of
    for store in opened.values():
        store.close()


@pytest.fixture
def connection(database, stores):
    store = stores(database)
    with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin() as transaction:
        yield connection
        transaction.rollback()


def test_every_column_of_visitor_ids_says_what_happens_to_it():
    named = {
        f"{column.table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if column.name in ("holder", "person", "player", "host", "owner", "blocked", "visitor")
        and isinstance(column.type, sa.String)
    }
    assert named - COLUMNS.keys() == {"accounts.owner", "accounts.holder"}
    assert set(identity_changes.MERGE) == set(Merging)
    assert set(identity_changes.DELETE) == set(Deletion)
    with pytest.raises(TypeError):
        VisitorId()


PARENTS = sorted({key.column.table.name for table in METADATA.sorted_tables for key in table.foreign_keys})


@pytest.mark.parametrize("name", PARENTS)
def test_a_deleted_row_takes_along_all_that_refers_to_it(connection, name):
    parent = METADATA.tables[name]
    references = [key for table in METADATA.sorted_tables for key in table.foreign_keys if key.column.table is parent]
    for key in references:
        for owner in ("deleted", "kept"):
            add(connection, key.parent.table, **{key.parent.name: owner})
    assert cascade.delete(connection, parent, "deleted") == 1
    for key in references:
        assert {row[key.parent.name] for row in rows(connection, key.parent.table)} == {"kept"}
    assert cascade.delete(connection, parent, "deleted") == 0


@pytest.mark.parametrize("name", COLUMNS)
def test_signing_in_leaves_no_row_with_the_visitor_but_ratings(connection, name):
    """Both sides have a row that differs in nothing but the visitor id."""
    column, kind = COLUMNS[name]
    own_key = column.primary_key
    if own_key:
        given = {"role": "member"} if column.table is CLUB_MEMBERS else {}
        given |= {"owner": STRANGER} if column.table is SEAT_DEVICES else {}
        same = add(connection, column.table, **given, **{column.name: VISITOR})
        others = {key.name: same[key.name] for key in column.table.primary_key if key is not column}
        add(connection, column.table, **given, **others, **{column.name: ACCOUNT})
        if column.table is SEAT_DEVICES:
            add(connection, SEATS, match=same["match"], seat=same["seat"], holder=STRANGER)
    else:
        # Of a match with two seats, for example, each has one.
        same = add(connection, column.table, **{column.name: VISITOR})
        key = {"match": same["match"], "seat": 1} if "seat" in column.table.c else {}
        add(connection, column.table, **key, **{column.name: ACCOUNT})
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    left = {one[column.name] for one in rows(connection, column.table)}
    count = len(rows(connection, column.table))
    match kind.merging:
        case Merging.RATING:
            assert left == {VISITOR, ACCOUNT}
        case Merging.RESULT:
            assert left == {None}
        case _:
            assert left == {ACCOUNT}
            assert count == (1 if own_key else 2)


@pytest.mark.parametrize("name", COLUMNS)
def test_signing_out_everywhere_and_deleting_leave_no_row_with_the_old_id(connection, name):
    column, kind = COLUMNS[name]
    if "match" in column.table.c:
        add_match(connection, rated=True)
    elif column.table is MATCHES:
        add_match(connection, host=ACCOUNT)
    given = {"match": "m"} if "match" in column.table.c else {}
    given |= {"seat": 0} if "seat" in column.table.c else {}
    if column.table is not MATCHES:
        add(connection, column.table, **given, **{column.name: ACCOUNT})
    add(connection, ACCOUNTS, id="a", holder=ACCOUNT)
    identity_changes.renew(connection, ACCOUNT, "renewed")
    left = [one[column.name] for one in rows(connection, column.table)]
    revoked = {"push_devices.person", "seat_devices.owner"}
    assert left == ([] if name in revoked else ["renewed"])
    connection.execute(sa.update(ACCOUNTS).values(holder="renewed"))
    identity_changes.delete(connection, "a", BROWSER, BROWSER)
    left = [one[column.name] for one in rows(connection, column.table)]
    assert "renewed" not in left
    match kind.deletion:
        case Deletion.ROW | Deletion.CLUB:
            assert left == []
        case Deletion.NOBODY | Deletion.SEAT | Deletion.RESULT | Deletion.ENTRY:
            assert [identity_changes.is_nobody(one) for one in left] == [True]
        case _:
            assert left == [BROWSER]
    assert rows(connection, ACCOUNTS) == []


@pytest.mark.parametrize(("guest", "member"), list(itertools.product(CLUB_RANKS, repeat=2)))
def test_the_higher_role_in_a_club_stays(connection, guest, member):
    add(connection, CLUBS, id="c", name="Club")
    add(connection, CLUB_MEMBERS, club="c", holder=VISITOR, member="v", name="Guest", role=guest)
    add(connection, CLUB_MEMBERS, club="c", holder=ACCOUNT, member="a", name="Member", role=member)
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    [left] = rows(connection, CLUB_MEMBERS)
    assert left["holder"] == ACCOUNT
    assert left["role"] == min(guest, member, key=CLUB_RANKS.index)
    assert (left["name"], left["member"]) == (("Guest", "v") if left["role"] != member else ("Member", "a"))


def test_a_person_does_not_block_themselves(connection):
    for person, blocked in ((VISITOR, ACCOUNT), (ACCOUNT, VISITOR), (STRANGER, VISITOR), (STRANGER, ACCOUNT)):
        add(connection, BLOCKS, person=person, blocked=blocked)
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    assert [(one["person"], one["blocked"]) for one in rows(connection, BLOCKS)] == [(STRANGER, ACCOUNT)]


@pytest.mark.parametrize("finished", [None, 5])
@pytest.mark.parametrize("rated", [False, True])
def test_one_person_has_one_seat_of_an_unfinished_rated_game(connection, rated, finished):
    add_match(connection, rated=rated, finished=finished)
    for seat, holder in enumerate((VISITOR, ACCOUNT, STRANGER)):
        add(connection, SEATS, match="m", seat=seat, kind="person", holder=holder)
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    first, second, third = (one["holder"] for one in rows(connection, SEATS))
    assert (second, third) == (ACCOUNT, STRANGER)
    assert identity_changes.is_nobody(first) if rated and not finished else first == ACCOUNT


@pytest.mark.parametrize("rated", [False, True])
def test_a_device_of_another_seat_is_no_second_seat_of_a_rated_game(connection, rated):
    add_match(connection, rated=rated)
    add(connection, SEATS, match="m", seat=0, kind="person", holder=ACCOUNT)
    add(connection, SEATS, match="m", seat=1, kind="person", holder=STRANGER)
    add(connection, SEAT_DEVICES, match="m", seat=0, holder=VISITOR, owner=ACCOUNT)
    add(connection, SEAT_DEVICES, match="m", seat=1, holder=VISITOR, owner=STRANGER)
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    left = [(one["seat"], one["holder"]) for one in rows(connection, SEAT_DEVICES)]
    assert left == ([] if rated else [(1, ACCOUNT)])


def test_a_device_that_shows_nothing_any_more_does_not_push_out_one_that_does(connection):
    add_match(connection)
    add(connection, SEATS, match="m", seat=0, kind="person", holder=STRANGER)
    add(connection, SEAT_DEVICES, match="m", seat=0, holder=ACCOUNT, owner="who-sat-there-before")
    add(connection, SEAT_DEVICES, match="m", seat=0, holder=VISITOR, owner=STRANGER)
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    assert [(one["holder"], one["owner"]) for one in rows(connection, SEAT_DEVICES)] == [(ACCOUNT, STRANGER)]


def test_results_and_ratings_of_rated_matches_belong_to_accounts(connection):
    for match, rated in (("casual", False), ("rated", True)):
        add_match(connection, match, rated=rated, finished=5)
        add(connection, RESULTS, match=match, seat=0, person=VISITOR)
    add(connection, RATINGS, match="rated", seat=0, player=VISITOR)
    identity_changes.merge(connection, VISITOR, ACCOUNT)
    assert [(one["match"], one["person"]) for one in rows(connection, RESULTS)] == [
        ("casual", ACCOUNT),
        ("rated", VISITOR),
    ]
    assert rows(connection, RATINGS)[0]["player"] == VISITOR
    add(connection, ACCOUNTS, id="a", holder=VISITOR)
    identity_changes.delete(connection, "a", BROWSER, BROWSER)
    [result] = rows(connection, RESULTS, match="rated")
    [rating] = rows(connection, RATINGS)
    assert identity_changes.is_nobody(result["person"])
    assert rating["player"] == result["person"], "a rating and its result belong to the same player"


def test_deletion_ends_every_way_in_as_signing_out_everywhere_does(connection):
    add(connection, ACCOUNTS, id="a", holder=ACCOUNT)
    add(connection, API_TOKENS, account="a")
    add(connection, PASSKEYS, account="a")
    for match, kind in (("m", "person"), ("n", "open")):
        add_match(connection, match, host=ACCOUNT, host_token=b"t")
        add(connection, SEATS, match=match, seat=0, kind=kind, holder=ACCOUNT, token_hash=b"t")
        add(connection, SEAT_DEVICES, match=match, seat=0, holder=STRANGER, owner=ACCOUNT)
    add(connection, SEASON_PEOPLE, season="s", who="h1", holder=ACCOUNT, turn=3)
    deleted = identity_changes.delete(connection, "a", BROWSER, BROWSER)
    assert sorted(deleted.matches) == ["m", "n"], "tables in memory, and their open streams, would go on"
    assert [one["token_hash"] for one in rows(connection, SEATS)] == [None, None]
    assert [(one["host"], one["host_token"]) for one in rows(connection, MATCHES)] == [(BROWSER, None)] * 2
    assert [(one["holder"], one["turn"]) for one in rows(connection, SEASON_PEOPLE)] == [(BROWSER, 4)]
    for table in (SEAT_DEVICES, API_TOKENS, PASSKEYS):
        assert rows(connection, table) == []


def test_a_seat_in_the_waiting_room_of_a_rated_game_is_free_again(connection):
    for match, rated in (("casual", False), ("rated", True)):
        add_match(connection, match, rated=rated, started=None)
        add(connection, ROOMS, match=match, ready="[0, 1]", changes=7)
        add(connection, SEATS, match=match, seat=0, kind="person", holder=ACCOUNT, name="Ada")
    add(connection, ACCOUNTS, id="a", holder=ACCOUNT)
    identity_changes.delete(connection, "a", BROWSER, BROWSER)
    assert [(one["kind"], one["holder"], one["name"]) for one in rows(connection, SEATS)] == [
        ("person", BROWSER, "Ada"),
        ("open", None, None),
    ]
    assert [(json.loads(one["ready"]), one["changes"]) for one in rows(connection, ROOMS)] == [([0, 1], 7), ([1], 8)]


@pytest.mark.parametrize(
    ("others", "follows"),
    [
        ([], None),
        (["asked"], None),
        (["member", "asked"], "member"),
        (["member", "officer"], "officer"),
        (["officer", "officer"], "officer"),
    ],
)
def test_a_club_passes_to_the_next_in_rank_or_is_closed(connection, others, follows):
    add(connection, CLUBS, id="c", name="Club")
    add(connection, CLUB_MEMBERS, club="c", holder=ACCOUNT, role="owner", since=0)
    for number, role in enumerate(others, 1):
        add(connection, CLUB_MEMBERS, club="c", holder=f"other{number}", role=role, since=number, member=str(number))
    add(connection, ACCOUNTS, id="a", holder=ACCOUNT)
    identity_changes.delete(connection, "a", BROWSER, BROWSER)
    left = rows(connection, CLUB_MEMBERS)
    if follows is None:
        assert left == rows(connection, CLUBS) == []
    else:
        [owner] = [one for one in left if one["role"] == "owner"]
        assert owner["member"] == str(1 + others.index(follows)), "of several, who has been there longest"
        assert len(left) == len(others)


@pytest.mark.parametrize("door", ["open", "request", "link", "private"])
def test_a_private_club_that_is_closed_still_hides_its_events_and_lets_nobody_in(connection, door):
    add(connection, CLUBS, id="c", name="Club", door=door, turn=3)
    add(connection, CLUB_MEMBERS, club="c", holder=ACCOUNT, role="owner")
    add(connection, CLUB_POSTS, club="c")
    add(connection, CLUB_EVENTS, club="c", kind="season", event="s")
    add(connection, ACCOUNTS, id="a", holder=ACCOUNT)
    identity_changes.delete(connection, "a", BROWSER, BROWSER)
    left = [(one["door"], one["turn"]) for one in rows(connection, CLUBS)]
    assert left == ([("private", 4)] if door == "private" else [])
    assert len(rows(connection, CLUB_EVENTS)) == len(left)
    assert rows(connection, CLUB_MEMBERS) == rows(connection, CLUB_POSTS) == []


def test_what_a_deleted_bot_hosts_passes_to_its_owner_and_nobody_plays_for_it(connection):
    add(connection, ACCOUNTS, id="a", holder=ACCOUNT)
    add(connection, ACCOUNTS, id="b", holder="the-bot", owner="a")
    add_match(connection, host="the-bot")
    add(connection, SEATS, match="m", seat=0, kind="person", holder="the-bot")
    add(connection, SEASON_PEOPLE, season="s", who="h1", holder="the-bot")
    add(connection, SEASON_PEOPLE, season="s", who="c1", holder="the-bot")
    add(connection, SEASON_PEOPLE, season="t", who="h1", holder="the-bot")
    add(connection, SEASON_PEOPLE, season="t", who="c1", holder=ACCOUNT)
    identity_changes.delete(connection, "b", None, ACCOUNT)
    assert rows(connection, MATCHES)[0]["host"] == ACCOUNT
    assert identity_changes.is_nobody(rows(connection, SEATS)[0]["holder"])
    people = {(one["season"], one["who"]): one["holder"] for one in rows(connection, SEASON_PEOPLE)}
    assert people["s", "h1"] == people["t", "c1"] == ACCOUNT
    assert identity_changes.is_nobody(people["s", "c1"])
    assert identity_changes.is_nobody(people["t", "h1"]), "a contestant would read what hosts read"
