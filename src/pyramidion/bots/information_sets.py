"""The seats' information sets as hashes, extended by each change of a seat's view and by its own actions (compiled)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pyramidion.engine.redaction import redact_bytes
from pyramidion.engine.rule import rule


class Observations(NamedTuple):
    """The memory in which one search thread keeps track of what each seat has observed.

    `masks`, `parties`, `submitted`: from `Layout.hiding`; `redacted`, `words`: a redacted state as uint8 and, in the
    same memory, as uint64; `factors` (uint64): a hash factor per word; `info_sets` (uint64[seats]): the hash of each
    seat's information set; `last_views` (uint64[seats]): each seat's last `view_hash`.
    """

    masks: Any
    parties: Any
    submitted: Any
    redacted: Any
    words: Any
    factors: Any
    info_sets: Any
    last_views: Any


_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_ZERO = np.uint64(0)


@rule(wraps_around=True)
def extended(info_set, observation):
    """Return the hash (uint64, never 0) of an information set extended by an observation (uint64)."""
    mixed = (info_set + _GOLDEN) ^ (observation * _MIX2)
    mixed = (mixed ^ (mixed >> _S30)) * _MIX1
    mixed = (mixed ^ (mixed >> _S27)) * _MIX2
    mixed ^= mixed >> _S31
    return mixed if mixed != _ZERO else _GOLDEN


@rule
def root_info_set(seat):
    """Return the hash (uint64) of a seat's information set at the root of the search, before it observes anything."""
    return extended(_GOLDEN, np.uint64(seat))


@rule(wraps_around=True)
def view_hash(raw, seat, observations):
    """Return a linear hash (uint64) of what a seat sees of a state, whose memory is `raw` (uint8).

    The difference of two hashes identifies the change between the views. Linearity makes it independent of the rest of
    the view: an invisible action gives 0, and the same visible change gives the same difference in every
    determinization.
    """
    redact_bytes(
        raw, observations.redacted, seat, observations.masks[seat], observations.parties, observations.submitted
    )
    total = _ZERO
    for i in range(observations.words.shape[0]):
        total += observations.words[i] * observations.factors[i]
    return total


@rule
def record_views(raw, seats, observations):
    """Store the hash of each seat's current view, so that the next change of the view can be told."""
    for seat in range(seats):
        observations.last_views[seat] = view_hash(raw, seat, observations)


@rule(wraps_around=True)
def add_view_changes(raw, seats, observations):
    """Extend each seat's information set by the change of its view since `record_views`."""
    for seat in range(seats):
        change = view_hash(raw, seat, observations) - observations.last_views[seat]
        if change != _ZERO:
            observations.info_sets[seat] = extended(observations.info_sets[seat], change)


@rule(wraps_around=True)
def record_changes(tree, node, edge, raw, seats, observations):
    """Store with an edge how its action changed the other seats' views since `record_views`.

    The node is marked ambiguous if two of its actions change them alike.
    """
    new = tree.edges[edge]
    for seat in range(seats):
        tree.changes[edge, seat] = (
            _ZERO if seat == new.seat else view_hash(raw, seat, observations) - observations.last_views[seat]
        )
    new.observed = 1
    other = np.int64(tree.nodes[node].first)
    while other >= 0:
        if other != edge and tree.edges[other].observed:
            alike = True
            for seat in range(seats):
                alike = alike and tree.changes[other, seat] == tree.changes[edge, seat]
            if alike:
                tree.nodes[node].ambiguous = 1
        other = np.int64(tree.edges[other].next)


@rule
def add_action(tree, edge, seats, observations):
    """Extend each seat's information set by the action of an edge.

    The other seats add the change of their views, the acting seat the edge itself.
    """
    for seat in range(seats):
        if tree.changes[edge, seat] != _ZERO:
            observations.info_sets[seat] = extended(observations.info_sets[seat], tree.changes[edge, seat])
    add_own_action(observations, tree.edges[edge].seat, edge)


@rule
def add_own_action(observations, seat, edge):
    """Extend a seat's information set by its own action, which `edge` identifies."""
    observations.info_sets[seat] = extended(observations.info_sets[seat], np.uint64(edge + 1))
