"""The search tree: preallocated node and edge arrays, edge selection and backup (compiled).

Every seat has its own tree; all trees share one pool. A node is an information set at which a seat decides; its edges
are the actions examined there. Several determinizations pass through a node and not every action is legal in each, so
an edge also counts how often it was available (Cowling, Powley, Whitehouse 2012).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pyramidion.bots.information_sets import root_info_set
from pyramidion.engine.entries import quick_below, weighted
from pyramidion.engine.rule import rule

NODE = np.dtype(
    [
        ("first", np.int32),  # first and last edge of a linked list
        ("last", np.int32),
        ("visits", np.int32),
        ("ambiguous", np.int32),  # 1 if two of its actions look the same to every other seat
    ]
)
EDGE = np.dtype(
    [
        ("action", np.int32),
        ("seat", np.int32),
        ("next", np.int32),  # next edge of the same node; -1 ends the list
        ("observed", np.int32),  # 1 once `Tree.changes` has been filled in for this edge
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
    """The nodes and edges of all seats' trees in one search thread; all arrays are preallocated.

    `nodes`: NODE[nodes]; `edges`: EDGE[edges]; `values`: float64 (edges, seats), sums of payoffs; `changes`: uint64
    (edges, seats), the change in each seat's view (`information_sets.view_hash`); `hash_keys`, `hash_nodes`: a hash
    table from information set to node, whose size is a power of two; `used`: int64[2], nodes and edges in use.
    """

    nodes: Any
    edges: Any
    values: Any
    changes: Any
    hash_keys: Any
    hash_nodes: Any
    used: Any


class Path(NamedTuple):
    """The edges that one iteration takes through the tree, and buffers for the decision at hand.

    Per step, `edge` is the edge taken, `probability` its probability, and `start` and `count` the slice of `candidates`
    (edges) and `strategy` (their probabilities; `count` is 0 unless regret matching chose). For the decision at hand,
    `ids` are the candidates' actions, `weights` their weights, `edges` their edges, and `legal_ids` all legal actions.
    """

    edge: Any
    start: Any
    count: Any
    probability: Any
    candidates: Any
    strategy: Any
    ids: Any
    weights: Any
    legal_ids: Any
    edges: Any


_ZERO = np.uint64(0)


@rule
def clear_tree(tree):
    """Remove all nodes and edges from the pool but the root of each seat, which gets one visit."""
    tree.hash_keys[:] = _ZERO
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    for seat in range(tree.values.shape[1]):
        visit(tree, node_of(tree, root_info_set(seat)))


@rule
def new_node(tree):
    """Allocate a node and return its index; -1 if the pool is full."""
    node = tree.used[NODES]
    if node == tree.nodes.shape[0]:
        return -1
    tree.used[NODES] += 1
    tree.nodes[node].first = -1
    tree.nodes[node].last = -1
    tree.nodes[node].visits = 0
    tree.nodes[node].ambiguous = 0
    return node


@rule
def node_of(tree, key):
    """Return the index of an information set's node, allocating it if needed; -1 if the pool is full.

    `key` is the hash of the information set.
    """
    mask = tree.hash_keys.shape[0] - 1
    slot = np.int64(key >> np.uint64(1)) & mask
    while tree.hash_keys[slot] != _ZERO:
        if tree.hash_keys[slot] == key:
            return np.int64(tree.hash_nodes[slot])
        slot = (slot + 1) & mask
    node = new_node(tree)
    if node >= 0:
        tree.hash_keys[slot] = key
        tree.hash_nodes[slot] = node
    return node


@rule
def visit(tree, node):
    """Count a visit to a node; return whether it had been visited before, so that the descent continues."""
    if node < 0:
        return False
    tree.nodes[node].visits += 1
    return tree.nodes[node].visits > 1


@rule
def find_edges(tree, node, seat, ids, count, edges):
    """Write the edges of a seat's `count` actions at a node to `edges`, creating missing ones.

    Returns False if the pool is full. Candidates tend to come in the same order each time, so the search for each
    starts after the previous one.
    """
    entry = tree.nodes[node]
    follows = np.int64(entry.first)
    for i in range(count):
        edge, candidate, turned = np.int64(-1), follows, False
        while edge < 0:
            if candidate < 0:
                if turned or entry.first < 0:
                    break
                turned = True
                candidate = np.int64(entry.first)
            elif turned and candidate == follows:
                break
            if tree.edges[candidate].action == ids[i] and tree.edges[candidate].seat == seat:
                edge = candidate
            else:
                candidate = np.int64(tree.edges[candidate].next)
        if edge < 0:
            edge = add_edge(tree, node, seat, ids[i])
            if edge < 0:
                return False
        edges[i] = edge
        follows = np.int64(tree.edges[edge].next)
    return True


@rule
def add_edge(tree, node, seat, action):
    """Allocate an edge at the end of a node's list, and return its index; -1 if the pool is full."""
    edge = tree.used[EDGES]
    if edge == tree.edges.shape[0]:
        return np.int64(-1)
    tree.used[EDGES] += 1
    new = tree.edges[edge]
    new.action = action
    new.seat = seat
    new.next = -1
    new.observed = 0
    new.visits = 0
    new.available = 0
    new.node = node
    new.square = 0.0
    new.regret = 0.0
    new.strategy = 0.0
    new.total = 0.0
    for other in range(tree.values.shape[1]):
        tree.values[edge, other] = 0.0
    entry = tree.nodes[node]
    if entry.first < 0:
        entry.first = edge
    else:
        tree.edges[entry.last].next = edge
    entry.last = edge
    return np.int64(edge)


@rule
def flatten_priors(weights, count, floor):
    """Turn policy weights into priors: fourth roots keep the order but flatten the weights; then apply a floor."""
    total = 0.0
    for i in range(count):
        weights[i] = math.sqrt(math.sqrt(weights[i]))
        total += weights[i]
    scale, least = (1.0 - floor) / total, floor / count
    for i in range(count):
        weights[i] = weights[i] * scale + least


@rule
def choose_by_puct(tree, seat, priors, count, edges, explore, chance):
    """Return the index in `edges` of the candidate with the highest PUCT bound (Rosin 2011; Silver and others 2017).

    The node's visits count for a candidate only when it was available. An unvisited candidate is valued at the node's
    mean.
    """
    visits, total = 0, 0.0
    for i in range(count):
        edge = tree.edges[edges[i]]
        edge.available += 1
        visits += edge.visits
        total += edge.total
    baseline = total / visits if visits > 0 else 0.5
    best, chosen, ties = -1.0, 0, 0
    for i in range(count):
        edge = tree.edges[edges[i]]
        mean = edge.total / edge.visits if edge.visits > 0 else baseline
        bound = mean + explore * priors[i] * math.sqrt(edge.available) / (1.0 + edge.visits)
        if bound > best:
            best, chosen, ties = bound, i, 1
        elif bound == best:
            ties += 1
            if quick_below(chance, ties) == 0:
                chosen = i
    return chosen


@rule
def choose_by_regret_matching(tree, node, priors, count, path, step, start, gamma, chance):
    """Return the index of a candidate sampled by regret matching (Hart and Mas-Colell 2000).

    The strategy is proportional to positive regret, or to the priors while all regrets are 0. Exploration mixes in a
    uniform share that decays with visits. Records in `path` what `update_regrets` needs.
    """
    total = 0.0
    for i in range(count):
        total += tree.edges[path.edges[i]].regret
    weight = float(tree.nodes[node].visits)
    gamma /= math.sqrt(math.sqrt(1.0 + weight))
    for i in range(count):
        edge = tree.edges[path.edges[i]]
        probability = edge.regret / total if total > 0.0 else priors[i]
        edge.available += 1
        # Weight later strategies more: early ones are guesses.
        edge.strategy += weight * probability
        path.candidates[start + i] = path.edges[i]
        path.strategy[start + i] = probability
        priors[i] = (1.0 - gamma) * probability + gamma / count
    chosen = weighted(priors, count, chance)
    path.start[step] = start
    path.count[step] = count
    path.probability[step] = priors[chosen]
    return chosen


@rule
def update_regrets(tree, path, step, payoffs):
    """Add to each candidate's regret an unbiased estimate of its payoff minus the strategy's payoff.

    Each candidate's running mean is the baseline for unsampled payoffs (a control variate: Schmid and others 2019).
    """
    taken_edge, start, count = path.edge[step], path.start[step], path.count[step]
    seat = np.int64(tree.edges[taken_edge].seat)
    visits, total = 0, 0.0
    for i in range(start, start + count):
        visits += tree.edges[path.candidates[i]].visits
        total += tree.edges[path.candidates[i]].total
    baseline = total / visits if visits > 0 else payoffs[seat]
    strategy_value = 0.0
    for i in range(start, start + count):
        estimate = estimated_payoff(tree, path, step, path.candidates[i], seat, baseline, payoffs)
        strategy_value += path.strategy[i] * estimate
    for i in range(start, start + count):
        edge = path.candidates[i]
        advantage = estimated_payoff(tree, path, step, edge, seat, baseline, payoffs) - strategy_value
        tree.edges[edge].regret = max(0.0, tree.edges[edge].regret + advantage)


@rule
def estimated_payoff(tree, path, step, edge, seat, baseline, payoffs):
    """Return a candidate's estimated payoff: its mean, with an importance-weighted correction if it was taken."""
    visits = tree.edges[edge].visits
    mean = tree.edges[edge].total / visits if visits > 0 else baseline
    return mean + (payoffs[seat] - mean) / path.probability[step] if edge == path.edge[step] else mean


@rule
def back_up(tree, path, steps, payoffs):
    """Add every seat's payoff to each edge on the path (max^n: one value per seat)."""
    for step in range(steps):
        if path.count[step]:
            update_regrets(tree, path, step, payoffs)
        edge = path.edge[step]
        tree.edges[edge].visits += 1
        own = payoffs[tree.edges[edge].seat]
        tree.edges[edge].total += own
        tree.edges[edge].square += own * own
        for seat in range(tree.values.shape[1]):
            tree.values[edge, seat] += payoffs[seat]


@rule
def index_of(ids, count, action):
    """Return an action's index in the first `count` entries of an ascending list of ids, or -1."""
    index = np.searchsorted(ids[:count], action)
    return index if index < count and ids[index] == action else -1


@rule
def widen(tree, node, seat, path, count, legal_count, kinds, max_candidates, chance):
    """Add numeric candidates that the policy did not propose (progressive widening: Coulom 2007); return the new count.

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
        index = index_of(path.legal_ids, legal_count, action)
        if index >= 0 and kinds[action] == family and is_new(path.ids, n, action):
            path.ids[n] = action
            path.weights[n] = 0.5 * total / wide
            n += 1
    return n


@rule
def is_new(ids, count, action):
    """Return whether an action is absent from the first `count` entries of a list."""
    is_present = False
    for i in range(count):
        is_present = is_present or ids[i] == action
    return not is_present


@rule
def without_parts(path, count, kinds):
    """Drop candidates in `path` that only save part of a submission, if there are others; return the new count."""
    n = 0
    for i in range(count):
        if kinds[path.ids[i]] & PART == 0:
            path.ids[n] = path.ids[i]
            path.weights[n] = path.weights[i]
            n += 1
    return n if n > 0 else count
