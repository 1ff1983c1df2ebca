"""A tournament as pages and programs show it. Whoever may know it sees all of it but its visitors."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pyramidion.tournaments.standings import points_of, standings, winner
from pyramidion.tournaments.state import Round, Tournament
from pyramidion.web.features.tournaments.loaded import LoadedTournament


def tournament_view(loaded: LoadedTournament, holder: str | None) -> dict[str, Any]:
    """Return a tournament as the visitor `holder` sees it, as JSON-ready data."""
    state, you = loaded.state, loaded.who(holder)
    return {
        "id": loaded.id,
        **asdict(state.settings),
        "host": state.host,
        "hosting": loaded.hosted_by(holder),
        "you": you,
        "part": loaded.part(holder),
        "step": state.step,
        "total": state.total,
        "players": [
            asdict(player) for player in state.players.values() if player.out is None or player.id in state.draw
        ],
        "waiting": state.waiting,
        "standings": [
            {
                "player": line.player,
                "place": line.place,
                "points": number(line.points),
                "wins": number(line.wins),
                "opponents": number(line.opponents),
                "reached": line.reached,
                "through": line.through,
                "played": line.played,
            }
            for line in standings(state)
        ],
        "results": [_round(state, round_) for round_ in state.rounds],
        "winner": winner(state),
    }


def number(value: Fraction) -> float:
    """Return points as a number rounded to two decimals."""
    return round(float(value), 2)


def _round(state: Tournament, round_: Round) -> dict[str, Any]:
    """Return a round with its tables and results as JSON-ready data."""
    tables = [
        {
            "players": list(group.players),
            "table": group.table,
            "places": list(group.places) if group.places else None,
            "points": [number(points) for points in points_of(state.settings, group.places)] if group.places else None,
        }
        for group in round_.groups
    ]
    return {"number": round_.number, "at": round_.at, "over": round_.over, "tables": tables, "byes": list(round_.byes)}
