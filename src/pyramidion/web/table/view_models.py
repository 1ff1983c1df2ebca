"""Seats, legal actions, submissions and accepted actions as viewers are shown them."""

from __future__ import annotations

from dataclasses import dataclass

from pyramidion import Action
from pyramidion.bots.labels import label
from pyramidion.engine.seals import Seal


@dataclass(slots=True)
class Seat:
    """A seat and its player, as viewers are shown them.

    Attributes:
        kind: `person`, `bot` or `open`.
        name: the player's name; None for an open seat and for a player without a name.
        bot: the bot of a bot's seat.
        present: whether the player's page or program is connected; bots always are.
        stand_in: the bot that plays until the player returns, or None.
        reserved: whether only an invited player can take the open seat.
        colour: index of the colour on the board; None for the seat's default.
        face: the face that the player chose (`faces.Face.text`), or None.
    """

    number: int
    kind: str
    name: str | None
    bot: str | None
    present: bool = False
    stand_in: str | None = None
    reserved: bool = False
    colour: int | None = None
    face: str | None = None

    @property
    def player(self) -> str | None:
        """The bot that currently plays this seat, permanently or as a stand-in; None if a person plays."""
        return (self.bot or "") if self.kind == "bot" else self.stand_in

    @property
    def level(self) -> str | None:
        """The display name of the seat's bot, `Easy`; None unless the seat is a bot's."""
        return label(self.bot) if self.kind == "bot" else None


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action of the viewer.

    A range of numbers, such as an amount, is one entry from `low` to `high`: `id` is the action of `low`, and `path`
    only the first word (`("amount",)`); the chosen number is appended to the path and the notation.
    """

    id: int
    text: str
    family: str
    path: tuple[str, ...]
    label: str
    low: int | None = None
    high: int | None = None

    @classmethod
    def of(cls, action: Action, label: str) -> LegalAction:
        """Return an action with its label."""
        return cls(action.id, action.text, action.family, action.path, label)


@dataclass(frozen=True, slots=True)
class Submission:
    """The status of a seat's submission in the current step.

    Attributes:
        open: whether it can still be changed and confirmed.
        saved: notations of the saved parts, one per family; they count when time is up.
        confirmed: whether the seat has confirmed.
    """

    open: bool
    saved: list[str]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class AcceptedAction:
    """A stored action: `version` is the acting seat's new version, `receipt` the seal of a submission."""

    version: int
    receipt: Seal | None = None
