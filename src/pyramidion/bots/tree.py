"""The search tree: preallocated node and edge arrays, edge selection and backup (compiled).

Every seat has its own tree; all trees share one pool. A node is an information set at which a seat decides; its edges
are the actions examined there. Several determinizations pass through a node and not every action is legal in each, so
an edge also counts how often it was available (Cowling, Powley, Whitehouse 2012).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pyramidion.engine.entries import quick_below, weighted
from pyramidion.engine.redaction import redact_bytes
from pyramidion.engine.rule import rule

NODE = np.dtype(
    [
        ("first", np.int32),  # first and last edge of a linked list
        ("last", np.int32),
        ("visits", np.int32),
        ("veiled", np.int32),  # 1 if two of its actions look the same to every other seat
    ]
)
EDGE = np.dtype(
    [
        ("action", np.int32),
        ("seat", np.int32),
        ("next", np.int32),  # next edge of the same node; -1 ends the list
        ("filled", np.int32),  # 1 once `Tree.shows` has been filled in for this edge
        ("visits", np.int32),
        ("available", np.int32),  # visits of the node in determinizations where the action was a candidate
        ("node", np.int32),
        ("unused", np.int32),  # fills the record to 64 bytes, a line of the processor's cache
        ("square", np.float64),  # sum of the squared payoffs of its seat
        ("regret", np.float64),
        ("strategy", np.float64),  # weighted sum over visits of its regret-matching probability
        ("total", np.float64),  # sum of the payoffs of its seat, as in `Tree.values`
    ],
    align=True,
)

PART, NUMERIC, FAMILY = 1, 2, 4
"""Bits of an action's kind: part of a submission; member of a numeric family; from bit 2 on, the family's index."""
NODES, EDGES = 0, 1
"""Indices into `Tree.used`."""


class Tree(NamedTuple):
    """The node pool of one search thread; all arrays are preallocated.

    `values`: float64 (edges, seats), sums of payoffs; `shows`: uint64 (edges, seats), the change in each seat's view
    (`view_sum`); `keys`, `places`: a hash table from information set to node, whose size is a power of two; `used`:
    int64[2], nodes and edges in use.
    """

    nodes: Any
    edges: Any
    values: Any
    shows: Any
    keys: Any
    places: Any
    used: Any


class Path(NamedTuple):
    """The path of one iteration, and buffers for one decision.

    Per step, `edge` is the edge taken, `chance` its probability, and `start` and `count` the slice of `seen` and
    `share` with its candidates (`count` is 0 unless regret matching chose).
    """

    edge: Any
    start: Any
    count: Any
    chance: Any
    seen: Any
    share: Any
    ids: Any
    weights: Any
    legal_ids: Any
    found: Any


class Eyes(NamedTuple):
    """The seats' observations.

    `masks`, `parties`, `submitted`: from `Layout.hiding`; `shown`, `words`: a redacted state as bytes and as words;
    `factors`: a hash factor per word; `knows`: per seat, the hash of its information set; `saw`: per seat, its last
    `view_sum`.
    """

    masks: Any
    parties: Any
    submitted: Any
    shown: Any
    words: Any
    factors: Any
    knows: Any
    saw: Any


_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_ZERO = np.uint64(0)


@rule(wraps_around=True)
def mixed(known, news):
    """Return the hash (uint64, never 0) of an information set extended by an observation (uint64)."""
    z = (known + _GOLDEN) ^ (news * _MIX2)
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    z ^= z >> _S31
    return z if z != _ZERO else _GOLDEN


@rule
def known_at_root(seat):
    """Return the hash of a seat's information set at the root."""
    return mixed(_GOLDEN, np.uint64(seat))


@rule(wraps_around=True)
def view_sum(raw, seat, eyes):
    """Return a linear hash (uint64) of a seat's view; the difference of two hashes identifies the change.

    Linearity makes the difference independent of the rest of the view: an invisible action gives 0, and the same
    visible change gives the same difference in every determinization.
    """
    redact_bytes(raw, eyes.shown, seat, eyes.masks[seat], eyes.parties, eyes.submitted)
    total = _ZERO
    for i in range(eyes.words.shape[0]):
        total += eyes.words[i] * eyes.factors[i]
    return total


@rule
def look(raw, seats, eyes):
    """Record every seat's current view."""
    for seat in range(seats):
        eyes.saw[seat] = view_sum(raw, seat, eyes)


@rule(wraps_around=True)
def notice(raw, seats, eyes):
    """Add what changed in each seat's view since `look` to that seat's information set."""
    for seat in range(seats):
        change = view_sum(raw, seat, eyes) - eyes.saw[seat]
        if change != _ZERO:
            eyes.knows[seat] = mixed(eyes.knows[seat], change)


@rule(wraps_around=True)
def note_shown(tree, node, edge, raw, seats, eyes):
    """Record how an action changed the others' views; mark the node veiled if another action looks the same."""
    new = tree.edges[edge]
    for seat in range(seats):
        tree.shows[edge, seat] = _ZERO if seat == new.seat else view_sum(raw, seat, eyes) - eyes.saw[seat]
    new.filled = 1
    other = np.int64(tree.nodes[node].first)
    while other >= 0:
        if other != edge and tree.edges[other].filled:
            alike = True
            for seat in range(seats):
                alike = alike and tree.shows[other, seat] == tree.shows[edge, seat]
            if alike:
                tree.nodes[node].veiled = 1
        other = np.int64(tree.edges[other].next)


@rule
def tell(tree, edge, seats, eyes):
    """Record the action in each seat's information set as that seat observed it; the acting seat adds its identity."""
    for seat in range(seats):
        if tree.shows[edge, seat] != _ZERO:
            eyes.knows[seat] = mixed(eyes.knows[seat], tree.shows[edge, seat])
    remember(eyes, tree.edges[edge].seat, edge)


@rule
def remember(eyes, seat, edge):
    """Add a seat's own action to its information set."""
    eyes.knows[seat] = mixed(eyes.knows[seat], np.uint64(edge + 1))


@rule
def clear_tree(tree):
    """Reset the pool to the roots, each with one visit."""
    tree.keys[:] = _ZERO
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    for seat in range(tree.values.shape[1]):
        enter(tree, reach(tree, known_at_root(seat)))


@rule
def new_node(tree):
    """Allocate a node; return -1 if the pool is full."""
    node = tree.used[NODES]
    if node == tree.nodes.shape[0]:
        return -1
    tree.used[NODES] += 1
    tree.nodes[node].first = -1
    tree.nodes[node].last = -1
    tree.nodes[node].visits = 0
    tree.nodes[node].veiled = 0
    return node


@rule
def reach(tree, key):
    """Return the node of an information set, allocating it if needed; -1 if the pool is full."""
    mask = tree.keys.shape[0] - 1
    place = np.int64(key >> np.uint64(1)) & mask
    while tree.keys[place] != _ZERO:
        if tree.keys[place] == key:
            return np.int64(tree.places[place])
        place = (place + 1) & mask
    node = new_node(tree)
    if node >= 0:
        tree.keys[place] = key
        tree.places[place] = node
    return node


@rule
def enter(tree, node):
    """Count a visit; return whether the node had been visited before, so that the descent continues."""
    if node < 0:
        return False
    tree.nodes[node].visits += 1
    return tree.nodes[node].visits > 1


@rule
def find_edges(tree, node, seat, ids, count, found):
    """Write the edges of a seat's `count` actions at a node to `found`, creating missing ones.

    Returns False if the pool is full. Candidates tend to come in the same order each time, so the search for each
    starts after the previous one.
    """
    place = tree.nodes[node]
    follows = np.int64(place.first)
    for i in range(count):
        edge, at, turned = np.int64(-1), follows, False
        while edge < 0:
            if at < 0:
                if turned or place.first < 0:
                    break
                turned = True
                at = np.int64(place.first)
            elif turned and at == follows:
                break
            if tree.edges[at].action == ids[i] and tree.edges[at].seat == seat:
                edge = at
            else:
                at = np.int64(tree.edges[at].next)
        if edge < 0:
            edge = add_edge(tree, node, seat, ids[i])
            if edge < 0:
                return False
        found[i] = edge
        follows = np.int64(tree.edges[edge].next)
    return True


@rule
def add_edge(tree, node, seat, action):
    """Allocate an edge at the end of a node's list; return -1 if the pool is full."""
    edge = tree.used[EDGES]
    if edge == tree.edges.shape[0]:
        return np.int64(-1)
    tree.used[EDGES] += 1
    new = tree.edges[edge]
    new.action = action
    new.seat = seat
    new.next = -1
    new.filled = 0
    new.visits = 0
    new.available = 0
    new.node = node
    new.square = 0.0
    new.regret = 0.0
    new.strategy = 0.0
    new.total = 0.0
    for other in range(tree.values.shape[1]):
        tree.values[edge, other] = 0.0
    place = tree.nodes[node]
    if place.first < 0:
        place.first = edge
    else:
        tree.edges[place.last].next = edge
    place.last = edge
    return np.int64(edge)


@rule
def soften(weights, count, floor):
    """Turn policy weights into priors: fourth roots keep the order but flatten the weights; then apply a floor."""
    total = 0.0
    for i in range(count):
        weights[i] = math.sqrt(math.sqrt(weights[i]))
        total += weights[i]
    scale, least = (1.0 - floor) / total, floor / count
    for i in range(count):
        weights[i] = weights[i] * scale + least


@rule
def choose_by_bound(tree, seat, priors, count, found, explore, chance):
    """Return the index in `found` of the candidate with the highest PUCT bound.

    The node's visits count for a candidate only when it was available. An unvisited candidate is valued at the node's
    mean.
    """
    visits, total = 0, 0.0
    for i in range(count):
        edge = tree.edges[found[i]]
        edge.available += 1
        visits += edge.visits
        total += edge.total
    usual = total / visits if visits > 0 else 0.5
    best, chosen, ties = -1.0, 0, 0
    for i in range(count):
        edge = tree.edges[found[i]]
        mean = edge.total / edge.visits if edge.visits > 0 else usual
        bound = mean + explore * priors[i] * math.sqrt(edge.available) / (1.0 + edge.visits)
        if bound > best:
            best, chosen, ties = bound, i, 1
        elif bound == best:
            ties += 1
            if quick_below(chance, ties) == 0:
                chosen = i
    return chosen


@rule
def choose_by_regret(tree, node, priors, count, path, step, start, gamma, chance):
    """Return the index of a candidate sampled by regret matching (Hart and Mas-Colell 2000).

    The strategy is proportional to positive regret, or to the priors while all regrets are 0. Exploration mixes in a
    uniform share that decays with visits. Records in `path` what `learn` needs.
    """
    total = 0.0
    for i in range(count):
        total += tree.edges[path.found[i]].regret
    weight = float(tree.nodes[node].visits)
    gamma /= math.sqrt(math.sqrt(1.0 + weight))
    for i in range(count):
        edge = tree.edges[path.found[i]]
        share = edge.regret / total if total > 0.0 else priors[i]
        edge.available += 1
        # Weight later strategies more: early ones are guesses.
        edge.strategy += weight * share
        path.seen[start + i] = path.found[i]
        path.share[start + i] = share
        priors[i] = (1.0 - gamma) * share + gamma / count
    chosen = weighted(priors, count, chance)
    path.start[step] = start
    path.count[step] = count
    path.chance[step] = priors[chosen]
    return chosen


@rule
def learn(tree, path, step, got):
    """Add to each candidate's regret an unbiased estimate of its payoff minus the strategy's payoff.

    Each candidate's running mean is the baseline for unsampled payoffs (a control variate: Schmid and others 2019).
    """
    taken, start, count = path.edge[step], path.start[step], path.count[step]
    seat = np.int64(tree.edges[taken].seat)
    visits, total = 0, 0.0
    for i in range(start, start + count):
        visits += tree.edges[path.seen[i]].visits
        total += tree.edges[path.seen[i]].total
    usual = total / visits if visits > 0 else got[seat]
    brought = 0.0
    for i in range(start, start + count):
        estimate = estimated(tree, path, step, path.seen[i], seat, usual, got)
        brought += path.share[i] * estimate
    for i in range(start, start + count):
        edge = path.seen[i]
        above = estimated(tree, path, step, edge, seat, usual, got) - brought
        tree.edges[edge].regret = max(0.0, tree.edges[edge].regret + above)


@rule
def estimated(tree, path, step, edge, seat, usual, got):
    """Return a candidate's estimated payoff: its mean, with an importance-weighted correction if it was taken."""
    visits = tree.edges[edge].visits
    mean = tree.edges[edge].total / visits if visits > 0 else usual
    return mean + (got[seat] - mean) / path.chance[step] if edge == path.edge[step] else mean


@rule
def back_up(tree, path, steps, got):
    """Add every seat's payoff to each edge on the path (max^n: one value per seat)."""
    for step in range(steps):
        if path.count[step]:
            learn(tree, path, step, got)
        edge = path.edge[step]
        tree.edges[edge].visits += 1
        own = got[tree.edges[edge].seat]
        tree.edges[edge].total += own
        tree.edges[edge].square += own * own
        for seat in range(tree.values.shape[1]):
            tree.values[edge, seat] += got[seat]


@rule
def index_of(ids, count, action):
    """Return an action's index in an ascending list, or -1."""
    place = np.searchsorted(ids[:count], action)
    return place if place < count and ids[place] == action else -1


@rule
def widen(tree, node, seat, path, count, legal_count, kinds, max_candidates, chance):
    """Add numeric candidates that the policy did not propose (progressive widening); return the new count.

    Candidates added earlier stay; a new one, near one of the policy's, is added as the square root of the visits grows.
    """
    picked = quick_below(chance, count)
    for _ in range(count):
        # Find a numeric candidate, starting from a random one.
        if kinds[path.ids[picked]] & NUMERIC == 0:
            picked = (picked + 1) % count
    family = kinds[path.ids[picked]]
    low, high, wide, total = np.int64(path.ids[picked]), np.int64(path.ids[picked]), 0, 0.0
    for i in range(count):
        if kinds[path.ids[i]] == family:
            low, high = min(low, np.int64(path.ids[i])), max(high, np.int64(path.ids[i]))
            wide += 1
            total += path.weights[i]
    n, visits = count, 0
    edge = np.int64(tree.nodes[node].first)
    while edge >= 0:
        visits += tree.edges[edge].visits
        action = np.int64(tree.edges[edge].action)
        added = tree.edges[edge].seat == seat and kinds[action] & NUMERIC and is_new(path.ids, count, action)
        if added and n < max_candidates and index_of(path.legal_ids, legal_count, action) >= 0:
            path.ids[n] = action
            path.weights[n] = 0.5 * total / wide
            n += 1
        edge = np.int64(tree.edges[edge].next)
    if family & NUMERIC and n < max_candidates and (n - count) * (n - count) * 16 < visits:
        step = 1 + (high - low) // wide
        action = np.int64(path.ids[picked]) + quick_below(chance, 2 * step + 1) - step
        place = index_of(path.legal_ids, legal_count, action)
        if place >= 0 and kinds[action] == family and is_new(path.ids, n, action):
            path.ids[n] = action
            path.weights[n] = 0.5 * total / wide
            n += 1
    return n


@rule
def is_new(ids, count, action):
    """Return whether an action is absent from the first `count` entries of a list."""
    found = False
    for i in range(count):
        found = found or ids[i] == action
    return not found


@rule
def without_parts(path, count, kinds):
    """Drop candidates that only save a part of a submission, unless there are no others; return the new count."""
    n = 0
    for i in range(count):
        if kinds[path.ids[i]] & PART == 0:
            path.ids[n] = path.ids[i]
            path.weights[n] = path.weights[i]
            n += 1
    return n if n > 0 else count
