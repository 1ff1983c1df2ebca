"""Conformance laws: properties that every game must satisfy, checked over random play with random options.

    from pyramidion.engine.testing import LAWS, check_laws
    check_laws(pyramidion.load("ponzi-scheme"), games=100)

In a test suite, write one test per law:

    @pytest.mark.parametrize("law", LAWS)
    def test_law(law): check_law(GAME, law, games=20)

The laws are part of the package, so that games from other packages can check themselves too.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from pyramidion.engine.game import Game
from pyramidion.engine.laws.actions import (
    legal_iff_not_refused,
    notation_round_trips,
    paths_tell_actions_apart,
    refused_changes_nothing,
    timeouts_are_legal,
)
from pyramidion.engine.laws.minds import minds_use_what_they_see, observations_stay_in_bounds
from pyramidion.engine.laws.replay import compiled_and_interpreted_agree, earlier_states_stay, same_record_same_bytes
from pyramidion.engine.laws.results import events_have_sentences, payoffs_have_their_form
from pyramidion.engine.laws.secrecy import (
    bots_cannot_peek,
    everything_is_open,
    nothing_hidden_reads_as_zero,
    redaction_hides,
)
from pyramidion.engine.laws.simultaneous import submission_order_is_irrelevant, submissions_are_hidden
from pyramidion.engine.random_games import RandomGame, play_randomly

Law = Callable[[RandomGame], None]
LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        legal_iff_not_refused,
        refused_changes_nothing,
        same_record_same_bytes,
        earlier_states_stay,
        notation_round_trips,
        paths_tell_actions_apart,
        redaction_hides,
        everything_is_open,
        nothing_hidden_reads_as_zero,
        submissions_are_hidden,
        submission_order_is_irrelevant,
        timeouts_are_legal,
        payoffs_have_their_form,
        events_have_sentences,
        minds_use_what_they_see,
        observations_stay_in_bounds,
        bots_cannot_peek,
        compiled_and_interpreted_agree,
    )
}
"""The laws by name. `play_randomly` itself checks legal lists, invariants, event buffers and game length."""

SLOW = "compiled_and_interpreted_agree"


def check_law(game: Game, name: str, games: int = 10, seed: int = 0, enough: int | None = None) -> None:
    """Check one law over at most `games` random games; stop early once `enough` decisions have been played.

    Raises LawBroken, or KeyError for an unknown law.
    """
    law, decisions = LAWS[name], 0
    for n in range(games):
        trial = replace(_played(game, seed, n), chance=random.Random(f"{game.id} {name} {seed} {n}"))
        law(trial)
        decisions += trial.match.ply
        if enough is not None and decisions >= enough:
            return


@lru_cache(maxsize=16)
def _played(game: Game, seed: int, n: int) -> RandomGame:
    """Return the random game number `n`. Laws do not change it, so one after the other can be checked on it."""
    return play_randomly(game, random.Random(f"{game.id} {seed} {n}"))


def check_laws(game: Game, games: int = 20, seed: int = 0, progress: Callable[[int], None] | None = None) -> int:
    """Check every law over `games` random games; return the number of decisions played.

    The slow comparison with interpreted rules runs on every tenth game only. `progress` is called with the number of
    games done. Raises LawBroken with the seed that reproduces the game.
    """
    decisions = 0
    for n in range(games):
        trial = play_randomly(game, random.Random(f"{game.id} {seed} {n}"))
        for name, law in LAWS.items():
            if name != SLOW or n % 10 == 0:
                law(copy.copy(trial))
        decisions += trial.match.ply
        if progress:
            progress(n + 1)
    return decisions
