"""The origin of seeds in the database: the server's secrets and the players' contributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from pyramidion.engine.seeds import Contribution, Origin, contribute, new_secret
from pyramidion.web.db.schema import CONTRIBUTIONS, SECRETS
from pyramidion.web.errors import BadRequest


@dataclass(frozen=True, slots=True)
class OfferedContribution:
    """What a player sends as a contribution to the seed: a `text`, or None if the server should draw one."""

    text: str | None = None
    source: str = "own"

    @staticmethod
    def of(own: str | None, drawn: str | None) -> OfferedContribution:
        """Return the contribution in a form: the player's `own` text, else the one `drawn` by the browser."""
        own = " ".join((own or "").split())
        return OfferedContribution(own, "own") if own else OfferedContribution(drawn or None, "browser")


NO_CONTRIBUTION = OfferedContribution()


def contribution(game: str, table: str, seat: int, given: OfferedContribution) -> Contribution:
    """Return a seat's contribution to a table's seed, with its receipt. Raises BadRequest with a sentence."""
    try:
        return contribute(game, table, seat, given.text, given.source)
    except ValueError as error:
        raise BadRequest(str(error)) from error


def new_origin(game: str, table: str, given: Mapping[int, OfferedContribution]) -> Origin:
    """Return the origin of a new seed: a secret, and what the first players contribute, by seat. Raises BadRequest."""
    return Origin(new_secret(), tuple(contribution(game, table, seat, given[seat]) for seat in sorted(given)))


def insert(connection: sa.Connection, table: str, origin: Origin) -> None:
    """Store the origin of a table's seed."""
    connection.execute(sa.insert(SECRETS), {"match": table, "secret": origin.secret})
    for given in origin.contributions:
        put(connection, table, given)


def put(connection: sa.Connection, table: str, given: Contribution) -> None:
    """Store a seat's contribution to the seed, replacing its earlier one."""
    drop(connection, table, given.seat)
    values = {"seat": given.seat, "text": given.text, "source": given.source}
    connection.execute(
        sa.insert(CONTRIBUTIONS), {"match": table, **values, "commitment": given.commitment, "nonce": given.nonce}
    )


def drop(connection: sa.Connection, table: str, seat: int) -> None:
    """Delete a seat's contribution to the seed."""
    connection.execute(sa.delete(CONTRIBUTIONS).where(CONTRIBUTIONS.c.match == table, CONTRIBUTIONS.c.seat == seat))


def find(connection: sa.Connection, table: str) -> Origin | None:
    """Return the origin of a table's seed; None if the seed was chosen, or dates from before seeds had origins."""
    secret = connection.execute(sa.select(SECRETS.c.secret).where(SECRETS.c.match == table)).scalar_one_or_none()
    if secret is None:
        return None
    c = CONTRIBUTIONS.c
    query = sa.select(c.seat, c.text, c.source, c.commitment, c.nonce).where(c.match == table).order_by(c.seat)
    return Origin(secret, tuple(Contribution(*row) for row in connection.execute(query)))
