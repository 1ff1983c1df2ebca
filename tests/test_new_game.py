"""Tests of `pyramidion new-game`, and of the tutorial's game, which started from it.

A game in a checkout is covered by the tests for every game, none of which names it. Games in packages of their own are
installed like by pip, played in the terminal, over the API and in the browser, and pass their own tests.
"""

from __future__ import annotations

import importlib
import os
import random
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.browsing import Person, browser_server

from pyramidion.cli import main
from pyramidion.cli.warm import warm_game
from pyramidion.engine import registry
from pyramidion.web.pages.assets import assets

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "kuhn-poker"
TUTORIAL = ROOT / "docs" / "add-a-game.md"
GENERIC = [
    "tests/test_laws.py",
    "tests/test_languages.py",
    "tests/test_rules_translated.py",
    "tests/bots/test_bots.py",
    "tests/playthroughs",
    "tests/games/tiny_cards",
    "tests/games/test_options_told.py",
    "tests/web/test_every_secret.py",
    "tests/web/test_fragment_cache.py",
]


def run(*command: str, at: Path, path: list[Path], told: str = "", **more: str) -> str:
    """Run a command of Python in a folder and return what it prints; `more` are variables of the environment."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), **more}
    done = subprocess.run(
        [sys.executable, *command], cwd=at, env=environment, input=told, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_seventh_game_in_a_checkout_passes_the_tests_that_mean_every_game(tmp_path):
    """No list is edited: only the commands are run that new-game prints."""
    for folder in ("src", "tests", "tools", "docs", "benchmarks"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    for path in (*ROOT.glob("*.md"), *(ROOT / name for name in ("pyproject.toml", "Makefile", "CITATION.cff"))):
        shutil.copy(path, tmp_path)
    where = {"at": tmp_path, "path": [tmp_path / "src"]}
    assert "src/pyramidion/games/tiny_cards" in run("-m", "pyramidion", "new-game", "tiny-cards", **where)
    assert "tiny-cards   Tiny Cards, 2 to 5 seats" in run("-m", "pyramidion", "games", **where)
    for command in ("tests.playthroughs", "tests.games.telling_options"):
        run("-m", command, "tiny-cards", **where, PYRAMIDION_INTERPRET="1")
    run("docs/generate.py", **where)
    run("-m", "tools.messages", "--check", **where)
    chosen = "tiny or every_file"
    said = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *GENERIC, **where)
    assert re.search(r"\b\d{2,} passed", said), said
    run("-m", "ruff", "check", "src/pyramidion/games/tiny_cards", "tests/games/tiny_cards", **where)


@pytest.fixture(scope="module", params=["tiny-dice", "kuhn-poker"])
def package(request, tmp_path_factory):
    """The folder of a package, copied, and the path of an environment in which it is installed.

    All workers of a run share the copy, and so what was compiled of it, which Numba finds by its path.
    """
    name = request.param
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, mine = shared / f"installed-{name}", tmp_path_factory.mktemp("installed")
    if not folder.exists():
        _install(name, mine)
        with suppress(OSError):  # another worker was first
            mine.rename(folder)
    home = folder / name
    return home, [home / "src", folder / "site", ROOT / "src"]


def _install(name, folder):
    home = folder / name
    if name == "kuhn-poker":
        shutil.copytree(EXAMPLE, home, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        # As new-game writes it, its golden game not yet written down.
        run("-m", "pyramidion", "new-game", name, "--package", at=folder, path=[ROOT / "src"])
    info = folder / "site" / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    entry = re.search(r'^[\w-]+ = "\w+:GAME"$', (home / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    (info / "entry_points.txt").write_text(f"[pyramidion.games]\n{entry[0]}\n".replace('"', ""))


@pytest.fixture
def installed(package, monkeypatch):
    """The id of the package's game, which is there in this process too."""
    home, path = package
    for folder in path[:2]:
        monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    assets.cache_clear()
    yield home.name
    registry.forget(home.name)
    module = home.name.replace("-", "_")
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        del sys.modules[name]
    assets.cache_clear()


@pytest.mark.slow
def test_a_package_passes_the_tests_it_brings(package):
    home, path = package
    golden = home / "tests" / "golden.txt"
    before = golden.read_text("utf-8") if home.name == "kuhn-poker" else None
    run("tests/test_golden.py", at=home, path=path)
    assert before in (None, golden.read_text("utf-8"))
    assert " passed" in run("-m", "pytest", "-q", "-p", "no:cacheprovider", at=home, path=path)


@pytest.mark.slow
def test_the_commands_that_new_game_prints_and_the_tutorial_shows_work(package, tmp_path, monkeypatch, capsys):
    """From the folder above the package; only pip and the server are left out."""
    home, path = package
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "tiny-coins", "--package"]) == 0
    text = capsys.readouterr().out.partition("Next:")[2].replace("tiny-coins", home.name)
    if home.name == "kuhn-poker":
        blocks = re.findall(r"^```bash\n(.*?)^```", TUTORIAL.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        text = "\n".join(blocks).replace(".venv/bin/", "")
    commands = [command.partition("#")[0].split() for line in text.splitlines() for command in line.split("&&")]
    tried = []
    for program, *arguments in filter(None, commands):
        if program == "pip" or arguments[0] in ("serve", "new-game"):
            continue
        tried.append(" ".join([program, *arguments]))
        module = ["-m", "pyramidion"] if program == "pyramidion" else []
        fewer = ["--games", "5"] if arguments[0] == "laws" else []
        printed = run(*module, *arguments, *fewer, at=home.parent, path=path, told="1\n" * 60)
        assert arguments[0] != "play" or " won (" in printed
    assert {f"python -m pytest {home.name}", f"pyramidion play {home.name}"} < set(tried)


@pytest.mark.slow
def test_it_is_played_over_the_api_and_its_pages_load(installed, tmp_path):
    chance = random.Random(1)
    with serving(tmp_path / "data") as server, httpx.Client(base_url=server.address, timeout=60) as client:
        table = Player(client, ["me", "me"], installed, seed=1)
        for address in (f"/games/{installed}/new", f"/games/{installed}/rules", f"/t/{table.id}"):
            assert client.get(address).status_code == 200
        sheet = client.get(f"{assets().base}/games/{installed}/board.css").text
        assert f".game-{installed} " in sheet
        while not table.get()["over"]:
            table.play(lambda legal: chance.choice(legal)["text"])
        assert 'id="result"' in client.get(f"/t/{table.id}").text


@pytest.mark.browser
def test_it_is_played_in_the_browser(installed, tmp_path, browser):
    chance = random.Random(2)
    warm_game(installed)
    with browser_server(tmp_path / "data") as server:
        for width in (1280, 390):
            person = Person(browser, server.address, width=width, reduced_motion="reduce")
            person.start(registry.load(installed).name)
            assert person.play(chance.choice) > 1
            assert person.page.locator("#result").count() == 1
            assert person.problems == []
            person.context.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Kuhn Poker"], "lower-case words with hyphens"),
        (["x"], "lower-case words with hyphens"),
        (["pyramis"], "There is a game 'pyramis' already"),
        (["class"], "a word of Python"),
        (["numpy", "--package"], "There is a Python package 'numpy' already"),
    ],
)
def test_a_name_that_does_not_do_is_refused(arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_the_template_is_left_in_a_new_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "love-letter", "--package"]) == 0
    written = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.*") if path.is_file()}
    assert len(written) > 12
    left = {path.name: re.findall(r".*\b(?:my|mg)[-_ ].*", text, re.IGNORECASE) for path, text in written.items()}
    assert {name: lines for name, lines in left.items() if lines} == {}


def test_who_sees_everything_has_no_seat_in_the_template_and_the_example(package):
    home, path = package
    program = (
        "import pyramidion\nfrom pyramidion import EVERYTHING\nmatch = pyramidion.load(%r).new(seed=1)\n"
        "while not match.over:\n    match.play(match.acting[0], match.legal(match.acting[0])[0])\n"
        "print([match.view(viewer)['seat'] for viewer in (None, 1, EVERYTHING)])"
    )
    assert run("-c", program % home.name, at=home, path=path) == "[None, 1, None]\n"


def test_nothing_is_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny-dice").mkdir()
    assert main(["new-game", "tiny-dice", "--package"]) == 2
    assert "tiny-dice is there already" in capsys.readouterr().err
    assert list((tmp_path / "tiny-dice").iterdir()) == []


def test_a_package_that_is_installed_without_its_source_is_told_of_package(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("pyramidion.cli.new_game.CHECKOUT", tmp_path)
    assert main(["new-game", "tiny-dice"]) == 2
    assert "with --package" in capsys.readouterr().err


def test_every_file_of_the_template_says_what_goes_there():
    template = ROOT / "src" / "pyramidion" / "template"
    files = [path for path in (template / "my_game").iterdir() if path.is_file()]
    assert len(files) == 12
    silent = {"picture.svg"}  # says it in its own words
    assert [path.name for path in files if "What goes here" not in path.read_text("utf-8")] == sorted(silent)


def test_the_tutorial_shows_what_stands_in_the_example():
    """Every block of it names its file, and is in there as it is shown."""
    shown = re.findall(r"^`([\w/.-]+)`:\n\n```\w+\n(.*?)^```", TUTORIAL.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(shown) >= 10
    for name, block in shown:
        assert block in (EXAMPLE / name).read_text("utf-8"), f"{name}: {block}"
    named = {name for name, _block in shown}
    written = {path.relative_to(EXAMPLE).as_posix() for path in (EXAMPLE / "src").rglob("*.*") if path.suffix != ".pyc"}
    assert {name for name in written if name.endswith(".py")} <= named


def test_every_folder_of_the_package_is_checked_for_types():
    """What is no game is named in pyright's list as a whole; of games, files by their names."""
    import tomllib

    checked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]["include"]
    package = ROOT / "src" / "pyramidion"
    folders = {f"src/pyramidion/{path.name}" for path in package.iterdir() if any(path.glob("*.py"))}
    assert folders - set(checked) <= {"src/pyramidion/games"}
