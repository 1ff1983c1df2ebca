# pyright: basic
"""Draw the pictures of link previews: `.venv/bin/python -m docs.link_pictures`, where Chromium is installed.

Each game with a `picture.svg` gets a `link.png` beside it: its scene and its name, nothing of any table.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.web.helpers.browsing import browser_server, browsing

from pyramidion.engine import registry
from pyramidion.web.pages.renderer import ENVIRONMENT

WIDTH, HEIGHT = 1200, 630
DRAW = """([scene, name]) => {
  document.body.innerHTML = `<div class="link">${scene}<h1>Pyramidion</h1></div>`;
  const style = document.createElement("style");
  style.textContent = `
    .link { position: fixed; inset: 0; background: #e9dcc0; }
    .link svg { position: absolute; left: 152px; top: 0; width: 896px; height: 538px; }
    .link h1 { position: absolute; inset: auto 0 0; margin: 0; padding: 14px 48px 18px; font-size: 52px;
      line-height: 1.2; background: #fffdf7; color: #23201b; border-top: 6px solid #c8952c; }`;
  document.head.append(style);
  document.querySelector(".link h1").textContent = name;
}"""


def main() -> None:
    """Draw the picture of every game that has a scene."""
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", bypass_csp=True)
        page.goto(server.address)
        for game in registry.all_games().values():
            if (game.folder / "picture.svg").is_file():
                scene = ENVIRONMENT.get_template(f"{game.id}/picture.svg").render()
                page.evaluate(DRAW, [scene, game.name])
                page.screenshot(path=game.folder / "link.png")


if __name__ == "__main__":
    main()
