"""Writer of the golden playthroughs: `python -m tests.playthroughs [GAME...]`, in the project's folder.

It plays all games unless some are named. A file that would change under the same rules_version is not overwritten. To
replace it on purpose, because its seed or players have changed but not the rules, delete it first.
"""

from __future__ import annotations

import sys

from tests.playthroughs.telling import FOLDER, difference, playthroughs, stamp, text_of


def main(games: list[str]) -> int:
    """Write missing and changed files; return 1 if a file was not overwritten."""
    left = 0
    declared = playthroughs()
    for playthrough in declared:
        if games and playthrough.game not in games:
            continue
        new = text_of(playthrough)
        old = playthrough.path.read_text("utf-8") if playthrough.path.exists() else None
        if old is None:
            playthrough.path.write_text(new, "utf-8")
            print(f"{playthrough.path.name}: written")
        elif (change := difference(old, new)) is None:
            print(f"{playthrough.path.name}: unchanged")
        elif stamp(old)[0] == stamp(new)[0] and stamp(old)[1] != stamp(new)[1]:
            print(f"{playthrough.path.name}: {change}", file=sys.stderr)
            left = 1
        else:
            playthrough.path.write_text(new, "utf-8")
            print(f"{playthrough.path.name}: written anew")
    for path in sorted(FOLDER.glob("*.txt")):
        if path not in [playthrough.path for playthrough in declared]:
            print(f"{path.name}: no playthrough of that name is declared; delete it.", file=sys.stderr)
            left = 1
    return left


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
