"""How much people can write in a competition: its logs are read and folded as a whole whenever they grow."""

from __future__ import annotations

MOST_ENTRIES = 5_000
"""The entries of the log of a season or tournament. The server adds further ones, such as results."""
MOST_SIGN_UPS = 10
"""How often somebody can sign up for a tournament."""
MOST_OF_CONTESTANTS, MOST_OF_CONTESTANT = 4_000, 300
"""Contestants add nothing to a log of the first length, so that hosts always can; each adds the second number."""
MOST_MESSAGES, MOST_MESSAGES_OF_ONE, MOST_SUBMISSIONS = 20_000, 5_000, 1_000
"""The entries of the log of conversations: all messages, those of a contestant, and a contestant's submissions."""
