"""Commands and their options. Each command imports its slow dependencies itself."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

import pyramidion
from pyramidion.cli.admin_app import admin as admin_app
from pyramidion.cli.console import accept_any_encoding
from pyramidion.cli.lab_app import lab as lab_app
from pyramidion.cli.options import (
    CommandFailed,
    GameName,
    Language,
    Options,
    Seats,
    Seed,
    SomeGames,
    in_language,
    output_file,
)

app = typer.Typer(
    name="pyramidion",
    help="Pyramid tabletop games for people (browser or terminal), bots and other programs.",
    add_completion=False,
    rich_markup_mode=None,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 success, 1 failure, 2 usage error, 130 interrupted.

    Errors are one line on stderr. `PYRAMIDION_DEBUG=1` shows the traceback of an unexpected error.
    """
    accept_any_encoding()
    try:
        code = _command()(args=arguments, prog_name="pyramidion", standalone_mode=False)
        sys.stdout.flush()
    except CommandFailed as refused:
        return _complain(str(refused), refused.code)
    except TyperException as error:
        message = error.format_message()
        return _complain(f"{message}{'' if message.endswith(('.', '?')) else '.'} {_hint(error)}", error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("Stopped.", 130)
    except BrokenPipeError:
        # The reader (`| head`) closed the pipe. Without this, Python reports the error again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(f"{error.strerror or error}: {error.filename}" if error.filename else str(error), 1)
    except ModuleNotFoundError:
        raise
    except Exception as error:
        if os.environ.get("PYRAMIDION_DEBUG"):
            raise
        return _complain(f"Internal error, please report it: {type(error).__name__}: {error}", 1)
    return code if isinstance(code, int) else 0


@functools.cache
def _command() -> Any:
    """Return all commands as one of Click's, built once."""
    # Typer would build all commands anew at every call.
    return typer.main.get_command(app)


def _complain(line: str, code: int) -> int:
    """Print a line on stderr and return the exit code."""
    print("pyramidion: " + " ".join(line.split()), file=sys.stderr)
    return code


def _hint(error: TyperException) -> str:
    """Return what to do about a mistyped command: the names of the commands, or where to read its options."""
    context = getattr(error, "ctx", None)
    if error.format_message().startswith("No such command"):
        return f"The commands are: {', '.join(commands())}."
    return f"See {context.command_path if context else 'pyramidion'} --help."


def commands() -> list[str]:
    """Return the names of all commands in --help order."""
    return list(typer.main.get_group(app).commands)


def subcommands() -> list[str]:
    """Return the names of the commands of all groups, such as `lab sweep`."""
    groups = typer.main.get_group(app).commands.items()
    return [f"{name} {command}" for name, group in groups for command in getattr(group, "commands", ())]


def _version(wanted: bool) -> None:
    """Print the version and exit, if that is wanted."""
    if wanted:
        print(f"pyramidion {pyramidion.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Pyramid tabletop games for people (browser or terminal), bots and other programs."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts connections from the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on, 0 to 65535; 0 picks a free port.")] = 8000,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open the site in a browser.")] = False,
    lab: Annotated[bool, typer.Option("--lab", help="Also offer the lab for game designers, at /lab.")] = False,
) -> None:
    """Start the web server."""
    from pyramidion.cli.serve import serve as run

    run(host, port, open, lab)


@app.command()
def play(
    game: GameName,
    seats: Seats = None,
    seed: Seed = None,
    option: Options = None,
    people: Annotated[
        int, typer.Option(min=1, help="Number of human players, seated from seat 0; they share the screen.")
    ] = 1,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="A player's name; repeat for each player.")
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            help="The bot in the other seats.", metavar="beginner|easy|normal|hard|expert|master|policy|random"
        ),
    ] = "normal",
    cards: Annotated[Path | None, typer.Option(help="Card file to use instead of the game's own cards.")] = None,
    save: Annotated[Path | None, output_file("Save the game record to this file.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Resume a game saved with --save.")] = None,
    language: Language = None,
) -> None:
    """Play in the terminal against bots, or with friends on one screen."""
    from pyramidion.cli.play import play as run

    with in_language(language):
        run(game, seats, seed, option, people, name or [], bots, cards, save, resume)


@app.command()
def learn(game: GameName, language: Language = None) -> None:
    """Learn a game in the terminal with a coach, then play on."""
    from pyramidion.cli.learn import learn as run

    with in_language(language):
        run(game)


@app.command()
def games() -> None:
    """List the games, their seats and their options."""
    from pyramidion.cli.info import show_games

    show_games()


@app.command()
def rules(
    game: GameName,
    number: Annotated[
        str | None, typer.Argument(metavar="[NUMBER]", help="Print only this section or rule, such as 4 or 4.3.")
    ] = None,
    terms: Annotated[bool, typer.Option("--terms", help="Print the goal and the terms instead.")] = False,
    language: Language = None,
) -> None:
    """Print a game's rules, a single rule, or its goal and terms."""
    from pyramidion.cli.info import show_rules, show_terms

    with in_language(language):
        if terms:
            show_terms(game)
        else:
            show_rules(game, number)


@app.command()
def cards(
    game: GameName,
    out: Annotated[
        Path | None, output_file("The file to write, in UTF-8; by default, the card file is printed.")
    ] = None,
) -> None:
    """Print a game's card file, or save it with --out. Change it, and pass it as --cards."""
    from pyramidion.cli.info import show_cards

    show_cards(game, out)


@app.command()
def verify(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The record file of a finished game.")],
) -> None:
    """Verify a game record. Every action must be legal and every submission must match its seal."""
    from pyramidion.cli.verify import verify as run

    run(record)


@app.command()
def analyse(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The record file of a finished game.")],
    iterations: Annotated[int, typer.Option(min=1, help="Simulated games per position.")] = 2_000,
    seed: Annotated[int, typer.Option(help="The seed of the search.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Analyse a finished game. Prints each player's win chances and the costliest decisions."""
    from pyramidion.cli.analyse import analyse as run

    run(record, iterations, seed, json)


@app.command()
def laws(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="Number of random games to check.")] = 200,
) -> None:
    """Check a game's laws on random games. Every game must obey them."""
    from pyramidion.cli.verify import check

    check(game, games)


@app.command()
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


@app.command()
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


@app.command()
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
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of worker processes.")] = 1,
    out: Annotated[
        Path | None, output_file("Save the games to this SQLite file; rerun the same command to resume.")
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


@app.command()
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


@app.command()
def dataset(
    game: GameName,
    out: Annotated[Path, output_file("The folder; rerun the same command to resume, also with more games.")],
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
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of worker processes.")] = 1,
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


@app.command()
def evaluate(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", help="A game's id, or that of a small sibling such as `pyramis-mini`.", show_default=False
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
        typer.Option(min=1, help="At most so many games against each opponent, in whole decks.", show_default=False),
    ] = None,
    decisions: Annotated[
        int | None, typer.Option(min=0, help="Decisions that a deep search judges.", show_default=False)
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
        return check(verify, sample)
    if game is None or not agent:
        raise CommandFailed("Name a game and at least one agent: pyramidion evaluate pyramis --agent policy.")
    return run(game, agent, protocol, games, decisions, opponent, budget, json, html)


app.add_typer(lab_app)


@app.command()
def puzzles(
    game: GameName,
    out: Annotated[Path, output_file("Add the puzzles to this file; rerun the same command to resume.")],
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


@app.command()
def train(
    game: GameName,
    out: Annotated[
        Path | None,
        output_file("Write the policy to this file, by default learned-SEATS.npz; rerun the same command to resume."),
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


@app.command()
def warm(
    game: SomeGames = None,
    until_eof: Annotated[bool, typer.Option("--until-eof", hidden=True)] = False,
) -> None:
    """Compile the games ahead of time and cache the result."""
    from pyramidion.cli.warm import end_at_eof
    from pyramidion.cli.warm import warm as run

    if until_eof:
        end_at_eof()
    run(game)


@app.command()
def migrate() -> None:
    """Migrate the server's database to this version's schema. A server also does this when it starts."""
    from pyramidion.cli.database import migrate as run

    run()


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")],
) -> None:
    """Back up the server's database to a file. The server may be running."""
    from pyramidion.cli.database import backup as run

    run(file)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `pyramidion backup` wrote.")],
) -> None:
    """Restore a backup to the server's database, which must not exist yet. No server may be running."""
    from pyramidion.cli.database import restore as run

    run(file)


@app.command()
def settings(
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """List the server's settings: each with its value, and whether it is from the environment or the default."""
    from pyramidion.cli.settings import settings as run

    run(json)


ratings = typer.Typer(help="Maintain the ratings in the server's database.", no_args_is_help=True)
app.add_typer(ratings, name="ratings")


@ratings.callback()
def keep_ratings() -> None:
    """Maintain the ratings in the server's database."""


@ratings.command("rebuild")
def rebuild_ratings() -> None:
    """Compute all ratings anew from the records of rated games. The server may be running."""
    from pyramidion.cli.ratings import rebuild as run

    run()


app.add_typer(admin_app)


@app.command()
def export(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="A table's id; by default, all tables.")
    ] = None,
    out: Annotated[Path | None, output_file("Write to this file instead of standard output.")] = None,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Include unfinished games; their records contain hidden information.")
    ] = False,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Write one table's transcript as Markdown instead of its record.")
    ] = False,
) -> None:
    """Export game records from the server's database. Writes one line of JSON per game."""
    from pyramidion.cli.database import export as run

    run(table, out, unfinished, transcript=transcript)
