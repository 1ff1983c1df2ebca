"""Why a piece on the board cannot be taken: the most common refusal of the actions it is part of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from pyramidion import Action, Game, Match, Refusal
from pyramidion.translation import _, marked

PIECES = re.compile(r'data-path="([^"]*)"')
CLAUSE = re.compile(r"\s*[;；]\s*")
ALONE = marked("Nothing that you could choose now goes with this.")
NOTHING = Refusal("", marked("There is nothing you can do with that now."))


@lru_cache(maxsize=64)
def _made_of_pieces(game: Game) -> list[Action]:
    """Return a game's actions that are chosen by clicking pieces, not those that are a single number or word."""
    actions: list[Action] = []
    for family in game.actions.families.values():
        if family.parameters:
            actions += [game.actions[i] for i in range(family.first, family.last + 1)]
    return actions


def _shared(refusals: Counter[Refusal]) -> Refusal:
    """Return the refusal that most actions with a piece share; else a sentence that does not depend on other pieces.

    `refusals` counts the reasons why the actions with the piece are not legal. Of those that agree up to a semicolon,
    only that clause is told: it is about the piece, and the rest about others.
    """
    refusal, times = refusals.most_common(1)[0]
    if 2 * times > refusals.total():
        return refusal
    clauses = Counter[Refusal]()
    for why, times in refusals.items():
        clauses[Refusal(why.rule, CLAUSE.split(why.reason)[0])] += times
    clause, times = clauses.most_common(1)[0]
    if 2 * times > refusals.total():
        stop = refusal.reason[-1]
        return Refusal(clause.rule, clause.reason if clause.reason.endswith(stop) else clause.reason + stop)
    rules = {why.rule for why in refusals}
    return Refusal(refusal.rule if len(rules) == 1 else "", _(ALONE))


def why_not(match: Match, seat: int, ids: Sequence[str], picks: Sequence[str], fragment: str) -> Refusal:
    """Return why a seat cannot choose the pieces `ids` after choosing the pieces `picks`.

    Pieces are meant by their ids on the board, and `fragment` is the HTML of the table as the seat sees it.

    This considers the actions that name these pieces and otherwise only pieces on the table (`fragment`), first those
    of families with legal actions. It returns their most common refusal. If no action contains both, `picks` is
    ignored.
    """
    present = {piece for path in PIECES.findall(fragment) for piece in path.split()}
    due = {match.game.actions.family_of(int(i)).name for i in match.legal_ids(seat)[:1000]}
    for wanted in ({*ids, *picks}, set(ids)):
        candidates = [a for a in _made_of_pieces(match.game) if wanted and wanted <= set(a.path) <= present | wanted]
        candidates = [a for a in candidates if a.family in due] or candidates
        # If the pieces were clicked in the order of a path, the player meant that one: this card below that one.
        candidates = [a for a in candidates if [*picks, *ids] == list(a.path[: len(picks) + len(ids)])] or candidates
        refusals = Counter(why for a in candidates if (why := match.refusal(seat, a)) is not None)
        if refusals:
            return _shared(refusals) if wanted == set(ids) else refusals.most_common(1)[0][0]
    return Refusal(NOTHING.rule, _(NOTHING.reason))
