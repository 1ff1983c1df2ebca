"""What one seat of Upside Down is shown, why an action is refused, and how an event reads.

Everything here is made from a redacted state; what it hides from the viewer is shown as None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.options import NOT_GIVEN
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.showing import (
    misplaced,
    number_saved,
    outcome,
    own,
    part_of,
    player,
    seats_of,
    table,
)
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LAYERS, NOBODY, TEN, space_name
from pyramidion.games.pyramid_of_ten.words import (
    ROWS,
    count,
    fill,
    refuse_confirm,
    refuse_part,
    refuse_reopen,
)
from pyramidion.games.upside_down import rules
from pyramidion.games.upside_down.layout import GARNETS_FOR_TOKEN, GIVING, PHASES, PREGAME, ROUNDS, START_GARNETS

PHASE_RULES = {0: "UD 7.6", PREGAME: "UD 3.1", CLAIM: "UD 5.1", BATTLE: "UD 6.1", GIVING: "UD 7.4"}
SUBMISSIONS = "UD 4.2"


def view(box: Any, s: Any, seat: int | None) -> dict[str, Any]:
    """Return the table as `seat` (None: a spectator, or everything laid open) sees it, JSON-ready."""
    return {
        **table("upside-down", s, seat, PHASES, ROUNDS),
        "phase_rule": PHASE_RULES[int(s.phase)],
        "protected": seats_of(s.protected),
        "players": [_player(s, p, seat) for p in range(TEN)],
        "challenges": _challenges(s) if s.phase == BATTLE else [],
        "battles": _battles(s) if s.phase == BATTLE else [],
        "giving": _giving(s) if s.phase == GIVING else None,
        "you": None if seat is None or s.over else _own(s, seat),
        "outcome": outcome(s, "UD 7.6", s.final_priority) if s.over else None,
    }


def _player(s: Any, p: int, viewer: int | None) -> dict[str, Any]:
    return {
        **player(s, p, viewer),
        "priority": int(s.final_priority[p]) if s.over else int(s.priority[p]) if p == viewer else None,
        # Challenged in a battle of the round before, and so not to be challenged in this one (UD 5.5).
        "protected": bool(s.phase == CLAIM and int(s.protected) >> p & 1),
    }


def _challenges(s: Any) -> list[dict[str, Any]]:
    """All challenges, from the bottom up, with the one that makes a challenge void."""
    found: list[dict[str, Any]] = []
    for place in range(TEN - 1, len(LAYERS[0]) - 1, -1):
        p = int(s.at[place])
        if s.target[p]:
            void = bool(int(s.void) >> p & 1)
            because = [q for q in _challengers(s, p) if void]
            target = int(s.target[p]) - 1
            found.append({"seat": p, "target": target, "void": void, "because": because[0] if because else None})
    return found


def _challengers(s: Any, p: int) -> list[int]:
    """The seats whose challenge of a seat goes through, from the lowest space up."""
    places = reversed([int(q) for q in s.at])
    return [q for q in places if s.target[q] == p + 1 and rules.goes_through(s, q)]


def _battles(s: Any) -> list[dict[str, Any]]:
    """The battles, from the top space down."""
    return [
        {"space": space_name(place), "defender": p, "challengers": _challengers(s, p)}
        for place, p in enumerate(int(p) for p in s.at)
        if _challengers(s, p)
    ]


def _giving(s: Any) -> dict[str, Any]:
    giver = seats_of(s.acting)[0]
    eligible = [int(p) for p in s.at if rules.may_be_given(s, int(p))]
    return {"giver": giver, "left": int(s.tol[giver]) - 1, "eligible": eligible}


def _own(s: Any, seat: int) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    if s.phase == PREGAME:
        parts.append(part_of("bid", number_saved(s.bid[seat]), 0, most=max(0, int(s.priority[seat]))))
    elif s.phase == CLAIM:
        parts.append(part_of("ask", number_saved(s.claim[seat]), 0, most=MOST_CLAIM))
        targets = [p for p in range(TEN) if rules.may_challenge(s, seat, p)]
        if targets:
            # The default is drawn at random.
            parts.append(part_of("challenge", number_saved(s.challenge[seat]), None, targets=targets))
    elif s.phase == BATTLE and int(s.acting) >> seat & 1:
        parts.append(part_of("tickets", number_saved(s.bid[seat]), 0, most=int(s.tickets[seat])))
    return own(s, seat, parts, bool(s.free and s.garnets[seat] > 0))


# Why an action is refused


_FAMILIES = {PREGAME: ("bid",), CLAIM: ("ask", "challenge"), BATTLE: ("tickets",)}
_DOING = {
    PREGAME: "bidding priority for their places",
    CLAIM: "asking for tickets and challenging each other",
    BATTLE: "choosing the tickets that they fight with",
}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule and the sentence for a seat that has nothing to decide now."""
    return "UD 7.4", f"It is not your decision: seat {seats_of(s.acting)[0]} gives a token of life away."


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return (rule, sentence) why a seat that may act may not take an action, or None if it may."""
    phase = int(s.phase)
    if phase == GIVING:
        return _refuse_gift(s, action)
    if action.family == "give":
        return "UD 7.4", "Tokens of life are given away after the end."
    if action.family == "trade":
        return None if s.garnets[seat] > 0 else ("UD 1.4", "You have no garnet left.")
    if action.family == "confirm":
        return refuse_confirm(s, seat, PHASE_RULES[phase], SUBMISSIONS)
    if action.family == "reopen":
        return refuse_reopen(s, seat, SUBMISSIONS)
    refused = refuse_part(s, seat, action, _FAMILIES[phase], _DOING[phase], PHASE_RULES[phase], SUBMISSIONS)
    if refused:
        return refused
    number = action.args[0]
    if action.family == "challenge":
        return _refuse_challenge(s, seat, number)
    if action.family == "bid" and number > max(0, s.priority[seat]):
        return "UD 3.1", f"You have {max(0, int(s.priority[seat]))} priority to bid."
    if action.family == "tickets" and number > s.tickets[seat]:
        return "UD 6.1", f"You have {count(int(s.tickets[seat]), 'ticket')}."
    return None


def _refuse_challenge(s: Any, seat: int, other: int) -> tuple[str, str] | None:
    layer = LAYER[s.space[seat]]
    if layer == 0:
        return "UD 5.4", "You are in the top layer; there is nobody to challenge above you."
    if LAYER[s.space[other]] + 1 != layer:
        above = ", ".join(space_name(space) for space in LAYERS[layer - 1])
        return "UD 5.4", f"You challenge somebody exactly one layer above you, on {above}."
    if int(s.protected) >> other & 1:
        return "UD 5.5", f"Seat {other} was challenged in a battle of the last round and cannot be challenged in this."
    return None


def _refuse_gift(s: Any, action: Action) -> tuple[str, str] | None:
    if action.family != "give":
        return "UD 7.4", "The game has ended but for the tokens of life: give yours to somebody."
    other = action.args[0]
    if other == s.ec:
        return "UD 7.4", f"Seat {other} is the elimination candidate and can have no token of life."
    if s.tol[other]:
        return "UD 7.4", f"Seat {other} has a token of life already."
    return None


# How events and actions read


_TEXTS = {
    **ROWS,
    "traded": "{seat} turns a garnet into a ticket and has {left} left.",
    "raised": "{seat} shared a priority with somebody: it goes up by {amount} to {priority}.",
    "bid": "{seat} bids and pays {amount}, and has a priority of {priority} now.",
    "claim": "Round {round}: everybody asks for tickets, and whoever is below the top challenges somebody above.",
    "got": "{seat} gets {tickets}.",
    "got_and_lost": "{seat} gets {tickets}, and loses {lost} priority for those who are screwed: {priority} are left.",
    "screwed": "{seat} asked for {tickets} and is screwed: too many with a higher priority did.",
    "drawn": "{seat} has challenged nobody; chance draws {other}.",
    "challenged": "{seat} challenges {other}.",
    "void": "{seat} challenges {other}, which is void: {because} challenges {seat}.",
    "idle": "{seat} has nobody to challenge.",
    "battle": "Round {round}: the challenges are fought out.",
    "held": "{seat} wins against {challengers}, and nobody moves.",
    "took": "{seat} wins, and changes places with {other}: {seat} stands on {space} now.",
    "used": "{seat} used {tickets} and pays {price}.",
    "revealed": "{seat} has {tickets}.",
    "candidate": "{seat} stands on J and is the elimination candidate.",
    "tokens": "{seats} stand at the top, and each wins a token of life.",
    "most": "{seat} has the most tickets, {tickets}, and wins {tokens}.",
    "gave": "{seat} gives {other} a token of life.",
    "rewarded": "{seats} hold a token of life, and receive 4 garnets each.",
    "ended": "The game is over.",
}


def tell(name: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the sentence for an event."""
    words: dict[str, Any] = {}
    if name == "most":
        words["tokens"] = "two tokens of life" if data["tokens"] == 2 else "a token of life"
    elif "tickets" in data:
        words["tickets"] = count(data["tickets"], "ticket")
    if "garnets" in data:
        words["left"] = count(data["garnets"], "garnet")
    if "paid" in data:
        # The winner of a battle pays all that was used, the others nothing.
        words["price"] = ("it" if data["paid"] == 1 else "them") if data["paid"] else "nothing"
    return fill(_TEXTS["got_and_lost" if name == "got" and data["lost"] else name], data, names, **words)


_LABELS = {
    "bid": "Bid {number} priority",
    "ask": "Ask for {tickets}",
    "challenge": "Challenge {who}",
    "tickets": "Use {tickets}",
    "give": "Give {who} a token of life",
    "trade": "Turn a garnet into a ticket",
    "confirm": "Confirm the submission",
    "reopen": "Change the submission",
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return what an action is called on a button."""
    if not action.args:
        return _LABELS[action.family]
    number = action.args[0]
    who = names[number] if action.family in ("challenge", "give") else ""
    return _LABELS[action.family].format(number=number, tickets=count(number, "ticket"), who=who)


def invariants(box: Any, s: Any) -> str | None:
    """Return what is not accounted for in a whole state, or None.

    Everybody stands on one space; tickets and garnets are between 0 and what rules and trades can have brought; while a
    phase is open all priorities differ; once tickets are revealed there are six tokens, none of them EC's.
    """
    if wrong := misplaced(s):
        return wrong
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    over, tol, ec, priority = bool(s.over), s.tol.tolist(), int(s.ec), s.priority.tolist()
    starts, garnets, tickets = box.garnets.tolist(), s.garnets.tolist(), s.tickets.tolist()
    for p in range(TEN):
        start = START_GARNETS if starts[p] == NOT_GIVEN else starts[p]
        traded = start - garnets[p] + (GARNETS_FOR_TOKEN if over and tol[p] else 0)
        if not 0 <= traded <= start:
            return f"Seat {p} has {garnets[p]} garnets and began with {start}."
        if not 0 <= tickets[p] <= START_TICKETS + MOST_CLAIM * claims + traded:
            return f"Seat {p} has {tickets[p]} tickets after {claims} claims and {traded} trades."
    if len(set(priority)) < TEN:
        return f"The priorities {priority} are not all different."
    if sorted(s.rank.tolist()) != list(range(TEN)):
        return f"The order of priority is {s.rank.tolist()}."
    if (over or s.phase == GIVING) != (ec != NOBODY):
        return "EC is named at the end, and not before."
    if ec != NOBODY and (sum(tol) != 6 or tol[ec] or (over and max(tol) > 1)):
        return f"The tokens of life are {tol}, and EC is seat {ec}."
    return None
