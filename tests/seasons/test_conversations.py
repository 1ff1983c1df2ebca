"""Conversations and confessionals: who reads them, told by worlds that differ only in what was said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import event_log
from pyramidion.event_log import Entry, NotPossible, decode, encode
from pyramidion.seasons.conversations import (
    CONVERSATION_KINDS,
    MOST_FORMED,
    AllianceFormed,
    AllianceJoined,
    AllianceLeft,
    Conversations,
    Said,
    check_conversation_event,
    own_ids,
    with_log_ids,
)
from pyramidion.seasons.events import (
    CastAdded,
    Confessed,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    HostAdded,
    LinkRenewed,
    OpponentNamed,
    ResultEntered,
    Revoked,
    SettingsChanged,
    StoodIn,
)
from pyramidion.seasons.fold import fold
from pyramidion.seasons.redaction import HOUR, Viewer, redact

HOST, ANA, BEN, CAL = (Viewer("host", "h1"), *(Viewer("contestant", f"c{n}") for n in (1, 2, 3)))
ANYBODY = Viewer()
EVERYBODY = (HOST, ANA, BEN, CAL, ANYBODY)
LATER = 10_000 * HOUR


def season(*events, **settings):
    """Return a season of three with an open episode, then events, each an hour after the one before."""
    first = [SettingsChanged(title="Code Red", audience="live", **settings), HostAdded("Hal")]
    first += [CastAdded(name) for name in ("Ana", "Ben", "Cal")]
    log = [Entry(n, n * HOUR, "h1", event, "Because.") for n, event in enumerate([*first, EpisodeOpened(), *events], 1)]
    return fold(log)


def out(loser):
    """Return how the rest of an episode goes."""
    left = ["c1", "c2", "c3"]
    other = next(who for who in left if who != loser)
    return [ResultEntered(loser), OpponentNamed(other), DuelEntered(loser), Eliminated(loser), EpisodeClosed()]


FINAL = [EpisodeOpened(), DuelEntered("c2"), Eliminated("c2"), EpisodeClosed()]


def talk(*said, at=100):
    """Return conversations, an hour between two entries; each entry is an author and an event."""
    return event_log.fold(
        Conversations(), (Entry(n, (at + n) * HOUR, by, event) for n, (by, event) in enumerate(said, 1))
    )


def readers(world, *saids, viewers=EVERYBODY):
    """Return who can tell from the season which of several things was said."""
    seen = [[redact(world, viewer, LATER, talk(*said)) for said in saids] for viewer in viewers]
    return [viewer for viewer, shown in zip(viewers, seen, strict=True) if any(one != shown[0] for one in shown)]


@pytest.mark.parametrize(("setting", "more"), [("private", []), ("hosts", [HOST]), ("published", [HOST])])
def test_a_conversation_is_read_by_those_in_it_and_by_hosts_only_if_that_was_announced(setting, more):
    said = [[("c1", Said("c2", text))] for text in ("Now.", "Later.")]
    assert readers(season(talk=setting), [], *said) == [*more, ANA, BEN]
    # A link that hosts know, too, opens nothing.
    by_link = Viewer("contestant", "c1", private=False)
    assert readers(season(talk=setting), [], *said, viewers=[by_link]) == []


def test_conversations_are_published_after_the_season_if_that_was_announced():
    said = [[("c1", Said("c2", text))] for text in ("Now.", "Later.")]
    over = [*out("c3"), *FINAL]
    assert readers(season(*over, talk="published"), *said) == list(EVERYBODY)
    assert readers(season(*over, talk="private"), *said) == [ANA, BEN]


def test_an_alliance_is_known_to_its_members_alone_and_new_ones_read_what_is_said_from_then_on():
    formed = ("c1", AllianceFormed("Us", ("c2",)))
    joined = ("c2", AllianceJoined("a1", "c3"))
    world = season(talk="private")
    assert readers(world, [], [formed]) == [ANA, BEN]
    early = [[formed, ("c1", Said("a1", text)), joined] for text in ("Now.", "Later.")]
    assert readers(world, *early) == [ANA, BEN]
    late = [[formed, joined, ("c1", Said("a1", text))] for text in ("Now.", "Later.")]
    assert readers(world, *late) == [ANA, BEN, CAL]
    gone = [[formed, ("c2", AllianceLeft("a1")), ("c1", Said("a1", text))] for text in ("Now.", "Later.")]
    assert readers(world, *gone) == [ANA]


def test_ids_of_alliances_do_not_tell_of_those_that_one_is_not_in():
    """Worlds that differ in the alliances of others look the same, ids included, whatever they do."""
    world = season(talk="private")
    mine = [(101, "c1", AllianceFormed("Us", ("c2",))), (107, "c2", AllianceFormed("We", ("c1",)))]
    secret = [(100, "c2", AllianceFormed("They", ("c3",))), (104, "c3", AllianceFormed("Those", ("c2",)))]
    more = [(105, "c3", Said("a1", "Hm.")), (106, "c2", AllianceLeft("a1"))]

    def seen(*entries):
        log = sorted(entries, key=lambda entry: entry[0])
        said = event_log.fold(
            Conversations(), (Entry(n, at * HOUR, by, event) for n, (at, by, event) in enumerate(log, 1))
        )
        return redact(world, ANA, LATER, said)

    assert [one["id"] for one in seen(*mine)["alliances"]] == ["a1", "a2"]
    for others in (secret[:1], secret, [*secret, *more]):
        assert seen(*mine, *others) == seen(*mine)


def test_ids_of_alliances_stay_while_one_comes_and_goes():
    world = season(talk="private")
    formed = [("c2", AllianceFormed(name, ("c3",))) for name in ("A", "B", "C")]
    told = [*formed, *(("c2", AllianceJoined(one, "c1")) for one in ("a3", "a1"))]
    assert own_ids(world, talk(*told), "c1") == {"a3": "a1", "a1": "a2"}
    told += [("c1", AllianceLeft("a3")), ("c2", AllianceJoined("a2", "c1")), ("c2", AllianceJoined("a3", "c1"))]
    assert own_ids(world, talk(*told), "c1") == {"a3": "a1", "a1": "a2", "a2": "a3"}
    # What a contestant does is meant for their own; other ids are those of nothing.
    meant = with_log_ids(world, talk(*told), "c1", Said("a1", "Hello"))
    assert meant == Said("a3", "Hello")
    assert with_log_ids(world, talk(*told), "c1", Said("c2", "Hello")) == Said("c2", "Hello")
    for event in (Said("a4", "Hello"), AllianceJoined("a4", "c2"), AllianceLeft("a4")):
        with pytest.raises(NotPossible, match="no such conversation"):
            check_conversation_event(world, talk(*told), "c1", with_log_ids(world, talk(*told), "c1", event))
    # A stand-in begins anew.
    replaced = season(StoodIn("c1", "Amy"), talk="private")
    assert own_ids(replaced, talk(*told, at=1), "c1") == {"a2": "a1", "a3": "a2"}


def test_how_many_alliances_one_can_form_does_not_depend_on_others():
    world = season(talk="private")
    many = [("c2", AllianceFormed("They", ("c3",)))] * MOST_FORMED
    check_conversation_event(world, talk(*many), "c1", AllianceFormed("Us", ("c2",)))
    with pytest.raises(NotPossible, match=f"up to {MOST_FORMED} alliances"):
        check_conversation_event(world, talk(*many), "c2", AllianceFormed("Us", ("c1",)))


@pytest.mark.parametrize("change", [StoodIn("c2", "Bea"), LinkRenewed("c2")])
def test_whoever_takes_a_place_sees_nothing_private_from_before(change):
    # The change comes in hour 7, what was said before it in hour 2 and after it in hour 10.
    for at, expected in ((1, [ANA]), (9, [ANA, BEN])):
        said = [[("c1", Said("c2", text))] for text in ("Now.", "Later.")]
        world = season(change, talk="private")
        seen = {
            viewer: [redact(world, viewer, LATER, talk(*one, at=at))["conversations"] for one in said]
            for viewer in (ANA, BEN)
        }
        assert [viewer for viewer, (one, other) in seen.items() if one != other] == expected
    formed = ("c1", AllianceFormed("Us", ("c2",)))
    shown = redact(season(change, talk="private"), BEN, LATER, talk(formed, at=1))
    assert shown["alliances"] == []
    assert redact(season(Confessed("c2", "Hm."), change), BEN, LATER)["confessions"] == []
    assert len(redact(season(change, Confessed("c2", "Hm.")), BEN, LATER)["confessions"]) == 1


@pytest.mark.parametrize(("publish", "seen"), [("never", (2, 2, 2)), ("episode", (2, 5, 5)), ("season", (2, 2, 5))])
def test_a_confessional_is_published_as_far_as_its_author_agrees(publish, seen):
    told = (Confessed("c1", "Now.", publish), Confessed("c1", "Later.", publish))
    for events, count in zip(([], out("c3"), [*out("c3"), *FINAL]), seen, strict=True):
        a, b = (season(one, *events) for one in told)
        differs = [
            viewer
            for viewer in EVERYBODY
            if redact(a, viewer, LATER)["confessions"] != redact(b, viewer, LATER)["confessions"]
        ]
        assert len(differs) == count
        assert differs[:2] == [HOST, ANA]


def test_who_reads_is_fixed_once_an_episode_has_begun_even_if_that_is_undone():
    first = season(talk="private")
    entry = Entry(7, 7 * HOUR, "h1", SettingsChanged(title="Code Red", talk="hosts"))
    with pytest.raises(NotPossible, match="fixed"):
        fold([*first.log, entry])
    undone = Entry(7, 7 * HOUR, "h1", Revoked(6), "A mistake.")
    with pytest.raises(NotPossible, match="fixed"):
        fold([*first.log, undone, Entry(8, 8 * HOUR, "h1", entry.event)])


def test_who_can_write_to_whom():
    world = season(*out("c3"), talk="private")
    check_conversation_event(world, talk(), "c1", Said("c2", "Hello"))
    for by, event in (
        ("c1", Said("c1", "Me")),
        ("c1", Said("c3", "Gone")),
        ("c3", Said("c1", "Gone")),
        ("c1", Said("a1", "None")),
        ("c1", Said("c2", " ")),
        ("c1", AllianceFormed("Us", ("c1",))),
    ):
        with pytest.raises(NotPossible):
            check_conversation_event(world, talk(), by, event)
    with pytest.raises(NotPossible):
        check_conversation_event(season(), talk(), "c1", Said("c2", "Hello"))
    formed = talk(("c1", AllianceFormed("Us", ("c2",))))
    with pytest.raises(NotPossible):
        check_conversation_event(world, formed, "c1", AllianceJoined("a1", "c2"))


def test_a_stand_in_cannot_be_undone():
    world = season(StoodIn("c2", "Bea"))
    with pytest.raises(NotPossible, match="undone"):
        fold([*world.log, Entry(8, 8 * HOUR, "h1", Revoked(7), "A mistake.")])


@given(st.sampled_from([Said("c2", "x"), AllianceFormed("Us", ("c2", "c3")), AllianceJoined("a1", "c3")]))
def test_what_is_said_is_stored_and_read(event):
    assert decode(CONVERSATION_KINDS, event.kind, encode(event)) == event
