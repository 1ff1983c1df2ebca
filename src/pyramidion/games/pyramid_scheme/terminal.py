"""Terminal drawing of a Pyramid Scheme table, made from the view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from pyramidion.games.pyramid_scheme.layout import POLICE_NUMBER, VICTIM_NAMES
from pyramidion.games.pyramid_scheme.texts import COLOUR_WORDS, LABELS, card_words, reset_tokens, reward_words
from pyramidion.names import shortened
from pyramidion.translation import _, marked, ngettext

View = Mapping[str, Any]

STYLES = {"green": "green", "blue": "blue", "pink": "magenta", "yellow": "yellow"}
PHASES = {
    "act": marked("take or place"),
    "flip": marked("flipping"),
    "reward": marked("using a reward"),
    "police": marked("placing Police"),
    "over": marked("over"),
}
LONGEST_NAME = 9
"""How many characters of a name head a column of goals."""


class _Flow:
    """Texts side by side, as many to a line as fit, so that lines break between them where they can."""

    def __init__(self, texts: Sequence[Text], gap: str = "  ") -> None:
        self._texts, self._gap = texts, gap

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        line = Text()
        for text in self._texts:
            if line and line.cell_len + len(self._gap) + text.cell_len > options.max_width:
                yield line
                line = Text()
            line.append(self._gap if line else "").append(text)
        yield line


def draw(view: View, names: Sequence[str], compact: bool = False, tight: bool = False) -> RenderableType:
    """Return the drawing of a table for the terminal, as the seat of the view sees it.

    In a `compact` one what the own seat has is in rows with labels, and claimed goals, the counts of the supply and
    other players' pyramids are left out, in a `tight` one also what the others hold. At the end it is only the goals
    and what is held.
    """
    goals = _goals(view, names, compact=compact and not view["outcome"])
    if compact and view["outcome"]:
        return Group(goals, *(_holding(view, player, names) for player in view["players"]))
    if compact:
        others = [] if tight else [player for player in view["players"] if player["seat"] != view["seat"]]
        holding = (_holding(view, player, names) for player in others)
        return Group(_headline(view, names), goals, *holding, _rows(view, names))
    return Group(
        _headline(view, names), _market(view), goals, *(_player(view, player, names) for player in view["players"])
    )


def choice(view: View, action: str, names: Sequence[str]) -> str | None:
    """Return the text of an action with cards, each called as in the drawing; None of other actions."""
    family, *things = action.split()
    called = _called(view)
    if not things or family not in LABELS or not all(thing in called for thing in things):
        return None
    label = LABELS[family]
    text = _(label).format(*(called[thing] for thing in things))
    reward = next((card["reward"] for card in _own_pyramid(view) if card["card"] == things[0]), None)
    return f"{text}: {reward_words(reward)}" if family == "flip" and reward else text


def _own_pyramid(view: View) -> Sequence[Mapping[str, Any]]:
    """Return the cards of the viewer's pyramid; none for a spectator."""
    return [] if view["seat"] is None else view["players"][view["seat"]]["pyramid"]


def short(view: View, action: str, names: Sequence[str]) -> str | tuple[str, str] | None:
    """Return the text of an action that names cards or goals, for a small screen; None of other actions."""
    called = _called(view)
    match action.split():
        case ["take", card]:
            return _("Take"), called[card]
        case ["place", card, below]:
            return _("Place {card} below").format(card=called[card]), called[below]
        case ["reserve", goal]:
            return next(entry["words"] for entry in view["goals"] if entry["goal"] == goal)
        case _other:
            return None


def _headline(view: View, names: Sequence[str]) -> Text:
    """Draw the line that says what happens now."""
    turn = names[int(view["turn"])]
    acts = view["phase"] == "act" and view["actions_left"] > 0
    phase = PHASES[view["phase"]] if acts or view["phase"] != "act" else marked("both actions done")
    text = _("Turn {turn}, {seat}: {phase} ({rule})").format(
        turn=view["turn_number"], seat=turn, phase=_(phase), rule=view["phase_rule"]
    )
    line = Text(text, style="bold")
    if acts:
        line.append("   " + _("actions left: {count}").format(count=view["actions_left"]), style="not bold")
    if reward := view["reward"]:
        text = _("reward: {reward} ({rule})").format(reward=reward_words(reward["reward"]), rule=reward["rule"])
        line.append("   " + text, style="not bold")
    if view["phase"] == "police":
        text = _(
            "A Police counts {number}, and nothing may be placed below it. A pyramid in which it fits nowhere crumbles."
        )
        line.append("\n" + text.format(number=POLICE_NUMBER), style="not bold")
    return line


def _market(view: View) -> RenderableType:
    """Draw the Victims in the market."""
    grid = _grid()
    grid.add_row(_("Market"), _cards(view))
    text = _("Deck {deck}, discarded {discarded}, tokens {tokens}, Police {police}")
    counts = {"deck": view["deck_count"], "discarded": len(view["discard"]), "tokens": view["supply"]}
    return Group(grid, Text(text.format(**counts, police=view["police_left"])))


def _cards(view: View) -> _Flow:
    """Draw the Victims in the market and on the deck side by side."""
    called = _called(view)
    cards = [_card(card, called) for card in view["market"]]
    if view["deck_top"]:
        cards.append(Text(_("top of deck") + " ").append(_card(view["deck_top"], called)))
    return _Flow(cards)


def legend() -> str:
    """Return what the codes in the drawing mean."""
    return _(
        "pink 3 (b) [2, pink: hand +1]: a Victim with the letter b, which a 2 and a pink one directly below it flip, "
        "for the reward hand +1. Founder 7 free: the numbers directly below it may add up to 7 more."
    )


def _grid() -> Table:
    """Return a table for rows with labels."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    return grid


def _goals(view: View, names: Sequence[str], *, compact: bool) -> Table:
    """Draw the goals with everybody's progress, and who has claimed or reserved them.

    A `compact` table has short names, a mark for the player who has reserved a goal, and no goal that nobody can claim.
    """
    table = Table(box=None, padding=(0, 2, 0, 0))
    reserved = compact and any(goal["reserved"] is not None for goal in view["goals"])
    table.add_column(_("Goal (R: reserved by that player)") if reserved else _("Goal"))
    for seat, name in enumerate(names[: view["seats"]]):
        head = (_("You") if seat == view["seat"] else shortened(name, LONGEST_NAME)) if compact else name
        table.add_column(Text(head), justify="right", no_wrap=True)
    if not compact:
        table.add_column("")
    for goal in view["goals"]:
        claimed, holder = goal["claimed"], goal["reserved"]
        lost = holder is not None and view["players"][holder]["out"]
        counts = [f"{n}/{goal['need']}" for n in goal["progress"]]
        if compact:
            if claimed is None and not lost:
                cells = [_("R {count}").format(count=n) if seat == holder else n for seat, n in enumerate(counts)]
                table.add_row(goal["words"], *cells)
            continue
        note = ""
        if claimed is not None:
            note = _("claimed by {seat}").format(seat=names[int(claimed)])
        elif holder is not None:
            note = _("nobody can claim it: {seat} is out") if lost else _("reserved for {seat}")
            note = note.format(seat=names[int(holder)])
        table.add_row(goal["words"], *counts, Text(note), style="" if claimed is None or view["outcome"] else "dim")
    return table


def _player(view: View, player: Mapping[str, Any], names: Sequence[str]) -> RenderableType:
    """Draw what a player holds, and the pyramid."""
    title, called = _title(view, player, names), _called(view)
    if player["out"]:
        return title
    cards = [_card(card, called) for card in player["hand"]]
    if player["hidden"]:
        cards.append(Text(_("{count} hidden").format(count=player["hidden"])))
    hand = _grid()
    hand.add_row("  " + _("Hand"), _Flow(cards) if cards else "-")
    branches: dict[str, Tree] = {}
    root: Tree | None = None
    for card in player["pyramid"]:
        line = _card(card, called)
        if card["limit"]:
            text = _("{room} of {limit} free").format(room=card["room"], limit=card["limit"])
            line.append("  " + text, style="dim")
        if card["may_flip"]:
            line.append("  " + _("may flip"), style="bold")
        branch = branches[card["below"]].add(line) if card["below"] else Tree(line)
        root = root or branch
        branches[card["card"]] = branch
    return Group(title, hand, *([Padding(root, (0, 0, 0, 2))] if root else []))


def _title(view: View, player: Mapping[str, Any], names: Sequence[str]) -> Text:
    """Return a player's name and tokens."""
    seat = int(player["seat"])
    title = Text.assemble((f"{'>' if seat in view['acting'] else ' '} {names[seat]}", "bold"))
    if player["out"]:
        return title.append("   " + _("out"), style="red")
    smart = ngettext("{count} smart-ass", "{count} smart-asses", player["smart"]).format(count=player["smart"])
    hand = _("{count} of {limit} in hand").format(count=player["hand_count"], limit=player["hand_limit"])
    return title.append("   " + _(", ").join((reset_tokens(player["tokens"]), smart, hand)))


def _holding(view: View, player: Mapping[str, Any], names: Sequence[str]) -> Text:
    """Return what a player holds, as one line."""
    line, called = _title(view, player, names), _called(view)
    if player["out"]:
        return line
    cards = _(", ").join(called[card["card"]] for card in player["hand"])
    return line.append(f": {cards}" if cards else "")


def _rows(view: View, names: Sequence[str]) -> RenderableType:
    """Draw the market and what the own seat has as rows with labels."""
    grid = _grid()
    me = next((player for player in view["players"] if player["seat"] == view["seat"]), None)
    called = _called(view)
    grid.add_row(_("Market"), _cards(view))
    if me is None or me["out"]:
        return grid
    hand = [_card(card, called) for card in me["hand"]]
    grid.add_row(_("Your hand"), _Flow(hand) if hand else "-")
    first, *others = _levels(me["pyramid"], called)
    grid.add_row(_("Your pyramid"), first)
    for level, cards in enumerate(others, 3):
        grid.add_row("  " + _("level {level}").format(level=level), cards)
    return Group(_title(view, me, names), grid)


def _levels(pyramid: Sequence[Mapping[str, Any]], called: Mapping[str, str]) -> list[RenderableType]:
    """Return a pyramid from level 2 on: on each level the cards with what they want, after the card they are below."""
    below: dict[str, list[Mapping[str, Any]]] = {}
    for card in pyramid[1:]:
        below.setdefault(card["below"], []).append(card)

    def written(card: Mapping[str, Any]) -> Text:
        """Return a card with what it wants and its free places."""
        line = _card(card, called, rewarded=False)
        if card["room"]:
            line.append(" " + ngettext("{count} free", "{count} free", card["room"]).format(count=card["room"]))
        return line

    parents, lines = list(pyramid[:1]), list[RenderableType]()
    while parents := [card for card in parents if card["card"] in below]:
        texts = list[Text]()
        for parent in parents:
            cards = [written(card) for card in below[parent["card"]]]
            above = Text(called[parent["card"]]) if lines else written(parent)
            cards[0] = above.append(" > ").append(cards[0])
            for card in cards[:-1]:
                card.append(_(", ").rstrip())
            if parent is not parents[-1]:
                cards[-1].append(_("; ").rstrip())
            texts += cards
        lines.append(_Flow(texts, " "))
        parents = [card for parent in parents for card in below[parent["card"]]]
    return lines or [written(pyramid[0])]


def _called(view: View) -> dict[str, str]:
    """Return the names of the cards in sight, as the game writes them.

    Where the viewer could take or use several of one name, their letters follow.
    """
    everywhere = [card for player in view["players"] for card in (*player["hand"], *player["pyramid"])]
    usable = [*view["market"], *([view["deck_top"]] if view["deck_top"] else [])]
    usable += [card for p in view["players"] if p["seat"] == view["seat"] for card in (*p["hand"], *p["pyramid"])]
    letters = Counter(_name(card) for card in usable)
    names = {card["card"]: _name(card) for card in everywhere}
    for card in usable:
        name = _name(card)
        names[card["card"]] = f"{name} ({card['card'].partition('-')[2]})" if letters[name] > 1 else name
    return names


def _name(card: Mapping[str, Any]) -> str:
    """Return a card as the game writes it, such as `green 3`."""
    if card["kind"] == "victim":
        return card_words(VICTIM_NAMES.index(card["card"]), card["number"])
    return _("Founder") if card["kind"] == "founder" else _("Police") + f" {card['number']}"


def _card(card: Mapping[str, Any], called: Mapping[str, str], *, rewarded: bool = True) -> Text:
    """Return a card's name and, until it is flipped, what it wants below it, with its reward."""
    line = Text.assemble((called[card["card"]], f"bold {STYLES.get(card['colour'], '')}".strip()))
    if card.get("flipped"):
        return line.append(" ").append(_("smart"), style="reverse")
    return line.append(f" [{_wants(card, rewarded=rewarded)}]") if card["kind"] == "victim" else line


def _wants(card: Mapping[str, Any], *, rewarded: bool = True) -> str:
    """Return what a card wants below it to be flipped, and the reward for that."""
    wants = _(", ").join(_want(want) for want in card["wants"])
    return wants + (f": {reward_words(card['reward'])}" if rewarded and card["reward"] else "")


def _want(want: int | str) -> str:
    """Return what a card wants below it, in words."""
    if want == "any":
        return _("any")
    return _(COLOUR_WORDS[want]) if isinstance(want, str) else str(want)
