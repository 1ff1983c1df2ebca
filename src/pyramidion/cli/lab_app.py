"""The commands of `pyramidion lab` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pyramidion.cli.lab_options import ExperimentOptions, read_seed
from pyramidion.cli.options import GameName, Options, Seats, output_file


class _LabGroup(TyperGroup):
    """The commands of the lab; `pyramidion lab GAME` runs an experiment."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the command `run` before a game's name."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["run", *args]
        return super().parse_args(ctx, args)


lab = typer.Typer(name="lab", cls=_LabGroup, help="Play many games and report the results.", rich_markup_mode=None)
Players = Annotated[
    str, typer.Option(help="The players, separated by commas: one for each seat, or one for all.", metavar="BOT,...")
]
Threads = Annotated[int, typer.Option("--threads", "-t", min=1, max=256, help="Number of threads.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Play in other processes: processes:4, ray (this machine) or ray://HOST:PORT. The result is the same.",
        metavar="NAME",
    ),
]
AnySeed = Annotated[str, typer.Option(help="The seed, a number or a word.")]
CardsFile = Annotated[Path | None, typer.Option(help="Card file to use instead of the game's own cards.")]
Metrics = Annotated[
    str | None, typer.Option(help="What to measure, separated by commas; by default, everything.", metavar="NAME,...")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]


@lab.command("run")
def lab_run(
    game: GameName,
    seats: Seats = None,
    players: Players = "policy",
    games: Annotated[int, typer.Option(min=1, help="Number of games; with --until, the maximum.")] = 10_000,
    cards: CardsFile = None,
    option: Options = None,
    against: Annotated[
        Path | None, typer.Option(help="Card file to compare with; both sides play the same openings.")
    ] = None,
    against_option: Annotated[
        list[str] | None,
        typer.Option(
            "--against-option", metavar="NAME=VALUE", help="A game option of the other side; repeat for each."
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(min=0.001, help="Stop once the win shares are known to within this many percentage points."),
    ] = None,
    metrics: Metrics = None,
    seed: AnySeed = "0",
    threads: Threads = 1,
    cluster: Cluster = None,
    out: Annotated[
        Path | None,
        output_file("Save the figures to this Parquet file; rerun the same command to resume.", resumes=True),
    ] = None,
    report: Annotated[Path | None, output_file("Write an HTML report to this file.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="NAME",
            help="Also print how often each of these occurs and what it is worth: events, details, rules, families, "
            "choices or actions; `details:claimed` only prints those that begin with `claimed`. Repeat for each.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Play many games and report the results; `run` may be left out.

    Compares cards and options with --against and --against-option.
    """
    from pyramidion.cli.lab import lab as play

    asked = ExperimentOptions(
        games=games,
        seats=seats,
        players=players,
        cards=cards,
        options=option,
        metrics=metrics,
        seed=read_seed(seed),
        threads=threads,
        cluster=cluster,
        until=until,
        against=against,
        against_options=against_option,
    )
    play(game, asked, out, report, table or [], json)


@lab.command("sweep")
def lab_sweep(
    game: GameName,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH=VALUES",
            help="Values to try: seats=3,4 or options.NAME=A,B or cards.PLACE=5..14, such as "
            "cards.fund_cards[5].interest=5..14:3. Repeat for every combination.",
        ),
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC:ITEM", help="A figure to show, such as 'wins:place 1'. Repeat for each."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each experiment.")] = 10_000,
    seats: Seats = None,
    players: Players = "policy",
    cards: CardsFile = None,
    option: Options = None,
    metrics: Metrics = None,
    seed: AnySeed = "0",
    threads: Threads = 1,
    out: Annotated[
        Path | None, output_file("Save the experiments in this folder; rerun the same command to resume.", resumes=True)
    ] = None,
    report: Annotated[Path | None, output_file("Write an HTML report with the curves to this file.")] = None,
    json: AsJson = False,
) -> None:
    """Run an experiment for every combination of some values, and show how the figures respond."""
    from pyramidion.cli.lab_many import sweep

    asked = ExperimentOptions(
        games=games,
        seats=seats,
        players=players,
        cards=cards,
        options=option,
        metrics=metrics,
        seed=read_seed(seed),
        threads=threads,
    )
    sweep(game, vary or [], figure or [], asked, out, report, json)


@lab.command("tune")
def lab_tune(
    game: GameName,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=VALUES", help="A parameter and its values, as for a sweep. Repeat for each."),
    ] = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC:ITEM",
            help="A figure to make small; with - before it, large; with <=NUMBER, >=NUMBER or =NUMBER after it, "
            "to bring there. Repeat for several goals and their Pareto front.",
        ),
    ] = None,
    method: Annotated[str, typer.Option(help="How to search.", metavar="ntbea|tpe|cmaes|nsga2")] = "tpe",
    budget: Annotated[int, typer.Option(min=1, help="Number of experiments.")] = 50,
    games: Annotated[int, typer.Option(min=1, help="Games of each experiment.")] = 10_000,
    seats: Seats = None,
    players: Players = "policy",
    cards: CardsFile = None,
    option: Options = None,
    metrics: Metrics = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the search and of the games.")] = 0,
    threads: Threads = 1,
    out: Annotated[
        Path | None, output_file("Save the experiments to this file; rerun the same command to resume.", resumes=True)
    ] = None,
    json: AsJson = False,
) -> None:
    """Search for values that meet an objective, and measure what was found again in new games."""
    from pyramidion.cli.lab_many import tune

    asked = ExperimentOptions(
        games=games,
        seats=seats,
        players=players,
        cards=cards,
        options=option,
        metrics=metrics,
        seed=seed,
        threads=threads,
    )
    tune(game, param or [], objective or [], method, budget, asked, out, json)
