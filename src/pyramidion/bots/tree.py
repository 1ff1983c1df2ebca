"""The tree of a search: nodes and edges in arrays laid out beforehand, and how one edge is chosen (compiled).

Every seat has a tree of its own, all in one pool. A node is what has come to a seat's knowledge when it is to decide;
its edges are the actions looked at there. Several worlds pass through a node, and not every action is legal in each of
them, so an edge counts how often it was there to be chosen as well (Cowling, Powley, Whitehouse 2012).
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
        ("first", np.int32),  # edges, a list
        ("last", np.int32),
        ("visits", np.int32),
        ("veiled", np.int32),  # 1 if nobody else can tell all its actions apart
    ]
)
EDGE = np.dtype(
    [
        ("action", np.int32),
        ("seat", np.int32),
        ("next", np.int32),  # of the same node; -1 ends the list
        ("told", np.int32),  # 1 once it is known what it shows to whom
        ("visits", np.int32),
        ("available", np.int32),  # visits of the node in worlds where the action was there
        ("regret", np.float64),
        ("strategy", np.float64),  # sum over visits of how likely regret matching made it
    ],
    align=True,
)

PART, NUMERIC, FAMILY = 1, 2, 4
"""Bits of an action's kind: it saves a part of a submission; it is one of a family of numbers; from 4 on: which one."""
NODES, EDGES = 0, 1
"""Places in `Tree.used`."""


class Tree(NamedTuple):
    """The pool of one search on one thread; every array has its length from the beginning.

    `values`: float64 (edges, seats), sums of what came of each edge; `shows`: uint64 (edges, seats), how an action
    changes what each seat sees; `keys`, `places`: the table from what a seat knows to its node, as long as a power of
    two; `used`: int64[2], nodes and edges in use.
    """

    nodes: Any
    edges: Any
    values: Any
    shows: Any
    keys: Any
    places: Any
    used: Any


class Path(NamedTuple):
    """What one iteration remembers of its way down, and buffers for one decision.

    `edge`, `start`, `count`, `chance` per step: the edge taken; where its candidates begin in `seen` and `share`, and
    how many there are (0 unless regret matching chose); how likely the edge was to be taken.
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
    """What seats see: `Layout.hiding`, memory for a redacted state (bytes and words), a factor for each word; and per
    seat what it has come to know (`knows`, a hash) and what it saw before (`saw`, a `view_sum`).
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
    """What a seat knows (a hash, uint64, never 0) after some news (uint64)."""
    z = (known + _GOLDEN) ^ (news * _MIX2)
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    z ^= z >> _S31
    return z if z != _ZERO else _GOLDEN


@rule
def known_at_root(seat):
    """What a seat knows when the search begins: where its tree has its root."""
    return mixed(_GOLDEN, np.uint64(seat))


@rule(wraps_around=True)
def view_sum(raw, seat, eyes):
    """A linear hash (uint64) of what a seat sees: the difference of two says what changed before its eyes.

    Being linear, the difference does not depend on what else there is to see: an action that shows nothing gives 0, and
    one that shows the same gives the same, in every world.
    """
    redact_bytes(raw, eyes.shown, seat, eyes.masks[seat], eyes.parties, eyes.submitted)
    total = _ZERO
    for i in range(eyes.words.shape[0]):
        total += eyes.words[i] * eyes.factors[i]
    return total


@rule
def look(raw, seats, eyes):
    """Note what every seat sees."""
    for seat in range(seats):
        eyes.saw[seat] = view_sum(raw, seat, eyes)


@rule(wraps_around=True)
def notice(raw, seats, eyes):
    """Every seat comes to know what has changed before its eyes since `look`."""
    for seat in range(seats):
        change = view_sum(raw, seat, eyes) - eyes.saw[seat]
        if change != _ZERO:
            eyes.knows[seat] = mixed(eyes.knows[seat], change)


@rule(wraps_around=True)
def note_shown(tree, node, edge, raw, seats, eyes):
    """Note how an action changed what the others see, and whether another of its node looks the same to all of them."""
    new = tree.edges[edge]
    for seat in range(seats):
        tree.shows[edge, seat] = _ZERO if seat == new.seat else view_sum(raw, seat, eyes) - eyes.saw[seat]
    new.told = 1
    other = np.int64(tree.nodes[node].first)
    while other >= 0:
        if other != edge and tree.edges[other].told:
            alike = True
            for seat in range(seats):
                alike = alike and tree.shows[other, seat] == tree.shows[edge, seat]
            if alike:
                tree.nodes[node].veiled = 1
        other = np.int64(tree.edges[other].next)


@rule
def tell(tree, edge, seats, eyes):
    """Every seat comes to know of an action what it sees of it; the one that took it knows which it was."""
    for seat in range(seats):
        if tree.shows[edge, seat] != _ZERO:
            eyes.knows[seat] = mixed(eyes.knows[seat], tree.shows[edge, seat])
    remember(eyes, tree.edges[edge].seat, edge)


@rule
def remember(eyes, seat, edge):
    """A seat knows what it did itself."""
    eyes.knows[seat] = mixed(eyes.knows[seat], np.uint64(edge + 1))


@rule
def clear_tree(tree):
    """Leave nothing in the pool but the roots, which count as visited."""
    tree.keys[:] = _ZERO
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    for seat in range(tree.values.shape[1]):
        enter(tree, reach(tree, known_at_root(seat)))


@rule
def new_node(tree):
    """Take a node from the pool; -1 if none is left."""
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
    """The node of a seat that knows so much, which may be a new one; -1 if none is left."""
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
    """Count a visit; return whether the node has been visited before, so that the tree goes on below it."""
    if node < 0:
        return False
    tree.nodes[node].visits += 1
    return tree.nodes[node].visits > 1


@rule
def find_edges(tree, node, seat, ids, count, found):
    """Write to `found` the edges of a seat's `count` actions at a node, new ones where need be.

    Return False when the pool has no room for one. Candidates come in much the same order each time, so each is looked
    for behind the one before it first.
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
            edge = tree.used[EDGES]
            if edge == tree.edges.shape[0]:
                return False
            tree.used[EDGES] += 1
            new = tree.edges[edge]
            new.action = ids[i]
            new.seat = seat
            new.next = -1
            new.told = 0
            new.visits = 0
            new.available = 0
            new.regret = 0.0
            new.strategy = 0.0
            for other in range(tree.values.shape[1]):
                tree.values[edge, other] = 0.0
            if place.first < 0:
                place.first = edge
            else:
                tree.edges[place.last].next = edge
            place.last = edge
        found[i] = edge
        follows = np.int64(tree.edges[edge].next)
    return True


@rule
def soften(weights, count, floor):
    """Turn a policy's weights into priors: fourth roots, which leave the order and not the certainty, and a floor."""
    total = 0.0
    for i in range(count):
        weights[i] = math.sqrt(math.sqrt(weights[i]))
        total += weights[i]
    scale, least = (1.0 - floor) / total, floor / count
    for i in range(count):
        weights[i] = weights[i] * scale + least


@rule
def choose_by_bound(tree, seat, priors, count, found, explore, chance):
    """The candidate (its place in `found`) of the highest upper bound: PUCT, with visits of the node counted for each
    candidate only where it was available. A candidate never tried counts as worth what the seat gets at the node.
    """
    visits, total = 0, 0.0
    for i in range(count):
        edge = tree.edges[found[i]]
        edge.available += 1
        visits += edge.visits
        total += tree.values[found[i], seat]
    usual = total / visits if visits > 0 else 0.5
    best, chosen, ties = -1.0, 0, 0
    for i in range(count):
        edge = tree.edges[found[i]]
        mean = tree.values[found[i], seat] / edge.visits if edge.visits > 0 else usual
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
    """The candidate that regret matching draws (Hart and Mas-Colell 2000).

    What is not regretted is not played; before anything is regretted the priors are. Any candidate is tried now and
    then, ever more rarely. Notes in `path` what `learn` needs.
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
        # Late strategies count for more: the first ones were guesses.
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
    """Regret not having chosen otherwise: add to each candidate's regret an unbiased estimate of what it would have
    brought its seat above what the strategy brought.

    The mean of each candidate so far stands in for what was not seen (a control variate: Schmid and others 2019).
    """
    taken, start, count = path.edge[step], path.start[step], path.count[step]
    seat = np.int64(tree.edges[taken].seat)
    visits, total = 0, 0.0
    for i in range(start, start + count):
        visits += tree.edges[path.seen[i]].visits
        total += tree.values[path.seen[i], seat]
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
    """What a candidate would have brought: its mean, set right by what was seen if it was taken."""
    visits = tree.edges[edge].visits
    mean = tree.values[edge, seat] / visits if visits > 0 else usual
    return mean + (got[seat] - mean) / path.chance[step] if edge == path.edge[step] else mean


@rule
def back_up(tree, path, steps, got):
    """Credit every edge of the way down with what each seat got (max^n: one value per seat)."""
    for step in range(steps):
        if path.count[step]:
            learn(tree, path, step, got)
        edge = path.edge[step]
        tree.edges[edge].visits += 1
        for seat in range(tree.values.shape[1]):
            tree.values[edge, seat] += got[seat]


@rule
def index_of(ids, count, action):
    """Where an action stands in an ascending list, or -1."""
    place = np.searchsorted(ids[:count], action)
    return place if place < count and ids[place] == action else -1


@rule
def widen(tree, node, seat, path, count, legal_count, kinds, most, chance):
    """Add to `count` candidates numbers that the policy did not think of; return how many there are then.

    Those already looked at stay; a new one, near one of the policy's, comes as the root of the visits grows.
    """
    picked = quick_below(chance, count)
    for _ in range(count):
        # One of the numbers, and how far apart those of its family are.
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
        if added and n < most and index_of(path.legal_ids, legal_count, action) >= 0:
            path.ids[n] = action
            path.weights[n] = 0.5 * total / wide
            n += 1
        edge = np.int64(tree.edges[edge].next)
    if family & NUMERIC and n < most and (n - count) * (n - count) * 16 < visits:
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
    """Whether an action is not among the first `count` of a list."""
    found = False
    for i in range(count):
        found = found or ids[i] == action
    return not found


@rule
def without_parts(path, count, kinds):
    """Keep only candidates that end a submission, if there are any; return how many are left."""
    n = 0
    for i in range(count):
        if kinds[path.ids[i]] & PART == 0:
            path.ids[n] = path.ids[i]
            path.weights[n] = path.weights[i]
            n += 1
    return n if n > 0 else count
