"""How a Pyramid Scheme table looks in a terminal: made from one view alone, like board.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

View = Mapping[str, Any]

STYLES = {"green": "green", "blue": "blue", "pink": "magenta", "yellow": "yellow"}
MARKS = {"green": "●", "blue": "■", "pink": "▲", "yellow": "◆"}
PHASES = {
    "act": "take or place",
    "flip": "flipping",
    "reward": "using a reward",
    "police": "placing Police",
    "over": "over",
}


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Return the whole table as the view's seat may see it."""
    parts: list[RenderableType] = [_headline(view, names), _market(view), _goals(view, names)]
    parts += [_player(view, player, names) for player in view["players"]]
    if view["outcome"]:
        winners = " and ".join(names[int(seat)] for seat in view["outcome"]["winners"])
        parts.append(Text(f"Won by {winners} ({view['outcome']['rule']})", style="bold"))
    return Group(*parts)


def _headline(view: View, names: Sequence[str]) -> Text:
    turn = names[int(view["turn"])]
    line = Text(f"Turn {view['turn_number']}, {turn}: {PHASES[view['phase']]} ({view['phase_rule']})", style="bold")
    if view["phase"] == "act":
        line.append(f"   actions left: {view['actions_left']}", style="not bold")
    if view["reward"]:
        line.append(f"   reward: {view['reward']['reward']} ({view['reward']['rule']})", style="not bold")
    return line


def _market(view: View) -> Text:
    line = Text("Market   ")
    for card in view["market"]:
        line.append(_card(card)).append("   ")
    if view["deck_top"]:
        line.append("deck's top ").append(_card(view["deck_top"]))
    line.append(f"\nDeck {view['deck_count']}, discarded {len(view['discard'])}, tokens {view['supply']}, ")
    line.append(f"Police {view['police_left']}")
    return line


def _goals(view: View, names: Sequence[str]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("Goal")
    for name in names[: view["seats"]]:
        table.add_column(Text(name), justify="right")
    table.add_column("")
    for goal in view["goals"]:
        note = ""
        if goal["claimed"] is not None:
            note = f"claimed by {names[int(goal['claimed'])]}"
        elif goal["reserved"] is not None:
            note = f"reserved for {names[int(goal['reserved'])]}"
        counts = [f"{n}/{goal['need']}" for n in goal["progress"]]
        table.add_row(goal["words"], *counts, Text(note), style="dim" if goal["claimed"] is not None else "")
    return table


def _player(view: View, player: Mapping[str, Any], names: Sequence[str]) -> RenderableType:
    seat = int(player["seat"])
    title = Text(f"{'>' if seat in view['acting'] else ' '} {names[seat]}", style="bold")
    if player["out"]:
        return title.append("   out", style="red")
    title.append(f"   {player['tokens']} reset tokens, {player['smart']} smart-asses   hand ", style="not bold")
    for card in player["hand"]:
        title.append(_card(card)).append("  ")
    if player["hidden"]:
        title.append(f"{player['hidden']} hidden ", style="not bold")
    title.append(f"({player['hand_count']} of {player['hand_limit']})", style="not bold")
    branches: dict[str, Tree] = {}
    root: Tree | None = None
    for card in player["pyramid"]:
        line = _card(card)
        if card["flipped"]:
            line.append(" smart", style="reverse")
        if card["limit"]:
            line.append(f"  room {card['room']} of {card['limit']}", style="dim")
        if card["may_flip"]:
            line.append("  may flip", style="bold")
        branch = branches[card["below"]].add(line) if card["below"] else Tree(line)
        root = root or branch
        branches[card["card"]] = branch
    return Group(title, root or Text(""))


def _card(card: Mapping[str, Any]) -> Text:
    if card["kind"] == "founder":
        return Text("Founder 12", style="bold")
    if card["kind"] == "police":
        return Text(f"{card['card']} 3", style="bold")
    line = Text(f"{MARKS[card['colour']]}{card['number']} {card['card']}", style=f"bold {STYLES[card['colour']]}")
    wants = ", ".join(str(want) for want in card["wants"])
    line.append(f" [{wants}{': ' + card['reward'] if card['reward'] else ''}]", style="not bold dim")
    return line
