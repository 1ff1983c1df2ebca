"""How a Pyramid-Sham-Bo table looks in a terminal: made from one view alone, like board.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

View = Mapping[str, Any]


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Return the whole table as the view's seat may see it."""
    parts: list[RenderableType] = [_headline(view, names), _players(view, names)]
    if view["reveal"]:
        parts.append(_reveal(view, names))
    if view["payment"]:
        parts.append(_payment(view, names))
    elif view["phase"] == "throw":
        parts.append(_throw(view, names))
    if view["outcome"]:
        parts.append(_outcome(view, names))
    return Group(*parts)


def _headline(view: View, names: Sequence[str]) -> Text:
    if view["phase"] == "over":
        return Text("The game is over.", style="bold")
    line = Text(f"Turn {view['turn']} of at most {view['turn_limit']}: {names[view['active']]}", style="bold")
    if view["doubled"]:
        line.append("   showdown, fees are doubled", style="bold red")
    line.append(f"   ({view['phase_rule']})", style="not bold")
    return line


def _players(view: View, names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("", "Player", "Colour"):
        table.add_column(title)
    table.add_column("Pips", justify="right")
    table.add_column("Pieces (colour and pips)")
    table.add_column("Rock, paper, scissors so far")
    for player in view["players"]:
        seat = int(player["seat"])
        name = Text(names[seat])
        if seat == view["seat"] and names[seat] != "You":
            name.append(" (you)")
        pieces = Text("out", style="dim") if not player["playing"] else Text()
        for piece in player["pieces"]:
            pieces.append(f"{piece['letter']}{piece['pips']}", style="bold reverse" if piece["forward"] else "")
            pieces.append(" ")
        due = seat in view["acting"]
        thrown = ", ".join(str(count) for count in player["throws"].values())
        mark = f"{'>' if due else ' '} {seat}"
        style = "bold" if due else ""
        table.add_row(mark, name, player["letter"], str(player["pips"]), pieces, thrown, style=style)
    return table


def _reveal(view: View, names: Sequence[str]) -> Text:
    one, other = view["reveal"]["hands"]
    return Text(
        f"Last throw: {names[one['seat']]} {one['throw']}, {names[other['seat']]} {other['throw']}"
        + ("." if view["reveal"]["winner"] is None else f"; {names[view['reveal']['winner']]} won.")
    )


def _throw(view: View, names: Sequence[str]) -> Text:
    ladder = "  ".join(f"[{fee}]" if fee == view["worth"] else str(fee) for fee in view["ladder"])
    line = Text(f"{names[view['active']]} against {names[view['opponent']]}, {view['call']}. ", style="bold")
    line.append(f"Worth, tie by tie: {ladder}", style="not bold")
    if view["throw"]:
        line.append(f"   You have thrown {view['throw']}.", style="not bold")
    return line


def _payment(view: View, names: Sequence[str]) -> Text:
    pay = view["payment"]
    line = Text(f"{names[pay['payer']]} pays {names[pay['payee']]} {pay['fee']}", style="bold")
    line.append(" as a knock-out bonus" if pay["bonus"] else "")
    line.append(f" ({pay['rule']}): {names[pay['decider']]} decides.", style="not bold")
    if pay["left"] is not None:
        line.append(f" {pay['put']} put forward, {pay['left']} to go.", style="not bold")
    return line


def _outcome(view: View, names: Sequence[str]) -> Text:
    outcome = view["outcome"]
    won = " and ".join([names[int(seat)] for seat in outcome["winners"]])
    return Text(
        f"{won} {'wins' if len(outcome['winners']) == 1 else 'share the win'} ({outcome['rule']}).", style="bold"
    )
