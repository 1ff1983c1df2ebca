"""`Player`: a bot that gets only its seat's view of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.bots.bot import Bot
from pyramidion.engine.layout import copy_of

if TYPE_CHECKING:
    from pyramidion.engine.match import Match


@dataclass(frozen=True, slots=True)
class Player:
    """A wrapper of a bot, or of another object with one of its methods, that shows it only its seat's view of a match.

    `move(match, seat)`, if the bot has one of its own, is given `match.seen_by(seat)`; otherwise `choose(box, state,
    seat)` is given copies that are redacted for the seat. The bot never holds the match.
    """

    bot: Any

    def move(self, match: Match, seat: int) -> Any:
        """Return the bot's action for `seat`, as an `Action`, its id or its notation, without playing it."""
        move = getattr(self.bot, "move", None)
        if move is None or getattr(move, "__func__", None) is Bot.move:
            return self.bot.choose(copy_of(match.box_for(seat)), match.redacted_state(seat), seat)
        return move(match.seen_by(seat), seat)
