"""The view of one seat of Pyramid Scheme: everything the board needs, made from a redacted state.

Hidden fields are zero in the redacted state and None in the view. Refusals are in refusals.py, sentences in texts.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.layout import is_open_to, seat_of
from pyramidion.games.pyramid_scheme import elimination, goals, trees
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    ANY,
    CARDS,
    COLOURS,
    COUNTED,
    DISCARDED,
    FIRST_FOUNDER,
    FIRST_POLICE,
    GOAL_NEEDS,
    GOALS,
    GONE,
    HIDDEN,
    HOLDER_NAMES,
    IN_HAND,
    IN_MARKET,
    IN_PYRAMID,
    NO_COLOUR,
    ON_TOP,
    PHASES,
    POLICING,
    REWARDED,
    REWARDS,
    TOKENS,
    VICTIMS,
)
from pyramidion.games.pyramid_scheme.refusals import not_due, refusal
from pyramidion.games.pyramid_scheme.texts import GOAL_WORDS, label, precise_label, tell
from pyramidion.translation import _

__all__ = ["invariants", "label", "not_due", "precise_label", "refusal", "tell", "view"]

PHASE_RULES = {0: "PS 10", 1: "PS 3.1", 2: "PS 6.1", 3: "PS 7", 4: "PS 8", 5: "PS 9.1"}
GOAL_RULES = tuple(f"PS 8.{n + 1}" for n in range(len(GOALS)))


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return what `viewer` (a seat, None for a spectator, or EVERYTHING) may see of the game, as JSON-ready data."""
    q = Plain(box, s)
    tallies = [goals.tally(box, s, p) for p in range(q.seats)]
    seat = seat_of(viewer)
    return {
        "game": "pyramid-scheme",
        "seat": seat,
        "seats": q.seats,
        "phase": PHASES[q.phase],
        "phase_rule": PHASE_RULES[q.phase],
        "acting": [p for p in range(q.seats) if q.acting >> p & 1],
        "start": int(s.start_seat),
        "turn": int(s.turn_seat),
        "turn_number": int(s.turn_number),
        "actions_left": int(s.actions_left),
        "market": [card_data(q, card) for card in s.market.tolist()],
        "deck_top": card_data(q, int(s.deck_top)) if s.deck_top >= 0 else None,
        "deck_count": int(s.deck_count) + (1 if s.deck_top >= 0 else 0),
        "discard": [card_data(q, card) for card in range(VICTIMS) if q.spot[card] == DISCARDED],
        "gone": [card_data(q, card) for card in range(VICTIMS) if q.spot[card] == GONE],
        "supply": int(s.supply),
        "police_left": sum(1 for card in range(FIRST_POLICE, FIRST_FOUNDER) if q.parent[card] < 0),
        "goals": [_goal(q, i, tallies) for i in range(len(q.goals))],
        "reward": _reward(q, s),
        "police": {"claimant": int(s.turn_seat), "goals_left": int(s.police_rounds)} if q.phase == POLICING else None,
        "players": [_player(q, p, viewer) for p in range(q.seats)],
        "placements": _placements(q, seat, tallies),
        "outcome": _outcome(s) if s.over else None,
    }


class Plain:
    """The often read fields of box and state as plain lists, because reading single entries of a record is slow."""

    def __init__(self, box: Any, s: Any) -> None:
        self.box = box
        self.seats, self.phase, self.acting = int(s.seats), int(s.phase), int(s.acting)
        self.actions_left, self.crumbled = int(s.actions_left), int(s.crumbled)
        self.number: list[int]
        self.reward: list[int]
        self.colour: list[int]
        self.number, self.colour, self.wants = box.number.tolist(), box.colour.tolist(), box.wants.tolist()
        self.reward, self.reward_count = box.reward.tolist(), box.reward_count.tolist()
        self.full = box.full.tolist()
        self.parent, self.flipped, self.limits = s.parent.tolist(), s.flipped.tolist(), s.limits.tolist()
        self.room, self.above, self.level = s.room.tolist(), s.above.tolist(), s.level.tolist()
        self.met, self.spot = s.met.tolist(), s.spot.tolist()
        self.piles = [pile[:count] for pile, count in zip(s.pile.tolist(), s.pile_count.tolist(), strict=True)]
        self.hands = [hand[:count] for hand, count in zip(s.hand.tolist(), s.hand_count.tolist(), strict=True)]
        self.hand_limit, self.tokens = s.hand_limit.tolist(), s.tokens.tolist()
        self.goals: list[int]
        self.goals, self.claimed, self.reserved = s.goals.tolist(), s.claimed.tolist(), s.reserved.tolist()

    def is_idle_police(self, card: int) -> bool:
        """Return whether a card is an unflipped Police, which carries nothing."""
        return FIRST_POLICE <= card < FIRST_FOUNDER and not self.flipped[card]


def card_data(q: Plain, card: int) -> dict[str, Any]:
    """Return what is printed on a card, as JSON-ready data."""
    reward, colour = q.reward[card], q.colour[card]
    name = REWARDS[reward]
    return {
        "card": HOLDER_NAMES[min(card, FIRST_FOUNDER)],
        "kind": "victim" if card < VICTIMS else "police" if card < FIRST_FOUNDER else "founder",
        "colour": COLOURS[colour] if colour < NO_COLOUR else None,
        "number": q.number[card],
        "wants": [_demand(code) for code in q.wants[card] if code],
        "reward": None if not reward else f"{name} +{q.reward_count[card]}" if name in COUNTED else name,
    }


def _demand(code: int) -> int | str:
    """Return a demand of a condition as the card file has it: a number, a colour or `any`."""
    return "any" if code == ANY else COLOURS[code - 6] if code > 5 else code


def _goal(q: Plain, i: int, tallies: Sequence[Any]) -> dict[str, Any]:
    """Return the open goal `i`: its words and rule, each player's progress, and who has claimed or reserved it."""
    goal = q.goals[i]
    return {
        "goal": GOALS[goal],
        "words": _(GOAL_WORDS[GOALS[goal]]),
        "rule": GOAL_RULES[goal],
        "need": GOAL_NEEDS[goal],
        "progress": [int(goals.progress(goal, tallies[p], q.tokens[p])) for p in range(q.seats)],
        "claimed": q.claimed[i] - 1 if q.claimed[i] else None,
        "reserved": q.reserved[i] - 1 if q.reserved[i] else None,
    }


def _reward(q: Plain, s: Any) -> dict[str, Any] | None:
    """Return the reward that the seat is taking now, for the view; None if it takes none."""
    if s.phase != REWARDED:
        return None
    return {
        "reward": REWARDS[int(s.reward)],
        "count": int(s.reward_count),
        "card": card_data(q, int(s.reward_card)),
        "rule": f"PS 7.{int(s.reward)}",
    }


def _player(q: Plain, p: int, viewer: int | None) -> dict[str, Any]:
    """Return what the viewer knows about the player `p`: hand, tokens, and pyramid."""
    held = q.hands[p]
    seen = [card for card in range(VICTIMS) if q.spot[card] == IN_HAND + p]
    hand = held if is_open_to(viewer, p) else seen
    cards = q.piles[p]
    return {
        "seat": p,
        "out": bool(q.crumbled >> p & 1),
        "hand": [{**card_data(q, card), "seen": q.spot[card] == IN_HAND + p} for card in hand],
        "hidden": len(held) - len(hand),
        "hand_count": len(held),
        "hand_limit": q.hand_limit[p],
        "tokens": q.tokens[p],
        "smart": sum(q.flipped[card] for card in cards),
        "victims": sum(1 for card in cards if card < VICTIMS),
        "levels": max((q.level[card] for card in cards), default=0),
        "room": sum(q.room[card] for card in cards),
        **_drawn(q, cards),
    }


def _drawn(q: Plain, cards: Sequence[int]) -> dict[str, Any]:
    """Return a pyramid's cards with their positions (`x` in half columns, `y` in rows), and its width and height."""
    below: dict[int, list[int]] = {card: [] for card in [-1, *cards]}
    for card in cards:
        below[q.parent[card]].append(card)
    order: list[int] = []
    waiting: list[int] = list(below[-1])
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(below[order[-1]])
    x: dict[int, int] = {}
    columns = 0
    for card in reversed(order):  # children before parents, last branch first
        if not below[card]:
            x[card] = -2 * columns
            columns += 1
        else:
            x[card] = (x[below[card][0]] + x[below[card][-1]]) // 2
    y: dict[int, int] = {-1: -1}
    for card in order:
        y[card] = y[q.parent[card]] + 1
    left = 2 * (columns - 1)
    return {
        "columns": columns,
        "rows": max(y.values()) + 1,
        "pyramid": [{**_placed(q, card), "x": x[card] + left, "y": y[card]} for card in order],
    }


def _placed(q: Plain, card: int) -> dict[str, Any]:
    """Return a card of a pyramid: what is printed on it, what lies above it, and the room below it."""
    parent = q.parent[card]
    return {
        **card_data(q, card),
        "below": None if parent < 0 else HOLDER_NAMES[min(parent, FIRST_FOUNDER)],
        "flipped": bool(q.flipped[card]),
        "limits": q.limits[card],
        "room": q.room[card],
        "limit": 0 if q.is_idle_police(card) else q.number[card] + q.limits[card],
        "level": q.level[card],
        "blocked": [colour for c, colour in enumerate(COLOURS) if q.above[card] >> c & 1],
        "may_flip": bool(q.met[card] and not q.flipped[card]),
    }


def _placements(q: Plain, seat: int | None, tallies: Sequence[Any]) -> list[dict[str, Any]]:
    """Return each legal placement of the viewer with its effects: room left, cards to flip, goals to claim."""
    if seat is None or not q.acting >> seat & 1 or q.phase not in (ACTING, POLICING):
        return []
    police = q.phase == POLICING
    cards = [FIRST_POLICE] if police else q.hands[seat] if q.actions_left else []
    return [
        _placement(q, seat, card, under, tallies[seat])
        for card in cards
        for under in q.piles[seat]
        if q.room[under] >= q.number[card] and not q.above[under] >> q.colour[card] & 1
    ]


def _placement(q: Plain, seat: int, card: int, under: int, tallied: Any) -> dict[str, Any]:
    """Return the effects of placing a card below `under`: room left, cards to flip, and goals to claim.

    `tallied` is the seat's `tally` before.
    """
    police = card == FIRST_POLICE
    flips = [] if police else [c for c in q.piles[seat] if q.met[c] and not q.flipped[c]]
    if not police and not q.flipped[under] and not q.met[under] and _would_meet(q, seat, card, under):
        flips.append(under)
    claims: list[str] = []
    if not police:
        colours, numbers, *rest, levels, widest = tallied
        after = (
            colours + (1 << 8 * q.colour[card]),
            numbers + (1 << 8 * q.number[card]),
            *rest,
            max(levels, q.level[under] + 1),
            widest,
        )
        for goal, claimed, reserved in zip(q.goals, q.claimed, q.reserved, strict=True):
            if (
                not claimed
                and reserved in (0, seat + 1)
                and goals.progress(goal, after, q.tokens[seat]) >= GOAL_NEEDS[goal]
            ):
                claims.append(GOALS[goal])
    return {
        "card": None if police else HOLDER_NAMES[card],
        "below": HOLDER_NAMES[min(under, FIRST_FOUNDER)],
        "room": q.room[under],
        "left": q.room[under] - q.number[card],
        "flips": [card_data(q, c) for c in flips],
        "goals": claims,
    }


def _would_meet(q: Plain, seat: int, card: int, under: int) -> bool:
    """Return whether the condition of the card `under` would be met with `card` placed below it."""
    reached = 1
    for child in [card, *(c for c in q.piles[seat] if q.parent[c] == under)]:
        reached = int(trees.with_child(reached, int(trees.demand_fit(q.box, under, child))))
    return bool(reached >> q.full[under] & 1)


def _outcome(s: Any) -> dict[str, Any]:
    """Return the winners and the scoring at the end, a row for each seat, for the view."""
    rule = {4_03: "PS 4.3", 10_02: "PS 10.2"}[int(s.ending)]
    return {
        "rule": rule,
        "exhausted": int(s.ending) == 4_03,
        "winners": [p for p in range(s.seats) if int(s.winners) >> p & 1],
        "points": [None if s.score[p] < 0 else int(s.score[p]) for p in range(s.seats)],
        "table": [
            {
                "seat": p,
                "out": not elimination.is_in(s, p),
                "smart": None if s.score[p] < 0 else int(s.score[p]),
                "goals": [GOALS[int(goal)] for i, goal in enumerate(s.goals) if s.claimed[i] == p + 1],
            }
            for p in range(s.seats)
        ],
    }


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence on the first inconsistency in a full, unredacted state, or None if there is none.

    It concerns Victims, Police, tokens or room (PS 1, 5.2).
    """
    return _victims_missing(s) or _tokens_missing(s) or _trees_wrong(box, s) or _starter_wrong(box, s)


def _victims_missing(s: Any) -> str | None:
    """Return a sentence if a Victim is not where the state says, or if their piles do not add up; otherwise None."""
    places: dict[int, list[int]] = {IN_MARKET: [int(card) for card in s.market]}
    if s.deck_top >= 0:
        places[ON_TOP] = [int(s.deck_top)]
    places[HIDDEN] = [int(card) for card in s.deck[: s.deck_count]]
    places[IN_PYRAMID] = []
    places_of_victims = [*places[IN_MARKET], *places.get(ON_TOP, []), *places[HIDDEN]]
    for p in range(s.seats):
        hand = [int(card) for card in s.hand[p, : s.hand_count[p]]]
        if hand != sorted(set(hand)) or len(hand) > s.hand_limit[p]:
            return f"Seat {p}'s hand is {hand}."
        if any(s.spot[card] not in (HIDDEN, IN_HAND + p) for card in hand):
            return f"Seat {p}'s hand is said to lie elsewhere."
        if sum(1 for card in range(VICTIMS) if s.spot[card] == IN_HAND + p and card not in hand):
            return f"Seat {p} is said to hold what it does not."
        pile = [int(card) for card in s.pile[p, : s.pile_count[p]]]
        places[IN_PYRAMID] += [card for card in pile if card < VICTIMS]
        places_of_victims += hand + [card for card in pile if card < VICTIMS]
    for spot, cards in places.items():
        if any(s.spot[card] != spot for card in cards):
            return f"A card of {cards} is said to lie elsewhere than at {spot}."
    away = [card for card in range(VICTIMS) if s.spot[card] in (DISCARDED, GONE)]
    if sorted(places_of_victims + away) != list(range(VICTIMS)):
        return f"{len(places_of_victims)} Victims are in play and {len(away)} discarded or gone."
    if sum(1 for card in away if s.spot[card] == DISCARDED) != s.discard_count:
        return "The discard pile is miscounted."
    return None


def _tokens_missing(s: Any) -> str | None:
    """Return a sentence if limit and reset tokens do not add up, or None."""
    total = int(s.supply) + sum(map(int, s.tokens[: s.seats])) + sum(map(int, s.limits))
    if total != TOKENS or s.supply < 0 or (s.tokens < 0).any() or (s.limits < 0).any():
        return f"There are {total} tokens."
    return None


def _trees_wrong(box: Any, s: Any) -> str | None:
    """Return what is wrong with the pyramids and the cards in them, or None."""
    placed = [int(card) for p in range(s.seats) for card in s.pile[p, : s.pile_count[p]]]
    if len(set(placed)) != len(placed):
        return "A card lies in two pyramids."
    if any((s.parent[card] >= 0) != (card in placed and card < FIRST_FOUNDER) for card in range(CARDS)):
        return "A card lies below another and in no pyramid, or in a pyramid below nothing."
    for p in range(s.seats):
        pile = [int(card) for card in s.pile[p, : s.pile_count[p]]]
        if not elimination.is_in(s, p):
            if pile or s.hand_count[p] or s.tokens[p]:
                return f"Seat {p} is out and still holds something."
            continue
        if pile != sorted(pile) or pile[-1] != FIRST_FOUNDER + p:
            return f"Seat {p}'s pyramid is {pile}."
        wrong = next((mistake for card in pile if (mistake := _card_wrong(box, s, p, card, pile))), None)
        if wrong:
            return f"Seat {p}: {wrong}"
        unflipped = sum(1 for card in pile if FIRST_POLICE <= card < FIRST_FOUNDER and not s.flipped[card])
        room, tokens = sum(int(s.room[card]) for card in pile), sum(int(s.limits[card]) for card in pile)
        if room != 12 + tokens - 3 * unflipped:
            return f"Seat {p} has room {room} with {tokens} limit tokens and {unflipped} unflipped Police."
    return None


def _card_wrong(box: Any, s: Any, p: int, card: int, pile: Sequence[int]) -> str | None:
    """Return what is wrong with the derived fields of a card in a pyramid (`pile`), or None."""
    below = [child for child in pile if s.parent[child] == card]
    police = FIRST_POLICE <= card < FIRST_FOUNDER and not s.flipped[card]
    limit = 0 if police else int(box.number[card]) + int(s.limits[card])
    if int(s.room[card]) != limit - sum(int(box.number[child]) for child in below) or s.room[card] < 0:
        return f"card {card} has room {int(s.room[card])}."
    above, levels, up = 0, 0, card
    while up >= 0:
        colour = int(box.colour[up])
        if up != card and up not in pile:
            return f"card {card} hangs on another pyramid."
        if colour < NO_COLOUR and not s.flipped[up]:
            if above >> colour & 1:
                return f"two unflipped Victims of a colour stand above or at card {card}."
            above |= 1 << colour
        levels += not FIRST_POLICE <= up < FIRST_FOUNDER
        up = int(s.parent[up])
    if (above, levels) != (int(s.above[card]), int(s.level[card])):
        return f"card {card} is said to be on level {int(s.level[card])} below colours {int(s.above[card])}."
    if sum(int(s.flipped[child]) for child in below) != s.smart_below[card]:
        return f"card {card} miscounts the flipped cards below it."
    if below and int(s.met[card]) != trees.meets_condition(box, s, p, card):
        return f"card {card} is wrong about its condition."
    return None


def _starter_wrong(box: Any, s: Any) -> str | None:
    """Return a sentence if the start seat was not dealt the lowest sum, or None."""
    sums = [int(s.dealt_sum[p]) for p in range(s.seats)]
    for p in range(s.seats):
        sums[p] += sum(int(box.number[card]) for card in s.hand[p, : s.hand_count[p]] if s.spot[card] == HIDDEN)
    if not box.start and sums[int(s.start_seat)] != min(sums):
        return f"Seat {int(s.start_seat)} started with the dealt sums {sums}."
    return None
