"""How many tables seat so many players, and how large they are: what seasons and tournaments both ask."""

from __future__ import annotations


def table_sizes(count: int, seats: range) -> list[int] | None:
    """Return the sizes of the fewest tables that seat everybody, as equal as can be; None if no tables do."""
    for tables in range(1, count + 1):
        size, larger = divmod(count, tables)
        sizes = [size + 1] * larger + [size] * (tables - larger)
        if all(size in seats for size in sizes):
            return sizes
    return None
