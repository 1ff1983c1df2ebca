"""The databases that tests of the store run against: a file of SQLite, and PostgreSQL where it is installed.

The migrations make one database of each kind in a session, and all others are copies of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from benchmarks.cluster import Cluster

from pyramidion.web.db.sqlite_files import put_once
from pyramidion.web.db.store import Store
from pyramidion.web.tokens import new_id

MADE_BY_MIGRATIONS = Store._make
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


class Databases:
    """Gives every folder a database of its own, always the same one."""

    def __init__(self) -> None:
        self.kind = "sqlite"
        self._cluster: Cluster | None = None
        self._made: dict[Path, str] = {}
        self._migrated: str | None = None

    @property
    def cluster(self) -> Cluster:
        """PostgreSQL, started when a test first needs it."""
        if self._cluster is None:
            self._cluster = Cluster()
        return self._cluster

    def url_at(self, folder: Path, *, empty: bool = False) -> str:
        """Return the URL of the database that belongs to a folder; an empty one is not up to date, but has nothing."""
        if self.kind == "sqlite":
            return f"sqlite:///{folder}/data.sqlite3"
        if folder not in self._made:
            self._made[folder] = self.cluster.new_database() if empty else self.new_in_postgresql()
        return self._made[folder]

    def new_in_postgresql(self) -> str:
        """Return the URL of a new database that is up to date."""
        if self._migrated is None:
            url = self.cluster.new_database()
            migrate(url)
            self._migrated = str(sa.make_url(url).database)
        return self.cluster.new_database(self._migrated)

    def close(self) -> None:
        """Stop what was started."""
        if self._cluster is not None:
            self._cluster.close()


def migrate(url: str) -> None:
    """Bring a database up to date."""
    store = Store(url)
    store.open()
    store.close()


@contextmanager
def copies_of_one_file(folder: Path) -> Iterator[None]:
    """Meanwhile every new file of SQLite is a copy of one in this folder."""
    migrated = folder / "migrated.sqlite3"
    migrate(f"sqlite:///{migrated}")

    def make(store: Store, _config: object) -> None:
        path = Path(str(store.url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        put_once(Path(shutil.copyfile(migrated, path.with_name(f"{path.name}.{new_id()}.new"))), path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "_make", make)
        yield


DATABASES = Databases()
url_at = DATABASES.url_at
