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
    "candidate": ("result", "opponent"),
    "duel": ("duel", "duel-playing", "duel-result"),
    "end": ("elimination", "close", "over", "cast"),
}
"""The steps in which a confessional was written, by the part of the show that it comes after."""


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide: the `kind` that the template draws, with its `data`."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


async def episode_slides(view: Mapping[str, Any], tables: Tables, moments: MatchMoments) -> list[Slide]:
    """Return the slides of an episode, from a view of the season at its end (`redaction.redact_episode`)."""
    episode = view["episodes"][view["number"] - 1]
    sentences = story_of(view, episode["number"], await moments.of(episode))
    slides = [Slide("title"), Slide("cast", {"cast": _cast_before(view, episode)})]
    if not episode["final"]:
        slides += [*await _match(view, episode, "main", tables), *_confessions(view, "main")]
        if any(episode["tokens"].values()):
            slides.append(Slide("tokens", {"tokens": episode["tokens"]}))
        if candidates := [who for who in (episode["candidate"], episode["second"]) if who is not None]:
            slides.append(Slide("candidate", {"who": candidates}))
        slides += _confessions(view, "candidate")
    if episode["opponent"] is not None:
        duel = {"who": episode["candidate"], "other": episode["opponent"]}
        slides += [Slide("opponent", duel), *await _match(view, episode, "duel", tables), *_confessions(view, "duel")]
    if episode["eliminated"]:
        slides.append(Slide("elimination", {"who": episode["leaving"]}))
    if episode["closed"]:
        slides += [*_confessions(view, "end"), Slide("summary", {"sentences": sentences})]
    if any(conversation["lines"] for conversation in view["conversations"]):
        slides.append(Slide("conversations"))
    return [*slides, Slide("end")]


def recap_slides(view: Mapping[str, Any], stories: Mapping[int, Sequence[Sentence]]) -> list[Slide]:
    """Return the slides of a recap: the cast, each episode in its sentences, and where the season stands."""
    cast = [{**contestant, "out": None} for contestant in view["cast"]]
    episodes = [
        Slide("recap", {"episode": episode, "sentences": stories[episode["number"]]}) for episode in view["episodes"]
    ]
    return [Slide("title"), Slide("cast", {"cast": cast}), *episodes, Slide("standing"), Slide("end")]


def _cast_before(view: Mapping[str, Any], episode: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the contestants as they were when the episode began."""
    later = set(episode["leaving"])
    return [{**contestant, "out": None} if contestant["id"] in later else contestant for contestant in view["cast"]]


def _confessions(view: Mapping[str, Any], part: str) -> list[Slide]:
    """Return a slide for each confessional that was written in the steps of a part."""
    return [Slide("confession", confession) for confession in view["confessions"] if confession["step"] in BESIDE[part]]


async def _match(view: Mapping[str, Any], episode: Mapping[str, Any], part: str, tables: Tables) -> list[Slide]:
    """Return the slides of the main match or the death match: its players, then its board as it went on."""
    slides: list[Slide] = []
    game = episode["game"] if part == "main" else episode["duel"]
    played = [table for table in episode["tables"] if table["part"] == part]
    own = [match for match in view["own_matches"] if (match["episode"], match["part"]) == (episode["number"], part)]
    if revealed := [match for match in own if match["rounds"][0]["revealed"]]:
        return [Slide("own", {"match": match}) for match in revealed]
    if not played:
        waiting = view["role"] == "viewer" and view["settings"]["audience"] == "phase"
        return [Slide("no-table", {"part": part, "game": game, "waiting": waiting})]
    for number, table in enumerate(played, start=1):
        about = {"part": part, "game": game, "table": table["table"], "number": number, "of": len(played)}
        if table["winners"] is None:
            slides.append(Slide("live", {**about, "cast": table["cast"]}))
            continue
        slides.append(Slide("match", {**about, "cast": table["cast"]}))
        with suppress(Refused):
            slides += [Slide("board", {**about, **stop}) for stop in _stops(await tables.get(table["table"]))]
        if part == "main" and table["winners"] and not any(episode["tokens"].values()):
            slides.append(Slide("winners", {**about, "winners": table["winners"]}))
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
