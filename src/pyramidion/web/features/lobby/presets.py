"""Presets of the form for a new table: common combinations of settings under one name."""

from __future__ import annotations

from pyramidion import Game
from pyramidion.translation import _
from pyramidion.web.table.bots import USUAL_BOT
from pyramidion.web.table.settings.time_controls import PACE

LIVE_SECONDS, DAY = 120, 24 * 3600


def presets(game: Game) -> list[tuple[str, dict[str, str]]]:
    """Return the presets that the form for a new table offers for a game.

    Each is (label, the form fields that differ from the defaults). Named time controls of the game replace the preset
    for correspondence games.
    """
    own = [(f"{PACE}{number}", pace) for number, pace in enumerate(game.paces)]
    live = next((value for value, pace in reversed(own) if not pace.name), str(LIVE_SECONDS))
    named = [(_(pace.name), _correspondence(game, value)) for value, pace in own if pace.name]
    return [
        (_("Against bots"), {}),
        (_("Live"), {**_open(game), "clock": live, "absent": f"bot:{USUAL_BOT}"}),
        *(named or [(_("Correspondence, 24 hours"), _correspondence(game, str(DAY)))]),
    ]


def _correspondence(game: Game, clock: str) -> dict[str, str]:
    """Return the form fields of a correspondence game; `clock` is the value of the clock field."""
    return {**_open(game), "clock": clock, "start": "when-full"}


def _open(game: Game) -> dict[str, str]:
    """Return the form fields that leave all seats but the first open to anybody."""
    return {f"seat-{seat}": "open" for seat in range(1, game.seats[-1])}
