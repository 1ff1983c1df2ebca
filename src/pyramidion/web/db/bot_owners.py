"""Who answers for bots with accounts of their own: the people who own them."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from pyramidion.web.db.schema import ACCOUNTS
from pyramidion.web.db.store import Store


def owners_of(store: Store, visitors: Collection[str]) -> dict[str, str]:
    """Return who owns those of some visitors that are bots: the owner's visitor id by the bot's; blocks."""
    bot, owner = ACCOUNTS.alias().c, ACCOUNTS.alias().c
    query = sa.select(bot.holder.label("bot"), owner.holder.label("owner")).where(owner.id == bot.owner)
    return {row.bot: row.owner for row in store.query(query.where(bot.holder.in_(visitors)))}
