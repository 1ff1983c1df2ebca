"""Contest entrants: built-in bots, Python classes, API programs and HTTP endpoints.

    policy                      a built-in bot (`pyramidion.bots.names()`)
    my_bots.greedy:Greedy       a class: `Greedy(game, seed)` with `choose(box, state, seat)` or `move(match, seat)`,
                                like `Bot`, where `match` is a `SeatView`, what the seat sees
    program:python3 my_bot.py   a program that plays through the JSON API, as on a public server (`guests`)
    http://127.0.0.1:9000/move  an HTTP endpoint that is asked for every action

`name=what` sets the name shown in the standings.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from pyramidion import bots
from pyramidion.bots.player import Player
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.registry import load
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.arena.programs import command_of

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match
    from pyramidion.engine.seat_view import SeatView

PATIENCE = 60.0
"""Default time limit for a program's action, in seconds."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contest entrant, which makes its player for each game.

    Attributes:
        name: its name in the standings.
        what: its specification, in one of the forms that the module docstring lists.
    """

    name: str
    what: str

    @property
    def is_guest(self) -> bool:
        """Whether it is a program that plays through the JSON API (`pyramidion.web.arena.guests`)."""
        return self.what.startswith("program:")

    def make_player(self, game: Game, seed: str, patience: float = PATIENCE) -> Player:
        """Make the entrant's player for one game, its random generator seeded from `seed`. Raises EntrantError.

        `patience` is the time limit for an action of an HTTP endpoint, in seconds.
        """
        if self.is_guest:
            command_of(self.what)
            return Player(_ApiProgram())
        if self.what.startswith(("http://", "https://")):
            return Player(_HttpEndpoint(self.what, patience))
        if ":" in self.what:
            return Player(imported_bot(self.what)(game, seed))
        try:
            return Player(bots.load(self.what, game, seed))
        except ValueError as error:
            how = "A class is written module:Class, a program program:COMMAND or http://..."
            raise EntrantError(f"{error} {how}") from None


def read_entrants(texts: Sequence[str], game: Game | str) -> list[Entrant]:
    """Parse the specifications of entrants (see the module docstring), and check that each can make a player.

    Raises EntrantError for an unknown entrant and for two different entrants with the same name.
    """
    entrants: list[Entrant] = []
    game = load(game)
    for text in texts:
        called, equals, what = text.partition("=")
        if equals and not re.fullmatch(r"[\w .-]{1,40}", called):
            called, equals = text, ""
        entrant = Entrant(called, what) if equals else Entrant(text, text)
        entrant.make_player(game, "0")
        for other in entrants:
            if other.name == entrant.name and other != entrant:
                raise EntrantError(f"Two different entrants are called {entrant.name}; give one another name.")
        entrants.append(entrant)
    return entrants


def import_from_current_folder() -> None:
    """Let modules in the current folder be imported, as `python -m` does; an installed command does not by itself."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def imported_bot(path: str) -> Any:
    """Import the class of a bot by its path `module:name`, and return a function that makes such a bot.

    The module may be in the current folder. Raises EntrantError if the import fails.
    """
    module, _, name = path.partition(":")
    import_from_current_folder()
    try:
        made = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise EntrantError(f"{path} cannot be imported: {error}.") from None
    except AttributeError:
        raise EntrantError(f"The module {module} has nothing called {name}.") from None

    def make_bot(game: Game, seed: str) -> Any:
        """Make a bot for one seat of a game. Raises EntrantError if that fails, or if the object is no bot."""
        try:
            bot = made(game, seed)
        except (Exception, SystemExit) as error:
            raise EntrantError(f"{path}(game, seed) failed: {type(error).__name__}: {error}") from error
        if hasattr(bot, "move") or hasattr(bot, "choose"):
            return bot
        raise EntrantError(f"{path} has neither choose(box, state, seat) nor move(match, seat).")

    return make_bot


class _ApiProgram:
    """The player of an API program's seat, which is never asked: the program acts at its table by itself."""

    def move(self, match: SeatView, seat: int) -> Any:
        """Refuse to choose an action: always raise EntrantError."""
        raise EntrantError(
            f"Seat {seat} of {match.game.name} is a program's that plays at a server; it cannot be asked."
        )


class _HttpEndpoint:
    """A player that asks an HTTP endpoint: it posts the seat's view as JSON and gets `{"action": ...}` back."""

    def __init__(self, address: str, patience: float) -> None:
        self._address, self._patience = address, patience

    def move(self, match: SeatView, seat: int) -> Any:
        """Post what the seat sees to the endpoint, and return the action that it answers. Raises EntrantError."""
        position = {
            "game": match.game.id,
            "rules_version": match.rules_version,
            "seats": match.seats,
            "options": match.options_for(seat),
            "seat": seat,
            "version": match.version(seat),
            "view": match.view(seat),
            "legal": [{"id": action.id, "text": action.text} for action in match.legal(seat)],
        }
        body = json.dumps(position).encode()
        # The user supplied the address, and it starts with http:// or https://.
        asked = Request(self._address, body, {"Content-Type": "application/json"})  # noqa: S310
        try:
            with urlopen(asked, timeout=self._patience) as answer:  # noqa: S310
                action = json.load(answer)["action"]
        except (URLError, OSError, ValueError, KeyError, TypeError) as error:
            raise EntrantError(f"The program at {self._address} gave no action: {error}.") from None
        if refusal := match.refusal(seat, action):
            raise EntrantError(f"The program at {self._address} answered {str(action)[:60]!r}: {refusal.reason}")
        return action


def play_action(match: Match, seat: int, entrant: Entrant, action: Any) -> None:
    """Apply the action that an entrant chose to its match. Raises EntrantError if the action is illegal."""
    try:
        match.play(seat, action)
    except IllegalAction as error:
        raise illegal_action(entrant, action, error) from None


def illegal_action(entrant: Entrant, action: Any, error: Exception) -> EntrantError:
    """Return the EntrantError that reports an entrant's illegal action; `error` says why the action is illegal."""
    return EntrantError(f"{entrant.name} chose what is not legal, {str(action)[:60]!r}: {error}")
