# pyright: basic
"""A bot that accepts invitations and plays under its own name: `PYRAMIDION_TOKEN=... python examples/invited_bot.py`.

Create the bot and its token on the server, under *Your bots*. Then people can invite it, also to rated tables.
"""

import os
import sys
from threading import Thread

from pyramidion.client import Client, Seat, first_id


def play(seat: Seat) -> None:
    """Play a game to its end; here a better bot would choose better."""
    for news in seat.stream():
        legal = news.get("legal")
        if legal:
            seat.act(first_id(legal[0]), news["version"])


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    with Client(address, os.environ["PYRAMIDION_TOKEN"]) as client:
        for game in client.games():
            Thread(target=play, args=[game]).start()
