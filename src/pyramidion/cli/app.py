"""The commands and their options. What takes long to import is imported by the command that needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from pyramidion.cli.asking import GameName, Language, Options, Refused, Seats, Seed, SomeGames, spoken

app = typer.Typer(
    name="pyramidion",
    help="Pyramid tabletop games: for people in a browser or a terminal, for bots, and for programs.",
    add_completion=False,
    rich_markup_mode=None,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 2 what was asked is wrong, 1 it could not be done.

    Errors are one line on stderr; `PYRAMIDION_DEBUG=1` shows where an unforeseen one came from.
    """
    try:
        code = app(args=arguments, prog_name="pyramidion", standalone_mode=False)
        sys.stdout.flush()
    except Refused as refused:
        return _complain(str(refused), refused.code)
    except TyperException as error:
        said = error.format_message()
        return _complain(f"{said}{'' if said.endswith(('.', '?')) else '.'} {_hint(error)}", error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("Stopped.", 130)
    except BrokenPipeError:
        # The reader (`| head`) has had enough; Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(f"{error.strerror or error}: {error.filename}" if error.filename else str(error), 1)
    except Exception as error:
        if os.environ.get("PYRAMIDION_DEBUG"):
            raise
        return _complain(f"Internal error, please report it: {type(error).__name__}: {error}", 1)
    return code if isinstance(code, int) else 0


def _complain(line: str, code: int) -> int:
    print("pyramidion: " + " ".join(line.split()), file=sys.stderr)
    return code


def _hint(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    if error.format_message().startswith("No such command"):
        commands = [command.callback.__name__ for command in app.registered_commands if command.callback]
        return f"The commands are: {', '.join(commands)}."
    return f"See {context.command_path if context else 'pyramidion'} --help."


def _version(wanted: bool) -> None:
    if wanted:
        print(f"pyramidion {version('pyramidion')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version.")
    ] = False,
) -> None:
    """Pyramid tabletop games: for people in a browser or a terminal, for bots, and for programs."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets the whole network in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on, 0 to 65535; 0 takes a free one.")] = 8000,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the games to browsers and programs."""
    from pyramidion.cli.serve import serve as run

    run(host, port, open)


@app.command()
def play(
    game: GameName,
    seats: Seats = None,
    seed: Seed = None,
    option: Options = None,
    people: Annotated[
        int, typer.Option(min=1, help="How many seats people take, from seat 0; several share the screen.")
    ] = 1,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="A person's name; once for each person.")
    ] = None,
    bots: Annotated[
        str,
        typer.Option(help="Who takes the other seats.", metavar="easy|normal|hard|expert|policy|random"),
    ] = "normal",
    cards: Annotated[
        Path | None, typer.Option(help="Play with the cards in this file instead of the game's own.")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the record of the game in this file.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from a record that --save has kept.")] = None,
    language: Language = "en",
) -> None:
    """Play in the terminal, against bots or with friends at one screen."""
    from pyramidion.cli.play import play as run

    with spoken(language):
        run(game, seats, seed, option, people, name or [], bots, cards, save, resume)


@app.command()
def games() -> None:
    """List the games, their seats and their options."""
    from pyramidion.cli.reading import show_games

    show_games()


@app.command()
def rules(
    game: GameName,
    number: Annotated[
        str | None, typer.Argument(metavar="[NUMBER]", help="Only this rule and what stands under it: 4 or 4.3.")
    ] = None,
    language: Language = "en",
) -> None:
    """Print a game's rules, or one of them."""
    from pyramidion.cli.reading import show_rules

    with spoken(language):
        show_rules(game, number)


@app.command()
def verify(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The file with the record of a finished game.")],
) -> None:
    """Check a record: that every action was legal, and that what was submitted fits its seals."""
    from pyramidion.cli.checking import verify as run

    run(record)


@app.command()
def analyse(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The file with the record of a finished game.")],
    iterations: Annotated[int, typer.Option(min=1, help="Simulated games for each position.")] = 2_000,
    seed: Annotated[int, typer.Option(help="The seed of the search.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Analyse a finished game: everybody's chance to win, and the decisions that cost most."""
    from pyramidion.cli.analysing import analyse as run

    run(record, iterations, seed, json)


@app.command()
def laws(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many random games to check.")] = 200,
) -> None:
    """Check the laws that every game must keep, over random games."""
    from pyramidion.cli.checking import check

    check(game, games)


@app.command()
def bench(
    game: SomeGames = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a line for each game.")] = False,
    seats: Seats = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Random games per measurement; enough for a second if not said.")
    ] = None,
    option: Options = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what must be measured in fresh processes.")] = False,
) -> None:
    """Measure how fast the games are on this machine."""
    from pyramidion.cli.measuring import measure

    measure(game, json, seats, games, option, quick)


@app.command()
def arena(
    game: GameName,
    entrants: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Bots by name, classes as module:Class, programs as program:COMMAND or http://...; NAME=BOT calls one "
            "otherwise. "
            "With fewer bots than seats the last one takes those that are left.",
        ),
    ],
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1, help="Games for each line-up; whole rounds of seats are played.")] = 100,
    seed: Annotated[str, typer.Option(help="The seed, a number or a word.")] = "1",
    option: Options = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that play at the same time.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="Keep the games in this SQLite file; the same command goes on from it.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page with tables and plots to this file.")] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds that a program may take for an action.")] = 60.0,
) -> None:
    """Let bots play each other, every one in every seat equally often, and rate them."""
    from pyramidion.cli.arena import arena as run

    run(game, entrants, seats, games, seed, option, jobs, out, report, patience)


@app.command()
def warm(
    game: SomeGames = None,
) -> None:
    """Compile what is not compiled yet, so that nobody waits."""
    from pyramidion.cli.warming import warm as run

    run(game)


@app.command()
def migrate() -> None:
    """Bring the server's database up to date, as a server does when it starts."""
    from pyramidion.cli.keeping import migrate as run

    run()


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not be there yet.")],
) -> None:
    """Copy the server's database to a file, while the server runs or not."""
    from pyramidion.cli.keeping import backup as run

    run(file)


@app.command()
def export(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="The id of one table; all of them if not said.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the screen.")] = None,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Games that are not over, too; their records hold secrets.")
    ] = False,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="What has happened at one table, to read, as Markdown.")
    ] = False,
) -> None:
    """Write the records of games in the server's database, one line of JSON each."""
    from pyramidion.cli.keeping import export as run

    run(table, out, unfinished, transcript=transcript)
