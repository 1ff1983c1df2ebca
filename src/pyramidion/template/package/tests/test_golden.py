"""A golden-file test: golden.txt records one game, so that rule changes show up as a diff.

Run `python tests/test_golden.py` to rewrite the file, then review the diff.
"""

from __future__ import annotations

import random
from pathlib import Path

import pyramidion
from pyramidion import EVERYTHING

GOLDEN = Path(__file__).parent / "golden.txt"


def golden_game() -> str:
    """Return the text of a random game: its actions, events and outcome."""
    game, chance = pyramidion.load("my-game"), random.Random("golden")
    match = game.new(seed="golden")
    lines = [f"{game.name}, version {game.rules_version} of the rules, {match.seats} seats"]
    while not match.over:
        seat = match.acting[0]
        legal = match.legal(seat)
        action = match.play(seat, legal[int(chance.random() * len(legal))])
        lines.append(f"seat {seat}: {action}")
    lines += [f"  {event.rule}  {event.text}" for event in match.events(EVERYTHING)]
    return "\n".join([*lines, repr(match.outcome)]) + "\n"


def test_the_game_goes_as_it_is_written_down() -> None:
    assert golden_game() == GOLDEN.read_text("utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(golden_game(), "utf-8")
