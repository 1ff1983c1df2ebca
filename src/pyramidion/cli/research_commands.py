"""Commands for designers, researchers and bot authors: new games, measurements, contests, data sets and training."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.options import CommandFailed, GameName, Options, Seats, SomeGames, game_id, output_file


def laws(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="Number of random games to check.")] = 200,
) -> None:
    """Check a game's laws on random games. Every game must obey them."""
    from pyramidion.cli.verify import check

    check(game, games)


def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The game's id: lower-case words with hyphens, such as `kuhn-poker`.")
    ],
    package: Annotated[
        bool,
        typer.Option(
            "--package",
            help="Create an installable package in the folder NAME instead of adding to Pyramidion's source tree.",
        ),
    ] = False,
) -> None:
    """Create a new game from a template. It is small, complete and playable, with tests and guiding comments."""
    from pyramidion.cli.new_game import write

    write(name, package)


def bench(
    game: SomeGames = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per game.")] = False,
    seats: Seats = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Random games per measurement; by default, enough for a second.")
    ] = None,
    option: Options = None,
    quick: Annotated[bool, typer.Option("--quick", help="Skip the measurements that need fresh processes.")] = False,
) -> None:
    """Benchmark the games on this machine."""
    from pyramidion.cli.bench import measure

    measure(game, json, seats, games, option, quick)


def arena(
    game: GameName,
    entrants: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="A bot's name, a class as module:Class, or a program as program:COMMAND or http://...; NAME=BOT "
            "renames it. With fewer bots than seats, the last one takes the remaining seats.",
        ),
    ],
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1, help="Games per line-up, rounded up to a multiple of the seats.")] = 100,
    seed: Annotated[str, typer.Option(help="The seed, a number or a word.")] = "1",
    option: Options = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Number of worker processes.")] = 1,
    out: Annotated[
        Path | None, output_file("Save the games to this SQLite file; rerun the same command to resume.", resumes=True)
    ] = None,
    report: Annotated[Path | None, output_file("Write an HTML report with tables and plots to this file.")] = None,
    decisions: Annotated[
        Path | None, output_file("Write every decision, with observation and legal mask, to Parquet files here.")
    ] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds a program may take per action.")] = 60.0,
    json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON.")] = False,
) -> None:
    """Run a rated tournament between bots. Every bot sits in every seat equally often."""
    from pyramidion.cli.arena import arena as run

    run(game, entrants, seats, games, seed, option, jobs, out, report, decisions, patience, json)


def describe(
    games: SomeGames = None,
    seats: Seats = None,
    count: Annotated[int, typer.Option("--games", min=1, help="Number of games to play.")] = 200,
    seed: Annotated[str, typer.Option(help="The seed, a number or a word.")] = "1",
    option: Options = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Describe games in figures: chance, hidden information, branching factor, length and sizes."""
    from pyramidion.cli.describe import describe as run

    run(games, seats, count, seed, option, json)


def dataset(
    game: GameName,
    out: Annotated[
        Path, output_file("The folder; rerun the same command to resume, also with more games.", resumes=True)
    ],
    games: Annotated[int, typer.Option(min=1, help="Number of games, rounded up to whole shards.")] = 1000,
    players: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME...]",
            help="A player for each seat, or one for all: the names of bots, or classes as module:Class.",
        ),
    ] = "policy",
    seats: Seats = None,
    seed: Annotated[str, typer.Option(help="The seed, a number or a word.")] = "1",
    option: Options = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Number of worker processes.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(help="Play on `ray` or `ray://HOST:PORT`, whose machines need the same folder.")
    ] = None,
    shard: Annotated[int, typer.Option(min=1, help="Number of games in a file.")] = 50,
    verify: Annotated[
        bool, typer.Option("--verify", help="Replay every record of an existing folder and compare every row.")
    ] = False,
) -> None:
    """Write every decision of many games between bots to Parquet files, with a data card."""
    from pyramidion.cli.dataset import dataset as run

    run(game, games, players, seats, seed, option, jobs, cluster, shard, out, verify)


def evaluate(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A game's id, or that of a small sibling such as `pyramis-mini`.",
            callback=game_id,
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            "-a",
            metavar="AGENT",
            help="A bot's name, an agent as module:make, or a program as program:COMMAND or http://...; NAME=AGENT "
            "renames it. Repeat for each agent.",
            show_default=False,
        ),
    ] = None,
    protocol: Annotated[str, typer.Option(help="The version of the protocol.")] = "v1",
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Games against each opponent, rounded up to whole decks.", show_default=False),
    ] = None,
    decisions: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Decisions that a deep search judges; with --verify, those of each agent that it judges again "
            "(3, unless you say otherwise).",
            show_default=False,
        ),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this opponent of the protocol; repeatable.", show_default=False),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Another thinking budget of Expert and Master: iterations:NUMBER, seconds:NUMBER or none.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Number of worker processes.")] = 1,
    json: Annotated[Path | None, output_file("Write the result as JSON to this file.")] = None,
    html: Annotated[Path | None, output_file("Write the result as an HTML page to this file.")] = None,
    verify: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Instead, check a result file: play some of its games again.", show_default=False
        ),
    ] = None,
    sample: Annotated[int, typer.Option(min=1, help="Games of each agent that --verify plays again.")] = 6,
) -> None:
    """Measure agents by a fixed protocol, on the same decks and in every seat (docs/benchmark.md)."""
    from pyramidion.cli.evaluate import evaluate as run
    from pyramidion.cli.evaluate import verify as check

    if verify:
        return check(game, verify, sample, 3 if decisions is None else decisions)
    if game is None or not agent:
        raise CommandFailed("Name a game and at least one agent: pyramidion evaluate pyramis --agent policy.")
    return run(game, agent, protocol, games, decisions, opponent, budget, jobs, json, html)


def puzzles(
    game: GameName,
    out: Annotated[Path, output_file("Add the puzzles to this file; rerun the same command to resume.", resumes=True)],
    seats: Seats = None,
    count: Annotated[int | None, typer.Option(min=1, help="Stop at this number of puzzles in the file.")] = None,
    hours: Annotated[float | None, typer.Option(min=0.0, help="Stop after this many hours.")] = None,
    iterations: Annotated[
        int, typer.Option(min=1_000, help="Simulated games for each of the two searches that confirm a puzzle.")
    ] = 200_000,
) -> None:
    """Find puzzles in games between bots. A puzzle is a position in which one action is clearly better."""
    from pyramidion.cli.puzzles import puzzles as run

    run(game, out, seats, count, hours, iterations)


def train(
    game: GameName,
    out: Annotated[
        Path | None,
        output_file(
            "Write the policy to this new file, by default learned-SEATS.npz. Rerun a stopped command to resume."
        ),
    ] = None,
    seats: Seats = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Games to learn from; by default as many as a whole training from its teacher takes.",
            show_default=False,
        ),
    ] = None,
    hours: Annotated[
        float | None, typer.Option(min=0.0001, help="Hours of processor time to learn, instead of a number of games.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed; with --games, it determines the policy.")] = 1,
    teacher: Annotated[
        str, typer.Option(help="Learn from games against itself (itself), or to choose as Experts do (expert).")
    ] = "itself",
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Processor time a decision in the contest, for both sides.")
    ] = 2.0,
    contest: Annotated[
        int, typer.Option(min=0, help="Most games of the contest that must be won; 0 writes the policy untested.")
    ] = 400,
) -> None:
    """Train a policy for a game. It is written to a file if a search with it beats the best bot in a contest."""
    from pyramidion.cli.train import train as run

    run(game, out, seats, games, hours, seed, teacher, seconds, contest)
