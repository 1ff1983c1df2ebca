"""Terminal drawing for both games, made from the view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.translation import _, marked, ngettext

View = Mapping[str, Any]

PHASES = {
    ("upside-down", "pregame"): (
        marked("Bid priority for a place."),
        marked("The highest bid stands on A, the next on B, and so on down to J; everybody pays the bid."),
    ),
    ("upside-down", "claim"): (
        marked("Ask for tickets, and challenge somebody one layer above."),
        marked(
            "4 players can get 1 ticket, 3 can get 2, 2 can get 3, and one can get 4, by priority. The rest get none, "
            "and their priority is taken from that of those who get their number."
        ),
    ),
    ("upside-down", "battle"): (
        marked("Choose the tickets to fight with."),
        marked("The most tickets in a battle win, among equals the higher priority. Only the winner pays."),
    ),
    ("upside-down", "giving"): (
        marked("Tokens of life are given away."),
        marked("Who has more than one gives the rest to players who have none."),
    ),
    ("downside-up", "bid"): (
        marked("Bid garnets for a place."),
        marked("The highest bid stands on A, the next on B, and so on down to J; everybody pays the bid."),
    ),
    ("downside-up", "claim"): (
        marked("Claim tickets, and challenge one of the two spaces above."),
        marked(
            "4 players can get 1 ticket, 3 can get 2, 2 can get 3, and one can get 4: those in higher layers first, "
            "then by priority. The rest get none."
        ),
    ),
    ("downside-up", "battle"): (
        marked("Choose the tickets to attack and to defend with."),
        marked("An attack that is more than the defence takes the space and is paid; otherwise the defence is paid."),
    ),
}
"""What is to be done in each phase of a game, and what follows from it."""
ONLY_TOP_PAYS = marked("The highest bid stands on A, the next on B, and so on down to J; those on A to D pay the bid.")
PARTS = {
    "bid": marked("bid"),
    "ask": marked("ask"),
    "claim": marked("claim"),
    "challenge": marked("challenge"),
    "tickets": marked("tickets"),
    "attack": marked("attack"),
    "defend": marked("defend"),
}
NARROWEST = 52
"""The columns of the players beside the small pyramid: enough for a name, a space and a challenge."""


def draw(view: View, names: Sequence[str], compact: bool = False) -> RenderableType:
    """Return the drawing of a table for the terminal, as the seat of the view sees it.

    A `compact` one has a small pyramid beside the players; challenges stand beside those who make them.
    """
    parts: list[RenderableType] = [headline(view)]
    if compact:
        beside = Table.grid(padding=(0, 2, 0, 0))
        beside.add_column(min_width=NARROWEST)
        beside.add_column(no_wrap=True)
        beside.add_row(players(view, names, compact=True), small_pyramid(view))
        parts.append(beside)
    else:
        parts += [pyramid(view, names), players(view, names, compact=False)]
    if view["challenges"] and not compact:
        parts.append(challenges(view, names))
    if view["you"]:
        parts.append(submission(view, names))
    if view["outcome"]:
        parts.append(outcome(view, names))
    return Group(*parts)


def short(view: View, action: str, names: Sequence[str]) -> str | None:
    """Return the text of a challenge with the player and the space; None of other actions."""
    match action.split():
        case ["challenge", target]:
            by = "seat" if target.isdecimal() else "space"
            wanted = int(target) if by == "seat" else target.upper()
            place = next(space for space in view["spaces"] if space[by] == wanted)
            text = _("Challenge {name} on {space}")
            return text.format(name=names[place["seat"]], space=place["space"])
        case _other:
            return None


def headline(view: View) -> Text:
    """Return the first lines of the drawing: round, phase, rule, and what follows from what is chosen now."""
    if view["phase"] == "over":
        return Text(_("The game is over."), style="bold")
    about, follows = PHASES[view["game"], view["phase"]]
    if not view.get("all_pay", True) and view["phase"] == "bid":
        follows = ONLY_TOP_PAYS
    text = _(about)
    if view["round"]:
        text = _("Round {round} of {rounds}: {about}").format(round=view["round"], rounds=view["rounds"], about=text)
    return Text.assemble((text, "bold"), f" ({view['phase_rule']})\n", _(follows))


def pyramid(view: View, names: Sequence[str]) -> Text:
    """Return the drawing of the pyramid, with the player's name on each space."""
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


def small_pyramid(view: View) -> Text:
    """Return the pyramid with players' numbers, and below it the viewer's own holdings."""
    lines = Text(_("Space, player"))
    lines.append("\n")
    width = len(f"A{view['seats']}")
    standing = {space["space"]: space["seat"] for space in view["spaces"]}
    longest = max(len(row) for row in view["layers"]) * (width + 1)
    for row in view["layers"]:
        lines.append(" " * ((longest - len(row) * (width + 1)) // 2))
        for space in row:
            seat = standing[space]
            label = f"{space}{seat + 1 if seat is not None else '-'}"
            own = seat is not None and seat == view["seat"]
            lines.append(label.ljust(width), style="bold reverse" if own else "").append(" ")
        lines.append("\n")
    if view["seat"] is not None:
        own = view["players"][view["seat"]]
        for title, key in _holdings():
            lines.append(f"\n{title}: {own[key]}")
    return lines


def _holdings() -> list[tuple[str, str]]:
    """Return the titles of what players hold, with its names in the view."""
    return [(_("Tickets"), "tickets"), (_("Garnets"), "garnets"), (_("Priority"), "priority")]


def _others_known(view: View, key: str) -> bool:
    """Return whether the viewer knows how much of something another player has."""
    return any(player[key] is not None for player in view["players"] if player["seat"] != view["seat"])


def players(view: View, names: Sequence[str], *, compact: bool) -> Table:
    """Return a table of the players' holdings, as far as the viewer knows them.

    A `compact` one leaves out what the viewer knows of nobody else.
    """
    holdings = [(title, key) for title, key in _holdings() if not compact or _others_known(view, key)]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    challenged = dict[int, str]()
    if compact:
        table.box, table.padding = None, (0, 1, 0, 0)
        challenged = {entry["seat"]: _challenge(entry, names) for entry in view["challenges"]}
    table.add_column("")
    table.add_column(_("Player"))
    table.add_column(_("Space"))
    for title, _key in holdings:
        table.add_column(title, justify="right")
    table.add_column("")
    for player in view["players"]:
        seat = int(player["seat"])
        name = names[seat] + (" " + _("(you)") if seat == view["seat"] and _("(you)") not in names[seat] else "")
        numbers = ["?" if player[key] is None else str(player[key]) for _title, key in holdings]
        notes = [
            challenged.get(seat, ""),
            _("confirmed") if player["confirmed"] else "",
            _("safe, challenged last round") if player.get("protected") else "",
            ngettext("{count} ToL", "{count} ToL", player["tol"]).format(count=player["tol"]) if player["tol"] else "",
            _("EC") if player["ec"] else "",
        ]
        due = seat in view["acting"]
        table.add_row(
            f"{'>' if due else ' '} {seat + 1}",
            Text(name, no_wrap=compact, overflow="ellipsis"),
            player["space"] or "-",
            *numbers,
            _(", ").join(note for note in notes if note),
            style="bold" if seat == view["seat"] else "",
        )
    return table


def _challenge(challenge: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what stands beside a player who challenges."""
    text = _("challenged {name}, void") if challenge.get("void") else _("challenges {name}")
    return text.format(name=names[challenge["target"]])


def challenges(view: View, names: Sequence[str]) -> Text:
    """Return sentences on the challenges of this round, one per line."""
    lines = Text()
    for challenge in view["challenges"]:
        seat, other = names[challenge["seat"]], names[challenge["target"]]
        if "space" in challenge:
            text = _("{seat} challenges {space}, where {other} stands.")
            lines.append(text.format(seat=seat, space=challenge["space"], other=other))
        elif challenge.get("void"):
            text = _("{seat} challenges {other}: void, {because} challenges {seat}.")
            lines.append(text.format(seat=seat, other=other, because=names[challenge["because"]]), style="dim")
        else:
            lines.append(_("{seat} challenges {other}.").format(seat=seat, other=other))
        lines.append("\n")
    return lines


def submission(view: View, names: Sequence[str]) -> Text:
    """Return a line on the viewer's submission, with defaults for missing parts."""
    you = view["you"]
    if not you["asked"]:
        return Text(_("You have nothing to do in this phase."))
    line = Text(_("Your submission:") + " ", style="bold")
    for part in you["parts"]:
        what, value = PARTS[part["part"]], part["saved"]
        if value is None:
            default = _("drawn at random") if part["default"] is None else str(part["default"])
            text = _("{part}: {default} unless you choose.").format(part=_(what), default=default)
        else:
            # Upside Down challenges name a seat, Downside Up challenges name a space.
            named = part["part"] == "challenge" and isinstance(value, int)
            text = _("{part} {value}.").format(part=_(what), value=names[value] if named else value)
        line.append(text[:1].upper() + text[1:] + " ", style="not bold")
    line.append(
        _("Confirmed.") if you["confirmed"] else _("Not confirmed yet."), style="bold green" if you["confirmed"] else ""
    )
    return line


def outcome(view: View, names: Sequence[str]) -> Text:
    """Return a sentence on what the winners get, and who is the elimination candidate."""
    text = _("The winners hold tokens of life; {ec} is the elimination candidate (EC).")
    return Text(text.format(ec=names[view["outcome"]["ec"]]), style="bold")
