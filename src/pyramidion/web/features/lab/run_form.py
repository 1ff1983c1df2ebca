"""Orders for the lab: what a visitor wants to compare, read from the form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from pyramidion import Game
from pyramidion.lab.experiments.metric_keys import cards_of
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest
from pyramidion.web.http.forms import whole_number
from pyramidion.web.table_requests.forms import options_of

LONGEST_TEXT, MOST_PARTS, MOST_DIGITS = 40, 8, 6


@dataclass(frozen=True)
class CardField:
    """A value of a card that the form lets visitors change.

    Attributes:
        name: the name of the form field.
        label: the key in the card file.
        printed: the value on the printed card.
        value: the value to show.
        choices: for a word, the words that the field has on any card.
    """

    name: str
    label: str
    printed: Any
    value: Any
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """How the value is entered: `number`, `list`, `flag` or `word`."""
        kinds = {bool: "flag", int: "number", list: "list"}
        return kinds.get(cast("Any", type(self.printed)), "word")

    @property
    def text(self) -> str:
        """The value to show, as the form writes it."""
        return _as_text(self.value)

    @property
    def printed_text(self) -> str:
        """The printed value, as the form writes it."""
        return _as_text(self.printed)


@dataclass(frozen=True)
class Card:
    """A card in the lab's form: its index in the card file, its fields, and its drawing as SVG."""

    index: int
    fields: tuple[CardField, ...]
    drawing: str

    @property
    def changed(self) -> bool:
        """Whether any field differs from the printed card."""
        return any(card_field.value != card_field.printed for card_field in self.fields)


@dataclass(frozen=True)
class Order:
    """An experiment that a visitor asks for: a game, changed cards and options, and how many games to play.

    Attributes:
        game: the game's id.
        seats: the number of seats.
        games: the number of games on each side.
        edits: changed values by path in the card file.
        options: changed options.
    """

    game: str
    seats: int
    games: int
    edits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def cards_for(game: Game, edits: Mapping[str, Any]) -> list[Card]:
    """Return a game's cards for the form, with the values in `edits` changed; none if the lab cannot edit them.

    `edits` has the changed values by path in the card file.
    """
    return [card_for(game, index, edits) for index in range(_card_count(game))]


def card_for(game: Game, index: int, edits: Mapping[str, Any]) -> Card:
    """Return the card with an index for the form, changed by `edits` (as in `cards_for`).

    Raises BadRequest if the game has no such card.
    """
    cards = cards_of(game)
    if cards is None or not 0 <= index < _card_count(game):
        raise BadRequest(_("There is no such card."))
    rows: list[dict[str, Any]] = game.own_cards.data[cards.key]
    row = dict(rows[index])
    fields: list[CardField] = []
    for label, printed in rows[index].items():
        if label in cards.ignore:
            continue
        path = f"{cards.key}[{index}].{label}"
        row[label] = edits.get(path, printed)
        words: tuple[str, ...] = ()
        if isinstance(printed, str):
            words = tuple(dict.fromkeys(str(other[label]) for other in rows if label in other))
        fields.append(CardField(f"card-{index}-{label}", label, printed, row[label], words))
    return Card(index, tuple(fields), cards.draw(row))


def edits_of(game: Game, form: Mapping[str, str], only: int | None = None, *, readable: bool = False) -> dict[str, Any]:
    """Return the card values that a form changes, by path in the card file, such as `cards[3].cost`.

    `only` limits this to the card with that index. Raises BadRequest with a sentence for a value that cannot be read.
    With `readable`, such values stay as printed.
    """
    cards = cards_of(game)
    edits: dict[str, Any] = {}
    for index in range(_card_count(game)) if only is None else (only,):
        for card_field in card_for(game, index, {}).fields:
            text = form.get(card_field.name)
            try:
                value = card_field.printed if text is None else _value_of_text(card_field, text.strip())
            except BadRequest:
                if not readable:
                    raise
                continue
            if value != card_field.printed:
                assert cards is not None
                edits[f"{cards.key}[{index}].{card_field.label}"] = value
    return edits


def order_of(game: Game, form: Mapping[str, str], most: int) -> Order:
    """Return the experiment that a form asks for.

    Raises BadRequest with a sentence if it is invalid, or has more than `most` games.
    """
    seats = whole_number(form.get("seats"), _("The number of seats must be a whole number."))
    games = whole_number(form.get("games"), _("The number of games must be a whole number."))
    if not 1 <= games <= most:
        raise BadRequest(_("A run has 1 to {most} games.").format(most=f"{most:,}"))
    try:
        seats = game.accept_seats(seats)
        usual, accepted = game.accept_options({}), game.accept_options(options_of(game, form))
    except ValueError as error:
        raise BadRequest(str(error)) from error
    changed = {name: value for name, value in accepted.items() if value != usual[name]}
    return Order(game.id, seats, games, edits_of(game, form), changed)


def _as_text(value: Any) -> str:
    """Return a card's value as the form writes it: lists with commas."""
    return ", ".join(str(part) for part in cast("list[Any]", value)) if isinstance(value, list) else str(value)


def _card_count(game: Game) -> int:
    """Return how many cards of a game can be edited."""
    cards = cards_of(game)
    return len(game.own_cards.data[cards.key]) if cards else 0


def _value_of_text(card_field: CardField, text: str) -> Any:
    """Return the value that a visitor has typed for a field of a card. Raises BadRequest."""
    sentence = _("{text} is not a valid value for {field}.")
    refused = BadRequest(sentence.format(text=repr(text[:LONGEST_TEXT]), field=card_field.label))
    if len(text) > LONGEST_TEXT:
        raise refused
    if card_field.kind == "number":
        return _number_of_text(text, refused)
    if card_field.kind == "flag":
        if text not in ("True", "False"):
            raise refused
        return text == "True"
    if card_field.kind == "list":
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if len(parts) > MOST_PARTS:
            raise refused
        return [int(part) if re.fullmatch(r"-?\d{1,6}", part, re.ASCII) else part for part in parts]
    return text


def _number_of_text(text: str, refused: BadRequest) -> int:
    """Return a whole number of few digits. Raises `refused` for anything else."""
    if not re.fullmatch(rf"-?\d{{1,{MOST_DIGITS}}}", text, re.ASCII):
        raise refused
    return int(text)
