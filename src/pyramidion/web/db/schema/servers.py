"""What the servers of a database share: keys, and claims on work."""

from sqlalchemy import BigInteger, Column, String, Table, Text

from pyramidion.web.db.schema.base import METADATA

# Secrets shared by all servers of the database: `cookies` signs cookies, unless the settings contain a key; `push` is
# the private key of Web Push.
KEYS = Table(
    "keys",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

# Claims on work such as a bot's move (`claims`): a lease, which `server` renews before `until`.
CLAIMS = Table(
    "claims",
    METADATA,
    Column("key", String(80), primary_key=True),
    Column("server", String(40), nullable=False),
    Column("until", BigInteger, nullable=False),
)
