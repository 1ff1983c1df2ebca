"""The conformance laws: what holds in every game, over random play, with any options.

    from pyramidion.engine.testing import LAWS, check_laws
    check_laws(pyramidion.load("ponzi-scheme"), games=100)

or, in a test suite, one test per law:

    @pytest.mark.parametrize("law", LAWS)
    def test_law(law): check_law(GAME, law, games=20)

They are shipped so that games from elsewhere can be held to them too.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.engine.game import Game, chance_words, observation_size
from pyramidion.engine.interpreted import interpreted_digests, state_digest
from pyramidion.engine.layout import EVERYTHING, SPECTATOR, record
from pyramidion.engine.match import IllegalAction, Match

FREE_SHARE = 0.1
"""How often a random game asks a seat that may act and is not waited for."""


class LawBroken(AssertionError):
    """A law does not hold; the message says which, where, and how to play it again."""


@dataclass(frozen=True, slots=True)
class Play:
    """One random game that laws look at: the match at its end, and chance for what to look at."""

    match: Match
    chance: random.Random

    def require(self, holds: bool, law: str, ply: int, what: str) -> None:
        """Raise LawBroken unless `holds`."""
        if not holds:
            m = self.match
            raise LawBroken(
                f"{law}: {what} [{m.game.id}, seats={m.seats}, seed={m.seed!r}, options={m.options}, ply {ply}]"
            )

    def some_plies(self, most: int) -> list[int]:
        """Return up to `most` plies, ascending, always with the opening and the end."""
        plies = range(self.match.ply + 1)
        chosen = self.chance.sample(plies, min(most, len(plies)))
        return sorted({0, self.match.ply, *chosen})


def play_randomly(
    game: Game, chance: random.Random, seats: int | None = None, options: Mapping[str, Any] | None = None
) -> Play:
    """Return a random game, with random seats and options where they are not given.

    Checks on the way what every single action must keep: lists of legal actions, the invariants, and the bound.
    """
    if options is None:
        options = {name: _random_value(option, chance) for name, option in game.options.items()}
    seats = seats if seats is not None else chance.choice(game.seats)
    match = game.new(seats, chance.getrandbits(32), **options)
    play = Play(match, chance)
    bound = game.longest(seats)
    _check_state(play)
    while not match.over:
        play.require(match.ply < bound, "ends_in_time", match.ply, f"not over after {bound} decisions")
        play.require(bool(match.acting), "legal_lists", match.ply, "nobody is due, and the game is not over")
        # Seats that are not waited for act now and then: what they do may hold the others up.
        seat = chance.choice(match.free if match.free and chance.random() < FREE_SHARE else match.acting)
        ids = match.legal_ids(seat)
        if not len(ids):
            play.require(seat not in match.acting, "legal_lists", match.ply, f"seat {seat} is due and has no action")
            continue
        play.require(bool((np.diff(ids) > 0).all()), "legal_lists", match.ply, "ids are not ascending and unique")
        play.require(ids[0] >= 0 and ids[-1] < len(game.actions), "legal_lists", match.ply, "ids are out of range")
        match.play(seat, int(chance.choice(ids)))
        _check_state(play)
    return play


def _random_value(option: Any, chance: random.Random) -> Any:
    if option.kind == "flag":
        return chance.random() < 0.5
    if option.kind == "choice":
        return chance.choice(option.choices)
    if chance.random() < 0.5:
        return option.default
    if option.kind == "numbers":
        # Different ones: a rule may ask for that, and equal ones are rare in play.
        return tuple(chance.sample(range(option.low, min(option.high, option.low + 50) + 1), option.count))
    return chance.randint(option.low, option.high)


def _check_state(play: Play) -> None:
    match = play.match
    state = match.state_copy()
    wrong = match.game.invariants(record(match.box), record(state))
    play.require(wrong is None, "invariants", match.ply, str(wrong))
    fits = int(state["event_count"][0]) <= state["event_code"].shape[1]
    play.require(fits, "events_fit", match.ply, f"{int(state['event_count'][0])} events do not fit the buffer")
    for seat in range(match.seats):
        due = seat in match.acting or seat in match.free
        play.require(
            due or not len(match.legal_ids(seat)), "legal_lists", match.ply, f"seat {seat} may act out of turn"
        )


# The laws. Each looks at one random game.


def legal_iff_not_refused(play: Play) -> None:
    """An action is legal if and only if it is not refused; legality needs nothing that the seat cannot see."""
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
            count = game.compiled.legal(match.box, shown, seat, out)
            play.require(set(out[:count].tolist()) == ids, "legal_iff_not_refused", ply, f"seat {seat} needs secrets")


def refused_changes_nothing(play: Play) -> None:
    """An illegal action raises IllegalAction with a sentence and leaves every byte as it was."""
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
    """A record survives JSON, and replaying it gives the same bytes at every ply."""
    match = play.match
    again = Match.from_record(json.loads(json.dumps(match.record())))
    for ply in range(match.ply + 1):
        same = again.at(ply).state_copy().tobytes() == match.at(ply).state_copy().tobytes()
        play.require(same, "same_record_same_bytes", ply, "the replayed state differs")
    play.require(again.record() == match.record(), "same_record_same_bytes", match.ply, "the record differs")


def earlier_states_stay(play: Play) -> None:
    """Playing on from an earlier position, or undoing, changes no other match."""
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
    """Every action parses back from its notation, and has a path and a label."""
    game, match = play.match.game, play.match
    played = [game.actions[action] for _, action in match.history]
    for action in [*played, *(game.actions[play.chance.randrange(len(game.actions))] for _ in range(50))]:
        play.require(game.actions.parse(str(action)) == action, "notation_round_trips", 0, f"{action!r}")
        play.require(bool(action.path), "notation_round_trips", 0, f"{action!r} has no path")
        label = match.label(action)
        play.require(bool(label.strip()), "notation_round_trips", 0, f"{action!r} has no label")


def redaction_hides(play: Play) -> None:
    """Redaction is idempotent and blind to a redeal, and a redeal keeps all that the seat knows and every invariant."""
    game = play.match.game
    layout = game.layout
    for ply in play.some_plies(10):
        match = play.match.at(ply)
        for viewer in (SPECTATOR, *range(match.seats)):
            shown = match.redacted_state(viewer)
            play.require(
                layout.redact(shown, viewer).tobytes() == shown.tobytes(), "redaction_hides", ply, "not idempotent"
            )
            world = shown.copy()
            game.compiled.redeal(match.box, world, viewer, chance_words(play.chance.getrandbits(64)))
            again = layout.redact(world, viewer)
            play.require(
                again.tobytes() == shown.tobytes(),
                "redaction_hides",
                ply,
                f"viewer {viewer} can tell a redeal from the truth by {_differing(layout, again, shown)}",
            )
            seat = None if viewer == SPECTATOR else viewer
            view = game.view.view(record(match.box), record(again), seat)
            play.require(view == match.view(seat), "redaction_hides", ply, f"viewer {viewer}'s view differs")
            json.dumps(view)
            wrong = game.invariants(record(match.box), record(world))
            play.require(wrong is None, "redaction_hides", ply, f"redeal for {viewer}: {wrong}")


def _differing(layout: Any, one: Any, other: Any) -> str:
    return ", ".join(name for name in layout.fields if one[name].tobytes() != other[name].tobytes())


def submissions_are_hidden(play: Play) -> None:
    """Until a simultaneous step resolves, nobody else sees that a seat has submitted, unless the table shows it."""
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
            told = match.game.layout.visible_events(whole, SPECTATOR if viewer is None else viewer)
            play.require(not told, "submissions_are_hidden", ply, f"viewer {viewer} is told that seat {seat} submitted")


def submission_order_is_irrelevant(play: Play) -> None:
    """The submissions of a simultaneous step lead to the same state in whatever order the seats made them.

    What seats do that have submitted, or were not asked, takes place before the step is over in any order.
    """
    match = play.match
    for first, last in _steps(match):
        queues: dict[int, list[int]] = {}
        for seat, action in match.history[first:last]:
            queues.setdefault(seat, []).append(action)
        if len(queues) < 2:
            continue
        other = match.at(first)
        while queues:
            seat = _next_but_not_last(play, other, queues)
            other.play(seat, queues[seat].pop(0))
            if not queues[seat]:
                del queues[seat]
        one, two = match.at(last).state_copy(), other.state_copy()
        for name in match.game.layout.fields:
            if not name.startswith("event_"):
                same = one[name].tobytes() == two[name].tobytes()
                play.require(same, "submission_order_is_irrelevant", first, f"the field {name} differs")


def _next_but_not_last(play: Play, match: Match, queues: Mapping[int, list[int]]) -> int:
    """Return a seat whose next action leaves the step open, unless it is the last action of all."""
    seats = sorted(queues)
    play.chance.shuffle(seats)
    for seat in seats[:-1]:
        tried = match.at(match.ply)
        tried.play(seat, queues[seat][0])
        if not _resolved(match, tried):
            return seat
    return seats[-1]


def _asked(match: Match) -> tuple[int, int, bool]:
    """Return who is asked and who has submitted (bitmasks), and whether the table shows who has submitted."""
    state = match.state_copy()
    return int(state["acting"][0]), int(state["submitted"][0]), bool(state["submitted_shown"][0])


def _resolved(before: Match, after: Match) -> bool:
    """Whether the action between two positions ended the step: others are asked, or submissions are taken up.

    What is but a part of a submission ends none: a confirmation can be taken back.
    """
    if after.game.actions.family_of(after.history[-1][1]).is_part:
        return False
    (asked, submitted, _), (asked_after, submitted_after, _) = _asked(before), _asked(after)
    return asked != asked_after or bool(submitted & ~submitted_after)


def _steps(match: Match) -> Iterator[tuple[int, int]]:
    """Yield (first, last) plies of each simultaneous step: from its opening to its resolution."""
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
    """What an absent seat does is legal, and a game of absent seats ends."""
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
    """Payoffs are as the game declares them, and the winners are the seats with a positive one."""
    outcome = play.match.outcome
    assert outcome is not None
    payoffs = outcome.payoffs
    winners = tuple(seat for seat in range(play.match.seats) if payoffs[seat] > 0)
    play.require(winners == outcome.winners, "payoffs_have_their_form", play.match.ply, f"{outcome}")
    if play.match.game.payoff_form == "share":
        good = all(0 <= p <= 1 for p in payoffs) and min(abs(sum(payoffs) - n) for n in (0, 1)) < 1e-9
    else:
        good = all(p in (-1, 0, 1) for p in payoffs)
    play.require(good, "payoffs_have_their_form", play.match.ply, f"{payoffs} is no {play.match.game.payoff_form}")
    play.require(
        outcome.rule.startswith(play.match.game.prefix), "payoffs_have_their_form", play.match.ply, outcome.rule
    )
    play.require(bool(play.match.view(EVERYTHING)), "payoffs_have_their_form", play.match.ply, "no open view")


def events_are_told(play: Play) -> None:
    """Every event reads as a sentence for every viewer, and cites a rule of the rules page."""
    match = play.match
    known = set(match.game.rule_numbers) | {number.split(".")[0] for number in match.game.rule_numbers}
    for viewer in (None, *range(match.seats)):
        for told in match.events(viewer, names=[f"Player{n}" for n in range(match.seats)]):
            play.require(told.text.endswith("."), "events_are_told", match.ply, f"{told}")
            number = told.rule.split(" ")[1]
            play.require(number in known, "events_are_told", match.ply, f"{told.rule} is not on the rules page")


def minds_use_what_they_see(play: Play) -> None:
    """Policy and observation are the same on the whole state and on the seat's own; the policy's actions are legal."""
    game = play.match.game
    size = len(game.actions)
    for ply in play.some_plies(12):
        match = play.match.at(ply)
        for seat in match.acting:
            found: list[Any] = []
            for state in (match.state_copy(), match.redacted_state(seat)):
                ids, weights = np.zeros(size, np.int32), np.zeros(size)
                seen = np.zeros(observation_size(game), np.float32)
                count = game.compiled.policy(match.box, state, seat, ids, weights)
                game.compiled.observe(match.box, state, seat, seen)
                found.append((ids[:count].tolist(), weights[:count].tolist(), seen.tolist()))
            play.require(found[0] == found[1], "minds_use_what_they_see", ply, f"seat {seat}'s mind reads secrets")
            ids, weights, seen = found[0]
            legal = set(match.legal_ids(seat).tolist())
            play.require(bool(ids) and set(ids) <= legal, "minds_use_what_they_see", ply, f"{ids} is not legal")
            play.require(all(w > 0 for w in weights), "minds_use_what_they_see", ply, "a weight is not positive")
            play.require(bool(np.isfinite(seen).all()), "minds_use_what_they_see", ply, "the observation is not finite")


def compiled_and_interpreted_agree(play: Play) -> None:
    """The same source, compiled and interpreted, gives the same bytes and the same legal actions at every ply."""
    match = play.match
    here = [state_digest(match.at(ply)) for ply in range(match.ply + 1)]
    there = interpreted_digests(match)
    for ply, (one, two) in enumerate(zip(here, there, strict=True)):
        play.require(one == two, "compiled_and_interpreted_agree", ply, "the states or legal actions differ")


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
        submissions_are_hidden,
        submission_order_is_irrelevant,
        timeouts_are_legal,
        payoffs_have_their_form,
        events_are_told,
        minds_use_what_they_see,
        compiled_and_interpreted_agree,
    )
}
"""Law by name; that lists are well formed, invariants hold, events fit and games end is checked in every random
game.
"""

SLOW = "compiled_and_interpreted_agree"


def check_law(game: Game, name: str, games: int = 10, seed: int = 0, enough: int | None = None) -> None:
    """Check one law over random games, and over no further one after `enough` decisions.

    Raises LawBroken; KeyError for an unknown law.
    """
    law, decisions = LAWS[name], 0
    for n in range(games):
        play = play_randomly(game, random.Random(f"{game.id} {name} {seed} {n}"))
        law(play)
        decisions += play.match.ply
        if enough is not None and decisions >= enough:
            return


def check_laws(game: Game, games: int = 20, seed: int = 0, progress: Callable[[int], None] | None = None) -> int:
    """Check every law over `games` random games; return how many decisions were played.

    The comparison with the interpreter, which is slow, is made on every tenth game. `progress` is told how many games
    are done. Raises LawBroken with the seed to play the game again.
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
