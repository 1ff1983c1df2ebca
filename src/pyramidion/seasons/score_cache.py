"""A cache of the scores of rounds, which live as long as the log entries from which they follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from weakref import ref

from pyramidion.event_log import NotPossible
from pyramidion.seasons import formula
from pyramidion.seasons.formula import Submission
from pyramidion.translation import language


@dataclass(slots=True)
class CachedScores:
    """The scores of a round by a formula, or the sentences, by language, why it has no value.

    `source` is the event that revealed the last submission, and `question` what the scores follow from.
    """

    source: ref[object]
    question: tuple[object, ...]
    scores: Mapping[str, Fraction | None] | None = None
    sentences: dict[str, str] = field(default_factory=dict[str, str])


class ScoreCache:
    """Caches scores by the identity of the event that revealed the last submission of a round.

    A log is folded from its beginning whenever it grows, but its events stay the same objects, so that only scores of
    new rounds are calculated. A cache of a limited size would calculate all of them again in a long log.
    """

    def __init__(self) -> None:
        self._kept: dict[int, CachedScores] = {}

    def scores(
        self,
        source: object,
        score: str,
        names: tuple[str, ...],
        given: Mapping[str, Submission],
        scored: tuple[str, ...],
    ) -> dict[str, Fraction | None]:
        """Return the scores by a formula over these fields and submissions. Raises NotPossible with a sentence."""
        question = (score, names, given, scored)
        cached = self._kept.get(id(source))
        if cached is None or cached.source() is not source or cached.question != question:
            key = id(source)
            cached = CachedScores(ref(source, lambda _gone: self._kept.pop(key, None)), question)
            self._kept[key] = cached
        if cached.scores is not None:
            return dict(cached.scores)
        if (sentence := cached.sentences.get(language())) is None:
            try:
                cached.scores = formula.scores(formula.parse(score, names), given, scored)
                return dict(cached.scores)
            except NotPossible as error:
                sentence = cached.sentences[language()] = str(error)
        raise NotPossible(sentence)
