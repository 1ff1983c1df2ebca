"""A readable transcript of a table as Markdown: who sat where, the options, and all that the reader may know of what
has happened; once the game is over, all that has happened.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyramidion import EVERYTHING
from pyramidion.web.clock import moment
from pyramidion.words import _, listed

if TYPE_CHECKING:
    from pyramidion.web.table import Table

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def plain(text: str) -> str:
    """Return text that Markdown shows as it is, whatever a player is called."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def transcript(table: Table, viewer: int | None) -> str:
    """Return the transcript of a table for a viewer, a seat or None, as Markdown."""
    match, game, names = table.match, table.game, table.names
    over = match.over
    lines = [f"# {plain(table.title)}", ""]
    lines.append(
        _("{game}, version {version} of the rules; begun on {date} (UTC).").format(
            game=plain(game.name), version=game.rules_version, date=f"{moment(table.created):%Y-%m-%d %H:%M}"
        )
    )
    lines.append("")
    lines += [f"{number}. {plain(name)}" for number, name in enumerate(names, 1)]
    lines.append("")
    for name, value in table.options.items():
        lines.append(f"- {plain(name)}: {plain(str(value))}")
    if table.options:
        lines.append("")
    if over:
        whose = _("The game is over, and everything that happened is told.")
    elif viewer is None:
        whose = _("The game goes on; this is what everybody may know.")
    else:
        whose = _("The game goes on; this is what {name} may know.").format(name=plain(names[viewer]))
    lines += [whose, "", f"## {_('What happened')}", ""]
    for number, event in enumerate(table.events(EVERYTHING if over else viewer), 1):
        rule = f" ({event.rule})" if event.rule and event.rule not in event.text else ""
        lines.append(f"{number}. {plain(event.text)}{rule}")
    outcome = match.outcome
    if outcome is not None:
        lines += ["", f"## {_('Result')}", ""]
        winners = listed([plain(names[seat]) for seat in outcome.winners])
        rule = outcome.rule
        lines.append(
            _("Won by {names} ({rule}).").format(names=winners, rule=rule)
            if winners
            else _("Nobody has won ({rule}).").format(rule=rule)
        )
        lines += ["", *(f"- {plain(names[seat])}: {points}" for seat, points in enumerate(outcome.points))]
    return "\n".join(lines) + "\n"
