"""What a host, a contestant or a viewer may see of matches of the host's own.

What is secret is taken from the contestants' private log, for its author alone, and for hosts where the form says that
they see submissions. The rest follows from the season's log, which knows submissions only when they are revealed.
"""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pyramidion.seasons.conversations import Conversations, Submission
from pyramidion.seasons.own_match import OwnMatch, OwnRound
from pyramidion.seasons.season import Season
from pyramidion.seasons.submissions import submission

PRECISION = 4
"""Digits of a score after the point."""


def own_matches(season: Season) -> list[dict[str, Any]]:
    """Return the matches of the host's own that have been opened, as everybody sees them, ready for JSON."""
    return [_match(season, match) for match in season.own_matches.values()]


def own_submissions(season: Season, conversations: Conversations, who: str, *, private: bool) -> list[dict[str, Any]]:
    """Return the matches in which a contestant submits now, with what they have submitted, ready for JSON.

    A stand-in, or somebody with the link alone (`private` is false), does not see what was submitted before.
    """
    match = season.own_match
    if match is None or who not in match.cast:
        return []
    made = submission(conversations, match, who)
    mine = made if made is not None and private and made.at > season.cast[who].since else None
    return [{"match": match.id, "round": len(match.rounds), "status": _status(mine), "values": _values(mine)}]


def host_submissions(season: Season, conversations: Conversations) -> list[dict[str, Any]]:
    """Return who has submitted in the match that is being played, ready for JSON; what, where hosts see that."""
    match = season.own_match
    if match is None or match.form.hosts_see == "nothing":
        return []
    made = {who: submission(conversations, match, who) for who in match.cast}
    return [
        {
            "match": match.id,
            "round": len(match.rounds),
            "contestant": who,
            "status": _status(given),
            "values": _values(given) if match.form.hosts_see == "values" else None,
        }
        for who, given in made.items()
    ]


def _status(made: Submission | None) -> str:
    """Return whether a submission is missing, saved or confirmed."""
    return "missing" if made is None else "confirmed" if made.confirmed else "saved"


def _values(made: Submission | None) -> dict[str, int | str] | None:
    """Return the values of a submission, or None without one."""
    return dict(made.values) if made is not None else None


def _match(season: Season, match: OwnMatch) -> dict[str, Any]:
    """Return an own match as JSON-ready data, without secret submissions."""
    return {
        "id": match.id,
        "episode": match.episode,
        "part": match.part,
        "form": asdict(match.form),
        "vote": match.vote,
        "cast": list(match.cast),
        "scored": list(match.scored),
        "rounds": [_round(match, played) for played in match.rounds],
        "playing": match is season.own_match,
        "submitters": season.submitters if match is season.own_match else [],
        "over": match.over,
        "totals": _scores(match.totals()) if match.over else {},
        "winners": match.winners,
        "losers": match.losers,
        "ties": [asdict(tie) for tie in match.ties],
    }


def _round(match: OwnMatch, played: OwnRound) -> dict[str, Any]:
    """Return a round of an own match as JSON-ready data, without secret submissions."""
    return {
        "deadline": played.deadline,
        "moved_from": played.moved_from,
        "phase": played.phase,
        "opened_with": played.opened_with,
        "sealed": played.sealed,
        "revealed": dict(played.revealed),
        "scores": _scores(played.scores),
        "failure": match.failure(played),
    }


def _scores(scores: dict[str, Fraction | None]) -> dict[str, int | float | None]:
    """Return scores as JSON numbers, by contestant: the highest first, and those without one last."""
    ranked = sorted(scores.items(), key=lambda row: (row[1] is None, -(row[1] or 0)))
    return {who: None if score is None else _number(score) for who, score in ranked}


def _number(score: Fraction) -> int | float:
    """Return a score as a JSON number, rounded unless it is whole."""
    return score.numerator if score.denominator == 1 else round(float(score), PRECISION)
