"""The `pyramidion migrate`, `backup`, `restore` and `export` commands, which work on a server's database."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TextIO

import sqlalchemy as sa
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from pyramidion.cli.options import CommandFailed, check_new
from pyramidion.translation import quantity
from pyramidion.web.db.database import StoreError, copy_sqlite
from pyramidion.web.db.schema import MATCHES
from pyramidion.web.db.sqlite_files import first_bytes, in_use, parts_of, put_once
from pyramidion.web.db.store import Store
from pyramidion.web.errors import Refused, UnknownTable
from pyramidion.web.operations.reported import id_of
from pyramidion.web.settings import Settings, wrong_setting

SQLITE = b"SQLite format 3\0"
"""How an SQLite file begins."""


@contextmanager
def opened_store() -> Generator[Store]:
    """Context manager: give access to the configured database, without changing it.

    Raises CommandFailed if the settings or the database are bad.
    """
    try:
        store = Store(Settings().database())
        try:
            yield store
        except SQLAlchemyError as error:
            raise CommandFailed(store.why_unusable(error), code=1) from error
        finally:
            store.close()
    except ValidationError as error:
        raise CommandFailed(wrong_setting(error), code=1) from error
    except (StoreError, Refused) as error:
        raise CommandFailed(str(error), code=1) from error


@contextmanager
def existing_store() -> Generator[Store]:
    """Context manager: give access to the configured database. Raises CommandFailed, also if there is none."""
    with opened_store() as store:
        if store.layout() is None:
            raise CommandFailed(no_database(store), code=1)
        yield store


@contextmanager
def current_store() -> Generator[Store]:
    """Context manager: give access to the configured database, of this version's layout. Raises CommandFailed."""
    with existing_store() as store:
        store.require_newest_layout()
        yield store


def no_database(store: Store) -> str:
    """Return a message that says where a database was looked for, and how to name the server's."""
    return (
        f"There is no database of Pyramidion at {store.location}. If a server uses another one, run this command with "
        "the server's PYRAMIDION_DATA_DIR or PYRAMIDION_DATABASE_URL; docs/hosting.md has the lines for systemd and "
        "Docker."
    )


def migrate() -> None:
    """Migrate the database to this version's schema and print the old and new schema versions.

    An empty PostgreSQL database is filled. Raises CommandFailed if there is no SQLite file; a server makes one.
    """
    with opened_store() as store:
        if store.sqlite and store.layout() is None:
            raise CommandFailed(no_database(store), code=1)
        before, after = store.open()
    if before == after:
        print(f"The database is up to date: its layout is {after}.")
    else:
        print(f"The database was {'new' if before is None else f'at layout {before}'} and is now at {after}.")


def backup(file: Path) -> None:
    """Back up the database to a file, even while servers use it. Raises CommandFailed on failure and leaves no file."""
    try:
        check_new(file)
        draft = file.with_name(f".{file.name}.part")
        with existing_store() as store:
            # Only its owner may read it: it holds seeds, keys and players' names.
            draft.touch(mode=0o600)
            try:
                if store.sqlite:
                    copy_sqlite(Path(str(store.url.database)), draft)
                else:
                    _run_for("pg_dump", store, ["--format=custom", "--no-owner", f"--file={draft}"])
                draft.rename(file)
            finally:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise CommandFailed(
            f"{file} cannot be written: {error.strerror}. Name a file in a folder that exists and can be written to.",
            code=1,
        ) from error
    print(f"{file} holds everything up to now, {quantity(file.stat().st_size, 'byte')}.")


def restore(file: Path, *, set_aside: bool = False) -> None:
    """Restore a backup to the configured database, which must be new, or is moved away with `set_aside`.

    Raises CommandFailed if that is impossible, and changes nothing then.
    """
    try:
        start = first_bytes(file)
    except OSError as error:
        raise CommandFailed(
            f"{file} cannot be read: {error.strerror}. Name a file of `pyramidion backup`.", 1
        ) from error
    with opened_store() as store:
        if store.sqlite:
            _restore_sqlite(store, file, start, set_aside=set_aside)
        else:
            if set_aside:
                raise CommandFailed("--set-aside is for an SQLite database. Name a new one of PostgreSQL instead.")
            _restore_postgresql(store, file, start)
        # `store.ids` would need the newest layout; a backup may be older, and is upgraded when the server starts.
        tables = quantity(store.query(sa.select(sa.func.count()).select_from(MATCHES))[0][0], "table")
        print(f"{store.location} holds {tables}, as {file} did. Start the server to go on.")


def _restore_sqlite(store: Store, file: Path, start: bytes, *, set_aside: bool) -> None:
    """Put a backup where the database belongs. Raises CommandFailed if one is there, or the file is no backup."""
    path = Path(str(store.url.database))
    old = [part for part in parts_of(path) if part.exists()]
    if old and not set_aside:
        raise CommandFailed(
            f"{old[0]} is there already; with --set-aside it is moved away first. Nothing was changed.", code=1
        )
    if in_use(path):
        raise CommandFailed(f"A server uses {path}. Stop it, and try again. Nothing was changed.", code=1)
    if not start.startswith(SQLITE):
        raise CommandFailed(f"{file} is no backup of an SQLite database. Nothing was changed.", code=1)
    backup = Store(f"sqlite:///{file}")
    try:
        if backup.require_usable() is None:
            raise CommandFailed(f"{file} is not a database of Pyramidion. Nothing was changed.", code=1)
    except StoreError as error:
        cause = str(error).partition(" It was left as it is.")[0]
        raise CommandFailed(f"{cause} It cannot be restored; choose another backup. Nothing was changed.", 1) from error
    finally:
        backup.close()
    store.make_folder()
    draft = path.with_name(f".{path.name}.part")
    try:
        copy_sqlite(file, draft)
        if old:
            _set_aside(old, path)
        put_once(draft, path)
    except OSError as error:
        raise CommandFailed(store.why_unusable(error), code=1) from error
    finally:
        draft.unlink(missing_ok=True)


def _set_aside(parts: Sequence[Path], path: Path) -> None:
    """Move the files of a database into a new folder beside it, and print where it is."""
    folder = path.with_name(f"{path.name}.old-{datetime.now():%Y-%m-%d-%H%M%S}")
    folder.mkdir(mode=0o700)
    for part in parts:
        part.rename(folder / part.name)
    print(f"The old database is in {folder}.")


def _restore_postgresql(store: Store, file: Path, start: bytes) -> None:
    """Load a dump into an empty database. Raises CommandFailed if it is not empty, or the dump is bad."""
    if sa.inspect(store.engine).get_table_names():
        raise CommandFailed(f"The database {store.location} is not empty; name a new one. Nothing was changed.", code=1)
    if start.startswith(SQLITE):
        raise CommandFailed(
            f"{file} is a backup of SQLite, and the database is PostgreSQL's. Nothing was changed.", code=1
        )
    _run_for("pg_restore", store, ["--no-owner", "--exit-on-error", "--single-transaction"], [str(file)])


def _run_for(program: str, store: Store, options: list[str], files: Sequence[str] = ()) -> None:
    """Run one of PostgreSQL's programs on the configured database. Raises CommandFailed with its complaint."""
    if shutil.which(program) is None:
        raise CommandFailed(
            f"A PostgreSQL database needs {program}, which is not installed here. Run it where the database runs.",
            code=1,
        )
    # Pass the password in the environment: other users of the machine can see command lines.
    url = store.url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = os.environ | ({"PGPASSWORD": str(store.url.password)} if store.url.password else {})
    command = [program, *options, f"--dbname={url}", *files]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandFailed(f"{program} could not do it: {done.stderr.strip()}", code=1)


def export(table: str | None, out: Path | None, unfinished: bool, *, transcript: bool = False) -> None:
    """Write the record of one table or of all tables as lines of JSON, or the transcript of one table as Markdown.

    The transcript of an unfinished game contains only public information. Raises CommandFailed if one is unreadable.
    """
    if transcript and table is None:
        raise CommandFailed("A transcript is of one table; name its id.")
    count, unreadable = 0, 0
    with current_store() as store:
        from pyramidion.web.db.writer import Writer
        from pyramidion.web.features.host_controls.transcript import transcript as markdown
        from pyramidion.web.table.tables import Tables

        tables = Tables(store, Writer(store), keep=1)
        ids = [id_of("table", table)] if table is not None else store.ids()
        with _new_file(out) if out is not None else _stdout() as file:
            for table_id in ids:
                try:
                    saved_table = tables.rebuild(table_id)
                except Refused as error:
                    if table is not None and isinstance(error, UnknownTable):
                        listing = "`pyramidion admin list table` lists the tables"
                        raise CommandFailed(f"There is no table {table_id[:40]!r} here; {listing}.", 1) from error
                    if table is not None:
                        raise
                    print(f"pyramidion: {table_id}: {error}", file=sys.stderr)
                    unreadable += 1
                    continue
                if transcript:
                    file.write(markdown(saved_table, None))
                elif saved_table.match.over or unfinished:
                    file.write(json.dumps(saved_table.record(), ensure_ascii=False) + "\n")
                    count += 1
                elif table is not None:
                    raise CommandFailed(
                        "This game is not over; --unfinished exports it all the same, secrets included."
                    )
    if out is not None and transcript:
        print(f"{out} holds the transcript.")
    elif out is not None:
        print(f"{out} holds {quantity(count, 'record')}.")
    if unreadable:
        raise CommandFailed(f"Unreadable, and left out: {unreadable} of {quantity(len(ids), 'table')}.", code=1)


@contextmanager
def _new_file(path: Path) -> Generator[TextIO]:
    """Context manager for a new text file that only its owner can read, which is deleted again if something fails."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@contextmanager
def _stdout() -> Generator[TextIO]:
    """Context manager for standard output, which stays open."""
    yield sys.stdout
