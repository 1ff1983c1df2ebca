"""The lines of a season's log for its hosts: its entries, and what hosts have commanded at its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyramidion.seasons.events import MatchOpened
from pyramidion.seasons.season import Season
from pyramidion.translation import _
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.table.log.command_texts import text_of


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log: when (milliseconds since 1970) and by whom, with an entry of the season or a sentence.

    Attributes:
        by: the id of the person.
        entry: the entry as in the season's view, None for a command at a table.
        sentence: what was commanded at a table, empty for an entry.
        table: the id of that table, or None.
    """

    at: int
    by: str
    entry: Mapping[str, Any] | None
    sentence: str = ""
    table: str | None = None


def log_lines(season: Season, view: Mapping[str, Any], commands: Sequence[tuple[str, HostCommand]]) -> list[LogLine]:
    """Return the lines of the log, the newest first, made from a host's `view` and the commands at tables, by table.

    Only the host who started a match commands at its table.
    """
    hosts = {entry.event.table: entry.by for entry in season.log if isinstance(entry.event, MatchOpened)}
    casts = {table: played.cast for episode in season.episodes for table, played in episode.tables.items()}
    lines = [LogLine(entry["at"], entry["by"], entry) for entry in view["log"]]
    for table, command in commands:
        if command.by == "host" and table in casts and table in hosts:
            names = [season.name(who) for who in casts[table]]
            sentence = _("At the table: {what}").format(what=text_of(command, names))
            lines.append(LogLine(command.at, hosts[table], None, sentence, table))
    lines.sort(key=lambda line: line.at)  # entries of the same time stay in order
    return lines[::-1]
