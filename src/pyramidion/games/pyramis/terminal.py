"""How a Pyramis table looks in a terminal: made from one view alone, like board.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

View = Mapping[str, Any]

LETTERS = {"blue": "O", "green": "F", "pink": "M", "gray": "C"}
STYLES = {"blue": "bright_blue", "green": "green", "pink": "magenta", "gray": "white"}
PHASES = {
    "place": "expanding the Fleet",
    "steal": "taking a Star card",
    "refill": "refilling the River",
    "rotate": "turning cards",
    "over": "the game is over",
}
CELL = 8


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Return the whole table as the view's seat may see it."""
    parts: list[RenderableType] = [_headline(view, names), _middle(view), _legend()]
    order = [(k + (view["seat"] or 0)) % view["seats"] for k in range(view["seats"])]
    parts.append(Columns([_player(view, seat, names) for seat in order], padding=(0, 3)))
    if view["outcome"]:
        parts.append(_outcome(view, names))
    return Group(*parts)


def _headline(view: View, names: Sequence[str]) -> Text:
    phase = PHASES[view["phase"]] + (f", {view['turning']}" if view["turning"] else "")
    line = Text(f"Turn {view['turn']} of {view['turns']}, {names[view['active']]}: {phase}", style="bold")
    line.append(f" ({view['phase_rule']})", style="not bold")
    return line


def _middle(view: View) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    left, right = view["decks"]
    table.add_column("left deck")
    for slot in range(3):
        table.add_column(f"River {slot + 1}", justify="center")
    table.add_column("right deck")
    river = [_lying(card, card["top"], card["bottom"]) if card else Text("gap", style="dim") for card in view["river"]]
    table.add_row(_deck(left), *river, _deck(right))
    pairs = " and ".join(view["pairs"])
    table.caption = (f"The backs show a pair of {pairs}. " if pairs else "The backs show no pair. ") + (
        f"{view['reserve']} Star cards in the reserve."
    )
    table.caption_justify = "left"
    return table


def _deck(deck: Mapping[str, Any]) -> Text:
    shown = Text(f"{deck['left']} cards, back ")
    for colour in deck["back"]:
        shown.append(f"{colour} ", style=STYLES[colour])
    if not deck["back"]:
        shown.append("none")
    for entry in deck["triggers"]:
        shown.append(f"\nrefill: {entry['colour']} pair {entry['percent']} %")
    return shown


def _legend() -> Text:
    return Text(
        "A card: O ocean, F forest, M mountain, C city; Pyramids and Aliens on top, then below; * Shooting Star; "
        "= largest zone; ~ can be turned now.",
        style="dim",
    )


def _lying(card: Mapping[str, Any], up: Mapping[str, int], down: Mapping[str, int], mark: str = "") -> Text:
    text = Text(LETTERS[card["colour"]], style=f"bold {STYLES[card['colour']]}")
    text.append(f"{_end(up)}/", style="bold")
    text.append(_end(down), style="not bold")
    text.append(("*" if card["star"] else "") + mark)
    return text


def _end(end: Mapping[str, int]) -> str:
    return f"{end['pyramids']}" + "A" * end["aliens"]


def _player(view: View, seat: int, names: Sequence[str]) -> RenderableType:
    player = view["players"][seat]
    due = seat in view["acting"]
    title = Text(f"{'>' if due else ' '} {names[seat]}: {player['score']} points", style="bold" if due else "")
    title.append("" if player["score_is_whole"] else " + Stars")
    rows: list[RenderableType] = [title]
    for level in (3, 2, 1, 0):
        line = Text(" " * (CELL // 2 * level))
        for place in player["fleet"]:
            if place["level"] == level:
                line.append(_space(place))
        rows.append(line)
    zone = player["zone"]
    rows.append(Text(f"zone {zone['cards']} {zone['colour']}, {zone['pyramids']} Pyramids" if zone else "no zone"))
    aliens = f"Aliens {player['aliens']}{' (most)' if player['leads_aliens'] else ''}"
    rows.append(Text(f"{aliens}, Star cards {_stars(player)}"))
    return Group(*rows)


def _space(place: Mapping[str, Any]) -> Text:
    if place["card"] is None:
        return Text(f"{place['space'] if place['open'] else '.':^{CELL}}", style="dim")
    mark = ("=" if place["in_zone"] else "") + ("~" if place["may_turn"] else "")
    text = _lying(place["card"], place["up"], place["down"], mark)
    text.append(" " * max(1, CELL - len(text)))
    return text


def _stars(player: Mapping[str, Any]) -> str:
    if not player["star_cards"]:
        return str(player["stars"])
    return ", ".join(_end(star) for star in player["star_cards"])


def _outcome(view: View, names: Sequence[str]) -> Table:
    outcome = view["outcome"]
    winners = " and ".join(names[int(seat)] for seat in outcome["winners"])
    table = Table(
        title=Text(f"Won by {winners} ({outcome['rule']})", style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("Player")
    for title in ("Pyramids", "Largest zone", "Aliens", "Total"):
        table.add_column(title, justify="right")
    for row in outcome["table"]:
        style = "bold" if row["seat"] in outcome["winners"] else ""
        cells = (row["pyramids"], row["zone"], row["alien_points"], row["total"])
        table.add_row(Text(names[int(row["seat"])]), *map(str, cells), style=style)
    return table
