"""Matches of the host's own: declared in words with a form of secret submissions, in one or more rounds."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Annotated, Literal

from pyramidion.event_log import NotPossible
from pyramidion.names import BadName, OptionalText, OptionalTitle, Title, clean_text, clean_title
from pyramidion.seasons import formula
from pyramidion.seasons.episode import EpisodePart
from pyramidion.seasons.formats import TieRule
from pyramidion.seasons.score_cache import ScoreCache
from pyramidion.translation import _

FieldKind = Literal["number", "contestant", "choice", "text"]
Outcome = Literal["nothing", "wins", "loses"]
Formula = Annotated[str, partial(clean_title, longest=formula.LONGEST)]
HostsSee = Literal["nothing", "status", "values"]
MissingRule = Literal["last", "out"]
Values = dict[str, int | str]
"""A submission: the value of each field, by its name."""
MOST_FIELDS, MOST_CHOICES, MOST_ROUNDS, MOST_HOURS = 10, 30, 20, 24 * 60
LARGEST, LONGEST_TEXT = 1_000_000, 1_000
_KEPT = ScoreCache()
NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")


@dataclass(frozen=True, slots=True)
class SubmissionField:
    """A field of a form of submissions.

    Attributes:
        name: what formulas call it.
        label: what the form calls it; empty for its name.
        kind: a whole number, a contestant, one of `choices`, or a text.
        least, most: the range of a number.
        others: whether contestants cannot choose themselves.
    """

    name: str
    label: OptionalTitle = ""
    kind: FieldKind = "number"
    least: int = 0
    most: int = 100
    choices: tuple[Title, ...] = ()
    others: bool = True

    def check(self) -> None:
        """Raise NotPossible with a sentence for a field that no form can have."""
        if not NAME.fullmatch(self.name) or self.name in formula.RESERVED or self.name.startswith(formula.MINE):
            message = _("A field cannot be called {name}. Take lower-case letters, digits and _, such as bid or vote.")
            raise NotPossible(message.format(name=self.name[:40]))
        if self.kind == "number" and not -LARGEST <= self.least <= self.most <= LARGEST:
            raise NotPossible(
                _("{field}: the range goes from a smaller number to a larger one.").format(field=self.name)
            )
        if self.kind == "choice" and not (
            2 <= len(self.choices) <= MOST_CHOICES and len(set(self.choices)) == len(self.choices)
        ):
            message = _("{field}: give 2 to {limit} different choices.")
            raise NotPossible(message.format(field=self.name, limit=MOST_CHOICES))

    def accepted(self, value: object, who: str, contestants: Sequence[str]) -> int | str:
        """Return the value that `who` submits in this field, tidied. Raises NotPossible with a sentence."""
        label = self.label or self.name
        if self.kind == "number":
            text = str(value).strip() if isinstance(value, int | str) and not isinstance(value, bool) else ""
            if re.fullmatch(r"[+-]?\d{1,7}", text) and self.least <= int(text) <= self.most:
                return int(text)
            message = _("{field}: enter a whole number from {least} to {most}.")
            raise NotPossible(message.format(field=label, least=self.least, most=self.most))
        text = value if isinstance(value, str) else ""
        if self.kind == "text":
            try:
                return clean_text(text, LONGEST_TEXT)
            except BadName as error:
                raise NotPossible(str(error)) from None
        people = [other for other in contestants if other != who or not self.others]
        allowed = self.choices if self.kind == "choice" else people
        if text not in allowed:
            raise NotPossible(_("{field}: choose one of the list.").format(field=label))
        return text


@dataclass(frozen=True, slots=True)
class OwnMatchForm:
    """A match of the host's own as it is declared, before anybody plays it.

    Attributes:
        name, about: what it is called, and its rules in words.
        fields: what each contestant submits in secret, in each round.
        rounds: how many rounds of submissions there are.
        hours: how long a round is open, None for as long as the hosts like.
        score: the formula of each contestant's score in a round (`seasons.formula`); empty where hosts enter results.
        highest, lowest: what the highest and the lowest sum of scores leads to.
        tie: what decides a tie at such a place.
        missing: whether contestants who submitted nothing, and so have no score, come last or are left out.
        hosts_see: what hosts see of submissions before these are revealed: nothing, who has saved or confirmed one, or
            everything.
    """

    name: Title
    about: OptionalText = ""
    fields: tuple[SubmissionField, ...] = ()
    rounds: int = 1
    hours: int | None = None
    score: Formula = ""
    highest: Outcome = "nothing"
    lowest: Outcome = "nothing"
    tie: TieRule = "hosts"
    hosts_see: HostsSee = "status"
    missing: MissingRule = "last"

    def check(self) -> None:
        """Raise NotPossible with a sentence for a form that no match can have."""
        names = [declared.name for declared in self.fields]
        if not 1 <= len(names) <= MOST_FIELDS or len(set(names)) < len(names):
            raise NotPossible(_("A form has 1 to {limit} fields with different names.").format(limit=MOST_FIELDS))
        for declared in self.fields:
            declared.check()
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise NotPossible(_("A match has 1 to {limit} rounds.").format(limit=MOST_ROUNDS))
        if self.hours is not None and not 1 <= self.hours <= MOST_HOURS:
            raise NotPossible(_("A round is open for 1 to {limit} hours.").format(limit=MOST_HOURS))
        if self.score:
            formula.parse(self.score, self.calculable)
        elif self.highest != "nothing" or self.lowest != "nothing":
            raise NotPossible(_("Give a formula for the score, or let hosts enter the result."))
        if self.highest == self.lowest == "loses" or self.highest == self.lowest == "wins":
            raise NotPossible(_("The highest and the lowest score cannot lead to the same."))

    @property
    def calculable(self) -> list[str]:
        """The names of the fields that a formula can use: all but texts."""
        return [declared.name for declared in self.fields if declared.kind != "text"]

    def check_steps(self, scored: int, submitted: int) -> None:
        """Raise NotPossible with a sentence if the formula takes too many steps for so many contestants.

        It is no part of `check`, so that what was declared before can still be read.
        """
        if self.score:
            formula.check_steps(formula.parse(self.score, self.calculable), scored, submitted)


@dataclass(slots=True)
class OwnRound:
    """A round of submissions. `deadline` is milliseconds since 1970, None without one, and `phase` the id of the phase
    whose end it is, or None; `opened_with` is the one with which it was to end when it was opened.

    `moved_from` is the deadline before it was last changed, None if it never was.
    `revealed` maps contestants to what they submitted, None for nothing, and `source` is the event that revealed the
    latest. `scores` are known when all are revealed; with `failed` the formula has no value for somebody.
    """

    deadline: int | None
    sealed: bool = False
    revealed: dict[str, Values | None] = field(default_factory=dict[str, "Values | None"])
    scores: dict[str, Fraction | None] = field(default_factory=dict[str, "Fraction | None"])
    failed: bool = False
    source: object = None
    phase: str | None = None
    opened_with: str | None = None
    moved_from: int | None = None

    def move(self, deadline: int | None) -> None:
        """Change the deadline, and keep the one before for those who went by it."""
        if deadline != self.deadline:
            self.moved_from, self.deadline = self.deadline, deadline


@dataclass(frozen=True, slots=True)
class Tie:
    """Contestants with equal totals of whom some have to be chosen, which the match's own rule for ties does not do.

    Attributes:
        outcome: what the place leads to; `winner` where one of those who win has to be the winner.
        who: the ids of those who are tied.
        sure: the ids of those who win or lose without them.
        places: how many of the tied are to be chosen.
    """

    outcome: Literal["wins", "loses", "winner"]
    who: tuple[str, ...]
    sure: tuple[str, ...]
    places: int

    def chosen(self, rule: TieRule, lot: Sequence[str], priority: Mapping[str, int]) -> list[str] | None:
        """Return those of the tied whom a rule chooses, None if it leaves that to hosts.

        `lot` is an order drawn by lot, and `priority` that of the tied.
        """
        if rule == "lot" and set(self.who) <= set(lot):
            order = [who for who in lot if who in self.who]
        elif rule == "priority" and len({priority[who] for who in self.who}) == len(self.who):
            order = sorted(self.who, key=lambda who: -priority[who])
        else:
            return None
        return order[-self.places :] if self.outcome == "loses" else order[: self.places]


@dataclass(slots=True)
class OwnMatch:
    """A match of the host's own that has been opened.

    Attributes:
        cast: the ids of those who submit.
        scored: the ids of those whom a field of contestants offers, and who get scores.
        lot: those scored in an order that the server drew by lot when the match was over.
        winners, losers: those who win and lose by their scores, None where the scores do not decide it.
        winner: the one who won, None where that is not decided.
        ties: the ties that neither the scores nor the rule of the match decide.
    """

    id: str
    episode: int
    part: EpisodePart
    form: OwnMatchForm
    cast: tuple[str, ...]
    scored: tuple[str, ...]
    rounds: list[OwnRound] = field(default_factory=list[OwnRound])
    over: bool = False
    lot: tuple[str, ...] = ()
    winners: list[str] | None = None
    losers: list[str] | None = None
    winner: str | None = None
    ties: list[Tie] = field(default_factory=list[Tie])

    @property
    def round(self) -> OwnRound:
        """The latest round."""
        return self.rounds[-1]

    def closed(self, now: int) -> bool:
        """Return whether the latest round takes no more submissions, at `now` in milliseconds since 1970."""
        return self.round.sealed or (self.round.deadline is not None and now >= self.round.deadline)

    def accepted(self, values: Mapping[str, object], who: str) -> Values:
        """Return a submission of `who`, tidied. Raises NotPossible with a sentence."""
        return {
            declared.name: declared.accepted(values.get(declared.name, ""), who, self.scored)
            for declared in self.form.fields
        }

    def reveal(self, values: Mapping[str, Values | None], source: object) -> None:
        """Reveal submissions of the latest round by the event `source`; with the last one the round has its scores."""
        latest = self.round
        latest.revealed |= values
        latest.source = source
        if set(latest.revealed) != set(self.cast):
            return
        if self.form.score:
            try:
                latest.scores = self._scores(latest)
            except NotPossible:
                latest.failed = True
        self.over = len(self.rounds) == self.form.rounds

    def _scores(self, played: OwnRound) -> dict[str, Fraction | None]:
        """Return the scores of a round. Raises NotPossible with a sentence if the formula has no value."""
        given = {who: values for who, values in played.revealed.items() if values is not None}
        return _KEPT.scores(played.source, self.form.score, tuple(self.form.calculable), given, self.scored)

    def failure(self, played: OwnRound) -> str:
        """Return the sentence that says why a round has no scores, empty if it has some or needs none."""
        try:
            if played.failed:
                self._scores(played)
        except NotPossible as error:
            return str(error)
        return ""

    def totals(self) -> dict[str, Fraction | None]:
        """Return the sums of the scores, None for those who have none; empty where hosts enter the result.

        A contestant who missed one of several rounds has what the others gave.
        """
        if not self.form.score or any(not played.scores for played in self.rounds):
            return {}
        rows = {who: [played.scores[who] for played in self.rounds] for who in self.scored}
        scored = {who: [score for score in row if score is not None] for who, row in rows.items()}
        return {who: sum(row, Fraction(0)) if row else None for who, row in scored.items()}

    def placed(
        self, outcome: Outcome, count: int | None, priority: Mapping[str, int], bots: Collection[str] = ()
    ) -> list[str] | Tie | None:
        """Return those who win or lose by their totals: `count` of them, or all with the same total for None.

        Return the tie if the totals and the rule for ties do not decide it, and None if there are no totals for that
        outcome. `priority` is that of those scored. `bots` submit nothing, so they have no place without a score. Where
        some are left out, nobody loses if no more have a score than there are places.
        """
        totals = self.totals()
        if not totals or outcome == "nothing" or outcome not in (self.form.highest, self.form.lowest):
            return None
        last = {who for who in self.cast if who not in bots} if self.form.missing == "last" else set[str]()
        ranks = {
            who: (total is not None, total or Fraction(0))
            for who, total in totals.items()
            if total is not None or who in last
        }
        left_out = len(ranks) < len(totals)
        if not ranks or (outcome == "loses" and left_out and count is not None and len(ranks) <= count):
            return None
        best_first = outcome == self.form.highest
        places = [[who for who in ranks if ranks[who] == rank] for rank in sorted(set(ranks.values()))]
        placed: list[str] = []
        for tied in reversed(places) if best_first else places:
            if count is None:
                return tied
            room = count - len(placed)
            if room <= 0:
                break
            if len(tied) > room:
                tie = Tie(outcome, tuple(tied), tuple(placed), room)
                chosen = tie.chosen(self.form.tie, self.lot, priority)
                return tie if chosen is None else [*placed, *chosen]
            placed += tied
        return placed if count is None or len(placed) == count else None

    @property
    def vote(self) -> str | None:
        """The name of the field with which contestants vote, if the score is the votes received; else None."""
        voting = (declared.name for declared in self.form.fields if declared.kind == "contestant")
        score = "".join(self.form.score.split())
        return next((name for name in voting if score == f"count({name}==me)"), None)
