"""Who may do what in a tournament, and under which name somebody signs up."""

from __future__ import annotations

from pyramidion.names import alike
from pyramidion.tournaments.events import HostEvent, Joined, PlacesEntered, Replaced, Returned
from pyramidion.translation import _
from pyramidion.web.competitions.limits import MOST_ENTRIES, MOST_SIGN_UPS
from pyramidion.web.errors import NotPossibleNow, NotYours
from pyramidion.web.features.tournaments.loaded import LoadedTournament
from pyramidion.web.features.tournaments.matches import check_bot
from pyramidion.web.names import clean_name, player_name


def newcomer_name(loaded: LoadedTournament, holder: str | None, name: str, *, bot: bool = False) -> str:
    """Check and return the name of a newcomer: the visitor `holder`, or None for a bot that the host adds.

    Only a visitor that is itself a `bot` can have a bot's name. Raises BadRequest or NotPossibleNow.
    """
    called = (clean_name if bot else player_name)(name) or ""
    if alike(called, loaded.state.host) and not loaded.hosted_by(holder):
        raise NotPossibleNow(_("The name {name} is taken.").format(name=loaded.state.host))
    return called


def require_allowed(loaded: LoadedTournament, event: HostEvent) -> None:
    """Raise NotPossibleNow or BadTable if the host must not bring about an event that the rules would allow."""
    if isinstance(event, Joined | Replaced):
        check_bot(event.bot)
    if isinstance(event, Replaced) and loaded.host_plays:
        raise NotPossibleNow(_("You take part, so you cannot let bots play for others."))
    if isinstance(event, Returned) and loaded.who(loaded.people.get(event.player)) is not None:
        raise NotPossibleNow(_("This player has signed up again."))
    if isinstance(event, Returned) and loaded.belongs_to_host(event.player) and loaded.state.draw:
        raise NotPossibleNow(_("You have hosted the tables since you withdrew, so you cannot take part again."))
    if isinstance(event, PlacesEntered):
        rounds = loaded.state.rounds[event.round - 1 : event.round] if event.round > 0 else []
        players = [group.players for group in (rounds[0].groups if rounds else [])][event.group : event.group + 1]
        present = [who for seats in players for who in seats if loaded.state.players[who].out is None]
        if any(loaded.belongs_to_host(who) for seats in players for who in seats) and len(present) > 1:
            message = _(
                "You play at this table, so you cannot decide its result while others who play there take part."
            )
            raise NotPossibleNow(message)


def require_host(loaded: LoadedTournament, holder: str | None) -> None:
    """Raise NotYours unless a visitor is the host of a tournament."""
    if not loaded.hosted_by(holder):
        raise NotYours(_("Only the host can do that."))


def require_room(loaded: LoadedTournament, newcomer: str | None = None) -> None:
    """Raise NotPossibleNow if people can add nothing more to a tournament's log, or a visitor not sign up again."""
    if len(loaded.state.log) >= MOST_ENTRIES:
        raise NotPossibleNow(_("This tournament is full: its log has {limit} entries.").format(limit=MOST_ENTRIES))
    if newcomer is not None and list(loaded.people.values()).count(newcomer) >= MOST_SIGN_UPS:
        message = _("You have signed up {limit} times, which is the most for one person.")
        raise NotPossibleNow(message.format(limit=MOST_SIGN_UPS))
