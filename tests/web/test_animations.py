"""Tests of beats: what a page receives to animate an event, without anything hidden from its viewer."""

import random
import re
from itertools import islice

import pytest
from tests.every_game import few_seats, limits

import pyramidion
from pyramidion import Event
from pyramidion.engine import registry
from pyramidion.engine.game import chance_words
from pyramidion.web.pages.animations import LINES, caption_of, captions_of, drawn, staged, touched
from pyramidion.web.pages.picture import drawn_board, picture
from pyramidion.web.pages.renderer import ENVIRONMENT
from pyramidion.web.table.view_models import LegalAction

GAMES = [game for game in registry.all_games().values() if (game.folder / "presentation.py").exists()]
LINE = re.compile(
    r'<li data-event="(\d+)" data-at="(\d+)" data-kind="([\w-]+)"(?: data-stage="[^"]*" data-rank="\d")? '
    r'data-touches="([^"]*)">(.*?)</li>',
    re.S,
)
CAPTION = re.compile(r'<(p|dd) class="(?:caption|newest|told)".*?</\1>', re.S)
TOLD_BEFORE = re.compile(r'data-events="\d+"|<p class="fall".*?</p>', re.S)


def played(game, seed=3, seats=None):
    """Play at random; yield the match after each action."""
    match, chance = game.new(seats or few_seats(game), seed=seed, **limits(game)), random.Random(seed)
    while not match.over:
        seat = chance.choice(match.acting)
        match.play(seat, chance.choice(match.legal(seat)))
        yield match


@pytest.mark.parametrize("game", [game for game in GAMES if game.presentation.pieces], ids=lambda game: game.id)
def test_what_events_concern_is_on_the_board(game):
    def of_last_action(match):
        now = match.version(None)
        return [
            event for event in match.events(None) if event.position == now and event.name in game.presentation.pieces
        ]

    steps = [of_last_action(match) for match in played(game)]
    kinds, there = {event.name for events in steps for event in events}, set()
    last = ""
    for match, events, following in zip(played(game), steps, [*steps[1:], []], strict=True):
        # Drawing takes nearly all the time, and a kind that has been found on the board stays found.
        if not {event.name for event in events + following} - there:
            last = ""
            continue
        page = picture(match)
        for event in events:
            keys = game.presentation.touched(event.name, event.data)
            if any(f'data-key="{key}"' in page or f'data-key="{key}"' in last for key in keys):
                there.add(event.name)
        last = page
    assert kinds
    assert kinds == there


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_three_to_six_kinds_of_big_events_are_declared_and_drawn(game):
    show = game.presentation
    kinds = {stage.event for stage in show.stages}
    assert {*kinds, *show.pieces, *show.chapters, *show.falls, *show.outcomes} <= set(game.events.kinds)
    assert 3 <= len(kinds) <= 6
    names = [f"<{seat}>" for seat in range(game.seats[-1])]
    for seed in range(3):
        for match in played(game, seed=seed):
            newest = [event for event in match.events(None) if event.position == match.version(None)]
            for event in newest:
                if staged(event, game, None):
                    drawing = drawn(ENVIRONMENT, event, game, names, match.view(None))
                    assert "<" in drawing
                    assert "<0>" not in drawing
            ranks = {stage.event: rank for rank, stage in enumerate(show.stages)}
            big = [event for event in newest if event.name in ranks]
            if big:
                assert caption_of(game, match.events(None)).name == min(big, key=lambda one: ranks[one.name]).name


@pytest.mark.parametrize("name", ["time-up", "resigned", "stands-in"])
def test_the_caption_tells_who_ran_out_of_time_or_is_gone_unless_something_big_has_come_of_it(name):
    game = pyramidion.load("ponzi-scheme")
    gone, passed, bankrupt = (
        Event(3, name, "", {"seat": 1}, ""),
        Event(3, "passed", "PZ 5.1", {"seat": 1}, ""),
        Event(3, "bankrupt", "PZ 8.3", {"seat": 1, "due": 9}, ""),
    )
    earlier = Event(2, "time-up", "", {"seats": [0]}, "")
    assert caption_of(game, [earlier, passed, gone]) is gone
    assert caption_of(game, [gone, passed, bankrupt]) is bankrupt
    assert caption_of(game, [earlier, passed]) is passed


def test_duels_of_others_are_told_together_a_line_each():
    game = pyramidion.load("pyramid-shambo")

    def duel(at, seat, other):
        two = {"seat": seat, "other": other}
        kinds = ("challenged", "tied", "won", "paid")
        return [Event(at + n, kind, "SB 2", two, kind) for n, kind in enumerate(kinds)]

    own, first, second, third, fourth = (duel(4 * n, n, n + 1) for n in range(5))
    own, first = own[:3], [own[3], *first]
    first = [Event(event.position, event.name, event.rule, {"seat": 2, "other": 1}, event.text) for event in first]
    assert captions_of(game, own, 0) == own[-1:]
    assert captions_of(game, own + first, 0) == first[-2:-1]
    assert captions_of(game, own + first + second[:2], 0) == [first[-2], second[1]]
    everything = own + first + second + third + fourth
    assert [event.position for event in captions_of(game, everything, 0)] == [10, 14, 18][-LINES:]
    assert captions_of(game, everything, 4) == everything[-1:]
    assert captions_of(game, everything, None) == everything[-1:]
    assert captions_of(game, [], 0) == []


def test_a_turn_of_pyramis_begins_with_what_the_others_placed_since_the_last_one():
    game = pyramidion.load("pyramis")

    def event(at, kind, **data):
        return Event(at, kind, "PY 4.1", data, kind)

    events = [event(1, "placed", seat=0), event(2, "refilled", seat=0), event(3, "placed", seat=1)]
    events += [event(4, "stole", seat=1, victim=0), event(5, "pair", colour=1), event(6, "turned", seat=0)]
    events += [event(7, "placed", seat=2), event(8, "turned", seat=0), event(8, "turned", seat=2)]
    assert [one.position for one in captions_of(game, events, 0)] == [3, 4, 7]
    assert captions_of(game, events[:2], 0) == events[1:2]


def test_an_envelope_is_on_the_stage_of_who_opens_it_alone():
    match, first, other, third = traded(3, "sell")
    event = next(event for event in match.events(other) if event.name == "envelope")
    assert staged(event, match.game, other)
    assert staged(event, match.game, first) is staged(event, match.game, third) is None


def test_the_newest_position_sends_all_its_beats_with_sentence_and_rule():
    game = pyramidion.load("ponzi-scheme")
    for match in played(game):
        lines = LINE.findall(picture(match))
        newest = [event for event in match.events(None) if event.position == match.version(None)]
        sent = [line for line in lines if int(line[1]) == match.version(None)]
        assert [line[2] for line in sent] == [event.name for event in newest]
        for line, event in zip(sent, newest, strict=True):
            assert event.rule in line[4]
            assert line[3] == touched(event, game, None)


def test_seats_are_called_own_where_they_are_the_viewers():
    game = pyramidion.load("ponzi-scheme")
    match = game.new(3, seed=5)
    seat = match.acting[0]
    match.play(seat, "pass")
    event = next(one for one in match.events(seat) if one.name == "passed")
    assert touched(event, game, seat) == "own"
    assert touched(event, game, None) == f"player-{seat}"


def traded(price, answer):
    """Play one trade; return the match and the three seats, the third of which had no part in it."""
    match = pyramidion.load("ponzi-scheme").new(3, seed=5)
    for _ in range(3):
        seat = match.acting[0]
        match.play(seat, next(one for one in match.legal(seat) if one.text.startswith("fund media")))
    first = match.acting[0]
    offer = next(one for one in match.legal(first) if one.family == "offer")
    other = offer.args[0]
    for seat, action in ((first, offer), (first, f"amount {price}"), (other, answer)):
        match.play(seat, action)
    return match, first, other, 3 - first - other


def test_two_worlds_with_different_prices_play_the_same_beats_to_everybody_else():
    (low, first, other, third), (high, *_) = traded(2, "sell"), traded(7, "sell")
    for viewer in (third, None):
        assert LINE.findall(picture(low, viewer)) == LINE.findall(picture(high, viewer))
    for viewer in (first, other):
        assert LINE.findall(picture(low, viewer)) != LINE.findall(picture(high, viewer))
        assert "$7" in picture(high, viewer)


def worlds(game, seed=11, most=160):
    """Play at random; yield a match, a viewer, a world that looks the same to the viewer, and the first new version.

    The other world has other secrets, or the acting seat does something else there that the viewer cannot see.
    """
    chance, match = random.Random(seed), game.new(few_seats(game), seed=seed, **limits(game))
    while not match.over and match.ply < most:
        seat = chance.choice(match.acting)
        before = match.at(match.ply)
        match.play(seat, chance.choice(match.legal(seat)))
        viewer = chance.choice([None, *(one for one in range(match.seats) if one != seat)])
        deal = before.redacted_state(viewer)
        game.compiled.redeal(before.box_for(viewer), deal, -1 if viewer is None else viewer, chance_words(match.ply))
        # What was told before is not part of a dealt state.
        for world, since in ((before.with_state(deal), before.version(viewer) + 1), (before, 0)):
            if seat not in world.acting:
                continue
            world.play(seat, chance.choice(world.legal(seat)))
            alike = world.redacted_state(viewer).tobytes() == match.redacted_state(viewer).tobytes()
            if alike and world.state_copy().tobytes() != match.state_copy().tobytes():
                yield match.at(match.ply), viewer, world, since


def fragment(match, viewer, since):
    """Return a viewer's fragment with its actions and previews, but without what was told before version `since`."""
    legal = match.legal(viewer) if viewer in match.acting else ()
    page = drawn_board(match, viewer, legal=[LegalAction.of(one, match.label(one)) for one in legal])
    news = any(event.position >= since for event in match.events(viewer))
    # A caption of several lines tells earlier events, too, which a dealt state does not have.
    news = news and not (since and match.game.presentation.outcomes)
    page = LINE.sub(lambda line: " ".join(line.groups()[2:]) if int(line[2]) >= since else "", page)
    return TOLD_BEFORE.sub("", page if news else CAPTION.sub("", page))


@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_two_worlds_that_a_viewer_cannot_tell_apart_have_the_same_fragment(game):
    compared = list(islice(worlds(game), 25))
    assert len(compared) >= 5
    for match, viewer, world, since in compared:
        assert fragment(match, viewer, since) == fragment(world, viewer, since)
