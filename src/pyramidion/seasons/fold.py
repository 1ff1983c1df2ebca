"""The log of a season, and the state that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyramidion import event_log
from pyramidion.event_log import Entry, NotPossible
from pyramidion.seasons.events import Event, OwnMatchOpened, OwnMatchSet, ResultTaken, Retitled, Revoked, Withdrawn
from pyramidion.seasons.season import Season
from pyramidion.translation import _

MOST_KEPT = 4


def fold(entries: Iterable[Entry], later: Sequence[Entry] = ()) -> Season:
    """Return the season that a log leads to, also without those of its entries that one of the `later` ones undoes.

    Raises NotPossible at an entry that does not follow from the others.
    """
    *_before, season = grown(entries, later)
    return season


def grown(entries: Iterable[Entry], later: Sequence[Entry] = ()) -> Iterator[Season]:
    """Yield the same season object, at first empty, after each entry of its log is applied. Raises as `fold` does."""
    log, season = list(entries), Season()
    yield season
    season.revoked = frozenset(entry.event.entry for entry in (*log, *later) if isinstance(entry.event, Revoked))
    for entry in log:
        episode = season.episode
        before = episode.outcome if episode is not None else None
        season.made[entry.event.kind] += 1
        if entry.number not in season.revoked:
            try:
                entry.event.apply(season, entry)
            except NotPossible as error:
                if not isinstance(log[-1].event, Revoked) or entry is log[-1]:
                    raise
                message = _("Entry {number} depends on this one. Undo that entry first.")
                raise NotPossible(message.format(number=entry.number)) from error
        if isinstance(entry.event, ResultTaken):
            season.taken.add(entry.event.table)
        if (
            episode is not None
            and episode.outcome not in (None, before)
            and not (episode.playing("main") or episode.playing("duel"))
        ):
            season.ends[entry.number] = episode.closed
        season.log.append(entry)
        yield season


def earlier(season: Season, count: int, counted: int) -> Season:
    """Return the season as it was after the first `count` entries of its log.

    Entries that one of the first `counted` entries undoes are left out. A title that operators have given the season
    later is its title already.

    The latest seasons are cached: with a delay viewers need two, and one for each episode that they watch
    (`seasons.redaction.visible_season`).
    """
    if count == counted == len(season.log):
        return season
    if (count, counted) not in season.earlier:
        while len(season.earlier) >= MOST_KEPT:
            del season.earlier[next(iter(season.earlier))]
        made = season.earlier[count, counted] = fold(season.log[:count], season.log[count:counted])
        for entry in season.log[count:]:
            if isinstance(entry.event, Retitled):
                entry.event.apply(made, entry)
    return season.earlier[count, counted]


def check(season: Season, events: Sequence[Event]) -> None:
    """Raise NotPossible if one of the new events would break what goes on, or take the server too long.

    Entries that are stored already are not checked again.
    """
    for event in events:
        if isinstance(event, Revoked | Withdrawn):
            event.check(season)
        if isinstance(event, OwnMatchSet | OwnMatchOpened):
            event_log.with_clean_texts(event).check_steps_in(season)


def extended(season: Season, events: Sequence[Event], at: int, by: str, reason: str = "") -> Season:
    """Return the season after more events at a time, done by a person. Raises NotPossible with a sentence.

    `at` is milliseconds since 1970, and `by` the id of the person. `season` stays as it is.
    """
    check(season, events)
    return event_log.extended(season, events, at, by, reason, fold)
