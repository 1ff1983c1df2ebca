"""Who meets whom: the tables of the next round.

Each format has an objective, which the functions here state:

- Round robin in pairs: the circle method, in which everybody meets everybody once. Its rounds in which nobody is left
  to meet are skipped.
- Swiss in pairs: `swiss_objective`, to which a matching of least cost (networkx) is an exact solution.
- Larger tables, Swiss or round robin: as few byes as possible, for those who have had the fewest, and of these the last
  in the standings; then `_meeting_cost` or `_swiss_cost`, summed over all pairs who sit together. A local search looks
  for the least: two players at different tables change places as long as that lowers the cost, from several
  seatings at random, and the cheapest result counts.
- Single elimination in pairs is a bracket; at larger tables the better half goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from pyramidion.table_sizes import table_sizes
from pyramidion.tournaments.standings import standings
from pyramidion.tournaments.state import Round, Tournament

Tables = list[list[str]]
Cost = Callable[[str, str], int]
WEIGHT = 10**9
"""What each part of an objective weighs in units of the next one, which is less than this in all."""
SEARCH_BUDGET = 400
"""Number of seatings that the local search starts from, times the number of players."""


def next_round(tournament: Tournament, rng: Random) -> tuple[Tables, list[str]]:
    """Return the tables of the next round, each as the ids of its players by seat, and the players who have a bye.

    There are no tables if none can be filled, now or later. Blocks.
    """
    settings = tournament.settings
    if settings.format == "elimination":
        tables, byes = _elimination(tournament, rng)
    elif settings.format == "robin" and settings.seats == 2:
        tables, byes = _circle_method(tournament)
    elif settings.format == "swiss" and settings.seats == 2 and not _seeded_by_rating(tournament):
        tables, byes = _swiss_pairs(tournament)
    else:
        tables, byes = _least_cost_tables(tournament, rng)
    return [_seat_order(tournament, table, rng) for table in tables], byes


def survivors(tournament: Tournament) -> list[str]:
    """Return the players who are left in a single elimination after its rounds, in the order of the bracket.

    The better half of each table goes on, and of the final its winner. The draw decides between those who tie. Where
    the next tables cannot be filled, the best of the others go on as well.
    """
    draw_number = {who: number for number, who in enumerate(tournament.draw)}
    positions, advancing = _bracket_positions(tournament), list(tournament.draw)
    for round_ in tournament.rounds:
        advancing = _advancing(tournament, round_, draw_number)
        for group in round_.groups:
            positions.update(dict.fromkeys(group.players, min(positions[who] for who in group.players)))
    return sorted(
        (who for who in advancing if tournament.players[who].out is None),
        key=lambda who: (positions[who], draw_number[who]),
    )


def _advancing(tournament: Tournament, round_: Round, draw_number: dict[str, int]) -> list[str]:
    """Return the players whom a round of single elimination lets go on: see `survivors`."""
    final = len(round_.groups) == 1 and not round_.byes
    advancing, others = list(round_.byes), list[tuple[int, int, str]]()
    for group in round_.groups:
        ranked = sorted(
            (place, draw_number[who], who) for who, place in zip(group.players, group.places or (), strict=True)
        )
        count = 1 if final else len(ranked) // 2
        advancing += [who for _place, _lot, who in ranked[:count]]
        others += ranked[count:]
    others.sort()
    everybody = len(advancing) + len(others)
    while (
        len(advancing) > 1
        and len(advancing) < everybody - 1
        and table_sizes(len(advancing), tournament.settings.sizes) is None
    ):
        if tournament.settings.seats == 2:
            break  # one has a bye
        advancing.append(others.pop(0)[2])
    return advancing


def _bracket_positions(tournament: Tournament) -> dict[str, int]:
    """Return each player's position in the bracket, from 0.

    It is their number in the draw or, in pairs seeded by rating, their position in a seeded bracket.
    """
    order = [0]
    if tournament.settings.seeding == "lot" or tournament.settings.seats > 2:
        return {who: number for number, who in enumerate(tournament.draw)}
    while len(order) < len(tournament.draw):
        order = [seed for placed in order for seed in (placed, 2 * len(order) - 1 - placed)]
    return {who: order.index(seed) for seed, who in enumerate(tournament.draw)}


def _seeded_by_rating(tournament: Tournament) -> bool:
    """Return whether the next round is the first one, and ratings decide who meets whom."""
    return tournament.settings.seeding == "rating" and not tournament.rounds


def _snake_order(tables: Tables) -> Tables:
    """Deal the players of the tables, in order, to tables of the same sizes: one to each, back and forth."""
    dealt: Tables = [[] for _table in tables]
    turns = [list(range(len(tables))), list(reversed(range(len(tables))))]
    free = (n for lap in range(max(map(len, tables), default=0)) for n in turns[lap % 2] if lap < len(tables[n]))
    for who in (who for table in tables for who in table):
        dealt[next(free)].append(who)
    return dealt


def _elimination(tournament: Tournament, rng: Random) -> tuple[Tables, list[str]]:
    """Return the tables and the byes of the next round of a single elimination."""
    left = survivors(tournament)
    if tournament.settings.seats > 2:
        tables, byes = _with_byes(tournament, left, list(reversed(left)))
        if _seeded_by_rating(tournament):
            return _snake_order(tables), byes
        return _local_search(tables, _meeting_cost(tournament), rng), byes
    if len(left) < 2:
        return [], left
    if _seeded_by_rating(tournament):
        positions = _bracket_positions(tournament)
        matches: dict[int, list[str]] = {}
        for who in left:
            matches.setdefault(positions[who] // 2, []).append(who)
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


def _circle_method(tournament: Tournament) -> tuple[Tables, list[str]]:
    """Return the next pairs of the circle method that can be played, and the byes.

    There are no pairs when all of its rounds are over.
    """
    left, turn, last = set(tournament.remaining), 0, tournament.total or 0
    ring: list[str | None] = [*tournament.draw, *([None] if len(tournament.draw) % 2 else [])]
    for round_ in tournament.rounds:
        pairs = {frozenset(group.players) for group in round_.groups}
        while pairs and turn < last and pairs.isdisjoint(map(frozenset, _circle_round(ring, turn))):
            turn += 1  # a round of the circle that nobody could play
        turn += 1
    for number in range(turn, last):
        pairs = [[who for who in pair if who in left] for pair in _circle_round(ring, number)]
        if any(len(pair) == 2 for pair in pairs):
            return [pair for pair in pairs if len(pair) == 2], [pair[0] for pair in pairs if len(pair) == 1]
    return [], tournament.remaining


def _circle_round(ring: Sequence[str | None], turn: int) -> list[tuple[str | None, str | None]]:
    """Return the pairs of a round of the circle: the first stays, the others move on by one place each round."""
    turn %= len(ring) - 1
    turned = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    half = len(turned) // 2
    return list(zip(turned[:half], reversed(turned[half:]), strict=True))


def _swiss_pairs(tournament: Tournament) -> tuple[Tables, list[str]]:
    """Return the pairs with the least `swiss_objective`, and the player with a bye if their number is odd."""
    import networkx as nx  # takes a while to load, and most servers need it never

    left = set(tournament.remaining)
    people: list[str | None] = [line.player for line in standings(tournament) if line.player in left]
    if len(people) < 2:
        return [], tournament.remaining
    people += [None] * (len(people) % 2)  # whoever is paired with nobody has a bye
    parts = _pair_parts(tournament)
    graph: nx.Graph[int] = nx.Graph()
    for n, who in enumerate(people):
        for m, other in enumerate(people[:n]):
            cost = 0
            for part in parts(other, who):
                cost = cost * WEIGHT + part
            graph.add_edge(m, n, weight=cost)
    matched: set[tuple[int, int]] = nx.min_weight_matching(graph)
    tables, byes = Tables(), list[str]()
    for pair in sorted(sorted(pair) for pair in matched):
        match [who for who in (people[number] for number in pair) if who is not None]:
            case [who]:
                byes.append(who)
            case table:
                tables.append(table)
    return tables, byes


def swiss_objective(tournament: Tournament, tables: Tables, byes: Sequence[str]) -> tuple[int, ...]:
    """Return the cost of a pairing of a Swiss round; pairings are compared part by part, and the least is best.

    The parts are how often those who meet have met before, how many byes those with a bye have had, the squares of the
    differences in the standings between those who meet, where equal points are no difference, and how far from the end
    of the standings those with a bye are.
    """
    parts = _pair_parts(tournament)
    pairs: list[tuple[str, str | None]] = [*((who, other) for who, other in tables), *((who, None) for who in byes)]
    return tuple(map(sum, zip(*(parts(who, other) for who, other in pairs), strict=True)))


def _pair_parts(tournament: Tournament) -> Callable[[str | None, str | None], tuple[int, int, int, int]]:
    """Return a function that gives a pair's contribution to each part of `swiss_objective`.

    A player who is paired with None has a bye.
    """
    met, left, byes = tournament.meetings(), set(tournament.remaining), tournament.byes()
    ranked = [line.player for line in reversed(standings(tournament)) if line.player in left]
    from_end, level = {who: number for number, who in enumerate(ranked)}, _score_groups(tournament, ranked)

    def parts(who: str | None, other: str | None) -> tuple[int, int, int, int]:
        """Return the four parts for two players who meet, or for one who has a bye."""
        if who is None or other is None:
            present = who or other or ""
            return 0, byes[present], 0, from_end[present]
        return met[frozenset((who, other))], 0, (level[who] - level[other]) ** 2, 0

    return parts


def _score_groups(tournament: Tournament, people: Sequence[str]) -> dict[str, int]:
    """Return the number of the group that each player is in, when those with equal points are one group.

    The group with the most points is number 0.
    """
    points = {line.player: line.points for line in standings(tournament)}
    values = sorted({points[who] for who in people}, reverse=True)
    return {who: values.index(points[who]) for who in people}


def _least_cost_tables(tournament: Tournament, rng: Random) -> tuple[Tables, list[str]]:
    """Return the tables and the byes of a Swiss or round robin round: those of least cost that a local search finds."""
    settings, left = tournament.settings, set(tournament.remaining)
    ranked = [line.player for line in standings(tournament) if line.player in left]
    if settings.format == "robin" or not tournament.rounds:
        ranked = [who for who in tournament.draw if who in left]
    had = tournament.byes()
    # Of those with the fewest byes, the last in the standings.
    free = sorted(ranked, key=lambda who: (had[who], -ranked.index(who)))
    tables, byes = _with_byes(tournament, ranked, free)
    if _seeded_by_rating(tournament) and settings.format == "swiss":
        return _snake_order(tables), byes
    if settings.format == "robin":
        return _local_search(tables, _meeting_cost(tournament), rng), byes
    cost = _swiss_cost(tournament, [who for who in ranked if who not in byes])
    return _local_search(tables, cost, rng), byes


def _with_byes(tournament: Tournament, ranked: Sequence[str], free: Sequence[str]) -> tuple[Tables, list[str]]:
    """Seat neighbours in `ranked` together, with as few byes as possible; return the tables and the byes.

    Byes go to the first players of `free`.
    """
    for count in range(len(ranked)):
        sizes = table_sizes(len(ranked) - count, tournament.settings.sizes)
        if sizes is not None:
            byes = list(free[:count])
            playing = iter([who for who in ranked if who not in byes])
            return [[next(playing) for _seat in range(size)] for size in sizes], byes
    return [], list(ranked)


def _meeting_cost(tournament: Tournament) -> Cost:
    """Return a function for the cost of seating two players together, which is four to the number of their meetings."""
    met = tournament.meetings()
    return lambda who, other: 4 ** met[frozenset((who, other))]


def _swiss_cost(tournament: Tournament, ranked: Sequence[str]) -> Cost:
    """Return a function for the cost of seating two players together.

    Most weight has how often they have met, then the square of the difference between their groups of equal points.
    """
    met, level = tournament.meetings(), _score_groups(tournament, ranked)
    return lambda who, other: WEIGHT * met[frozenset((who, other))] + (level[who] - level[other]) ** 2


def _local_search(tables: Tables, cost: Cost, rng: Random) -> Tables:
    """Seat the same players at tables of the same sizes, at as little cost as a local search finds.

    `cost` is that of two players who sit together.
    """
    people, sizes = [who for table in tables for who in table], [len(table) for table in tables]
    number = {who: n for n, who in enumerate(people)}
    costs = [[cost(who, other) if who != other else 0 for other in people] for who in people]
    best, least = tables, None
    for attempt in range(max(2, SEARCH_BUDGET // max(1, len(people)))):
        order = list(range(len(people)))
        if attempt:
            rng.shuffle(order)
        queue = iter(order)
        seated = [[next(queue) for _seat in range(size)] for size in sizes]
        total = _descend(seated, costs)
        if least is None or total < least:
            best, least = [[people[n] for n in table] for table in seated], total
    return [sorted(table, key=lambda who: number[who]) for table in best]


def _descend(tables: list[list[int]], costs: list[list[int]]) -> int:
    """Swap players between the tables, in place, as long as that lowers the cost; return the cost that remains.

    Players are numbers, and `costs[a][b]` is the cost of seating two of them together.
    """

    def beside(who: int, table: list[int], replaced: int) -> int:
        """Return the cost of seating a player at a table where they take the place of `replaced`, perhaps their own."""
        row = costs[who]
        return sum(row[other] for other in table if other != replaced)

    better = True
    while better:
        better = False
        for n, table in enumerate(tables):
            for other in tables[:n]:
                for seat in range(len(table)):
                    for place in range(len(other)):
                        a, b = table[seat], other[place]
                        now = beside(a, table, a) + beside(b, other, b)
                        if beside(a, other, b) + beside(b, table, a) < now:
                            table[seat], other[place] = b, a
                            better = True
    return sum(costs[a][b] for table in tables for n, a in enumerate(table) for b in table[:n])


def _seat_order(tournament: Tournament, table: list[str], rng: Random) -> list[str]:
    """Return a table's players by seat: those who have sat early before sit late, and chance breaks ties."""
    early: Counter[str] = Counter()
    for group in (group for round_ in tournament.rounds for group in round_.groups):
        for seat, who in enumerate(group.players):
            early[who] += len(group.players) - 1 - 2 * seat
    order = list(table)
    rng.shuffle(order)
    return sorted(order, key=lambda who: early[who])
