"""What a host, a contestant or a viewer may see of a season; everything that leaves a season is made here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any, Literal

from pyramidion.event_log import HOUR, Entry, NotPossible, encode
from pyramidion.event_log import fold as fold_talk
from pyramidion.seasons.conversations import Message, Said, Talk, heard, member, own_ids
from pyramidion.seasons.events import EpisodeClosed, EpisodeOpened, ResultTaken
from pyramidion.seasons.fold import earlier, grown
from pyramidion.seasons.ledger import BANK, CURRENCIES, Currency
from pyramidion.seasons.roles import allowed, runs
from pyramidion.seasons.season import Audience, Confession, Episode, Season, SeasonSettings
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a host or contestant by id, or anybody else.

    `private` is false for a contestant's link as such, which hosts know, too: it opens nothing private.
    """

    role: Literal["host", "contestant", "viewer"] = "viewer"
    who: str = ""
    private: bool = True


def viewer_of(season: Season, who: str | None, *, private: bool = True) -> Viewer:
    """Return who a host's or contestant's id is."""
    if who in season.hosts:
        return Viewer("host", who)
    return Viewer("contestant", who, private) if who in season.cast else Viewer()


def as_told(full: Season, viewer: Viewer, now: int, episode: int | None = None) -> Season:
    """Return the season as far as its story is known to a viewer, up to the end of an `episode` if that is given.

    Raises NotPossible where nothing may be seen.
    """
    told, known = full, len(full.log)
    if viewer.role == "viewer":
        if full.settings.audience == "none":
            raise NotPossible(_("This season is not open to viewers."))
        late = now - full.settings.delay * HOUR
        known = sum(1 for _one in takewhile(lambda one: one.at <= late, full.log))
        units = told_with(earlier(full, known, known), full.settings.audience)
        told = earlier(full, units[-1] if units else 0, known)
    closed = [number for number, closed in told.ends.items() if closed]
    return told if episode is None or episode > len(closed) else earlier(full, closed[episode - 1], known)


def redact(full: Season, viewer: Viewer, now: int, talk: Talk | None = None) -> dict[str, Any]:
    """Return the season as a viewer may know it, ready for JSON. Raises NotPossible where nothing may be seen."""
    season = as_told(full, viewer, now)
    shown = _shown(season, full.settings, viewer)
    return shown | (conversations(season, viewer, talk, now) if talk is not None else {})


def redact_episode(full: Season, viewer: Viewer, now: int, talk: Talk, number: int) -> dict[str, Any]:
    """Return the season as it was at the end of an episode, with what has been published of the episode since.

    It tells a viewer nothing of later episodes, except that there was one: `number` is the episode's, `last` that of
    the latest one. Raises NotPossible where nothing may be seen, or if there is no such episode.
    """
    told = as_told(full, viewer, now)
    if not 1 <= number <= len(told.episodes):
        raise NotPossible(_("There is no such episode."))
    then = as_told(full, viewer, now, number)
    shown = _shown(then, full.settings, viewer)
    shown |= {"number": number, "last": len(told.episodes)}
    shown["confessions"] = [one for one in _confessions(told, viewer) if one["episode"] == number]
    if told.settings.talk == "published" and told.winner is not None:
        one = then.episodes[number - 1]
        began, ended = one.began or 0, one.ended or 0
        until = (line for line in talk.log if line.at <= ended)
        during = (line for line in until if line.at >= began or not isinstance(line.event, Said))
        found = conversations(told, viewer, fold_talk(Talk(), during), now)
        shown |= {**found, "conversations": [one for one in found["conversations"] if one["lines"]]}
    return shown


def redact_talk(season: Season, viewer: Viewer, talk: Talk, now: int) -> dict[str, Any]:
    """Return what a host or contestant needs of a season for its conversations: a part of what `redact` returns."""
    return {
        "settings": {"talk": season.settings.talk},
        "you": viewer.who,
        "cast": [{"id": one.id, "name": one.name, "bot": one.bot, "out": one.out} for one in season.cast.values()],
        "hosts": [{"id": one.id, "name": one.name} for one in season.hosts.values()],
        "former_hosts": [{"id": one.id, "name": one.name} for one in season.former_hosts.values()],
        "former_players": [asdict(one) for one in season.former_players],
        "episodes": [{"closed": one.closed} for one in season.episodes],
        "confessions": _confessions(season, viewer),
        "alliances": [],
        "conversations": [],
        **conversations(season, viewer, talk, now),
    }


def learned(season: Season, since: int, until: int) -> list[Entry]:
    """Return the entries after the first `since`, up to the entry `until`, that change what viewers see."""
    found, before = list[Entry](), dict[str, Any]()
    for state in grown(season.log[:until], season.log[until:]):
        if len(state.log) >= since:
            seen = _shown(state, state.settings, Viewer())
            if len(state.log) > since and seen != before:
                found.append(state.log[-1])
            before = seen
    return found


def _shown(season: Season, settings: SeasonSettings, viewer: Viewer) -> dict[str, Any]:
    hosting = viewer.role == "host"
    shown: dict[str, Any] = {
        "title": settings.title,
        "about": settings.about,
        "settings": asdict(settings),
        "role": viewer.role,
        "you": viewer.who or None,
        "step": season.step,
        "winner": season.winner,
        "cast": [_contestant(season, one, viewer) for one in season.cast],
        "episodes": [_episode(season, one) for one in season.episodes],
        "posts": _posts(season, viewer),
        "shop": [{"id": item, **asdict(one), "item": None} for item, one in season.items.items()],
        "ledger": _ledger(season, viewer),
        "charts": {currency: _chart(season, currency, viewer) for currency in ("garnets", "priority")},
        "challengeable": season.challengeable() if season.step == "opponent" else [],
        "hosts": [asdict(one) for one in season.hosts.values()],
        "former_hosts": [asdict(one) for one in season.former_hosts.values()],
        "former_players": [asdict(one) for one in season.former_players],
        "schedule": [asdict(one) for one in sorted(season.phases.values(), key=lambda one: (one.starts, one.id))],
        "confessions": _confessions(season, viewer),
        "alliances": [],
        "conversations": [],
    }
    if viewer.role != "viewer":
        mine = [one for one in season.wishes if hosting or _own(season, viewer, one.by, one.at)]
        shown["wishes"] = [asdict(one) for one in mine if not hosting or one.declined is None]
    if hosting:
        shown["runs"] = runs(season, viewer.who)
        shown["may"] = sorted(allowed(season, viewer.who))
        shown["plan"] = [{**asdict(one), "kind": None} for one in season.plan]
        shown["log"] = [_entry(season, one) for one in season.log]
    return shown


def sees(season: Season, viewer: Viewer, currency: Currency, *whose: str) -> bool:
    """Return whether a viewer may know a balance, or a transfer between these accounts."""
    if viewer.role == "host" or currency == "tokens":
        return True
    column = season.settings.garnets if currency == "garnets" else season.settings.priority
    return column == "public" or (column == "own" and viewer.role == "contestant" and viewer.who in whose)


def told_with(season: Season, audience: Audience) -> Sequence[int]:
    """Return the entries with which an audience learns of everything up to there, in order, without the delay.

    Before the first episode and after the last one, when nothing is being played, that is every entry.
    """
    counted = len(season.log)
    if audience in ("none", "live"):
        return range(1, counted + 1) if audience == "live" else ()
    opened = (one.number for one in season.log if isinstance(one.event, EpisodeOpened))
    first = next((number for number in opened if number not in season.revoked), counted + 1)
    ends = [one for one, closed in season.ends.items() if closed or audience == "phase"]
    return (*range(1, first), *ends, *(range(ends[-1] + 1, counted + 1) if season.winner is not None else ()))


def results_told(season: Season) -> dict[str, int]:
    """Return when viewers learn of the results of tables, by table: milliseconds since 1970."""
    units, delay = told_with(season, season.settings.audience), season.settings.delay * HOUR
    found: dict[str, int] = {}
    for entry in season.log:
        if isinstance(entry.event, ResultTaken) and entry.number not in season.revoked:
            unit = bisect_left(units, entry.number)
            if unit < len(units):
                found[entry.event.table] = season.log[units[unit] - 1].at + delay
    return found


def _contestant(season: Season, who: str, viewer: Viewer) -> dict[str, Any]:
    one = season.cast[who]
    balances = {
        currency: season.ledger.balance(who, currency) if sees(season, viewer, currency, who) else None
        for currency in CURRENCIES
    }
    shown = {"id": one.id, "name": one.name, "bot": one.bot, "out": one.out, "strikes": one.strikes}
    if viewer.role == "host":
        shown["nudged"] = one.nudged
    return {**shown, **balances}


def _episode(season: Season, one: Episode) -> dict[str, Any]:
    shown = asdict(one)
    shown["tables"] = [asdict(played) for played in one.tables.values()]
    for played in shown["tables"]:
        del played["stakes"], played["players"]
    return shown


def _posts(season: Season, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the posts, the newest first; questions are numbered for hosts alone."""
    shown: list[dict[str, Any]] = []
    for post in reversed(season.posts):
        if viewer.role != "host" and not post.to_all and not _own(season, viewer, post.by, post.at):
            continue
        fields = asdict(post)
        if viewer.role != "host":
            del fields["number"]
        shown.append(fields)
    return shown


def _own(season: Season, viewer: Viewer, by: str, at: int) -> bool:
    """Return whether something private was written by a contestant's present player."""
    return viewer.role == "contestant" and viewer.private and by == viewer.who and at > season.cast[by].since


def _confessions(season: Season, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the confessionals that a viewer may read, in order."""
    closed = {one.number for one in season.episodes if one.closed}

    def readable(one: Confession) -> bool:
        if viewer.role == "host" or _own(season, viewer, one.by, one.at):
            return True
        return (one.publish == "episode" and one.episode in closed) or (
            one.publish != "never" and season.winner is not None
        )

    shown = [asdict(one) for one in season.confessions if readable(one)]
    if viewer.role != "host":
        for one in shown:
            if one["by"] != viewer.who:
                del one["publish"]
    return shown


def conversations(season: Season, viewer: Viewer, talk: Talk, now: int) -> dict[str, Any]:
    """Return the conversations that a viewer may read: `alliances` and `conversations`, each with its lines."""
    settings = season.settings
    published = settings.talk == "published" and season.winner is not None
    open_to_hosts = viewer.role == "host" and settings.talk in ("hosts", "published")
    if published or open_to_hosts:
        late = now - (settings.delay * HOUR if viewer.role == "viewer" else 0)
        found: dict[str, list[Message]] = {one: [] for one in talk.alliances}
        for line in talk.lines:
            if line.at <= late:
                found.setdefault(line.to, []).append(line)
        known = {one.id: list(one.members) for one in talk.alliances.values()}
        ids = {one: one for one in talk.alliances}
    elif viewer.role == "contestant" and viewer.private:
        found = heard(season, talk, viewer.who)
        ids = own_ids(season, talk, viewer.who)
        mine = [talk.alliances[one] for one in ids if one in found]
        known = {one.id: [who for who in one.members if member(season, one, who)] for one in mine}
    else:
        return {}
    return {
        "alliances": [{"id": ids[one], "name": talk.alliances[one].name, "members": known[one]} for one in known],
        "conversations": [
            {"id": ids.get(one, one), "lines": [{"at": line.at, "by": line.by, "text": line.text} for line in lines]}
            for one, lines in found.items()
        ],
    }


def _ledger(season: Season, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the transfers that a viewer may know, the newest first, with time, reason and who did it."""
    entries = {one.number: one for one in season.log}
    shown: list[dict[str, Any]] = []
    for one in reversed(season.ledger.transfers):
        if not sees(season, viewer, one.currency, one.giver, one.taker):
            continue
        entry = entries[one.entry]
        line = {"at": entry.at, "kind": entry.event.kind, "by": entry.by, "reason": entry.reason}
        line |= {"currency": one.currency, "amount": one.amount, "giver": one.giver, "taker": one.taker}
        shown.append(line)
    return shown


def _chart(season: Season, currency: Currency, viewer: Viewer) -> dict[str, list[int]]:
    """Return the balance of each contestant before the first episode, after each one, and now."""
    counted = [one for one in season.log if one.number not in season.revoked]
    ends = [one.number for one in counted if isinstance(one.event, EpisodeOpened)][:1]
    ends += [one.number for one in counted if isinstance(one.event, EpisodeClosed)]
    series: dict[str, list[int]] = {who: [] for who in season.cast if sees(season, viewer, currency, who)}
    balances = dict.fromkeys(series, 0)
    transfers = iter([one for one in season.ledger.transfers if one.currency == currency])
    one = next(transfers, None)
    for end in (*ends, len(season.log) + 1):
        while one is not None and one.entry < end:
            for who in {one.giver, one.taker} & balances.keys():
                balances[who] += one.change(who)
            one = next(transfers, None)
        for who, row in series.items():
            row.append(balances[who])
    return series


def _entry(season: Season, one: Entry) -> dict[str, Any]:
    return {
        "number": one.number,
        "at": one.at,
        "by": one.by,
        "kind": one.event.kind,
        "data": encode(one.event),
        "reason": one.reason,
        "revoked": one.number in season.revoked,
    }


__all__ = [
    "BANK",
    "Viewer",
    "as_told",
    "learned",
    "redact",
    "redact_episode",
    "redact_talk",
    "results_told",
    "sees",
    "told_with",
    "viewer_of",
]
