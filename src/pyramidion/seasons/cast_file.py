"""A cast with balances as CSV: what a pasted spreadsheet would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramidion.event_log import NotPossible
from pyramidion.names import key, lookalike
from pyramidion.seasons.csv_table import numbered_rows, written
from pyramidion.seasons.events import CastAdded, CastChanged, Corrected, Event
from pyramidion.seasons.season import Season
from pyramidion.translation import _

__all__ = ["COLUMNS", "Planned", "read_cast", "written"]

COLUMNS = ("name", "garnets", "priority", "bot")
HEADINGS = {"contestant": "name", "player": "name", "level": "bot", "type": "bot", "played by": "bot"}
"""Other headings of columns."""
BOT, PERSONS = "bot", ("person", "human")
"""What a cell calls the usual bot, and a person."""
MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class Planned:
    """A line of the preview: a contestant's balances before and after a pasted table is applied.

    Attributes:
        name: whom it concerns.
        before, after: garnets and priority; `before` is None for a new contestant.
        bot: the bot that will play for them, empty for a person, where that changes.
    """

    name: str
    before: tuple[int, int] | None
    after: tuple[int, int]
    bot: str | None = None

    @property
    def changes(self) -> bool:
        """Whether the table changes anything about the contestant."""
        return self.before != self.after or self.bot is not None


def read_cast(season: Season, text: str, bots: Mapping[str, str], usual: str = "") -> tuple[list[Event], list[Planned]]:
    """Return the events by which a pasted table changes the cast, and the lines of their preview.

    Known contestants are changed, and others are added. `bots` are the bots by name, as people call them; a cell
    may have either, in any case, or say `bot` for the bot named `usual`. Raises NotPossible if the table cannot be
    read.

    Columns are name, garnets, priority and bot, with commas, semicolons or tabs between them. A heading may name them
    in another order; without one, the first column that names bots is the column bot. An empty cell changes nothing.
    """
    rows = numbered_rows(text)
    called = _names_of_bots(bots, usual)
    heading = [_column(cell) for cell in rows[0][1]] if rows else []
    if "name" in heading or (heading and heading[0] in COLUMNS):
        columns, rows = heading, rows[1:]
    else:
        columns = _guessed_columns(rows, called)
    if "name" not in columns or len(rows) > MOST_LINES:
        raise NotPossible(_("Paste up to {limit} lines with a column 'name'.").format(limit=MOST_LINES))
    events: list[Event] = []
    plan: list[Planned] = []
    contestants = {key(contestant.name): contestant for contestant in season.cast.values()}
    seen: list[str] = []
    for number, row in rows:
        cells: dict[str, str] = {name: cell.strip() for name, cell in zip(columns, row, strict=False)}
        name, bot = cells.get("name", ""), _bot(cells.get("bot", ""), called, bots, number)
        if lookalike(name, seen) is not None:
            raise NotPossible(_("Line {line}: {name} is there twice.").format(line=number, name=name[:40]))
        seen.append(name)
        contestant = contestants.get(key(name))
        before = (
            (season.ledger.balance(contestant.id, "garnets"), season.ledger.balance(contestant.id, "priority"))
            if contestant
            else None
        )
        garnets = _whole(cells.get("garnets", ""), before[0] if before else 0, number)
        priority = _whole(cells.get("priority", ""), before[1] if before else 0, number)
        present = (contestant.bot or "") if contestant is not None else ""
        changed = None if bot == present else bot
        plan.append(Planned(name, before, (garnets, priority), changed))
        if contestant is None or before is None:
            events.append(CastAdded(name, garnets, priority, bot or None))
            continue
        if changed is not None:
            events.append(CastChanged(contestant.id, contestant.name, changed or None))
        if garnets != before[0]:
            events.append(Corrected(contestant.id, "garnets", garnets - before[0]))
        if priority != before[1]:
            events.append(Corrected(contestant.id, "priority", priority - before[1]))
    return events, plan


def _column(cell: str) -> str:
    """Return what a column with this heading is called here, as a heading in the reader's language may say it, too."""
    heading = cell.strip().casefold()
    translated = {_("Name"): "name", _("Garnets"): "garnets", _("Priority"): "priority", _("Played by"): "bot"}
    columns = HEADINGS | {words.casefold(): column for words, column in translated.items()}
    return columns.get(heading, heading)


def _guessed_columns(rows: Sequence[tuple[int, Sequence[str]]], called: Mapping[str, str]) -> list[str]:
    """Return what the columns of a table without a heading are; `called` are the words for bots and persons."""
    for nth in range(1, min(max((len(row) for _line, row in rows), default=0), len(COLUMNS))):
        if any(len(row) > nth and row[nth].strip().casefold() in called for _line, row in rows):
            return ["name", *COLUMNS[1:-1][: nth - 1], "bot", *COLUMNS[nth:-1]]
    return [*COLUMNS]


def _names_of_bots(bots: Mapping[str, str], usual: str) -> dict[str, str]:
    """Return the names of bots by what a cell may call them, in lower case; a person's is empty."""
    called = dict.fromkeys((*PERSONS, _("a person").casefold()), "")
    called |= dict.fromkeys((BOT, _("bot").casefold()), usual) if usual else {}
    for name, label in bots.items():
        called |= {words.casefold(): name for words in (name, label, _("Bot: {level}").format(level=label))}
    return called


def _bot(cell: str, called: Mapping[str, str], bots: Mapping[str, str], line: int) -> str | None:
    """Return the name of the bot that a cell calls, None for an empty one. Raises NotPossible with the line."""
    if not cell:
        return None
    if (name := called.get(cell.casefold())) is not None:
        return name
    message = _("Line {line}: there is no bot {cell}. Take one of these, or leave the cell empty: {bots}.")
    raise NotPossible(message.format(line=line, cell=cell[:40], bots=_(", ").join(bots.values())))


def _whole(cell: str, otherwise: int, line: int) -> int:
    """Return the whole number in a cell, or `otherwise` if it is empty. Raises NotPossible naming the line."""
    if not cell:
        return otherwise
    try:
        return int(cell)
    except ValueError:
        message = _(
            "Line {line}: {cell} is not a whole number. The columns are name, garnets, priority and bot; with others, "
            "put their names in the first line, such as name, bot."
        )
        raise NotPossible(message.format(line=line, cell=cell[:40])) from None
