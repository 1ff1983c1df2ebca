"""What a terminal table prints: news, the position in the longest form that fits the screen, texts to read, the end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.text import Text

from pyramidion.engine.events import described_events
from pyramidion.engine.layout import EVERYTHING
from pyramidion.terminal.choices import ListEntry, choices, drawn
from pyramidion.terminal.drawing import choice_of, compact_lines, drawing_of, lines_of, result_of, short_choice_of
from pyramidion.terminal.keyboard import QUIT, GameLeft, Keyboard, command
from pyramidion.terminal.paging import pages
from pyramidion.translation import _, ngettext

if TYPE_CHECKING:
    from pyramidion import Action, Event, Match


class Display:
    """Prints what players at one screen are shown of a match. `people` are the names of those at the screen by seat."""

    def __init__(
        self,
        match: Match,
        people: Mapping[int, str],
        names: Sequence[str],
        console: Console,
        ask: Callable[[str], str],
    ) -> None:
        self.match, self.people, self.names = match, people, list(names)
        self._console, self._keyboard = console, Keyboard(ask, console)
        self._events_printed = dict.fromkeys(people, 0)
        self._at_screen = min(people) if len(people) == 1 else None
        self._compact = self._tight = False
        self._on_screen: list[str] = []
        self._lines_since = 0

    def _leave(self, line: str) -> None:
        """Leave the table by raising GameLeft."""
        raise GameLeft

    def _news(self, seat: int) -> list[Text]:
        """Return the events that the seat has observed since it was last shown any."""
        events = self._events(seat, self._events_printed[seat])
        self._events_printed[seat] += len(events)
        return self._told(events)

    def _events(self, seat: int, since: int = 0) -> list[Event]:
        """Return the events that a seat has observed; who plays alone is called "you" in them."""
        raw = self.match.raw_events(seat, since)
        return described_events(self.match.game, raw, self.names, seat if len(self.people) == 1 else None)

    def _told(self, events: Sequence[Event]) -> list[Text]:
        """Return events as lines, with the rules that they cite."""
        lines: list[Text] = []
        for event in events:
            lines.append(Text("  " + event.text))
            if event.rule not in event.text:
                lines[-1].append(f"  {event.rule}", style="dim")
        return lines

    def _log(self, seat: int, *, whole: bool) -> RenderableType:
        """Return the game log as a seat has seen it; on a screen the last page, unless it shall be `whole`."""
        lines = lines_of(self._console, Group(*self._told(self._events(seat))))
        room = self._console.height - 3
        if not self._console.is_terminal or whole or len(lines) <= room:
            return Group(*lines)
        note = _("The end of the log. Type 'log all' for all of it.")
        return Group(Text(note, style="dim"), *lines[-room:])

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

    def _show_position(self, seat: int, *, again: bool = False) -> list[ListEntry]:
        """Print what has happened, the table and the seat's choices, shorter if they do not fit the screen.

        Of a table that the seat is shown `again`, with nothing new, print only the lines that have changed if the rest
        is still on the screen. Return the choices.
        """
        above = self._above(seat)
        if not (again and not above and self._show_changes(seat)):
            self._print_position(seat, above)
        return self._choices(seat)

    def _print_position(self, seat: int, above: Sequence[Text] = ()) -> None:
        """Print the table and the seat's choices, and before them what is to be read above them."""
        below = self._position(seat, above)
        self._print_above(above, self._lines_of(below) + 1)
        self._console.print(below)
        self._on_screen = [line.plain.rstrip() for line in lines_of(self._console, below)]
        self._lines_since = len(self._on_screen) + 1

    def _position(self, seat: int, above: Sequence[Text]) -> RenderableType:
        """Return the table and the seat's choices, shorter if they do not fit the screen with what is read before."""
        # The prompt follows the list.
        self._fit(above, seat, lambda: self._lines_of(self._list(self._choices(seat))) + 1)
        return Group(self._shown(seat), self._list(self._choices(seat)))

    def _show_changes(self, seat: int) -> bool:
        """Print the lines of the table and the list that are not on the screen yet; return False if not all would be.

        Then nothing is printed.
        """
        lines = lines_of(self._console, Group(self._shown(seat), self._list(self._choices(seat))))
        changed, before = list[Text](), ""
        for line in lines:
            # What a changed line continues with belongs to it.
            wrapped = len(before) + 1 + len(line.plain.split(" ")[0]) > self._console.width
            if line.plain.rstrip() not in self._on_screen or (before and wrapped):
                changed.append(line)
            before = line.plain if changed and changed[-1] is line else ""
        changed = changed or [Text(_("Nothing has changed."), style="dim")]
        self._lines_since += len(changed) + 1
        if self._console.is_terminal and self._lines_since > self._console.height:
            return False
        for line in changed:
            self._console.print(line)
        self._on_screen = [line.plain.rstrip() for line in lines]
        return True

    def _show_text(self, text: RenderableType, seat: int) -> None:
        """Print a text to read; on a screen in pages, until the player goes back to the table, which follows it."""
        if not self._console.is_terminal:
            self._console.print(text)
            return
        lines, height = lines_of(self._console, text), self._console.height
        if len(lines) + self._lines_of(self._position(seat, [])) < height:
            self._console.print(text)
        else:
            split = [lines[at : at + height - 1] for at in range(0, len(lines), height - 1)]
            more = _("Press Enter for more, or q to go back to the table.")
            self._read_in_pages(split, more, _("Press Enter to go back to the table."))
        self._print_position(seat)

    def _read_in_pages(self, split: Sequence[Sequence[Text]], more: str, last: str = "") -> None:
        """Print pages one after the other, until the last has been read or the player types something.

        `more` is asked after a page, and `last` after the last one, if it is given.
        """
        for number, page in enumerate(split, 1):
            self._console.print(Text("\n").join(page))
            line = self._keyboard.read((more if number < len(split) else last or more) + " ").strip()
            if line:
                self._keyboard.kept += [line] if command(line) != QUIT[0] else []
                return

    def _show_board(self, seat: int) -> None:
        """Print the whole table in its long form, and then the table and the list as they fit the screen."""
        self._compact = self._tight = False
        board = self._shown(seat)
        if not self._console.is_terminal or self._lines_of(board) >= self._console.height:
            self._show_text(board, seat)
        else:
            self._print_position(seat)

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
            return short or named(view, action.text, self.names)

        return choices(self.match, seat, self.names, worded)

    def _show_end(self) -> None:
        """Print the last events, who has won, and the board with nothing hidden."""
        result = self._result()
        above = self._news(self._at_screen) if self._at_screen is not None else []
        # What the command says afterwards, and the shell's own prompt.
        self._fit(above, EVERYTHING, lambda: self._lines_of(result) + 2)
        split = [above]
        if self._console.is_terminal:
            room = self._lines_of(result) + self._lines_of(self._shown(EVERYTHING)) + 2
            split = pages(above, room, self._console.height, self._lines_of)
        with contextlib.suppress(GameLeft):
            self._read_in_pages(split[:-1], _("Press Enter for more, or q to skip to the end."))
        self._console.print(*split[-1], sep="\n", end="\n" if split[-1] else "")
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
        return Text.assemble((f"{self._own_result()}{result_of(self.match, self._shown_names())}", "bold"), " ", text)

    def _own_result(self) -> str:
        """Return whether the only person has won or lost, as words before the result; empty for several people."""
        outcome = self.match.outcome
        if outcome is None or len(self.people) != 1:
            return ""
        return (_("You won.") if set(self.people) & set(outcome.winners) else _("You lost.")) + " "

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
        written = Text(text, style=style)
        # With the line of the next prompt.
        self._lines_since += self._lines_of(written) + 1
        self._console.print(written)
