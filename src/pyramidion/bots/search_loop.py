"""The compiled search loop, closed over one game's rules and mind."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.bots.learned_policy import policy_rule
from pyramidion.bots.tree import (
    NUMERIC,
    PART,
    back_up,
    choose_by_bound,
    choose_by_regret,
    clear_tree,
    enter,
    find_edges,
    known_at_root,
    look,
    note_shown,
    notice,
    reach,
    remember,
    soften,
    tell,
    widen,
    without_parts,
)
from pyramidion.engine.entries import quick_below, weighted
from pyramidion.engine.rule import rule

MOST_PARTS = 24
"""Maximum number of parts of one submission in the tree; after that the search confirms it."""
MOST_CANDIDATES = 1024
"""Maximum number of candidates per decision."""
MOST_MIXING = 3
"""Maximum number of simultaneous deciders that all use the tree; with more, only the observer does."""

# Indices into `plan` (int64) and `tuning` (float64), the search parameters.
OBSERVER, ITERATIONS, LIMIT, BY_POLICY, SIGNED = range(5)
EXPLORE, FLOOR, GAMMA, FADE = range(4)


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
def choose_edge(tree, node, seat, count, path, steps, seen, regretting, tuning, chance):
    """Choose among the candidates in `path`, record the edge as step `steps`, and return the candidate's index.

    Returns -1 if there is no room left for this decision.
    """
    if steps >= path.edge.shape[0] or seen + count > path.seen.shape[0]:
        return -1
    if not find_edges(tree, node, seat, path.ids, count, path.found):
        return -1
    # Fade the policy's prior as visits grow, so that the search also tries what the policy dislikes.
    visits = tree.nodes[node].visits
    soften(path.weights, count, max(tuning[FLOOR], visits / (visits + tuning[FADE])))
    path.count[steps] = 0
    if regretting:
        chosen = choose_by_regret(tree, node, path.weights, count, path, steps, seen, tuning[GAMMA], chance)
    else:
        chosen = choose_by_bound(tree, seat, path.weights, count, path.found, tuning[EXPLORE], chance)
    path.edge[steps] = path.found[chosen]
    return chosen


@rule
def scale_payoffs(s, got, ended, signed):
    """Scale payoffs to 0..1 per seat; a game that did not end within the limit counts as a draw."""
    for seat in range(s.seats):
        if not ended:
            got[seat] = 0.5 if signed else 1.0 / int(s.seats)
        elif signed:
            got[seat] = 0.5 + 0.5 * got[seat]


@rule
def several(s):
    """Return whether several seats decide simultaneously, including those that have already submitted."""
    return np.int64(s.acting) & (np.int64(s.acting) - 1) != 0


@rule
def crowded(s):
    """Return whether too many seats decide simultaneously for all of them to use the tree."""
    asked, n = np.int64(s.acting), 0
    while asked:
        asked &= asked - 1
        n += 1
    return n > MOST_MIXING


@rule
def cannot_say(box, s, out):
    """Return False: the default judge, with which every game is played out to the end."""
    return False


def make_others(choose: Any) -> Any:
    """Return a rule by which the other seats choose as the searching one does, whatever their habits."""

    @rule
    def others(box, s, seat, ids, weights, taught, habits):
        return choose(box, s, seat, ids, weights, taught)

    return others


def make_habitual(searchers: Any) -> Any:
    """Return a rule by which the other seats follow their habits."""

    @rule
    def others(box, s, seat, ids, weights, taught, habits):
        return searchers(box, s, seat, ids, weights, habits)

    return others


def make_deal(redeal: Any) -> Any:
    """Return a rule that deals as a game's own `redeal`, whatever the habits."""

    @rule
    def deal(box, s, seat, chance, habits):
        redeal(box, s, seat, chance)

    return deal


def make_search(rules: Any, mind: Any, with_policy: bool = False, with_habits: bool = False) -> Any:
    """Return the compiled search function for one game.

    One made `with_policy` plays by the learned policy that it is given instead of the game's own. One made
    `with_habits` expects the other seats to follow those that it is given, and looks for the best response.
    """
    legal, apply, payoff = rules.legal, rules.apply, rules.payoff
    choose = policy_rule(mind, with_policy)
    others = make_habitual(mind.searchers) if with_habits else make_others(choose)
    deal = mind.deal_searchers if with_habits else make_deal(mind.redeal)
    judge = mind.prospects if hasattr(mind, "prospects") else cannot_say

    @rule
    def entry(
        boxes, states, raw, root, plan, tuning, kinds, tree, path, eyes, taught, habits, world, chance, got, totals
    ):
        """Run `plan[ITERATIONS]` iterations.

        `root` (uint8) is the redacted state; `raw` is the memory of `states`, which holds the current determinization.
        `world` (uint64[4]) is the generator for determinizations, `chance` (uint64[1]) the one for choices. `got`
        (float64[seats]) receives payoffs. `totals` (float64[seats + 1]) accumulates payoffs and counts iterations.
        `taught` (`learned_policy.Taught`) and `habits` (the game's `Habits`) are ignored by searches that are not made
        for them.
        """
        box, s = boxes[0], states[0]
        observer, by_policy = plan[OBSERVER], plan[BY_POLICY] != 0
        seats = tree.values.shape[1]
        if tree.used[0] == 0:
            clear_tree(tree)
        for _ in range(plan[ITERATIONS]):
            for i in range(raw.shape[0]):
                raw[i] = root[i]
            deal(box, s, observer, world, habits)
            # An observer who is free to act but not due moves first at the root; below it only due seats move.
            unasked = observer >= 0 and (due_mask(s) >> observer) & 1 == 0 and (np.int64(s.free) >> observer) & 1 == 1
            for p in range(seats):
                eyes.knows[p] = known_at_root(p)
            # `todo`: simultaneous deciders who have not decided yet; none of them sees the others' decisions.
            # `strayed`: this seat's submission has left its tree. `fresh`: one of these seats reached a new node.
            in_tree, todo, parts, strayed, fresh, crowd = True, 0, 0, False, False, False
            steps, seen, plies, seat, judged = 0, 0, 0, 0, False
            while s.over == 0 and plies < plan[LIMIT]:
                # If the game can compute expected payoffs, use them: this removes the variance of future chance.
                judged = by_policy and not in_tree and judge(box, s, got)
                if judged:
                    break
                due = due_mask(s)
                if plies == 0 and unasked:
                    seat = observer
                elif due == 0:
                    break
                else:
                    if in_tree and todo == 0 and several(s):
                        todo, parts, strayed, fresh, crowd = due, 0, False, False, with_habits or crowded(s)
                        look(raw, seats, eyes)
                    seat = lowest(todo if todo else due)
                node = -1
                if in_tree and not strayed and (todo == 0 or not crowd or seat == observer):
                    node = reach(tree, eyes.knows[seat])
                    if not enter(tree, node):
                        node, strayed, fresh, in_tree = -1, True, True, todo != 0
                looking = node >= 0
                count, legal_count, chosen, edge = 0, 0, -1, -1
                if looking or by_policy:
                    if with_habits and seat != observer:
                        count = others(box, s, seat, path.ids, path.weights, taught, habits)
                    else:
                        count = choose(box, s, seat, path.ids, path.weights, taught)
                if count == 0 or (looking and (kinds[path.ids[0]] | kinds[path.ids[count - 1]]) & NUMERIC):
                    legal_count = legal(box, s, seat, path.legal_ids)
                if looking:
                    if count == 0:
                        count = min(legal_count, MOST_CANDIDATES)
                        for i in range(count):
                            path.ids[i] = path.legal_ids[i]
                            path.weights[i] = 1.0
                    elif legal_count > 0:
                        count = widen(tree, node, seat, path, count, legal_count, kinds, MOST_CANDIDATES, chance)
                    if parts >= MOST_PARTS:
                        count = without_parts(path, count, kinds)
                    mixing = (todo != 0 and not crowd) or tree.nodes[node].veiled != 0
                    chosen = choose_edge(tree, node, seat, count, path, steps, seen, mixing, tuning, chance)
                    strayed = chosen < 0
                    fresh = fresh or strayed
                if chosen >= 0:
                    edge = path.edge[steps]
                    seen += path.count[steps]
                    steps += 1
                    if todo == 0 and tree.edges[edge].filled == 0:
                        look(raw, seats, eyes)
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
                        remember(eyes, seat, edge)
                    left = due_mask(s)
                    if kinds[action] & PART or (left == due and due & (due - 1) != 0):
                        parts += 1
                        continue
                    todo &= left & ~(1 << seat)
                    parts, strayed = 0, False
                    if todo == 0:
                        notice(raw, seats, eyes)
                        in_tree = not fresh
                elif edge >= 0:
                    if tree.edges[edge].filled == 0:
                        note_shown(tree, node, edge, raw, seats, eyes)
                    tell(tree, edge, seats, eyes)
                else:
                    in_tree = False
            if s.over:
                payoff(box, s, got)
            scale_payoffs(s, got, s.over != 0 or judged, plan[SIGNED] != 0)
            back_up(tree, path, steps, got)
            for p in range(s.seats):
                totals[p] += got[p]
            totals[s.seats] += 1.0

    return entry
