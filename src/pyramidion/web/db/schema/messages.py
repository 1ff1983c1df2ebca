"""Messages: the chat, and notifications by e-mail, push and webhook."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# Chat messages. `readers` is a bit mask of the seats that may read a message, NULL for everybody. `name` is the author,
# `role` the author's role: player, host (who does not play) or watcher. `seat` is NULL for the last two, and after the
# player has left the seat. Messages are published by their random `id`, since `number` would reveal how many messages a
# reader cannot see. A removed message keeps its row, without its text.
CHAT_LINES = Table(
    "chat_lines",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("id", String(22), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer),
    Column("name", String(40)),
    Column("text", Text, nullable=False),
    Column("readers", Integer),
    Column("removed", Boolean, nullable=False),
    Column("role", String(10), nullable=False, server_default="player"),
)

# The chat state of a seat: `seen` is the last message it has read, `since` the first private message that its current
# player may read, `notes` its private notes, `looked` when it last had the table open. `read` is JSON: the last message
# read in single conversations, by the bits of their readers (0 for the conversation with everyone).
CHAT_SEATS = Table(
    "chat_seats",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("seen", Integer, nullable=False),
    Column("since", Integer, nullable=False),
    Column("notes", Text, nullable=False),
    Column("looked", BigInteger, nullable=False),
    Column("read", Text, nullable=False, server_default="{}"),
)

# How to notify a person. `person` is the id that holds their seats. `off` is JSON: the notifications switched off.
# `quiet_from` and `quiet_until` are the hours of the day, in the person's zone, between which nothing is pushed.
# `author` has set the webhook of a club, season or tournament, by their id there (`db/group_webhooks.py`).
CONTACTS = Table(
    "contacts",
    METADATA,
    Column("person", VisitorId(Merging.ACCOUNTS, Deletion.ROW), primary_key=True),
    Column("email", String(254)),
    Column("confirmed", Boolean, nullable=False),
    Column("webhook", Text),
    Column("zone", String(64), nullable=False),
    Column("language", String(10), nullable=False),
    Column("off", Text, nullable=False),
    Column("polled", BigInteger, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("author", String(40)),
)

# Notification settings for one table: what a person has switched off. The row without a person is the table's webhook.
TABLE_CONTACTS = Table(
    "table_contacts",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", VisitorId(Merging.ACCOUNTS, Deletion.ROW), primary_key=True),
    Column("webhook", Text),
    Column("off", Text, nullable=False),
)

# Devices that have subscribed to Web Push: `id` is the SHA-256 of the endpoint, `p256dh` and `auth` are the browser's
# keys in base64url, for which messages are encrypted.
PUSH_DEVICES = Table(
    "push_devices",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("person", VisitorId(Merging.BOTH, Deletion.ROW), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("made", BigInteger, nullable=False),
    Index("ix_push_devices_person", "person"),
)

# Queued notifications, one per recipient, kind and way. `mark` identifies the occasion and prevents duplicates. `due`
# is the time of the next attempt. `sent` is when it was sent or given up; after that the row only keeps the mark.
OUTBOX = Table(
    "outbox",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", VisitorId(Merging.ACCOUNTS, Deletion.ROW), primary_key=True),
    Column("kind", String(10), primary_key=True),
    Column("way", String(10), primary_key=True),
    Column("mark", String(60), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("sent", BigInteger),
    Index("ix_outbox_due", "due"),
)

# Notifications that concern no single table, in the words and with the link (a path) that their recipient gets. `mark`
# names the occasion, so that nothing is sent twice; nothing is sent after `until`.
NOTICES = Table(
    "notices",
    METADATA,
    Column("mark", String(100), primary_key=True),
    Column("person", VisitorId(Merging.ACCOUNTS, Deletion.ROW), primary_key=True),
    Column("way", String(10), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("link", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("sent", BigInteger),
    Index("ix_notices_due", "due"),
)

# SHA-256 of addresses whose owners have unsubscribed from all e-mail.
MAIL_REFUSALS = Table(
    "mail_refusals",
    METADATA,
    Column("address", LargeBinary(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
