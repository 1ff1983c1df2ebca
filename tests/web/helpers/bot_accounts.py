"""Helpers of the tests in `test_bot_accounts.py`, which other tests use, too."""

import re


def token_in(answer):
    assert answer.status_code == 200, answer.text
    return re.search(r'class="token">([^<]+)<', answer.text)[1]


def a_bot(owner, name):
    """Create a bot; return its whole name and its first token."""
    return f"{name} (bot: {owner.name})", token_in(owner.form("/account/bots", name=name))


def a_room_for(host, bot, **fields):
    """Open a waiting room and invite a bot; return its id."""
    room = host.start("me", "open", me="Host", **(fields or {"start": "when-ready"}))
    host.say(f"/t/{room}/room/invite", account=bot)
    return room
