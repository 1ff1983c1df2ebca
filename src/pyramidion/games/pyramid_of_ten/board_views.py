"""View helpers for both games: pyramid, players, own submission and result, all from a redacted state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyramidion.engine.layout import is_open_to
from pyramidion.engine.presentation import Figure, Presentation, Stage
from pyramidion.games.pyramid_of_ten.fields import EVERY_VIEWER, MOST_CLAIM, MOST_PARTS
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LAYERS, TEN, space_name
from pyramidion.translation import _, marked

PLACED = {"top": "abcd", "second": "efg", "third": "hi", "bottom": "j"}
"""By event of the placement, the spaces that players walk to."""


def moment(view: Mapping[str, Any]) -> str:
    """Return the number of the round, in words, or that it is before the first."""
    return _("round {round}").format(round=view["round"]) if view["round"] else _("bids for places")


def submitted(family: str) -> Callable[[Mapping[str, Any], int], Any]:
    """Return the function of a view and its seat that gives a part of the seat's submission, saved or by default."""

    def value(view: Mapping[str, Any], _seat: int) -> Any:
        parts = view["you"]["parts"] if view["you"] else ()
        return next((p["default"] if p["saved"] is None else p["saved"] for p in parts if p["part"] == family), None)

    return value


def kept(holding: str, family: str) -> Callable[[Mapping[str, Any], int], int | None]:
    """Return the function of a view and its seat that gives what the seat holds and does not submit."""

    def value(view: Mapping[str, Any], seat: int) -> int | None:
        used = submitted(family)(view, seat)
        return None if used is None else view["players"][seat][holding] - used

    return value


def places(family: str) -> Callable[[Mapping[str, Any], int], int | None]:
    """Return the function of a view and its seat that gives how many players can get the tickets asked for."""

    def value(view: Mapping[str, Any], seat: int) -> int | None:
        return view["claim_places"][wanted - 1] if (wanted := submitted(family)(view, seat)) else None

    return value


def challenged(view: Mapping[str, Any], seat: int) -> str | None:
    """Return the space that a seat's submission challenges, or None."""
    target = submitted("challenge")(view, seat)
    return view["players"][target]["space"] if isinstance(target, int) else target


FIGURES = (
    Figure(marked("space you challenge: {first} instead of {second}"), challenged),
    Figure(
        marked("your layer, counted from the top: {first} instead of {second}"),
        lambda view, seat: view["players"][seat]["layer"],
        "less",
    ),
    Figure(
        marked("your tickets: {first} instead of {second}"), lambda view, seat: view["players"][seat]["tickets"], "more"
    ),
    Figure(
        marked("your garnets: {first} instead of {second}"), lambda view, seat: view["players"][seat]["garnets"], "more"
    ),
)
"""What hints of both games compare, after each game's own numbers."""
TICKETS_WANTED = marked("tickets you ask for: {first} instead of {second}")
PLACES = marked("players who can get that many: {first} instead of {second}")
TICKETS_KEPT = marked("tickets you keep: {first} instead of {second}")


def show_of(
    *falls: str, stages: tuple[Stage, ...], pieces: Mapping[str, tuple[str, ...]], figures: tuple[Figure, ...]
) -> Presentation:
    """Return how a game's events are shown on the pyramid: what both games share, with what this game adds.

    `falls` are the events that end a player's game; `stages`, `pieces` and `figures` are as in `Presentation`.
    """
    return Presentation(
        stages=stages,
        pieces={
            "challenged": ("stand-{seat}", "stand-{other}"),
            "took": ("stand-{seat}", "stand-{other}"),
            "got": ("stand-{seat}",),
            **dict.fromkeys(falls, ("stand-{seat}",)),
            **{kind: tuple(f"stand-{{{space}}}" for space in layer) for kind, layer in PLACED.items()},
            **pieces,
        },
        chapters=("claim", "battle"),
        falls=falls,
        figures=(*figures, *FIGURES),
        moment=moment,
    )


def seats_of(mask: int) -> list[int]:
    """Return the seats in a bitmask, in ascending order."""
    return [seat for seat in range(TEN) if int(mask) >> seat & 1]


def table(game: str, s: Any, seat: int | None, phases: Sequence[str], rounds: int) -> dict[str, Any]:
    """Return the part of the view that both games share: phase, round, who is to act, and who stands where."""
    asked, confirmed = seats_of(s.acting), seats_of(s.submitted)
    return {
        "game": game,
        "seat": seat,
        "seats": TEN,
        "phase": phases[int(s.phase)],
        "round": int(s.round_number),
        "rounds": rounds,
        "asked": asked,
        # Without the option `confirmations`, the viewer knows only its own confirmation.
        "acting": [p for p in asked if p not in confirmed],
        "confirmed": confirmed,
        "confirmations": bool(s.submitted_shown),
        "layers": [[space_name(space) for space in layer] for layer in LAYERS],
        "spaces": [
            {"space": space_name(n), "layer": int(LAYER[n]) + 1, "seat": int(s.at[n]) if s.at[n] >= 0 else None}
            for n in range(TEN)
        ],
        # Number of players who can get 1, 2, 3 and 4 tickets.
        "claim_places": [MOST_CLAIM + 1 - tickets for tickets in range(1, MOST_CLAIM + 1)],
    }


def player(s: Any, p: int, viewer: int | None, parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what the viewer knows about the player `p`; `parts` is that player's submission."""
    placed = s.space[p] >= 0
    return {
        "seat": p,
        "space": space_name(int(s.space[p])) if placed else None,
        "layer": int(LAYER[int(s.space[p])]) + 1 if placed else None,
        "tickets": int(s.final_tickets[p]) if s.ec >= 0 else int(s.tickets[p]) if is_open_to(viewer, p) else None,
        "garnets": int(s.final_garnets[p]) if s.over else int(s.garnets[p]) if is_open_to(viewer, p) else None,
        "priority": int(s.priority[p]) if s.priority_party[p] == EVERY_VIEWER or is_open_to(viewer, p) else None,
        "asked": bool(int(s.acting) >> p & 1),
        # None if hidden from the viewer.
        "confirmed": bool(int(s.submitted) >> p & 1) if s.submitted_shown or is_open_to(viewer, p) else None,
        "parts_left": MOST_PARTS - int(s.parts[p]) if is_open_to(viewer, p) else None,
        "saved": {part["part"]: part["saved"] for part in parts} if is_open_to(viewer, p) else None,
        "tol": int(s.tol[p]),
        "ec": bool(s.ec == p),
    }


def own(s: Any, seat: int, parts: Sequence[dict[str, Any]], may_trade: bool) -> dict[str, Any]:
    """Return a seat's own submission for its view: the parts, and whether it may save, reopen and trade."""
    asked, confirmed = bool(int(s.acting) >> seat & 1), bool(int(s.submitted) >> seat & 1)
    left = MOST_PARTS - int(s.parts[seat])
    return {
        "asked": asked,
        "confirmed": confirmed,
        "parts": list(parts),
        "may_save": asked and not confirmed and left > 0,
        "may_reopen": confirmed and left > 0,
        "may_trade": may_trade,
    }


def part_of(family: str, saved: Any, default: Any, **facts: Any) -> dict[str, Any]:
    """Return one part of a submission for the view: action family, saved value (None: nothing is saved) and default."""
    return {"part": family, "saved": saved, "default": default, **facts}


def number_saved(value: Any) -> int | None:
    """Return the number in a field of a submission, which holds it + 1, or None if nothing is saved."""
    return int(value) - 1 if value > 0 else None


def outcome(s: Any, rule: str) -> dict[str, Any]:
    """Return the result from the top space down: tokens of life, who is EC, and what each seat carries on.

    EC is the elimination candidate; garnets and priority are carried on into the season.
    """
    return {
        "rule": rule,
        "winners": seats_of(s.winners),
        "ec": int(s.ec),
        "points": [int(n) for n in s.final_garnets],
        "table": [
            {
                "seat": p,
                "space": space_name(n),
                "tickets": int(s.final_tickets[p]),
                "tol": int(s.tol[p]),
                "ec": bool(s.ec == p),
                "garnets": int(s.final_garnets[p]),
                "priority": int(s.priority[p]),
            }
            for n, p in enumerate(int(p) for p in s.at)
        ],
    }


def misplaced(s: Any) -> str | None:
    """Return what is wrong with the seats' spaces, or None.

    Before the placement nobody stands anywhere, and after it all stand on different spaces.
    """
    spaces, at = s.space.tolist(), s.at.tolist()
    if s.round_number == 0:
        return "Somebody stands on a space before the start." if max(spaces) >= 0 or max(at) >= 0 else None
    if sorted(spaces) != list(range(TEN)):
        return f"The spaces of the seats are {spaces}."
    if any(at[spaces[p]] != p for p in range(TEN)):
        return f"The spaces hold {at}, and the seats stand on {spaces}."
    return None
