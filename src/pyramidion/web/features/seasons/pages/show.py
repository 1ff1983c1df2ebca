"""The show: an episode, or the whole season in short, as slides, of which a page has one at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pyramidion.engine.layout import EVERYTHING
from pyramidion.seasons.story import Sentence
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.match_moments import MatchMoments
from pyramidion.web.features.seasons.pages.story import story_of
from pyramidion.web.pages.board_picture import board_picture
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

MOST_BOARDS = 14
"""Most pictures of the board for one match; of more, as many are left out evenly."""
MOST_LINES = 8
BESIDE = {
    "main": ("open", "main", "main-playing"),
    "tokens": ("candidate",),
    "candidate": ("result", "opponent"),
    "duel": ("duel", "duel-playing", "duel-result"),
    "end": ("elimination", "close", "over", "cast"),
}
"""The steps in which a confessional was written, by the part of the show that it comes after."""
OWN_MATCH = "own-match"
"""The step in which a confessional was written during a match of the host's own, as the main match or the other."""


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide: the `kind` that the template draws, with its `data`."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(slots=True)
class _Part:
    """The slides of a main match or a death match: `before` its result is revealed, and `after`.

    The last board of a match, and the scores of a match of the host's own, show who has won and who has lost. So they
    follow the slides that reveal it.
    """

    before: list[Slide] = field(default_factory=list[Slide])
    after: list[Slide] = field(default_factory=list[Slide])


async def episode_slides(view: Mapping[str, Any], tables: Tables, moments: MatchMoments) -> list[Slide]:
    """Return the slides of an episode, from a view of the season at its end (`redaction.redact_episode`)."""
    episode = view["episodes"][view["number"] - 1]
    slides = [Slide("title"), Slide("cast", {"cast": _cast_before(view, episode)})]
    if not episode["final"]:
        slides += await _main_match(view, episode, tables)
    if episode["opponent"] is not None:
        slides += await _death_match(view, episode, tables)
    elif episode["eliminated"]:
        slides.append(Slide("elimination", {"who": episode["leaving"]}))
    if episode["closed"]:
        sentences = story_of(view, episode["number"], await moments.of(episode))
        slides += [*_confessions(view, "end"), Slide("summary", {"sentences": sentences})]
    if any(conversation["lines"] for conversation in view["conversations"]):
        slides.append(Slide("conversations"))
    return [*slides, Slide("end")]


async def _main_match(view: Mapping[str, Any], episode: Mapping[str, Any], tables: Tables) -> list[Slide]:
    """Return the slides from the main match to the elimination candidates."""
    match = await _match(view, episode, "main", tables)
    slides = [*match.before, *_confessions(view, "main")]
    if any(episode["tokens"].values()):
        slides.append(Slide("tokens", {"tokens": episode["tokens"]}))
    slides += _confessions(view, "tokens")
    if candidates := [who for who in (episode["candidate"], episode["second"]) if who is not None]:
        slides.append(Slide("candidate", {"who": candidates}))
    return [*slides, *match.after, *_confessions(view, "candidate")]


async def _death_match(view: Mapping[str, Any], episode: Mapping[str, Any], tables: Tables) -> list[Slide]:
    """Return the slides from the naming of the opponent to the elimination, or to the winner of the season."""
    match = await _match(view, episode, "duel", tables)
    slides = [Slide("opponent", {"who": episode["candidate"], "other": episode["opponent"]})]
    slides += [*match.before, *_confessions(view, "duel")]
    if episode["eliminated"] and episode["final"]:
        winner = next(who for who in (episode["candidate"], episode["opponent"]) if who != episode["loser"])
        slides.append(Slide("champion", {"who": winner}))
    elif episode["eliminated"]:
        slides.append(Slide("elimination", {"who": episode["leaving"]}))
    return [*slides, *match.after]


def recap_slides(view: Mapping[str, Any], stories: Mapping[int, Sequence[Sentence]]) -> list[Slide]:
    """Return the slides of a recap: the cast, each episode in its sentences, and where the season stands."""
    cast = [{**contestant, "out": None} for contestant in view["cast"]]
    episodes = [
        Slide("recap", {"episode": episode, "sentences": stories[episode["number"]]}) for episode in view["episodes"]
    ]
    return [Slide("title"), Slide("cast", {"cast": cast}), *episodes, Slide("standing"), Slide("end")]


def _cast_before(view: Mapping[str, Any], episode: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the contestants as they were when the episode began."""
    return [
        {**contestant, "out": None} if contestant["out"] == episode["number"] else contestant
        for contestant in view["cast"]
    ]


def _confessions(view: Mapping[str, Any], part: str) -> list[Slide]:
    """Return a slide for each confessional that was written in the steps of a part."""
    steps = [*BESIDE[part], *([OWN_MATCH] if part in _own_parts(view) else [])]
    return [Slide("confession", confession) for confession in view["confessions"] if confession["step"] in steps]


def _own_parts(view: Mapping[str, Any]) -> set[str]:
    """Return the part that the confessionals of matches of the host's own belong to: the later one of an episode."""
    parts = {match["part"] for match in view["own_matches"] if match["episode"] == view["number"]}
    return {"duel"} if "duel" in parts else {"main"}


async def _match(view: Mapping[str, Any], episode: Mapping[str, Any], part: str, tables: Tables) -> _Part:
    """Return the slides of the main match or the death match: its players, then its board as it went on."""
    played = [table for table in episode["tables"] if table["part"] == part]
    own = [match for match in view["own_matches"] if (match["episode"], match["part"]) == (episode["number"], part)]
    about = {"part": part, "game": episode["game"] if part == "main" else episode["duel"]}
    decided_without_tokens = part == "main" and not any(episode["tokens"].values())
    slides = _own_matches(own)
    if not played and not slides.before:
        over = episode["main_over"] if part == "main" else episode["loser"] is not None
        waiting = view["role"] == "viewer" and view["settings"]["audience"] == "phase"
        submitting = bool(own) or (part == "main" and bool(episode["own"]))
        about |= {"over": over, "waiting": waiting, "submitting": submitting}
        slides.before.append(Slide("no-table", about))
    if not played and decided_without_tokens and episode["winner"] is not None:
        slides.before.append(Slide("winners", {**about, "winners": [episode["winner"]]}))
    for number, table in enumerate(played, start=1):
        at_table = {**about, "table": table["table"], "number": number, "of": len(played)}
        if table["winners"] is None:
            slides.before.append(Slide("live", {**at_table, "cast": table["cast"]}))
            continue
        slides.before.append(Slide("match", {**at_table, "cast": table["cast"]}))
        with suppress(Refused):
            *earlier, last = _stops(await tables.get(table["table"]))
            slides.before += [Slide("board", {**at_table, **stop, "last": False}) for stop in earlier]
            slides.after.append(Slide("board", {**at_table, **last, "last": True}))
        if decided_without_tokens and table["winners"]:
            slides.before.append(Slide("winners", {**at_table, "winners": table["winners"]}))
    return slides


def _own_matches(own: Sequence[Mapping[str, Any]]) -> _Part:
    """Return the slides of those matches of the host's own of which submissions have been revealed."""
    slides = _Part()
    for match in own:
        if not match["rounds"][0]["revealed"]:
            continue
        slides.before += [Slide("own", {"match": match}), Slide("submissions", {"match": match})]
        scored = [played["scores"] for played in match["rounds"] if played["scores"]]
        if scored:
            slides.after.append(Slide("scores", {"match": match, "scores": match["totals"] or scored[-1]}))
    return slides


def _stops(table: Table) -> list[dict[str, Any]]:
    """Return where a finished match is shown: a `position`, and the `lines` of the log that have led there.

    These are the beginnings of its chapters and its end. What comes in between is in the replay.
    """
    match, show = table.match, table.game.presentation
    undone = table.action_log.viewer_log.undone(None)
    events = [event for number, event in enumerate(table.events(None)) if number not in undone]
    plies, opened = match.positions(None), match.positions(EVERYTHING)
    last = len(plies) - 1
    places = sorted(
        {event.position for event in events if event.name in show.chapters and event.position <= last} | {last}
    )
    if len(places) > MOST_BOARDS:
        places = [places[nth * (len(places) - 1) // (MOST_BOARDS - 1)] for nth in range(MOST_BOARDS)]
    stops: list[dict[str, Any]] = []
    before = -1
    for place in places:
        new = [event for event in events if before < event.position <= place]
        on_board = [event for event in new if {event.name} & {*show.pieces, *show.falls}]
        lines = [event.text for event in on_board or new]
        position = bisect_right(opened, plies[place]) - 1
        stops.append({"position": position, "lines": lines[-MOST_LINES:], "table_object": table})
        before = place
    return stops


def board_of(slide: Slide) -> str:
    """Return the board of a slide as HTML, with everything revealed."""
    return board_picture(snapshot_of(slide.data["table_object"], None, slide.data["position"], everything=True))
