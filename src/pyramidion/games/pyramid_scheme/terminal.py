"""Terminal drawing of a Pyramid Scheme table, made from the view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from pyramidion.games.pyramid_scheme.layout import HOLDER_NAMES
from pyramidion.games.pyramid_scheme.texts import COLOUR_WORDS, card_name, reset_tokens, reward_words
from pyramidion.translation import _, listed, marked, ngettext

View = Mapping[str, Any]

STYLES = {"green": "green", "blue": "blue", "pink": "magenta", "yellow": "yellow"}
MARKS = {"green": "●", "blue": "■", "pink": "▲", "yellow": "◆"}
PHASES = {
    "act": marked("take or place"),
    "flip": marked("flipping"),
    "reward": marked("using a reward"),
    "police": marked("placing Police"),
    "over": marked("over"),
}


def draw(view: View, names: Sequence[str], compact: bool = False) -> RenderableType:
    """Return the drawing of a table for the terminal, as the seat of the view sees it.

    In a `compact` one claimed goals and other players' pyramids are left out, and the own pyramid is a line: in
    brackets what is below a card, with the room that is left there after `+`, and `*` for a smart-ass. At the end it is
    only the goals and what is held.
    """
    parts: list[RenderableType] = [_headline(view, names), _market(view), _goals(view, names, compact=compact)]
    parts += [_player(view, player, names, compact=compact) for player in view["players"]]
    if compact and view["outcome"]:
        return Group(_goals(view, names, compact=False), *parts[3:])
    if view["outcome"]:
        winners = listed([names[int(seat)] for seat in view["outcome"]["winners"]])
        text = _("Won by {names} ({rule})").format(names=winners, rule=view["outcome"]["rule"])
        parts.append(Text(text, style="bold"))
    if compact:
        parts.append(Text(_("Your pyramid: in brackets what is below a card, + room left, * smart-ass.")))
    return Group(*parts)


def short(view: View, action: str, names: Sequence[str]) -> str | None:
    """Return the text of an action that names cards or goals, for a small screen; None of other actions."""
    seen = [*view["market"], *(card for player in view["players"] for card in (*player["hand"], *player["pyramid"]))]
    cards = {card["card"]: _brief(card) for card in seen}
    match action.split():
        case ["place", card, below]:
            return _("Place {0} below {1}").format(cards[card], cards[below])
        case ["reserve", goal]:
            return next(entry["words"] for entry in view["goals"] if entry["goal"] == goal)
        case _other:
            return None


def _headline(view: View, names: Sequence[str]) -> Text:
    """Draw the line that says what happens now."""
    turn = names[int(view["turn"])]
    phase = PHASES[view["phase"]]
    text = _("Turn {turn}, {seat}: {phase} ({rule})").format(
        turn=view["turn_number"], seat=turn, phase=_(phase), rule=view["phase_rule"]
    )
    line = Text(text, style="bold")
    if view["phase"] == "act":
        line.append("   " + _("actions left: {count}").format(count=view["actions_left"]), style="not bold")
    if reward := view["reward"]:
        text = _("reward: {reward} ({rule})").format(reward=reward_words(reward["reward"]), rule=reward["rule"])
        line.append("   " + text, style="not bold")
    return line


def _market(view: View) -> Text:
    """Draw the Victims in the market."""
    line = Text(_("Market") + "   ")
    for card in view["market"]:
        line.append(_card(card)).append("   ")
    if view["deck_top"]:
        line.append(_("top of deck") + " ").append(_card(view["deck_top"]))
    text = _("Deck {deck}, discarded {discarded}, tokens {tokens}, Police {police}")
    counts = {"deck": view["deck_count"], "discarded": len(view["discard"]), "tokens": view["supply"]}
    return line.append("\n" + text.format(**counts, police=view["police_left"]))


def _goals(view: View, names: Sequence[str], *, compact: bool) -> Table:
    """Draw the goals, and who has claimed them."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(_("Goal"))
    for name in names[: view["seats"]]:
        table.add_column(Text(name), justify="right")
    table.add_column("")
    for column in table.columns:
        column.no_wrap, column.overflow = compact, "ellipsis"
    for goal in view["goals"]:
        note = ""
        if compact and goal["claimed"] is not None:
            continue
        if goal["claimed"] is not None:
            note = _("claimed by {seat}").format(seat=names[int(goal["claimed"])])
        elif goal["reserved"] is not None:
            holder = int(goal["reserved"])
            lost = view["players"][holder]["out"]
            note = _("nobody can claim it: {seat} is out") if lost else _("reserved for {seat}")
            note = note.format(seat=names[holder])
        counts = [f"{n}/{goal['need']}" for n in goal["progress"]]
        table.add_row(
            goal["words"], *counts, Text(note), style="" if goal["claimed"] is None or view["outcome"] else "dim"
        )
    return table


def _player(view: View, player: Mapping[str, Any], names: Sequence[str], *, compact: bool) -> RenderableType:
    """Draw what a player holds, and the pyramid."""
    seat = int(player["seat"])
    title = Text(f"{'>' if seat in view['acting'] else ' '} {names[seat]}", style="bold")
    if player["out"]:
        return title.append("   " + _("out"), style="red")
    smart = ngettext("{count} smart-ass", "{count} smart-asses", player["smart"]).format(count=player["smart"])
    text = _(", ").join((reset_tokens(player["tokens"]), smart))
    title.append(f"   {text}   " + _("hand") + " ", style="not bold")
    for card in player["hand"]:
        # The market and the own hand are what a decision needs whole.
        whole = not compact or seat == view["seat"]
        title.append(_card(card) if whole else _brief(card)).append("  ")
    if player["hidden"]:
        title.append(_("{count} hidden").format(count=player["hidden"]) + " ", style="not bold")
    text = _("({count} of {limit})").format(count=player["hand_count"], limit=player["hand_limit"])
    title.append(text, style="not bold")
    if compact:
        return Group(title, *([_line(player["pyramid"])] if seat == view["seat"] else []))
    branches: dict[str, Tree] = {}
    root: Tree | None = None
    for card in player["pyramid"]:
        line = _card(card)
        if card["flipped"]:
            line.append(" " + _("smart"), style="reverse")
        if card["limit"]:
            text = _("room {room} of {limit}").format(room=card["room"], limit=card["limit"])
            line.append("  " + text, style="dim")
        if card["may_flip"]:
            line.append("  " + _("may flip"), style="bold")
        branch = branches[card["below"]].add(line) if card["below"] else Tree(line)
        root = root or branch
        branches[card["card"]] = branch
    return Group(title, root or Text(""))


def _line(pyramid: Sequence[Mapping[str, Any]]) -> Text:
    """Return a pyramid as one line."""
    below: dict[str, list[Mapping[str, Any]]] = {}
    for card in pyramid[1:]:
        below.setdefault(card["below"], []).append(card)

    def written(card: Mapping[str, Any]) -> str:
        """Return a card as it is written in the terminal."""
        room = f"+{card['room']}" if card["room"] else ""
        inner = " ".join(map(written, below.get(card["card"], [])))
        return _brief(card) + "*" * bool(card["flipped"]) + room + (f" ({inner})" if inner else "")

    return Text(" ".join(written(card) for card in pyramid[:1]))


def _brief(card: Mapping[str, Any]) -> str:
    """Return a card in short, such as `●1a`."""
    if card["kind"] == "police":
        return "P" + card["card"].partition("-")[2]
    if card["kind"] == "founder":
        return card_name(HOLDER_NAMES.index(card["card"]))
    return f"{MARKS[card['colour']]}{card['number']}{card['card'][-1]}"


def _card(card: Mapping[str, Any]) -> Text:
    """Draw a card in short."""
    name = card_name(HOLDER_NAMES.index(card["card"]))
    if card["kind"] == "founder":
        return Text(_("Founder 12"), style="bold")
    if card["kind"] == "police":
        return Text(f"{name} 3", style="bold")
    line = Text(f"{MARKS[card['colour']]}{card['number']} {name}", style=f"bold {STYLES[card['colour']]}")
    wants = _(", ").join(_want(want) for want in card["wants"])
    given = f": {reward_words(card['reward'])}" if card["reward"] else ""
    line.append(f" [{wants}{given}]", style="not bold dim")
    return line


def _want(want: int | str) -> str:
    """Return what a card wants below it, in words."""
    if want == "any":
        return _("any")
    return _(COLOUR_WORDS[want]) if isinstance(want, str) else str(want)
