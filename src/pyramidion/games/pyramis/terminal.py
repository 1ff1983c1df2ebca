"""Terminal drawing of a Pyramis table, made from the view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.games.pyramis.layout import COLOURS
from pyramidion.games.pyramis.texts import COLOUR_WORDS
from pyramidion.translation import _, listed, marked, ngettext, pgettext

View = Mapping[str, Any]

STYLES = {"blue": "bright_blue", "green": "green", "pink": "magenta", "gray": "white"}
PHASES = {
    "place": marked("expanding the Fleet"),
    "steal": marked("taking a Star card"),
    "refill": marked("refilling the River"),
    "over": marked("the game is over"),
}
WORDS = dict(zip(COLOURS, COLOUR_WORDS, strict=True))
CELL = 8


def draw(view: View, names: Sequence[str], compact: bool = False) -> RenderableType:
    """Return the drawing of a table for the terminal, as the seat of the view sees it.

    A `compact` one is at the end only the scoring and the Fleets.
    """
    order = [(k + (view["seat"] or 0)) % view["seats"] for k in range(view["seats"])]
    fleets = Columns([_player(view, seat, names) for seat in order], padding=(0, 3))
    if compact and view["outcome"]:
        return Group(_outcome(view, names), fleets)
    parts: list[RenderableType] = [_headline(view, names), _middle(view), fleets]
    if view["outcome"]:
        parts.append(_outcome(view, names))
    return Group(*parts)


def choice(view: View, action: str, names: Sequence[str]) -> str | None:
    """Return the text of an action that places a River card, with the card as the drawing shows it; None of others."""
    match action.split():
        case ["place", slot, space] if card := view["river"][int(slot) - 1]:
            return _("Place {card} on {space}").format(
                card=_lying(card, card["top"], card["bottom"]).plain, space=space
            )
        case _other:
            return None


def short(view: View, action: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the text of an action that places a River card, divided for a small screen; None of others."""
    match action.split():
        case ["place", slot, space] if card := view["river"][int(slot) - 1]:
            return _("Place {card} on").format(card=_lying(card, card["top"], card["bottom"]).plain), space
        case _other:
            return None


def _headline(view: View, names: Sequence[str]) -> Text:
    """Draw the line that says what happens now."""
    turning = view["turning"]
    if turning:
        phase = _("turning cards, {colour}").format(colour=_(WORDS[turning]))
    else:
        doing = PHASES[view["phase"]]
        phase = _(doing)
    text = _("Turn {turn} of {turns}, {seat}: {phase}").format(
        turn=view["turn"], turns=view["turns"], seat=names[view["active"]], phase=phase
    )
    line = Text(text, style="bold")
    line.append(f" ({view['phase_rule']})", style="not bold")
    return line


def _middle(view: View) -> Table:
    """Return the middle of the table: the River between the two decks, and the pairs that the backs show."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    left, right = view["decks"]
    table.add_column(_("left deck"))
    for slot in range(3):
        table.add_column(_("River {number}").format(number=slot + 1), justify="center")
    table.add_column(_("right deck"))
    gap = Text(_("gap"), style="dim")
    river = [_lying(card, card["top"], card["bottom"]) if card else gap for card in view["river"]]
    table.add_row(_deck(left), *river, _deck(right))
    pairs = listed([_(WORDS[colour]) for colour in view["pairs"]])
    text = _("The backs show a pair of {colours}.").format(colours=pairs) if pairs else _("The backs show no pair.")
    reserve = ngettext("{count} Star card in the reserve.", "{count} Star cards in the reserve.", view["reserve"])
    table.caption = f"{text} {reserve.format(count=view['reserve'])}"
    table.caption_justify = "left"
    return table


def _deck(deck: Mapping[str, Any]) -> Text:
    """Draw a deck: its cards left, the back on top, and what may refill the River."""
    backs = " ".join(_(WORDS[colour]) for colour in deck["back"])
    text = ngettext("{count} card, back {colours}", "{count} cards, back {colours}", deck["left"])
    if not backs:
        text = ngettext("{count} card, plain back", "{count} cards, plain back", deck["left"])
    if not deck["left"]:
        text = _("no card left")
    lines = Text(text.format(count=deck["left"], colours=backs))
    for colour in deck["back"]:
        lines.highlight_words([_(WORDS[colour])], STYLES[colour])
    for entry in deck["triggers"]:
        colour = WORDS[entry["colour"]]
        lines.append("\n" + _("refill: {colour} pair {percent} %").format(colour=_(colour), percent=entry["percent"]))
    return lines


def legend() -> str:
    """Return what the codes in the drawing mean."""
    return _(
        "B3/1A: a blue card with 3 Pyramids on top, 1 Pyramid and an Alien below. B blue, G green, P pink, Y grey, * "
        "Shooting Star, = largest zone, ~ can be turned now. In a Fleet, a2 is open for a card, and a dot not yet. "
        "33 % beside a deck: how likely its next card makes a pair."
    )


def _letter(colour: str) -> str:
    """Return the letter of a colour in the reader's language."""
    letters = {
        "blue": pgettext("blue card", "B"),
        "green": pgettext("green card", "G"),
        "pink": pgettext("pink card", "P"),
        "gray": pgettext("grey card", "Y"),
    }
    return letters[colour]


def _lying(card: Mapping[str, Any], up: Mapping[str, int], down: Mapping[str, int], mark: str = "") -> Text:
    """Return a card as it lies: landscape, the ends that are up and down, Shooting Star, and a mark."""
    text = Text(_letter(card["colour"]), style=f"bold {STYLES[card['colour']]}")
    text.append(f"{_end(up)}/", style="bold")
    text.append(_end(down), style="not bold")
    text.append(("*" if card["star"] else "") + mark)
    return text


def _end(end: Mapping[str, int]) -> str:
    """Return the Pyramids and Aliens of an end in short, such as `2AA`."""
    return f"{end['pyramids']}" + "A" * end["aliens"]


def _player(view: View, seat: int, names: Sequence[str]) -> RenderableType:
    """Draw a player's Fleet."""
    player = view["players"][seat]
    due = seat in view["acting"]
    text = ngettext("{seat}: {score} point", "{seat}: {score} points", player["score"])
    if not player["score_is_whole"]:
        text = ngettext("{seat}: {score} point + Stars", "{seat}: {score} points + Stars", player["score"])
    who = text.format(seat=names[seat], score=player["score"])
    title = Text(f"{'>' if due else ' '} {who}", style="bold" if due else "")
    rows: list[RenderableType] = [title]
    for level in (3, 2, 1, 0):
        line = Text(" " * (CELL // 2 * level))
        for place in player["fleet"]:
            if place["level"] == level:
                line.append(_space(place))
        rows.append(line)
    zone = player["zone"]
    if zone:
        text = ngettext(
            "zone {cards} {colour}, {pyramids} Pyramid", "zone {cards} {colour}, {pyramids} Pyramids", zone["pyramids"]
        )
        colour = WORDS[zone["colour"]]
        rows.append(Text(text.format(cards=zone["cards"], colour=_(colour), pyramids=zone["pyramids"])))
    else:
        rows.append(Text(_("no zone")))
    leads = player["leads_aliens"]
    text = _("Aliens {aliens} (most), Star cards {stars}") if leads else _("Aliens {aliens}, Star cards {stars}")
    rows.append(Text(text.format(aliens=player["aliens"], stars=_stars(player))))
    return Group(*rows)


def _space(place: Mapping[str, Any]) -> Text:
    """Return a space of a Fleet, CELL wide: its card, or its name if a card may be placed there."""
    if place["card"] is None:
        is_open = place["open"]
        return Text(f"{place['space'] if is_open else '.':^{CELL}}", style="" if is_open else "dim")
    mark = ("=" if place["in_zone"] else "") + ("~" if place["may_turn"] else "")
    text = _lying(place["card"], place["up"], place["down"], mark)
    text.append(" " * max(1, CELL - text.cell_len))
    return text


def _stars(player: Mapping[str, Any]) -> str:
    """Return a player's Star cards, or only their number if they are hidden."""
    if not player["star_cards"]:
        return str(player["stars"])
    return _("{count} ({cards})").format(
        count=player["stars"], cards=_(", ").join(_end(star) for star in player["star_cards"])
    )


def _outcome(view: View, names: Sequence[str]) -> Table:
    """Draw the scoring at the end."""
    outcome = view["outcome"]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("Player"))
    for title in (_("Pyramids"), _("Largest zone"), _("Aliens"), _("Total")):
        table.add_column(title, justify="right")
    for row in outcome["table"]:
        style = "bold" if row["seat"] in outcome["winners"] else ""
        cells = (row["pyramids"], row["zone"], row["alien_points"], row["total"])
        table.add_row(Text(names[int(row["seat"])]), *map(str, cells), style=style)
    return table
