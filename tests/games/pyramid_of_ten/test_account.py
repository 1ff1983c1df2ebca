"""What the close of a phase means for a viewer: told first, as "you", with numbers that agree with the view."""

import random
import re

import pytest
from tests.games.drawing import NAMES, drawn

import pyramidion
from pyramidion.web.pages.animations import drawn as drawn_large
from pyramidion.web.pages.renderer import ENVIRONMENT

CAPTION = re.compile(r'id="caption"[^>]*>(.*?)</p>', re.S)
SUM = re.compile(r"Priority: (-?\d+)((?: [−+] \d+(?: \([\w ]+\))?)+) = (-?\d+)\.")


def told(match, viewer):
    """Return the caption of a viewer's page in plain words, and the newest events."""
    now = max((event.position for event in match.events(viewer)), default=0)
    newest = [event for event in match.events(viewer, names=NAMES) if event.position == now]
    return " ".join(re.sub("<[^>]+>", "", CAPTION.search(drawn(match, viewer))[1]).split()), newest


@pytest.fixture(scope="module", params=["upside-down", "downside-up"])
def closings(request):
    """Pages right after the close of each phase of a few games: match, viewer, caption and what closed it."""
    closed = []
    for seed in range(3):
        match, chance = pyramidion.load(request.param).new(10, seed), random.Random(seed)
        phase = match.view(None)["phase"], match.view(None)["round"]
        while match.view(None)["phase"] not in ("giving", "over"):
            seat = chance.choice(match.acting)
            texts = [action.text for action in match.legal(seat)]
            match.play(seat, "confirm" if chance.random() < 0.4 else chance.choice(texts))
            before, phase = phase, (match.view(None)["phase"], match.view(None)["round"])
            if phase != before and phase[0] not in ("giving", "over"):
                closed += [(match.view(viewer), viewer, *told(match, viewer)) for viewer in (0, 4, 9)]
    return closed


def test_own_battles_come_first_and_say_you(closings):
    fought = 0
    for view, me, caption, events in closings:
        for event in events:
            if event.name == "took" and event.data["seat"] == me:
                space = "ABCDEFGHIJ"[event.data["space"]]
                assert f"You won {space} from {NAMES[event.data['other']]}." in caption
            elif event.name == "took" and event.data["other"] == me:
                assert f"from you: you stand on {view['players'][me]['space']} now." in caption
            elif event.name == "held" and event.data["seat"] == me:
                assert "You held your place against " in caption
            else:
                continue
            fought += 1
            assert caption.startswith(("You ", *(f"{name} took " for name in NAMES)))
            if event.name == "took":
                large = drawn_large(ENVIRONMENT, event, pyramidion.load(view["game"]), NAMES, view)
                assert "<bdi>You</bdi>" in large
                assert re.search('class="own-words">(.*?)</span>', large)[1] in caption
    assert fought > 10


def test_the_placement_and_tickets_are_told_with_what_they_cost(closings):
    bids = sums = 0
    for view, me, caption, events in closings:
        own = {event.name: event.data for event in events if event.data.get("seat") == me}
        if "bid" in own:
            bids += 1
            place = "ABCDEFGHIJ".index(view["players"][me]["space"]) + 1
            assert caption.startswith(f"You bid {own['bid']['amount']}")
            assert f"place {place} of 10: {view['players'][me]['space']}." in caption
        if "got" in own:
            assert f"You get {own['got']['tickets']} ticket" in caption
        if written := SUM.search(caption):
            sums += 1
            steps = [int(step.replace("−", "-").replace(" ", "")) for step in re.findall(r"[−+] \d+", written[2])]
            assert int(written[1]) + sum(steps) == int(written[3]) == view["players"][me]["priority"]
    assert bids == 9
    assert (sums > 3) == (closings[0][0]["game"] == "upside-down")
