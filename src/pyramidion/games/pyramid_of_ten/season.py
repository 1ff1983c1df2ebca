"""What a match of both games leaves to the season around it: balances, and moments for its story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.events import Event
from pyramidion.engine.outcome import SeasonMoment, SeasonResult
from pyramidion.games.pyramid_of_ten.spaces import LAYER, SPACES

PLACING = ("top", "second", "third", "bottom")


def season_result(s: Any) -> SeasonResult:
    """Return what a season takes over from a final state: garnets, priority, tokens of life and the EC.

    See UD 7.6 and DU 5.5.
    """
    garnets, priority, tokens = (tuple(int(number) for number in row) for row in (s.final_garnets, s.priority, s.tol))
    return SeasonResult(garnets, priority, tokens, int(s.ec))


def season_moments(events: Sequence[Event]) -> list[SeasonMoment]:
    """Return the challenges of a match, and its changes of layer, from its public events."""
    space = {seat: SPACES.index(name) for event in events if event.name in PLACING for name, seat in event.data.items()}
    battles = [event for event in events if event.name == "battle"]
    moments: list[SeasonMoment] = []
    fought = 0
    for event in events:
        if event.name == "battle":
            fought += 1
        elif event.name == "challenged":
            moments.append(SeasonMoment("challenged", event.data["seat"], event.data["other"]))
        elif event.name == "took":
            winner, other = event.data["seat"], event.data["other"]
            layers = int(LAYER[space[winner]] - LAYER[space[other]])
            space[winner], space[other] = space[other], space[winner]
            if layers:
                last = fought == len(battles)
                moments.append(SeasonMoment("climbed", winner, other, layers, last))
                moments.append(SeasonMoment("fell", other, winner, layers, last))
    return moments
