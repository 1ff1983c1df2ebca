"""Views, refusals, log sentences and button labels for Upside Down.

Everything here is built from a redacted state: hidden fields are None in the view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import seat_of
from pyramidion.engine.options import HIDDEN, NOT_GIVEN
from pyramidion.games.pyramid_of_ten.board_views import (
    misplaced,
    number_saved,
    outcome,
    own,
    part_of,
    player,
    seats_of,
    table,
)
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LAYERS, NOBODY, TEN, TOP_SPACES, space_name
from pyramidion.games.pyramid_of_ten.texts import (
    LABELS,
    ROWS,
    fill,
    refuse_submission,
    tickets,
)
from pyramidion.games.upside_down import rules
from pyramidion.games.upside_down.layout import (
    AS_WRITTEN,
    FIRST_PYRAMID,
    GARNETS_FOR_TOKEN,
    GIVING,
    PHASES,
    PREGAME,
    START_GARNETS,
)
from pyramidion.translation import _, marked, ngettext, seat_word

PHASE_RULES = {0: "UD 7.6", PREGAME: "UD 3.1", CLAIM: "UD 5.1", BATTLE: "UD 6.1", GIVING: "UD 7.4"}
SUBMISSIONS = "UD 4.2"


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return what `viewer` (a seat, None for a spectator, or EVERYTHING) may see of the game, as JSON-ready data."""
    seat = seat_of(viewer)
    return {
        **table("upside-down", s, seat, PHASES, int(box.rounds)),
        "phase_rule": PHASE_RULES[int(s.phase)],
        "any_challenge_stops": bool(box.challenges == AS_WRITTEN),
        "open_priority": bool(box.open_priority),
        "candidate_by_first": bool(box.candidate == FIRST_PYRAMID),
        # Who is EC if the game ends like this; None before the placement.
        "candidate": int(rules.candidate(box, s)) if s.round_number else None,
        "priority_dealt": seat is not None and bool(box.priority[seat] == NOT_GIVEN),
        "protected": seats_of(s.protected),
        "players": [_player(s, p, viewer) for p in range(TEN)],
        "challenges": _challenges(box, s) if s.phase == BATTLE else [],
        "battles": _battles(box, s) if s.phase == BATTLE else [],
        "giving": _giving(s) if s.phase == GIVING else None,
        "you": None if seat is None or s.over else _own(s, seat),
        "outcome": outcome(s, PHASE_RULES[0]) if s.over else None,
    }


def _player(s: Any, p: int, viewer: int | None) -> dict[str, Any]:
    """Return what the viewer knows about the player `p`, and whether that player is protected from challenges."""
    return {
        **player(s, p, viewer, _parts(s, p)),
        # Challenged in the previous round, so protected in this one (UD 5.5).
        "protected": bool(s.phase == CLAIM and int(s.protected) >> p & 1),
    }


def _challenges(box: Any, s: Any) -> list[dict[str, Any]]:
    """Return all challenges from the bottom layer up; a void one names the seat whose challenge makes it void."""
    challenges: list[dict[str, Any]] = []
    for place in range(TEN - 1, len(LAYERS[0]) - 1, -1):
        p = int(s.at[place])
        if s.target[p]:
            void = bool(int(s.void) >> p & 1)
            because = int(rules.blocker(box, s, p)) if void else None
            challenges.append({"seat": p, "target": int(s.target[p]) - 1, "void": void, "because": because})
    return challenges


def _challengers(s: Any, p: int) -> list[int]:
    """Return the seats that challenge seat `p` with a challenge that goes through, from the lowest space up."""
    places = reversed([int(q) for q in s.at])
    return [q for q in places if s.target[q] == p + 1 and rules.goes_through(s, q)]


def _battles(box: Any, s: Any) -> list[dict[str, Any]]:
    """Return the battles, from the top space down, and whether tied challengers take nothing in them (UD 6.2)."""
    battles: list[dict[str, Any]] = []
    for place, p in enumerate(int(p) for p in s.at):
        if challengers := _challengers(s, p):
            battles.append(
                {
                    "space": space_name(place),
                    "defender": p,
                    "challengers": challengers,
                    "ties_take_nothing": bool(box.sole_highest) and len(challengers) > 1,
                }
            )
    return battles


def _giving(s: Any) -> dict[str, Any]:
    """Return who gives tokens of life away, how many are still to give, and who may receive one."""
    giver = seats_of(s.acting)[0]
    eligible = [int(p) for p in s.at if rules.may_be_given(s, int(p))]
    return {"giver": giver, "left": int(s.tol[giver]) - 1, "eligible": eligible}


def _parts(s: Any, seat: int) -> list[dict[str, Any]]:
    """Return what a seat has to submit in this phase, such as a bid or a challenge, each with its saved value."""
    parts: list[dict[str, Any]] = []
    if s.phase == PREGAME:
        parts.append(part_of("bid", number_saved(s.bid[seat]), 0, most=max(0, int(s.priority[seat]))))
    elif s.phase == CLAIM:
        parts.append(part_of("ask", number_saved(s.claim[seat]), 0, most=MOST_CLAIM))
        targets = [p for p in range(TEN) if rules.may_challenge(s, seat, p)]
        if targets:
            # There is no default to show: the challenge is drawn at random.
            parts.append(part_of("challenge", number_saved(s.challenge[seat]), None, targets=targets))
    elif s.phase == BATTLE and int(s.acting) >> seat & 1:
        parts.append(part_of("tickets", number_saved(s.bid[seat]), 0, most=int(s.tickets[seat])))
    return parts


def _own(s: Any, seat: int) -> dict[str, Any]:
    """Return the viewer's own submission in this phase, and what else it may do."""
    return own(s, seat, _parts(s, seat), bool(s.free and s.garnets[seat] > 0))


# Refusals


_FAMILIES = {PREGAME: ("bid",), CLAIM: ("ask", "challenge"), BATTLE: ("tickets",)}
_NOT_NOW = {
    PREGAME: marked("Not now: players are bidding priority for their places."),
    CLAIM: marked("Not now: players are asking for tickets and challenging each other."),
    BATTLE: marked("Not now: players are choosing the tickets that they fight with."),
}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule number and message for a seat that tries to act while another gives a token away."""
    reason = _("It is not your decision: {seat} is giving a token of life away.")
    return "UD 7.4", reason.format(seat=seat_word(seats_of(s.acting)[0]))


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return why a seat may not take this action, as (rule number, message), or None if it may."""
    phase = int(s.phase)
    if phase == GIVING:
        return _refuse_gift(s, action)
    if action.family == "give":
        return "UD 7.4", _("Tokens of life are given away after the end.")
    if action.family == "trade":
        return None if s.garnets[seat] > 0 else ("UD 1.4", _("You have no garnet left."))
    refused = refuse_submission(s, seat, action, _FAMILIES[phase], _NOT_NOW[phase], PHASE_RULES[phase], SUBMISSIONS)
    if refused or not action.args:
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
    """Return the rule and the reason against a challenge, or None if it is legal."""
    layer = LAYER[s.space[seat]]
    if layer == 0:
        return "UD 5.4", _("You are in the top layer; there is nobody to challenge above you.")
    if LAYER[s.space[other]] + 1 != layer:
        above = _(", ").join(space_name(space) for space in LAYERS[layer - 1])
        return "UD 5.4", _("You can challenge only players exactly one layer above you, on {spaces}.").format(
            spaces=above
        )
    if int(s.protected) >> other & 1:
        reason = _("Seat {seat} was challenged in the last round and cannot be challenged in this one.")
        return "UD 5.5", reason.format(seat=other)
    return None


def _refuse_gift(s: Any, action: Action) -> tuple[str, str] | None:
    """Return the rule and the reason against an action with tokens of life, or None if it is legal."""
    if action.family != "give":
        return "UD 7.4", _("The game is over except for the tokens of life. Give yours to somebody.")
    other = action.args[0]
    if other == s.ec:
        reason = _("Seat {seat} is the elimination candidate and cannot have a token of life.")
        return "UD 7.4", reason.format(seat=other)
    if s.tol[other]:
        return "UD 7.4", _("Seat {seat} already has a token of life.").format(seat=other)
    return None


# Log sentences and button labels


_TEXTS = {
    **ROWS,
    "traded": marked("{seat} {seat:turns|turn} a garnet into a ticket and {seat:has|have} {left} left."),
    "raised": marked("{seat} shared a priority with somebody: {before} + {amount} = {priority}."),
    "bid": marked("{seat} {seat:bids|bid} and {seat:pays|pay} {amount}; priority {before} − {amount} = {priority}."),
    "claim": marked(
        "Round {round}: everybody asks for tickets, and the players below the top layer challenge a player above them."
    ),
    "got": marked("{seat} {seat:gets|get} {tickets}."),
    "got_and_lost": marked(
        "{seat} {seat:gets|get} {tickets} and {seat:pays|pay} for the screwed players; priority "
        "{before} − {lost} = {priority}."
    ),
    "screwed": marked(
        "{seat} asked for {tickets} and {seat:is|are} screwed: too many players with a higher priority "
        "asked for the same."
    ),
    "drawn": marked("{seat} {seat:has|have} challenged nobody; {other} {other:is|are} drawn at random."),
    "challenged": marked("{seat} {seat:challenges|challenge} {other}."),
    "void": marked(
        "{seat} {seat:challenges|challenge} {other}, which is void: {because} {because:challenges|challenge} {seat}."
    ),
    "idle": marked("{seat} {seat:has|have} nobody to challenge."),
    "battle": marked("Round {round}: the challenges are fought out."),
    "held": marked("{seat} {seat:holds|hold} off {challengers}; nobody moves."),
    "tied": marked(
        "{challengers} take nothing from {seat}: no challenger alone has the most tickets. "
        "Nobody wins, and nobody pays."
    ),
    "took": marked(
        "{seat} {seat:wins|win}, and {seat:changes|change} places with {other}: {seat} "
        "{seat:stands|stand} on {space} now."
    ),
    "used": marked("{seat} used {tickets} and {seat:pays|pay} nothing."),
    "revealed": marked("{seat} {seat:has|have} {tickets}."),
    "candidate": marked("{seat} {seat:stands|stand} on J and {seat:is|are} the elimination candidate."),
    "first_candidate": marked(
        "{seat} {seat:was|were} placed on J by the bids and {seat:is|are} the elimination candidate."
    ),
    "tokens": marked("{seats} stand at the top, and each wins a token of life."),
    "most": marked("EC apart, {seat} {seat:has|have} the most tickets ({count}) and {seat:wins|win} a token of life."),
    "most_of_all": marked(
        "EC apart, {seat} {seat:has|have} the most tickets ({count}) and {seat:wins|win} two tokens of life."
    ),
    "gave": marked("{seat} {seat:gives|give} {other} a token of life."),
    "rewarded": marked("{seats} hold a token of life, and receive 4 garnets each."),
    "ended": marked("The game is over."),
}


def tell(name: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the sentence in the game's log for the event `name` with the values `data`; `names` are the players'."""
    if name == "used" and data["paid"]:
        # The winner pays the tickets submitted; everyone else pays nothing.
        text = ngettext(
            "{seat} used {count} ticket and {seat:pays|pay} it.",
            "{seat} used {count} tickets and {seat:pays|pay} them.",
            data["paid"],
        )
        return text.format(seat=names[data["seat"]], count=data["paid"])
    if name == "got" and data["lost"]:
        name, data = "got_and_lost", {**data, "before": data["priority"] + data["lost"]}
    elif name == "bid":
        data = {**data, "before": data["priority"] + data["amount"]}
    elif name == "raised":
        data = {**data, "before": data["priority"] - data["amount"]}
    elif name == "most" and data["tokens"] == 2:
        name = "most_of_all"
    return fill(_TEXTS[name], data, names)


_LABELS = {
    "bid": marked("Bid {number} priority"),
    "ask": marked("Ask for {tickets}"),
    "challenge": marked("Challenge {who}"),
    "tickets": marked("Use {tickets}"),
    "give": marked("Give {who} a token of life"),
    "trade": marked("Turn a garnet into a ticket"),
    **LABELS,
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of the button for an action."""
    if not action.args:
        return _(_LABELS[action.family])
    number = action.args[0]
    who = names[number] if action.family in ("challenge", "give") else ""
    return _(_LABELS[action.family]).format(number=number, tickets=tickets(number), who=who)


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence on the first inconsistency in a full, unredacted state, or None if there is none.

    Each seat stands on exactly one space. Tickets and garnets are within what rules and trades allow. While a phase is
    open, all priorities differ, E to G always have a legal challenge, and every battle phase has a battle. Once tickets
    are revealed there are six tokens, none held by the EC, whose place at the top would bring no token.
    """
    if wrong := misplaced(s):
        return wrong
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    over, tol, ec, priority = bool(s.over), s.tol.tolist(), int(s.ec), s.priority.tolist()
    starts, garnets, tickets = box.garnets.tolist(), s.garnets.tolist(), s.tickets.tolist()
    for p in range(TEN):
        if starts[p] == HIDDEN:
            continue
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
    if s.phase == CLAIM and all(int(s.protected) >> int(p) & 1 for p in s.at[:TOP_SPACES]):
        return "Nobody at the top can be challenged."
    if s.phase == BATTLE and not s.acting:
        return "There is no battle in a battle phase."
    if (over or s.phase == GIVING) != (ec != NOBODY):
        return "EC is named at the end, and not before."
    if ec != NOBODY and (sum(tol) != 6 - int(s.space[ec] < TOP_SPACES) or tol[ec] or (over and max(tol) > 1)):
        return f"The tokens of life are {tol}, and EC is seat {ec}."
    return None
