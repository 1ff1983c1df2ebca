"""Views, refusals, log sentences and button labels for Downside Up.

Everything here is built from a redacted state: hidden fields are None in the view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import seat_of
from pyramidion.engine.options import HIDDEN, NOT_GIVEN
from pyramidion.games.downside_up import rules
from pyramidion.games.downside_up.chains import attackers, falls, may_defend
from pyramidion.games.downside_up.layout import BID, DEFAULT_CLAIM, NO_PART, PHASES, PRICE, ROUNDS, START_GARNETS
from pyramidion.games.pyramid_of_ten.board_views import (
    misplaced,
    number_saved,
    outcome,
    own,
    part_of,
    player,
    table,
)
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import BOTTOM, LEFT_ABOVE, NOBODY, TEN, space_name
from pyramidion.games.pyramid_of_ten.texts import (
    LABELS,
    ROWS,
    fill,
    garnets,
    refuse_submission,
    tickets,
)
from pyramidion.translation import _, marked

PHASE_RULES = {0: "DU 5.5", BID: "DU 2.1", CLAIM: "DU 3.1", BATTLE: "DU 4.1"}
SUBMISSIONS = "DU 1.5"


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return what `viewer` (a seat, None for a spectator, or EVERYTHING) may see of the game, as JSON-ready data."""
    seat = seat_of(viewer)
    return {
        **table("downside-up", s, seat, PHASES, ROUNDS),
        "phase_rule": PHASE_RULES[int(s.phase)],
        "open_priority": bool(box.open_priority),
        "all_pay": bool(box.all_pay),
        "players": [player(s, p, viewer, _parts(s, p)) for p in range(TEN)],
        "adjacent": {space_name(n): [space_name(m) for m in _above(n)] for n in range(TEN) if _above(n)},
        "challenges": _challenges(s) if s.phase == BATTLE else [],
        "battles": _battles(s) if s.phase == BATTLE else [],
        "you": None if seat is None or s.over else _own(s, seat),
        "outcome": outcome(s, PHASE_RULES[0]) if s.over else None,
    }


def _above(space: int) -> tuple[int, ...]:
    """Return the two spaces that touch a space from above; none for a space of the top layer."""
    left = int(LEFT_ABOVE[space])
    return (left, left + 1) if left >= 0 else ()


def _challenges(s: Any) -> list[dict[str, Any]]:
    """Return all challenges from the bottom layer up: challenger, challenged space, and the seat that stands on it."""
    return [
        {"seat": p, "space": space_name(int(s.target[p]) - 1), "target": int(s.at[int(s.target[p]) - 1])}
        for p in reversed([int(p) for p in s.at])
        if s.target[p]
    ]


def _battles(s: Any) -> list[dict[str, Any]]:
    """Return the battles in the order of settlement: space, defender, attackers, and all who may have to defend."""
    return [
        {
            "space": space_name(n),
            "defender": int(s.at[n]),
            "attackers": attackers(s, n),
            "may_defend": may_defend(s, n),
        }
        for n in range(BOTTOM)
        if rules.is_challenged(s, n)
    ]


def _parts(s: Any, seat: int) -> list[dict[str, Any]]:
    """Return what a seat has to submit in this phase, such as a bid or a challenge, each with its saved value."""
    parts: list[dict[str, Any]] = []
    if s.phase == BID:
        parts.append(part_of("bid", number_saved(s.bid[seat]), 0, most=int(s.garnets[seat])))
    elif s.phase == CLAIM:
        parts.append(part_of("claim", number_saved(s.claim[seat]), DEFAULT_CLAIM, most=MOST_CLAIM))
        if above := _above(int(s.space[seat])):
            saved = number_saved(s.challenge[seat])
            parts.append(
                part_of(
                    "challenge",
                    None if saved is None else space_name(saved),
                    space_name(above[1]),
                    targets=[{"space": space_name(n), "seat": int(s.at[n])} for n in above],
                )
            )
    elif s.phase == BATTLE:
        own_tickets = int(s.tickets[seat])
        if s.target[seat]:
            space = space_name(int(s.target[seat]) - 1)
            parts.append(part_of("attack", number_saved(s.attack[seat]), 0, most=own_tickets, space=space))
        if rules.is_challenged(s, int(s.space[seat])):
            place = int(s.space[seat])
            space = space_name(place)
            parts.append(
                part_of(
                    "defend", number_saved(s.defence[seat]), 0, most=own_tickets, space=space, falls=falls(s, place)
                )
            )
    return parts


def _own(s: Any, seat: int) -> dict[str, Any]:
    """Return the viewer's own submission in this phase, and what else it may do."""
    return own(s, seat, _parts(s, seat), bool(s.free and rules.may_trade(s, seat)))


# Refusals


_FAMILIES = {BID: ("bid",), CLAIM: ("claim", "challenge"), BATTLE: ("attack", "defend")}
_NOT_NOW = {
    BID: marked("Not now: players are bidding garnets for their places."),
    CLAIM: marked("Not now: players are claiming tickets and challenging each other."),
    BATTLE: marked("Not now: players are choosing the tickets that they attack and defend with."),
}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule number and message for a seat that tries to act while no phase is open."""
    return PHASE_RULES[int(s.phase)], _("No phase is open.")


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return why a seat may not take this action, as (rule number, message), or None if it may."""
    phase = int(s.phase)
    if action.family == "trade":
        return _refuse_trade(s, seat)
    refused = refuse_submission(s, seat, action, _FAMILIES[phase], _NOT_NOW[phase], PHASE_RULES[phase], SUBMISSIONS)
    if refused or not action.args:
        return refused
    number = action.args[0]
    if action.family == "challenge":
        return _refuse_challenge(int(s.space[seat]), number)
    if action.family == "bid" and number > s.garnets[seat]:
        return "DU 2.1", _("You have {garnets} to bid.").format(garnets=garnets(int(s.garnets[seat])))
    if action.family == "attack" and not s.target[seat]:
        return "DU 4.1", _("You have challenged nobody; you only defend.")
    if action.family == "defend" and not rules.is_challenged(s, int(s.space[seat])):
        return "DU 4.1", _("Nobody has challenged you; you only attack.")
    if action.family in ("attack", "defend") and number > s.tickets[seat]:
        reason = _("You have {tickets}; neither part can be more than that.")
        return "DU 4.1", reason.format(tickets=tickets(int(s.tickets[seat])))
    return None


def _refuse_trade(s: Any, seat: int) -> tuple[str, str] | None:
    """Return the rule and the reason why a seat cannot trade garnets for a ticket, or None if it can."""
    if s.garnets[seat] < PRICE:
        reason = _("A ticket costs {price} garnets; you have {garnets}.")
        return "DU 1.2", reason.format(price=PRICE, garnets=garnets(int(s.garnets[seat])))
    if not rules.may_trade(s, seat):
        reason = _("Your bid of {garnets} uses these garnets; lower it first.")
        return "DU 1.2", reason.format(garnets=number_saved(s.bid[seat]))
    return None


def _refuse_challenge(place: int, space: int) -> tuple[str, str] | None:
    """Return why a seat that stands on `place` may not challenge `space`, or None if it may."""
    above = _above(place)
    if not above:
        return "DU 3.3", _("You are in the top layer; there is nobody to challenge above you.")
    if space not in above:
        left, right = map(space_name, above)
        return "DU 3.3", _("From {space} you can challenge {left} or {right}.").format(
            space=space_name(place), left=left, right=right
        )
    return None


# Log sentences and button labels


_TEXTS = {
    **ROWS,
    "traded": marked("{seat} {seat:turns|turn} two garnets into a ticket and {seat:has|have} {left} left."),
    "bid": marked("{seat} {seat:bids|bid} {amount} and {seat:pays|pay} {paid}."),
    "bid_for_nothing": marked("{seat} {seat:bids|bid} {amount} and {seat:pays|pay} nothing."),
    "claim": marked(
        "Round {round}: everybody claims tickets, and the players below the top layer challenge a space above them."
    ),
    "got": marked("{seat} {seat:gets|get} {tickets}."),
    "missed": marked("{seat} claimed {tickets} and {seat:gets|get} none: too many others come first."),
    "challenged": marked("{seat} {seat:challenges|challenge} {space}, where {other} {other:stands|stand}."),
    "battle": marked("Round {round}: the challenges are fought out, from the top layer down."),
    "held": marked("{seat} {seat:holds|hold} {space} against {attackers}."),
    "took": marked("{seat} {seat:takes|take} {space}; {other} {other:goes|go} down to where {seat} stood."),
    "used": marked("{seat} had an attack of {attack} and a defence of {defence}, and {seat:pays|pay} {paid}."),
    "used_for_nothing": marked(
        "{seat} had an attack of {attack} and a defence of {defence}, and {seat:pays|pay} nothing."
    ),
    "attacked": marked("{seat} had an attack of {attack}, and {seat:pays|pay} {paid}."),
    "attacked_for_nothing": marked("{seat} had an attack of {attack}, and {seat:pays|pay} nothing."),
    "defended": marked("{seat} had a defence of {defence}, and {seat:pays|pay} {paid}."),
    "defended_for_nothing": marked("{seat} had a defence of {defence}, and {seat:pays|pay} nothing."),
    "revealed": marked("{seat} {seat:has|have} {tickets} left and {seat:ends|end} with {left}."),
    "bankrupt": marked("{seat} {seat:stands|stand} on J, {seat:is|are} bankrupt and the elimination candidate."),
    "rich": marked(
        "EC apart, {seat} {seat:has|have} the most tickets ({count}) and {seat:receives|receive} two tokens of life."
    ),
    "tokens": marked("{seats} stand at the top, and each receives a token of life."),
    "ended": marked("The game is over."),
}


def tell(name: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the sentence in the game's log for the event `name` with the values `data`; `names` are the players'."""
    if data.get("defence") == NO_PART:
        name = "attacked"
    elif data.get("attack") == NO_PART:
        name = "defended"
    if data.get("paid") == 0:
        name += "_for_nothing"
    return fill(_TEXTS[name], data, names)


_LABELS = {
    "bid": marked("Bid {garnets}"),
    "claim": marked("Claim {tickets}"),
    "challenge": marked("Challenge {space}"),
    "attack": marked("Attack with {tickets}"),
    "defend": marked("Defend with {tickets}"),
    "trade": marked("Turn two garnets into a ticket"),
    **LABELS,
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of the button for an action."""
    if not action.args:
        return _(_LABELS[action.family])
    number = action.args[0]
    space = space_name(number) if action.family == "challenge" else ""
    return _(_LABELS[action.family]).format(garnets=garnets(number), tickets=tickets(number), space=space)


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence on the first inconsistency in a full, unredacted state, or None if there is none.

    Each seat stands on exactly one space. Tickets and garnets are within what rules and trades allow. No bid exceeds
    the garnets held. At the end six tokens have been awarded.
    """
    if wrong := misplaced(s):
        return wrong
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    over, battle = bool(s.over), bool(s.phase == BATTLE)
    starts, garnets, tickets = box.garnets.tolist(), s.garnets.tolist(), s.tickets.tolist()
    bids, attacks, defences = s.bid.tolist(), s.attack.tolist(), s.defence.tolist()
    for p in range(TEN):
        if starts[p] == HIDDEN:
            continue
        start = START_GARNETS if starts[p] == NOT_GIVEN else starts[p]
        held = garnets[p] - (tickets[p] if over else 0)
        if not 0 <= held <= start:
            return f"Seat {p} has {garnets[p]} garnets and began with {start}."
        if not 0 <= tickets[p] <= START_TICKETS + MOST_CLAIM * claims + (start - held) // PRICE:
            return f"Seat {p} has {tickets[p]} tickets after {claims} claims, and has spent {start - held} garnets."
        if bids[p] > held + 1:
            return f"Seat {p} bids {bids[p] - 1} of {held} garnets."
        if battle and max(attacks[p], defences[p]) > tickets[p] + 1:
            return f"Seat {p} attacks or defends with more than its {tickets[p]} tickets."
    priority = s.priority.tolist()
    if len(set(priority)) < TEN:
        return f"The priorities {priority} are not all different."
    if over != bool(s.ec != NOBODY):
        return "EC is named at the end, and not before."
    if over and int(s.tol.sum()) != 6:
        return f"The tokens of life are {s.tol.tolist()}."
    return None
