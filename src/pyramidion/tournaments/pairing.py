"""Who meets whom: the tables of the next round.

Round robin in pairs follows the circle method, so that everybody meets everybody once. Swiss pairs are a matching of
least cost (networkx): a second meeting costs more than any difference in the standings. Larger tables come from a local
search: two players at different tables change places as long as that lowers the cost, from several beginnings, and the
cheapest seating counts. There a meeting costs the more the more often the two have met; in a Swiss tournament the
distance in the standings comes second. Single elimination in pairs is a bracket; at larger tables the better half goes
on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from pyramidion.seasons.season import groups
from pyramidion.tournaments.standings import standings
from pyramidion.tournaments.state import Round, Tournament

Tables = list[list[str]]
Cost = Callable[[str, str], int]
AGAIN = 10**9
"""The cost of a second meeting in a Swiss tournament; differences in the standings cost less than this in all."""
WORK = 400
"""Beginnings of the local search times players."""


def next_round(tournament: Tournament, chance: Random) -> tuple[Tables, list[str]]:
    """Return the tables of the next round, each in the order of its seats, and those without one. Blocks."""
    settings = tournament.settings
    if settings.format == "elimination":
        tables, byes = _elimination(tournament, chance)
    elif settings.format == "robin" and settings.seats == 2:
        tables, byes = _circle(tournament)
    else:
        tables, byes = _by_cost(tournament, chance)
    return [_seated(tournament, table, chance) for table in tables], byes


def survivors(tournament: Tournament) -> list[str]:
    """Return who is left in a single elimination after its rounds, in the order of the bracket.

    Of a table the better half goes on, of the final its winner; the draw decides between those who tie. Where the next
    tables cannot be filled, the best of the others go on as well.
    """
    lot = {who: number for number, who in enumerate(tournament.draw)}
    spot, going = _spots(tournament), list(tournament.draw)
    for one in tournament.rounds:
        going = _going_on(tournament, one, lot)
        for group in one.groups:
            spot.update(dict.fromkeys(group.players, min(spot[who] for who in group.players)))
    return sorted((who for who in going if tournament.players[who].out is None), key=lambda who: (spot[who], lot[who]))


def _going_on(tournament: Tournament, one: Round, lot: dict[str, int]) -> list[str]:
    final = len(one.groups) == 1 and not one.byes
    going, others = list(one.byes), list[tuple[int, int, str]]()
    for group in one.groups:
        ranked = sorted((place, lot[who], who) for who, place in zip(group.players, group.places or (), strict=True))
        count = 1 if final else len(ranked) // 2
        going += [who for _place, _lot, who in ranked[:count]]
        others += ranked[count:]
    others.sort()
    everybody = len(going) + len(others)
    while len(going) > 1 and len(going) < everybody - 1 and groups(len(going), tournament.settings.sizes) is None:
        if tournament.settings.seats == 2:
            break  # one has a bye
        going.append(others.pop(0)[2])
    return going


def _spots(tournament: Tournament) -> dict[str, int]:
    """Return the place of each player in the bracket: the lot, or in pairs by rating that of a seeded bracket."""
    order = [0]
    if tournament.settings.seeding == "lot" or tournament.settings.seats > 2:
        return {who: number for number, who in enumerate(tournament.draw)}
    while len(order) < len(tournament.draw):
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return {who: order.index(seed) for seed, who in enumerate(tournament.draw)}


def _seeded(tournament: Tournament) -> bool:
    """Return whether the first round is to follow the ratings."""
    return tournament.settings.seeding == "rating" and not tournament.rounds


def _dealt(tables: Tables) -> Tables:
    """Return tables of the same sizes to which the players are dealt one by one, back and forth."""
    dealt: Tables = [[] for _table in tables]
    turns = [list(range(len(tables))), list(reversed(range(len(tables))))]
    free = (n for lap in range(max(map(len, tables), default=0)) for n in turns[lap % 2] if lap < len(tables[n]))
    for who in (who for table in tables for who in table):
        dealt[next(free)].append(who)
    return dealt


def _elimination(tournament: Tournament, chance: Random) -> tuple[Tables, list[str]]:
    left = survivors(tournament)
    if tournament.settings.seats > 2:
        tables, byes = _without(tournament, left, list(reversed(left)))
        if _seeded(tournament):
            return _dealt(tables), byes
        return _search(tables, _meeting_cost(tournament), chance), byes
    if len(left) < 2:
        return [], left
    if _seeded(tournament):
        spots = _spots(tournament)
        matches: dict[int, list[str]] = {}
        for who in left:
            matches.setdefault(spots[who] // 2, []).append(who)
        return [pair for pair in matches.values() if len(pair) == 2], [
            who for who, *other in matches.values() if not other
        ]
    # As many byes as leave a full bracket, spread over it.
    entries = 1 << (len(left) - 1).bit_length() >> 1
    byes, tables, queue = list[str](), Tables(), list(left)
    free = 2 * entries - len(left)
    for number in range(entries):
        if (number + 1) * free // entries > number * free // entries:
            byes.append(queue.pop(0))
        else:
            tables.append([queue.pop(0), queue.pop(0)])
    return tables, byes


def _circle(tournament: Tournament) -> tuple[Tables, list[str]]:
    """Return the pairs of the circle method: the first stays, the others move on by one place each round."""
    ring: list[str | None] = [*tournament.draw, *([None] if len(tournament.draw) % 2 else [])]
    turn = len(tournament.rounds) % (len(ring) - 1)
    ring = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    left, tables, byes = set(tournament.left), Tables(), list[str]()
    for one, other in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True):
        there = [who for who in (one, other) if who is not None and who in left]
        if len(there) == 2:
            tables.append(there)
        else:
            byes += there
    return tables, byes


def _by_cost(tournament: Tournament, chance: Random) -> tuple[Tables, list[str]]:
    settings, left = tournament.settings, set(tournament.left)
    ranked = [line.player for line in standings(tournament) if line.player in left]
    if settings.format == "robin" or not tournament.rounds:
        ranked = [who for who in tournament.draw if who in left]
    had = Counter(who for one in tournament.rounds for who in one.byes)
    # Of those with the fewest byes, the last in the standings.
    free = sorted(ranked, key=lambda who: (had[who], -ranked.index(who)))
    tables, byes = _without(tournament, ranked, free)
    if _seeded(tournament) and settings.format == "swiss":
        return _dealt(tables), byes
    if settings.format == "robin":
        return _search(tables, _meeting_cost(tournament), chance), byes
    cost = _swiss_cost(tournament, [who for who in ranked if who not in byes])
    return (_matching(tables, cost) if settings.seats == 2 else _search(tables, cost, chance)), byes


def _without(tournament: Tournament, ranked: Sequence[str], free: Sequence[str]) -> tuple[Tables, list[str]]:
    """Return tables of neighbours in `ranked`, after as few as must have had a bye, the first of `free`."""
    for count in range(len(ranked)):
        sizes = groups(len(ranked) - count, tournament.settings.sizes)
        if sizes is not None:
            byes = list(free[:count])
            playing = iter([who for who in ranked if who not in byes])
            return [[next(playing) for _seat in range(size)] for size in sizes], byes
    return [], list(ranked)


def _meeting_cost(tournament: Tournament) -> Cost:
    """Return what a meeting costs: four times as much for each time that the two have met."""
    met = tournament.meetings()
    return lambda one, other: 4 ** met[frozenset((one, other))]


def _swiss_cost(tournament: Tournament, ranked: Sequence[str]) -> Cost:
    met, points = tournament.meetings(), {line.player: line.points for line in standings(tournament)}
    # Places in the standings, where those with equal points have the same one.
    values = sorted({points[who] for who in ranked}, reverse=True)
    level = {who: values.index(points[who]) for who in ranked}

    def cost(one: str, other: str) -> int:
        return AGAIN * met[frozenset((one, other))] + 100 * (level[one] - level[other]) ** 2

    return cost


def _matching(tables: Tables, cost: Cost) -> Tables:
    """Return the pairs of least cost."""
    import networkx as nx  # takes a while to load, and most servers need it never

    people = [who for table in tables for who in table]
    graph: nx.Graph[str] = nx.Graph()
    graph.add_weighted_edges_from(
        (one, other, cost(one, other)) for n, one in enumerate(people) for other in people[:n]
    )
    found = {frozenset(pair) for pair in nx.min_weight_matching(graph)}
    return sorted((sorted(pair, key=people.index) for pair in found), key=lambda pair: people.index(pair[0]))


def _search(tables: Tables, cost: Cost, chance: Random) -> Tables:
    """Return tables of the same sizes whose meetings cost as little as a local search finds."""
    people, sizes = [who for table in tables for who in table], [len(table) for table in tables]
    number = {who: n for n, who in enumerate(people)}
    costs = [[cost(one, other) if one != other else 0 for other in people] for one in people]
    best, least = tables, None
    for attempt in range(max(2, WORK // max(1, len(people)))):
        order = list(range(len(people)))
        if attempt:
            chance.shuffle(order)
        queue = iter(order)
        seated = [[next(queue) for _seat in range(size)] for size in sizes]
        total = _improved(seated, costs)
        if least is None or total < least:
            best, least = [[people[n] for n in table] for table in seated], total
    return [sorted(table, key=lambda who: number[who]) for table in best]


def _improved(tables: list[list[int]], costs: list[list[int]]) -> int:
    """Swap players between tables as long as that helps; return what the tables then cost."""

    def beside(who: int, table: list[int], instead: int) -> int:
        row = costs[who]
        return sum(row[other] for other in table if other != instead)

    better = True
    while better:
        better = False
        for n, one in enumerate(tables):
            for other in tables[:n]:
                for seat in range(len(one)):
                    for place in range(len(other)):
                        a, b = one[seat], other[place]
                        now = beside(a, one, a) + beside(b, other, b)
                        if beside(a, other, b) + beside(b, one, a) < now:
                            one[seat], other[place] = b, a
                            better = True
    return sum(costs[a][b] for table in tables for n, a in enumerate(table) for b in table[:n])


def _seated(tournament: Tournament, table: list[str], chance: Random) -> list[str]:
    """Return a table in the order of its seats: those who have sat early sit late, and the lot breaks ties."""
    early: Counter[str] = Counter()
    for group in (group for one in tournament.rounds for group in one.groups):
        for seat, who in enumerate(group.players):
            early[who] += len(group.players) - 1 - 2 * seat
    order = list(table)
    chance.shuffle(order)
    return sorted(order, key=lambda who: early[who])
