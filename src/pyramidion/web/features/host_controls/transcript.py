"""Transcripts: a readable Markdown document of the players, the options and the events a reader may know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyramidion import EVERYTHING
from pyramidion.translation import _, listed
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.settings.time_controls import moment

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def plain(text: str) -> str:
    """Escape a text so that Markdown shows it literally, on one line."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def transcript(table: Table, viewer: int | None) -> str:
    """Return a game's transcript in Markdown: players, options, events and result.

    It contains what the viewer (a seat, or None for spectators) may know, and after the game everything.
    """
    match, game, names = table.match, table.game, table.names
    over = match.over
    lines = [f"# {plain(titled(table.title, game))}", ""]
    lines.append(
        _("{game}, rules version {version}. Started on {date} (UTC).").format(
            game=plain(_(game.name)), version=match.rules_version, date=f"{moment(table.created):%Y-%m-%d %H:%M}"
        )
    )
    lines.append("")
    lines += [f"{number}. {plain(name)}" for number, name in enumerate(names, 1)]
    lines.append("")
    options = table.options_for(Requester(viewer, False))
    lines += [f"- {plain(_(o.label))}: {plain(o.describe(options[name]))}" for name, o in game.options.items()]
    if options:
        lines.append("")
    if over:
        whose = _("The game is over. This transcript includes all hidden information.")
    elif viewer is None:
        whose = _("The game is in progress. This transcript contains public information only.")
    else:
        whose = _("The game is in progress. This transcript shows what {name} can see.").format(
            name=plain(names[viewer])
        )
    happened = _("Game log")
    lines += [whose, "", f"## {happened}", ""]
    for number, event in enumerate(table.events(EVERYTHING if over else viewer), 1):
        rule = f" ({event.rule})" if event.rule and event.rule not in event.text else ""
        lines.append(f"{number}. {plain(event.text)}{rule}")
    outcome = match.outcome
    if outcome is not None:
        result = _("Result")
        lines += ["", f"## {result}", ""]
        winners = listed([plain(names[seat]) for seat in outcome.winners])
        rule = outcome.rule
        lines.append(
            _("Won by {names} ({rule}).").format(names=winners, rule=rule)
            if winners
            else _("Nobody won ({rule}).").format(rule=rule)
        )
        lines += ["", *(f"- {plain(names[seat])}: {points}" for seat, points in enumerate(outcome.points))]
    return "\n".join(lines) + "\n"
