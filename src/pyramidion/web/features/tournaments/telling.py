"""What a tournament tells: the players of tables, and the tournament's webhook, of rounds and of the winner."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyramidion.tournaments.events import RoundOpened, TableOpened
from pyramidion.tournaments.standings import standings
from pyramidion.tournaments.state import Tournament
from pyramidion.web.table.events import Notice
from pyramidion.words import _


def channel(tournament: str) -> str:
    """Return the id that notices for a tournament's webhook have as their person."""
    return f"tournament:{tournament}"


def notices(tournament: str, people: Mapping[str, str], before: Tournament, after: Tournament) -> list[Notice]:
    """Return the notices of what `after` has more than `before`."""
    title, link, found = after.settings.title, f"/tournaments/{tournament}", list[Notice]()

    def tell(person: str, kind: str, number: int, text: Callable[[], str]) -> None:
        found.append(Notice(f"{tournament}.{number}", person, kind, title, text, link))

    def begun() -> str:
        return _("{tournament}: round {number} has begun.").format(tournament=title, number=len(after.rounds))

    def started() -> str:
        return _("{tournament}: your match has started.").format(tournament=title)

    for entry in after.log[len(before.log) :]:
        event = entry.event
        if isinstance(event, RoundOpened):
            tell(channel(tournament), "started", entry.number, begun)
        if isinstance(event, TableOpened):
            seated = after.group(event.round, event.group).players
            persons = [who for who in seated if after.players[who].bot is None]
            if len(persons) == 1:  # a table with several people tells them itself
                tell(people[persons[0]], "started", entry.number, started)
    if after.step == "over" and before.step != "over":
        name = after.name(standings(after)[0].player)
        said = lambda: _("{tournament}: {name} has won.").format(tournament=title, name=name)  # noqa: E731
        for person in {channel(tournament), *people.values()}:
            tell(person, "over", after.log[-1].number, said)
    return found
