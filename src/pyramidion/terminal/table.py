"""A table in the terminal, shared by players and bots; each player sees only their own seat's view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from pyramidion import translation
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.layout import EVERYTHING
from pyramidion.engine.steps import Steps
from pyramidion.terminal.choices import ListEntry, choices, selected_action
from pyramidion.terminal.drawing import choice_of, compact_lines, drawing_of, short_choice_of
from pyramidion.terminal.rulebook import print_paged, rulebook
from pyramidion.translation import _, marked, ngettext

if TYPE_CHECKING:
    from pyramidion import Action, Event, Match

Bot = Callable[["Match", int], "Action"]
"""Returns an action for a seat, using only that seat's view."""

HELP = (
    ("3", marked("the third action on the list")),
    ("{example}", marked("an action in its notation: {forms}")),
    ("? {example}", marked("whether this is allowed now, and if not, which rule forbids it")),
    ("rules, rules {rule}", marked("all the rules, or one rule")),
    ("log", marked("the game log, as your seat has seen it")),
    ("board, list", marked("show the table again, or your actions")),
    ("quit, q", marked("leave the table")),
)
"""Commands and their descriptions."""
HELP_AS = ("as 1", marked("let the person at seat 1 act first"))


class GameLeft(Exception):
    """A player left the table before the game was over."""


class TerminalTable:
    """Plays one match on one screen: shows people their own views, asks them for actions, and lets the bots act.

    `people` and `bots` together cover every seat: `people` maps seats to names, `bots` to names and bots. `ask` prompts
    for a line and raises EOFError at the end of input. `played` is called after every action, for example to save the
    record.

    Attributes:
        actions_taken: how many actions people have taken at this screen.
    """

    def __init__(
        self,
        match: Match,
        people: Mapping[int, str],
        bots: Mapping[int, tuple[str, Bot]],
        console: Console,
        ask: Callable[[str], str],
        played: Callable[[Match], None] = lambda match: None,
    ) -> None:
        self.match, self.people, self.bots = match, people, bots
        self.names = [people[seat] if seat in people else bots[seat][0] for seat in range(match.seats)]
        self._console, self._ask, self._played = console, ask, played
        self._events_printed = dict.fromkeys(people, 0)
        self._at_screen = min(people) if len(people) == 1 else None
        self._last: int | None = None
        self._steps = Steps(match)
        self._waits: set[int] = set()
        self._compact = False
        self.actions_taken = 0

    def run(self) -> None:
        """Play until the game ends. Raises GameLeft if a player quits or the input ends."""
        while not self.match.over:
            seat = self._next_seat()
            if seat not in self.bots:
                self._last = self._take_turn(seat)
            elif (idle := self._idle_person()) is not None:
                self._take_turn(idle)
            else:
                self._play(seat, self.bots[seat][1](self.match, seat))
                self._last = seat
        self._show_end()

    def _play(self, seat: int, action: Action) -> None:
        """Play a seat's action; when it ends a step, those who chose to wait are asked again."""
        if self._steps.play(seat, action.id):
            self._waits.clear()
        self._played(self.match)

    def _next_seat(self) -> int:
        """Return the seat to ask: the one asked last while it is due, otherwise the next due one in seat order."""
        last = self._last or 0
        return min(self.match.acting, key=lambda seat: (seat - last) % self.match.seats)

    def _idle_person(self) -> int | None:
        """Return the seat of a person who may act but need not, and has not chosen to wait; None if there is none."""
        match = self.match
        for seat in match.free:
            asked = seat in match.acting or seat in match.submitted
            if seat in self.people and not asked and seat not in self._waits and len(match.legal_ids(seat)):
                return seat
        return None

    def _take_turn(self, seat: int) -> int:
        """Prompt a player for one action and return the seat; a player who need not act may skip."""
        due = seat in self.match.acting
        if seat != self._at_screen:
            self._wait_for_privacy(seat)
        self._print_news(seat)
        listed = self._show_position(seat)
        if not due:
            self._say(_("Nobody is waiting for you. Press Enter to go on."), "dim")
        while True:
            line = self._read(self._prompt(seat))
            if not due and not line.strip():
                self._waits.add(seat)
                return seat
            try:
                if (other := self._named_seat(line, seat)) is not None:
                    self._take_turn(other)
                    return seat
                action = selected_action(line, listed)
                if action is None and self._run_command(seat, line, listed):
                    continue
                done = self._parse_action(line if action is None else action)
                self._play(seat, done)
                self.actions_taken += 1
            except IllegalAction as refused:
                self._say(f"{refused.reason} ({refused.rule})" if refused.rule else refused.reason, "yellow")
            except (ValueError, LookupError) as error:
                self._say(str(error.args[0]), "yellow")
            else:
                self._say(self.match.label(done, self.names), "dim")
                return seat

    def _prompt(self, seat: int) -> str:
        """Return the prompt of the input line; when several people play, it names the one who is asked."""
        if len(self.people) == 1:
            return _("Your move> ")
        return _("{name} (seat {seat})> ").format(name=self.names[seat], seat=seat)

    def _parse_action(self, action: Action | str) -> Action:
        """Return an action, parsing it if given in notation. Raises ValueError if the notation is invalid."""
        return self.match.game.actions.parse(action) if isinstance(action, str) else action

    def _named_seat(self, line: str, seat: int) -> int | None:
        """Return the seat named by an `as 1` command; None for other lines. Raises ValueError if it cannot act."""
        word, _space, rest = line.strip().lower().partition(" ")
        if word != "as":
            return None
        other = int(rest) if rest.strip().isdecimal() and len(rest) < 4 else -1
        if other not in self.people or other == seat:
            raise ValueError(_("Type 'as' and the seat number of another person."))
        if not len(self.match.legal_ids(other)):
            raise ValueError(_("{name} has nothing to do now.").format(name=self.names[other]))
        return other

    def _run_command(self, seat: int, line: str, listed: Sequence[ListEntry]) -> bool:
        """Execute a command line such as `rules` or `quit`; return False if the line is not a command."""
        word, _space, rest = line.strip().partition(" ")
        word, rest = word.lower(), rest.strip()
        if word.startswith("?") and (word[1:] or rest):
            self._explain(seat, f"{word[1:]} {rest}".strip(), listed)
        elif word in ("?", "help"):
            self._show_help(seat)
        elif word in ("quit", "q", "exit"):
            raise GameLeft
        elif word == "rules":
            text = rulebook(self.match.game).find(rest) if rest else self.match.game.rules_read
            print_paged(self._console, Markdown(text))
        elif word == "log":
            self._print_events(self.match.events(seat, names=self.names))
        elif word == "board":
            self._compact = False
            self._show_board(seat)
        elif word in ("list", ""):
            self._show_list(seat)
        else:
            return False
        return True

    def _explain(self, seat: int, line: str, listed: Sequence[ListEntry]) -> None:
        """Print whether an action that the player has typed would be legal, and if not, why."""
        action = selected_action(line, listed) or line
        refusal = self.match.refusal(seat, action)
        if refusal is None:
            parsed = self.match.game.actions.parse(str(action))
            self._say(_("Yes: {action}.").format(action=self.match.label(parsed, self.names)), "green")
        else:
            message = _("No: {reason}").format(reason=refusal.reason)
            self._say(f"{message} ({refusal.rule})" if refusal.rule else message, "yellow")

    # Output

    def _print_news(self, seat: int) -> None:
        """Print the events that the seat has observed since it was last shown any."""
        events = self.match.events(seat, self._events_printed[seat], names=self.names)
        self._events_printed[seat] += len(events)
        self._print_events(events)

    def _print_events(self, events: Sequence[Event]) -> None:
        """Print events with the rules that they cite."""
        for event in events:
            line = Text("  " + event.text)
            if event.rule not in event.text:
                line.append(f"  {event.rule}", style="dim")
            self._console.print(line)

    def _show_position(self, seat: int) -> list[ListEntry]:
        """Draw the table and list the seat's choices, both shorter if they do not fit the screen; return the list."""
        self._compact = False
        listed = self._choices(seat)
        lines = len(self._console.render_lines(self._board(seat))) + len(listed)
        # The board stands between two blank lines; a line of help and the prompt follow the list.
        self._compact = self._console.is_terminal and lines + 4 > self._console.height
        self._show_board(seat)
        return self._show_list(seat) if self._compact else self._print_list(listed)

    def _board(self, viewer: int | None) -> RenderableType:
        """Return the drawing of the table as the viewer sees it: a seat, or EVERYTHING when the game is over."""
        names = list(self.names)
        if viewer is not None and list(self.people) == [viewer]:
            names[viewer] = _("{name} (you)").format(name=names[viewer])
        return drawing_of(self.match.game, compact=self._compact)(self.match.view(viewer, self.names), names)

    def _show_board(self, viewer: int | None) -> None:
        """Draw the table as the viewer sees it: a seat, or EVERYTHING when the game is over."""
        board = self._board(viewer)
        if self._compact:
            self._console.print(*compact_lines(self._console, board), sep="\n")
        else:
            self._console.print("", board, "", sep="\n")

    def _choices(self, seat: int) -> list[ListEntry]:
        """Return the seat's choices, worded by the game for the terminal if it does that."""
        view, game = self.match.view(seat, self.names), self.match.game
        named, shortened = choice_of(game), short_choice_of(game)

        def label(entry: ListEntry) -> str:
            short = shortened(view, entry.notation, self.names) if self._compact and entry.low is None else None
            return short or named(view, entry.notation) or entry.label

        return [replace(entry, label=label(entry)) for entry in choices(self.match, seat, self.names)]

    def _show_list(self, seat: int) -> list[ListEntry]:
        """Print the seat's choices with their numbers, and return them."""
        return self._print_list(self._choices(seat))

    def _print_list(self, listed: list[ListEntry]) -> list[ListEntry]:
        """Print choices with their numbers, and return them.

        They stand below each other with their notation or, on a small screen, in columns.
        """
        if self._compact:
            entries = [Text.assemble((f"{number:2} ", "bold"), entry.label) for number, entry in enumerate(listed, 1)]
            entries.append(Text(" ? " + _("more"), style="dim"))
            self._console.print(Columns(entries, padding=(0, 2), column_first=True))
            return listed
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(justify="right", min_width=3)
        for number, choice in enumerate(listed, 1):
            grid.add_row(str(number), Text(choice.label), Text(choice.notation, style="dim"))
        self._console.print(grid)
        self._console.print(Text("  ?  " + _("everything else you can type"), style="dim"))
        return listed

    def _show_help(self, seat: int) -> None:
        """Print what can be typed, with examples of this position."""
        game = self.match.game
        example = str(self.match.legal(seat)[-1])
        rule = next(iter(rulebook(game).parts), "1")
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        for typed, text in [*HELP, HELP_AS] if len(self.people) > 1 else HELP:
            usage = typed.format(example=example, rule=rule)
            grid.add_row(Text(f"  {usage}"), Text(_(text).format(forms=", ".join(game.actions.forms))))
        self._console.print(grid)

    def _show_end(self) -> None:
        """Print the last events, the board with nothing hidden, and who has won."""
        if self._at_screen is not None:
            self._print_news(self._at_screen)
        self._compact = False
        self._show_board(EVERYTHING)
        outcome = self.match.outcome
        assert outcome is not None
        winners = [self.names[seat] for seat in outcome.winners]
        template = ngettext(
            "{names} won ({rule}). Seed {seed!r}, {actions}.",
            "{names} won ({rule}). Seed {seed!r}, {actions}.",
            len(winners),
        )
        if not winners:
            template = _("Nobody won ({rule}). Seed {seed!r}, {actions}.")
        seed, ply = self.match.seed, self.match.ply
        actions = ngettext("{count} action", "{count} actions", ply).format(count=ply)
        names = translation.listed(winners)
        self._say(template.format(names=names, rule=outcome.rule, seed=seed, actions=actions), "bold")

    def _wait_for_privacy(self, seat: int) -> None:
        """Clear the screen, and wait until the next player confirms that nobody else is looking."""
        self._at_screen = seat
        self._console.clear()
        if self._console.is_terminal:
            # Clear the scrollback as well.
            self._console.file.write("\x1b[3J")
        template = _("This is for {name} (seat {seat}) only; press Enter when nobody else is looking.")
        self._read(template.format(name=self.names[seat], seat=seat) + " ")

    def _read(self, prompt: str) -> str:
        """Return a line from the keyboard, without control characters. Raises GameLeft at the end of input."""
        try:
            line = self._ask(prompt)
        except EOFError:
            raise GameLeft from None
        return "".join(c for c in line if c.isprintable())

    def _say(self, text: str, style: str) -> None:
        """Print a text in a style."""
        self._console.print(Text(text, style=style))
