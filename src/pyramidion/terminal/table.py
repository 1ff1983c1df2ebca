"""A table in the terminal, shared by players and bots; each player sees only their own seat's view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.markdown import Markdown
from rich.text import Text

from pyramidion import translation
from pyramidion.bots.foresight import eliminates, question_before
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.glossary import glossary_of
from pyramidion.engine.lesson import lesson_of
from pyramidion.engine.steps import Steps
from pyramidion.engine.takeback import is_open, reveals_nothing
from pyramidion.terminal.choices import ListEntry, keys_text, only_key
from pyramidion.terminal.display import Display
from pyramidion.terminal.drawing import compact_lines, drawing_of, legend_of
from pyramidion.terminal.game_file import GameFile
from pyramidion.terminal.help import COMMANDS, help_for
from pyramidion.terminal.hints import hint
from pyramidion.terminal.keyboard import QUIT, GameLeft, command
from pyramidion.terminal.notation import seat_named
from pyramidion.terminal.rulebook import goal_of, rulebook, terms_of
from pyramidion.terminal.typed_actions import read_action, selected_action
from pyramidion.translation import _, ngettext

if TYPE_CHECKING:
    from pyramidion import Action, Match

Bot = Callable[["Match", int], "Action"]
"""Returns an action for a seat, using only that seat's view."""
UNDO = ("undo", "takeback")


class TerminalTable(Display):
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
        names = [people[seat] if seat in people else bots[seat][0] for seat in range(match.seats)]
        super().__init__(match, people, names, console, ask)
        self.bots, self._file = bots, file or GameFile()
        self._last: int | None = None
        self._steps = Steps(match)
        self._waits: set[int] = set()
        self._has_saved = False
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
        if legend := legend_of(game):
            self._console.print(Text(f"\n{legend}"))
        if self._at_screen is not None and not self.match.ply:
            self._console.print("", *self._news(self._at_screen), "", sep="\n")
        if self._console.is_terminal:
            self._keyboard.pause(_("Press Enter to begin."), self._leave)

    def resume(self) -> None:
        """Say that a saved game goes on; what has happened before is in the log, and not shown again."""
        for seat in self.people:
            self._events_printed[seat] = len(self.match.events(seat))
        if self.match.over:
            return
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
        terms = glossary_of(game)
        # Where somebody loses by the rule that ends the game, the end tells it.
        if fall is None or match.over or (terms is not None and fall.rule == terms.ends_rule):
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
        again = self._has_saved and seat == self._at_screen
        if seat != self._at_screen:
            self._wait_for_privacy(seat)
        listed = self._show_position(seat, again=again)
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
                if command(line) in UNDO:
                    self._take_back(seat)
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
                self._has_saved = self._steps.is_part(done.id) and seat in self.match.acting
                if not self._has_saved and not self.match.events(seat, self._events_printed[seat]):
                    self._say(self.match.label(done, self.names), "dim")
                return seat

    def _prompt(self, seat: int, listed: Sequence[ListEntry]) -> str:
        """Return the prompt of the input line: who is asked, if several people play, and what can be typed."""
        text = _("Your move ({keys}, ? for help)> ") if len(self.people) == 1 else _("{name} ({keys}, ? for help)> ")
        if seat not in self.match.acting:
            text = _("Nobody waits for {name}: Enter to go on ({keys}, ? for help)> ")
        only = only_key(listed) if seat in self.match.acting else ""
        keys = _("{key} or Enter").format(key=only) if only else keys_text(listed)
        return text.format(name=self.names[seat], keys=keys)

    def _choose(self, seat: int, line: str, listed: Sequence[ListEntry]) -> tuple[Action, int | None]:
        """Return the action that a player chooses to play, and the seat that the line gives as a number, if it does.

        Raises ValueError if the line is no action.
        """
        return read_action(self.match, seat, line, listed, self.names, COMMANDS)

    def _questions(self, seat: int, action: Action, number: int | None) -> list[str]:
        """Return what to ask before a legal action: whether a number means that seat, and whether to risk it."""
        questions: list[str] = []
        if self.match.refusal(seat, action) is None:
            if number is not None and not self._numbers_known:
                text = _("Seats count from 1: {number} is {name}.")
                questions.append(text.format(number=number + 1, name=self.names[number]))
            if len(self.match.legal_ids(seat)) > 1:
                loss = question_before(self.match, seat, action.id, self.names)
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
            self._show_text(help_for(self.match, seat, self.people, self.names, listed), seat)
        elif word in QUIT:
            self._leave(line)
        elif word == "save":
            if not rest:
                raise ValueError(_("Type 'save' and the name of a new file, such as 'save game.json'."))
            self._file.begin(rest, self.match)
            self._say(_("The game is saved in {file}, now and after every action.").format(file=self._file.path), "dim")
        elif word == "rules":
            text = rulebook(self.match.game).find(rest) if rest else self.match.game.rules_read
            self._show_text(Markdown(text), seat)
        elif word == "terms" and (terms := glossary_of(self.match.game)):
            self._show_text(terms_of(terms), seat)
        elif word in ("log", "history"):
            self._show_text(self._log(seat, whole=rest == "all"), seat)
        elif word == "hint":
            self._say(self._hint(seat, listed), "green")
        elif word == "board":
            self._show_board(seat)
        elif word in ("list", "") and self._console.is_terminal:
            self._print_position(seat)
        elif word in ("list", ""):
            self._console.print(self._list(listed))
        else:
            return False
        return True

    def _hint(self, seat: int, listed: Sequence[ListEntry]) -> str:
        """Return what the strongest bot would do in a seat, and why."""
        return hint(self.match, seat, self.names, listed, self._console)

    def _take_back(self, seat: int) -> None:
        """Undo a player's last choice, and what followed it. Raises ValueError with the reason where that is unfair."""
        match = self.match
        if len(self.people) > 1:
            raise ValueError(_("You can take back moves only when you play alone against bots."))
        own = (ply for ply, (actor, _action) in enumerate(match.history) if actor == seat)
        ply = next((ply for ply in reversed([*own]) if len(match.at(ply).legal_ids(seat)) > 1), None)
        if ply is None:
            raise ValueError(_("You have made no move yet that could be taken back."))
        if not is_open(match.at(ply)):
            raise ValueError(_("Your last move cannot be taken back: several players decide at once here."))
        if not all(reveals_nothing(match.at(number + 1)) for number in range(ply, match.ply)):
            raise ValueError(_("Your last move cannot be taken back: something new has been seen since."))
        label = match.label(match.game.actions[match.history[ply][1]], self.names)
        while match.ply > ply:
            match.undo()
        self._steps, self._has_saved = Steps(match), False
        self._events_printed[seat] = len(match.events(seat))
        self._file.write(match)
        self._say(_("Taken back: {action}.").format(action=label), "dim")

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
