"""What the tables of the database have in common. Times are whole milliseconds since 1970 in UTC."""

from typing import Any

from sqlalchemy import ColumnElement, MetaData, String
from sqlalchemy.sql.operators import OperatorType, eq, ne

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

# Marks a column of visitor ids: signing in moves what the browser held to the account (`holders`).
HOLDER = {"holder": True}


class VisitorId(String):
    """The type of columns of visitor ids. Comparing one with None is an error, since it would find everybody's.

    A missing visitor is nobody, but `column == None` is `IS NULL` in SQL, which is true of every place that is still
    free. Where that is meant, write `column.is_(None)`.
    """

    def __init__(self, length: int = 40) -> None:
        super().__init__(length)

    class Comparator(String.Comparator[str]):
        """Refuses None on the other side of an equation."""

        def operate(self, op: OperatorType, *other: Any, **kwargs: Any) -> ColumnElement[Any]:
            """Return the expression. Raises TypeError for a comparison with None."""
            if op in (eq, ne) and any(value is None for value in other):
                raise TypeError(f"{self.expr} is compared with a visitor who is not there.")
            return super().operate(op, *other, **kwargs)

    comparator_factory = Comparator
