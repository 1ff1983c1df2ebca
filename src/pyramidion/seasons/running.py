"""What runs in a season now: which match of which episode, who plays it and until when, as far as a reader may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyramidion.seasons.episode import EpisodePart
from pyramidion.seasons.redaction import Viewer, visible_season
from pyramidion.seasons.season import Season

Place = Literal["tables", "submissions", "soon", "elsewhere"]


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """The match of an episode that is being played, or is to begin next.

    Attributes:
        place: at tables here, as secret submissions, at tables that hosts have yet to open, or not here.
        game: the id of the game, None for another match; `own` is then the name of one of the season's own, or empty.
        who: the ids of those who play.
        until: when its round of submissions ends, in milliseconds since 1970; None without a deadline to come.
        clock: the seconds for each decision at its tables, None without a limit.
        vote: whether it is a vote.
    """

    episode: int
    final: bool
    part: EpisodePart
    place: Place
    game: str | None
    own: str
    who: Sequence[str]
    until: int | None = None
    clock: int | None = None
    vote: bool = False


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What those who see an episode later may know of it while it is on: nothing of people, games or results.

    Attributes:
        final: whether it is the final, for those who know that two are left.
        what: the kind of what runs; `episode` between its parts.
        until: when its round of submissions ends, in milliseconds since 1970, also while one that is over waits to be
            decided; None without a deadline.
    """

    episode: int
    final: bool
    what: Literal["vote", "submissions", "main", "duel", "episode"]
    until: int | None = None


def under_way(season: Season, viewer: Viewer, now: int) -> UnderWay | None:
    """Return what runs in an episode that a viewer sees later; None where nothing does.

    It is None, too, for those who see the episode itself, and where hosts delay everything. `now` is milliseconds
    since 1970.
    """
    episode, settings, match = season.episode, season.settings, season.own_match
    later = viewer.role == "viewer" and settings.audience in ("episode", "phase") and not settings.delay
    if episode is None or not later:
        return None
    final = episode.final and len(visible_season(season, viewer, now).remaining) == 2
    if match is not None:
        if not season.takes_submissions(now):
            return UnderWay(episode.number, final, "episode", match.round.deadline if season.submitters else None)
        return UnderWay(episode.number, final, "vote" if match.vote else "submissions", match.round.deadline)
    match season.step:
        case "main-playing":
            return UnderWay(episode.number, final, "main")
        case "duel-playing":
            return UnderWay(episode.number, final, "duel")
        case "result" if episode.game is None and not _played(season, "main"):
            return UnderWay(episode.number, final, "main")
        case "duel-result" if episode.duel is None and not _played(season, "duel"):
            return UnderWay(episode.number, final, "duel")
        case _between:
            return UnderWay(episode.number, final, "episode")


def running_match(view: Mapping[str, Any], now: int) -> RunningMatch | None:
    """Return the match that runs, as far as the reader of a season's `view` may know; None while none does.

    It is made from the view alone, so it tells nothing that the view does not. `now` is milliseconds since 1970.
    """
    episode = view["episodes"][-1] if view["episodes"] else None
    if episode is None or episode["closed"]:
        return None
    number, final, step = episode["number"], episode["final"], view["step"]
    left = [contestant["id"] for contestant in view["cast"] if contestant["out"] is None]
    pair = [who for who in (episode["candidate"], episode["opponent"]) if who is not None]
    match step:
        case "own-match":
            match = view["own_matches"][-1]
            latest, who = match["rounds"][-1], match["submitters"]
            until = latest["deadline"] if who and not latest["sealed"] and (latest["deadline"] or 0) > now else None
            return RunningMatch(
                number,
                final,
                match["part"],
                "submissions",
                None,
                match["form"]["name"],
                who,
                until,
                vote=match["vote"] is not None,
            )
        case "main-playing" | "duel-playing":
            part: EpisodePart = "main" if step == "main-playing" else "duel"
            tables = [table for table in episode["tables"] if table["part"] == part and table["winners"] is None]
            who = [player for table in tables for player in table["cast"]]
            return RunningMatch(
                number,
                final,
                part,
                "tables",
                episode["game" if part == "main" else "duel"],
                "",
                who,
                None,
                episode["clock"],
            )
        case "main" | "duel":
            part, who = ("main", left) if step == "main" else ("duel", pair)
            return RunningMatch(number, final, part, "soon", episode["game" if part == "main" else "duel"], "", who)
        case "result" if episode["game"] is None and not _shown(view, episode, "main"):
            return RunningMatch(number, final, "main", "elsewhere", None, episode["own"], left)
        case "duel-result" if episode["duel"] is None and not _shown(view, episode, "duel"):
            return RunningMatch(number, final, "duel", "elsewhere", None, "", pair)
        case _between:
            return None


def running_phase(view: Mapping[str, Any], now: int) -> Mapping[str, Any] | None:
    """Return the phase of a view's schedule that is in progress; of several the one that ends first, or None.

    While submissions have a deadline, that is what their readers go by, so no phase is told beside it. A phase with
    which a match was to end is over when the match is decided, and one in which an episode was closed is over, too.
    """
    latest = view["episodes"][-1] if view["episodes"] else None
    matches = [match for match in view["own_matches"] if latest is not None and match["episode"] == latest["number"]]
    if view["step"] == "over" or any(match["playing"] and match["rounds"][-1]["deadline"] for match in matches):
        return None
    rounds = [played for match in matches if not match["playing"] for played in match["rounds"]]
    over = {phase for played in rounds for phase in (played["phase"], played["opened_with"])}
    since = (latest["ended"] or 0) if latest is not None and latest["closed"] else 0
    current = (
        phase
        for phase in view["schedule"]
        if phase["starts"] <= now < phase["ends"] and phase["id"] not in over and phase["starts"] >= since
    )
    return min(current, key=lambda phase: phase["ends"], default=None)


def _played(season: Season, part: EpisodePart) -> bool:
    """Return whether a part of the latest episode has been played as a match of the host's own."""
    number = len(season.episodes)
    return any((match.episode, match.part) == (number, part) for match in season.own_matches.values())


def _shown(view: Mapping[str, Any], episode: Mapping[str, Any], part: EpisodePart) -> bool:
    """Return whether a view has a part of an episode as a match of the host's own."""
    return any((match["episode"], match["part"]) == (episode["number"], part) for match in view["own_matches"])
