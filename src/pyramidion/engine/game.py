"""`Game`: the one declaration from which registry, laws, pages, command line and documents follow."""

from __future__ import annotations

import gc
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.engine.actions import ActionSpace
from pyramidion.engine.cards import CardFile
from pyramidion.engine.compiled import Compiled
from pyramidion.engine.events import EventSpace
from pyramidion.engine.layout import Layout, as_bytes, record
from pyramidion.engine.options import Option, accept_options
from pyramidion.engine.orders import OrderBook
from pyramidion.engine.rule import INTERPRETED
from pyramidion.words import SOURCE, _, language

if TYPE_CHECKING:
    from pyramidion.engine.match import Match


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not legal: the number of the rule (`PZ 4.3`, or empty) and a sentence.

    A page shows what the sentence speaks of: `pieces` are the ids (as in actions' paths) of what on the board stands in
    the way, `total` a sum that would pass a limit: what there is, what would be added, and the limit.
    """

    rule: str
    reason: str
    pieces: tuple[str, ...] = field(default=(), repr=False)
    total: tuple[int, int, int] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Credits:
    """Who made the game that is played here."""

    designers: tuple[str, ...]
    publishers: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, eq=False)
class Game:
    """A game: what it consists of (data) and what happens in it (its modules `rules`, `mind`, `view`).

    Attributes:
        id: name in addresses and records, `ponzi-scheme`.
        prefix: what its rule numbers begin with, `PZ`.
        seats: how many may play, a range.
        usual_seats: how many a new table has.
        rules_version: raised whenever a change of rules changes a recorded game.
        layout, box, actions, events, options: what exists, declared in the game's layout.py.
        fill_box: writes a card file into a box record; raises BadCards.
        rules: module with setup, legal, apply, payoff, points, timeout (compiled).
        mind: module with redeal, policy, observe and, where the game knows a good guess, prospects (compiled), and
            OBSERVATION, its documented parts.
        view: module with view, refusal, tell, label.
        invariants: returns a sentence about the first thing that is not accounted for in a state record, or None.
        longest: decisions after which every game has ended, for a number of seats.
        payoff_form: `share` (of one win) or `sign` (+1, 0, -1 per seat).
        submissions_open: whether everybody sees what was submitted when a simultaneous step resolves, so that seals may
            be opened then; otherwise they are opened at the end.
        orders: module of what can be ordered in advance (`engine.orders.OrderBook`), or None.
        levels: by name, iterations and temperature of those levels of the search that are others here than usually;
            each is to be clearly weaker than the next (docs/strength).
        folder: where cards.toml, rules.md, board.html and board.css lie.
        shared: where parts of boards lie that several games have in common: templates, board.css, board.svg.
    """

    id: str
    name: str
    prefix: str
    summary: str
    credits: Credits
    seats: range
    usual_seats: int
    rules_version: int
    layout: Layout
    box: np.dtype[Any]
    fill_box: Callable[[CardFile, Any], None]
    options: Mapping[str, Option]
    actions: ActionSpace
    events: EventSpace
    rules: Any
    mind: Any
    view: Any
    invariants: Callable[[Any, Any], str | None]
    longest: Callable[[int], int]
    payoff_form: str
    folder: Path
    submissions_open: bool = False
    orders: OrderBook | None = None
    shared: Path | None = None
    levels: Mapping[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])
    _boxes: dict[tuple[Any, ...], Any] = field(default_factory=dict[tuple[Any, ...], Any], repr=False)

    def new(self, seats: int | None = None, seed: int | str = 0, *, cards: str | None = None, **options: Any) -> Match:
        """Return a match at its opening.

        `cards` is the text of a card file to play with instead of the game's own. Raises ValueError with a sentence
        that
        names the option, the seats or the card that is wrong, and what it can be.
        """
        from pyramidion.engine.match import Match

        return Match(self, seats if seats is not None else self.usual_seats, seed, options, cards)

    @cached_property
    def compiled(self) -> Compiled:
        """The entry points that Python calls."""
        return Compiled(self.rules, self.mind)

    def accept_seats(self, seats: Any) -> int:
        """Return a number of seats that the game can have. Raises ValueError naming the range."""
        if isinstance(seats, bool) or not isinstance(seats, int) or seats not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            said = _("{game} has {low} seats, not {seats}.")
            if low != high:
                said = _("{game} has {low} to {high} seats, not {seats}.")
            raise ValueError(said.format(game=_(self.name), low=low, high=high, seats=str(seats)[:20]))
        return seats

    def accept_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return every option with the value given or its default. Raises ValueError naming option and range."""
        return accept_options(self.options, given)

    def make_box(self, options: Mapping[str, Any], cards: str | None = None) -> Any:
        """Return the read-only box, shape (1,), for accepted options and a card file's text (default: the game's
        own).
        """
        key = (tuple(sorted(options.items())), cards)
        box = self._boxes.get(key)
        if box is None:
            box = np.zeros(1, self.box)
            entry = record(box)
            self.fill_box(CardFile(cards) if cards is not None else self.own_cards, entry)
            for name, option in self.options.items():
                entry[name] = option.stored(options[name])
            if INTERPRETED:
                box = box.view(np.recarray)
            if len(self._boxes) > 256:
                self._boxes.clear()
            self._boxes[key] = box
        return box

    @cached_property
    def own_cards(self) -> CardFile:
        """The game's own card file; an empty one for a game without cards."""
        path = self.folder / "cards.toml"
        return CardFile(path.read_text("utf-8") if path.exists() else "")

    @cached_property
    def rules_text(self) -> str:
        """The rules page, Markdown, in English: the one that the others are made from."""
        return (self.folder / "rules.md").read_text("utf-8")

    @property
    def rules_language(self) -> str:
        """The language in which whoever speaks now reads the rules: English where they are not translated."""
        return SOURCE if _translated_rules(self.folder, language()) is None else language()

    @property
    def rules_read(self) -> str:
        """The rules page in the language that is spoken (`locale/rules.fr.md`); in English where there is none."""
        return _translated_rules(self.folder, language()) or self.rules_text

    def rule_name(self, number: int) -> str:
        """Return how a rule number is written: 9_01 is `PZ 9.1`, 3_00 is `PZ 3`."""
        part = f".{number % 100}" if number % 100 else ""
        return f"{self.prefix} {number // 100}{part}"

    @cached_property
    def rule_numbers(self) -> tuple[str, ...]:
        """The numbers of all rules on the rules page, in order: `4.3`."""
        return tuple(dict.fromkeys(re.findall(r"^- \*\*(\d+\.\d+)\*\*", self.rules_text, re.MULTILINE)))

    def names(self, names: Any = None) -> list[str]:
        """Return a name for every seat that the layout has: those given, or `Seat 2`."""
        given = list(names or ())
        return [
            given[i] if i < len(given) else _("Seat {number}").format(number=i) for i in range(self.layout.max_seats)
        ]

    def warm(self, progress: Callable[[str], None] | None = None) -> None:
        """Compile whatever is not yet in the cache, or load it. `progress` is told each entry point by name."""
        # The compiler makes millions of objects that stay; looking through them again and again takes time.
        usual = gc.get_threshold()
        gc.set_threshold(200_000, 50, 50)
        try:
            self._warm(progress)
        finally:
            gc.set_threshold(*usual)

    def _warm(self, progress: Callable[[str], None] | None) -> None:
        with _WARMING:
            seats = self.seats[0]
            match = self.new(seats)
            box, ids = match.box, np.zeros(len(self.actions), np.int32)
            weights, floats = np.zeros(len(self.actions)), np.zeros(self.layout.max_seats)
            numbers = np.zeros(self.layout.max_seats, np.int32)
            chance, raw = np.zeros(1, np.uint64), None

            def said(name: str) -> None:
                if progress:
                    progress(name)

            said("legal, step")
            seat = match.acting[0]
            match.play(seat, match.legal_ids(seat)[0])
            said("timeout")
            match.timeout(match.acting[0])
            said("payoff, points")
            state = match.state_copy()
            self.compiled.payoff(box, state, floats)
            self.compiled.points(box, state, numbers)
            said("redact")
            seat = match.acting[0]
            shown = self.layout.redact(state, seat)
            said("policy")
            self.compiled.policy(box, shown, seat, ids, weights)
            said("observe")
            self.compiled.observe(box, shown, seat, np.zeros(observation_size(self), np.float32))
            said("redeal")
            self.compiled.redeal(box, shown, seat, chance_words(1))
            said("playouts")
            state = self.layout.new()
            raw = as_bytes(state)
            self.compiled.playouts(box, state, raw, seats, chance, 1, self.longest(seats), ids, np.zeros(2, np.int64))


@cache
def _translated_rules(folder: Path, tag: str) -> str | None:
    """Return the rules page of a game's folder in a language, None where there is none."""
    path = folder / "locale" / f"rules.{tag}.md"
    return path.read_text("utf-8") if path.exists() else None


def chance_words(seed: int | str) -> Any:
    """Return a generator, uint64[4], for a mind to draw from."""
    from pyramidion.engine.random import seed_words

    return seed_words(seed)


def observation_size(game: Game) -> int:
    """Return the length of a game's observation vector."""
    return sum(size for _, size, _ in game.mind.OBSERVATION)


_WARMING = threading.Lock()
