"""A tournament as pages and programs show it. Whoever may know it sees all of it but its visitors."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pyramidion.tournaments.standings import points_of, standings, winner
from pyramidion.tournaments.state import Round, Tournament
from pyramidion.web.features.tournaments.service import LoadedTournament


def shown(loaded: LoadedTournament, holder: str | None) -> dict[str, Any]:
    """Return a tournament, ready for JSON."""
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
        "players": [asdict(one) for one in state.players.values() if one.out is None or one.id in state.draw],
        "waiting": state.waiting,
        "standings": [
            {
                "player": line.player,
                "place": line.place,
                "points": number(line.points),
                "wins": number(line.wins),
                "opponents": number(line.opponents),
                "reached": line.reached,
                "played": line.played,
            }
            for line in standings(state)
        ],
        "results": [_round(state, one) for one in state.rounds],
        "winner": winner(state),
    }


def number(value: Fraction) -> float:
    """Return points rounded to two decimals."""
    return round(float(value), 2)


def _round(state: Tournament, one: Round) -> dict[str, Any]:
    tables = [
        {
            "players": list(group.players),
            "table": group.table,
            "places": list(group.places) if group.places else None,
            "points": [number(points) for points in points_of(state.settings, group.places)] if group.places else None,
        }
        for group in one.groups
    ]
    return {"number": one.number, "at": one.at, "over": one.over, "tables": tables, "byes": list(one.byes)}
