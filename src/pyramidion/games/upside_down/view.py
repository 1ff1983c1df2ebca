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
    fill,
    garnets,
    refuse_confirm,
    refuse_part,
    refuse_reopen,
    tickets,
)
from pyramidion.games.upside_down import rules
from pyramidion.games.upside_down.layout import GARNETS_FOR_TOKEN, GIVING, PHASES, PREGAME, ROUNDS, START_GARNETS
from pyramidion.words import _, marked, ngettext, seat_word

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
_NOT_NOW = {
    PREGAME: marked("That is not for now: players are bidding priority for their places."),
    CLAIM: marked("That is not for now: players are asking for tickets and challenging each other."),
    BATTLE: marked("That is not for now: players are choosing the tickets that they fight with."),
}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule and the sentence for a seat that has nothing to decide now."""
    said = _("It is not your decision: {seat} gives a token of life away.")
    return "UD 7.4", said.format(seat=seat_word(seats_of(s.acting)[0]))


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return (rule, sentence) why a seat that may act may not take an action, or None if it may."""
    phase = int(s.phase)
    if phase == GIVING:
        return _refuse_gift(s, action)
    if action.family == "give":
        return "UD 7.4", _("Tokens of life are given away after the end.")
    if action.family == "trade":
        return None if s.garnets[seat] > 0 else ("UD 1.4", _("You have no garnet left."))
    if action.family == "confirm":
        return refuse_confirm(s, seat, PHASE_RULES[phase], SUBMISSIONS)
    if action.family == "reopen":
        return refuse_reopen(s, seat, SUBMISSIONS)
    refused = refuse_part(s, seat, action, _FAMILIES[phase], _NOT_NOW[phase], PHASE_RULES[phase], SUBMISSIONS)
    if refused:
        return refused
    number = action.args[0]
    if action.family == "challenge":
        return _refuse_challenge(s, seat, number)
    if action.family == "bid" and number > max(0, s.priority[seat]):
        return "UD 3.1", _("You have {count} priority to bid.").format(count=max(0, int(s.priority[seat])))
    if action.family == "tickets" and number > s.tickets[seat]:
        return "UD 6.1", _("You have {tickets}.").format(tickets=tickets(int(s.tickets[seat])))
    return None


def _refuse_challenge(s: Any, seat: int, other: int) -> tuple[str, str] | None:
    layer = LAYER[s.space[seat]]
    if layer == 0:
        return "UD 5.4", _("You are in the top layer; there is nobody to challenge above you.")
    if LAYER[s.space[other]] + 1 != layer:
        above = _(", ").join(space_name(space) for space in LAYERS[layer - 1])
        return "UD 5.4", _("You challenge somebody exactly one layer above you, on {spaces}.").format(spaces=above)
    if int(s.protected) >> other & 1:
        said = _("Seat {seat} was challenged in a battle of the last round and cannot be challenged in this.")
        return "UD 5.5", said.format(seat=other)
    return None


def _refuse_gift(s: Any, action: Action) -> tuple[str, str] | None:
    if action.family != "give":
        return "UD 7.4", _("The game has ended but for the tokens of life: give yours to somebody.")
    other = action.args[0]
    if other == s.ec:
        said = _("Seat {seat} is the elimination candidate and can have no token of life.")
        return "UD 7.4", said.format(seat=other)
    if s.tol[other]:
        return "UD 7.4", _("Seat {seat} has a token of life already.").format(seat=other)
    return None


# How events and actions read


_TEXTS = {
    **ROWS,
    "traded": marked("{seat} turns a garnet into a ticket and has {left} left."),
    "raised": marked("{seat} shared a priority with somebody: it goes up by {amount} to {priority}."),
    "bid": marked("{seat} bids and pays {amount}, and has a priority of {priority} now."),
    "claim": marked(
        "Round {round}: everybody asks for tickets, and whoever is below the top challenges somebody above."
    ),
    "got": marked("{seat} gets {tickets}."),
    "got_and_lost": marked(
        "{seat} gets {tickets}, and loses {lost} priority for those who are screwed: {priority} are left."
    ),
    "screwed": marked("{seat} asked for {tickets} and is screwed: too many with a higher priority did."),
    "drawn": marked("{seat} has challenged nobody; chance draws {other}."),
    "challenged": marked("{seat} challenges {other}."),
    "void": marked("{seat} challenges {other}, which is void: {because} challenges {seat}."),
    "idle": marked("{seat} has nobody to challenge."),
    "battle": marked("Round {round}: the challenges are fought out."),
    "held": marked("{seat} wins against {challengers}, and nobody moves."),
    "took": marked("{seat} wins, and changes places with {other}: {seat} stands on {space} now."),
    "used": marked("{seat} used {tickets} and pays nothing."),
    "revealed": marked("{seat} has {tickets}."),
    "candidate": marked("{seat} stands on J and is the elimination candidate."),
    "tokens": marked("{seats} stand at the top, and each wins a token of life."),
    "most": marked("{seat} has the most tickets, {tickets}, and wins a token of life."),
    "most_of_all": marked("{seat} has the most tickets, {tickets}, and wins two tokens of life."),
    "gave": marked("{seat} gives {other} a token of life."),
    "rewarded": marked("{seats} hold a token of life, and receive 4 garnets each."),
    "ended": marked("The game is over."),
}


def tell(name: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the sentence for an event."""
    if name == "used" and data["paid"]:
        # The winner of a battle pays all that was used, the others nothing.
        said = ngettext(
            "{seat} used {count} ticket and pays it.", "{seat} used {count} tickets and pays them.", data["paid"]
        )
        return said.format(seat=names[data["seat"]], count=data["paid"])
    words: dict[str, Any] = {}
    if "tickets" in data and name != "most":
        words["tickets"] = tickets(data["tickets"])
    if "garnets" in data:
        words["left"] = garnets(data["garnets"])
    if name == "got" and data["lost"]:
        name = "got_and_lost"
    elif name == "most" and data["tokens"] == 2:
        name = "most_of_all"
    return fill(_TEXTS[name], data, names, **words)


_LABELS = {
    "bid": marked("Bid {number} priority"),
    "ask": marked("Ask for {tickets}"),
    "challenge": marked("Challenge {who}"),
    "tickets": marked("Use {tickets}"),
    "give": marked("Give {who} a token of life"),
    "trade": marked("Turn a garnet into a ticket"),
    "confirm": marked("Confirm the submission"),
    "reopen": marked("Change the submission"),
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return what an action is called on a button."""
    if not action.args:
        return _(_LABELS[action.family])
    number = action.args[0]
    who = names[number] if action.family in ("challenge", "give") else ""
    return _(_LABELS[action.family]).format(number=number, tickets=tickets(number), who=who)


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
