"""An SQLite or PostgreSQL database: its connections, its creation and its migrations."""

from __future__ import annotations

import errno
import filecmp
import glob
import logging
import os
import secrets
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError, SQLAlchemyError

from pyramidion.extras import install_command
from pyramidion.web.db import older_layouts
from pyramidion.web.db.sqlite_files import cut_short, identity_of, put_once

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
log = logging.getLogger(__name__)
BEGIN = "pyramidion_begin"
"""Execution option: the statement that begins a transaction in SQLite."""
MIGRATING = 0x70797261
"""The advisory lock that a server holds while it migrates a PostgreSQL database."""
OTHER_LAYOUT = ("no such column", "no such table", "table ")
"""How SQLite's complaints begin about tables and columns that are not there."""
# Detect dead connections, and let nothing wait forever.
POSTGRESQL: dict[str, Any] = {
    "application_name": "pyramidion",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # A server that freezes within a transaction must not block the others forever.
    "options": "-c synchronous_commit=on -c statement_timeout=30s -c lock_timeout=10s"
    " -c idle_in_transaction_session_timeout=10s",
}


EXAMPLE_URL = (
    "PYRAMIDION_DATABASE_URL is such as postgresql+psycopg://user:password@host/database; without it, the database is "
    "an SQLite file in PYRAMIDION_DATA_DIR."
)
FILE_COMPLAINTS = ("unable to open", "readonly")
"""What SQLite's complaints contain that are about a file's or a folder's permissions."""
UNUSABLE_FILE = (
    "The file and its folder must be readable and writable for the user of this command: check their permissions, or "
    "name another folder with PYRAMIDION_DATA_DIR."
)


class StoreError(Exception):
    """The database cannot be used and has not been changed; the message says why and what to do."""


class Database:
    """Connects to the server's database, checks it, and creates or upgrades its schema. All methods block.

    Attributes:
        shared: whether servers on other machines may use the same database at the same time.
        to_write, one_statement: execution options for a connection that will write, and for one that will send a single
            statement in autocommit mode.
    """

    def __init__(self, url: str) -> None:
        try:
            self.url = sa.make_url(url)
            if self.url.drivername in ("postgres", "postgresql"):  # as many hosts write it
                self.url = self.url.set(drivername="postgresql+psycopg")
            backend = self.url.get_backend_name()
            if backend not in ("sqlite", "postgresql"):
                raise StoreError(
                    f"The database URL cannot be used: it is for {backend}, not SQLite or PostgreSQL. {EXAMPLE_URL}"
                )
            self.sqlite, self.shared = backend == "sqlite", backend == "postgresql"
            # Ping before use: PostgreSQL may have restarted while the connection was idle. Repeatable read: a match is
            # read as of one moment, although that takes several queries.
            in_postgresql = {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ", "connect_args": POSTGRESQL}
            more: dict[str, Any] = in_postgresql if self.shared else {}
            # Error messages go to the log, so they must not contain the values to be stored.
            self.engine = sa.create_engine(self.url, hide_parameters=True, **more)
        except (SQLAlchemyError, ImportError) as error:
            hint = f" ({install_command('postgres')})" if "psycopg" in str(error) else ""
            raise StoreError(f"The database URL cannot be used: {error}{hint}. {EXAMPLE_URL}") from error
        self._closed, self._opened = False, (0, 0)
        event.listen(self.engine, "checkin", self._returned)
        if self.sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            # Take the write lock at once: SQLite can refuse to upgrade a transaction that has already read.
            self.to_write = {BEGIN: "BEGIN IMMEDIATE"}
            self.one_statement = {BEGIN: ""}
        else:
            self.to_write = {"isolation_level": "READ COMMITTED"}
            self.one_statement = {"isolation_level": "AUTOCOMMIT"}

    def layout(self) -> str | None:
        """Return the schema version, or None for a new database; nothing is changed. Raises StoreError."""
        with self._as_store_error():
            return self._version()

    def open(self) -> tuple[str | None, str | None]:
        """Create or migrate the database; return the previous and the current schema version.

        Raises StoreError if that is not possible.
        """
        self._closed = False
        config, script = _migrations()
        try:
            with self._as_store_error():
                previous = self._known_layout(script)
                newest = script.get_current_head()
                if self._is_new():
                    self.make_folder()
                    self._make(config)
                elif previous not in (None, newest):
                    self._keep_copy(str(previous))
                    log.warning("Upgrading the database %s from layout %s to %s", self.location, previous, newest)
                self._prepare(config, up_to_date=previous == newest)
            self._opened = identity_of(self._file)
        except BaseException:
            self.close()
            raise
        return previous, newest

    def make_folder(self) -> None:
        """Make the folder of an SQLite file, which only its owner may read. Raises StoreError if that is impossible."""
        with self._as_store_error():
            Path(str(self.url.database)).parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def require_usable(self) -> str | None:
        """Return the schema version if this version can use the database. Raises StoreError otherwise."""
        with self._as_store_error():
            return self._known_layout(_migrations()[1])

    def require_newest_layout(self) -> None:
        """Raise StoreError unless the database has this version's layout; nothing is changed."""
        layout, script = self.layout(), _migrations()[1]
        self._require_known(layout, script)
        if layout != script.get_current_head():
            raise StoreError(
                f"The database {self.location} was written by an older version of Pyramidion (its layout is "
                f"{layout!r}). It was left as it is. Back it up, and run `pyramidion migrate`, which upgrades it."
            )

    def has_newest_layout(self) -> bool:
        """Return whether the database still has this version's layout: a newer server may have upgraded it."""
        return self.layout() == _newest_layout()

    def is_gone(self) -> bool:
        """Return whether the SQLite file that was opened has been deleted or moved away since."""
        return self._opened != (0, 0) and identity_of(self._file) != self._opened

    def close(self) -> None:
        """Close all connections; those from which threads are still reading are closed when they have read."""
        self._closed = True
        self.engine.dispose()

    def _returned(self, _connection: Any, record: Any) -> None:
        """Close a connection that comes back after `close`; a pool would keep it open."""
        if self._closed:
            record.invalidate()

    def cause(self, error: Exception) -> str:
        """Return a short cause for an error message; it does not reveal the location of a remote database."""
        if self.sqlite:
            text = str(getattr(error, "orig", None) or error)
            return "its layout is another version's" if text.startswith(OTHER_LAYOUT) else text
        gone = isinstance(error, (OperationalError, InterfaceError))
        return "it does not answer" if gone else "it has refused"

    @property
    def location(self) -> str:
        """The path of the file, or the address without its password."""
        return self.url.database or "in memory" if self.sqlite else self.url.render_as_string(hide_password=True)

    @property
    def _file(self) -> Path | None:
        """The path of an SQLite file; None for PostgreSQL, and for a database in memory."""
        name = self.url.database
        return None if not self.sqlite or not name or name.startswith((":memory:", "file:")) else Path(name)

    @contextmanager
    def _as_store_error(self) -> Generator[None]:
        """Context manager: raise StoreError with a sentence where the database, its file or its folder fails."""
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(self.why_unusable(error)) from error

    def why_unusable(self, error: SQLAlchemyError | OSError) -> str:
        """Return a message that says why the database, its file or its folder has failed, and what to do."""
        cause = " ".join(str(getattr(error, "orig", None) or error).split())
        if isinstance(error, OSError) and error.strerror:
            cause = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        of_file = self.sqlite and (isinstance(error, OSError) or any(part in cause for part in FILE_COMPLAINTS))
        hint = f". {UNUSABLE_FILE}" if of_file else ""
        return f"The database {self.location} cannot be used: {cause}{hint}"

    def _known_layout(self, script: ScriptDirectory) -> str | None:
        """Return the schema version, or None for a new database. Raises StoreError for a damaged or unknown one."""
        self._require_sound()
        layout = self._version()
        self._require_known(layout, script)
        return layout

    def _require_known(self, layout: str | None, script: ScriptDirectory) -> None:
        """Raise StoreError unless a database with this layout is new, up to date, or can be upgraded."""
        revisions = {revision.revision for revision in script.walk_revisions()}
        if layout is not None and layout not in revisions | older_layouts.STEPS.keys():
            raise StoreError(self._unknown_layout(layout, script.get_current_head()))

    def _keep_copy(self, layout: str) -> None:
        """Copy an SQLite database to a new file beside it before an upgrade, unless there is the same copy already."""
        if (path := self._file) is None:
            return
        copy, draft = path.with_name(f"{path.name}.{layout}"), path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        kept = list(path.parent.glob(f"{glob.escape(copy.name)}*"))
        copy_sqlite(path, draft)
        if any(filecmp.cmp(draft, earlier, shallow=False) for earlier in kept):
            draft.unlink()  # an upgrade that has failed is tried again
            return
        copy = copy if not kept else copy.with_name(f"{copy.name}-{len(kept) + 1}")
        put_once(draft, copy)
        log.warning("The database as it was, at layout %s, is kept in %s", layout, copy)

    def _unknown_layout(self, layout: str, newest: str | None) -> str:
        """Return a message that says why a database with this layout cannot be used, and what to do."""
        if older_layouts.is_too_old(layout):
            return (
                f"The database {self.location} is too old: its layout is {layout!r}, and this version upgrades layouts "
                f"from {min(older_layouts.STEPS)!r} on. It was left as it is. Back it up, then run `pyramidion "
                "migrate` with commit d462ef4e of the source, and after that with this version."
            )
        return (
            f"The database {self.location} was written by a newer version of Pyramidion (its layout is "
            f"{layout!r}; this version knows up to {newest!r}). It was left as it is. "
            f"Update Pyramidion, or choose another database with PYRAMIDION_DATABASE_URL."
        )

    def _version(self) -> str | None:
        """Return the schema version, or None for a new database, without writing anything."""
        if self._is_new():
            return None
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one_or_none()

    def _is_new(self) -> bool:
        """Return whether the database is a file that does not exist yet.

        Raises StoreError if the file is empty, and OSError if its folder is a file, or cannot be read.
        """
        if (path := self._file) is None:
            return False
        folder = next((folder for folder in path.parents if folder.exists()), None)
        if folder is not None and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        if path.exists() and path.stat().st_size == 0:
            raise StoreError(
                f"The database {self.location} is an empty file, so what was in it is lost. It was left as it is. "
                f"Put a backup in its place, or remove it to begin with a new one."
            )
        return not path.exists()

    def _require_sound(self) -> None:
        """Raise StoreError if an SQLite file is damaged or cut short, which otherwise shows only when it is read."""
        if not self.sqlite or self._is_new():
            return
        path = Path(self.url.database or "")
        try:
            with self.engine.connect() as connection:
                damage, pages, page_size = (
                    connection.execute(sa.text(f"PRAGMA {pragma}")).scalar_one()
                    for pragma in ("quick_check(1)", "page_count", "page_size")
                )
        except DatabaseError as error:
            if isinstance(error, OperationalError):
                raise  # it cannot be opened
            damage, pages, page_size = str(error.orig), 0, 0
        if damage == "ok" and path.is_file() and cut_short(path, pages * page_size):
            damage = "it has been cut short"
        if damage != "ok":
            cause = damage.removeprefix("*** in database main ***\n").splitlines()[0]
            raise StoreError(
                f"The database {self.location} is damaged: {cause}. It was left as it is. "
                f"Put a backup in its place, or recover what can be read with the command .recover of sqlite3."
            )

    def _require_writable(self) -> None:
        """Raise StoreError if an SQLite file cannot be written, which otherwise shows only when an action is stored."""
        path, effective = self._file, os.access in os.supports_effective_ids
        if path is not None and path.exists() and not os.access(path, os.W_OK, effective_ids=effective):
            raise StoreError(f"The database {self.location} cannot be used: it cannot be written. {UNUSABLE_FILE}")

    def _make(self, config: Config) -> None:
        """Create a database file atomically: a server that is killed, or is too late, leaves nothing behind."""
        path = Path(str(self.url.database))
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        database = Database(self.url.set(database=str(draft)).render_as_string(hide_password=False))
        try:
            database._prepare(config, up_to_date=False)
        except BaseException:
            database.close()
            draft.unlink(missing_ok=True)
            raise
        database.close()
        draft.chmod(0o600)  # it holds seeds, keys and players' names
        put_once(draft, path)

    def _prepare(self, config: Config, *, up_to_date: bool) -> None:
        """Set SQLite's journal mode and, unless the schema is `up_to_date`, upgrade it."""
        if self.sqlite:
            self._require_writable()
            # In WAL mode readers and the writer do not wait for each other. The file remembers the mode. It cannot be
            # set inside a transaction, hence the raw connection.
            raw = self.engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode=WAL")
            finally:
                raw.close()
        if not up_to_date:
            # If two servers start at once, the second waits for the write lock and then finds the migration done.
            with self.engine.connect().execution_options(**self.to_write) as connection, connection.begin():
                if not self.sqlite:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
                older_layouts.upgrade(connection)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")


def _migrations() -> tuple[Config, ScriptDirectory]:
    """Return Alembic's configuration, and the folder of migrations as it reads it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config, ScriptDirectory.from_config(config)


@cache
def _newest_layout() -> str | None:
    """Return this version's schema version; read once, since load balancers ask every few seconds."""
    return _migrations()[1].get_current_head()


def copy_sqlite(path: Path, copy: Path) -> None:
    """Copy an SQLite database, also one in use, to a new file that only its owner can read.

    Raises StoreError if it cannot be copied, or is damaged.
    """
    copy.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(copy)) as target:
            with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as original:
                original.backup(target)
            # Leave WAL mode, so that the copy is a single file.
            target.execute("PRAGMA journal_mode=DELETE")
            finding = target.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.OperationalError as error:  # such as a full disk
        copy.unlink(missing_ok=True)
        raise StoreError(f"The database {path} cannot be copied to {copy}: {error}.") from error
    except sqlite3.DatabaseError as error:
        finding = str(error)
    if finding != "ok":
        copy.unlink(missing_ok=True)
        raise StoreError(f"The database {path} is damaged: {finding}.")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # `_begin_sqlite` begins transactions; the driver itself would begin them too late.
    """Set what every new SQLite connection needs."""
    connection.isolation_level = None
    try:
        cursor: sqlite3.Cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        # An acknowledged action must be on disk and survive a power failure.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()
    except sqlite3.Error:
        # The pool discards a connection that could not be prepared.
        connection.close()
        raise


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction, in the way that the connection's options ask for."""
    begin = connection.get_execution_options().get(BEGIN, "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)
