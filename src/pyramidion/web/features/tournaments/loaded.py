"""Tournaments as the server reads them, with their visitors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyramidion.tournaments.state import Part, Tournament
from pyramidion.web.competitions.rows import vacant
from pyramidion.web.errors import Refused


class UnknownTournament(Refused, LookupError):
    """A tournament that is not here."""

    status = 404
    code = "unknown-tournament"


@dataclass(frozen=True, slots=True)
class LoadedTournament:
    """A tournament as it is stored, with its visitors by player id or `host`. It is not changed.

    `private`: whether it belongs to a private club. `owners`: the owners of visitors that are bots.
    """

    id: str
    state: Tournament
    people: Mapping[str, str] = field(default_factory=dict[str, str])
    private: bool = False
    owners: Mapping[str, str] = field(default_factory=dict[str, str])

    def who(self, holder: str | None) -> str | None:
        """Return which player a visitor is who has not withdrawn, or None."""
        mine = (who for who, visitor in self.people.items() if visitor == holder and who in self.state.players)
        return next((who for who in mine if self.state.players[who].out is None), None)

    def vacant(self) -> list[str]:
        """Return the players to withdraw: those of deleted accounts, and second entries of one visitor."""
        present = [who for who in self.state.signed_up if self.state.players[who].bot is None]
        return vacant({who: self.people[who] for who in present}) if self.state.step != "over" else []

    def hosted_by(self, holder: str | None) -> bool:
        """Return whether a visitor is the host."""
        return holder is not None and self.people.get("host") == holder

    @property
    def host_plays(self) -> bool:
        """Whether the host takes part, or a bot of the host's account, and so hosts none of the tables."""
        return any(self.belongs_to_host(who) for who in self.state.remaining)

    def belongs_to_host(self, who: str) -> bool:
        """Return whether a player is the host, or a bot of the host's account."""
        player, host = self.people.get(who), self.people.get("host")
        return player is not None and host is not None and host in (player, self.owners.get(player))

    def part(self, holder: str | None) -> Part | None:
        """Return what a visitor's part as a player is, or None."""
        mine = [who for who, visitor in self.people.items() if visitor == holder and who in self.state.players]
        return self.state.part(self.who(holder) or mine[-1]) if mine else None
