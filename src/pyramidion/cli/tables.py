"""Tables on the command line: no number is cut, however narrow the terminal is."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table as wide as its contents; in a narrower terminal, its lines are wrapped and not cut."""
    console = console or Console()
    needed = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    if needed <= console.width:
        console.print(table)
    else:
        Console(file=console.file, width=needed, no_color=console.no_color).print(table)
