"""Who takes part: bots by name, Python classes by import path, programs that answer over HTTP.

    policy                      a bot of this package (`pyramidion.bots.names()`)
    my_bots.greedy:Greedy       a class: `Greedy(game, seed)` with `choose(box, state, seat)`, as `Bot` has it
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

ANSWER_SECONDS = 60.0
"""How long a program over HTTP may take for an action."""


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

    def sit(self, game: Game, seed: str) -> Player:
        """Return a player for one game, whose own chance comes from `seed`. Raises NoEntrant with a sentence."""
        if self.what.startswith(("http://", "https://")):
            return _Program(self.what)
        if ":" in self.what:
            return _imported(self.what)(game, seed)
        try:
            return bots.load(self.what, game, seed)
        except ValueError as error:
            raise NoEntrant(f"{error} A class is written module:Class, a program by its address http://...") from None


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


class _Program:
    """A program over HTTP. It is sent what the JSON API would tell its seat, and answers `{"action": ...}`."""

    def __init__(self, address: str) -> None:
        self._address = address

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
            with urlopen(asked, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
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
        raise NoEntrant(f"{entrant.name} chose what is not legal, {str(action)[:60]!r}: {error}") from None
