"""The `pyramidion settings` command."""

from __future__ import annotations

import os
import re
import sys
from itertools import groupby

from pydantic import SecretStr
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pyramidion.cli.database import opened_store
from pyramidion.cli.options import print_json
from pyramidion.web.settings import Settings, described_settings, unknown_variables

PASSWORD = re.compile(r"(://[^:/@]*:)[^/]*(@)")
"""The password of an address, such as that of a database."""


def settings(as_json: bool) -> None:
    """Print all settings with their values and origins. Raises CommandFailed if one has a wrong value."""
    with opened_store():  # so that the address of the database is one that a server would take
        values = Settings()
    environment = {name.upper() for name in os.environ}
    rows = [
        {
            "group": setting.group,
            "variable": setting.variable,
            "value": _readable(setting.value(values)),
            "from": "environment" if setting.variable in environment else "default",
            "default": setting.default,
            "allowed": setting.allowed,
            "description": setting.description,
        }
        for setting in described_settings()
    ]
    if as_json:
        print_json(rows)
    else:
        console = Console(highlight=False)
        for group, members in groupby(rows, lambda row: row["group"]):
            table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
            for row in members:
                changed = row["from"] == "environment"
                table.add_row(
                    f"  {row['variable']}",
                    Text(row["value"] or "-", "bold" if changed else "dim"),
                    Text(row["from"], "dim"),
                )
            console.print(Text(group, style="bold"))
            console.print(table)
        console.print("pyramidion settings --json describes each of them.")
    for sentence in unknown_variables(os.environ):
        print(f"pyramidion: {sentence}", file=sys.stderr)


def _readable(value: object) -> str:
    """Return a setting's value as text: of a secret only that it is set, of an address all but its password."""
    if value is None:
        return ""
    if isinstance(value, SecretStr):
        return "(set)"
    return str(value).lower() if isinstance(value, bool) else PASSWORD.sub(r"\1***\2", str(value))
