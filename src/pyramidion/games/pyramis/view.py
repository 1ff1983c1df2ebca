"""Views and refusals for Pyramis. Sentences are in texts.py.

Everything here is built from a redacted state: hidden fields are zero in it and None in the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import is_open_to, seat_of
from pyramidion.games.pyramis import rules
from pyramidion.games.pyramis.layout import (
    ACCESSIBLE,
    BELOW,
    BESIDE,
    CARDS,
    COLOURS,
    COLUMN,
    DECK_NAMES,
    DECK_SIZE,
    DECKS,
    LANDSCAPES,
    LEVEL,
    N_SPACES,
    OPEN,
    PHASES,
    PLACE,
    REFILL,
    RIVER,
    ROTATE,
    SPACES,
    STARS,
    STEAL,
)
from pyramidion.games.pyramis.preview import Fleet, Plain
from pyramidion.games.pyramis.texts import COLOUR_WORDS, label, tell, worth
from pyramidion.translation import _, listed, marked, ngettext, seat_word

__all__ = ["invariants", "label", "not_due", "refusal", "tell", "view", "worth"]

PHASE_RULES = {0: "PY 7", PLACE: "PY 4", STEAL: "PY 5", REFILL: "PY 6", ROTATE: "PY 6.2"}


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return what `viewer` (a seat, None for a spectator, or EVERYTHING) may see of the game, as JSON-ready data."""
    q, seat = Plain(box, s), seat_of(viewer)
    phase, cards = q.phase, Cards(q)
    fleets = [Fleet.of(q, p) for p in range(q.seats)]
    stars = [_known_stars(q, p, viewer) for p in range(q.seats)]
    aliens = [fleet.aliens + (star["aliens"] if star else 0) for fleet, star in zip(fleets, stars, strict=True)]
    pairs, due = int(rules.shown_pairs(s)), int(s.pairs)
    return {
        "game": "pyramis",
        "seat": seat,
        "seats": q.seats,
        "phase": PHASES[phase],
        "phase_rule": PHASE_RULES[phase],
        "acting": [p for p in range(q.seats) if (q.acting & ~q.submitted) >> p & 1],
        "asked": [p for p in range(q.seats) if q.acting >> p & 1],
        "start": int(s.start),
        "active": int(s.active),
        "turn": int(s.turn) + (0 if q.over else 1),
        "turns": int(box.fleet_cards) * q.seats,
        "fleet_cards": int(box.fleet_cards),
        "river": [cards[card - 1] if card else None for card in q.river],
        "gap": int(s.gap) + 1 if phase in (STEAL, REFILL) else None,
        "decks": _decks(q),
        "pairs": [COLOURS[c] for c in range(len(COLOURS)) if pairs >> c & 1],
        "turning": COLOURS[q.turning] if phase == ROTATE else None,
        "turning_in_turn": q.in_turn,
        # The seats that have a card to turn for this pair, whether or not they have turned it.
        "turners": [p for p in range(q.seats) if _accessible(q, p)],
        "turning_next": [COLOURS[c] for c in range(len(COLOURS)) if due >> c & 1],
        "reserve": int(s.reserve),
        "players": [_player(q, p, viewer, cards, fleets[p], stars[p], aliens) for p in range(q.seats)],
        "most_aliens": max(aliens),
        "previews": _previews(q, seat, fleets, stars, aliens),
        "outcome": _outcome(q, s, fleets) if q.over else None,
    }


class Cards:
    """The data of the Exodus cards for the view, by number from 0; a card is built when it is looked up."""

    def __init__(self, q: Plain) -> None:
        self._q = q

    def __getitem__(self, i: int) -> dict[str, Any]:
        q, colour = self._q, self._q.colour[i]
        (top, bottom), (top_aliens, bottom_aliens) = q.pyramids[i], q.aliens[i]
        return {
            "card": i + 1,
            "colour": COLOURS[colour],
            "landscape": LANDSCAPES[colour],
            "top": {"pyramids": top, "aliens": top_aliens},
            "bottom": {"pyramids": bottom, "aliens": bottom_aliens},
            "star": bool(q.star[i]),
        }


def _back(number: int) -> list[str]:
    """Return the colours of the Pyramids on a back that `pack_back` has packed."""
    return [colour for c, colour in enumerate(COLOURS) for _each in range(number >> 4 * c & 15)]


def _decks(q: Plain) -> list[dict[str, Any]]:
    """Return the three decks with their cards left and the back on top, for the view."""
    unseen = _unseen_backs(q)
    return [
        {
            "deck": DECK_NAMES[deck],
            "left": q.left[deck],
            "back": _back(q.shown[deck]),
            "base": not q.left[deck],
            "triggers": _triggers(q, deck, unseen) if q.left[deck] and not q.over else [],
        }
        for deck in range(DECKS)
    ]


def _unseen_backs(q: Plain) -> list[int]:
    """Return the backs of all cards that nobody sees: those in the decks below the top ones."""
    seen = {card for cards in (q.river, *q.fleet) for card in cards}
    unseen = [back for card, back in enumerate(q.back, 1) if card not in seen]
    for deck in range(DECKS):
        if q.left[deck]:
            unseen.remove(q.shown[deck])
    return unseen


def _triggers(q: Plain, deck: int, unseen: Sequence[int]) -> list[dict[str, Any]]:
    """Return the colours that may show a pair after a refill from this deck, with the chance in percent (PY 6.2)."""
    other = q.shown[1 - deck]
    below = unseen if q.left[deck] > 1 else [0]
    chances: list[dict[str, Any]] = []
    for c, colour in enumerate(COLOURS):
        need = 2 - (other >> 4 * c & 15)
        pairs = sum((back >> 4 * c & 15) >= need for back in below)
        if pairs:
            chances.append({"colour": colour, "percent": max(1, round(100 * pairs / len(below)))})
    return chances


def _known_stars(q: Plain, p: int, viewer: int | None) -> dict[str, int] | None:
    """Return the Pyramids and Aliens on a player's Star cards, or None if the viewer does not know them."""
    if q.over:
        return q.star_worth(q.final_stars[p])
    if is_open_to(viewer, p):
        return q.star_worth(q.stars[p])
    return None if q.star_count[p] else {"pyramids": 0, "aliens": 0}


def _player(
    q: Plain,
    p: int,
    viewer: int | None,
    cards: Cards,
    fleet: Fleet,
    stars: dict[str, int] | None,
    aliens: Sequence[int],
) -> dict[str, Any]:
    """Return what a viewer may know of a player, for the view."""
    held = q.final_stars[p] if q.over else q.stars[p] if is_open_to(viewer, p) else 0
    own_choice = q.choice[p] if is_open_to(viewer, p) else 0
    leads = aliens[p] > 0 and aliens[p] == max(aliens)
    pyramids = fleet.pyramids + (stars["pyramids"] if stars else 0)
    return {
        "seat": p,
        "fleet": _spaces(q, p, cards, fleet),
        "placed": fleet.cards,
        "pyramids": pyramids,
        "zone": fleet.zone_report(),
        "aliens": aliens[p],
        "leads_aliens": leads,
        "stars": q.star_count[p],
        "star_cards": None
        if stars is None
        else [
            {"star": i + 1, "pyramids": q.star_pyramids[i], "aliens": q.star_aliens[i]}
            for i in range(STARS)
            if held >> i & 1
        ],
        # Current counts of the Fleet with the Star cards known to this viewer. Aliens score only for the most.
        "score": pyramids + fleet.zone_pyramids + (aliens[p] if leads else 0),
        "score_is_whole": stars is not None,
        "chosen": SPACES[own_choice - 1] if own_choice else None,
    }


def _accessible(q: Plain, p: int) -> int:
    """Return the spaces (bitmask) of a player's cards that the current pair may rotate; 0 without a pair (PY 6.3)."""
    return int(ACCESSIBLE[q.filled[p]]) & q.of_colour[p][q.turning] if q.phase == ROTATE else 0


def _turnable(q: Plain, p: int) -> int:
    """Return the spaces (bitmask) of cards that a player may still rotate; 0 after its turn for this pair (PY 6.4)."""
    return 0 if q.in_turn and _has_turned(q, p) else _accessible(q, p)


def _has_turned(q: Plain, p: int) -> bool:
    """Return whether a player's turn to rotate is over: it comes before the one who is choosing now (PY 6.4).

    The order is clockwise from the active player.
    """
    due = next((seat for seat in range(q.seats) if q.acting >> seat & 1), q.active)
    return (p - q.active) % q.seats < (due - q.active) % q.seats


def _spaces(q: Plain, p: int, cards: Cards, fleet: Fleet) -> list[dict[str, Any]]:
    """Return the spaces of a player's Fleet: the card on each, how it lies, and whether it may be rotated."""
    filled, turned, lying = q.filled[p], q.turned[p], q.fleet[p]
    is_open, accessible, may_turn = int(OPEN[filled]), int(ACCESSIBLE[filled]), _turnable(q, p)
    places: list[dict[str, Any]] = []
    for n in range(N_SPACES):
        place: dict[str, Any] = {"space": SPACES[n], "level": LEVEL[n], "column": COLUMN[n]}
        place |= {"open": bool(is_open >> n & 1), "card": None}
        if lying[n]:
            drawn = cards[lying[n] - 1]
            over = bool(turned >> n & 1)
            place |= {
                "card": drawn,
                "turned": over,
                "up": drawn["bottom" if over else "top"],
                "down": drawn["top" if over else "bottom"],
                "accessible": bool(accessible >> n & 1),
                "may_turn": bool(may_turn >> n & 1),
                "in_zone": bool(fleet.zone >> n & 1),
            }
        places.append(place)
    return places


def _previews(
    q: Plain, seat: int | None, fleets: Sequence[Fleet], stars: Sequence[Any], aliens: Sequence[int]
) -> dict[str, Any]:
    """Return the viewer's score before and after each of its legal actions, keyed by the action's notation."""
    if seat is None or q.over or not q.acting & ~q.submitted & 1 << seat:
        return {}
    rivals = max((aliens[p] for p in range(q.seats) if p != seat), default=0)
    previews: dict[str, Any] = {}
    if q.phase == PLACE:
        spaces = int(OPEN[q.filled[seat]])
        for slot in range(RIVER):
            for n in range(N_SPACES):
                if spaces >> n & 1:
                    after = Fleet.after_placement(q, seat, q.river[slot] - 1, n)
                    previews[f"place {slot + 1} {SPACES[n]}"] = after.report(fleets[seat], stars[seat], rivals)
    elif q.phase == ROTATE:
        for n in range(N_SPACES):
            if _turnable(q, seat) >> n & 1:
                after = Fleet.after_rotation(q, seat, n)
                previews[f"rotate {SPACES[n]}"] = after.report(fleets[seat], stars[seat], rivals)
    return previews


def _outcome(q: Plain, s: Any, fleets: Sequence[Fleet]) -> dict[str, Any]:
    """Return the winners and the scoring at the end, a row for each seat, for the view."""
    rows: list[dict[str, Any]] = []
    for p, fleet in enumerate(fleets):
        star_worth = q.star_worth(q.final_stars[p])
        aliens, pyramids = fleet.aliens + star_worth["aliens"], fleet.pyramids + star_worth["pyramids"]
        rows.append(
            {
                "seat": p,
                "fleet": fleet.pyramids,
                "stars": star_worth["pyramids"],
                "pyramids": pyramids,
                "zone": fleet.zone_pyramids,
                "zone_cards": fleet.zone_cards,
                "aliens": aliens,
                "alien_points": int(s.score[p]) - pyramids - fleet.zone_pyramids,
                "total": int(s.score[p]),
            }
        )
    return {
        "rule": "PY 7.1",
        "winners": [p for p in range(s.seats) if int(s.winners) >> p & 1],
        "points": [row["total"] for row in rows],
        "table": rows,
    }


# Refusals


_NUMBER = {PLACE: "PY 4.1", STEAL: "PY 5.1", REFILL: "PY 6.1", ROTATE: "PY 6.2"}
_NOT_YOURS = {
    PLACE: marked("It is not your turn: {seat} is expanding the Fleet."),
    STEAL: marked("It is not your turn: {seat} is choosing whose Star card to take."),
    REFILL: marked("It is not your turn: {seat} is refilling the River."),
    ROTATE: marked("It is not your turn: {seat} is turning a card."),
}
_NOT_NOW = {
    PLACE: marked("Not now: place a River card in your Fleet."),
    STEAL: marked("Not now: choose a player to take a Star card from."),
    REFILL: marked("Not now: refill the River from a deck."),
    ROTATE: marked("Not now: turn a card of your Fleet."),
}
_EMPTY = (marked("The left deck is empty."), marked("The right deck is empty."))
_FAMILIES = {PLACE: "place", STEAL: "steal", REFILL: "refill", ROTATE: "rotate"}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule number and message for a seat that tries to act while it has nothing to decide."""
    phase = int(s.phase)
    if phase == ROTATE:
        if int(s.acting) >> seat & 1:
            return "PY 6.4", _("You have chosen; the cards turn when everybody has.")
        if not rules.turnable(s, seat, int(s.colour)):
            return "PY 6.3", _("You have no accessible {colour} card to turn.").format(
                colour=_(COLOUR_WORDS[int(s.colour)])
            )
        due = next(p for p in range(s.seats) if int(s.acting) >> p & 1)
        return "PY 6.4", _(_NOT_YOURS[phase]).format(seat=seat_word(due))
    return _NUMBER[phase], _(_NOT_YOURS[phase]).format(seat=seat_word(int(s.active)))


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return why a seat that is to act may not take this action, as (rule number, message), or None if it may."""
    phase = int(s.phase)
    if action.family != _FAMILIES[phase]:
        return _NUMBER[phase], _(_NOT_NOW[phase])
    if action.family == "place":
        return _refuse_place(int(s.filled[seat]), action.args[1])
    if action.family == "steal":
        return _refuse_steal(s, seat, action.args[0])
    if action.family == "refill" and not s.left[action.args[0]]:
        return "PY 6.1", _(_EMPTY[action.args[0]])
    if action.family == "rotate":
        return _refuse_rotate(box, s, seat, action.args[0])
    return None


def _refuse_place(fleet: int, n: int) -> tuple[str, str] | None:
    """Return why no card may be placed on the space `n` of a Fleet (bitmask of its cards), or None if one may."""
    if OPEN[fleet] >> n & 1:
        return None
    if fleet >> n & 1:
        return "PY 4.1", _("There is a card on {space} already.").format(space=SPACES[n])
    if BELOW[n]:
        missing = [SPACES[m] for m in BELOW[n] if not fleet >> m & 1]
        reason = ngettext(
            "A card on {space} lies over two cards; {missing} is still empty.",
            "A card on {space} lies over two cards; {missing} are still empty.",
            len(missing),
        )
        return "PY 4.3", reason.format(space=SPACES[n], missing=listed(missing))
    beside = [SPACES[m] for m in BESIDE[n]]
    if len(beside) == 1:
        reason = _("A card on {space} would touch no card: there is none on {beside}.")
    else:
        reason = _("A card on {space} would touch no card: there is none on {beside} nor {beyond}.")
    return "PY 4.2", reason.format(space=SPACES[n], beside=beside[0], beyond=beside[-1])


def _refuse_steal(s: Any, seat: int, other: int) -> tuple[str, str] | None:
    """Return the rule and the reason against taking another player's Star card, or None if it is legal."""
    if other >= s.seats:
        return "PY 5.1", _("There is no seat {seat} at this table.").format(seat=other)
    if other == seat:
        return "PY 5.1", _("Take the Star card from another player.")
    return None if s.star_count[other] else ("PY 5.1", _("That player holds no Star card."))


def _refuse_rotate(box: Any, s: Any, seat: int, n: int) -> tuple[str, str] | None:
    """Return the rule and the reason against turning a card, or None if it is legal."""
    colour, card = int(s.colour), int(s.fleet[seat, n]) - 1
    if card < 0:
        return "PY 6.2", _("There is no card on {space}.").format(space=SPACES[n])
    if box.colour[card] != colour:
        other = COLOUR_WORDS[int(box.colour[card])]
        reason = _("The pair is {colour}; the card on {space} is {other}.")
        return "PY 6.2", reason.format(colour=_(COLOUR_WORDS[colour]), space=SPACES[n], other=_(other))
    if not ACCESSIBLE[int(s.filled[seat])] >> n & 1:
        return "PY 6.3", _("The card on {space} lies under another one.").format(space=SPACES[n])
    return None


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence on the first inconsistency in a full, unredacted state, or None if there is none.

    There are 48 Exodus cards and 5 Star cards (PY 1).
    """
    placed = [int(card) - 1 for card in s.fleet.flat if card]
    river = [int(card) - 1 for card in s.river if card]
    tops = [int(card) - 1 for card in s.top if card]
    pool = [int(card) for card in s.pool[: s.pool_count]]
    if sorted(placed + river + tops + pool) != list(range(CARDS)):
        return f"{len(placed)} cards are in Fleets, {len(river)} in the River, {len(tops) + len(pool)} in decks."
    if int(s.left.sum()) != len(tops) + len(pool) or not 0 <= s.left.min() <= s.left.max() <= DECK_SIZE:
        return f"The decks have {s.left.tolist()} cards."
    if [int(box.back[int(card) - 1]) if card else 0 for card in s.top] != s.back.tolist():
        return "A deck shows another back than its top card has."
    hands = [int(s.stars[p]) for p in range(s.seats)]
    together = 0
    for hand in hands:
        if together & hand:
            return "Two players hold the same Star card."
        together |= hand
    if [hand.bit_count() for hand in hands] != s.star_count[: s.seats].tolist():
        return "A player holds more or fewer Star cards than everybody can see."
    if together.bit_count() + int(s.reserve) != STARS:
        return f"{together.bit_count()} Star cards are in hands and {int(s.reserve)} in the reserve."
    return _fleet_invariants(box, s)


def _fleet_invariants(box: Any, s: Any) -> str | None:
    """Return the first Fleet that disagrees with its bitmasks or has a card over an empty space, or None."""
    for p in range(s.seats):
        cards = s.fleet[p].tolist()
        filled = sum(1 << n for n, card in enumerate(cards) if card)
        coloured = [
            sum(1 << n for n, card in enumerate(cards) if card and box.colour[card - 1] == c)
            for c in range(len(COLOURS))
        ]
        if filled != s.filled[p] or coloured != s.of_colour[p].tolist() or int(s.turned[p]) & ~filled:
            return f"The Fleet of seat {p} disagrees with its masks."
        if any(cards[n] and not all(cards[m] for m in BELOW[n]) for n in range(N_SPACES)):
            return f"A card in the Fleet of seat {p} lies over an empty space."
    return None
