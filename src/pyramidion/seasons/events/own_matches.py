"""Events of a match of the host's own: its declaration, its rounds, and what is revealed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Literal

from pyramidion.event_log import HOUR, Entry, NotPossible, check_times
from pyramidion.names import OptionalTitle
from pyramidion.seasons.episode import EpisodePart
from pyramidion.seasons.events.episodes import DuelEntered, ResultEntered
from pyramidion.seasons.own_match import OwnMatch, OwnMatchForm, OwnRound, Tie, Values
from pyramidion.seasons.season import Season
from pyramidion.translation import _

MOST_FORMS = 50


@dataclass(frozen=True, slots=True)
class OwnMatchSet(OwnMatchForm):
    """A host declares a match of the season's own, or changes the one with this name; one under way stays as it is."""

    kind: Literal["own-match-set"] = "own-match-set"

    @property
    def form(self) -> OwnMatchForm:
        """The declaration as matches that are opened keep it."""
        return OwnMatchForm(**{declared.name: getattr(self, declared.name) for declared in fields(OwnMatchForm)})

    def check_steps_in(self, season: Season) -> None:
        """Raise NotPossible for an impossible form, or a formula that takes too many steps for the present cast."""
        self.check()
        self.form.check_steps(len(season.remaining), len(season.remaining))

    def apply(self, season: Season, entry: Entry) -> None:
        """Keep the declaration."""
        self.check()
        season.own_forms[self.name] = self.form
        if len(season.own_forms) > MOST_FORMS:
            raise NotPossible(_("A season has up to {limit} matches of its own.").format(limit=MOST_FORMS))


@dataclass(frozen=True, slots=True)
class OwnMatchOpened:
    """A host opens a declared match, by the name of its form, as main match or death match.

    Attributes:
        deadline: when its first round ends, in milliseconds since 1970; None for what the form says.
        phase: the id of a phase with which it ends instead, also when that is moved; None for none.
        cast: who submits; empty for all who are left, or in a death match the two who meet.
    """

    form: OptionalTitle
    part: EpisodePart = "main"
    deadline: int | None = None
    cast: tuple[str, ...] = ()
    phase: str | None = None
    kind: Literal["own-match-opened"] = "own-match-opened"

    def check_steps_in(self, season: Season) -> None:
        """Raise NotPossible if the formula takes too many steps for those who will play."""
        if (form := season.own_forms.get(self.form)) is not None:
            scored = len(season.remaining) if self.part == "main" else 2
            form.check_steps(scored, len(self.cast) or scored)

    def apply(self, season: Season, entry: Entry) -> None:
        """Open the match and its first round."""
        episode, form = season.opened(), season.own_forms.get(self.form)
        if form is None:
            raise NotPossible(_("The season has no match of its own named {name}.").format(name=self.form))
        due = season.step in (("main", "result") if self.part == "main" else ("duel", "duel-result"))
        if not due or season.own_match is not None:
            raise NotPossible(_("This match cannot start now."))
        if any(who not in season.cast for who in self.cast) or len(set(self.cast)) < len(self.cast):
            raise NotPossible(_("There is no such contestant."))
        scored = season.remaining if self.part == "main" else [episode.candidate or "", episode.opponent or ""]
        match = OwnMatch(
            f"m{season.made[self.kind]}", episode.number, self.part, form, self.cast or tuple(scored), tuple(scored)
        )
        season.own_matches[match.id] = match
        _open_round(season, match, self, entry.at)


@dataclass(frozen=True, slots=True)
class OwnRoundOpened:
    """A host opens the next round of a match; `deadline` and `phase` are those of `OwnMatchOpened`."""

    match: str
    deadline: int | None = None
    phase: str | None = None
    kind: Literal["own-round-opened"] = "own-round-opened"

    def apply(self, season: Season, entry: Entry) -> None:
        """Open the round."""
        match = _under_way(season, self.match)
        if set(match.round.revealed) != set(match.cast):
            raise NotPossible(_("The next round begins when everything of this one is revealed."))
        _open_round(season, match, self, entry.at)


@dataclass(frozen=True, slots=True)
class OwnDeadlineSet:
    """A host sets when the round ends, or takes its deadline away (None); a late contestant gets more time so.

    With `phase`, it ends with the phase with this id, also when that is moved.
    """

    match: str
    deadline: int | None = None
    phase: str | None = None
    kind: Literal["own-deadline-set"] = "own-deadline-set"

    def apply(self, season: Season, entry: Entry) -> None:
        """Set the deadline."""
        match = _under_way(season, self.match)
        if match.round.sealed:
            raise NotPossible(_("The submissions are sealed. They can no longer change."))
        deadline = _end_of(season, self.phase) if self.phase is not None else self.deadline
        _check_deadline(deadline, entry.at)
        match.round.move(deadline)
        match.round.phase = self.phase


@dataclass(frozen=True, slots=True)
class OwnRoundSealed:
    """A host seals the submissions of a round: nobody can change them any more."""

    match: str
    kind: Literal["own-round-sealed"] = "own-round-sealed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Seal the round."""
        match = _under_way(season, self.match)
        if match.round.sealed:
            raise NotPossible(_("The submissions are sealed. They can no longer change."))
        match.round.sealed = True


@dataclass(frozen=True, slots=True, weakref_slot=True)
class SubmissionsRevealed:
    """The server reveals submissions of a sealed round, all that were left or one.

    Attributes:
        values: what the contestants submitted, by their id; None for nothing, which is a strike where they count.
        lot: those who get scores, in an order drawn by lot, with the last submission where the match decides ties so.
    """

    match: str
    values: dict[str, Values | None] = field(default_factory=dict[str, "Values | None"])
    lot: tuple[str, ...] = ()
    kind: Literal["submissions-revealed"] = "submissions-revealed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Reveal the submissions."""
        match = _under_way(season, self.match)
        if not match.round.sealed:
            raise NotPossible(_("Seal the submissions first. Then they can be revealed."))
        if not self.values or any(who not in match.cast or who in match.round.revealed for who in self.values):
            raise NotPossible(_("There is nothing left to reveal in this round."))
        match.lot = self.lot
        match.reveal(self.values, self)
        if match.over:
            _decide(season, match)
        if season.settings.strikes:
            for who, given in self.values.items():
                season.cast[who].strikes += given is None and season.cast[who].plays


def result_of_own_match(season: Season, match: OwnMatch) -> ResultEntered | DuelEntered | None:
    """Return the event with the result that follows from the scores of a match that is over.

    None if the scores do not decide everything that the episode's format asks for; then hosts enter it.
    """
    losers = match.losers
    if match.part == "duel":
        if losers is None and match.winner is not None:
            losers = [who for who in match.scored if who != match.winner]
        return DuelEntered(losers[0]) if losers is not None and len(losers) == 1 else None
    asked = season.opened().format
    if losers is None and asked.candidates_by == "result" and asked.candidates:
        return None
    # A match before this one, such as the one before a vote, may have said who wins.
    deciding = next((played for played in reversed(_same_part(season, match)) if played.winners or played.ties), match)
    if deciding is not match and any(tie.outcome != "loses" for tie in deciding.ties):
        return None
    first, second = (*(losers or ()), None, None)[:2]
    return ResultEntered(first, dict.fromkeys(deciding.winners or (), 1), second, deciding.winner)


def _same_part(season: Season, match: OwnMatch) -> list[OwnMatch]:
    """Return the matches of the host's own that are over in the same part of the episode, in order."""
    part = (match.episode, match.part)
    return [played for played in season.own_matches.values() if played.over and (played.episode, played.part) == part]


def _decide(season: Season, match: OwnMatch) -> None:
    """Note who wins and loses by the scores of a match that is over.

    A main match has as many losers as the episode has candidates by its result, and as many winners as tokens of life
    (without such a number: all with the best score).
    """
    asked, priority = season.opened().format, {who: season.ledger.balance(who, "priority") for who in match.scored}
    by_result = asked.candidates if asked.candidates_by == "result" else 0
    losing, winning = (1, 1) if match.part == "duel" else (by_result, asked.tokens)
    bots = {who for who in match.scored if not season.cast[who].plays}
    losers = match.placed("loses", losing, priority, bots) if losing else None
    winners, first = match.placed("wins", winning, priority, bots), match.placed("wins", 1, priority, bots)
    if isinstance(first, Tie):
        first = replace(first, outcome="winner")
    match.ties = [tie for tie in (losers, winners, first) if isinstance(tie, Tie)]
    match.losers = None if isinstance(losers, Tie) else losers
    match.winners = None if isinstance(winners, Tie) else winners
    match.winner = None if isinstance(first, Tie) or not first else first[0]


def _under_way(season: Season, match: str) -> OwnMatch:
    """Return a match that is not over. Raises NotPossible."""
    if season.own_match is None or season.own_match.id != match:
        raise NotPossible(_("This match is over."))
    return season.own_match


def _open_round(season: Season, match: OwnMatch, opening: OwnMatchOpened | OwnRoundOpened, now: int) -> None:
    """Open the next round. Raises NotPossible for an impossible deadline."""
    deadline = _end_of(season, opening.phase) if opening.phase is not None else opening.deadline
    _check_deadline(deadline, now)
    if deadline is None and match.form.hours is not None:
        deadline = now + match.form.hours * HOUR
    match.rounds.append(OwnRound(deadline, phase=opening.phase, opened_with=opening.phase))
    season.forget_nudges(match.cast)


def _end_of(season: Season, phase: str) -> int:
    """Return when a phase ends. Raises NotPossible if there is none with this id."""
    if phase not in season.phases:
        raise NotPossible(_("There is no such phase."))
    return season.phases[phase].ends


def _check_deadline(deadline: int | None, now: int) -> None:
    """Raise NotPossible if a deadline has passed, or is out of range."""
    if deadline is None:
        return
    check_times(deadline)
    if deadline <= now:
        raise NotPossible(_("The deadline has to be in the future."))
