"""How a table of either game looks in a terminal: made from one view alone, like board.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

View = Mapping[str, Any]

HINTS = {
    "pregame": "Everybody bids priority for a place.",
    "bid": "Everybody bids garnets for a place.",
    "claim": "Everybody asks for tickets and challenges somebody above.",
    "battle": "The challenges are fought out.",
    "giving": "Tokens of life are given away.",
}


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Return the whole table as the view's seat may see it."""
    parts: list[RenderableType] = [headline(view), pyramid(view, names), players(view, names)]
    if view["challenges"]:
        parts.append(challenges(view, names))
    if view["you"]:
        parts.append(submission(view, names))
    if view["outcome"]:
        parts.append(outcome(view, names))
    return Group(*parts)


def headline(view: View) -> Text:
    """Return the round and what it is about."""
    if view["phase"] == "over":
        return Text("The game is over.", style="bold")
    text = f"Round {view['round']} of {view['rounds']}: " if view["round"] else ""
    line = Text(f"{text}{HINTS[view['phase']]}", style="bold")
    line.append(f"   ({view['phase_rule']})", style="not bold")
    return line


def pyramid(view: View, names: Sequence[str]) -> Text:
    """Return the pyramid, each space with the name of whoever stands there."""
    width = max(len(name) for name in names[: view["seats"]]) + 4
    lines = Text()
    for row in view["layers"]:
        cells: list[Text] = []
        for space in view["spaces"]:
            if space["space"] in row:
                seat = space["seat"]
                label = f"{space['space']} {names[seat] if seat is not None else '-'}"
                style = "bold reverse" if seat is not None and seat == view["seat"] else ""
                cells.append(Text(label.center(width), style=style))
        lines.append(" " * ((4 - len(row)) * (width + 1) // 2))
        lines.append_text(Text(" ").join(cells))
        lines.append("\n")
    return lines


def players(view: View, names: Sequence[str]) -> Table:
    """Return what everybody holds, as far as the viewer knows."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("Player")
    table.add_column("Space")
    for title in ("Tickets", "Garnets", "Priority"):
        table.add_column(title, justify="right")
    table.add_column("")
    for player in view["players"]:
        seat = int(player["seat"])
        name = names[seat] + (" (you)" if seat == view["seat"] and names[seat] != "You" else "")
        numbers = ["?" if player[key] is None else str(player[key]) for key in ("tickets", "garnets", "priority")]
        notes = [
            "confirmed" if player["confirmed"] else "",
            "cannot be challenged" if player.get("protected") else "",
            f"{player['tol']} ToL" if player["tol"] else "",
            "EC" if player["ec"] else "",
        ]
        due = seat in view["acting"]
        table.add_row(
            f"{'>' if due else ' '} {seat}",
            name,
            player["space"] or "-",
            *numbers,
            ", ".join(note for note in notes if note),
            style="bold" if seat == view["seat"] else "",
        )
    return table


def challenges(view: View, names: Sequence[str]) -> Text:
    """Return all challenges of the round, a line each."""
    lines = Text()
    for one in view["challenges"]:
        where = f"{one['space']}, where {names[one['target']]} stands" if "space" in one else names[one["target"]]
        lines.append(f"{names[one['seat']]} challenges {where}")
        if one.get("void"):
            lines.append(f": void, {names[one['because']]} challenges {names[one['seat']]}", style="dim")
        lines.append(".\n")
    return lines


def submission(view: View, names: Sequence[str]) -> Text:
    """Return the own submission: what is saved, and what counts where nothing is."""
    you = view["you"]
    if not you["asked"]:
        return Text("Nothing is asked of you in this phase.")
    line = Text("Your submission: ", style="bold")
    for part in you["parts"]:
        value = part["saved"]
        if value is None:
            default = "drawn at random" if part["default"] is None else str(part["default"])
            said = f"not saved ({default})"
        else:
            # In Upside Down a challenge names a seat, in Downside Up a space.
            named = part["part"] == "challenge" and isinstance(value, int)
            said = names[value] if named else str(value)
        line.append(f"{part['part']} {said}. ", style="not bold")
    line.append(
        "Confirmed." if you["confirmed"] else "Not confirmed yet.", style="bold green" if you["confirmed"] else ""
    )
    return line


def outcome(view: View, names: Sequence[str]) -> Text:
    """Return who has won and who has lost."""
    result = view["outcome"]
    won = [names[int(seat)] for seat in result["winners"]]
    return Text(
        f"{', '.join(won[:-1])} and {won[-1]} hold tokens of life; {names[result['ec']]} is EC ({result['rule']}).",
        style="bold",
    )
