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
MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class Planned:
    """A line of the preview: a contestant's balances before and after a pasted table is applied.

    Attributes:
        name: whom it concerns.
        before, after: garnets and priority; `before` is None for a new contestant.
        bot: the bot that will play for them, where that changes.
    """

    name: str
    before: tuple[int, int] | None
    after: tuple[int, int]
    bot: str | None = None


def read_cast(season: Season, text: str, bots: Mapping[str, str]) -> tuple[list[Event], list[Planned]]:
    """Return the events by which a pasted table changes the cast, and the lines of their preview.

    Known contestants are changed, and others are added. `bots` are the bots by name, as people call them; a cell
    may have either, in any case. Raises NotPossible if the table cannot be read.

    Columns are name, garnets, priority and bot, with commas, semicolons or tabs between them; a heading may name them
    in another order. An empty cell changes nothing.
    """
    rows = numbered_rows(text)
    columns: Sequence[str] = COLUMNS
    heading = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    if "name" in heading or (heading and heading[0] in COLUMNS):
        columns, rows = heading, rows[1:]
    if "name" not in columns or len(rows) > MOST_LINES:
        raise NotPossible(_("Paste up to {limit} lines with a column 'name'.").format(limit=MOST_LINES))
    events: list[Event] = []
    plan: list[Planned] = []
    contestants = {key(contestant.name): contestant for contestant in season.cast.values()}
    seen: list[str] = []
    for number, row in rows:
        cells: dict[str, str] = {name: cell.strip() for name, cell in zip(columns, row, strict=False)}
        name, bot = cells.get("name", ""), _bot(cells.get("bot", ""), bots, number)
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
        changed = None if contestant is not None and contestant.bot == bot else bot
        plan.append(Planned(name, before, (garnets, priority), changed))
        if contestant is None or before is None:
            events.append(CastAdded(name, garnets, priority, bot))
            continue
        if changed is not None:
            events.append(CastChanged(contestant.id, contestant.name, changed))
        if garnets != before[0]:
            events.append(Corrected(contestant.id, "garnets", garnets - before[0]))
        if priority != before[1]:
            events.append(Corrected(contestant.id, "priority", priority - before[1]))
    return events, plan


def _bot(cell: str, bots: Mapping[str, str], line: int) -> str | None:
    """Return the name of the bot in a cell, None for an empty one. Raises NotPossible naming the line and the bots."""
    if not cell:
        return None
    for name, called in bots.items():
        if cell.casefold() in (name.casefold(), called.casefold()):
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
        message = _("Line {line}: {cell} is not a whole number.")
        raise NotPossible(message.format(line=line, cell=cell[:40])) from None
