"""What a tournament tells: the players of tables, and the tournament's webhook, of rounds and of the winner."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyramidion.tournaments.events import RoundOpened, TableOpened
from pyramidion.tournaments.standings import winner
from pyramidion.tournaments.state import Tournament
from pyramidion.translation import _, marked
from pyramidion.web.table.events import Notice


def channel(tournament: str) -> str:
    """Return the id that stands for a tournament's webhook as the recipient of notices."""
    return f"tournament:{tournament}"


def notices(tournament: str, people: Mapping[str, str], before: Tournament, after: Tournament) -> list[Notice]:
    """Return the notices about the log entries by which a tournament has grown to `after`.

    `people` are visitor ids by player id, and that of the host under `host`.
    """
    title, link, collected = after.settings.title, f"/tournaments/{tournament}", list[Notice]()

    def tell(person: str, kind: str, number: int, text: Callable[[], str]) -> None:
        """Add a notice to a person about entry `number` of the log."""
        collected.append(Notice(f"{tournament}.{number}", person, kind, title, text, link))

    def begun() -> str:
        """Return the sentence that a round has begun, in the reader's language."""
        number = len(after.rounds)
        if after.is_final(number):
            return _("{tournament}: the final has begun.").format(tournament=title)
        return _("{tournament}: round {number} has begun.").format(tournament=title, number=number)

    def match_started() -> str:
        """Return the sentence that the reader's match has started."""
        return _("{tournament}: your match has started.").format(tournament=title)

    for entry in after.log[len(before.log) :]:
        event = entry.event
        if isinstance(event, RoundOpened):
            tell(channel(tournament), "started", entry.number, begun)
        if isinstance(event, TableOpened):
            seated = after.group(event.round, event.group).players
            persons = [who for who in seated if after.players[who].bot is None]
            if len(persons) == 1:  # a table with several people tells them itself
                tell(people[persons[0]], "started", entry.number, match_started)
    for who, pattern in _waiting_list_changes(before, after).items():
        if who in people:
            text = lambda pattern=pattern: _(pattern).format(tournament=title)  # noqa: E731
            tell(people[who], "line", after.log[-1].number, text)
    if after.step == "over" and before.step != "over":
        best = winner(after)
        over = marked("{tournament}: {name} has won.") if best else marked("{tournament} is over, without a winner.")
        text = lambda: _(over).format(tournament=title, name=after.name(best or ""))  # noqa: E731
        present = (holder for who, holder in people.items() if who == "host" or after.players[who].out is None)
        for person in {channel(tournament), *present}:
            tell(person, "over", after.log[-1].number, text)
    return collected


def _waiting_list_changes(before: Tournament, after: Tournament) -> dict[str, str]:
    """Return a marked sentence for each player, by id, whose place on the waiting list or in the draw has changed."""
    if before.draw:
        return {}
    sentences: dict[str, str] = {}
    for who in after.waiting:
        if after.draw:
            sentences[who] = marked("{tournament} has started. All places were taken, so you do not play.")
        elif who not in before.waiting:
            sentences[who] = marked("{tournament}: all places are taken, so you are on the waiting list.")
    for who in before.waiting:
        if who in after.entrants:
            sentences[who] = marked("{tournament}: you have moved up from the waiting list and take part.")
    return sentences


def stuck(tournament: str, people: Mapping[str, str], state: Tournament) -> list[Notice]:
    """Return the notice that tells the host that a tournament cannot go on; none without a host."""
    title, number = state.settings.title, len(state.log)

    def text() -> str:
        """Return the sentence that the host has to act, in the reader's language."""
        sentence = _("{tournament} cannot go on. Its page says why, and what you can do.")
        return sentence.format(tournament=title)

    link = f"/tournaments/{tournament}"
    host = people.get("host")
    return [Notice(f"{tournament}.{number}.stuck", host, "turn", title, text, link)] if host is not None else []
