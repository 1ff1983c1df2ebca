"""`Game`: the declaration that the registry, conformance laws, server, command line and docs read."""

from __future__ import annotations

import gc
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion.engine.actions import ActionSpace, action_ids
from pyramidion.engine.cards import BadCards, CardFile
from pyramidion.engine.compiled import Compiled
from pyramidion.engine.events import Event, EventSpace
from pyramidion.engine.layout import Layout, as_bytes, record
from pyramidion.engine.minis import Mini
from pyramidion.engine.observation import ObservationSpace
from pyramidion.engine.options import Option, accept_options, redacted_options
from pyramidion.engine.outcome import PayoffForm, SeasonMoment, SeasonResult
from pyramidion.engine.pace import Countdown, Pace
from pyramidion.engine.premoves import PremoveModule
from pyramidion.engine.presentation import Presentation
from pyramidion.engine.rule import INTERPRETED
from pyramidion.engine.seated import Seated
from pyramidion.translation import LANGUAGES, SOURCE, _, language, ngettext

if TYPE_CHECKING:
    from pyramidion.engine.match import Match


Weight = Literal["light", "medium", "heavy"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is illegal: a rule number (`PZ 4.3`, or empty) and a sentence.

    Pages use two further fields to illustrate the reason. `pieces` are the ids (as in action paths) of the pieces that
    block the action. `total` is a sum that would exceed a limit: (current, added, limit).
    """

    rule: str
    reason: str
    pieces: tuple[str, ...] = field(default=(), repr=False)
    total: tuple[int, int, int] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Credits:
    """The designers and publishers of the original game."""

    designers: tuple[str, ...]
    publishers: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, eq=False)
class Game:
    """The declaration of a game, on which all else builds: its data and its modules `rules`, `mind` and `view`.

    Attributes:
        id: identifier in URLs and records, `ponzi-scheme`.
        short_name: its name where there is little room, such as a phone's top bar; by default the whole name.
        prefix: prefix of its rule numbers, `PZ`.
        seats: supported numbers of players, a range.
        usual_seats: number of seats at a new table.
        minutes: how long a live game usually takes; 0 if not stated.
        waits: how many decisions players wait for, one after the other, by number of players: the longest of ten games
            of rule-based bots. Decisions in secret at the same time count as one, those without a choice as none.
        weight: how much a newcomer has to learn before the first game.
        goal: up to three short sentences for somebody who has just been invited: what players do, how the game ends,
            and who wins.
        rules_version: incremented whenever a rule change alters a recorded game.
        earlier_versions: older rules versions that records and running tables may still use, each with the options that
            restore it. Rules can also read the version from the box field `rules_version`, if the game declares one;
            the deck of version 1, where it was another, is `cards.1.toml` in the folder.
        layout, box, actions, events, options: the declarations in the game's layout.py.
        fill_box: writes a card file into a box record; raises BadCards.
        rules: module with setup, legal, apply, payoff, points, timeout (compiled); with `engine.notes.with_notes`, if
            minds keep notes in the state.
        mind: module with redeal, policy, observe and optionally prospects, a value estimate (compiled), and
            OBSERVATION, the named parts of the observation vector (`game.observation`). With FEATURES, ENTRIES, START
            and features, a policy can be learned (`bots.learned_policy`).
        view: module with view (for a seat, None for a spectator, or EVERYTHING), refusal, tell, label. It may have
            `precise_label`, with the parameters of `label`, for actions that would have the same label.
        invariants: returns a sentence about the first inconsistency in a state record, or None.
        longest: `longest(seats, **limits)`, an upper bound on the number of decisions in a game. `limits` are the
            numeric options; without them the bound holds for all options.
        payoff_form: `share` (of one win), `sign` (+1, 0, -1 per seat) or `sum` (a number per seat, such as chips won).
        payoff_bound: `payoff_bound(seats, **limits)`, the most that a seat can win or lose where payoffs are a sum;
            `limits` as for `longest`. Bots judge a payoff by its part of this bound, so it should be tight.
        zero_sum: whether payoffs that are a sum always add up to 0.
        somebody_wins: whether every game has a winner, so that shares of a win always add up to 1.
        private_talk: default private chat at a new table: `none`, `pairs` (two players) or `groups` (any players).
        submissions_open: whether submissions become public when a simultaneous step resolves, so that their seals can
            be opened then; otherwise seals are opened at the end of the game.
        premoves: module that implements `engine.premoves.PremoveModule`, or None.
        hidden_choices: action families that count as a choice even as the only legal action, because treating them as
            forced would reveal that the seat had no alternative.
        colours: names of the colours that players can choose from; by default seat n has colour n.
        paces: time controls offered in addition to those of all games.
        countdown: the countdown before a simultaneous reveal, or None.
        presentation: how the board plays its events, beat by beat.
        season_result: what the final state of a match leaves to a season, or None for a game that says nothing of it.
        season_moments: the moments of a match that a season's story may tell, from the public events of a finished
            match, or None for a game that has none.
        folder: folder with cards.toml, rules.md, board.html and board.css.
        shared: folder with board parts that several games share: templates, board.css, board.svg.
        card_file_name: name of the card file in the folder.
        minis: its small siblings, such as `ponzi-scheme-mini`. `base`: of a small sibling, the game itself.
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
    longest: Callable[..., int]
    payoff_form: PayoffForm
    folder: Path
    payoff_bound: Callable[..., float] | None = None
    zero_sum: bool = False
    private_talk: Literal["none", "pairs", "groups"] = "none"
    somebody_wins: bool = False
    submissions_open: bool = False
    premoves: PremoveModule | None = None
    shared: Path | None = None
    earlier_versions: Mapping[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    hidden_choices: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    short_name: str = ""
    minutes: int = 0
    waits: Mapping[int, int] = field(default_factory=dict[int, int])
    weight: Weight = "medium"
    goal: tuple[str, ...] = ()
    paces: tuple[Pace, ...] = ()
    countdown: Countdown | None = None
    presentation: Presentation = field(default_factory=Presentation)
    season_result: Callable[[Any], SeasonResult] | None = None
    card_file_name: str = "cards.toml"
    minis: tuple[Mini, ...] = ()
    base: Game | None = None
    season_moments: Callable[[Sequence[Event]], Sequence[SeasonMoment]] | None = None

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def new(
        self,
        seats: int | None = None,
        seed: int | str = 0,
        *,
        cards: str | None = None,
        rules_version: int | None = None,
        **options: Any,
    ) -> Match:
        """Start a match and return it.

        `cards` is the text of a card file that replaces the game's own; `rules_version` selects an earlier version of
        the rules. Raises ValueError with a sentence that names the invalid option, number of seats or card, and the
        allowed values.
        """
        from pyramidion.engine.match import Match

        return Match(self, seats if seats is not None else self.usual_seats, seed, options, cards, rules_version)

    @cached_property
    def compiled(self) -> Compiled:
        """The compiled entry points: internal, unchecked, and free to change; use `Match`, `env` or `lab` instead."""
        return Compiled(self.rules, self.mind, len(self.actions)) if self.base is None else self.base.compiled

    @property
    def observation(self) -> ObservationSpace:
        """The named parts of the observation vector: offset, shape, bounds and meaning of each."""
        return self.mind.OBSERVATION

    def action_features(self, match: Seated, seat: int, ids: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Return the feature vectors of actions for `seat`, float32[len(ids), F]; `actions.features` names their parts.

        Seats are counted clockwise from `seat`, as in observations. `ids` are action ids, legal or not. Raises
        ValueError for a seat or an id that does not exist.
        """
        match.require_seat(seat)
        return self.actions.features.of(action_ids(ids).astype(np.int64), seat, match.seats)

    def accept_seats(self, seats: Any) -> int:
        """Validate a number of seats and return it. Raises ValueError naming the range."""
        count = -1
        if not isinstance(seats, bool):
            with suppress(TypeError):
                count = index(seats)
        if count not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            given = str(seats)[:20].encode(errors="backslashreplace").decode()
            message = ngettext("{game} has {low} seat, not {seats}.", "{game} has {low} seats, not {seats}.", low)
            if low != high:
                message = _("{game} has {low} to {high} seats, not {seats}.")
            raise ValueError(message.format(game=_(self.name), low=low, high=high, seats=given))
        return count

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the rules that can be played, the current one last."""
        return (*self.earlier_versions, self.rules_version)

    def accept_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Validate options and fill in the defaults. Raises ValueError naming the option and its range."""
        return accept_options(self.options, given)

    def options_for(self, accepted: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
        """Return the accepted options as a seat or a spectator (None) may see them during the game."""
        return redacted_options(self.options, accepted, seat)

    def make_box(self, options: Mapping[str, Any], cards: str | None = None, rules_version: int | None = None) -> Any:
        """Return the card tables and options of a match as a read-only record array of shape (1,): its box. Cached.

        `options` may also be redacted for a viewer (`options_for`). `cards` is the text of a card file (default: the
        game's own), `rules_version` a version of the rules (default: the current one).
        """
        version = self.rules_version if rules_version is None else rules_version
        return _made_box(self, tuple(sorted(options.items())), cards, version)

    def check_cards(self, text: str, name: str = "cards.toml") -> None:
        """Raise BadCards if `text` is not a card file of this game; its sentence begins with `name`."""
        file = CardFile(text, name)
        self.fill_box(file, record(np.zeros(1, self.box)))
        if not self.own_cards.data:
            raise BadCards(f"{self.name} has no card file, so it cannot be played with other cards.")
        file.require_known(self.own_cards)

    @property
    def card_file(self) -> Path | None:
        """The path of the game's own card file, or None for a game without cards."""
        path = self.folder / self.card_file_name
        return path if path.is_file() else None

    @cached_property
    def own_cards(self) -> CardFile:
        """The game's own card file; an empty one for a game without cards."""
        return CardFile(self.card_file.read_text("utf-8") if self.card_file is not None else "")

    def cards_of(self, version: int) -> CardFile:
        """Return the card file for a version of the rules: when a deck changes, the old one stays as `cards.1.toml`."""
        for earlier in range(version, self.rules_version):
            path = self.folder / f"cards.{earlier}.toml"
            if path.is_file():
                return CardFile(path.read_text("utf-8"), path.name)
        return self.own_cards

    @cached_property
    def rules_text(self) -> str:
        """The English rules page (Markdown), the source of the translations."""
        return (self.folder / "rules.md").read_text("utf-8")

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The tags of the game's languages: English and those with a catalogue such as `locale/fr.po`."""
        return tuple(tag for tag in LANGUAGES if tag == SOURCE or (self.folder / "locale" / f"{tag}.po").exists())

    @property
    def rules_language(self) -> str:
        """The tag of the language of `rules_read`: the current one, or English if the rules are not translated."""
        return SOURCE if _translated_rules(self.folder, language()) is None else language()

    @property
    def rules_read(self) -> str:
        """The text of the rules page in the current language (`locale/rules.fr.md`), or else in English."""
        return _translated_rules(self.folder, language()) or self.rules_text

    def rule_name(self, number: int) -> str:
        """Format a rule number of this game: 9_01 is `PZ 9.1`, 3_00 is `PZ 3`."""
        return rule_name(self.prefix, number)

    @cached_property
    def rule_numbers(self) -> tuple[str, ...]:
        """The numbers of all rules on the rules page (`4.3`), in order."""
        return tuple(dict.fromkeys(re.findall(r"^- \*\*(\d+\.\d+)\*\*", self.rules_text, re.MULTILINE)))

    def names(self, names: Any = None) -> list[str]:
        """Return a name for every seat that the game can have: the given name, or else `Seat 2`."""
        given = list(names or ())[: self.layout.max_seats]
        return given + _unnamed(self.layout.max_seats, language())[len(given) :]

    def warm(self, progress: Callable[[str], None] | None = None) -> None:
        """Compile all entry points of the game, or load them from the cache; call `progress` with the name of each."""
        # Compilation allocates millions of long-lived objects, so frequent garbage collections only cost time.
        usual = gc.get_threshold()
        gc.set_threshold(200_000, 50, 50)
        try:
            self._warm(progress)
        finally:
            gc.set_threshold(*usual)

    def _warm(self, progress: Callable[[str], None] | None) -> None:
        """Call every entry point once, on a match with the fewest seats, so that it is compiled."""
        with _WARMING:
            seats = self.seats[0]
            match = self.new(seats)
            box, ids = match.box, np.zeros(len(self.actions), np.int32)
            weights, floats = np.zeros(len(self.actions)), np.zeros(self.layout.max_seats)
            numbers = np.zeros(self.layout.max_seats, np.int32)
            chance = np.zeros(1, np.uint64)

            def announce(name: str) -> None:
                if progress:
                    progress(name)

            announce("legal, step")
            seat = match.acting[0]
            match.play(seat, match.legal_ids(seat)[0])
            announce("timeout")
            match.timeout(match.acting[0])
            announce("payoff, points")
            state = match.state_copy()
            self.compiled.payoff(box, state, floats)
            self.compiled.points(box, state, numbers)
            announce("redact")
            seat = match.acting[0]
            redacted = self.layout.redact(state, seat)
            announce("view")
            match.view(seat)
            announce("policy")
            self.compiled.policy(box, redacted, seat, ids, weights)
            announce("observe")
            self.compiled.observe(box, redacted, seat, self.observation.new())
            announce("redeal")
            self.compiled.redeal(box, redacted, seat, chance_words(1))
            announce("playouts")
            state = self.layout.new()
            raw = as_bytes(state)
            self.compiled.playouts(box, state, raw, seats, chance, 1, self.longest(seats), ids, np.zeros(2, np.int64))


def rule_name(prefix: str, number: int) -> str:
    """Format a rule number after the prefix of its game: 9_01 is `PZ 9.1`, 3_00 is `PZ 3`."""
    part = f".{number % 100}" if number % 100 else ""
    # Interned: every event has one, and few are distinct.
    return sys.intern(f"{prefix} {number // 100}{part}")


@lru_cache(maxsize=256)
def _made_box(game: Game, options: tuple[tuple[str, Any], ...], cards: str | None, rules_version: int) -> Any:
    """Make the box of `Game.make_box` and cache it here: bots have the `Game`, and boxes hold secrets."""
    box = np.zeros(1, game.box)
    entry, values = record(box), dict(options)
    game.fill_box(CardFile(cards) if cards is not None else game.cards_of(rules_version), entry)
    for name, option in game.options.items():
        entry[name] = option.stored(values[name])
    if "rules_version" in (game.box.names or ()):
        entry["rules_version"] = rules_version
    return box.view(np.recarray) if INTERPRETED else box


@cache
def _unnamed(seats: int, _tag: str) -> list[str]:
    """Return the names of seats without players, such as `Seat 2`, in the current language, which is `_tag`."""
    return [_("Seat {number}").format(number=seat) for seat in range(seats)]


@cache
def _translated_rules(folder: Path, tag: str) -> str | None:
    """Return the text of a game's rules page in the language `tag`, from the game's folder, or None."""
    path = folder / "locale" / f"rules.{tag}.md"
    return path.read_text("utf-8") if path.exists() else None


def chance_words(seed: int | str) -> Any:
    """Return a random generator, uint64[4], made from a seed, with which the rules of a mind draw."""
    from pyramidion.engine.random import seed_words

    return seed_words(seed)


_WARMING = threading.Lock()
