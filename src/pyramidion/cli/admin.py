"""The `pyramidion admin` commands: moderation of a server's database, while servers run or not."""

from __future__ import annotations

import getpass
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from pyramidion import names
from pyramidion.cli.database import current_store
from pyramidion.cli.options import CommandFailed
from pyramidion.web.db.schema import ACCOUNTS
from pyramidion.web.db.store import now
from pyramidion.web.errors import Refused
from pyramidion.web.features.accounts.names import account_name
from pyramidion.web.features.accounts.password_resets import HOURS, reset_path
from pyramidion.web.names import clean_title, player_name
from pyramidion.web.operations import moderation, moderation_lists
from pyramidion.web.operations.reported import commands_for
from pyramidion.web.operations.subjects import is_in_place, text_of
from pyramidion.web.settings import Settings


def carry_out(command: moderation.Command, note: str) -> None:
    """Carry out a command on the configured database, and print what was done. Raises CommandFailed."""
    with current_store() as store:
        print(moderation.execute(store, command, _operator(), note))


def described(command: moderation.Remove) -> str:
    """Return the name, title or text of what a command removes, "" without one; nothing is changed.

    Raises CommandFailed if it could not be carried out.
    """
    with current_store() as store:
        moderation.check(store, command)
        return _printable(text_of(store, command.kind, command.id) or "")


def rename(kind: moderation.Renamable, id: str, name: str, note: str) -> None:
    """Give something another name. Raises CommandFailed, also if the name is not allowed."""
    try:
        match kind:
            case "account":
                new = account_name(name)
            case "table" | "club" | "season" | "tournament":
                new = clean_title(name)
            case "seat" | "author" | "host" | "member":
                new = player_name(name)
    except Refused as error:
        raise CommandFailed(error.sentence) from error
    if not new:
        raise CommandFailed("Give the new name.")
    carry_out(moderation.Rename(kind, id, new), note)


def reset_password(name: str, note: str) -> None:
    """Print a link with which the owner of an account sets a new password, once. Raises CommandFailed."""
    with current_store() as store:
        settings = Settings()
        a = ACCOUNTS.c
        rows = store.query(sa.select(a.id, a.name, a.holder, a.owner).where(a.key == names.key(name)))
        if not rows or rows[0].owner is not None:
            raise CommandFailed(f"No person has an account called {name}.", code=1)
        path = reset_path(settings.key(store), rows[0].id, rows[0].holder, now())
        moderation.execute(store, moderation.AllowReset(rows[0].name), _operator(), note)
    print(f"{(settings.public_url or '').rstrip('/')}{path}")
    if not settings.public_url:
        print("Put your server's address in front of it.")
    print(f"It works once, within {HOURS} hours. Give it to nobody but the owner of the account.")


def show_list(kind: moderation_lists.Listable, search: str, limit: int) -> None:
    """Print things of a kind, the newest first."""
    with current_store() as store:
        _print_rows(
            [
                (row.id, row.name, _time(row.at), "hidden" if row.hidden else "")
                for row in moderation_lists.listed(store, kind, search, limit)
            ],
            f"There is no {kind}{f' with {search!r} in its id or name' if search else ''}.",
        )


def show_restrictions() -> None:
    """Print what is hidden and closed."""
    with current_store() as store:
        rows = [(row.kind, row.subject, row.name, _time(row.at)) for row in moderation_lists.restrictions(store)]
        _print_rows(rows, "Nothing is hidden or closed.")


def show_reports(settled: bool) -> None:
    """Print the reports of players, each with what it is about, who sent it, and the commands for it."""
    with current_store() as store:
        reports = moderation_lists.reports(store, settled=settled)
        for row in reports:
            reporter = moderation_lists.name_of_account(store, row.person) or "a visitor without an account"
            done = ", settled" if row.settled is not None else ""
            print(_printable(f"{row.number}  {_time(row.at)}  {row.place}  {row.item}{done}, by {reporter}"))
            if row.quoted:
                print(_printable(f"    {row.quoted}"))
            if row.sentence:
                print(_printable(f"    They write: {row.sentence}"))
            if row.settled is None:
                possible = [words for words in commands_for(row.place, row.item) if is_in_place(store, *words)]
                for words in possible:
                    print(_printable(f"    pyramidion admin {shlex.join(words)}"))
                if not possible:
                    print("    It is hidden or gone already.")
                print(f"    pyramidion admin settle {row.number}")
    if not reports:
        print("There are no reports." if settled else "There are no open reports.")


def show_log(limit: int) -> None:
    """Print what operators have done, the oldest first."""
    with current_store() as store:
        rows = [(_time(row.at), row.operator, row.action, row.note) for row in moderation_lists.log(store, limit)]
        _print_rows(rows, "No operator has done anything yet.")


def _operator() -> str:
    """Return the name of whoever runs the command, for the log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "?"


def _time(at: int) -> str:
    """Return a time, in milliseconds since 1970, as text in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _printable(line: str) -> str:
    """Return a line as a terminal can print it: what strangers wrote must not steer the terminal, nor add lines."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in line)


def _print_rows(rows: Sequence[Sequence[str]], otherwise: str) -> None:
    """Print rows in columns, or a sentence if there are none."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(_printable("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()))
    if not rows:
        print(otherwise)
