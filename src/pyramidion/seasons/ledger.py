"""The ledger of a season: transfers of garnets, priority and tokens of life between contestants and the bank."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.event_log import NotPossible
from pyramidion.translation import _, marked

Currency = Literal["garnets", "priority", "tokens"]
CURRENCIES: tuple[Currency, ...] = ("garnets", "priority", "tokens")
BANK = "bank"
WORDS: dict[str, str] = {
    "garnets": marked("Garnets"),
    "priority": marked("Priority"),
    "tokens": marked("Tokens of life"),
}


@dataclass(frozen=True, slots=True)
class Transfer:
    """An amount above 0 that went from `giver` to `taker`; `entry` is the log entry that moved it."""

    entry: int
    currency: Currency
    amount: int
    giver: str
    taker: str

    def change(self, contestant: str) -> int:
        """Return by how much the transfer changes a contestant's balance."""
        return self.amount * ((self.taker == contestant) - (self.giver == contestant))


@dataclass(slots=True)
class Ledger:
    """All transfers of a season in order. One account gains what another loses, so all accounts add up to 0."""

    transfers: list[Transfer] = field(default_factory=list[Transfer])
    _balances: Counter[tuple[str, Currency]] = field(default_factory=Counter[tuple[str, Currency]])

    def balance(self, account: str, currency: Currency) -> int:
        """Return how much of a currency a contestant (by id) or the bank has."""
        return self._balances[account, currency]

    def change(self, entry: int, currency: Currency, contestant: str, amount: int) -> None:
        """Move an amount from the bank to a contestant, or back if it is negative. Raises as `move` does."""
        if amount > 0:
            self.move(entry, currency, amount, BANK, contestant)
        elif amount < 0:
            self.move(entry, currency, -amount, contestant, BANK)

    def move(self, entry: int, currency: Currency, amount: int, giver: str, taker: str) -> None:
        """Move an amount from one account to another. Raises NotPossible if the giver lacks it, or it is below 1.

        A contestant's garnets and tokens never fall below 0; priority, and what the bank has, may.
        """
        if amount < 1 or giver == taker:
            raise NotPossible(_("The amount must be 1 or more."))
        if giver != BANK and currency != "priority" and self.balance(giver, currency) < amount:
            raise NotPossible(
                _("That takes {amount}, but the balance is only {balance}.").format(
                    amount=amount, balance=self.balance(giver, currency)
                )
            )
        self._balances[giver, currency] -= amount
        self._balances[taker, currency] += amount
        self.transfers.append(Transfer(entry, currency, amount, giver, taker))
