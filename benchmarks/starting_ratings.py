# pyright: basic
"""The ratings with which the levels of bots start: `python benchmarks/starting_ratings.py FOLDER [GAME ...]`.

Two contests for each game, at its usual number of seats, rated one after the other as in the arena: the levels with a
counted budget against each other, as equally represented as the seats allow, and then each level with a time limit
among the strongest of them. In the second contest ITERATIONS counted iterations take the place of the time limit, so
that the load of the machine cannot change it. At tables these levels search at least as long, so their ratings are a
lower bound.

FOLDER keeps the games, so that a stopped run continues; after a change of levels or rules, take a new one. Only the
ratings of the games that were named (by default all) are written to the file that the server reads.
"""

from __future__ import annotations

import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion.bots import SearchBot, level_of, levels_at
from pyramidion.engine import registry
from pyramidion.engine.game import Game
from pyramidion.lab import arena
from pyramidion.lab.arena.schedule import lineups
from pyramidion.lab.statistics.skill import DEFAULT_SKILL, updated_skills
from pyramidion.web.features.ratings.starting_ratings import FILE

ITERATIONS = 5_000
COUNTED, TIMED = 120, 90
"""Games of the two contests."""
LUCK = {"downside-up": 2, "ponzi-scheme": 2, "pyramid-shambo": 2, "upside-down": 2}
"""Factor on the number of games where results tell little: luck decides, many share the win, or levels are alike."""
SEED = "2"
HEAD = f"""\
# The ratings with which the levels of bots start, as mean and standard deviation of their skill. From
# `python benchmarks/starting_ratings.py FOLDER`: contests at the usual number of seats, rated as in the arena
# (docs/arena.md). `counted` are games of the levels with a counted budget against each other, `timed` those of the
# levels with a time limit among the strongest of the others; these had {ITERATIONS:,} counted iterations instead of two
# seconds, so their ratings are a lower bound. The mean of a game's levels is about 25, the skill of an unknown person.
# Levels and games that are not here have not been measured, and start like an unknown player.
"""


class Counted(SearchBot):
    """A level of bots whose time limit is replaced by ITERATIONS, so that the load of the machine changes nothing."""

    def __init__(self, game: Game, seed: int | str | None, level: str) -> None:
        super().__init__(game, seed, replace(level_of(game, level), iterations=ITERATIONS, seconds=None))


def expert(game: Game, seed: str) -> Counted:
    """Return the level Expert with ITERATIONS in place of its time limit, as an entrant of a contest."""
    return Counted(game, seed, "expert")


def master(game: Game, seed: str) -> Counted:
    """Return the level Master with ITERATIONS in place of its time limit, as an entrant of a contest."""
    return Counted(game, seed, "master")


def contests(game: Game) -> dict[str, arena.Contest]:
    """Return the contests by which a game's levels are rated: `counted` and `timed`, as the module says."""
    levels, seats, factor = levels_at(game, game.usual_seats), game.usual_seats, LUCK.get(game.id, 1)
    counted = [name for name, level in levels.items() if level.seconds is None]
    # With fewer seats than levels, every combination of levels plays; with more, weaker levels sit twice.
    equal = sorted((counted * seats)[: max(seats, len(counted))], key=counted.index)
    timed = [f"{name}=starting_ratings:{name}" for name in levels if name not in counted] + counted[-1:]
    made: dict[str, arena.Contest] = {}
    for kind, names, games in (("counted", equal, COUNTED), ("timed", timed, TIMED)):
        each = -(-games * factor // len(lineups(len(names), seats)))
        made[kind] = arena.Contest(game.id, arena.read_entrants(names, game), seats, each, SEED)
    return made


def measured(folder: Path, game: Game) -> dict[str, Any]:
    """Play a game's contests to their end, from where they were left; return its section of the ratings file.

    The section has how the games were played, and [mean, deviation] of the skill of each level.
    """
    about: dict[str, Any] = {"rules_version": game.rules_version, "seats": game.usual_seats}
    skills = dict.fromkeys(levels_at(game, game.usual_seats), DEFAULT_SKILL)
    began = time.process_time()
    for kind, contest in contests(game).items():
        path = folder / f"{game.id}-{kind}.db"
        with arena.run(contest, path, progress=lambda *done: print(game.id, *done)) as results:
            games = list(results.games())
        about[kind] = len(games)
        for played in games:
            sitting = [contest.entrants[number].name for number in played.seating]
            skills.update(updated_skills(skills, sitting, played.payoffs))
    print(f"{game.id}: {time.process_time() - began:.0f} s of processor time")
    return about | {name: [skill.mean, skill.deviation] for name, skill in skills.items()}


def section(name: str, about: dict[str, Any]) -> str:
    """Return a game's section of the ratings file as TOML."""
    values = {
        key: f"[{value[0]:.2f}, {value[1]:.2f}]" if isinstance(value, list) else value for key, value in about.items()
    }
    return "\n".join(("", f"[{name}]", *(f"{key} = {value}" for key, value in values.items()), ""))


def main() -> None:
    """Rate the levels of the games that the command line names, and write the ratings file."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for game_id in sys.argv[2:] or registry.own_ids():
        ratings = tomllib.loads(FILE.read_text("utf-8"))
        ratings[game_id] = measured(folder, pyramidion.load(game_id))
        FILE.write_text(HEAD + "".join(section(name, ratings[name]) for name in sorted(ratings)), "utf-8")


if __name__ == "__main__":
    main()
