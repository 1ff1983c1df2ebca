"""HTML reports: one self-contained page with tables and plots of the win shares and their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import jinja2

import pyramidion
from pyramidion.lab.arena.standings import Standing


def report(terms: dict[str, Any], table: Sequence[Standing], games: int, command: str) -> str:
    """Render a contest's report as an HTML page; `command` is the command line that reproduces it.

    `terms` are those of the contest, `table` its standings, and `games` the number of games played.
    """
    game = pyramidion.load(terms["game"])
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string((files("pyramidion.lab.arena") / "report.html.j2").read_text("utf-8"))
    changed = {
        name: value
        for name, value in terms["options"].items()
        if name in game.options and value != game.options[name].default
    }
    return template.render(
        game=game,
        terms=terms,
        options=changed,
        table=table,
        games=games,
        command=command,
        version=terms["rules_version"],
        several_entrants=len(table) > 1,
    )
