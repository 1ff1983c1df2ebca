# pyright: basic
"""A bot that accepts invitations and plays under its own name: `PYRAMIDION_TOKEN=... python examples/invited_bot.py`.

Create the bot and its token on the server, under *Your bots*. Then people can invite it, also to rated tables.
"""

import os
import sys
from threading import Thread

from pyramidion.client import Client, first_id


def play(seat):
    """Play a game to its end."""
    for news in seat.stream():
        if legal := news.get("legal"):
            seat.act(first_id(legal[0]), news["version"])  # a better bot would choose better


if __name__ == "__main__":
    with Client((sys.argv[1:] or ["http://127.0.0.1:8000"])[0], os.environ["PYRAMIDION_TOKEN"]) as client:
        for seat in client.games():
            Thread(target=play, args=[seat]).start()
