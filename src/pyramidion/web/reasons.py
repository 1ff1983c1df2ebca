"""Why a piece on the board cannot be taken: the rule that most of the actions it would make are refused by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from pyramidion import Action, Game, Match, Refusal
from pyramidion.words import _, marked

PIECES = re.compile(r'data-path="([^"]*)"')
NOTHING = Refusal("", marked("That is not something to act on now."))


@lru_cache(maxsize=64)
def _made_of_pieces(game: Game) -> list[Action]:
    """Return the actions that are made by touching pieces, which leaves out those that are one number or one word."""
    found: list[Action] = []
    for family in game.actions.families.values():
        if family.parameters:
            found += [game.actions[i] for i in range(family.first, family.last + 1)]
    return found


def why_not(match: Match, seat: int, ids: Sequence[str], picks: Sequence[str], fragment: str) -> Refusal:
    """Say why `seat` cannot take the pieces `ids` after `picks`.

    Counted are the actions that name them and otherwise only pieces that lie on the table (`fragment`); those of a kind
    that the seat may do now come first. The reason that most of them have in common is given. What was picked before is
    dropped if no action has both.
    """
    present = {piece for path in PIECES.findall(fragment) for piece in path.split()}
    due = {match.game.actions.family_of(int(i)).name for i in match.legal_ids(seat)[:1000]}
    for wanted in ({*ids, *picks}, set(ids)):
        candidates = [a for a in _made_of_pieces(match.game) if wanted and wanted <= set(a.path) <= present | wanted]
        candidates = [a for a in candidates if a.family in due] or candidates
        # Touched in the order of a path, that is what was meant: this card below that one, not that one below this.
        candidates = [a for a in candidates if [*picks, *ids] == list(a.path[: len(picks) + len(ids)])] or candidates
        said = Counter(why for a in candidates if (why := match.refusal(seat, a)) is not None)
        if said:
            return said.most_common(1)[0][0]
    return Refusal(NOTHING.rule, _(NOTHING.reason))
