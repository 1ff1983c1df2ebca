"""Laws of hidden information: what redaction hides, and what the views for seats and bots show."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, cast

from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import EVERYTHING, SPECTATOR, record
from pyramidion.engine.leak_probe import probe, refused_calls, secret_in
from pyramidion.engine.match import Match
from pyramidion.engine.random_games import RandomGame


def redaction_hides(trial: RandomGame) -> None:
    """Check that redacting twice is redacting once, that a viewer cannot tell a redeal from the match, and that a
    redeal satisfies the invariants.
    """
    game = trial.match.game
    layout = game.layout
    for ply in trial.some_plies(10):
        match = trial.match.at(ply)
        for viewer in (SPECTATOR, *range(match.seats)):
            redacted = match.redacted_state(viewer)
            trial.require(
                layout.redact(redacted, viewer).tobytes() == redacted.tobytes(),
                "redaction_hides",
                ply,
                "not idempotent",
            )
            world, box = redacted.copy(), match.box_for(viewer)
            game.compiled.redeal(box, world, viewer, chance_words(trial.chance.getrandbits(64)))
            again = layout.redact(world, viewer)
            trial.require(
                again.tobytes() == redacted.tobytes(),
                "redaction_hides",
                ply,
                f"viewer {viewer} can tell a redeal from the truth by {_differing(layout, again, redacted)}",
            )
            seat = None if viewer == SPECTATOR else viewer
            view = game.view.view(record(box), record(again), seat)
            trial.require(view == match.view(seat), "redaction_hides", ply, f"viewer {viewer}'s view differs")
            json.dumps(view)
            wrong = game.invariants(record(box), record(world))
            trial.require(wrong is None, "redaction_hides", ply, f"redeal for {viewer}: {wrong}")


def _differing(layout: Any, first: Any, second: Any) -> str:
    """Return the names of the fields in which two states differ, as one text."""
    return ", ".join(name for name in layout.fields if first[name].tobytes() != second[name].tobytes())


def everything_is_open(trial: RandomGame) -> None:
    """Check that the view for EVERYTHING shows every hidden field that some seat's own view shows."""
    game, layout = trial.match.game, trial.match.game.layout
    hidden = [name for name, field in layout.fields.items() if field.audience in ("own", "party")]
    for ply in trial.some_plies(10):
        match = trial.match.at(ply)
        box, whole, spectators = record(match.box), match.state_copy(), match.redacted_state(SPECTATOR)
        everything = layout.redact(whole, EVERYTHING)
        open_view = game.view.view(box, record(everything), EVERYTHING)
        for seat in range(match.seats):
            own, seen = match.redacted_state(seat), match.view(seat)
            for name in hidden:
                if own[name].tobytes() == spectators[name].tobytes():
                    continue
                without = own.copy()
                without[name] = spectators[name]
                if game.view.view(box, record(without), seat) == seen:
                    continue
                closed = everything.copy()
                changed = own[name] != spectators[name]
                closed[name][changed] = spectators[name][changed]
                differs = game.view.view(box, record(closed), EVERYTHING) != open_view
                trial.require(differs, "everything_is_open", ply, f"{name} of seat {seat} is not shown")


def nothing_hidden_reads_as_zero(trial: RandomGame) -> None:
    """Check that no view shows 0 for a number that is hidden from its viewer: it shows None or nothing instead."""
    game, layout = trial.match.game, trial.match.game.layout
    hidden = [name for name in layout.declared if layout.fields[name].audience != "public"]
    for ply in trial.some_plies(10):
        match = trial.match.at(ply)
        whole = match.state_copy()
        for viewer in (SPECTATOR, *range(match.seats)):
            seat = None if viewer == SPECTATOR else viewer
            box, redacted = match.box_for(viewer), match.redacted_state(viewer)
            opened = redacted.copy()
            for name in hidden:
                opened[name] = whole[name]
            views = [game.view.view(record(box), record(state), seat) for state in (redacted, opened)]
            zeros = list(_zeros_in(*views))
            trial.require(not zeros, "nothing_hidden_reads_as_zero", ply, f"viewer {viewer} is shown 0 at {zeros[:5]}")


def _zeros_in(view: Any, open_view: Any, path: str = "") -> Iterator[str]:
    """Yield the paths at which `view` shows 0, and `open_view` (with nothing hidden) another number."""
    entries, open_entries = _entries(view), _entries(open_view)
    for key in entries.keys() & open_entries.keys():
        yield from _zeros_in(entries[key], open_entries[key], f"{path}/{key}")
    if type(view) in (int, float) and view == 0 and open_view:
        yield path


def _entries(value: Any) -> dict[Any, Any]:
    """Return the entries of a dictionary or list by their part of the path; none for any other value.

    Lists of different lengths do not correspond entry by entry, so the length is a part of the path.
    """
    if isinstance(value, (list, tuple)):
        entries = cast("list[Any]", value)
        return {f"{number} of {len(entries)}": entry for number, entry in enumerate(entries)}
    return cast("dict[Any, Any]", value) if isinstance(value, dict) else {}


def bots_cannot_peek(trial: RandomGame) -> None:
    """Check that a bot's `SeatView` of a match agrees with the match and gives no secret away.

    It equals, answers and refuses calls like the view of a match that the seat cannot tell from this one, and no
    reference leads from it to a secret. A match that is sampled from it looks to the seat like this one.
    """
    law = "bots_cannot_peek"
    for ply in trial.some_plies(3):
        match = trial.match.at(ply)
        for seat in trial.chance.sample(range(match.seats), min(2, match.seats)):
            view, twin = match.seen_by(seat), _twin(match, seat, trial.chance.getrandbits(64)).seen_by(seat)
            legal = match.legal_ids(seat).tolist()
            agrees = view.view() == match.view(seat) and view.legal_ids().tolist() == legal
            agrees = agrees and view.events() == match.events(seat) and view.options == match.options_for(seat)
            trial.require(agrees, law, ply, f"what seat {seat} sees differs from the match")
            trial.require(view == twin, law, ply, f"the view of seat {seat} depends on secrets")
            secret = secret_in(match, view)
            trial.require(secret is None, law, ply, f"the view of seat {seat} leads to {secret}")
            action = legal[0] if legal else 0
            results, twin_results = probe(view, action), probe(twin, action)
            differs = [name for name in results if results[name] != twin_results[name]]
            trial.require(not differs, law, ply, f"seat {seat} gets secrets from {differs}")
            for name, attempt, expected in refused_calls(match, view):
                try:
                    attempt()
                except expected:
                    continue
                trial.require(False, law, ply, f"a bot gets {name}")
            sample = view.determinized(trial.chance.getrandbits(64))
            same = sample.redacted(seat) == match.redacted(seat) and sample.view(seat) == match.view(seat)
            trial.require(same, law, ply, f"seat {seat} can tell a determinized match from the match")
            _play_on(sample, trial.chance, 3)


def _twin(match: Match, seat: int, seed: int) -> Match:
    """Return a match that `seat` cannot tell from `match`, although its seed, state and options are different."""
    game, truth, twin = match.game, match.state_copy(), match.at(match.ply)
    world: Any = match.redacted_state(seat)
    game.compiled.redeal(match.box_for(seat), world, seat, chance_words(seed))
    for name in game.layout.fields:
        if name.startswith("event_"):
            world[name] = truth[name]
    if match.over:  # Its outcome is public, and may be computed from what was hidden before.
        world = truth
    twin.seed, twin.options, twin.box = seed, match.options_for(seat), match.box_for(seat)
    return twin.with_state(world)


def _play_on(match: Match, chance: random.Random, plies: int) -> None:
    """Play `plies` random actions, or fewer if the match ends before."""
    while plies and not match.over:
        seat = match.acting[0]
        match.play(seat, int(chance.choice(match.legal_ids(seat))))
        plies -= 1
