"""Tournaments as the server reads them, with their visitors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyramidion.tournaments.state import Part, Tournament
from pyramidion.web.competitions.rows import vacant
from pyramidion.web.errors import Refused


class UnknownTournament(Refused, LookupError):
    """The tournament does not exist or is hidden from the requester."""

    status = 404
    code = "unknown-tournament"


@dataclass(frozen=True, slots=True)
class LoadedTournament:
    """A tournament as read from the database, with its visitors. It is never changed in place.

    `people` are visitor ids by player id, and that of the host under `host`. `private` says whether it belongs to a
    private club. `owners` are the owners of those visitors that are bots.
    """

    id: str
    state: Tournament
    people: Mapping[str, str] = field(default_factory=dict[str, str])
    private: bool = False
    owners: Mapping[str, str] = field(default_factory=dict[str, str])

    def who(self, holder: str | None) -> str | None:
        """Return the id of the player that a visitor is, unless withdrawn; None if there is none."""
        mine = (who for who, visitor in self.people.items() if visitor == holder and who in self.state.players)
        return next((who for who in mine if self.state.players[who].out is None), None)

    def vacant(self) -> list[str]:
        """Return the ids of players to withdraw: those of deleted accounts, and a visitor's second entries."""
        present = [who for who in self.state.signed_up if self.state.players[who].bot is None]
        return vacant({who: self.people[who] for who in present}) if self.state.step != "over" else []

    def hosted_by(self, holder: str | None) -> bool:
        """Return whether a visitor is the host."""
        return holder is not None and self.people.get("host") == holder

    @property
    def host_plays(self) -> bool:
        """Whether the host or a bot of the host's account takes part. Then the host hosts none of the tables."""
        return any(self.belongs_to_host(who) for who in self.state.remaining)

    def belongs_to_host(self, who: str) -> bool:
        """Return whether a player is the host or a bot of the host's account."""
        player, host = self.people.get(who), self.people.get("host")
        return player is not None and host is not None and host in (player, self.owners.get(player))

    def part(self, holder: str | None) -> Part | None:
        """Return a visitor's part as a player, such as being on the waiting list; None for other visitors."""
        mine = [who for who, visitor in self.people.items() if visitor == holder and who in self.state.players]
        return self.state.part(self.who(holder) or mine[-1]) if mine else None
