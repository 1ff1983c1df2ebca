"""People at a browser: Chromium driven by Playwright, clicking what lights up as a person would."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as TookTooLong
from tests.web.conftest import serving
from tests.web.helpers.polling import PATIENCE

from pyramidion.web.http.uvicorn_server import UvicornServer
from pyramidion.web.settings import Settings

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
"""Those without windows first: they need a quarter less processor time."""
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
READY = """() => {
    const f = document.getElementById("fragment");
    return f && (f.dataset.mine || f.matches(".over"));
}"""
STEPS = "(a) => [...document.querySelectorAll('#actions [data-steps]')].find((b) => b.value === a)?.dataset.steps"
PIECE = """([first, steps]) => {
    const wanted = steps.split(" "), pieces = [...document.querySelectorAll("[data-path].can")];
    const named = pieces.map((piece) => piece.dataset.path.split(" "));
    return named.find((ids) => ids.includes(first) && ids.every((id) => wanted.includes(id)))?.join(" ") ?? "";
}"""
HOW_IT_STANDS = """() => ["status", "actions"].map((id) => document.getElementById(id)?.innerText)
    .concat([...document.querySelectorAll(".held")].map((one) => one.dataset.path))"""
# Whoever plays a whole game by chance means also the move that loses it.
NEWER = """(v) => {
    document.querySelector("#sure[open] [value=yes]")?.click();
    return Number(document.getElementById("fragment").dataset.version) > v;
}"""
# Once the page's scripts have run, something can be chosen; or the only option has been taken meanwhile.
CHOOSABLE = """(v) => document.querySelector("[data-path]:is(.can, .held)")
    || Number(document.getElementById("fragment").dataset.version) > v"""
PICKED = """(v) => {
    const commit = document.getElementById("commit");
    return Number(document.getElementById("fragment").dataset.version) > v || (commit && !commit.hidden);
}"""
COMMIT = """(v) => {
    const commit = document.getElementById("commit");
    if (Number(document.getElementById("fragment").dataset.version) === v && commit && !commit.hidden) commit.click();
}"""
Choose = Callable[[list[str]], str]
MOST_WAITED = 1000 * PATIENCE
expect.set_options(timeout=MOST_WAITED)


def chromium() -> str:
    """The browser's path; skips where there is none, unless browser tests are required."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        if os.environ.get("PYRAMIDION_BROWSER_TESTS") == "required":
            pytest.fail("Browser tests are required, and there is no chromium here.")
        pytest.skip("There is no chromium here.")
    return path


def browser_server(data_dir: Path, port: int = 0, **settings) -> AbstractContextManager[UvicornServer]:
    """A server for browsers: as for other tests, but its streams are as quiet as usual."""
    return serving(data_dir, port, **{"heartbeat": Settings.model_fields["heartbeat"].default, **settings})


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser without a window, whose pages wait as long as tests wait for anything."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS, timeout=MOST_WAITED)
        browser.on("context", lambda context: context.set_default_timeout(MOST_WAITED))
        try:
            yield browser
        finally:
            browser.close()


class Person:
    """Somebody at a browser of their own. `problems` collects what should never happen on a page."""

    def __init__(
        self,
        browser: Browser,
        home: str,
        *,
        width: int = 1280,
        speed: str = "off",
        skips: bool = False,
        **context,
    ) -> None:
        self.home, self.phone = home.rstrip("/"), width < 800
        height = 844 if self.phone else 860
        self.context = browser.new_context(
            base_url=self.home,
            viewport={"width": width, "height": height},
            has_touch=self.phone,
            is_mobile=self.phone,
            **context,
        )
        # What is tried is mostly neither how events are told nor what the page does by itself.
        usual = {"speed": speed} | ({} if skips else {"skip": "off"})
        words = " ".join(f"localStorage.{name} ??= {wish!r};" for name, wish in usual.items())
        self.context.add_init_script(f"try {{ {words} }} catch {{}}")
        self.problems: list[str] = []
        self.allowed: tuple[str, ...] = ()
        self.page = self.context.new_page()
        self.watch(self.page)

    def watch(self, page: Page) -> None:
        page.on("console", lambda said: said.type in ("error", "warning") and self.note(f"console: {said.text}"))
        page.on("pageerror", lambda error: self.note(f"script: {error}"))
        page.on("request", lambda request: self._request(request.url))

    def note(self, problem: str) -> None:
        if not any(text in problem for text in self.allowed):
            self.problems.append(problem)

    def _request(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https") and not url.startswith(self.home):
            self.note(f"a request to {url}")

    def touch(self, target, **where) -> None:
        target.tap(**where) if self.phone else target.click(**where)

    def open_replay(self) -> None:
        """Show the whole panel of a finished game's replay, which a phone keeps folded below the board."""
        if self.phone:
            self.touch(self.page.locator("#aftermath .grow"))

    def start(self, game: str = "Ponzi Scheme", seats: tuple[str, ...] = (), name: str = "Margherita", **fields) -> str:
        """Start a table from the home page and return its address; `seats` says who sits where, as the form does."""
        page = self.page
        page.goto("/")
        card = page.locator("article", has=page.get_by_role("heading", name=game, exact=True))
        self.touch(card.get_by_role("link", name="Set up a game"))
        page.get_by_label("Your name").fill(name)
        if seats:
            page.locator(f"input[name=seats][value='{len(seats)}'] + span").click()
        for number, kind in enumerate(seats):
            page.locator(f"select[name=seat-{number}]").select_option(kind)
        if "open" in seats:
            # Most of what is tried in a browser is a game; rooms have tests of their own.
            page.locator("#start-when").select_option("now")
        if fields:
            self.touch(page.locator("#more > summary"))
        for field, value in fields.items():
            page.fill(f"[name='option-{field}']", str(value))
        self.touch(page.get_by_role("button", name="Create table"))
        page.wait_for_url("**/t/*")
        return page.url

    def menu(self, *, shown: bool = True) -> None:
        """Open or close the menu of the top bar."""
        if bool(self.page.locator("#menu[open]").count()) != shown:
            self.touch(self.page.locator("#menu > summary"))

    # The table, as it is shown

    @property
    def version(self) -> int:
        return int(self.page.get_attribute("#fragment", "data-version"))

    @property
    def over(self) -> bool:
        return self.page.locator("#fragment.over").count() > 0

    @property
    def headline(self) -> str:
        return self.page.inner_text("#headline")

    def wait(self) -> None:
        """Wait until it is this person's turn or the game is over."""
        self.page.wait_for_function(READY)

    def legal(self) -> list[str]:
        """The notations in the list of actions; a number field is one entry, `amount 0..57`."""
        return self.page.evaluate(
            """() => [
                ...[...document.querySelectorAll("#number")].map((box) => {
                    const { min, max } = document.getElementById("amount");
                    return `${box.dataset.family} ${min}..${max}`;
                }),
                ...[...document.querySelectorAll("#actions [data-steps]")].map((one) => one.value),
            ]"""
        )

    # Acting

    def act(self, action: str) -> None:
        """Make an action as one does on the board: touch its pieces, type its number, or press its button."""
        page, before = self.page, self.version
        self.menu(shown=False)
        number = action.partition(" ")[2]
        steps = page.evaluate(STEPS, action)
        if steps is None:
            page.fill("#amount", number)
            page.locator("#amount").press("Enter")
        elif ":" not in steps:
            button = page.locator(f"#actions [data-steps='{steps}']").first
            chosen_first = button.get_attribute("data-chosen-first") is not None
            self.touch(button)
            if chosen_first:
                self.touch(page.locator("#commit"))
        else:
            if not self.phone:
                # A mouse that has not moved since the page was drawn anew only picks with its first click.
                page.mouse.move(1, 1)
            page.wait_for_function(CHOOSABLE, arg=before)
            left = steps.split()
            while left:
                # One piece may stand for several steps: somebody's tile names the player and the industry.
                names = page.evaluate(PIECE, [left[0], steps])
                if not names:
                    # The only option was taken meanwhile; if not, this tells how it stands.
                    return self.moved(before)
                left = [step for step in left if step not in names.split()]
                self.touch(page.locator(f"[data-path='{names}'].can").filter(visible=True).first)
            if self.phone:
                self.touch(page.locator("#commit"))
            else:
                # Where the page was drawn anew between pointing and clicking, the click has only picked.
                page.wait_for_function(PICKED, arg=before)
                page.evaluate(COMMIT, before)
        self.moved(before)

    def moved(self, before: int) -> None:
        """Wait until the page shows a newer position."""
        try:
            self.page.wait_for_function(NEWER, arg=before)
        except TookTooLong as error:
            raise AssertionError(f"Nothing came of it at {before}: {self.page.evaluate(HOW_IT_STANDS)}") from error

    def play(self, choose: Choose, most: int = 400) -> int:
        """Play until the game is over and return the number of actions."""
        for made in range(most):
            self.wait()
            if self.over:
                return made
            self.act(choose(self.legal()))
        raise AssertionError(f"The game is not over after {most} actions.")


def careful(seed: int) -> Choose:
    """Somebody who takes the cheapest fund, now and then trades, and decides the rest by chance."""
    chance = random.Random(seed)

    def choose(legal: list[str]) -> str:
        if legal[0].startswith("amount"):
            low, high = map(int, legal[0].split()[1].split(".."))
            return f"amount {min(high, low + chance.randrange(30))}"
        funds = [action for action in legal if action.startswith("fund")]
        if funds:
            return min(funds, key=lambda action: int(action.split()[-1]))
        if "pass" in legal and chance.random() < 0.6:
            return "pass"
        return chance.choice(legal)

    return choose
