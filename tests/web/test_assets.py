"""Styles, scripts and pictures."""

import gzip
import re

from pyramidion.engine import registry
from pyramidion.web.pages import assets
from pyramidion.web.pages.panel import PLACES
from pyramidion.web.play.panels import PANELS


def test_every_reference_in_the_templates_is_there():
    files = assets.assets().files
    named = {
        "icon.svg",
        "bitter.woff2",
        "atkinson-hyperlegible-next.woff2",
        "base.css",
        "theme.js",
        "table.css",
        "table.js",
        "form.js",
        *assets.assets().imported_by(["table.js"]),
        *(name for panel in PANELS for name in (panel.style, panel.script) if name is not None),
    }
    assert named <= set(files)
    for name, asset in files.items():
        assert gzip.decompress(asset.packed) == asset.plain
        if name.endswith(assets.BINARY):
            continue
        text = asset.plain.decode()
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), f"{name} names another site"
        if name.endswith(".js"):
            for other in re.findall(r'from "\./([^"]+)"|import "\./([^"]+)"', text):
                assert (other[0] or other[1]) in files, f"{name} imports {other}"


def test_every_panel_names_places_of_the_page():
    page = (assets.STATIC.parent / "templates" / "table.html").read_text("utf-8")
    assert re.findall(r"for part in parts\.(\w+)", page) == list(PLACES)
    for panel in PANELS:
        assert set(panel.parts) <= set(PLACES)


def test_modules_that_others_import_are_fetched_ahead():
    found = assets.assets().imported_by(["table.js"])
    assert {"motion.js", "morph.js"} <= set(found)
    assert not {"table.js", "room.js"} & set(found)


def test_files_are_kept_for_ever_under_an_address_that_changes_with_them(client):
    base = assets.assets().base
    answer = client.get(f"{base}/base.css")
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    old = client.get("/static/0123/base.css", headers={"accept-encoding": "identity"})
    assert old.headers["cache-control"] == "no-cache"
    assert old.content == assets.assets().files["base.css"].plain
    assert client.get(f"{base}/games/ponzi-scheme/board.css").headers["content-type"].startswith("text/css")
    for name in ("nothing.js", "games/ponzi-scheme/rules.py", "games/chess/board.css"):
        assert client.get(f"{base}/{name}").status_code == 404


def test_what_games_share_comes_before_what_is_their_own(client):
    for game_id in ("upside-down", "downside-up"):
        game = registry.all_games()[game_id]
        sheet = client.get(f"{assets.assets().base}/games/{game_id}/board.css").text
        written = [(folder / "board.css").read_text("utf-8") for folder in (game.shared, game.folder)]
        assert sheet == "".join(re.sub(r"(?s)/\*.*?\*/", "", part) for part in written)
        assert "/*" in written[1]
        assert "/*" not in sheet


def test_the_fonts_come_with_their_licences_and_are_small(client):
    fonts = sorted(assets.STATIC.glob("*.woff2"))
    assert len(fonts) == 2
    assert sum(font.stat().st_size for font in fonts) < 120_000
    sheet = client.get(f"{assets.assets().base}/base.css").text
    for font in fonts:
        assert "SIL Open Font License" in font.with_suffix(".licence.txt").read_text("utf-8")
        assert f'url("{font.name}")' in sheet
        answer = client.get(f"{assets.assets().base}/{font.name}")
        assert answer.headers["content-type"] == "font/woff2"
        assert answer.content == font.read_bytes()
