# pyright: basic
"""The screencast of the README and the site: `.venv/bin/python -m docs.screencast`. Requires Chromium and FFmpeg.

Somebody plays a whole game of Pyramis from the home page, the first turns slowly and the rest fast. Chromium sends a
frame whenever the page changes.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Locator, Page
from tests.web.helpers.browsing import Person, browser_server, browsing

from pyramidion import bots
from pyramidion.web.table.tables import Tables

IMAGES = Path(__file__).parent / "images"
STEPS = 14
"""Frames of a movement of the mouse."""
LONGEST = 0.8
"""Seconds for which a frame counts at most within its scene."""
CAPTIONS = {
    0: "Point at a space to see what it would score",
    1: "Then refill the River",
    2: "Click to play: the server knows every rule",
    4: "",
}
"""Captions by the number of the player's decisions so far."""
SLOW = (5.5, 2.5, 5.0, 2.0, 3.5, 1.5)
"""Seconds for each of the player's first decisions, with what the bots do before."""
OVERLAY = """() => {
    const layer = document.createElement("div");
    layer.innerHTML = `<svg id="cast-mouse" width="26" height="34" viewBox="0 0 13 17">
        <path d="M1 1v12l3-3 2 5 2.5-1-2-5h4z" fill="#fff" stroke="#000" stroke-linejoin="round"/></svg>
        <p id="cast-says"></p><style>
        #cast-mouse { position: absolute; left: 640px; top: 420px }
        #cast-says { position: absolute; top: 14px; left: 50%; transform: translateX(-50%); margin: 0; opacity: 0;
            padding: 12px 20px; border-radius: 14px; background: #23201bee; color: #fffdf7; transition: opacity .3s;
            font: 600 22px/1.3 Bitter, serif }
        #cast-says.aside { top: auto; bottom: 24px; left: 12px; width: 184px; transform: none }</style>`;
    // At a table, below the other players.
    if (document.getElementById("fragment")) layer.querySelector("#cast-says").className = "aside";
    layer.style.cssText = "position: fixed; inset: 0; pointer-events: none; z-index: 99999";
    // A popover lies above open dialogues.
    layer.popover = "manual";
    layer.style.cssText += "; margin: 0; border: 0; padding: 0; width: 100%; height: 100%; background: none";
    document.documentElement.append(layer);
    layer.showPopover();
    const mouse = layer.querySelector("#cast-mouse");
    document.addEventListener("mousemove", (event) => {
        mouse.style.left = `${event.clientX}px`;
        mouse.style.top = `${event.clientY}px`;
    }, true);
    const press = [{ transform: "scale(.75)" }, { transform: "none" }];
    document.addEventListener("mousedown", () => mouse.animate(press, 250), true);
}"""
SAY = """(text) => {
    const says = document.getElementById("cast-says");
    says.style.opacity = text ? 1 : 0;
    if (text) says.textContent = text;
}"""
STILL = """<style>body { margin: 0 } svg { position: absolute; inset: 0; margin: auto; width: 150px }</style>
    <img src="data:image/jpeg;base64,%s"><svg viewBox="-50 -50 100 100"><circle r="46" fill="#23201bdd"/>
    <path d="M-14-22v44l38-22z" fill="#fffdf7"/></svg>"""


class Recording:
    """The frames of a page. A scene lasts as long as it should, however busy the machine that records it is."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.folder = folder
        self.frames: list[tuple[float, int]] = []
        self.scenes: list[float] = []
        self.session = page.context.new_cdp_session(page)
        self.session.on("Page.screencastFrame", self._keep)
        self.session.send("Page.startScreencast", {"format": "jpeg", "quality": 95})

    def scene(self, seconds: float) -> None:
        """Begin a scene of this length."""
        self.scenes.append(seconds)

    def _keep(self, frame: dict) -> None:
        self.session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        (self.folder / f"{len(self.frames)}.jpg").write_bytes(base64.b64decode(frame["data"]))
        self.frames.append((frame["metadata"]["timestamp"], len(self.scenes) - 1))

    def stop(self) -> None:
        """Take no more frames."""
        self.session.send("Page.stopScreencast")

    def frame(self, scene: int) -> str:
        """Return a frame late in a scene, in base64."""
        numbers = [number for number, (_, other) in enumerate(self.frames) if other == scene]
        return base64.b64encode((self.folder / f"{numbers[len(numbers) * 4 // 5]}.jpg").read_bytes()).decode()

    def save(self, file: Path) -> None:
        """Write the frames as a WebM."""
        starts = [start for start, _ in self.frames]
        # A frame that nothing follows for long is a wait, and is cut short.
        durations = [min(end - start, LONGEST) for start, end in pairwise([*starts, starts[-1] + LONGEST])]
        lines = ["ffconcat version 1.0"]
        for number, (_, scene) in enumerate(self.frames):
            whole = sum(length for length, (_, other) in zip(durations, self.frames, strict=True) if other == scene)
            lines += [f"file {number}.jpg", f"duration {durations[number] / whole * self.scenes[scene]:.4f}"]
        (self.folder / "frames.txt").write_text("\n".join([*lines, lines[-2]]), "utf-8")
        command = ["ffmpeg", "-y", "-loglevel", "error", "-i", str(self.folder / "frames.txt"), "-r", "25"]
        command += ["-c:v", "libvpx-vp9", "-crf", "38", "-b:v", "0", "-cpu-used", "5", "-row-mt", "1"]
        subprocess.run([*command, "-pix_fmt", "yuv420p", str(file)], check=True)


class Player:
    """Somebody who plays with a visible mouse, and chooses as the policy would."""

    def __init__(self, person: Person, tables: Tables) -> None:
        self.person, self.page, self.tables = person, person.page, tables
        self.at = (640.0, 420.0)

    def say(self, text: str) -> None:
        """Show a caption, or none."""
        self.page.evaluate(SAY, text)

    def point(self, place: Locator) -> None:
        """Move the mouse to the middle of something."""
        box = place.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for step in range(1, STEPS + 1):
            share = step / STEPS
            eased = share * share * (3 - 2 * share)
            self.page.mouse.move(self.at[0] + (x - self.at[0]) * eased, self.at[1] + (y - self.at[1]) * eased)
            self.page.wait_for_timeout(25)
        self.at = (x, y)

    def click(self, place: Locator, pause: float = 0.4) -> None:
        """Point at something, wait, and click."""
        self.point(place)
        self.page.wait_for_timeout(1000 * pause)  # a pause to read, not a wait for anything
        self.page.mouse.click(*self.at)

    def decide(self) -> tuple[str, ...]:
        """Return the steps of the action to choose now, such as `river:1` and `space:a1`."""
        (table,) = self.tables.cached_tables().values()
        match = table.action_log.match
        return bots.load("policy", match.game, seed=match.ply).move(match, 0).path

    def turn(self) -> None:
        """Take one decision by clicking its pieces, pausing at the preview of the last."""
        before, steps = self.person.version, self.decide()
        for number, step in enumerate(steps):
            last = number == len(steps) - 1
            self.click(self.page.locator(f"[data-path~='{step}'].can").first, pause=1.1 if last else 0.5)
        self.page.wait_for_timeout(150)
        commit = self.page.locator("#commit")
        if self.person.version == before and commit.is_visible():
            self.page.mouse.click(*self.at)
        self.person.moved(before)


def main() -> None:
    """Play, and write the screencast and its still picture."""
    if shutil.which("ffmpeg") is None:
        sys.exit("The screencast is put together by FFmpeg, which is not installed here.")
    with (
        tempfile.TemporaryDirectory() as folder,
        browser_server(Path(folder) / "data", bot_pause=0.7) as server,
        browsing() as browser,
    ):
        person = Person(browser, server.address, speed="fast", color_scheme="light", bypass_csp=True)
        person.page.set_viewport_size({"width": 1280, "height": 720})
        person.page.set_default_timeout(120_000)
        person.context.add_init_script(f"addEventListener('DOMContentLoaded', {OVERLAY})")
        player = Player(person, server.app.server.tables)
        person.page.goto("/")
        recording = Recording(person.page, Path(folder))
        recording.scene(4)
        player.say("Pick one of six games …")
        person.page.wait_for_timeout(1000)
        player.click(person.page.get_by_role("button", name="Play now").first)
        person.page.wait_for_selector("#fragment")
        person.page.wait_for_selector("#cast-says", state="attached")
        person.page.mouse.move(*player.at)
        recording.scene(3)
        player.say("… and you are playing, here against two bots")
        person.wait()
        game(player, recording)
        recording.stop()
        person.page.set_content(STILL % recording.frame(len(SLOW) + 2))
        person.page.screenshot(path=IMAGES / "screencast.jpg", quality=88)
        recording.save(IMAGES / "screencast.webm")
    print(f"{sum(recording.scenes):g} seconds, {(IMAGES / 'screencast.webm').stat().st_size / 1e6:.1f} MB")


def game(player: Player, recording: Recording) -> None:
    """Play the game to its end."""
    person, page = player.person, player.page
    for decision in range(100):
        person.wait()
        if person.over:
            break
        if decision in CAPTIONS:
            player.say(CAPTIONS[decision])
        if decision < len(SLOW):
            recording.scene(SLOW[decision])
        elif decision == len(SLOW):
            recording.scene(8)
            player.say("Seven turns later …")
        player.turn()
    recording.scene(4)
    player.say("")
    page.wait_for_timeout(4000)


if __name__ == "__main__":
    main()
