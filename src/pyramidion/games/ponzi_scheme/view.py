"""Views, refusals, log sentences and button labels for Ponzi Scheme.

Everything here is built from a redacted state: hidden fields are zero in it and None in the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import is_open_to, seat_of
from pyramidion.games.ponzi_scheme import scoring
from pyramidion.games.ponzi_scheme.layout import (
    AMOUNT,
    ANSWER,
    CARDS,
    CRASH,
    FUNDING,
    INDUSTRIES,
    KINDS,
    LOWEST_VALUE,
    LUXURIES,
    LUXURY_NAMES,
    MARKER,
    PHASES,
    ROW,
    TRADING,
    VALUES,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market, row_start
from pyramidion.games.ponzi_scheme.rules import most_tiles
from pyramidion.translation import _, listed, marked, ngettext, seat_word

TURNS_AHEAD = 5
PHASE_RULES = {0: "PZ 10", 1: "PZ 4", 2: "PZ 5", 3: "PZ 5.2", 4: "PZ 5.3", 5: "PZ 6", 6: "PZ 7.3"}


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return what `viewer` (a seat, None for a spectator, or EVERYTHING) may see of the game, as JSON-ready data."""
    cards = _cards(box)
    held = s.held_count
    wheels = list(zip(*(field[:held].tolist() for field in (s.held_seat, s.held_card, s.held_space)), strict=True))
    return {
        "game": "ponzi-scheme",
        "seat": seat_of(viewer),
        "seats": int(s.seats),
        "advanced": bool(box.advanced),
        "round": int(s.round_number),
        "round_limit": int(box.round_limit),
        "phase": PHASES[int(s.phase)],
        "phase_rule": PHASE_RULES[int(s.phase)],
        "acting": [p for p in range(s.seats) if int(s.acting) >> p & 1],
        "start": int(s.start_seat),
        "crashed": bool(s.crashed),
        "bears_in_market": int(bears_in_market(box, s)),
        "bears_needed": int(s.seats),
        "market": [{**cards[card], "row": _row(box, s, i)} for i, card in enumerate(s.market[: s.market_count])],
        "deck_count": int(s.deck_count),
        "discard": [LOWEST_VALUE + int(card) for card in s.discard[: s.discard_count]],
        "supply": {name: int(n) for name, n in zip(INDUSTRIES, s.supply, strict=True)},
        "luxuries": _luxuries(box, s) if box.advanced else [],
        "players": [
            _player(box, s, p, viewer, [{**cards[c], "space": space} for owner, c, space in wheels if owner == p])
            for p in range(s.seats)
        ],
        "envelope": _envelope(s, viewer),
        "outcome": _outcome(box, s) if s.over else None,
    }


def _row(box: Any, s: Any, place: int) -> int:
    """Return the row, 1 to 3, of a card at an index in the market (PZ 2.1, 4.6)."""
    return 1 + sum(place >= row_start(box, s, row) for row in range(1, ROW))


def _cards(box: Any) -> list[dict[str, Any]]:
    """Return the data of all fund cards by index; each field of the box is read only once, because that is slow."""
    rows = zip(VALUES, box.period.tolist(), box.interest.tolist(), box.kind.tolist(), strict=True)
    return [
        {"card": value, "value": value, "period": period, "interest": interest, "kind": KINDS[kind]}
        for value, period, interest, kind in rows
    ]


def _luxuries(box: Any, s: Any) -> list[dict[str, Any]]:
    """Return the luxuries with price, points and owner, for the view."""
    return [
        {
            "luxury": LUXURY_NAMES[i],
            "price": int(box.luxury_price[i]),
            "points": int(box.luxury_points[i]),
            "owner": int(s.luxury_owner[i]) - 1 if s.luxury_owner[i] else None,
        }
        for i in range(LUXURIES)
    ]


def _player(box: Any, s: Any, p: int, viewer: int | None, held: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the viewer knows about the player `p`; `held` are the fund cards on the player's wheel."""
    own = is_open_to(viewer, p)
    cash = int(s.cash[p]) if own else int(s.final_cash[p]) if s.over else None
    tile_points, luxury_points = int(scoring.industry_points(s, p)), int(scoring.luxury_points(box, s, p))
    wealth = None if cash is None or box.advanced else int(scoring.wealth_points(box, cash))
    total = tile_points + luxury_points + (wealth or 0)
    wheel = sorted(held, key=lambda card: (card["space"], card["value"]))
    tiles, supply = s.tiles[p].tolist(), s.supply.tolist()
    forecast = _forecast(wheel)
    return {
        "seat": p,
        "cash": cash,
        "tiles": dict(zip(INDUSTRIES, tiles, strict=True)),
        "tile_points": tile_points,
        "luxury_points": luxury_points,
        "wealth_points": wealth,
        "points": total if box.advanced or cash is not None else None,
        "highest_card": int(scoring.highest_card(s, p)) or None,
        "bankrupt": bool(s.bankrupt[p]),
        "wheel": wheel,
        "forecast": forecast,
        "short": forecast[0]["due"] > cash if own and cash is not None else None,
        "short_if_crash": forecast[0]["due_if_crash"] > cash if own and cash is not None else None,
        "adds": {name: n + 1 for name, n in zip(INDUSTRIES, tiles, strict=True)},
        "fund_rows": {
            name: n + 1
            for name, n, left in zip(INDUSTRIES, tiles, supply, strict=True)
            if n < ROW and left > 0 and row_start(box, s, n) < row_start(box, s, n + 1)
        },
    }


def _forecast(wheel: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the interest that a player owes at each of the next turns of its wheel (PZ 8, 9).

    With `if_crash`, the next turn of the wheel follows a market crash.
    """
    rows: list[dict[str, Any]] = []
    calm, crash = _due(wheel, 1), _due(wheel, 2)
    for turn in range(TURNS_AHEAD):
        rows.append(
            {
                "turn": turn + 1,
                "due": sum(card["interest"] for card in calm[turn]),
                "due_if_crash": sum(card["interest"] for card in crash[turn]),
                "cards": [card["value"] for card in calm[turn]],
                "cards_if_crash": [card["value"] for card in crash[turn]],
            }
        )
    return rows


def _due(wheel: Sequence[dict[str, Any]], first: int) -> list[list[dict[str, Any]]]:
    """Return the cards due at each of the next turns of the wheel, the first of which moves `first` spaces."""
    spaces = [int(card["space"]) for card in wheel]
    due: list[list[dict[str, Any]]] = []
    for turn in range(TURNS_AHEAD):
        spaces = [max(0, space - (first if turn == 0 else 1)) for space in spaces]
        due.append([card for card, space in zip(wheel, spaces, strict=True) if space == 0])
        spaces = [space or int(card["period"]) for card, space in zip(wheel, spaces, strict=True)]
    return due


def _envelope(s: Any, viewer: int | None) -> dict[str, Any] | None:
    """Return the envelope that is on the table, with its price for those who may see it; None without one."""
    if s.phase not in (AMOUNT, ANSWER):
        return None
    party = [p for p in range(s.seats) if int(s.price_party) >> p & 1]
    inside = s.phase == ANSWER and any(is_open_to(viewer, p) for p in party)
    return {
        "from": int(s.offer_from),
        "to": int(s.offer_to),
        "industry": INDUSTRIES[int(s.offer_industry)],
        "price": int(s.price) if inside else None,
        "stage": PHASES[int(s.phase)],
    }


def _outcome(box: Any, s: Any) -> dict[str, Any]:
    """Return the scoring at the end, a row for each seat, for the view."""
    table: list[dict[str, Any]] = []
    for p in range(s.seats):
        lost = bool(s.bankrupt[p])
        table.append(
            {
                "seat": p,
                "bankrupt": lost,
                "tiles": int(scoring.industry_points(s, p)),
                "wealth": None if box.advanced else int(scoring.wealth_points(box, s.final_cash[p])),
                "luxuries": int(scoring.luxury_points(box, s, p)) if box.advanced else None,
                "total": None if lost else int(s.score[p]),
                "highest_card": int(scoring.highest_card(s, p)) or None,
                "cash": int(s.final_cash[p]),
            }
        )
    return {
        "rule": "PZ 9.3" if s.ending == 9_03 else "PZ 10.6",
        "winners": [p for p in range(s.seats) if int(s.winners) >> p & 1],
        "points": [row["total"] for row in table],
        "table": table,
    }


# Refusals


_PHASE_NUMBER = {
    FUNDING: "PZ 4.1",
    TRADING: "PZ 5.1",
    AMOUNT: "PZ 5.2",
    ANSWER: "PZ 5.3",
    MARKER: "PZ 6.2",
    CRASH: "PZ 7.3",
}
_NOT_YOURS = {
    FUNDING: marked("It is not your turn: {seat} is choosing a fund."),
    TRADING: marked("It is not your turn: {seat} is choosing whether to trade."),
    AMOUNT: marked("It is not your turn: {seat} is filling the envelope."),
    ANSWER: marked("It is not your turn: {seat} is answering the envelope."),
    MARKER: marked("It is not your turn: {seat} is choosing a card to remove."),
    CRASH: marked("It is not your turn: {seat} is giving a tile back."),
}
_NOT_NOW = {
    FUNDING: marked("Not now: fund or pass."),
    TRADING: marked("Not now: make an offer or pass."),
    AMOUNT: marked("Not now: put an amount into the envelope."),
    ANSWER: marked("Not now: sell or counter."),
    MARKER: marked("Not now: remove a market card."),
    CRASH: marked("Not now: give a tile back."),
}
_OF_A_TILE = (marked("transportation"), marked("grain"), marked("media"), marked("real-estate"))
_FAMILIES = {
    FUNDING: ("pass", "fund"),
    TRADING: ("pass", "offer", "buy"),
    AMOUNT: ("amount",),
    ANSWER: ("sell", "counter"),
    MARKER: ("remove",),
    CRASH: ("give-back",),
}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule number and message for a seat that tries to act while another seat is to decide."""
    acting = next(p for p in range(s.seats) if int(s.acting) >> p & 1)
    phase = int(s.phase)
    return _PHASE_NUMBER[phase], _(_NOT_YOURS[phase]).format(seat=seat_word(acting))


def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
    """Return why a seat that is to act may not take this action, as (rule number, message), or None if it may."""
    phase = int(s.phase)
    if action.family not in _FAMILIES[phase]:
        if phase == TRADING and box.advanced:
            return "PZ 5.1", _("Not now: make an offer or pass or buy a luxury.")
        return _PHASE_NUMBER[phase], _(_NOT_NOW[phase])
    if action.family == "fund":
        return _refuse_fund(box, s, seat, *action.args)
    if action.family == "offer":
        return _refuse_offer(s, seat, *action.args)
    if action.family == "buy":
        return _refuse_buy(box, s, seat, *action.args)
    if action.family == "amount" and action.args[0] > s.cash[seat]:
        return "PZ 5.2", _("You have ${cash}, which is the most the envelope can hold.").format(cash=int(s.cash[seat]))
    if action.family == "counter" and s.price > s.cash[seat]:
        return "PZ 5.4", _("To counter you would pay ${price}, and you have ${cash}; you must sell.").format(
            price=int(s.price), cash=int(s.cash[seat])
        )
    if action.family == "remove" and action.args[0] not in s.market[: s.market_count]:
        return "PZ 6.2", _("The ${card} card is not in the market.").format(card=LOWEST_VALUE + action.args[0])
    if action.family == "give-back" and s.tiles[seat, action.args[0]] < most_tiles(s, seat):
        return "PZ 7.3", _("The tile must be of an industry in which you hold the most.")
    return None


def _refuse_fund(box: Any, s: Any, seat: int, industry: int, card: int) -> tuple[str, str] | None:
    """Return the rule and the reason against taking a tile and a fund card, or None if it is legal."""
    held = int(s.tiles[seat, industry])
    if held >= ROW:
        return "PZ 4.2", _("You hold {held} {industry} tiles; by funding you can only take a 1st, 2nd or 3rd.").format(
            held=held, industry=_(_OF_A_TILE[industry])
        )
    if s.supply[industry] == 0:
        return "PZ 4.2", _("No {industry} tile is left in the supply.").format(industry=_(_OF_A_TILE[industry]))
    market = [int(c) for c in s.market[: s.market_count]]
    if card not in market:
        return "PZ 4.1", _("The ${card} card is not in the market.").format(card=LOWEST_VALUE + card)
    row = _row(box, s, market.index(card))
    if row != held + 1:
        reason = (
            marked(
                "The ${card} fund is in row 1, for a 1st tile of an industry; {industry} tiles that you hold: {held}."
            ),
            marked(
                "The ${card} fund is in row 2, for a 2nd tile of an industry; {industry} tiles that you hold: {held}."
            ),
            marked(
                "The ${card} fund is in row 3, for a 3rd tile of an industry; {industry} tiles that you hold: {held}."
            ),
        )[row - 1]
        return "PZ 4.3", _(reason).format(industry=_(_OF_A_TILE[industry]), card=LOWEST_VALUE + card, held=held)
    return None


def _refuse_offer(s: Any, seat: int, other: int, industry: int) -> tuple[str, str] | None:
    """Return the rule and the reason against an offer for a tile, or None if it is legal."""
    if other >= s.seats:
        return "PZ 5.1", _("There is no seat {seat} at this table.").format(seat=other)
    if other == seat:
        return "PZ 5.1", _("An offer goes to another player.")
    if s.tiles[seat, industry] == 0 or s.tiles[other, industry] == 0:
        return "PZ 5.1", _("Both of you must hold a {industry} tile to trade one.").format(
            industry=_(_OF_A_TILE[industry])
        )
    return None


def _refuse_buy(box: Any, s: Any, seat: int, luxury: int) -> tuple[str, str] | None:
    """Return why a seat may not buy this luxury, as (rule number, message), or None if it may."""
    if not box.advanced:
        return "PZ 11", _("Luxuries are for sale in the advanced game only.")
    if s.luxury_owner[luxury]:
        return "PZ 11.1", _("The ${luxury} luxury is sold.").format(luxury=LUXURY_NAMES[luxury])
    if box.luxury_price[luxury] > s.cash[seat]:
        return "PZ 11.1", _("The luxury costs ${price}, and you have ${cash}.").format(
            price=int(box.luxury_price[luxury]), cash=int(s.cash[seat])
        )
    return None


# Log sentences and button labels


INDUSTRY_WORDS = {
    "transportation": marked("transportation"),
    "grain": marked("grain"),
    "media": marked("media"),
    "real-estate": marked("real estate"),
}
_TEXTS = {
    "starts": marked("{seat} {seat:is|are} the start player."),
    "round": marked("Round {number} begins with {seat}."),
    "passed": marked("{seat} passed."),
    "funded": marked("{seat} took a {industry} tile and the ${value} fund, period {period}."),
    "offered": marked("{seat} {seat:hands|hand} {to} an envelope for {industry}."),
    "envelope": marked("{seat} put ${amount} into the envelope for {to}."),
    "sold": marked("{seat} sold a {industry} tile to {to}."),
    "countered": marked("{seat} countered and took a {industry} tile from {to}."),
    "marker": marked("The start marker passes to {seat}."),
    "removed": marked("{seat} removed the ${value} card from the market."),
    "restocked": marked("The market is restocked with {cards}."),
    "crashed": marked("The market crashes: it shows {bears} bears."),
    "gave_back": marked("{seat} gave a {industry} tile back."),
    "paid": marked("{seat} paid ${amount} interest."),
    "bankrupt": marked("{seat} {seat:owes|owe} ${due} and {seat:is|are} bankrupt."),
    "ended": marked("The game is over."),
}


def tell(name: str, data: dict[str, int], names: Sequence[str]) -> str:
    """Return the sentence in the game's log for the event `name` with the values `data`; `names` are the players'."""
    words: dict[str, Any] = dict(data)
    for key in ("seat", "to"):
        if key in data:
            words[key] = names[data[key]]
    if "industry" in data:
        industry = INDUSTRY_WORDS[INDUSTRIES[data["industry"]]]
        words["industry"] = _(industry)
    if name == "restocked":
        keys = ("first", "second", "third", "fourth")
        words["cards"] = listed([_("${value}").format(value=data[key]) for key in keys if data[key]])
    if name == "reshuffled":
        text = ngettext(
            "{cards} discarded card becomes the new deck.",
            "{cards} discarded cards become the new deck.",
            data["cards"],
        )
        return text.format(**words)
    if name == "bought":
        text = ngettext(
            "{seat} bought the luxury for ${price}, worth {points} point.",
            "{seat} bought the luxury for ${price}, worth {points} points.",
            data["points"],
        )
        return text.format(**words)
    if name == "turned":
        return _("Every wheel turns one space.") if data["spaces"] == 1 else _("Every wheel turns two spaces.")
    if name == "removed" and data["starting"]:
        return _("{seat} removed the ${value} card from the market; it leaves the game.").format(**words)
    return _(_TEXTS[name]).format(**words)


_LABELS = {
    "pass": marked("Pass"),
    "fund": marked("Take {industry} and the ${card} fund"),
    "offer": marked("Offer {seat} an envelope for {industry}"),
    "amount": marked("Put ${amount} into the envelope"),
    "sell": marked("Sell for the amount in the envelope"),
    "counter": marked("Counter: pay the same and take a tile"),
    "remove": marked("Remove the ${card} card"),
    "give-back": marked("Give back {industry}"),
    "buy": marked("Buy the ${luxury} luxury"),
}
# Headings for groups of actions, derived from the family names.
FAMILY_WORDS = (marked("Fund"), marked("Offer"), marked("Amount"), marked("Remove"), marked("Give back"), marked("Buy"))


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of the button for an action."""
    words: dict[str, Any] = {}
    if action.family == "amount":
        words["amount"] = action.args[0]
    for part in action.path if action.family != "amount" else ():
        kind, _colon, value = part.partition(":")
        words[kind] = names[int(value)] if kind == "seat" else _(INDUSTRY_WORDS.get(value, value))
    return _(_LABELS[action.family]).format(**words)


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence on the first inconsistency in a full, unredacted state, or None if there is none.

    Tiles, cards and cash must add up (PZ 1).
    """
    for i, name in enumerate(INDUSTRIES):
        total = int(s.supply[i]) + int(s.tiles[: s.seats, i].sum())
        if total != box.tiles_per_industry or s.supply[i] < 0 or (s.tiles < 0).any():
            return f"There are {total} {name} tiles."
    places = [
        *s.market[: s.market_count],
        *s.deck[: s.deck_count],
        *s.discard[: s.discard_count],
        *s.held_card[: s.held_count],
    ]
    if len(set(map(int, places))) != len(places) or len(places) + int(s.removed_count) != CARDS:
        return f"{len(places)} cards are in play and {int(s.removed_count)} removed."
    if (s.cash < 0).any():
        return "A seat has less than no cash."
    if int(s.cash.sum()) != int(s.public_cash.sum()):
        return "Trades have made or lost cash."
    for p in range(s.seats):
        if int(s.cash[p]) != int(s.public_cash[p]) + int(s.traded[p].sum()):
            return f"Seat {p}'s cash is not what it has gained, paid and traded."
    return None
