"""What a host, a contestant or a viewer may see of a season; everything that leaves a season is made here.

Only what kind of part runs of an episode that viewers see later comes from `running.under_way`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any, Literal

from pyramidion.event_log import HOUR, Entry, NotPossible, encode
from pyramidion.event_log import fold as fold_conversations
from pyramidion.seasons.conversations import Conversations, Message, Said, conversations_of, is_member, own_ids
from pyramidion.seasons.episode import Episode
from pyramidion.seasons.events import EpisodeClosed, EpisodeOpened, ResultTaken
from pyramidion.seasons.fold import earlier, grown
from pyramidion.seasons.ledger import CURRENCIES, Currency
from pyramidion.seasons.own_redaction import host_submissions, own_matches, own_submissions
from pyramidion.seasons.roles import allowed, runs
from pyramidion.seasons.season import Audience, Confession, Season, SeasonSettings
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at a season, which decides what is shown: a host or contestant by id, or anybody else.

    `private` is false for a contestant's link as such, which hosts know, too: it opens nothing private.
    """

    role: Literal["host", "contestant", "viewer"] = "viewer"
    who: str = ""
    private: bool = True


def viewer_of(season: Season, who: str | None, *, private: bool = True) -> Viewer:
    """Return the viewer whom a host's or contestant's id stands for; any other id, or None, is anybody else's."""
    if who in season.hosts:
        return Viewer("host", who)
    return Viewer("contestant", who, private) if who in season.cast else Viewer()


def visible_season(full: Season, viewer: Viewer, now: int, episode: int | None = None) -> Season:
    """Return the season as it was after the last entry that a viewer may know, or at the end of an earlier `episode`.

    Raises NotPossible where nothing may be seen.
    """
    visible, counted = full, len(full.log)
    if viewer.role == "viewer":
        if full.settings.audience == "none":
            raise NotPossible(_("This season is not open to viewers."))
        late = now - full.settings.delay * HOUR
        counted = sum(1 for _entry in takewhile(lambda entry: entry.at <= late, full.log))
        units = reveal_points(earlier(full, counted, counted), full.settings.audience)
        visible = earlier(full, units[-1] if units else 0, counted)
    closed = [number for number, closed in visible.ends.items() if closed]
    return visible if episode is None or episode > len(closed) else earlier(full, closed[episode - 1], counted)


def redact(full: Season, viewer: Viewer, now: int, conversations: Conversations | None = None) -> dict[str, Any]:
    """Return the season as a viewer may know it, ready for JSON. Raises NotPossible where nothing may be seen."""
    season = visible_season(full, viewer, now)
    view = _season_view(season, full.settings, viewer)
    _take_titles(view, full)
    if not full.settings.delay:
        _take_dates(view, full)
    if conversations is None:
        return view
    if viewer.role == "contestant":
        view["submissions"] = own_submissions(season, conversations, viewer.who, private=viewer.private)
    elif viewer.role == "host":
        view["submissions"] = host_submissions(season, conversations)
    return view | visible_conversations(season, viewer, conversations, now)


def _take_titles(view: dict[str, Any], full: Season) -> None:
    """Give the closed episodes of a view the titles that they have now: viewers do not wait for a correction."""
    for episode, present in zip(view["episodes"], full.episodes, strict=False):
        if episode["closed"] and present.closed and present.began == episode["began"]:
            episode["title"] = present.title


def _take_dates(view: dict[str, Any], full: Season) -> None:
    """Give the phases of a view the dates that they have now: a deadline that was moved is the one that counts."""
    present = (full.phases.get(phase["id"]) for phase in view["schedule"])
    dates = [
        phase | {"starts": now.starts, "ends": now.ends}
        for phase, now in zip(view["schedule"], present, strict=True)
        if now
    ]
    view["schedule"] = sorted(dates, key=lambda phase: (phase["starts"], phase["id"]))


def redact_episode(full: Season, viewer: Viewer, now: int, conversations: Conversations, number: int) -> dict[str, Any]:
    """Return the season as it was at the end of an episode, with what has been published of the episode since.

    It tells a viewer nothing of later episodes, except that there was one: `number` is the episode's, `last` that of
    the latest one. Raises NotPossible where nothing may be seen, or if there is no such episode.
    """
    visible = visible_season(full, viewer, now)
    if not 1 <= number <= len(visible.episodes):
        raise NotPossible(_("There is no such episode."))
    then = visible_season(full, viewer, now, number)
    view = _season_view(then, full.settings, viewer)
    _take_titles(view, full)
    view |= {"number": number, "last": len(visible.episodes)}
    view["confessions"] = [
        confession for confession in _confessions(visible, viewer) if confession["episode"] == number
    ]
    if visible.settings.talk == "published" and visible.over:
        episode = then.episodes[number - 1]
        began, ended = episode.began or 0, episode.ended or 0
        until = (line for line in conversations.log if line.at <= ended)
        during = (line for line in until if line.at >= began or not isinstance(line.event, Said))
        published = visible_conversations(visible, viewer, fold_conversations(Conversations(), during), now)
        view |= {
            **published,
            "conversations": [conversation for conversation in published["conversations"] if conversation["lines"]],
        }
    return view


def redact_conversations(season: Season, viewer: Viewer, conversations: Conversations, now: int) -> dict[str, Any]:
    """Return what a host or contestant needs of a season for its conversations: a part of what `redact` returns."""
    return {
        "settings": {"talk": season.settings.talk},
        "you": viewer.who,
        "cast": [
            {"id": contestant.id, "name": contestant.name, "bot": contestant.bot, "out": contestant.out}
            for contestant in season.cast.values()
        ],
        "hosts": [{"id": host.id, "name": host.name} for host in season.hosts.values()],
        "former_hosts": [{"id": host.id, "name": host.name} for host in season.former_hosts.values()],
        "former_players": [asdict(player) for player in season.former_players],
        "episodes": [{"closed": episode.closed} for episode in season.episodes],
        "confessions": _confessions(season, viewer),
        "alliances": [],
        "conversations": [],
        **visible_conversations(season, viewer, conversations, now),
    }


def visible_changes(season: Season, since: int, until: int) -> list[Entry]:
    """Return those of the entries from `since` + 1 to `until` that change what viewers see."""
    changes, previous = list[Entry](), dict[str, Any]()
    for state in grown(season.log[:until], season.log[until:]):
        if len(state.log) >= since:
            view = _season_view(state, state.settings, Viewer())
            if len(state.log) > since and view != previous:
                changes.append(state.log[-1])
            previous = view
    return changes


def _season_view(season: Season, settings: SeasonSettings, viewer: Viewer) -> dict[str, Any]:
    """Return what a viewer sees of a season, which ends with the last entry that they may know, ready for JSON.

    `settings` are the present ones.
    """
    hosting = viewer.role == "host"
    view: dict[str, Any] = {
        "title": settings.title,
        "about": settings.about,
        "settings": asdict(settings),
        "role": viewer.role,
        "you": viewer.who or None,
        "step": season.step,
        "winners": list(season.winners),
        "ending": season.ending.text if season.ending is not None else "",
        "cast": [_contestant(season, who, viewer) for who in season.cast],
        "episodes": [_episode(season, episode) for episode in season.episodes],
        "posts": _posts(season, viewer),
        "shop": [{"id": item, **asdict(details), "item": None} for item, details in season.items.items()],
        "ledger": _ledger(season, viewer),
        "charts": {currency: _chart(season, currency, viewer) for currency in ("garnets", "priority")},
        "challengeable": season.challengeable() if season.step in ("candidate", "opponent") else [],
        "names_next": _names_next(season),
        "own_matches": own_matches(season),
        "submissions": [],
        "formats": [asdict(declared) for declared in season.formats.values()],
        "hosts": [asdict(host) for host in season.hosts.values()],
        "former_hosts": [asdict(host) for host in season.former_hosts.values()],
        "former_players": [asdict(player) for player in season.former_players],
        "schedule": [
            asdict(phase) for phase in sorted(season.phases.values(), key=lambda phase: (phase.starts, phase.id))
        ],
        "confessions": _confessions(season, viewer),
        "alliances": [],
        "conversations": [],
    }
    if viewer.role != "viewer":
        mine = [wish for wish in season.wishes if hosting or _own(season, viewer, wish.by, wish.at)]
        view["wishes"] = [asdict(wish) for wish in mine if not hosting or wish.declined is None]
    if viewer.role == "contestant":
        view["bought"] = {item: count for (who, item), count in season.bought.items() if who == viewer.who}
    if hosting:
        view["runs"] = runs(season, viewer.who)
        view["may"] = sorted(allowed(season, viewer.who))
        view["undated_phases"] = [asdict(span) for span in season.undated]
        view["holidays"] = [asdict(holiday) for holiday in season.holidays]
        view["own_forms"] = [asdict(form) for form in season.own_forms.values()]
        view["plan"] = [{**asdict(episode), "kind": None} for episode in season.plan]
        view["log"] = [_entry(season, entry) for entry in season.log]
    return view


def _names_next(season: Season) -> str | None:
    """Return the id of the contestant who names a candidate or the opponent next, None if nobody does."""
    match season.step:
        case "candidate" | "opponent" as what:
            return season.namer(what)
        case _step:
            return None


def sees(season: Season, viewer: Viewer, currency: Currency, *whose: str) -> bool:
    """Return whether a viewer may know balances and transfers in a currency of the accounts `whose`."""
    if viewer.role == "host" or currency == "tokens":
        return True
    column = season.settings.garnets if currency == "garnets" else season.settings.priority
    return column == "public" or (column == "own" and viewer.role == "contestant" and viewer.who in whose)


def reveal_points(season: Season, audience: Audience) -> Sequence[int]:
    """Return, in order, the numbers of the log entries at which an audience is shown everything so far.

    Before the first episode and after the last one, when nothing is being played, that is every entry. The delay of the
    settings comes on top.
    """
    counted = len(season.log)
    if audience in ("none", "live"):
        return range(1, counted + 1) if audience == "live" else ()
    opened = (entry.number for entry in season.log if isinstance(entry.event, EpisodeOpened))
    first = next((number for number in opened if number not in season.revoked), counted + 1)
    ends = [number for number, closed in season.ends.items() if number > first and (closed or audience == "phase")]
    return (*range(1, first), *ends, *(range(ends[-1] + 1, counted + 1) if season.over and ends else ()))


def result_reveal_times(season: Season) -> dict[str, int]:
    """Return when viewers are shown the result of each table, by its id: milliseconds since 1970."""
    units, delay = reveal_points(season, season.settings.audience), season.settings.delay * HOUR
    times: dict[str, int] = {}
    for entry in season.log:
        if isinstance(entry.event, ResultTaken) and entry.number not in season.revoked:
            unit = bisect_left(units, entry.number)
            if unit < len(units):
                times[entry.event.table] = season.log[units[unit] - 1].at + delay
    return times


def _contestant(season: Season, who: str, viewer: Viewer) -> dict[str, Any]:
    """Return a contestant as a viewer sees them, with the balances that the viewer may know (the others are None)."""
    contestant = season.cast[who]
    balances = {
        currency: season.ledger.balance(who, currency) if sees(season, viewer, currency, who) else None
        for currency in CURRENCIES
    }
    view: dict[str, Any] = {
        "id": contestant.id,
        "name": contestant.name,
        "bot": contestant.bot,
        "out": contestant.out,
        "strikes": contestant.strikes,
        "withdrawal": None
        if (left := contestant.withdrawal) is None
        else {"episode": left.episode, "during": left.during},
    }
    if viewer.role == "host":
        view["withdrawal"] = asdict(left) if left is not None else None
        view |= {"nudged": contestant.nudged, "note": contestant.note}
    return {**view, **balances}


def _episode(season: Season, episode: Episode) -> dict[str, Any]:
    """Return an episode as everybody sees it, ready for JSON."""
    view = asdict(episode)
    view |= {"leaving": episode.leaving}
    view["tables"] = [asdict(played) for played in episode.tables.values()]
    for played in view["tables"]:
        del played["stakes"], played["players"]
    return view


def _posts(season: Season, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the posts that a viewer may read, the newest first; questions are numbered for hosts alone."""
    posts: list[dict[str, Any]] = []
    for post in reversed(season.posts):
        if viewer.role != "host" and not post.to_all and not _own(season, viewer, post.by, post.at):
            continue
        fields = asdict(post)
        if viewer.role != "host":
            del fields["number"]
        posts.append(fields)
    return posts


def _own(season: Season, viewer: Viewer, by: str, at: int) -> bool:
    """Return whether the viewer is the contestant who wrote something private, and was already their player then.

    `by` is the author's id, and `at` the time in milliseconds since 1970.
    """
    return viewer.role == "contestant" and viewer.private and by == viewer.who and at > season.cast[by].since


def _confessions(season: Season, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the confessionals that a viewer may read, in order."""
    closed = {episode.number for episode in season.episodes if episode.closed}

    def readable(confession: Confession) -> bool:
        """Return whether the viewer may read a confessional."""
        if viewer.role == "host" or _own(season, viewer, confession.by, confession.at):
            return True
        return (confession.publish == "episode" and confession.episode in closed) or (
            confession.publish != "never" and season.over
        )

    confessions = [asdict(confession) for confession in season.confessions if readable(confession)]
    if viewer.role != "host":
        for confession in confessions:
            if confession["by"] != viewer.who:
                del confession["publish"]
    return confessions


def visible_conversations(season: Season, viewer: Viewer, conversations: Conversations, now: int) -> dict[str, Any]:
    """Return the conversations that a viewer may read, ready for JSON: `alliances`, and `conversations` with their
    lines.
    """
    settings = season.settings
    published = settings.talk == "published" and season.over
    open_to_hosts = viewer.role == "host" and settings.talk in ("hosts", "published")
    if published or open_to_hosts:
        late = now - (settings.delay * HOUR if viewer.role == "viewer" else 0)
        lines_by_id: dict[str, list[Message]] = {alliance: [] for alliance in conversations.alliances}
        for message in conversations.messages:
            if message.at <= late:
                lines_by_id.setdefault(message.to, []).append(message)
        members = {alliance.id: list(alliance.members) for alliance in conversations.alliances.values()}
        ids = {alliance: alliance for alliance in conversations.alliances}
    elif viewer.role == "contestant" and viewer.private:
        lines_by_id = conversations_of(season, conversations, viewer.who)
        ids = own_ids(season, conversations, viewer.who)
        mine = [conversations.alliances[alliance] for alliance in ids if alliance in lines_by_id]
        members = {
            alliance.id: [who for who in alliance.members if is_member(season, alliance, who)] for alliance in mine
        }
    else:
        return {}
    return {
        "alliances": [
            {"id": ids[alliance], "name": conversations.alliances[alliance].name, "members": members[alliance]}
            for alliance in members
        ],
        "conversations": [
            {
                "id": ids.get(conversation, conversation),
                "lines": [{"at": message.at, "by": message.by, "text": message.text} for message in lines],
            }
            for conversation, lines in lines_by_id.items()
        ],
    }


def _ledger(season: Season, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the transfers that a viewer may know, the newest first, with time, reason and who did it."""
    entries = {entry.number: entry for entry in season.log}
    transfers: list[dict[str, Any]] = []
    for transfer in reversed(season.ledger.transfers):
        if not sees(season, viewer, transfer.currency, transfer.giver, transfer.taker):
            continue
        entry = entries[transfer.entry]
        line = {"at": entry.at, "kind": entry.event.kind, "by": entry.by, "reason": entry.reason}
        line |= {
            "currency": transfer.currency,
            "amount": transfer.amount,
            "giver": transfer.giver,
            "taker": transfer.taker,
        }
        transfers.append(line)
    return transfers


def _chart(season: Season, currency: Currency, viewer: Viewer) -> dict[str, list[int]]:
    """Return the balances of each contestant whose balance the viewer may know, by id.

    They are those before the first episode, after each one, and now.
    """
    counted = [entry for entry in season.log if entry.number not in season.revoked]
    ends = [entry.number for entry in counted if isinstance(entry.event, EpisodeOpened)][:1]
    ends += [entry.number for entry in counted if isinstance(entry.event, EpisodeClosed)]
    balances_by_contestant: dict[str, list[int]] = {
        who: [] for who in season.cast if sees(season, viewer, currency, who)
    }
    balances = dict.fromkeys(balances_by_contestant, 0)
    transfers = iter([transfer for transfer in season.ledger.transfers if transfer.currency == currency])
    transfer = next(transfers, None)
    for end in (*ends, len(season.log) + 1):
        while transfer is not None and transfer.entry < end:
            for who in {transfer.giver, transfer.taker} & balances.keys():
                balances[who] += transfer.change(who)
            transfer = next(transfers, None)
        for who, row in balances_by_contestant.items():
            row.append(balances[who])
    return balances_by_contestant


def _entry(season: Season, entry: Entry) -> dict[str, Any]:
    """Return an entry of the log as hosts see it, ready for JSON."""
    return {
        "number": entry.number,
        "at": entry.at,
        "by": entry.by,
        "kind": entry.event.kind,
        "data": encode(entry.event),
        "reason": entry.reason,
        "revoked": entry.number in season.revoked,
    }
