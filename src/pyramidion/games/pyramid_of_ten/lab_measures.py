"""What the lab measures in the games on the pyramid of ten."""

from __future__ import annotations

from pyramidion.engine.pictures import BoardMap
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.spaces import LAYERS, TEN, space_name

LABELS = tuple(f"space {space_name(space)}" for space in range(TEN))
PLACES = {
    LABELS[space]: (row / 2 + column, float(row))
    for row, layer in enumerate(LAYERS)
    for column, space in enumerate(layer)
}
NAMES = {LABELS[space]: space_name(space) for space in range(TEN)}
FINAL_SPACE = "final space"


@rule
def measure_winning_spaces(box, s, seat, action, out):
    """Write 1 to `out` for each space where a winner stands at the end of the game, and 0 for the others."""
    if s.over:
        for space in range(TEN):
            holder = s.at[space]
            out[space] = int(holder >= 0 and (int(s.winners) >> holder) & 1 == 1)


METRICS = {FINAL_SPACE: (LABELS, measure_winning_spaces)}
PICTURES = (
    BoardMap(
        "Which spaces win",
        "How often the player who ends the game on each space has won it.",
        FINAL_SPACE,
        "share",
        PLACES,
        NAMES,
    ),
)
