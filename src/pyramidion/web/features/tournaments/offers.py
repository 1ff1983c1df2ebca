"""What the page of a tournament offers its visitor: exactly what would not be refused."""

from __future__ import annotations

from dataclasses import dataclass

from pyramidion.tournaments.events import HostEvent, PlacesEntered, Replaced, Returned
from pyramidion.tournaments.state import possible
from pyramidion.web.errors import Refused
from pyramidion.web.features.tournaments.loaded import LoadedTournament
from pyramidion.web.features.tournaments.permissions import require_allowed


@dataclass(frozen=True, slots=True)
class Offers:
    """The controls that the page of a tournament offers its visitor.

    Attributes:
        join, leave: whether the visitor can sign up, or withdraw.
        begin: whether the host can start the tournament or its next round.
        bot: whether the host can add a bot.
        remove, replace, take_back: the ids of players whom the host can remove, replace by a bot, or take back.
        results: the tables, by round and index, whose results the host can enter or correct.
    """

    join: bool
    leave: bool
    begin: bool = False
    bot: bool = False
    remove: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    take_back: tuple[str, ...] = ()
    results: frozenset[tuple[int, int]] = frozenset()


def offers(loaded: LoadedTournament, holder: str | None, *, welcome: bool = True) -> Offers:
    """Return what a visitor can do in a tournament; `welcome` says whether the host lets the visitor sign up."""
    state, who = loaded.state, loaded.who(holder)
    opened, goes_on = state.step == "signup" and possible(state.require_open), state.step != "over"
    join, leave = opened and welcome and who is None, goes_on and who is not None
    if not loaded.hosted_by(holder):
        return Offers(join, leave)
    present = [player for player in state.players.values() if player.out is None and goes_on]
    # A host who plays withdraws instead, and has nobody to stand in for before the start.
    others = [player for player in present if player.id != who]
    return Offers(
        join,
        leave,
        begin=state.step == "round" or (state.step == "signup" and possible(state.require_startable)),
        bot=opened,
        remove=tuple(player.id for player in others),
        replace=tuple(
            player.id
            for player in (others if state.step == "signup" else present)
            if player.bot is None and _possible(loaded, Replaced(player.id, "random"))
        ),
        take_back=tuple(
            who for who in state.removed if possible(state.require_returnable, who) and _possible(loaded, Returned(who))
        ),
        results=frozenset(
            (played.number, index)
            for played in state.rounds
            for index in range(len(played.groups))
            if possible(state.require_changeable, played.number)
            and _possible(loaded, PlacesEntered(played.number, index, ()))
        ),
    )


def _possible(loaded: LoadedTournament, event: HostEvent) -> bool:
    """Return whether the host could bring about an event now."""
    try:
        require_allowed(loaded, event)
    except Refused:
        return False
    return True
