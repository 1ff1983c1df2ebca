"""The `pyramidion dataset GAME` command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pyramidion.cli.lab import bar, lab_packages, stoppable
from pyramidion.cli.options import CommandFailed, accept_options, load, read_options
from pyramidion.translation import from_one, quantity


def dataset(
    game_id: str,
    games: int,
    players: str,
    seats: int | None,
    seed: str,
    options: Sequence[str] | None,
    jobs: int,
    cluster: str | None,
    shard: int,
    out: Path,
    verify: bool,
) -> None:
    """Write or continue a data set, or verify one."""
    game = load(game_id)
    lab_packages()
    from pyramidion.lab.datasets import make_spec, verify_dataset, write_dataset
    from pyramidion.lab.datasets.spec import read_spec

    try:
        if verify:
            if (played := read_spec(out).game) != game.id:
                raise CommandFailed(f"{out} is a data set of {played}, not of {game.id}.")
            checked, decisions = verify_dataset(out)
            print(
                f"{quantity(checked, 'game')} and {quantity(decisions, 'decision')} in {out} agree with their records."
            )
            return
        agreed = accept_options(game, options)
        given = {name: agreed[name] for name in read_options(options)}
        spec = make_spec(game, players.split(","), seats, given, seed, shard)
        with bar(False) as progress, stoppable() as stop:
            task = progress.add_task("", total=games, speed="")
            done = write_dataset(
                spec,
                games,
                out,
                cluster=cluster or (f"processes:{jobs}" if jobs > 1 else None),
                progress=lambda at, of: progress.update(
                    task, completed=at, total=of, speed=f"{at:,} of {quantity(of, 'game')}"
                ),
                stop=stop,
            )
    except (ValueError, RuntimeError) as error:
        raise CommandFailed(from_one(str(error))) from error
    if stop.is_set():
        raise CommandFailed(f"Stopped after {quantity(done, 'game')}. The same command goes on from {out}.", code=130)
    print(f"{out} holds {quantity(done, 'game')}; README.md says what the files hold.")
