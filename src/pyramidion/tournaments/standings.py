"""Standings: points by place at the tables, and the tie-breaks in their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pyramidion.tournaments.state import Tournament, TournamentSettings


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A player's line in the standings: their place, and the figures that decide it.

    Attributes:
        place: from 1, all different: the draw decides what the tie-breaks leave open.
        points: points by place at the tables; a bye counts as a first place.
        wins: first places at tables; those who tie for one share it.
        opponents: the mean of the points of all opponents met, each as often as they met.
        reached: in single elimination the last round that the player reached, else 0.
        through: in single elimination whether the player has got through that round, by result or bye, else False.
        played: tables that are over.
    """

    player: str
    place: int
    points: Fraction
    wins: Fraction
    opponents: Fraction
    reached: int
    through: bool
    played: int


def points_of(settings: TournamentSettings, places: Sequence[int]) -> list[Fraction]:
    """Return the points of each seat of a table with these places; those who tie share the points of theirs.

    A bye is a table of one, and counts as a first place.
    """
    if settings.points:
        table = settings.points
    elif settings.scale == "place" or len(places) == 1:
        table = tuple(range(settings.seats - 1, -1, -1))
    else:
        behind = range(len(places) - 1, -1, -1)
        table = tuple(Fraction((settings.seats - 1) * beaten, len(places) - 1) for beaten in behind)
    padded = [*map(Fraction, table), *[Fraction()] * len(places)]
    points: list[Fraction] = []
    for place in places:
        sharing = places.count(place)
        points.append(sum(padded[place - 1 : place - 1 + sharing], Fraction()) / sharing)
    return points


def standings(tournament: Tournament) -> list[StandingsRow]:
    """Return the lines of all players in the standings, the best first. A result counts as soon as its table is over.

    Those who have withdrawn or were removed come after those who have not; in single elimination, after those who have
    reached the same round. Of them, those who have got through it come first, then those who still play in it.
    """
    settings, order = tournament.settings, tournament.draw or tuple(tournament.entrants)
    points: dict[str, Fraction] = defaultdict(Fraction)
    wins: dict[str, Fraction] = defaultdict(Fraction)
    played: dict[str, int] = defaultdict(int)
    reached: dict[str, int] = defaultdict(int)
    last: dict[str, int] = defaultdict(int)
    through: dict[str, bool] = defaultdict(bool)
    draw_number = {who: number for number, who in enumerate(order)}
    met: dict[str, list[str]] = defaultdict(list)
    for round_ in tournament.rounds:
        for who in round_.byes:
            points[who] += points_of(settings, (1,))[0]
            reached[who], through[who] = round_.number, True
        final = len(round_.groups) == 1 and not round_.byes
        for group in round_.groups:
            reached.update(dict.fromkeys(group.players, round_.number))
            last.update(dict.fromkeys(group.players, 0))
            through.update(dict.fromkeys(group.players, False))
            if group.places is None:
                continue
            for who, place, gained in zip(group.players, group.places, points_of(settings, group.places), strict=True):
                points[who] += gained
                wins[who] += Fraction(place == 1, group.places.count(1))
                played[who] += 1
                last[who] = -place
                met[who] += [other for other in group.players if other != who]
            ranked = sorted(zip(group.places, map(draw_number.get, group.players), group.players, strict=True))
            advancing = 1 if final else len(ranked) // 2
            through.update((who, True) for _place, _lot, who in ranked[:advancing])
    if settings.format != "elimination":
        reached, last, through = defaultdict(int), defaultdict(int), defaultdict(bool)
    opponents = {who: sum((points[other] for other in met[who]), Fraction()) / max(1, len(met[who])) for who in order}

    def rank(who: str) -> tuple[int, bool, bool, int, Fraction, Fraction, Fraction, int]:
        """Return the key that sorts players in the standings, the least first."""
        gone = tournament.players[who].out is not None
        return (
            -reached[who],
            gone,
            not through[who],
            -last[who],
            -points[who],
            -wins[who],
            -opponents[who],
            draw_number[who],
        )

    return [
        StandingsRow(who, place, points[who], wins[who], opponents[who], reached[who], through[who], played[who])
        for place, who in enumerate(sorted(order, key=rank), 1)
    ]


def winner(tournament: Tournament) -> str | None:
    """Return the id of the player who has won a tournament, or None if it is not over.

    The winner is the first of the standings; if they have left, nobody has won.
    """
    best = standings(tournament)[0].player if tournament.step == "over" else None
    return best if best is not None and tournament.players[best].out is None else None
