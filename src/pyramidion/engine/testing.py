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
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.interpreted import interpreted_digests, state_digest
from pyramidion.engine.layout import EVERYTHING, SPECTATOR, record
from pyramidion.engine.leak_probe import gone, leaks, pried
from pyramidion.engine.match import IllegalAction, Match
from pyramidion.engine.random_games import Play, play_randomly
from pyramidion.engine.ranges import observed_range, out_of_bounds
from pyramidion.engine.rule import INTERPRETED


def legal_iff_not_refused(play: Play) -> None:
    """An action is legal if and only if it is not refused, and legality depends only on visible information."""
    game = play.match.game
    for ply in play.some_plies(12):
        match = play.match.at(ply)
        for seat in range(match.seats):
            ids = set(match.legal_ids(seat).tolist())
            tried = ids if len(ids) < 40 else set(play.chance.sample(sorted(ids), 40))
            tried = tried | {play.chance.randrange(len(game.actions)) for _ in range(25)}
            tried |= {family.first for family in game.actions.families.values()}
            for action in tried:
                refused = match.refusal(seat, action)
                play.require(
                    (refused is None) == (action in ids),
                    "legal_iff_not_refused",
                    ply,
                    f"seat {seat}, {game.actions[action].text!r}: legal {action in ids}, refusal {refused}",
                )
            shown = match.redacted_state(seat)
            out = np.empty(len(game.actions), np.int32)
            count = game.compiled.legal(match.box_for(seat), shown, seat, out)
            play.require(set(out[:count].tolist()) == ids, "legal_iff_not_refused", ply, f"seat {seat} needs secrets")


def refused_changes_nothing(play: Play) -> None:
    """An illegal action raises IllegalAction with a sentence and leaves the state unchanged."""
    game = play.match.game
    for ply in play.some_plies(6):
        match = play.match.at(ply)
        before = match.state_copy().tobytes()
        for seat in range(match.seats):
            ids = set(match.legal_ids(seat).tolist())
            for action in play.chance.sample(range(len(game.actions)), min(10, len(game.actions))):
                if action in ids:
                    continue
                try:
                    match.play(seat, action)
                except IllegalAction as error:
                    play.require(error.reason.endswith("."), "refused_changes_nothing", ply, "no sentence")
                else:
                    play.require(False, "refused_changes_nothing", ply, f"{action} was accepted")
        play.require(match.state_copy().tobytes() == before, "refused_changes_nothing", ply, "the state has changed")


def same_record_same_bytes(play: Play) -> None:
    """A record round-trips through JSON, and replaying it gives the same bytes at every ply."""
    match = play.match
    again = Match.from_record(json.loads(json.dumps(match.record())))
    for ply in range(match.ply + 1):
        same = again.at(ply).state_copy().tobytes() == match.at(ply).state_copy().tobytes()
        play.require(same, "same_record_same_bytes", ply, "the replayed state differs")
    play.require(again.record() == match.record(), "same_record_same_bytes", match.ply, "the record differs")


def earlier_states_stay(play: Play) -> None:
    """Playing on from an earlier position, or undoing, does not affect other matches."""
    match = play.match
    for ply in play.some_plies(4):
        earlier = match.at(ply)
        before, end = earlier.state_copy().tobytes(), match.state_copy().tobytes()
        other = match.at(ply)
        while not other.over and other.ply < ply + 5:
            other.play(other.acting[0], int(play.chance.choice(other.legal_ids(other.acting[0]))))
        while other.ply > ply:
            other.undo()
        play.require(other.state_copy().tobytes() == before, "earlier_states_stay", ply, "undo leads elsewhere")
        play.require(earlier.state_copy().tobytes() == before, "earlier_states_stay", ply, "an earlier match changed")
        play.require(match.state_copy().tobytes() == end, "earlier_states_stay", ply, "the match itself changed")


def notation_round_trips(play: Play) -> None:
    """Every action's notation parses back to it, and every action has a path and a label."""
    game, match = play.match.game, play.match
    played = [game.actions[action] for _, action in match.history]
    for action in [*played, *(game.actions[play.chance.randrange(len(game.actions))] for _ in range(50))]:
        play.require(game.actions.parse(str(action)) == action, "notation_round_trips", 0, f"{action!r}")
        play.require(bool(action.path), "notation_round_trips", 0, f"{action!r} has no path")
        label = match.label(action)
        play.require(bool(label.strip()), "notation_round_trips", 0, f"{action!r} has no label")


def redaction_hides(play: Play) -> None:
    """Redaction is idempotent and hides a redeal; a redeal preserves the seat's knowledge and the invariants."""
    game = play.match.game
    layout = game.layout
    for ply in play.some_plies(10):
        match = play.match.at(ply)
        for viewer in (SPECTATOR, *range(match.seats)):
            shown = match.redacted_state(viewer)
            play.require(
                layout.redact(shown, viewer).tobytes() == shown.tobytes(), "redaction_hides", ply, "not idempotent"
            )
            world, box = shown.copy(), match.box_for(viewer)
            game.compiled.redeal(box, world, viewer, chance_words(play.chance.getrandbits(64)))
            again = layout.redact(world, viewer)
            play.require(
                again.tobytes() == shown.tobytes(),
                "redaction_hides",
                ply,
                f"viewer {viewer} can tell a redeal from the truth by {_differing(layout, again, shown)}",
            )
            seat = None if viewer == SPECTATOR else viewer
            view = game.view.view(record(box), record(again), seat)
            play.require(view == match.view(seat), "redaction_hides", ply, f"viewer {viewer}'s view differs")
            json.dumps(view)
            wrong = game.invariants(record(box), record(world))
            play.require(wrong is None, "redaction_hides", ply, f"redeal for {viewer}: {wrong}")


def everything_is_open(play: Play) -> None:
    """If a view shows its seat a hidden field, the view for EVERYTHING shows that field too, at every position."""
    game, layout = play.match.game, play.match.game.layout
    hidden = [name for name, field in layout.fields.items() if field.audience in ("own", "party")]
    for ply in play.some_plies(10):
        match = play.match.at(ply)
        box, whole, nobodys = record(match.box), match.state_copy(), match.redacted_state(SPECTATOR)
        everything = layout.redact(whole, EVERYTHING)
        shown = game.view.view(box, record(everything), EVERYTHING)
        for seat in range(match.seats):
            own, seen = match.redacted_state(seat), match.view(seat)
            for name in hidden:
                if own[name].tobytes() == nobodys[name].tobytes():
                    continue
                without = own.copy()
                without[name] = nobodys[name]
                if game.view.view(box, record(without), seat) == seen:
                    continue
                closed = everything.copy()
                changed = own[name] != nobodys[name]
                closed[name][changed] = nobodys[name][changed]
                differs = game.view.view(box, record(closed), EVERYTHING) != shown
                play.require(differs, "everything_is_open", ply, f"{name} of seat {seat} is not shown")


def _differing(layout: Any, one: Any, other: Any) -> str:
    return ", ".join(name for name in layout.fields if one[name].tobytes() != other[name].tobytes())


def submissions_are_hidden(play: Play) -> None:
    """Until a simultaneous step resolves, no other viewer can see who has submitted, unless the table shows it."""
    match = play.match
    for ply in range(match.ply):
        before, after = match.at(ply), match.at(ply + 1)
        seat = match.history[ply][0]
        asked, _, shown = _asked(before)
        if asked & (asked - 1) == 0 or shown or _resolved(before, after) or not asked >> seat & 1:
            continue
        whole = after.state_copy().tobytes()
        for viewer in (None, *(other for other in range(match.seats) if other != seat)):
            same = before.redacted(viewer) == after.redacted(viewer)
            play.require(same, "submissions_are_hidden", ply, f"viewer {viewer} can tell that seat {seat} submitted")
            events = match.game.layout.visible_events(whole, SPECTATOR if viewer is None else viewer)
            play.require(
                not events, "submissions_are_hidden", ply, f"viewer {viewer} is told that seat {seat} submitted"
            )


def submission_order_is_irrelevant(play: Play) -> None:
    """The state after a simultaneous step does not depend on the order in which seats acted.

    Reordering includes the actions of seats that had already submitted and of seats that were not due.
    """
    match = play.match
    for first, last in _steps(match):
        queues: dict[int, list[int]] = {}
        for seat, action in match.history[first:last]:
            queues.setdefault(seat, []).append(action)
        if len(queues) < 2:
            continue
        # One seat starts only after the others have acted, and another makes the very last submission. So the step
        # cannot end early, even if seats submit and take it back.
        submits = [seat for seat, actions in queues.items() if _submits(match, actions[-1])]
        closing = play.chance.choice(submits)
        asked = _asked(match.at(first))[0]
        waiting = play.chance.choice([seat for seat in queues if seat != closing and asked >> seat & 1])
        *queues[closing], final = queues[closing]
        order = [seat for seat, actions in queues.items() for _ in actions if seat != waiting]
        play.chance.shuffle(order)
        other = match.at(first)
        for seat in order + [waiting] * len(queues[waiting]):
            other.play(seat, queues[seat].pop(0))
        other.play(closing, final)
        one, two = match.at(last).state_copy(), other.state_copy()
        for name in match.game.layout.fields:
            if not name.startswith("event_"):
                same = one[name].tobytes() == two[name].tobytes()
                play.require(same, "submission_order_is_irrelevant", first, f"the field {name} differs")


def _submits(match: Match, action: int) -> bool:
    """Return whether an action in a simultaneous step is a submission, not just a part of one."""
    return not match.game.actions.family_of(action).is_part


def _asked(match: Match) -> tuple[int, int, bool]:
    """Return bitmasks of the due and the submitted seats, and whether the table shows who has submitted."""
    state = match.state_copy()
    return int(state["acting"][0]), int(state["submitted"][0]), bool(state["submitted_shown"][0])


def _resolved(before: Match, after: Match) -> bool:
    """Return whether the action between two positions ended the step: new seats are due, or submissions were cleared.

    Parts of a submission never end a step: they may withdraw a confirmation.
    """
    if after.game.actions.family_of(after.history[-1][1]).is_part:
        return False
    (asked, submitted, _), (asked_after, submitted_after, _) = _asked(before), _asked(after)
    return asked != asked_after or bool(submitted & ~submitted_after)


def _steps(match: Match) -> Iterator[tuple[int, int]]:
    """Yield the (first, last) plies of each simultaneous step."""
    first: int | None = None
    for ply in range(match.ply):
        before, after = match.at(ply), match.at(ply + 1)
        asked = _asked(before)[0]
        if first is None and asked & (asked - 1):
            first = ply
        if first is not None and _resolved(before, after):
            yield first, ply + 1
            first = None


def timeouts_are_legal(play: Play) -> None:
    """Timeout actions are legal, and a game played only by timeouts ends."""
    match = play.match
    for ply in play.some_plies(15):
        at = match.at(ply)
        for seat in at.acting:
            action = at.timeout(seat)
            legal = action.id in at.legal_ids(seat)
            play.require(legal, "timeouts_are_legal", ply, f"seat {seat}: {action}")
    absent = match.at(0)
    while not absent.over:
        play.require(absent.ply < match.game.longest(match.seats), "timeouts_are_legal", absent.ply, "no end")
        absent.play(absent.acting[0], absent.timeout(absent.acting[0]))


def payoffs_have_their_form(play: Play) -> None:
    """Payoffs have the declared form, and the winners are the seats with a positive payoff."""
    outcome = play.match.outcome
    assert outcome is not None
    payoffs = outcome.payoffs
    winners = tuple(seat for seat in range(play.match.seats) if payoffs[seat] > 0)
    play.require(winners == outcome.winners, "payoffs_have_their_form", play.match.ply, f"{outcome}")
    if play.match.game.payoff_form == "share":
        sums = (1,) if play.match.game.somebody_wins else (0, 1)
        good = all(0 <= p <= 1 for p in payoffs) and min(abs(sum(payoffs) - n) for n in sums) < 1e-9
    else:
        good = all(p in (-1, 0, 1) for p in payoffs)
    play.require(good, "payoffs_have_their_form", play.match.ply, f"{payoffs} is no {play.match.game.payoff_form}")
    play.require(
        outcome.rule.startswith(play.match.game.prefix), "payoffs_have_their_form", play.match.ply, outcome.rule
    )
    play.require(bool(play.match.view(EVERYTHING)), "payoffs_have_their_form", play.match.ply, "no open view")


def events_have_sentences(play: Play) -> None:
    """Every event has a sentence for every viewer, and cites a rule on the rules page."""
    match = play.match
    known = set(match.game.rule_numbers) | {number.split(".")[0] for number in match.game.rule_numbers}
    for viewer in (None, *range(match.seats)):
        for event in match.events(viewer, names=[f"Player{n}" for n in range(match.seats)]):
            play.require(event.text.endswith("."), "events_have_sentences", match.ply, f"{event}")
            number = event.rule.split(" ")[1]
            play.require(number in known, "events_have_sentences", match.ply, f"{event.rule} is not on the rules page")


def minds_use_what_they_see(play: Play) -> None:
    """Policy, observation and legal mask do not depend on what a seat cannot see; their values are within bounds.

    They are equal on the full state, the redacted state and a redeal. Observations stay within the bounds of their
    declaration, and policies propose legal actions with positive weights.
    """
    game, law = play.match.game, "minds_use_what_they_see"
    for ply in play.some_plies(12):
        match = play.match.at(ply)
        for seat in range(match.seats):
            box, shown = match.box_for(seat), match.redacted_state(seat)
            world = shown.copy()
            game.compiled.redeal(box, world, seat, chance_words(play.chance.getrandbits(64)))
            found = _mind_of(game, box, shown, seat, seat in match.acting)
            # On purpose a full state, which no type checker lets pass elsewhere.
            full: Any = match.state_copy()
            for what, others_box, state in (("state", match.box, full), ("redeal", box, world)):
                same = _mind_of(game, others_box, state, seat, seat in match.acting) == found
                play.require(same, law, ply, f"seat {seat}'s mind reads secrets: it differs in the full {what}")
            seen = match.observation(seat)
            play.require(seen.tobytes() == found[0], law, ply, f"match.observation({seat}) differs")
            play.require(bool(np.isfinite(seen).all()), law, ply, "the observation is not finite")
            wrong = np.flatnonzero((seen < game.observation.low) | (seen > game.observation.high))
            for part in game.observation.values():
                outside = [float(seen[n]) for n in wrong if part.offset <= n < part.offset + part.size]
                play.require(not outside, law, ply, f"{part.name} is out of bounds: {outside}")
            if seat in match.acting:
                _, ids, weights = found
                legal = set(match.legal_ids(seat).tolist())
                play.require(bool(ids) and set(ids) <= legal, law, ply, f"{ids} is not legal")
                play.require(all(w > 0 for w in weights), law, ply, "a weight is not positive")


def _mind_of(game: Game, box: Any, state: Any, seat: int, acts: bool) -> tuple[bytes, list[int], list[float]]:
    """Return a seat's observation of a state and, if it acts, the actions of its policy and their weights."""
    seen, ids, weights = game.observation.new(), np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    game.compiled.observe(box, state, seat, seen)
    count = game.compiled.policy(box, state, seat, ids, weights) if acts else 0
    return seen.tobytes(), ids[:count].tolist(), weights[:count].tolist()


def observations_stay_in_bounds(play: Play) -> None:
    """Observations stay within finite bounds, in many compiled games with the seats and options of this one."""
    game, match, law = play.match.game, play.match, "observations_stay_in_bounds"
    finite = bool(np.isfinite(game.observation.low).all() and np.isfinite(game.observation.high).all())
    play.require(finite, law, 0, "a bound is not finite")
    for by_policy in (False, True):
        count = 0
        while count < OBSERVATIONS:
            seed = play.chance.getrandbits(63)
            low, high, more = observed_range(game, match.seats, match.options, games=10, seed=seed, by_policy=by_policy)
            outside = out_of_bounds(game, low, high)
            play.require(not outside, law, 0, f"{outside} in games of the seed {seed}")
            count += more


def bots_cannot_peek(play: Play) -> None:
    """What a seat sees of a match agrees with the match, tells and refuses the same in worlds that the seat cannot tell
    apart, and leads to nothing secret; what it samples looks to the seat like the match.
    """
    law = "bots_cannot_peek"
    for ply in play.some_plies(3):
        match = play.match.at(ply)
        for seat in play.chance.sample(range(match.seats), min(2, match.seats)):
            view, twin = match.seen_by(seat), _twin(match, seat, play.chance.getrandbits(64)).seen_by(seat)
            legal = match.legal_ids(seat).tolist()
            agrees = view.view() == match.view(seat) and view.legal_ids().tolist() == legal
            agrees = agrees and view.events() == match.events(seat) and view.options == match.options_for(seat)
            play.require(agrees, law, ply, f"what seat {seat} sees differs from the match")
            play.require(view == twin, law, ply, f"the view of seat {seat} depends on secrets")
            leak = leaks(match, view)
            play.require(leak is None, law, ply, f"the view of seat {seat} leads to {leak}")
            action = legal[0] if legal else 0
            one, other = pried(view, action), pried(twin, action)
            differs = [name for name in one if one[name] != other[name]]
            play.require(not differs, law, ply, f"seat {seat} gets secrets from {differs}")
            for name, attempt, expected in gone(match, view):
                try:
                    attempt()
                except expected:
                    continue
                play.require(False, law, ply, f"a bot gets {name}")
            sample = view.determinized(play.chance.getrandbits(64))
            same = sample.redacted(seat) == match.redacted(seat) and sample.view(seat) == match.view(seat)
            play.require(same, law, ply, f"seat {seat} can tell a determinized match from the match")
            _play_on(sample, play.chance, 3)


def _twin(match: Match, seat: int, seed: int) -> Match:
    """Return a match with another seed, state and options, which `seat` cannot tell from `match`."""
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
    """Play some random actions, as far as the match goes."""
    while plies and not match.over:
        seat = match.acting[0]
        match.play(seat, int(chance.choice(match.legal_ids(seat))))
        plies -= 1


def compiled_and_interpreted_agree(play: Play) -> None:
    """Compiled and interpreted rules give the same bytes and the same legal actions at every ply."""
    match = play.match
    here = [state_digest(match.at(ply)) for ply in range(match.ply + 1)]
    there = interpreted_digests(match)
    for ply, (one, two) in enumerate(zip(here, there, strict=True)):
        play.require(one == two, "compiled_and_interpreted_agree", ply, "the states or legal actions differ")


OBSERVATIONS = 200 if INTERPRETED else 20_000
"""How many observations of each kind of play `observations_stay_in_bounds` looks at: a fault in one of 300 is
met for certain."""

Law = Callable[[Play], None]
LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        legal_iff_not_refused,
        refused_changes_nothing,
        same_record_same_bytes,
        earlier_states_stay,
        notation_round_trips,
        redaction_hides,
        everything_is_open,
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
    """Check one law over random games; stop early once `enough` decisions have been played.

    Raises LawBroken, or KeyError for an unknown law.
    """
    law, decisions = LAWS[name], 0
    for n in range(games):
        play = replace(_played(game, seed, n), chance=random.Random(f"{game.id} {name} {seed} {n}"))
        law(play)
        decisions += play.match.ply
        if enough is not None and decisions >= enough:
            return


@lru_cache(maxsize=16)
def _played(game: Game, seed: int, n: int) -> Play:
    """Return a random game. The laws, which do not change it, are checked one after the other on the same ones."""
    return play_randomly(game, random.Random(f"{game.id} {seed} {n}"))


def check_laws(game: Game, games: int = 20, seed: int = 0, progress: Callable[[int], None] | None = None) -> int:
    """Check every law over `games` random games; return the number of decisions played.

    The slow comparison with interpreted rules runs on every tenth game only. `progress` is called with the number of
    games done. Raises LawBroken with the seed that reproduces the game.
    """
    decisions = 0
    for n in range(games):
        play = play_randomly(game, random.Random(f"{game.id} {seed} {n}"))
        for name, law in LAWS.items():
            if name != SLOW or n % 10 == 0:
                law(copy.copy(play))
        decisions += play.match.ply
        if progress:
            progress(n + 1)
    return decisions
