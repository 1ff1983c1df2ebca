"""The compiled search loop, closed over one game's rules and mind."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.bots.information_sets import (
    add_action,
    add_own_action,
    add_view_changes,
    record_changes,
    record_views,
    root_info_set,
)
from pyramidion.bots.learned_policy import policy_rule
from pyramidion.bots.tree import (
    NUMERIC,
    PART,
    back_up,
    choose_by_puct,
    choose_by_regret_matching,
    clear_tree,
    find_edges,
    flatten_priors,
    node_of,
    visit,
    widen,
    without_parts,
)
from pyramidion.engine.entries import quick_below, weighted
from pyramidion.engine.rule import rule

MAX_PARTS = 24
"""Maximum number of parts of one submission in the tree; after that the search confirms it."""
MAX_CANDIDATES = 1024
"""Maximum number of candidates per decision."""
MAX_MIXING = 3
"""Maximum number of simultaneous deciders that all use the tree; with more, only the observer does."""

# Indices into `plan` (int64) and `tuning` (float64), the search parameters.
OBSERVER, ITERATIONS, LIMIT, BY_POLICY = range(4)
EXPLORE, FLOOR, GAMMA, FADE, FACTOR, SHIFT, EVEN = range(7)


@rule
def lowest(mask):
    """Return the lowest seat in a non-zero bitmask."""
    seat = 0
    while (mask >> seat) & 1 == 0:
        seat += 1
    return seat


@rule
def due_mask(s):
    """Return the bitmask of seats that still have to decide."""
    return np.int64(s.acting) & ~np.int64(s.submitted) if s.over == 0 else np.int64(0)


@rule
def choose_edge(tree, node, seat, count, path, steps, candidates_used, regretting, tuning, chance):
    """Choose one of the first `count` candidates in `path` for a seat at a node, and return its index.

    Its edge is recorded as step `steps` of the path. Returns -1 if there is no room left for this decision.
    """
    if steps >= path.edge.shape[0] or candidates_used + count > path.candidates.shape[0]:
        return -1
    if not find_edges(tree, node, seat, path.ids, count, path.edges):
        return -1
    # Fade the policy's prior as visits grow, so that the search also tries what the policy dislikes.
    visits = tree.nodes[node].visits
    flatten_priors(path.weights, count, max(tuning[FLOOR], visits / (visits + tuning[FADE])))
    path.count[steps] = 0
    if regretting:
        chosen = choose_by_regret_matching(
            tree, node, path.weights, count, path, steps, candidates_used, tuning[GAMMA], chance
        )
    else:
        chosen = choose_by_puct(tree, seat, path.weights, count, path.edges, tuning[EXPLORE], chance)
    path.edge[steps] = path.edges[chosen]
    return chosen


@rule
def scale_payoffs(s, payoffs, ended, tuning):
    """Scale each seat's payoff in place to 0..1; a game that did not end within the limit counts as a draw."""
    for seat in range(s.seats):
        payoffs[seat] = tuning[SHIFT] + tuning[FACTOR] * (payoffs[seat] if ended else tuning[EVEN])


@rule
def is_simultaneous(s):
    """Return whether several seats decide simultaneously, including those that have already submitted."""
    return np.int64(s.acting) & (np.int64(s.acting) - 1) != 0


@rule
def is_crowded(s):
    """Return whether too many seats decide simultaneously for all of them to use the tree."""
    acting, count = np.int64(s.acting), 0
    while acting:
        acting &= acting - 1
        count += 1
    return count > MAX_MIXING


@rule
def no_prospects(box, s, out):
    """Return False, for no known payoffs: the default for games without `prospects`, which are played out."""
    return False


def make_same_policy(choose: Any) -> Any:
    """Return a rule that proposes the other seats' actions by the searching seat's `choose`, ignoring habits."""

    @rule
    def others(box, s, seat, ids, weights, learned, habits):
        """Write another seat's candidate actions and their weights; return how many there are."""
        return choose(box, s, seat, ids, weights, learned)

    return others


def make_habit_policy(habitual_policy: Any) -> Any:
    """Return a rule that proposes the other seats' actions by their habits."""

    @rule
    def others(box, s, seat, ids, weights, learned, habits):
        """Write another seat's candidate actions and their weights by its habits; return how many there are."""
        return habitual_policy(box, s, seat, ids, weights, habits)

    return others


def make_determinize(redeal: Any) -> Any:
    """Return a rule that samples determinizations by the game's own `redeal`, and ignores habits."""

    @rule
    def determinize(box, s, seat, chance, habits):
        """Fill in, in place, what the seat does not know of the state."""
        redeal(box, s, seat, chance)

    return determinize


def make_search(rules: Any, mind: Any, with_policy: bool = False, with_habits: bool = False) -> Any:
    """Return the compiled search function for one game.

    One made `with_policy` plays by the learned policy that it is given instead of the game's own. One made
    `with_habits` expects the other seats to follow those that it is given, and looks for the best response.
    """
    legal, apply, payoff = rules.legal, rules.apply, rules.payoff
    choose = policy_rule(mind, with_policy)
    others = make_habit_policy(mind.habitual_policy) if with_habits else make_same_policy(choose)
    determinize = mind.habitual_redeal if with_habits else make_determinize(mind.redeal)
    judge = mind.prospects if hasattr(mind, "prospects") else no_prospects

    @rule
    def entry(
        boxes, states, raw, root, plan, tuning, kinds, tree, path, observations, learned, habits, world, chance,
        payoffs, totals,
    ):  # fmt: skip
        """Run `plan[ITERATIONS]` iterations from the redacted state `root`, and add up the payoffs in `totals`.

        `root` (uint8) is the redacted state; `raw` is the memory of `states`, which holds the current determinization.
        `world` (uint64[4]) is the generator for determinizations, `chance` (uint64[1]) the one for choices. `payoffs`
        (float64[seats]) receives payoffs. `totals` (float64[seats + 1]) accumulates payoffs and counts iterations.
        `learned` (`learned_policy.PolicyArrays`) and `habits` (the game's `Habits`) are ignored by searches that are
        not made for them.
        """
        box, s = boxes[0], states[0]
        observer, by_policy = plan[OBSERVER], plan[BY_POLICY] != 0
        seats = tree.values.shape[1]
        if tree.used[0] == 0:
            clear_tree(tree)
        for _ in range(plan[ITERATIONS]):
            for i in range(raw.shape[0]):
                raw[i] = root[i]
            determinize(box, s, observer, world, habits)
            # An observer who is free to act but not due moves first at the root; below it only due seats move.
            unasked = observer >= 0 and (due_mask(s) >> observer) & 1 == 0 and (np.int64(s.free) >> observer) & 1 == 1
            for p in range(seats):
                observations.info_sets[p] = root_info_set(p)
            # `todo`: simultaneous deciders who have not decided yet; none of them sees the others' decisions.
            # `strayed`: this seat's submission has left its tree. `fresh`: one of these seats reached a new node.
            in_tree, todo, parts, strayed, fresh, crowd = True, 0, 0, False, False, False
            steps, candidates_used, plies, seat, judged = 0, 0, 0, 0, False
            while s.over == 0 and plies < plan[LIMIT]:
                # If the game can compute expected payoffs, use them: this removes the variance of future chance.
                judged = by_policy and not in_tree and judge(box, s, payoffs)
                if judged:
                    break
                due = due_mask(s)
                if plies == 0 and unasked:
                    seat = observer
                elif due == 0:
                    break
                else:
                    if in_tree and todo == 0 and is_simultaneous(s):
                        todo, parts, strayed, fresh, crowd = due, 0, False, False, with_habits or is_crowded(s)
                        record_views(raw, seats, observations)
                    seat = lowest(todo if todo else due)
                node = -1
                if in_tree and not strayed and (todo == 0 or not crowd or seat == observer):
                    node = node_of(tree, observations.info_sets[seat])
                    if not visit(tree, node):
                        node, strayed, fresh, in_tree = -1, True, True, todo != 0
                looking = node >= 0
                count, legal_count, chosen, edge = 0, 0, -1, -1
                if looking or by_policy:
                    if with_habits and seat != observer:
                        count = others(box, s, seat, path.ids, path.weights, learned, habits)
                    else:
                        count = choose(box, s, seat, path.ids, path.weights, learned)
                if count == 0 or (looking and (kinds[path.ids[0]] | kinds[path.ids[count - 1]]) & NUMERIC):
                    legal_count = legal(box, s, seat, path.legal_ids)
                if looking:
                    if count == 0:
                        count = min(legal_count, MAX_CANDIDATES)
                        for i in range(count):
                            path.ids[i] = path.legal_ids[i]
                            path.weights[i] = 1.0
                    elif legal_count > 0:
                        count = widen(tree, node, seat, path, count, legal_count, kinds, MAX_CANDIDATES, chance)
                    if parts >= MAX_PARTS:
                        count = without_parts(path, count, kinds)
                    mixing = (todo != 0 and not crowd) or tree.nodes[node].ambiguous != 0
                    chosen = choose_edge(tree, node, seat, count, path, steps, candidates_used, mixing, tuning, chance)
                    strayed = chosen < 0
                    fresh = fresh or strayed
                if chosen >= 0:
                    edge = path.edge[steps]
                    candidates_used += path.count[steps]
                    steps += 1
                    if todo == 0 and tree.edges[edge].observed == 0:
                        record_views(raw, seats, observations)
                    action = path.ids[chosen]
                elif count > 0:
                    action = path.ids[weighted(path.weights, count, chance)]
                else:
                    action = path.legal_ids[quick_below(chance, legal_count)]
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
                plies += 1
                if todo:
                    if edge >= 0:
                        add_own_action(observations, seat, edge)
                    left = due_mask(s)
                    if kinds[action] & PART or (left == due and due & (due - 1) != 0):
                        parts += 1
                        continue
                    todo &= left & ~(1 << seat)
                    parts, strayed = 0, False
                    if todo == 0:
                        add_view_changes(raw, seats, observations)
                        in_tree = not fresh
                elif edge >= 0:
                    if tree.edges[edge].observed == 0:
                        record_changes(tree, node, edge, raw, seats, observations)
                    add_action(tree, edge, seats, observations)
                else:
                    in_tree = False
            if s.over:
                payoff(box, s, payoffs)
            scale_payoffs(s, payoffs, s.over != 0 or judged, tuning)
            back_up(tree, path, steps, payoffs)
            for p in range(s.seats):
                totals[p] += payoffs[p]
            totals[s.seats] += 1.0

    return entry
