"""Events about balances: shop, gifts, corrections, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pyramidion.event_log import Entry, NotPossible
from pyramidion.seasons.events.checks import require_in_range
from pyramidion.seasons.ledger import Currency
from pyramidion.seasons.season import (
    LARGEST,
    Item,
    Season,
)
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class ItemSet(Item):
    """A host adds an item to the shop, or changes one: `item` is the id of the one that it replaces."""

    item: str | None = None
    kind: Literal["item-set"] = "item-set"

    def apply(self, season: Season, entry: Entry) -> None:
        """Put the item in the shop."""
        limits = [limit for limit in (self.per_person, self.per_season) if limit is not None]
        if not 0 < self.price <= LARGEST or not 0 <= self.priority <= LARGEST or any(limit < 1 for limit in limits):
            raise NotPossible(_("An item costs 1 garnet or more, and limits are 1 or more."))
        if self.item is not None and self.item not in season.items:
            raise NotPossible(_("There is no such item."))
        season.items[self.item or f"i{season.made[self.kind]}"] = self


@dataclass(frozen=True, slots=True)
class ItemRemoved:
    """A host takes an item out of the shop."""

    item: str
    kind: Literal["item-removed"] = "item-removed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Remove the item."""
        if season.items.pop(self.item, None) is None:
            raise NotPossible(_("There is no such item."))


@dataclass(frozen=True, slots=True)
class Bought:
    """A contestant buys an item of the shop."""

    contestant: str
    item: str
    kind: Literal["bought"] = "bought"

    def apply(self, season: Season, entry: Entry) -> None:
        """Take the price from the contestant, and add the item's priority to theirs."""
        who, item = season.contestant(self.contestant).id, season.items.get(self.item)
        if item is None:
            raise NotPossible(_("There is no such item."))
        season.require_free(who)
        sold = sum(count for (_who, what), count in season.bought.items() if what == self.item)
        if item.per_person is not None and season.bought[who, self.item] >= item.per_person:
            raise NotPossible(_("You cannot buy more of this."))
        if item.per_season is not None and sold >= item.per_season:
            raise NotPossible(_("This is sold out."))
        season.require_garnets(who, item.price)
        season.bought[who, self.item] += 1
        season.ledger.change(entry.number, "garnets", who, -item.price)
        season.ledger.change(entry.number, "priority", who, item.priority)


@dataclass(frozen=True, slots=True)
class Gave:
    """A contestant gives garnets to another one."""

    contestant: str
    to: str
    amount: int
    kind: Literal["gave"] = "gave"

    def apply(self, season: Season, entry: Entry) -> None:
        """Move the garnets."""
        if not season.settings.gifts:
            raise NotPossible(_("Gifts are not allowed in this season."))
        for who in (self.contestant, self.to):
            season.require_free(season.contestant(who).id)
        season.require_garnets(self.contestant, self.amount)
        season.ledger.move(entry.number, "garnets", self.amount, self.contestant, self.to)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A host changes a contestant's balance, and gives a reason."""

    contestant: str
    currency: Currency
    amount: int
    kind: Literal["corrected"] = "corrected"

    def apply(self, season: Season, entry: Entry) -> None:
        """Change the balance."""
        if not entry.reason.strip():
            raise NotPossible(_("Give a reason."))
        if self.amount == 0:
            raise NotPossible(_("Enter a change other than 0."))
        require_in_range(self.amount)
        if self.currency != "tokens":
            season.require_free(self.contestant)
        season.ledger.change(entry.number, self.currency, season.contestant(self.contestant).id, self.amount)


@dataclass(frozen=True, slots=True)
class TiesBroken:
    """The server makes equal priorities different.

    Of equal ones, that of whoever comes first in the drawn `order` stays lowest.
    """

    order: tuple[str, ...]
    kind: Literal["ties-broken"] = "ties-broken"

    def raised(self, priority: dict[str, int]) -> dict[str, int]:
        """Return the priorities by contestant, raised by as little as possible so that none are equal."""
        last: int | None = None
        priorities: dict[str, int] = {}
        for who in sorted(self.order, key=lambda who: priority[who]):
            last = priorities[who] = priority[who] if last is None else max(priority[who], last + 1)
        return priorities

    def apply(self, season: Season, entry: Entry) -> None:
        """Raise the priorities."""
        before = {who: season.ledger.balance(who, "priority") for who in self.order}
        for who, priority in self.raised(before).items():
            season.ledger.change(entry.number, "priority", who, priority - before[who])
