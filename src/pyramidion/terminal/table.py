"""A table in the terminal, shared by players and bots; each player sees only their own seat's view."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from pyramidion import translation
from pyramidion.bots.foresight import eliminates, question_before_losing
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.glossary import glossary_of
from pyramidion.engine.layout import EVERYTHING
from pyramidion.engine.lesson import lesson_of
from pyramidion.engine.steps import Steps
from pyramidion.terminal.choices import ListEntry, choices, drawn, keys_text, only_key
from pyramidion.terminal.drawing import choice_of, compact_lines, drawing_of, result_of, short_choice_of
from pyramidion.terminal.game_file import GameFile
from pyramidion.terminal.help import COMMANDS, help_for
from pyramidion.terminal.keyboard import QUIT, GameLeft, Keyboard, command
from pyramidion.terminal.notation import seat_named
from pyramidion.terminal.paging import pages
from pyramidion.terminal.rulebook import goal_of, print_paged, rulebook, terms_of
from pyramidion.terminal.typed_actions import read_action, selected_action
from pyramidion.translation import _, ngettext

if TYPE_CHECKING:
    from pyramidion import Action, Event, Match

Bot = Callable[["Match", int], "Action"]
"""Returns an action for a seat, using only that seat's view."""


class TerminalTable:
    """Plays one match on one screen: shows people their own views, asks them for actions, and lets the bots act.

    `people` and `bots` together cover every seat: `people` maps seats to names, `bots` to names and bots. `ask` prompts
    for a line and raises EOFError at the end of input. `file` is where the game is saved after every action.

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
        file: GameFile | None = None,
    ) -> None:
        self.match, self.people, self.bots = match, people, bots
        self.names = [people[seat] if seat in people else bots[seat][0] for seat in range(match.seats)]
        self._console, self._keyboard, self._file = console, Keyboard(ask, console), file or GameFile()
        self._events_printed = dict.fromkeys(people, 0)
        self._at_screen = min(people) if len(people) == 1 else None
        self._last: int | None = None
        self._steps = Steps(match)
        self._waits: set[int] = set()
        self._compact = self._tight = False
        self._questioned = ""
        self._numbers_known = False
        self.actions_taken = 0

    def introduce(self) -> None:
        """Say what the game is about and what can be typed, on a screen of its own. Raises GameLeft."""
        game = self.match.game
        self._console.print(Text(game.name, style="bold"))
        if terms := glossary_of(game):
            self._console.print(goal_of(terms))
        self._console.print(_("Type 'rules' for the rules, 'terms' for its words, ? for all you can type."))
        if lesson_of(game):
            self._console.print(Text(_("New to it? A coach teaches it: pyramidion learn {game}").format(game=game.id)))
        if self._at_screen is not None and not self.match.ply:
            self._console.print("", *self._news(self._at_screen), "", sep="\n")
        if self._console.is_terminal:
            self._keyboard.pause(_("Press Enter to begin."), self._leave)

    def resume(self) -> None:
        """Say that a saved game goes on; what has happened before is in the log, and not shown again."""
        for seat in self.people:
            self._events_printed[seat] = len(self.match.events(seat))
        text = ngettext(
            "{game} goes on after {count} action. Type 'log' for what has happened.",
            "{game} goes on after {count} actions. Type 'log' for what has happened.",
            self.match.ply,
        )
        self._say(text.format(game=self.match.game.name, count=self.match.ply), "bold")

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
        self._file.write(self.match)
        for person in self.people:
            self._tell_elimination(person)

    def _tell_elimination(self, person: int) -> None:
        """Tell a person who has just been eliminated why, with the table as it was before; then the game goes on."""
        match, game = self.match, self.match.game
        unseen = match.events(person, self._events_printed[person])
        fall = next((event for event in unseen if eliminates(game, event, person)), None)
        if fall is None or match.over:
            return
        if person != self._at_screen:
            self._wait_for_privacy(person)
        board = drawing_of(game, compact=True)(match.at(match.ply - 1).view(person, self.names), self._shown_names())
        text = _("{name} is out of the game. The table just before:").format(name=self.names[person])
        why, lines = Markdown(rulebook(game).find(fall.rule)), compact_lines(self._console, board)
        below = Group(Text(text, style="bold red"), why, *lines)
        self._print_above(self._news(person), self._lines_of(below) + 1)
        self._console.print(below)
        if self._console.is_terminal:
            self._keyboard.pause(_("Press Enter to go on."), self._leave)

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
        listed = self._show_position(seat)
        if not due:
            self._say(_("Nobody is waiting for you. Press Enter to go on."), "dim")
        while True:
            line = self._keyboard.answer(self._prompt(seat, listed))
            if command(line) != self._questioned:
                self._questioned = ""
            if not due and not line.strip():
                self._waits.add(seat)
                return seat
            line = line.strip() or only_key(listed)
            try:
                if (other := self._named_seat(line, seat)) is not None:
                    self._take_turn(other)
                    return seat
                if selected_action(line, listed) is None and self._run_command(seat, line, listed):
                    continue
                done, number = self._choose(seat, line, listed)
                if not self._confirmed(line, self._questions(seat, done, number)):
                    continue
                self._play(seat, done)
                self._numbers_known |= number is not None
                self.actions_taken += 1
            except IllegalAction as refused:
                reason = translation.with_names(refused.reason, self.names)
                self._say(f"{reason} ({refused.rule})" if refused.rule else reason, "yellow")
            except (ValueError, LookupError) as error:
                self._say(str(error.args[0]), "yellow")
            else:
                if not self.match.events(seat, self._events_printed[seat]):
                    self._say(self.match.label(done, self.names), "dim")
                return seat

    def _prompt(self, seat: int, listed: Sequence[ListEntry]) -> str:
        """Return the prompt of the input line: who is asked, if several people play, and what can be typed."""
        text = _("Your move ({keys}, ? for help)> ") if len(self.people) == 1 else _("{name} ({keys}, ? for help)> ")
        only = only_key(listed) if seat in self.match.acting else ""
        keys = _("{key} or Enter").format(key=only) if only else keys_text(listed)
        return text.format(name=self.names[seat], keys=keys)

    def _choose(self, seat: int, line: str, listed: Sequence[ListEntry]) -> tuple[Action, int | None]:
        """Return the action that a player chooses to play, and the seat that the line gives as a number, if it does.

        Raises ValueError if the line is no action.
        """
        return read_action(self.match, seat, line, listed, self.names, COMMANDS)

    def _questions(self, seat: int, action: Action, number: int | None) -> list[str]:
        """Return what to ask before a legal action: whether a number means that seat, and whether it shall lose."""
        questions: list[str] = []
        if self.match.refusal(seat, action) is None:
            if number is not None and not self._numbers_known:
                text = _("Seats count from 1: {number} is {name}.")
                questions.append(text.format(number=number + 1, name=self.names[number]))
            if len(self.match.legal_ids(seat)) > 1:
                loss = question_before_losing(self.match, seat, action.id, self.names)
                questions += [loss] if loss else []
        return [*questions, _("Type it again to do it.")] if questions else []

    def _confirmed(self, line: str, questions: Sequence[str]) -> bool:
        """Return whether there is nothing to ask, or the line has been typed again after being asked; ask if not."""
        if not questions or self._questioned:
            self._questioned = ""
            return True
        self._questioned = command(line)
        self._say(" ".join(questions), "yellow")
        return False

    def _named_seat(self, line: str, seat: int) -> int | None:
        """Return the seat named by an `as Bob` command; None for other lines. Raises ValueError if it cannot act."""
        word, _space, rest = line.strip().partition(" ")
        if word.lower() != "as":
            return None
        other = seat_named(rest, self.names)
        if other is None or other not in self.people or other == seat:
            raise ValueError(_("Type 'as' and the name of another person."))
        if not len(self.match.legal_ids(other)):
            raise ValueError(_("{name} has nothing to do now.").format(name=self.names[other]))
        return other

    def _run_command(self, seat: int, line: str, listed: Sequence[ListEntry]) -> bool:
        """Execute a command line such as `rules` or `quit`; return False if the line is not a command."""
        word, rest = (part.strip() for part in f"{line.strip()} ".split(" ", 1))
        word = word.lower()
        if word.startswith("?") and (word[1:] or rest):
            self._explain(seat, f"{word[1:]} {rest}".strip(), listed)
        elif word in ("?", "help"):
            self._console.print(help_for(self.match, seat, self.people, self.names, listed))
        elif word in QUIT:
            self._leave(line)
        elif word == "save" and rest:
            self._file.begin(rest, self.match)
            self._say(_("The game is saved in {file}, now and after every action.").format(file=self._file.path), "dim")
        elif word == "rules":
            text = rulebook(self.match.game).find(rest) if rest else self.match.game.rules_read
            print_paged(self._console, Markdown(text))
        elif word == "terms" and (terms := glossary_of(self.match.game)):
            self._console.print(terms_of(terms))
        elif word in ("log", "history"):
            print_paged(self._console, Group(*self._told(self.match.events(seat, names=self.names))))
        elif word == "board":
            self._compact = self._tight = False
            self._console.print(self._shown(seat))
        elif word in ("list", ""):
            self._console.print(self._list(self._choices(seat)))
        else:
            return False
        return True

    def _leave(self, line: str) -> None:
        """Leave the table by raising GameLeft; ask once if that loses a game that is not saved."""
        if self.actions_taken and self._file.path is None:
            text = _("This game is not saved. Type 'quit' again to leave it, or 'save FILE' to keep it.")
            if not self._confirmed(line, [text]):
                return
        raise GameLeft

    def _explain(self, seat: int, line: str, listed: Sequence[ListEntry]) -> None:
        """Print whether an action that the player has typed would be legal, and if not, why."""
        action, _number = read_action(self.match, seat, line, listed, self.names)
        refusal = self.match.refusal(seat, action)
        if refusal is None:
            self._say(_("Yes: {action}.").format(action=self.match.label(action, self.names)), "green")
        else:
            message = _("No: {reason}").format(reason=translation.with_names(refusal.reason, self.names))
            self._say(f"{message} ({refusal.rule})" if refusal.rule else message, "yellow")

    # Output

    def _news(self, seat: int) -> list[Text]:
        """Return the events that the seat has observed since it was last shown any."""
        events = self.match.events(seat, self._events_printed[seat], names=self.names)
        self._events_printed[seat] += len(events)
        return self._told(events)

    def _told(self, events: Sequence[Event]) -> list[Text]:
        """Return events as lines, with the rules that they cite."""
        lines: list[Text] = []
        for event in events:
            lines.append(Text("  " + event.text))
            if event.rule not in event.text:
                lines[-1].append(f"  {event.rule}", style="dim")
        return lines

    def _above(self, seat: int) -> list[Text]:
        """Return what is to be read before the table is shown to a seat."""
        return self._news(seat)

    def _print_above(self, texts: Sequence[Text], room: int) -> None:
        """Print texts above `room` more lines; wait for the player where all that does not fit the screen."""
        split = [list(texts)]
        if self._console.is_terminal:
            split = pages(texts, room, self._console.height, self._lines_of)
        for number, page in enumerate(split):
            if number:
                self._keyboard.pause(_("Press Enter to go on."), self._leave)
            for text in page:
                self._console.print(text)

    def _lines_of(self, drawn: RenderableType) -> int:
        """Return how many lines of the screen something takes."""
        return len(self._console.render_lines(drawn))

    def _show_position(self, seat: int) -> list[ListEntry]:
        """Print what has happened, the table and the seat's choices, shorter if they do not fit the screen.

        Return the choices.
        """
        above = self._above(seat)
        # The prompt follows the list.
        self._fit(above, seat, lambda: self._lines_of(self._list(self._choices(seat))) + 1)
        listed = self._choices(seat)
        below = Group(self._shown(seat), self._list(listed))
        self._print_above(above, self._lines_of(below) + 1)
        self._console.print(below)
        return listed

    def _fit(self, above: Sequence[Text], viewer: int | None, below: Callable[[], int]) -> None:
        """Choose the longest form of the table with which everything fits the screen, and the lines `below` it.

        The lines above may be read in pages before the short forms, so they count for the long one alone.
        """
        self._compact = self._tight = False
        height, news = self._console.height, sum(map(self._lines_of, above))
        if self._console.is_terminal:
            self._compact = news + self._lines_of(self._shown(viewer)) + below() > height
            self._tight = self._compact and self._lines_of(self._shown(viewer)) + below() > height

    def _list(self, listed: Sequence[ListEntry]) -> RenderableType:
        """Return the list of the seat's choices, as short as the table."""
        return drawn(listed, compact=self._compact, divided=not self._tight)

    def _board(self, viewer: int | None) -> RenderableType:
        """Return the drawing of the table as the viewer sees it: a seat, or EVERYTHING when the game is over."""
        draw = drawing_of(self.match.game, compact=self._compact, tight=self._tight)
        return draw(self.match.view(viewer, self.names), self._shown_names())

    def _shown(self, viewer: int | None) -> RenderableType:
        """Return the table as the viewer sees it, as it stands on the screen: between blank lines, or in short."""
        board = self._board(viewer)
        return Group(*compact_lines(self._console, board)) if self._compact else Group("", board, "")

    def _choices(self, seat: int) -> list[ListEntry]:
        """Return the seat's choices, worded by the game for the terminal if it does that."""
        view = self.match.view(seat, self.names)
        named, shortened = choice_of(self.match.game), short_choice_of(self.match.game)

        def worded(action: Action) -> str | tuple[str, str] | None:
            short = shortened(view, action.text, self.names) if self._compact else None
            return short or named(view, action.text)

        return choices(self.match, seat, self.names, worded)

    def _show_end(self) -> None:
        """Print the last events, who has won, and the board with nothing hidden."""
        result = self._result()
        above = self._news(self._at_screen) if self._at_screen is not None else []
        # What the command says afterwards, and the shell's own prompt.
        self._fit(above, EVERYTHING, lambda: self._lines_of(result) + 2)
        with contextlib.suppress(GameLeft):
            self._print_above(above, self._lines_of(result) + self._lines_of(self._shown(EVERYTHING)) + 2)
        self._console.print(result)
        self._console.print(self._shown(EVERYTHING))
        if self._keyboard.kept:
            self._say(_("The game was over when you typed {line!r}.").format(line=self._keyboard.kept[-1]), "yellow")

    def _result(self) -> Text:
        """Return who has won, how long the game was, and how to have the same deal again."""
        text = ngettext(
            "{count} action; --seed {seed} deals this game again.",
            "{count} actions; --seed {seed} deals this game again.",
            self.match.ply,
        ).format(count=self.match.ply, seed=self.match.seed)
        return Text.assemble((result_of(self.match, self._shown_names()), "bold"), " ", text)

    def _shown_names(self) -> list[str]:
        """Return the names, that of the only person with a mark."""
        alone = next(iter(self.people)) if len(self.people) == 1 else None
        return [_("{name} (you)").format(name=name) if seat == alone else name for seat, name in enumerate(self.names)]

    def _wait_for_privacy(self, seat: int) -> None:
        """Clear the screen, and wait until the next player confirms that nobody else is looking."""
        self._at_screen = seat
        self._console.clear()
        if self._console.is_terminal:
            # Clear the scrollback as well.
            self._console.file.write("\x1b[3J")
        template = _("This is for {name} only; press Enter when nobody else is looking.")
        self._keyboard.pause(template.format(name=self.names[seat]), self._leave)

    def _say(self, text: str, style: str) -> None:
        """Print a text in a style."""
        self._console.print(Text(text, style=style))
