"""Tables in the middle of a game: a seat that plays by forms up to a position to inspect."""

from __future__ import annotations

import random
import re
import time
from typing import TYPE_CHECKING, Any

import httpx
from tests.web.helpers.polling import PATIENCE

from pyramidion.bots.random import RandomBot

if TYPE_CHECKING:
    from pyramidion.engine.layout import Redacted

NUMBER = re.compile(r'name="number-([\w-]+)"[^>]*?min="(\d+)"')
ACTION = re.compile(r'name="action" value="([^"]+)"')
VERSION = re.compile(r'data-version="(\d+)"')
TIE = re.compile(r'data-key="(tie)-')
LIVELY = ("place", "flip", "limit", "reserve", "fund", "turn", "rotate")
"""Action families that fill a table; others are chosen less often."""


class SettledBot(RandomBot):
    """A random bot that always chooses the same in the same position, however many others play at the same time."""

    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of a legal action; see `Bot.choose`."""
        return RandomBot(self.game, f"{seat} {state.tobytes().hex()}").choose(box, state, seat)


class Seated:
    """A person at seat 0 of a new table against random bots, who plays by sending forms."""

    def __init__(self, address: str, game: str, seats: int, seed: str, **fields: str) -> None:
        self.http = httpx.Client(base_url=address, follow_redirects=True, timeout=PATIENCE)
        page = self.http.get(f"/games/{game}/new").text
        self.csrf = re.search(r'name="csrf" value="(\w+)"', page)[1]
        bots = {f"seat-{seat}": "bot:random" for seat in range(1, seats)}
        form = {
            "csrf": self.csrf,
            "game": game,
            "seats": str(seats),
            "seat-0": "me",
            "me": "Margherita",
            "seed": seed,
            "close-early": "yes",
        }
        self.path = self.http.post("/tables", data={**form, **bots, **fields}).url.path
        self.chance = random.Random(seed)

    def __enter__(self) -> Seated:
        return self

    def __exit__(self, *raised: object) -> None:
        self.http.close()

    @property
    def cookie(self) -> dict[str, str]:
        """The cookie of the person's browser."""
        return {"name": "pyramidion_visitor", "value": self.http.cookies["pyramidion_visitor"]}

    def page(self) -> str:
        """Return the page once it is this player's turn or the game is over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            text = self.http.get(self.path).text
            if " data-mine=" in text or ('class="play seated' in text and ' over"' in text):
                return text
            time.sleep(0.05)
        raise AssertionError(f"Nobody's turn at {self.path}.")

    def due(self) -> frozenset[str]:
        """Return the families of the actions that can be chosen now, and `tie` where the board shows one."""
        text = self.page()
        return frozenset(
            [
                *(action.split()[0] for action in ACTION.findall(text)),
                *(number[0] for number in NUMBER.findall(text)),
                *TIE.findall(text),
            ]
        )

    def go_on(self, decisions: int) -> bool:
        """Make some random decisions; return whether the game continues, at this player's turn."""
        while decisions:
            text = self.page()
            if " data-mine=" not in text:
                return False
            before, chosen = self.chance.getstate(), self._choose(text)
            answer = self.http.post(
                f"{self.path}/act",
                data={"csrf": self.csrf, "seat": "0", "version": VERSION.search(text)[1], "action": chosen},
                headers={"Accept": "application/json", "X-CSRF": self.csrf},
            )
            assert answer.status_code in (200, 409), (chosen, answer.text)
            if answer.status_code == 200:
                decisions -= 1
            else:
                # Something changed meanwhile; the same choice is made again, so that a seed leads to one position.
                self.chance.setstate(before)
        return " data-mine=" in self.page()

    def _choose(self, text: str) -> str:
        legal = list(dict.fromkeys(ACTION.findall(text)))
        if "confirm" in legal:
            parts = [action for action in legal if action.split()[0] in ("ask", "claim", "challenge")]
            return "confirm" if not parts or self.chance.random() < 0.4 else self.chance.choice(parts)
        if not legal:
            family, low = NUMBER.search(text).groups()
            return f"{family} {low}"
        lively = [action for action in legal if action.split()[0] in LIVELY]
        return self.chance.choice(lively if lively and self.chance.random() < 0.7 else legal)
