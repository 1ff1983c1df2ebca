"""How a Ponzi Scheme table looks in a terminal: made from one view alone, like board.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

View = Mapping[str, Any]

INDUSTRIES = {"transportation": "Transp.", "grain": "Grain", "media": "Media", "real-estate": "Estate"}
PHASES = {
    "funding": "funding",
    "trading": "clandestine trading",
    "amount": "filling the envelope",
    "answer": "answering the envelope",
    "marker": "passing the marker",
    "crash": "giving tiles back",
    "over": "the game is over",
}
ROWS = ("row 1, for a first tile", "row 2, for a second", "row 3, for a third")
LEGEND = "$80: 90 in 3 = take $80 now, owe $90 at every third turn of the wheel"


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Return the whole table as the view's seat may see it."""
    parts: list[RenderableType] = [_headline(view, names), _market(view)]
    if view["luxuries"]:
        parts.append(_luxuries(view, names))
    parts += [_players(view, names), _wheels(view, names)]
    if view["seat"] is not None:
        parts += _forecast(view)
    if view["envelope"]:
        parts.append(_envelope(view, names))
    if view["outcome"]:
        parts.append(_outcome(view, names))
    return Group(*parts)


def _headline(view: View, names: Sequence[str]) -> Text:
    phase = PHASES.get(view["phase"], view["phase"])
    line = Text(f"Round {view['round']} of at most {view['round_limit']}, {phase} ({view['phase_rule']})", style="bold")
    line.append(f"   start marker: {names[view['start']]}", style="not bold")
    if view["crashed"]:
        line.append("   the market crashed this round", style="bold red")
    return line


def _market(view: View) -> RenderableType:
    discarded = len(view["discard"])
    title = Text(
        f"Market   bears {view['bears_in_market']} of the {view['bears_needed']} that crash it   "
        f"deck {view['deck_count']}   discarded {discarded}"
    )
    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for row, name in enumerate(ROWS, 1):
        table.add_row(f" {name}", *(_fund(card) for card in view["market"] if card["row"] == row))
    supply = ", ".join(f"{INDUSTRIES[name]} {count}" for name, count in view["supply"].items())
    return Group(title, table, Text(f"Supply: {supply}"), Text(LEGEND, style="dim"))


def _fund(card: Mapping[str, Any]) -> Text:
    cell = Text(f"${card['value']}", style="bold red" if card["kind"] == "bear" else "bold")
    cell.append(f": {card['interest']} in {card['period']}", style="not bold")
    if card["kind"] == "bear":
        cell.append(" BEAR", style="red")
    return cell


def _luxuries(view: View, names: Sequence[str]) -> Text:
    line = Text("Luxuries   ")
    for luxury in view["luxuries"]:
        owner = "for sale" if luxury["owner"] is None else names[luxury["owner"]]
        line.append(f"${luxury['price']} for {luxury['points']} ({owner})   ")
    line.rstrip()
    return line


def _players(view: View, names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("Player")
    table.add_column("Cash", justify="right")
    for short in INDUSTRIES.values():
        table.add_column(short, justify="right")
    table.add_column("Tile pts", justify="right")
    if view["advanced"]:
        table.add_column("Luxury", justify="right")
    for player in view["players"]:
        seat = int(player["seat"])
        name = Text(names[seat])
        if seat == view["seat"] and names[seat] != "You":
            name.append(" (you)")
        if player["bankrupt"]:
            name.append(" bankrupt", style="bold red")
        due = seat in view["acting"]
        cash = "hidden" if player["cash"] is None else f"${player['cash']}"
        counts = [str(player["tiles"][industry]) for industry in INDUSTRIES]
        points = [str(player["tile_points"])] + ([str(player["luxury_points"])] if view["advanced"] else [])
        table.add_row(f"{'>' if due else ' '} {seat}", name, cash, *counts, *points, style="bold" if due else "")
    return table


def _wheels(view: View, names: Sequence[str]) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Player")
    # Between two rounds a card waits at the arrow; mostly the column would stand empty.
    at_arrow = any(card["space"] == 0 for player in view["players"] for card in player["wheel"])
    spaces = range(0 if at_arrow else 1, 6)
    for space in spaces:
        table.add_column("now" if space == 0 else f"in {space}")
    for player in view["players"]:
        cells: list[str] = []
        for space in spaces:
            cards = [card for card in player["wheel"] if card["space"] == space]
            cells.append("\n".join(f"${card['value']}: {card['interest']}" for card in cards) or "-")
        table.add_row(Text(names[int(player["seat"])]), *cells)
    return Group(Text("Wheels: each fund and the interest it owes, by the turns until that is due"), table)


def _forecast(view: View) -> list[RenderableType]:
    me = next(player for player in view["players"] if player["seat"] == view["seat"])
    dues = ", ".join(f"${turn['due']}" for turn in me["forecast"])
    crash = ", ".join(f"${turn['due_if_crash']}" for turn in me["forecast"])
    lines: list[RenderableType] = [
        Text(f"You owe in the next five turns: {dues}; if the next turn is a crash: {crash}.")
    ]
    if me["short"]:
        lines.append(Text("Your cash does not cover the next turn of the wheel.", style="bold red"))
    elif me["short_if_crash"]:
        lines.append(Text("Your cash does not cover the next turn of the wheel if the market crashes.", style="red"))
    if view["phase"] in ("funding", "trading", "amount", "answer") and me["adds"]:
        adds = ", ".join(f"{INDUSTRIES[name]} +{points}" for name, points in me["adds"].items())
        lines.append(Text(f"One more tile would add: {adds}.", style="dim"))
    return lines


def _envelope(view: View, names: Sequence[str]) -> Text:
    envelope = view["envelope"]
    price = "an unknown amount" if envelope["price"] is None else f"${envelope['price']}"
    if envelope["stage"] == "amount":
        price = "an amount still to be set"
    return Text(
        f"Envelope: {names[envelope['from']]} offers {names[envelope['to']]} {price} "
        f"for one tile of {envelope['industry'].replace('-', ' ')}.",
        style="bold",
    )


def _outcome(view: View, names: Sequence[str]) -> RenderableType:
    outcome = view["outcome"]
    winners = [names[int(seat)] for seat in outcome["winners"]]
    alone = len(winners) == 1 and winners != ["You"]
    said = f"{' and '.join(winners)} win{'s' if alone else ''}" if winners else "Nobody wins"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Player")
    bonus = "Luxury" if view["advanced"] else "Wealth"
    for title in ("Cash", "Tiles", bonus, "Points", "Highest card"):
        table.add_column(title, justify="right")
    for row in outcome["table"]:
        scored = (
            ["bankrupt"] * 3
            if row["bankrupt"]
            else [str(row["tiles"]), str(row["luxuries"] if view["advanced"] else row["wealth"]), str(row["total"])]
        )
        highest = "-" if row["highest_card"] is None else f"${row['highest_card']}"
        winner = row["seat"] in outcome["winners"]
        table.add_row(
            Text(names[int(row["seat"])]), f"${row['cash']}", *scored, highest, style="bold" if winner else ""
        )
    return Group(Text(f"{said} ({outcome['rule']})", style="bold"), table)
