"""What one seat of Pyramis is shown, why an action is refused, and how an event reads.

Everything here is made from a redacted state: what a viewer may not see is zero in it, and is shown as None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
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
from pyramidion.games.pyramis.preview import Fleet, after_placement, after_rotation

PHASE_RULES = {0: "PY 7", PLACE: "PY 4", STEAL: "PY 5", REFILL: "PY 6", ROTATE: "PY 6.2"}


def view(box: Any, s: Any, seat: int | None) -> dict[str, Any]:
    """Return the table as `seat` (None: a spectator, or everything laid open) sees it, JSON-ready."""
    phase, cards = int(s.phase), _cards(box)
    fleets = [Fleet.of(box, s, p) for p in range(s.seats)]
    stars = [_known_stars(box, s, p, seat) for p in range(s.seats)]
    aliens = [fleet.aliens + (known["aliens"] if known else 0) for fleet, known in zip(fleets, stars, strict=True)]
    return {
        "game": "pyramis",
        "seat": seat,
        "seats": int(s.seats),
        "phase": PHASES[phase],
        "phase_rule": PHASE_RULES[phase],
        "acting": [p for p in range(s.seats) if (int(s.acting) & ~int(s.submitted)) >> p & 1],
        "asked": [p for p in range(s.seats) if int(s.acting) >> p & 1],
        "start": int(s.start),
        "active": int(s.active),
        "turn": int(s.turn) + (0 if s.over else 1),
        "turns": N_SPACES * int(s.seats),
        "river": [cards[card - 1] if card else None for card in s.river.tolist()],
        "gap": int(s.gap) + 1 if phase in (STEAL, REFILL) else None,
        "decks": _decks(box, s),
        "pairs": [COLOURS[c] for c in range(len(COLOURS)) if int(rules.shown_pairs(s)) >> c & 1],
        "turning": COLOURS[int(s.colour)] if phase == ROTATE else None,
        "turning_next": [COLOURS[c] for c in range(len(COLOURS)) if int(s.pairs) >> c & 1],
        "reserve": int(s.reserve),
        "players": [_player(box, s, p, seat, cards, fleets[p], stars[p], aliens) for p in range(s.seats)],
        "most_aliens": max(aliens),
        "previews": _previews(box, s, seat, fleets, stars, aliens),
        "outcome": _outcome(box, s, fleets) if s.over else None,
    }


def _cards(box: Any) -> list[dict[str, Any]]:
    """Return all Exodus cards."""
    ends = [
        [{"pyramids": pyramids, "aliens": aliens} for pyramids, aliens in zip(*both, strict=True)]
        for both in zip(box.pyramids.tolist(), box.aliens.tolist(), strict=True)
    ]
    return [
        {
            "card": i + 1,
            "colour": COLOURS[colour],
            "landscape": LANDSCAPES[colour],
            "top": ends[i][0],
            "bottom": ends[i][1],
            "star": bool(star),
        }
        for i, (colour, star) in enumerate(zip(box.colour.tolist(), box.star.tolist(), strict=True))
    ]


def _back(number: int) -> list[str]:
    return [colour for c, colour in enumerate(COLOURS) for _ in range(number >> 4 * c & 15)]


def _decks(box: Any, s: Any) -> list[dict[str, Any]]:
    left, shown = s.left.tolist(), s.back.tolist()
    return [
        {
            "deck": DECK_NAMES[deck],
            "left": left[deck],
            "back": _back(shown[deck]),
            "base": not left[deck],
            "triggers": _triggers(box, s, deck, left, shown) if left[deck] and not s.over else [],
        }
        for deck in range(DECKS)
    ]


def _triggers(box: Any, s: Any, deck: int, left: Sequence[int], shown: Sequence[int]) -> list[dict[str, Any]]:
    """Return how likely, in percent, each colour shows a pair once the River is refilled from this deck (PY 6.2).

    The back below is unknown: any card that has been seen nowhere can lie there, less the two whose backs are on top.
    """
    other, backs = shown[1 - deck], box.back.tolist()
    seen = {card - 1 for card in (*s.river.tolist(), *s.fleet.ravel().tolist()) if card}
    unseen = [backs[card] for card in range(CARDS) if card not in seen]
    for known in range(DECKS):
        if left[known]:
            unseen.remove(shown[known])
    below = unseen if left[deck] > 1 else [0]
    chances: list[dict[str, Any]] = []
    for c, colour in enumerate(COLOURS):
        need = 2 - (other >> 4 * c & 15)
        pairs = sum((back >> 4 * c & 15) >= need for back in below)
        if pairs:
            chances.append({"colour": colour, "percent": max(1, round(100 * pairs / len(below)))})
    return chances


def _known_stars(box: Any, s: Any, p: int, viewer: int | None) -> dict[str, int] | None:
    if s.over:
        held = int(s.final_stars[p])
    elif p == viewer:
        held = int(s.stars[p])
    else:
        return None if s.star_count[p] else {"pyramids": 0, "aliens": 0}
    return {"pyramids": int(rules.star_pyramids(box, held)), "aliens": int(rules.star_aliens(box, held))}


def _player(
    box: Any,
    s: Any,
    p: int,
    viewer: int | None,
    cards: Sequence[dict[str, Any]],
    fleet: Fleet,
    stars: dict[str, int] | None,
    aliens: Sequence[int],
) -> dict[str, Any]:
    held = int(s.final_stars[p]) if s.over else int(s.stars[p]) if p == viewer else 0
    may_turn = int(rules.turnable(s, p, int(s.colour))) if s.phase == ROTATE else 0
    own_choice = int(s.choice[p]) if p == viewer else 0
    leads = aliens[p] > 0 and aliens[p] == max(aliens)
    pyramids = fleet.pyramids + (stars["pyramids"] if stars else 0)
    return {
        "seat": p,
        "fleet": _spaces(s, p, cards, fleet, may_turn),
        "placed": fleet.cards,
        "pyramids": pyramids,
        "zone": fleet.zone_report(),
        "aliens": aliens[p],
        "leads_aliens": leads,
        "stars": int(s.star_count[p]),
        "star_cards": None
        if stars is None
        else [
            {"star": i + 1, "pyramids": int(box.star_pyramids[i]), "aliens": int(box.star_aliens[i])}
            for i in range(STARS)
            if held >> i & 1
        ],
        # What the Fleet and the Star cards this viewer knows come to now; the Aliens count where they are the most.
        "score": pyramids + fleet.zone_pyramids + (aliens[p] if leads else 0),
        "score_is_whole": stars is not None,
        "chosen": SPACES[own_choice - 1] if own_choice else None,
    }


def _spaces(s: Any, p: int, cards: Sequence[dict[str, Any]], fleet: Fleet, may_turn: int) -> list[dict[str, Any]]:
    filled, turned = int(s.filled[p]), int(s.turned[p])
    lying: list[int] = s.fleet[p].tolist()
    is_open, accessible = int(OPEN[filled]), int(ACCESSIBLE[filled])
    found: list[dict[str, Any]] = []
    for n in range(N_SPACES):
        place: dict[str, Any] = {"space": SPACES[n], "level": LEVEL[n], "column": COLUMN[n]}
        place |= {"open": bool(is_open >> n & 1), "card": None}
        if lying[n]:
            drawn: dict[str, Any] = cards[lying[n] - 1]
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
        found.append(place)
    return found


def _previews(
    box: Any, s: Any, seat: int | None, fleets: Sequence[Fleet], stars: Sequence[Any], aliens: Sequence[int]
) -> dict[str, Any]:
    """Return what the viewer's own score would be after each action that it may take now, by the action's notation."""
    if seat is None or s.over or not int(s.acting) >> seat & 1 or int(s.submitted) >> seat & 1:
        return {}
    rivals = max((aliens[p] for p in range(s.seats) if p != seat), default=0)
    found: dict[str, Any] = {}
    if s.phase == PLACE:
        for slot in range(RIVER):
            for n in range(N_SPACES):
                if OPEN[int(s.filled[seat])] >> n & 1:
                    after = after_placement(box, s, seat, int(s.river[slot]) - 1, n)
                    found[f"place {slot + 1} {SPACES[n]}"] = after.report(fleets[seat], stars[seat], rivals)
    elif s.phase == ROTATE:
        for n in range(N_SPACES):
            if int(rules.turnable(s, seat, int(s.colour))) >> n & 1:
                after = after_rotation(box, s, seat, n)
                found[f"rotate {SPACES[n]}"] = after.report(fleets[seat], stars[seat], rivals)
    return found


def _outcome(box: Any, s: Any, fleets: Sequence[Fleet]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for p, fleet in enumerate(fleets):
        held = int(s.final_stars[p])
        aliens = fleet.aliens + int(rules.star_aliens(box, held))
        pyramids = fleet.pyramids + int(rules.star_pyramids(box, held))
        rows.append(
            {
                "seat": p,
                "fleet": fleet.pyramids,
                "stars": pyramids - fleet.pyramids,
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


# Why an action is refused


_DOING = {
    PLACE: ("is expanding the Fleet", "PY 4.1"),
    STEAL: ("is choosing whose Star card to take", "PY 5.1"),
    REFILL: ("is refilling the River", "PY 6.1"),
    ROTATE: ("is choosing a card to turn", "PY 6.2"),
}
_NOW = {
    PLACE: "place a River card in your Fleet",
    STEAL: "choose a player to take a Star card from",
    REFILL: "refill the River from a deck",
    ROTATE: "turn a card of your Fleet",
}
_FAMILIES = {PLACE: "place", STEAL: "steal", REFILL: "refill", ROTATE: "rotate"}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule and the sentence for a seat that has nothing to decide now."""
    doing, number = _DOING[int(s.phase)]
    if s.phase == ROTATE:
        if int(s.acting) >> seat & 1:
            return "PY 6.4", "You have chosen; the cards turn when everybody has."
        return "PY 6.3", f"You have no accessible {COLOURS[int(s.colour)]} card to turn."
    return number, f"It is not your turn: seat {int(s.active)} {doing}."


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return (rule, sentence) why a seat whose decision is due may not take an action, or None if it may."""
    phase = int(s.phase)
    if action.family != _FAMILIES[phase]:
        return _DOING[phase][1], f"That is not for now: {_NOW[phase]}."
    if action.family == "place":
        return _refuse_place(int(s.filled[seat]), action.args[1])
    if action.family == "steal":
        return _refuse_steal(s, seat, action.args[0])
    if action.family == "refill" and not s.left[action.args[0]]:
        return "PY 6.1", f"The {DECK_NAMES[action.args[0]]} deck is empty."
    if action.family == "rotate":
        return _refuse_rotate(box, s, seat, action.args[0])
    return None


def _refuse_place(fleet: int, n: int) -> tuple[str, str] | None:
    if OPEN[fleet] >> n & 1:
        return None
    if fleet >> n & 1:
        return "PY 4.1", f"There is a card on {SPACES[n]} already."
    if BELOW[n]:
        missing = " and ".join(SPACES[m] for m in BELOW[n] if not fleet >> m & 1)
        return "PY 4.3", f"A card on {SPACES[n]} lies over two cards; {missing} is still empty."
    beside = " nor ".join(SPACES[m] for m in BESIDE[n])
    return "PY 4.2", f"A card on {SPACES[n]} would touch no card: there is none on {beside}."


def _refuse_steal(s: Any, seat: int, other: int) -> tuple[str, str] | None:
    if other >= s.seats:
        return "PY 5.1", f"There is no seat {other} at this table."
    if other == seat:
        return "PY 5.1", "The Star card comes from another player."
    return None if s.star_count[other] else ("PY 5.1", "That player holds no Star card.")


def _refuse_rotate(box: Any, s: Any, seat: int, n: int) -> tuple[str, str] | None:
    colour, card = int(s.colour), int(s.fleet[seat, n]) - 1
    if card < 0:
        return "PY 6.2", f"There is no card on {SPACES[n]}."
    if box.colour[card] != colour:
        return "PY 6.2", f"The pair is {COLOURS[colour]}; the card on {SPACES[n]} is {COLOURS[int(box.colour[card])]}."
    if not ACCESSIBLE[int(s.filled[seat])] >> n & 1:
        return "PY 6.3", f"The card on {SPACES[n]} lies under another one."
    return None


# How events and actions read


_TEXTS = {
    "starts": "{seat} is the start player.",
    "placed": "{seat} placed {a_card} on {space}.",
    "drew": "{seat} drew a Star card.",
    "found": "The Star card of {seat} shows {worth}.",
    "no_star": "No other player holds a Star card to take.",
    "stole": "{seat} took a Star card from {victim}.",
    "stolen": "The Star card that {seat} took from {victim} shows {worth}.",
    "refilled": "{seat} refilled the River with {a_card} from the {deck} deck.",
    "pair": "The backs show a pair of {colour} Pyramids.",
    "nobody": "Nobody has an accessible {colour} card to turn.",
    "turned": "{seat} turned the {colour} card on {space}.",
    "star": "{seat} lays open a Star card with {worth}.",
    "scored": "{seat} scores {pyramids} for Pyramids, {zone} for the largest zone and {aliens} for Aliens.",
    "ended": "The game is over: every Fleet has ten cards.",
}
_A_CARD = ("an ocean card", "a forest card", "a mountain card", "a city card")


def tell(name: str, data: dict[str, int], names: Sequence[str]) -> str:
    """Return the sentence for an event."""
    words: dict[str, Any] = dict(data)
    for key in ("seat", "victim"):
        if key in data:
            words[key] = names[data[key]]
    if "colour" in data:
        words["colour"], words["a_card"] = COLOURS[data["colour"]], _A_CARD[data["colour"]]
    if "space" in data:
        words["space"] = SPACES[data["space"]]
    if "deck" in data:
        words["deck"] = DECK_NAMES[data["deck"]]
    if name in ("found", "stolen", "star"):
        words["worth"] = worth(data["pyramids"], data["aliens"])
    return _TEXTS[name].format(**words)


def worth(pyramids: int, aliens: int) -> str:
    """Return what an end or a Star card shows, in words: `2 Pyramids and 1 Alien`."""
    parts = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in ((pyramids, "Pyramid"), (aliens, "Alien")) if n]
    return " and ".join(parts) or "nothing"


_LABELS = {
    "place": "Place River card {river} on {space}",
    "steal": "Take a Star card from {seat}",
    "refill": "Refill from the {deck} deck",
    "rotate": "Turn the card on {space}",
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return what an action is called on a button."""
    words = dict(part.split(":") for part in action.path)
    if "seat" in words:
        words["seat"] = names[int(words["seat"])]
    return _LABELS[action.family].format(**words)


def invariants(box: Any, s: Any) -> str | None:
    """Return what is not accounted for in a whole state, or None: 48 Exodus cards and 5 Star cards (PY 1)."""
    placed = [int(card) - 1 for card in s.fleet.flat if card]
    shown = [int(card) - 1 for card in s.river if card]
    tops = [int(card) - 1 for card in s.top if card]
    pool = [int(card) for card in s.pool[: s.pool_count]]
    if sorted(placed + shown + tops + pool) != list(range(CARDS)):
        return f"{len(placed)} cards are in Fleets, {len(shown)} in the River, {len(tops) + len(pool)} in decks."
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
