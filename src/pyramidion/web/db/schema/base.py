"""What the tables of the database have in common. Times are whole milliseconds since 1970 in UTC."""

from enum import Enum
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


class Merging(Enum):
    """How a visitor's rows are merged with an account's on signing in, as each column of visitor ids declares."""

    DEVICE = "One that shows a seat of the account falls away; so does one that shows a second seat of a rated game."
    SEAT = "The account holds both seats, one open at a time; of two seats of an unfinished rated game only its own."
    RESULT = "Of two results of one match neither is credited. Results of rated matches stay behind."
    RATING = "Visitors have no ratings. Ratings left over from a deleted account stay behind."
    ROLE = "The row with the higher role stays, so an open request falls away."
    BLOCK = "The account's row stays. Nobody blocks themselves."
    ACCOUNTS = "The account's row stays."
    BOTH = "Both rows stay."


class Deletion(Enum):
    """What happens to the rows of a deleted account, as each column of visitor ids declares.

    A person's seats stay with the browser that deletes the account. What a bot hosts passes to its owner, and nobody
    holds its seats any more.
    """

    SEAT = "Stays with the browser. Nobody holds a seat of an unfinished rated game; in its waiting room it is free."
    RESULT = "Stays with the browser. Nobody is credited with the result of a rated match."
    PLACE = "Stays with the browser, and a host stays host. Nobody holds a bot's, so that the season renews its link."
    ENTRY = "Nobody holds it, so that the tournament withdraws the player. The host stays the host."
    CLUB = "Is deleted. The next in rank becomes the owner of a club; without one the club is closed."
    HOST = "Stays with the browser, or passes to the bot's owner."
    BROWSER = "Stays with the browser."
    NOBODY = "Stays, under an id that nobody holds."
    ROW = "Is deleted."


class VisitorId(String):
    """The type of columns of visitor ids, which cannot be compared with None: that would find all rows without one.

    A missing visitor is nobody, but `column == None` is `IS NULL` in SQL, which is true of every place that is still
    free. Where that is meant, write `column.is_(None)`.

    Attributes:
        merging, deletion: what `holders` does with the rows.
    """

    def __init__(self, merging: Merging, deletion: Deletion, length: int = 40) -> None:
        super().__init__(length)
        self.merging, self.deletion = merging, deletion

    class Comparator(String.Comparator[str]):
        """Raises TypeError where a column of visitor ids is compared with None."""

        def operate(self, op: OperatorType, *other: Any, **kwargs: Any) -> ColumnElement[Any]:
            """Return the expression. Raises TypeError for a comparison with None."""
            if op in (eq, ne) and any(value is None for value in other):
                raise TypeError(f"{self.expr} is compared with a visitor who is not there.")
            return super().operate(op, *other, **kwargs)

    comparator_factory = Comparator
