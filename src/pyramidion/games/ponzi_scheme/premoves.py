"""Premoves for envelopes: sell above a price, otherwise counter.

A line reads `[from SEAT] [INDUSTRY] ANSWER`. The answer is `sell`, `counter`, or `sell 30`: sell for $30 or more,
counter below. If several lines match an envelope, the most specific one applies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyramidion.engine.premoves import Field, Followed, lines_of
from pyramidion.games.ponzi_scheme.layout import ANSWER, INDUSTRIES, MOST_CASH
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class PremoveLine:
    """One line of an order: which envelopes it answers, and how.

    `offerer` and `industry` are None if the line answers those of all. `price` is the threshold of `sell 30`.
    """

    offerer: int | None
    industry: str | None
    answer: str
    price: int | None = None

    def __str__(self) -> str:
        parts = [f"from {self.offerer}"] if self.offerer is not None else []
        parts += [self.industry] if self.industry is not None else []
        return " ".join([*parts, self.answer, *([str(self.price)] if self.price is not None else [])])

    @property
    def particular(self) -> tuple[int, int]:
        """Sort key that puts lines for a seat first, then lines for an industry, then the rest."""
        return (self.offerer is None, self.industry is None)


def due(s: Any, seat: int) -> bool:
    """Return whether a premove can be used now: an envelope is waiting for an answer (PZ 5.3)."""
    return int(s.phase) == ANSWER


def accept(text: str, seats: int, seat: int) -> str:
    """Return the lines of an order that a player has typed, most specific first. Raises ValueError with a message.

    If two match the same envelopes, the later one replaces the earlier.
    """
    kept: dict[tuple[int | None, str | None], PremoveLine] = {}
    for text_line in lines_of(text):
        line = _parse(text_line)
        if line.offerer is not None and (line.offerer == seat or line.offerer >= seats):
            raise ValueError(_("Seat {seat} cannot send you an envelope.").format(seat=line.offerer))
        kept[line.offerer, line.industry] = line
    return "\n".join(map(str, sorted(kept.values(), key=lambda line: line.particular)))


def follow(box: Any, s: Any, seat: int, text: str) -> Followed | None:
    """Return the answer that the order `text` gives to the envelope in front of a seat, or None. It stays in force."""
    for line in map(_parse, text.splitlines()):
        if line.offerer not in (None, int(s.offer_from)):
            continue
        if line.industry not in (None, INDUSTRIES[int(s.offer_industry)]):
            continue
        low = line.price is not None and int(s.price) < line.price
        return Followed("counter" if low else line.answer, text)
    return None


def tell(text: str, names: Sequence[str]) -> list[str]:
    """Return the lines of the order `text` as sentences."""
    return [_told(line, names) for line in map(_parse, text.splitlines())]


def explain() -> str:
    """Return the help text on answering envelopes in advance."""
    return _(
        "You can decide in advance how to answer envelopes: sell at or above a price and counter below it, always "
        "sell, or always counter. An answer can apply to every envelope, or to those from one player or for one "
        "industry. If several answers fit, the most specific one counts. An answer stays until you withdraw it."
    )


def fields(seats: int, seat: int, names: Sequence[str]) -> list[Field]:
    """Return the form fields for one line of an order."""
    others = [(str(other), names[other]) for other in range(seats) if other != seat]
    industries = [(name, _(name.replace("-", " "))) for name in INDUSTRIES]
    answers = [
        ("price", _("sell for this price or more, otherwise counter")),
        ("sell", _("sell")),
        ("counter", _("counter")),
    ]
    return [
        Field("from", _("An envelope from"), [("", _("anybody")), *others]),
        Field("industry", _("for"), [("", _("any industry")), *industries]),
        Field("answer", _("Answer"), answers),
        Field("price", _("Price, $"), low=0, high=MOST_CASH),
    ]


def compose(given: Mapping[str, str]) -> str:
    """Return the order line that a submitted form describes."""
    parts = [f"from {given['from']}"] if given.get("from") else []
    parts += [given["industry"]] if given.get("industry") else []
    answer = given.get("answer", "")
    return " ".join([*parts, f"sell {given.get('price', '')}" if answer == "price" else answer])


def _parse(text: str) -> PremoveLine:
    """Return the line of an order that a text describes. Raises ValueError with a message if it describes none."""
    words = text.split()
    offerer = industry = price = None
    if len(words) > 1 and words[0] == "from" and _is_number(words[1]):
        offerer = int(words[1])
        words = words[2:]
    if words and words[0] in INDUSTRIES:
        industry = words[0]
        words = words[1:]
    if len(words) == 2 and words[0] == "sell" and _is_number(words[1]) and int(words[1]) <= MOST_CASH:
        price = int(words[1])
        words = words[:1]
    if words not in (["sell"], ["counter"]):
        raise ValueError(
            _("{line} is not an answer in advance. An example is: from 2 grain sell 30.").format(line=repr(text[:60]))
        )
    return PremoveLine(offerer, industry, words[0], price)


def _is_number(word: str) -> bool:
    """Return whether a word is a whole number."""
    return word.isascii() and word.isdigit() and len(word) < 6


def _told(line: PremoveLine, names: Sequence[str]) -> str:
    """Return a line of an order as a sentence."""
    if line.price is not None:
        answer = _("sell for ${price} or more, otherwise counter").format(price=line.price)
    else:
        answer = _("sell") if line.answer == "sell" else _("counter")
    industry = _((line.industry or "").replace("-", " ")) if line.industry else ""
    if line.offerer is not None and industry:
        return _("An envelope from {name} for {industry}: {answer}.").format(
            name=names[line.offerer], industry=industry, answer=answer
        )
    if line.offerer is not None:
        return _("Any envelope from {name}: {answer}.").format(name=names[line.offerer], answer=answer)
    if industry:
        return _("Any envelope for {industry}: {answer}.").format(industry=industry, answer=answer)
    return _("Any other envelope: {answer}.").format(answer=answer)
