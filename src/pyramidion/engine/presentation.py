"""How a game's events are shown on its board: the pieces they concern, and the few that are drawn on a stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

SEAT_SETS = ("seats", "challengers", "attackers")
"""Names of event arguments that are bitmasks of seats."""


def always(_data: Mapping[str, Any]) -> bool:
    """Return True, the default of `Stage.when`: every event of the kind is big; as `open_choice`, nothing is secret."""
    return True


def never(_view: Mapping[str, Any]) -> bool:
    """Return False, the default of `Presentation.open_choice`: only the acting player can tell if there is a choice."""
    return False


def unsaid(_view: Mapping[str, Any]) -> str:
    """Return an empty text, the default of `Presentation.moment`."""
    return ""


def as_labelled(_view: Mapping[str, Any], _action: Any) -> str:
    """Return an empty text, the default of `Presentation.described`: the button's label says all."""
    return ""


def nothing(_view: Mapping[str, Any], _seat: int) -> Sequence[str]:
    """Return no pieces, the default of `Presentation.culprits`."""
    return ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A kind of big event, which is drawn large over the board for a moment.

    The game's `stage.html` has a macro of its name, and one for each kind `along`, of the event, the players' names and
    the viewer's view of the position that the event led to.

    Attributes:
        event: the kind of event.
        along: kinds of events at the same position that are drawn beside it.
        to: the arguments that name the seats who see it on a stage; everybody does by default.
        when: given an event's arguments, whether it is big; the first throws that tie are not.
    """

    event: str
    along: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    when: Callable[[Mapping[str, int]], bool] = always


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or word by which a hint compares two positions, in the game's own terms.

    Attributes:
        words: a sentence part that names it, with its values in the two positions as `{first}` and `{second}`; marked
            for translation.
        of: given a seat's view and the seat, its value; None where there is none.
        better: whether more or less of it is better for the seat; None where that depends.
        warning: a sentence, marked for translation, that a player is asked about before an action after which there is
            more of it for certain, with what there is then as `{value}`; none by default.
    """

    words: str
    of: Callable[[Mapping[str, Any], int], int | str | None]
    better: Literal["more", "less"] | None = None
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Presentation:
    """How a game's events are shown on its board.

    Pieces that have moved glide by themselves, and one sentence is the caption. So a game says only what cannot be seen
    by comparing two positions.

    Attributes:
        stages: the big events, the biggest first: three to six kinds, at most one in a few turns. The first is the
            climax of the game.
        pieces: by kind of event, the pieces that light up: `data-key`s of the board, with the event's arguments in
            braces, as in `card-{value}`. The area of the acting `seat` lights up without being listed. An argument that
            is a bitmask of seats stands for one key for each of them.
        words: by name of an argument, a function from its number to the word in a key.
        chapters: kinds of events that begin a chapter, to which a replay can jump.
        falls: kinds of events that eliminate the seat they name.
        culprits: given a seat's view before an action that eliminates it, and the seat, the `data-key`s of the pieces
            that will have done it.
        chosen_first: families of single buttons that only choose their action, as touching pieces does, so that it is
            previewed and then confirmed. Every other single button acts at once.
        next_steps: what to ask for once other pieces are chosen, marked for translation. A key is a family and the
            number of the missing step in the action's path, such as `place 1`.
        outcomes: kinds of events that sum up what happened between other players. Those since the viewer was last
            involved are told together, a line each.
        open_choice: given a view of any seat or of a spectator, whether everybody can tell what the acting seat can
            choose from. Only then may a page make a forced move by itself; otherwise its speed would reveal a secret.
        figures: what a hint compares actions by, the most important first.
        moment: given a view, when in the game it is, such as `turn 3`, in the current language; may be empty.
        described: given a view and an action, the action in words that say what its pieces are, for those who do not
            look at the board; empty if the button's label does.
    """

    stages: tuple[Stage, ...] = ()
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    words: Mapping[str, Callable[[int], str]] = field(default_factory=dict[str, Callable[[int], str]])
    chapters: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    culprits: Callable[[Mapping[str, Any], int], Sequence[str]] = nothing
    chosen_first: tuple[str, ...] = ()
    next_steps: Mapping[str, str] = field(default_factory=dict[str, str])
    outcomes: tuple[str, ...] = ()
    open_choice: Callable[[Mapping[str, Any]], bool] = never
    figures: tuple[Figure, ...] = ()
    moment: Callable[[Mapping[str, Any]], str] = unsaid
    described: Callable[[Mapping[str, Any], Any], str] = as_labelled

    def touched(self, name: str, data: Mapping[str, int]) -> list[str]:
        """Return the `data-key`s of the pieces on the board that an event concerns."""
        return [key for piece in self.pieces.get(name, ()) for key in self._keys(piece, data)]

    def _keys(self, piece: str, data: Mapping[str, int]) -> list[str]:
        """Return the `data-key`s that the pattern of a piece stands for: one, or one for each seat of a set."""
        several = next((key for key in SEAT_SETS if f"{{{key}}}" in piece), None)
        worlds = [data] if several is None else [{**data, several: seat} for seat in seats_in(data[several])]
        worded = (
            {key: self.words[key](value) if key in self.words else value for key, value in world.items()}
            for world in worlds
        )
        return [piece.format(**words) for words in worded]


def seats_in(mask: int) -> list[int]:
    """Return the seats in a bitmask, in ascending order."""
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]
