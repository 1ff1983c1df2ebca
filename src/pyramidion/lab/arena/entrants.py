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
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from pyramidion import bots
from pyramidion.bots.player import Player
from pyramidion.engine.errors import IllegalAction
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
    """A contest entrant: its name in the standings and its specification."""

    name: str
    what: str

    @property
    def is_guest(self) -> bool:
        """Whether it is a program that plays through the JSON API (see `guests`)."""
        return self.what.startswith("program:")

    def make_player(self, game: Game, seed: str, patience: float = PATIENCE) -> Player:
        """Return a player for one game with its random generator seeded from `seed`. Raises EntrantError.

        `patience` is the time limit for a program's action, in seconds.
        """
        if self.is_guest:
            command_of(self.what)
            return Player(_ApiProgram())
        if self.what.startswith(("http://", "https://")):
            return Player(_HttpEndpoint(self.what, patience))
        if ":" in self.what:
            return Player(_imported(self.what)(game, seed))
        try:
            return Player(bots.load(self.what, game, seed))
        except ValueError as error:
            how = "A class is written module:Class, a program program:COMMAND or http://..."
            raise EntrantError(f"{error} {how}") from None


def read_entrants(texts: Sequence[str], game: Game) -> list[Entrant]:
    """Parse entrants (see the module docstring) and check that each can be created.

    Raises EntrantError for an unknown entrant and for two different entrants with the same name.
    """
    entrants: list[Entrant] = []
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


def _imported(path: str) -> Any:
    """Return a function that seats the bot with an import path `module:name`. Raises EntrantError."""
    module, _, name = path.partition(":")
    try:
        made = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise EntrantError(f"{path} cannot be imported: {error}.") from None
    except AttributeError:
        raise EntrantError(f"The module {module} has nothing called {name}.") from None

    def sit(game: Game, seed: str) -> Any:
        """Make a bot for a seat of a game. Raises EntrantError if that fails, or it is none."""
        try:
            bot = made(game, seed)
        except Exception as error:
            raise EntrantError(f"{path}(game, seed) failed: {type(error).__name__}: {error}") from error
        if hasattr(bot, "move") or hasattr(bot, "choose"):
            return bot
        raise EntrantError(f"{path} has neither choose(box, state, seat) nor move(match, seat).")

    return sit


class _ApiProgram:
    """A placeholder for an API program, which acts at its table instead of being asked."""

    def move(self, match: SeatView, seat: int) -> Any:
        raise EntrantError(
            f"Seat {seat} of {match.game.name} is a program's that plays at a server; it cannot be asked."
        )


class _HttpEndpoint:
    """An HTTP endpoint: it receives the seat's view as JSON and answers `{"action": ...}`."""

    def __init__(self, address: str, patience: float) -> None:
        self._address, self._patience = address, patience

    def move(self, match: SeatView, seat: int) -> Any:
        """Post what the seat sees to the program, and return the action that it answers. Raises EntrantError."""
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
    """Play an entrant's action. Raises EntrantError if it is illegal."""
    try:
        match.play(seat, action)
    except IllegalAction as error:
        raise illegal_action(entrant, action, error) from None


def illegal_action(entrant: Entrant, action: Any, error: Exception) -> EntrantError:
    """Return the exception for an entrant's illegal action."""
    return EntrantError(f"{entrant.name} chose what is not legal, {str(action)[:60]!r}: {error}")
