"""Reports to the webhooks of a season: to viewers what they learn, when they learn it; to the hosts every entry."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import zip_longest
from typing import Any, cast

from pyramidion.event_log import HOUR, Entry
from pyramidion.names import shortened
from pyramidion.seasons.events import (
    Answered,
    CandidateNamed,
    Eliminated,
    EpisodeClosed,
    MatchOpened,
    OpponentNamed,
    PhaseExtended,
    Posted,
    ResultEntered,
    ResultTaken,
    Revoked,
    SeasonEnded,
    StoodIn,
    Withdrawn,
)
from pyramidion.seasons.fold import earlier
from pyramidion.seasons.redaction import reveal_points, visible_changes
from pyramidion.seasons.season import Season
from pyramidion.seasons.sentences import ending_sentence
from pyramidion.translation import _
from pyramidion.web.features.seasons.texts import KINDS
from pyramidion.web.table.events import Notice

DAY = 24 * HOUR
LONGEST = 1_500
"""Most characters of a report: Discord takes 2000, and escaped characters count twice."""
AT_ONCE = 10
"""Most entries of one report to hosts, who are told of each, also of those of a pasted cast."""


def channel(season_id: str, *, hosts: bool = False) -> str:
    """Return the id that stands for a season's webhook as the recipient of notices: viewers' or the hosts' one."""
    return f"season:{season_id}{':hosts' if hosts else ''}"


def reports(season_id: str, before: Season, after: Season) -> list[Notice]:
    """Return the notices to both webhooks about the entries by which a season has grown to `after`."""
    new = after.log[len(before.log) :]
    to_hosts = (_to_hosts(season_id, before, after, new[n : n + AT_ONCE]) for n in range(0, len(new), AT_ONCE))
    return [*_to_viewers(season_id, before, after), *to_hosts]


@dataclass(frozen=True, slots=True)
class _Disclosure:
    """Entries that viewers learn of at the same time.

    Attributes:
        since: the number of the last entry of the previous disclosure.
        counted: the numbers of its entries, without those that have been undone.
        due: when viewers learn of them, in milliseconds since 1970.
    """

    since: int
    counted: tuple[int, ...]
    due: int


def _disclosures(season: Season, now: int) -> dict[int, _Disclosure]:
    """Return the disclosures that viewers got within the last day or will get, by the number of the last entry.

    Disclosures at the same time are merged. `now` is in milliseconds since 1970.
    """
    disclosures: dict[int, _Disclosure] = {}
    since, delay = 0, season.settings.delay * HOUR
    numbers = reveal_points(season, season.settings.audience)
    for number, following in zip_longest(numbers, numbers[1:]):
        if following is not None and season.log[following - 1].at == season.log[number - 1].at:
            continue
        due = season.log[number - 1].at + delay
        counted = tuple(entry for entry in range(since + 1, number + 1) if entry not in season.revoked)
        if counted and due > now - DAY:
            disclosures[number] = _Disclosure(since, counted, due)
        since = number
    return disclosures


def _to_viewers(season_id: str, before: Season, after: Season) -> Iterator[Notice]:
    """Yield the notices to the viewers' webhook about the entries by which a season has grown to `after`."""
    now, title = after.log[-1].at, after.settings.title
    old, new = _disclosures(before, now), _disclosures(after, now)

    def notice(number: int, text: Callable[[], str] | None, due: int | None = None) -> Notice:
        """Return the notice about the entry `number`; without a text it withdraws one that is not sent yet."""
        return Notice(
            f"{season_id}.hook.{number}", channel(season_id), "line", title, text, f"/seasons/{season_id}", due
        )

    for number in old.keys() - new.keys():
        yield notice(number, None)
    for number, disclosure in new.items():
        # One that viewers still wait for is told anew if it has changed: something was undone, or the delay is another.
        waiting = number in old and old[number] != disclosure and old[number].due > now
        if number > len(before.log) or waiting:
            yield notice(number, partial(_news_text, after, disclosure.since, number), disclosure.due)
    for entry in after.log[len(before.log) :]:
        if isinstance(entry.event, Revoked) and (last := _disclosed_with(before, entry.event.entry, now)) is not None:
            yield notice(
                entry.number, partial(_retraction_text, before, entry, last), now + after.settings.delay * HOUR
            )


def _disclosed_with(season: Season, entry: int, now: int) -> int | None:
    """Return the number of the last entry of the disclosure that told viewers of `entry`, None if none has yet."""
    numbers = reveal_points(season, season.settings.audience)
    nth = bisect_left(numbers, entry)
    late = now - season.settings.delay * HOUR
    return numbers[nth] if nth < len(numbers) and season.log[numbers[nth] - 1].at <= late else None


def _news_text(season: Season, since: int, until: int) -> str:
    """Return the report to viewers about the entries after `since` up to `until`; empty if they see none of them.

    The end of an episode, or of the season, comes first.
    """
    then, counted = earlier(season, until, len(season.log)), len(season.log)
    names = _names_by_id(then, earlier(season, since, counted))
    changes, ends = visible_changes(season, since, until), (EpisodeClosed, SeasonEnded)
    entries = sorted(changes, key=lambda entry: not isinstance(entry.event, ends))
    return _report(then, [_news_sentence(then, names, entry) for entry in entries]) if entries else ""


def _retraction_text(before: Season, entry: Entry, last: int) -> str:
    """Return the report to viewers that an entry which they know of is undone; empty if they never saw it.

    `entry` is the one that undoes it, `last` the last entry of the disclosure that revealed it.
    """
    assert isinstance(entry.event, Revoked)
    undone = entry.event.entry
    if not visible_changes(before, undone - 1, undone):
        return ""
    then = earlier(before, last, len(before.log))
    return _report(then, [_entry_summary(before.log, _names_by_id(then, then), entry)])


def _news_sentence(season: Season, names: Mapping[str, str], entry: Entry) -> str:
    """Return the sentence that tells viewers of an entry; `names` are those of people and phases by id."""
    event, name = entry.event, season.name
    match event:
        case EpisodeClosed() if season.over and season.ending is None:
            return ending_sentence(season.winners, name)
        case SeasonEnded(winners):
            return ending_sentence(winners, name)
        case EpisodeClosed():
            return _("An episode is over.")
        case MatchOpened():
            return _("A match has started.")
        case OpponentNamed():
            sentence = _("{name} against {other} in the death match.")
            return sentence.format(name=name(season.episodes[-1].candidate or ""), other=name(event.opponent))
        case Posted():
            return _("{name} has posted.").format(name=name(entry.by))
        case Eliminated():
            return _("{name} is eliminated.").format(name=name(event.contestant))
        case ResultEntered(candidate=str(who), second=str(other)):
            return _("{name} and {other} are the elimination candidates.").format(name=name(who), other=name(other))
        case ResultTaken(candidate=str(who)) | ResultEntered(candidate=str(who)) | CandidateNamed(candidate=who):
            return _("{name} is the elimination candidate.").format(name=name(who))
        case Answered():
            return _("A question has been answered.")
        case PhaseExtended() if event.phase in names:  # otherwise it has been removed since
            return _("{phase} ends later.").format(phase=names[event.phase])
        case Withdrawn():
            return _("{name} has withdrawn.").format(name=name(event.contestant))
        case StoodIn():
            return _("{name} takes over a place.").format(name=event.name.strip())
        case _event:
            return _entry_summary(season.log, names, entry)


def _to_hosts(season_id: str, before: Season, after: Season, new: Sequence[Entry]) -> Notice:
    """Return the notice that reports new log entries to the hosts' webhook."""
    names = _names_by_id(after, before)

    def text() -> str:
        lines: list[str] = []
        for entry in new:
            by = names.get(entry.by) or after.name("")
            sentences = [_entry_summary(after.log, names, entry), *_missed_decisions(after, names, entry)]
            lines += [_("{what} ({name})").format(what=what, name=by) for what in sentences]
        return _report(after, lines)

    mark, who, title = f"{season_id}.hosts.{new[-1].number}", channel(season_id, hosts=True), after.settings.title
    return Notice(mark, who, "line", title, text, f"/seasons/{season_id}/host")


def _report(season: Season, sentences: list[str]) -> str:
    """Return a report of these sentences under the season's title, shortened to what webhooks accept."""
    text = _("{season}: {what}").format(season=season.settings.title, what="\n".join(sentences))
    return shortened(text, LONGEST)


def _entry_summary(log: Sequence[Entry], names: Mapping[str, str], entry: Entry) -> str:
    """Return the kind of an entry with the names of those concerned, never what somebody wrote.

    For `Revoked` it describes the entry that is undone.
    """
    event, kind = entry.event, _(KINDS[entry.event.kind])
    about = (
        _entry_summary(log, names, log[event.entry - 1])
        if isinstance(event, Revoked)
        else _(", ").join(_names_in(event, names))
    )
    return _("{kind}: {what}").format(kind=kind, what=about) if about else kind


def _missed_decisions(season: Season, names: Mapping[str, str], entry: Entry) -> list[str]:
    """Return a sentence with the number of decisions that players missed in a match, for hosts alone.

    The list is empty for entries other than results.
    """
    event = entry.event
    if not isinstance(event, ResultTaken) or not any(event.missed or ()):
        return []
    cast = next((episode.tables[event.table].cast for episode in season.episodes if event.table in episode.tables), ())
    missed = [f"{names[who]} {count}" for who, count in zip(cast, event.missed or (), strict=False) if count]
    return [_("{kind}: {what}").format(kind=_("Missed decisions"), what=_(", ").join(missed))]


def _names_in(event: Any, names: Mapping[str, str]) -> list[str]:
    """Return the names of the people and phases that an event refers to, each once."""
    names_found: list[str] = []
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "name":
            names_found.append(value.strip())
        else:
            ids = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
            names_found += [names[who] for who in ids if isinstance(who, str) and who in names]
    return list(dict.fromkeys(names_found))


def _names_by_id(season: Season, before: Season) -> dict[str, str]:
    """Return the names of people and phases by id; the earlier name if it has changed since `before`."""
    return {
        who: person.name
        for state in (season, before)
        for group in (state.cast, state.hosts, state.phases)
        for who, person in group.items()
    }
