"""People: accounts, how they sign in, API tokens, and whom they have blocked."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, LargeBinary, String, Table, Text

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# An account is a visitor id shared by several browsers: `holder` is the id in their cookies, and replacing it
# invalidates them all. `key` is the normalized name for signing in. `looks` is a key that all
# names share which may look alike (`names.looks`). `password` is an
# Argon2id hash, NULL for an account with passkeys only. `owner` is the account to which a bot belongs, NULL for people.
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("key", String(160), nullable=False),
    Column("looks", String(160), nullable=False),
    Column("holder", String(40), nullable=False),
    Column("password", Text),
    Column("email", String(254)),
    Column("created", BigInteger, nullable=False),
    Column("owner", String(40)),
    Index("ix_accounts_owner", "owner"),
    Index("ix_accounts_key", "key", unique=True),
    Index("ix_accounts_looks", "looks"),
    Index("ix_accounts_holder", "holder", unique=True),
)

# `id` is the credential id in base64url.
PASSKEYS = Table(
    "passkeys",
    METADATA,
    Column("id", String(1400), primary_key=True),
    Column("account", String(40), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_passkeys_account", "account"),
)

# The tokens with which programs act for a bot's account: their hashes, and what they allow, separated by spaces.
API_TOKENS = Table(
    "api_tokens",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("account", String(40), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
    Column("scopes", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_api_tokens_account", "account"),
    Index("ix_api_tokens_hash", "hash", unique=True),
)

# Whom people have blocked; `name` is what they were called then, unless operators have renamed them.
BLOCKS = Table(
    "blocks",
    METADATA,
    Column("person", VisitorId(Merging.BLOCK, Deletion.BROWSER), primary_key=True),
    Column("blocked", VisitorId(Merging.BLOCK, Deletion.BROWSER), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_blocks_blocked", "blocked"),
)
