"""Views, refusals, log sentences and button labels for Pyramid-Sham-Bo.

Everything here is built from a redacted state: another seat's throw in progress is 0 in it and None in the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import is_open_to, seat_of
from pyramidion.games.pyramid_shambo import payment, piece_selection, rules
from pyramidion.games.pyramid_shambo.layout import (
    CHALLENGE,
    CHANGE,
    COLOURS,
    GONE,
    N_SIZES,
    NOBODY,
    OPTIONS,
    PAY,
    PHASES,
    PIECE_NAMES,
    PIECES,
    RETURN,
    SIZES,
    THROW,
    THROWS,
    TRADE,
    WAYS,
    WITH_CHANGE,
)
from pyramidion.translation import _, listed, marked, ngettext, seat_word

LADDER = 6
"""Number of rounds on the escalation meter."""
PHASE_RULES = {0: "SB 5", 1: "SB 2.1", 2: "SB 2.2", 3: "SB 3", 4: "SB 3.4", 5: "SB 3.5", 6: "SB 3.5"}
WAY_RULES = {"exact": "SB 3.3", "change": "SB 3.4", "trade": "SB 3.5"}


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return what `viewer` (a seat, None for a spectator, or EVERYTHING) may see of the game, as JSON-ready data."""
    doubled = int(rules.players_left(s)) == 2
    throwing = s.phase == THROW
    return {
        "game": "pyramid-shambo",
        "seat": seat_of(viewer),
        "seats": int(s.seats),
        "call": OPTIONS["call"].choices[int(box.call)],
        "phase": PHASES[int(s.phase)],
        "phase_rule": PHASE_RULES[int(s.phase)],
        "acting": [p for p in range(s.seats) if int(s.acting) >> p & 1],
        "active": int(s.active),
        "opponent": int(s.opponent) if throwing else None,
        "turn": int(s.challenges) + int(s.phase == CHALLENGE),
        "turn_limit": int(box.turn_limit),
        "ties": int(s.ties) if throwing else 0,
        "tie_limit": int(box.tie_limit),
        "doubled": doubled,
        "worth": _fee(int(s.ties) if throwing else 0, doubled),
        "ladder": [_fee(ties, doubled) for ties in _rungs(int(s.ties) if throwing else 0)],
        "reveal": _reveal(s),
        "payment": _payment(box, s) if s.phase > THROW else None,
        "players": [_player(s, p, viewer, doubled) for p in range(s.seats)],
        "outcome": _outcome(s) if s.over else None,
    }


def _fee(ties: int, doubled: bool) -> int:
    """Return the fee of a challenge after some ties; it is doubled between the last two players."""
    return (1 + ties) * (2 if doubled else 1)


def _rungs(ties: int) -> range:
    """Return the numbers of ties that the escalation meter shows; three more than now are always among them."""
    first = max(0, ties + 4 - LADDER)
    return range(first, first + LADDER)


def _reveal(s: Any) -> dict[str, Any] | None:
    """Return the last two throws revealed together and who won, or None before the first."""
    if not s.reveal_throw[0]:
        return None
    hands = [
        {"seat": int(seat), "throw": THROWS[int(throw) - 1]}
        for seat, throw in zip(s.reveal_seat, s.reveal_throw, strict=True)
    ]
    ahead = (int(s.reveal_throw[0]) - int(s.reveal_throw[1])) % 3
    return {
        "hands": hands,
        "tie": ahead == 0,
        "winner": None if ahead == 0 else hands[0]["seat"] if ahead == 1 else hands[1]["seat"],
        # True if these throws belong to the current challenge.
        "current": bool((s.phase == THROW and s.ties > 0) or s.phase > THROW or s.over),
    }


def _payment(box: Any, s: Any) -> dict[str, Any]:
    """Return the current payment: payer, payee, fee, method, whose pieces are selected, and the pips still missing."""
    way = WAYS[int(s.way)]
    chosen = {p: _chosen(s, p) for p in range(s.seats)}
    put = int(piece_selection.chosen_pips(s))
    payer = int(s.payer)
    to = {PAY: int(s.winner), TRADE: None, CHANGE: payer, RETURN: payer}[int(s.phase)]
    return {
        "payer": payer,
        "payee": int(s.winner),
        "decider": int(s.decider),
        "bonus": bool(s.bonus),
        "fee": int(s.fee),
        "raised": bool(s.fee > (rules.bonus_fee(box, s) if s.bonus else rules.challenge_fee(s))),
        "way": way,
        "rule": WAY_RULES[way],
        "stage": PHASES[int(s.phase)],
        "from": int(s.giver) if s.giver != NOBODY else None,
        "to": to,
        "need": int(s.need) or None,
        "put": put,
        # A payment with change exceeds the fee; this is the least amount missing.
        "left": max(0, int(s.need) - put) if s.need else None,
        "over": bool(s.phase == PAY and s.way == WITH_CHANGE),
        "forward": [{"seat": p, "pieces": pieces} for p, pieces in chosen.items() if pieces],
    }


def _chosen(s: Any, seat: int) -> list[str]:
    """Return the names of the pieces that a seat has chosen to pay with."""
    return [PIECE_NAMES[piece] for piece in range(PIECES) if s.chosen[piece] and s.holder[piece] == seat]


def _player(s: Any, p: int, viewer: int | None, doubled: bool) -> dict[str, Any]:
    """Return what a viewer may know of a player, for the view."""
    pieces = [_piece(s, piece) for piece in range(PIECES) if s.holder[piece] == p]
    pips = int(rules.pips(s, p))
    playing = not s.out_at[p]
    seat, throw = seat_of(viewer), int(s.throw[p])
    own = None if seat is None else sum(n % N_SIZES + 1 for n in _trio(p) if s.holder[n] == seat)
    return {
        "seat": p,
        "colour": COLOURS[p],
        "letter": COLOURS[p].upper(),
        "playing": playing,
        "out_at": int(s.out_at[p]) or None,
        "pips": pips,
        "count": {name: int(n) for name, n in zip(SIZES, s.count[p], strict=True)},
        "pieces": pieces,
        # Locations of the player's own trio, by holder.
        "trio": [int(s.holder[n]) for n in _trio(p)] if playing else [],
        # Number of ties after which losing a challenge knocks the player out (SB 3.2).
        "ties_to_fall": max(0, -(-pips // (2 if doubled else 1)) - 1) if playing else None,
        # Pips the viewer loses if this player is knocked out (SB 4.1).
        "you_would_lose": own if playing and p != seat else None,
        # The player's current throw, hidden until both are revealed.
        "throw": THROWS[throw - 1] if s.phase == THROW and throw and is_open_to(viewer, p) else None,
        "throws": {name: int(n) for name, n in zip(THROWS, s.thrown[p], strict=True)},
    }


def _piece(s: Any, piece: int) -> dict[str, Any]:
    """Return a piece with its colour, size and pips, for the view."""
    colour, size = divmod(piece, N_SIZES)
    return {
        "piece": PIECE_NAMES[piece],
        "colour": COLOURS[colour],
        "letter": COLOURS[colour].upper(),
        "size": SIZES[size],
        "pips": size + 1,
        "forward": bool(s.chosen[piece]),
    }


def _trio(seat: int) -> range:
    """Return the indices of the three pieces in a seat's own colour."""
    return range(N_SIZES * seat, N_SIZES * seat + N_SIZES)


def _outcome(s: Any) -> dict[str, Any]:
    """Return the winners and the ranking at the end, for the view."""
    order = sorted(range(s.seats), key=lambda p: (-(int(s.out_at[p]) or 1 << 20), -int(s.score[p]), p))
    return {
        "rule": "SB 5.1" if s.ending == 5_01 else "SB 5.2",
        "winners": [p for p in range(s.seats) if int(s.winners) >> p & 1],
        "points": [int(n) for n in s.score[: s.seats]],
        "table": [{"seat": p, "pips": int(s.score[p]), "out_at": int(s.out_at[p]) or None} for p in order],
    }


# Refusals


_FAMILIES = {CHALLENGE: "challenge", THROW: "throw", PAY: "pay", CHANGE: "change", TRADE: "trade", RETURN: "for"}
_NOT_NOW = {
    CHALLENGE: marked("Not now: challenge somebody."),
    THROW: marked("Not now: throw rock, paper or scissors."),
    PAY: marked("Not now: choose a piece to pay with."),
    CHANGE: marked("Not now: choose a piece that is handed back as change."),
    TRADE: marked("Not now: choose the piece that is traded."),
    RETURN: marked("Not now: choose the pieces that are given for it."),
}
_NOT_YOURS = {
    CHALLENGE: marked("It is not your turn: {seat} is choosing whom to challenge."),
    PAY: marked("It is not your turn: {seat} is choosing the pieces of the payment."),
    CHANGE: marked("It is not your turn: {seat} is choosing the change."),
    TRADE: marked("It is not your turn: {seat} is choosing a piece to trade."),
    RETURN: marked("It is not your turn: {seat} is choosing the pieces to trade it for."),
}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule number and message for a seat that tries to act while it has nothing to decide."""
    acting = [p for p in range(s.seats) if int(s.acting) >> p & 1]
    if s.phase == THROW:
        if seat in acting:
            return "SB 2.2", _("You have thrown; both hands are shown when the other has thrown too.")
        first, second = acting
        return "SB 2.2", _("It is not your throw: seats {one} and {other} are throwing.").format(
            one=first, other=second
        )
    if s.out_at[seat]:
        return "SB 4.1", _("You are out of the game.")
    return PHASE_RULES[int(s.phase)], _(_NOT_YOURS[int(s.phase)]).format(seat=seat_word(acting[0]))


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return why a seat that is to act may not take this action, as (rule number, message), or None if it may."""
    phase = int(s.phase)
    if action.family != _FAMILIES[phase]:
        return PHASE_RULES[phase], _(_NOT_NOW[phase])
    if phase == CHALLENGE:
        return _refuse_challenge(s, seat, *action.args)
    if phase == THROW:
        return None
    return _refuse_piece(box, s, *action.args)


def _refuse_challenge(s: Any, seat: int, other: int) -> tuple[str, str] | None:
    """Return the rule and the reason against a challenge, or None if it is legal."""
    if other >= s.seats:
        return "SB 2.1", _("There is no seat {seat} at this table.").format(seat=other)
    if other == seat:
        return "SB 2.1", _("You cannot challenge yourself.")
    if s.out_at[other]:
        return "SB 2.1", _("Seat {seat} is out of the game.").format(seat=other)
    return None


def _refuse_piece(box: Any, s: Any, piece: int) -> tuple[str, str] | None:
    """Return the rule and the reason against choosing a piece now, or None if it is legal."""
    if piece_selection.may_choose(s, piece, piece_selection.open_sizes(box, s)):
        return None
    name, holder = piece_name(piece), int(s.holder[piece])
    rule = WAY_RULES[WAYS[int(s.way)]]
    if holder == GONE:
        return "SB 4.1", _("The {piece} is not in the game.").format(piece=name)
    if s.chosen[piece]:
        return rule, _("The {piece} is already chosen.").format(piece=name)
    if s.giver not in (NOBODY, holder):
        reason = _("The {piece} does not belong to {seat}, who is giving now.")
        return rule, reason.format(piece=name, seat=seat_word(int(s.giver)))
    if s.giver == NOBODY and not payment.uninvolved(s, holder, s.payer, s.winner):
        reason = _("The {piece} belongs to {seat}, who takes part in the payment; another player trades.")
        return "SB 3.5", reason.format(piece=name, seat=seat_word(holder))
    missing = int(s.need) - int(piece_selection.chosen_pips(s))
    if s.phase == TRADE:
        reason = _("A trade uses as few pieces as possible; with the {piece} it would take more.")
        return "SB 3.5", reason.format(piece=name)
    if s.phase == RETURN:
        reason = _("With the {piece}, seat {seat} would give more pieces than needed for {pips}.")
        return "SB 3.5", reason.format(piece=name, seat=holder, pips=_pips(int(s.need)))
    if s.phase == PAY and s.way == WITH_CHANGE:
        reason = _("With the {piece}, the change could not be made, or a piece would be handed over for nothing.")
        return "SB 3.4", reason.format(piece=name)
    reason = _("With the {piece}, the remaining {pips} cannot be paid exactly.")
    if s.phase == CHANGE:
        reason = _("With the {piece}, the remaining {pips} of change cannot be given exactly.")
    return rule, reason.format(pips=_pips(missing), piece=name)


# Log sentences and button labels


def piece_name(piece: int) -> str:
    """Return a piece's name, such as `medium A`."""
    colour, size = divmod(piece, N_SIZES)
    return _("{size} {colour}").format(size=_(SIZES[size]), colour=COLOURS[colour].upper())


def pieces_text(pieces: int) -> str:
    """Return a set of pieces (bitmask) in words."""
    return listed([piece_name(piece) for piece in range(PIECES) if pieces >> piece & 1])


def _pips(pips: int) -> str:
    """Return a number of pips in words."""
    return ngettext("{count} pip", "{count} pips", pips).format(count=pips)


_TEXTS = {
    "starts": marked("{seat} {seat:begins|begin}."),
    "challenged": marked("{seat} {seat:challenges|challenge} {other}."),
    "tied": marked("{seat} and {other} both throw {throw}; the round is worth {fee} now."),
    "tied-last": marked("{seat} and {other} both throw {throw}."),
    "won": marked("{seat} {seat:wins|win} with {throw} against {other:*'s|your} {beaten}: {fee} to pay."),
    "raised": marked("No single player can make that change; {seat} {seat:pays|pay} {fee}."),
    "traded": marked("{other} {other:gives|give} {seat} the {pieces} for the {traded}."),
    "paid": marked("{seat} {seat:pays|pay} {other} the {pieces}."),
    "bonus": marked("{seat} {seat:pays|pay} {other} the {pieces} as a knock-out bonus."),
    "changed": marked("{seat} {seat:hands|hand} {other} the {pieces} back."),
    "out": marked("{seat} {seat:is|are} out, and the {colour} pieces leave the game."),
    "ended": marked("The game is over."),
}


def tell(name: str, data: dict[str, int], names: Sequence[str]) -> str:
    """Return the sentence in the game's log for the event `name` with the values `data`; `names` are the players'."""
    words: dict[str, Any] = dict(data)
    for key in ("seat", "other"):
        if key in data:
            words[key] = names[data[key]]
    if "throw" in data:
        thrown = data["throw"]
        words["throw"], words["beaten"] = _(THROWS[thrown]), _(THROWS[thrown - 1])
    if "fee" in data:
        words["fee"] = _pips(data["fee"])
    if "pieces" in data:
        words["pieces"] = pieces_text(data["pieces"])
    if "traded" in data:
        words["traded"] = pieces_text(data["traded"])
    if name == "out":
        words["colour"] = COLOURS[data["seat"]].upper()
    if name == "called_off":
        return ngettext(
            "{seat} and {other} have tied {ties} time; the challenge is called off.",
            "{seat} and {other} have tied {ties} times; the challenge is called off.",
            data["ties"],
        ).format(**words)
    which = "tied-last" if name == "tied" and not data["fee"] else name
    return _(_TEXTS[which]).format(**words)


_LABELS = {
    "challenge": marked("Challenge {seat}"),
    "throw": marked("Throw {throw}"),
    "pay": marked("Pay with the {piece}"),
    "change": marked("Hand back the {piece}"),
    "trade": marked("Trade the {piece}"),
    "for": marked("Give the {piece} for it"),
}


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of the button for an action."""
    arg = action.args[0]
    words = {"seat": names[arg] if action.family == "challenge" else ""}
    if action.family == "throw":
        words["throw"] = _(THROWS[arg])
    elif action.family != "challenge":
        words["piece"] = piece_name(arg)
    return _(_LABELS[action.family]).format(**words)


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence on the first inconsistency in a full, unredacted state, or None if there is none.

    Checks that each piece has a holder or has left with its colour, the counts by size, the pips (with a whole trio 6
    for every player in the game), and the selected pieces (SB 1.1, 4.1).
    """
    smallest = N_SIZES - int(box.pyramids)
    playing = [p for p in range(s.seats) if not s.out_at[p]]
    for piece in range(PIECES):
        seat, holder = piece // N_SIZES, int(s.holder[piece])
        if (seat in playing and piece % N_SIZES >= smallest) != (holder != GONE):
            return (
                f"The {piece_name(piece)} is held by {holder}, and its colour has {'' if holder < 0 else 'not '}left."
            )
        if holder != GONE and holder not in playing:
            return f"Seat {holder}, who is out, holds the {piece_name(piece)}."
        if s.chosen[piece] and holder == GONE:
            return f"The {piece_name(piece)} is put forward and not in the game."
    for p in range(s.seats):
        held = [sum(int(s.holder[n]) == p for n in range(size, PIECES, N_SIZES)) for size in range(N_SIZES)]
        if held != s.count[p].tolist():
            return f"Seat {p} holds {held} pieces by size, and {s.count[p].tolist()} are counted."
        if p in playing and not sum(held) and not s.over:
            return f"Seat {p} is in the game without a piece."
    total = sum(int(rules.pips(s, p)) for p in playing)
    if total != sum(range(smallest + 1, N_SIZES + 1)) * len(playing):
        return f"{len(playing)} players hold {total} pips in all."
    if s.phase <= THROW and s.chosen.any():
        return "Pieces are put forward, and nothing is being paid."
    return None
