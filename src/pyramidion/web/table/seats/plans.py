"""What a new table is made from: the plans of its seats, and its optional properties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from pyramidion.web.table.seeds import NO_CONTRIBUTION, OfferedContribution


class TableProperties(TypedDict, total=False):
    """The optional arguments for creating a table, such as its title and seed.

    `seed` is drawn if left out; `cards` is the text of a card file, by default the game's own. `holder` is the visitor
    who hosts the table; `host_token` is a token with the same rights, and `host_name` the name of a host who does not
    play.
    """

    title: str | None
    seed: int | str | None
    cards: str | None
    holder: str | None
    host_token: str | None
    host_name: str | None


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who is to sit at a seat of a new table.

    The `kind` is `me` (its creator), `here` (another person at the creator's screen), `person` (the visitor `holder`,
    who need not sit down first), `open` (anyone with the link) or `bot`. `given` is the contribution of `me` to the
    seed, and `face` a chosen face.
    """

    kind: str
    name: str | None = None
    bot: str | None = None
    given: OfferedContribution = NO_CONTRIBUTION
    holder: str | None = None
    face: str | None = None
