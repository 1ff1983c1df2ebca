"""The show: an episode, or the whole season in short, as slides, of which a page has one at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pyramidion.engine.events import Event
from pyramidion.engine.game import Game
from pyramidion.engine.layout import EVERYTHING
from pyramidion.engine.presentation import Stage
from pyramidion.seasons.formats import EpisodeFormat
from pyramidion.seasons.own_story import own_match_tie, stakes
from pyramidion.seasons.story import Sentence, duel_tie, tie_broken
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.match_moments import MatchMoments
from pyramidion.web.features.seasons.pages.story import names_in, story_of
from pyramidion.web.pages.board_picture import board_picture
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

MOST_TURNING_POINTS = 4
"""Most pictures of the board for one match before its end."""
MOST_LINES = 2
MOST_IN_RECAP = 3
"""Most sentences about an episode in a recap, besides its headline."""
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
    """One slide: the `kind` that the template draws, with its `data`.

    `part` is the part of the episode that it belongs to: empty for the beginning, `main`, `duel` or `end`.
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    part: str = ""

    @property
    def skippable(self) -> bool:
        """Whether it shows a match before its end."""
        return self.kind == "match" or (self.kind == "board" and not self.data["last"])


async def episode_slides(view: Mapping[str, Any], tables: Tables, moments: MatchMoments) -> list[Slide]:
    """Return the slides of an episode, from a view of the season at its end (`redaction.redact_episode`).

    A match is shown to its end before the slides of its result.
    """
    episode = view["episodes"][view["number"] - 1]
    beginning = {"cast": cast_before(view, episode)}
    slides = [Slide("title", beginning), Slide("cast", beginning)]
    if not episode["final"]:
        slides += _in_part("main", await _main_match(view, episode, tables))
    if episode["opponent"] is not None:
        slides += _in_part("duel", await _death_match(view, episode, tables))
    elif episode["eliminated"]:
        slides.append(Slide("elimination", {"who": episode["leaving"]}, "main"))
    end: list[Slide] = []
    if episode["closed"]:
        sentences = story_of(view, episode["number"], await moments.of(episode))
        end += [*_confessions(view, "end"), Slide("summary", {"sentences": sentences})]
    if any(conversation["lines"] for conversation in view["conversations"]):
        end.append(Slide("conversations"))
    return [*slides, *_in_part("end", [*end, Slide("end")])]


def parts_of(episode: Mapping[str, Any]) -> list[str]:
    """Return the parts of an episode by its format: what its progress shows, whatever will happen in it."""
    duel = episode["final"] or EpisodeFormat(**episode["format"]).death_match
    return ["", *(["main"] if not episode["final"] else []), *(["duel"] if duel else []), "end"]


def past_match(slides: Sequence[Slide], at: int) -> int:
    """Return the number of the first slide from number `at` on that shows no match before its end."""
    return next(number for number in range(at, len(slides) + 1) if not slides[number - 1].skippable)


def _in_part(part: str, slides: Sequence[Slide]) -> list[Slide]:
    """Return slides as those of a part of the episode."""
    return [replace(slide, part=part) for slide in slides]


async def _main_match(view: Mapping[str, Any], episode: Mapping[str, Any], tables: Tables) -> list[Slide]:
    """Return the slides from the main match to the elimination candidates."""
    slides = [*await _match(view, episode, "main", tables), *_confessions(view, "main")]
    if any(episode["tokens"].values()):
        slides.append(Slide("tokens", {"tokens": episode["tokens"]}))
    slides += _confessions(view, "tokens")
    if candidates := [who for who in (episode["candidate"], episode["second"]) if who is not None]:
        slides.append(Slide("candidate", {"who": candidates}))
    return [*slides, *_confessions(view, "candidate")]


async def _death_match(view: Mapping[str, Any], episode: Mapping[str, Any], tables: Tables) -> list[Slide]:
    """Return the slides from the naming of the opponent to the elimination, or to the winner of the season."""
    slides = [Slide("opponent", {"who": episode["candidate"], "other": episode["opponent"]})]
    slides += [*await _match(view, episode, "duel", tables), *_confessions(view, "duel")]
    if episode["eliminated"] and episode["final"]:
        winner = next(who for who in (episode["candidate"], episode["opponent"]) if who != episode["loser"])
        slides.append(Slide("champion", {"who": winner}))
    elif episode["eliminated"]:
        slides.append(Slide("elimination", {"who": episode["leaving"]}))
    return slides


def recap_slides(view: Mapping[str, Any], stories: Mapping[int, Sequence[Sentence]]) -> list[Slide]:
    """Return the slides of a recap: the cast, each episode in its sentences, and where the season stands."""
    cast = [{**contestant, "out": None} for contestant in view["cast"]]
    episodes = [
        Slide("recap", {"episode": episode, "sentences": _shortened(stories[episode["number"]])})
        for episode in view["episodes"]
    ]
    return [Slide("title", {"cast": cast}), Slide("cast", {"cast": cast}), *episodes, Slide("standing"), Slide("end")]


def _shortened(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the headline of an episode and a few more sentences, who is out among them."""
    first, *others = sentences
    departures = [sentence for sentence in others if sentence.kind == "left"]
    rest = [sentence for sentence in others if sentence not in departures][: MOST_IN_RECAP - len(departures)]
    return [first, *rest, *departures]


def cast_before(view: Mapping[str, Any], episode: Mapping[str, Any]) -> list[Mapping[str, Any]]:
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


async def _match(view: Mapping[str, Any], episode: Mapping[str, Any], part: str, tables: Tables) -> list[Slide]:
    """Return the slides of the main match or the death match: its players, then its board up to its end."""
    played = [table for table in episode["tables"] if table["part"] == part]
    own = [match for match in view["own_matches"] if (match["episode"], match["part"]) == (episode["number"], part)]
    about = {"part": part, "game": episode["game"] if part == "main" else episode["duel"]}
    decided_without_tokens = part == "main" and not any(episode["tokens"].values())
    slides = _own_matches(view, own)
    if not played and not slides:
        over = episode["main_over"] if part == "main" else episode["loser"] is not None
        waiting = view["role"] == "viewer" and view["settings"]["audience"] == "phase"
        submitting = bool(own) or (part == "main" and bool(episode["own"]))
        slides.append(Slide("no-table", {**about, "over": over, "waiting": waiting, "submitting": submitting}))
    if not played and decided_without_tokens and episode["winner"] is not None:
        slides.append(Slide("winners", {**about, "winners": [episode["winner"]]}))
    for number, table in enumerate(played, start=1):
        at_table = {**about, "table": table["table"], "number": number, "of": len(played)}
        if table["winners"] is None:
            slides.append(Slide("live", {**at_table, "cast": table["cast"]}))
            continue
        slides.append(Slide("match", {**at_table, "cast": table["cast"]}))
        with suppress(Refused):
            slides += [Slide("board", {**at_table, **stop}) for stop in _stops(await tables.get(table["table"]))]
        if decided_without_tokens and table["winners"]:
            slides.append(Slide("winners", {**at_table, "winners": table["winners"]}))
    return [*slides, *_ties(view, episode, part, own)]


def _ties(
    view: Mapping[str, Any], episode: Mapping[str, Any], part: str, own: Sequence[Mapping[str, Any]]
) -> list[Slide]:
    """Return the slides of the ties in a part of an episode; the last one has the hosts' reason for its decision."""
    names, duel = names_in(view, episode["number"]), duel_tie(episode) if part == "duel" else None
    ties = [*(own_match_tie(episode, match, names) for match in own), duel]
    slides = [(tie.who, [tie.text]) for tie in ties if tie is not None]
    if (reason := episode["tie_reasons"].get(part)) is not None:
        slides = slides or [((), [])]
        slides[-1][1].append(tie_broken(reason).text)
    return [Slide("tie", {"who": who, "sentences": sentences}) for who, sentences in slides]


def _own_matches(view: Mapping[str, Any], own: Sequence[Mapping[str, Any]]) -> list[Slide]:
    """Return the slides of those matches of the host's own of which submissions have been revealed."""
    slides: list[Slide] = []
    bots = {contestant["id"] for contestant in view["cast"] if contestant["bot"]}
    for match in own:
        if not match["rounds"][0]["revealed"]:
            continue
        submitted = {who for played in match["rounds"] for who, values in played["revealed"].items() if values}
        players = [who for who in match["cast"] if who in submitted or who not in bots]
        slides += [Slide("own", {"match": match, "who": players}), Slide("submissions", {"match": match})]
        scored = [played["scores"] for played in match["rounds"] if played["scores"]]
        if scored:
            slides.append(Slide("scores", {"match": match, **_scores(match, match["totals"] or scored[-1])}))
    return slides


def _scores(match: Mapping[str, Any], scores: Mapping[str, float | None]) -> dict[str, Any]:
    """Return the scores of a match as its slide has them: the best first, of those who have one; and what they decide.

    In a vote these are all who received votes. Those who have won by them are `winners`.
    """
    counted = {who: score for who, score in scores.items() if score is not None and (score or match["vote"] is None)}
    ranked = list((counted or scores).items())
    lowest_first = match["form"]["lowest"] == "wins"
    winners = () if match["vote"] is not None else tuple(match["winners"] or ())
    decides = [sentence.text for sentence in stakes(match)]
    return {"scores": dict(reversed(ranked) if lowest_first else ranked), "winners": winners, "decides": decides}


def _stops(table: Table) -> list[dict[str, Any]]:
    """Return where a finished match is shown: a `position`, and the `lines` of the log that have led there.

    These are its turning points and its end (`last`). What comes in between is in the replay.
    """
    match, show = table.match, table.game.presentation
    undone = table.action_log.viewer_log.undone(None)
    events = [event for number, event in enumerate(table.events(None)) if number not in undone]
    plies, opened = match.positions(None), match.positions(EVERYTHING)
    last = len(plies) - 1
    tests = _importance(table.game)
    begun = max((event.position for event in events if event.name in show.chapters), default=0)
    # What ends somebody's match in the last chapter tells the result, as does what follows from it.
    falls = (event.position for event in events if event.name in show.falls and event.position >= begun)
    ending = min(falls, default=last)
    earlier = [event for event in events if event.position < ending]
    places = turning_points([[event.position for event in earlier if big(event)] for big in tests])
    stops: list[dict[str, Any]] = []
    before = -1
    for place in (*places, last):
        new = [event for event in events if before < event.position <= place]
        big_here = [
            event for event in new if event.position >= min(place, ending) and any(big(event) for big in tests[:-1])
        ]
        moved = [event for event in new if event.name in show.pieces and event not in big_here]
        selected = [*moved, *big_here][-MOST_LINES:] or new[-MOST_LINES:]
        lines = [event.text for event in sorted(selected, key=new.index)]
        position = bisect_right(opened, plies[place]) - 1
        stops.append({"position": position, "lines": lines, "last": place == last, "table_object": table})
        before = place
    return stops


def turning_points(groups: Sequence[Sequence[int]]) -> list[int]:
    """Return at most MOST_TURNING_POINTS positions in order, from groups of them, the most important group first.

    Of a group with more than there is room for, some are chosen evenly.
    """
    chosen: set[int] = set()
    for group in groups:
        others = sorted({*group} - chosen)
        room = min(MOST_TURNING_POINTS - len(chosen), len(others))
        chosen |= {others[(2 * nth + 1) * len(others) // (2 * room)] for nth in range(room)}
    return sorted(chosen)


def _importance(game: Game) -> list[Callable[[Event], bool]]:
    """Return tests for the events of a game at which its match is shown, the most important first.

    These are the big events that everybody sees, the biggest first, then outcomes, then beginnings of chapters.
    """
    show = game.presentation

    def stage_test(stage: Stage) -> Callable[[Event], bool]:
        return lambda event: event.name == stage.event and stage.when(event.data)

    stages = [stage_test(stage) for stage in show.stages if not stage.to]
    return [
        *stages,
        lambda event: event.name in (*show.outcomes, *show.falls),
        lambda event: event.name in show.chapters,
    ]


def board_of(slide: Slide) -> str:
    """Return the board of a slide as HTML, with everything revealed."""
    return board_picture(snapshot_of(slide.data["table_object"], None, slide.data["position"], everything=True))
