"""What the tables of the database have in common. Times are whole milliseconds since 1970 in UTC."""

from sqlalchemy import MetaData

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

# Marks a column of visitor ids: signing in moves what the browser held to the account (`holders`).
HOLDER = {"holder": True}
