"""Why a piece on the board cannot be taken: the most common refusal of the actions it is part of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from pyramidion import Action, Game, Match, Refusal
from pyramidion.translation import _, marked

PIECES = re.compile(r'data-path="([^"]*)"')
NOTHING = Refusal("", marked("There is nothing you can do with that now."))


@lru_cache(maxsize=64)
def _made_of_pieces(game: Game) -> list[Action]:
    """Return the actions that are chosen by clicking pieces, which excludes single numbers and single words."""
    actions: list[Action] = []
    for family in game.actions.families.values():
        if family.parameters:
            actions += [game.actions[i] for i in range(family.first, family.last + 1)]
    return actions


def why_not(match: Match, seat: int, ids: Sequence[str], picks: Sequence[str], fragment: str) -> Refusal:
    """Return why `seat` cannot take the pieces `ids` after having picked `picks`.

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
            return refusals.most_common(1)[0][0]
    return Refusal(NOTHING.rule, _(NOTHING.reason))
