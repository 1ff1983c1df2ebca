"""Formats of episodes: how many tokens, candidates and eliminations, who names whom, and what a tie does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pyramidion.event_log import NotPossible
from pyramidion.names import OptionalTitle
from pyramidion.translation import _

CandidateSource = Literal["result", "winner"]
OpponentSource = Literal["candidate", "winner", "hosts", "nobody"]
TieRule = Literal["hosts", "lot", "priority"]
MOST_TOKENS = 1_000


@dataclass(frozen=True, slots=True)
class EpisodeFormat:
    """The format of an episode. The default is a candidate by the main match, who names an opponent.

    Attributes:
        name: what episodes call it; the one without a name is for all episodes that call none.
        tokens: how many tokens of life a main match gives out; None for as many as its result says.
        candidates: how many elimination candidates there are: 0, 1 or 2.
        eliminations: how many contestants leave: 0, 1 or 2.
        candidates_by: who names the candidates: the result of the main match, or its winner.
        opponent_by: who names the only candidate's opponent in the death match. With `nobody`, two candidates meet in
            it; or there is none, and all candidates leave at once.
        tie: what decides when several share a place that one must have: hosts, a lot, or the higher priority (and
            hosts where that is equal).
    """

    name: OptionalTitle = ""
    tokens: int | None = None
    candidates: int = 1
    eliminations: int = 1
    candidates_by: CandidateSource = "result"
    opponent_by: OpponentSource = "candidate"
    tie: TieRule = "hosts"

    @property
    def death_match(self) -> bool:
        """Whether a death match decides which of two contestants leaves."""
        return self.opponent_by != "nobody" or self.eliminations < self.candidates

    def check(self) -> None:
        """Raise NotPossible with a sentence for a format that no episode can have."""
        if self.tokens is not None and not 0 <= self.tokens <= MOST_TOKENS:
            raise NotPossible(_("A main match can give out 0 to {limit} tokens of life.").format(limit=MOST_TOKENS))
        if not 0 <= self.candidates <= 2:
            raise NotPossible(_("An episode can have 0, 1 or 2 elimination candidates."))
        if self.candidates != 1 and self.opponent_by != "nobody":
            message = _("Only a single candidate has an opponent who is named. Choose that nobody names an opponent.")
            raise NotPossible(message)
        possible = {0: (0,), 1: (1,), 2: (1, 2)}[self.candidates]
        if self.eliminations not in possible:
            raise NotPossible(
                _("With {candidates} candidates, the number of eliminations can be: {numbers}.").format(
                    candidates=self.candidates, numbers=", ".join(map(str, possible))
                )
            )


STANDARD = EpisodeFormat()
FINAL: dict[str, Any] = {"candidates": 2, "eliminations": 1, "candidates_by": "result", "opponent_by": "nobody"}
"""What of a format is different in the final: the last two contestants meet in the death match."""
