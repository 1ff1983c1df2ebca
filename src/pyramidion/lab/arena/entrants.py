"""Who takes part: bots by name, Python classes by import path, programs that play by the API or answer over HTTP.

    policy                      a bot of this package (`pyramidion.bots.names()`)
    my_bots.greedy:Greedy       a class: `Greedy(game, seed)` with `choose(box, state, seat)`, as `Bot` has it
    program:python3 my_bot.py   a program that plays by the JSON API, as at a server of people's (`guests`)
    http://127.0.0.1:9000/move  a program that is asked for every action

Any of them may be called something else in the standings: `name=what`.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.error import URLError
from urllib.request import Request, urlopen

from pyramidion import bots
from pyramidion.engine.match import IllegalAction

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match

PATIENCE = 60.0
"""How many seconds a program may take for an action."""


class NoEntrant(ValueError):
    """What was named is no bot, cannot be imported, or has failed; the message is a sentence."""


class Player(Protocol):
    """Somebody who plays one seat of one game."""

    def move(self, match: Match, seat: int) -> Any:
        """Return an action of `seat`: itself, its id or its notation."""
        ...


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant: its name in the standings, and what it is."""

    name: str
    what: str

    @property
    def is_guest(self) -> bool:
        """Whether it is a program that plays at a server, with which `guests` plays."""
        return self.what.startswith("program:")

    def sit(self, game: Game, seed: str, patience: float = PATIENCE) -> Player:
        """Return a player for one game, whose own chance comes from `seed`. Raises NoEntrant with a sentence.

        `patience` is in seconds, for a program's action.
        """
        if self.is_guest:
            from pyramidion.lab.arena.programs import command_of

            command_of(self.what)
            return _Guest()
        if self.what.startswith(("http://", "https://")):
            return _Answering(self.what, patience)
        if ":" in self.what:
            return _imported(self.what)(game, seed)
        try:
            return bots.load(self.what, game, seed)
        except ValueError as error:
            how = "A class is written module:Class, a program program:COMMAND or http://..."
            raise NoEntrant(f"{error} {how}") from None


def read_entrants(texts: Sequence[str], game: Game) -> list[Entrant]:
    """Return the entrants that are meant, in order, and try each once; see the module's own words.

    Raises NoEntrant for one that is not there and for two of one name that are not the same.
    """
    entrants: list[Entrant] = []
    for text in texts:
        called, equals, what = text.partition("=")
        if equals and not re.fullmatch(r"[\w .-]{1,40}", called):
            called, equals = text, ""
        entrant = Entrant(called, what) if equals else Entrant(text, text)
        entrant.sit(game, "0")
        for other in entrants:
            if other.name == entrant.name and other != entrant:
                raise NoEntrant(f"Two different entrants are called {entrant.name}; give one another name.")
        entrants.append(entrant)
    return entrants


def _imported(path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        made = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise NoEntrant(f"{path} cannot be imported: {error}.") from None
    except AttributeError:
        raise NoEntrant(f"The module {module} has nothing called {name}.") from None

    def sit(game: Game, seed: str) -> Player:
        try:
            bot = made(game, seed)
        except Exception as error:
            raise NoEntrant(f"{path}(game, seed) failed: {type(error).__name__}: {error}") from error
        if hasattr(bot, "move"):
            return bot
        if hasattr(bot, "choose"):
            return _Chooser(bot)
        raise NoEntrant(f"{path} has neither choose(box, state, seat) nor move(match, seat).")

    return sit


class _Chooser:
    """A bot that is no subclass of `Bot`: it is shown the redacted state and nothing else."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot

    def move(self, match: Match, seat: int) -> int:
        return int(self._bot.choose(match.box, match.redacted_state(seat), seat))


class _Guest:
    """A program that plays by the API. It is not asked; what it does is seen at its table."""

    def move(self, match: Match, seat: int) -> Any:
        raise NoEntrant(f"Seat {seat} of {match.game.name} is a program's that plays at a server; it cannot be asked.")


class _Answering:
    """A program over HTTP. It is sent what the JSON API would tell its seat, and answers `{"action": ...}`."""

    def __init__(self, address: str, patience: float) -> None:
        self._address, self._patience = address, patience

    def move(self, match: Match, seat: int) -> Any:
        position = {
            "game": match.game.id,
            "rules_version": match.game.rules_version,
            "seats": match.seats,
            "options": match.options,
            "seat": seat,
            "version": match.version(seat),
            "view": match.view(seat),
            "legal": [{"id": action.id, "text": action.text} for action in match.legal(seat)],
        }
        body = json.dumps(position).encode()
        # The address is the user's own, and begins with http.
        asked = Request(self._address, body, {"Content-Type": "application/json"})  # noqa: S310
        try:
            with urlopen(asked, timeout=self._patience) as answer:  # noqa: S310
                action = json.load(answer)["action"]
        except (URLError, OSError, ValueError, KeyError, TypeError) as error:
            raise NoEntrant(f"The program at {self._address} gave no action: {error}.") from None
        if refusal := match.refusal(seat, action):
            raise NoEntrant(f"The program at {self._address} answered {str(action)[:60]!r}: {refusal.reason}")
        return action


def play_action(match: Match, seat: int, entrant: Entrant, action: Any) -> None:
    """Play what an entrant has answered. Raises NoEntrant, a sentence, where it is not legal."""
    try:
        match.play(seat, action)
    except IllegalAction as error:
        raise not_legal(entrant, action, error) from None


def not_legal(entrant: Entrant, action: Any, error: Exception) -> NoEntrant:
    """Return what is raised where an entrant has chosen what is not legal."""
    return NoEntrant(f"{entrant.name} chose what is not legal, {str(action)[:60]!r}: {error}")
