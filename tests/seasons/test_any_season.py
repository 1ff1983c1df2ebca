"""Seasons of random entries: whatever is accepted can be read by everybody, and the accounts add up."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from pyramidion import event_log
from pyramidion.event_log import HOUR, NotPossible
from pyramidion.seasons.conversations import (
    AllianceFormed,
    AllianceJoined,
    AllianceLeft,
    ConversationEvent,
    Conversations,
    Said,
    check_conversation_event,
)
from pyramidion.seasons.events import (
    KINDS,
    Answered,
    Asked,
    Bought,
    CandidateNamed,
    CastAdded,
    CastChanged,
    Confessed,
    Corrected,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    EpisodePlanned,
    Event,
    ExtensionAsked,
    ExtensionDeclined,
    FormatSet,
    Gave,
    HostAdded,
    HostRemoved,
    ItemRemoved,
    ItemSet,
    LinkRenewed,
    MatchOpened,
    Nudged,
    OpponentNamed,
    OwnDeadlineSet,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundOpened,
    OwnRoundSealed,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    PlanCleared,
    Posted,
    ResultEntered,
    ResultTaken,
    Revoked,
    SeasonEnded,
    SettingsChanged,
    StoodIn,
    Struck,
    SubmissionsRevealed,
    TiesBroken,
    Withdrawn,
)
from pyramidion.seasons.fold import extended, fold
from pyramidion.seasons.ledger import BANK, CURRENCIES
from pyramidion.seasons.own_match import OwnMatch, SubmissionField, Values
from pyramidion.seasons.redaction import Viewer, redact, redact_episode, result_reveal_times, viewer_of
from pyramidion.seasons.schedule import calendar
from pyramidion.seasons.season import Season
from pyramidion.seasons.submissions import Submitted, accepted
from pyramidion.seasons.template import template_of
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.features.seasons.notifications import notices
from pyramidion.web.features.seasons.pages.balance_chart import balance_lines
from pyramidion.web.features.seasons.store import Person
from pyramidion.web.features.seasons.texts import names_then, next_step


def next_event(season: Season, chance: random.Random) -> Event:
    """Return what brings the season on, which is always possible for bots and hosts who do not err."""
    one, left = season.episode, season.remaining
    if season.step == "cast" or (season.step == "open" and chance.random() < 0.4 and len(left) < 6):
        return CastAdded(f"N{chance.randrange(10**6)}", chance.randrange(9), chance.randrange(9))
    if season.step == "open" or one is None:
        declared = chance.choice([*season.formats, ""])
        return EpisodeOpened(chance.choice([None, "g"]), chance.choice([None, "g"]), format=declared)
    if season.own_match is not None:
        return next_of_own_match(season.own_match, chance)
    table = f"t{len(season.log)}"
    if season.step == "main":
        seated = season.unseated()
        return MatchOpened(table, "main", tuple(seated[: chance.choice([2, len(seated)])]), chance.random() < 0.5)
    if season.step in ("main-playing", "duel-playing"):
        played = chance.choice([table for table in one.tables.values() if table.winners is None])
        count = len(played.cast)
        row = tuple(chance.randrange(-2, 4) for _who in played.cast) if played.stakes else None
        tokens = tuple(chance.randrange(2) for _who in played.cast) if played.part == "main" else None
        candidate = chance.choice([None, *played.cast]) if played.part == "main" else None
        won = tuple(chance.sample(played.cast, chance.randrange(1, count + 1)))
        return ResultTaken(
            played.table, won, tuple(range(count)), row, row, tokens, candidate, (1,) * count, played.cast
        )
    if season.step == "result":
        *named, winner = chance.sample(left, len(left))
        asked = one.format
        named = named[: asked.candidates if asked.candidates_by == "result" else 0]
        tokens = {who: chance.randrange(2) for who in left if who not in named}
        return ResultEntered(next(iter(named), None), tokens, next(iter(named[1:]), None), winner)
    if season.step == "candidate":
        return CandidateNamed(chance.choice(season.challengeable()))
    if season.step == "opponent":
        return OpponentNamed(chance.choice(season.challengeable()))
    if season.step == "duel":
        return MatchOpened(table, "duel", (one.candidate or "", one.opponent or ""))
    if season.step == "duel-result":
        return DuelEntered(chance.choice([one.candidate, one.opponent]) or "")
    leaving = [who for who in one.leaving if who in left]
    return Eliminated(leaving[0]) if season.step == "elimination" else EpisodeClosed()


def next_of_own_match(match: OwnMatch, chance: random.Random) -> Event:
    """Return what brings a match of the host's own on."""
    hidden = [who for who in match.cast if who not in match.round.revealed]
    if not hidden:
        return OwnRoundOpened(match.id)
    if not match.round.sealed:
        return OwnRoundSealed(match.id)
    values: list[Values | None] = [None, {"vote": chance.choice(match.scored), "bid": chance.randrange(9)}]
    some = chance.sample(hidden, chance.randrange(1, len(hidden) + 1))
    return SubmissionsRevealed(match.id, {who: chance.choice(values) for who in some}, match.scored)


def any_own_match(chance: random.Random) -> OwnMatchSet:
    """Return a declaration of a match of the host's own that may be possible."""
    return OwnMatchSet(
        chance.choice(["Vote", "Bids"]),
        "Some rules.",
        (SubmissionField("vote", "", "contestant", others=False), SubmissionField("bid")),
        chance.randrange(1, 3),
        chance.choice([None, 24]),
        chance.choice(["", "count(vote == me)", "bid", "1 / bid", "max(bid) - my_bid"]),
        chance.choice(["nothing", "wins", "loses"]),
        chance.choice(["nothing", "wins", "loses"]),
        chance.choice(["hosts", "lot", "priority"]),
        chance.choice(["nothing", "status", "values"]),
    )


def any_format(chance: random.Random) -> FormatSet:
    """Return a format that may be possible."""
    return FormatSet(
        chance.choice(["", "Two"]),
        None,
        chance.randrange(3),
        chance.randrange(3),
        chance.choice(["result", "winner"]),
        chance.choice(["candidate", "winner", "hosts", "nobody"]),
        chance.choice(["hosts", "lot", "priority"]),
    )


def any_event(season: Season, chance: random.Random, at: int) -> Event:
    """Return something that may be possible, with people, items and phases that may be there."""

    def one_of(known: object, otherwise: str) -> str:
        return chance.choice([*known, otherwise])  # type: ignore[misc]

    who, other = one_of(season.cast, "c99"), one_of(season.cast, "c1")
    name, phase, item = f"M{chance.randrange(10**6)}", one_of(season.phases, "p9"), one_of(season.items, "i9")
    number = chance.randrange(1, len(season.log) + 2)
    settings = replace(
        season.settings,
        audience=chance.choice(["none", "episode", "phase", "live"]),
        delay=chance.choice([0, 1, 5]),
        garnets=chance.choice(["public", "own", "hosts"]),
        strikes=chance.randrange(3),
    )
    made: list[Callable[[], Event]] = [
        lambda: Revoked(number),
        lambda: Revoked(max(1, len(season.log) - chance.randrange(3))),
        lambda: settings,  # type: ignore[return-value]
        lambda: Gave(who, other, chance.randrange(1, 4)),
        lambda: ItemSet(name, chance.randrange(1, 4), chance.randrange(3), per_person=chance.choice([None, 1])),
        lambda: ItemRemoved(item),
        lambda: Bought(who, item),
        lambda: Corrected(who, chance.choice(CURRENCIES), chance.randrange(-3, 4)),
        lambda: TiesBroken(tuple(chance.sample(season.remaining, len(season.remaining)))),
        lambda: StoodIn(who, name, chance.choice([None, "random"])),
        lambda: CastChanged(who, name),
        lambda: LinkRenewed(who),
        lambda: Withdrawn(who),
        lambda: Struck(who, chance.choice([1, -1])),
        lambda: Nudged(who),
        lambda: HostAdded(name, chance.choice(["host", "co-host", "moderator", "announcer"])),
        lambda: HostRemoved(chance.choice([*season.hosts])),
        lambda: Posted("Hello.", chance.choice(["announcement", "ruling"])),
        lambda: Asked(who, "Why?"),
        lambda: Answered(chance.choice([0, *(post.number for post in season.posts)]), "So.", chance.random() < 0.5),
        lambda: Confessed(who, "I bluff.", chance.choice(["never", "episode", "season"])),
        lambda: PhaseSet(name, at + 1, at + HOUR * chance.randrange(1, 90), chance.choice([None, phase])),
        lambda: PhaseRemoved(phase),
        lambda: PhaseExtended(phase, chance.randrange(1, 9)),
        lambda: ExtensionAsked(who, phase, 3),
        lambda: ExtensionDeclined(who, phase),
        lambda: EpisodePlanned("g", "g", None, "A plan"),
        lambda: any_format(chance),
        lambda: any_own_match(chance),
        lambda: any_own_match(chance),
        lambda: OwnMatchOpened(chance.choice(["Vote", "Bids"]), chance.choice(["main", "duel"])),
        lambda: OwnMatchOpened("Vote", "main", at + chance.randrange(-1, 9), (who,)),
        lambda: OwnDeadlineSet(f"m{chance.randrange(3)}", chance.choice([None, at + HOUR])),
        lambda: SeasonEnded(tuple(chance.sample(season.remaining, min(len(season.remaining), chance.randrange(3))))),
        PlanCleared,
    ]
    return chance.choice(made)()


def talked(season: Season, talk: Conversations, chance: random.Random, at: int) -> Conversations:
    """Return the conversations after something more, if it is possible."""
    by, other = chance.choice(season.remaining), chance.choice([*season.cast])
    event: ConversationEvent = chance.choice(
        [
            Said(other, "Psst."),
            Said("a1", "All."),
            AllianceFormed("Us", (other,)),
            AllianceJoined("a1", other),
            AllianceLeft("a1"),
        ]
    )
    if (match := season.own_match) is not None and chance.random() < 0.7:
        submitted = Submitted(match.id, len(match.rounds), {"vote": other, "bid": chance.randrange(9)})
        try:
            kept = accepted(season, submitted, by, at)
        except NotPossible:
            return talk
        return event_log.fold(Conversations(), event_log.log_with(talk.log, [kept], at, by))
    try:
        check_conversation_event(season, talk, by, event)
        return event_log.fold(Conversations(), event_log.log_with(talk.log, [event], at, by))
    except NotPossible:
        return talk


def check(before: Season, season: Season, talk: Conversations, chance: random.Random, at: int) -> None:
    """Check what must be true of every season, and read it as everybody does."""
    for currency in CURRENCIES:
        balances = {who: season.ledger.balance(who, currency) for who in (BANK, *season.cast)}
        assert sum(balances.values()) == 0
        assert currency == "priority" or all(balances[who] >= 0 for who in season.cast)
    people = {who: Person(who, chance.choice([who, None]), 0) for who in (*season.cast, *season.hosts)}
    for notice in notices(LoadedSeason("id", before, people, talk), season):
        if notice.text is not None:
            notice.text()
    for viewer in (Viewer(), Viewer("host", "h1"), *(viewer_of(season, who) for who in [*season.cast][:2])):
        now = at + chance.choice([0, HOUR, 9 * HOUR])
        try:
            shown = redact(season, viewer, now, talk)
        except NotPossible:
            assert viewer.role == "viewer"
            assert season.settings.audience == "none"
            continue
        assert next_step(shown, now)
        if viewer.role != "host":
            assert not re.search(r"\bcan (begin|start|be closed)\b|^(Add|Enter|Name)\b", next_step(shown, now)), (
                "To hosts"
            )
        for series in shown["charts"].values():
            balance_lines(series)
        name_then = names_then(shown)
        for line in shown["ledger"]:
            assert name_then(line["giver"], line["at"]) or line["giver"] == BANK
        for number in range(1, len(shown["episodes"]) + 1):
            assert redact_episode(season, viewer, now, talk, number)["number"] == number
    result_reveal_times(season)
    template_of(season).events("Again", at)
    assert calendar("id", "Title", season.phases.values(), "/").count("BEGIN:VEVENT") == len(season.phases)


@pytest.mark.parametrize("seed", range(24))
def test_whatever_is_accepted_everybody_can_read_it(seed: int) -> None:
    chance, at, talk = random.Random(seed), 1_000, Conversations()
    beginning = [SettingsChanged(title="Code Red", gifts=True, talk="published"), HostAdded("Hal")]
    season = extended(Season(), beginning, at, "")
    kinds = {one.event.kind for one in season.log}
    for _entry in range(90):
        at += chance.choice([0, 1, HOUR // 2, HOUR * 3])
        if chance.random() < 0.1 and season.remaining:
            talk = talked(season, talk, chance, at)
            continue
        event = (
            next_event(season, chance) if chance.random() < 0.5 and not season.over else any_event(season, chance, at)
        )
        try:
            after = extended(season, [event], at, chance.choice([*season.hosts]), "Because.")
        except NotPossible:
            continue
        check(season, after, talk, chance, at)
        season = after
        kinds.add(event.kind)
    assert fold(season.log) == season
    assert len(kinds) > len(KINDS) // 4


def test_an_entry_does_not_undo_itself() -> None:
    season = extended(Season(), [SettingsChanged(title="Code Red"), HostAdded("Hal")], 0, "")
    for number in (0, 3, 4, -1):
        with pytest.raises(NotPossible, match="This entry cannot be undone"):
            extended(season, [Revoked(number)], 0, "h1", "Why not?")
