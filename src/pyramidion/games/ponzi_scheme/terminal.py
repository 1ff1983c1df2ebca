"""Terminal drawing of a Ponzi Scheme table, made from the view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.games.ponzi_scheme.view import INDUSTRY_WORDS
from pyramidion.translation import _, marked

View = Mapping[str, Any]

INDUSTRIES = {
    "transportation": marked("Transp."),
    "grain": marked("Grain"),
    "media": marked("Media"),
    "real-estate": marked("Estate"),
}
PHASES = {
    "funding": marked("funding"),
    "trading": marked("clandestine trading"),
    "amount": marked("filling the envelope"),
    "answer": marked("answering the envelope"),
    "marker": marked("passing the marker"),
    "crash": marked("giving tiles back"),
    "over": marked("the game is over"),
}
ANSWERS = {
    "sell": marked("Sell: take ${price} and give a tile of {industry}"),
    "counter": marked("Counter: pay ${price} and take a tile of {industry}"),
}
ROWS = (marked("row 1 (1st tile)"), marked("row 2 (2nd tile)"), marked("row 3 (3rd tile)"))


def draw(view: View, names: Sequence[str], compact: bool = False) -> RenderableType:
    """Return the drawing of a table for the terminal, as the seat of the view sees it.

    In a `compact` one a wheel is only the interest that is due on each space, beside the player's tiles, and of the
    luxuries those for sale are shown; at the end it is only the scoring and the players.
    """
    if compact and view["outcome"]:
        return Group(_outcome(view, names), _summary(view, names))
    parts: list[RenderableType] = [_headline(view, names), *_trading(view), _market(view)]
    if luxuries := [luxury for luxury in view["luxuries"] if not compact or luxury["owner"] is None]:
        parts.append(_luxuries(luxuries, names))
    parts += [_summary(view, names)] if compact else [_players(view, names), _wheels(view, names)]
    if view["seat"] is not None and not view["outcome"]:
        parts += _forecast(view)
    if view["envelope"]:
        parts.append(_envelope(view, names))
    if view["outcome"]:
        parts.append(_outcome(view, names))
    return Group(*parts)


def short(view: View, action: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the text of a fund or an offer for a small screen; None of other actions."""
    match action.split():
        case ["fund", industry, value]:
            return _("Take {industry} and").format(industry=_(INDUSTRIES[industry])), _money(int(value))
        case ["offer", seat, industry]:
            return _("Envelope to {seat} for one:").format(seat=names[int(seat)]), _(INDUSTRIES[industry])
        case _other:
            return None


def choice(view: View, action: str, names: Sequence[str]) -> str | None:
    """Return the text of an answer to an envelope, with its price and its tile; None of other actions."""
    envelope = view["envelope"]
    if action not in ANSWERS or not envelope or envelope["price"] is None:
        return None
    industry = INDUSTRY_WORDS[envelope["industry"]]
    return _(ANSWERS[action]).format(price=envelope["price"], industry=_(industry))


def _trading(view: View) -> list[RenderableType]:
    """Return a line on what an envelope does, or on why the seat to act cannot send or counter one; perhaps none."""
    me = None if view["seat"] not in view["acting"] else view["players"][view["seat"]]
    if me is None:
        return []
    others = [player for player in view["players"] if player is not me and not player["bankrupt"]]
    shared = any(me["tiles"][industry] and other["tiles"][industry] for other in others for industry in INDUSTRIES)
    envelope = view["envelope"]
    if view["phase"] == "trading" and not shared:
        return [Text(_("You can send no envelope: nobody has a tile of an industry that you have."))]
    if view["phase"] in ("trading", "amount"):
        return [Text(_("The receiver sells you a tile for the money, or matches it and takes yours."))]
    if view["phase"] == "answer" and envelope["price"] is not None and me["cash"] < envelope["price"]:
        text = _("You can only sell: to counter you would pay ${price}, and you have ${cash}.")
        return [Text(text.format(price=envelope["price"], cash=me["cash"]))]
    return []


def _headline(view: View, names: Sequence[str]) -> Text:
    """Draw the line that says what happens now."""
    phase = PHASES[view["phase"]]
    text = _("Round {round} of at most {most}, {phase} ({rule})").format(
        round=view["round"],
        most=view["round_limit"],
        phase=_(phase),
        rule=view["phase_rule"],
    )
    line = Text(text, style="bold")
    line.append("   " + _("start marker: {seat}").format(seat=names[view["start"]]), style="not bold")
    if view["crashed"]:
        line.append("   " + _("the market crashed this round"), style="bold red")
    return line


def _market(view: View) -> RenderableType:
    """Draw the fund cards in the market."""
    bears = _("bears {there} of {needed} for a crash").format(
        there=view["bears_in_market"], needed=view["bears_needed"]
    )
    deck, discarded = _("deck {count}").format(count=view["deck_count"]), len(view["discard"])
    title = Text("   ".join((_("Market"), bears, deck, _("discarded {count}").format(count=discarded))))
    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for row, name in enumerate(ROWS, 1):
        table.add_row(f" {_(name)}", *(_fund(card) for card in view["market"] if card["row"] == row))
    supply = _(", ").join(f"{_(INDUSTRIES[name])} {count}" for name, count in view["supply"].items())
    return Group(title, table, Text(_("Supply: {tiles}").format(tiles=supply)))


def legend() -> str:
    """Return what the codes in the drawing mean."""
    return _("$80: 144 in 3 = take $80 now, owe $144 every third turn of the wheel")


def _money(amount: int) -> str:
    """Return an amount of money as text."""
    return _("${value}").format(value=amount)


def _fund(card: Mapping[str, Any]) -> Text:
    """Draw a fund card: number, money, interest and time."""
    cell = Text(_money(card["value"]), style="bold red" if card["kind"] == "bear" else "bold")
    text = _(": {interest} in {period}").format(interest=card["interest"], period=card["period"])
    cell.append(text, style="not bold")
    if card["kind"] == "bear":
        cell.append(" " + _("BEAR"), style="red")
    return cell


def _luxuries(luxuries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Text:
    """Draw the luxuries with their owners."""
    line = Text(_("Luxuries") + "   ")
    for luxury in luxuries:
        owner = _("for sale") if luxury["owner"] is None else names[luxury["owner"]]
        text = _("${price} for {points} ({owner})").format(price=luxury["price"], points=luxury["points"], owner=owner)
        line.append(text + "   ")
    line.rstrip()
    return line


def _players(view: View, names: Sequence[str]) -> Table:
    """Draw a table of the players' cash and tiles."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column(_("Player"))
    table.add_column(_("Cash"), justify="right")
    for short in INDUSTRIES.values():
        table.add_column(_(short), justify="right")
    table.add_column(_("Tile pts"), justify="right")
    if view["advanced"]:
        table.add_column(_("Luxury"), justify="right")
    for player in view["players"]:
        seat = int(player["seat"])
        name = Text(names[seat])
        if seat == view["seat"] and _("(you)") not in names[seat]:
            name.append(" " + _("(you)"))
        if player["bankrupt"]:
            name.append(" " + _("bankrupt"), style="bold red")
        due = seat in view["acting"]
        cash = _("hidden") if player["cash"] is None else _money(player["cash"])
        counts = [str(player["tiles"][industry]) for industry in INDUSTRIES]
        points = [str(player["tile_points"])] + ([str(player["luxury_points"])] if view["advanced"] else [])
        table.add_row(f"{'>' if due else ' '} {seat + 1}", name, cash, *counts, *points, style="bold" if due else "")
    return table


def _summary(view: View, names: Sequence[str]) -> Table:
    """Return a line for each player: cash, tiles by the first letter of the industry, and the interest by space."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("")
    table.add_column(_("Player"), no_wrap=True, overflow="ellipsis")
    titles = [_("Cash"), *(_(short)[0] for short in INDUSTRIES.values()), _("Tile pts")]
    spaces = _spaces(view)
    for title in [*titles, *([_("Luxury")] if view["advanced"] else []), *map(_space_name, spaces)]:
        table.add_column(title, justify="right", no_wrap=True)
    for player in view["players"]:
        seat, due = int(player["seat"]), player["seat"] in view["acting"]
        cash = _("hidden") if player["cash"] is None else _money(player["cash"])
        if player["bankrupt"]:
            cash = _("bankrupt")
        counts = [str(player["tiles"][industry]) for industry in INDUSTRIES]
        points = [str(player["tile_points"])] + ([str(player["luxury_points"])] if view["advanced"] else [])
        sums = [sum(card["interest"] for card in player["wheel"] if card["space"] == space) for space in spaces]
        dues = [_money(amount) if amount else "-" for amount in sums]
        name = Text(names[seat])
        table.add_row(
            f"{'>' if due else ' '}{seat + 1}", name, cash, *counts, *points, *dues, style="bold" if due else ""
        )
    return table


def _spaces(view: View) -> range:
    """Return the spaces of the wheels that are shown: that at the arrow only between rounds, when cards are there."""
    at_arrow = any(card["space"] == 0 for player in view["players"] for card in player["wheel"])
    return range(0 if at_arrow else 1, 6)


def _space_name(space: int) -> str:
    """Return in how many turns a space of the interest wheel is due, in words."""
    if space == 1:
        return _("due in 1")
    return _("now") if space == 0 else _("in {turns}").format(turns=space)


def _wheels(view: View, names: Sequence[str]) -> RenderableType:
    """Draw which interest every player has to pay, and when."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("Player"))
    spaces = _spaces(view)
    for space in spaces:
        table.add_column(_space_name(space))
    for player in view["players"]:
        cells: list[str] = []
        for space in spaces:
            cards = [card for card in player["wheel"] if card["space"] == space]
            cells.append(
                "\n".join(
                    _("${value}: {interest}").format(value=card["value"], interest=card["interest"]) for card in cards
                )
                or "-"
            )
        table.add_row(Text(names[int(player["seat"])]), *cells)
    about = Text(_("Wheels: each fund and the interest it owes, by the turns until that is due"))
    return Group(about, table)


def _forecast(view: View) -> list[RenderableType]:
    """Return lines on the interest that the viewer owes in the next turns, and on what one more tile would add.

    In a round in which the market has crashed, the next turn of the wheel is certain to be that of a crash.
    """
    me = next(player for player in view["players"] if player["seat"] == view["seat"])
    lines: list[RenderableType] = []
    crash = _dues(me["forecast"], "due_if_crash")
    if crash and view["crashed"]:
        lines.append(Text(_("You will pay, repeated funds included: {dues}.").format(dues=crash)))
    elif crash:
        text = _("You will pay, repeated funds included: {dues}; if the next turn is a crash, {crash}.")
        lines.append(Text(text.format(dues=_dues(me["forecast"], "due"), crash=crash)))
    if me["short_if_crash"] if view["crashed"] else me["short"]:
        lines.append(Text(_("Your cash does not cover the next turn of the wheel."), style="bold red"))
    elif me["short_if_crash"]:
        warning = _("Your cash does not cover the next turn of the wheel if the market crashes.")
        lines.append(Text(warning, style="red"))
    if view["phase"] in ("funding", "trading", "amount", "answer") and me["adds"]:
        adds = _(", ").join(f"{_(INDUSTRIES[name])} +{points}" for name, points in me["adds"].items())
        lines.append(Text(_("One more tile would add: {points}.").format(points=adds), style="dim"))
    return lines


def _dues(forecast: Sequence[Mapping[str, Any]], key: str) -> str:
    """Return the interest of those of the next turns in which any is due, with the turns."""
    text = _("{money} in {turns}")
    dues = [text.format(money=_money(turn[key]), turns=turn["turn"]) for turn in forecast if turn[key]]
    return _(", ").join(dues)


def _envelope(view: View, names: Sequence[str]) -> Text:
    """Draw the envelope that is on the table."""
    envelope = view["envelope"]
    if envelope["stage"] == "amount":
        text = _("Envelope: {seat} offers {to} an amount not yet chosen for one tile of {industry}.")
    elif envelope["price"] is None:
        text = _("Envelope: {seat} offers {to} an unknown amount for one tile of {industry}.")
    else:
        text = _("Envelope: {seat} offers {to} ${price} for one tile of {industry}.")
    seat, to = names[envelope["from"]], names[envelope["to"]]
    industry = INDUSTRY_WORDS[envelope["industry"]]
    return Text(text.format(seat=seat, to=to, price=envelope["price"], industry=_(industry)), style="bold")


def _outcome(view: View, names: Sequence[str]) -> Table:
    """Draw the scoring at the end."""
    outcome = view["outcome"]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("Player"))
    bonus = _("Luxury") if view["advanced"] else _("Wealth")
    for title in (_("Cash"), _("Tiles"), bonus, _("Points"), _("Highest card")):
        table.add_column(title, justify="right")
    for row in outcome["table"]:
        scored = (
            [_("bankrupt")] * 3
            if row["bankrupt"]
            else [str(row["tiles"]), str(row["luxuries"] if view["advanced"] else row["wealth"]), str(row["total"])]
        )
        highest = "-" if row["highest_card"] is None else _money(row["highest_card"])
        winner = row["seat"] in outcome["winners"]
        table.add_row(
            Text(names[int(row["seat"])]), _money(row["cash"]), *scored, highest, style="bold" if winner else ""
        )
    return table
