"""The `pyramidion evaluate GAME --agent AGENT ...` command."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from pyramidion.cli.arena import open_guests
from pyramidion.cli.options import CommandFailed, load
from pyramidion.translation import from_one, quantity

if TYPE_CHECKING:
    from pyramidion.lab.evaluation import Evaluation


def evaluate(
    game_id: str,
    agents: Sequence[str],
    protocol: str,
    games: int | None,
    decisions: int | None,
    opponents: Sequence[str] | None,
    budget: str | None,
    jobs: int,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    """Measure agents by a protocol and print what they achieved."""
    from pyramidion.lab.evaluation import evaluate as run
    from pyramidion.lab.evaluation import page

    game = load(game_id)
    command = _command_line(game_id, agents, protocol, games, decisions, opponents, budget)
    try:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("games")
            result = run(
                game,
                agents,
                protocol=protocol,
                games=games,
                decisions=decisions,
                opponents=opponents,
                budget=budget,
                jobs=jobs,
                command=command,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
                guests=open_guests,
            )
    except ValueError as error:
        raise CommandFailed(str(error)) from error
    except KeyboardInterrupt:
        raise CommandFailed("Stopped. Nothing was kept; --games plays fewer games.", code=130) from None
    show(game.name, result)
    if json_file:
        result.save(json_file)
        print(f"The result is in {json_file}.")
    if html_file:
        html_file.write_text(page(result), "utf-8")
        print(f"The page is in {html_file}.")


def verify(game: str | None, files: Sequence[Path], sample: int, decisions: int) -> None:
    """Check result files: `sample` games and `decisions` judged decisions of each agent are repeated.

    Raises CommandFailed if something is wrong in one of them, or if it is of another game than `game`.
    """
    from pyramidion.lab.evaluation import read_evaluation
    from pyramidion.lab.evaluation import verify as check

    wrong = 0
    for path in files:
        try:
            if game is not None and (played := read_evaluation(path).protocol.game) != game:
                raise CommandFailed(f"{path} is a result of {played}, not of {game}.")
            outcome = check(path, sample, decisions=decisions)
        except OSError as error:
            raise CommandFailed(f"{path} cannot be read: {error.strerror}.") from error
        except ValueError as error:
            raise CommandFailed(str(error)) from error
        played = f"{outcome.games} of {quantity(outcome.of, 'game')} played again"
        judged = f", {outcome.decisions} of {quantity(outcome.judged, 'decision')} judged again" * bool(outcome.judged)
        print(f"{path}: {played}{judged}, {len(outcome.problems) or 'nothing'} wrong.")
        if outcome.unchecked:
            names = ", ".join(outcome.unchecked)
            print(f"  Losses not checked: the file does not hold the judged decisions of {names}.")
        print("  Exploitability and processor times are never checked.")
        for problem in outcome.problems:
            print(f"  {from_one(problem)}")
        wrong += len(outcome.problems)
    if wrong:
        raise CommandFailed(f"Wrong figures and games in the files: {wrong:,}.", code=1)


def show(name: str, result: Evaluation) -> None:
    """Print what the agents of an evaluation achieved."""
    console, protocol = Console(), result.protocol
    part = "" if result.complete else ", in part"
    console.print(f"{name}, {quantity(protocol.seats, 'seat')}, protocol {protocol.version}{part}")
    printed = Table(box=SIMPLE_HEAD, pad_edge=False)
    printed.add_column("", overflow="fold")
    # The titles are short and columns without a figure are left out, so that no figure is cut at 80 columns.
    for opponent in protocol.opponents:
        printed.add_column(f"wins against\n{opponent.name}, %", justify="right", no_wrap=len(protocol.opponents) < 3)
    columns = {
        "rating": [f"{agent.rating:.1f} ± {agent.uncertainty:.1f}" for agent in result.agents],
        "loss,\npoints": [f"{100 * agent.loss.mean:.2f}" if agent.loss else "" for agent in result.agents],
        "exploit-\nability": [
            f"{agent.exploitability['exploitability']:.4f}" if agent.exploitability else "" for agent in result.agents
        ],
        "ms": [f"{1000 * agent.seconds:.2f}" for agent in result.agents],
    }
    filled = {title: cells for title, cells in columns.items() if any(cells)}
    for title in filled:
        printed.add_column(title, justify="right", no_wrap=True)
    for number, agent in enumerate(result.agents):
        wins = [
            f"{100 * row.wins.share:.1f} ({100 * row.wins.low:.1f} to {100 * row.wins.high:.1f})"
            for row in agent.opponents
        ]
        printed.add_row(agent.name, *wins, *(cells[number] for cells in filled.values()))
    console.print(printed)
    console.print("In brackets 95 % intervals; ms of processor time a decision.")
    for agent in result.agents:
        lost = sum(row.failures for row in agent.opponents)
        if lost:
            console.print(f"{agent.name} lost {quantity(lost, 'game')} by failing: {agent.failures[0]}")


def _command_line(
    game: str,
    agents: Sequence[str],
    protocol: str,
    games: int | None,
    decisions: int | None,
    opponents: Sequence[str] | None,
    budget: str | None,
) -> str:
    """Return the command line that plays the same evaluation."""
    words = ["pyramidion", "evaluate", game]
    for agent in agents:
        words += ["--agent", agent]
    for opponent in opponents or ():
        words += ["--opponent", opponent]
    if protocol != "v1":
        words += ["--protocol", protocol]
    for name, value in (("--games", games), ("--decisions", decisions), ("--budget", budget)):
        if value is not None:
            words += [name, str(value)]
    return shlex.join(words)
