"""Seasons without a server, and their episodes."""

from pyramidion.seasons.events import (
    CastAdded,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    HostAdded,
    OpponentNamed,
    ResultEntered,
    SettingsChanged,
)
from pyramidion.seasons.fold import extended
from pyramidion.seasons.season import Season

NAMES = ("Ana", "Ben", "Cal", "Dan")


def begun(*events, names=NAMES, garnets=5):
    """Return a season of four with a host, after some events."""
    cast = [CastAdded(name, garnets, 10 + nth) for nth, name in enumerate(names)]
    return after(Season(), SettingsChanged(title="Code Red", gifts=True), HostAdded("Hal"), *cast, *events)


def after(season, *events, by="h1", reason="", at=0):
    return extended(season, events, at, by, reason)


def main_match(candidate, **tokens):
    return EpisodeOpened(), ResultEntered(candidate, tokens)


def episode(candidate, opponent, loser, **tokens):
    """Return the events of a whole episode."""
    duel = (OpponentNamed(opponent), DuelEntered(loser), Eliminated(loser), EpisodeClosed())
    return *main_match(candidate, **tokens), *duel
