"""Terminal drawing of a Pyramid-Sham-Bo table, made from the view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.translation import _, marked, ngettext

View = Mapping[str, Any]

OWN = {
    "pay": marked("Pay with the {piece}"),
    "change": marked("Hand back the {piece}"),
    "trade": marked("Trade the {piece}"),
    "for": marked("Give the {piece} for it"),
}
OF_OTHERS = {
    "pay": marked("{seat} is to pay with the {piece}"),
    "change": marked("{seat} is to hand back the {piece}"),
    "trade": marked("{seat} is to trade the {piece}"),
    "for": marked("{seat} is to give the {piece} for it"),
}


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Return the drawing of a table for the terminal, as the seat of the view sees it."""
    parts: list[RenderableType] = [_headline(view, names), _players(view, names)]
    if view["reveal"]:
        parts.append(_reveal(view, names))
    if view["payment"]:
        parts.append(_payment(view, names))
    elif view["phase"] == "throw":
        parts.append(_throw(view, names))
    return Group(*parts)


def choice(view: View, action: str, names: Sequence[str]) -> str | None:
    """Return the text of a choice of a piece, with its pips and the player who gives it; None of other actions."""
    family, *arguments = action.split()
    if family not in OWN:
        return None
    held = [(player["seat"], piece) for player in view["players"] for piece in player["pieces"]]
    wanted = [(seat, piece) for seat, piece in held if piece["piece"] == arguments[0]]
    if not wanted:
        return None
    holder, piece = wanted[0]
    words = _("{size} {colour} ({pips})").format(
        size=_(str(piece["size"])), colour=piece["letter"], pips=_pips(piece["pips"])
    )
    text = OWN[family] if holder == view["seat"] else OF_OTHERS[family]
    return _(text).format(seat=names[holder], piece=words)


def _headline(view: View, names: Sequence[str]) -> Text:
    """Draw the line that says what happens now."""
    if view["phase"] == "over":
        return Text(_("The game is over."), style="bold")
    text = _("Turn {turn} of at most {most}: {seat}")
    line = Text(text.format(turn=view["turn"], most=view["turn_limit"], seat=names[view["active"]]), style="bold")
    if view["doubled"]:
        line.append("   " + _("showdown, fees are doubled"), style="bold red")
    line.append(f"   ({view['phase_rule']})", style="not bold")
    return line


def _players(view: View, names: Sequence[str]) -> Table:
    """Draw a table of the players and their pieces."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for title in ("", _("Player"), ""):
        table.add_column(title, no_wrap=True, overflow="ellipsis")
    table.add_column(_("Pips"), justify="right")
    table.add_column(_("Pieces (colour and pips)"))
    table.add_column(_("R, P, S so far"), no_wrap=True)
    for player in view["players"]:
        seat = int(player["seat"])
        name = Text(names[seat])
        if seat == view["seat"] and _("(you)") not in names[seat]:
            name.append(" " + _("(you)"))
        pieces = Text(_("out"), style="dim") if not player["playing"] else Text()
        for piece in player["pieces"]:
            pieces.append(f"{piece['letter']}{piece['pips']}", style="bold reverse" if piece["forward"] else "")
            pieces.append(" ")
        due = seat in view["acting"]
        thrown = ", ".join(str(count) for count in player["throws"].values())
        mark = f"{'>' if due else ' '} {seat + 1}"
        style = "bold" if due else ""
        table.add_row(mark, name, player["letter"], str(player["pips"]), pieces, thrown, style=style)
    return table


def _reveal(view: View, names: Sequence[str]) -> Text:
    """Draw the two throws that were revealed last."""
    active, other = view["reveal"]["hands"]
    winner = view["reveal"]["winner"]
    if winner is None:
        text = _("Last throw: {one} {throw}, {other} {against}.")
    else:
        text = _("Last throw: {one} {throw}, {other} {against}; {winner} won.")
    throws = [_(str(hand["throw"])) for hand in (active, other)]
    won = "" if winner is None else names[winner]
    return Text(
        text.format(
            one=names[active["seat"]], throw=throws[0], other=names[other["seat"]], against=throws[1], winner=won
        )
    )


def _throw(view: View, names: Sequence[str]) -> Text:
    """Draw the duel that is going on, and what it is worth."""
    ladder = "  ".join(f"[{fee}]" if fee == view["worth"] else str(fee) for fee in view["ladder"])
    call, own = str(view["call"]), None if view["seat"] is None else view["players"][view["seat"]]["throw"]
    text = _("{seat} against {other}, {call}.")
    text = text.format(seat=names[view["active"]], other=names[view["opponent"]], call=_(call))
    line = Text(text + " ", style="bold")
    line.append(_("Worth, tie by tie: {fees}").format(fees=ladder), style="not bold")
    if own:
        line.append("   " + _("You have thrown {throw}.").format(throw=_(own)), style="not bold")
    return line


def _payment(view: View, names: Sequence[str]) -> Text:
    """Draw the payment that is due, who decides about it, and what is still to be chosen."""
    pay = view["payment"]
    text = _("{seat} owes {other} a knock-out bonus of {pips}") if pay["bonus"] else _("{seat} owes {other} {pips}")
    owing = text.format(seat=names[pay["payer"]], other=names[pay["payee"]], pips=_pips(pay["fee"]))
    line = Text.assemble((owing, "bold"), f" ({pay['rule']}). ")
    line.append(_("{seat} chooses the pieces.").format(seat=names[pay["decider"]]))
    if pay["put"] and pay["left"]:
        line.append(" " + _("Still to be chosen: {pips}.").format(pips=_pips(pay["left"])))
    return line


def _pips(count: int) -> str:
    """Return a number of pips in words."""
    return ngettext("{count} pip", "{count} pips", count).format(count=count)
