"""The databases that tests of the store run against: a file of SQLite, and PostgreSQL where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster import Cluster

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


class Databases:
    """Gives every folder a database of its own, always the same one."""

    def __init__(self) -> None:
        self.kind = "sqlite"
        self._cluster: Cluster | None = None
        self._made: dict[Path, str] = {}

    @property
    def cluster(self) -> Cluster:
        """PostgreSQL, started when a test first needs it."""
        if self._cluster is None:
            self._cluster = Cluster()
        return self._cluster

    def url_at(self, folder: Path) -> str:
        """Return the URL of the database that belongs to a folder."""
        if self.kind == "sqlite":
            return f"sqlite:///{folder}/data.sqlite3"
        if folder not in self._made:
            self._made[folder] = self.cluster.new_database()
        return self._made[folder]

    def close(self) -> None:
        """Stop what was started."""
        if self._cluster is not None:
            self._cluster.close()


DATABASES = Databases()
url_at = DATABASES.url_at
