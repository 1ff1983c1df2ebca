# pyright: basic
"""The ratings with which the levels of bots start: `python benchmarks/starting_ratings.py FOLDER [GAME ...]`.

Easy, Normal and Hard play each other at each game's usual number of seats, as equally represented as the seats allow,
and are rated as in the arena. Expert is left out: a game of it takes minutes. FOLDER keeps the games, so that a
stopped run continues. The ratings of all games in FOLDER are written to the file that the server reads; a game with
fewer than ENOUGH games is left out, and its levels start like any unknown player.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyramidion
from pyramidion.engine import registry
from pyramidion.lab import arena
from pyramidion.web.features.ratings.starting import FILE

LEVELS = ("easy", "normal", "hard")
SEED = "1"
GAMES = {"pyramid-shambo": 120, "upside-down": 30, "downside-up": 30}
"""Games of games in which one tells little, or takes long; of all others there are 60."""
ENOUGH = 20
HEAD = """\
# The ratings with which the levels of bots start, as mean and standard deviation of their skill, and the number of
# games behind them. From `python benchmarks/starting_ratings.py FOLDER`: Easy, Normal and Hard against each other at
# the usual number of seats, rated as in the arena (docs/arena.md). Their mean is about 25, the skill of an unknown
# person. Levels and games that are not here have not been measured, and start like an unknown player.
"""


def play(folder: Path, game_id: str) -> None:
    """Play a game's contest to its end, from where it was left."""
    game = pyramidion.load(game_id)
    seats = game.usual_seats
    names = sorted((LEVELS * seats)[:seats], key=LEVELS.index)
    contest = arena.Contest(game_id, arena.read_entrants(names, game), seats, GAMES.get(game_id, 60), SEED)
    arena.run(contest, folder / f"{game_id}.db", progress=lambda done, total: print(game_id, done, total)).close()


def section(path: Path) -> str:
    """Return a game's ratings as TOML, empty if too few games have been played."""
    with arena.Results(path) as results:
        terms, games = results.terms, list(results.games())
    names = [name for name, _what in terms["entrants"]]
    if len(games) < ENOUGH:
        return ""
    found = {one.name: one for one in arena.standings(names, terms["seats"], games)}
    lines = [f"{name} = [{found[name].rating:.2f}, {found[name].uncertainty:.2f}]" for name in LEVELS]
    return "\n".join(("", f"[{path.stem}]", f"seats = {terms['seats']}", f"games = {len(games)}", *lines, ""))


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for game_id in sys.argv[2:] or registry.own_ids():
        play(folder, game_id)
    FILE.write_text(HEAD + "".join(section(path) for path in sorted(folder.glob("*.db"))), "utf-8")


if __name__ == "__main__":
    main()
