"""The commands of `pyramidion admin` and their options."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from pyramidion.cli.options import CommandFailed

admin = typer.Typer(
    name="admin",
    help="Moderate a public server: reports, and what to hide, remove, rename or close.",
    rich_markup_mode=None,
)


class Hideable(StrEnum):
    """What can be hidden."""

    table = "table"
    club = "club"
    season = "season"
    tournament = "tournament"


class Removable(StrEnum):
    """What can be removed."""

    table = "table"
    club = "club"
    account = "account"
    message = "message"
    announcement = "announcement"
    description = "description"
    picture = "picture"


class Renamable(StrEnum):
    """What can be renamed."""

    account = "account"
    seat = "seat"
    author = "author"
    host = "host"
    table = "table"
    club = "club"
    season = "season"
    tournament = "tournament"
    member = "member"


class Listable(StrEnum):
    """What can be listed."""

    table = "table"
    club = "club"
    season = "season"
    tournament = "tournament"
    account = "account"
    seat = "seat"


class Closable(StrEnum):
    """What can be closed."""

    sign_up = "sign-up"
    creation = "creation"


PageId = Annotated[
    str, typer.Argument(metavar="ID", help="Its id, which is in its address. The whole address will do, too.")
]
RemovableId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="A table's or club's address, or the id in it, an account's name, or for the others "
        "what `admin reports` prints: a message's id, CLUB/NUMBER for an announcement, a club's id for a description, "
        "SEASON/PERSON for a picture.",
    ),
]
RenamableId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="An account's name; the address of a table, of a host's table, of a club, season or tournament, or the id "
        "in it; TABLE/SEAT for a seat, such as 7gk2.../1; for the others what `admin reports` prints: CLUB/MEMBER for "
        "a member, and for the author of a message the message's id.",
    ),
]
Note = Annotated[str, typer.Option("--note", help="Why, for the log.")]
Most = Annotated[int, typer.Option("--limit", min=1, max=100_000, help="Maximum number of lines.")]


@admin.command("list")
def list_things(
    kind: Annotated[Listable, typer.Argument(help="What to list.")],
    search: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="Only those with this text in their id or name.", show_default=False)
    ] = "",
    limit: Most = 50,
) -> None:
    """List tables, clubs, seasons, tournaments, accounts or names at seats, the newest first."""
    from pyramidion.cli.admin import show_list

    show_list(kind.value, search, limit)


@admin.command("hide")
def hide(kind: Annotated[Hideable, typer.Argument(help="What it is.")], id: PageId, note: Note = "") -> None:
    """Hide something. Its address answers 404, and no list shows it; nothing is deleted."""
    from pyramidion.cli.admin import carry_out
    from pyramidion.web.operations.moderation import Hide
    from pyramidion.web.operations.reported import id_of

    carry_out(Hide(kind.value, id_of(kind.value, id)), note)


@admin.command("show")
def show(kind: Annotated[Hideable, typer.Argument(help="What it is.")], id: PageId, note: Note = "") -> None:
    """Show again what was hidden."""
    from pyramidion.cli.admin import carry_out
    from pyramidion.web.operations.moderation import Show
    from pyramidion.web.operations.reported import id_of

    carry_out(Show(kind.value, id_of(kind.value, id)), note)


@admin.command("hidden")
def hidden() -> None:
    """List what is hidden and closed."""
    from pyramidion.cli.admin import show_restrictions

    show_restrictions()


@admin.command("remove")
def remove(
    kind: Annotated[Removable, typer.Argument(help="What it is.")],
    id: RemovableId,
    note: Note = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete something for good, after asking."""
    from pyramidion.cli.admin import carry_out, described
    from pyramidion.web.operations.moderation import Remove
    from pyramidion.web.operations.reported import id_of

    command = Remove(kind.value, id_of(kind.value, id))
    if not yes:
        text = described(command)
        if not sys.stdin.isatty():
            raise CommandFailed("Nobody can be asked here. With --yes it is deleted without asking.")
        if text:
            typer.echo(text)
        typer.confirm(f"Delete the {command.kind} {command.id} for good?", abort=True)
    carry_out(command, note)


@admin.command("rename")
def rename(
    kind: Annotated[Renamable, typer.Argument(help="What it is.")],
    id: RenamableId,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The new name, or title; by default, you are asked.", show_default=False),
    ] = None,
    note: Note = "",
) -> None:
    """Give something another name, or a table, season or tournament another title."""
    from pyramidion.cli.admin import rename as run
    from pyramidion.web.operations.reported import id_of

    subject = id_of(kind.value, id)
    new = name if name is not None else typer.prompt(f"The new name of the {kind.value} {subject}")
    run(kind.value, subject, new, note)


@admin.command("close")
def close(what: Annotated[Closable, typer.Argument(help="What to close.")], note: Note = "") -> None:
    """Accept no new accounts, or no new tables, clubs, seasons and tournaments. What exists goes on."""
    from pyramidion.cli.admin import carry_out
    from pyramidion.web.operations.moderation import Close

    carry_out(Close(what.value), note)


@admin.command("open")
def open_again(what: Annotated[Closable, typer.Argument(help="What to open.")], note: Note = "") -> None:
    """Open again what was closed."""
    from pyramidion.cli.admin import carry_out
    from pyramidion.web.operations.moderation import Open

    carry_out(Open(what.value), note)


@admin.command("reset-password")
def reset_password(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.")], note: Note = ""
) -> None:
    """Print a link with which the owner of an account sets a new password, once."""
    from pyramidion.cli.admin import reset_password as run

    run(name, note)


@admin.command("reports")
def reports(
    every: Annotated[bool, typer.Option("--all", help="Also those that are settled.")] = False,
) -> None:
    """List what players have reported."""
    from pyramidion.cli.admin import show_reports

    show_reports(every)


@admin.command("settle")
def settle(
    report: Annotated[int, typer.Argument(metavar="REPORT", min=1, max=2**31 - 1, help="The number of the report.")],
    note: Note = "",
) -> None:
    """Mark a report as dealt with."""
    from pyramidion.cli.admin import carry_out
    from pyramidion.web.operations.moderation import Settle

    carry_out(Settle(report), note)


@admin.command("log")
def log(limit: Most = 50) -> None:
    """Print what operators have done, with who and when."""
    from pyramidion.cli.admin import show_log

    show_log(limit)
