"""What is chosen in the tree, from which candidates, and what is learned from how it went.

Three ways to choose: by upper bounds, which looks for the best answer to whatever the others do; by regret matching,
where a few seats decide at once and none is to be foreseen; by a policy that leans, for the others in a crowd.
"""

from __future__ import annotations

import math

import numpy as np

from pyramidion.bots.tree import NUMERIC, PART
from pyramidion.engine.entries import quick_below, weighted
from pyramidion.engine.rule import rule


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
def choose_by_leaning(tree, seat, weights, count, found, leaning, chance):
    """The candidate that a policy draws that leans towards what has brought more: weights times exp(advantage).

    The best policy not too far from the given one (piKL: Jacob and others 2022). An advantage counts the less, the
    fewer visits it is known from.
    """
    visits, total = 0, 0.0
    for i in range(count):
        edge = tree.edges[found[i]]
        edge.available += 1
        visits += edge.visits
        total += tree.values[found[i], seat]
    if visits > 0:
        usual = total / visits
        for i in range(count):
            n = tree.edges[found[i]].visits
            above = tree.values[found[i], seat] - n * usual
            weights[i] *= math.exp(leaning * above / (n + 30.0))
    return weighted(weights, count, chance)


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
