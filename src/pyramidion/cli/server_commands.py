"""Commands for the server and its database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.options import SomeGames, output_file


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


def migrate() -> None:
    """Migrate the server's database to this version's schema. A server also does this when it starts."""
    from pyramidion.cli.database import migrate as run

    run()


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")],
) -> None:
    """Back up the server's database to a file. The server may be running."""
    from pyramidion.cli.database import backup as run

    run(file)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `pyramidion backup` wrote.")],
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Move an old SQLite database into a new folder beside it first.")
    ] = False,
) -> None:
    """Restore a backup to the server's database, in place of none. No server may be running."""
    from pyramidion.cli.database import restore as run

    run(file, set_aside=set_aside)


def settings(
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """List the server's settings: each with its value, and whether it is from the environment or the default."""
    from pyramidion.cli.settings import settings as run

    run(json)


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


ratings = typer.Typer(name="ratings", help="Maintain the ratings in the server's database.")


@ratings.callback()
def keep_ratings() -> None:
    """Maintain the ratings in the server's database."""


@ratings.command("rebuild")
def rebuild_ratings() -> None:
    """Compute all ratings anew from the records of rated games. The server may be running."""
    from pyramidion.cli.ratings import rebuild as run

    run()
