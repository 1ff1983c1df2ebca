"""Names of accounts: what is accepted, and which names count as the same."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.names import key, lookalike, looks
from pyramidion.translation import _
from pyramidion.web.db.schema import ACCOUNTS
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import Refused
from pyramidion.web.names import player_name

RESERVED = {"me"}
"""Names that stand for something else in addresses: /people/me is the visitor's own page."""


LOCK = 7_261_005
"""The advisory lock that a server holds while it gives a name to an account."""


class BadAccount(Refused):
    """The name, the password or the passkey for an account is not acceptable."""

    status = 422
    code = "bad-account"


def account_name(name: str) -> str:
    """Check and tidy the name for an account; return it. Raises BadAccount or BadRequest with a sentence."""
    tidy = player_name(name)
    if tidy is None:
        raise BadAccount(_("Enter a name."))
    if key(tidy) in RESERVED:
        raise BadAccount(_("This name is reserved. Choose another one."))
    return tidy


def require_free(connection: sa.Connection, name: str) -> None:
    """Raise Conflict if an account has this name already, or a name that looks like it."""
    a = ACCOUNTS.c
    if connection.dialect.name == "postgresql":
        # Servers that share the database decide about names one after the other.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    taken = sa.or_(a.key == key(name), a.looks == looks(name))
    if lookalike(name, connection.execute(sa.select(a.name).where(taken)).scalars()) is not None:
        raise Conflict("The name is taken.")
